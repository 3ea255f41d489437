//! The work of a server, modelled on `crates/platform/src/db/leadership/mod.rs`, `crates/platform/src/db/pool/mod.rs`,
//! `actors/src/server.rs` and `actors/src/job`.

// The model has no transaction pooler, and writes no log.
#[allow(dead_code)]
#[path = "../../platform/src/db/leadership/rules.rs"]
mod rules;

use self::rules::{Look, Step, next};
use crate::{
    Mutation,
    world::{
        Answer, Change, Command, Doing, Fate, Job, Life, Lock, Message, Question, Reply, Role, ServerId,
        ServerSet, Session, Stage, Verdict, Work, World,
    },
};

/// A step that a server takes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    TakeLock,
    WriteLeader,
    /// Ends one session of a former leader.
    EndBackend(usize),
    /// Finds that no session of the former leaders is left.
    SeeNoneLeft,
    Lead,
    /// Starts anew, because its lock was lost before it led.
    StartOver,
    /// Checks its lock.
    Look,
    OpenConnection,
    CheckConnection,
    /// Reads what it needs to serve.
    Load,
    /// Makes a change that nobody asked for.
    Tick,
    /// Reads what its actor's work needs.
    Read,
    Begin,
    SendCommit,
    ReadAnswer,
    /// Gives up what it is doing: it has no connection, or may not use its connection.
    Fail,
    /// Stops doubting its commits, because none of them can still appear.
    Settle,
}

impl Deed {
    /// Returns the deeds that a server in this role may have to do.
    pub fn of(role: Role) -> &'static [Self] {
        use Deed::*;
        match role {
            Role::Standby => &[OpenConnection, CheckConnection, TakeLock],
            Role::Locked => &[OpenConnection, CheckConnection, WriteLeader, StartOver],
            Role::Named(_) => &[OpenConnection, CheckConnection, SeeNoneLeft, StartOver],
            Role::Cleared => &[OpenConnection, CheckConnection, Lead],
            Role::Leading => &[OpenConnection, CheckConnection, Look, Load],
            Role::Serving => &[
                OpenConnection,
                CheckConnection,
                Look,
                Tick,
                Read,
                Begin,
                SendCommit,
                ReadAnswer,
                Fail,
                Settle,
            ],
            Role::Replaced => &[CheckConnection, SendCommit, ReadAnswer, Fail],
        }
    }
}

/// Returns the world after the deed, or `None` if the deed can't be done now.
pub fn act(world: &mut World, id: ServerId, deed: Deed, mutation: Option<Mutation>) -> Option<()> {
    require(world.server(id).life == Life::Up)?;
    match deed {
        Deed::TakeLock => {
            require(world.server(id).role == Role::Standby && world.db.lock.is_none())?;
            world.db.lock = Some(Lock { by: id, is_attached: true });
            world.server_mut(id).role = Role::Locked;
        }
        Deed::WriteLeader => {
            require(world.server(id).role == Role::Locked && world.db.holds_lock(id))?;
            let before = world.db.leader.replace(id).filter(|before| *before != id);
            let db = &mut world.db;
            let formerly = match mutation {
                Some(Mutation::OnlyTheLastLeaderIsEnded) => ServerSet::default(),
                _ => db.to_end.without(id),
            };
            db.to_end = before.map_or(formerly, |before| formerly.with(before));
            let to_end = db.to_end;
            world.server_mut(id).role = Role::Named(to_end);
        }
        Deed::EndBackend(position) => {
            require(world.db.holds_lock(id))?;
            let Role::Named(to_end) = world.server(id).role else { return None };
            require(to_end.has(world.db.sessions.get(position)?.server))?;
            world.db.sessions.remove(position);
        }
        Deed::SeeNoneLeft => {
            require(world.db.holds_lock(id))?;
            let Role::Named(to_end) = world.server(id).role else { return None };
            let is_none_left = !world.db.sessions.iter().any(|session| to_end.has(session.server));
            require(is_none_left || mutation == Some(Mutation::LoadBeforeSessionsEnd))?;
            world.db.to_end = ServerSet::default();
            world.server_mut(id).role = Role::Cleared;
        }
        Deed::Lead => {
            require(world.server(id).role == Role::Cleared)?;
            let server = world.server_mut(id);
            (server.role, server.has_lease) = (Role::Leading, true);
        }
        Deed::StartOver => {
            require(
                matches!(world.server(id).role, Role::Locked | Role::Named(_)) && !world.db.holds_lock(id),
            )?;
            world.server_mut(id).role = Role::Standby;
        }
        Deed::Look => {
            require(matches!(world.server(id).role, Role::Leading | Role::Serving))?;
            let look = look(world, id);
            conclude(world, id, look)?;
        }
        Deed::OpenConnection => open(world, id)?,
        Deed::CheckConnection => check_opened(world, id, mutation)?,
        Deed::Load => {
            require(world.server(id).role == Role::Leading && can_borrow(world, id))?;
            world.db.loader = Some(id);
            let job = world.db.job;
            let server = world.server_mut(id);
            (server.role, server.copy) = (Role::Serving, Some(job));
        }
        Deed::Tick => {
            let server = world.server(id);
            require(server.role == Role::Serving && server.has_lease && server.doing.is_none())?;
            let command = Command::Tick(world.ticks_left);
            world.ticks_left = world.ticks_left.checked_sub(1)?;
            execute(world, id, command, false, mutation);
        }
        Deed::Read => read(world, id, mutation)?,
        Deed::Begin => {
            let Stage::Decided(change) = world.server(id).doing.as_ref()?.stage else { return None };
            require(can_borrow(world, id))?;
            world.db.set_work(id, Work::Open(change))?;
            world.server_mut(id).doing.as_mut()?.stage = Stage::Begun;
        }
        Deed::SendCommit => {
            let Work::Open(change) = world.db.session(id)?.work else { return None };
            world.db.set_work(id, Work::Sent(change))?;
            world.server_mut(id).doing.as_mut()?.stage = Stage::Sent;
        }
        Deed::ReadAnswer => {
            let Work::Answered(verdict) = world.db.session(id)?.work else { return None };
            world.db.set_work(id, Work::Idle)?;
            answered(world, id, verdict, mutation)?;
        }
        Deed::Fail => fail(world, id, mutation)?,
        Deed::Settle => {
            let server = world.server(id);
            let is_over = world.db.sessions.iter().all(|session| session.is_attached || session.server != id);
            require(server.is_in_question && server.doing.is_none() && is_over)?;
            let server = world.server_mut(id);
            (server.is_in_question, server.copy) = (false, None);
        }
    }
    Some(())
}

