//! The optional `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};

use crate::platform::error::{ApiError, ApiResult};

/// What stands in `Idempotency-Key`, checked when asked for.
#[derive(Debug)]
pub struct IdempotencyKey(Option<String>);

impl IdempotencyKey {
    /// The key, 1 to 200 visible ASCII characters; 422 otherwise.
    pub fn read(self) -> ApiResult<Option<String>> {
        match self.0 {
            None => Ok(None),
            Some(key) if (1..=200).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()) => {
                Ok(Some(key))
            }
            Some(_) => Err(ApiError::invalid("Idempotency-Key", "must be 1 to 200 visible ASCII characters")),
        }
    }
}

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let header = request.headers().get("idempotency-key");
        ready(Ok(Self(header.map(|value| value.to_str().unwrap_or_default().to_owned()))))
    }
}
