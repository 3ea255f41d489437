//! Sends customers text messages with news of their job when no app can show it: none is open, and no device could be pushed to.
//! The people for whom an organisation orders help have no app: they get the texts that the organisation chose.
//!
//! A customer's notification becomes a text at most once. Its row is written before the text is handed over: if the service stops
//! in between, it is unknown whether the text was taken, and it is not handed over again. The text to a person without an app is:
//! it may be their only link to the job.

mod queries;

use std::{sync::Arc, time::Duration};

use actix_web::web::Data;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, future::BoxFuture, stream};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    context::NotificationsContext,
    kind::Kind,
    state::{TextPolicy, TextStatus, TextTry},
    texts::{self, JobFacts, Locale},
};
use queries::{NewText, TextCandidateRow};
use roadcall_accounts::auth::{self, CountedMessage, DailyLimits, MessageKind, TextRecipient};
use roadcall_platform::error::{ApiResult, Code, commit_error};
use roadcall_providers::sms::{SmsError, TextKind, TextMessage, TextNumber};

/// The longest wait between two looks for texts that are due.
const LONGEST: Duration = Duration::from_secs(60);
/// The shortest wait, and the wait after a failed look.
const AFTER_ERROR: Duration = Duration::from_secs(1);
/// The number of notifications that are looked at together.
const AT_ONCE: i64 = 200;
/// The time for which a text to a person without an app is of use, and after which it was left half sent.
const OF_USE: TimeDelta = TimeDelta::hours(2);
const HALF_SENT: TimeDelta = TimeDelta::minutes(2);
/// The maximum number of texts about a job to a person without an app.
const TEXTS_WITHOUT_APP: i64 = 8;
/// The number of texts that are handed over at once.
const UNDER_WAY: usize = 8;

/// Makes links for following a job without an app.
pub trait JobLinks: std::fmt::Debug + Send + Sync {
    /// Makes a new link, and returns its id and URL; `None` if the job can't be shared now.
    fn make(&self, job_id: Uuid) -> BoxFuture<'_, Option<(Uuid, String)>>;

    /// Makes a link, likewise, for the person for whom an organisation ordered the job.
    fn make_for_beneficiary(&self, job_id: Uuid) -> BoxFuture<'_, Option<(Uuid, String)>>;

    /// Ends a link that reached nobody.
    fn end(&self, job_id: Uuid, link_id: Uuid) -> BoxFuture<'_, ()>;
}

/// Runs until it is aborted.
pub async fn texting(context: Data<NotificationsContext>, links: Arc<dyn JobLinks>) {
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = context.wakeups.texts.woken() => {}
        }
        wait = send_due(&context, &*links).await.unwrap_or_else(|error| {
            error.log();
            tracing::warn!("due text messages could not be read; will retry");
            AFTER_ERROR
        });
    }
}

/// Sends the texts that are due; returns how long to wait for the next one.
async fn send_due(context: &NotificationsContext, links: &dyn JobLinks) -> ApiResult<Duration> {
    let now = context.clock.now();
    let mut rows =
        queries::to_text_to_beneficiaries(&context.db, now - OF_USE, now - HALF_SENT, AT_ONCE).await?;
    let mut is_full = rows.len() as i64 == AT_ONCE;
    if context.status_texts.are_on {
        let kinds: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| kind.text().is_some()).collect();
        let late_after = TextPolicy::after(context.status_texts.after).late_after;
        let of_customers = queries::to_text(&context.db, &kinds, now - late_after, AT_ONCE).await?;
        is_full |= of_customers.len() as i64 == AT_ONCE;
        rows.extend(of_customers);
    }
    let due_at = |row: &TextCandidateRow| row.attempt().due_at(policy(context, row));
    let (due, later): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| due_at(row) <= now);
    let next = later.iter().map(due_at).min();
    stream::iter(due)
        .for_each_concurrent(UNDER_WAY, async |row| {
            let id = row.id;
            if let Err(error) = tell(context, links, row).await {
                error.log();
                tracing::warn!(notification.id = %id, "a text message was not sent, or its result not stored");
            }
        })
        .await;
    if is_full {
        return Ok(AFTER_ERROR);
    }
    let wait = next.map_or(LONGEST, |at| (at - context.clock.now()).to_std().unwrap_or_default());
    Ok(wait.clamp(AFTER_ERROR, LONGEST))
}

