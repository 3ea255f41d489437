//! Fields that hold several values, or that a PATCH may leave out.

use std::str::FromStr;

use deserr::{DeserializeError, Deserr, IntoValue, Sequence, Value, ValuePointerRef};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::read::{Invalid, ValidationErrors};

/// An id in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserr, utoipa::ToSchema)]
#[deserr(try_from(String) = Id::parse -> Invalid)]
#[schema(value_type = String, format = Uuid)]
pub struct Id(pub Uuid);

impl Id {
    pub fn parse(text: String) -> Result<Self, Invalid> {
        text.parse().map_err(Into::into)
    }
}

impl FromStr for Id {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be a UUID")
    }
}

/// A list of `MIN` to `MAX` items; errors of the items are named by their index.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Vec<T>")]
pub struct Items<T, const MIN: usize, const MAX: usize>(pub Vec<T>);

impl<T, const MIN: usize, const MAX: usize> TryFrom<Vec<T>> for Items<T, MIN, MAX> {
    type Error = Invalid;
    fn try_from(items: Vec<T>) -> Result<Self, Invalid> {
        check_length::<MIN, MAX>(items.len())?;
        Ok(Self(items))
    }
}

impl<T: Ord, const MIN: usize, const MAX: usize> Items<T, MIN, MAX> {
    /// Returns the items without repeats, sorted.
    pub fn collapsed(mut self) -> Vec<T> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}

impl<T: Deserr<ValidationErrors>, const MIN: usize, const MAX: usize> Deserr<ValidationErrors>
    for Items<T, MIN, MAX>
{
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        at: ValuePointerRef<'_>,
    ) -> Result<Self, ValidationErrors> {
        if let Value::Sequence(items) = &value {
            check_length::<MIN, MAX>(items.len()).map_err(|why| ValidationErrors::one(at, why))?;
        }
        Vec::deserialize_from_value(value, at).map(Self)
    }
}

/// Checks the length before the items are read: no item of a list that is too long is read.
fn check_length<const MIN: usize, const MAX: usize>(length: usize) -> Result<(), String> {
    match length {
        0 if MIN == 1 => Err("must have at least 1 item".to_owned()),
        few if few < MIN => Err(format!("must have at least {MIN} items, not {few}")),
        many if many > MAX => Err(format!("must have at most {MAX} items, not {many}")),
        _ => Ok(()),
    }
}

/// A field of a PATCH that can be left out but not emptied: null is refused as a wrong type.
/// Give it `#[deserr(default)]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Change<T> {
    #[default]
    Keep,
    To(T),
}

impl<T> Change<T> {
    /// Returns the value after the patch.
    pub fn over(self, current: T) -> T {
        match self {
            Change::Keep => current,
            Change::To(value) => value,
        }
    }

    /// Returns the new value; `None` if the field does not change.
    pub fn into_option(self) -> Option<T> {
        match self {
            Change::Keep => None,
            Change::To(value) => Some(value),
        }
    }

    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Change<U> {
        match self {
            Change::Keep => Change::Keep,
            Change::To(value) => Change::To(to(value)),
        }
    }
}

impl<T: Deserr<E>, E: DeserializeError> Deserr<E> for Change<T> {
    fn deserialize_from_value<V: IntoValue>(value: Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        T::deserialize_from_value(value, at).map(Change::To)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserr)]
    #[deserr(error = ValidationErrors, deny_unknown_fields)]
    struct Sample {
        #[deserr(default)]
        ids: Change<Items<Id, 1, 2>>,
    }

    fn faults_of(ids: serde_json::Value) -> Vec<String> {
        let read = deserr::deserialize::<Sample, _, ValidationErrors>(json!({ "ids": ids }));
        read.err().map(|errors| errors.0.into_keys().collect()).unwrap_or_default()
    }

    #[test]
    fn a_list_is_refused_by_its_size_and_its_items_by_their_index() {
        let id = "018f0000-0000-7000-8000-000000000001";
        assert_eq!(faults_of(json!([id])), Vec::<String>::new());
        assert_eq!(faults_of(json!([])), ["ids"]);
        assert_eq!(faults_of(json!([id, "x", 3])), ["ids"]);
        assert_eq!(faults_of(json!(["x", 3])), ["ids[0]", "ids[1]"]);
        assert_eq!(faults_of(json!(null)), ["ids"]);
        let kept = deserr::deserialize::<Sample, _, ValidationErrors>(json!({})).expect("valid");
        assert_eq!(kept, Sample { ids: Change::Keep });
    }
}
