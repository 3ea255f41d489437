//! Fields of a PATCH that are emptied by null.

use deserr::{DeserializeError, Deserr, IntoValue, Value, ValuePointerRef};

/// A field of a PATCH: absent, null, or a value. Give it `#[deserr(default)]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<T> Patch<T> {
    /// Returns the value after the patch, where null empties the field.
    pub fn over(self, current: Option<T>) -> Option<T> {
        match self {
            Patch::Keep => current,
            Patch::Clear => None,
            Patch::Set(value) => Some(value),
        }
    }

    /// Returns the new value: `None` if the field does not change, `Some(None)` if null empties it.
    pub fn into_option(self) -> Option<Option<T>> {
        match self {
            Patch::Keep => None,
            Patch::Clear => Some(None),
            Patch::Set(value) => Some(Some(value)),
        }
    }

    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(value) => Patch::Set(to(value)),
        }
    }
}

impl<T, E: DeserializeError> Deserr<E> for Patch<T>
where
    T: Deserr<E>,
{
    fn deserialize_from_value<V: IntoValue>(value: Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        match value {
            Value::Null => Ok(Patch::Clear),
            value => T::deserialize_from_value(value, at).map(Patch::Set),
        }
    }
}
