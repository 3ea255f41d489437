//! When a mechanic counts as near, and when a position is sent. Pure.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::outbound::Sighting;
use uuid::Uuid;

use super::queries::{PositionFeed, WatchedRow};
use crate::partners::feeds::events::NearFigures;

/// Returns the figures, if a position proves that the mechanic is nearer than a threshold of the subscription.
pub fn near(watched: &WatchedRow, sighting: &Sighting) -> Option<NearFigures> {
    let (fix, estimate) = (&sighting.fix, sighting.estimate.as_ref()?);
    let within_m = watched.within_m.and_then(|metres| u32::try_from(metres).ok());
    let below_s =
        watched.eta_below_min.and_then(|minutes| u32::try_from(minutes).ok()).map(|minutes| minutes * 60);
    let is_close = within_m.is_some_and(|metres| estimate.distance_m <= metres);
    let is_soon = below_s.is_some_and(|seconds| estimate.eta_s <= seconds);
    let is_sure = !fix.is_implausible
        && within_m.is_none_or(|metres| fix.accuracy_m.is_none_or(|accuracy| accuracy <= f64::from(metres)));
    let is_near = watched.is_en_route && is_sure && (is_close || is_soon);
    is_near.then_some(NearFigures { eta_s: estimate.eta_s, distance_m: estimate.distance_m })
}

/// The positions that were sent. Lost with the process: then a position may be sent a little early.
#[derive(Debug, Default)]
pub struct SentPositions {
    /// When a position was last sent, and when it had been recorded.
    last: HashMap<PositionFeed, (DateTime<Utc>, DateTime<Utc>)>,
    /// The feeds whose position has not arrived, each with the organisation of its subscription.
    on_the_way: HashMap<PositionFeed, Uuid>,
}

impl SentPositions {
    /// Returns whether this position is sent now, and notes that it is on the way then. A feed has one position on the way, and gets
    /// only newer ones.
    pub fn begin(
        &mut self,
        (feed, organisation_id): (PositionFeed, Uuid),
        every: TimeDelta,
        recorded_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> bool {
        let is_due =
            self.last.get(&feed).is_none_or(|(sent_at, of)| *sent_at + every <= now && *of < recorded_at);
        if !is_due || self.on_the_way.contains_key(&feed) {
            return false;
        }
        self.on_the_way.insert(feed, organisation_id);
        self.last.insert(feed, (now, recorded_at));
        true
    }

    /// Returns how many positions are on the way to the subscriptions of an organisation.
    pub fn on_the_way_to(&self, organisation_id: Uuid) -> usize {
        self.on_the_way.values().filter(|id| **id == organisation_id).count()
    }

    /// Notes that a position has arrived, or will not.
    pub fn end(&mut self, feed: PositionFeed) {
        self.on_the_way.remove(&feed);
    }

    /// Forgets the feeds that are not watched any more.
    pub fn keep(&mut self, watched: &HashSet<PositionFeed>) {
        self.last.retain(|feed, _| watched.contains(feed));
    }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::{
        eta::{EtaSource, TripEstimate},
        geo::Point,
        ids::{JobId, MechanicId},
        mechanic::state::{Fix, PositionSource},
    };

    use super::*;

    fn sighting(distance_m: u32, eta_s: u32) -> Sighting {
        let estimate = TripEstimate { eta_s, base_s: eta_s, distance_m, source: EtaSource::StraightLine };
        Sighting {
            job_id: JobId(Uuid::from_u128(1)),
            mechanic_id: MechanicId(Uuid::from_u128(2)),
            fix: Fix {
                point: Point::new(12.9, 77.6),
                seq: 1,
                accuracy_m: Some(10.0),
                speed_mps: None,
                heading: None,
                recorded_at: DateTime::UNIX_EPOCH,
                received_at: DateTime::UNIX_EPOCH,
                is_implausible: false,
                source: PositionSource::App,
            },
            estimate: Some(estimate),
        }
    }

    fn watched(eta_below_min: Option<i32>, within_m: Option<i32>) -> WatchedRow {
        WatchedRow {
            job_id: Uuid::from_u128(1),
            case_id: Uuid::from_u128(3),
            subscription_id: Uuid::from_u128(4),
            organisation_id: Uuid::from_u128(5),
            eta_below_min,
            within_m,
            positions_every_s: None,
            is_en_route: true,
            accepted_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_mechanic_is_near_by_either_threshold() {
        let both = watched(Some(10), Some(500));
        assert!(near(&both, &sighting(500, 900)).is_some());
        assert!(near(&both, &sighting(1500, 600)).is_some());
        assert!(near(&both, &sighting(501, 601)).is_none());
        assert!(near(&watched(None, Some(500)), &sighting(1500, 10)).is_none());
        assert!(near(&watched(Some(10), None), &sighting(10, 700)).is_none());
        assert_eq!(near(&both, &sighting(400, 60)), Some(NearFigures { eta_s: 60, distance_m: 400 }));
    }

    #[test]
    fn a_doubtful_position_and_a_mechanic_who_has_not_set_out_are_not_near() {
        let both = watched(Some(10), Some(500));
        let doubtful = |alter: fn(&mut Sighting)| {
            let mut sighting = sighting(100, 30);
            alter(&mut sighting);
            near(&both, &sighting).is_none()
        };
        assert!(doubtful(|sighting| sighting.fix.is_implausible = true));
        assert!(doubtful(|sighting| sighting.fix.accuracy_m = Some(2_000.0)));
        assert!(doubtful(|sighting| sighting.estimate = None));
        let waiting = WatchedRow { is_en_route: false, ..both };
        assert!(near(&waiting, &sighting(100, 30)).is_none());
    }

    #[test]
    fn positions_keep_their_interval_and_only_the_newest_is_on_the_way() {
        let at = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        let (feed, every) = ((Uuid::from_u128(1), Uuid::from_u128(2)), TimeDelta::seconds(30));
        let (organisation, mut sent) = (Uuid::from_u128(3), SentPositions::default());
        let of = (feed, organisation);
        assert!(sent.begin(of, every, at(0), at(1)));
        assert!(!sent.begin(of, every, at(35), at(40)), "the first has not arrived");
        assert_eq!((sent.on_the_way_to(organisation), sent.on_the_way_to(feed.0)), (1, 0));
        sent.end(feed);
        assert_eq!(sent.on_the_way_to(organisation), 0);
        assert!(!sent.begin(of, every, at(20), at(25)), "too early");
        assert!(!sent.begin(of, every, at(0), at(40)), "nothing new");
        assert!(sent.begin(of, every, at(35), at(40)));
        sent.keep(&HashSet::new());
        assert!(sent.last.is_empty());
    }
}
