//! The text of a partner's key: `rck_live_<handle>_<secret><checksum>`. Pure.

use roadcall_http::text_enum;
use roadcall_platform::error::{ApiError, ApiResult};
use sha2::{Digest, Sha256};

text_enum! {
    /// The servers to which keys belong. Each server makes and accepts keys of one environment.
    KeyEnvironment {
        Live = "live",
        /// Servers for trying the interface, without real people.
        Sandbox = "sandbox",
    }
}

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HANDLE_DIGITS: usize = 12;
const SECRET_BYTES: usize = 32;
/// The digits of 256 bits.
const SECRET_DIGITS: usize = 43;
/// The digits of 32 bits.
const CHECKSUM_DIGITS: usize = 6;
/// The random bytes of a key.
pub const RANDOM_BYTES: usize = HANDLE_DIGITS + SECRET_BYTES;

/// Returns whether a bearer token claims to be a partner's key.
pub fn is_key(token: &str) -> bool {
    token.starts_with("rck_")
}

impl KeyEnvironment {
    fn prefix(self) -> &'static str {
        match self {
            Self::Live => "rck_live_",
            Self::Sandbox => "rck_test_",
        }
    }
}

/// A key that was just made; its text is shown once.
pub struct MadeKey {
    pub text: String,
    pub handle: String,
}

impl MadeKey {
    pub fn new(environment: KeyEnvironment, random: &[u8; RANDOM_BYTES]) -> Self {
        let (of_handle, of_secret) = random.split_at(HANDLE_DIGITS);
        // Lower case alone, so that people can read a handle to each other.
        let handle: String = of_handle.iter().map(|byte| DIGITS[lower_case(*byte)] as char).collect();
        let unchecked = format!("{}{handle}_{}", environment.prefix(), digits(of_secret, SECRET_DIGITS));
        let text = format!("{unchecked}{}", checksum(&unchecked));
        Self { text, handle }
    }
}

/// Returns the digit or letter in lower case that a random byte stands for.
fn lower_case(byte: u8) -> usize {
    let digit = usize::from(byte) % 36;
    if digit < 10 { digit } else { digit + 26 }
}

/// Returns the handle of a key for this environment; 401 if the text is no such key.
pub fn handle_of(text: &str, environment: KeyEnvironment) -> ApiResult<&str> {
    let is_of = |other: &KeyEnvironment| text.starts_with(other.prefix());
    let of = KeyEnvironment::ALL.iter().copied().find(is_of).ok_or_else(mistyped)?;
    let unchecked = text.len().checked_sub(CHECKSUM_DIGITS).and_then(|at| text.split_at_checked(at));
    let (unchecked, sum) = unchecked.ok_or_else(mistyped)?;
    let parts = unchecked[of.prefix().len().min(unchecked.len())..].split_once('_');
    match parts {
        Some((handle, secret))
            if handle.len() == HANDLE_DIGITS
                && secret.len() == SECRET_DIGITS
                && checksum(unchecked) == sum =>
        {
            if of == environment {
                Ok(handle)
            } else {
                Err(of_another_environment(of, environment))
            }
        }
        _ => Err(mistyped()),
    }
}

fn mistyped() -> ApiError {
    ApiError::unauthorized("This key is not complete, or mistyped: its checksum is wrong.")
}

fn of_another_environment(of: KeyEnvironment, environment: KeyEnvironment) -> ApiError {
    let prefix = environment.prefix();
    ApiError::unauthorized(format!(
        "This is a {of} key, and this server is {environment}: its keys begin with {prefix}."
    ))
}

/// Returns the stored form of a key: it is random, so one pass of SHA-256 can't be reversed.
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn checksum(text: &str) -> String {
    digits(&crc32(text.as_bytes()).to_be_bytes(), CHECKSUM_DIGITS)
}

/// Writes a number, the highest byte first, with so many digits.
fn digits(number: &[u8], count: usize) -> String {
    let mut number = number.to_vec();
    let mut digits = vec![b'0'; count];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0;
        for byte in &mut number {
            let value = rest << 8 | usize::from(*byte);
            *byte = (value / 62) as u8;
            rest = value % 62;
        }
        *digit = DIGITS[rest];
    }
    digits.into_iter().map(char::from).collect()
}

/// Returns the checksum of ISO 3309, by which tools that look for leaked keys recognise ours without asking us.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(byte: u8) -> MadeKey {
        MadeKey::new(KeyEnvironment::Live, &[byte; RANDOM_BYTES])
    }

    #[test]
    fn numbers_are_written_with_62_digits() {
        assert_eq!(digits(&[0, 0, 0, 61], 6), "00000z");
        assert_eq!(digits(&[0, 0, 0, 62], 6), "000010");
        assert_eq!(digits(&u32::MAX.to_be_bytes(), 6), "4gfFC3");
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_key_is_read_as_it_was_made() {
        for byte in [0, 1, 35, 36, 255] {
            let MadeKey { text, handle } = made(byte);
            assert_eq!(text.len(), "rck_live_".len() + 12 + 1 + 43 + 6, "{text}");
            assert_eq!(handle_of(&text, KeyEnvironment::Live).ok(), Some(handle.as_str()));
            assert!(handle.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{handle}");
        }
        assert_ne!(hash(&made(1).text), hash(&made(2).text));
    }

    #[test]
    fn a_key_of_another_environment_is_refused_by_its_name() {
        let refusal = handle_of(&made(7).text, KeyEnvironment::Sandbox).map(drop).expect_err("a live key");
        assert_eq!(
            refusal.message,
            "This is a live key, and this server is sandbox: its keys begin with rck_test_."
        );
    }

    #[test]
    fn a_key_with_any_wrong_character_is_mistyped() {
        let text = made(7).text;
        let mut odd: Vec<String> =
            vec![String::new(), "rck_".into(), "rck_live_".into(), "rck_live_éé".into()];
        odd.extend((0..text.len()).map(|at| {
            let other = if &text[at..=at] == "x" { "y" } else { "x" };
            format!("{}{other}{}", &text[..at], &text[at + 1..])
        }));
        odd.extend([text[1..].to_owned(), text[..text.len() - 1].to_owned(), format!("{text}0")]);
        for odd in odd {
            let refusal = handle_of(&odd, KeyEnvironment::Live).map(drop).expect_err(&odd);
            assert!(refusal.message.contains("mistyped"), "{odd}: {}", refusal.message);
        }
    }
}
