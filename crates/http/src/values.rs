//! Values of the wire that are checked when they are read.

use deserr::Deserr;
use serde::Deserialize;
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::read::{Invalid, ValidationErrors};

/// Text of `MIN` to `MAX` characters, without control characters except line breaks and tabs. Surrounding space is
/// trimmed: it counts towards `MAX`, as in the document, but not towards `MIN`.
#[derive(Debug, Clone, PartialEq, Eq, Deserr)]
#[deserr(try_from(String) = Text::new -> Invalid)]
pub struct Text<const MIN: usize, const MAX: usize>(pub String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    pub fn new(text: String) -> Result<Self, Invalid> {
        let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        let has_odd = text.chars().any(is_odd);
        let given = text.chars().count();
        let text = text.trim();
        let length = if given > MAX { given } else { text.chars().count() };
        if length < MIN || length > MAX {
            Err(format!("must have {MIN} to {MAX} characters, not {length}").into())
        } else if has_odd {
            Err("must not contain control characters".into())
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl<const MIN: usize, const MAX: usize> PartialSchema for Text<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(text_pattern(MIN)));
        text.min_length(Some(MIN)).max_length(Some(MAX)).into()
    }
}

/// Returns the pattern of text that has `min` characters without the space around it, and no control characters
/// except line breaks and tabs.
fn text_pattern(min: usize) -> String {
    let odd = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f";
    let (any, space, dark) = (format!("[^{odd}]"), format!("[^{odd}\\S]"), format!("[^{odd}\\s]"));
    match min {
        0 => format!("^{any}*$"),
        1 => format!("^{any}*{dark}{any}*$"),
        _ => format!("^{space}*{dark}{any}{{{},}}{dark}{space}*$", min - 2),
    }
}

impl<const MIN: usize, const MAX: usize> ToSchema for Text<MIN, MAX> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Text{MIN}To{MAX}"))
    }
}

/// Degrees north, -90 to 90.
#[derive(Debug, Clone, Copy, PartialEq, Deserr, Deserialize, ToSchema)]
#[deserr(try_from(f64) = Latitude::new -> Invalid)]
#[serde(try_from = "f64")]
#[schema(minimum = -90, maximum = 90, example = 12.97297)]
pub struct Latitude(pub f64);

impl Latitude {
    pub fn new(degrees: f64) -> Result<Self, Invalid> {
        let holds = (-90.0..=90.0).contains(&degrees);
        if holds { Ok(Self(degrees)) } else { Err("must be -90 to 90".into()) }
    }
}

/// Degrees east, -180 to 180.
#[derive(Debug, Clone, Copy, PartialEq, Deserr, Deserialize, ToSchema)]
#[deserr(try_from(f64) = Longitude::new -> Invalid)]
#[serde(try_from = "f64")]
#[schema(minimum = -180, maximum = 180, example = 77.61701)]
pub struct Longitude(pub f64);

impl Longitude {
    pub fn new(degrees: f64) -> Result<Self, Invalid> {
        let holds = (-180.0..=180.0).contains(&degrees);
        if holds { Ok(Self(degrees)) } else { Err("must be -180 to 180".into()) }
    }
}

impl TryFrom<f64> for Latitude {
    type Error = Invalid;
    fn try_from(degrees: f64) -> Result<Self, Invalid> {
        Self::new(degrees)
    }
}

impl TryFrom<f64> for Longitude {
    type Error = Invalid;
    fn try_from(degrees: f64) -> Result<Self, Invalid> {
        Self::new(degrees)
    }
}

impl std::str::FromStr for Latitude {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::new(text.parse().map_err(|_| "must be a number".to_owned())?).map_err(|why| why.0)
    }
}

impl std::str::FromStr for Longitude {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::new(text.parse().map_err(|_| "must be a number".to_owned())?).map_err(|why| why.0)
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr)]
#[deserr(try_from(i64) = WholeNumber::new -> Invalid)]
pub struct WholeNumber<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> WholeNumber<MIN, MAX> {
    pub fn new(number: i64) -> Result<Self, Invalid> {
        let holds = (MIN..=MAX).contains(&number);
        if holds { Ok(Self(number)) } else { Err(format!("must be {MIN} to {MAX}").into()) }
    }
}

impl<const MIN: i64, const MAX: i64> PartialSchema for WholeNumber<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(MIN)).maximum(Some(MAX)).into()
    }
}

impl<const MIN: i64, const MAX: i64> ToSchema for WholeNumber<MIN, MAX> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Whole{MIN}To{MAX}").replace('-', "Minus"))
    }
}

/// An email address: one `@`, something on both sides, a dot in the domain, at most 254 characters, all of ASCII;
/// stored in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Email::new -> Invalid)]
#[schema(format = "email")]
pub struct Email(pub String);

