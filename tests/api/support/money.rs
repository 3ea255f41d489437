//! Money that a test needs and that no route of the wallet can create: payments, the earnings from them, and the rows that
//! result. Entries go through the ledger's own functions.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::accounting::ledger::{self, Account, EntryKind, LedgerEntry};
use roadcall::platform::db::Db;
use roadcall_actors::{clock::Clock, random::Random};
use serde_json::Value;
use uuid::Uuid;

use super::{TestApp, rows::insert_job};

/// A payment by which a mechanic earned. Unless set, commission is 15 % and tax 0.
#[derive(Debug, Clone)]
pub struct Earning {
    pub profile_id: Uuid,
    /// The customer's vehicle, as `POST /vehicles` returned it. Without one, the mechanic's own is used.
    pub customer: Option<Value>,
    pub gross_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub returned_paise: i64,
    pub is_cash: bool,
    pub created_at: DateTime<Utc>,
    /// The end of the clearing time; without one, the earning is already cleared.
    pub clears_at: Option<DateTime<Utc>>,
    pub job_status: &'static str,
}

/// The ids of the inserted rows.
#[derive(Debug, Clone, Copy)]
pub struct Earned {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub job_id: Uuid,
}

impl Earning {
    /// Returns an earning that is already available.
    pub fn of(profile_id: &str, gross_paise: i64) -> Self {
        Self {
            profile_id: profile_id.parse().expect("a UUID"),
            customer: None,
            gross_paise,
            commission_paise: gross_paise * 15 / 100,
            tax_paise: 0,
            returned_paise: 0,
            is_cash: false,
            created_at: Clock::system().now(),
            clears_at: None,
            job_status: "paid",
        }
    }

    /// Returns an earning that is held and due to be cleared.
    pub fn due(profile_id: &str, gross_paise: i64) -> Self {
        let clears_at = Some(Clock::system().now() - TimeDelta::minutes(1));
        Self { clears_at, ..Self::of(profile_id, gross_paise) }
    }

    pub fn share_paise(&self) -> i64 {
        self.gross_paise - self.commission_paise - self.tax_paise
    }

    fn postings(&self) -> Vec<(Account, i64)> {
        let (id, share) = (self.profile_id, self.share_paise());
        let mut postings =
            vec![(Account::PlatformCommission, self.commission_paise), (Account::Tax, self.tax_paise)];
        if self.is_cash {
            postings.push((Account::Owed(id), share - self.gross_paise));
        } else {
            let to = if self.clears_at.is_some() { Account::Held(id) } else { Account::Available(id) };
            postings.extend([(Account::GatewayClearing, -self.gross_paise), (to, share)]);
        }
        postings
    }
}

/// Writes job, payment, earning and the ledger's entry.
pub async fn insert_earning(db: &Db, earning: Earning) -> Earned {
    let random = Random::system();
    let mut tx = db.begin().await.expect("a transaction");
    let vehicle = match &earning.customer {
        Some(vehicle) => vehicle.clone(),
        None => own_vehicle(&mut tx, earning.profile_id).await,
    };
    let job_id = insert_job(&mut tx, &vehicle, earning.job_status).await;
    let payment_id = random.id(earning.created_at);
    sqlx::query(
        "insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency,
            applied_paise, is_open, captured_at, created_at, updated_at)
        select $1, customer_id, 'job', id, $3, 'captured', $4, 'INR', $4, false, $5, $5, $5 from jobs where id = $2",
    )
    .bind(payment_id)
    .bind(job_id)
    .bind(if earning.is_cash { "cash" } else { "online" })
    .bind(earning.gross_paise)
    .bind(earning.created_at)
    .execute(&mut *tx)
    .await
    .expect("a payment");
    let id = random.id(earning.created_at);
    let held = if earning.clears_at.is_some() && !earning.is_cash { earning.share_paise() } else { 0 };
    sqlx::query(
        "insert into earnings (id, payment_id, job_id, mechanic_profile_id, kind, channel, gross_paise,
            commission_paise, tax_paise, share_paise, returned_paise, held_paise, clears_at, cleared_at, created_at)
        values ($1, $2, $3, $4, 'job', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(id)
    .bind(payment_id)
    .bind(job_id)
    .bind(earning.profile_id)
    .bind(if earning.is_cash { "cash" } else { "online" })
    .bind(earning.gross_paise)
    .bind(earning.commission_paise)
    .bind(earning.tax_paise)
    .bind(earning.share_paise())
    .bind(earning.returned_paise)
    .bind(held)
    .bind(earning.clears_at)
    .bind(earning.clears_at.is_none().then_some(earning.created_at))
    .bind(earning.created_at)
    .execute(&mut *tx)
    .await
    .expect("an earning");
    let entry = LedgerEntry {
        kind: EntryKind::Capture,
        key: format!("capture:{payment_id}"),
        job_id: Some(job_id),
        note: None,
        postings: earning.postings(),
    };
    ledger::post(&mut tx, &random, earning.created_at, entry).await.expect("an entry");
    tx.commit().await.expect("a commit");
    Earned { id, payment_id, job_id }
}

