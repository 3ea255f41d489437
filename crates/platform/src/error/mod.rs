//! The error answers of the API.
//!
//! Use [`ApiError::invalid`] for a fault in a body, a parameter or a path id (422, with the field's name);
//! [`ApiError::not_found`] for ids in the path, including other people's, so that ids can't be probed; [`ApiError::new`]
//! with a [`Code`] for a rule that refuses; and `?` on a [`sqlx::Error`] for the database, which becomes 503 when the
//! database is away, the answer of `constraints.rs` when a constraint refused, and 500 otherwise, with the cause in the log
//! and never in the answer.

mod constraints;
mod waiting;

use std::{borrow::Cow, collections::BTreeMap, fmt};

use actix_web::{HttpResponse, ResponseError, http::StatusCode, http::header};
use serde::Serialize;
use utoipa::ToSchema;

pub use constraints::refusal_of;
pub use waiting::in_words;

use crate::db::{NotLoaded, Overloaded};

/// The field errors of a 422: the path of a body's field (`documents[0].file_url`, or `body` if no field is to blame)
/// and its faults.
pub type FieldErrors = BTreeMap<String, Vec<String>>;

/// The maximum number of paths that an answer names; the others are left out, and `body` says so.
pub const MAX_FAULTS: usize = 32;
/// The maximum number of paths that the message names.
const MAX_IN_MESSAGE: usize = 5;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $wire:tt => $status:ident,)*) => {
        /// Every error code of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
        pub enum Code { $($(#[$doc])* #[serde(rename = $wire)] $name,)* }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// Returns the code as sent on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $wire,)* }
            }

            /// Returns the code with this name.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }

            /// Returns the HTTP status of the code.
            pub fn status(self) -> StatusCode {
                match self { $(Code::$name => StatusCode::$status,)* }
            }
        }
    };
}

codes! {
    BadRequest = "BAD_REQUEST" => BAD_REQUEST,
    Unauthorized = "UNAUTHORIZED" => UNAUTHORIZED,
    TokenExpired = "TOKEN_EXPIRED" => UNAUTHORIZED,
    InvalidOtp = "INVALID_OTP" => UNAUTHORIZED,
    SecondFactorRequired = "SECOND_FACTOR_REQUIRED" => UNAUTHORIZED,
    SignatureInvalid = "SIGNATURE_INVALID" => UNAUTHORIZED,
    Forbidden = "FORBIDDEN" => FORBIDDEN,
    AccountSuspended = "ACCOUNT_SUSPENDED" => FORBIDDEN,
    EmailNotVerified = "EMAIL_NOT_VERIFIED" => FORBIDDEN,
    CookieRefused = "COOKIE_REFUSED" => FORBIDDEN,
    SecondFactorMissing = "SECOND_FACTOR_MISSING" => FORBIDDEN,
    NotVerified = "NOT_VERIFIED" => FORBIDDEN,
    DeskNeeded = "DESK_NEEDED" => FORBIDDEN,
    NotFound = "NOT_FOUND" => NOT_FOUND,
    NoPrivacyNotice = "NO_PRIVACY_NOTICE" => NOT_FOUND,
    MethodNotAllowed = "METHOD_NOT_ALLOWED" => METHOD_NOT_ALLOWED,
    Conflict = "CONFLICT" => CONFLICT,
    InvalidTransition = "INVALID_TRANSITION" => CONFLICT,
    OfferTaken = "OFFER_TAKEN" => CONFLICT,
    OfferExpired = "OFFER_EXPIRED" => CONFLICT,
    ActiveJobExists = "ACTIVE_JOB_EXISTS" => CONFLICT,
    TooManyOpenJobs = "TOO_MANY_OPEN_JOBS" => CONFLICT,
    NoNewJobs = "NO_NEW_JOBS" => CONFLICT,
    ConsentNeeded = "CONSENT_NEEDED" => CONFLICT,
    NoticeChanged = "NOTICE_CHANGED" => CONFLICT,
    PushNotSetUp = "PUSH_NOT_SET_UP" => CONFLICT,
    AlreadyRegistered = "ALREADY_REGISTERED" => CONFLICT,
    VehicleInUse = "VEHICLE_IN_USE" => CONFLICT,
    CategoryInUse = "CATEGORY_IN_USE" => CONFLICT,
    PendingApproval = "PENDING_APPROVAL" => CONFLICT,
    FeeChanged = "FEE_CHANGED" => CONFLICT,
    PriceChanged = "PRICE_CHANGED" => CONFLICT,
    UnpaidFees = "UNPAID_FEES" => CONFLICT,
    InsufficientBalance = "INSUFFICIENT_BALANCE" => CONFLICT,
    AlreadyRated = "ALREADY_RATED" => CONFLICT,
    IdempotencyInFlight = "IDEMPOTENCY_IN_FLIGHT" => CONFLICT,
    LinkExpired = "LINK_EXPIRED" => GONE,
    PayloadTooLarge = "PAYLOAD_TOO_LARGE" => PAYLOAD_TOO_LARGE,
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE" => UNSUPPORTED_MEDIA_TYPE,
    ValidationFailed = "VALIDATION_FAILED" => UNPROCESSABLE_ENTITY,
    WrongStartCode = "WRONG_START_CODE" => UNPROCESSABLE_ENTITY,
    TooFarFromPickup = "TOO_FAR_FROM_PICKUP" => UNPROCESSABLE_ENTITY,
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED" => UNPROCESSABLE_ENTITY,
    RateLimited = "RATE_LIMITED" => TOO_MANY_REQUESTS,
    InternalError = "INTERNAL_ERROR" => INTERNAL_SERVER_ERROR,
    ProviderError = "PROVIDER_ERROR" => BAD_GATEWAY,
    Unavailable = "UNAVAILABLE" => SERVICE_UNAVAILABLE,
    OutcomeUnknown = "OUTCOME_UNKNOWN" => SERVICE_UNAVAILABLE,
}

