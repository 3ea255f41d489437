//! Withdrawals: the amount is held when a withdrawal is requested, leaves when the provider has processed it, and is
//! available again when the payout failed or came back.
//!
//! | file | what |
//! | --- | --- |
//! | `state.rs` | the progress of a withdrawal, and the bookings of each step |
//! | `actions.rs` | requests a withdrawal and its hold in one transaction; sends it, or records an admin's payment |
//! | `paying.rs` | applies the provider's reports |
//! | `pausing.rs` | pauses payouts after a restore |
//! | `worker.rs` | sends the withdrawals that are due |
//! | `handlers.rs`, `admin.rs` | show withdrawals to their mechanic, and to admins |

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
pub use pausing::{pause_payouts, release_payouts};
pub use paying::apply_payout;
pub use queries::paused_since as payouts_paused_since;
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

/// Returns the newest withdrawals of a mechanic, at most `limit`.
pub async fn newest_withdrawals(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<Withdrawal>> {
    let page = PageParams { page: 1, limit };
    let all = queries::OwnWithdrawalFilter::default();
    let rows = queries::list_of_mechanic(db, mechanic_profile_id, &all, page).await?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}
