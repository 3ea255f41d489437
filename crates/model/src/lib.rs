//! Checks who leads, and how a command is answered, in every order of events.
//!
//! Servers take the lead from one another on one Postgres (docs/adr/0038) while a gateway passes on one command
//! that changes one job. [`Fleet`] tries everything that can happen within [`Bounds`]: servers die, freeze and come
//! back, leases lapse or don't, sessions end, commits land late or without an answer, messages are late, doubled or
//! lost. What a leader does after a look at its lock is decided by the service's own code, from the same file.
//!
//! There is no clock: whatever takes time may happen at once, later or never. The model makes one assumption: a
//! server doubts a commit without an answer until the commit has landed or was rolled back. It leaves out what
//! can't change an answer (mechanics, offers), a transaction pooler, the limit of one minute for which a server
//! recognises a command, and servers that start again or stand for the lead again: they have another name then, so
//! each is one of the standbys. It also leaves out that a standby lets the former leader go first, since a standby
//! may wait for any time anyway.
//!
//! A property that always holds proves nothing if nothing happens, or if it would hold in any world. So other
//! properties say what must be possible, and each [`Mutation`] takes one rule away, after which a property has to
//! fail.

mod gateway;
mod server;
pub mod world;

use std::{num::NonZero, thread::available_parallelism};

use stateright::{Checker, Model, Property};

use self::{
    server::{Deed, act, require},
    world::{Answer, Change, Command, Entry, Job, Life, Reply, Role, ServerId, Verdict, Work, World},
};

/// How much of the world the model tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The number of servers, at most three.
    pub servers: u8,
    /// The number of faults that may happen.
    pub faults: u8,
    /// The number of changes that leaders make by themselves.
    pub ticks: u8,
    /// The number of tries that the gateway makes. A patient gateway (`None`) tries until it has an answer: then a
    /// lease that lapses counts as a fault, so that every run ends.
    pub tries: Option<u8>,
}

/// A rule that the model takes away or weakens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mutation {
    /// A leader loads while sessions of the former leader are left.
    LoadBeforeSessionsEnd,
    /// A connection that was just opened is not compared with the table `leadership`.
    NoCheckOfNewConnections,
    /// A commit does not compare the job's version.
    CommitWithoutComparing,
    /// A refusal of a repeated command is passed on without a look at the log.
    RefusalWithoutLog,
    /// A new leader ends only the sessions of the server that wrote its name last.
    OnlyTheLastLeaderIsEnded,
    /// A connection that was opened before its server led is never compared with the table `leadership`.
    StandbysConnectionsPass,
    /// A command that is in the log, whose job can't be read, is answered as if nothing had changed.
    NotReadMeansRefused,
    /// A gateway that gives up during its first try answers that the command was not begun.
    TryUnderWayIsForgotten,
    /// A copy of a command is answered as if it were the only one, although a commit had no answer.
    DoubtIsForgotten,
    /// A copy of a message that no server took counts as if no server had taken another copy.
    OneCopySpeaksForAll,
    /// The log accepts a command twice.
    NoKeyOnCommands,
}

/// The model.
#[derive(Debug, Clone, Copy)]
pub struct Fleet {
    pub bounds: Bounds,
    pub mutation: Option<Mutation>,
}

/// Something that happens in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Does(ServerId, Deed),
    Crash(ServerId),
    Freeze(ServerId),
    Thaw(ServerId),
    LeaseLapses(ServerId),
    /// A server loses its lock's session; Postgres may notice later.
    LockIsCutOff(ServerId),
    /// The database does not answer when a server looks at its lock.
    LookInVain(ServerId),
    /// Postgres ends the session of a lock whose server it no longer hears.
    LockEnds,
    /// A server loses the connection on which its work is under way.
    AnswerLost(ServerId),
    CommitLands(usize),
    /// Postgres rolls back a transaction whose client is gone.
    RollsBack(usize),
    Send(ServerId),
    Deliver(usize),
    Double(usize),
    Reply(Reply),
    TryTimesOut,
    GiveUp,
}

pub const FENCED: &str = "a former leader commits nothing once the next one has begun to load";
pub const COUNTED: &str = "versions grow by one, each based on the one before";
pub const ONCE: &str = "a command has one event at most";
pub const DONE: &str = "a command that was answered as done is in the log";
pub const REFUSED: &str = "a command that was answered as refused is not in the log, and never will be";
/// Holds for a patient gateway only.
pub const ANSWERED: &str = "the command is answered";

