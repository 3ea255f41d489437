//! Files that clients upload: announced (`presign`), sent to the store under a signed link, completed, and then
//! referred to by other areas as URLs. The service itself never fetches a URL that a client wrote.
//!
//! | file | what |
//! | --- | --- |
//! | `state.rs` | the limits on uploads, and who may see them (pure) |
//! | `actions.rs` | announcing, completing, deleting, links |
//! | `content.rs` | bytes to and from the local store, under signed links |
//! | `refer.rs` | the file URLs that a body may hold |
//! | `sweep.rs` | the deletion of files, and its order |
//!
//! The stores themselves are in `providers/storage`.

mod actions;
mod content;
mod context;
mod dto;
mod handlers;
mod queries;
mod refer;
mod state;
mod sweep;

pub use actions::{UploadBudget, announce};
pub use content::signed_link;
pub use context::UploadsContext;
pub use dto::{FileUrl, NewUpload, PresignedUpload, Sha256Hex, Upload, UploadLink, UploadPurpose};
pub use queries::{count_kept_elsewhere, doom_of_user as leave, kept_in as kept_files};
pub use refer::{
    AvatarFile, ChatFile, DocumentFile, EvidenceFile, FileRef, IconFile, JobPhotoFile, numbered, refer,
    refer_one,
};
pub use sweep::{erase, sweep};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use roadcall_http::Routes;
use roadcall_platform::{db::Db, error::ApiResult};
use sqlx::PgConnection;
use uuid::Uuid;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::presign_upload)
        .service(handlers::complete_upload)
        .service(handlers::get_upload)
        .service(handlers::delete_upload)
        .service(handlers::get_upload_link)
        .service(handlers::get_upload_file)
        .service(content::send_upload_content)
        .service(content::fetch_upload_content);
}

/// Returns a link to each of these pictures of a job, in their order, for somebody who may see them, only until then if there is an
/// end. A URL of another host is its own link; a deleted picture has none.
pub async fn picture_links(
    context: &UploadsContext,
    file_urls: &[String],
    until: Option<DateTime<Utc>>,
) -> ApiResult<Vec<Option<UploadLink>>> {
    let rows = queries::complete_by_urls(&context.db, file_urls).await?;
    let now = context.clock.now();
    let until = until.unwrap_or(now + TimeDelta::seconds(context.upload_settings.link_ttl_s));
    let own = format!("{}/uploads/", context.settings.server.public_url.trim_end_matches('/'));
    let link = |file_url: &String| match rows.iter().find(|row| row.file_url == *file_url) {
        Some(row) => {
            let ttl = TimeDelta::seconds(state::link_ttl_s(row.purpose, &context.upload_settings));
            let ends = until.min(now + ttl).trunc_subsecs(0);
            let store = context.stores.named(&row.store)?;
            let url = store.get_link(&state::kept(row), now, ends);
            Some(UploadLink { url, expires_at: ends.into() })
        }
        None if file_url.starts_with(&own) => None,
        None => Some(UploadLink { url: file_url.clone(), expires_at: until.into() }),
    };
    Ok(file_urls.iter().map(link).collect())
}

/// Completes the upload that an account announced with this budget, and returns it; `None` if there is no such upload.
pub async fn complete_announced(
    context: &UploadsContext,
    (user_id, budget): (Uuid, Uuid),
    id: Uuid,
) -> ApiResult<Option<Upload>> {
    let found = queries::find(&context.db, id).await?;
    let is_own = |row: &queries::UploadRow| {
        row.user_id == user_id && row.quota_key.as_deref() == Some(budget.as_bytes().as_slice())
    };
    match found.filter(is_own) {
        Some(row) => Ok(Some(actions::complete(context, row).await?.into())),
        None => Ok(None),
    }
}

/// Returns those of these files that are complete, in no particular order, each with a link for somebody who may see it.
pub async fn opened(context: &UploadsContext, file_urls: &[String]) -> ApiResult<Vec<(Upload, UploadLink)>> {
    let mut opened = Vec::with_capacity(file_urls.len());
    for row in queries::complete_by_urls(&context.db, file_urls).await? {
        let (url, expires_at) = actions::link(context, &row)?;
        opened.push((row.into(), UploadLink { url, expires_at: expires_at.into() }));
    }
    Ok(opened)
}

/// Returns the newest files that a person uploaded or announced, at most `limit`. Their URLs are not signed links:
/// the right to see them is checked when they are opened.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Upload>> {
    Ok(queries::newest_of(db, user_id, limit).await?.into_iter().map(Upload::from).collect())
}

/// Returns those of these files that somebody may still open.
pub async fn still_kept(db: &Db, ids: &[Uuid]) -> sqlx::Result<Vec<Uuid>> {
    if ids.is_empty() { Ok(Vec::new()) } else { queries::still_complete(db, ids).await }
}

/// Marks a person's file for deletion if nothing refers to it any longer. Call this in the transaction that removed
/// the reference. A URL of another host, or another person's, is left alone. The next sweep removes the bytes.
pub async fn discard(
    tx: &mut PgConnection,
    user_id: Uuid,
    file_url: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let Some(id) = queries::complete_of(tx, user_id, file_url).await? else { return Ok(()) };
    if !queries::is_used(tx, user_id, file_url).await? {
        queries::doom(tx, id, now).await?;
    }
    Ok(())
}
