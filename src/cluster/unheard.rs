//! Lets another server lead if nobody gets answers from the leader.
//!
//! A leader whose link to NATS is broken in either direction, or only too slow, keeps its lock in Postgres although
//! nobody can ask it anything. So each server regularly looks whether the leader answers, and complains in Postgres if
//! it does not. A leader gives the lead away if some server complains of it, and so does every server that it hears. If
//! NATS is away for all, nobody reaches it, nobody complains, and the lead stays where it is.
//!
//! By the same looks, a candidate learns whether the former leader is there and has lost only its session in Postgres.

use std::time::{Duration, Instant};

use actix_web::rt;
use tokio::{
    sync::{mpsc, watch},
    time::{MissedTickBehavior, interval, timeout},
};
use uuid::Uuid;

use super::{
    context::{ClusterContext, Peers},
    queries::{self, Complaint},
    subject::Leader,
};
use crate::platform::{bus::Unheard, db};

const EVERY: Duration = Duration::from_millis(250);
/// A look at the leader is sent once in this many rounds.
const LOOK_ROUNDS: u32 = 2;
/// How long the leader may be out of reach beyond the limit of one answer: a little more than the pause between two looks.
const BEYOND_AN_ANSWER: Duration = Duration::from_millis(750);
/// How long all servers must complain before a leader believes them. A complaint counts for a second, so each
/// server has complained at least twice: a leader that only stood still answers everybody a moment later.
const BELIEVED_AFTER: Duration = Duration::from_secs(1);
/// A server that reported within this time counts as heard. Reports come each second.
const HEARD_WITHIN: Duration = Duration::from_secs(3);
/// A process that had no round for this long stood still, and knows nothing about the others.
const STOOD_STILL: Duration = Duration::from_secs(3);
/// How long Postgres may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// The maximum number of complaints that are read.
const MAX_COMPLAINTS: i64 = 1_000;

/// A flag that makes this server let another one lead, because the others complain, or it is not ready. All clones share it.
#[derive(Debug, Clone, Default)]
pub struct UnheardLeader(watch::Sender<bool>);

impl UnheardLeader {
    /// Makes this leading server let another one lead. Returns `false` if the flag was already set.
    pub(super) fn step_down(&self) -> bool {
        !self.0.send_replace(true)
    }

    /// Resolves once this leading server has to let another one lead.
    pub async fn noticed(&self) {
        // The wait can't fail, since this holds the sender.
        self.0.subscribe().wait_for(|is_unheard| *is_unheard).await.ok();
    }
}

/// The result of a look at the leader.
#[derive(Debug, Clone, Copy)]
struct Look {
    leader: Leader,
    sent_at: Instant,
    answer: Result<(), Unheard>,
}

/// Since when a leader has not answered.
#[derive(Debug)]
struct Reach {
    leader: Option<Leader>,
    /// The newest term of a leader that was heard.
    heard_term: u64,
    /// When the last answered look was sent, or when the count began.
    since: Instant,
    round_at: Instant,
}

impl Reach {
    fn new(now: Instant) -> Self {
        Self { leader: None, heard_term: 0, since: now, round_at: now }
    }

    /// Begins another round. Begins the count anew if this process has just stood still, if it `is_excused` (it leads itself, or
    /// lacks NATS), or if the leader is heard for the first time: Postgres names a leader before it has taken up what was
    /// committed, and can answer.
    fn begin_round(&mut self, leader: Option<Leader>, heard_term: u64, is_excused: bool, now: Instant) {
        let stood_still = now.saturating_duration_since(self.round_at) > STOOD_STILL;
        if stood_still || is_excused || leader != self.leader || heard_term != self.heard_term {
            (self.leader, self.heard_term, self.since) = (leader, heard_term, now);
        }
        self.round_at = now;
    }

    /// Returns whether a look tells more than a later one has: a look may still wait in vain when the next is answered.
    fn is_news(&self, look: Look) -> bool {
        look.answer.is_ok() || look.sent_at > self.since
    }

    fn take(&mut self, look: Look) {
        if look.answer.is_ok() && Some(look.leader) == self.leader {
            self.since = self.since.max(look.sent_at);
        }
    }

    fn unanswered_for(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.since)
    }
}

/// A leader's view of the other servers.
#[derive(Debug, Clone, Copy)]
struct Standing<'a> {
    term: u64,
    is_connected: bool,
    /// The servers that the leader hears.
    heard: &'a [Uuid],
    complaints: &'a [Complaint],
}

