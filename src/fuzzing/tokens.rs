//! Checks credentials: a token is valid for one purpose, and has one text. (That nobody guesses a token can't be checked here: a
//! fuzzer sees what the code compares, and so makes signatures.)

use chrono::DateTime;
use uuid::Uuid;

use crate::{
    accounts::auth::{AccessTokens, RANDOM_BYTES, ServerSecret, ServerSecrets, TokenKind, TokenMaker},
    platform::keys::KeyRing,
};

const KINDS: [TokenKind; 5] =
    [TokenKind::Refresh, TokenKind::Ticket, TokenKind::Link, TokenKind::Invitation, TokenKind::Tracker];

/// 32 bytes in base64.
const TOKEN_CHARACTERS: usize = 43;

/// Returns the text with some characters changed by `changes`: pairs of a place and another character for it.
fn changed(text: &str, changes: &[u8]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for change in changes.chunks_exact(2) {
        let place = usize::from(change[0]) % characters.len();
        characters[place] = char::from(change[1]);
    }
    characters.into_iter().collect()
}

/// Checks that a token is of one kind, and has the text that the maker made.
fn check_token(maker: &TokenMaker, text: &str) {
    let kinds = KINDS.iter().filter(|kind| maker.read(**kind, text).is_some()).count();
    assert!(kinds <= 1, "a token is good for one thing");
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    assert!(kinds == 0 || (text.len() == TOKEN_CHARACTERS && is_plain), "a token has one text");
}

pub fn check(text: &str, changes: &[u8]) {
    let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
    let maker = TokenMaker::new(KeyRing::alone([1; 32]));
    let access = AccessTokens::new(&ServerSecrets(KeyRing::alone(ServerSecret::new([2; 32]))), 900);
    check_token(&maker, text);
    for kind in KINDS {
        let genuine = maker.make(kind, Uuid::nil(), [3; RANDOM_BYTES]);
        assert!(maker.read(kind, &genuine).is_some());
        check_token(&maker, &changed(&genuine, changes));
    }
    let genuine = access.issue(Uuid::nil(), Uuid::nil(), Uuid::nil(), now).expect("a token");
    assert!(access.read(&genuine, now).is_ok());
    for text in [text, &changed(&genuine, changes)] {
        let is_taken = access.read(text, now).is_ok();
        assert!(!is_taken || text.split('.').count() == 3);
        assert!(maker.read(TokenKind::Tracker, text).is_none() || !is_taken);
    }
}
