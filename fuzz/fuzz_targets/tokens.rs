//! Credentials: nobody guesses one, and one that was changed is none.
#![no_main]

use chrono::DateTime;
use libfuzzer_sys::fuzz_target;
use roadcall::accounts::auth::{AccessTokens, RANDOM_BYTES, ServerSecret, TokenKind, TokenMaker};
use uuid::Uuid;

const KINDS: [TokenKind; 5] =
    [TokenKind::Refresh, TokenKind::Ticket, TokenKind::Link, TokenKind::Invitation, TokenKind::Tracker];

/// The text with some characters changed, as `changes` say: a place, and another character for it.
fn changed(text: &str, changes: &[u8]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for change in changes.chunks_exact(2) {
        let place = usize::from(change[0]) % characters.len();
        characters[place] = char::from(change[1]);
    }
    characters.into_iter().collect()
}

fuzz_target!(|input: (&str, &[u8])| {
    let (text, changes) = input;
    let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
    let (maker, access) = (TokenMaker::new([1; 32]), AccessTokens::new(&ServerSecret::new([2; 32]), 900));
    assert!(access.read(text, now).is_err(), "nobody guesses an access token");
    let genuine = access.issue(Uuid::nil(), Uuid::nil(), Uuid::nil(), now).expect("a token");
    let other = changed(&genuine, changes);
    // The last character of base64 has bits that mean nothing; the decoder refuses them.
    assert_eq!(access.read(&other, now).is_ok(), other == genuine);
    for kind in KINDS {
        assert!(maker.read(kind, text).is_none(), "nobody guesses a token");
        let genuine = maker.make(kind, Uuid::nil(), [3; RANDOM_BYTES]);
        let other = changed(&genuine, changes);
        assert_eq!(maker.read(kind, &other).is_some(), other == genuine);
    }
});
