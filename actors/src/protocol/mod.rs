//! The requests of the service to the engine and their answers: plain data, the same whether the engine runs in
//! this process or in another one.
//!
//! A command carries the id that its caller chose, so that repeating it is harmless. Times are ages, because clocks
//! differ. Reports to apps and watchers that nobody asked for are [`Announcement`](crate::outbound::Announcement)s.

mod commands;
mod dispatch;
mod jobs;
mod mechanics;

pub use self::{
    commands::{Accept, Arrive, Assign, Cancel, Committed, FindCommand, OpenJob, Order, TakeBack},
    dispatch::{CalibrationQuery, CountQuery, EstimateQuery, HoldsQuery, OutlookAt, SurveyQuery},
    jobs::{
        CandidatesOf, JobChanged, JobOutlook, QuoteCancellation, QuoteCancellationByAdmin, RowsChanged,
        SearchPolicyOf,
    },
    mechanics::{EndParking, LastFix, Locate, LocationInterval, Park, ProfileChanged, SetAvailability},
};
pub use crate::dispatcher::queries::{AdviceQuery, AvailabilityQuery, FleetQuery, PricesQuery};

use std::time::Duration;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    dispatcher::{
        pricing::Market,
        queries::{Availability, Fleet},
    },
    engine::{AssignmentCandidate, Engine},
    experience::{Calibration, HoldReport},
    ids::JobId,
    job::fee::FeeQuote,
    mechanic::state::Located,
    messages::Advice,
    observe::EngineCounts,
    outbound::Outlook,
    position::Fix,
    refusal::Refusal,
    settings::SharedSearchPolicy,
};

/// A request to the engine.
pub trait Call: Send + Sized {
    type Answer: Send;

    /// Answers the request, where the engine runs.
    fn answer_on(self, engine: &Engine) -> impl Future<Output = Result<Self::Answer, Refusal>> + Send;

    /// Converts the request to its form for another process.
    fn into_request(self) -> Request;

    /// Reads the answer, or returns `None` if it is the answer to another call.
    fn read(answer: Answer) -> Option<Self::Answer>;
}

macro_rules! calls {
    ($($name:ident -> $answer:ty,)+) => {
        /// Every call in its form for another process.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub enum Request { $($name($name)),+ }

        /// The answer to each call.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub enum Answer { $($name($answer)),+ }

        impl Engine {
            /// Answers a call of this process.
            pub async fn ask<C: Call>(&self, call: C) -> Result<C::Answer, Refusal> {
                call.answer_on(self).await
            }

            /// Answers a request that came from another process.
            pub async fn answer(&self, request: Request) -> Result<Answer, Refusal> {
                match request {
                    $(Request::$name(call) => call.answer_on(self).await.map(Answer::$name)),+
                }
            }
        }

        $(impl Call for $name {
            type Answer = $answer;

            fn answer_on(self, engine: &Engine) -> impl Future<Output = Result<$answer, Refusal>> + Send {
                self.run(engine)
            }

            fn into_request(self) -> Request {
                Request::$name(self)
            }

            fn read(answer: Answer) -> Option<$answer> {
                match answer {
                    Answer::$name(answer) => Some(answer),
                    _ => None,
                }
            }
        })+
    };
}

calls! {
    OpenJob -> Committed,
    Order -> Committed,
    Accept -> Committed,
    Assign -> Committed,
    TakeBack -> Committed,
    Arrive -> Committed,
    Cancel -> Committed,
    FindCommand -> Option<Committed>,
    QuoteCancellation -> FeeQuote,
    QuoteCancellationByAdmin -> FeeQuote,
    CandidatesOf -> Vec<AssignmentCandidate>,
    SearchPolicyOf -> SharedSearchPolicy,
    JobOutlook -> Option<Outlook>,
    JobChanged -> (),
    RowsChanged -> (),
    LastFix -> Option<Fix>,
    LocationInterval -> Option<u32>,
    Locate -> Located,
    SetAvailability -> (),
    Park -> (),
    EndParking -> (),
    ProfileChanged -> (),
    AvailabilityQuery -> Availability,
    PricesQuery -> Vec<Market>,
    FleetQuery -> Fleet,
    AdviceQuery -> Option<Advice>,
    OutlookAt -> Outlook,
    EstimateQuery -> (Availability, Outlook),
    CountQuery -> EngineCounts,
    SurveyQuery -> (EngineCounts, Vec<Market>),
    CalibrationQuery -> Calibration,
    HoldsQuery -> HoldReport,
}