/// Sends a text, or notes why it was not sent.
async fn tell(context: &NotificationsContext, links: &dyn JobLinks, row: TextCandidateRow) -> ApiResult<()> {
    let Some(kind) = row.text() else { return Ok(()) };
    let Some(phone) = &row.phone else {
        return skip(context, &row, "no phone number").await;
    };
    let Ok(to) = context.sms.number("phone", phone) else {
        return skip(context, &row, "the number gets no texts").await;
    };
    if !context.sms.may_send(&kind.key(Some(Locale::English.tag()))) {
        return skip(context, &row, "no registered text").await;
    }
    let is_open = context.sockets.is_open(row.user_id).await;
    if let Some(why) = row.attempt().obstacle(is_open) {
        return skip(context, &row, why).await;
    }
    if row.is_without_app() && row.attempts > 0 {
        // The text that was left half sent must not count twice.
        auth::uncount_message(&context.db, row.id).await?;
    }
    let claimed_at = context.clock.now();
    let mut tx = context.db.begin().await?;
    if let Some(why) = claim(context, &mut tx, &row, &to, claimed_at).await? {
        // This undoes the claim and its counts.
        tx.rollback().await?;
        return match why {
            NotClaimed::NotNow => Ok(()),
            NotClaimed::TooMany => skip(context, &row, "enough texts were sent").await,
        };
    }
    tx.commit().await.map_err(commit_error)?;

    let link = match kind {
        TextKind::Found if context.status_texts.have_links => links.make(row.job_id).await,
        TextKind::Follow | TextKind::Rate => links.make_for_beneficiary(row.job_id).await,
        _ => None,
    };
    let message = message(context, &row, kind, to, link.as_ref().map(|(_, url)| url.as_str()));
    let sent = if kind.needs_link() && link.is_none() {
        Err(SmsError::NotTaken("no link could be made".to_owned()))
    } else {
        context.sms.send(&message).await
    };
    if let Err(SmsError::NotTaken(_)) = &sent {
        auth::give_back_text_message(context.auth.text_limits(), &context.db, &message.to, claimed_at)
            .await?;
        auth::uncount_message(&context.db, row.id).await?;
        if let Some((link_id, _)) = link {
            links.end(row.job_id, link_id).await;
        }
    }
    settle(context, &row, sent).await
}

/// Why a text is not handed over now.
enum NotClaimed {
    /// The budget of all text messages is used up, the database is away, or another server has taken the text.
    NotNow,
    /// The job or its customer has had the maximum number of texts.
    TooMany,
}

/// Takes the text, and counts it for all limits.
async fn claim(
    context: &NotificationsContext,
    tx: &mut PgConnection,
    row: &TextCandidateRow,
    to: &TextNumber,
    now: DateTime<Utc>,
) -> ApiResult<Option<NotClaimed>> {
    let texts = &context.status_texts;
    // A person's texts, and so their job's, are claimed one after the other: each counts those before it, whichever server sends
    // them.
    auth::lock_account(tx, row.user_id).await?;
    let most = if row.is_without_app() { TEXTS_WITHOUT_APP } else { texts.per_job };
    if queries::texts_of_job(tx, row.job_id).await? >= most {
        return Ok(Some(NotClaimed::TooMany));
    }
    let person_keys = context.auth.number_keys(to.e164());
    let recipient_keys = person_keys.clone();
    let message = CountedMessage { id: row.id, kind: MessageKind::StatusText, recipient_keys, person_keys };
    let limits = DailyLimits::to_oneself(texts.per_person_per_day);
    if auth::count_message(tx, &message, limits, now).await?.is_some() {
        return Ok(Some(NotClaimed::TooMany));
    }
    let stale = row.is_without_app().then(|| now - HALF_SENT);
    if !queries::claim_text(tx, &new_text(row, TextStatus::Sending, None), stale, now).await? {
        return Ok(Some(NotClaimed::NotNow));
    }
    let known = TextRecipient::KnownPhone;
    match auth::admit_text_message(context.auth.text_limits(), tx, to, known, now).await {
        Ok(()) => Ok(None),
        Err(error) if error.code == Code::Unavailable => Ok(Some(NotClaimed::NotNow)),
        Err(error) => Err(error),
    }
}

