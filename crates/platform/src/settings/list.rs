//! Lists in a file and in the environment.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{
    Deserialize, Deserializer,
    de::{self, SeqAccess, Unexpected, Visitor},
};

/// Reads a list: an array in a file, or, in the environment, which has no arrays, items separated by commas or, as in files of
/// secrets, by line breaks.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + FromStr,
{
    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + FromStr> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<T>, E> {
            let items = text.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty());
            let read = |item: &str| item.parse().map_err(|_| E::invalid_value(Unexpected::Str(item), &self));
            items.map(read).collect()
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                list.push(item);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_any(List(PhantomData))
}
