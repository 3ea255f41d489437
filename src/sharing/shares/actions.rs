//! Making, sending and revoking links.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{BoxFuture, FutureExt};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    admission::{hash, is_over, settles_until},
    audited,
    context::SharesContext,
    dto::{LinkRecipient, NewShare, NewShareLink, ShareRecipient},
    queries::{self, LinkRow},
};
use crate::{
    accounts::{
        auth::{self, CountedMessage, DailyLimits, MessageKind, TextRecipient, TokenKind},
        users,
    },
    jobs::{self, ContactPreference, JobRow},
    messaging::calls,
    notifications::JobLinks,
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::sms::TextNumber,
};

impl JobLinks for SharesContext {
    fn make(&self, job_id: Uuid) -> BoxFuture<'_, Option<(Uuid, String)>> {
        make_for_text(self, job_id, Wanted::in_place_of_an_app()).boxed()
    }

    fn make_for_beneficiary(&self, job_id: Uuid) -> BoxFuture<'_, Option<(Uuid, String)>> {
        make_for_text(self, job_id, Wanted::for_beneficiary()).boxed()
    }

    fn end(&self, job_id: Uuid, link_id: Uuid) -> BoxFuture<'_, ()> {
        async move {
            if let Err(error) = end(self, job_id, link_id).await {
                error.log();
            }
        }
        .boxed()
    }
}

async fn make_for_text(context: &SharesContext, job_id: Uuid, wanted: Wanted) -> Option<(Uuid, String)> {
    let job = jobs::find(&context.db, job_id).await.ok().flatten()?;
    match share(context, &job, &wanted).await {
        Ok((link, url, _)) => Some((link.id, url)),
        Err(error) => {
            error.log();
            None
        }
    }
}

/// The time over which the sent links of a job are counted.
const WINDOW: TimeDelta = TimeDelta::days(1);

/// The permissions of a link, its recipient, and the admin who makes it, if the job's customer does not.
#[derive(Debug)]
pub struct Wanted {
    shows_start_code: bool,
    may_contact: Option<bool>,
    /// Whether the holder decides, if an organisation ordered the job.
    may_decide: bool,
    send_to: Option<LinkRecipient>,
    admin: Option<Uuid>,
}

impl Wanted {
    pub fn by_customer(new: &NewShare) -> Self {
        Self {
            shows_start_code: new.shows_start_code.unwrap_or(false),
            may_contact: new.may_contact,
            may_decide: false,
            send_to: new.send_to.map(|ShareRecipient::Beneficiary| LinkRecipient::Beneficiary),
            admin: None,
        }
    }

    /// Returns the link for the customers themselves, who get it in a text message that the notifications count.
    fn in_place_of_an_app() -> Self {
        Self {
            shows_start_code: true,
            may_contact: Some(true),
            may_decide: false,
            send_to: None,
            admin: None,
        }
    }

    /// Returns the link for the person for whom an organisation ordered help, who gets it likewise.
    fn for_beneficiary() -> Self {
        Self { may_decide: true, ..Self::in_place_of_an_app() }
    }

    /// Returns the link that replaces an app for somebody who asked for help on the phone: it shows everything.
    pub fn by_admin(admin: Uuid, send_to: LinkRecipient) -> Self {
        Self {
            may_decide: send_to == LinkRecipient::Beneficiary,
            send_to: Some(send_to),
            admin: Some(admin),
            ..Self::in_place_of_an_app()
        }
    }
}

/// Makes a link to the job, and sends it on request; returns it with its URL and token.
pub async fn share(
    context: &SharesContext,
    job: &JobRow,
    wanted: &Wanted,
) -> ApiResult<(LinkRow, String, String)> {
    check_sendable(context, wanted)?;
    // Each link has its own limit.
    let owner = context.random.id(context.clock.now());
    let token = context.tokens.make(TokenKind::Link, owner, context.random.bytes());
    let (link, to) = make(context, job, wanted, &hash(&token)).await?;
    let url = format!("{}/track/{token}", context.settings.server.public_url.trim_end_matches('/'));
    if let Some(to) = to {
        send(context, &link, &to, &url).await?;
    }
    Ok((link, url, token))
}

/// Makes a link for the person at the vehicle of a job that an organisation orders, and who gets the link from it.
pub async fn for_organisation(
    context: &SharesContext,
    job: &JobRow,
    may_decide: bool,
) -> ApiResult<NewShareLink> {
    let wanted = Wanted { may_decide, ..Wanted::in_place_of_an_app() };
    let (link, url, token) = share(context, job, &wanted).await?;
    Ok(NewShareLink::of(link, url, token))
}

/// Checks that links are sent at all.
fn check_sendable(context: &SharesContext, wanted: &Wanted) -> ApiResult<()> {
    let settings = &context.share_settings;
    let limits =
        [settings.sms_per_job_per_day, settings.sms_per_person_per_day, settings.sms_per_number_per_day];
    let is_never = limits.contains(&0);
    if wanted.send_to.is_some() && is_never {
        let why = "is not possible here; a link that is made in the app can be shared from there";
        return Err(ApiError::invalid("send_to", why));
    }
    Ok(())
}

async fn recipient(
    context: &SharesContext,
    tx: &mut PgConnection,
    job: &JobRow,
    to: LinkRecipient,
) -> ApiResult<TextNumber> {
    let (phone, missing) = match to {
        LinkRecipient::Beneficiary => {
            (job.beneficiary_phone.clone(), "needs a beneficiary_phone, which this job does not have")
        }
        LinkRecipient::Customer => {
            let row = users::find(tx, job.customer_id).await?;
            (row.and_then(|row| row.phone), "has no phone number any more")
        }
    };
    let phone = phone.ok_or_else(|| ApiError::invalid("send_to", missing))?;
    context.sms.number("send_to", &phone)
}

