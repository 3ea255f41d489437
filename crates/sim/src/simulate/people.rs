//! The customers and mechanics of a run: what they know and what they are doing.

use std::collections::HashMap;

use roadcall_actors::ids::{JobId, MechanicId, OfferId, UserId};

use super::{
    demand::Call,
    mechanic_profiles::{Answer, Mechanic},
    travel::{Millis, Motion},
};

/// The pause after which an app tries again when it got no answer, or none that helps.
pub const RETRY_S: f64 = 3.0;
/// The maximum number of tries of one command; more mean a bug.
pub const MAX_TRIES: u32 = 500;

/// A person whose vehicle broke down.
#[derive(Debug)]
pub struct Customer {
    pub call: Call,
    pub job: Option<JobId>,
    /// Whether the job has ended, as far as the customer knows.
    pub has_ended: bool,
    pub has_retried: bool,
    pub is_deciding: bool,
    pub tries: u32,
}

impl Customer {
    pub fn new(call: Call) -> Self {
        Self { call, job: None, has_ended: false, has_retried: false, is_deciding: false, tries: 0 }
    }
}

/// A job as its mechanic sees it.
#[derive(Debug, Clone, Copy)]
pub struct Engaged {
    pub job: JobId,
    pub customer: usize,
    /// The next act.
    pub act: Act,
    pub tries: u32,
}

/// A mechanic's next act on their job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    SetOut,
    GiveBack,
    Arrive,
    Start,
    Complete,
}

/// The state of a mechanic.
#[derive(Debug)]
pub struct Worker {
    pub id: MechanicId,
    pub person: Mechanic,
    pub motion: Motion,
    /// The job that they believe they are on.
    pub engaged: Option<Engaged>,
    /// The number of engagements so far: steps of an earlier one are void.
    pub engagements: u32,
    /// The metres driven on the road to pickups.
    pub driven_m: f64,
    /// The metres driven without a job, and how often they went to a place where the service advised them to wait.
    pub idle_m: f64,
    pub followed: u64,
    pub interval_s: u32,
    /// Whether the time is between the beginning and the end of their shift, breaks included.
    pub is_on_shift: bool,
    /// Whether they want offers.
    pub is_available: bool,
    pub is_offline: bool,
    /// Whether another app is on their screen until they arrive: nothing comes from this one, and nothing reaches it.
    pub is_navigating: bool,
    /// The offer on the screen, with the answer to come.
    pub offer: Option<(OfferId, JobId, Answer)>,
    /// The number of offers of each customer's job so far.
    pub asked: HashMap<usize, u32>,
    pub next_ping: Option<Millis>,
    pub seq: i64,
    pub messages: u64,
}

/// Returns the user behind a mechanic.
pub fn user_of(id: MechanicId) -> UserId {
    UserId(id.0)
}

impl Worker {
    pub fn new(id: MechanicId, person: Mechanic, interval_s: u32) -> Self {
        Self {
            id,
            motion: Motion::still(person.home),
            person,
            engaged: None,
            engagements: 0,
            driven_m: 0.0,
            followed: 0,
            idle_m: 0.0,
            interval_s,
            is_on_shift: false,
            is_available: false,
            is_offline: false,
            is_navigating: false,
            offer: None,
            asked: HashMap::new(),
            next_ping: None,
            seq: 0,
            messages: 0,
        }
    }
}
