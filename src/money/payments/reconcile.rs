//! The worker that asks the gateway about payments for which no webhook came, and marks jobs that cost nothing as paid.

use actix_web::web::Data;
use chrono::TimeDelta;

use super::{
    actions::{
        self,
        gateway::{self, Lookup},
    },
    context::PaymentsContext,
    queries::{self, PaymentRow},
};
use crate::{
    accounting::dues::{self, FreeJob},
    platform::{
        error::ApiResult,
        worker::{Wakeup, repeat_when_woken},
    },
};

/// The number of payments that are asked about, and of free jobs that are marked as paid, in one go.
const BATCH: i64 = 20;

/// Runs until it is aborted. It is woken for silent payments, and for completed jobs that cost nothing.
pub async fn reconcile_payments(context: Data<PaymentsContext>, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        if let Err(error) = reconcile_silent(&context).await {
            tracing::warn!(%error, "the gateway was not asked about silent payments; trying again");
        }
        if let Err(error) = pay_free_jobs(&context).await {
            tracing::warn!(%error, "jobs that cost nothing were not marked as paid; trying again");
        }
    })
    .await;
}

/// Asks about every open payment for which no event came in `gateway.reconcile_after_s`; an expired payment is closed
/// after it was asked about a last time. Returns the number of payments asked about.
pub async fn reconcile_silent(context: &PaymentsContext) -> ApiResult<usize> {
    let now = context.clock.now();
    let before = now - TimeDelta::seconds(context.gateway_settings.reconcile_after_s);
    let silent = queries::claim_silent(&context.db, before, now, BATCH).await?;
    let count = silent.len();
    for payment in silent {
        // A failure does not stop the others, and is retried.
        if let Err(error) = reconcile(context, &payment).await {
            error.log();
            tracing::info!(payment.id = %payment.id, %error, "the gateway could not be asked about a payment");
        }
    }
    Ok(count)
}

async fn reconcile(context: &PaymentsContext, payment: &PaymentRow) -> ApiResult<()> {
    if let Some(order_id) = &payment.gateway_order_id {
        gateway::ask_about(context, &Lookup::Order(order_id.clone())).await?;
    }
    let is_over = payment.expires_at.is_some_and(|expires_at| expires_at <= context.clock.now());
    if is_over {
        gateway::close(context, payment.id, "The payment was not made in time.").await
    } else {
        Ok(())
    }
}

/// Marks completed jobs that cost nothing as paid. A failure is retried in the next round, and does not stop the
/// others.
async fn pay_free_jobs(context: &PaymentsContext) -> ApiResult<()> {
    let mut last: Option<FreeJob> = None;
    loop {
        let free = dues::free(&context.db, last.as_ref(), BATCH).await?;
        for job in &free {
            if let Err(error) = actions::free_jobs::mark_paid(context, job.job_id).await {
                error.log();
                tracing::warn!(job.id = %job.job_id, %error, "a job that costs nothing could not be marked as paid");
            }
        }
        if (free.len() as i64) < BATCH {
            return Ok(());
        }
        last = free.last().copied();
    }
}
