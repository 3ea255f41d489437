use lettre::Address;

/// The longest path of RFC 5321, without its brackets.
const MAX_BYTES: usize = 254;

/// An address in ASCII, which every mail server takes. A [`MailMessage`](super::MailMessage) goes to no other text.
#[derive(derive_more::Debug, Clone, PartialEq, Eq)]
// An address must not be logged.
#[debug("MailAddress(..)")]
pub struct MailAddress(Address);

impl MailAddress {
    /// Returns `None` for a text that no server would take or that could add a header of its own.
    pub fn of(text: &str) -> Option<Self> {
        let is_plain = text.is_ascii() && text.len() <= MAX_BYTES && !text.contains(|c: char| c.is_control());
        is_plain.then(|| text.parse().ok()).flatten().map(Self)
    }

    pub(super) fn inner(&self) -> &Address {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_text_that_every_server_takes_is_an_address() {
        for good in ["asha@example.com", "asha.rao+road@mail.example.co.in", "\"a b\"@example.com"] {
            assert!(MailAddress::of(good).is_some(), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for bad in [
            "",
            "asha",
            "@example.com",
            "asha@",
            "asha@example.com\r\nBcc: all@example.com",
            "asha\n@example.com",
            "asha@example.com\0",
            "asha rao@example.com",
            "<asha@example.com>",
            "asha@example.com>\r\nRCPT TO:<all@example.com",
            "आशा@example.com",
            &long,
        ] {
            assert!(MailAddress::of(bad).is_none(), "{bad:?}");
        }
        assert!(!format!("{:?}", MailAddress::of("asha@example.com")).contains("asha"));
    }
}
