//! Who runs the service: `[operator]`.

use serde::Deserialize;

use super::{rule::Rule, time_zone::TimeZone};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorSettings {
    pub name: String,
    pub address: String,
    pub time_zone: TimeZone,
}

/// What can't work anywhere: both stand on a line of a receipt.
pub(super) fn rules(operator: &OperatorSettings) -> Vec<Rule> {
    let fits = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    vec![
        (fits(&operator.name, 100), "operator.name must have at most 100 characters, on one line"),
        (fits(&operator.address, 300), "operator.address must have at most 300 characters, on one line"),
        (
            !operator.name.is_empty() || operator.address.is_empty(),
            "operator.name is needed with operator.address",
        ),
    ]
}
