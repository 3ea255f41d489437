//! Settings that are one of a few words.

use serde::{
    Deserialize, Deserializer,
    de::{IntoDeserializer, value::StringDeserializer},
};

/// Reads one of a few words. The error for any other word lists the accepted ones, which the reader of settings would leave out.
pub(super) fn choice<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let word: StringDeserializer<D::Error> = String::deserialize(deserializer)?.into_deserializer();
    T::deserialize(word)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Settings,
        sources::{Sources, defaults},
    };

    #[test]
    fn an_unknown_word_is_refused_with_the_list_of_accepted_words() {
        let mut named = Vec::new();
        for key in defaults().expect("readable").into_keys() {
            let text = format!("{key} = \"nonesuch\"\n");
            let read = Sources::of_text(&text).and_then(|sources| Settings::of(&sources));
            let Err(error) = read else { continue };
            let refusal = error.to_string();
            if refusal.contains("variant") {
                assert!(refusal.contains("`nonesuch`, expected "), "{refusal}");
                assert!(refusal.contains(&format!("`{key}`")), "{refusal}");
                named.push(key);
            }
        }
        for key in ["environment", "log.format", "gateway.provider", "payouts.provider", "sms.http.method"] {
            assert!(named.iter().any(|known| known == key), "{key} is missing among {named:?}");
        }
    }
}