/// An error, answered in the error envelope.
#[derive(Debug)]
pub struct ApiError {
    pub code: Code,
    pub message: Cow<'static, str>,
    pub errors: FieldErrors,
    /// The seconds for `Retry-After`, which 429 and 503 always have.
    pub retry_after_s: Option<u64>,
    /// How far the caller is from where they should be, for apps that word the message themselves.
    pub distance_m: Option<u32>,
    /// The cause, which only the log shows.
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        let (errors, message) = (FieldErrors::new(), message.into());
        Self { code, message, errors, retry_after_s: None, distance_m: None, cause: None }
    }

    /// Restores an error answer from its stored body. Returns a 500 if the body is not an error answer.
    pub fn kept(body: &serde_json::Value) -> Self {
        let error = &body["error"];
        let code = error["code"].as_str().and_then(Code::parse);
        let (Some(code), Some(message)) = (code, error["message"].as_str()) else {
            return Self::internal(format!("a stored error answer can't be read: {body}"));
        };
        let errors = serde_json::from_value(error["errors"].clone()).unwrap_or_default();
        let distance_m = error["distance_m"].as_u64().and_then(|metres| u32::try_from(metres).ok());
        Self { errors, distance_m, ..Self::new(code, message.to_owned()) }
    }

    /// Returns a 422 for one field.
    pub fn invalid(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self::invalid_fields(FieldErrors::from([(field.into(), vec![why.into()])]))
    }

    /// Returns a 422 for several fields. A fault inside a field is listed under its path and under the field's own name.
    pub fn invalid_fields(faults: FieldErrors) -> Self {
        let named: Vec<&str> = faults.keys().map(String::as_str).take(MAX_IN_MESSAGE).collect();
        let more = if faults.len() > MAX_IN_MESSAGE { " and more" } else { "" };
        let message = format!("Invalid input: {}{more}.", named.join(", "));
        let is_cut = faults.len() > MAX_FAULTS;
        let mut errors = FieldErrors::new();
        for (path, messages) in faults.into_iter().take(MAX_FAULTS) {
            if let Some((field, inside)) = field_of(&path) {
                let named = messages.iter().map(|message| format!("{inside} {message}"));
                errors.entry(field.to_owned()).or_default().extend(named);
            }
            errors.entry(path).or_default().extend(messages);
        }
        if is_cut {
            let message = format!("has more errors than the {MAX_FAULTS} named here; correct these first");
            errors.entry("body".to_owned()).or_default().push(message);
        }
        Self { errors, ..Self::new(Code::ValidationFailed, message) }
    }

    /// Returns a 404 for an id in the path; `what` is the noun, e.g. "job".
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    pub fn forbidden(why: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, why)
    }

    pub fn unauthorized(why: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unauthorized, why)
    }

    pub fn rate_limited(retry_after_s: u64) -> Self {
        Self::new(Code::RateLimited, "Too many requests. Try again later.").retry_after(retry_after_s)
    }

    /// Returns a 503 that says that nothing was changed.
    pub fn unavailable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let error = Self::new(
            Code::Unavailable,
            "The service is unavailable right now. Nothing was changed; try again.",
        );
        Self { cause: Some(cause.into()), retry_after_s: Some(2), ..error }
    }

    /// Returns a 503 for a change that may have happened; the caller checks, or repeats it with the same `Idempotency-Key`.
    pub fn outcome_unknown(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let message =
            "We don't know whether this went through. Check, or repeat it with the same Idempotency-Key.";
        Self { cause: Some(cause.into()), retry_after_s: Some(2), ..Self::new(Code::OutcomeUnknown, message) }
    }

    /// Returns a 500 for a bug or a failure of the service.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let error = Self::new(Code::InternalError, "Something went wrong on our side.");
        Self { cause: Some(cause.into()), ..error }
    }

    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    pub fn at_distance(mut self, distance_m: Option<f64>) -> Self {
        self.distance_m = distance_m.map(|distance| distance.round() as u32);
        self
    }

    pub fn caused_by(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Returns the error envelope (part 7 of the contract).
    pub fn body(&self) -> ErrorBody {
        let errors = (self.code.status() == StatusCode::UNPROCESSABLE_ENTITY && !self.errors.is_empty())
            .then(|| self.errors.clone());
        let (message, distance_m) = (self.message.to_string(), self.distance_m);
        let error = ErrorDetail { code: self.code, message, errors, distance_m };
        ErrorBody { success: false, error }
    }

    /// Logs the cause, at `error` for server errors and at `debug` for others.
    pub fn log(&self) {
        let Some(cause) = self.causes() else { return };
        if self.code.status().is_server_error() {
            tracing::error!(error.code = self.code.as_str(), error.cause = %cause, "request failed");
        } else {
            tracing::debug!(error.code = self.code.as_str(), error.cause = %cause, "request rejected");
        }
    }

    fn causes(&self) -> Option<String> {
        let mut cause: &dyn std::error::Error = self.cause.as_deref()?;
        let mut causes = cause.to_string();
        while let Some(deeper) = cause.source() {
            let text = deeper.to_string();
            // Some errors include their source's text themselves.
            if !causes.contains(&text) {
                causes.push_str(": ");
                causes.push_str(&text);
            }
            cause = deeper;
        }
        Some(causes)
    }
}

