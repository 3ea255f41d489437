//! Instants on the wire.

use std::str;

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use deserr::Deserr;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, schema::KnownFormat, schema::Type},
};

use super::read::Invalid;

/// An instant: RFC 3339, shown in UTC with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserr, derive_more::From, sqlx::Type)]
#[deserr(try_from(String) = Timestamp::parse -> Invalid)]
#[sqlx(transparent)]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    pub fn parse(text: String) -> Result<Self, Invalid> {
        let parsed = DateTime::parse_from_rfc3339(&text);
        parsed.map(|at| Self(at.to_utc())).map_err(|_| "must be a date-time of RFC 3339".into())
    }

    /// Writes the instant without allocating; `None` in a year without four digits, or in a leap second.
    fn written(self) -> Option<[u8; 24]> {
        let at = self.0.naive_utc();
        let (year, millis) = (u32::try_from(at.year()).ok()?, at.nanosecond() / 1_000_000);
        if year > 9_999 || millis > 999 {
            return None;
        }
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let parts = [
            (0..4, year),
            (5..7, at.month()),
            (8..10, at.day()),
            (11..13, at.hour()),
            (14..16, at.minute()),
            (17..19, at.second()),
            (20..23, millis),
        ];
        for (place, mut number) in parts {
            for digit in text[place].iter_mut().rev() {
                *digit += (number % 10) as u8;
                number /= 10;
            }
        }
        Some(text)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text.to_owned()).map_err(|why| why.0)
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
        let text = self.written();
        match text.as_ref().and_then(|text| str::from_utf8(text).ok()) {
            Some(text) => serializer.serialize_str(text),
            None => serializer.serialize_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true)),
        }
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        text.examples(["2026-03-14T08:30:12.500Z"]).into()
    }
}

impl ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_instant_is_written_as_chrono_writes_it() {
        let leap = DateTime::from_timestamp(1_483_228_799, 1_500_000_000).expect("a leap second");
        let second = |seconds, nanos| DateTime::from_timestamp(seconds, nanos).expect("a time");
        for at in [
            second(0, 0),
            second(1_773_477_012, 500_999_999),
            second(951_782_399, 999_999_999),
            second(-1, 1),
            second(-62_135_596_800, 0),
            second(253_402_300_799, 999_000_000),
            second(253_402_300_800, 0),
            second(-62_200_000_000, 0),
            leap,
        ] {
            let expected = at.to_rfc3339_opts(SecondsFormat::Millis, true);
            assert_eq!(json!(Timestamp(at)), json!(expected));
        }
    }
}
