//! Announcing, completing, opening and deleting uploads.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use roadcall_http::ValidationErrors;
use roadcall_platform::{
    audit,
    error::{ApiError, ApiResult, Code, after_commit, commit_error},
};
use roadcall_providers::{
    ProviderError,
    storage::{Fault, KeptBytes, PICTURE_TURN, Storage, UploadSettings},
};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{AuditedRead, NewUpload, PresignedUpload, UploadStatus},
    queries::{self, UploadRow},
    state::{self, Access},
};
use crate::{auth, uploads::UploadsContext};

/// The number of requests to the store that one try makes at most: forget, head, copy, head, get and two deletes.
const MAX_REQUESTS: i64 = 7;
/// The upper limit of `uploads.timeout_ms`.
const MAX_REQUEST_S: i64 = 10;
/// The time after which another try may take over: longer than all waits of one try together.
const ATTEMPT_S: i64 = MAX_REQUESTS * MAX_REQUEST_S + PICTURE_TURN.as_secs() as i64 + 10;
/// The time to wait after announcing too many bytes.
const DAILY_RETRY_S: u64 = 3600;

/// The uploads with which an announced one is counted.
#[derive(Debug, Clone, Copy)]
pub enum UploadBudget {
    /// The uploads of the account, and those of this person's earlier accounts.
    Person(Uuid),
    /// The uploads of this partner alone. Several partners upload to the account of one organisation, and each has its own limit.
    Partner(Uuid),
}

impl UploadBudget {
    fn id(self) -> Uuid {
        let (Self::Person(id) | Self::Partner(id)) = self;
        id
    }

    /// Returns the most unfinished uploads, and the most bytes in 24 hours.
    fn limits(self, settings: &UploadSettings) -> (i64, i64) {
        match self {
            Self::Person(_) => (settings.max_pending_per_user, settings.max_bytes_per_user_and_day),
            Self::Partner(_) => {
                (settings.max_pending_per_organisation, settings.max_bytes_per_organisation_and_day)
            }
        }
    }
}

