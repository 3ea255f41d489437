//! An engine in another process: how a request gets its one true answer over a link that loses messages, while engines come and go.
//!
//! | what the link says | then |
//! | --- | --- |
//! | nobody serves | surely not begun: try again |
//! | no answer | perhaps begun, perhaps still to come: ask again, a command under the same id |
//! | a refusal, of a command that may have been begun before | the job's log knows; if the command is not in it, it never will be |
//! | any other answer | it is the answer |
//!
//! When the time is over, a command that may have been begun is answered as [`Refusal::OutcomeUnknown`], everything else as
//! [`Refusal::Unavailable`].

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use futures_util::future::{BoxFuture, FutureExt};

use crate::{
    handle::Transport,
    protocol::{Answer, Call, FindCommand, Notice, Request},
    refusal::Refusal,
};

/// How long a request waits for an engine that serves.
const WITHIN: Duration = Duration::from_secs(5);
/// How long after a try the next one comes.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a try of a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// No engine took it: it was surely not begun.
    NobodyServes,
    /// It may have been begun, or may be yet.
    Lost,
}

/// Carries one try to the engine that serves now. Must end within a time of its own.
pub trait Link: fmt::Debug + Send + Sync {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>>;

    /// Must not block, and may lose it.
    fn tell(&self, notice: Notice);
}

/// The engine at the other end of a link.
#[derive(Debug)]
pub struct RemoteEngine<L>(L);

impl<L: Link> RemoteEngine<L> {
    pub fn new(link: L) -> Self {
        Self(link)
    }

    async fn persist(&self, request: &Request, may_have_begun: &AtomicBool) -> Result<Answer, Refusal> {
        loop {
            match self.0.send(request.clone()).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(refusal)) => match request.inquiry() {
                    Some(inquiry) if may_have_begun.load(Ordering::Relaxed) => {
                        return self.find_out(inquiry, request, refusal).await;
                    }
                    _ => return Err(refusal),
                },
                Err(Unanswered::NobodyServes) => {}
                Err(Unanswered::Lost) => may_have_begun.store(true, Ordering::Relaxed),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// A command was refused, and an earlier try of it may have been carried out.
    async fn find_out(
        &self,
        inquiry: FindCommand,
        request: &Request,
        refusal: Refusal,
    ) -> Result<Answer, Refusal> {
        loop {
            if let Ok(found) = self.0.send(inquiry.into_request()).await {
                return match FindCommand::read(found?).flatten() {
                    Some(committed) => request.committed(committed),
                    None => Err(refusal),
                };
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl<L: Link> Transport for RemoteEngine<L> {
    fn ask(&self, request: Request) -> BoxFuture<'_, Result<Answer, Refusal>> {
        async move {
            let may_have_begun = AtomicBool::new(false);
            let answered = tokio::time::timeout(WITHIN, self.persist(&request, &may_have_begun)).await;
            answered.unwrap_or_else(|_| {
                let why = "no engine answered in time".to_owned();
                match request.inquiry().is_some() && may_have_begun.load(Ordering::Relaxed) {
                    true => Err(Refusal::OutcomeUnknown(why)),
                    false => Err(Refusal::Unavailable(why)),
                }
            })
        }
        .boxed()
    }

    fn tell(&self, notice: Notice) {
        self.0.tell(notice);
    }
}
