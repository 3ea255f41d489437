//! Makes, changes, verifies and tries subscriptions out.

use chrono::TimeDelta;
use uuid::Uuid;

use super::{
    dto::{
        NewSubscription, SubscriptionPatch, SubscriptionStatus, WebhookChallenge, WebhookTestContent,
        WebhookTrial,
    },
    queries::{self, SubscriptionRow},
    secrets,
};
use crate::{
    accounts::auth::PartnerCaller,
    http::{Change, WholeNumber},
    partners::feeds::{
        audited, context::FeedsContext, dto::EventBody, kind::PartnerEventKind, queries::give_up,
    },
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::webhooks::{
        NoReceiverAnswer, OutgoingWebhook, ReceiverAnswer, WebhookSecret, check_webhook_url,
    },
};

/// The maximum number of subscriptions of an organisation.
const MAX_SUBSCRIPTIONS: i64 = 20;
/// The hours for which the former secret signs as well, unless the partner says otherwise.
const OVERLAP_HOURS: i64 = 24;
/// Why the deliveries of a subscription that gets nothing any more were given up.
const NOT_ACTIVE: &str = "the subscription was paused, moved or deleted";

/// Makes a subscription, which gets nothing until it is verified. Returns it with its secret.
pub async fn subscribe(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewSubscription,
) -> ApiResult<(SubscriptionRow, WebhookSecret)> {
    check_url(context, &new.url.0)?;
    let (now, secret) = (context.clock.now(), WebhookSecret::random(&context.random));
    let id = context.random.id(now);
    let row = SubscriptionRow {
        id,
        organisation_id: caller.organisation_id,
        made_by: caller.made_by,
        url: new.url.0,
        events: new.events.collapsed(),
        secret: context.seals.current().seal(id, &secret, &context.random),
        former_secret: None,
        former_until: None,
        eta_below_min: new.eta_below_min.map(int),
        within_m: new.within_m.map(int),
        positions_every_s: new.positions_every_s.map(int),
        status: SubscriptionStatus::Unverified,
        pause_reason: None,
        verified_at: None,
        created_at: now,
        updated_at: now,
    };
    let mut tx = context.db.begin().await?;
    if queries::count_locked(&mut tx, caller.organisation_id).await? >= MAX_SUBSCRIPTIONS {
        return Err(ApiError::new(Code::Conflict, "An organisation can have at most 20 subscriptions."));
    }
    queries::insert(&mut tx, &row).await?;
    audited::subscription(context, &mut tx, caller, None, Some(&row)).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok((row, secret))
}

/// Reads a number that the body has checked.
fn int<const MIN: i64, const MAX: i64>(number: WholeNumber<MIN, MAX>) -> i32 {
    i32::try_from(number.0).unwrap_or(i32::MAX)
}

fn check_url(context: &FeedsContext, url: &str) -> ApiResult<()> {
    let may_be_private = context.partner_settings.allow_private_addresses;
    check_webhook_url(url, may_be_private).map_err(|why| ApiError::invalid("url", why))
}