/// Announces a file; the link in the answer accepts its bytes.
pub async fn announce(
    context: &UploadsContext,
    user_id: Uuid,
    budget: UploadBudget,
    new: NewUpload,
) -> ApiResult<PresignedUpload> {
    let mut errors = ValidationErrors::default();
    state::check(new.purpose, new.content_type, new.size_bytes.0, &context.upload_settings, &mut errors);
    errors.into_result()?;
    let now = context.clock.now();
    let store = context.stores.current();
    let mut tx = context.db.begin().await?;
    // The lock makes the counts exact.
    auth::lock_account(&mut tx, user_id).await?;
    let row = new_row(context, user_id, budget.id(), new, store.name(), now);
    check_limits(context, &mut tx, &row, budget, now).await?;
    queries::insert(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    let expires_at = ends(now, context.upload_settings.put_link_ttl_s);
    let link = store.put_link(&row.announced(), now, expires_at);
    Ok(PresignedUpload {
        upload_id: row.id,
        url: link.url,
        method: "PUT",
        headers: link.headers.into_iter().collect(),
        file_url: row.file_url,
        expires_at: expires_at.into(),
    })
}

fn new_row(
    context: &UploadsContext,
    user_id: Uuid,
    budget: Uuid,
    new: NewUpload,
    store: &str,
    now: DateTime<Utc>,
) -> UploadRow {
    let id = context.random.id(now);
    let public_url = context.settings.server.public_url.trim_end_matches('/');
    UploadRow {
        id,
        user_id,
        purpose: new.purpose,
        content_type: new.content_type,
        size_bytes: new.size_bytes.0,
        sha256: new.sha256.map(|digest| digest.0.to_vec()),
        quota_key: Some(budget.as_bytes().to_vec()),
        store: store.to_owned(),
        file_url: format!("{public_url}/uploads/{id}/file"),
        status: UploadStatus::Pending,
        attempt: None,
        created_at: now,
        completed_at: None,
    }
}

async fn check_limits(
    context: &UploadsContext,
    tx: &mut PgConnection,
    row: &UploadRow,
    budget: UploadBudget,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let settings = &context.upload_settings;
    let (most_pending, most_bytes) = budget.limits(settings);
    let of_account = matches!(budget, UploadBudget::Person(_)).then_some(row.user_id);
    let day_ago = now - TimeDelta::days(1);
    // An announced file without a valid link can't be sent; it is left out until it is swept.
    let links_since = now - TimeDelta::seconds(settings.put_link_ttl_s);
    let (pending, bytes) =
        queries::announced(tx, of_account, row.quota_key.as_deref(), day_ago, links_since, now).await?;
    if pending >= most_pending {
        let why = format!(
            "You have {pending} unfinished uploads. Complete them, or wait until their links expire."
        );
        return Err(ApiError::new(Code::Conflict, why));
    }
    if bytes + row.size_bytes > most_bytes {
        let why = format!("You can upload at most {most_bytes} bytes within 24 hours.");
        return Err(ApiError::new(Code::RateLimited, why).retry_after(DAILY_RETRY_S));
    }
    Ok(())
}

/// Returns the end of a link, to the second, as links name it.
fn ends(now: DateTime<Utc>, ttl_s: i64) -> DateTime<Utc> {
    (now + TimeDelta::seconds(ttl_s)).trunc_subsecs(0)
}

/// Checks and stores the bytes that the client sent. There is one try at a time: its id is stored before the store
/// gets a request, so that whatever it leaves there can be removed. The client's bytes are removed last: until the
/// row is complete, another try may need them.
pub async fn complete(context: &UploadsContext, row: UploadRow) -> ApiResult<UploadRow> {
    if row.status == UploadStatus::Complete {
        return Ok(row);
    }
    let (store, now) = (store_of(context, &row)?, context.clock.now());
    let attempt = context.random.id(now);
    let until = now + TimeDelta::seconds(ATTEMPT_S);
    if !queries::begin_attempt(&context.db, row.id, row.attempt, attempt, now, until).await? {
        return completed_meanwhile(context, &row).await;
    }
    let kept = keep(store, &row, attempt).await;
    if !matches!(kept, Ok(Ok(_))) && !queries::end_attempt(&context.db, row.id, attempt).await? {
        return completed_meanwhile(context, &row).await;
    }
    let kept = kept.map_err(away)?.map_err(not_as_announced)?;
    if !queries::complete(&context.db, row.id, attempt, kept, now).await? {
        return not_completed(context, store, &row, attempt).await;
    }
    if let Err(error) = store.clear_incoming(row.id).await {
        // The object is never shown; the bucket's own rule for incoming/ removes it.
        tracing::debug!(%error, "a completed upload could not be removed from incoming/");
    }
    queries::find(&context.db, row.id).await.map_err(after_commit)?.ok_or_else(no_such_upload)
}

/// Ends a try that took so long that another one has begun, or whose owner's account was deleted meanwhile. Only in
/// the second case may the bytes be removed.
async fn not_completed(
    context: &UploadsContext,
    store: &dyn Storage,
    row: &UploadRow,
    attempt: Uuid,
) -> ApiResult<UploadRow> {
    if queries::find(&context.db, row.id).await?.is_none() {
        store.remove(row.id, Some(attempt)).await.map_err(away)?;
        return Err(no_such_upload());
    }
    store.forget(row.id, attempt).await.map_err(away)?;
    completed_meanwhile(context, row).await
}

/// Stores the bytes, after removing whatever an earlier try left behind.
async fn keep(
    store: &dyn Storage,
    row: &UploadRow,
    attempt: Uuid,
) -> Result<Result<KeptBytes, Fault>, ProviderError> {
    if let Some(earlier) = row.attempt {
        store.forget(row.id, earlier).await?;
    }
    store.keep(&row.announced(), attempt).await
}

async fn completed_meanwhile(context: &UploadsContext, row: &UploadRow) -> ApiResult<UploadRow> {
    let row = queries::find(&context.db, row.id).await?.ok_or_else(no_such_upload)?;
    match row.status {
        UploadStatus::Complete => Ok(row),
        UploadStatus::Pending => Err(ApiError::new(
            Code::Conflict,
            "This upload is being completed right now. Try again in a moment.",
        )),
    }
}

/// Deletes a file, or cancels an announced one; 409 while something shows it.
pub async fn delete(context: &UploadsContext, row: &UploadRow) -> ApiResult<()> {
    let conflict = |why: &'static str| Err(ApiError::new(Code::Conflict, why));
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, row.user_id).await?;
    if queries::is_used(&mut tx, row.user_id, &row.file_url).await? {
        return conflict("This file is in use. Remove it there first.");
    }
    if !queries::doom(&mut tx, row.id, context.clock.now()).await? {
        return conflict("This upload is being completed right now. Try again in a moment.");
    }
    tx.commit().await.map_err(commit_error)?;
    super::erase(context, row.user_id).await;
    Ok(())
}

