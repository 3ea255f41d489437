//! Settings of the operator: `[operator]`.

use serde::Deserialize;

use super::{
    address::web_url,
    color::Color,
    rule::{Rule, RulesOf, Section},
    time_zone::TimeZone,
};

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

impl Section for OperatorSettings {
    /// Returns the rules that must hold everywhere. The name and the address must fit on a line of a receipt.
    fn rules(&self) -> Vec<Rule> {
        let operator = RulesOf("operator");
        let is_page = |url: &str| url.is_empty() || web_url(url).is_some();
        let brand = self.brand.trim();
        let is_brand = !brand.is_empty()
            && brand == self.brand
            && brand.chars().count() <= 30
            && !brand.chars().any(char::is_control);
        vec![
            operator.says(
                "brand",
                is_brand,
                "must have 1 to 30 characters, on one line, and none of them a space at an end",
            ),
            operator.says(
                "color",
                self.color.is_empty() || Color::parse(&self.color).is_some(),
                "must be empty or a color as #b45309",
            ),
            operator.says("privacy_url", is_page(&self.privacy_url), "must be empty or an http or https URL"),
            operator.says("terms_url", is_page(&self.terms_url), "must be empty or an http or https URL"),
            operator.line("name", &self.name, 100),
            operator.line("address", &self.address, 300),
            operator.says(
                "name",
                !self.name.is_empty() || self.address.is_empty(),
                "is needed with operator.address",
            ),
        ]
    }
}
