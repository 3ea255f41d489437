//! SQL that reads what a booking is decided on, and the statement that writes bookings.

use std::{collections::HashMap, sync::LazyLock};

use chrono::{DateTime, Utc};
use sqlx::{
    FromRow, PgConnection, PgExecutor, Result, Row,
    postgres::{PgBindIterExt, PgRow},
};
use uuid::Uuid;

use super::arguments::{
    Bound, bind_postings, booking_columns, columns_of_given, postings_of, rows_of_postings,
};
use crate::{
    accounting::{
        dues::JobDue,
        ledger::{self, PreparedEntry},
    },
    jobs::{
        JobRow,
        log::{FurtherSql, JobSteps, StepColumns, rows_of_arrays, statement_of_steps},
    },
    money::payments::{
        attempts::queries::{insert_attempt, or_replace},
        earnings::queries::EarningRow,
        queries::PaymentRow,
        state::PaymentState,
    },
    platform::db::{StoredRow, read},
    providers::gateway::{Attempt, AttemptStatus},
};

/// A payment with what is due for its job.
#[derive(Debug, Clone, FromRow)]
pub struct PaymentWithDue {
    #[sqlx(flatten)]
    pub payment: PaymentRow,
    mechanic_profile_id: Option<Uuid>,
    due_paise: Option<i64>,
    account_paise: Option<i64>,
    paid_paise: Option<i64>,
    settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for PaymentWithDue {
    const TABLE: &'static str = "payments";
}

impl PaymentWithDue {
    /// Returns the amount due for the payment's job; `None` for a payment of fees.
    pub fn due(&self) -> Option<JobDue> {
        Some(JobDue {
            job_id: self.payment.job_id?,
            mechanic_profile_id: self.mechanic_profile_id?,
            due_paise: self.due_paise?,
            account_paise: self.account_paise?,
            paid_paise: self.paid_paise?,
            settled_at: self.settled_at,
        })
    }
}

pub async fn find_with_due(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<PaymentWithDue>> {
    sqlx::query(
        "select p.*, d.mechanic_profile_id, d.due_paise, d.account_paise, d.paid_paise, d.settled_at
        from payments p left join job_dues d on d.job_id = p.job_id
        where p.id = $1",
    )
    .bind(id)
    .try_map(read::<PaymentWithDue>)
    .fetch_optional(db)
    .await
}

/// The gateway's ids of an order and of an attempt to pay it.
pub type ReportKey = (String, String);

/// A payment for which the gateway reports an attempt.
#[derive(Debug, Clone, FromRow)]
pub struct ReportedPayment {
    #[sqlx(flatten)]
    pub found: PaymentWithDue,
    reported_id: String,
    /// The attempt's last known status; `None` if the attempt is new.
    pub attempt_status: Option<AttemptStatus>,
    /// The statuses of the order's other attempts, in any order.
    pub other_statuses: Vec<AttemptStatus>,
    /// Whether the customer gets receipts by mail, if mails are sent.
    pub is_mail_wanted: bool,
}

impl ReportedPayment {
    /// Returns the known state of the payment, in which the other attempts have no ids.
    pub fn state(&self) -> PaymentState {
        let payment = &self.found.payment;
        let others = self.other_statuses.iter().map(|status| (String::new(), *status));
        let own = self.attempt_status.map(|status| (self.reported_id.clone(), status));
        PaymentState {
            amount_paise: payment.amount_paise,
            currency: payment.currency.clone(),
            status: payment.status,
            captured_attempt: payment.gateway_payment_id.clone(),
            attempts: others.chain(own).collect(),
        }
    }

    fn key(&self) -> Option<ReportKey> {
        Some((self.found.payment.gateway_order_id.clone()?, self.reported_id.clone()))
    }
}

impl StoredRow for ReportedPayment {
    const TABLE: &'static str = "payments";
}

/// Returns the payments of orders, with what is known of attempts to pay them.
pub async fn reported(
    db: impl PgExecutor<'_>,
    keys: Vec<ReportKey>,
) -> Result<HashMap<ReportKey, ReportedPayment>> {
    let (orders, attempts): (Vec<String>, Vec<String>) = keys.into_iter().unzip();
    let found = sqlx::query(
        "select p.*, d.mechanic_profile_id, d.due_paise, d.account_paise, d.paid_paise, d.settled_at,
            asked.attempt_id as reported_id, a.status as attempt_status,
            array(select other.status from payment_attempts other
                where other.payment_id = p.id and other.gateway_payment_id <> asked.attempt_id) as other_statuses,
            exists (select from users person
                    left join notification_preferences wish on wish.user_id = person.id
                where person.id = p.customer_id and person.email_verified and person.status = 'active'
                    and person.role = 'customer' and coalesce(wish.mails, true)) as is_mail_wanted
        from unnest((select $1)::text[], (select $2)::text[]) as asked (order_id, attempt_id)
            join payments p on p.gateway_order_id = asked.order_id
            left join job_dues d on d.job_id = p.job_id
            left join payment_attempts a on a.gateway_payment_id = asked.attempt_id and a.payment_id = p.id",
    );
    let found = found.bind(orders).bind(attempts).try_map(read::<ReportedPayment>).fetch_all(db).await?;
    Ok(found.into_iter().filter_map(|report| Some((report.key()?, report))).collect())
}

/// Returns the amount due for a job, and whether a payment for it is open.
pub async fn due_and_open(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<(JobDue, bool)>> {
    let found = sqlx::query(
        "select d.*, exists (select from payments p where p.job_id = d.job_id and p.is_open and p.purpose = 'job') as is_open
        from job_dues d where d.job_id = $1",
    );
    found
        .bind(job_id)
        .try_map(|row: PgRow| Ok((JobDue::from_row(&row)?, row.try_get("is_open")?)))
        .fetch_optional(db)
        .await
}

/// A change of a payment for a job, with everything that is written with it.
#[derive(Debug)]
pub struct PaymentBooking {
    /// The steps of the job.
    pub steps: JobSteps,
    /// The payment as it was read; `None` if it is new.
    pub before: Option<PaymentRow>,
    pub after: PaymentRow,
    /// The amount due for the job before the booking.
    pub due: JobDue,
    pub earning: Option<EarningRow>,
    pub entry: Option<PreparedEntry<'static>>,
    /// The attempt that the gateway reported.
    pub attempt: Option<Attempt>,
    /// The gateway's events that the booking settles.
    pub events: Vec<Uuid>,
    /// The idempotency mark of the request, which the payment completes.
    pub mark: Option<Uuid>,
    pub at: DateTime<Utc>,
}

impl PaymentBooking {
    pub(super) fn job_id(&self) -> Uuid {
        self.due.job_id
    }
}

booking_columns! { booking: PaymentBooking,
    payment_id: "uuid" = booking.after.id,
    customer_id: "uuid" = booking.after.customer_id,
    amount_paise: "bigint" = booking.after.amount_paise,
    currency: "text" = &booking.after.currency,
    is_new: "boolean" = booking.before.is_none(),
    status_before: "text" = booking.before.as_ref().map(|before| before.status),
    updated_before: "timestamptz" = booking.before.as_ref().map(|before| before.updated_at),
    customer_before: "timestamptz" = booking.before.as_ref().and_then(|before| before.cash_customer_at),
    mechanic_before: "timestamptz" = booking.before.as_ref().and_then(|before| before.cash_mechanic_at),
    due_paise: "bigint" = booking.due.due_paise,
    paid_before: "bigint" = booking.due.paid_paise,
    status: "text" = booking.after.status,
    is_open: "boolean" = booking.after.is_open,
    applied_paise: "bigint" = booking.after.applied_paise,
    method: "text" = booking.after.method.as_ref(),
    failure: "text" = booking.after.failure.as_ref(),
    customer_at: "timestamptz" = booking.after.cash_customer_at,
    mechanic_at: "timestamptz" = booking.after.cash_mechanic_at,
    captured_at: "timestamptz" = booking.after.captured_at,
    at: "timestamptz" = booking.at,
    gateway_payment_id: "text" = booking.after.gateway_payment_id.as_ref(),
    attempt_id: "text" = booking.attempt.as_ref().map(|attempt| &attempt.id),
    attempt_status: "text" = booking.attempt.as_ref().map(|attempt| attempt.status),
    attempt_method: "text" = booking.attempt.as_ref().and_then(|attempt| attempt.method.as_ref()),
    attempt_error: "text" = booking.attempt.as_ref().and_then(|attempt| attempt.error.as_ref()),
    earning_id: "uuid" = booking.earning.as_ref().map(|earning| earning.id),
    mechanic: "uuid" = booking.earning.as_ref().map(|earning| earning.mechanic_profile_id),
    channel: "text" = booking.after.channel,
    commission_paise: "bigint" = booking.earning.as_ref().map(|earning| earning.commission_paise),
    tax_paise: "bigint" = booking.earning.as_ref().map(|earning| earning.tax_paise),
    share_paise: "bigint" = booking.earning.as_ref().map(|earning| earning.share_paise),
    held_paise: "bigint" = booking.earning.as_ref().map(|earning| earning.held_paise),
    clears_at: "timestamptz" = booking.earning.as_ref().and_then(|earning| earning.clears_at),
    cleared_at: "timestamptz" = booking.earning.as_ref().and_then(|earning| earning.cleared_at),
    events: "bigint" = booking.events.len() as i64,
    mark: "uuid" = booking.mark,
}

/// The gateway's events that bookings settle.
const EVENT: [(&str, &str); 2] = [("job_id", "uuid"), ("event_id", "uuid")];

/// The statement of [`book`]: the arguments of [`StepColumns`], then [`COLUMNS`], [`EVENT`] and the postings.
///
/// Like the statement for several jobs, it waits for no lock but those of wallets, which come last: so it locks the customer of a new
/// payment and the mechanic of an earning, too, before checks of foreign keys do. Notifications refer to people without a foreign key. A
/// booking is left out if its payment or what is due for its job is not as it was read, if its mark is completed or gone, if one of its
/// events is settled, or if another transaction holds one of these rows. Subqueries hide statuses and the number of arguments, as there.
pub(super) static BOOK: LazyLock<String> = LazyLock::new(|| statement_of_steps(further));

fn further(first: usize) -> FurtherSql {
    let columns = columns_of_given(first, COLUMNS);
    let events = rows_of_arrays("sent", first + COLUMNS.len(), &EVENT);
    let postings = rows_of_postings(first + COLUMNS.len() + EVENT.len());
    let book = ledger::booking_sql();
    let (insert_attempt, or_replace) = (insert_attempt!(), or_replace!());
    FurtherSql {
        guards: format!(
            ", booking as (
                select given.id as job_id, {columns} from given
            ), paying as (
                select p.id from booking join payments p on p.id = booking.payment_id
                where p.is_open and p.status = booking.status_before and p.updated_at = booking.updated_before
                    and p.cash_customer_at is not distinct from booking.customer_before
                    and p.cash_mechanic_at is not distinct from booking.mechanic_before
                for no key update of p skip locked
            ), owing as (
                select d.job_id from booking join job_dues d on d.job_id = booking.job_id
                where d.due_paise = booking.due_paise and d.paid_paise = booking.paid_before
                for no key update of d skip locked
            ), earner as (
                select m.id from booking join mechanic_profiles m on m.id = booking.mechanic
                for key share of m skip locked
            ), payer as (
                select u.id from booking join users u on u.id = booking.customer_id
                where booking.is_new
                for key share of u skip locked
            ), marked as (
                select k.id from booking join idempotency_keys k on k.id = booking.mark
                where k.job_id is null and k.effect_id is null and k.status is null
                for no key update of k skip locked
            ), taken as (
                select e.id, sent.job_id from {events} join webhook_events e on e.id = sent.event_id
                where e.status = (select 'pending')
                for no key update of e skip locked
            ), sound as (
                select booking.job_id from booking
                where (booking.is_new or booking.payment_id in (select paying.id from paying))
                    and booking.job_id in (select owing.job_id from owing)
                    and (booking.mechanic is null or booking.mechanic in (select earner.id from earner))
                    and (not booking.is_new or booking.customer_id in (select payer.id from payer))
                    and (booking.mark is null or booking.mark in (select marked.id from marked))
                    and booking.events = (select count(*) from taken where taken.job_id = booking.job_id)
            )"
        ),
        conditions: " and given.id in (select sound.job_id from sound)".to_owned(),
        writes: format!(
            ", made_payment as (
                insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, is_open,
                    created_at, updated_at)
                select booking.payment_id, booking.customer_id, 'job', job.id, booking.channel, booking.status,
                    booking.amount_paise, booking.currency, booking.is_open, booking.at, booking.at
                from booking join job on job.id = booking.job_id
                where booking.is_new
            ), moved_payment as (
                update payments p set status = booking.status, is_open = booking.is_open, method = booking.method,
                    failure = booking.failure, applied_paise = booking.applied_paise,
                    gateway_payment_id = booking.gateway_payment_id,
                    authorized_at = case when booking.status = (select 'authorized') then coalesce(p.authorized_at, booking.at)
                        else p.authorized_at end,
                    cash_customer_at = booking.customer_at, cash_mechanic_at = booking.mechanic_at,
                    captured_at = booking.captured_at, updated_at = greatest(p.updated_at, booking.at)
                from booking join job on job.id = booking.job_id
                where p.id = booking.payment_id and not booking.is_new
            ), attempted as (
                {insert_attempt}
                select booking.attempt_id, booking.payment_id, booking.attempt_status, booking.attempt_method,
                    booking.attempt_error, booking.at, booking.at
                from booking join job on job.id = booking.job_id
                where booking.attempt_id is not null
                {or_replace}
            ), paid_due as (
                update job_dues d set paid_paise = d.paid_paise + booking.applied_paise,
                    settled_at = case when d.paid_paise + booking.applied_paise = d.due_paise
                        then coalesce(d.settled_at, booking.at) end
                from booking join job on job.id = booking.job_id
                where d.job_id = booking.job_id and booking.applied_paise > 0
            ), earned as (
                insert into earnings (id, payment_id, job_id, mechanic_profile_id, kind, channel, gross_paise,
                    commission_paise, tax_paise, share_paise, held_paise, clears_at, cleared_at, created_at)
                select booking.earning_id, booking.payment_id, job.id, booking.mechanic, 'job', booking.channel,
                    booking.applied_paise, booking.commission_paise, booking.tax_paise, booking.share_paise,
                    booking.held_paise, booking.clears_at, booking.cleared_at, booking.at
                from booking join job on job.id = booking.job_id
                where booking.earning_id is not null
            ), settled_event as (
                update webhook_events e set status = 'processed', last_error = null, settled_at = job.updated_at,
                    attempts = e.attempts + 1
                from taken join job on job.id = taken.job_id
                where e.id = taken.id
            ), completed_mark as (
                update idempotency_keys k set effect_id = booking.payment_id
                from booking join job on job.id = booking.job_id
                where k.id = booking.mark
            ), booked as (
                select {book} as result
                from {postings} join job on job.id = posting.job_id
                having count(*) > 0
            )"
        ),
        called: Some("booked"),
    }
}

/// Writes bookings about different jobs, and returns the rows of the jobs whose bookings were written.
pub async fn book(tx: &mut PgConnection, bookings: &[&PaymentBooking]) -> Result<Vec<JobRow>> {
    let steps = StepColumns::of(bookings.iter().map(|booking| &booking.steps));
    let events: Vec<(Uuid, Uuid)> = bookings
        .iter()
        .flat_map(|booking| booking.events.iter().map(|event| (booking.job_id(), *event)))
        .collect();
    let entries = bookings.iter().filter_map(|booking| Some((booking.job_id(), booking.entry.as_ref()?)));
    let postings = postings_of(entries);
    let query = bind_columns(steps.bind(sqlx::query_as(BOOK.as_str())), bookings)
        .bind(events.iter().map(|(job, _)| job).bind_iter())
        .bind(events.iter().map(|(_, event)| event).bind_iter());
    bind_postings(query, &postings).fetch_all(tx).await
}
