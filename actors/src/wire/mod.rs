//! Serialises values that serde alone can't. Each module is for `#[serde(with = "...")]`.

/// A span of time in whole milliseconds.
pub(crate) mod millis {
    use chrono::TimeDelta;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(span: &TimeDelta, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(span.num_milliseconds())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TimeDelta, D::Error> {
        let millis = i64::deserialize(from)?;
        TimeDelta::try_milliseconds(millis).ok_or_else(|| {
            de::Error::invalid_value(de::Unexpected::Signed(millis), &"the milliseconds of a span of time")
        })
    }
}

/// A span of time that may be missing.
pub(crate) mod optional_millis {
    use chrono::TimeDelta;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Span(#[serde(with = "crate::wire::millis")] TimeDelta);

    pub(crate) fn serialize<S: Serializer>(span: &Option<TimeDelta>, to: S) -> Result<S::Ok, S::Error> {
        span.map(Span).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeDelta>, D::Error> {
        Ok(Option::deserialize(from)?.map(|Span(span)| span))
    }
}

/// A change to a value that may be missing: a list with the value afterwards, or nothing if it stays unchanged.
/// Serde alone reads a change to nothing as no change.
pub(crate) mod change {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, T: Serialize>(
        change: &Option<Option<T>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        change.as_ref().map(|next| [next]).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        from: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Ok(Option::deserialize(from)?.map(|[next]: [Option<T>; 1]| next))
    }
}

#[cfg(test)]
pub(crate) mod tests;
