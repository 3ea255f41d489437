//! Commands to jobs. Each does its work where the engine runs.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    assigning::{self, check_assignment},
    engine::{self, Engine},
    ids::{CommandId, JobId, LineItemId, MechanicId, OfferId, UserId},
    job::{
        fee::{AcceptedFee, FreeCancellationAllowance},
        items::LineItem,
        messages::{self, CreateJob, StartedFlag},
        state::{Actor, Command, Done, Evidence, Ineligibility, Job},
    },
    ports::JobToCreate,
    refusal::Refusal,
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

/// Answers these commands with what their `carry_out` committed.
macro_rules! commands {
    ($($name:ident)+) => {
        $(impl $name {
            pub(super) async fn run(self, engine: &Engine) -> Result<Committed, Refusal> {
                self.carry_out(engine).await.map(Committed::of)
            }
        })+
    };
}

commands! { OpenJob Accept Assign TakeBack Arrive Cancel }

/// Creates a job; answered after its commit, before dispatch begins.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenJob {
    pub command: CommandId,
    pub by: Actor,
    pub new: Box<JobToCreate>,
}

impl OpenJob {
    /// Creates the job in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let context = engine.context();
        let JobToCreate { id: job, mut spec, details, excluded, idempotency } = *self.new;
        if spec.begin_at <= spec.created_at {
            // Help is wanted at once, whatever its caller's clock shows.
            spec.created_at = spec.created_at.min(context.clock.now());
            spec.begin_at = spec.created_at;
        }
        let (id, by, started) = (self.command, self.by, StartedFlag::default());
        let open = CreateJob { id, by, spec, details, excluded, idempotency, started: started.clone() };
        context.command(job, open, started).await
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
        let find = messages::FindCommand(self.logged_under.unwrap_or(self.command));
        let found = engine.context().ask_job(self.job, find).await.map_err(engine::unknown)??;
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

    pub(super) async fn run(mut self, engine: &Engine) -> Result<Committed, Refusal> {
        let item = self.item();
        self.add_drop_off(engine).await?;
        let id = self.logged_under.unwrap_or(self.id);
        let done = engine.order(id, self.job, self.by, self.command).await?;
        Ok(Committed::about(item, done))
    }

    /// Adds to a completion what the mechanic's actor knows of the trip of the loaded vehicle.
    async fn add_drop_off(&mut self, engine: &Engine) -> Result<(), Refusal> {
        let Command::Complete { mechanic_id, drop_off, .. } = &mut self.command else { return Ok(()) };
        let job = engine.job(self.job).await?;
        if let Some(destination) = job.delivers_to()
            && let Some(mechanic) = engine.mechanic(*mechanic_id).await
        {
            let context = engine.context();
            let (policy, now) = (&context.settings.presence, context.clock.now());
            let is_possible = job.may_be_delivered(policy.max_speed_mps, now);
            drop_off.distance_m = mechanic.distance_to(destination, policy, now).filter(|_| is_possible);
            drop_off.driven_m = mechanic.driven_m();
        }
        Ok(())
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
    /// Takes the job in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let command = Command::Accept {
            offer_id: self.offer,
            mechanic_id: self.mechanic,
            answered_at: engine.ago(self.answered_ago),
            start_code: engine.context().random.digits(4),
        };
        let id = self.logged_under.unwrap_or(self.command);
        engine.order(id, self.job, Actor::Mechanic(self.user), command).await
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
    /// Assigns the mechanic in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let (context, mechanic_id) = (engine.context(), self.mechanic);
        let wanted = engine.job(self.job).await?;
        let mechanic = engine.mechanic(mechanic_id).await;
        let mechanic = mechanic.ok_or(Refusal::NotEligible(Ineligibility::ProfileNotLoaded))?;
        let (now, presence) = (context.clock.now(), &context.settings.presence);
        let overridden = check_assignment(&wanted, &mechanic, self.override_reason, presence, now)?;
        let pickup = wanted.spec.pickup;
        let estimate = mechanic.last.map(|fix| context.ports.eta.estimate(fix.point, pickup, now));
        let eta_s = estimate.map_or(0, |estimate| estimate.eta_s);
        let start_code = context.random.digits(4);
        let command = Command::Assign { mechanic_id, eta_s, start_code, overridden };
        let id = self.logged_under.unwrap_or(self.command);
        engine.order(id, self.job, Actor::Admin(self.admin), command).await
    }
}

/// Gives the job back to a mechanic who lost it because their phone was silent, while no mechanic has it. They must
/// be seen now and still fit the job; how far they come is their choice.
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
    /// Gives the job back in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let mechanic_id = self.mechanic;
        let wanted = engine.job(self.job).await?;
        let has_it = wanted.assignment().is_some_and(|a| a.mechanic_id == mechanic_id && a.is_taken_back);
        let eta_s = match wanted.lost_by_silence() {
            // They have done it before, as the job shows.
            _ if has_it => 0,
            Some(lost_by) if lost_by == mechanic_id => self.check_return(engine, &wanted).await?,
            Some(_) | None => return Err(Refusal::NotYours),
        };
        let start_code = engine.context().random.digits(4);
        let command = Command::TakeBack { mechanic_id, eta_s, start_code };
        let id = self.logged_under.unwrap_or(self.command);
        engine.order(id, self.job, Actor::Mechanic(self.user), command).await
    }

    /// Returns in how many seconds the mechanic can be there, or why they can't have the job.
    async fn check_return(&self, engine: &Engine, wanted: &Job) -> Result<u32, Refusal> {
        let unavailable = || Refusal::Unavailable("the mechanic could not be loaded".to_owned());
        let mechanic = engine.mechanic(self.mechanic).await.ok_or_else(unavailable)?;
        let context = engine.context();
        let (now, presence) = (context.clock.now(), &context.settings.presence);
        let fix = assigning::check_return(wanted, &mechanic, presence, now)?;
        Ok(context.ports.eta.estimate(fix.point, wanted.spec.pickup, now).eta_s)
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
    /// Notes the arrival in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let (context, mechanic_id) = (engine.context(), self.mechanic);
        let now = context.clock.now();
        let mechanic = engine.mechanic(mechanic_id).await;
        let policy = &context.settings.presence;
        let distance_m = mechanic.and_then(|mechanic| mechanic.distance_to_pickup(policy, now));
        let (evidence, override_reason) = (Evidence { distance_m }, self.override_reason);
        let command = Command::Arrive { mechanic_id, evidence, override_reason };
        let id = self.logged_under.unwrap_or(self.command);
        engine.order(id, self.job, Actor::Mechanic(self.user), command).await
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
    /// Cancels in this process; returns the event and the job.
    pub async fn carry_out(self, engine: &Engine) -> Result<Done, Refusal> {
        let command = Command::Cancel {
            by_admin: matches!(self.by, Actor::Admin(_)),
            reason_code: self.reason_code,
            reason: self.reason,
            accepted_fee: self.accepted_fee,
            progress: engine.progress(&engine.job(self.job).await?).await,
            free_cancellations: self.free_cancellations,
        };
        let id = self.logged_under.unwrap_or(self.command);
        engine.order(id, self.job, self.by, command).await
    }
}
