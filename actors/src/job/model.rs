//! The parts and stages of a job. Pure data, with everything that can be derived from it without rules.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    account::OnAccount,
    destination::Destination,
    items::{ItemStatus, LineItem},
};
use crate::{
    concern::{Concern, Delay, Duty},
    eta::EtaSource,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, UserId, VehicleId},
    named::named_enum,
    settings::SharedSearchPolicy,
    vehicle::VehicleType,
};

pub use crate::{
    offer::JobSummary,
    status::{Status, Urgency},
};

/// A job as its actor knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    /// The number of commits so far.
    pub version: i64,
    /// The number of commits that every participant may see; dense from 1.
    pub seq: i64,
    pub spec: JobSpec,
    pub stage: Stage,
    /// The number of attempts so far: 1 in the first, 0 before dispatch began.
    pub attempt: u32,
    /// Mechanics who are not offered this job.
    pub excluded: BTreeSet<MechanicId>,
    /// Mechanics whose offer expired. A second expiry excludes them until the customer searches again. Those who
    /// refused the job or left it are only in `excluded`.
    pub expired_once: BTreeSet<MechanicId>,
    /// The items that the mechanic on the job proposed, in that order; at most [`super::items::MAX_ITEMS`].
    pub items: Vec<LineItem>,
    /// The number of corrections so far, at most [`super::corrections::MAX_CORRECTIONS`].
    pub corrections: u32,
    /// The pickup at creation, if it was moved since.
    pub moved_from: Option<Point>,
    /// The mechanic who left the job last, and their reason.
    pub left: Option<Left>,
}

/// The terms of a job. They are fixed at creation, except for what a correction or an approved tow changes. Prices
/// are in paise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobSpec {
    pub customer_id: UserId,
    pub vehicle_id: VehicleId,
    pub category_id: CategoryId,
    pub vehicle_type: VehicleType,
    pub pickup: Point,
    pub urgency: Urgency,
    pub summary: Arc<JobSummary>,
    pub base_price_paise: i64,
    pub travel_price_paise: i64,
    /// The destination of the vehicle, if it is towed.
    #[serde(default)]
    pub destination: Option<Arc<Destination>>,
    /// The price of the way there, if it was agreed at creation. For a tow that was agreed on the spot, the line
    /// item has the price.
    #[serde(default)]
    pub destination_price_paise: i64,
    /// Set if an organisation ordered the job, and pays for it up to its cover. Servers of releases without partners leave this out, so
    /// nobody but an [`Actor::Partner`](super::state::Actor::Partner) orders such a job: they can't read that.
    #[serde(default)]
    pub on_account: Option<OnAccount>,
    pub created_at: DateTime<Utc>,
    /// When dispatch begins.
    pub begin_at: DateTime<Utc>,
    pub search: SharedSearchPolicy,
}

impl JobSpec {
    /// Returns the estimate shown to the customer at creation: base, travel and the way to the destination, tax
    /// included.
    pub fn estimated_price_paise(&self) -> i64 {
        self.base_price_paise + self.travel_price_paise + self.destination_price_paise
    }
}

/// Details that the engine passes on without using them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JobDetails {
    pub pickup_address: String,
    pub description: Option<String>,
    pub photo_urls: Vec<String>,
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub contact_preference: String,
    pub vehicle_color: Option<String>,
    pub vehicle_registration_number: String,
    pub scheduled_for: Option<DateTime<Utc>>,
    /// The number of jobs that the customer may have open at once, unless the journal knows another number for
    /// them. `None` means any number.
    pub most_open_jobs: Option<u32>,
}

/// The stage of a job, with its data.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    Pending,
    Dispatching(Search),
    Accepted(Assignment),
    EnRoute(Assignment),
    Arrived(Assignment),
    InProgress(Assignment),
    Completed(Completion),
    NoMechanicFound {
        until: DateTime<Utc>,
    },
    Cancelled(Cancellation),
    /// Everything that was due is paid.
    Paid(Completion),
    /// The customer or the mechanic contests the work or its price; an admin decides next.
    Disputed(Completion),
    /// An admin has decided the dispute. Final.
    Resolved(Completion),
}