/// Inserts a vehicle of the mechanic's own, for a job whose customer does not matter.
async fn own_vehicle(tx: &mut sqlx::PgConnection, profile_id: Uuid) -> Value {
    let (id, user_id): (Uuid, Uuid) = sqlx::query_as(
        "insert into vehicles (id, user_id, vehicle_type, make, model, registration_number, is_default, created_at,
            updated_at)
        select gen_random_uuid(), user_id, 'four_wheeler', 'Tata', 'Nano', left(gen_random_uuid()::text, 12), false,
            now(), now()
        from mechanic_profiles where id = $1
        returning id, user_id",
    )
    .bind(profile_id)
    .fetch_one(tx)
    .await
    .expect("a vehicle");
    serde_json::json!({"id": id, "user_id": user_id})
}

/// Inserts a processed withdrawal to an account that was removed. It is not in the ledger.
pub async fn insert_withdrawal(db: &Db, profile_id: &str) -> String {
    let id: Uuid = sqlx::query_scalar(
        "with account as (
            insert into upi_accounts (id, mechanic_profile_id, vpa, verification_status, is_default, usable_from,
                deleted_at, created_at, updated_at)
            values (gen_random_uuid(), $1, 'gone@okbank', 'verified', false, now(), now(), now(), now())
            returning id
        )
        insert into withdrawals (id, mechanic_profile_id, upi_account_id, vpa, holder_name, amount_paise, currency,
            status, requested_at, settled_at, updated_at)
        select gen_random_uuid(), $1, id, 'gone@okbank', 'Asha Rao', 1000, 'INR', 'processed', now(), now(), now()
        from account returning id",
    )
    .bind(profile_id.parse::<Uuid>().expect("a UUID"))
    .fetch_one(db)
    .await
    .expect("a withdrawal");
    id.to_string()
}

/// Inserts a refund that failed long ago. It is not in the ledger.
pub async fn insert_refund(db: &Db, payment_id: Uuid) {
    let refund = sqlx::query(
        "insert into refunds (id, payment_id, amount_paise, status, source, reason, failure, created_at, updated_at,
            settled_at)
        values (gen_random_uuid(), $1, 100, 'failed', 'admin', 'flat', 'no way', now(), now(), now())",
    );
    refund.bind(payment_id).execute(db).await.expect("a refund");
}

/// Puts an account into the state in which an admin must decide.
pub async fn set_name_mismatch(db: &Db, upi_account_id: &str) {
    let moved = sqlx::query(
        "update upi_accounts set verification_status = 'name_mismatch', check_at = null, name_match_score = 20
        where id = $1",
    );
    moved.bind(upi_account_id.parse::<Uuid>().expect("a UUID")).execute(db).await.expect("an account");
}

/// Inserts money at the gateway for an order that nobody knows, not even the gateway.
pub async fn insert_parked_payment(db: &Db) -> String {
    let id: Uuid = sqlx::query_scalar(
        "insert into parked_payments (gateway_payment_id, reason, amount_paise, currency, seen_at)
        values ('pay_' || gen_random_uuid(), 'unknown_order', 100, 'INR', now()) returning id",
    )
    .fetch_one(db)
    .await
    .expect("a parked payment");
    id.to_string()
}

/// Marks an event of the inbox as dead.
pub async fn set_dead(db: &Db, event_id: &str) {
    let moved = sqlx::query("update webhook_events set status = 'dead' where id = $1");
    moved.bind(event_id.parse::<Uuid>().expect("a UUID")).execute(db).await.expect("an event");
}

