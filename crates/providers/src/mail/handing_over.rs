//! How the answer of a mail server, or its silence, decides about a mail (RFC 5321, section 4.2).

use std::time::Duration;

use lettre::transport::smtp::Error;
use tokio::time::timeout;

use super::MailError;

/// A step of a conversation with a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The connection, the greeting and EHLO.
    Connect,
    Encrypt,
    SignIn,
    From,
    To,
    /// DATA, before the text.
    Begin,
    /// The text, and the answer to it.
    Text,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Connect => "connecting",
            Self::Encrypt => "STARTTLS",
            Self::SignIn => "AUTH",
            Self::From => "MAIL",
            Self::To => "RCPT",
            Self::Begin => "DATA",
            Self::Text => "the text",
        }
    }
}

/// How a step failed.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) error: MailError,
    /// Whether the fault is the server's rather than the mail's: any other mail would fail as well.
    pub(super) is_outage: bool,
    /// Whether the server still listens, so that we can say goodbye.
    pub(super) is_answered: bool,
}

impl Fault {
    /// Makes the fault of a server that did not answer in time.
    pub(super) fn silent(step: Step) -> Self {
        Self::without_answer(step, "no answer in time")
    }

    fn without_answer(step: Step, what: &str) -> Self {
        let why = format!("{}: {what}", step.name());
        // Once the whole text was sent, the server may have the mail.
        let error = if step == Step::Text { MailError::Unknown(why) } else { MailError::Later(why) };
        Self { error, is_outage: true, is_answered: false }
    }

    /// Makes the fault of an error. It never quotes the answer, which contains the address.
    pub(super) fn of(step: Step, error: &Error) -> Self {
        let Some(status) = error.status() else {
            return Self::without_answer(step, description(step, error));
        };
        let why = format!("{}: status {status}", step.name());
        let is_final = error.is_permanent();
        // A server that refuses our sign-in or our sender would refuse every mail.
        let is_about_the_mail = matches!(step, Step::To | Step::Begin | Step::Text);
        let error = match is_final && is_about_the_mail {
            true => MailError::Refused(why),
            false => MailError::Later(why),
        };
        // With 421 the server closes the connection.
        let is_closing = status.to_string() == "421";
        Self { error, is_outage: !is_about_the_mail || is_closing, is_answered: !is_closing }
    }
}

/// Describes the error in our own words.
fn description(step: Step, error: &Error) -> &'static str {
    if error.is_tls() {
        "its certificate is not trusted, or it speaks no TLS"
    } else if error.is_response() {
        "no answer of a mail server"
    } else if !error.is_client() {
        "no connection"
    } else if step == Step::Encrypt {
        "the server does not offer it"
    } else {
        "the server knows neither PLAIN nor LOGIN"
    }
}

/// Waits for a step, no longer than `limit`.
pub(super) async fn step<T>(
    step: Step,
    limit: Duration,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Fault> {
    match timeout(limit, work).await {
        Ok(done) => done.map_err(|error| Fault::of(step, &error)),
        Err(_) => Err(Fault::silent(step)),
    }
}
