//! The wire types of addresses.

use deserr::Deserr;
use roadcall_http::{Email, Invalid, Timestamp, ValidationErrors, text_enum};
use serde::Serialize;
use utoipa::ToSchema;

/// An address to confirm.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewEmail {
    pub email: Email,
}

/// A code that is on its way.
#[derive(derive_more::Debug, Serialize, ToSchema)]
// A code must not be logged.
#[debug("EmailCodeSent {{ .. }}")]
pub struct EmailCodeSent {
    #[schema(format = "email")]
    pub email: String,
    pub expires_at: Timestamp,
    /// The time from which another code can be sent.
    pub resend_at: Timestamp,
    /// The code itself, in development while no mail is sent; null otherwise.
    #[schema(required)]
    pub otp: Option<String>,
}

/// A code of six digits.
#[derive(derive_more::Debug, Clone, Deserr, ToSchema)]
#[debug("EmailCode(..)")]
#[deserr(try_from(String) = EmailCode::new -> Invalid)]
#[schema(pattern = "^[0-9]{6}$", example = "123456")]
pub struct EmailCode(pub String);

impl EmailCode {
    fn new(text: String) -> Result<Self, Invalid> {
        let holds = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        if holds { Ok(Self(text)) } else { Err("must be six digits".into()) }
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ConfirmEmail {
    pub code: EmailCode,
}

/// The recipient of a test mail.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewMailTest {
    /// The address; the caller's own if it is not given.
    #[deserr(default)]
    pub email: Option<Email>,
}

text_enum! {
    /// The outcome of a test mail.
    MailOutcome {
        /// The mail server took the mail.
        Taken = "taken",
        /// The mail server refused it permanently.
        Refused = "refused",
        /// The mail server did not take it this time.
        NotNow = "not_now",
        /// The outcome is unknown: the server did not answer to the end.
        Unknown = "unknown",
        /// `mail.provider` sends nothing.
        NotSent = "not_sent",
    }
}

/// The mail server's answer to a test mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailTest {
    pub outcome: MailOutcome,
    /// The step and the status, never the server's words; null if it took the mail.
    #[schema(required, example = "RCPT: status 550")]
    pub reason: Option<String>,
}
