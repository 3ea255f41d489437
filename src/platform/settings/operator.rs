//! Settings of the operator: `[operator]`.

use serde::Deserialize;

use super::{color::Color, money::web_url, rule::Rule, time_zone::TimeZone};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorSettings {
    pub brand: String,
    pub color: String,
    pub name: String,
    pub address: String,
    pub privacy_url: String,
    pub terms_url: String,
    pub time_zone: TimeZone,
}

/// Returns the rules that must hold everywhere. The name and the address must fit on a line of a receipt.
pub(super) fn rules(operator: &OperatorSettings) -> Vec<Rule> {
    let fits = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    let is_page = |url: &str| url.is_empty() || web_url(url).is_some();
    let brand = operator.brand.trim();
    vec![
        (
            !brand.is_empty() && brand == operator.brand && fits(brand, 30),
            "operator.brand must have 1 to 30 characters, on one line, and none of them a space at an end",
        ),
        (
            operator.color.is_empty() || Color::parse(&operator.color).is_some(),
            "operator.color must be empty or a color as #b45309",
        ),
        (is_page(&operator.privacy_url), "operator.privacy_url must be empty or an http or https URL"),
        (is_page(&operator.terms_url), "operator.terms_url must be empty or an http or https URL"),
        (fits(&operator.name, 100), "operator.name must have at most 100 characters, on one line"),
        (fits(&operator.address, 300), "operator.address must have at most 300 characters, on one line"),
        (
            !operator.name.is_empty() || operator.address.is_empty(),
            "operator.name is needed with operator.address",
        ),
    ]
}
