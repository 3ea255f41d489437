//! The engine's side of links from other processes: carries out and answers each command once, however often it
//! arrives.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;

use crate::{
    engine::Engine,
    ids::CommandId,
    protocol::{Answer, Committed, FindCommand, Request},
    refusal::Refusal,
};

/// The time for which copies of a command are recognised. No message takes as long, and no caller repeats a command
/// after that.
const KEPT: TimeDelta = TimeDelta::seconds(60);
/// The number of commands that are recognised at most; older ones are forgotten.
const MAX_KEPT: usize = 50_000;

type Outcome = Result<Answer, Refusal>;

/// Answers requests from other processes. The server does not know whether its engine still leads, so the caller
/// must check that first.
#[derive(Debug)]
pub struct EngineServer {
    engine: Engine,
    commands: Mutex<Commands>,
}

/// The recent commands, by age.
#[derive(Debug, Default)]
struct Commands {
    outcomes: HashMap<CommandId, (DateTime<Utc>, watch::Receiver<Option<Outcome>>)>,
    by_age: VecDeque<(DateTime<Utc>, CommandId)>,
}

/// The arrival of a command, which may be new.
enum Arrival {
    First(watch::Sender<Option<Outcome>>),
    /// The command came before, and its outcome is unknown.
    InDoubt(watch::Sender<Option<Outcome>>),
    Copy(watch::Receiver<Option<Outcome>>),
}

impl EngineServer {
    pub fn new(engine: Engine) -> Self {
        Self { engine, commands: Mutex::default() }
    }

    pub async fn answer(&self, request: Request) -> Outcome {
        match (&request, request.inquiry()) {
            (Request::FindCommand(find), _) => self.find(*find).await.map(Answer::FindCommand),
            (_, Some(inquiry)) => self.carry_out(inquiry, request).await,
            (_, None) => self.engine.answer(request).await,
        }
    }

    async fn carry_out(&self, find: FindCommand, request: Request) -> Outcome {
        match self.arrive(find.command) {
            Arrival::Copy(outcome) => same(outcome).await,
            Arrival::First(settle) => settled(settle, self.engine.answer(request).await),
            Arrival::InDoubt(settle) => {
                let outcome = match self.engine.answer(request.clone()).await {
                    Err(refusal) => match self.look_up(find).await {
                        Ok(Some(committed)) => request.committed(committed),
                        Ok(None) => Err(refusal),
                        Err(unknown) => Err(unknown),
                    },
                    answered => answered,
                };
                settled(settle, outcome)
            }
        }
    }

    /// Finds the outcome of a command whose caller has had no answer. If the command did not come yet, it is
    /// refused when it does.
    async fn find(&self, find: FindCommand) -> Result<Option<Committed>, Refusal> {
        match self.arrive(find.command) {
            Arrival::Copy(outcome) => match same(outcome).await {
                Ok(answer) => Ok(answer.committed().cloned()),
                Err(unknown @ Refusal::OutcomeUnknown(_)) => Err(unknown),
                // The command was refused here, but the engine before may have carried it out.
                Err(_) => self.look_up(find).await,
            },
            Arrival::First(settle) | Arrival::InDoubt(settle) => {
                let found = self.look_up(find).await;
                let outcome = match &found {
                    Ok(None) => Refusal::Unavailable("its caller was told that it did not happen".to_owned()),
                    // The log answers callers who ask again.
                    Ok(Some(_)) | Err(_) => Refusal::OutcomeUnknown("ask again".to_owned()),
                };
                drop(settled(settle, Err(outcome)));
                found
            }
        }
    }

    /// Looks the command up in the job's log.
    async fn look_up(&self, find: FindCommand) -> Result<Option<Committed>, Refusal> {
        match self.engine.answer(Request::FindCommand(find)).await? {
            Answer::FindCommand(found) => Ok(found),
            _ => Err(Refusal::OutcomeUnknown("the answer is to another call".to_owned())),
        }
    }

    fn arrive(&self, id: CommandId) -> Arrival {
        let now = self.engine.ago(TimeDelta::zero());
        let mut commands = self.locked();
        let known = commands.outcomes.get(&id).map(|(_, outcome)| outcome.clone());
        let is_in_doubt = known.as_ref().is_some_and(is_unknown);
        if let Some(outcome) = known.filter(|_| !is_in_doubt) {
            return Arrival::Copy(outcome);
        }
        while commands
            .by_age
            .front()
            .is_some_and(|(at, _)| now - *at > KEPT || commands.by_age.len() >= MAX_KEPT)
        {
            commands.forget_oldest();
        }
        let (settle, outcome) = watch::channel(None);
        commands.outcomes.insert(id, (now, outcome));
        commands.by_age.push_back((now, id));
        if is_in_doubt { Arrival::InDoubt(settle) } else { Arrival::First(settle) }
    }

    fn locked(&self) -> MutexGuard<'_, Commands> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Commands {
    fn forget_oldest(&mut self) {
        let Some((at, id)) = self.by_age.pop_front() else { return };
        // The command may have come again since its outcome was not known.
        if self.outcomes.get(&id).is_some_and(|(since, _)| *since == at) {
            self.outcomes.remove(&id);
        }
    }
}

/// Returns whether the command is settled with an unknown outcome, or the task that carried it out is gone.
fn is_unknown(outcome: &watch::Receiver<Option<Outcome>>) -> bool {
    match &*outcome.borrow() {
        Some(outcome) => matches!(outcome, Err(Refusal::OutcomeUnknown(_))),
        None => outcome.has_changed().is_err(),
    }
}

fn settled(settle: watch::Sender<Option<Outcome>>, outcome: Outcome) -> Outcome {
    settle.send_replace(Some(outcome.clone()));
    outcome
}

/// Returns the outcome that the first copy of the command has, or will have.
async fn same(mut outcome: watch::Receiver<Option<Outcome>>) -> Outcome {
    match outcome.wait_for(Option::is_some).await {
        Ok(known) => known.clone().unwrap_or_else(gone),
        Err(_) => gone(),
    }
}

/// Returns the outcome of a command whose task has ended without an answer.
fn gone() -> Outcome {
    Err(Refusal::OutcomeUnknown("the command was interrupted".to_owned()))
}
