//! Settings that are one of a few words.

use serde::{
    Deserialize, Deserializer,
    de::{IntoDeserializer, value::StringDeserializer},
};

/// Reads one of a few words. The error for any other word lists the accepted ones, which the reader of settings would leave out.
pub fn choice<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let word: StringDeserializer<D::Error> = String::deserialize(deserializer)?.into_deserializer();
    T::deserialize(word)
}
