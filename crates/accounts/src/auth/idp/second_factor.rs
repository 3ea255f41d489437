//! Second factors: codes of an authenticator app (TOTP, RFC 6238), and the encryption of their secrets.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use chrono::{DateTime, Utc};
use totp_rs::{Builder, Secret, Totp};

/// Bytes of a secret, as RFC 4226 recommends.
pub const SECRET_BYTES: usize = 20;

/// Encrypts secrets for the database (AES-256-GCM). A secret of one account does not open for another.
#[derive(derive_more::Debug)]
#[debug("FactorKey(..)")]
pub struct FactorKey(LessSafeKey);

impl FactorKey {
    pub fn new(key: [u8; 32]) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, &key).expect("AES-256 takes 32 bytes");
        Self(LessSafeKey::new(key))
    }

    /// Encrypts a secret: returns the nonce, which must be random, then the ciphertext with its tag.
    pub fn seal(&self, uid: &str, secret: [u8; SECRET_BYTES], nonce: [u8; NONCE_LEN]) -> Vec<u8> {
        let mut sealed = secret.to_vec();
        let given = Nonce::assume_unique_for_key(nonce);
        let encrypted = self.0.seal_in_place_append_tag(given, Aad::from(uid), &mut sealed);
        encrypted.expect("twenty bytes are not too long");
        [&nonce[..], &sealed].concat()
    }

    /// Decrypts a secret; `None` if it was sealed with another key or for another account.
    pub fn open(&self, uid: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut opened = ciphertext.to_vec();
        let secret = self.0.open_in_place(nonce, Aad::from(uid), &mut opened).ok()?;
        Some(secret.to_vec())
    }
}

/// Returns the time step of a code: the current one, or a neighbour for a clock that is off. `None` for a wrong code.
pub fn step_of(secret: &[u8], code: &str, now: DateTime<Utc>) -> Option<i64> {
    let seconds = u64::try_from(now.timestamp()).ok()?;
    let step = totp(secret, "", "").ok()?.check(code, seconds)?;
    i64::try_from(step).ok()
}

/// Returns the secret in base32 for the authenticator app, and a link that contains everything. The app lists it by
/// `brand`.
pub fn shown(secret: &[u8], email: &str, brand: &str) -> Result<(String, String), totp_rs::TotpError> {
    // A colon would end the name.
    let link = totp(secret, email, &brand.replace(':', " "))?.to_url()?;
    Ok((Secret::from(secret).to_base32(), link))
}

/// Sets up six digits, 30 seconds and SHA-1, which every app understands.
fn totp(secret: &[u8], email: &str, brand: &str) -> Result<Totp, totp_rs::TotpError> {
    Builder::new().with_secret(secret).with_account_name(email).with_issuer(Some(brand)).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    // The codes come from RFC 6238, appendix B, cut to six digits.
    #[test]
    fn codes_follow_the_standard_and_are_valid_for_a_step_on_either_side() {
        let secret = b"12345678901234567890";
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time");
        assert_eq!(step_of(secret, "287082", at(59)), Some(1));
        assert_eq!(step_of(secret, "287082", at(89)), Some(1));
        assert_eq!(step_of(secret, "287082", at(90)), None);
        assert_eq!(step_of(secret, "005924", at(1_234_567_890)), Some(41_152_263));
        assert_eq!(step_of(secret, "005925", at(1_234_567_890)), None);
    }

    #[test]
    fn a_sealed_secret_opens_for_its_account_alone() {
        let key = FactorKey::new([1; 32]);
        let sealed = key.seal("u1", [7; SECRET_BYTES], [9; NONCE_LEN]);
        assert!(!sealed.windows(SECRET_BYTES).any(|part| part == [7; SECRET_BYTES]));
        assert_eq!(key.open("u1", &sealed).as_deref(), Some(&[7; SECRET_BYTES][..]));
        assert_eq!(key.open("u2", &sealed), None);
        assert_eq!(FactorKey::new([2; 32]).open("u1", &sealed), None);
        assert_eq!(key.open("u1", b"short"), None);
    }

    #[test]
    fn an_app_gets_the_account_and_the_secret() {
        let (secret, link) = shown(&[7; SECRET_BYTES], "asha@example.com", "Roadcall").expect("shown");
        assert_eq!(secret.len(), 32);
        assert!(link.starts_with("otpauth://totp/Roadcall:asha%40example.com?"), "{link}");
        assert!(link.contains(&format!("secret={secret}")), "{link}");
    }
}
