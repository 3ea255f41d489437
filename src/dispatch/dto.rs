//! The dispatcher's record on the wire.

use roadcall_actors::{
    dispatcher::explain::{Method, Passed, Unfit},
    engine::{self, CandidateAssignability},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    accounts::users::MechanicContact,
    http::{Timestamp, text_enum},
    jobs::{EtaSource, JobStatus},
    offers::OfferStatus,
};

text_enum! {
    /// The outcome for a mechanic in a decision: `offered` the job, `passed` over although they fit, or `unfit` for it.
    DispatchVerdict { Offered = "offered", Passed = "passed", Unfit = "unfit", }
}

text_enum! {
    /// Why a mechanic was not offered the job. Some fit: they cost more than those who were offered it, or would take longer than
    /// the round has room for (`costs_more`); they are `matched_with_another_job`, which they serve better; they are
    /// `kept_for_other_jobs` that wait and could use them, since this one has its first offer; they are `not_reserved`, because
    /// they had just been engaged otherwise; or they are `held_back`, because an hour of their time is worth more now than this
    /// pickup, given the chance to arrive in time. Others do not fit: they are `engaged` (offered a job, or on one); their
    /// position is too old (`stale_position`); they do not serve the `vehicle_type` or the `service_category`; the pickup is
    /// `outside_own_radius`; or they are `excluded` from this job because they declined it, let two offers expire since its
    /// customer searched anew, gave it back, were taken off it, or are its customer.
    DispatchReason {
        CostsMore = "costs_more",
        MatchedWithAnotherJob = "matched_with_another_job",
        KeptForOtherJobs = "kept_for_other_jobs",
        NotReserved = "not_reserved",
        HeldBack = "held_back",
        Engaged = "engaged",
        StalePosition = "stale_position",
        VehicleType = "vehicle_type",
        ServiceCategory = "service_category",
        OutsideOwnRadius = "outside_own_radius",
        Excluded = "excluded",
    }
}

text_enum! {
    /// How a decision was reached: `alone`, no other job wanted the same mechanics; `exact`, the least total cost of all
    /// competing jobs; `bounded`, at most `gap_s` above that, because there were too many; `greedy`, one job at a time.
    DispatchMethod { Alone = "alone", Exact = "exact", Bounded = "bounded", Greedy = "greedy", }
}

impl From<Passed> for DispatchReason {
    fn from(why: Passed) -> Self {
        match why {
            Passed::CostsMore => Self::CostsMore,
            Passed::MatchedWith(_) => Self::MatchedWithAnotherJob,
            Passed::KeptForOthers => Self::KeptForOtherJobs,
            Passed::NotReserved => Self::NotReserved,
            Passed::HeldBack => Self::HeldBack,
        }
    }
}

impl From<Unfit> for DispatchReason {
    fn from(why: Unfit) -> Self {
        match why {
            Unfit::Engaged => Self::Engaged,
            Unfit::StalePosition => Self::StalePosition,
            Unfit::VehicleType => Self::VehicleType,
            Unfit::Category => Self::ServiceCategory,
            Unfit::OutsideOwnRadius => Self::OutsideOwnRadius,
            Unfit::Excluded => Self::Excluded,
        }
    }
}

impl From<Method> for DispatchMethod {
    fn from(method: Method) -> Self {
        match method {
            Method::Alone => Self::Alone,
            Method::Exact => Self::Exact,
            Method::Bounded { .. } => Self::Bounded,
            Method::Greedy => Self::Greedy,
        }
    }
}

