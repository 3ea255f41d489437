//! Subscriptions on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::SubscriptionRow;
use crate::{
    http::{Change, Items, Patch, Text, Timestamp, ValidationErrors, WholeNumber, text_enum},
    partners::feeds::kind::PartnerEventKind,
};

text_enum! {
    /// Whether a subscription gets events.
    SubscriptionStatus {
        /// Its receiver has not answered a challenge at its present address yet.
        Unverified = "unverified",
        Active = "active",
        /// Its events are not sent, and not kept for later; a replay brings them.
        Paused = "paused",
        Deleted = "deleted",
    }
}

/// A subscription to be made.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewSubscription {
    /// The address to which events are sent: https, a public host with a name, the usual port.
    pub url: Text<1, 2000>,
    /// The kinds of events; all if it is empty or missing.
    #[deserr(default = Items(Vec::new()))]
    #[schema(value_type = Vec<PartnerEventKind>, max_items = 40, required = false)]
    pub events: Items<PartnerEventKind, 0, 40>,
    /// Sends `job.near` once the mechanic is estimated to arrive within so many minutes.
    #[deserr(default)]
    pub eta_below_min: Option<WholeNumber<1, 120>>,
    /// Sends `job.near` once the mechanic is within so many metres, in a straight line.
    #[deserr(default)]
    pub within_m: Option<WholeNumber<50, 50_000>>,
    /// Sends `job.position` at this interval while a mechanic has the job.
    #[deserr(default)]
    pub positions_every_s: Option<WholeNumber<5, 3600>>,
}

/// Changes of a subscription. Fields that are left out stay as they are.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SubscriptionPatch {
    /// Another address, which has to be verified anew.
    #[deserr(default)]
    #[schema(value_type = Text<1, 2000>, required = false)]
    pub url: Change<Text<1, 2000>>,
    /// The kinds of events; all if it is empty.
    #[deserr(default)]
    #[schema(value_type = Vec<PartnerEventKind>, max_items = 40, required = false)]
    pub events: Change<Items<PartnerEventKind, 0, 40>>,
    /// The threshold of `job.near` in minutes; null removes it.
    #[deserr(default)]
    #[schema(value_type = Option<WholeNumber<1, 120>>)]
    pub eta_below_min: Patch<WholeNumber<1, 120>>,
    /// The threshold of `job.near` in metres; null removes it.
    #[deserr(default)]
    #[schema(value_type = Option<WholeNumber<50, 50_000>>)]
    pub within_m: Patch<WholeNumber<50, 50_000>>,
    /// The interval of `job.position` in seconds; null ends them.
    #[deserr(default)]
    #[schema(value_type = Option<WholeNumber<5, 3600>>)]
    pub positions_every_s: Patch<WholeNumber<5, 3600>>,
    /// Pauses the subscription, or lets it go on.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub is_paused: Change<bool>,
}

/// The hours for which the former secret signs as well.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RotateWebhookSecret {
    /// 24 if it is left out; 0 ends the former secret at once.
    #[deserr(default)]
    pub overlap_hours: Option<WholeNumber<0, 168>>,
}

/// An address that gets the events of the caller's cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSubscription {
    pub id: Uuid,
    /// The address to which events are sent.
    pub url: String,
    /// The kinds of events; all if it is empty.
    pub events: Vec<PartnerEventKind>,
    /// The threshold of `job.near` in minutes; null without one.
    pub eta_below_min: Option<i32>,
    /// The threshold of `job.near` in metres; null without one.
    pub within_m: Option<i32>,
    /// The interval of `job.position` in seconds; null if positions are not sent.
    pub positions_every_s: Option<i32>,
    pub status: SubscriptionStatus,
    /// Why it is paused; null if it is not.
    pub pause_reason: Option<String>,
    /// When its receiver answered the challenge; null if it has not.
    pub verified_at: Option<Timestamp>,
    /// Until when the former secret signs as well; null if only one does.
    pub former_secret_until: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<SubscriptionRow> for WebhookSubscription {
    fn from(row: SubscriptionRow) -> Self {
        Self {
            id: row.id,
            url: row.url,
            events: row.events,
            eta_below_min: row.eta_below_min,
            within_m: row.within_m,
            positions_every_s: row.positions_every_s,
            status: row.status,
            pause_reason: row.pause_reason,
            verified_at: row.verified_at.map(Into::into),
            former_secret_until: row.former_until.map(Into::into),
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

/// A subscription with its new secret, which is shown only here.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("SubscriptionSecret({subscription:?})")]
pub struct SubscriptionSecret {
    #[serde(flatten)]
    pub subscription: WebhookSubscription,
    /// The key of the signatures of its webhooks.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    pub secret: String,
}

/// The outcome of a webhook that was sent to try a subscription out.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookTrial {
    /// Whether the receiver answered 2xx.
    pub is_taken: bool,
    /// The status of the answer; null if there was none.
    pub answer_status: Option<u16>,
    /// Why there was no answer; null if there was one.
    pub failure: Option<String>,
}

/// The contents of `webhook.verify`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WebhookChallenge {
    /// The receiver answers with this text: as the body, or anywhere in its first kilobyte.
    #[schema(example = "5b0c1f8e9a7d42c3b6e1f0a2d4c8b7e6")]
    pub challenge: String,
}

/// The contents of `webhook.test`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WebhookTestContent {
    /// The subscription that is tried out.
    pub subscription_id: Uuid,
}
