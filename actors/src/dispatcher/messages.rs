//! What the dispatcher is told.

use std::collections::BTreeSet;

use actix::prelude::*;
use chrono::{DateTime, Utc};

use crate::{
    geo::Point,
    ids::{CategoryId, JobId, MechanicId},
    mechanic::state::{Engagement, Mechanic},
    ports::Estimate,
    settings::{PresencePolicy, SharedSearchPolicy},
    vehicle::VehicleType,
};

/// A job's word: so many offers are wanted now, or none.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Demand {
    pub job_id: JobId,
    pub want: Option<Want>,
}

/// What a job in search of a mechanic wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    pub attempt: u32,
    pub round: u32,
    /// How many offers the round has room for.
    pub offers: usize,
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub created_at: DateTime<Utc>,
    pub excluded: BTreeSet<MechanicId>,
    pub search: SharedSearchPolicy,
}

/// A mechanic's word: this is how it may be matched, or not at all.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Supply {
    pub mechanic_id: MechanicId,
    pub view: Option<View>,
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

impl View {
    /// `None` where the mechanic can't be matched: not verified, not online, or too inexactly located.
    pub(crate) fn of(mechanic: &Mechanic, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<View> {
        let fix = mechanic.last?;
        let is_exact = fix.accuracy_m.is_none_or(|accuracy| accuracy <= policy.max_accuracy_m);
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
}

/// Who could serve a pickup right now.
#[derive(Debug, Message)]
#[rtype(result = "Availability")]
pub struct Survey {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
}

/// The answer to a survey.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Availability {
    pub count: usize,
    pub nearest: Option<Estimate>,
    /// Where they are, nearest first, at most [`Availability::MAX_POINTS`].
    pub points: Vec<Point>,
}

impl Availability {
    pub const MAX_POINTS: usize = 50;
}

/// Numbers for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DispatcherCounts {
    pub waiting_jobs: usize,
    pub online_mechanics: usize,
    pub free_mechanics: usize,
}

#[derive(Debug, Message)]
#[rtype(result = "DispatcherCounts")]
pub(crate) struct Count;
