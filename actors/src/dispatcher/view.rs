//! What the dispatcher sees of jobs and mechanics, and what it answers. Pure data.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use crate::{
    geo::Point,
    ids::{CategoryId, MechanicId},
    job::state::{Job, Stage, Urgency},
    mechanic::state::{Engagement, Mechanic},
    ports::Estimate,
    settings::{PresencePolicy, SharedSearchPolicy},
    vehicle::VehicleType,
};

/// What a job in search of a mechanic wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    pub attempt: u32,
    pub round: u32,
    /// How many offers the round has room for.
    pub offers: usize,
    /// Whether one of its offers is being answered: it waits less than others do.
    pub has_offer: bool,
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub urgency: Urgency,
    /// Since when somebody waits for help: a scheduled job, since it began.
    pub waiting_since: DateTime<Utc>,
    pub excluded: BTreeSet<MechanicId>,
    pub search: SharedSearchPolicy,
}

/// A mechanic that is online, as the dispatcher sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub point: Point,
    /// Until when the position counts as fresh.
    pub fresh_until: DateTime<Utc>,
    /// Neither reserved, nor offered a job, nor on one.
    pub is_free: bool,
    pub radius_m: f64,
    pub vehicle_types: BTreeSet<VehicleType>,
    pub categories: BTreeSet<CategoryId>,
    pub idle_since: DateTime<Utc>,
    /// The chance that it accepts an offer, in thousandths, by its recent answers.
    pub acceptance_permille: u32,
}

impl Want {
    /// As many offers as the round of a job has room for; `None` where it looks for nobody now.
    pub(crate) fn of(job: &Job, now: DateTime<Utc>) -> Option<Want> {
        let Stage::Dispatching(search) = &job.stage else { return None };
        let (spec, policy) = (&job.spec, &job.spec.search);
        let room = policy.width(search.round).saturating_sub(search.offers.len());
        let is_on = search.round <= policy.max_rounds && search.has_time(now);
        (room > 0 && is_on).then(|| Want {
            attempt: job.attempt,
            round: search.round,
            offers: room,
            has_offer: !search.offers.is_empty(),
            pickup: spec.pickup,
            vehicle_type: spec.vehicle_type,
            category_id: spec.category_id,
            urgency: spec.urgency,
            waiting_since: spec.created_at.max(spec.begin_at),
            excluded: job.excluded.clone(),
            search: policy.clone(),
        })
    }
}

impl View {
    /// `None` where the mechanic can't be matched: not verified, not online, or too inexactly located.
    pub(crate) fn of(mechanic: &Mechanic, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<View> {
        let fix = mechanic.last?;
        let is_exact = fix.is_exact(policy);
        if !mechanic.profile.is_verified || !mechanic.is_online(policy, now) || !is_exact {
            return None;
        }
        Some(View {
            point: fix.point,
            fresh_until: fix.recorded_at + policy.fresh_position,
            is_free: matches!(mechanic.engagement, Engagement::Free),
            radius_m: mechanic.profile.radius_m,
            vehicle_types: mechanic.profile.vehicle_types.clone(),
            categories: mechanic.profile.categories.clone(),
            idle_since: mechanic.idle_since,
            acceptance_permille: mechanic.history.acceptance_permille(),
        })
    }

    /// Whether it could serve such a job at this distance, were it free.
    pub(crate) fn could_serve(
        &self,
        vehicle_type: VehicleType,
        category_id: CategoryId,
        distance_m: f64,
        now: DateTime<Utc>,
    ) -> bool {
        now <= self.fresh_until
            && distance_m <= self.radius_m
            && self.vehicle_types.contains(&vehicle_type)
            && self.categories.contains(&category_id)
    }
}

/// Who could serve a pickup right now.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
}

/// The free mechanics that could serve a pickup right now, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
    /// How many of them.
    pub k: usize,
}

/// The answer to a survey. Nothing of it depends on where in its cell a mechanic is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Availability {
    pub count: usize,
    /// From the middle of the nearest one's cell.
    pub nearest: Option<Estimate>,
    /// The middles of their cells, nearest first, one a mechanic, at most [`Availability::MAX_CELLS`].
    pub cells: Vec<Point>,
}

impl Availability {
    pub const MAX_CELLS: usize = 50;
    /// Side of a cell in metres.
    pub const CELL_M: f64 = 200.0;
}

/// Numbers for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DispatcherCounts {
    pub waiting_jobs: usize,
    pub online_mechanics: usize,
    pub free_mechanics: usize,
    /// Looks at the waiting jobs, since the dispatcher started; so are all further ones.
    pub passes: u64,
    /// Groups of competing jobs that were decided as one assignment.
    pub contested: u64,
    /// Those of them that were not solved to the end: their answer may be dearer than the optimum.
    pub bounded: u64,
    /// Those of them that were solved beside the dispatcher, because they were large.
    pub beside: u64,
    /// Questions for ETA tables.
    pub eta_tables: u64,
    /// Choices that were dropped, because job or mechanic changed while they were made.
    pub stale: u64,
}
