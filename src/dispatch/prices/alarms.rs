//! Signs that prices hold mechanics back without benefit. Pure. The Prometheus rules in deploy/alerts.yml are the same.

use chrono::{DateTime, Utc};
use roadcall_actors::{dispatcher::pricing::Market, experience::HoldReport, geo::Point};
use uuid::Uuid;

use super::{
    dto::{DispatchAlarm, DispatchAlarmKind},
    view::{Names, rounded},
};
use crate::thresholds::{self, Level};

/// If no more than this share of the mechanics is free, a wrong belief about their load does no harm.
const FREE_SHARE: f64 = 0.25;

/// The figures of a market that these rules use.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub near: Point,
    pub idle_beside_held: f64,
    pub price_share: f64,
    /// Mechanics that calls are believed to keep busy, those who are busy, and those online.
    pub load: f64,
    pub busy: f64,
    pub online: f64,
}

impl Look {
    pub fn of(market: &Market) -> Self {
        let guard = &market.guard;
        Self {
            near: market.near,
            idle_beside_held: guard.idle_beside_held(),
            price_share: guard.price_share(),
            load: market.load(),
            busy: guard.busy(),
            online: guard.online(),
        }
    }

    /// Returns how many times more mechanics are believed to be busy than really are; 0 if hardly any are free, since the belief
    /// then does no harm.
    pub fn load_ratio(&self) -> f64 {
        let free = self.online - self.busy;
        if free > FREE_SHARE * self.online { self.load / self.busy.max(1.0) } else { 0.0 }
    }
}

/// Lists the present causes for concern.
pub fn alarms(looks: &[Look], holds: &HoldReport, names: &Names, now: DateTime<Utc>) -> Vec<DispatchAlarm> {
    let mut found = Vec::new();
    for look in looks {
        let mut add = |kind, text: String| {
            let place = (rounded(look.near.lat), rounded(look.near.lng));
            found.push(DispatchAlarm {
                kind,
                lat: Some(place.0),
                lng: Some(place.1),
                service_category_id: None,
                text,
            });
        };
        if thresholds::IDLE_BESIDE_HELD.is_past(look.idle_beside_held) {
            let (idle, share) = (100.0 * look.idle_beside_held, 100.0 * look.price_share);
            add(
                DispatchAlarmKind::IdleBesideHeld,
                format!(
                    "{idle:.0} % of the mechanics stand free beside held jobs that they fit. Prices count {share:.0} % until that is over.",
                ),
            );
        }
        if thresholds::LOAD_RATIO.is_past(look.load_ratio()) {
            add(
                DispatchAlarmKind::LoadOverrated,
                format!(
                    "Calls are believed to keep {:.0} mechanics busy, but {:.0} of {:.0} are: jobs are shorter, or the ways, than was learned.",
                    look.load, look.busy, look.online,
                ),
            );
        }
    }
    let (ended, wasted) = (holds.ended.sum(), holds.ended.wasted);
    let share = wasted as f64 / ended.max(1) as f64;
    if thresholds::HOLDS.is_past(ended as f64) && thresholds::HOLDS_WASTED.is_past(share) {
        let share = 100.0 * share;
        found.push(DispatchAlarm {
            kind: DispatchAlarmKind::WastedHolds,
            lat: None,
            lng: None,
            service_category_id: None,
            text: format!("{share:.0} % of {ended} holds since the server started brought nothing: the mechanic took no other job meanwhile, and the customer's came too late."),
        });
    }
    let is_starving = |since: DateTime<Utc>| thresholds::STARVING.level_of(now - since) > Level::Fine;
    for starving in holds.starving.iter().filter(|starving| is_starving(starving.since)) {
        let id: Uuid = starving.category_id.0;
        found.push(DispatchAlarm {
            kind: DispatchAlarmKind::CategoryStarves,
            lat: None,
            lng: None,
            service_category_id: Some(id),
            text: format!(
                "{}: jobs are held back, and none was completed for {} minutes.",
                names.category(id),
                (now - starving.since).num_minutes()
            ),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use roadcall_actors::{
        experience::{HoldCounts, StarvingCategory},
        ids::CategoryId,
    };

    use super::*;

    fn look() -> Look {
        Look {
            near: Point::new(12.9, 77.5),
            idle_beside_held: 0.06,
            price_share: 1.0,
            load: 8.0,
            busy: 6.0,
            online: 12.0,
        }
    }

    fn kinds(looks: &[Look], holds: &HoldReport) -> Vec<DispatchAlarmKind> {
        let now = DateTime::UNIX_EPOCH + TimeDelta::hours(5);
        alarms(looks, holds, &Names::of(Vec::new()), now).into_iter().map(|alarm| alarm.kind).collect()
    }

    #[test]
    fn a_healthy_city_gives_no_alarm() {
        let ended = HoldCounts { justified: 30, free: 50, wasted: 15 };
        assert_eq!(kinds(&[look()], &HoldReport { ended, ..HoldReport::default() }), []);
        assert_eq!(kinds(&[], &HoldReport::default()), []);
    }

    #[test]
    fn each_rule_raises_its_alarm() {
        let idle = Look { idle_beside_held: 0.11, price_share: 0.5, ..look() };
        assert_eq!(kinds(&[idle], &HoldReport::default()), [DispatchAlarmKind::IdleBesideHeld]);
        let overrated = Look { load: 20.0, ..look() };
        assert_eq!(kinds(&[overrated], &HoldReport::default()), [DispatchAlarmKind::LoadOverrated]);
        assert_eq!(
            kinds(&[Look { busy: 10.0, load: 99.0, ..look() }], &HoldReport::default()),
            [],
            "hardly anybody is free"
        );
        let wasted =
            HoldReport { ended: HoldCounts { justified: 10, free: 5, wasted: 5 }, ..HoldReport::default() };
        assert_eq!(kinds(&[], &wasted), [DispatchAlarmKind::WastedHolds]);
        let few =
            HoldReport { ended: HoldCounts { justified: 0, free: 0, wasted: 19 }, ..HoldReport::default() };
        assert_eq!(kinds(&[], &few), [], "too few to say");
        for (since, expected) in [(5, &[][..]), (3, &[DispatchAlarmKind::CategoryStarves][..])] {
            let since = DateTime::UNIX_EPOCH + TimeDelta::hours(since);
            let starving = vec![StarvingCategory { category_id: CategoryId(Uuid::nil()), since }];
            assert_eq!(kinds(&[], &HoldReport { starving, ..HoldReport::default() }), expected);
        }
    }
}
