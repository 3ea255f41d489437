//! Random tokens that carry a mark, by which the service knows before it looks anything up that it has made them. The mark lets
//! nobody in; it decides by what a request is counted.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::http::Proof;

const OWNER_BYTES: usize = 8;
/// Random bytes of a token.
pub const RANDOM_BYTES: usize = 16;
const MARK_BYTES: usize = 8;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Refresh,
    /// Of a socket.
    Ticket,
    /// A link to a job.
    Link,
    /// Of somebody who is to become an admin.
    Invitation,
    /// An app that sends a mechanic's positions, and may do nothing else.
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

/// Makes tokens, and knows them again.
#[derive(Clone)]
pub struct TokenMaker([u8; 32]);

impl std::fmt::Debug for TokenMaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenMaker(..)")
    }
}

impl TokenMaker {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// A token of 32 bytes in base64url: whose it is, in a form that tells nothing, random bytes, and the mark over both. Requests
    /// with tokens of one owner are counted together.
    pub fn make(&self, kind: TokenKind, owner: Uuid, random: [u8; RANDOM_BYTES]) -> String {
        let owner = self.tag(kind, "owner", owner.as_bytes());
        let mut token = [&owner[..OWNER_BYTES], &random].concat();
        let mark = self.tag(kind, "mark", &token);
        token.extend_from_slice(&mark[..MARK_BYTES]);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// A token of its owner alone, the same each time: it can be sent later and is kept nowhere.
    pub fn make_for(&self, kind: TokenKind, owner: Uuid) -> String {
        let drawn = self.tag(kind, "drawn", owner.as_bytes());
        let mut random = [0; RANDOM_BYTES];
        random.copy_from_slice(&drawn[..RANDOM_BYTES]);
        self.make(kind, owner, random)
    }

    /// By what a request with this token is counted; `None` if the service has not made it, or an older release has.
    pub fn read(&self, kind: TokenKind, token: &str) -> Option<Proof> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (marked, mark) = bytes.split_at_checked(OWNER_BYTES + RANDOM_BYTES)?;
        let is_ours =
            mark.len() == MARK_BYTES && self.begin(kind, "mark", marked).verify_truncated_left(mark).is_ok();
        is_ours.then(|| Proof::of(&format!("{} {:?}", kind.name(), &marked[..OWNER_BYTES])))
    }

    fn tag(&self, kind: TokenKind, about: &str, bytes: &[u8]) -> [u8; 32] {
        self.begin(kind, about, bytes).finalize().into_bytes().into()
    }

    fn begin(&self, kind: TokenKind, about: &str, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(format!("{} {about}\0", kind.name()).as_bytes());
        mac.update(bytes);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_to_its_maker_for_what_it_was_made_for() {
        let (maker, owner) = (TokenMaker::new([1; 32]), Uuid::from_u128(7));
        let token = maker.make(TokenKind::Link, owner, [3; RANDOM_BYTES]);
        assert_eq!(token.len(), 43);
        let proof = maker.read(TokenKind::Link, &token);
        assert!(proof.is_some());
        assert_eq!(maker.read(TokenKind::Refresh, &token), None, "for something else");
        assert_eq!(TokenMaker::new([2; 32]).read(TokenKind::Link, &token), None, "another key");
        let changed = if token.starts_with('A') { "B" } else { "A" };
        for odd in
            ["", "x", "AAAA", &token[1..], &format!("{token}AAAA"), &format!("{changed}{}", &token[1..])]
        {
            assert_eq!(maker.read(TokenKind::Link, odd), None, "{odd}");
        }
    }

    #[test]
    fn tokens_of_one_owner_are_counted_together_and_tell_nothing_of_them() {
        let (maker, owner) = (TokenMaker::new([1; 32]), Uuid::from_u128(7));
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