fn new_text<'a>(row: &TextCandidateRow, status: TextStatus, note: Option<&'a str>) -> NewText<'a> {
    NewText { notification_id: row.id, user_id: row.user_id, job_id: row.job_id, status, note }
}

async fn skip(context: &NotificationsContext, row: &TextCandidateRow, why: &str) -> ApiResult<()> {
    let text = new_text(row, TextStatus::Skipped, Some(why));
    Ok(queries::note_text(&context.db, &text, context.clock.now()).await?)
}

async fn settle(
    context: &NotificationsContext,
    row: &TextCandidateRow,
    sent: Result<(), SmsError>,
) -> ApiResult<()> {
    let now = context.clock.now();
    let (status, why) = match &sent {
        Ok(()) => (TextStatus::Sent, None),
        Err(why @ SmsError::Unknown(_)) => (TextStatus::Unknown, Some(why.reason())),
        Err(why) => (row.attempt().after_refusal(policy(context, row), now), Some(why.reason())),
    };
    if status != TextStatus::Sent {
        let (id, kind) = (row.id, row.kind);
        tracing::warn!(notification.id = %id, notification.kind = %kind, why, "a text message was not handed over");
    }
    Ok(queries::note_text(&context.db, &new_text(row, status, why), now).await?)
}

fn message(
    context: &NotificationsContext,
    row: &TextCandidateRow,
    kind: TextKind,
    to: TextNumber,
    link: Option<&str>,
) -> TextMessage {
    let now = context.clock.now();
    let own = Locale::of(&row.language);
    // Countries with registered texts may have none in the person's language.
    let locale = if context.sms.may_send(&kind.key(Some(own.tag()))) { own } else { Locale::English };
    let key = kind.key(Some(locale.tag()));
    let written = context.status_texts.written.get(&key).map(String::as_str);
    let wait = row.promised_at.map(|at| (at - now).num_seconds()).filter(|left| *left > 0);
    let operator = &context.settings.operator;
    let expected = row.promised_at.filter(|at| *at > now);
    let until = expected.map(|at| operator.time_zone.local(at).format("%-I:%M %P").to_string());
    let facts = JobFacts {
        brand: &operator.brand,
        name: row.mechanic_name.as_deref(),
        wait_min: wait.map(|left| (left + 59) / 60),
        link,
        until: until.as_deref(),
        partner: row.partner.as_deref(),
        ..JobFacts::default()
    };
    let text = facts.fill(written.unwrap_or_else(|| texts::text_message(locale, kind)));
    TextMessage { id: row.id, to, kind, language: Some(locale.tag()), text }
}

fn policy(context: &NotificationsContext, row: &TextCandidateRow) -> TextPolicy {
    if row.is_without_app() {
        return TextPolicy { late_after: OF_USE, ..TextPolicy::after(TimeDelta::zero()) };
    }
    TextPolicy::after(context.status_texts.after)
}

impl TextCandidateRow {
    /// Returns whether the text is for a person for whom an organisation ordered help.
    fn is_without_app(&self) -> bool {
        self.partner.is_some()
    }

    fn text(&self) -> Option<TextKind> {
        if self.is_without_app() { self.kind.text_to_beneficiary() } else { self.kind.text() }
    }

    fn attempt(&self) -> TextTry {
        TextTry {
            number: self.attempts + 1,
            created_at: self.created_at,
            tried_at: self.tried_at,
            is_wanted: self.is_wanted,
            is_read: self.is_read,
            is_current: self.is_current,
        }
    }
}
