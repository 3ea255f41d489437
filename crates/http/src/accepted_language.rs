//! The language in which a client wants names.

use std::{
    cmp::Reverse,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{ACCEPT_LANGUAGE, HeaderMap, LanguageTag, Quality, QualityItem},
};
use roadcall_platform::error::ApiError;

/// The number of letters in a language's code: ISO 639 has two or three.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=3;
/// The limits on the languages of a header that are read, and on those of them that are stored.
const MAX_READ: usize = 20;
const MAX_KEPT: usize = 4;

/// A language's code, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct LanguageCode {
    letters: [u8; 3],
    length: u8,
}

impl LanguageCode {
    const ENGLISH: Self = Self { letters: *b"en\0", length: 2 };

    fn read(text: &str) -> Option<Self> {
        let is_code = LETTERS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let mut letters = [0; 3];
        letters.get_mut(..text.len()).filter(|_| is_code)?.copy_from_slice(text.as_bytes());
        letters.make_ascii_lowercase();
        Some(Self { letters, length: text.len() as u8 })
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..usize::from(self.length)]).unwrap_or("en")
    }
}

/// The languages of `Accept-Language` by their weights (RFC 9110, 12.5.4), without regions and scripts: at most four,
/// the most wanted first. English if the header has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, derive_more::Display)]
#[display("{}", self.as_str())]
pub struct AcceptedLanguage {
    /// The codes; those after the first `count` are English.
    codes: [LanguageCode; MAX_KEPT],
    count: u8,
}

impl AcceptedLanguage {
    /// Reads a header's text.
    pub fn of(header: &str) -> Self {
        let items = header.split(',').take(MAX_READ);
        let mut wanted: Vec<QualityItem<LanguageTag>> =
            items.filter_map(|item| item.trim().parse().ok()).collect();
        wanted.retain(|item| item.quality > Quality::ZERO);
        // The first of two equally wanted languages counts.
        wanted.sort_by_key(|item| Reverse(item.quality));
        let mut accepted = Self { codes: [LanguageCode::ENGLISH; MAX_KEPT], count: 0 };
        for code in wanted.iter().filter_map(|item| LanguageCode::read(item.item.primary_language())) {
            let count = usize::from(accepted.count);
            if count < MAX_KEPT && !accepted.codes[..count].contains(&code) {
                accepted.codes[count] = code;
                accepted.count += 1;
            }
        }
        accepted.count = accepted.count.max(1);
        accepted
    }

    /// Returns the most wanted language, in lower case.
    pub fn as_str(&self) -> &str {
        self.codes[0].as_str()
    }

    /// Returns all languages, the most wanted first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.codes[..usize::from(self.count)].iter().map(LanguageCode::as_str)
    }

    fn in_headers(headers: &HeaderMap) -> Self {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::of(header.unwrap_or_default())
    }
}

impl FromRequest for AcceptedLanguage {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::in_headers(request.headers())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_wanted_language_comes_first() {
        for (header, language) in [
            ("kn", "kn"),
            ("hi-IN, en;q=0.8", "hi"),
            ("en;q=0.5, KN-Knda-IN;q=0.9", "kn"),
            ("hi, kn", "hi"),
            ("de;q=0, fr;q=0.1", "fr"),
            ("kok", "kok"),
            ("", "en"),
            ("*", "en"),
            ("klingon, x-pig-latin, 12, é", "en"),
            ("hi;q=nonsense", "en"),
        ] {
            assert_eq!(AcceptedLanguage::of(header).as_str(), language, "{header:?}");
        }
    }

    #[test]
    fn the_other_languages_follow_by_weight() {
        for (header, languages) in [
            ("ta-IN,hi;q=0.8,en;q=0.5", "ta hi en"),
            ("en;q=0.5, en-IN, te;q=0.6, hi;q=0, kn;q=0.6, ta;q=0.1, ml;q=0.2", "en te kn ml"),
            ("", "en"),
        ] {
            let accepted = AcceptedLanguage::of(header);
            assert_eq!(accepted.all().collect::<Vec<_>>().join(" "), languages, "{header:?}");
        }
    }
}
