//! Derives codes, and the values that are stored of them.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::queries::CodeRow;

/// Digits in a code.
pub const DIGITS: usize = 6;
const CODES: u64 = 10_u64.pow(DIGITS as u32);

/// The key from which codes, and the values that are stored of them, are derived.
#[derive(derive_more::Debug)]
#[debug("OtpKey(..)")]
pub struct OtpKey([u8; 32]);

impl OtpKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Returns a phone's code for a nonce: the same each time, and impossible to derive from the nonce without the
    /// key.
    pub fn code(&self, phone: &str, nonce: &[u8]) -> String {
        let mut mac = self.begin(b"code");
        mac.update(nonce);
        mac.update(phone.as_bytes());
        let bytes = mac.finalize().into_bytes();
        let number = bytes.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        format!("{:0DIGITS$}", number % CODES)
    }

    /// Returns the nonce of a live code that may be sent again. `None` if the code is not the nonce's, because a
    /// release that knows no nonces has replaced it.
    pub fn nonce_of(&self, phone: &str, code: &CodeRow) -> Option<Vec<u8>> {
        let nonce = code.nonce.as_ref()?;
        self.matches(phone, &self.code(phone, nonce), &code.code_hmac).then(|| nonce.clone())
    }

    /// Returns the HMAC of a code for a phone: the code of one phone is useless for another.
    pub fn seal(&self, phone: &str, code: &str) -> Vec<u8> {
        self.mac(phone, code).finalize().into_bytes().to_vec()
    }

    /// Compares a code with its HMAC in constant time.
    pub fn matches(&self, phone: &str, code: &str, sealed: &[u8]) -> bool {
        self.mac(phone, code).verify_slice(sealed).is_ok()
    }

    fn mac(&self, phone: &str, code: &str) -> Hmac<Sha256> {
        let mut mac = self.begin(phone.as_bytes());
        mac.update(code.as_bytes());
        mac
    }

    fn begin(&self, about: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(about);
        mac.update(b"\0");
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_matches_its_own_phone_alone() {
        let key = OtpKey::new([1; 32]);
        let sealed = key.seal("+919876543210", "012345");
        assert!(key.matches("+919876543210", "012345", &sealed));
        let cases = [
            ("+919876543210", "012346", &sealed[..], "another code"),
            ("+919876543211", "012345", &sealed[..], "another phone"),
            ("+9198765432100", "12345", &sealed[..], "the same text cut elsewhere"),
            ("+919876543210", "012345", &sealed[..31], "a shortened seal"),
        ];
        for (phone, code, sealed, why) in cases {
            assert!(!key.matches(phone, code, sealed), "{why}");
        }
        assert!(!OtpKey::new([2; 32]).matches("+919876543210", "012345", &sealed), "another key");
    }

    #[test]
    fn a_nonce_has_one_code_for_each_phone_and_key() {
        let (key, nonce) = (OtpKey::new([1; 32]), vec![7; 16]);
        let code = key.code("+919876543210", &nonce);
        assert_eq!((code.len(), &code), (DIGITS, &key.code("+919876543210", &nonce)));
        assert!(code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        let others = [
            key.code("+919876543211", &nonce),
            key.code("+919876543210", &[8; 16]),
            OtpKey::new([2; 32]).code("+919876543210", &nonce),
        ];
        assert!(others.iter().all(|other| *other != code), "{others:?}");
    }

    #[test]
    fn a_code_is_repeated_only_while_its_nonce_is_kept_and_still_its_own() {
        let (key, phone, nonce) = (OtpKey::new([1; 32]), "+919876543210", vec![7; 16]);
        let row = |code: &str, nonce| CodeRow { code_hmac: key.seal(phone, code), nonce };
        let code = key.code(phone, &nonce);
        assert_eq!(key.nonce_of(phone, &row(&code, Some(nonce.clone()))), Some(nonce.clone()));
        assert_eq!(key.nonce_of(phone, &row(&code, None)), None, "not to be repeated");
        assert_eq!(key.nonce_of(phone, &row("x", Some(nonce))), None, "replaced by a release without nonces");
    }
}
