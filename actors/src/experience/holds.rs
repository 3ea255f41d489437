//! Judges whether it was worth holding jobs back.
//!
//! A hold begins when a job is left waiting although a mechanic who fits is free, because their time is worth more.
//! It is judged by the mechanic who would have cost least, and by the time that they would have been away:
//!
//! - **justified**: within that time they took other work;
//! - **free**: they did not, but the job was reached in time anyway;
//! - **wasted**: they did not, and the job was not reached in time.
//!
//! A hold is judged when its result can't change any more. Counts begin anew with each process.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    geo::Cell,
    ids::{CategoryId, JobId, MechanicId},
};

/// The number of holds that are remembered until they are judged; others are only counted.
const MAX_OPEN: usize = 10_000;
/// The number of places for which holds are counted; further ones are only in the sum.
const MAX_PLACES: usize = 1_000;
/// A category in which no job had to wait for this long is forgotten.
const STARVING_FOR: TimeDelta = TimeDelta::hours(1);

/// A job that is held back, and the mechanic from whom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldJob {
    pub job_id: JobId,
    pub category_id: CategoryId,
    /// The cell of the pickup.
    pub cell: Cell,
    /// The mechanic who would have been sent.
    pub mechanic_id: MechanicId,
    /// The time that they would have been away.
    pub busy: TimeDelta,
    /// When the job is late.
    pub late_at: DateTime<Utc>,
}

/// The numbers of holds by their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HoldCounts {
    /// The mechanic took other work in the time that they would have been away.
    pub justified: u64,
    /// They did not, but the job was reached in time anyway.
    pub free: u64,
    /// The mechanic did not, and the job was not reached in time.
    pub wasted: u64,
}

/// A category whose jobs are held back while none of them is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StarvingCategory {
    pub category_id: CategoryId,
    /// When the first job was held back after the last completion.
    pub since: DateTime<Utc>,
}

/// The results of holding jobs back, since this process started.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HoldReport {
    pub ended: HoldCounts,
    /// Holds that are not judged yet.
    pub open: usize,
    /// Holds that were left out because too many were open.
    pub uncounted: u64,
    pub starving: Vec<StarvingCategory>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Holds {
    open: BTreeMap<JobId, Hold>,
    ended: HoldCounts,
    by_place: BTreeMap<Cell, HoldCounts>,
    uncounted: u64,
    starving: BTreeMap<CategoryId, Starving>,
}

#[derive(Debug, Clone, Copy)]
struct Hold {
    cell: Cell,
    mechanic_id: MechanicId,
    saved_until: DateTime<Utc>,
    late_at: DateTime<Utc>,
    /// Whether the job was in time, once that is known.
    in_time: Option<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Starving {
    since: DateTime<Utc>,
    last: DateTime<Utc>,
}

/// The end of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HoldEnd {
    Justified,
    Free,
    Wasted,
}

impl HoldCounts {
    pub fn sum(&self) -> u64 {
        self.justified + self.free + self.wasted
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.justified += other.justified;
        self.free += other.free;
        self.wasted += other.wasted;
    }

    fn count(&mut self, end: HoldEnd) {
        match end {
            HoldEnd::Justified => self.justified += 1,
            HoldEnd::Free => self.free += 1,
            HoldEnd::Wasted => self.wasted += 1,
        }
    }
}

impl Holds {
    /// Notes that a job is held back, or still is.
    pub fn hold(&mut self, held: &HeldJob, now: DateTime<Utc>) {
        let starving = self.starving.entry(held.category_id).or_insert(Starving { since: now, last: now });
        starving.last = starving.last.max(now);
        if self.open.contains_key(&held.job_id) {
            return;
        }
        if self.open.len() >= MAX_OPEN {
            self.uncounted += 1;
            return;
        }
        let HeldJob { cell, mechanic_id, busy, late_at, .. } = *held;
        let saved_until = now + busy.max(TimeDelta::zero());
        self.open.insert(held.job_id, Hold { cell, mechanic_id, saved_until, late_at, in_time: None });
    }

