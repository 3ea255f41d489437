//! Decides whether an admin may assign a job to a mechanic directly, without an offer, and shows this in advance.
//! Pure.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    job::state::{BrokenRule, Ineligibility, Job, Override, Refusal},
    mechanic::state::{Fix, Mechanic},
    settings::PresencePolicy,
    status::Status,
};

/// Returns the rules that the admin overrides, or `None` if dispatch itself could have chosen this mechanic.
/// Assigning a mechanic whom dispatch would leave out requires a reason. A mechanic who is not verified is always
/// refused.
pub(crate) fn check_assignment(
    job: &Job,
    mechanic: &Mechanic,
    override_reason: Option<String>,
    policy: &PresencePolicy,
    now: DateTime<Utc>,
) -> Result<Option<Override>, Refusal> {
    if !mechanic.profile.is_verified {
        return Err(Refusal::NotEligible(Ineligibility::NotVerified));
    }
    let spec = &job.spec;
    let mut rules = mechanic.broken_rules((spec.vehicle_type, spec.category_id, spec.pickup), policy, now);
    rules.extend(job.excluded.contains(&mechanic.id).then_some(BrokenRule::Excluded));
    match override_reason {
        _ if rules.is_empty() => Ok(None),
        Some(reason) => Ok(Some(Override { rules, reason })),
        None => Err(Refusal::RulesBroken(rules)),
    }
}

/// Returns the position of the mechanic who takes a job back, if they still fit it. Their distance does not matter.
pub(crate) fn check_return(
    job: &Job,
    mechanic: &Mechanic,
    policy: &PresencePolicy,
    now: DateTime<Utc>,
) -> Result<Fix, Refusal> {
    if !mechanic.profile.is_verified {
        return Err(Refusal::NotEligible(Ineligibility::NotVerified));
    }
    let (spec, profile) = (&job.spec, &mechanic.profile);
    if !profile.vehicle_types.contains(&spec.vehicle_type) || !profile.categories.contains(&spec.category_id)
    {
        return Err(Refusal::NoLongerFits);
    }
    let is_current = |fix: &Fix| now - fix.recorded_at <= policy.fresh_position && fix.is_accurate(policy);
    mechanic.last.filter(is_current).ok_or(Refusal::NoPosition)
}

/// Whether an admin can assign a mechanic to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assignability {
    Yes,
    /// An admin can assign them only with a reason, since dispatch would leave them out.
    WithReason,
    No,
}

/// Returns what [`check_assignment`] and the guards of the commit would decide. Another job may end before the
/// assignment.
pub(crate) fn assignability(
    job: &Job,
    mechanic: &Mechanic,
    policy: &PresencePolicy,
    now: DateTime<Utc>,
) -> Assignability {
    if mechanic.engagement.job().is_some() || mechanic.profile.user_id == job.spec.customer_id {
        return Assignability::No;
    }
    match check_assignment(job, mechanic, None, policy, now) {
        Ok(_) => Assignability::Yes,
        Err(Refusal::RulesBroken(_)) => Assignability::WithReason,
        Err(_) => Assignability::No,
    }
}

/// Returns whether the job may still get a mechanic, or another one.
pub(crate) fn is_open(status: Status) -> bool {
    match status {
        Status::Pending
        | Status::Dispatching
        | Status::NoMechanicFound
        | Status::Accepted
        | Status::EnRoute
        | Status::Arrived => true,
        Status::InProgress
        | Status::Completed
        | Status::Paid
        | Status::Cancelled
        | Status::Disputed
        | Status::Resolved => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;
    use crate::{
        ids::{JobId, MechanicId, UserId, VehicleId},
        mechanic::state::{Engagement, Ping, PositionSource},
        simulation::world::{CENTRE, morning, profile, settings, spec},
    };

    const M: MechanicId = MechanicId(Uuid::from_u128(1));

    fn job() -> Job {
        let spec = spec(VehicleId(Uuid::from_u128(5)), CENTRE, morning());
        Job::new(JobId(Uuid::from_u128(1)), spec, BTreeSet::new())
    }

    fn offline() -> Mechanic {
        Mechanic::new(M, profile(UserId(Uuid::from_u128(7))), true, morning())
    }

    fn online() -> Mechanic {
        let mut mechanic = offline();
        let (accuracy_m, speed_mps, heading) = (Some(10.0), None, None);
        let recorded_at = morning();
        let ping =
            Ping { seq: 1, point: CENTRE, accuracy_m, speed_mps, heading, recorded_at, is_mock: false };
        mechanic.locate(
            vec![ping],
            PositionSource::App,
            &settings().presence,
            morning() + TimeDelta::milliseconds(200),
        );
        mechanic
    }

    fn check(job: &Job, mechanic: &Mechanic, reason: Option<&str>) -> Result<Option<Override>, Refusal> {
        let now = morning() + TimeDelta::seconds(1);
        check_assignment(job, mechanic, reason.map(str::to_owned), &settings().presence, now)
    }

    #[test]
    fn a_mechanic_whom_dispatch_could_choose_needs_no_reason() {
        assert_eq!(check(&job(), &online(), None), Ok(None));
        assert_eq!(check(&job(), &online(), Some("they are near")), Ok(None), "and overrides nothing");
    }

    #[test]
    fn a_mechanic_whom_dispatch_would_leave_out_needs_a_reason() {
        let mut left_out = job();
        left_out.excluded.insert(M);
        let cases = [
            (job(), offline(), vec![BrokenRule::Offline]),
            (left_out.clone(), online(), vec![BrokenRule::Excluded]),
            (left_out, offline(), vec![BrokenRule::Offline, BrokenRule::Excluded]),
        ];
        for (job, mechanic, rules) in cases {
            assert_eq!(check(&job, &mechanic, None), Err(Refusal::RulesBroken(rules.clone())));
            let reason = "nobody else is near".to_owned();
            assert_eq!(check(&job, &mechanic, Some(&reason)), Ok(Some(Override { rules, reason })));
        }
    }

    #[test]
    fn the_shown_assignability_matches_the_decision() {
        let shown = |job: &Job, mechanic: &Mechanic| {
            assignability(job, mechanic, &settings().presence, morning() + TimeDelta::seconds(1))
        };
        let mut unverified = online();
        unverified.profile.is_verified = false;
        let mut busy = online();
        let duty = None;
        busy.engagement = Engagement::Busy {
            job_id: JobId(Uuid::from_u128(9)),
            pickup: CENTRE,
            is_arrived: false,
            delivers_to: None,
            duty,
        };
        let mut own = online();
        own.profile.user_id = job().spec.customer_id;
        assert_eq!(shown(&job(), &online()), Assignability::Yes);
        assert_eq!(shown(&job(), &offline()), Assignability::WithReason);
        for refused in [unverified, busy, own] {
            assert_eq!(shown(&job(), &refused), Assignability::No, "{refused:?}");
        }
    }

    #[test]
    fn no_reason_makes_up_for_a_missing_verification() {
        let mut mechanic = online();
        mechanic.profile.is_verified = false;
        for reason in [None, Some("nobody else is near")] {
            assert!(matches!(check(&job(), &mechanic, reason), Err(Refusal::NotEligible(_))));
        }
    }
}
