//! Passwords: Argon2id (RFC 9106) with the crate's parameters, on a blocking thread.

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};

/// Random bytes in the place of a hash, for emails that nobody has: no password is behind it, and comparing with it
/// takes as long as with a real one.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$cZtR4mZ61yWlS8TadY69oQ$H3Z3jjJDP81QwTpK5+TpZK/O188PD8V0XzMBu3nmjSo";

/// Fewest characters of a new password.
pub const MIN_CHARACTERS: usize = 8;
const MAX_CHARACTERS: usize = 200;

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
    if !(MIN_CHARACTERS..=MAX_CHARACTERS).contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    let hashed = tokio::task::spawn_blocking(move || hash(&password)).await;
    hashed.map_err(|why| PasswordError::Hash(why.to_string()))?
}

/// Whether the password is the one behind `kept`. Takes as long where there is none.
pub fn matches(password: &str, kept: Option<&str>) -> bool {
    let compared = kept.unwrap_or(NOBODYS);
    let Ok(compared) = PasswordHash::new(compared) else { return false };
    let is_same = Argon2::default().verify_password(password.as_bytes(), &compared).is_ok();
    is_same && kept.is_some()
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
        assert!(!matches("correct horse", None));
        assert!(!matches("correct horse", Some("spoiled")));
        assert!(hash_password("seven77".to_owned()).await.is_err());
    }

    #[test]
    fn comparing_with_nobodys_costs_what_comparing_with_anybodys_does() {
        let (nobodys, anybodys) = (NOBODYS.to_owned(), hash("correct horse").expect("hashed"));
        let cost = |phc: &str| phc.rsplitn(3, '$').nth(2).map(str::to_owned);
        assert_eq!(cost(&nobodys), cost(&anybodys));
        let parts = |phc: &str| phc.split('$').map(str::len).collect::<Vec<_>>();
        assert_eq!(parts(&nobodys), parts(&anybodys));
    }
}