impl Request {
    /// Returns the job that the sender has changed.
    pub fn changed_job(&self) -> Option<JobId> {
        match self {
            Self::JobChanged(changed) => Some(changed.job),
            _ => None,
        }
    }

    /// Returns the same request, asked this much later.
    pub(crate) fn aged(mut self, by: TimeDelta) -> Self {
        match &mut self {
            Self::Accept(accept) => accept.answered_ago += by,
            Self::Locate(locate) => locate.received_ago += by,
            _ => {}
        }
        self
    }

    /// Returns whether it matters to the caller that the request may have happened.
    pub(crate) fn writes(&self) -> bool {
        self.inquiry().is_some()
            || matches!(self, Self::SetAvailability(_) | Self::Park(_) | Self::EndParking(_))
    }

    /// Returns how long the caller waits, if that is less than usual.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self {
            Self::CountQuery(query) => Some(query.within),
            Self::SurveyQuery(query) => Some(query.within),
            _ => None,
        }
    }

    /// Returns the request that finds out the outcome of this one, if it is a command.
    pub(crate) fn inquiry(&self) -> Option<FindCommand> {
        let (command, logged_under, job, item) = match self {
            Self::OpenJob(open) => (open.command, None, open.new.id, None),
            Self::Order(order) => (order.id, order.logged_under, order.job, order.item()),
            Self::Accept(accept) => (accept.command, accept.logged_under, accept.job, None),
            Self::Assign(assign) => (assign.command, assign.logged_under, assign.job, None),
            Self::TakeBack(take_back) => (take_back.command, take_back.logged_under, take_back.job, None),
            Self::Arrive(arrive) => (arrive.command, arrive.logged_under, arrive.job, None),
            Self::Cancel(cancel) => (cancel.command, cancel.logged_under, cancel.job, None),
            Self::FindCommand(_)
            | Self::QuoteCancellation(_)
            | Self::QuoteCancellationByAdmin(_)
            | Self::CandidatesOf(_)
            | Self::SearchPolicyOf(_)
            | Self::JobOutlook(_)
            | Self::JobChanged(_)
            | Self::RowsChanged(_)
            | Self::LastFix(_)
            | Self::LocationInterval(_)
            | Self::Locate(_)
            | Self::SetAvailability(_)
            | Self::Park(_)
            | Self::EndParking(_)
            | Self::ProfileChanged(_)
            | Self::AvailabilityQuery(_)
            | Self::PricesQuery(_)
            | Self::FleetQuery(_)
            | Self::AdviceQuery(_)
            | Self::OutlookAt(_)
            | Self::EstimateQuery(_)
            | Self::CountQuery(_)
            | Self::SurveyQuery(_)
            | Self::CalibrationQuery(_)
            | Self::HoldsQuery(_) => return None,
        };
        Some(FindCommand { job, command, logged_under, item })
    }

    /// Returns the answer of a command that turns out to be committed. Only for commands.
    pub(crate) fn committed(&self, committed: Committed) -> Result<Answer, Refusal> {
        match self {
            Self::OpenJob(_) => Ok(Answer::OpenJob(committed)),
            Self::Order(_) => Ok(Answer::Order(committed)),
            Self::Accept(_) => Ok(Answer::Accept(committed)),
            Self::Assign(_) => Ok(Answer::Assign(committed)),
            Self::TakeBack(_) => Ok(Answer::TakeBack(committed)),
            Self::Arrive(_) => Ok(Answer::Arrive(committed)),
            Self::Cancel(_) => Ok(Answer::Cancel(committed)),
            _ => Err(Refusal::OutcomeUnknown("the answer is to another request".to_owned())),
        }
    }
}

impl Answer {
    /// Returns the result of a command, if this is the answer to one.
    pub(crate) fn committed(&self) -> Option<&Committed> {
        match self {
            Self::OpenJob(committed)
            | Self::Order(committed)
            | Self::Accept(committed)
            | Self::Assign(committed)
            | Self::TakeBack(committed)
            | Self::Arrive(committed)
            | Self::Cancel(committed) => Some(committed),
            _ => None,
        }
    }
}

/// A message to the engine without an answer. Its sender goes on at once; if it is lost, the engine finds out by
/// itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Notice {
    /// Someone other than the mechanic sees where the mechanics on these jobs are. Holds for
    /// [`WATCHED_FOR`](crate::audience::WATCHED_FOR).
    Watched(Vec<JobId>),
}
