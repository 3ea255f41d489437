//! What notifications say, in the languages that the apps have.

mod en;
mod hi;
mod kn;

use std::borrow::Cow;

use super::kind::Kind;
use crate::{
    platform::settings::{fill, placeholders},
    providers::sms::TextKind,
};

/// A language of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locale {
    English,
    Hindi,
    Kannada,
}

impl Locale {
    /// By a person's language tag (BCP 47); English for languages without texts.
    pub fn of(tag: &str) -> Self {
        match tag.split('-').next() {
            Some(language) if language.eq_ignore_ascii_case("hi") => Self::Hindi,
            Some(language) if language.eq_ignore_ascii_case("kn") => Self::Kannada,
            _ => Self::English,
        }
    }

    /// Title and body of the push. The same for everyone: no names, places, numbers or amounts.
    pub fn pushed(self, kind: Kind) -> (&'static str, &'static str) {
        match self {
            Self::English => en::text(kind),
            Self::Hindi => hi::text(kind),
            Self::Kannada => kn::text(kind),
        }
    }

    /// As in the names of settings.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Hindi => "hi",
            Self::Kannada => "kn",
        }
    }

    /// The text message about a job, for [`JobFacts::fill`].
    pub fn text_message(self, kind: TextKind) -> &'static str {
        match self {
            Self::English => en::text_message(kind),
            Self::Hindi => hi::text_message(kind),
            Self::Kannada => kn::text_message(kind),
        }
    }

    /// Title and body that the app lists. The reason that an admin gave takes the place of where to find it.
    pub fn listed(self, kind: Kind, reason: Option<&str>) -> (&'static str, String) {
        let (title, body) = self.pushed(kind);
        let Some(reason) = reason else { return (title, body.to_owned()) };
        let (see_why, label) = match self {
            Self::English => (en::SEE_WHY, en::REASON),
            Self::Hindi => (hi::SEE_WHY, hi::REASON),
            Self::Kannada => (kn::SEE_WHY, kn::REASON),
        };
        (title, format!("{} {label}: {reason}", body.trim_end_matches(see_why).trim_end()))
    }
}

/// The longest name in a text message, in characters.
const MAX_NAME: usize = 20;

/// What a text message about a job can say.
#[derive(Debug, Clone, Copy, Default)]
pub struct JobFacts<'a> {
    /// What customers know the service as.
    pub brand: &'a str,
    /// The mechanic's.
    pub name: Option<&'a str>,
    /// Minutes until they come.
    pub wait_min: Option<i64>,
    /// Where to follow the job.
    pub link: Option<&'a str>,
}

impl JobFacts<'_> {
    /// The text with these facts. A part between two `|` is left out if a fact is missing that it has.
    pub fn fill(&self, template: &str) -> String {
        let value = |name: &str| match name {
            "brand" => Some(self.brand.to_owned()),
            "name" => {
                // A name must not bring an address with it, which phones would make a link of.
                let is_plain = |c: &char| !c.is_ascii() || c.is_ascii_alphanumeric() || "'-".contains(*c);
                let name: String = self.name?.chars().filter(is_plain).take(MAX_NAME).collect();
                (!name.is_empty()).then_some(name)
            }
            "wait" => self.wait_min.map(|minutes| minutes.to_string()),
            "link" => self.link.map(str::to_owned),
            _ => None,
        };
        let parts = template.split('|').filter(|part| placeholders(part).all(|name| value(name).is_some()));
        parts.map(|part| fill(part, |name| value(name).map(Cow::Owned))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::providers::sms::segments;

    const ALL: [Locale; 3] = [Locale::English, Locale::Hindi, Locale::Kannada];

    #[test]
    fn a_language_is_known_by_its_first_subtag() {
        for (tag, locale) in [
            ("hi", Locale::Hindi),
            ("hi-IN", Locale::Hindi),
            ("KN-in", Locale::Kannada),
            ("en", Locale::English),
            ("ta", Locale::English),
            ("hil", Locale::English),
        ] {
            assert_eq!(Locale::of(tag), locale, "{tag}");
        }
    }

    /// Numbers, addresses, codes and amounts have digits in them: no text has any, and none is put together.
    #[test]
    fn texts_are_short_and_name_no_number() {
        for (locale, kind) in ALL.iter().flat_map(|locale| Kind::ALL.iter().map(move |kind| (locale, *kind)))
        {
            let (title, body) = locale.pushed(kind);
            assert!((1..=40).contains(&title.chars().count()), "{kind}: {title}");
            assert!((1..=120).contains(&body.chars().count()), "{kind}: {body}");
            assert!(!format!("{title}{body}").contains(|c: char| c.is_numeric() || c == '{'), "{kind}");
        }
    }

    #[test]
    fn a_text_message_leaves_out_what_is_not_known_and_is_one_message_in_english() {
        let link = format!("https://help.roadcall.example/track/{}", "x".repeat(43));
        let brand = "Roadcall";
        let facts = JobFacts { brand, name: Some("Ravishankar"), wait_min: Some(120), link: Some(&link) };
        let kinds =
            [TextKind::Found, TextKind::Near, TextKind::Arrived, TextKind::Released, TextKind::Cancelled];
        for (locale, kind) in ALL.iter().flat_map(|locale| kinds.map(|kind| (locale, kind))) {
            let template = locale.text_message(kind);
            let (full, bare) =
                (facts.fill(template), JobFacts { brand, ..JobFacts::default() }.fill(template));
            assert!(!full.contains(['{', '|']) && !bare.contains(['{', '|']), "{full} {bare}");
            let half: String = bare.chars().take(bare.chars().count() / 2).collect();
            assert!(full.starts_with(&half), "{full} {bare}");
            assert_eq!(kind == TextKind::Found, full.ends_with(&link), "{full}");
            let most = if *locale == Locale::English { 1 } else { 3 };
            assert!(segments(&full) <= most, "{full}");
        }
        let found = Locale::English.text_message(TextKind::Found);
        let only = JobFacts { brand, name: Some("a.b/c"), ..JobFacts::default() }.fill(found);
        assert_eq!(only, "Roadcall: a mechanic is coming to help: abc");
        assert_eq!(JobFacts { name: Some("."), ..JobFacts::default() }.fill("a| {name}|."), "a.");
    }

    #[test]
    fn each_language_has_texts_of_its_own() {
        for kind in Kind::ALL {
            let texts: BTreeSet<_> = ALL.iter().map(|locale| locale.pushed(*kind)).collect();
            assert_eq!(texts.len(), ALL.len(), "{kind}");
        }
    }

    #[test]
    fn a_reason_is_listed_where_the_push_says_to_look_for_it() {
        for locale in ALL {
            for kind in [Kind::MechanicSuspended, Kind::MechanicChangeRejected] {
                let (_, pushed) = locale.pushed(kind);
                let (_, listed) = locale.listed(kind, Some("The papers have run out"));
                assert!(listed.ends_with(": The papers have run out"), "{listed}");
                let kept = pushed.split(['.', '।']).next().expect("a sentence");
                assert!(listed.starts_with(kept) && !listed.contains(pushed), "{kind}: {listed}");
            }
        }
    }
}