/// Splits `documents[0].file_url` into the field, `documents`, and the place inside it, `[0].file_url`. Returns `None` for a
/// plain field.
fn field_of(path: &str) -> Option<(&str, &str)> {
    let end = path.find(['.', '[']).filter(|end| *end > 0)?;
    let (field, inside) = path.split_at(end);
    Some((field, inside.trim_start_matches('.')))
}

/// Writes the whole cause, for the log and for people who run a command; callers get [`ApiError::body`].
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)?;
        self.causes().map_or(Ok(()), |causes| write!(f, ": {causes}"))
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        self.log();
        let mut response = HttpResponse::build(self.status_code());
        if let Some(seconds) = self.retry_after_s {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if self.status_code() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        response.json(self.body())
    }
}

impl From<sqlx::Error> for ApiError {
    /// Converts the error of a read, or of a write that was surely not committed. The error of a commit,
    /// which may have happened, goes through [`commit_error`].
    fn from(error: sqlx::Error) -> Self {
        if let Some(overloaded) = Overloaded::of(&error) {
            return overloaded.into();
        }
        if is_database_away(&error) {
            return Self::unavailable(error);
        }
        let Some((name, refusal)) = constraint(&error).and_then(|name| Some((name, refusal_of(name)?)))
        else {
            return Self::internal(error);
        };
        if constraints::is_race(name) {
            tracing::warn!(db.constraint = name, "a write lost a race; its caller may repeat it");
        }
        refusal.caused_by(error)
    }
}

impl From<Overloaded> for ApiError {
    /// Adds no cause for the log, where the beginning of an overload is reported once; a metric counts the refusals.
    fn from(overloaded: Overloaded) -> Self {
        let message = "The service is overloaded right now. Nothing was changed; try again.";
        Self::new(Code::Unavailable, message).retry_after(overloaded.retry_after_s.into())
    }
}

impl From<NotLoaded> for ApiError {
    /// Converts the error of a read that several callers shared.
    fn from(error: NotLoaded) -> Self {
        match error {
            NotLoaded::Failed(error) if !is_database_away(&error) => Self::internal(error),
            NotLoaded::Failed(error) => Self::unavailable(error),
            NotLoaded::Full(_) | NotLoaded::BrokenOff(_) => Self::unavailable(error),
        }
    }
}

/// Converts the error of `tx.commit()`: the commit may have happened unless the database said otherwise.
pub fn commit_error(error: sqlx::Error) -> ApiError {
    if was_rolled_back(&error) { ApiError::from(error) } else { ApiError::outcome_unknown(error) }
}

/// Converts the error of a write that commits by itself: without an answer, it may have happened.
pub fn write_error(error: sqlx::Error) -> ApiError {
    let may_have_happened = match &error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(_) => !was_rolled_back(&error),
        _ => false,
    };
    if may_have_happened { ApiError::outcome_unknown(error) } else { ApiError::from(error) }
}

/// Returns whether the database itself said, by the error of a commit, that nothing was committed.
pub fn was_rolled_back(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(error) if refuses_commit(error.code().as_deref()))
}

