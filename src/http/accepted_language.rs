//! The language that a client wants names in.

use std::{
    fmt,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{ACCEPT_LANGUAGE, HeaderMap},
};

use crate::platform::error::ApiError;

/// Letters of a language's code: ISO 639 has two or three.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=3;
/// Languages of a header that are looked at.
const MOST: usize = 20;

/// The first of `Accept-Language` by its weights (RFC 9110, 12.5.4), without region and script; English where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AcceptedLanguage {
    letters: [u8; 3],
    length: u8,
}

impl AcceptedLanguage {
    const ENGLISH: Self = Self { letters: *b"en\0", length: 2 };

    /// Of a header's text.
    pub fn of(header: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for range in header.split(',').take(MOST) {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let weight =
                parameters.trim().strip_prefix("q=").map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
            let Some(language) = Self::code(tag.trim().split('-').next().unwrap_or_default()) else {
                continue;
            };
            // Of two that are wanted alike the first counts.
            if weight > 0.0 && best.is_none_or(|(before, _)| weight > before) {
                best = Some((weight, language));
            }
        }
        best.map_or(Self::ENGLISH, |(_, language)| language)
    }

    /// In lower case.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..usize::from(self.length)]).unwrap_or("en")
    }

    fn code(text: &str) -> Option<Self> {
        let is_code = LETTERS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let mut letters = [0; 3];
        letters.get_mut(..text.len()).filter(|_| is_code)?.copy_from_slice(text.as_bytes());
        letters.make_ascii_lowercase();
        Some(Self { letters, length: text.len() as u8 })
    }

    fn in_headers(headers: &HeaderMap) -> Self {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::of(header.unwrap_or_default())
    }
}

impl fmt::Display for AcceptedLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
    fn the_language_is_the_one_that_is_wanted_most() {
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
}