/// One attempt to find a mechanic.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Counts from 1; past the policy's last round the search is exhausted.
    pub round: u32,
    /// The number of offers made in this round so far.
    pub offered_in_round: u32,
    /// The time from which no offers are made; the attempt ends with its last offer.
    pub ends_at: DateTime<Utc>,
    pub offers: Vec<LiveOffer>,
}

/// An offer that a mechanic may still answer.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveOffer {
    pub id: OfferId,
    pub mechanic_id: MechanicId,
    pub round: u32,
    pub distance_m: u32,
    pub eta_s: u32,
    /// As in [`crate::eta::TripEstimate`].
    pub eta_base_s: u32,
    pub eta_source: EtaSource,
    pub cost_s: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A reserved mechanic, before the offer is committed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    pub offer_id: OfferId,
    pub mechanic_id: MechanicId,
    pub distance_m: u32,
    pub eta_s: u32,
    /// As in [`crate::eta::TripEstimate`].
    pub eta_base_s: u32,
    pub eta_source: EtaSource,
    pub cost_s: i64,
    /// Whether the mechanic waits at a place where only a push reaches them.
    pub is_parked: bool,
}

/// The mechanic who serves the job.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    pub mechanic_id: MechanicId,
    /// The offer that was accepted; `None` if an admin assigned.
    pub offer_id: Option<OfferId>,
    pub accepted_at: DateTime<Utc>,
    /// Equals the time of acceptance if the travel time was not known; see [`Assignment::promise`].
    pub promised_at: DateTime<Utc>,
    pub en_route_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    /// Whether the mechanic said that they had arrived while no position showed it.
    pub arrival_is_unproven: bool,
    /// The concern that the customer knew of then. The mechanic's word alone does not take away what the concern
    /// allowed the customer.
    pub arrival_concern: Option<Concern>,
    pub started_at: Option<DateTime<Utc>>,
    /// When the vehicle was loaded onto the mechanic's truck, which drives to the destination from then on.
    pub loaded_at: Option<DateTime<Utc>>,
    /// The four digits that the customer gives the mechanic; `None` if the setting is off.
    pub start_code: Option<String>,
    pub wrong_codes: u32,
    pub locked_until: Option<DateTime<Utc>>,
    /// The concern that was reported to the customer, until it is over or the mechanic has arrived.
    pub delay: Option<Delay>,
    /// Since when another app has been showing the mechanic the way, so that their phone may be silent.
    pub navigating_since: Option<DateTime<Utc>>,
    /// Whether the mechanic had lost the job because their phone was silent, and took it back.
    pub is_taken_back: bool,
}

impl Assignment {
    /// Creates the assignment of a mechanic who has done nothing yet, by nobody's offer and with no known travel time.
    pub fn new(mechanic_id: MechanicId, accepted_at: DateTime<Utc>) -> Self {
        Self {
            mechanic_id,
            offer_id: None,
            accepted_at,
            promised_at: accepted_at,
            en_route_at: None,
            arrived_at: None,
            arrival_is_unproven: false,
            arrival_concern: None,
            started_at: None,
            loaded_at: None,
            start_code: None,
            wrong_codes: 0,
            locked_until: None,
            delay: None,
            navigating_since: None,
            is_taken_back: false,
        }
    }

    /// Returns when the customer may expect the mechanic, or `None` if the travel time was not known.
    pub fn promise(&self) -> Option<DateTime<Utc>> {
        Some(self.promised_at).filter(|promised_at| *promised_at > self.accepted_at)
    }
}

/// A mechanic who had the job and did not finish it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    pub mechanic_id: MechanicId,
    pub reason: LeaveReason,
    pub at: DateTime<Utc>,
}

named_enum! {
    /// The reason why a mechanic left a job, as its customer sees it.
    LeaveReason {
        /// The mechanic gave the job back for this reason, as with the next five.
        VehicleTrouble = "vehicle_trouble",
        CannotReach = "cannot_reach",
        MissingParts = "missing_parts",
        WrongSkill = "wrong_skill",
        Personal = "personal",
        Other = "other",
        /// The watch took the job because nothing came from the mechanic's phone.
        Silent = "silent",
        Stalled = "stalled",
        MovingAway = "moving_away",
        Late = "late",
        /// An admin took the job. The admin's reason is for admins only.
        Reassigned = "reassigned",
    }
}

