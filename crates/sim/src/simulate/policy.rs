//! The policies that are compared, as settings of one and the same engine.

use std::{fmt, str::FromStr, time::Duration};

use chrono::TimeDelta;
use roadcall_actors::settings::{SearchPolicy, Settings as EngineSettings, Strategy};
use serde::{Serialize, Serializer};

use super::scenario::Phones;

/// The bounds of a policy's own length of an attempt, in seconds.
const MIN_ATTEMPT_S: u32 = 30;
const MAX_ATTEMPT_S: u32 = 3_600;
/// A policy with an attempt of its own has at least one round for each of these seconds.
const ROUND_S: u32 = 20;

/// The engine as the service sets it, which the policies vary.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    pub engine: EngineSettings,
    pub search: SearchPolicy,
    /// The service's correction of its estimates of trips; `None` if it does not correct them.
    pub learning: Option<TripLearning>,
}

/// The correction of estimates of trips by finished ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TripLearning {
    pub every: Duration,
    /// The number of trips below which nothing is corrected.
    pub min_trips: usize,
}

/// The rule for who is offered a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The service's own rule.
    Ours,
    /// The service's rule, and some mechanics wait where they are advised to.
    Advised,
    /// The service's rule, without prices of mechanics' time.
    Exact,
    /// One offer at a time, to the nearest mechanic, however far away they are.
    Nearest,
    /// Offers to every mechanic within the ring at once; the first to accept wins.
    Broadcast,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Self::Ours, Self::Advised, Self::Exact, Self::Nearest, Self::Broadcast];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Advised => "advised",
            Self::Exact => "exact",
            Self::Nearest => "nearest",
            Self::Broadcast => "broadcast",
        }
    }
}

/// The rule for who is offered a job, and how long one attempt searches. Its text is `KIND` or `KIND@SECONDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Policy {
    pub kind: Kind,
    /// The length of an attempt in seconds; `None` means the service's.
    pub attempt_s: Option<u32>,
}

impl Policy {
    /// Returns the policy with the service's length of an attempt.
    pub fn plain(kind: Kind) -> Self {
        Self { kind, attempt_s: None }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        self.attempt_s.map_or(Ok(()), |seconds| write!(f, "@{seconds}"))
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, seconds) = text.split_once('@').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.as_str() == name) else {
            return Err("must be ours, advised, exact, nearest, broadcast or all".to_owned());
        };
        let Some(seconds) = seconds else { return Ok(Self::plain(kind)) };
        let within = seconds.parse().ok().filter(|s| (MIN_ATTEMPT_S..=MAX_ATTEMPT_S).contains(s));
        let wrong = || format!("{name}@ needs seconds from {MIN_ATTEMPT_S} to {MAX_ATTEMPT_S}");
        Ok(Self { kind, attempt_s: Some(within.ok_or_else(wrong)?) })
    }
}

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the service's settings, changed where the policy differs; e.g. the time to answer an offer and the rings stay.
pub fn settings_under(policy: Policy, service: &ServiceSettings, phones: &Phones) -> ServiceSettings {
    let ServiceSettings { mut engine, mut search, learning } = service.clone();
    engine.presence.fast_interval_s = phones.fast_interval_s;
    engine.presence.unwatched_interval_s = phones.fast_interval_s;
    engine.presence.slow_interval_s = phones.slow_interval_s;
    // No one reads explanations here, and writing them takes time.
    engine.matching.explain = false;
    if let Some(seconds) = policy.attempt_s {
        search.attempt_ttl = TimeDelta::seconds(i64::from(seconds));
        search.offer_ttl = search.offer_ttl.min(search.attempt_ttl);
        search.max_rounds = search.max_rounds.max(seconds.div_ceil(ROUND_S));
    }
    match policy.kind {
        Kind::Ours | Kind::Advised => {}
        Kind::Exact => {
            engine.matching.strategy = Strategy::Exact;
            engine.matching.pricing = None;
        }
        Kind::Nearest => {
            let widest = search.rings_m.iter().copied().reduce(f64::max);
            search.rings_m = widest.into_iter().collect();
            search.round_widths = vec![1];
            // There are as many rounds as the attempt has time for.
            search.max_rounds = u32::MAX;
            engine.matching.strategy = Strategy::Nearest;
        }
        Kind::Broadcast => {
            search.round_widths = vec![u32::MAX];
            engine.matching.strategy = Strategy::Broadcast;
        }
    }
    ServiceSettings { engine, search, learning }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::simulation::world;

    use super::*;
    use crate::{scenario::ScenarioFile, simulate::Scenario};

    #[test]
    fn a_written_policy_is_read_back() {
        for text in ["ours", "exact", "nearest@30", "broadcast@3600"] {
            assert_eq!(text.parse::<Policy>().map(|policy| policy.to_string()), Ok(text.to_owned()));
        }
        let odd = [
            "",
            "luck",
            "ours@",
            "ours@29",
            "ours@3601",
            "ours@-60",
            "ours@1.5",
            "@60",
            "ours@60@60",
            "Ours",
        ];
        for text in odd {
            assert!(text.parse::<Policy>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_policys_own_attempt_has_enough_rounds_and_no_suffix_changes_nothing() {
        let service = ServiceSettings { engine: world::settings(), search: world::search(), learning: None };
        let phones = Scenario::load("even").expect("built in").phones;
        let search = |text: &str| settings_under(text.parse().expect("a policy"), &service, &phones).search;
        assert_eq!(search("ours"), service.search);
        let long = search("exact@601");
        assert_eq!((long.attempt_ttl, long.max_rounds), (TimeDelta::seconds(601), 31));
        assert!(search("ours@30").max_rounds >= service.search.max_rounds);
        assert_eq!(search("nearest@600").max_rounds, u32::MAX);
        assert_eq!(search("broadcast@600").round_widths, [u32::MAX]);
    }
}
