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
/// Languages of a header that are looked at, and those of them that are kept.
const MOST: usize = 20;
const MOST_KEPT: usize = 4;

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

/// The languages of `Accept-Language` by their weights (RFC 9110, 12.5.4), without regions and scripts: at most four, the one that is
/// wanted most first. English where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AcceptedLanguage {
    /// Those beyond the last are English.
    codes: [LanguageCode; MOST_KEPT],
    count: u8,
}

impl AcceptedLanguage {
    /// Of a header's text.
    pub fn of(header: &str) -> Self {
        let mut wanted: Vec<(f32, LanguageCode)> = header.split(',').take(MOST).filter_map(weighed).collect();
        // Of two that are wanted alike the first counts.
        wanted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut accepted = Self { codes: [LanguageCode::ENGLISH; MOST_KEPT], count: 0 };
        for (_, code) in wanted {
            let count = usize::from(accepted.count);
            if count < MOST_KEPT && !accepted.codes[..count].contains(&code) {
                accepted.codes[count] = code;
                accepted.count += 1;
            }
        }
        accepted.count = accepted.count.max(1);
        accepted
    }

    /// The one that is wanted most, in lower case.
    pub fn as_str(&self) -> &str {
        self.codes[0].as_str()
    }

    /// All of them, the one that is wanted most first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.codes[..usize::from(self.count)].iter().map(LanguageCode::as_str)
    }

    fn in_headers(headers: &HeaderMap) -> Self {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::of(header.unwrap_or_default())
    }
}

/// One language of a header, with its weight; `None` if it is not wanted, or is no language.
fn weighed(range: &str) -> Option<(f32, LanguageCode)> {
    let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
    let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
    let code = LanguageCode::read(tag.trim().split('-').next().unwrap_or_default())?;
    (weight > 0.0).then_some((weight, code))
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

    #[test]
    fn the_others_follow_by_how_much_they_are_wanted() {
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