impl LeaveReason {
    /// Translates the reason of [`super::event::Event::Released`].
    pub fn of(reason_code: &str, by_mechanic: bool) -> Self {
        if by_mechanic {
            return Self::parse(reason_code).unwrap_or(Self::Other);
        }
        let concern = Concern::ALL.into_iter().find(|concern| concern.reassign_reason() == reason_code);
        match concern {
            Some(Concern::Dark) => Self::Silent,
            Some(Concern::Stalled) => Self::Stalled,
            Some(Concern::MovingAway) => Self::MovingAway,
            Some(Concern::Slipping) => Self::Late,
            None => Self::Reassigned,
        }
    }
}

/// The result of a completed job, and its price.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub assignment: Assignment,
    pub outcome: Outcome,
    pub notes: Option<String>,
    /// The person who took the vehicle at its destination.
    pub received_by: Option<String>,
    pub final_price_paise: i64,
    pub at: DateTime<Utc>,
    pub disputed_at: Option<DateTime<Utc>>,
    pub resolved_at: Option<DateTime<Utc>>,
}

/// The reason of a cancellation because the customer was not there.
pub const NO_SHOW: &str = "customer_no_show";
/// The reason of a cancellation because no mechanic came and the customer did not search again in time.
pub const NO_MECHANIC_FOUND: &str = "no_mechanic_found";

/// The cancellation of a job, and its fee.
#[derive(Debug, Clone, PartialEq)]
pub struct Cancellation {
    /// The mechanic who was on the job.
    pub assignment: Option<Assignment>,
    pub fee_paise: i64,
    pub reason_code: String,
    pub reason: Option<String>,
    pub at: DateTime<Utc>,
}

named_enum! {
    /// The way in which the work ended.
    Outcome {
        Fixed = "fixed",
        Temporary = "temporary",
        NeedsTow = "needs_tow",
        NotFixable = "not_fixable",
        /// The vehicle was handed over at its destination.
        Towed = "towed",
    }
}

impl Job {
    /// Creates a job. Its creation is committed as version 1.
    pub fn new(id: JobId, spec: JobSpec, excluded: BTreeSet<MechanicId>) -> Self {
        let (expired_once, items) = (BTreeSet::new(), Vec::new());
        Self {
            id,
            version: 1,
            seq: 1,
            spec,
            stage: Stage::Pending,
            attempt: 0,
            excluded,
            expired_once,
            items,
            corrections: 0,
            moved_from: None,
            left: None,
        }
    }

    /// Returns the stage's name.
    pub fn status(&self) -> Status {
        match &self.stage {
            Stage::Pending => Status::Pending,
            Stage::Dispatching(_) => Status::Dispatching,
            Stage::Accepted(_) => Status::Accepted,
            Stage::EnRoute(_) => Status::EnRoute,
            Stage::Arrived(_) => Status::Arrived,
            Stage::InProgress(_) => Status::InProgress,
            Stage::Completed(_) => Status::Completed,
            Stage::NoMechanicFound { .. } => Status::NoMechanicFound,
            Stage::Cancelled(_) => Status::Cancelled,
            Stage::Paid(_) => Status::Paid,
            Stage::Disputed(_) => Status::Disputed,
            Stage::Resolved(_) => Status::Resolved,
        }
    }

    /// Returns the mechanic who serves, or served, the job.
    pub fn assignment(&self) -> Option<&Assignment> {
        match &self.stage {
            Stage::Accepted(a) | Stage::EnRoute(a) | Stage::Arrived(a) | Stage::InProgress(a) => Some(a),
            Stage::Completed(c) | Stage::Paid(c) | Stage::Disputed(c) | Stage::Resolved(c) => {
                Some(&c.assignment)
            }
            Stage::Cancelled(cancellation) => cancellation.assignment.as_ref(),
            Stage::Pending | Stage::Dispatching(_) | Stage::NoMechanicFound { .. } => None,
        }
    }

    /// Returns how the work ended, once it has.
    pub fn completion(&self) -> Option<&Completion> {
        match &self.stage {
            Stage::Completed(c) | Stage::Paid(c) | Stage::Disputed(c) | Stage::Resolved(c) => Some(c),
            Stage::Pending
            | Stage::Dispatching(_)
            | Stage::Accepted(_)
            | Stage::EnRoute(_)
            | Stage::Arrived(_)
            | Stage::InProgress(_)
            | Stage::NoMechanicFound { .. }
            | Stage::Cancelled(_) => None,
        }
    }