/// Explains why each mechanic was, or was not, offered a job. Read `decisions` from the top: each is one look around the pickup,
/// out to `ring_km`, with the mechanics found there, nearest first. A mechanic who is missing was offline, not verified, too
/// inexactly located or farther away at that moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchRecord {
    pub job_id: Uuid,
    pub status: JobStatus,
    /// The search under way, or the last one, counted from 1; 0 before the first. A new search begins when a mechanic gives the
    /// job back, and with a retry.
    pub attempt: u32,
    /// The round under way; null unless the job is being dispatched.
    pub round: Option<u32>,
    /// When this attempt makes no more offers, and gives up if no offer is open; null unless the job is being dispatched.
    pub attempt_ends_at: Option<Timestamp>,
    /// The policy of this job's search. For a job that has ended, the policy that would apply now.
    pub policy: DispatchPolicy,
    /// The decisions, oldest first; only the newest 64. Looks of one round that offered nobody the job are one entry: the last of
    /// them, with their count in `looks`.
    pub decisions: Vec<DispatchDecision>,
    /// The number of older decisions that were replaced by newer ones. Decisions that a full queue lost are not counted here, but
    /// in the metric `roadcall_dispatch_decisions_lost_total`.
    pub dropped_decisions: i64,
    /// Every offer of the job, oldest first; if there are more than 500, the newest ones.
    pub offers: Vec<DispatchOffer>,
}

/// The settings of a job's search, with the category's overrides.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchPolicy {
    /// The version of the dispatch settings; 0 is the settings file.
    pub version: i64,
    /// Radii around the pickup, tried one after the other.
    pub rings_km: Vec<f64>,
    /// Simultaneous offers in round 1, 2, …; the last applies to every later round.
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    /// How long an offer lasts, in seconds.
    pub offer_ttl_s: i64,
    /// How long an attempt to find a mechanic lasts, in seconds.
    pub attempt_ttl_s: i64,
    /// The round at which accident and highway jobs begin.
    pub urgent_first_round: u32,
    /// A mechanic who arrives within this time after the call is in time, in seconds.
    pub in_time_s: i64,
    /// The value of serving the job in time, in seconds of pickup time.
    pub worth_s: i64,
}

/// One look around the pickup.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchDecision {
    /// The decision's number among the job's, from 1.
    pub number: i64,
    pub attempt: u32,
    pub round: u32,
    pub at: Timestamp,
    /// The number of looks that this represents: more than one if nobody was offered the job. A look with the same reasons as the
    /// one before is not counted.
    pub looks: i64,
    /// The radius of this look around the pickup.
    pub ring_km: f64,
    /// The number of offers that the round had room for.
    pub wanted: u32,
    /// Seconds of precedence over other jobs, because the job has waited or is urgent.
    pub priority_s: i64,
    /// The number of waiting jobs that were decided together because they could use the same mechanics, including this one.
    pub competing_jobs: u32,
    pub method: DispatchMethod,
    /// The most by which the decision's total cost may exceed the best one, in seconds; null unless `bounded`.
    pub gap_s: Option<i64>,
    /// The mechanics considered, at most 50, nearest first: all who were offered the job, then the nearest others.
    pub considered: Vec<DispatchCandidate>,
    /// The number of further mechanics within the ring; where there are hundreds, some just outside are counted too.
    pub omitted: u32,
}

/// A mechanic who was considered.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchCandidate {
    pub mechanic_profile_id: Uuid,
    /// The first name; null if the mechanic has none.
    pub name: Option<String>,
    /// The straight-line distance to the pickup, in metres.
    pub distance_m: u32,
    pub verdict: DispatchVerdict,
    /// Null if they were offered the job.
    pub reason: Option<DispatchReason>,
    /// The job that they were matched with instead; null unless that is the reason.
    pub with_job_id: Option<Uuid>,
    /// Null if they do not fit.
    pub terms: Option<DispatchTerms>,
    /// The reason in one line, with its numbers; null unless they were `held_back`.
    pub note: Option<String>,
    /// The offer that they got, and its outcome. Null if they were not offered the job, or the job had changed before the offer
    /// was made.
    pub offer: Option<CandidateOffer>,
}

text_enum! {
    /// Whether an admin can assign the mechanic: `yes`; `with_reason`, since dispatch would leave them out (`override_reason`);
    /// or `no`, because they are on another job, are not verified, or are the customer.
    Assignable { Yes = "yes", WithReason = "with_reason", No = "no", }
}

impl From<CandidateAssignability> for Assignable {
    fn from(assignability: CandidateAssignability) -> Self {
        match assignability {
            CandidateAssignability::Yes => Self::Yes,
            CandidateAssignability::WithReason => Self::WithReason,
            CandidateAssignability::No => Self::No,
        }
    }
}

