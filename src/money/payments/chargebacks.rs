//! A customer's bank disputes a payment: what it earned is held while that lasts, also what
//! had cleared, as far as it is still there, and taken back if it is lost.

use sqlx::PgConnection;

use super::{
    door::{self, Heard, Touched},
    earnings::{self, Contested},
    queries, refunds,
};
use crate::{http::text_enum, money::payments::PaymentsContext, platform::error::ApiResult};

text_enum! {
    /// How far a chargeback has come: raised or under review, and how it ended.
    ChargebackStatus { Open = "open", Won = "won", Lost = "lost", Closed = "closed", }
}

/// What the gateway said.
#[derive(Debug)]
pub(super) struct About {
    pub id: String,
    pub attempt_id: String,
    pub amount_paise: i64,
    pub reason: Option<String>,
    pub status: ChargebackStatus,
}

/// Forward only: open, then won or closed, or lost, which stays.
pub(super) async fn hear(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    about: &About,
    touched: &mut Touched,
) -> ApiResult<Heard> {
    let Some(payment) = queries::by_attempt(&mut *tx, &about.attempt_id).await? else {
        return Ok(Heard::AskFirst);
    };
    let payment = door::lock(tx, context, payment.id).await?;
    let is_new = !queries::knows_chargeback(tx, &about.id).await?;
    let (status, at) = (about.status, context.clock.now());
    queries::save_chargeback(
        tx,
        about.id.as_str(),
        payment.id,
        about.amount_paise,
        status,
        about.reason.as_deref(),
        at,
    )
    .await?;
    match about.status {
        ChargebackStatus::Open if is_new => {
            let contested = Contested::Payment { payment_id: payment.id, dispute_id: &about.id };
            earnings::hold(tx, context, contested, at).await?;
        }
        ChargebackStatus::Lost => {
            if refunds::take_lost(tx, context, payment.id).await? {
                door::note(tx, context, &payment, touched, at).await?;
            }
        }
        // What was held clears by itself.
        ChargebackStatus::Open | ChargebackStatus::Won | ChargebackStatus::Closed => {}
    }
    Ok(Heard::Taken)
}