/// Stores the link; returns the number to send it to, if any. Such a link counts as sent.
async fn make(
    context: &SharesContext,
    job: &JobRow,
    wanted: &Wanted,
    token_hash: &[u8],
) -> ApiResult<(LinkRow, Option<TextNumber>)> {
    let (now, settings) = (context.clock.now(), &context.share_settings);
    let mut tx = context.db.begin().await?;
    if wanted.send_to.is_some() {
        // The requests of a person run one after the other, so that each counts the links of those before it. Lock order:
        // account, job.
        auth::lock_account(&mut tx, job.customer_id).await?;
    }
    // Under the lock the count is exact, the job can't end, and the number can't be corrected.
    let job = jobs::lock(&mut tx, job.id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let to = match wanted.send_to {
        Some(to) => Some(recipient(context, &mut tx, &job, to).await?),
        None => None,
    };
    let id = context.random.id(now);
    if let Some(to) = &to {
        count_sent(context, &mut tx, &job, (id, to), now).await?;
    }
    let names_beneficiary = job.contact_preference != ContactPreference::Booker;
    let link = LinkRow {
        id,
        job_id: job.id,
        created_at: now,
        expires_at: now.max(job.begin_at) + TimeDelta::seconds(settings.ttl_s),
        revoked_at: None,
        shows_start_code: wanted.shows_start_code,
        may_contact: wanted.may_contact.unwrap_or(names_beneficiary),
        sent_at: to.as_ref().map(|_| now),
        may_decide: wanted.may_decide && job.case_id.is_some(),
    };
    if is_over(job.status) && settles_until(&link, &job).is_none_or(|until| until <= now) {
        let why = format!("This job is {}. It can no longer be shared.", job.status);
        return Err(ApiError::new(Code::InvalidTransition, why));
    }
    if queries::count_live(&mut tx, job.id, now).await? >= settings.max_live {
        let why = format!("This job already has {} links. Revoke one first.", settings.max_live);
        return Err(ApiError::new(Code::Conflict, why));
    }
    if let Some(to) = &to {
        let limits = context.auth.text_limits();
        auth::admit_text_message(limits, &mut tx, to, TextRecipient::KnownPhone, now).await?;
    }
    queries::insert(&mut tx, &link, token_hash).await?;
    if let Some((admin, to)) = wanted.admin.zip(wanted.send_to) {
        audited::sent(&mut tx, &context.random, admin, &link, to).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok((link, to))
}

/// Counts a link for its job, its customer and the number; 429 if no more may be sent for one of them.
async fn count_sent(
    context: &SharesContext,
    tx: &mut PgConnection,
    job: &JobRow,
    (link_id, to): (Uuid, &TextNumber),
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let settings = &context.share_settings;
    let limited = |seconds| {
        let why = "No more links can be sent by SMS for now. Make one in the app and share it from there.";
        Err(ApiError::new(Code::RateLimited, why).retry_after(seconds))
    };
    let sent = queries::sent_since(tx, job.id, now - WINDOW).await?;
    if sent.count >= settings.sms_per_job_per_day {
        let free_at = sent.oldest.unwrap_or(now) + WINDOW;
        return limited(u64::try_from((free_at - now).num_seconds() + 1).unwrap_or(1));
    }
    let phone = users::find(&mut *tx, job.customer_id).await?.and_then(|customer| customer.phone);
    let message = CountedMessage {
        id: link_id,
        kind: MessageKind::ShareLink,
        recipient_keys: context.auth.number_keys(to.e164()),
        person_keys: context.auth.person_keys(job.customer_id, phone.as_deref()),
    };
    let limits = DailyLimits::shared(settings.sms_per_number_per_day, settings.sms_per_person_per_day);
    match auth::count_message(tx, &message, limits, now).await? {
        Some(seconds) => limited(seconds),
        None => Ok(()),
    }
}

/// Sends the link, or revokes it if it could not be sent. A failed link still counts as sent for its job and customer.
async fn send(context: &SharesContext, link: &LinkRow, to: &TextNumber, url: &str) -> ApiResult<()> {
    let Err(why) = context.sms.send_share_link(link.id, to, url).await else { return Ok(()) };
    end(context, link.job_id, link.id).await?;
    if why.is_free() {
        auth::give_back_text_message(context.auth.text_limits(), &context.db, to, link.created_at).await?;
    }
    let message =
        "We could not send the link. Check the number, or make a link in the app and share it from there.";
    Err(ApiError::new(Code::ProviderError, message).caused_by(why))
}

/// Ends a link, its open streams, and a call that its holder made or answered with it.
pub async fn revoke(context: &SharesContext, job_id: Uuid, link_id: Uuid) -> ApiResult<()> {
    if !end(context, job_id, link_id).await? {
        return Err(ApiError::not_found("share link"));
    }
    calls::hang_up_for(&context.calls, job_id, link_id).await
}

/// Ends a link and its open streams. Returns false if the job has no such link.
async fn end(context: &SharesContext, job_id: Uuid, link_id: Uuid) -> ApiResult<bool> {
    let exists = queries::revoke(&context.db, job_id, link_id, context.clock.now()).await?;
    if exists {
        context.streams.revoked(link_id);
    }
    Ok(exists)
}

/// Deletes links that expired more than `shares.retention_days` ago, at most `limit` at once; returns how many.
pub async fn sweep(context: &SharesContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.share_settings.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
