//! Notifications on the wire.

use std::collections::BTreeMap;

use deserr::Deserr;
use roadcall_accounts::auth::Caller;
use roadcall_http::{Change, CsvRow, Invalid, Text, Timestamp, ValidationErrors, text_enum};
use roadcall_platform::{db::StoredRow, settings::CoreSettings};
use roadcall_providers::push::{
    Platform, PushProvider,
    web_push::{self, SubscriptionKeys},
};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    devices::queries::{PreferencesRow, TokenRow},
    kind::{App, Kind},
    queries::NotificationRow,
    state::{DeliveryStatus, DeviceResult},
    texts::{self, Locale},
};

/// A notification of the caller (contract 2.5).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Notification {
    pub id: Uuid,
    pub user_id: Uuid,
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The title, like the body in the person's language if the service has texts in it (en, hi, kn), else in English.
    pub title: String,
    pub body: String,
    /// The ids of the notification's objects by name: `job_id`, `offer_id`, `payment_id` …
    pub data: BTreeMap<String, Uuid>,
    /// The push's status: sent once a device's push service accepted it; skipped if there was no device, the topic is off or it
    /// was too late.
    pub delivery_status: DeliveryStatus,
    /// Whether the person has read it.
    pub is_read: bool,
    pub created_at: Timestamp,
}

impl From<NotificationRow> for Notification {
    fn from(row: NotificationRow) -> Self {
        let (title, body) = texts::listed(Locale::of(&row.language), row.kind, row.reason.as_deref());
        Self {
            id: row.id,
            user_id: row.user_id,
            kind: row.kind,
            title: title.to_owned(),
            body,
            data: row.data.0,
            delivery_status: row.delivery_status,
            is_read: row.is_read,
            created_at: row.created_at.into(),
        }
    }
}

/// The number of the caller's unread notifications.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnreadCount {
    /// The number of unread notifications.
    pub unread_count: i64,
}

/// The address for pushes: a registration token of FCM (letters, digits, `-`, `_`, `.`, `:` and `=`), or, together with `keys`,
/// the `endpoint` of a browser's subscription.
#[derive(derive_more::Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
// Anyone who has the token can wake the phone.
#[debug("DeviceToken(..)")]
#[deserr(try_from(String) = DeviceToken::new -> Invalid)]
#[schema(min_length = 1, max_length = 1024, pattern = "^[!-~]+$")]
pub struct DeviceToken(pub String);

impl DeviceToken {
    pub fn new(text: String) -> Result<Self, Invalid> {
        if !(1..=1024).contains(&text.len()) {
            return Err("must have 1 to 1024 characters".into());
        }
        let holds = text.bytes().all(|byte| byte.is_ascii_graphic());
        if holds { Ok(Self(text)) } else { Err("must be visible ASCII characters".into()) }
    }

    /// Returns whether the text may be a registration token, which needs no encoding in a path.
    fn is_registration(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:=".contains(&byte))
    }
}

/// The `keys` of a browser's subscription (`PushSubscription.toJSON()`), in base64url.
#[derive(derive_more::Debug, Clone, Deserr, ToSchema)]
#[debug("NewSubscriptionKeys(..)")]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewSubscriptionKeys {
    /// 65 bytes.
    pub p256dh: Text<1, 100>,
    /// 16 bytes.
    pub auth: Text<1, 40>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPushToken {
    pub token: DeviceToken,
    pub platform: Platform,
    /// The keys of a browser that subscribed with the key in `GET /config`; `platform` must be web then.
    #[deserr(default)]
    pub keys: Option<NewSubscriptionKeys>,
    /// The app's own name for the device, the same as long as it is installed: a new token replaces the old one.
    pub device_id: Text<1, 200>,
    /// The app, which then gets only pushes that it can show: a person who has both apps on one device gets each push once.
    /// Without it, everything is pushed.
    #[deserr(default)]
    pub app: Option<App>,
}

