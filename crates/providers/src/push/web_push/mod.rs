//! Web Push: pushes to each browser's own push service (RFC 8030), sealed for the browser (RFC 8291) and signed by us (RFC 8292).
//! No account is needed anywhere.

mod encryption;
mod vapid;

use std::time::Duration;

use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use reqwest::{StatusCode, header};
use roadcall_base::{clock::Clock, random::Random};
use roadcall_http::Timestamp;
use roadcall_platform::{keys::KeyRing, settings::CoreSettings};
use serde_json::json;
use uuid::Uuid;

pub use encryption::{AUTH_BYTES, POINT_BYTES};

use self::{
    encryption::{key_pair, seal},
    vapid::VapidKey,
};
use super::{
    error::{PushError, PushStartError, no_answer, wait_of},
    message::PushMessage,
    settings::PushSettings,
};
use crate::{
    outside::{OutsideClient, endpoint},
    sending,
};

/// The longest that we ask a push service to keep a message: four weeks, as everywhere.
const MAX_LIFE_S: u64 = 4 * 7 * 86_400;

/// The fault of a text that is no URL.
const NO_ENDPOINT: &str = "must be the endpoint of a browser's subscription";

/// Browsers write base64url without padding, and some libraries with it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The keys of a browser's subscription, apart from its endpoint.
#[derive(derive_more::Debug, Clone, PartialEq, Eq)]
// Anyone who has the keys can read and write pushes.
#[debug("SubscriptionKeys(..)")]
pub struct SubscriptionKeys {
    p256dh: [u8; POINT_BYTES],
    auth: [u8; AUTH_BYTES],
}

impl SubscriptionKeys {
    /// Reads the keys from base64url. `Err` is the field's name, and a text that continues it.
    pub fn parse(p256dh: &str, auth: &str) -> Result<Self, (&'static str, &'static str)> {
        let bytes = |text: &str| BASE64.decode(text).ok();
        let p256dh = bytes(p256dh).filter(|bytes| encryption::is_point(bytes));
        let p256dh = p256dh.and_then(|bytes| bytes.try_into().ok());
        let auth = bytes(auth).and_then(|bytes| bytes.try_into().ok());
        Ok(Self {
            p256dh: p256dh.ok_or(("p256dh", "must be a public key of P-256: 65 bytes in base64url"))?,
            auth: auth.ok_or(("auth", "must be 16 bytes in base64url"))?,
        })
    }
}

/// Checks whether a subscription's endpoint may be pushed to. `Err` continues "token …".
pub fn check_endpoint(text: &str, settings: &CoreSettings) -> Result<(), &'static str> {
    endpoint(text, !settings.is_production(), NO_ENDPOINT).map(drop)
}

/// Pushes to browsers.
#[derive(derive_more::Debug)]
#[debug("WebPush {{ public_key: {:?}, .. }}", self.public_key())]
pub(super) struct WebPush {
    client: OutsideClient,
    /// A browser's subscription is for one of these keys, and does not say for which.
    keys: KeyRing<VapidKey>,
    contact: Option<String>,
    clock: Clock,
    random: Random,
}

impl WebPush {
    /// Starts the provider. `push.timeout_ms` bounds a whole request.
    pub fn start(
        settings: &PushSettings,
        core: &CoreSettings,
        clock: &Clock,
        random: &Random,
        seeds: &KeyRing<[u8; 32]>,
    ) -> Result<Self, PushStartError> {
        let contact = Some(&core.server.public_url).filter(|url| url.starts_with("https://"));
        Ok(Self {
            client: OutsideClient::new(Duration::from_millis(settings.timeout_ms), !core.is_production())?,
            keys: seeds.map(|seed| VapidKey::from_seed(*seed)),
            contact: contact.cloned(),
            clock: clock.clone(),
            random: random.clone(),
        })
    }

    /// Returns the key in use, in base64url.
    pub fn public_key(&self) -> &str {
        &self.keys.current().public
    }

