//! Settles jobs on account of the usual kind, several by one statement: the organisation's part of a completed job is captured and
//! billed at once.

mod queries;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Actor, Command, Job};
use uuid::Uuid;

pub use queries::AccountSettlement;
pub(super) use queries::SETTLE;

use super::writing::answered;
use crate::{
    accounting::{
        dues::{JobDue, NewBill},
        ledger::{Account, EntryKind, LedgerEntry, PreparedEntry},
    },
    jobs::{
        JobRow, RememberedJob,
        log::{self, JobSteps},
        on_account::PromiseState,
    },
    money::payments::{
        context::PaymentsContext,
        earnings::{self, Earned},
    },
    platform::{
        db::Db,
        error::{ApiError, ApiResult},
    },
};

impl AccountSettlement {
    /// Decides about a completed job of whose price nothing is paid, and for which no payment is open. The organisation's part is
    /// captured, and `adjustment` makes the organisation owe what the bill says. Returns `None` if a transaction has to decide.
    pub fn decide(
        context: &PaymentsContext,
        job: Job,
        due: &JobDue,
        promise: (PromiseState, Option<DateTime<Utc>>),
        bill: NewBill,
        adjustment: LedgerEntry<'static>,
    ) -> Option<Self> {
        let (at, paise) = (bill.decided_at, due.account_paise);
        let payment_id = context.random.id(at);
        let mut commands = vec![(Actor::System, Command::NotePayment { payment_id })];
        if paise == due.due_paise {
            commands.push((Actor::System, Command::Pay));
        }
        let steps = JobSteps::decide(context, job, &commands, at)?;
        let earned = Earned {
            payment_id,
            job_id: due.job_id,
            mechanic_profile_id: Some(due.mechanic_profile_id),
            is_fee: false,
            is_cash: false,
            gross_paise: paise,
        };
        let (earning, mut postings) = earnings::share_out(context, earned, at);
        postings.push((Account::PartnersReceivable, -paise));
        let kind = EntryKind::Capture;
        let (key, job_id) = (format!("{kind}:{payment_id}"), Some(due.job_id));
        let capture = LedgerEntry { kind, key, job_id, note: None, postings };
        Some(Self {
            steps,
            due_paise: due.due_paise,
            currency: context.settings.currency.clone(),
            earning: earning?,
            entries: prepared(context, [capture, adjustment], at).ok()?,
            promise,
            bill,
        })
    }
}

/// Returns those of the entries that move money.
fn prepared(
    context: &PaymentsContext,
    entries: [LedgerEntry<'static>; 2],
    at: DateTime<Utc>,
) -> ApiResult<Vec<PreparedEntry<'static>>> {
    let entries = entries.into_iter().map(|entry| entry.prepared(&context.random, at));
    entries.filter_map(Result::transpose).collect()
}

/// Settles different jobs by one statement, which commits by itself, and informs everybody who follows them. Returns the jobs that were
/// settled; about the others, a transaction has to decide. Without an answer of the database the outcome is unknown.
pub async fn settle_together(
    context: &PaymentsContext,
    settlements: &[AccountSettlement],
) -> ApiResult<HashSet<Uuid>> {
    if settlements.is_empty() {
        return Ok(HashSet::new());
    }
    let jobs = || settlements.iter().map(AccountSettlement::job_id);
    let noted: Vec<_> = jobs().map(|job_id| context.remembered.begin(job_id)).collect();
    let rows = write(&context.db, settlements).await?;
    let mut rows: HashMap<Uuid, JobRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let settled = rows.keys().copied().collect();
    for (job_id, noted) in jobs().zip(noted) {
        noted.end(rows.get(&job_id).cloned().map(RememberedJob::from));
    }
    for settlement in settlements {
        if let Some(row) = rows.remove(&settlement.job_id()) {
            log::adopt_steps(context, &settlement.steps, row).await;
        }
    }
    Ok(settled)
}

/// Returns the rows of the jobs that are settled. An error of the database rolls all of them back.
async fn write(db: &Db, settlements: &[AccountSettlement]) -> ApiResult<Vec<JobRow>> {
    let mut connection = db.acquire_to_write().await?;
    let written = queries::settle(&mut connection, &settlements.iter().collect::<Vec<_>>()).await;
    answered(connection.ended(written), settlements.len()).map_err(ApiError::outcome_unknown)
}
