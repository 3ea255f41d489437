//! Records the dispatcher's decisions in the background: bounded, and in batches.
//!
//! No offer waits for the recorder. When the queue is full, the newest decisions are lost; they are counted and logged. While
//! Postgres is away, queued decisions wait for it. A single task does all writing, so a reader who has it write first
//! ([`Decisions::flush`]) finds everything that was decided before.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use roadcall_actors::{
    dispatcher::explain::{Considered, Explanation, Method, Passed, Terms, Verdict},
    ids::JobId,
};
use sqlx::types::Json;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Interval, MissedTickBehavior, interval, timeout},
};

use crate::{
    dispatch::{
        actions,
        dto::DispatchVerdict,
        queries::{DecisionColumns, KeptCandidate, KeptForesight, KeptTerms},
    },
    platform::{
        db::{Db, EngineDb, LeadershipStatus},
        telemetry,
    },
};

/// The maximum number of decisions written with one statement.
const BATCH: usize = 500;
/// How long decisions are collected; meanwhile, looks without an offer in one round become one row.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// Lost decisions are logged at most this often.
const REPORT_EVERY: Duration = Duration::from_secs(10);
/// How long a reader waits for queued decisions; [`STOP_LIMIT`] is how long a stop waits.
const READ_LIMIT: Duration = Duration::from_secs(1);
const STOP_LIMIT: Duration = Duration::from_secs(3);
/// Time between two attempts of a stop.
const STOP_AGAIN: Duration = Duration::from_millis(20);

/// The dispatcher's and the readers' handle to the recorder. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Decisions {
    queue: mpsc::Sender<Request>,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Request {
    Keep(Box<Explanation>),
    /// Asks for everything before it to be written; the answer says whether it was.
    Write(oneshot::Sender<bool>),
}

impl Decisions {
    /// Starts the recorder's loop on the current runtime. At most so many decisions wait to be written.
    pub fn start(db: EngineDb, most_waiting: usize) -> Self {
        let (queue, requests) = mpsc::channel(most_waiting);
        let decisions = Self { queue, lost: Arc::default() };
        actix_rt::spawn(run(db, requests, decisions.lost.clone()));
        decisions
    }

    /// Queues a decision for the next write. Never waits: if the queue is full, the decision is lost.
    pub fn record(&self, explanation: Explanation) {
        if self.queue.try_send(Request::Keep(Box::new(explanation))).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
            telemetry::count_lost_decision();
        }
    }

    /// Returns the number of decisions that wait to be written.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Has everything that was decided before written; returns `false` if that is not possible now.
    pub async fn flush(&self) -> bool {
        timeout(READ_LIMIT, self.write()).await.unwrap_or_default()
    }

    /// Flushes like [`Self::flush`] when the service stops; tries again while the database is away.
    pub async fn flush_at_stop(&self) {
        let write = async {
            while !self.write().await {
                tokio::time::sleep(STOP_AGAIN).await;
            }
        };
        if timeout(STOP_LIMIT, write).await.is_err() {
            tracing::warn!("the last dispatch decisions could not be saved before the stop");
        }
    }

    async fn write(&self) -> bool {
        let (done, answer) = oneshot::channel();
        self.queue.send(Request::Write(done)).await.is_ok() && answer.await.unwrap_or_default()
    }
}

async fn run(db: EngineDb, mut requests: mpsc::Receiver<Request>, lost: Arc<AtomicU64>) {
    let mut due = Unwritten::default();
    let (mut write, mut report) = (every(WRITE_EVERY), every(REPORT_EVERY));
    loop {
        tokio::select! {
            // Decisions that can't be written wait here; the queue then fills up to its limit.
            request = requests.recv(), if due.decisions.len() < BATCH => match request {
                Some(Request::Keep(explanation)) => {
                    due.take(*explanation);
                    if due.decisions.len() == BATCH {
                        due.save(&db.current()).await;
                    }
                }
                Some(Request::Write(done)) => {
                    // If the reader no longer waits, it reads what is there.
                    done.send(due.save(&db.current()).await).ok();
                }
                None => break,
            },
            _ = write.tick() => {
                due.save(&db.current()).await;
            }
            _ = report.tick() => {
                let lost = lost.swap(0, Ordering::Relaxed);
                if lost > 0 {
                    tracing::warn!(lost, "dispatch decisions were lost because the queue was full");
                }
            }
        }
    }
}

