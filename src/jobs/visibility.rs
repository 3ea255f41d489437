use chrono::TimeDelta;

use crate::accounting::ledger::ShareRates;

/// The settings that decide how jobs are shown.
#[derive(Debug, Clone)]
pub struct JobVisibility {
    /// The currency of all amounts.
    pub currency: String,
    /// The rates by which a mechanic's share of a price is computed.
    pub rates: ShareRates,
    /// Whether mechanics see the numbers of their job's people.
    pub shows_numbers: bool,
    /// How long after its end a mechanic sees exactly where a job was.
    pub exact_for: TimeDelta,
    /// How long after the end of the work its two sides may write to each other.
    pub chat_after_end: TimeDelta,
    /// How long after the end of the work its two sides may call each other.
    pub calls_after_end: TimeDelta,
}
