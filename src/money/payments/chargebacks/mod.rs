//! Chargebacks: a customer's bank disputes a payment. The earnings from it are held meanwhile, including cleared
//! amounts that are still there, and taken back if the dispute is lost.

pub(super) mod dto;
pub(super) mod queries;

use sqlx::PgConnection;

use super::{
    context::PaymentsContext,
    earnings::{self, HoldReason},
    queries::by_attempt,
    refunds,
    transaction::{AfterCommit, Applied, check_currency, lock, show_on_jobs},
};
use crate::{platform::error::ApiResult, providers::gateway::ChargebackStatus};

/// A chargeback, as the gateway reports it.
#[derive(Debug)]
pub(super) struct Chargeback {
    pub id: String,
    pub attempt_id: String,
    pub amount_paise: i64,
    /// `None` if the gateway did not say.
    pub currency: Option<String>,
    pub reason: Option<String>,
    pub status: ChargebackStatus,
}

/// Applies a report about a chargeback. Moves forward only: open, then won or closed, or lost, which is final.
pub(super) async fn apply(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    chargeback: &Chargeback,
    after: &mut AfterCommit,
) -> ApiResult<Applied> {
    let Some(payment) = by_attempt(&mut *tx, &chargeback.attempt_id).await? else {
        return Ok(Applied::AskGateway);
    };
    check_currency("chargeback", chargeback.currency.as_deref(), &payment.currency)?;
    let payment = lock(tx, context, &payment, after).await?;
    let is_new = !queries::is_known(tx, &chargeback.id).await?;
    let (status, at) = (chargeback.status, context.clock.now());
    queries::save(
        tx,
        chargeback.id.as_str(),
        payment.id,
        chargeback.amount_paise,
        status,
        chargeback.reason.as_deref(),
        at,
    )
    .await?;
    match chargeback.status {
        ChargebackStatus::Open if is_new => {
            let reason = HoldReason::Payment { payment_id: payment.id, dispute_id: &chargeback.id };
            earnings::hold(tx, context, reason, at).await?;
        }
        ChargebackStatus::Lost => {
            if refunds::take_lost(tx, context, payment.id).await? {
                show_on_jobs(tx, context, &payment, after, at).await?;
            }
        }
        // The held earnings clear in their time.
        ChargebackStatus::Open | ChargebackStatus::Won | ChargebackStatus::Closed => {}
    }
    Ok(Applied::Done)
}