/// Marks a job as one that the watch took from its last mechanic because nothing came from their phone.
pub async fn set_lost_by_silence(db: &Db, job_id: &str) {
    let lost = sqlx::query("update job_states set left_reason = 'silent' where id = $1");
    lost.bind(job_id.parse::<Uuid>().expect("a UUID")).execute(db).await.expect("a job");
}

/// Inserts an open chargeback. Nothing is held for it.
pub async fn insert_chargeback(db: &Db, payment_id: Uuid) {
    let chargeback = sqlx::query(
        "insert into chargebacks (gateway_dispute_id, payment_id, amount_paise, status, reason, created_at, updated_at)
        values ('disp_1', $1, 100, 'open', 'fraud', now(), now())",
    );
    chargeback.bind(payment_id).execute(db).await.expect("a chargeback");
}

/// Inserts an open settlement of zero, for a day long ago.
pub async fn insert_settlement(db: &Db, profile_id: &str) -> String {
    let id: Uuid = sqlx::query_scalar(
        "insert into settlements (id, mechanic_profile_id, period_start, period_end, gross_paise, commission_paise,
            tax_paise, refunds_paise, cash_collected_paise, net_paise, status, created_at)
        select gen_random_uuid(), $1, day, day + 1, 0, 0, 0, 0, 0, 0, 'open', now()
        from (select date '2001-01-01' + count(*)::int as day from settlements) days returning id",
    )
    .bind(profile_id.parse::<Uuid>().expect("a UUID"))
    .fetch_one(db)
    .await
    .expect("a settlement");
    id.to_string()
}

impl TestApp {
    /// Gives a mechanic this amount to withdraw.
    pub async fn fund(&self, profile_id: &str, paise: i64) {
        if paise > 0 {
            let earning = Earning { commission_paise: 0, ..Earning::of(profile_id, paise) };
            insert_earning(&self.database.db, earning).await;
        }
    }
}

/// Inserts a bill of an organisation, with its contract and its case. It is not in the ledger.
pub async fn insert_partner_bill(db: &Db, job: &str, organisation: &str) {
    let bill = "with contract as (
            insert into partner_contracts (id, organisation_id, reference, valid_from, created_at)
            values (gen_random_uuid(), $2, 'roadside', now(), now()) returning id, organisation_id
        ), reported as (
            insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status,
                texts, created_at, updated_at)
            select gen_random_uuid(), organisation_id, id, organisation_id, '=case 1', '', 'open', '{}', now(), now()
            from contract returning id, organisation_id, contract_id
        )
        insert into partner_bills (job_id, case_id, organisation_id, contract_id, outcome, price_paise, payable_paise,
            evidence, decided_at)
        select $1, id, organisation_id, contract_id, 'completed', 150000, 150000,
            jsonb_build_object('booked_paise', 150000, 'covered_paise', 150000, 'ended_at', '2026-03-14T10:02:11Z'), now()
        from reported";
    let [job, organisation] = [job, organisation].map(|id| id.parse::<Uuid>().expect("a UUID"));
    sqlx::query(bill).bind(job).bind(organisation).execute(db).await.expect("a bill is inserted");
}

/// Inserts a review as if the mechanic had handed a towed vehicle over without a position that shows it.
pub async fn insert_tow_review(db: &Db, job: &str) {
    let review = "insert into tow_reviews (job_id, customer_id, mechanic_profile_id, reason, amount_paise, status,
            held_until, created_at)
        select id, customer_id, mechanic_profile_id, 'no network', 6000, 'open', now() + interval '14 days', now()
        from jobs where id = $1";
    let job: Uuid = job.parse().expect("a UUID");
    sqlx::query(review).bind(job).execute(db).await.expect("a review is inserted");
}

/// Inserts a claim as if the mechanic had reported a no-show after an arrival that no position proves.
pub async fn insert_no_show(db: &Db, job: &str) {
    let claim =
        "insert into no_shows (job_id, customer_id, mechanic_profile_id, amount_paise, status, created_at)
        select id, customer_id, mechanic_profile_id, 15000, 'open', now() from jobs where id = $1";
    let job: Uuid = job.parse().expect("a UUID");
    sqlx::query(claim).bind(job).execute(db).await.expect("a no-show is inserted");
}
