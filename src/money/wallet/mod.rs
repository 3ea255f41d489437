//! The wallet: mechanics' balances, their UPI accounts, withdrawals, and settlements.
//!
//! | where | what |
//! | --- | --- |
//! | `upi/`, `state.rs`, `name_match.rs` | UPI accounts, their verification, whether names match |
//! | `withdrawals/` | money on its way out |
//! | `settlements/` | a mechanic's earnings in a period, added up once |
//! | `clearing.rs`, `actions.rs` | held money becomes available; a wallet is closed |
//!
//! The provider's answers and webhooks are applied by [`apply_validation`] and [`apply_payout`]; both move forward
//! only. Every balance is the ledger's.

mod actions;
mod clearing;
mod context;
mod dto;
mod handlers;
mod name_match;
mod queries;
mod settings;
mod settlements;
mod state;
mod upi;
pub mod withdrawals;

pub use actions::close;
pub use clearing::clear_due;
pub use context::WalletContext;
pub use dto::{PaymentRefund, RefundSource, Wallet, WalletTransaction};
pub use settings::WalletSettings;
pub use settlements::{Settlement, newest_settlements};
pub use upi::{UpiAccount, apply_validation, check_due, match_names_again, sweep_look_ups, upi_accounts};
pub use withdrawals::{
    Withdrawal, apply_payout, newest_withdrawals, pause_payouts, pay_due, payouts_paused_since,
    release_payouts,
};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::ledger,
    http::{Money, Routes},
    platform::error::ApiResult,
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_wallet)
        .service(handlers::list_wallet_transactions)
        .service(handlers::list_refunds);
    upi::routes(config);
    withdrawals::routes(config);
    settlements::routes(config);
}

/// Returns a mechanic's balances, debts and lifetime earnings.
pub async fn of_mechanic(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    currency: &str,
) -> ApiResult<Wallet> {
    let balances = ledger::balances(&mut *db, mechanic_profile_id).await?;
    let sums = withdrawals::queries::sums(&mut *db, mechanic_profile_id).await?;
    let next_release = queries::next_release(&mut *db, mechanic_profile_id).await?;
    Ok(Wallet {
        available: Money(balances.available_paise),
        held: Money(balances.held_paise),
        owed: Money(balances.owed_paise),
        withdrawable: Money(balances.withdrawable_paise()),
        currency: currency.to_owned(),
        pending_withdrawals: Money(sums.under_way_paise),
        lifetime_earned: Money(queries::earned(db, mechanic_profile_id).await?),
        lifetime_withdrawn: Money(sums.processed_paise),
        next_release: next_release.map(Into::into),
    })
}

/// Returns the newest lines of a mechanic's accounts, at most `limit`.
pub async fn newest_transactions(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<WalletTransaction>> {
    let rows = ledger::newest_lines(db, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(WalletTransaction::from).collect())
}

/// Returns the newest refunds of these payments, at most `limit`. The caller checks that the person may see them.
pub async fn newest_refunds(
    db: &mut PgConnection,
    payment_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<PaymentRefund>> {
    let rows = queries::newest_refunds(db, payment_ids, limit).await?;
    Ok(rows.into_iter().map(PaymentRefund::from).collect())
}