    /// Notes that a mechanic took a job: any other job held back from them in that time was held back for good
    /// reason.
    pub fn took(&mut self, mechanic_id: MechanicId, job_id: JobId, at: DateTime<Utc>) {
        self.settle(at);
        let is_reason = |held: JobId, hold: &Hold| {
            held != job_id && hold.mechanic_id == mechanic_id && at <= hold.saved_until
        };
        let ended = self.open.iter().filter(|(id, hold)| is_reason(**id, hold)).map(|(id, _)| *id);
        for id in ended.collect::<Vec<_>>() {
            self.end(id, HoldEnd::Justified);
        }
    }

    /// Notes that a mechanic reached the job, or its customer gave up.
    pub fn job_ended(&mut self, job_id: JobId, in_time: bool) {
        if let Some(hold) = self.open.get_mut(&job_id) {
            hold.in_time = hold.in_time.or(Some(in_time));
        }
    }

    /// Notes that a job of this category was completed.
    pub fn completed(&mut self, category_id: CategoryId) {
        self.starving.remove(&category_id);
    }

    /// Judges all holds that can be judged by now.
    pub fn settle(&mut self, now: DateTime<Utc>) {
        let ended = self.open.iter().filter_map(|(id, hold)| Some((*id, hold.end_at(now)?)));
        for (id, end) in ended.collect::<Vec<_>>() {
            self.end(id, end);
        }
        self.starving.retain(|_, starving| now - starving.last < STARVING_FOR);
    }

    pub fn report(&self) -> HoldReport {
        let starving = self
            .starving
            .iter()
            .map(|(id, starving)| StarvingCategory { category_id: *id, since: starving.since });
        HoldReport {
            ended: self.ended,
            open: self.open.len(),
            uncounted: self.uncounted,
            starving: starving.collect(),
        }
    }

    /// Returns the counts by the places of the pickups.
    pub fn by_place(&self) -> Vec<(Cell, HoldCounts)> {
        self.by_place.iter().map(|(cell, counts)| (*cell, *counts)).collect()
    }

    fn end(&mut self, id: JobId, end: HoldEnd) {
        let Some(hold) = self.open.remove(&id) else { return };
        self.ended.count(end);
        if self.by_place.len() < MAX_PLACES || self.by_place.contains_key(&hold.cell) {
            self.by_place.entry(hold.cell).or_default().count(end);
        }
    }
}

