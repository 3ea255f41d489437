//! The identity and rights of callers, looked up on every request and remembered for a short time.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::{FutureExt, future::BoxFuture};
use moka::future::Cache;
use roadcall_base::clock::Clock;
use roadcall_http::text_enum;
use roadcall_platform::{
    db::{Batches, Db, Loaded},
    error::{ApiError, ApiResult, Code},
};
use uuid::Uuid;

use super::{budget::BudgetKey, desk::Desks, queries};

text_enum! {
    /// The status of a mechanic's profile (contract 3.2).
    MechanicStatus {
        PendingVerification = "pending_verification",
        Verified = "verified",
        Rejected = "rejected",
        Suspended = "suspended",
    }
}

text_enum! {
    /// The roles of the contract. A mechanic is a customer with a profile.
    Role {
        Customer = "customer",
        Admin = "admin",
        SuperAdmin = "super_admin",
    }
}

text_enum! {
    /// Whether an account may be used.
    UserStatus {
        Active = "active",
        Suspended = "suspended",
        /// Anonymised; no sign-in is possible.
        Deleted = "deleted",
    }
}

/// A caller's side as a mechanic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MechanicIdentity {
    pub profile_id: Uuid,
    pub status: MechanicStatus,
}

/// Anyone who is signed in and not suspended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub user_id: Uuid,
    pub role: Role,
    /// The admin's desks; empty for other people.
    pub desks: Desks,
    pub session_id: Uuid,
    pub mechanic: Option<MechanicIdentity>,
    /// The version of the privacy notice to which they agree.
    pub agreed_notice: Option<i64>,
    /// The budget to which their requests are charged: one for a person, whatever account they have.
    pub budget: Uuid,
}

impl Caller {
    /// Whether this is an admin or a super-admin.
    pub fn is_admin(&self) -> bool {
        matches!(self.role, Role::Admin | Role::SuperAdmin)
    }
}

/// The remembered data of a person.
#[derive(Debug, Clone)]
struct Person {
    role: Role,
    desks: Desks,
    status: UserStatus,
    mechanic: Option<MechanicIdentity>,
    agreed_notice: Option<i64>,
    budget: Uuid,
    /// Live sessions and when each ends; their number is bounded. A list takes less memory than a map, and most people have
    /// one session.
    sessions: Box<[(Uuid, DateTime<Utc>)]>,
}

/// People as they were at most some seconds ago; a write in this process evicts them at once by
/// [`Principals::forget`].
#[derive(Debug, Clone)]
pub struct Principals {
    known: Known,
    looks: Batches<Uuid, Arc<Person>>,
    /// The look-ups of people whose sockets are open.
    rechecks: Batches<Uuid, Arc<Person>>,
}

/// The people that were read, by their ids.
type Looking = BoxFuture<'static, sqlx::Result<HashMap<Uuid, Arc<Person>>>>;

/// The people who are remembered.
#[derive(Debug, Clone)]
struct Known {
    people: Cache<Uuid, Arc<Person>>,
    /// Counts evictions: a read that began before one must not be remembered after it.
    evictions: Arc<AtomicU64>,
    budgets: Arc<BudgetKey>,
}

impl Principals {
    const PEOPLE: u64 = 100_000;
    /// People for whom requests and sockets wait; one more is answered 503.
    const MAX_WAITING: usize = 10_000;
    /// People whose rechecks gather: as many as there may be open sockets.
    const MAX_RECHECKED: usize = 1_000_000;

    /// Sets up the look-ups. `gather` is how long rechecks wait for each other.
    pub fn new(
        db: &Db,
        clock: &Clock,
        remember_for: Duration,
        gather: Duration,
        budgets: Arc<BudgetKey>,
    ) -> Self {
        let people = Cache::builder().max_capacity(Self::PEOPLE).time_to_live(remember_for).build();
        let known = Known { people, evictions: Arc::default(), budgets };
        let (look, recheck) = (known.looking(db.clone(), clock), known.looking(db.uncounted(), clock));
        let looks = Batches::new("people", Self::MAX_WAITING, look);
        let rechecks = Batches::gathering("rechecks", Self::MAX_RECHECKED, gather, recheck);
        Self { known, looks, rechecks }
    }

    /// Evicts a person after a change of role, status, session or mechanic profile has been committed.
    pub async fn forget(&self, user_id: Uuid) {
        self.known.evictions.fetch_add(1, Ordering::SeqCst);
        self.known.people.invalidate(&user_id).await;
    }

    /// Returns how many reads of the database there were, and of how many people.
    pub fn looked(&self) -> Loaded {
        self.looks.loaded()
    }

    /// Returns the same for rechecks.
    pub fn rechecked(&self) -> Loaded {
        self.rechecks.loaded()
    }

    /// Returns the caller behind a session, from memory if it is known there.
    pub async fn of_session(&self, user_id: Uuid, session_id: Uuid, now: DateTime<Utc>) -> ApiResult<Caller> {
        if let Some(person) = self.known.people.get(&user_id).await {
            // Another process may have opened a session that memory does not know, so the database is asked.
            if person.end_of(session_id).is_some() {
                return person.admit(user_id, session_id, now);
            }
        }
        self.of_session_afresh(user_id, session_id, now).await
    }