    pub async fn push(
        &self,
        owner: Uuid,
        address: &str,
        keys: &SubscriptionKeys,
        message: &PushMessage,
    ) -> Result<(), PushError> {
        // The settings may have become stricter since the device was registered.
        let url = self.client.endpoint(address, NO_ENDPOINT);
        let url = url.map_err(|why| PushError::Refused(why.to_owned()))?;
        let now = self.clock.now();
        let refused = |_| PushError::Refused("the message can't be encrypted".to_owned());
        let body = self.sealed(keys, message).map_err(refused)?;
        let contact = self.contact.as_deref();
        let mut others = self.keys.accepted().iter();
        let mut key = self.keys.current();
        loop {
            let authorization = key.authorization(&url, contact, now).map_err(refused)?;
            let request = self.client.post(owner, &url, message.is_urgent).await;
            let request = request.map_err(|why| PushError::unavailable(why.to_string()))?;
            let request = request
                .header(header::AUTHORIZATION, authorization)
                .header(header::CONTENT_ENCODING, "aes128gcm")
                .header(header::CONTENT_TYPE, "application/octet-stream")
                .header("TTL", message.life.as_secs().clamp(1, MAX_LIFE_S))
                .header("Urgency", if message.is_urgent { "high" } else { "normal" })
                // If the first try did arrive, the repeat takes its place.
                .header("Topic", message.id.simple().to_string());
            let response = sending::send_to_anybody(request.body(body.clone()), "web_push")
                .await
                .map_err(|error| no_answer(&error))?;
            match others.next() {
                // Until the app is opened again, the browser's subscription is for an earlier key.
                Some(other) if is_for_another_key(response.status()) => key = other,
                _ => return outcome(response.status(), wait_of(&response, now)),
            }
        }
    }

    fn sealed(
        &self,
        keys: &SubscriptionKeys,
        message: &PushMessage,
    ) -> Result<Vec<u8>, aws_lc_rs::error::Unspecified> {
        let pair = loop {
            if let Some(pair) = key_pair(&self.random.bytes()) {
                break pair;
            }
        };
        let content = content(message).to_string();
        seal(content.as_bytes(), (&keys.p256dh, &keys.auth), &pair, &self.random.bytes())
    }
}

/// Returns what the page's service worker reads.
fn content(message: &PushMessage) -> serde_json::Value {
    let button = |(action, title): &(&str, &str)| json!({"action": action, "title": title});
    json!({
        "id": message.id,
        "type": message.kind,
        "title": message.title,
        "body": message.body,
        "data": message.data,
        "ends_at": message.ends_at.map(Timestamp::from),
        "actions": message.buttons.iter().map(button).collect::<Vec<_>>(),
    })
}

/// Returns whether a push service may answer so to the key of another subscription (RFC 8292, 4.2; some answer 400 or 401).
fn is_for_another_key(status: StatusCode) -> bool {
    matches!(status.as_u16(), 400 | 401 | 403)
}

/// Interprets an answer's status (RFC 8030, 5; RFC 8292, 4.2). We act on nothing in its body.
fn outcome(status: StatusCode, after: Option<Duration>) -> Result<(), PushError> {
    let why = format!("status {}", status.as_u16());
    match status.as_u16() {
        200..=299 => Ok(()),
        404 | 410 => Err(PushError::Gone),
        408 | 429 | 500..=599 => Err(PushError::Unavailable { why, after }),
        _ => Err(PushError::Refused(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_subscription_that_has_ended_is_forgotten() {
        let asked = Some(Duration::from_secs(7));
        let of = |status: u16| outcome(StatusCode::from_u16(status).expect("a status"), asked);
        for status in [200, 201, 202] {
            assert_eq!(of(status), Ok(()), "{status}");
        }
        for status in [404, 410] {
            assert_eq!(of(status), Err(PushError::Gone), "{status}");
        }
        for status in [408, 429, 500, 503] {
            let why = format!("status {status}");
            assert_eq!(of(status), Err(PushError::Unavailable { why, after: asked }), "{status}");
        }
        for status in [301, 400, 401, 403, 413] {
            assert_eq!(of(status), Err(PushError::Refused(format!("status {status}"))), "{status}");
        }
    }

    #[test]
    fn keys_are_read_with_and_without_padding() {
        let point = key_pair(&[7; 32]).expect("a key").1;
        let (p256dh, auth) = (BASE64.encode(point), BASE64.encode([1; 16]));
        assert!(SubscriptionKeys::parse(&p256dh, &auth).is_ok());
        assert!(SubscriptionKeys::parse(p256dh.trim_end_matches('='), auth.trim_end_matches('=')).is_ok());
        let fields = [
            (SubscriptionKeys::parse("", &auth), "p256dh"),
            (SubscriptionKeys::parse(&BASE64.encode([4; 65]), &auth), "p256dh"),
            (SubscriptionKeys::parse(&p256dh, "AAAA"), "auth"),
            (SubscriptionKeys::parse(&p256dh, "!"), "auth"),
        ];
        for (parsed, field) in fields {
            assert_eq!(parsed.map_err(|(named, _)| named), Err(field));
        }
    }
}
