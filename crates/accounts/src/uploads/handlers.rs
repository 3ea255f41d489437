use actix_web::{HttpResponse, delete, get, http::header, post, web::Data};
use chrono::{DateTime, Utc};
use roadcall_http::{Body, NoFields, NoIdempotencyKey, Owned, OwnedBy, PathIds};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
};

use super::{
    actions::{self, UploadBudget},
    dto::{NewUpload, PresignedUpload, Upload, UploadLink},
    queries::{self, UploadRow},
    state::{self, Access, Relation},
};
use crate::{auth::Caller, uploads::UploadsContext};

/// Announces a file; the answer contains the link to which it is sent. The link accepts exactly these bytes once;
/// completing the upload checks them.
#[utoipa::path(
    tag = "uploads",
    request_body = NewUpload,
    responses(
        (status = 201, body = PresignedUpload, description = "Announced"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the caller has 20 uploads that are not completed and \
            whose links have not run out"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is shown only once"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: too many requests, or the caller announced too many \
            bytes within a day"),
    ),
)]
#[post("/uploads/presign")]
pub async fn presign_upload(
    context: Data<UploadsContext>,
    caller: Caller,
    key: NoIdempotencyKey,
    body: Body<NewUpload>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let new = body.read()?;
    let announced =
        actions::announce(&context, caller.user_id, UploadBudget::Person(caller.budget), new).await?;
    Ok(HttpResponse::Created().json(announced))
}

/// Completes an upload after its bytes were sent: they are checked and stored. A picture loses its metadata (place,
/// time and camera) but not its orientation, so it may be smaller afterwards. From then on bodies may hold the
/// `file_url`. Repeating the request returns the same answer. Bytes that differ from the announcement are removed;
/// they may be sent again.
#[utoipa::path(
    tag = "uploads",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = Upload),
        (status = 409, body = ErrorBody, description = "CONFLICT: no bytes have arrived, or the upload is being completed \
            right now"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store refuses the service"),
    ),
)]
#[post("/uploads/{id}/complete")]
pub async fn complete_upload(
    context: Data<UploadsContext>,
    upload: Owned<UploadRow, Caller>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, _) = upload.into_parts();
    body.read()?;
    let row = actions::complete(&context, row).await?;
    Ok(HttpResponse::Ok().json(Upload::from(row)))
}

/// Finds the upload for the person who announced it.
impl OwnedBy<Caller> for UploadRow {
    const NAME: &'static str = "upload";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let row = queries::find(&core.db, path.id("id")?).await?;
        Ok(row.filter(|row| row.user_id == by.user_id))
    }
}

/// Returns an upload of the caller's, with its progress and the stored file.
#[utoipa::path(tag = "uploads", params(("id" = Uuid, Path)), responses((status = 200, body = Upload)))]
#[get("/uploads/{id}")]
pub async fn get_upload(upload: Owned<UploadRow, Caller>) -> HttpResponse {
    let (row, _) = upload.into_parts();
    HttpResponse::Ok().json(Upload::from(row))
}

/// Deletes a file of the caller's, or cancels an announced one. While something shows the file, delete that first: a
/// photo of a job, a document, the picture of the account. Messages of a chat and statements of a dispute stay, and
/// so do their files.
#[utoipa::path(
    tag = "uploads",
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "CONFLICT: the file is in use, or being completed right now"),
    ),
)]
#[delete("/uploads/{id}")]
pub async fn delete_upload(
    context: Data<UploadsContext>,
    upload: Owned<UploadRow, Caller>,
) -> ApiResult<HttpResponse> {
    let (row, _) = upload.into_parts();
    actions::delete(&context, &row).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Returns a short-lived link to the file, for people who may see it: its owner, admins, everyone who is signed in if
/// it is an avatar, and the customer and mechanic of a job that refers to it. The audit log records the files of
/// others that an admin reads, except avatars.
#[utoipa::path(
    tag = "uploads",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = UploadLink),
        (status = 409, body = ErrorBody, description = "CONFLICT: the upload is not complete"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store of this file is not set up"),
    ),
)]
#[get("/uploads/{id}/link")]
pub async fn get_upload_link(
    context: Data<UploadsContext>,
    upload: Owned<ReadableUpload, Caller>,
) -> ApiResult<HttpResponse> {
    let (url, expires_at) = open(&context, upload).await?;
    Ok(HttpResponse::Ok().json(UploadLink { url, expires_at: expires_at.into() }))
}

/// Redirects to the file by a short-lived link, with the rules of `GET /uploads/{id}/link`.
#[utoipa::path(
    tag = "uploads",
    params(("id" = Uuid, Path)),
    responses(
        (status = 302, description = "To the file; do not send the bearer token there"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the upload is not complete"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store of this file is not set up"),
    ),
)]
#[get("/uploads/{id}/file")]
pub async fn get_upload_file(
    context: Data<UploadsContext>,
    upload: Owned<ReadableUpload, Caller>,
) -> ApiResult<HttpResponse> {
    let (url, _) = open(&context, upload).await?;
    Ok(HttpResponse::Found().insert_header((header::LOCATION, url)).finish())
}

/// An upload that the caller may see, by its purpose and the caller's relation to it.
#[derive(Debug)]
pub struct ReadableUpload {
    row: UploadRow,
    access: Access,
}

impl OwnedBy<Caller> for ReadableUpload {
    const NAME: &'static str = "upload";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let Some(row) = queries::find(&core.db, path.id("id")?).await? else { return Ok(None) };
        let access = state::access(row.purpose, relation(by, &row));
        let is_seen = match access {
            Access::Granted => true,
            Access::Audited => state::check_desk(row.purpose, by.desks).map(|()| true)?,
            Access::OfJob => {
                let profile = by.mechanic.map(|mechanic| mechanic.profile_id);
                queries::is_of_a_job_of(&core.db, &row, by.user_id, profile).await?
            }
            Access::Denied => false,
        };
        Ok(is_seen.then_some(Self { row, access }))
    }
}

/// Returns a link for the caller, with its end.
async fn open(
    context: &UploadsContext,
    upload: Owned<ReadableUpload, Caller>,
) -> ApiResult<(String, DateTime<Utc>)> {
    let (ReadableUpload { row, access }, caller) = upload.into_parts();
    actions::open(context, caller.user_id, &row, access).await
}

fn relation(caller: &Caller, row: &UploadRow) -> Relation {
    if row.user_id == caller.user_id {
        Relation::Owner
    } else if caller.is_admin() {
        Relation::Admin
    } else {
        Relation::Stranger
    }
}
