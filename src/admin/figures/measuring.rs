//! Measures how much waits for a provider or for an admin, and how large the database is, for `/metrics`. A scrape does not wait
//! for the database: it shows the last count, which is made once a minute.

use super::queries;
use crate::platform::{core::Core, error::ApiResult, telemetry};

/// Counts everything that waits, and returns how much waits for an admin about money.
pub async fn measure_waiting(core: &Core) -> ApiResult<u64> {
    let row = queries::waiting(&core.db, core.clock.now()).await?;
    let counts = [
        ("webhooks", row.webhooks),
        ("dead_webhooks", row.dead_webhooks),
        ("withdrawals", row.withdrawals),
        ("refunds", row.refunds),
        ("cash_refunds", row.cash_refunds),
        ("failed_refunds", row.failed_refunds),
        ("parked_payments", row.parked_payments),
        ("chargebacks", row.chargebacks),
        ("disputes", row.disputes),
        ("no_shows", row.no_shows),
        ("tow_reviews", row.tow_reviews),
        ("upi_mismatches", row.upi_mismatches),
        ("mechanics", row.mechanics),
        ("mechanic_changes", row.mechanic_changes),
        ("grievances", row.grievances),
        ("overdue_grievances", row.overdue_grievances),
    ];
    let ages = [
        ("webhooks", row.oldest_webhook_age_s.unwrap_or_default()),
        ("withdrawals", row.oldest_withdrawal_age_s.unwrap_or_default()),
    ];
    telemetry::measure_waiting(&counts, &ages);
    telemetry::measure_database(queries::database_size(&core.db).await?);
    Ok((row.dead_webhooks + row.failed_refunds + row.parked_payments + row.chargebacks).unsigned_abs())
}
