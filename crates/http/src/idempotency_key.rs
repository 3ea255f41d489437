//! The `Idempotency-Key` header: a POST that creates something either accepts it, and carries out repeats once, or
//! refuses it. A test sends one to every POST (`tests/api/repeats.rs`).

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use roadcall_platform::error::{ApiError, ApiResult};
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Required,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::Type,
    },
};

/// The `Idempotency-Key` header of a request, checked by `read`. A handler that accepts it also names it in the
/// `params` of its `utoipa::path`, so that the OpenAPI document shows it.
#[derive(Debug)]
pub struct IdempotencyKey(Option<String>);

impl IdempotencyKey {
    /// Returns the key, 1 to 200 visible ASCII characters; 422 otherwise.
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

/// Marks a POST that creates something and accepts no key: its answer holds a secret that is stored nowhere, so a
/// repeat can't be given it again, or its caller has no account to which a key could belong.
#[derive(Debug)]
pub struct NoIdempotencyKey {
    is_sent: bool,
}

impl NoIdempotencyKey {
    /// Refuses a request that has a key with 422, so that nobody repeats it in the belief that it is carried out once.
    pub fn check(self) -> ApiResult<()> {
        if self.is_sent {
            return Err(ApiError::invalid(
                "Idempotency-Key",
                "is not possible here: a repeat would count as new",
            ));
        }
        Ok(())
    }
}

impl FromRequest for NoIdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self { is_sent: request.headers().contains_key("idempotency-key") }))
    }
}

impl IdempotencyKey {
    /// Describes the header for the OpenAPI document.
    pub fn parameter() -> Parameter {
        let description = "The same key with the same body gives the same answer for 24 hours and has no second effect; with \
            another body it is 422 IDEMPOTENCY_KEY_REUSED, while the first still runs 409 IDEMPOTENCY_IN_FLIGHT. A failure (5xx), \
            a refusal that says Retry-After, and a very long one is not kept: the same key tries anew. Beyond \
            `limits.idempotency_keys_per_user` keys within 24 hours a new one is 429 RATE_LIMITED. A step of a job (accept, arrive, cancel \
            and so on) counts as no key, a refusal of it is not kept, and another body is 422 only where the job refuses it.";
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(200));
        ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(text.pattern(Some("^[!-~]+$"))))
            .example(Some("flat-tyre-2026-03-14".into()))
            .build()
    }
}

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![Self::parameter()]
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
