use std::{fs, path::Path};

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

/// The pieces that small changes insert: the ends of numbers, escapes, a character of several bytes, separators.
const PIECES: &[&[u8]] = &[
    b"-1",
    b"0",
    b"1e308",
    b"-0.0",
    b"NaN",
    b"18446744073709551616",
    b"null",
    b"\"\\u0000\"",
    b"\\ud800",
    b"\"",
    b"[",
    b"{",
    b"}",
    b",",
    b"%",
    b"&",
    b"+",
    b".",
    b"\x00",
    b"\xff",
    "\u{200d}".as_bytes(),
    "\u{966}".as_bytes(),
];

const MAX_EDITS: usize = 6;

/// A change to an input. A place is a share of its length.
#[derive(Debug, Clone)]
enum Edit {
    Set(f64, u8),
    Insert(f64, &'static [u8]),
    Cut(f64, usize),
    Repeat(f64, usize),
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let (Self::Set(place, _) | Self::Insert(place, _) | Self::Cut(place, _) | Self::Repeat(place, _)) =
            self;
        let from = (place * bytes.len() as f64) as usize;
        match *self {
            Self::Set(_, byte) => {
                if let Some(old) = bytes.get_mut(from) {
                    *old = byte;
                }
            }
            Self::Insert(_, piece) => drop(bytes.splice(from..from, piece.iter().copied())),
            Self::Cut(_, length) => drop(bytes.drain(from..bytes.len().min(from + length))),
            Self::Repeat(_, length) => {
                bytes.extend_from_within(from..bytes.len().min(from + length));
            }
        }
    }
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).expect("a folder of seeds");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a seed").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

/// Makes inputs of a seed with some changes, or with none.
fn inputs(target: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let edit = prop_oneof![
        (0.0..1.0, any::<u8>()).prop_map(|(place, byte)| Edit::Set(place, byte)),
        (0.0..=1.0, select(PIECES)).prop_map(|(place, piece)| Edit::Insert(place, piece)),
        (0.0..1.0, 1..40_usize).prop_map(|(place, length)| Edit::Cut(place, length)),
        (0.0..1.0, 1..40_usize).prop_map(|(place, length)| Edit::Repeat(place, length)),
    ];
    (select(seeds(target)), vec(edit, 0..MAX_EDITS)).prop_map(|(mut bytes, edits)| {
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        bytes
    })
}

/// Makes inputs as text: invalid parts are replaced.
fn texts(target: &str) -> impl Strategy<Value = String> + use<> {
    inputs(target).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

proptest! {
    #[test]
    fn frames_are_read_or_refused(text in texts("frames")) {
        frames::check(&text);
    }

    #[test]
    fn bodies_are_read_or_refused(text in inputs("json")) {
        json::check(&text);
    }

    #[test]
    fn pictures_are_cleaned_or_refused(bytes in inputs("pictures")) {
        pictures::check(&bytes);
    }

    #[test]
    fn a_token_is_valid_for_only_one_purpose(text in texts("tokens"), changes in vec(any::<u8>(), 0..8)) {
        tokens::check(&text, &changes);
    }

    #[test]
    fn positions_of_trackers_are_on_the_globe(text in texts("trackers")) {
        trackers::check(&text);
    }

    #[test]
    fn values_obey_their_types(text in texts("values")) {
        values::check(&text);
    }

    #[test]
    fn a_webhook_has_one_signature(signature in "[0-9a-fA-F]{0,66}", body in inputs("webhooks")) {
        webhooks::check(&signature, &body);
    }
}
