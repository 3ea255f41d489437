//! The texts of notifications, in the languages that the apps have.

mod en;
mod hi;
mod kn;

use std::borrow::Cow;

use roadcall_platform::settings::{fill, placeholders};
use roadcall_providers::sms::TextKind;

use super::kind::Kind;
pub use roadcall_providers::mails::MailLanguage as Locale;

/// Returns the title and body of a push that not only its device may read. They are the same for everyone: no names, places,
/// numbers or amounts.
pub fn pushed(locale: Locale, kind: Kind) -> (&'static str, &'static str) {
    locale.choose(en::text(kind), hi::text(kind), kn::text(kind))
}

/// Returns the title and the body of a push that only its device can read; `None` if this kind has no details, or too little
/// is known.
pub fn detailed(locale: Locale, kind: Kind, facts: &JobFacts<'_>) -> Option<(String, String)> {
    let (title, body) = locale.choose(en::detailed(kind), hi::detailed(kind), kn::detailed(kind))?;
    let is_known = placeholders(title.split('|').next()?).all(|name| facts.value(name).is_some());
    is_known.then(|| (facts.fill(title), facts.fill(body)))
}

/// Returns the buttons of a push of this kind: the names that the apps know, and their labels.
pub fn buttons(locale: Locale, kind: Kind) -> &'static [(&'static str, &'static str)] {
    match (kind, locale) {
        (Kind::JobOffer, Locale::English) => &[("accept", "Accept"), ("decline", "Decline")],
        (Kind::JobOffer, Locale::Hindi) => &[("accept", "स्वीकार करें"), ("decline", "अस्वीकार करें")],
        (Kind::JobOffer, Locale::Kannada) => &[("accept", "ಒಪ್ಪಿಕೊಳ್ಳಿ"), ("decline", "ನಿರಾಕರಿಸಿ")],
        (
            Kind::JobAccepted
            | Kind::JobEnRoute
            | Kind::JobDelayed
            | Kind::JobNear
            | Kind::JobArrived
            | Kind::ChatMessage,
            own,
        ) => match own {
            Locale::English => &[("chat", "Write a message")],
            Locale::Hindi => &[("chat", "संदेश लिखें")],
            Locale::Kannada => &[("chat", "ಸಂದೇಶ ಬರೆಯಿರಿ")],
        },
        _ => &[],
    }
}

/// Returns the name of a kind of help that every service begins with, as in the apps; other kinds have the operator's name.
pub fn help(locale: Locale, slug: &str) -> Option<&'static str> {
    locale.choose(en::help(slug), hi::help(slug), kn::help(slug))
}

/// Returns the text message about a job, for [`JobFacts::fill`].
pub fn text_message(locale: Locale, kind: TextKind) -> &'static str {
    locale.choose(en::text_message(kind), hi::text_message(kind), kn::text_message(kind))
}

/// Returns the title and body that the app lists. An admin's reason replaces the hint where to find it.
pub fn listed(locale: Locale, kind: Kind, reason: Option<&str>) -> (&'static str, String) {
    let (title, body) = pushed(locale, kind);
    let Some(reason) = reason else { return (title, body.to_owned()) };
    let (see_why, label) =
        locale.choose((en::SEE_WHY, en::REASON), (hi::SEE_WHY, hi::REASON), (kn::SEE_WHY, kn::REASON));
    (title, format!("{} {label}: {reason}", body.trim_end_matches(see_why).trim_end()))
}

/// The longest names of a person and of an organisation in a text message, in characters.
const MAX_NAME: usize = 20;
const MAX_ORGANISATION: usize = 25;

/// The facts that a text message or a sealed push about a job can contain.
#[derive(Debug, Clone, Copy, Default)]
pub struct JobFacts<'a> {
    /// The name by which customers know the service.
    pub brand: &'a str,
    /// The mechanic's name.
    pub name: Option<&'a str>,
    /// The minutes until the mechanic comes.
    pub wait_min: Option<i64>,
    /// The link for following the job.
    pub link: Option<&'a str>,
    /// The kind of help.
    pub help: Option<&'a str>,
    /// The mechanic's pay, written out.
    pub pay: Option<&'a str>,
    /// The distance from the mechanic to the pickup.
    pub distance_m: Option<i32>,
    /// The local time by which the mechanic should be there.
    pub until: Option<&'a str>,
    /// The organisation that ordered the job.
    pub partner: Option<&'a str>,
}

