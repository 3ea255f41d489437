//! The engine's enums on the wire and in rows.

use std::{borrow::Cow, fmt, ops::Deref, str::FromStr};

use deserr::{
    DeserializeError, Deserr, ErrorKind, IntoValue, Value, ValueKind, ValuePointerRef, take_cf_content,
};
use roadcall_actors::named::NamedEnum;
use roadcall_http::{ListParam, schema_of};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sqlx::{
    Decode, Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type as SchemaType},
    },
};

/// A value of one of the engine's enums, by its name, with the traits that `text_enum!` gives to the service's own
/// enums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named<T>(pub T);

/// The description of an engine's enum in the OpenAPI document.
pub trait DescribedEnum: NamedEnum {
    const SCHEMA: &'static str;
    const DESCRIPTION: Option<&'static str>;
}

fn names<T: NamedEnum>() -> Vec<&'static str> {
    T::VALUES.iter().map(|value| value.name()).collect()
}

impl<T> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Named<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: PartialEq> PartialEq<T> for Named<T> {
    fn eq(&self, other: &T) -> bool {
        self.0 == *other
    }
}

impl<T: NamedEnum> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl<T: NamedEnum> FromStr for Named<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let value = T::from_name(text).map(Self);
        value.ok_or_else(|| format!("must be one of {}", names::<T>().join(", ")))
    }
}

impl<T: NamedEnum> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: NamedEnum> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        T::from_name(&text).map(Self).ok_or_else(|| {
            de::Error::invalid_value(de::Unexpected::Str(&text), &names::<T>().join(", ").as_str())
        })
    }
}

impl<T: NamedEnum, E: DeserializeError> Deserr<E> for Named<T> {
    fn deserialize_from_value<V: IntoValue>(value: Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let text = match value {
            Value::String(text) => text,
            actual => {
                let kind = ErrorKind::IncorrectValueKind { actual, accepted: &[ValueKind::String] };
                return Err(take_cf_content(E::error(None, kind, at)));
            }
        };
        T::from_name(&text).map(Self).ok_or_else(|| {
            let kind = ErrorKind::UnknownValue { value: &text, accepted: &names::<T>() };
            take_cf_content(E::error::<V>(None, kind, at))
        })
    }
}

impl<T: DescribedEnum> PartialSchema for Named<T> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::String)
            .enum_values(Some(names::<T>()))
            .description(T::DESCRIPTION)
            .into()
    }
}

impl<T: DescribedEnum> ToSchema for Named<T> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(T::SCHEMA)
    }
}

impl<T: DescribedEnum> ListParam for Named<T> {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
    }

    fn param_schema() -> RefOr<Schema> {
        schema_of::<Self>()
    }
}

impl<T> Type<Postgres> for Named<T> {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }

    fn compatible(column: &PgTypeInfo) -> bool {
        <str as Type<Postgres>>::compatible(column)
    }
}

impl<T> PgHasArrayType for Named<T> {
    fn array_type_info() -> PgTypeInfo {
        <String as PgHasArrayType>::array_type_info()
    }
}

impl<'q, T: NamedEnum> Encode<'q, Postgres> for Named<T> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <&str as Encode<Postgres>>::encode_by_ref(&self.0.name(), buffer)
    }
}

impl<'r, T: NamedEnum> Decode<'r, Postgres> for Named<T> {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let text = <&str as Decode<Postgres>>::decode(value)?;
        let known = T::from_name(text).map(Self);
        known.ok_or_else(|| format!("{text:?} is none of {}", names::<T>().join(", ")).into())
    }
}
