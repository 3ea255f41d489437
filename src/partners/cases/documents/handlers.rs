use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{CaseDocument, NewCaseDocument, NewCaseFile},
    queries::{self, CaseDocumentRow},
};
use crate::{
    accounts::{
        auth::{
            Admin, desk,
            scope::{self, Scope},
        },
        organisations::Partner,
        uploads::{PresignedUpload, UploadsContext},
    },
    http::{Body, List, NoIdempotencyKey, Owned, OwnedBy, PathIds},
    partners::cases::queries::CaseRow,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
    },
};

/// A document belongs to whom its case belongs.
impl<S: Scope> OwnedBy<Partner<S>> for CaseDocumentRow {
    const NAME: &'static str = "document";

    async fn find(core: &Core, by: &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let case = CaseRow::find(core, by, path).await?;
        let case = case.ok_or_else(|| ApiError::not_found(<CaseRow as OwnedBy<Partner<S>>>::NAME))?;
        Ok(queries::find(&core.db, case.id, path.id("item_id")?).await?)
    }
}

/// Announces a file for a case: a picture or a PDF. The answer contains the link to which its bytes are sent; afterwards
/// `POST /partner/cases/{id}/documents` adds the file to the case.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path)),
    request_body = NewCaseFile,
    responses(
        (status = 201, body = PresignedUpload, description = "Announced"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the organisation has as many uploads as it may \
            (`uploads.max_pending_per_organisation`) that are not completed and whose links have not run out"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is shown only once"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: too many requests, or the organisation announced too many \
            bytes within a day (`uploads.max_bytes_per_organisation_and_day`)"),
    ),
)]
#[post("/partner/cases/{id}/uploads")]
pub async fn announce_case_file(
    context: Data<UploadsContext>,
    case: Owned<CaseRow, Partner<scope::Cases>>,
    key: NoIdempotencyKey,
    body: Body<NewCaseFile>,
) -> ApiResult<HttpResponse> {
    let (_, Partner(caller, _)) = case.into_parts();
    key.check()?;
    Ok(HttpResponse::Created().json(actions::announce(&context, &caller, body.read()?).await?))
}

/// Adds a file to a case once its bytes were sent: they are checked and stored, and a picture loses its metadata. A case has at
/// most 20 documents. The mechanic and the person who is helped don't see them. A repeat returns the same document.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path)),
    request_body = NewCaseDocument,
    responses(
        (status = 201, body = CaseDocument),
        (status = 200, body = CaseDocument, description = "The file is this document already"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the case has 20 documents, no bytes have arrived, or the file is a \
            document of another case; INVALID_TRANSITION: the case has forgotten whom it was about"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store refuses the service"),
    ),
)]
#[post("/partner/cases/{id}/documents")]
pub async fn add_case_document(
    context: Data<UploadsContext>,
    case: Owned<CaseRow, Partner<scope::Cases>>,
    body: Body<NewCaseDocument>,
) -> ApiResult<HttpResponse> {
    let (case, Partner(caller, _)) = case.into_parts();
    let (shown, is_new) = actions::attach(&context, &caller, &case, body.read()?).await?;
    Ok(if is_new { HttpResponse::Created() } else { HttpResponse::Ok() }.json(shown))
}

/// Lists the documents of a case, the oldest first, each with a link that ends soon.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = List<CaseDocument>),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store of a file is not set up"),
    ),
)]
#[get("/partner/cases/{id}/documents")]
pub async fn list_case_documents(
    context: Data<UploadsContext>,
    case: Owned<CaseRow, Partner<scope::Read>>,
) -> ApiResult<Json<List<CaseDocument>>> {
    Ok(Json(List { data: actions::of_case(&context, case.id).await? }))
}

/// Deletes a document of a case with its file.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/partner/cases/{id}/documents/{item_id}")]
pub async fn delete_case_document(
    context: Data<UploadsContext>,
    document: Owned<CaseDocumentRow, Partner<scope::Cases>>,
) -> ApiResult<HttpResponse> {
    let (row, Partner(caller, _)) = document.into_parts();
    actions::delete(&context, &caller, &row).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists the documents of a partner's case, the oldest first, each with a link that ends soon.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = List<CaseDocument>),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the store of a file is not set up"),
    ),
)]
#[get("/admin/partner-cases/{id}/documents")]
pub async fn list_partner_case_documents(
    context: Data<UploadsContext>,
    case: Owned<CaseRow, Admin<desk::Cases>>,
) -> ApiResult<Json<List<CaseDocument>>> {
    Ok(Json(List { data: actions::of_case(&context, case.id).await? }))
}
