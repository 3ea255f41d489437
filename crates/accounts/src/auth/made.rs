//! Random tokens that carry a mark, by which the service recognises its own tokens before it looks anything up. The
//! mark admits nobody; it decides how a request is counted.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_http::Proof;
use roadcall_platform::keys::KeyRing;
use sha2::Sha256;
use uuid::Uuid;

use super::secrets::ServerSecrets;

const OWNER_BYTES: usize = 8;
/// Random bytes of a token.
pub const RANDOM_BYTES: usize = 16;
const MARK_BYTES: usize = 8;

/// The purpose of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Refresh,
    /// A ticket that opens a socket.
    Ticket,
    /// A link to a job.
    Link,
    /// An invitation to become an admin.
    Invitation,
    /// A tracker: an app that sends a mechanic's positions, and may do nothing else.
    Tracker,
}

impl TokenKind {
    fn name(self) -> &'static str {
        match self {
            Self::Refresh => "refresh",
            Self::Ticket => "ticket",
            Self::Link => "link",
            Self::Invitation => "invitation",
            Self::Tracker => "tracker",
        }
    }
}

/// Makes tokens, and recognises them.
#[derive(derive_more::Debug, Clone)]
#[debug("TokenMaker(..)")]
pub struct TokenMaker(KeyRing<[u8; 32]>);

impl TokenMaker {
    pub fn new(keys: KeyRing<[u8; 32]>) -> Self {
        Self(keys)
    }

    /// Returns a maker with the keys of a service, whether it runs or not.
    pub fn of(secrets: &ServerSecrets) -> Self {
        Self::new(secrets.keys("tokens of ours"))
    }

    /// Makes a token of 32 bytes in base64url: a pseudonym of its owner, random bytes, and the mark over both.
    /// Requests with tokens of one owner are counted together.
    pub fn make(&self, kind: TokenKind, owner: Uuid, random: [u8; RANDOM_BYTES]) -> String {
        make_by(self.0.current(), kind, owner, random)
    }

    /// Makes the only token of its owner, the same each time: it can be sent later and is stored nowhere.
    pub fn make_for(&self, kind: TokenKind, owner: Uuid) -> String {
        drawn_by(self.0.current(), kind, owner)
    }

    /// Makes that token with each key in turn, the one in use first: a token from before the service's secret was
    /// replaced is among them.
    pub fn made_for(&self, kind: TokenKind, owner: Uuid) -> impl Iterator<Item = String> {
        self.0.all().map(move |key| drawn_by(key, kind, owner))
    }

    /// Returns the possible successors of a token, with each key in turn, the one in use first.
    pub fn successors(&self, owner: Uuid, randoms: &KeyRing<[u8; RANDOM_BYTES]>) -> KeyRing<String> {
        let mut keys = self.0.all();
        randoms.map(|random| {
            let key = keys.next().unwrap_or_else(|| self.0.current());
            make_by(key, TokenKind::Refresh, owner, *random)
        })
    }

    /// Returns the proof by which a request with this token is counted; `None` if the service has not made it, or an
    /// older release has.
    pub fn read(&self, kind: TokenKind, token: &str) -> Option<Proof> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (marked, mark) = bytes.split_at_checked(OWNER_BYTES + RANDOM_BYTES)?;
        let is_ours = mark.len() == MARK_BYTES
            && self.0.any(|key| begin(key, kind, "mark", marked).verify_truncated_left(mark).is_ok());
        is_ours.then(|| Proof::of(&format!("{} {:?}", kind.name(), &marked[..OWNER_BYTES])))
    }
}

fn make_by(key: &[u8; 32], kind: TokenKind, owner: Uuid, random: [u8; RANDOM_BYTES]) -> String {
    let owner = tag(key, kind, "owner", owner.as_bytes());
    let mut token = [&owner[..OWNER_BYTES], &random].concat();
    let mark = tag(key, kind, "mark", &token);
    token.extend_from_slice(&mark[..MARK_BYTES]);
    URL_SAFE_NO_PAD.encode(token)
}