impl Standing<'_> {
    /// Returns whether some server complains of this leader, and so does every server that it hears.
    fn is_unheard(self) -> bool {
        let Self { heard, complaints, .. } = self;
        complaints.iter().any(|complaint| self.counts(complaint))
            && heard.iter().all(|server| complaints.iter().any(|complaint| complaint.server == *server))
    }

    /// Returns whether a complaint counts. A server that never heard this leader may be in another part of NATS, where it would
    /// be no better off with any other leader; but that does not excuse a leader that has no connection.
    fn counts(self, complaint: &Complaint) -> bool {
        let heard_term = complaint.heard_term.map(i64::unsigned_abs);
        heard_term.is_some_and(|heard| heard == self.term || (heard < self.term && !self.is_connected))
    }
}

/// Looks at the leader regularly, until it is aborted.
pub async fn look_for_silence(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    let mut reach = Reach::new(Instant::now());
    let mut complained_of_since = None;
    let (looked, mut looks) = mpsc::channel::<Look>(64);
    let mut rounds = interval(EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut round = 0_u32;
    loop {
        let lease = context.engine_db.lease();
        tokio::select! {
            biased;
            Some(answer) = looks.recv() => {
                if reach.is_news(answer) {
                    lease.let_leader_go_first(answer.answer.is_ok());
                }
                reach.take(answer);
                continue;
            }
            () = lease.asks_for_leader() => {
                if let Some(leader) = peers.link.leader() {
                    rt::spawn(look(peers.clone(), leader, looked.clone()));
                }
                continue;
            }
            _ = rounds.tick() => round = round.wrapping_add(1),
        }
        let (is_leading, now) = (lease.is_leading(), Instant::now());
        let is_connected = peers.link.bus().is_connected();
        reach.begin_round(peers.link.leader(), peers.link.heard_term(), is_leading || !is_connected, now);
        if is_leading {
            let is_complained_of = is_complained_of(&context, &peers).await;
            complained_of_since = is_complained_of.then(|| complained_of_since.unwrap_or(now));
            if complained_of_since.is_some_and(|since| now.duration_since(since) > BELIEVED_AFTER)
                // The lead may have been lost while Postgres was asked.
                && lease.is_leading()
                && peers.unheard.step_down()
            {
                tracing::warn!("this server leads and does not answer the others: it lets another one lead");
            }
            continue;
        }
        complained_of_since = None;
        if reach.unanswered_for(now) > peers.link.answer_limit() + BEYOND_AN_ANSWER {
            complain(&context, &peers, reach.heard_term).await;
        }
        if let Some(leader) = reach.leader
            && is_connected
            && round.is_multiple_of(LOOK_ROUNDS)
        {
            rt::spawn(look(peers.clone(), leader, looked.clone()));
        }
    }
}

async fn look(peers: Peers, leader: Leader, looked: mpsc::Sender<Look>) {
    let sent_at = Instant::now();
    let answer = peers.link.look(leader).await;
    // The channel has room for more looks than are ever in progress.
    looked.try_send(Look { leader, sent_at, answer }).ok();
}

/// Notes in Postgres that the leader does not answer, with the term of the last leader that was heard.
async fn complain(context: &ClusterContext, peers: &Peers, heard_term: u64) {
    let bus = peers.link.bus();
    // This server's own link may be the one that is cut or slow.
    let reaches_nats = bus.reaches_nats().await;
    if !bus.is_connected() {
        return;
    }
    let complaint = Complaint {
        server: bus.server(),
        heard_term: reaches_nats.then(|| i64::try_from(heard_term).unwrap_or(i64::MAX)),
    };
    let db = context.db.uncounted();
    let said = async {
        queries::complain(&db, complaint).await?;
        match complaint.heard_term {
            Some(term) => db::say_unheard(&db, term).await,
            None => Ok(()),
        }
    };
    match timeout(ANSWER_LIMIT, said).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "that the leader does not answer could not be said"),
        Err(_) => tracing::debug!("that the leader does not answer could not be said in time"),
    }
}

