//! Passwords: Argon2id (RFC 9106) with the crate's parameters, on a blocking thread.

use std::sync::OnceLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};

/// A password that nobody has, for emails that nobody has.
static NOBODYS: OnceLock<String> = OnceLock::new();

/// Why a password was not taken.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    #[error("the password must have 8 to 200 characters")]
    Length,
    #[error("the password could not be hashed: {0}")]
    Hash(String),
}

/// The PHC string of a new password.
pub async fn hash_password(password: String) -> Result<String, PasswordError> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    let hashed = tokio::task::spawn_blocking(move || hash(&password)).await;
    hashed.map_err(|why| PasswordError::Hash(why.to_string()))?
}

/// Whether the password is the one behind `kept`. Takes as long where there is none.
pub fn matches(password: &str, kept: Option<&str>) -> bool {
    let compared = kept.unwrap_or_else(|| nobodys());
    let Ok(compared) = PasswordHash::new(compared) else { return false };
    let is_same = Argon2::default().verify_password(password.as_bytes(), &compared).is_ok();
    is_same && kept.is_some()
}

fn nobodys() -> &'static str {
    NOBODYS.get_or_init(|| hash("nobody signs in with this").unwrap_or_default())
}

fn hash(password: &str) -> Result<String, PasswordError> {
    // The crate draws the salt from the operating system.
    let hashed: Result<PasswordHash, _> = Argon2::default().hash_password(password.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|why| PasswordError::Hash(why.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_and_nobodys_matches_none() {
        let kept = hash_password("correct horse".to_owned()).await.expect("hashed");
        assert!(kept.starts_with("$argon2id$v=19$"), "{kept}");
        assert!(matches("correct horse", Some(&kept)));
        assert!(!matches("correct horsf", Some(&kept)));
        assert!(!matches("nobody signs in with this", None));
        assert!(!matches("correct horse", Some("spoiled")));
        assert!(hash_password("seven77".to_owned()).await.is_err());
    }
}
