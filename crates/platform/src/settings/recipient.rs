//! Public keys for which `age` encrypts, and those that verify signatures, checked by their form: a typing error is found when
//! the settings are read, and not in the night of the first backup.

use base64::{Engine, engine::general_purpose::STANDARD};

/// The longest keys are those that resist quantum computers, with some 2000 characters.
const MAX_CHARS: usize = 4096;

/// The letters of Bech32, in the order of their values.
const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The polynomial of its checksum.
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// The number of letters of the checksum, and of an X25519 key with it: 32 bytes in letters of 5 bits.
const CHECKSUM_LETTERS: usize = 6;
const X25519_LETTERS: usize = 52 + CHECKSUM_LETTERS;

/// The types of SSH keys that age knows.
const SSH_TYPES: [&str; 2] = ["ssh-ed25519", "ssh-rsa"];

/// Returns whether the text is a private key, given by mistake.
pub fn is_private_key(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    text.contains("AGE-SECRET-KEY-") || text.contains("PRIVATE KEY")
}

/// Returns whether the text has the form of a public key of age, of one of its plugins, or of SSH.
pub fn is_recipient(text: &str) -> bool {
    text.len() <= MAX_CHARS && (is_of_age(text) || is_of_ssh(text))
}

/// Returns whether the text has the form of a public key of SSH.
pub fn is_signer(text: &str) -> bool {
    text.len() <= MAX_CHARS && is_of_ssh(text)
}

/// Checks a key by BIP 173, without its limit of 90 characters, as age does.
fn is_of_age(text: &str) -> bool {
    let Some((prefix, letters)) = text.rsplit_once('1') else { return false };
    let value = |letter: u8| LETTERS.iter().position(|known| *known == letter);
    let Some(values) = letters.bytes().map(value).collect::<Option<Vec<_>>>() else { return false };
    let has_length = if prefix == "age" {
        values.len() == X25519_LETTERS
    } else {
        prefix.starts_with("age1") && values.len() > CHECKSUM_LETTERS
    };
    let prefix = prefix.as_bytes();
    let high = prefix.iter().map(|letter| u32::from(letter >> 5));
    let low = prefix.iter().map(|letter| u32::from(letter & 31));
    let values = values.into_iter().filter_map(|value| u32::try_from(value).ok());
    has_length && remainder(high.chain([0]).chain(low).chain(values)) == 1
}

fn remainder(values: impl Iterator<Item = u32>) -> u32 {
    values.fold(1, |sum, value| {
        let shifted = ((sum & 0x01ff_ffff) << 5) ^ value;
        let terms = GENERATOR.iter().enumerate().filter(|(bit, _)| (sum >> 25) >> bit & 1 == 1);
        terms.fold(shifted, |sum, (_, term)| sum ^ term)
    })
}

/// Checks a line of a `.pub` file: the type, the key, which begins with its type again (RFC 4253, 6.6), and perhaps a comment.
fn is_of_ssh(text: &str) -> bool {
    let mut words = text.split(' ');
    let (Some(kind), Some(key)) = (words.next(), words.next()) else { return false };
    let Ok(key) = STANDARD.decode(key) else { return false };
    let begin = [&[0, 0, 0, kind.len() as u8], kind.as_bytes()].concat();
    SSH_TYPES.contains(&kind) && key.len() > begin.len() && key.starts_with(&begin) && !text.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_AGE: &str = "age12fevv3m5hum3g6v4h34j7c2e4tzzlng72lmamex2jj2eu2a6nd3s2awetu";
    const OF_SSH: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE0TZnO0aLFsKkYs576N8wnMn20VU/0EI+4mnoF70UV7";

    #[test]
    fn public_keys_of_age_and_ssh_are_recipients() {
        for key in [OF_AGE, OF_SSH, &format!("{OF_SSH} asha@laptop")] {
            assert!(is_recipient(key) && !is_private_key(key), "{key}");
            assert_eq!(is_signer(key), key.starts_with("ssh-"), "{key}");
        }
    }

    #[test]
    fn a_key_with_a_wrong_letter_and_other_texts_are_refused() {
        let wrong = OF_AGE.replacen('f', "g", 1);
        let swapped = OF_AGE.replacen("2f", "f2", 1);
        let others = [
            "",
            "age1",
            "1",
            "age1qqqqqq",
            "ssh-ed25519",
            "ssh-ed25519 ",
            "ssh-ed25519 AAAA",
            "a@example.com",
        ];
        let ecdsa = OF_SSH.replace("ssh-ed25519", "ecdsa-sha2-nistp256");
        let upper = OF_AGE.to_uppercase();
        let of_type = OF_SSH.replacen("ssh-ed25519", "ssh-rsa", 1);
        let two = format!("{OF_SSH}\n{OF_SSH}");
        let long = format!("{OF_SSH} {}", "x".repeat(4096));
        let made = [&wrong, &swapped, &ecdsa, &upper, &of_type, &two, &long].map(String::as_str);
        for key in others.into_iter().chain(made).chain([&OF_AGE[..61]]) {
            assert!(!is_recipient(key) && !is_signer(key), "{key}");
        }
    }

    #[test]
    fn a_private_key_is_recognised() {
        for key in ["AGE-SECRET-KEY-1QQ", "age-secret-key-1qq", "-----BEGIN OPENSSH PRIVATE KEY-----"] {
            assert!(is_private_key(key) && !is_recipient(key), "{key}");
        }
    }
}
