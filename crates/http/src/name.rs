//! Names of people.

use std::borrow::Cow;

use deserr::Deserr;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::read::Invalid;

/// The name of a person, 1 to `MAX` characters: one line with a letter or digit in it, without invisible characters.
/// Space around it is removed, and space within it becomes single blanks.
///
/// Control and format characters can make a name look like another one, or reverse the text around it. Two of them,
/// the zero-width joiner and non-joiner, are a part of spelling after a letter or sign of an Indic or Arabic script,
/// and are allowed there.
#[derive(Debug, Clone, PartialEq, Eq, Deserr)]
#[deserr(try_from(String) = Name::new -> Invalid)]
pub struct Name<const MAX: usize>(pub String);

impl<const MAX: usize> Name<MAX> {
    pub fn new(text: String) -> Result<Self, Invalid> {
        // The length is counted as the document says, including blanks at the ends.
        let given = text.chars().count();
        let text = text.trim();
        let befores = std::iter::once(None).chain(text.chars().map(Some));
        if text.chars().zip(befores).any(|(c, before)| is_hidden(c, before)) {
            return Err("must be one line, without control or invisible characters".into());
        }
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            Err("must not be empty".into())
        } else if given > MAX {
            Err(format!("must have 1 to {MAX} characters, not {given}").into())
        } else if !name.chars().any(char::is_alphanumeric) {
            Err("must have a letter or a digit in it".into())
        } else {
            Ok(Self(name))
        }
    }
}

/// Returns whether a character changes a line of text without being visible in it.
fn is_hidden(c: char, before: Option<char>) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' => !before.is_some_and(joins),
        // These are variation selectors.
        '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => true,
        // By category these are letters or signs, but they are blank.
        '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}'
        | '\u{ffa0}' => true,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
        ),
    }
}

/// Returns whether joiners are a part of spelling after this letter or sign: Arabic, and the Indic scripts from
/// Devanagari to Sinhala.
fn joins(c: char) -> bool {
    matches!(c, '\u{0620}'..='\u{06ff}' | '\u{0900}'..='\u{0dff}') && !c.is_numeric()
}

impl<const MAX: usize> PartialSchema for Name<MAX> {
    fn schema() -> RefOr<Schema> {
        let line = r"[^\x00-\x1f\x7f-\x9f]*";
        let name = ObjectBuilder::new().schema_type(Type::String);
        let name = name.pattern(Some(format!(r"^\s*{line}\S{line}\s*$")));
        name.min_length(Some(1)).max_length(Some(MAX)).into()
    }
}

impl<const MAX: usize> ToSchema for Name<MAX> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("NameOf{MAX}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        Name::<20>::new(text.to_owned()).ok().map(|name| name.0)
    }

    #[test]
    fn names_of_all_scripts_are_accepted() {
        let names = [
            "Asha Rao",
            "José-María O’Neill",
            "Dr. R. K. Iyer",
            "李小龙",
            "Ægir 2",
            "محمد",
            "ஆஷா",
            "שרה",
            "Nguyễn Thị",
            // The joiners are in Devanagari, Malayalam, Sinhala and Persian.
            "क्\u{200d}ष",
            "न\u{200c}द",
            "അവന്\u{200d}",
            "ශ්\u{200d}රී",
            "علی\u{200c}رضا",
        ];
        for name in names {
            assert_eq!(read(name).as_deref(), Some(name), "{name}");
        }
        assert_eq!(read(" Asha \u{a0} Rao\n").as_deref(), Some("Asha Rao"), "space is one blank");
    }

    #[test]
    fn invisible_characters_are_refused() {
        let odd = [
            "",
            " ",
            "Asha\nRao",
            "Asha\tRao",
            "Asha\u{0}",
            "Asha\u{7f}",
            "Asha\u{2028}Rao",
            "\u{202e}oaR ahsA",
            "Asha\u{200b}Rao",
            "Asha\u{2066}Rao",
            "\u{feff}Asha",
            "A\u{ad}sha",
            "Asha\u{e0041}",
            "Asha\u{fe0f}",
            "Asha\u{e0100}",
            "\u{180b}Asha",
            "Asha\u{180f}",
            "Asha\u{200d}Rao",
            "\u{200c}Asha",
            "१\u{200d}",
            "क\u{200d}\u{200d}",
            "\u{3164}",
            "\u{115f}a",
            "\u{2800}",
            "...",
            "👍",
            "\u{e000}Asha",
            "a234567890b234567890c",
        ];
        for name in odd {
            assert_eq!(read(name), None, "{name:?}");
        }
    }
}
