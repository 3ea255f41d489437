//! The contents of a push, for each platform (firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::super::{
    device::{Platform, PushDevice},
    message::PushMessage,
};

/// The longest that FCM keeps a message: four weeks.
const MAX_LIFE_S: u64 = 4 * 7 * 86_400;

/// The channel in which an offer rings in an Android app. An app without this channel uses its default one.
const RINGING_CHANNEL: &str = "job_offers";

/// Returns the body of `messages:send`. Values of `data` are texts there.
pub(super) fn body(device: &PushDevice, message: &PushMessage, now: DateTime<Utc>) -> Value {
    let mut data: Map<String, Value> =
        message.data.iter().map(|(name, id)| (name.clone(), json!(id.to_string()))).collect();
    data.insert("type".to_owned(), json!(message.kind));
    data.insert("notification_id".to_owned(), json!(message.id.to_string()));
    let mut sent = json!({
        "token": device.token,
        "notification": {"title": message.title, "body": message.body},
        "data": data,
    });
    let (field, config) = match device.platform {
        Platform::Android => ("android", android(message)),
        Platform::Ios => ("apns", apns(message, now)),
        Platform::Web => ("webpush", web_push(message)),
    };
    sent[field] = config;
    json!({"message": sent})
}

fn life_s(message: &PushMessage) -> u64 {
    message.life.as_secs().clamp(1, MAX_LIFE_S)
}

/// Returns the part for Android. High priority wakes a dozing phone.
fn android(message: &PushMessage) -> Value {
    let mut shown = json!({"tag": message.id.to_string()});
    if message.rings {
        shown["channel_id"] = json!(RINGING_CHANNEL);
        shown["notification_priority"] = json!("PRIORITY_MAX");
    }
    json!({
        "priority": if message.is_urgent { "HIGH" } else { "NORMAL" },
        "ttl": format!("{}s", life_s(message)),
        "notification": shown,
    })
}

/// Returns the part for Apple. Priority 10 is delivered at once (developer.apple.com, "Sending notification requests to APNs").
fn apns(message: &PushMessage, now: DateTime<Utc>) -> Value {
    let life = TimeDelta::seconds(i64::try_from(life_s(message)).unwrap_or_default());
    let mut aps = json!({"sound": "default"});
    if message.rings {
        // Such a push gets through although the person silences other apps.
        aps["interruption-level"] = json!("time-sensitive");
    }
    json!({
        "headers": {
            "apns-priority": if message.is_urgent { "10" } else { "5" },
            "apns-expiration": (now + life).timestamp().to_string(),
            "apns-collapse-id": message.id.to_string(),
        },
        "payload": {"aps": aps},
    })
}

/// Returns the part for browsers (RFC 8030, 5.2 and 5.3).
fn web_push(message: &PushMessage) -> Value {
    json!({
        "headers": {
            "TTL": life_s(message).to_string(),
            "Urgency": if message.is_urgent { "high" } else { "normal" },
        },
        "notification": {"tag": message.id.to_string()},
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, time::Duration};

    use uuid::Uuid;

    use super::*;

    fn sent(platform: Platform, is_urgent: bool) -> Value {
        let device = PushDevice { owner: Uuid::nil(), token: "abc".to_owned(), platform, keys: None };
        let message = PushMessage {
            id: Uuid::from_u128(1),
            kind: "job_offer",
            title: "A job".to_owned(),
            body: "Near you".to_owned(),
            data: BTreeMap::from([("job_id".to_owned(), Uuid::from_u128(2))]),
            is_urgent,
            life: Duration::from_millis(17_900),
            ends_at: None,
            rings: is_urgent,
            buttons: &[],
        };
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        body(&device, &message, now)["message"].clone()
    }

    #[test]
    fn each_platform_is_woken_in_its_own_way() {
        let id = Uuid::from_u128(1).to_string();
        let shared = sent(Platform::Android, true);
        assert_eq!(shared["token"], "abc");
        assert_eq!(shared["notification"], json!({"title": "A job", "body": "Near you"}));
        let data =
            json!({"type": "job_offer", "notification_id": id, "job_id": Uuid::from_u128(2).to_string()});
        assert_eq!(shared["data"], data);
        for (platform, field, urgent, calm) in [
            (
                Platform::Android,
                "android",
                json!({"priority": "HIGH", "ttl": "17s", "notification":
                    {"tag": id, "channel_id": "job_offers", "notification_priority": "PRIORITY_MAX"}}),
                json!({"priority": "NORMAL", "ttl": "17s", "notification": {"tag": id}}),
            ),
            (
                Platform::Ios,
                "apns",
                json!({"headers": {"apns-priority": "10", "apns-expiration": "1800000017", "apns-collapse-id": id},
                    "payload": {"aps": {"sound": "default", "interruption-level": "time-sensitive"}}}),
                json!({"headers": {"apns-priority": "5", "apns-expiration": "1800000017", "apns-collapse-id": id},
                    "payload": {"aps": {"sound": "default"}}}),
            ),
            (
                Platform::Web,
                "webpush",
                json!({"headers": {"TTL": "17", "Urgency": "high"}, "notification": {"tag": id}}),
                json!({"headers": {"TTL": "17", "Urgency": "normal"}, "notification": {"tag": id}}),
            ),
        ] {
            assert_eq!(sent(platform, true)[field], urgent);
            assert_eq!(sent(platform, false)[field], calm);
        }
    }
}
