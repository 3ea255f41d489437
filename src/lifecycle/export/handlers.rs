use actix_web::{HttpResponse, get, http::header, web::Data};

use super::{collect, dto::Export};
use crate::{accounts::auth::Caller, lifecycle::LifecycleContext, platform::error::ApiResult};

/// Exports everything that is stored about the caller, in one file. Lists have the form of the API, with the newest
/// `privacy.export_rows` of each; `truncated` names the lists that had more. The export contains no tokens or hashes, and of
/// other people only what the caller's own lists show. Files are named, not contained: each can be opened by its `file_url`. At
/// most `limits.export_per_minute` a minute.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = Export, headers(
        ("content-disposition" = String, description = "attachment; filename=\"roadcall-export.json\""),
        ("cache-control" = String, description = "no-store"),
    ))),
)]
#[get("/users/me/export")]
pub async fn export_my_data(caller: Caller, context: Data<LifecycleContext>) -> ApiResult<HttpResponse> {
    let export = collect::export(&context, &caller).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"roadcall-export.json\""))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(export))
}
