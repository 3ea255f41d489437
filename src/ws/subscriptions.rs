//! The jobs that a socket, or a stream of one job, follows: the known state of each, and the limits on what may be
//! shown.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use roadcall_actors::ports::Sighting;
use uuid::Uuid;

use super::{
    actions,
    attempts::{Attempts, Party, Verdict},
    context::WsContext,
    protocol::Reference,
    watch::Watch,
};
use crate::{
    accounts::auth::{self, Caller},
    jobs::{self, RememberedJob, Viewer},
    platform::error::{ApiError, ApiResult, Code},
    tracking::{self, Logged},
};

/// The number of jobs that one socket may follow.
pub(super) const MAX_JOBS: usize = 64;

/// Returns the refusal of one subscription too many.
pub(super) fn too_many_jobs(limit: usize) -> ApiError {
    ApiError::new(
        Code::Conflict,
        format!("A socket can follow at most {limit} jobs. Unsubscribe from one first."),
    )
}

/// The start of a subscription.
#[derive(Debug, Clone, Copy)]
pub(super) enum Since {
    /// The present state of the job, as a snapshot.
    Now,
    /// The events after this one.
    Event(i64),
    /// The event that assigned the job to the mechanic.
    Assignment,
}

impl Since {
    /// Returns the newest event that the client has seen; 0 if it does not say.
    fn seen(self) -> i64 {
        match self {
            Since::Event(seq) => seq,
            Since::Now | Since::Assignment => 0,
        }
    }
}

/// The party that asked for the subscription.
#[derive(Debug, Clone)]
pub(super) enum AskedBy {
    Client(Option<Reference>),
    /// The server itself: nobody gets an answer.
    Server,
    /// The server itself, for the mechanic's own job; the next such job replaces it.
    OwnJob,
}

impl AskedBy {
    pub(super) fn reference(&self) -> Option<&Reference> {
        match self {
            AskedBy::Client(reference) => reference.as_ref(),
            AskedBy::Server | AskedBy::OwnJob => None,
        }
    }

    pub(super) fn party(&self) -> Party {
        match self {
            AskedBy::Client(_) => Party::Client,
            AskedBy::Server | AskedBy::OwnJob => Party::Server,
        }
    }
}

/// A subscription that is being looked up.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) job: Uuid,
    pub(super) number: u64,
    pub(super) since: Since,
    pub(super) by: AskedBy,
}

/// One followed job.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) watch: Watch,
    pub(super) viewer: Viewer,
    /// Distinguishes the answer to this subscription's fetch from that to its predecessor's.
    pub(super) attempt: u64,
    /// The mechanic's own job, which their socket follows automatically.
    pub(super) is_own: bool,
    pub(super) sent_seq: i64,
    /// The newest event known when the subscription was made.
    pub(super) start_seq: i64,
    /// The number up to which repeated events are already charged.
    pub(super) paid_seq: i64,
    /// Set if a fetch found nothing although an event was reported: it is not repeated before the next report.
    pub(super) fruitless_at: Option<u64>,
    pub(super) is_fetching: bool,
    /// The mechanic whose position may be shown in the job's current state.
    pub(super) shown_mechanic: Option<Uuid>,
    /// Whether the mechanic has arrived: no ETA is sent from then on until the vehicle is loaded.
    pub(super) is_at_vehicle: bool,
    pub(super) sent_position: Option<u64>,
    pub(super) sent_position_at: Option<DateTime<Utc>>,
    pub(super) has_timer: bool,
}

/// The result of the look-up before a subscription begins.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) caller: Caller,
    pub(super) row: Arc<RememberedJob>,
    pub(super) viewer: Viewer,
    pub(super) first_seq: i64,
    pub(super) position: Option<Sighting>,
}

impl Subscription {
    pub(super) fn shows_dispatch(&self) -> bool {
        matches!(self.viewer, Viewer::Customer | Viewer::Admin)
    }

    pub(super) fn newest_seq(&self) -> i64 {
        self.start_seq.max(self.watch.newest_seq())
    }

    pub(super) fn is_behind(&self) -> bool {
        self.newest_seq() > self.sent_seq && self.fruitless_at != Some(self.watch.reports())
    }

    /// Returns the position to send next, with its number. Mechanics do not see their own.
    pub(super) fn next_position(&self) -> Option<(u64, Sighting)> {
        if self.viewer == Viewer::Mechanic || self.is_fetching || self.is_behind() {
            return None;
        }
        let (number, sighting) = self.watch.position()?;
        let is_shown = self.shown_mechanic == Some(sighting.mechanic_id.0);
        (is_shown && self.sent_position != Some(number)).then_some((number, sighting))
    }

    /// Returns whether this viewer may see the event. A mechanic who lost the job sees that event, and nothing after
    /// it.
    pub(super) fn may_show(&self, event: &Logged, caller: &Caller) -> bool {
        if self.viewer != Viewer::Mechanic {
            return true;
        }
        let Some(own) = caller.mechanic.map(|mechanic| Some(mechanic.profile_id)) else { return false };
        let is_lost = event.kind() == "released" && self.shown_mechanic == own;
        event.job().mechanic_profile_id == own || is_lost
    }
}

/// The jobs that somebody follows.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    pub(super) jobs: HashMap<Uuid, Subscription>,
    pub(super) attempts: Attempts,
}

impl Subscriptions {
    /// Returns whether the job is followed, or is about to be by the server itself. A client's attempt does not
    /// count: it may still be refused.
    pub(super) fn is_assured(&self, job: Uuid) -> bool {
        self.jobs.contains_key(&job) || self.attempts.has(job, Party::Server)
    }

    /// Returns whether this job would be one too many.
    pub(super) fn is_full_for(&self, job: Uuid) -> bool {
        let opening = self.attempts.jobs().filter(|opening| !self.jobs.contains_key(opening));
        let is_new = !self.jobs.contains_key(&job) && self.attempts.jobs().all(|opening| *opening != job);
        is_new && self.jobs.len() + opening.count() >= MAX_JOBS
    }

    pub(super) fn judge(&self, attempt: &Attempt) -> Verdict {
        let standing = self.jobs.get(&attempt.job).map(|subscription| subscription.attempt);
        self.attempts.judge(attempt.job, attempt.number, standing)
    }

    pub(super) fn finish(&mut self, attempt: &Attempt) {
        self.attempts.finish(attempt.job, attempt.number);
    }
}

/// Looks up the data with which a subscription starts.
pub(super) async fn open(context: &WsContext, caller: Caller, job: Uuid, since: Since) -> ApiResult<Opened> {
    let caller = auth::principal_of_session(&context.mechanics, caller.user_id, caller.session_id).await?;
    jobs::check_desk(&caller)?;
    let row = jobs::find_seen(context, job, since.seen()).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let viewer = jobs::viewer_of(&caller, &row).ok_or_else(|| ApiError::not_found("job"))?;
    let first_seq = row.first_visible_seq(&context.db, viewer).await?;
    if viewer == Viewer::Admin {
        actions::record_watch(context, caller.user_id, job).await?;
    }
    let position = if viewer == Viewer::Mechanic { None } else { tracking::latest(context, &row).await? };
    Ok(Opened { caller, row, viewer, first_seq, position })
}