impl Email {
    pub fn new(text: String) -> Result<Self, Invalid> {
        let text = text.trim().to_ascii_lowercase();
        // A character that merely looks alike elsewhere in Unicode, as the sign of the kelvin looks like a K, makes
        // another address.
        let holds = text.is_ascii()
            && text.len() <= 254
            && !text.chars().any(|c| c.is_whitespace() || c.is_control())
            && text.split_once('@').is_some_and(|(local, domain)| {
                !local.is_empty()
                    && domain.contains('.')
                    && !domain.contains('@')
                    && domain.split('.').all(|label| !label.is_empty())
            });
        if holds { Ok(Self(text)) } else { Err("must be an email address".into()) }
    }
}

/// Refuses an empty list: `#[deserr(map = …)]` can't refuse, so handlers call this and collect.
pub fn non_empty<T>(errors: &mut ValidationErrors, field: &str, list: &[T]) {
    if list.is_empty() {
        errors.add(field, "must have at least 1 item");
    }
}

/// Finds a value of a closed list, for query parameters: `one_of(text, &[...])`.
pub fn one_of<'a>(text: &str, accepted: &'a [&'a str]) -> Result<&'a str, String> {
    let found = accepted.iter().find(|value| **value == text);
    found.copied().ok_or_else(|| format!("must be one of {}", accepted.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Money, Patch};
    use serde_json::json;

    #[derive(Debug, Deserr)]
    #[deserr(error = ValidationErrors, deny_unknown_fields)]
    #[allow(dead_code)]
    struct Sample {
        lat: Latitude,
        name: Text<1, 5>,
        #[deserr(default)]
        note: Patch<Text<1, 5>>,
        #[deserr(default)]
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserr)]
    #[deserr(error = ValidationErrors, deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        email: Email,
    }

    fn fields_of(value: serde_json::Value) -> Vec<String> {
        let errors = deserr::deserialize::<Sample, _, ValidationErrors>(value).expect_err("refused");
        errors.0.into_keys().collect()
    }

    /// Returns whether the documented schema of `T` accepts the text, and whether `T` itself does.
    fn documented_and_read<const MIN: usize, const MAX: usize>(text: &str) -> (bool, bool) {
        let schema = json!(<Text<MIN, MAX> as PartialSchema>::schema());
        let documented = jsonschema::is_valid(&schema, &json!(text));
        (documented, Text::<MIN, MAX>::new(text.to_owned()).is_ok())
    }

    #[test]
    fn the_document_says_which_text_is_accepted() {
        let parts = ["", " ", "a", "\n", "\t", "\u{1}", "\u{85}", "\u{9f}", "\u{a0}", "é", "ab", " a b "];
        for text in parts.iter().flat_map(|a| parts.map(|b| parts.map(|c| format!("{a}{b}{c}")))).flatten() {
            let all = [
                documented_and_read::<0, 99>,
                documented_and_read::<1, 99>,
                documented_and_read::<3, 99>,
                documented_and_read::<1, 3>,
            ];
            for (documented, read) in all.map(|of| of(&text)) {
                assert_eq!(documented, read, "{text:?}");
            }
        }
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let body =
            json!({"lat": 91, "name": "", "odd": 1, "inner": [{"email": "a@b.example"}, {"email": 3}, {}]});
        assert_eq!(fields_of(body), ["inner[1].email", "inner[2].email", "lat", "name", "odd"]);
        assert_eq!(fields_of(json!({})), ["lat", "name"]);
        assert_eq!(fields_of(json!([])), ["body"]);
        assert_eq!(fields_of(json!({"lat": null, "name": null, "note": 4})), ["lat", "name", "note"]);
    }

    #[test]
    fn a_patch_distinguishes_absent_from_null() {
        let read = |body| deserr::deserialize::<Sample, _, ValidationErrors>(body).expect("valid").note;
        assert_eq!(read(json!({"lat": 1, "name": "a"})), Patch::Keep);
        assert_eq!(read(json!({"lat": 1.5, "name": "a", "note": null})), Patch::Clear);
        assert_eq!(read(json!({"lat": 1, "name": "a", "note": "x"})), Patch::Set(Text("x".into())));
    }

    #[test]
    fn money_is_whole_paise() {
        let cases = [
            (0.1, Some(10)),
            (499.99, Some(49999)),
            (-5.0, Some(-500)),
            (0.125, None),
            (1e300, None),
            (1e-7, None),
        ];
        for (wire, paise) in cases {
            assert_eq!(Money::from_wire(wire).ok().map(|money| money.0), paise, "{wire}");
        }
        assert_eq!(serde_json::to_string(&Money(49999)).expect("a number"), "499.99");
    }

    #[test]
    fn odd_emails_are_refused() {
        for email in ["", "a", "a@b", "@b.c", "a@b@c.d", "a b@c.d", "a@.d"] {
            assert!(Email::new(email.to_owned()).is_err(), "{email}");
        }
    }
}
