//! Withdrawals: the amount is held when it is asked for, leaves when the provider has processed it, and is available
//! again when that failed or came back.
//!
//! | file | what |
//! | --- | --- |
//! | `state.rs` | how far one has come, and what each step books |
//! | `actions.rs` | asked for, in one transaction with the hold; sent to the provider, or recorded by the admin who paid by hand |
//! | `paying.rs` | applies what the provider reports |
//! | `pausing.rs` | has payouts wait after a restore |
//! | `worker.rs` | sends what is due |
//! | `handlers.rs`, `admin.rs` | shown to their mechanic, and to admins |

pub mod actions;
mod admin;
mod dto;
mod handlers;
mod pausing;
mod paying;
pub(super) mod queries;
mod state;
mod worker;

pub use dto::{NewWithdrawal, Withdrawal};
pub use pausing::{pause_payouts, payouts_paused_since, release_payouts};
pub use paying::apply_payout;
pub use worker::pay_due;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    http::{PageParams, Routes},
    platform::error::ApiResult,
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::request_withdrawal)
        .service(handlers::list_withdrawals)
        .service(handlers::get_withdrawal)
        .service(admin::list_all_withdrawals)
        .service(admin::mark_withdrawal_paid)
        .service(admin::mark_withdrawal_failed);
}

/// The newest withdrawals of a mechanic, at most `limit`.
pub async fn newest_withdrawals(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<Withdrawal>> {
    let page = PageParams { page: 1, limit };
    let rows = queries::list_of_mechanic(db, mechanic_profile_id, (None, None), page).await?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}
