//! Deliberate faults: `--faults journal-refusals=0.01,lost-messages=0.02,maps-apps=0.5,crash-every=3600`.

use std::str::FromStr;

use roadcall_actors::simulation::{Fault, MemoryJournal, journal::RATED_COMMITS};

use crate::rng::{Purpose, Rng};

/// The greatest rate: beyond a third, too little gets through for a run to end.
const MAX_RATE: f64 = 0.33;
/// The shortest time between crashes: a process that crashes more often gets nothing done.
const MIN_CRASH_S: f64 = 10.0;

/// The rates of faults.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Faults {
    /// Commits that fail, and are known to have failed.
    pub journal_refusals: f64,
    /// Commits whose outcome stays unknown: half of them happened.
    pub unknown_outcomes: f64,
    /// Messages between phones and the service, in both directions, that get lost.
    pub lost_messages: f64,
    /// The share of time in which a phone has no connection, on top of the scenario's.
    pub dark_phones: f64,
    /// The share of ways to pickups on which another app shows the mechanic the way, so that nothing comes from their phone until
    /// they arrive: with their app telling the service …
    pub maps_apps: f64,
    /// … and without telling it.
    pub untold_maps_apps: f64,
    /// The share of mechanics with an app that goes on sending their positions meanwhile.
    pub trackers: f64,
    /// The interval in seconds at which the process ends, and another one continues from the committed state.
    pub crash_every_s: Option<f64>,
}

impl FromStr for Faults {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut faults = Self::default();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("{part:?} is not name=value"))?;
            let value: f64 = value.parse().map_err(|_| format!("{name}: {value:?} is not a number"))?;
            let rate = match name {
                "journal-refusals" => &mut faults.journal_refusals,
                "unknown-outcomes" => &mut faults.unknown_outcomes,
                "lost-messages" => &mut faults.lost_messages,
                "dark-phones" => &mut faults.dark_phones,
                "maps-apps" | "untold-maps-apps" | "trackers" if (0.0..=1.0).contains(&value) => {
                    let share = match name {
                        "maps-apps" => &mut faults.maps_apps,
                        "trackers" => &mut faults.trackers,
                        _ => &mut faults.untold_maps_apps,
                    };
                    *share = value;
                    continue;
                }
                "maps-apps" | "untold-maps-apps" | "trackers" => {
                    return Err(format!("{name} must be 0 to 1, not {value}"));
                }
                "crash-every" if (MIN_CRASH_S..=604_800.0).contains(&value) => {
                    faults.crash_every_s = Some(value);
                    continue;
                }
                "crash-every" => {
                    return Err(format!("{name} must be {MIN_CRASH_S} to 604800 s, not {value}"));
                }
                _ => {
                    return Err(format!(
                        "{name} is none of journal-refusals, unknown-outcomes, lost-messages, dark-phones, maps-apps, \
                         untold-maps-apps, trackers, crash-every"
                    ));
                }
            };
            if !(0.0..=MAX_RATE).contains(&value) {
                return Err(format!("{name} must be 0 to {MAX_RATE}, not {value}"));
            }
            *rate = value;
        }
        Ok(faults)
    }
}

impl Faults {
    /// Returns the text that [`FromStr`] reads.
    pub fn as_text(&self) -> String {
        let rates = [
            ("journal-refusals", self.journal_refusals),
            ("unknown-outcomes", self.unknown_outcomes),
            ("lost-messages", self.lost_messages),
            ("dark-phones", self.dark_phones),
            ("maps-apps", self.maps_apps),
            ("untold-maps-apps", self.untold_maps_apps),
            ("trackers", self.trackers),
            ("crash-every", self.crash_every_s.unwrap_or(0.0)),
        ];
        let set = rates.into_iter().filter(|(_, rate)| *rate > 0.0);
        set.map(|(name, rate)| format!("{name}={rate}")).collect::<Vec<_>>().join(",")
    }

    /// Makes the journal fail at these rates.
    pub fn apply_to(&self, journal: &MemoryJournal, rng: Rng) {
        let rate = |share: f64| (share * f64::from(RATED_COMMITS)).round() as u32;
        let rates = [
            (Fault::Failed, rate(self.journal_refusals)),
            (Fault::UnknownCommitted, rate(self.unknown_outcomes / 2.0)),
            (Fault::UnknownNotCommitted, rate(self.unknown_outcomes / 2.0)),
        ];
        if rates.iter().any(|(_, rate)| *rate > 0) {
            let random = roadcall_actors::random::Random::seeded(rng.on(Purpose::Journal).seed());
            journal.fail_at_rate(random, rates);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_faults_are_read_back() {
        let text = "journal-refusals=0.01,lost-messages=0.02,maps-apps=0.5,trackers=0.8,crash-every=3600";
        let faults: Faults = text.parse().expect("faults");
        assert_eq!((faults.journal_refusals, faults.crash_every_s), (0.01, Some(3600.0)));
        assert_eq!(faults.as_text(), text);
        assert_eq!(Faults::default().as_text(), "");
    }

    #[test]
    fn invalid_faults_are_refused_by_name() {
        for (text, named) in [
            ("", "name=value"),
            ("sabotage=1", "sabotage is none of"),
            ("lost-messages=2", "lost-messages must be 0 to 0.33"),
            ("lost-messages=-0.1", "lost-messages must be"),
            ("dark-phones=NaN", "dark-phones must be"),
            ("maps-apps=1.5", "maps-apps must be 0 to 1"),
            ("trackers=-1", "trackers must be 0 to 1"),
            ("crash-every=1", "crash-every must be 10"),
            ("crash-every=x", "is not a number"),
        ] {
            let why = text.parse::<Faults>().expect_err(text);
            assert!(why.contains(named), "{text}: {why}");
        }
    }
}
