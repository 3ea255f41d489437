use chrono::{DateTime, Utc};
use lettre::{
    Message,
    message::{
        Attachment as AttachedPart, Mailbox, MessageBuilder, MultiPart, SinglePart,
        header::{ContentType, Header, HeaderName, HeaderValue},
    },
};
use uuid::Uuid;

use super::{MailAddress, MailError};

/// The largest size of an attachment.
const MAX_ATTACHED: usize = 5 * 1024 * 1024;

/// A file that goes with a mail.
#[derive(derive_more::Debug, Clone)]
// The contents are for the recipient alone.
#[debug("Attachment {{ bytes: {:?}, .. }}", self.bytes.len())]
pub struct Attachment {
    pub name: String,
    /// Such as `application/pdf`.
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

/// A mail to one person.
#[derive(derive_more::Debug, Clone)]
// Neither addresses nor links may be logged.
#[debug("MailMessage {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct MailMessage {
    /// Our own id, the same in a repetition; the mail's `Message-ID` is made from it.
    pub id: Uuid,
    pub to: MailAddress,
    pub kind: &'static str,
    pub written_at: DateTime<Utc>,
    /// A language tag.
    pub language: &'static str,
    /// A single line.
    pub subject: String,
    pub text: String,
    /// A page with the same content as `text`, if it shows it better.
    pub html: Option<String>,
    pub attachment: Option<Attachment>,
}

/// The sender of all mail.
#[derive(Debug, Clone)]
pub(super) struct Letterhead {
    pub(super) from: Mailbox,
    pub(super) reply_to: Option<Mailbox>,
}

/// Marks the mail as automatic, so that no vacation notice answers it (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// The mail's language, which screen readers need.
#[derive(Clone)]
struct ContentLanguage(String);

impl Header for ContentLanguage {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Content-Language")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

impl MailMessage {
    /// Composes the mail as it goes over the wire.
    pub(super) fn composed(&self, head: &Letterhead) -> Result<Message, MailError> {
        let file_name = self.attachment.as_ref().map(|file| file.name.as_str()).unwrap_or_default();
        // The library encodes header values, too; this check makes us independent of that.
        if [&self.subject, file_name].iter().any(|text| text.chars().any(char::is_control)) {
            return Err(MailError::Refused("a line break in a header".to_owned()));
        }
        if self.attachment.as_ref().is_some_and(|file| file.bytes.len() > MAX_ATTACHED) {
            return Err(MailError::Refused("an attachment is too large".to_owned()));
        }
        let mail = Message::builder()
            .from(head.from.clone())
            .to(Mailbox::new(None, self.to.inner().clone()))
            .message_id(Some(format!("<{}@{}>", self.id, head.from.email.domain())))
            .date(self.written_at.into())
            .subject(&self.subject)
            .header(AutoSubmitted)
            .header(ContentLanguage(self.language.to_owned()));
        let mail = match &head.reply_to {
            Some(reply_to) => mail.reply_to(reply_to.clone()),
            None => mail,
        };
        self.with_content(mail).map_err(|_| MailError::Refused("the mail can't be put together".to_owned()))
    }

    fn with_content(&self, mail: MessageBuilder) -> Result<Message, lettre::error::Error> {
        let text = SinglePart::plain(self.text.clone());
        let pages = |html: &String| MultiPart::alternative_plain_html(self.text.clone(), html.clone());
        let Some(file) = &self.attachment else {
            return match &self.html {
                Some(html) => mail.multipart(pages(html)),
                None => mail.singlepart(text),
            };
        };
        let kind = ContentType::parse(file.content_type).unwrap_or(ContentType::TEXT_PLAIN);
        let file = AttachedPart::new(file.name.clone()).body(file.bytes.clone(), kind);
        let whole = MultiPart::mixed();
        mail.multipart(match &self.html {
            Some(html) => whole.multipart(pages(html)).singlepart(file),
            None => whole.singlepart(text).singlepart(file),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Letterhead {
        Letterhead { from: "Roadcall <help@roadcall.example>".parse().expect("a mailbox"), reply_to: None }
    }

    fn message() -> MailMessage {
        MailMessage {
            id: Uuid::from_u128(7),
            to: MailAddress::of("asha@example.com").expect("an address"),
            kind: "receipt",
            written_at: DateTime::UNIX_EPOCH,
            language: "hi",
            subject: "आपकी रसीद".to_owned(),
            text: "धन्यवाद।\n.\nEnd".to_owned(),
            html: Some("<p>धन्यवाद।</p>".to_owned()),
            attachment: Some(Attachment {
                name: "receipt.pdf".to_owned(),
                content_type: "application/pdf",
                bytes: b"%PDF-1.7".to_vec(),
            }),
        }
    }

    #[test]
    fn a_copy_of_a_mail_has_the_same_id_and_is_plain_ascii() {
        let mail =
            || String::from_utf8(message().composed(&head()).expect("a mail").formatted()).expect("text");
        let id = format!("Message-ID: <{}@roadcall.example>\r\n", Uuid::from_u128(7));
        assert!(mail().contains(&id) && mail().contains(&id), "{}", mail());
        assert!(mail().is_ascii(), "{}", mail());
        for header in ["Auto-Submitted: auto-generated", "Content-Language: hi", "To: asha@example.com"] {
            assert!(mail().contains(header), "{header} in {}", mail());
        }
        assert!(mail().contains("filename=\"receipt.pdf\""), "{}", mail());
    }

    #[test]
    fn no_field_can_add_a_header() {
        let spoiled = |spoil: fn(&mut MailMessage)| {
            let mut message = message();
            spoil(&mut message);
            message.composed(&head())
        };
        let subject = spoiled(|message| message.subject = "Hello\r\nBcc: all@example.com".to_owned());
        assert!(matches!(subject, Err(MailError::Refused(_))));
        let name = spoiled(|message| {
            let file = message.attachment.as_mut().expect("one");
            file.name = "a\"\r\nX-Other: 1".to_owned();
        });
        assert!(matches!(name, Err(MailError::Refused(_))));
    }

    #[test]
    fn an_address_and_a_text_are_never_printed() {
        let shown = format!("{:?}", message());
        assert!(!shown.contains("asha") && !shown.contains("End"), "{shown}");
    }
}