    /// Reads the caller behind a session from the database.
    pub async fn of_session_afresh(
        &self,
        user_id: Uuid,
        session_id: Uuid,
        now: DateTime<Utc>,
    ) -> ApiResult<Caller> {
        let person = self.looks.get(user_id).await?.ok_or_else(no_session)?;
        person.admit(user_id, session_id, now)
    }

    /// Reads the caller behind the session of an open socket from the database, together with others.
    pub async fn recheck(&self, user_id: Uuid, session_id: Uuid, clock: &Clock) -> ApiResult<Caller> {
        let person = self.rechecks.get(user_id).await?.ok_or_else(no_session)?;
        person.admit(user_id, session_id, clock.now())
    }
}

impl Known {
    /// Returns [`Known::look`] as a queue needs it.
    fn looking(&self, db: Db, clock: &Clock) -> impl Fn(Vec<Uuid>) -> Looking + use<> {
        let (known, clock) = (self.clone(), clock.clone());
        move |ids| {
            let (known, db, now) = (known.clone(), db.clone(), clock.now());
            async move { known.look(&db, &ids, now).await }.boxed()
        }
    }

    /// Reads these people, and remembers them unless one was evicted meanwhile.
    async fn look(
        &self,
        db: &Db,
        ids: &[Uuid],
        now: DateTime<Utc>,
    ) -> sqlx::Result<HashMap<Uuid, Arc<Person>>> {
        let evictions = self.evictions.load(Ordering::SeqCst);
        let rows = queries::people(db, ids, now).await?;
        let found: HashMap<_, _> =
            rows.into_iter().map(|row| (row.id, Arc::new(Person::of(row, &self.budgets)))).collect();
        for (id, person) in &found {
            self.people.insert(*id, person.clone()).await;
            if self.evictions.load(Ordering::SeqCst) != evictions {
                self.people.invalidate(id).await;
            }
        }
        Ok(found)
    }
}

impl Person {
    /// Returns the end of a session of this person, or `None` if the session is somebody else's.
    fn end_of(&self, session_id: Uuid) -> Option<DateTime<Utc>> {
        self.sessions.iter().find(|(id, _)| *id == session_id).map(|(_, end)| *end)
    }

    fn admit(&self, user_id: Uuid, session_id: Uuid, now: DateTime<Utc>) -> ApiResult<Caller> {
        let is_live = self.end_of(session_id).is_some_and(|end| end > now);
        match self.status {
            UserStatus::Deleted => Err(no_session()),
            _ if !is_live => Err(no_session()),
            UserStatus::Suspended => Err(suspended()),
            UserStatus::Active => {
                let Self { role, desks, mechanic, agreed_notice, budget, .. } = *self;
                Ok(Caller { user_id, role, desks, session_id, mechanic, agreed_notice, budget })
            }
        }
    }
}

impl Person {
    fn of(row: queries::PersonRow, budgets: &BudgetKey) -> Self {
        let mechanic = row.profile_id.zip(row.profile_status);
        Self {
            role: row.role,
            desks: Desks::of(row.role, row.desks.as_deref()),
            status: row.status,
            mechanic: mechanic.map(|(profile_id, status)| MechanicIdentity { profile_id, status }),
            agreed_notice: row.agreed_notice,
            budget: budgets.budget_of(row.id, row.phone.as_deref()),
            sessions: row.session_ids.into_iter().zip(row.session_ends).collect(),
        }
    }
}

fn no_session() -> ApiError {
    ApiError::unauthorized("Your session has ended. Sign in again.")
}

/// Returns the 403 for an account that an admin has suspended.
pub fn suspended() -> ApiError {
    ApiError::new(Code::AccountSuspended, "This account is suspended. Contact support.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_admitted_on_a_live_session_of_an_active_account() {
        let (user, live, ended) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let later = now + chrono::TimeDelta::seconds(1);
        let cases = [
            (UserStatus::Active, live, None),
            (UserStatus::Active, ended, Some(Code::Unauthorized)),
            (UserStatus::Active, Uuid::nil(), Some(Code::Unauthorized)),
            (UserStatus::Suspended, live, Some(Code::AccountSuspended)),
            (UserStatus::Suspended, ended, Some(Code::Unauthorized)),
            (UserStatus::Deleted, live, Some(Code::Unauthorized)),
        ];
        for (status, session, refusal) in cases {
            let sessions = Box::from([(live, later), (ended, now)]);
            let (role, desks, budget) = (Role::Customer, Desks::of(Role::Customer, None), Uuid::nil());
            let (mechanic, agreed_notice) = (None, None);
            let person = Person { role, desks, status, mechanic, agreed_notice, budget, sessions };
            let admitted = person.admit(user, session, now);
            assert_eq!(admitted.err().map(|refusal| refusal.code), refusal, "{status} on {session}");
        }
    }
}
