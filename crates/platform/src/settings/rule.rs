//! The rules for settings, as data: each rule knows its setting, what that must be, and why. The check, the message and a test of
//! every bound come from the same list.

use std::{fmt, ops::RangeInclusive};

/// The seconds of a day.
pub const DAY_S: i64 = 86_400;
/// Ten years: a longer time is a typing error, and would overflow a date.
pub const MAX_DAYS: i64 = 3650;
/// The demand on an address to which paths are added.
pub const WEB_URL: &str = "must be an http or https URL without a query";
/// The message of production about an address at which others can read along.
pub const NOT_HTTPS: &str = "is not https";

/// A section of the settings.
pub trait Section {
    /// Returns the rules that must hold everywhere.
    fn rules(&self) -> Vec<Rule>;

    /// Returns the rules that protect a service for real people.
    fn rules_of_production(&self) -> Vec<Rule> {
        Vec::new()
    }
}

/// A rule for one setting, and whether it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    section: &'static str,
    field: &'static str,
    must: Must,
    why: Option<&'static str>,
    holds: bool,
}

/// The demand of a rule on its setting.
#[derive(Debug, Clone, PartialEq)]
enum Must {
    /// A number between two bounds, or a list of such numbers.
    Lie { from: Bound, to: Bound, of_each: bool },
    /// That many items or characters.
    Have { from: usize, to: usize, what: &'static str },
    /// A comparison with another setting of the section, such as "at least".
    Compare { how: &'static str, to: &'static str },
    /// Any other demand; the text continues the setting's name.
    Say(&'static str),
}

/// One end of a range: a number, which may be the value of another setting of the section.
#[derive(Debug, Clone, PartialEq)]
struct Bound {
    number: Number,
    setting: Option<&'static str>,
}

/// A number of the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Whole(i128),
    Real(f64),
}

macro_rules! whole {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Number {
            fn from(number: $kind) -> Self {
                Self::Whole(number as i128)
            }
        })*
    };
}

whole!(u16, u32, u64, usize, i32, i64);

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
        }
    }
}