/// The result of a complete check.
#[derive(Debug, Clone)]
pub struct Report {
    /// The number of different states; those that differ only in the names of the servers count once.
    pub states: usize,
    /// The properties that don't hold, each with a way to a state that breaks it if it must always hold.
    pub broken: Vec<(&'static str, Vec<Action>)>,
}

impl Fleet {
    /// Checks every state, on all cores.
    pub fn check(self) -> Report {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let checker = self.checker().threads(threads).symmetry_fn(World::representative).spawn_dfs().join();
        let mut broken = Vec::new();
        for property in self.properties() {
            let found = checker.discovery(property.name);
            if found.is_some() == property.expectation.discovery_is_failure() {
                broken.push((property.name, found.map(|path| path.into_actions()).unwrap_or_default()));
            }
        }
        Report { states: checker.unique_state_count(), broken }
    }

    fn is_patient(&self) -> bool {
        self.bounds.tries.is_none()
    }

    /// Returns the world after the action, or `None` if the action can't happen.
    fn happen(&self, world: &mut World, action: Action) -> Option<()> {
        let (mutation, is_patient) = (self.mutation, self.is_patient());
        match action {
            Action::Does(id, deed) => act(world, id, deed, mutation)?,
            Action::Crash(id) => crash(world, id)?,
            Action::Freeze(id) => {
                require(world.server(id).life == Life::Up)?;
                world.fault()?;
                world.server_mut(id).life = Life::Frozen;
            }
            Action::Thaw(id) => {
                require(world.server(id).life == Life::Frozen)?;
                world.server_mut(id).life = Life::Up;
            }
            Action::LeaseLapses(id) => {
                require(world.server(id).has_lease)?;
                if is_patient {
                    world.fault()?;
                }
                world.server_mut(id).has_lease = false;
            }
            Action::LockIsCutOff(id) => {
                require(world.server(id).life == Life::Up && world.db.holds_lock(id))?;
                world.fault()?;
                world.db.detach_lock(id);
            }
            Action::LookInVain(id) => {
                require(world.db.holds_lock(id))?;
                world.fault()?;
                server::look_in_vain(world, id)?;
            }
            Action::LockEnds => {
                let lock = world.db.lock?;
                require(!lock.is_attached || world.server(lock.by).life == Life::Frozen)?;
                world.db.lock = None;
            }
            Action::AnswerLost(id) => {
                require(world.server(id).life == Life::Up && world.db.session(id)?.work != Work::Idle)?;
                world.fault()?;
                world.db.detach_session(id);
            }
            Action::CommitLands(position) => self.land(world, position)?,
            Action::RollsBack(position) => {
                require(!world.db.sessions.get(position)?.is_attached)?;
                world.db.sessions.remove(position);
            }
            Action::Send(to) => gateway::send(world, to, is_patient)?,
            Action::Deliver(position) => server::receive(world, position, mutation)?,
            Action::Double(position) => {
                world.fault()?;
                let message = world.network.messages.get_mut(position)?;
                message.is_doubled = true;
                let copy = *message;
                world.network.messages.push(copy);
                world.network.messages.sort_unstable();
            }
            Action::Reply(reply) => gateway::receive(world, reply, mutation),
            Action::TryTimesOut => gateway::time_out(world, is_patient)?,
            Action::GiveUp => {
                require(!is_patient)?;
                gateway::give_up(world, mutation)?;
            }
        }
        Some(())
    }

