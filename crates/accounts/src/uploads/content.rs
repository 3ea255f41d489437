//! Bytes to and from the local store, under signed links. The signature is the credential, as with S3; a bearer token
//! is ignored.

use std::{collections::HashMap, io, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    body::SizedStream,
    get,
    http::{
        Method,
        header::{self, HeaderName},
    },
    put,
    web::{Bytes, Data, Payload},
};
use futures_util::{Stream, StreamExt, stream};
use roadcall_http::{PathText, Proof, Query, ValidationErrors, routed_path};
use roadcall_platform::error::{ApiError, ApiResult, Code, ErrorBody};
use roadcall_providers::storage::{Broken, ReceiveRefused, Receiving, Spoiled, Storage, Verb};
use tokio::{fs::File, io::AsyncReadExt, time::timeout};
use url::form_urlencoded;
use uuid::Uuid;

use super::{
    actions::{no_such_upload, not_as_announced},
    dto::{LinkParams, UploadStatus},
    queries::{self, UploadRow},
    state,
};
use crate::uploads::UploadsContext;

/// Bytes that are read from the disk at once.
const CHUNK_BYTES: usize = 64 * 1024;
/// Seconds to wait after sending too many files at once: one of them may have arrived by then.
const AFTER_ANOTHER_S: u64 = 5;
/// The type of bytes without any other.
const BYTES: &str = "application/octet-stream";
/// The policy for files: whatever a file holds, it runs nowhere and loads nothing.
const POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// Accepts the bytes of an upload under its link. Bytes that differ from the announcement are refused, and may be
/// sent again.
#[utoipa::path(
    tag = "uploads",
    security(()),
    params(
        ("id" = Uuid, Path),
        ("expires" = Option<i64>, Query, example = 1_773_478_800),
        ("signature" = Option<String>, Query,
            example = "6f0c2d9a4be0c6d87d6b1fd3d2c2a5b19e4fd6c0a7a94c1f8f52b8f6f1f4e3a7"),
    ),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The bytes; their `content-type` is the one that was announced, or this one"),
    responses(
        (status = 200, description = "They arrived whole"),
        (status = 401, body = ErrorBody, description = "SIGNATURE_INVALID: this link was not made by the service"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the bytes came before, or are coming right now"),
        (status = 415, body = ErrorBody, description = "UNSUPPORTED_MEDIA_TYPE: the file is sent with a `Content-Encoding`"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: announce the file once more"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED: not as announced, or it came too slowly \
            (`uploads.receive_min_bytes_per_s`)"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: its owner is sending as many files as one may at once \
            (`uploads.receiving_per_user`)"),
    ),
)]
#[put("/uploads/{id}/content")]
pub async fn send_upload_content(
    context: Data<UploadsContext>,
    request: HttpRequest,
    path: PathText,
    link: Query<LinkParams>,
    payload: Payload,
) -> ApiResult<HttpResponse> {
    let row = linked(&context, Verb::Put, path.id("id")?, &link).await?;
    if row.status != UploadStatus::Pending {
        return Err(came_before());
    }
    check_head(&request, &row)?;
    receive(context, row, payload).await?;
    Ok(HttpResponse::Ok().finish())
}