/// Returns whether the SQLSTATE means that nothing was committed. A Postgres that is being stopped ends its sessions with
/// 57P01 to 57P05, after a commit as well as before.
fn refuses_commit(sqlstate: Option<&str>) -> bool {
    sqlstate.is_some_and(|code| !code.starts_with("57P"))
}

/// Converts the error of a read after a commit: the change has happened, so "nothing was changed" would be wrong.
pub fn after_commit(error: impl Into<ApiError>) -> ApiError {
    ApiError::outcome_unknown(error.into())
}

/// Returns whether the database could not be reached or did not answer in time, rather than refusing a statement.
pub fn is_database_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => {
            true
        }
        sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_) => true,
        // 08 is the connection, 40 a rollback (deadlock), 53 resources, 57 an operator's intervention (statement timeout,
        // shutdown), 55P03 a lock timeout and 25P03 an idle transaction's timeout.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class))
                || code == "55P03"
                || code == "25P03"
        }),
        _ => false,
    }
}

/// Returns the name of the constraint that refused a statement, if one did.
pub fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(|error| error.constraint())
}

/// The error envelope.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Always false.
    pub success: bool,
    /// The error.
    pub error: ErrorDetail,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    pub code: Code,
    /// A message for people, which may change.
    pub message: String,
    /// The faults of each field, only with 422. A fault inside a field is listed under its exact path
    /// (`documents[0].file_url`) and, with its place inside the field, under the field's own name (`documents`). At
    /// most 32 paths are named; if there are more, `body` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Vec<String>>>)]
    pub errors: Option<FieldErrors>,
    /// The distance in metres from the caller's last plausible position to the pickup or the destination, if they
    /// are too far away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("no answer")]
    struct NoAnswer(#[source] std::io::Error);

    fn faults(paths: impl IntoIterator<Item = String>) -> FieldErrors {
        paths.into_iter().map(|path| (path, vec!["is required".to_owned()])).collect()
    }

    #[test]
    fn a_fault_inside_a_field_is_also_listed_under_the_fields_own_name() {
        let paths = ["documents[0].file_url", "documents[1]", "name", "settings.rings_km", "body"];
        let error = ApiError::invalid_fields(faults(paths.map(str::to_owned)));
        let of = |field: &str| error.errors[field].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(of("documents"), ["[0].file_url is required", "[1] is required"]);
        assert_eq!(of("documents[0].file_url"), ["is required"]);
        assert_eq!(of("settings"), ["rings_km is required"]);
        assert_eq!(of("name"), ["is required"]);
        assert_eq!(error.errors.len(), 7, "{:?}", error.errors);
    }

    #[test]
    fn a_refusal_names_a_limited_number_of_faults_and_says_that_there_are_more() {
        let error = |count: usize| ApiError::invalid_fields(faults((0..count).map(|n| format!("f{n:04}"))));
        assert_eq!(error(MAX_FAULTS).errors.len(), MAX_FAULTS);
        let many = error(1_000);
        assert_eq!(many.errors.len(), MAX_FAULTS + 1);
        assert!(many.errors["body"][0].starts_with("has more errors"), "{:?}", many.errors["body"]);
        assert_eq!(many.message, "Invalid input: f0000, f0001, f0002, f0003, f0004 and more.");
        let kept = ApiError::kept(&serde_json::json!(many.body()));
        assert_eq!(
            (kept.errors, kept.message),
            (many.errors, many.message),
            "a kept refusal is the same again"
        );
        let far = ApiError::new(Code::TooFarFromPickup, "You are too far away.").at_distance(Some(419.6));
        assert_eq!(ApiError::kept(&serde_json::json!(far.body())).distance_m, Some(420));
    }

    #[test]
    fn a_session_ended_by_postgres_may_have_committed() {
        for code in ["23505", "23514", "25P02", "40001", "40P01", "57014"] {
            assert!(refuses_commit(Some(code)), "{code}");
        }
        for code in [Some("57P01"), Some("57P02"), Some("57P03"), None] {
            assert!(!refuses_commit(code), "{code:?}");
        }
    }

    #[test]
    fn the_log_shows_the_whole_cause_and_the_answer_none_of_it() {
        let broken = || NoAnswer(std::io::Error::other("the cable"));
        let error = after_commit(ApiError::internal(broken()));
        let text = error.to_string();
        assert!(text.starts_with("OUTCOME_UNKNOWN: ") && text.ends_with(": no answer: the cable"), "{text}");
        assert!(!format!("{:?}", error.body()).contains("cable"));
        let once = ApiError::unavailable(sqlx::Error::Io(std::io::Error::other("the cable"))).to_string();
        assert_eq!(once.matches("the cable").count(), 1, "{once}");
    }
}
