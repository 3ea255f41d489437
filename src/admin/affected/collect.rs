//! Collects the affected people, and lists the gaps of the log.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use roadcall_actors::{clock::Clock, random::Random};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    audited,
    error::AffectedError,
    queries::{self, ListRow, ReachedRow, SeenRow, UnresolvedRow},
};
use crate::platform::{
    audit,
    db::{Db, allow_long_reads},
};

/// The maximum number of people in one answer. Nobody notifies more than that one by one.
pub(super) const MAX_PEOPLE: usize = 10_000;
/// The maximum number of rows that are read for them.
const MAX_ROWS: usize = 100_000;

/// The account whose reads and writes are searched, and the period.
#[derive(Debug, Clone)]
pub struct AffectedSearch {
    /// An account's id, or an email.
    pub admin: String,
    pub from: DateTime<Utc>,
    /// The end of the period, exclusive.
    pub to: DateTime<Utc>,
    /// Whether names and phone numbers are wanted.
    pub with_phones: bool,
}

/// The people who were affected.
#[derive(Debug)]
pub struct Affected {
    /// The accounts that the search was for.
    pub(super) admins: Vec<Uuid>,
    pub(super) people: Vec<AffectedPerson>,
    /// Whether there are more people.
    pub(super) is_cut: bool,
    pub(super) lists: Vec<ListRow>,
    pub(super) unresolved: Vec<UnresolvedRow>,
    /// When the log begins, if that is later than the beginning of the period.
    pub(super) begins_at: Option<DateTime<Utc>>,
    pub(super) with_phones: bool,
}

/// A person whose data was read or changed.
#[derive(Debug)]
pub(super) struct AffectedPerson {
    pub(super) who: Who,
    pub(super) sides: Vec<String>,
    pub(super) reads: i64,
    pub(super) changes: i64,
    /// The actions, and how often each was done.
    pub(super) what: BTreeMap<String, i64>,
    pub(super) first_at: DateTime<Utc>,
    pub(super) last_at: DateTime<Utc>,
    pub(super) reached: Option<ReachedRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Account(Uuid),
    /// A person without an account, whom a job names.
    OfJob(Uuid, String),
}

/// Finds the affected people in the database alone. Leaves an entry in the audit log, as every export does.
pub async fn affected(
    db: &Db,
    search: &AffectedSearch,
    clock: &Clock,
    random: &Random,
) -> Result<Affected, AffectedError> {
    if search.to <= search.from {
        return Err(AffectedError::Empty);
    }
    let mut tx = db.begin_snapshot().await?;
    let found = gather(&mut tx, search).await;
    tx.rollback().await?;
    let found = found?;
    let entry = audited::listed(search, &found);
    audit::record_alone(db, random, clock.now(), entry).await?;
    Ok(found)
}

async fn gather(tx: &mut PgConnection, search: &AffectedSearch) -> Result<Affected, AffectedError> {
    let &AffectedSearch { from, to, with_phones, .. } = search;
    // It may read a year of entries.
    allow_long_reads(tx).await?;
    let admins = admins(tx, search).await?;
    let limit = i64::try_from(MAX_ROWS + 1).unwrap_or(i64::MAX);
    let rows = queries::seen(tx, &admins, from, to, limit).await?;
    let is_cut = rows.len() > MAX_ROWS;
    let (mut people, is_more) = by_person(rows, is_cut, MAX_PEOPLE);
    if with_phones {
        reach(tx, &mut people).await?;
    }
    let begins_at = queries::oldest(tx).await?.filter(|oldest| *oldest > from);
    Ok(Affected {
        people,
        is_cut: is_cut || is_more,
        lists: queries::lists(tx, &admins, from, to).await?,
        unresolved: queries::unresolved(tx, &admins, from, to).await?,
        begins_at,
        with_phones,
        admins,
    })
}

async fn admins(tx: &mut PgConnection, search: &AffectedSearch) -> Result<Vec<Uuid>, AffectedError> {
    let admins = match search.admin.parse::<Uuid>() {
        Ok(id) => queries::is_account(tx, id).await?.then_some(id).into_iter().collect(),
        Err(_) => queries::accounts_of_email(tx, search.admin.trim(), search.from, search.to).await?,
    };
    if admins.is_empty() { Err(AffectedError::NoSuchAdmin) } else { Ok(admins) }
}