pub fn require(is_so: bool) -> Option<()> {
    is_so.then_some(())
}

/// Returns what a check of the lock finds, as `Candidate::look` does.
fn look(world: &mut World, id: ServerId) -> Look {
    let db = &mut world.db;
    match db.lock {
        _ if db.holds_lock(id) => Look::Confirmed,
        _ if db.leader != Some(id) => Look::AnotherLed,
        Some(_) => Look::HeldElsewhere,
        None => {
            db.lock = Some(Lock { by: id, is_attached: true });
            Look::TakenAgain
        }
    }
}

/// Lets a check of the lock fail because the database does not answer.
pub fn look_in_vain(world: &mut World, id: ServerId) -> Option<()> {
    require(world.server(id).life == Life::Up)?;
    require(matches!(world.server(id).role, Role::Leading | Role::Serving))?;
    conclude(world, id, Look::Unreachable)
}

fn conclude(world: &mut World, id: ServerId, look: Look) -> Option<()> {
    match next(look).step {
        Step::Renew => world.server_mut(id).has_lease = true,
        Step::TryAgain => world.db.detach_lock(id),
        Step::GiveUp => {
            world.db.lock = world.db.lock.filter(|lock| *lock != Lock { by: id, is_attached: true });
            step_down(world, id);
        }
    }
    Some(())
}

fn step_down(world: &mut World, id: ServerId) {
    let server = world.server_mut(id);
    (server.role, server.has_lease) = (Role::Replaced, false);
}

/// Returns the result of `Lease::is_held`: a server that never led has a lease for ever.
fn is_lease_held(world: &World, id: ServerId) -> bool {
    let server = world.server(id);
    server.has_lease || !matches!(server.role, Role::Leading | Role::Serving | Role::Replaced)
}

fn open(world: &mut World, id: ServerId) -> Option<()> {
    let stage = world.server(id).doing.as_ref().map(|doing| doing.stage);
    require(is_lease_held(world, id) && world.db.session(id).is_none())?;
    require(!matches!(stage, Some(Stage::Begun | Stage::Sent)))?;
    world.db.sessions.push(Session { server: id, is_attached: true, is_checked: false, work: Work::Idle });
    world.db.sessions.sort_unstable();
    Some(())
}