    /// Carries out a commit as Postgres does: the job's row by compare-and-set, and the log.
    fn land(&self, world: &mut World, position: usize) -> Option<()> {
        let db = &mut world.db;
        let session = db.sessions.get_mut(position)?;
        let Work::Sent(change) = session.work else { return None };
        let Change { command, based_on, has_mechanic } = change;
        let is_repeated = db.log.iter().any(|entry| entry.command == command);
        let is_stale = based_on != db.job.version && self.mutation != Some(Mutation::CommitWithoutComparing);
        let verdict = if is_repeated && self.mutation != Some(Mutation::NoKeyOnCommands) {
            Verdict::Repeated
        } else if is_stale {
            Verdict::Stale
        } else {
            let is_late = db.loader.is_some_and(|loader| loader != session.server);
            db.job = Job { version: based_on + 1, has_mechanic };
            db.log.push(Entry { command, version: db.job.version, is_late });
            Verdict::Committed(change)
        };
        match session.is_attached {
            true => session.work = Work::Answered(verdict),
            false => drop(db.sessions.remove(position)),
        }
        db.sessions.sort_unstable();
        Some(())
    }
}

/// Lets a server die, unless no server would be left that could lead.
fn crash(world: &mut World, id: ServerId) -> Option<()> {
    let could_lead = |other: &ServerId| {
        let server = world.server(*other);
        let leads = matches!(server.role, Role::Cleared | Role::Leading | Role::Serving);
        let is_out_of_date = server.role == Role::Replaced || (leads && world.db.leader != Some(*other));
        *other != id && server.life != Life::Dead && !is_out_of_date
    };
    require(world.server(id).life != Life::Dead && world.ids().any(|other| could_lead(&other)))?;
    world.fault()?;
    world.db.detach_lock(id);
    world.db.detach_session(id);
    world.network.messages.retain(|message| message.to != id);
    let server = world.server_mut(id);
    (server.life, server.has_lease, server.copy) = (Life::Dead, false, None);
    (server.is_in_question, server.doing, server.fate) = (false, None, None);
    if server.role != Role::Serving {
        server.role = Role::Standby;
    }
    Some(())
}

fn served(world: &World) -> usize {
    world.servers.iter().filter(|server| server.role == Role::Serving).count()
}

impl Model for Fleet {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let Bounds { servers, faults, ticks, tries } = self.bounds;
        vec![World::new(servers, faults, ticks, tries.unwrap_or_default())]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for id in world.ids() {
            let server = world.server(id);
            match server.life {
                Life::Up => actions.extend(Deed::of(server.role).iter().map(|deed| Action::Does(id, *deed))),
                Life::Frozen => actions.push(Action::Thaw(id)),
                Life::Dead => {}
            }
            if let (Life::Up, Role::Named(_)) = (server.life, server.role) {
                actions.extend((0..world.db.sessions.len()).map(|at| Action::Does(id, Deed::EndBackend(at))));
            }
            if server.has_lease {
                actions.push(Action::LeaseLapses(id));
            }
            if !world.gateway.is_waiting && world.gateway.answer.is_none() {
                actions.push(Action::Send(id));
            }
            if world.faults_left > 0 && server.life != Life::Dead {
                actions.extend([Action::Crash(id), Action::Freeze(id), Action::AnswerLost(id)]);
                actions.extend([Action::LockIsCutOff(id), Action::LookInVain(id)]);
            }
        }
        for (at, session) in world.db.sessions.iter().enumerate() {
            if let Work::Sent(_) = session.work {
                actions.extend([Action::CommitLands(at), Action::RollsBack(at)]);
            }
        }
        actions.extend((0..world.network.messages.len()).map(Action::Deliver));
        if world.faults_left > 0 {
            actions.extend((0..world.network.messages.len()).map(Action::Double));
        }
        actions.extend(world.network.replies.iter().copied().map(Action::Reply));
        if world.gateway.answer.is_none() {
            actions.extend([Action::TryTimesOut, Action::GiveUp]);
        }
        actions.push(Action::LockEnds);
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut next = world.clone();
        self.happen(&mut next, action)?;
        (next != *world).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::<Self>::always(FENCED, |_, world| !world.db.log.iter().any(|entry| entry.is_late)),
            Property::<Self>::always(COUNTED, |_, world| {
                let versions = world.db.log.iter().map(|entry| entry.version);
                versions.eq(1..=world.db.log.len() as u8)
                    && usize::from(world.db.job.version) == world.db.log.len()
            }),
            Property::<Self>::always(ONCE, |_, world| {
                let takes = world.db.log.iter().filter(|entry| entry.command == Command::Take);
                takes.count() <= 1
            }),
            Property::<Self>::always(DONE, |_, world| {
                world.gateway.answer != Some(Answer::Done) || world.db.has_logged(Command::Take)
            }),
            Property::<Self>::always(REFUSED, |_, world| {
                world.gateway.answer != Some(Answer::Refused) || !world.db.has_logged(Command::Take)
            }),
            Property::<Self>::sometimes("leadership changes hands", |_, world| served(world) > 1),
            Property::<Self>::sometimes("two servers believe that they lead", |_, world| {
                let believe = |server: &&world::Server| server.role == Role::Serving && server.has_lease;
                world.servers.iter().filter(believe).count() > 1
            }),
            Property::<Self>::sometimes("a stale commit is refused", |_, world| {
                world.db.sessions.iter().any(|session| session.work == Work::Answered(Verdict::Stale))
            }),
            Property::<Self>::sometimes("a repeated commit is refused", |_, world| {
                world.db.sessions.iter().any(|session| session.work == Work::Answered(Verdict::Repeated))
            }),
            Property::<Self>::sometimes("a repeated command is done", |_, world| {
                world.gateway.may_have_begun && world.gateway.answer == Some(Answer::Done)
            }),
            Property::<Self>::sometimes("the log confirms a refusal", |_, world| {
                world.gateway.refusal.is_some() && world.gateway.answer == Some(Answer::Refused)
            }),
            Property::<Self>::sometimes("the log knows better than a refusal", |_, world| {
                world.gateway.refusal.is_some() && world.gateway.answer == Some(Answer::Done)
            }),
        ];
        if self.is_patient() {
            properties
                .push(Property::<Self>::eventually(ANSWERED, |_, world| world.gateway.answer.is_some()));
        }
        properties
    }
}
