//! The rules for passwords, and Argon2id (RFC 9106) with the crate's parameters, on a blocking thread.

use std::{collections::HashSet, sync::LazyLock};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};

/// The hash of random bytes, for unknown emails: no password matches it, and the comparison takes as long as with a
/// real hash.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$cZtR4mZ61yWlS8TadY69oQ$H3Z3jjJDP81QwTpK5+TpZK/O188PD8V0XzMBu3nmjSo";

/// One on each line, without those that the other rules refuse: they have a letter and repeat nothing.
const COMMON_PASSWORDS: &str = include_str!("common_passwords.txt");
/// The shortest length of a new password.
const MIN_CHARACTERS: usize = 12;
const MAX_CHARACTERS: usize = 200;
/// The fewest characters that must remain without the digits and signs at both ends and without repetitions.
const MIN_LETTERS: usize = 4;

/// The reason why a password was refused.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    #[error("the password must have 12 to 200 characters")]
    Length,
    #[error("the password is too easy to guess: use a longer one, or several unrelated words")]
    Guessable,
    #[error("the password could not be hashed: {0}")]
    Hash(String),
}

/// Returns the PHC string of a new password for the account with this email.
pub async fn hash_password(password: String, email: String) -> Result<String, PasswordError> {
    let hashed = tokio::task::spawn_blocking(move || {
        check(&password, &email)?;
        hash(&password)
    });
    hashed.await.map_err(|why| PasswordError::Hash(why.to_string()))?
}

/// Checks that a password is long enough, and not among the first guesses.
fn check(password: &str, email: &str) -> Result<(), PasswordError> {
    if !(MIN_CHARACTERS..=MAX_CHARACTERS).contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    if is_guessable(&password.to_lowercase(), &email.to_lowercase()) {
        return Err(PasswordError::Guessable);
    }
    Ok(())
}

/// Returns whether a password is a common one, its owner's email or the service's name, perhaps repeated, with digits
/// and signs around it, or has hardly any letters, like a date or a phone number.
fn is_guessable(password: &str, email: &str) -> bool {
    static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON_PASSWORDS.lines().collect());
    let core = repeated_part(password.trim_matches(|c: char| !c.is_alphabetic()));
    let own = [email, email.split('@').next().unwrap_or_default(), "roadcall"];
    core.chars().count() < MIN_LETTERS
        || own.contains(&core)
        || [password, repeated_part(password), core].iter().any(|part| COMMON.contains(part))
}

/// Returns the repeated part, `abc` of `abcabcabc`; the text itself if nothing is repeated.
fn repeated_part(text: &str) -> &str {
    let parts = text.char_indices().skip(1).map(|(end, _)| &text[..end]);
    let repeats =
        |part: &&str| text.len().is_multiple_of(part.len()) && part.repeat(text.len() / part.len()) == text;
    parts.take_while(|part| part.len() <= text.len() / 2).find(repeats).unwrap_or(text)
}

/// Returns whether the password matches the hash `kept`. Without a hash, the comparison takes as long.
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

    #[test]
    fn a_password_matches_its_own_hash_and_the_placeholder_matches_none() {
        let kept = hash("correct horse").expect("hashed");
        assert!(kept.starts_with("$argon2id$v=19$"), "{kept}");
        assert!(matches("correct horse", Some(&kept)));
        assert!(!matches("correct horsf", Some(&kept)));
        assert!(!matches("correct horse", None));
        assert!(!matches("correct horse", Some("spoiled")));
    }

    #[tokio::test]
    async fn short_common_and_personal_passwords_are_refused() {
        let email = "asha.rao@example.com";
        for (password, refusal) in [
            ("elevenchars", "12 to 200"),
            ("", "12 to 200"),
            ("password1234", "easy to guess"),
            ("123456789012", "easy to guess"),
            ("qwertyuiop12", "easy to guess"),
            ("!Password2026!", "easy to guess"),
            ("letmeinletmein", "easy to guess"),
            ("14-03-2026-2030", "easy to guess"),
            ("aaaaaaaaaaaaaaaa", "easy to guess"),
            ("asha.rao@example.com", "easy to guess"),
            ("Roadcall2026", "easy to guess"),
        ] {
            let refused = hash_password(password.to_owned(), email.to_owned()).await.expect_err(password);
            assert!(refused.to_string().contains(refusal), "{password}: {refused}");
        }
        for password in ["tyre-lorry-monsoon-kettle", "x8#Kq2!vLm0z", "टायर बारिश केतली"]
        {
            hash_password(password.to_owned(), email.to_owned()).await.expect(password);
        }
    }

    #[test]
    fn common_passwords_have_a_letter_and_repeat_nothing() {
        let passwords = COMMON_PASSWORDS.lines().skip(1);
        let is_needed =
            |password: &&str| password.contains(char::is_alphabetic) && repeated_part(password) == *password;
        assert_eq!(passwords.filter(|password| !is_needed(password)).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn comparing_with_the_placeholder_costs_the_same() {
        let (nobodys, anybodys) = (NOBODYS.to_owned(), hash("correct horse").expect("hashed"));
        let cost = |phc: &str| phc.rsplitn(3, '$').nth(2).map(str::to_owned);
        assert_eq!(cost(&nobodys), cost(&anybodys));
        let parts = |phc: &str| phc.split('$').map(str::len).collect::<Vec<_>>();
        assert_eq!(parts(&nobodys), parts(&anybodys));
    }
}
