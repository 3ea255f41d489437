//! Instants on the wire.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use deserr::Deserr;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, schema::KnownFormat, schema::Type},
};

use super::read::Invalid;

/// An instant: RFC 3339, shown in UTC with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserr)]
#[deserr(try_from(String) = Timestamp::parse -> Invalid)]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    pub fn parse(text: String) -> Result<Self, Invalid> {
        let parsed = DateTime::parse_from_rfc3339(&text);
        parsed.map(|at| Self(at.to_utc())).map_err(|_| "must be a date-time of RFC 3339".into())
    }
}

impl std::str::FromStr for Timestamp {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text.to_owned()).map_err(|why| why.0)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<Self, D::Error> {
        // The text is borrowed, so one with escapes is refused here.
        let text = <&str>::deserialize(parser)?;
        DateTime::parse_from_rfc3339(text).map(|at| Self(at.to_utc())).map_err(D::Error::custom)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        text.examples(["2026-03-14T08:30:12.500Z"]).into()
    }
}

impl ToSchema for Timestamp {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Timestamp")
    }
}