/// Checks an opened connection as `Lease::check_opened` does.
fn check_opened(world: &mut World, id: ServerId, mutation: Option<Mutation>) -> Option<()> {
    let position = world.db.position(id)?;
    require(!world.db.sessions[position].is_checked)?;
    let leads = matches!(world.server(id).role, Role::Leading | Role::Serving | Role::Replaced);
    require(leads || mutation == Some(Mutation::StandbysConnectionsPass))?;
    let is_checked = leads && mutation != Some(Mutation::NoCheckOfNewConnections);
    let is_held = is_lease_held(world, id);
    let is_named = !is_checked || world.db.leader == Some(id);
    if is_held && !is_named {
        step_down(world, id);
    }
    match is_held && is_named {
        true => world.db.sessions[position].is_checked = true,
        false => drop(world.db.sessions.remove(position)),
    }
    world.db.sessions.sort_unstable();
    Some(())
}

/// Returns whether a connection is idle and may be lent out.
fn can_borrow(world: &World, id: ServerId) -> bool {
    let session = world.db.session(id);
    is_lease_held(world, id)
        && session.is_some_and(|session| session.is_checked && session.work == Work::Idle)
}

/// Delivers a message to a server, or returns `None` if the message has to wait for the server or for its actor.
pub fn receive(world: &mut World, position: usize, mutation: Option<Mutation>) -> Option<()> {
    let Message { to, question, is_awaited, is_doubled } = world.network.messages[position];
    let server = world.server(to);
    require(server.life == Life::Up)?;
    if server.role != Role::Serving || !server.has_lease {
        world.network.messages.remove(position);
        // Another copy may have been taken, or may be taken later.
        let is_sure = !is_doubled || mutation == Some(Mutation::OneCopySpeaksForAll);
        reply(world, is_awaited && is_sure, Reply::NobodyServes);
        return Some(());
    }
    require(server.doing.is_none())?;
    let (fate, copy) = (server.fate, server.copy);
    world.network.messages.remove(position);
    let doing = |stage| Doing {
        question,
        command: Command::Take,
        is_awaited,
        stage,
        is_second: false,
        is_reloaded: false,
    };
    match (question, fate) {
        (Question::Inquiry, _) => world.server_mut(to).doing = Some(doing(Stage::Finding)),
        (Question::Order, Some(Fate::Refused)) => reply(world, is_awaited, Reply::Answer(Answer::Refused)),
        (Question::Order, Some(Fate::Committed)) => match copy {
            Some(_) => reply(world, is_awaited, Reply::Answer(Answer::Done)),
            None => world.server_mut(to).doing = Some(doing(Stage::Looking)),
        },
        (Question::Order, Some(Fate::Unknown) | None) => {
            execute(world, to, Command::Take, is_awaited, mutation)
        }
    }
    Some(())
}

fn reply(world: &mut World, is_awaited: bool, reply: Reply) {
    if is_awaited {
        world.network.replies.push(reply);
        world.network.replies.sort_unstable();
    }
}

/// Begins a command in the actor.
fn execute(world: &mut World, id: ServerId, command: Command, is_awaited: bool, mutation: Option<Mutation>) {
    let stage = Stage::Loading;
    let doing =
        Doing { question: Question::Order, command, is_awaited, stage, is_second: false, is_reloaded: false };
    let server = world.server_mut(id);
    server.doing = Some(doing);
    if let Some(copy) = server.copy {
        decide(world, id, copy, mutation);
    }
}

/// Decides a command by the rules of the job: returns the change, or `None` if the command is refused.
fn rule(command: Command, job: Job) -> Option<Change> {
    let change = Change { command, based_on: job.version, has_mechanic: !job.has_mechanic };
    match command {
        Command::Take => (!job.has_mechanic).then_some(change),
        Command::Tick(_) => Some(change),
    }
}

fn decide(world: &mut World, id: ServerId, copy: Job, mutation: Option<Mutation>) {
    let server = world.server_mut(id);
    let Some(doing) = &mut server.doing else { return };
    match rule(doing.command, copy) {
        Some(change) => doing.stage = Stage::Decided(change),
        // A copy in question never leads to a refusal.
        None if server.is_in_question && !doing.is_reloaded => decide_again(world, id, mutation),
        None => finish(world, id, Answer::Refused, mutation),
    }
}

/// Reloads the copy, which was or may be stale, and decides a second and last time.
fn decide_again(world: &mut World, id: ServerId, mutation: Option<Mutation>) {
    let server = world.server_mut(id);
    server.copy = None;
    match &mut server.doing {
        Some(doing) if !doing.is_second => (doing.stage, doing.is_second) = (Stage::Loading, true),
        // The job changes too fast.
        _ => finish(world, id, Answer::Refused, mutation),
    }
}