fn every(period: Duration) -> Interval {
    let mut interval = interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Decisions that are not written yet.
#[derive(Debug, Default)]
struct Unwritten {
    decisions: Vec<Decision>,
    /// The index of the look without an offer of each job, attempt and round.
    without_offer: HashMap<(JobId, u32, u32), usize>,
}

/// A decision, and how many looks it represents.
#[derive(Debug)]
struct Decision {
    explanation: Explanation,
    looks: i64,
    is_offering: bool,
}

impl Unwritten {
    /// Adds a decision. A look without an offer replaces the previous one in its round.
    fn take(&mut self, explanation: Explanation) {
        let is_offering = explanation.considered.iter().any(|c| matches!(c.verdict, Verdict::Offered(_)));
        let decision = Decision { explanation, looks: 1, is_offering };
        if is_offering {
            return self.decisions.push(decision);
        }
        let Explanation { job_id, attempt, round, .. } = decision.explanation;
        match self.without_offer.entry((job_id, attempt, round)) {
            Entry::Vacant(entry) => {
                entry.insert(self.decisions.len());
                self.decisions.push(decision);
            }
            Entry::Occupied(entry) => {
                let before = &mut self.decisions[*entry.get()];
                *before = Decision { looks: before.looks + 1, ..decision };
            }
        }
    }

    /// Writes everything; unwritten decisions stay here, until another server leads. Returns whether nothing is left.
    async fn save(&mut self, db: &Db) -> bool {
        if self.decisions.is_empty() {
            return true;
        }
        if db.lease().standing() == LeadershipStatus::Replaced {
            self.lose();
            return true;
        }
        let mut columns = DecisionColumns::default();
        self.decisions.iter().for_each(|decision| columns.push(decision));
        match actions::keep(db, &columns).await {
            Ok(()) => {
                *self = Self::default();
                true
            }
            // A later attempt would fail as well, and the following decisions must not wait for it.
            Err(error) if is_refused(&error) => {
                tracing::error!(error.cause = %error, "the database rejected dispatch decisions; they are lost");
                self.lose();
                true
            }
            Err(error) => {
                tracing::warn!(error.cause = %error, "saving dispatch decisions failed and will be retried");
                false
            }
        }
    }

    /// Gives up the unwritten decisions, and counts them.
    fn lose(&mut self) {
        self.decisions.iter().for_each(|_| telemetry::count_lost_decision());
        *self = Self::default();
    }
}

/// Returns whether the data itself is at fault: SQLSTATE classes 22 and 23.
fn is_refused(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code.starts_with("22") || code.starts_with("23"))
}

impl DecisionColumns {
    fn push(&mut self, decision: &Decision) {
        let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let explanation = &decision.explanation;
        self.job_ids.push(explanation.job_id.0);
        self.attempts.push(int(explanation.attempt));
        self.rounds.push(int(explanation.round));
        self.looks.push(decision.looks);
        self.ats.push(explanation.at);
        self.rings_m.push(explanation.ring_m);
        self.wanted.push(int(explanation.wanted));
        self.priorities_s.push(explanation.priority_s);
        self.competing_jobs.push(int(explanation.competing_jobs));
        self.methods.push(explanation.method.into());
        self.gaps_s.push(match explanation.method {
            Method::Bounded { gap_s } => Some(gap_s),
            Method::Alone | Method::Exact | Method::Greedy => None,
        });
        self.are_offering.push(decision.is_offering);
        self.considered.push(Json(explanation.considered.iter().map(stored).collect()));
        self.omitted.push(int(explanation.omitted));
    }
}

