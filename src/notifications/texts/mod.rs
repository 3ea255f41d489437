//! What notifications say, in the languages that the apps have.

mod en;
mod hi;
mod kn;

use super::kind::Kind;

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
