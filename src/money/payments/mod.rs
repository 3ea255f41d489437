//! The payments of customers, and their refunds.
//!
//! | where | what |
//! | --- | --- |
//! | `handlers/`, `actions/` | the routes, and the actions of routes and workers |
//! | `inbox/` | webhooks: stored, and processed |
//! | `state.rs`, `apply.rs` | the effects of an event (pure), and their application |
//! | `bookings/` | payments of the usual kind, each written with its job by one statement |
//! | `transaction.rs` | the locks, and the steps after a commit |
//! | `reconcile.rs` | asks the gateway if no webhook came |
//! | `dispute_settlement.rs`, `fee_settlement.rs` | hold contested money, and share it out as decided |
//! | `earnings/`, `refunds/`, `chargebacks/` | mechanics' earnings, refunds, and what customers' banks take back |
//! | `on_account.rs` | what organisations pay for the jobs that they ordered |
//! | `duplicates/` | gives second captures back |
//! | `parked/` | captures that fit no payment, until an admin settles them |
//! | `receipt/` | the receipt of a payment |

pub mod actions;
mod apply;
mod attempts;
mod audited;
pub mod bookings;
mod chargebacks;
mod context;
mod dispute_settlement;
mod dto;
mod duplicates;
pub(crate) mod earnings;
mod fee_settlement;
mod handlers;
pub mod inbox;
mod on_account;
mod parked;
pub(crate) mod queries;
mod receipt;
pub mod reconcile;
pub mod refunds;
pub mod state;
mod transaction;
mod view;

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

pub use actions::cash::confirm_own_part;
pub use context::PaymentsContext;
pub use dispute_settlement::{hold_for_dispute, settle_dispute, wake_refunds};
pub use dto::{ConfirmCash, Payment, Refund, UnpaidFee};
pub use fee_settlement::{contest_fee, give_fee_back, lock_payment_of_fee};
pub use inbox::{Inbox, worker::process_inbox};
pub use on_account::capture_on_account;
pub use receipt::{ReceiptFormat, letter::letter as receipt_letter};
pub use reconcile::reconcile_payments;
pub use refunds::worker::send_refunds;
pub use transaction::AfterCommit;

use crate::{
    accounting::dues,
    http::{PageParams, Routes},
    platform::{core::Core, error::ApiResult},
};

pub fn routes(config: &mut Routes) {
    use handlers::{admin, chargebacks, customer, fees, parked, refunds, webhook};
    config
        .service(webhook::take_webhook)
        .service(fees::list_unpaid_fees)
        .service(fees::list_unpaid_fees_of_user)
        .service(fees::waive_fee)
        .service(customer::create_order)
        .service(customer::verify_payment)
        .service(customer::confirm_cash)
        .service(customer::list_payments)
        .service(customer::get_payment)
        .service(receipt::handlers::get_receipt)
        .service(admin::refund_payment)
        .service(refunds::list_all_refunds)
        .service(admin::mark_refund_paid)
        .service(admin::list_all_payments)
        .service(parked::list_parked_payments)
        .service(parked::refund_parked_payment)
        .service(parked::dismiss_parked_payment)
        .service(chargebacks::list_chargebacks)
        .service(admin::list_webhook_events)
        .service(admin::replay_webhook_event)
        .service(admin::dismiss_webhook_event);
}

/// Returns whether the job's customer confirmed that they paid what is still due in cash.
pub async fn is_cash_confirmed(db: impl PgExecutor<'_>, job_id: Uuid) -> ApiResult<bool> {
    Ok(queries::is_cash_confirmed(db, job_id).await?)
}

/// Returns a payment as its parties see it.
pub async fn shown(core: &Core, id: Uuid) -> ApiResult<Option<Payment>> {
    let Some(row) = queries::find(&core.db, id).await? else { return Ok(None) };
    Ok(view::present(&core.db, vec![row]).await?.pop())
}

/// Returns the newest payments of a person, as customer and as the mechanic that is paid, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> ApiResult<Vec<Payment>> {
    let (all, page) = (queries::OwnPaymentFilter::default(), PageParams { page: 1, limit });
    let rows = queries::list_of_person(&mut *db, user_id, mechanic_profile_id, &all, page).await?;
    view::present(db, rows).await
}

/// Returns the person's unpaid cancellation fees, the oldest first, at most `limit`.
pub async fn unpaid_fees(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<UnpaidFee>> {
    let rows = dues::unpaid_fees(db, user_id, limit).await?;
    Ok(rows.into_iter().map(UnpaidFee::from).collect())
}

/// Deletes processed webhook events after their retention time, at most `limit` at once.
pub async fn sweep(context: &PaymentsContext, limit: i64) -> ApiResult<u64> {
    let kept = chrono::TimeDelta::days(context.gateway_settings.inbox_retention_days);
    Ok(inbox::queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