/// Returns a file by its signed link.
#[utoipa::path(
    tag = "uploads",
    security(()),
    params(
        ("id" = Uuid, Path),
        ("expires" = Option<i64>, Query, example = 1_773_477_300),
        ("signature" = Option<String>, Query,
            example = "91be5a3c0d7e4f8892d1c6b7a0f3e5d4c2b1a09f8e7d6c5b4a39281706f5e4d3"),
    ),
    responses(
        (status = 200, description = "The file", content(
            ("image/jpeg"), ("image/png"), ("image/webp"), ("image/heic"), ("application/pdf"))),
        (status = 401, body = ErrorBody, description = "SIGNATURE_INVALID: this link was not made by the service"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: ask for a new link"),
    ),
)]
#[get("/uploads/{id}/content")]
pub async fn fetch_upload_content(
    context: Data<UploadsContext>,
    path: PathText,
    link: Query<LinkParams>,
) -> ApiResult<HttpResponse> {
    let row = linked(&context, Verb::Get, path.id("id")?, &link).await?;
    if row.status != UploadStatus::Complete {
        return Err(no_such_upload());
    }
    let opened = context.stores.local.open_file(row.id).await.map_err(ApiError::unavailable)?;
    let lost = || ApiError::internal("the bytes of a complete upload are not in the data folder");
    let (file, length) = opened.ok_or_else(lost)?;
    let kept = state::kept(&row);
    Ok(HttpResponse::Ok()
        .content_type(row.content_type.as_str())
        .insert_header((header::CONTENT_DISPOSITION, kept.disposition()))
        .insert_header((header::CACHE_CONTROL, kept.cache_control()))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        // An app in a browser shows images of the service on a page of its own.
        .insert_header((HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"))
        .body(SizedStream::new(length, chunks(file))))
}

/// Returns the proof by which a request with a signed link is counted: the file. `None` if the signature is not ours.
pub fn signed_link(request: &HttpRequest) -> Option<Proof> {
    let context = request.app_data::<Data<UploadsContext>>()?;
    let verb = if *request.method() == Method::PUT { Verb::Put } else { Verb::Get };
    let id = routed_path(request).strip_suffix("/content")?.rsplit('/').next()?.parse().ok()?;
    let query: HashMap<_, _> = form_urlencoded::parse(request.query_string().as_bytes()).collect();
    let (expires, signature) = (query.get("expires")?.parse().ok()?, query.get("signature")?);
    let checked = context.stores.local.check_link(verb, id, expires, signature, context.clock.now());
    (checked != Err(Broken::Forged)).then_some(Proof(id))
}

/// Returns the upload that a link opens; 404 without a signature.
async fn linked(
    context: &UploadsContext,
    verb: Verb,
    id: Uuid,
    link: &Query<LinkParams>,
) -> ApiResult<UploadRow> {
    let LinkParams { expires, signature } = link.read()?;
    let (Some(expires), Some(signature)) = (expires, signature) else { return Err(no_such_upload()) };
    let local = &context.stores.local;
    let checked = local.check_link(verb, id, expires.0.0, &signature.0, context.clock.now());
    checked.map_err(|broken| match broken {
        Broken::Forged => ApiError::new(Code::SignatureInvalid, "This link is not valid. Ask for a new one."),
        Broken::Expired => ApiError::new(Code::LinkExpired, "This link has expired. Ask for a new one."),
    })?;
    let row = queries::find(&context.db, id).await?;
    row.filter(|row| row.store == local.name()).ok_or_else(no_such_upload)
}

/// Checks the headers. S3 has signed these headers, and accepts no other type than the announced one.
fn check_head(request: &HttpRequest, row: &UploadRow) -> ApiResult<()> {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let mut errors = ValidationErrors::default();
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        let message = "Send the file without Content-Encoding.";
        return Err(ApiError::new(Code::UnsupportedMediaType, message));
    }
    // Generated clients send bytes under the type that the document names. The file's real type is seen by its
    // content.
    let is_kind =
        |given: &str| [row.content_type.as_str(), BYTES].iter().any(|kind| given.eq_ignore_ascii_case(kind));
    if !text(header::CONTENT_TYPE).is_some_and(is_kind) {
        let kind = row.content_type;
        errors.add("content_type", format!("the header content-type must be {kind} or {BYTES}"));
    }
    let length = text(header::CONTENT_LENGTH).map(str::parse::<i64>);
    if length.is_some_and(|length| length != Ok(row.size_bytes)) {
        errors.add("size_bytes", format!("the header content-length must be {}", row.size_bytes));
    }
    errors.into_result()
}

async fn receive(context: Data<UploadsContext>, row: UploadRow, payload: Payload) -> ApiResult<()> {
    let taken_in = context.stores.local.receive(&row.announced(), row.user_id).await;
    let mut receiving = taken_in.map_err(refused)?;
    let limit = Duration::from_secs(context.upload_settings.receive_timeout_s);
    timeout(limit, take_all(&context, payload, &mut receiving)).await.map_err(|_| slow())??;
    receiving.finish().await.map_err(spoiled)?;
    let is_wanted = queries::find(&context.db, row.id).await?.is_some();
    if !is_wanted {
        // The owner's account was deleted while the file arrived: nothing else would remove it.
        context.stores.local.remove(row.id, None).await.map_err(ApiError::unavailable)?;
        return Err(no_such_upload());
    }
    Ok(())
}

/// Reads bytes until the last one. They are counted by lots, each as large as the least rate makes it: its last byte
/// has to arrive within a window, however fast earlier lots were. The last lot is the rest.
async fn take_all(
    context: &UploadsContext,
    mut payload: Payload,
    receiving: &mut Receiving,
) -> ApiResult<()> {
    let pause = Duration::from_millis(context.settings.server.client_timeout_ms);
    let settings = &context.upload_settings;
    let (rate, window_s) = (settings.receive_min_bytes_per_s, settings.receive_window_s);
    let lot = rate.saturating_mul(usize::try_from(window_s).unwrap_or(usize::MAX));
    let dripping = || ApiError::invalid("body", format!("arrived slower than {rate} bytes a second"));
    loop {
        let window = Duration::from_secs(window_s);
        let goes_on = timeout(window, take_lot(&mut payload, receiving, lot, pause)).await;
        if !goes_on.map_err(|_| dripping())?? {
            return Ok(());
        }
    }
}

/// Reads `lot` bytes, or all that are left; returns false after the last one.
async fn take_lot(
    payload: &mut Payload,
    receiving: &mut Receiving,
    lot: usize,
    pause: Duration,
) -> ApiResult<bool> {
    let mut came = 0;
    while came < lot {
        let Some(chunk) = timeout(pause, payload.next()).await.map_err(|_| slow())? else { return Ok(false) };
        let chunk = chunk.map_err(|_| ApiError::invalid("body", "is incomplete"))?;
        came += chunk.len();
        receiving.take(&chunk).await.map_err(spoiled)?;
    }
    Ok(true)
}

fn came_before() -> ApiError {
    ApiError::new(Code::Conflict, "This file was already uploaded.")
}

fn slow() -> ApiError {
    ApiError::invalid("body", "did not arrive in time")
}

fn refused(refused: ReceiveRefused) -> ApiError {
    match refused {
        ReceiveRefused::Used => came_before(),
        ReceiveRefused::Arriving => ApiError::new(Code::Conflict, "This file is being uploaded right now."),
        ReceiveRefused::Full => {
            ApiError::unavailable("as many files are arriving as uploads.receiving_at_once says")
        }
        ReceiveRefused::TooManyOfOne => {
            let why =
                "you are sending as many files as uploads.receiving_per_user says, wait for one of them";
            ApiError::new(Code::RateLimited, why).retry_after(AFTER_ANOTHER_S)
        }
        ReceiveRefused::Disk(error) => ApiError::unavailable(error),
    }
}

fn spoiled(spoiled: Spoiled) -> ApiError {
    match spoiled {
        Spoiled::Fault(fault) => not_as_announced(fault),
        Spoiled::Disk(error) => ApiError::unavailable(error),
    }
}

/// Streams the file piece by piece: it is never in memory as a whole.
fn chunks(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(file, async |mut file| {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let read = (&mut file).take(CHUNK_BYTES as u64).read_to_end(&mut chunk).await?;
        Ok((read > 0).then(|| (Bytes::from(chunk), file)))
    })
}
