//! From JSON to typed input, with every fault collected under its path.

use std::{convert::Infallible, fmt::Display, ops::ControlFlow, str::FromStr};

use deserr::{
    DeserializeError, Deserr, ErrorKind, IntoValue, MergeWithError, Value, ValueKind, ValuePointerRef,
};
use roadcall_platform::error::{ApiError, FieldErrors, MAX_FAULTS};

/// The faults of an input: messages by the path of their field. Reading stops when there are more than an answer
/// names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ValidationErrors(pub FieldErrors);

impl ValidationErrors {
    /// Adds a fault. A field has each message once, since many keys can be shown as one path.
    pub fn add(&mut self, field: impl Into<String>, why: impl Into<String>) {
        let (messages, why) = (self.0.entry(field.into()).or_default(), why.into());
        if !messages.contains(&why) {
            messages.push(why);
        }
    }

    pub(super) fn one(at: ValuePointerRef<'_>, why: impl Into<String>) -> Self {
        let mut errors = Self::default();
        errors.add(path(at), why);
        errors
    }

    /// Returns `Ok` if there is no fault.
    pub fn into_result(self) -> Result<(), ApiError> {
        if self.0.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl From<ValidationErrors> for ApiError {
    fn from(errors: ValidationErrors) -> Self {
        ApiError::invalid_fields(errors.0)
    }
}

/// The number of characters of a key that the answer repeats.
const SHOWN_KEY: usize = 64;

/// Returns a key as an answer names it: the client chose it, so it may be long, or hold characters that no log or
/// database accepts.
pub(super) fn shown(key: &str) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    key.chars().take(SHOWN_KEY).map(plain).collect()
}

/// Returns a path such as `documents[0].file_url`; `body` at the root.
fn path(at: ValuePointerRef<'_>) -> String {
    match at {
        ValuePointerRef::Origin => "body".to_owned(),
        ValuePointerRef::Key { key, prev } => match prev {
            ValuePointerRef::Origin => shown(key),
            prev => format!("{}.{}", path(*prev), shown(key)),
        },
        ValuePointerRef::Index { index, prev } => format!("{}[{index}]", path(*prev)),
    }
}

impl MergeWithError<ValidationErrors> for ValidationErrors {
    fn merge(existing: Option<Self>, other: Self, _at: ValuePointerRef<'_>) -> ControlFlow<Self, Self> {
        let mut all = existing.unwrap_or_default();
        for (field, messages) in other.0 {
            for message in messages {
                all.add(field.clone(), message);
            }
        }
        if all.0.len() > MAX_FAULTS { ControlFlow::Break(all) } else { ControlFlow::Continue(all) }
    }
}

/// The reason why a value's own `try_from` does not accept it; listed under the value's path.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
pub struct Invalid(pub String);

impl<T: Into<String>> From<T> for Invalid {
    fn from(why: T) -> Self {
        Self(why.into())
    }
}

impl MergeWithError<Invalid> for ValidationErrors {
    fn merge(existing: Option<Self>, other: Invalid, at: ValuePointerRef<'_>) -> ControlFlow<Self, Self> {
        Self::merge(existing, ValidationErrors::one(at, other.0), at)
    }
}

impl MergeWithError<Infallible> for ValidationErrors {
    fn merge(_: Option<Self>, never: Infallible, _: ValuePointerRef<'_>) -> ControlFlow<Self, Self> {
        match never {}
    }
}

impl DeserializeError for ValidationErrors {
    fn error<V: IntoValue>(
        existing: Option<Self>,
        error: ErrorKind<'_, V>,
        at: ValuePointerRef<'_>,
    ) -> ControlFlow<Self, Self> {
        let fault = match error {
            ErrorKind::IncorrectValueKind { actual, accepted } => {
                Self::one(at, format!("must be {}, not {}", kinds(accepted), kind(actual.kind())))
            }
            ErrorKind::MissingField { field } => Self::one(at.push_key(field), "is required"),
            ErrorKind::UnknownKey { key, .. } => Self::one(at.push_key(key), "is not a known field"),
            ErrorKind::UnknownValue { accepted, .. } => {
                Self::one(at, format!("must be one of {}", accepted.join(", ")))
            }
            ErrorKind::BadSequenceLen { expected, .. } => {
                Self::one(at, format!("must have {expected} items"))
            }
            ErrorKind::Unexpected { msg } => Self::one(at, msg),
        };
        Self::merge(existing, fault, at)
    }
}

fn kinds(accepted: &[ValueKind]) -> String {
    let mut names: Vec<&str> = accepted.iter().map(|accepted| kind(*accepted)).collect();
    names.dedup();
    names.join(" or ")
}

fn kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => "null",
        ValueKind::Boolean => "a boolean",
        ValueKind::Integer | ValueKind::NegativeInteger => "an integer",
        ValueKind::Float => "a number",
        ValueKind::String => "a string",
        ValueKind::Sequence => "an array",
        ValueKind::Map => "an object",
    }
}

/// A value that is text in a query string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param<T>(pub T);

/// A whole number given as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole(pub i64);

impl FromStr for Whole {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be a whole number")
    }
}

/// True or false given as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag(pub bool);

impl FromStr for Flag {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be true or false")
    }
}

impl<T> Deserr<ValidationErrors> for Param<T>
where
    T: FromStr,
    T::Err: Display,
{
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        at: ValuePointerRef<'_>,
    ) -> Result<Self, ValidationErrors> {
        match value {
            Value::String(text) => {
                text.parse().map(Param).map_err(|why: T::Err| ValidationErrors::one(at, why.to_string()))
            }
            Value::Sequence(_) => Err(ValidationErrors::one(at, "must be given once")),
            other => Err(ValidationErrors::one(at, format!("must be text, not {}", kind(other.kind())))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserr)]
    #[deserr(error = ValidationErrors, deny_unknown_fields)]
    struct Nothing {}

    #[test]
    fn keys_that_are_shown_alike_are_named_once() {
        let long = "k".repeat(SHOWN_KEY);
        let body = (0..1_000).map(|n| (format!("{long}{n}"), json!(0))).collect();
        let read = deserr::deserialize::<Nothing, _, ValidationErrors>(serde_json::Value::Object(body));
        let errors = read.expect_err("unknown fields").0;
        assert_eq!(errors.into_iter().collect::<Vec<_>>(), [(long, vec!["is not a known field".to_owned()])]);
    }

    #[derive(Debug, Deserr)]
    #[deserr(error = ValidationErrors)]
    struct Wanted {
        #[deserr(default)]
        _flag: Option<Param<Flag>>,
        #[deserr(default)]
        _id: Option<Param<crate::Id>>,
        #[deserr(default)]
        _whole: Option<Param<Whole>>,
    }

    #[test]
    fn a_parameters_fault_is_told_in_our_own_words() {
        for (field, why) in [
            ("_flag", "must be true or false"),
            ("_id", "must be a UUID"),
            ("_whole", "must be a whole number"),
        ] {
            let read = deserr::deserialize::<Wanted, _, ValidationErrors>(json!({field: "no"}));
            assert_eq!(read.expect_err(field).0[field], [why]);
        }
    }
}