/// Makes the rules of the section with that name.
#[derive(Debug, Clone, Copy)]
pub struct RulesOf(pub &'static str);

impl RulesOf {
    /// Demands a number within the range; NaN is in none.
    pub fn within<T: Copy + PartialOrd + Into<Number>>(
        self,
        field: &'static str,
        value: T,
        range: RangeInclusive<T>,
    ) -> Rule {
        self.lie(field, range.contains(&value), range, false)
    }

    /// Demands a list of numbers within the range.
    pub fn each_within<T: Copy + PartialOrd + Into<Number>>(
        self,
        field: &'static str,
        values: &[T],
        range: RangeInclusive<T>,
    ) -> Rule {
        self.lie(field, values.iter().all(|value| range.contains(value)), range, true)
    }

    fn lie<T: Copy + Into<Number>>(
        self,
        field: &'static str,
        holds: bool,
        range: RangeInclusive<T>,
        of_each: bool,
    ) -> Rule {
        let bound = |number: T| Bound { number: number.into(), setting: None };
        let must = Must::Lie { from: bound(*range.start()), to: bound(*range.end()), of_each };
        self.rule(field, holds, must)
    }

    /// Demands that many items or characters; `what` is their plural.
    pub fn has(
        self,
        field: &'static str,
        count: usize,
        range: RangeInclusive<usize>,
        what: &'static str,
    ) -> Rule {
        let must = Must::Have { from: *range.start(), to: *range.end(), what };
        self.rule(field, range.contains(&count), must)
    }

    /// Demands a text on one line with at most that many characters.
    pub fn line(self, field: &'static str, text: &str, most: usize) -> Rule {
        let holds = text.chars().count() <= most && !text.chars().any(char::is_control);
        self.rule(field, holds, Must::Have { from: 0, to: most, what: "characters, on one line" })
    }

    /// Demands at least the value of another setting of the section.
    pub fn at_least<T: PartialOrd>(
        self,
        field: &'static str,
        value: T,
        (to, other): (&'static str, T),
    ) -> Rule {
        self.rule(field, value >= other, Must::Compare { how: "at least", to })
    }

    /// Demands at most the value of another setting of the section.
    pub fn at_most<T: PartialOrd>(
        self,
        field: &'static str,
        value: T,
        (to, other): (&'static str, T),
    ) -> Rule {
        self.rule(field, value <= other, Must::Compare { how: "at most", to })
    }

    /// Demands more than the value of another setting of the section.
    pub fn above<T: PartialOrd>(self, field: &'static str, value: T, (to, other): (&'static str, T)) -> Rule {
        self.rule(field, value > other, Must::Compare { how: "above", to })
    }

    /// Demands what the text says; it continues the setting's name.
    pub fn says(self, field: &'static str, holds: bool, text: &'static str) -> Rule {
        self.rule(field, holds, Must::Say(text))
    }

    fn rule(self, field: &'static str, holds: bool, must: Must) -> Rule {
        Rule { section: self.0, field, must, why: None, holds }
    }
}

impl Rule {
    /// Adds the reason, which the message ends with.
    pub fn because(self, why: &'static str) -> Self {
        Self { why: Some(why), ..self }
    }

    /// Names the setting of the section whose value is the lower bound.
    pub fn down_to(mut self, setting: &'static str) -> Self {
        if let Must::Lie { from, .. } = &mut self.must {
            from.setting = Some(setting);
        }
        self
    }

    /// Names the setting of the section whose value is the upper bound.
    pub fn up_to(mut self, setting: &'static str) -> Self {
        if let Must::Lie { to, .. } = &mut self.must {
            to.setting = Some(setting);
        }
        self
    }

    pub fn is_broken(&self) -> bool {
        !self.holds
    }

    /// Returns the setting's name within its section.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Returns the setting's whole name.
    pub fn key(&self) -> String {
        format!("{}.{}", self.section, self.field)
    }

    /// Returns what the setting must be, for a reader who knows the section: other settings are named without it.
    pub fn fault(&self) -> String {
        self.sentence(&|field| field.to_owned())
    }

    /// Returns what the setting must be, and why; `named` writes the names of other settings.
    fn sentence(&self, named: &dyn Fn(&str) -> String) -> String {
        let bound = |bound: &Bound| match bound.setting {
            Some(setting) => named(setting),
            None => bound.number.to_string(),
        };
        let must = match &self.must {
            Must::Lie { from, to, of_each } => {
                let each = if *of_each { " each" } else { "" };
                format!("must be {} to {}{each}", bound(from), bound(to))
            }
            Must::Have { from: 0, to, what } => format!("must have at most {to} {what}"),
            Must::Have { from, to, what } => format!("must have {from} to {to} {what}"),
            Must::Compare { how, to } => format!("must be {how} {}", named(to)),
            Must::Say(text) => (*text).to_owned(),
        };
        match self.why {
            Some(why) => format!("{must}: {why}"),
            None => must,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |field: &str| format!("{}.{field}", self.section);
        write!(f, "{} {}", self.key(), self.sentence(&named))
    }
}

#[cfg(any(test, feature = "testing"))]
impl Rule {
    /// Returns values beyond the bounds of a range, as a file would set them.
    pub fn beyond(&self) -> Vec<String> {
        let Must::Lie { from, to, of_each } = &self.must else { return Vec::new() };
        let (below, above, nan) = match (from.number, to.number) {
            (Number::Whole(from), Number::Whole(to)) => {
                (Number::Whole(from - 1), Number::Whole(to + 1), None)
            }
            (Number::Real(from), Number::Real(to)) => {
                (Number::Real(from - 0.001), Number::Real(to + 0.001), Some("nan".to_owned()))
            }
            _ => return Vec::new(),
        };
        let written = |number: String| if *of_each { format!("[{number}]") } else { number };
        [below.to_string(), above.to_string()].into_iter().chain(nan).map(written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_checked_and_says_what_its_setting_must_be() {
        let mail = RulesOf("mail");
        let broken = [
            (mail.within("at_once", 33_usize, 1..=32), "mail.at_once must be 1 to 32"),
            (mail.within("zoom", f64::NAN, 0.1..=22.0), "mail.zoom must be 0.1 to 22"),
            (mail.each_within("widths", &[1_u32, 51], 1..=50), "mail.widths must be 1 to 50 each"),
            (mail.has("keys", 21, 0..=20, "keys"), "mail.keys must have at most 20 keys"),
            (mail.has("rings", 0, 1..=10, "rings"), "mail.rings must have 1 to 10 rings"),
            (mail.line("name", "a\nb", 9), "mail.name must have at most 9 characters, on one line"),
            (mail.at_least("whole_s", 1, ("part_s", 2)), "mail.whole_s must be at least mail.part_s"),
            (mail.at_most("part_s", 3, ("whole_s", 2)), "mail.part_s must be at most mail.whole_s"),
            (mail.above("idle_s", 2, ("ping_s", 2)), "mail.idle_s must be above mail.ping_s"),
            (
                mail.within("slow_s", 9, 1..=8).up_to("fast_s").because("phones sleep"),
                "mail.slow_s must be 1 to mail.fast_s: phones sleep",
            ),
            (mail.within("slow_s", 0, 1..=8).down_to("fast_s"), "mail.slow_s must be mail.fast_s to 8"),
            (mail.says("from", false, "is needed for smtp"), "mail.from is needed for smtp"),
        ];
        for (rule, message) in broken {
            assert!(rule.is_broken(), "{message}");
            assert_eq!(rule.to_string(), message);
        }
        for kept in [
            mail.within("at_once", 32, 1..=32),
            mail.each_within("widths", &[1, 50], 1..=50),
            mail.has("keys", 20, 0..=20, "keys"),
            mail.line("name", "a b", 3),
            mail.at_least("whole_s", 2, ("part_s", 2)),
            mail.at_most("part_s", 2, ("whole_s", 2)),
            mail.above("idle_s", 3, ("ping_s", 2)),
            mail.says("from", true, "is needed for smtp"),
        ] {
            assert!(!kept.is_broken(), "{kept}");
        }
    }

    #[test]
    fn a_reader_who_knows_the_section_gets_names_without_it() {
        let rule = RulesOf("dispatch").at_most("offer_ttl_s", 2, ("attempt_ttl_s", 1));
        assert_eq!((rule.key(), rule.field()), ("dispatch.offer_ttl_s".to_owned(), "offer_ttl_s"));
        assert_eq!(rule.fault(), "must be at most attempt_ttl_s");
    }
}