/// Changes a subscription. Whatever waits for it is given up if it gets nothing afterwards.
pub async fn change(
    context: &FeedsContext,
    caller: &PartnerCaller,
    id: Uuid,
    patch: SubscriptionPatch,
) -> ApiResult<SubscriptionRow> {
    if let Change::To(url) = &patch.url {
        check_url(context, &url.0)?;
    }
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such)?;
    let row = SubscriptionRow { updated_at: context.clock.now(), ..patched(before.clone(), patch) };
    queries::update(&mut tx, &row).await?;
    audited::subscription(context, &mut tx, caller, Some(&before), Some(&row)).await?;
    if row.status != SubscriptionStatus::Active {
        give_up(&mut tx, id, NOT_ACTIVE, row.updated_at).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Returns the subscription after the changes. Pure.
fn patched(row: SubscriptionRow, patch: SubscriptionPatch) -> SubscriptionRow {
    let url = patch.url.map(|url| url.0).over(row.url.clone());
    let verified_at = row.verified_at.filter(|_| url == row.url);
    let was_paused = row.status == SubscriptionStatus::Paused;
    let is_paused = patch.is_paused.over(was_paused);
    let status = match (is_paused, verified_at) {
        (true, _) => SubscriptionStatus::Paused,
        (false, Some(_)) => SubscriptionStatus::Active,
        (false, None) => SubscriptionStatus::Unverified,
    };
    let by_partner = || "paused by the partner".to_owned();
    SubscriptionRow {
        url,
        verified_at,
        status,
        pause_reason: is_paused.then(|| row.pause_reason.filter(|_| was_paused).unwrap_or_else(by_partner)),
        events: patch.events.map(|events| events.collapsed()).over(row.events),
        eta_below_min: patch.eta_below_min.map(int).over(row.eta_below_min),
        within_m: patch.within_m.map(int).over(row.within_m),
        positions_every_s: patch.positions_every_s.map(int).over(row.positions_every_s),
        ..row
    }
}

/// Deletes a subscription. Its delivery log stays.
pub async fn unsubscribe(context: &FeedsContext, caller: &PartnerCaller, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, id).await?.ok_or_else(no_such)?;
    audited::subscription(context, &mut tx, caller, Some(&row), None).await?;
    let gone = SubscriptionRow { status: SubscriptionStatus::Deleted, updated_at: now, ..row };
    queries::update(&mut tx, &gone).await?;
    give_up(&mut tx, id, NOT_ACTIVE, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Replaces the secret. The former one also signs for some hours.
pub async fn rotate(
    context: &FeedsContext,
    caller: &PartnerCaller,
    id: Uuid,
    overlap_hours: Option<WholeNumber<0, 168>>,
) -> ApiResult<(SubscriptionRow, WebhookSecret)> {
    let (now, secret) = (context.clock.now(), WebhookSecret::random(&context.random));
    let overlap = TimeDelta::hours(overlap_hours.map_or(OVERLAP_HOURS, |hours| hours.0));
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, id).await?.ok_or_else(no_such)?;
    let row = SubscriptionRow {
        secret: context.seals.current().seal(id, &secret, &context.random),
        former_secret: Some(row.secret),
        former_until: Some(now + overlap),
        updated_at: now,
        ..row
    };
    queries::update(&mut tx, &row).await?;
    audited::rotated(context, &mut tx, caller, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok((row, secret))
}

/// Sends a challenge, and activates the subscription if its receiver answers with it.
pub async fn verify(
    context: &FeedsContext,
    caller: &PartnerCaller,
    row: &SubscriptionRow,
) -> ApiResult<SubscriptionRow> {
    let challenge = format!("{:032x}", u128::from_be_bytes(context.random.bytes()));
    let data = WebhookChallenge { challenge: challenge.clone() };
    let timestamp = context.clock.now().into();
    let body = EventBody { kind: PartnerEventKind::WebhookVerify, timestamp, data }.text()?;
    let why = match ask(context, row, &body).await? {
        Ok(answer) if !answer.is_taken() => format!("answered {}", answer.status),
        Ok(answer) if !String::from_utf8_lossy(&answer.body).contains(&challenge) => {
            "answered without the challenge".to_owned()
        }
        Ok(_) => return mark_verified(context, caller, row).await,
        Err(failure) => format!("gave no answer: {failure}"),
    };
    let message = format!("The receiver did not pass the challenge: it {why}.");
    Err(ApiError::new(Code::InvalidTransition, message))
}

async fn mark_verified(
    context: &FeedsContext,
    caller: &PartnerCaller,
    before: &SubscriptionRow,
) -> ApiResult<SubscriptionRow> {
    let mut tx = context.db.begin().await?;
    let verified = queries::mark_verified(&mut *tx, before.id, &before.url, context.clock.now()).await?;
    let row = verified.ok_or_else(no_such)?;
    audited::subscription(context, &mut tx, caller, Some(before), Some(&row)).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Sends a `webhook.test`, and returns the outcome.
pub async fn try_out(context: &FeedsContext, row: &SubscriptionRow) -> ApiResult<WebhookTrial> {
    let data = WebhookTestContent { subscription_id: row.id };
    let timestamp = context.clock.now().into();
    let body = EventBody { kind: PartnerEventKind::WebhookTest, timestamp, data }.text()?;
    Ok(match ask(context, row, &body).await? {
        Ok(answer) => {
            WebhookTrial { is_taken: answer.is_taken(), answer_status: Some(answer.status), failure: None }
        }
        Err(failure) => {
            WebhookTrial { is_taken: false, answer_status: None, failure: Some(failure.to_string()) }
        }
    })
}

/// Sends a message that is not kept, once.
async fn ask(
    context: &FeedsContext,
    row: &SubscriptionRow,
    body: &str,
) -> ApiResult<Result<ReceiverAnswer, NoReceiverAnswer>> {
    let now = context.clock.now();
    let secrets = secrets::signing(context, row.sealed())?;
    let webhook = OutgoingWebhook {
        subscription_id: row.id,
        url: &row.url,
        id: context.random.id(now),
        timestamp: now.timestamp(),
        body,
        secrets: &secrets,
    };
    Ok(context.webhooks.send(&webhook).await)
}

fn no_such() -> ApiError {
    ApiError::not_found("subscription")
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    fn row(status: SubscriptionStatus) -> SubscriptionRow {
        let at = DateTime::<Utc>::UNIX_EPOCH;
        SubscriptionRow {
            id: Uuid::from_u128(1),
            organisation_id: Uuid::from_u128(2),
            made_by: Uuid::from_u128(2),
            url: "https://partner.example/hooks".to_owned(),
            events: Vec::new(),
            secret: Vec::new(),
            former_secret: None,
            former_until: None,
            eta_below_min: Some(10),
            within_m: None,
            positions_every_s: None,
            status,
            pause_reason: (status == SubscriptionStatus::Paused).then(|| "answered 410".to_owned()),
            verified_at: (status != SubscriptionStatus::Unverified).then_some(at),
            created_at: at,
            updated_at: at,
        }
    }

    fn patch(text: &str) -> SubscriptionPatch {
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let read = deserr::deserialize::<_, _, crate::http::ValidationErrors>(value);
        read.unwrap_or_else(|faults| panic!("{faults:?}"))
    }

    #[test]
    fn a_subscription_at_another_address_has_to_be_verified_anew() {
        let moved = patched(row(SubscriptionStatus::Active), patch(r#"{"url": "https://other.example/"}"#));
        assert_eq!((moved.status, moved.verified_at), (SubscriptionStatus::Unverified, None));
        let same = r#"{"url": "https://partner.example/hooks", "events": ["job.arrived", "job.arrived"]}"#;
        let same = patched(row(SubscriptionStatus::Active), patch(same));
        assert_eq!((same.status, same.events.len()), (SubscriptionStatus::Active, 1));
    }

    #[test]
    fn a_subscription_is_paused_with_a_reason_and_goes_on_as_it_was() {
        let paused = patched(row(SubscriptionStatus::Active), patch(r#"{"is_paused": true}"#));
        assert_eq!(paused.status, SubscriptionStatus::Paused);
        assert_eq!(paused.pause_reason.as_deref(), Some("paused by the partner"));
        let still = patched(row(SubscriptionStatus::Paused), patch(r#"{"eta_below_min": null}"#));
        assert_eq!(still.pause_reason.as_deref(), Some("answered 410"));
        assert_eq!(still.eta_below_min, None);
        let active = patched(row(SubscriptionStatus::Paused), patch(r#"{"is_paused": false}"#));
        assert_eq!((active.status, active.pause_reason), (SubscriptionStatus::Active, None));
        let unverified = SubscriptionRow { verified_at: None, ..row(SubscriptionStatus::Paused) };
        let status = patched(unverified, patch(r#"{"is_paused": false}"#)).status;
        assert_eq!(status, SubscriptionStatus::Unverified);
    }
}
