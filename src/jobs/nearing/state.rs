use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use roadcall_actors::{ids::JobId, outbound::Sighting};
use uuid::Uuid;

use crate::platform::worker::Wakeup;

/// A mechanic this many seconds away or closer is near, at any distance.
const NEAR_S: u32 = 120;
/// The maximum number of mechanics that are remembered; beyond it, all are forgotten.
const MAX_REMEMBERED: usize = 10_000;

/// A mechanic on the way to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnTheWay {
    pub job_id: Uuid,
    pub mechanic_id: Uuid,
}

/// Mechanics who came near the pickup.
#[derive(Debug, Clone, Default)]
pub struct NearMechanics {
    known: Arc<Mutex<Known>>,
    came: Wakeup,
    /// `sms.near_m`; `None` if nobody is notified.
    near_m: Option<u32>,
}

#[derive(Debug, Default)]
struct Known {
    /// The mechanic whose position was near, by job.
    near: HashMap<Uuid, Uuid>,
    /// The mechanics whose customers have not been notified yet.
    due: Vec<OnTheWay>,
}

/// Returns whether a position proves that the mechanic is about to arrive.
fn is_near(sighting: &Sighting, near_m: u32) -> bool {
    let fix = &sighting.fix;
    let is_exact = fix.accuracy_m.is_none_or(|accuracy_m| accuracy_m <= f64::from(near_m));
    let is_close = |way: &roadcall_actors::eta::TripEstimate| way.distance_m <= near_m || way.eta_s <= NEAR_S;
    !fix.is_implausible && is_exact && sighting.estimate.as_ref().is_some_and(is_close)
}

impl NearMechanics {
    /// Watches for mechanics within so many metres.
    pub fn within(near_m: Option<u32>) -> Self {
        Self { near_m, ..Self::default() }
    }

    /// Records a mechanic's position. Never waits.
    pub fn note(&self, sighting: &Sighting) {
        let Some(near_m) = self.near_m else { return };
        let on_the_way = OnTheWay { job_id: sighting.job_id.0, mechanic_id: sighting.mechanic_id.0 };
        if sighting.estimate.is_none() {
            // The mechanic has arrived.
            self.forget(on_the_way.job_id);
        } else if is_near(sighting, near_m) && self.known().come(on_the_way) {
            self.came.wake();
        }
    }

    /// Waits until a mechanic has come near. Only one worker waits.
    pub async fn next(&self) {
        self.came.woken().await;
    }

    /// Forgets a job that has changed, because its mechanic may have set out only now.
    pub fn look_again(&self, job: JobId) {
        if self.near_m.is_some() {
            self.forget(job.0);
        }
    }

    /// Takes the mechanics whose customers have not been notified yet.
    pub(super) fn take_due(&self) -> Vec<OnTheWay> {
        std::mem::take(&mut self.known().due)
    }

    /// Forgets the job's mechanic: the next position that is near counts as the first.
    pub(super) fn forget(&self, job_id: Uuid) {
        self.known().near.remove(&job_id);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Remembers the mechanic as near, and returns whether they were not near before.
    fn come(&mut self, on_the_way: OnTheWay) -> bool {
        if self.near.len() >= MAX_REMEMBERED {
            self.near.clear();
        }
        let OnTheWay { job_id, mechanic_id } = on_the_way;
        let is_news = self.near.insert(job_id, mechanic_id) != Some(mechanic_id);
        if is_news {
            self.due.push(on_the_way);
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
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

    #[test]
    fn a_mechanic_is_near_by_distance_or_by_time_if_a_position_proves_it() {
        assert!(is_near(&sighting(500, 900), 500));
        assert!(is_near(&sighting(1500, 120), 500));
        assert!(!is_near(&sighting(501, 121), 500));
        let vague = |alter: fn(&mut Sighting)| {
            let mut sighting = sighting(100, 30);
            alter(&mut sighting);
            is_near(&sighting, 500)
        };
        assert!(!vague(|sighting| sighting.fix.is_implausible = true));
        assert!(!vague(|sighting| sighting.fix.accuracy_m = Some(2000.0)));
        assert!(!vague(|sighting| sighting.estimate = None), "they have arrived");
    }

    #[test]
    fn each_mechanic_comes_near_once_until_the_job_changes_or_they_have_arrived() {
        let near = NearMechanics::within(Some(500));
        near.note(&sighting(5000, 900));
        assert!(near.take_due().is_empty());
        near.note(&sighting(400, 60));
        near.note(&sighting(300, 50));
        assert_eq!(near.take_due().len(), 1);
        near.note(&sighting(200, 40));
        assert!(near.take_due().is_empty());
        near.look_again(JobId(Uuid::from_u128(1)));
        near.note(&sighting(200, 40));
        assert_eq!(near.take_due().len(), 1, "they may have set out");
        near.note(&Sighting { estimate: None, ..sighting(0, 0) });
        assert!(near.known().near.is_empty(), "nothing stays of a job that goes on");
        let none = NearMechanics::within(None);
        none.note(&sighting(100, 30));
        assert!(none.take_due().is_empty());
    }
}