impl NewPushToken {
    /// Checks what the types of the fields can't check.
    pub fn check(&self, settings: &CoreSettings) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::default();
        match &self.keys {
            Some(keys) => {
                if self.platform != Platform::Web {
                    errors.add("keys", "is only for browsers");
                }
                if let Err((field, why)) = SubscriptionKeys::parse(&keys.p256dh.0, &keys.auth.0) {
                    errors.add(format!("keys.{field}"), why);
                }
                if let Err(why) = web_push::check_endpoint(&self.token.0, settings) {
                    errors.add("token", why);
                }
            }
            None if self.token.0.contains("://") => {
                errors.add("keys", "is required with the endpoint of a browser's subscription");
            }
            None if !self.token.is_registration() => {
                errors.add("token", "must be letters, digits, -, _, ., : and =");
            }
            None => {}
        }
        if errors.0.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// A device that the caller's notifications are pushed to.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushToken {
    pub id: Uuid,
    pub platform: Platform,
    /// The device, as its app named it.
    pub device_id: String,
    #[schema(required)]
    pub app: Option<App>,
    /// Whether it is registered with the session that asks.
    pub is_current: bool,
    pub created_at: Timestamp,
    /// When the app last registered this token.
    pub updated_at: Timestamp,
}

impl PushToken {
    /// Makes the entry that the device's owner sees.
    pub fn of(row: TokenRow, caller: &Caller) -> Self {
        Self {
            is_current: row.session_id == caller.session_id,
            id: row.id,
            platform: row.platform,
            device_id: row.device_id,
            app: row.app,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

text_enum! {
    /// The outcome of a test push to a device.
    PushOutcome {
        /// The push service took it.
        Taken = "taken",
        /// The device is no longer registered there.
        Unregistered = "unregistered",
        /// The push service refused the push for good.
        Refused = "refused",
        /// The push service did not take the push now.
        NotNow = "not_now",
        /// Apps get no pushes because `push.provider` is log.
        NotSent = "not_sent",
    }
}

/// A device of the caller, and the outcome of a test push to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TestedDevice {
    pub id: Uuid,
    pub platform: Platform,
    #[schema(required)]
    pub app: Option<App>,
    pub outcome: PushOutcome,
    /// The reason, in our own words; null if there is none.
    #[schema(required)]
    pub reason: Option<String>,
}

impl TestedDevice {
    pub fn of(row: &TokenRow, provider: PushProvider, result: DeviceResult) -> Self {
        let is_of_app = row.p256dh.is_none();
        let (outcome, reason) = match result {
            DeviceResult::Taken if is_of_app && provider == PushProvider::Log => (PushOutcome::NotSent, None),
            DeviceResult::Taken => (PushOutcome::Taken, None),
            DeviceResult::Unregistered => (PushOutcome::Unregistered, None),
            DeviceResult::Refused(why) => (PushOutcome::Refused, Some(why)),
            DeviceResult::Later { why, .. } => (PushOutcome::NotNow, Some(why)),
        };
        Self { id: row.id, platform: row.platform, app: row.app, outcome, reason }
    }
}

/// The topics that are pushed to the caller's devices, and whether text messages and mail are sent. Notifications of a topic that
/// is switched off are still listed, and sent on sockets.
#[derive(Debug, Serialize, ToSchema)]
pub struct Preferences {
    /// Jobs offered to a mechanic.
    pub offers: bool,
    /// The progress of a job, its line items, disputes and ratings.
    pub jobs: bool,
    /// Payments and refunds.
    pub payments: bool,
    /// UPI accounts and withdrawals.
    pub wallet: bool,
    /// The mechanic's registration.
    pub account: bool,
    /// Chat and missed calls.
    pub messages: bool,
    /// Whether text messages report a job's progress, while `jobs` is on and no app can be reached.
    pub texts: bool,
    /// Whether receipts are mailed to the address that the caller has confirmed.
    pub mails: bool,
}

impl From<PreferencesRow> for Preferences {
    fn from(row: PreferencesRow) -> Self {
        Self {
            offers: row.offers,
            jobs: row.jobs,
            payments: row.payments,
            wallet: row.wallet,
            account: row.account,
            messages: row.messages,
            texts: row.texts,
            mails: row.mails,
        }
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PreferenceChanges {
    /// Pushes about offers.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub offers: Change<bool>,
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub jobs: Change<bool>,
    /// Pushes about payments.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub payments: Change<bool>,
    /// Pushes about the wallet.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub wallet: Change<bool>,
    /// Pushes about the account.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub account: Change<bool>,
    /// Pushes about messages.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub messages: Change<bool>,
    /// Text messages about jobs.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub texts: Change<bool>,
    /// Receipts by mail.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub mails: Change<bool>,
}

impl PreferenceChanges {
    pub fn over(self, row: PreferencesRow) -> PreferencesRow {
        PreferencesRow {
            user_id: row.user_id,
            offers: self.offers.over(row.offers),
            jobs: self.jobs.over(row.jobs),
            payments: self.payments.over(row.payments),
            wallet: self.wallet.over(row.wallet),
            account: self.account.over(row.account),
            messages: self.messages.over(row.messages),
            texts: self.texts.over(row.texts),
            mails: self.mails.over(row.mails),
        }
    }
}

/// A push that failed permanently. Its text is not shown, because it is for the recipient alone.
#[derive(Debug, Serialize, ToSchema, FromRow)]
pub struct FailedPush {
    pub id: Uuid,
    pub user_id: Uuid,
    #[serde(rename = "type")]
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub attempts: i32,
    #[sqlx(rename = "delivery_note")]
    pub failure: Option<String>,
    pub created_at: Timestamp,
    /// When the last attempt failed.
    #[sqlx(rename = "settled_at")]
    pub failed_at: Option<Timestamp>,
}

impl StoredRow for FailedPush {
    const TABLE: &str = "notifications";
}

impl CsvRow for FailedPush {
    const COLUMNS: &'static [&'static str] =
        &["id", "user_id", "type", "attempts", "failure", "created_at", "failed_at"];
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::{Environment, testing::default_core};

    use super::*;

    #[test]
    fn a_browsers_endpoint_must_be_on_a_public_host_in_production() {
        let mut settings = default_core();
        let named = |token: &str, settings: &CoreSettings| {
            let keys = NewSubscriptionKeys {
                p256dh: Text(
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                        .to_owned(),
                ),
                auth: Text("BTBZMqHH6r4Tts7J_aSIgg".to_owned()),
            };
            let new = NewPushToken {
                token: DeviceToken(token.to_owned()),
                platform: Platform::Web,
                keys: Some(keys),
                device_id: Text("laptop".to_owned()),
                app: None,
            };
            new.check(settings).err().map(|errors| errors.0.into_keys().collect::<Vec<_>>())
        };
        let (public, private) = ("https://push.example/send/abc", "http://127.0.0.1:9/send/abc");
        assert_eq!((named(public, &settings), named(private, &settings)), (None, None));
        settings.environment = Environment::Production;
        assert_eq!(named(public, &settings), None);
        assert_eq!(named(private, &settings), Some(vec!["token".to_owned()]));
    }

    #[test]
    fn registration_tokens_can_be_part_of_a_path() {
        let long = "a".repeat(1024);
        let token = |text: &str| DeviceToken::new(text.to_owned());
        for text in ["a", "dGh-x_9:APA91b.e=", &long] {
            assert!(token(text).is_ok_and(|token| token.is_registration()), "{text}");
        }
        for text in ["a/b", "a%2F", "a+b", "https://push.example/a"] {
            assert!(token(text).is_ok_and(|token| !token.is_registration()), "{text}");
        }
        for text in ["", "a b", "é", "a\n", "a\0", &format!("{long}a")] {
            assert!(token(text).is_err(), "{text:?}");
        }
    }
}
