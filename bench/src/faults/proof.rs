//! Checks whether the database agrees with what people were told.

use std::collections::{BTreeSet, HashMap};

use sqlx::PgPool;
use uuid::Uuid;

use super::world::{JobSeen, World};
use crate::Failure;

/// Checks the jobs that have ended since the last check.
#[derive(Debug, Default)]
pub struct Proof {
    pub jobs: u64,
    pub points: u64,
}

impl Proof {
    pub async fn check(&mut self, db: &PgPool, world: &World) -> Result<(), Failure> {
        let ended = world.take_ended();
        let ids: Vec<Uuid> = ended.iter().map(|(id, _)| id.parse()).collect::<Result<_, _>>()?;
        let events: Vec<(Uuid, String, i64)> = sqlx::query_as(
            "select job_id, kind, count(*) from job_events where job_id = any($1) group by job_id, kind",
        )
        .bind(&ids)
        .fetch_all(db)
        .await?;
        let mut counted: HashMap<String, HashMap<String, i64>> = HashMap::new();
        for (job, kind, count) in events {
            counted.entry(job.to_string()).or_default().insert(kind, count);
        }
        for (id, job) in &ended {
            right_events(id, job, counted.get(id))?;
        }
        no_rows(
            db,
            "jobs whose log has gaps",
            "select job_id::text from job_events where job_id = any($1) group by job_id
            having count(*) <> max(version) or count(seq) <> max(seq) or count(*) <> count(distinct command_id)",
            &ids,
        )
        .await?;
        no_rows(
            db,
            "paid jobs that are not booked once",
            "select job.id::text from jobs job left join ledger_transactions booked on booked.job_id = job.id
            where job.id = any($1) and job.status = 'paid' group by job.id having count(booked.id) <> 1",
            &ids,
        )
        .await?;
        for (id, job) in &ended {
            let stored: Vec<i64> = sqlx::query_scalar("select number from trail where job_id = $1")
                .bind(id.parse::<Uuid>()?)
                .fetch_all(db)
                .await?;
            let stored: BTreeSet<i64> = stored.into_iter().collect();
            self.points += job.points.len() as u64;
            let lost: Vec<&i64> = job.points.iter().filter(|seq| !stored.contains(seq)).collect();
            if !lost.is_empty() {
                return Err(format!("job {id}: points {lost:?} were acknowledged and are lost").into());
            }
        }
        no_rows(
            db,
            "mechanics on two jobs",
            "select mechanic_profile_id::text from jobs
            where status in ('accepted', 'en_route', 'arrived', 'in_progress') and $1 is not null
            group by mechanic_profile_id having count(*) > 1",
            &ids,
        )
        .await?;
        no_rows(
            db,
            "accounts that are not the sum of their postings",
            "select account.id::text from ledger_accounts account
            left join ledger_postings posting on posting.account_id = account.id where $1 is not null
            group by account.id having account.balance_paise <> coalesce(sum(posting.amount_paise), 0)",
            &ids,
        )
        .await?;
        let total: i64 =
            sqlx::query_scalar("select coalesce(sum(amount_paise), 0)::bigint from ledger_postings")
                .fetch_one(db)
                .await?;
        if total != 0 {
            return Err(format!("the ledger sums to {total}").into());
        }
        self.jobs += ended.len() as u64;
        Ok(())
    }

    /// Checks at the end of all pairs that nobody has a job of which they were not told.
    pub async fn check_all(&mut self, db: &PgPool, world: &World) -> Result<(), Failure> {
        self.check(db, world).await?;
        let known: BTreeSet<String> = world.job_ids().into_iter().collect();
        let all: Vec<String> = sqlx::query_scalar("select id::text from jobs").fetch_all(db).await?;
        let unknown: Vec<&String> = all.iter().filter(|id| !known.contains(*id)).collect();
        if !unknown.is_empty() {
            return Err(format!("jobs that nobody was told of: {unknown:?}").into());
        }
        match self.jobs > 0 && self.points > 0 {
            true => Ok(()),
            false => Err("too little happened to prove anything".into()),
        }
    }
}

/// Checks that everything that was acknowledged is there, and nothing twice.
fn right_events(id: &str, job: &JobSeen, events: Option<&HashMap<String, i64>>) -> Result<(), String> {
    let count = |kind: &str| events.and_then(|events| events.get(kind)).copied().unwrap_or_default();
    for kind in &job.acknowledged {
        if count(kind) == 0 {
            return Err(format!("job {id}: {kind} was acknowledged and is lost"));
        }
    }
    for kind in ["created", "completed", "paid", "cancelled"] {
        if count(kind) > 1 {
            return Err(format!("job {id}: {kind} {} times", count(kind)));
        }
    }
    // A mechanic who lost the job has begun it without effect.
    for kind in ["accepted", "en_route", "arrived", "in_progress"] {
        let acknowledged = job.acknowledged.iter().filter(|one| **one == kind).count() as i64;
        if count(kind) > 1 + count("released") || acknowledged > count(kind) {
            return Err(format!("job {id}: {kind} {} times, acknowledged {acknowledged} times", count(kind)));
        }
    }
    Ok(())
}

/// Fails if `sql` finds forbidden rows of these jobs.
async fn no_rows(db: &PgPool, what: &str, sql: &'static str, jobs: &[Uuid]) -> Result<(), Failure> {
    let found: Vec<String> = sqlx::query_scalar(sql).bind(jobs).fetch_all(db).await?;
    match found.is_empty() {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(acknowledged: &[&'static str], events: &[(&str, i64)]) -> Result<(), String> {
        let job = JobSeen { acknowledged: acknowledged.to_vec(), ..JobSeen::default() };
        let events = events.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
        right_events("a", &job, Some(&events))
    }

    #[test]
    fn acknowledged_events_are_there_once() {
        assert_eq!(told(&["created", "accepted"], &[("created", 1), ("accepted", 1)]), Ok(()));
        assert_eq!(told(&["created"], &[("created", 1), ("accepted", 1)]), Ok(()));
        assert!(told(&["created", "accepted"], &[("created", 1)]).unwrap_err().contains("is lost"));
        assert!(told(&[], &[("created", 2)]).unwrap_err().contains("2 times"));
        assert!(told(&[], &[("accepted", 2)]).unwrap_err().contains("2 times"));
        assert_eq!(told(&["accepted", "accepted"], &[("accepted", 2), ("released", 1)]), Ok(()));
    }
}
