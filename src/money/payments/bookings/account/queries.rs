//! The statement that settles jobs on account.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result, postgres::PgBindIterExt};
use uuid::Uuid;

use crate::{
    accounting::{
        dues::NewBill,
        ledger::{self, PreparedEntry},
    },
    jobs::{
        JobRow,
        log::{FurtherSql, JobSteps, StepColumns, statement_of_steps},
        on_account::PromiseState,
    },
    money::payments::{
        bookings::arguments::{
            Bound, bind_postings, booking_columns, columns_of_given, postings_of, rows_of_postings,
        },
        earnings::queries::EarningRow,
    },
};

/// A payment on account that captures the organisation's part of a job of whose price nothing is paid, with the job's bill.
#[derive(Debug)]
pub struct AccountSettlement {
    /// The steps of the job.
    pub(super) steps: JobSteps,
    /// The price of the job.
    pub(super) due_paise: i64,
    pub(super) currency: String,
    /// The earning from the payment.
    pub(super) earning: EarningRow,
    pub(super) entries: Vec<PreparedEntry<'static>>,
    /// The promise by which the bill was decided.
    pub(super) promise: (PromiseState, Option<DateTime<Utc>>),
    pub(super) bill: NewBill,
}

impl AccountSettlement {
    pub(super) fn job_id(&self) -> Uuid {
        self.bill.job_id
    }
}

booking_columns! { settlement: AccountSettlement,
    payment_id: "uuid" = settlement.earning.payment_id,
    customer_id: "uuid" = settlement.steps.job().spec.customer_id.0,
    currency: "text" = &settlement.currency,
    due_paise: "bigint" = settlement.due_paise,
    paise: "bigint" = settlement.earning.gross_paise,
    promise: "text" = settlement.promise.0,
    promised_at: "timestamptz" = settlement.promise.1,
    earning_id: "uuid" = settlement.earning.id,
    mechanic: "uuid" = settlement.earning.mechanic_profile_id,
    channel: "text" = settlement.earning.channel,
    commission_paise: "bigint" = settlement.earning.commission_paise,
    tax_paise: "bigint" = settlement.earning.tax_paise,
    share_paise: "bigint" = settlement.earning.share_paise,
    held_paise: "bigint" = settlement.earning.held_paise,
    clears_at: "timestamptz" = settlement.earning.clears_at,
    case_id: "uuid" = settlement.bill.case_id,
    organisation_id: "uuid" = settlement.bill.organisation_id,
    contract_id: "uuid" = settlement.bill.contract_id,
    outcome: "text" = settlement.bill.outcome,
    price_paise: "bigint" = settlement.bill.price_paise,
    payable_paise: "bigint" = settlement.bill.payable_paise,
    driver_paise: "bigint" = settlement.bill.driver_paise,
    evidence: "jsonb" = &settlement.bill.evidence,
    at: "timestamptz" = settlement.bill.decided_at,
}

/// The statement of [`settle`]: the arguments of [`StepColumns`], then [`COLUMNS`] and the postings.
///
/// Like the statement that books payments, it waits for no lock but those of wallets, which come last. A job is left out if it, its
/// promise or what is due for it is not as it was read, if it is settled, or if another transaction holds one of these rows or of those to
/// which the new rows refer.
pub(in crate::money::payments::bookings) static SETTLE: LazyLock<String> =
    LazyLock::new(|| statement_of_steps(further));

fn further(first: usize) -> FurtherSql {
    let columns = columns_of_given(first, COLUMNS);
    let postings = rows_of_postings(first + COLUMNS.len());
    let book = ledger::booking_sql();
    FurtherSql {
        guards: format!(
            ", settling as (
                select given.id as job_id, {columns} from given
            ), ordered as (
                select p.job_id from settling join partner_jobs p on p.job_id = settling.job_id
                where p.settled_at is null and p.promise = settling.promise
                    and p.promised_at is not distinct from settling.promised_at
                for no key update of p skip locked
            ), owing as (
                select d.job_id from settling join job_dues d on d.job_id = settling.job_id
                where d.due_paise = settling.due_paise and d.account_paise = settling.paise and d.paid_paise = 0
                for no key update of d skip locked
            ), reported as (
                select k.id from settling join partner_cases k on k.id = settling.case_id
                for key share of k skip locked
            ), earner as (
                select m.id from settling join mechanic_profiles m on m.id = settling.mechanic
                for key share of m skip locked
            ), payer as (
                select u.id from settling join users u on u.id = settling.customer_id
                for key share of u skip locked
            ), sound as (
                select settling.job_id from settling
                where settling.job_id in (select ordered.job_id from ordered)
                    and settling.job_id in (select owing.job_id from owing)
                    and settling.case_id in (select reported.id from reported)
                    and settling.mechanic in (select earner.id from earner)
                    and settling.customer_id in (select payer.id from payer)
            )"
        ),
        conditions: " and given.id in (select sound.job_id from sound)".to_owned(),
        writes: format!(
            ", captured as (
                insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, applied_paise,
                    is_open, captured_at, created_at, updated_at)
                select settling.payment_id, settling.customer_id, 'job', job.id, 'account', 'captured', settling.paise,
                    settling.currency, settling.paise, false, settling.at, settling.at, settling.at
                from settling join job on job.id = settling.job_id
            ), paid_due as (
                update job_dues d set paid_paise = settling.paise,
                    settled_at = case when settling.paise = d.due_paise then coalesce(d.settled_at, settling.at) end
                from settling join job on job.id = settling.job_id
                where d.job_id = settling.job_id
            ), earned as (
                insert into earnings (id, payment_id, job_id, mechanic_profile_id, kind, channel, gross_paise,
                    commission_paise, tax_paise, share_paise, held_paise, clears_at, created_at)
                select settling.earning_id, settling.payment_id, job.id, settling.mechanic, 'job', settling.channel,
                    settling.paise, settling.commission_paise, settling.tax_paise, settling.share_paise,
                    settling.held_paise, settling.clears_at, settling.at
                from settling join job on job.id = settling.job_id
            ), billed as (
                insert into partner_bills (job_id, case_id, organisation_id, contract_id, outcome, price_paise, payable_paise,
                    driver_paise, evidence, decided_at)
                select job.id, settling.case_id, settling.organisation_id, settling.contract_id, settling.outcome,
                    settling.price_paise, settling.payable_paise, settling.driver_paise, settling.evidence, settling.at
                from settling join job on job.id = settling.job_id
            ), settled as (
                update partner_jobs p set settled_at = settling.at
                from settling join job on job.id = settling.job_id
                where p.job_id = settling.job_id
            ), booked as (
                select {book} as result
                from {postings} join job on job.id = posting.job_id
                having count(*) > 0
            )"
        ),
        called: Some("booked"),
    }
}

/// Settles different jobs, and returns the rows of those that were settled.
pub async fn settle(tx: &mut PgConnection, settlements: &[&AccountSettlement]) -> Result<Vec<JobRow>> {
    let steps = StepColumns::of(settlements.iter().map(|settlement| &settlement.steps));
    let entries = settlements
        .iter()
        .flat_map(|settlement| settlement.entries.iter().map(|entry| (settlement.job_id(), entry)));
    let postings = postings_of(entries);
    let query = bind_columns(steps.bind(sqlx::query_as(SETTLE.as_str())), settlements);
    bind_postings(query, &postings).fetch_all(tx).await
}
