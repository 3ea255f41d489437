//! Rows that a test needs and that no route of the tested area can create.

use std::collections::BTreeMap;

use roadcall::platform::db::Db;
use roadcall_actors::job::state::Status;
use serde_json::Value;
use sqlx::{FromRow, PgConnection, postgres::PgRow};
use uuid::Uuid;

use super::{TestApp, bodies::FLAT_TYRE, within};

impl TestApp {
    /// Runs a statement without parameters.
    pub async fn sql(&self, statement: &'static str) {
        sqlx::query(statement).execute(&self.database.db).await.expect(statement);
    }

    /// Returns the rows of a query without parameters.
    pub async fn sql_rows<T>(&self, query: &'static str) -> Vec<T>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        sqlx::query_as(query).fetch_all(&self.database.db).await.expect(query)
    }

    /// Returns the only row of a query without parameters.
    pub async fn sql_row<T>(&self, query: &'static str) -> T
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        sqlx::query_as(query).fetch_one(&self.database.db).await.expect(query)
    }

    /// Returns the only column of a query without parameters.
    pub async fn sql_column<T>(&self, query: &'static str) -> Vec<T>
    where
        (T,): for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.sql_rows::<(T,)>(query).await.into_iter().map(|(value,)| value).collect()
    }

    /// Returns the only value of a query without parameters.
    pub async fn sql_value<T>(&self, query: &'static str) -> T
    where
        (T,): for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let (value,) = self.sql_row(query).await;
        value
    }
}

/// Inserts a job for a vehicle (as returned by `POST /vehicles`) in the seeded category, with the given status.
pub async fn insert_job(db: &mut PgConnection, vehicle: &Value, status: &str) -> Uuid {
    insert_job_in(db, vehicle, FLAT_TYRE, status).await
}

/// Inserts a job like [`insert_job`], in another category.
pub async fn insert_job_in(db: &mut PgConnection, vehicle: &Value, category: &str, status: &str) -> Uuid {
    let uuid = |value: &Value| value.as_str().expect("an id").parse::<Uuid>().expect("a UUID");
    let (is_active, is_open, is_unfinished) = conditions(status);
    sqlx::query_scalar(
        "with facts as (
            insert into job_facts (id, customer_id, vehicle_id, vehicle_type, service_category_id, pickup_address,
                pickup_lat, pickup_lng, contact_preference, urgency, begin_at, base_price_paise, travel_price_paise,
                estimated_price_paise, created_at)
            values (gen_random_uuid(), $1, $2, 'four_wheeler', $3, 'MG Road', 12.97, 77.59, 'booker', 'normal', now(),
                29900, 0, 29900, now())
            returning *)
        insert into job_states (id, customer_id, vehicle_id, created_at, version, seq, status, is_active, is_open,
            is_unfinished, updated_at)
        select id, customer_id, vehicle_id, created_at, 1, 1, $4, $5, $6, $7, created_at from facts
        returning id",
    )
    .bind(uuid(&vehicle["user_id"]))
    .bind(uuid(&vehicle["id"]))
    .bind(category.parse::<Uuid>().expect("a UUID"))
    .bind(status)
    .bind(is_active)
    .bind(is_open)
    .bind(is_unfinished)
    .fetch_one(db)
    .await
    .expect("a job is inserted")
}

/// Returns whether a job of this status is active, open, and unfinished.
fn conditions(status: &str) -> (bool, bool, bool) {
    let status = Status::parse(status).expect("a status");
    (status.is_active(), status.is_open(), status.is_unfinished())
}

/// Gives a job a status, regardless of the rules.
pub async fn set_job_status(db: &Db, job: Uuid, status: &str) {
    let (is_active, is_open, is_unfinished) = conditions(status);
    let update = sqlx::query(
        "update job_states set status = $2, is_active = $3, is_open = $4, is_unfinished = $5 where id = $1",
    );
    let update = update.bind(job).bind(status).bind(is_active).bind(is_open).bind(is_unfinished);
    update.execute(db).await.expect("the job is updated");
}

/// Marks every push to this person as failed.
pub async fn fail_pushes(db: &Db, user: &str) {
    let failed = sqlx::query(
        "update notifications set delivery_status = 'failed', next_try_at = null, settled_at = now()
        where user_id = $1",
    );
    failed.bind(user.parse::<Uuid>().expect("a UUID")).execute(db).await.expect("notifications");
}

