//! Path ids, which [`Owned`](super::Owned) reads, and query strings, read when the handler asks for them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use deserr::Deserr;
use roadcall_platform::error::{ApiError, ApiResult};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::read::ValidationErrors;

/// The ids in the path, by name. A malformed id is 422 when it is read.
#[derive(Debug)]
pub struct PathIds(BTreeMap<String, String>);

impl PathIds {
    /// Returns the id in the path under `{name}`.
    pub fn id(&self, name: &str) -> ApiResult<Uuid> {
        parsed(name, self.text(name))
    }

    /// Returns the id of a path that has just one parameter, whatever its name.
    pub fn only(&self) -> ApiResult<Uuid> {
        match self.0.iter().next() {
            Some((name, text)) if self.0.len() == 1 => parsed(name, text),
            _ => Err(ApiError::internal("the path has not just one parameter")),
        }
    }

    /// Returns the text in the path under `{name}`.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map(String::as_str).unwrap_or_default()
    }

    pub(super) fn of(request: &HttpRequest) -> Self {
        let ids = request.match_info().iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let ids = Self(ids.collect());
        let of_job = request.match_pattern().is_some_and(|route| route.contains("/jobs/{id}"));
        if let (true, Ok(id)) = (of_job, ids.id("id")) {
            tracing::Span::current().record("job.id", tracing::field::display(id));
        }
        ids
    }
}

/// A path whose parameters are themselves the credential, or no ids of anybody's: a share link's token, a signed
/// link.
#[derive(Debug)]
pub struct PathText(PathIds);

impl PathText {
    /// Returns the text in the path under `{name}`.
    pub fn text(&self, name: &str) -> &str {
        self.0.text(name)
    }

    /// Returns the id in the path under `{name}`; the credential decides whether it may be used.
    pub fn id(&self, name: &str) -> ApiResult<Uuid> {
        self.0.id(name)
    }
}

impl FromRequest for PathText {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(PathIds::of(request))))
    }
}

fn parsed(name: &str, text: &str) -> ApiResult<Uuid> {
    text.parse().map_err(|_| ApiError::invalid(name.to_owned(), "must be a UUID"))
}

/// The number of parameters of one query string.
const MAX_PARAMETERS: usize = 64;

/// A query string of type `T`, whose fields are [`Param`](super::Param)s. Lists have a
/// [`ListQuery`](super::ListQuery).
#[derive(Debug)]
pub struct Query<T> {
    text: String,
    of: PhantomData<T>,
}

impl<T: Deserr<ValidationErrors>> Query<T> {
    /// Returns the typed parameters, or 422 with every fault.
    pub fn read(&self) -> ApiResult<T> {
        Ok(read_pairs(self.text.as_bytes())?)
    }
}

/// Returns all pairs of a query string.
pub(super) fn all_pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// A parameter's name and its value.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Returns the pairs of a query string or a form, unless there are too many.
pub(super) fn pairs(text: &[u8]) -> Result<Vec<Pair<'_>>, ValidationErrors> {
    let pairs: Vec<Pair> = url::form_urlencoded::parse(text).take(MAX_PARAMETERS + 1).collect();
    if pairs.len() > MAX_PARAMETERS {
        let mut errors = ValidationErrors::default();
        errors.add("query", format!("must have at most {MAX_PARAMETERS} parameters"));
        return Err(errors);
    }
    Ok(pairs)
}

/// Reads the pairs of a query string or a form, with every fault.
pub fn read_pairs<T: Deserr<ValidationErrors>>(text: &[u8]) -> Result<T, ValidationErrors> {
    let mut fields = Map::new();
    for (key, value) in pairs(text)? {
        let value = Value::String(value.into_owned());
        match fields.get_mut(&*key) {
            None => drop(fields.insert(key.into_owned(), value)),
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    deserr::deserialize(Value::Object(fields))
}

impl<T> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self { text: request.query_string().to_owned(), of: PhantomData }))
    }
}
