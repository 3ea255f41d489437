//! What is asked of jobs.

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

/// What a command led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Committed {
    pub job: JobId,
    /// Of the job after the command.
    pub version: i64,
    /// Whether the command changed anything: `false` if the same one had succeeded before.
    pub is_new: bool,
    /// The line item that the command was about, unless it is gone.
    pub item: Option<LineItem>,
}

impl Committed {
    fn of(Done { event, job }: Done) -> Self {
        Self { job: job.id, version: job.version, is_new: event.is_some(), item: None }
    }

    /// With this line item as it is now.
    fn about(item: Option<LineItemId>, mut done: Done) -> Self {
        let item = item.and_then(|id| done.job.items.iter().position(|item| item.id == id));
        let item = item.map(|index| done.job.items.swap_remove(index));
        Self { item, ..Self::of(done) }
    }
}

/// Create a job; answered after its commit, before dispatch begins.
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

/// What became of a command whose answer was lost? `None` if it was not carried out. From then on the engine refuses it, should it
/// still come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindCommand {
    pub job: JobId,
    pub command: CommandId,
    /// As [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    /// The line item that it was about.
    pub item: Option<LineItemId>,
}

impl FindCommand {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Committed>, Refusal> {
        let found = engine.find_command(self.job, self.logged_under.unwrap_or(self.command)).await?;
        Ok(found.map(|job| Committed::about(self.item, Done { event: None, job })))
    }
}

/// Give a job a command; answered after its commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    pub id: CommandId,
    /// The id under which the job's log has it, if not under its own: that of every try of what a person sends again, each of which
    /// is a command of its own. The log has it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub by: Actor,
    pub command: Command,
}

impl Order {
    /// The line item that it is about.
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

/// A mechanic takes the job that they are offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accept {
    pub command: CommandId,
    /// As [`Order::logged_under`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_under: Option<CommandId>,
    pub job: JobId,
    pub offer: OfferId,
    pub mechanic: MechanicId,
    pub user: UserId,
    /// How long ago their answer was received, which counts against the offer's deadline.
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

/// An admin assigns a mechanic, without an offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assign {
    pub command: CommandId,
    /// As [`Order::logged_under`].
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

/// A mechanic who lost the job because their phone was silent takes it back while nobody has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    pub command: CommandId,
    /// As [`Order::logged_under`].
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

/// The mechanic is at the pickup: their last plausible position shows it, or they give a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrive {
    pub command: CommandId,
    /// As [`Order::logged_under`].
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

/// Cancel at the fee that is due now, if that fee was agreed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cancel {
    pub command: CommandId,
    /// As [`Order::logged_under`].
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

/// What does cancelling cost the customer now, or why can't they?
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

/// What does it cost the customer if an admin cancels the job now?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteCancellationByAdmin {
    pub job: JobId,
}

impl QuoteCancellationByAdmin {
    pub(super) async fn run(self, engine: &Engine) -> Result<FeeQuote, Refusal> {
        engine.quote_cancellation_by_admin(self.job).await
    }
}

/// Which mechanics who are online are nearest to the pickup of an open job, and what do the rules say of each?
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

/// By which policy does the job search, or will it?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPolicyOf {
    pub job: JobId,
}

impl SearchPolicyOf {
    pub(super) async fn run(self, engine: &Engine) -> Result<SharedSearchPolicy, Refusal> {
        engine.job(self.job).await.map(|job| job.spec.search)
    }
}

/// What can the customer of a job without a mechanic expect? `None` once it has one, or before its dispatch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutlook {
    pub job: JobId,
}

impl JobOutlook {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Outlook>, Refusal> {
        engine.job_outlook(self.job).await
    }
}

/// Someone else changed the job's row: the engine loads it again, unless it has it, and informs the watchers. If this is lost, the
/// engine notices at its next commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobChanged {
    pub job: JobId,
    /// Since the change, if that is known.
    pub version: Option<i64>,
}

impl JobChanged {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.refresh(self.job, self.version).await
    }
}