/// A mechanic who is online, and whether they could take the job.
#[derive(Debug, Serialize, ToSchema)]
pub struct AssignmentCandidate {
    pub mechanic_profile_id: Uuid,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
    #[schema(example = 12.9761)]
    pub lat: f64,
    #[schema(example = 77.6243)]
    pub lng: f64,
    /// When the position was recorded.
    pub seen_at: Timestamp,
    /// The straight-line distance to the pickup, in metres.
    pub distance_m: u32,
    pub eta_s: u32,
    pub eta_source: EtaSource,
    /// The job that they are on; null if there is none.
    pub job_id: Option<Uuid>,
    /// Why dispatch would not offer them the job now; empty if it could.
    pub refusals: Vec<DispatchReason>,
    pub assignable: Assignable,
}

impl AssignmentCandidate {
    pub fn of(candidate: engine::AssignmentCandidate, mechanic: MechanicContact) -> Self {
        let engine::AssignmentCandidate { id, last, estimate, job, misfits, assignability } = candidate;
        Self {
            mechanic_profile_id: id.0,
            mechanic,
            lat: last.point.lat,
            lng: last.point.lng,
            seen_at: last.recorded_at.into(),
            distance_m: estimate.distance_m,
            eta_s: estimate.eta_s,
            eta_source: estimate.source.into(),
            job_id: job.map(|job| job.0),
            refusals: misfits.into_iter().map(DispatchReason::from).collect(),
            assignable: assignability.into(),
        }
    }
}

/// The cost of a mechanic, in seconds of pickup time; the mechanic with the least cost is offered the job.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchTerms {
    pub eta_s: u32,
    pub eta_source: EtaSource,
    /// The expected cost of the chance that they refuse.
    pub refusal_s: i64,
    /// Reduction for the time that they were idle: negative or 0.
    pub idle_s: i64,
    /// Added for a mechanic who waits at a place with the phone in a pocket, for seeing the offer and getting to the vehicle; else 0.
    pub parked_s: i64,
    /// The additional cost of the mechanic's time and of a late arrival; null if `mechanic_prices` was off.
    pub foresight: Option<DispatchForesight>,
    /// The sum of `eta_s`, `refusal_s`, `idle_s`, `parked_s`, and of `price_s` and `late_s` in `foresight`.
    pub cost_s: i64,
}

/// The cost of a mechanic's absence during this job, and of a late arrival. If `price_s` and `late_s` together reach `worth_s`
/// and they are not likely to be in time (50 % at most), the mechanic is `held_back`.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchForesight {
    /// The price of an hour of this mechanic: how many jobs it costs elsewhere.
    pub jobs_lost_per_hour: f64,
    /// The price of an hour of a mechanic of the same kind who has just become free; it falls while they wait. Null in older
    /// records.
    pub jobs_lost_per_hour_at_first: Option<f64>,
    /// How long they would be away: the drive and the work.
    pub busy_s: i64,
    /// The cost of that time, in seconds of pickup time.
    pub price_s: i64,
    /// The chance that they arrive in time.
    #[schema(minimum = 0, maximum = 100)]
    pub chance_in_time_percent: f64,
    /// The cost of the chance of being late, in seconds of pickup time.
    pub late_s: i64,
    /// The value of serving the job in time, in seconds of pickup time.
    pub worth_s: i64,
}

/// The outcome of an offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct CandidateOffer {
    pub id: Uuid,
    pub status: OfferStatus,
    /// Null while it is pending.
    pub settled_at: Option<Timestamp>,
    /// The reason in the mechanic's words.
    pub decline_reason: Option<String>,
}

/// An offer of the job.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchOffer {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    /// The first name; null if the mechanic has none.
    pub name: Option<String>,
    pub attempt: u32,
    pub round: u32,
    pub status: OfferStatus,
    /// The straight-line distance to the pickup, in metres.
    pub distance_m: u32,
    pub eta_s: u32,
    /// The mechanic's cost when they were chosen, in seconds.
    pub cost_s: i64,
    /// The reason in the mechanic's words.
    pub decline_reason: Option<String>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// Null while it is pending.
    pub settled_at: Option<Timestamp>,
}
