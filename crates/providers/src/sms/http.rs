//! Any gateway that takes a message in one HTTP request, as the settings describe it (`sms.http`).

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{
    Client, Method, RequestBuilder, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use roadcall_platform::settings::{Secret, fill};
use serde_json::Value;

use super::{
    SmsError, SmsSender, TextMessage,
    encoding::is_unicode,
    handing_over::{self, Fault},
    settings::{SmsHttpContent, SmsHttpMethod, SmsHttpSettings, SmsSettings},
};
use crate::sending;

/// All but the unreserved characters of RFC 3986. A space becomes `%20`, which forms accept as well.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Sends to one gateway.
#[derive(derive_more::Debug)]
// The URL is never printed: it may contain a key.
#[debug("HttpSms {{ method: {method:?}, .. }}")]
pub struct HttpSms {
    client: Client,
    method: Method,
    url: Secret,
    headers: Vec<(HeaderName, Secret)>,
    body: Content,
    basic: Option<(String, Secret)>,
    sender: String,
    entity_id: String,
    templates: BTreeMap<String, String>,
    success: Success,
    /// The time limit of a whole send, including its repetition.
    limit: Duration,
}

/// The body to send, with placeholders that are still to be filled.
enum Content {
    None,
    Form(Secret),
    Json(Value),
}

/// The mark of a success in the body. A gateway that always answers 200 says there what happened to the message.
struct Success {
    contains: String,
    /// A JSON pointer and the value there.
    value: Option<(String, String)>,
}

fn unsound(setting: &str) -> SmsError {
    SmsError::NotTaken(format!("{setting} can't be used"))
}

impl HttpSms {
    pub fn start(settings: &SmsSettings) -> Result<Self, SmsError> {
        let http = &settings.http;
        let limit = Duration::from_millis(settings.timeout_ms);
        let header = |(name, value): (&String, &Secret)| {
            let name = HeaderName::try_from(name.replace('_', "-"));
            name.map(|name| (name, value.clone())).map_err(|_| unsound("sms.http.headers"))
        };
        let (basic_user, password) = (&http.basic_user, &http.basic_password);
        Ok(Self {
            client: handing_over::client(limit)?,
            method: match http.method {
                SmsHttpMethod::Get => Method::GET,
                SmsHttpMethod::Post => Method::POST,
            },
            url: http.url.clone(),
            headers: http.headers.iter().map(header).collect::<Result<_, _>>()?,
            body: Content::of(http)?,
            basic: (!basic_user.is_empty()).then(|| (basic_user.clone(), password.clone())),
            sender: http.sender.clone(),
            entity_id: http.entity_id.clone(),
            templates: http.templates.clone(),
            success: Success::of(http),
            limit,
        })
    }

    fn value<'a>(&'a self, message: &'a TextMessage, name: &str) -> Option<Cow<'a, str>> {
        let is_unicode = || is_unicode(&message.text);
        Some(match name {
            "to" => Cow::Borrowed(message.to.e164()),
            "to_digits" => message.to.e164().trim_start_matches('+').into(),
            "text" => message.text.as_str().into(),
            "sender" => self.sender.as_str().into(),
            "entity_id" => self.entity_id.as_str().into(),
            "template_id" => {
                let id = self.templates.get(&message.kind.key(message.language));
                id.map(String::as_str).unwrap_or_default().into()
            }
            "id" => message.id.to_string().into(),
            "coding" => if is_unicode() { "2" } else { "0" }.into(),
            "unicode" => if is_unicode() { "1" } else { "0" }.into(),
            _ => return None,
        })
    }

    fn request(&self, message: &TextMessage) -> Result<RequestBuilder, SmsError> {
        let plain = |name: &str| self.value(message, name);
        let encoded =
            |name: &str| plain(name).map(|value| utf8_percent_encode(&value, ENCODED).to_string().into());
        let url = Url::parse(&fill(&self.url.0, encoded)).map_err(|_| unsound("sms.http.url"))?;
        let mut request = self.client.request(self.method.clone(), url);
        if let Some((user, password)) = &self.basic {
            request = request.basic_auth(user, Some(&password.0));
        }
        for (name, value) in &self.headers {
            let value = HeaderValue::try_from(fill(&value.0, plain)).map(|mut value| {
                value.set_sensitive(true);
                value
            });
            request = request.header(name, value.map_err(|_| unsound("sms.http.headers"))?);
        }
        Ok(match &self.body {
            Content::None => request,
            Content::Form(form) => {
                request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(fill(&form.0, encoded))
            }
            Content::Json(json) => {
                request.header(CONTENT_TYPE, "application/json").body(filled(json, &plain).to_string())
            }
        })
    }

    async fn post(&self, message: &TextMessage) -> Result<(), Fault> {
        let request = self.request(message).map_err(|error| Fault::refused(error.reason()))?;
        let response = sending::send(request, "sms").await.map_err(|error| Fault::of_request(&error))?;
        let (status, after) = (response.status(), handing_over::retry_after(&response));
        if status.is_success() {
            return self.success.check(response).await;
        }
        if [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status) {
            tracing::error!(
                status = status.as_u16(),
                "the SMS gateway does not let us in; see sms.http.url, headers, body and basic_user"
            );
        }
        // The answer's text may quote the number and the message.
        Err(Fault::of_answer(status, after, format!("status {}", status.as_u16())))
    }
}

#[async_trait]
impl SmsSender for HttpSms {
    async fn send(&self, message: &TextMessage) -> Result<(), SmsError> {
        handing_over::hand_over(self.limit, || self.post(message)).await
    }
}

impl Content {
    fn of(http: &SmsHttpSettings) -> Result<Self, SmsError> {
        if http.method == SmsHttpMethod::Get || http.body.0.is_empty() {
            return Ok(Self::None);
        }
        match http.content {
            SmsHttpContent::Form => Ok(Self::Form(http.body.clone())),
            SmsHttpContent::Json => {
                serde_json::from_str(&http.body.0).map(Self::Json).map_err(|_| unsound("sms.http.body"))
            }
        }
    }
}

/// Returns the JSON with the placeholders of its texts filled, so that no value can end a text.
fn filled<'a>(json: &Value, value: &impl Fn(&str) -> Option<Cow<'a, str>>) -> Value {
    match json {
        Value::String(text) => Value::String(fill(text, value)),
        Value::Array(items) => items.iter().map(|item| filled(item, value)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), filled(field, value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
    }
}

impl Success {
    fn of(http: &SmsHttpSettings) -> Self {
        let value = (http.success_pointer.clone(), http.success_value.clone());
        Self { contains: http.success_contains.clone(), value: (!value.0.is_empty()).then_some(value) }
    }

    async fn check(&self, response: Response) -> Result<(), Fault> {
        if self.contains.is_empty() && self.value.is_none() {
            return Ok(());
        }
        let status = response.status().as_u16();
        let Some(body) = handing_over::body(response).await else {
            return Err(Fault::unknown(format!("status {status}, without a body that can be read")));
        };
        if self.is_met_by(&body) {
            return Ok(());
        }
        Err(Fault::refused(format!("status {status}, but its body is no success by sms.http.success_*")))
    }

    fn is_met_by(&self, body: &[u8]) -> bool {
        let text = String::from_utf8_lossy(body);
        let has_value = self.value.as_ref().is_none_or(|(pointer, expected)| {
            let json: Option<Value> = serde_json::from_slice(body).ok();
            match json.as_ref().and_then(|json| json.pointer(pointer)) {
                Some(Value::String(found)) => found == expected,
                Some(found) => serde_json::to_string(found).is_ok_and(|found| found == *expected),
                None => false,
            }
        });
        text.contains(&self.contains) && has_value
    }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::{default_core, default_of};
    use uuid::Uuid;

    use super::*;
    use crate::sms::{ServedRegions, SmsProvider, TextKind, TextNumber};

    fn message(text: &str, language: Option<&'static str>) -> TextMessage {
        let served = ServedRegions::of(&default_of("sms"), &default_core());
        let to = TextNumber::of(&served, "phone", "+919800000000").expect("a number");
        TextMessage { id: Uuid::from_u128(7), to, kind: TextKind::Found, language, text: text.to_owned() }
    }

    fn sender(alter: impl FnOnce(&mut SmsHttpSettings)) -> HttpSms {
        let mut sms: SmsSettings = default_of("sms");
        sms.provider = SmsProvider::Http;
        alter(&mut sms.http);
        HttpSms::start(&sms).expect("a sender")
    }

    #[test]
    fn values_are_escaped_for_their_place() {
        let nasty = "a&b=c \"d\" \\ {to}\n100% + न";
        let http = sender(|http| {
            http.url = Secret("http://[::1]:1/send/{to_digits}?to={to}&text={text}&u={unicode}".to_owned());
            http.content = SmsHttpContent::Json;
            http.body =
                Secret(r#"{"to": ["{to}"], "n": 1, "text": "<{text}>", "id": "{template_id}"}"#.to_owned());
            http.headers.insert("X_Api_Key".to_owned(), Secret("key {id}".to_owned()));
            http.templates.insert("found_hi".to_owned(), "1107".to_owned());
        });
        let request =
            http.request(&message(nasty, Some("hi"))).expect("a request").build().expect("a request");
        assert_eq!(
            request.url().as_str(),
            "http://[::1]:1/send/919800000000?to=%2B919800000000&text=a%26b%3Dc%20%22d%22%20%5C%20%7Bto%7D%0A100%25%20%2B%20%E0%A4%A8&u=1"
        );
        let sent: Value =
            serde_json::from_slice(request.body().and_then(|body| body.as_bytes()).expect("a body"))
                .expect("JSON");
        let expected =
            serde_json::json!({"to": ["+919800000000"], "n": 1, "text": format!("<{nasty}>"), "id": "1107"});
        assert_eq!(sent, expected);
        assert_eq!(request.headers()["x-api-key"], format!("key {}", Uuid::from_u128(7)));
        let form = sender(|http| {
            http.url = Secret("http://[::1]:1/".to_owned());
            http.body = Secret("to={to}&text={text}&coding={coding}".to_owned());
        });
        let request = form.request(&message("1 & 2", None)).expect("a request").build().expect("a request");
        let body = request.body().and_then(|body| body.as_bytes()).expect("a body");
        assert_eq!(body, b"to=%2B919800000000&text=1%20%26%202&coding=0");
    }

    #[test]
    fn a_body_is_a_success_only_as_the_settings_say() {
        let cases = [
            ("", "", "", "anything", true),
            ("Accepted", "", "", "0: Accepted for delivery", true),
            ("Accepted", "", "", "error", false),
            ("", "/messages/0/status", "0", r#"{"messages": [{"status": "0"}]}"#, true),
            ("", "/messages/0/status", "0", r#"{"messages": [{"status": 0}]}"#, true),
            ("", "/messages/0/status", "0", r#"{"messages": [{"status": "4"}]}"#, false),
            ("", "/ok", "true", r#"{"ok": true}"#, true),
            ("", "/ok", "true", "true", false),
            ("sent", "/ok", "true", r#"{"ok": true, "what": "sent"}"#, true),
            ("sent", "/ok", "true", r#"{"ok": true}"#, false),
        ];
        for (contains, pointer, value, body, expected) in cases {
            let mut http: SmsHttpSettings = default_of("sms.http");
            (http.success_contains, http.success_pointer) = (contains.to_owned(), pointer.to_owned());
            http.success_value = value.to_owned();
            assert_eq!(
                Success::of(&http).is_met_by(body.as_bytes()),
                expected,
                "{body} by {contains} {pointer}"
            );
        }
    }

    #[test]
    fn secrets_are_never_printed() {
        let http = sender(|http| {
            http.url = Secret("http://[::1]:1/?key=hunter2".to_owned());
            http.basic_user = "user".to_owned();
            http.basic_password = Secret("hunter3".to_owned());
        });
        let shown = format!("{http:?} {:?}", message("123456 is your code", None));
        assert!(!shown.contains("hunter") && !shown.contains("123456") && !shown.contains("9800"), "{shown}");
    }
}
