//! Checks an uploaded picture: it is cleaned or refused. A cleaned one is no larger, of the same kind, and has nothing left to
//! clean.

use crate::providers::storage::{FileKind, HEAD_BYTES, checked_picture};

const MEGAPIXELS: u32 = 100;
/// Cleaning writes the orientation again, which may take more bytes than before.
const PICTURE_TURN_BYTES: usize = 128;

fn kind_of(bytes: &[u8]) -> Option<FileKind> {
    FileKind::of(&bytes[..bytes.len().min(HEAD_BYTES)])
}

pub fn check(bytes: &[u8]) {
    let Some(kind) = kind_of(bytes) else { return };
    let Ok(clean) = checked_picture(kind, bytes, MEGAPIXELS) else { return };
    assert!(clean.len() <= bytes.len() + PICTURE_TURN_BYTES, "a picture does not grow");
    assert_eq!(kind_of(&clean), Some(kind), "a picture stays of its kind");
    let again = checked_picture(kind, &clean, MEGAPIXELS).expect("a clean picture is a picture");
    assert!(again == clean, "a clean picture has nothing left to clean");
}
