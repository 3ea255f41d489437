//! Settles jobs on account that have ended: books what their organisations pay for the work, decides their outcomes, and writes the
//! bills. Jobs of the usual kind are settled together, by one statement; each of the others has a transaction. So a job is settled
//! once and as a whole, whenever the server stops.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::JobId,
    job::state::{Job, NO_MECHANIC_FOUND, NO_SHOW, Outcome, Stage},
};
use serde_json::Value;
use uuid::Uuid;

use super::{
    outcome::{self, Facts, JobEnd},
    queries::{self, BillEvidence, EndedJob, UnsettledJob, UsualJob},
};
use crate::{
    accounting::{
        dues::{self, JobDue, NewBill},
        ledger::{self, Account, EntryKind, LedgerEntry},
    },
    jobs::{
        ActorKind,
        on_account::{self, AgreedPrice, Cover, PromiseState},
    },
    money::payments::{
        self, AfterCommit, PaymentsContext,
        bookings::{self, AccountSettlement},
    },
    platform::error::{ApiError, ApiResult, commit_error},
};

/// The number of jobs that are read, and settled together, at once.
const BATCH: i64 = 32;

/// Settles all jobs that have ended, and returns how many. A failure is retried in the next round, and a job that can't be settled does
/// not stop the others.
pub async fn settle_due(context: &PaymentsContext) -> ApiResult<usize> {
    let (mut last, mut settled) = ((DateTime::UNIX_EPOCH, Uuid::nil()), 0);
    loop {
        let ended = queries::ended(&context.db, last, BATCH).await?;
        let together = settle_together(context, &ended).await?;
        settled += together.len();
        for job in ended.iter().filter(|job| !together.contains(&job.job_id)) {
            match settle(context, job.job_id).await {
                Ok(is_settled) => settled += usize::from(is_settled),
                Err(error) => {
                    error.log();
                    tracing::warn!(job.id = %job.job_id, %error, "a job on account could not be settled; trying again");
                }
            }
        }
        match ended.last() {
            Some(job) if ended.len() as i64 == BATCH => last = (job.created_at, job.job_id),
            _ => return Ok(settled),
        }
    }
}

/// Settles those of the jobs that are of the usual kind, and returns those that it has settled.
async fn settle_together(context: &PaymentsContext, ended: &[EndedJob]) -> ApiResult<HashSet<Uuid>> {
    let (at, mut settlements) = (context.clock.now(), Vec::new());
    for job in ended {
        settlements.extend(decide(context, job, at).await);
    }
    bookings::settle_together(context, &settlements).await
}

/// Decides about a job of the usual kind without a lock; the statement that settles it checks that the job is as it was read. Returns
/// `None` for any other job.
async fn decide(context: &PaymentsContext, ended: &EndedJob, at: DateTime<Utc>) -> Option<AccountSettlement> {
    let UsualJob { version, unsettled, due } = ended.usual.as_ref()?;
    let job = context.engine.known_job(JobId(ended.job_id)).await;
    let job = job.filter(|job| job.version == *version)?;
    let end = end_of(&job, unsettled)?;
    let bill = bill(&job, unsettled, end, Some(due), due.account_paise, at).ok()?;
    let adjustment = adjustment(&bill, due.account_paise);
    let promise = (unsettled.promise, unsettled.promised_at);
    AccountSettlement::decide(context, job, due, promise, bill, adjustment)
}

/// Settles a job, unless it is settled or its end is not certain yet.
async fn settle(context: &PaymentsContext, job_id: Uuid) -> ApiResult<bool> {
    let (at, mut after) = (context.clock.now(), AfterCommit::default());
    let mut tx = context.db.begin().await?;
    // The job's lock comes first.
    let job = after.job(&mut tx, context, job_id).await?.clone();
    let Some(unsettled) = queries::lock_unsettled(&mut tx, job_id).await? else { return Ok(false) };
    let Some(end) = end_of(&job, &unsettled) else { return Ok(false) };
    let due = dues::find(&mut *tx, job_id).await?;
    let booked_paise = payments::capture_on_account(&mut tx, context, &job, &mut after, at).await?;
    let bill = bill(&job, &unsettled, end, due.as_ref(), booked_paise, at)?;
    dues::insert_bill(&mut tx, &bill).await?;
    on_account::set_settled(&mut tx, job_id, at).await?;
    ledger::post(&mut tx, &context.random, at, adjustment(&bill, booked_paise)).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(true)
}

/// Returns the bill of a job for whose mechanic this amount is booked. `due` is the amount due before that.
fn bill(
    job: &Job,
    unsettled: &UnsettledJob,
    end: JobEnd,
    due: Option<&JobDue>,
    booked_paise: i64,
    at: DateTime<Utc>,
) -> ApiResult<NewBill> {
    let evidence = evidence(job, unsettled, due, booked_paise);
    let (outcome, payable_paise) = outcome::decide(&evidence.facts(end), &unsettled.terms);
    Ok(NewBill {
        job_id: job.id.0,
        case_id: unsettled.case_id,
        organisation_id: unsettled.organisation_id,
        contract_id: unsettled.contract_id,
        outcome: outcome.as_str(),
        price_paise: price_of(job, unsettled.agreed()),
        payable_paise,
        driver_paise: due.map_or(0, |due| due.due_paise - due.account_paise),
        evidence: serde_json::to_value(evidence).map_err(ApiError::internal)?,
        decided_at: at,
    })
}