impl Hold {
    /// Returns how the hold ended if the mechanic took no other job. That is known once the saved time is over and
    /// it is known whether the job was in time.
    fn end_at(&self, now: DateTime<Utc>) -> Option<HoldEnd> {
        if now <= self.saved_until {
            return None;
        }
        let in_time = self.in_time.or_else(|| (now > self.late_at).then_some(false))?;
        Some(if in_time { HoldEnd::Free } else { HoldEnd::Wasted })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use uuid::Uuid;

    use super::*;
    use crate::geo::Point;

    const TOW: CategoryId = CategoryId(Uuid::from_u128(1));

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn job(n: u128) -> JobId {
        JobId(Uuid::from_u128(n))
    }

    fn mechanic(n: u128) -> MechanicId {
        MechanicId(Uuid::from_u128(n))
    }

    /// Returns a hold that would keep the mechanic for 1,000 s, of a job that is late at 1,800 s.
    fn held(job_id: JobId, mechanic_id: MechanicId) -> HeldJob {
        HeldJob {
            job_id,
            category_id: TOW,
            cell: Point::new(12.97, 77.59).cell(),
            mechanic_id,
            busy: TimeDelta::seconds(1_000),
            late_at: at(1_800),
        }
    }

    fn begun() -> Holds {
        let mut holds = Holds::default();
        holds.hold(&held(job(1), mechanic(1)), at(0));
        holds
    }

    fn counts(justified: u64, free: u64, wasted: u64) -> HoldCounts {
        HoldCounts { justified, free, wasted }
    }

    #[test]
    fn a_hold_is_justified_by_other_work_in_the_time_that_it_saved() {
        let mut holds = begun();
        holds.took(mechanic(2), job(3), at(10));
        holds.took(mechanic(1), job(1), at(20));
        assert_eq!(holds.report().ended, HoldCounts::default(), "another mechanic, and the job itself");
        holds.took(mechanic(1), job(2), at(1_000));
        assert_eq!(holds.report().ended, counts(1, 0, 0));
        assert_eq!(holds.by_place(), [(Point::new(12.97, 77.59).cell(), counts(1, 0, 0))]);
    }

    #[test]
    fn a_hold_without_a_late_job_is_free_and_any_other_is_wasted() {
        for (reached, expected) in
            [(Some(true), counts(0, 1, 0)), (Some(false), counts(0, 0, 1)), (None, counts(0, 0, 1))]
        {
            let mut holds = begun();
            if let Some(in_time) = reached {
                holds.job_ended(job(1), in_time);
            }
            holds.settle(at(1_000));
            assert_eq!(holds.report().open, 1, "other work may still justify it");
            holds.took(mechanic(1), job(2), at(1_001));
            holds.settle(at(1_801));
            assert_eq!((holds.report().ended, holds.report().open), (expected, 0), "{reached:?}");
        }
    }

    #[test]
    fn a_job_that_stays_held_is_one_hold_and_may_be_held_anew_later() {
        let mut holds = begun();
        holds.hold(&held(job(1), mechanic(9)), at(10));
        holds.took(mechanic(9), job(2), at(20));
        assert_eq!(holds.report().ended.sum(), 0, "the first mechanic counts");
        holds.took(mechanic(1), job(3), at(30));
        holds.hold(&held(job(1), mechanic(9)), at(40));
        holds.settle(at(5_000));
        assert_eq!(holds.report().ended, counts(1, 0, 1));
    }

    #[test]
    fn a_category_starves_while_its_jobs_are_held_back_and_none_is_completed() {
        let mut holds = begun();
        holds.hold(&held(job(2), mechanic(1)), at(3_000));
        assert_eq!(holds.report().starving, [StarvingCategory { category_id: TOW, since: at(0) }]);
        holds.settle(at(3_000 + 3_599));
        assert_eq!(holds.report().starving.len(), 1);
        holds.settle(at(3_000 + 3_600));
        assert_eq!(holds.report().starving, [], "nobody has waited for it for an hour");
        holds.hold(&held(job(3), mechanic(1)), at(9_000));
        holds.completed(TOW);
        assert_eq!(holds.report().starving, []);
    }

    proptest! {
        #[test]
        fn every_hold_is_judged_once_in_the_end(steps in vec((0_u8..4, 0_u128..6, 0_u128..4, 0_i64..600), 0..200)) {
            let (mut holds, mut now, mut begun) = (Holds::default(), 0, 0);
            for (what, one, two, later) in steps {
                now += later;
                match what {
                    0 => {
                        let before = holds.report().open;
                        holds.hold(&HeldJob { late_at: at(now + 1_800), ..held(job(one), mechanic(two)) }, at(now));
                        begun += holds.report().open - before;
                    }
                    1 => holds.took(mechanic(two), job(one), at(now)),
                    2 => holds.job_ended(job(one), two % 2 == 0),
                    _ => holds.settle(at(now)),
                }
                let report = holds.report();
                prop_assert_eq!(report.ended.sum() as usize + report.open, begun);
            }
            holds.settle(at(now + 2_000));
            prop_assert_eq!(holds.report().open, 0);
            let mut sum = HoldCounts::default();
            holds.by_place().iter().for_each(|(_, counts)| sum.add(counts));
            prop_assert_eq!(sum, holds.report().ended);
        }
    }
}
