/// The limits on all text messages together.
#[derive(Debug, Clone)]
pub struct TextLimits {
    /// Whether messages are sent at all; nothing is counted otherwise.
    pub are_sent: bool,
    pub all: TextBudget,
    /// The budget of each country but the service's own.
    pub country: TextBudget,
    /// The share of a budget that is kept for known phones, and again for known devices, in percent.
    pub reserved_percent: i64,
    /// The ISO 3166 code of the service's own country.
    pub home: String,
    /// How many test messages an admin may have sent in a day.
    pub tests_per_day: i64,
}

/// The maximum number of messages in an hour, and in the 24 hours that end with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextBudget {
    pub per_hour: i64,
    pub per_day: i64,
}
