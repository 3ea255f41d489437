//! Subscriptions that are being looked up, and the decision which of them takes effect.
//!
//! A client's attempt is carried out whatever the server already follows on its own. Of two attempts by a client, the
//! newer one wins. The server's attempt gives way to the client's, and resumes if that one is refused.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

/// The party that wants to follow a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Party {
    Client,
    Server,
}

/// The decision about an attempt whose job was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The attempt becomes the subscription.
    Begin,
    /// The job is already followed, so nothing begins. A client's attempt is superseded only by a newer attempt of
    /// the client, the server's attempt by any.
    Superseded,
    /// The server's attempt waits for the outcome of the client's.
    Wait,
    /// The client has since unsubscribed.
    Withdrawn,
}

/// The attempts of one listener, by job.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    made: u64,
    pending: HashMap<Uuid, BTreeMap<u64, Party>>,
}

impl Attempts {
    /// Starts an attempt; its number is larger than that of any earlier one.
    pub(super) fn start(&mut self, job: Uuid, party: Party) -> u64 {
        self.made += 1;
        self.pending.entry(job).or_default().insert(self.made, party);
        self.made
    }

    /// Jobs with an attempt that is not finished.
    pub(super) fn jobs(&self) -> impl Iterator<Item = &Uuid> {
        self.pending.keys()
    }

    pub(super) fn has(&self, job: Uuid, party: Party) -> bool {
        self.pending.get(&job).is_some_and(|attempts| attempts.values().any(|made_by| *made_by == party))
    }

    /// Decides about an attempt whose job was looked up. `standing` is the attempt by which the job is already
    /// followed.
    pub(super) fn judge(&self, job: Uuid, attempt: u64, standing: Option<u64>) -> Verdict {
        match self.pending.get(&job).and_then(|attempts| attempts.get(&attempt)) {
            None => Verdict::Withdrawn,
            Some(Party::Server) if standing.is_some() => Verdict::Superseded,
            Some(Party::Server) if self.has(job, Party::Client) => Verdict::Wait,
            Some(Party::Client) if standing.is_some_and(|standing| standing > attempt) => Verdict::Superseded,
            Some(Party::Client | Party::Server) => Verdict::Begin,
        }
    }

    /// Removes the attempt, whatever its outcome.
    pub(super) fn finish(&mut self, job: Uuid, attempt: u64) {
        if let Some(attempts) = self.pending.get_mut(&job) {
            attempts.remove(&attempt);
            if attempts.is_empty() {
                self.pending.remove(&job);
            }
        }
    }

    /// Withdraws the job's pending attempts, because the client unsubscribes.
    pub(super) fn withdraw(&mut self, job: Uuid) {
        self.pending.remove(&job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: Uuid = Uuid::from_u128(1);
    const OTHER: Uuid = Uuid::from_u128(2);

    #[test]
    fn the_servers_attempt_gives_way_to_the_clients_in_either_order() {
        for client_first in [true, false] {
            let mut attempts = Attempts::default();
            let (client, server) = match client_first {
                true => (attempts.start(JOB, Party::Client), attempts.start(JOB, Party::Server)),
                false => {
                    let server = attempts.start(JOB, Party::Server);
                    (attempts.start(JOB, Party::Client), server)
                }
            };
            assert_eq!(attempts.judge(JOB, server, None), Verdict::Wait);
            assert_eq!(attempts.judge(JOB, client, None), Verdict::Begin);
            attempts.finish(JOB, client);
            assert_eq!(attempts.judge(JOB, server, Some(client)), Verdict::Superseded);
        }
    }

    #[test]
    fn a_clients_attempt_begins_over_what_the_server_follows_already() {
        let mut attempts = Attempts::default();
        let server = attempts.start(JOB, Party::Server);
        let client = attempts.start(JOB, Party::Client);
        attempts.finish(JOB, server);
        assert_eq!(attempts.judge(JOB, client, Some(server)), Verdict::Begin);
    }

    #[test]
    fn the_server_tries_again_if_the_client_was_refused() {
        let mut attempts = Attempts::default();
        let (server, client) = (attempts.start(JOB, Party::Server), attempts.start(JOB, Party::Client));
        attempts.finish(JOB, client);
        assert_eq!(attempts.judge(JOB, server, None), Verdict::Begin);
    }

    #[test]
    fn the_newer_of_a_clients_two_attempts_wins_whichever_is_looked_up_first() {
        let mut attempts = Attempts::default();
        let (older, newer) = (attempts.start(JOB, Party::Client), attempts.start(JOB, Party::Client));
        assert_eq!(attempts.judge(JOB, older, None), Verdict::Begin);
        assert_eq!(attempts.judge(JOB, newer, Some(older)), Verdict::Begin);
        attempts.finish(JOB, newer);
        assert_eq!(attempts.judge(JOB, older, Some(newer)), Verdict::Superseded);
    }

    #[test]
    fn unsubscribing_ends_the_attempts_for_that_job_only() {
        let mut attempts = Attempts::default();
        let (gone, other) = (attempts.start(JOB, Party::Client), attempts.start(OTHER, Party::Server));
        attempts.withdraw(JOB);
        let again = attempts.start(JOB, Party::Client);
        assert_eq!(attempts.judge(JOB, gone, None), Verdict::Withdrawn);
        assert_eq!(attempts.judge(JOB, again, None), Verdict::Begin);
        assert_eq!(attempts.judge(OTHER, other, None), Verdict::Begin);
        for (job, attempt) in [(JOB, gone), (JOB, again), (OTHER, other)] {
            attempts.finish(job, attempt);
        }
        assert_eq!(attempts.jobs().count(), 0);
    }
}