/// Ends a command that has been executed. The server remembers the answer to its caller.
fn finish(world: &mut World, id: ServerId, answer: Answer, mutation: Option<Mutation>) {
    let server = world.server_mut(id);
    let Some(doing) = server.doing.take() else { return };
    let mut answer = answer;
    if doing.command == Command::Take {
        let is_in_doubt = server.fate == Some(Fate::Unknown) && mutation != Some(Mutation::DoubtIsForgotten);
        if answer == Answer::Refused && is_in_doubt {
            answer = Answer::Unknown;
        }
        server.fate = Some(match (server.fate, answer) {
            (Some(fate @ (Fate::Committed | Fate::Refused)), _) => fate,
            (_, Answer::Done) => Fate::Committed,
            (_, Answer::Refused) => Fate::Refused,
            (_, Answer::Unknown) => Fate::Unknown,
        });
    }
    reply(world, doing.is_awaited, Reply::Answer(answer));
}

fn read(world: &mut World, id: ServerId, mutation: Option<Mutation>) -> Option<()> {
    require(can_borrow(world, id))?;
    let (job, is_logged) = (world.db.job, world.db.has_logged(Command::Take));
    let server = world.server_mut(id);
    let doing = server.doing.as_mut()?;
    match doing.stage {
        Stage::Loading => {
            (server.copy, doing.is_reloaded) = (Some(job), true);
            decide(world, id, job, mutation);
        }
        Stage::Finding if is_logged && server.copy.is_none() => doing.stage = Stage::Looking,
        Stage::Finding if is_logged => answer_inquiry(world, id, Reply::Found),
        Stage::Finding if server.is_in_question => answer_inquiry(world, id, Reply::Answer(Answer::Unknown)),
        Stage::Finding => {
            server.fate = Some(Fate::Refused);
            answer_inquiry(world, id, Reply::NotFound);
        }
        Stage::Looking => {
            server.copy = Some(job);
            match doing.question {
                Question::Order => finish(world, id, Answer::Done, mutation),
                Question::Inquiry => answer_inquiry(world, id, Reply::Found),
            }
        }
        Stage::Decided(_) | Stage::Begun | Stage::Sent => return None,
    }
    Some(())
}

fn answer_inquiry(world: &mut World, id: ServerId, answer: Reply) {
    let doing = world.server_mut(id).doing.take();
    reply(world, doing.is_some_and(|doing| doing.is_awaited), answer);
}

fn answered(world: &mut World, id: ServerId, verdict: Verdict, mutation: Option<Mutation>) -> Option<()> {
    let server = world.server_mut(id);
    match verdict {
        Verdict::Committed(change) => {
            let Change { based_on, has_mechanic, .. } = change;
            server.copy = Some(Job { version: based_on + 1, has_mechanic });
            finish(world, id, Answer::Done, mutation);
        }
        Verdict::Stale => decide_again(world, id, mutation),
        Verdict::Repeated => {
            server.copy = None;
            server.doing.as_mut()?.stage = Stage::Looking;
        }
    }
    Some(())
}

fn fail(world: &mut World, id: ServerId, mutation: Option<Mutation>) -> Option<()> {
    let session = world.db.session(id);
    let is_broken = session.is_none_or(|session| session.work == Work::Idle);
    let has_none = session.is_none() || !is_lease_held(world, id);
    let server = world.server_mut(id);
    let Doing { stage, question, .. } = server.doing?;
    require(match stage {
        Stage::Loading | Stage::Decided(_) | Stage::Finding | Stage::Looking => has_none,
        Stage::Begun | Stage::Sent => is_broken,
    })?;
    match stage {
        Stage::Loading => {
            server.is_in_question = true;
            finish(world, id, Answer::Refused, mutation);
        }
        Stage::Decided(_) | Stage::Begun => finish(world, id, Answer::Refused, mutation),
        Stage::Sent => {
            (server.copy, server.is_in_question) = (None, true);
            finish(world, id, Answer::Unknown, mutation);
        }
        Stage::Finding => answer_inquiry(world, id, Reply::Answer(Answer::Unknown)),
        Stage::Looking => {
            let is_known = question == Question::Inquiry || server.fate == Some(Fate::Committed);
            let answer = match mutation {
                Some(Mutation::NotReadMeansRefused) if is_known => Answer::Refused,
                _ => Answer::Unknown,
            };
            match question {
                Question::Order => finish(world, id, answer, mutation),
                Question::Inquiry => answer_inquiry(world, id, Reply::Answer(answer)),
            }
        }
    }
    Some(())
}