/// Groups the rows by person, in their order, and returns whether there are more than `most`. If rows were cut, the last person's
/// may be incomplete, so that person is left out.
fn by_person(rows: Vec<SeenRow>, is_cut: bool, most: usize) -> (Vec<AffectedPerson>, bool) {
    let mut people: Vec<AffectedPerson> = Vec::new();
    for row in rows {
        let who = match (row.user_id, row.job_id) {
            (Some(user_id), _) => Who::Account(user_id),
            (None, Some(job_id)) => Who::OfJob(job_id, row.side.clone()),
            (None, None) => continue,
        };
        if people.last().is_none_or(|last| last.who != who) {
            people.push(AffectedPerson {
                who,
                sides: Vec::new(),
                reads: 0,
                changes: 0,
                what: BTreeMap::new(),
                first_at: row.first_at,
                last_at: row.last_at,
                reached: None,
            });
        }
        if let Some(person) = people.last_mut() {
            person.add(row);
        }
    }
    if is_cut {
        people.pop();
    }
    let is_more = people.len() > most;
    people.truncate(most);
    (people, is_more)
}

impl AffectedPerson {
    fn add(&mut self, row: SeenRow) {
        let is_read = [".read", ".watch"].iter().any(|end| row.action.ends_with(end));
        *(if is_read { &mut self.reads } else { &mut self.changes }) += row.times;
        let what = if row.route.is_empty() { row.action } else { format!("{} {}", row.action, row.route) };
        *self.what.entry(what).or_default() += row.times;
        if !self.sides.contains(&row.side) {
            self.sides.push(row.side);
        }
        self.first_at = self.first_at.min(row.first_at);
        self.last_at = self.last_at.max(row.last_at);
    }
}

async fn reach(tx: &mut PgConnection, people: &mut [AffectedPerson]) -> Result<(), AffectedError> {
    let accounts = people.iter().filter_map(|person| match person.who {
        Who::Account(id) => Some(id),
        Who::OfJob(..) => None,
    });
    let jobs = people.iter().filter_map(|person| match person.who {
        Who::Account(_) => None,
        Who::OfJob(id, _) => Some(id),
    });
    let (accounts, jobs): (Vec<Uuid>, Vec<Uuid>) = (accounts.collect(), jobs.collect());
    let reached = queries::reached(tx, &accounts, &jobs).await?;
    let mut reached: HashMap<(Uuid, String), ReachedRow> =
        reached.into_iter().map(|row| ((row.id, row.side.clone()), row)).collect();
    for person in people {
        let key = match &person.who {
            Who::Account(id) => (*id, String::new()),
            Who::OfJob(id, side) => (*id, side.clone()),
        };
        person.reached = reached.remove(&key);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn row(user: Option<u128>, side: &str, action: &str, route: &str, minute: i64) -> SeenRow {
        let at = DateTime::UNIX_EPOCH + TimeDelta::minutes(minute);
        SeenRow {
            user_id: user.map(Uuid::from_u128),
            job_id: user.is_none().then(Uuid::nil),
            side: side.to_owned(),
            action: action.to_owned(),
            route: route.to_owned(),
            times: 2,
            first_at: at,
            last_at: at + TimeDelta::minutes(1),
        }
    }

    fn rows() -> Vec<SeenRow> {
        vec![
            row(Some(1), "customer", "job.read", "/jobs/{id}", 5),
            row(Some(1), "account", "user.suspend", "", 1),
            row(Some(2), "mechanic", "job.read", "/jobs/{id}", 5),
            row(None, "beneficiary", "job.read", "/jobs/{id}", 5),
            row(None, "receiver", "job.read", "/jobs/{id}", 5),
        ]
    }

    #[test]
    fn each_person_is_listed_once_with_all_actions() {
        let (people, is_more) = by_person(rows(), false, 10);
        assert_eq!((people.len(), is_more), (4, false));
        let first = &people[0];
        assert_eq!((first.reads, first.changes), (2, 2));
        assert_eq!(first.sides, ["customer", "account"]);
        let what: Vec<&str> = first.what.keys().map(String::as_str).collect();
        assert_eq!(what, ["job.read /jobs/{id}", "user.suspend"]);
        let at = |minute| DateTime::UNIX_EPOCH + TimeDelta::minutes(minute);
        assert_eq!((first.first_at, first.last_at), (at(1), at(6)));
        assert_eq!(people[3].who, Who::OfJob(Uuid::nil(), "receiver".to_owned()));
    }

    #[test]
    fn a_cut_answer_says_so_and_omits_a_person_whose_rows_may_be_incomplete() {
        let (people, is_more) = by_person(rows(), true, 10);
        assert_eq!((people.len(), is_more), (3, false));
        let (people, is_more) = by_person(rows(), false, 2);
        assert_eq!((people.len(), is_more), (2, true));
    }
}