/// Returns whether the others report that this leading server does not answer.
async fn is_complained_of(context: &ClusterContext, peers: &Peers) -> bool {
    let heard = peers.nodes.heard_within(HEARD_WITHIN);
    let db = context.db.uncounted();
    let asked = async {
        let complaints = queries::complaints(&db, MAX_COMPLAINTS).await?;
        let term = context.engine_db.lease().term().unsigned_abs();
        let is_connected = peers.link.bus().is_connected();
        let standing = Standing { term, is_connected, heard: &heard, complaints: &complaints };
        // Servers of an earlier release complain without a name, and only of a leader that they don't hear.
        Ok::<_, sqlx::Error>(standing.is_unheard() || (heard.is_empty() && db::is_unheard(&db).await?))
    };
    timeout(ANSWER_LIMIT, asked).await.is_ok_and(|answer| answer.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn leader(term: u64) -> Leader {
        Leader { term, server: server(9) }
    }

    fn says(number: u128, heard_term: Option<i64>) -> Complaint {
        Complaint { server: server(number), heard_term }
    }

    #[test]
    fn a_leader_steps_down_only_when_all_servers_that_it_hears_complain() {
        let is_unheard = |is_connected, heard: &[Uuid], complaints: &[Complaint]| {
            Standing { term: 7, is_connected, heard, complaints }.is_unheard()
        };
        let both = [server(1), server(2)];
        assert!(is_unheard(true, &both, &[says(1, Some(7)), says(2, Some(7))]), "it is mute, or too slow");
        assert!(!is_unheard(true, &both, &[says(1, Some(7))]), "the other one is answered");
        assert!(is_unheard(false, &[], &[says(1, Some(7))]), "it is deaf");
        assert!(is_unheard(true, &[], &[says(1, Some(7))]), "and does not know yet");
        assert!(!is_unheard(true, &[], &[]), "NATS is away for all");
        assert!(is_unheard(true, &both, &[says(1, Some(7)), says(2, None)]), "one may be slow itself");
        assert!(!is_unheard(true, &both, &[says(1, None), says(2, None)]), "or NATS is");
        assert!(!is_unheard(true, &[], &[says(1, Some(6))]), "it is in another part of NATS");
        assert!(is_unheard(false, &[], &[says(1, Some(6))]), "it is not: this leader was never connected");
    }

    #[test]
    fn the_leader_is_out_of_reach_since_the_last_answered_look() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let ms = Duration::from_millis;
        let answered = |sent_at| Look { leader: leader(7), sent_at, answer: Ok(()) };
        let mut reach = Reach::new(begin);
        reach.begin_round(Some(leader(7)), 7, false, at(0));
        reach.take(answered(at(500)));
        reach.take(answered(at(250)));
        let lost = |sent_at| Look { answer: Err(Unheard::Lost), ..answered(sent_at) };
        assert!(!reach.is_news(lost(at(250))), "a later look was answered");
        assert!(reach.is_news(answered(at(250))) && reach.is_news(lost(at(1_000))));
        reach.take(lost(at(1_000)));
        reach.begin_round(Some(leader(7)), 7, false, at(2_500));
        assert_eq!(reach.unanswered_for(at(2_500)), ms(2_000));
        reach.take(Look { leader: leader(6), ..answered(at(2_400)) });
        assert_eq!(reach.unanswered_for(at(2_500)), ms(2_000), "another leader has answered");
        reach.take(Look { leader: Leader { server: server(8), ..leader(7) }, ..answered(at(2_400)) });
        assert_eq!(reach.unanswered_for(at(2_500)), ms(2_000), "so has one on a copy of the database");
        reach.begin_round(Some(leader(8)), 7, false, at(2_750));
        assert_eq!(reach.unanswered_for(at(3_000)), ms(250), "it begins with each leader");
        reach.begin_round(Some(leader(8)), 7, false, at(4_500));
        assert_eq!(reach.unanswered_for(at(4_500)), ms(1_750), "it takes up what was committed");
        reach.begin_round(Some(leader(8)), 8, false, at(4_750));
        assert_eq!(reach.unanswered_for(at(4_750)), ms(0), "now it is heard");
        reach.begin_round(Some(leader(8)), 8, true, at(5_000));
        assert_eq!(reach.unanswered_for(at(5_000)), ms(0), "this server has no connection, or leads");
        reach.begin_round(Some(leader(8)), 8, false, at(5_250));
        reach.begin_round(Some(leader(8)), 8, false, at(60_000));
        assert_eq!(reach.unanswered_for(at(60_000)), ms(0), "this process stood still");
    }
}