fn drawn_by(key: &[u8; 32], kind: TokenKind, owner: Uuid) -> String {
    let drawn = tag(key, kind, "drawn", owner.as_bytes());
    let mut random = [0; RANDOM_BYTES];
    random.copy_from_slice(&drawn[..RANDOM_BYTES]);
    make_by(key, kind, owner, random)
}

fn tag(key: &[u8; 32], kind: TokenKind, about: &str, bytes: &[u8]) -> [u8; 32] {
    begin(key, kind, about, bytes).finalize().into_bytes().into()
}

fn begin(key: &[u8; 32], kind: TokenKind, about: &str, bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(format!("{} {about}\0", kind.name()).as_bytes());
    mac.update(bytes);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_with(key: [u8; 32]) -> TokenMaker {
        TokenMaker::new(KeyRing::alone(key))
    }

    #[test]
    fn a_token_is_recognised_by_its_maker_for_its_own_purpose() {
        let (maker, owner) = (made_with([1; 32]), Uuid::from_u128(7));
        let token = maker.make(TokenKind::Link, owner, [3; RANDOM_BYTES]);
        assert_eq!(token.len(), 43);
        let proof = maker.read(TokenKind::Link, &token);
        assert!(proof.is_some());
        assert_eq!(maker.read(TokenKind::Refresh, &token), None, "for something else");
        assert_eq!(made_with([2; 32]).read(TokenKind::Link, &token), None, "another key");
        let changed = if token.starts_with('A') { "B" } else { "A" };
        for odd in
            ["", "x", "AAAA", &token[1..], &format!("{token}AAAA"), &format!("{changed}{}", &token[1..])]
        {
            assert_eq!(maker.read(TokenKind::Link, odd), None, "{odd}");
        }
    }

    #[test]
    fn a_token_of_any_key_of_the_ring_is_recognised() {
        let owner = Uuid::from_u128(7);
        let (old, ring) = (made_with([1; 32]), TokenMaker::new(KeyRing::new([2; 32], vec![[1; 32]])));
        let token = old.make(TokenKind::Link, owner, [3; RANDOM_BYTES]);
        assert_eq!(ring.read(TokenKind::Link, &token), old.read(TokenKind::Link, &token));
        assert_eq!(
            ring.make_for(TokenKind::Invitation, owner),
            made_with([2; 32]).make_for(TokenKind::Invitation, owner)
        );
        let made: Vec<String> = ring.made_for(TokenKind::Invitation, owner).collect();
        assert_eq!(made[1], old.make_for(TokenKind::Invitation, owner));
        let next = ring.successors(owner, &KeyRing::new([5; RANDOM_BYTES], vec![[4; RANDOM_BYTES]]));
        assert_eq!(next.accepted(), [old.make(TokenKind::Refresh, owner, [4; RANDOM_BYTES])]);
        assert_eq!(*next.current(), ring.make(TokenKind::Refresh, owner, [5; RANDOM_BYTES]));
    }

    #[test]
    fn tokens_of_one_owner_are_counted_together_and_do_not_reveal_the_owner() {
        let (maker, owner) = (made_with([1; 32]), Uuid::from_u128(7));
        let proof = |owner, random| {
            let token = maker.make(TokenKind::Refresh, owner, [random; RANDOM_BYTES]);
            maker.read(TokenKind::Refresh, &token).expect("its own")
        };
        assert_eq!(proof(owner, 1), proof(owner, 2));
        assert_ne!(proof(owner, 1), proof(Uuid::from_u128(8), 1));
        let token = URL_SAFE_NO_PAD.decode(maker.make(TokenKind::Refresh, owner, [1; RANDOM_BYTES]));
        assert!(!token.expect("base64").windows(8).any(|part| part == &owner.as_bytes()[8..]));
    }
}