/// Returns the sessions that show that a server lives.
pub async fn living_sessions(db: &Db, server: Uuid) -> Vec<i32> {
    sqlx::query_scalar(
        "select pid from pg_locks where locktype = 'advisory' and classid = 1818850917
            and objid = hashtext($1::text)::oid and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database())",
    )
    .bind(server)
    .fetch_all(db)
    .await
    .expect("the locks")
}

/// Waits until other sessions than these show that a server lives, and returns them.
pub async fn until_it_lives(db: &Db, server: Uuid, before: &[i32]) -> Vec<i32> {
    let shown = async {
        loop {
            let now = living_sessions(db, server).await;
            if !now.is_empty() && now.iter().all(|session| !before.contains(session)) {
                return now;
            }
        }
    };
    within("a session of a server that lives", shown).await
}

/// Waits until no session shows that a server lives.
pub async fn until_it_is_gone(db: &Db, server: Uuid) {
    within("the server is gone", async { while !living_sessions(db, server).await.is_empty() {} }).await;
}

/// Waits until a statement waits for a lock.
pub async fn until_blocked(db: &Db) {
    until_so_many_blocked(db, 1).await;
}

/// Waits until this many statements wait for locks. Statements that wait while another one extends a table do not count.
pub async fn until_so_many_blocked(db: &Db, many: i64) {
    let blocked = || {
        sqlx::query_scalar::<_, i64>(
            "select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'extend'",
        )
        .fetch_one(db)
    };
    within("statements wait for locks", async { while blocked().await.expect("an answer") < many {} }).await;
}

/// Copies a completed job under another id, with the amounts due for it, but without its log.
pub async fn copy_completed_job(db: &Db, like: &str, id: Uuid) -> String {
    let like: Uuid = like.parse().expect("an id");
    copy_job(db, like, id).await;
    let copy = "insert into job_dues select (jsonb_populate_record(d, jsonb_build_object('job_id', $2))).*
        from job_dues d where job_id = $1";
    sqlx::query(copy).bind(like).bind(id).execute(db).await.expect("a copy");
    id.to_string()
}

/// Copies both parts of a job's row under another id.
pub async fn copy_job(db: &Db, like: Uuid, id: Uuid) {
    let copy = "with facts as (
            insert into job_facts
            select (jsonb_populate_record(f, jsonb_build_object('id', $2))).* from job_facts f where id = $1)
        insert into job_states
        select (jsonb_populate_record(s, jsonb_build_object('id', $2))).* from job_states s where id = $1";
    sqlx::query(copy).bind(like).bind(id).execute(db).await.expect("a copy");
}

/// Copies a payment at the sandbox under another id, and returns that id. The sandbox accepts one payment per order, so the
/// copy is for another order.
pub async fn copy_sandbox_payment(db: &Db, order: &str, payment: &str) -> String {
    let again = format!("{payment}_again");
    sqlx::query(
        "with other_order as (
            insert into sandbox_orders (id, receipt, amount_paise, currency, expires_at, created_at)
            select $3, receipt, amount_paise, currency, expires_at, created_at from sandbox_orders where id = $1
            on conflict do nothing)
        insert into sandbox_payments (id, order_id, amount_paise, currency, status, method, created_at)
        select $3, $3, amount_paise, currency, status, method, created_at from sandbox_payments where id = $2
        on conflict do nothing",
    )
    .bind(order)
    .bind(payment)
    .bind(&again)
    .execute(db)
    .await
    .expect("a copy");
    again
}

pub async fn job_status(db: &Db, id: &str) -> String {
    let id: Uuid = id.parse().expect("an id");
    sqlx::query_scalar("select status from jobs where id = $1").bind(id).fetch_one(db).await.expect("a job")
}

/// Returns the balance of a job's entries by kind of account, without zeros.
pub async fn booked_for_job(db: &Db, id: &str) -> BTreeMap<String, i64> {
    let id: Uuid = id.parse().expect("an id");
    let sums: Vec<(String, i64)> = sqlx::query_as(
        "select a.kind, sum(p.amount_paise)::bigint from ledger_postings p
        join ledger_transactions t on t.id = p.transaction_id join ledger_accounts a on a.id = p.account_id
        where t.job_id = $1 group by a.kind having sum(p.amount_paise) <> 0",
    )
    .bind(id)
    .fetch_all(db)
    .await
    .expect("sums");
    sums.into_iter().collect()
}