/// Returns the entry that makes the organisation owe what the bill says: the platform bears the difference to what was booked, or
/// keeps it.
fn adjustment(bill: &NewBill, booked_paise: i64) -> LedgerEntry<'static> {
    let more_paise = bill.payable_paise - booked_paise;
    LedgerEntry {
        kind: EntryKind::PartnerBill,
        key: format!("partner_bill:{}", bill.job_id),
        job_id: Some(bill.job_id),
        note: None,
        postings: vec![(Account::PartnersReceivable, -more_paise), (Account::PlatformCommission, more_paise)],
    }
}

/// Returns how the job ended; `None` while it may go on, or an admin has yet to decide about a no-show.
fn end_of(job: &Job, unsettled: &UnsettledJob) -> Option<JobEnd> {
    if let Some(done) = job.completion() {
        let is_elsewhere = done.outcome == Outcome::Towed && is_elsewhere(&unsettled.end_data);
        return Some(if is_elsewhere { JobEnd::TowedElsewhere } else { JobEnd::Completed(done.outcome) });
    }
    let Stage::Cancelled(cancellation) = &job.stage else { return None };
    let is_unproven = cancellation.assignment.as_ref().is_none_or(|assigned| assigned.arrival_is_unproven);
    match (cancellation.reason_code.as_str(), unsettled.ended_by) {
        (NO_SHOW, _) if unsettled.is_undecided_no_show => None,
        // An admin who charged an unproven no-show has found that nobody was there.
        (NO_SHOW, _) if is_unproven && cancellation.fee_paise == 0 => Some(JobEnd::CancelledByUs),
        (NO_SHOW, _) => Some(JobEnd::NoShow),
        (NO_MECHANIC_FOUND, _) => Some(JobEnd::NoMechanic),
        (_, ActorKind::Partner | ActorKind::Customer) => Some(JobEnd::CancelledByPartner),
        (_, ActorKind::Mechanic | ActorKind::Admin | ActorKind::System) => Some(JobEnd::CancelledByUs),
    }
}

/// Returns whether the log of a completed tow shows a position away from the destination.
fn is_elsewhere(end_data: &Value) -> bool {
    end_data["override_reason"].is_string() && end_data["distance_m"].is_number()
}

fn evidence(job: &Job, unsettled: &UnsettledJob, due: Option<&JobDue>, booked_paise: i64) -> BillEvidence {
    let assignment = job.assignment();
    let is_promised = matches!(unsettled.promise, PromiseState::Proposed | PromiseState::Accepted);
    let covered_paise = match (unsettled.agreed(), due) {
        // The due amount is below the price if a dispute was resolved before.
        (AgreedPrice::Quoted, Some(due)) => due.account_paise,
        (AgreedPrice::Quoted, None) => job.account_paise(),
        (agreed @ AgreedPrice::CallOut { .. }, _) => {
            let cover = Cover { most_paise: unsettled.cover_paise, most_km: None };
            cover.share(price_of(job, agreed)).payable_paise
        }
    };
    let cancelled_at = match &job.stage {
        Stage::Cancelled(cancellation) => Some(cancellation.at),
        _ => None,
    };
    let completed_at = job.completion().map(|done| done.at);
    BillEvidence {
        booked_paise,
        covered_paise,
        accepted_at: assignment.map(|assigned| assigned.accepted_at),
        promised_at: unsettled.promised_at.filter(|_| is_promised),
        arrived_at: assignment.and_then(|assigned| assigned.arrived_at),
        ended_at: completed_at.or(cancelled_at).unwrap_or(job.spec.created_at),
    }
}

/// Returns the price of a job by the contract: an agreed price has the extra work on account in addition.
fn price_of(job: &Job, agreed: AgreedPrice) -> i64 {
    match agreed {
        AgreedPrice::Quoted => job.price_paise(),
        AgreedPrice::CallOut { .. } => {
            let was_towed = job.completion().is_none_or(|done| done.assignment.loaded_at.is_some());
            let destination = job.spec.destination.as_ref().filter(|_| was_towed);
            let price_paise = agreed.of_job(0, destination.map(|destination| destination.distance_m));
            price_paise.saturating_add(job.extra_on_account_paise()).max(0)
        }
    }
}

impl BillEvidence {
    fn facts(&self, end: JobEnd) -> Facts {
        Facts {
            end,
            covered_paise: self.covered_paise,
            accepted_at: self.accepted_at,
            promised_at: self.promised_at,
            arrived_at: self.arrived_at,
            ended_at: self.ended_at,
        }
    }
}