fn stored(considered: &Considered) -> KeptCandidate {
    let with_job = match considered.verdict {
        Verdict::Passed(_, Passed::MatchedWith(job)) => Some(job.0),
        _ => None,
    };
    let (verdict, reason, terms) = match &considered.verdict {
        Verdict::Offered(terms) => (DispatchVerdict::Offered, None, Some(terms)),
        Verdict::Passed(terms, why) => (DispatchVerdict::Passed, Some((*why).into()), Some(terms)),
        Verdict::Unfit(why) => (DispatchVerdict::Unfit, Some((*why).into()), None),
    };
    KeptCandidate {
        mechanic: considered.mechanic_id.0,
        distance_m: considered.distance_m,
        verdict,
        reason,
        with_job,
        terms: terms.map(stored_terms),
    }
}

fn stored_terms(terms: &Terms) -> KeptTerms {
    KeptTerms {
        eta_s: terms.eta_s,
        eta_source: terms.eta_source.into(),
        refusal_s: terms.refusal_s,
        idle_s: terms.idle_s,
        parked_s: terms.parked_s,
        foresight: terms.foresight.map(|foresight| KeptForesight {
            price_per_hour_milli: foresight.price_per_hour_milli,
            class_price_per_hour_milli: Some(foresight.class_price_per_hour_milli),
            busy_s: foresight.busy_s,
            price_s: foresight.price_s,
            chance_permille: foresight.chance_permille,
            late_s: foresight.late_s,
            worth_s: foresight.worth_s,
        }),
        cost_s: terms.cost_s,
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use roadcall_actors::{dispatcher::explain::Unfit, eta::EtaSource, ids::MechanicId};
    use uuid::Uuid;

    use super::*;
    use crate::platform::db::testing::fresh_database;

    fn look(round: u32, verdict: Verdict) -> Explanation {
        let mechanic_id = MechanicId(Uuid::nil());
        Explanation {
            job_id: JobId(Uuid::nil()),
            attempt: 1,
            round,
            at: DateTime::UNIX_EPOCH,
            ring_m: 3000.0,
            wanted: 1,
            priority_s: 0,
            competing_jobs: 1,
            method: Method::Alone,
            considered: vec![Considered { mechanic_id, distance_m: 10, verdict }],
            omitted: 0,
        }
    }

    fn offered() -> Verdict {
        Verdict::Offered(Terms {
            eta_s: 10,
            eta_source: EtaSource::StraightLine,
            refusal_s: 0,
            idle_s: 0,
            parked_s: 0,
            foresight: None,
            cost_s: 10,
        })
    }

    #[test]
    fn looks_without_an_offer_in_one_round_are_merged_and_others_are_not() {
        let mut due = Unwritten::default();
        for round in [1, 1, 2] {
            due.take(look(round, Verdict::Unfit(Unfit::Engaged)));
        }
        due.take(look(2, offered()));
        due.take(look(2, offered()));
        due.take(look(2, Verdict::Unfit(Unfit::Category)));
        let stored =
            due.decisions.iter().map(|stored| (stored.explanation.round, stored.looks, stored.is_offering));
        let expected = [(1, 2, false), (2, 2, false), (2, 1, true), (2, 1, true)];
        assert_eq!(stored.collect::<Vec<_>>(), expected);
        let newest = &due.decisions[1].explanation.considered[0].verdict;
        assert_eq!(newest, &Verdict::Unfit(Unfit::Category), "the newest look is the one that is stored");
    }

    #[tokio::test]
    async fn a_server_that_was_replaced_has_nothing_left_to_write() {
        let (database, mut due) = (fresh_database().await, Unwritten::default());
        due.take(look(1, offered()));
        database.be_replaced();
        assert!(due.save(&database.db).await);
        assert!(due.decisions.is_empty());
    }

    #[test]
    fn a_decision_that_finds_the_queue_full_is_lost_and_counted() {
        let (queue, _requests) = mpsc::channel(1);
        let decisions = Decisions { queue, lost: Arc::default() };
        decisions.record(look(1, offered()));
        assert_eq!(decisions.lost.load(Ordering::Relaxed), 0);
        decisions.record(look(2, offered()));
        assert_eq!(decisions.lost.load(Ordering::Relaxed), 1);
    }
}
