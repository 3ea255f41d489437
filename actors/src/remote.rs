//! An engine in another process: obtains the one true answer to a request over a link that loses messages, while
//! engines come and go.
//!
//! | the link's result | then |
//! | --- | --- |
//! | nobody serves | surely not begun: try again |
//! | no answer | perhaps begun, perhaps still to come: ask again, a command under the same id |
//! | a refusal, of a command that may have been begun before | the job's log knows; if the command is not in it, it never will be |
//! | any other answer | it is the answer |
//!
//! When the time is over, a request that writes and may have begun is answered as [`Refusal::OutcomeUnknown`],
//! everything else as [`Refusal::Unavailable`].

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use chrono::TimeDelta;
use futures_util::future::{BoxFuture, FutureExt};

use crate::{
    clock::Clock,
    engine::Engine,
    handle::Transport,
    protocol::{Answer, Call, FindCommand, Notice, Request},
    refusal::Refusal,
    settings::Tuning,
};

/// The time that a request waits for an engine that serves, and its caller for the answer.
pub const WITHIN: Duration = Duration::from_secs(5);
/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(50);

/// The reason why a try of a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// No engine took the request, nor will one: it was surely not begun. A link that may have made a copy of the
    /// message can't know that.
    NobodyServes,
    /// The request may have begun, or may begin later.
    Lost,
}

/// Carries one try to the engine that serves now. Must end within a time limit of its own.
pub trait Link: fmt::Debug + Send + Sync {
    /// Sends one try of a request that was asked this long ago: an engine does not carry it out once its caller has
    /// given up.
    fn send(
        &self,
        request: Request,
        asked_ago: Duration,
    ) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>>;

    /// Sends a notice. Must not block, and may lose the notice.
    fn tell(&self, notice: Notice);

    /// Passes on changed dispatch settings. Must not block, and may lose them.
    fn tune(&self, tuning: Tuning);

    /// Returns the engine, if it runs in this process and may be asked.
    fn here(&self) -> Option<Engine> {
        None
    }
}

/// The engine at the other end of a link.
#[derive(Debug)]
pub struct RemoteEngine<L> {
    link: L,
    clock: Clock,
}

impl<L: Link> RemoteEngine<L> {
    pub fn new(link: L, clock: Clock) -> Self {
        Self { link, clock }
    }

    async fn persist(&self, request: &Request, may_have_begun: &AtomicBool) -> Result<Answer, Refusal> {
        let asked_at = self.clock.elapsed();
        loop {
            // While a try is under way, its outcome is unknown.
            let had_begun = may_have_begun.swap(true, Ordering::Relaxed);
            let asked_ago = self.clock.elapsed() - asked_at;
            let request_now = request.clone().aged(TimeDelta::from_std(asked_ago).unwrap_or(TimeDelta::MAX));
            match self.link.send(request_now, asked_ago).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(refusal)) => match request.inquiry() {
                    Some(inquiry) if had_begun => {
                        return self.find_out(inquiry, asked_at, request, refusal).await;
                    }
                    _ => return Err(refusal),
                },
                Err(Unanswered::NobodyServes) => may_have_begun.store(had_begun, Ordering::Relaxed),
                Err(Unanswered::Lost) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Finds out whether a refused command was carried out in an earlier try.
    async fn find_out(
        &self,
        inquiry: FindCommand,
        asked_at: Duration,
        request: &Request,
        refusal: Refusal,
    ) -> Result<Answer, Refusal> {
        loop {
            match self.link.send(inquiry.into_request(), self.clock.elapsed() - asked_at).await {
                // This answer says nothing about the command.
                Ok(Err(Refusal::Unavailable(_))) | Err(_) => {}
                Ok(found) => {
                    return match FindCommand::read(found?).flatten() {
                        Some(committed) => request.committed(committed),
                        None => Err(refusal),
                    };
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl<L: Link> Transport for RemoteEngine<L> {
    fn ask(&self, request: Request) -> BoxFuture<'_, Result<Answer, Refusal>> {
        async move {
            let may_have_begun = AtomicBool::new(false);
            let within = request.patience().map_or(WITHIN, |patience| patience.min(WITHIN));
            let answered = tokio::time::timeout(within, self.persist(&request, &may_have_begun)).await;
            answered.unwrap_or_else(|_| {
                let why = "no engine answered in time".to_owned();
                match request.writes() && may_have_begun.load(Ordering::Relaxed) {
                    true => Err(Refusal::OutcomeUnknown(why)),
                    false => Err(Refusal::Unavailable(why)),
                }
            })
        }
        .boxed()
    }

    fn tell(&self, notice: Notice) {
        self.link.tell(notice);
    }

    fn tune(&self, tuning: Tuning) {
        self.link.tune(tuning);
    }

    fn here(&self) -> Option<Engine> {
        self.link.here()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use chrono::DateTime;

    use super::*;
    use crate::{
        ids::{CommandId, JobId},
        job::state::{Actor, Command},
        protocol::Order,
    };

    #[derive(Debug)]
    struct Scripted {
        /// The result of each try, the last entry first. A try without an entry never ends.
        unanswered: Mutex<Vec<Unanswered>>,
        /// The age of the request at each try.
        asked_ago: Mutex<Vec<Duration>>,
    }

    impl Link for Scripted {
        fn send(
            &self,
            _: Request,
            asked_ago: Duration,
        ) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>> {
            self.asked_ago.lock().unwrap().push(asked_ago);
            match self.unanswered.lock().unwrap().pop() {
                Some(unanswered) => std::future::ready(Err(unanswered)).boxed(),
                None => std::future::pending().boxed(),
            }
        }

        fn tell(&self, _: Notice) {}

        fn tune(&self, _: Tuning) {}
    }

    fn engine(unanswered: &[Unanswered]) -> RemoteEngine<Scripted> {
        let link = Scripted { unanswered: Mutex::new(unanswered.to_vec()), asked_ago: Mutex::default() };
        RemoteEngine::new(link, Clock::virtual_from(DateTime::UNIX_EPOCH))
    }

    async fn told_by(engine: &RemoteEngine<Scripted>) -> Refusal {
        let id = CommandId(uuid::Uuid::nil());
        let (job, by, command) = (JobId(id.0), Actor::System, Command::Tick);
        let order = Order { id, logged_under: None, job, by, command };
        engine.ask(order.into_request()).await.unwrap_err()
    }

    async fn told_after(unanswered: &[Unanswered]) -> Refusal {
        told_by(&engine(unanswered)).await
    }

    #[tokio::test(start_paused = true)]
    async fn each_try_says_how_long_ago_its_request_was_asked() {
        let engine = engine(&[Unanswered::Lost; 3]);
        told_by(&engine).await;
        let asked_ago = engine.link.asked_ago.lock().unwrap();
        assert_eq!((asked_ago.len(), asked_ago[0]), (4, Duration::ZERO));
        assert!(asked_ago.windows(2).all(|tries| tries[1] >= tries[0] + PAUSE), "{asked_ago:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_try_that_is_under_way_when_the_time_is_over_may_have_begun() {
        for before in [&[][..], &[Unanswered::NobodyServes], &[Unanswered::Lost, Unanswered::NobodyServes]] {
            let told = told_after(before).await;
            assert!(matches!(told, Refusal::OutcomeUnknown(_)), "after {before:?}: {told}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_that_no_engine_took_was_not_begun() {
        let told = told_after(&[Unanswered::NobodyServes; 1_000]).await;
        assert!(matches!(told, Refusal::Unavailable(_)), "{told}");
    }
}