impl JobFacts<'_> {
    /// Returns the text with these facts. A part between two `|` is left out if any of its facts is missing.
    pub fn fill(&self, template: &str) -> String {
        let parts =
            template.split('|').filter(|part| placeholders(part).all(|name| self.value(name).is_some()));
        parts.map(|part| fill(part, |name| self.value(name).map(Cow::Owned))).collect()
    }

    /// Returns the text that replaces a placeholder.
    fn value(&self, name: &str) -> Option<String> {
        match name {
            "brand" => Some(self.brand.to_owned()),
            "name" => plain(self.name?, MAX_NAME),
            "partner" => plain(self.partner?, MAX_ORGANISATION),
            "wait" => self.wait_min.map(|minutes| minutes.to_string()),
            "link" => self.link.map(str::to_owned),
            "help" => self.help.map(str::to_owned),
            "pay" => self.pay.map(str::to_owned),
            "km" => self.distance_m.map(|metres| format!("{:.1}", f64::from(metres) / 1000.0)),
            "until" => self.until.map(str::to_owned),
            _ => None,
        }
    }
}

/// Returns a name without anything that phones would turn into a link, of at most so many characters.
fn plain(name: &str, most: usize) -> Option<String> {
    let is_plain = |c: &char| !c.is_ascii() || c.is_ascii_alphanumeric() || " '-&".contains(*c);
    let plain: String = name.chars().filter(is_plain).take(most).collect();
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use roadcall_providers::sms::segments;

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

    /// Numbers, addresses, codes and amounts contain digits: no text has any, and none is put together.
    #[test]
    fn texts_are_short_and_name_no_number() {
        for (locale, kind) in ALL.iter().flat_map(|locale| Kind::ALL.iter().map(move |kind| (locale, *kind)))
        {
            let (title, body) = pushed(*locale, kind);
            assert!((1..=40).contains(&title.chars().count()), "{kind}: {title}");
            assert!((1..=120).contains(&body.chars().count()), "{kind}: {body}");
            assert!(!format!("{title}{body}").contains(|c: char| c.is_numeric() || c == '{'), "{kind}");
        }
    }

    #[test]
    fn a_text_message_leaves_out_unknown_facts_and_is_one_message_in_english() {
        let link = format!("https://help.roadcall.example/track/{}", "x".repeat(43));
        let brand = "Roadcall";
        let (name, wait_min, link_given) = (Some("Ravishankar"), Some(120), Some(link.as_str()));
        let (until, partner) = (Some("11:25 am"), Some("Bharat General Insurance Company Ltd."));
        let facts =
            JobFacts { brand, name, wait_min, link: link_given, until, partner, ..JobFacts::default() };
        let kinds = [
            TextKind::Found,
            TextKind::Near,
            TextKind::Arrived,
            TextKind::Released,
            TextKind::Cancelled,
            TextKind::Follow,
            TextKind::Expected,
            TextKind::Rate,
        ];
        for (locale, kind) in ALL.iter().flat_map(|locale| kinds.map(|kind| (locale, kind))) {
            let template = text_message(*locale, kind);
            let (full, bare) =
                (facts.fill(template), JobFacts { brand, ..JobFacts::default() }.fill(template));
            assert!(!full.contains(['{', '|']) && !bare.contains(['{', '|']), "{full} {bare}");
            let half: String = bare.chars().take(bare.chars().count() / 2).collect();
            assert!(full.starts_with(&half), "{full} {bare}");
            assert_eq!(kind == TextKind::Found || kind.needs_link(), full.ends_with(&link), "{full}");
            let most = if *locale == Locale::English { 1 } else { 3 };
            assert!(segments(&full) <= most, "{full}");
        }
        let found = text_message(Locale::English, TextKind::Found);
        let only = JobFacts { brand, name: Some("a.b/c"), ..JobFacts::default() }.fill(found);
        assert_eq!(only, "Roadcall: a mechanic is coming to help: abc");
        assert_eq!(JobFacts { name: Some("."), ..JobFacts::default() }.fill("a| {name}|."), "a.");
    }

    #[test]
    fn a_sealed_push_names_work_pay_and_distance_or_who_comes_when() {
        let facts = JobFacts {
            name: Some("Ravishankar"),
            help: Some("Flat tyre"),
            pay: Some("₹1,255.50"),
            distance_m: Some(1_200),
            until: Some("9:25 am"),
            ..JobFacts::default()
        };
        let said = |kind, facts: &JobFacts<'_>| detailed(Locale::English, kind, facts);
        let texts = |title: &str, body: &str| Some((title.to_owned(), body.to_owned()));
        assert_eq!(
            said(Kind::JobOffer, &facts),
            texts("Flat tyre: ₹1,255.50", "1.2 km away. Accept or decline before the offer expires.")
        );
        assert_eq!(
            said(Kind::JobAccepted, &facts),
            texts("Ravishankar is coming to help", "Expected by 9:25 am. Follow them on the map in the app.")
        );
        let late = JobFacts { until: None, ..facts };
        assert_eq!(
            said(Kind::JobEnRoute, &late),
            texts("Ravishankar is on the way", "Follow them on the map in the app.")
        );
        assert_eq!(said(Kind::JobEnRoute, &JobFacts { name: Some("."), ..facts }), None);
        assert_eq!(said(Kind::JobPaid, &facts), None);
        let detailed: Vec<_> = Kind::ALL.iter().filter(|kind| said(**kind, &facts).is_some()).collect();
        assert_eq!(detailed.len(), 6, "{detailed:?}");
        for (locale, kind) in ALL.iter().flat_map(|locale| Kind::ALL.iter().map(move |kind| (*locale, *kind)))
        {
            let text = super::detailed(locale, kind, &facts);
            assert_eq!(
                (text.is_some(), kind.is_detailed()),
                (said(kind, &facts).is_some(), text.is_some()),
                "{kind}"
            );
            let Some((title, body)) = text else { continue };
            assert!(title.chars().count() <= 50 && body.chars().count() <= 120, "{title} {body}");
            assert!(!format!("{title}{body}").contains(['{', '|']), "{title} {body}");
            assert!(title.contains("Ravishankar") || title.contains("₹1,255.50"), "{title}");
        }
    }

    #[test]
    fn buttons_have_the_same_names_in_every_language() {
        for kind in Kind::ALL {
            let names =
                |locale: Locale| buttons(locale, *kind).iter().map(|(name, _)| *name).collect::<Vec<_>>();
            assert!(ALL.iter().all(|locale| names(*locale) == names(Locale::English)), "{kind}");
            assert!(names(Locale::English).len() <= 2, "phones show no more: {kind}");
        }
        assert_eq!(buttons(Locale::Hindi, Kind::JobOffer)[0], ("accept", "स्वीकार करें"));
        assert!(buttons(Locale::English, Kind::JobPaid).is_empty());
    }

    #[test]
    fn kinds_of_help_have_the_same_names_as_in_the_apps() {
        for locale in ALL {
            let tag = locale.tag();
            let path = format!("{}/../../web/messages/shared/{tag}.json", env!("CARGO_MANIFEST_DIR"));
            let words = std::fs::read_to_string(&path).expect("the words of the apps");
            let words: serde_json::Value = serde_json::from_str(&words).expect("JSON");
            for (slug, key) in [
                ("flat-tyre", "flat_tyre"),
                ("battery-jump-start", "battery"),
                ("towing", "towing"),
                ("fuel-delivery", "fuel"),
                ("lockout", "lockout"),
                ("on-site-repair", "repair"),
            ] {
                let shown = words[format!("shared_category_{key}")].as_str();
                assert_eq!(help(locale, slug), shown, "{tag} {slug}");
            }
            assert_eq!(help(locale, "windscreen"), None);
        }
    }

    #[test]
    fn each_language_has_texts_of_its_own() {
        for kind in Kind::ALL {
            let texts: BTreeSet<_> = ALL.iter().map(|locale| pushed(*locale, *kind)).collect();
            assert_eq!(texts.len(), ALL.len(), "{kind}");
        }
    }

    #[test]
    fn a_listed_text_has_the_reason_in_place_of_the_hint() {
        for locale in ALL {
            for kind in [Kind::MechanicSuspended, Kind::MechanicChangeRejected] {
                let (_, pushed) = pushed(locale, kind);
                let (_, listed) = listed(locale, kind, Some("The papers have run out"));
                assert!(listed.ends_with(": The papers have run out"), "{listed}");
                let kept = pushed.split(['.', '।']).next().expect("a sentence");
                assert!(listed.starts_with(kept) && !listed.contains(pushed), "{kind}: {listed}");
            }
        }
    }
}