/// Returns a link to a file for a reader who may see it, with its end. The audit log records the files that an admin
/// reads.
pub async fn open(
    context: &UploadsContext,
    reader: Uuid,
    row: &UploadRow,
    access: Access,
) -> ApiResult<(String, DateTime<Utc>)> {
    if row.status != UploadStatus::Complete {
        return Err(ApiError::new(
            Code::Conflict,
            "This upload is not complete. Upload the file and complete it first.",
        ));
    }
    let link = link(context, row)?;
    if access == Access::Audited {
        let mut tx = context.db.begin().await?;
        write_audit(context, &mut tx, reader, row, context.clock.now()).await?;
        tx.commit().await.map_err(commit_error)?;
    }
    Ok(link)
}

/// Returns a link to a complete upload, with its end.
pub fn link(context: &UploadsContext, row: &UploadRow) -> ApiResult<(String, DateTime<Utc>)> {
    let (now, store) = (context.clock.now(), store_of(context, row)?);
    let expires_at = ends(now, state::link_ttl_s(row.purpose, &context.upload_settings));
    Ok((store.get_link(&state::kept(row), now, expires_at), expires_at))
}

async fn write_audit(
    context: &UploadsContext,
    tx: &mut PgConnection,
    reader: Uuid,
    row: &UploadRow,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let read = AuditedRead { owner_id: row.user_id, purpose: row.purpose };
    let after = serde_json::to_value(read).map_err(ApiError::internal)?;
    let entry = audit::NewAuditEntry::new(reader, "upload.read", ("upload", row.id), (Value::Null, after));
    Ok(audit::record(tx, &context.random, now, entry).await?)
}

fn store_of<'a>(context: &'a UploadsContext, row: &UploadRow) -> ApiResult<&'a dyn Storage> {
    let absent = || ApiError::new(Code::ProviderError, "The file's storage is not set up.");
    context.stores.named(&row.store).ok_or_else(absent)
}

/// Maps a failure of the store to an error after which the request may be repeated.
fn away(error: ProviderError) -> ApiError {
    match error {
        ProviderError::Unavailable(_) | ProviderError::Unknown(_) => ApiError::unavailable(error),
        ProviderError::Refused { .. } => {
            ApiError::new(Code::ProviderError, "The file storage rejected the request.").caused_by(error)
        }
    }
}

/// Returns the error for the announced field that the bytes do not match.
pub(super) fn not_as_announced(fault: Fault) -> ApiError {
    match fault {
        Fault::Missing => {
            ApiError::new(Code::Conflict, "The file is missing. PUT it to the upload's url first.")
        }
        Fault::Size => ApiError::invalid("size_bytes", "does not match the file's size"),
        Fault::Kind => ApiError::invalid("content_type", "does not match the file's content"),
        Fault::Damaged => ApiError::invalid(
            "content_type",
            "is right, but the picture is damaged. Save it again or send another one",
        ),
        Fault::Pixels { max_megapixels } => ApiError::invalid(
            "content_type",
            format!(
                "is right, but the picture has more than {max_megapixels} million pixels. Send a smaller one"
            ),
        ),
        Fault::Sha256 => ApiError::invalid("sha256", "does not match the file"),
    }
}

pub(super) fn no_such_upload() -> ApiError {
    ApiError::not_found("upload")
}
