//! The code in a link.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Letters that nobody confuses with others (Crockford's base 32).
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The length makes 50 bits: far more than anybody can try in half an hour.
pub const LENGTH: usize = 10;

/// Makes a code of random bytes.
pub fn code_of(random: [u8; LENGTH]) -> String {
    random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Returns the original form of a code, however somebody typed it; `None` if the text is not a code.
fn read(text: &str) -> Option<String> {
    let typed = text.chars().filter(|c| !"- ".contains(*c)).map(|c| match c.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        c => c,
    });
    // A longer text need not be read to its end.
    let code: String = typed.take(LENGTH + 1).collect();
    let holds = code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
    holds.then_some(code)
}

/// Returns the HMAC that is stored of a code; `None` if the text is not a code.
pub fn kept(key: [u8; 32], text: &str) -> Option<Vec<u8>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
    mac.update(read(text)?.as_bytes());
    Some(mac.finalize().into_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_same_however_it_is_typed() {
        let code = code_of([0, 1, 2, 33, 31, 10, 11, 12, 255, 16]);
        assert_eq!(code, "0121zabczg");
        for typed in ["0121zabczg", "O12L-zabc zg", "0I2lZABCZG"] {
            assert_eq!(kept([1; 32], typed), kept([1; 32], &code), "{typed}");
        }
        for none in ["", "0121zabcz", "0121zabczgg", "0121zabczu", "०121zabczg", &"0".repeat(5000)] {
            assert_eq!(kept([1; 32], none), None, "{none}");
        }
        assert_ne!(kept([1; 32], &code), kept([2; 32], &code));
    }
}
