//! Adds documents to cases, and deletes them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{CaseDocument, NewCaseDocument, NewCaseFile},
    queries::{self, CaseDocumentRow},
};
use crate::{
    accounts::{
        auth::{PartnerCaller, Principal},
        uploads::{self, DocumentFile, FileUrl, PresignedUpload, UploadBudget, UploadsContext},
    },
    http::Invalid,
    partners::cases::{audited, queries::CaseRow},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// The most documents of a case; one more is refused with 409.
const MAX_DOCUMENTS: i64 = 20;

/// Announces a file in the name of the organisation's account. Only the organisation that announced it can make it a document.
pub async fn announce(
    context: &UploadsContext,
    caller: &PartnerCaller,
    new: NewCaseFile,
) -> ApiResult<PresignedUpload> {
    uploads::announce(context, caller.account_id, UploadBudget::Partner(caller.made_by), new.into()).await
}

/// Makes a file whose bytes were sent a document, and returns it with whether it is new.
pub async fn attach(
    context: &UploadsContext,
    caller: &PartnerCaller,
    case: &CaseRow,
    new: NewCaseDocument,
) -> ApiResult<(CaseDocument, bool)> {
    let by = (caller.account_id, caller.made_by);
    let file = uploads::complete_announced(context, by, new.upload_id.0).await?;
    let unknown = || ApiError::invalid("upload_id", "is not an upload of this organisation");
    let file_url = file.ok_or_else(unknown)?.file_url;
    let now = context.clock.now();
    let (id, kind, name) = (context.random.id(now), new.kind, new.name.0);
    let row = CaseDocumentRow { id, case_id: case.id, kind, name, file_url, created_at: now };
    let mut tx = context.db.begin().await?;
    let (row, is_new) = added(&mut tx, context, caller, row).await?;
    tx.commit().await.map_err(commit_error)?;
    let shown = shown(context, vec![row]).await?.pop().ok_or_else(no_such_document)?;
    Ok((shown, is_new))
}

/// Adds a document to its case, or returns the one that its file is already.
async fn added(
    tx: &mut PgConnection,
    context: &UploadsContext,
    caller: &PartnerCaller,
    row: CaseDocumentRow,
) -> ApiResult<(CaseDocumentRow, bool)> {
    if !queries::touch_case(tx, row.case_id, row.created_at).await? {
        let message = "This case has forgotten whom it was about, so it takes no document.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    if !queries::insert_if_new(tx, &row).await? {
        let known = queries::by_file(tx, row.case_id, &row.file_url).await?;
        let elsewhere = || ApiError::new(Code::Conflict, "This file is a document of another case.");
        return Ok((known.ok_or_else(elsewhere)?, false));
    }
    if queries::count(tx, row.case_id).await? > MAX_DOCUMENTS {
        let message = format!("A case can have at most {MAX_DOCUMENTS} documents. Delete one first.");
        return Err(ApiError::new(Code::Conflict, message));
    }
    let url = FileUrl::new(row.file_url.clone()).map_err(|Invalid(why)| ApiError::internal(why))?;
    // The file may have been deleted with another document that it was until now.
    uploads::refer_one::<DocumentFile>(&mut *tx, context, caller.account_id, "upload_id", url).await?;
    audited::of_document(context, tx, Principal::from(*caller), "partner_case.add_document", &row).await?;
    Ok((row, true))
}

/// Returns the documents of a case, the oldest first, each with a link.
pub async fn of_case(context: &UploadsContext, case_id: Uuid) -> ApiResult<Vec<CaseDocument>> {
    shown(context, queries::of_case(&context.db, case_id).await?).await
}

async fn shown(context: &UploadsContext, rows: Vec<CaseDocumentRow>) -> ApiResult<Vec<CaseDocument>> {
    let urls: Vec<String> = rows.iter().map(|row| row.file_url.clone()).collect();
    let mut files = uploads::opened(context, &urls).await?;
    let with_file = rows.into_iter().filter_map(|row| {
        let at = files.iter().position(|(file, _)| file.file_url == row.file_url)?;
        let (file, link) = files.swap_remove(at);
        Some(CaseDocument::new(row, &file, link))
    });
    Ok(with_file.collect())
}

/// Deletes a document with its file.
pub async fn delete(
    context: &UploadsContext,
    caller: &PartnerCaller,
    row: &CaseDocumentRow,
) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    if !queries::delete(&mut tx, row.id).await? {
        return Err(no_such_document());
    }
    uploads::discard(&mut tx, caller.account_id, &row.file_url, context.clock.now()).await?;
    audited::of_document(context, &mut tx, Principal::from(*caller), "partner_case.delete_document", row)
        .await?;
    tx.commit().await.map_err(commit_error)?;
    uploads::erase(context, caller.account_id).await;
    Ok(())
}

/// Deletes the documents of a case that forgets whom it was about. The next sweep removes the bytes of their files.
pub async fn forget(tx: &mut PgConnection, case_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    for (account_id, file_url) in queries::delete_all(tx, case_id).await? {
        uploads::discard(tx, account_id, &file_url, now).await?;
    }
    Ok(())
}

fn no_such_document() -> ApiError {
    ApiError::not_found("document")
}
