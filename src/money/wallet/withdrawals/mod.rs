//! Withdrawals: the amount is held when it is asked for, leaves when the provider has processed it, and is available
//! again when that failed or came back.
//!
//! | file | what |
//! | --- | --- |
//! | `state.rs` | how far one has come, and what each step books |
//! | `handlers.rs`, `admin.rs` | asked for, in one transaction with the hold; shown to their mechanic, and to admins |
//! | `paying.rs` | sends payouts to the provider and applies its answers |

mod admin;
mod dto;
mod handlers;
mod paying;
mod queries;
mod state;

pub use dto::Withdrawal;
pub use paying::{apply_payout, pay_due};
pub use queries::Sums;
pub use state::{Booking, WithdrawalStatus};

use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{http::ListWindow, platform::error::ApiResult};
use queries::AllWithdrawalsFilter;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::request_withdrawal)
        .service(handlers::list_withdrawals)
        .service(handlers::get_withdrawal)
        .service(admin::list_all_withdrawals);
}

/// Whether money is on its way to that account.
pub async fn is_under_way_to(db: impl PgExecutor<'_>, upi_account_id: Uuid) -> sqlx::Result<bool> {
    queries::is_under_way_to(db, upi_account_id).await
}

/// What is under way, and what arrived.
pub async fn sums(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> sqlx::Result<Sums> {
    queries::sums(db, mechanic_profile_id).await
}

/// Removes from a mechanic's withdrawals to whom they went.
pub async fn anonymise(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> sqlx::Result<()> {
    queries::anonymise(tx, mechanic_profile_id).await
}

/// The newest withdrawals of a mechanic, at most `limit`.
pub async fn newest_withdrawals(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<Withdrawal>> {
    let slice = ListWindow { limit, offset: 0, after: None };
    let own = AllWithdrawalsFilter {
        mechanic_profile_id: Some(mechanic_profile_id),
        ..AllWithdrawalsFilter::default()
    };
    let rows = queries::list(db, &own, slice).await?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}