    /// Returns what the watch over the mechanic on the job needs to know.
    pub fn duty(&self) -> Option<Duty> {
        let a = self.assignment().filter(|_| self.status().is_active())?;
        let reported = a.delay.map(|delay| delay.concern);
        let (promised_at, navigating_since) = (a.promise(), a.navigating_since);
        Some(Duty { attempt: self.attempt, promised_at, reported, navigating_since })
    }

    /// Returns the mechanic who lost the job last, if they lost it because nothing came from their phone. They may
    /// take it back while no mechanic has it.
    pub fn lost_by_silence(&self) -> Option<MechanicId> {
        self.left.filter(|left| left.reason == LeaveReason::Silent).map(|left| left.mechanic_id)
    }

    /// Returns the price of the job so far: the estimate and what the customer approved. Once the work has ended, a
    /// tow that did not happen is left out.
    pub fn price_paise(&self) -> i64 {
        self.price_if(self.is_towed())
    }

    /// Returns whether the way to the destination counts: once the work has ended, only for a vehicle that was loaded.
    pub(super) fn is_towed(&self) -> bool {
        self.completion().is_none_or(|done| done.assignment.loaded_at.is_some())
    }

    /// Returns the price of the job without the way to its destination.
    pub fn price_without_tow_paise(&self) -> i64 {
        self.price_if(false)
    }

    /// Returns the price of the job if the work ends now. A tow that did not happen costs nothing, whenever it was
    /// agreed.
    pub(super) fn final_price_paise(&self, assignment: &Assignment) -> i64 {
        self.price_if(assignment.loaded_at.is_some())
    }

    fn price_if(&self, is_towed: bool) -> i64 {
        // A discount may be larger than the rest without the way.
        self.sum_of(is_towed, |_| true).max(0)
    }

    /// Returns the estimate with those of the approved items that count.
    pub(super) fn sum_of(&self, is_towed: bool, counts: impl Fn(&LineItem) -> bool) -> i64 {
        let counts = |item: &&LineItem| {
            item.status == ItemStatus::Approved && (is_towed || item.destination.is_none()) && counts(item)
        };
        let items: i64 = self.items.iter().filter(counts).map(|item| item.terms.total_paise()).sum();
        let way_paise = if is_towed { self.spec.destination_price_paise } else { 0 };
        self.spec.base_price_paise + self.spec.travel_price_paise + way_paise + items
    }

    /// Returns the number of items that the customer has yet to decide.
    pub fn undecided(&self) -> usize {
        self.items.iter().filter(|item| item.status == ItemStatus::Proposed).count()
    }

    /// Returns the pickup at creation.
    pub fn original_pickup(&self) -> Point {
        self.moved_from.unwrap_or(self.spec.pickup)
    }

    /// Returns where the mechanic takes a loaded vehicle.
    pub fn delivers_to(&self) -> Option<Point> {
        let Stage::InProgress(assignment) = &self.stage else { return None };
        let destination = self.spec.destination.as_ref().filter(|_| assignment.loaded_at.is_some());
        destination.map(|destination| destination.place)
    }

    /// Returns whether the vehicle can have been driven to its destination since it was loaded, in a straight line
    /// at `max_speed_mps`. A script can send any position, but it can't shorten this time.
    pub fn may_be_delivered(&self, max_speed_mps: f64, now: DateTime<Utc>) -> bool {
        let (Some(destination), Some(loaded_at)) =
            (self.delivers_to(), self.assignment().and_then(|assignment| assignment.loaded_at))
        else {
            return false;
        };
        // Within a second, the receiver's noise alone looks like speed.
        let seconds = (now - loaded_at).num_milliseconds().max(1_000) as f64 / 1000.0;
        self.spec.pickup.distance_m(destination) <= seconds * max_speed_mps
    }

    /// Returns the offers that may still be answered.
    pub fn live_offers(&self) -> &[LiveOffer] {
        match &self.stage {
            Stage::Dispatching(search) => &search.offers,
            _ => &[],
        }
    }

    /// Returns whether nothing will happen to this job by itself.
    pub fn is_settled(&self) -> bool {
        matches!(self.stage, Stage::Cancelled(_)) || self.completion().is_some()
    }
}
