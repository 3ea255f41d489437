//! A JSON request body that is read when the handler asks for it.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
    time::Duration,
};

use actix_web::{
    FromRequest, HttpRequest,
    body::{BodyStream, to_bytes_limited},
    dev::Payload,
    http::header,
    web::{Bytes, BytesMut},
};
use deserr::Deserr;
use futures_util::{StreamExt, future::LocalBoxFuture};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code},
    settings::PhoneRegion,
};
use serde_json::{Map, Value};

use super::{json::read_json, phone::with_region, read::ValidationErrors};

/// A JSON body of type `T`. Extraction never fails, but [`Body::read`] may: so that 401, 403 and 404 come first. An
/// empty body reads as `{}`.
#[derive(Debug)]
pub struct Body<T> {
    bytes: Result<Bytes, ApiError>,
    region: PhoneRegion,
    of: PhantomData<T>,
}

/// The body of an action that needs nothing: empty or `{}`.
#[derive(Debug, Deserr, utoipa::ToSchema)]
#[deserr(deny_unknown_fields)]
pub struct NoFields {}

impl<T: Deserr<ValidationErrors>> Body<T> {
    /// Returns the typed body, or fails with 413, 415, or 422 with every fault that was found.
    pub fn read(self) -> ApiResult<T> {
        let bytes = self.bytes?;
        let value = if bytes.is_empty() { Value::Object(Map::new()) } else { read_json(&bytes)? };
        let read = with_region(self.region, || deserr::deserialize::<T, _, ValidationErrors>(value));
        Ok(read?)
    }
}

impl<T> Body<T> {
    /// Returns whether the body is more than nothing or `{}`.
    pub fn has_fields(&self) -> bool {
        let Ok(bytes) = &self.bytes else { return true };
        !bytes.is_empty() && read_json(bytes).ok() != Some(Value::Object(Map::new()))
    }

    /// Returns the bytes as they were sent, to be hashed.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }
}

impl<T: 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let settings = &Core::of(request).settings;
        let (server, region) = (&settings.server, settings.phone.region);
        let (limit, within) = (server.body_limit_bytes, Duration::from_millis(server.client_timeout_ms));
        let head = check_head(request).and_then(|has_type| check_length(request, limit).map(|()| has_type));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = match head {
                Ok(is_json) => {
                    collect(&mut payload, limit, within).await.and_then(|bytes| typed(bytes, is_json))
                }
                Err(error) => Err(error),
            };
            Ok(Body { bytes, region, of: PhantomData })
        })
    }
}

/// The limit on a signed body in bytes. It is generous, because its sender would repeat a refused body for ever.
const MAX_SIGNED: usize = 4 << 20;

/// The unchanged body of any type, whose signature is to be checked. Extraction never fails, but [`RawBody::read`]
/// may.
#[derive(Debug)]
pub struct RawBody(Result<Bytes, ApiError>);

impl RawBody {
    /// Returns the bytes; 400 for too many, and for an incomplete body: neither can be parsed.
    pub fn read(self) -> ApiResult<Bytes> {
        self.0.map_err(|error| match error.code {
            Code::ValidationFailed => ApiError::new(Code::BadRequest, "The request body is incomplete."),
            Code::PayloadTooLarge => ApiError::new(Code::BadRequest, error.message),
            _ => error,
        })
    }
}

impl FromRequest for RawBody {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let server = &Core::of(request).settings.server;
        let limit = server.body_limit_bytes.max(MAX_SIGNED);
        let length = check_length(request, limit);
        let within = Duration::from_millis(server.client_timeout_ms);
        let mut payload = payload.take();
        Box::pin(async move {
            Ok(Self(match length {
                Ok(()) => collect(&mut payload, limit, within).await,
                Err(error) => Err(error),
            }))
        })
    }
}

/// Bytes of a body that is too large which are read and dropped: a client that is still sending would not read the
/// answer.
const MAX_DISCARDED: usize = 1 << 20;

/// A body of any type that is read when the handler asks for it, so that a stranger's is not read at all.
#[derive(derive_more::Debug)]
#[debug("UnreadBody {{ limit: {limit:?}, .. }}")]
pub struct UnreadBody {
    payload: Payload,
    limit: usize,
    within: Duration,
}

impl UnreadBody {
    /// Returns the bytes; 413 for more than the server's limit, 422 for an incomplete body.
    pub async fn read(self) -> ApiResult<Bytes> {
        let Self { mut payload, limit, within } = self;
        let reading = async {
            let (mut bytes, mut length) = (BytesMut::new(), 0);
            while let Some(chunk) = payload.next().await {
                let chunk = chunk.map_err(|_broken| ApiError::invalid("body", "is incomplete"))?;
                length += chunk.len();
                if length <= limit {
                    bytes.extend_from_slice(&chunk);
                } else if length > MAX_DISCARDED {
                    break;
                }
            }
            if length <= limit { Ok(bytes.freeze()) } else { Err(too_large(limit)) }
        };
        let slow = |_| ApiError::invalid("body", "did not arrive in time");
        tokio::time::timeout(within, reading).await.map_err(slow)?
    }
}

impl FromRequest for UnreadBody {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let server = &Core::of(request).settings.server;
        let within = Duration::from_millis(server.client_timeout_ms);
        ready(Ok(Self { payload: payload.take(), limit: server.body_limit_bytes, within }))
    }
}

/// Refuses a body whose declared length is too large, before it is sent.
fn check_length(request: &HttpRequest, limit: usize) -> ApiResult<()> {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let fits =
        declared.and_then(|length| length.parse::<u64>().ok()).is_none_or(|length| length <= limit as u64);
    if fits { Ok(()) } else { Err(too_large(limit)) }
}

fn too_large(limit: usize) -> ApiError {
    ApiError::new(Code::PayloadTooLarge, format!("The request body is larger than {limit} bytes."))
}

/// Refuses an encoding (a decompressed body would escape the limit); returns whether the content type is JSON. An
/// empty body may have any type: clients send one with a form's type by habit.
fn check_head(request: &HttpRequest) -> ApiResult<bool> {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        let message = "Send the request body without Content-Encoding.";
        return Err(ApiError::new(Code::UnsupportedMediaType, message));
    }
    let Some(given) = request.headers().get(header::CONTENT_TYPE) else { return Ok(false) };
    let mime = given.to_str().ok().and_then(|text| text.parse::<mime::Mime>().ok());
    let is_json = mime.is_some_and(|mime| {
        mime.type_() == mime::APPLICATION
            && (mime.subtype() == mime::JSON || mime.suffix() == Some(mime::JSON))
    });
    Ok(is_json)
}

fn not_json() -> ApiError {
    ApiError::new(Code::UnsupportedMediaType, "The request body must be application/json.")
}

fn typed(bytes: Bytes, is_json: bool) -> ApiResult<Bytes> {
    if bytes.is_empty() || is_json { Ok(bytes) } else { Err(not_json()) }
}

/// Reads a body within a time: the framework limits how slow a head may be, not a body.
async fn collect(payload: &mut Payload, limit: usize, within: Duration) -> ApiResult<Bytes> {
    let stream = BodyStream::new(std::mem::replace(payload, Payload::None));
    match tokio::time::timeout(within, to_bytes_limited(stream, limit)).await {
        Err(_slow) => Err(ApiError::invalid("body", "did not arrive in time")),
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(_broken))) => Err(ApiError::invalid("body", "is incomplete")),
        Ok(Err(_over)) => Err(too_large(limit)),
    }
}
