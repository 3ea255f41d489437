//! Requests to jobs.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    engine::{AssignmentCandidate, Engine},
    ids::{CommandId, JobId, LineItemId, MechanicId, OfferId, UserId},
    job::{
        fee::{AcceptedFee, FeeQuote, FreeCancellationAllowance},
        items::LineItem,
        state::{Actor, Command, Done},
    },
    outbound::Outlook,
    ports::JobToCreate,
    refusal::Refusal,
    settings::SharedSearchPolicy,
};

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Committed {
    pub job: JobId,
    /// The version of the job after the command.
    pub version: i64,
    /// Whether the command changed anything: `false` if the same command had succeeded before.
    pub is_new: bool,
    /// The line item of the command, unless it is gone.
    pub item: Option<LineItem>,
}

impl Committed {
    fn of(Done { event, job }: Done) -> Self {
        Self { job: job.id, version: job.version, is_new: event.is_some(), item: None }
    }

    /// Returns the result with this line item as it is now.
    fn about(item: Option<LineItemId>, mut done: Done) -> Self {
        let item = item.and_then(|id| done.job.items.iter().position(|item| item.id == id));
        let item = item.map(|index| done.job.items.swap_remove(index));
        Self { item, ..Self::of(done) }
    }
}

/// Creates a job; answered after its commit, before dispatch begins.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenJob {
    pub command: CommandId,
    pub by: Actor,
    pub new: Box<JobToCreate>,
}

impl OpenJob {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        engine.open_job(self.command, self.by, *self.new).await.map(Committed::of)
    }
}

/// Asks for the outcome of a command whose answer was lost: `None` if it was not carried out. From then on the
/// engine refuses the command, should it still come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindCommand {
    pub job: JobId,
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    /// The line item of the command.
    pub item: Option<LineItemId>,
}

impl FindCommand {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Committed>, Refusal> {
        let found = engine.find_command(self.job, self.logged_under.unwrap_or(self.command)).await?;
        Ok(found.map(|job| Committed::about(self.item, Done { event: None, job })))
    }
}

/// Gives a job a command; answered after its commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    pub id: CommandId,
    /// The id under which the job's log has the command, if not under its own. When a person sends a request again,
    /// each try is a command of its own, and all of them share this id. The log has it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub by: Actor,
    pub command: Command,
}

impl Order {
    /// Returns the id of the command's line item.
    pub(super) fn item(&self) -> Option<LineItemId> {
        match &self.command {
            Command::Item(command) => Some(command.item()),
            _ => None,
        }
    }

    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let item = self.item();
        let command = engine.with_drop_off(self.job, self.command).await?;
        let id = self.logged_under.unwrap_or(self.id);
        let done = engine.order(id, self.job, self.by, command).await?;
        Ok(Committed::about(item, done))
    }
}

/// Has a mechanic take the job that they are offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accept {
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub offer: OfferId,
    pub mechanic: MechanicId,
    pub user: UserId,
    /// The age of their answer, which counts against the offer's deadline.
    #[serde(with = "crate::wire::millis")]
    pub answered_ago: TimeDelta,
}

impl Accept {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let Self { command, logged_under, job, offer, mechanic, user, answered_ago } = self;
        let answered_at = engine.ago(answered_ago);
        let id = logged_under.unwrap_or(command);
        engine.accept(id, job, offer, mechanic, user, answered_at).await.map(Committed::of)
    }
}

/// Assigns a mechanic whom an admin chose, without an offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assign {
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub mechanic: MechanicId,
    pub admin: UserId,
    pub override_reason: Option<String>,
}

impl Assign {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let Self { command, logged_under, job, mechanic, admin, override_reason } = self;
        let id = logged_under.unwrap_or(command);
        engine.assign(id, job, mechanic, admin, override_reason).await.map(Committed::of)
    }
}

/// Gives the job back to a mechanic who lost it because their phone was silent, while no mechanic has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub mechanic: MechanicId,
    pub user: UserId,
}

impl TakeBack {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let id = self.logged_under.unwrap_or(self.command);
        engine.take_back(id, self.job, self.mechanic, self.user).await.map(Committed::of)
    }
}

/// Notes that the mechanic is at the pickup: their last plausible position shows it, or they give a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrive {
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub mechanic: MechanicId,
    pub user: UserId,
    pub override_reason: Option<String>,
}

impl Arrive {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let Self { command, logged_under, job, mechanic, user, override_reason } = self;
        let id = logged_under.unwrap_or(command);
        engine.arrive(id, job, mechanic, user, override_reason).await.map(Committed::of)
    }
}

/// Cancels at the fee that is due now, if that fee was agreed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cancel {
    pub command: CommandId,
    /// See [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub by: Actor,
    pub reason_code: String,
    pub reason: Option<String>,
    pub accepted_fee: AcceptedFee,
    /// Limits a customer's use of the free time.
    pub free_cancellations: Option<FreeCancellationAllowance>,
}

impl Cancel {
    pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
        let Self { command, logged_under, job, by, reason_code, reason, accepted_fee, free_cancellations } =
            self;
        let (id, why) = (logged_under.unwrap_or(command), (reason_code, reason));
        engine.cancel(id, job, by, why, accepted_fee, free_cancellations).await.map(Committed::of)
    }
}

/// Asks what cancelling costs the customer now, or why they can't cancel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuoteCancellation {
    pub job: JobId,
    pub free_cancellations: Option<FreeCancellationAllowance>,
}

impl QuoteCancellation {
    pub(super) async fn run(self, engine: &Engine) -> Result<FeeQuote, Refusal> {
        engine.quote_cancellation(self.job, self.free_cancellations).await
    }
}

/// Asks what it costs the customer if an admin cancels the job now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteCancellationByAdmin {
    pub job: JobId,
}

impl QuoteCancellationByAdmin {
    pub(super) async fn run(self, engine: &Engine) -> Result<FeeQuote, Refusal> {
        engine.quote_cancellation_by_admin(self.job).await
    }
}

/// Asks which online mechanics are nearest to the pickup of an open job, and what the rules say of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidatesOf {
    pub job: JobId,
    pub most: usize,
}

impl CandidatesOf {
    pub(super) async fn run(self, engine: &Engine) -> Result<Vec<AssignmentCandidate>, Refusal> {
        engine.candidates(self.job, self.most).await
    }
}

/// Asks for the policy by which the job searches, or will search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPolicyOf {
    pub job: JobId,
}

impl SearchPolicyOf {
    pub(super) async fn run(self, engine: &Engine) -> Result<SharedSearchPolicy, Refusal> {
        engine.job(self.job).await.map(|job| job.spec.search)
    }
}

/// Asks what the customer of a job without a mechanic can expect. The answer is `None` once it has a mechanic, or
/// before its dispatch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutlook {
    pub job: JobId,
}

impl JobOutlook {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Outlook>, Refusal> {
        engine.job_outlook(self.job).await
    }
}

/// Notes that another writer changed the job's row: the engine loads it again, unless it has it, and informs the
/// watchers. If this is lost, the engine notices at its next commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobChanged {
    pub job: JobId,
    /// The version since the change, if it is known.
    pub version: Option<i64>,
}

impl JobChanged {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.refresh(self.job, self.version).await
    }
}
