//! Amounts of money on the wire.

use std::fmt;

use deserr::Deserr;
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::read::Invalid;

/// An amount: whole paise in memory, a decimal of the major unit with at most two places on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserr)]
#[deserr(try_from(f64) = Money::from_wire -> Invalid)]
pub struct Money(pub i64);

impl Money {
    /// The largest amount that is read: ten million rupees in paise.
    pub const MAX_PAISE: i64 = 1_000_000_000;

    /// Reads the shortest decimal for the number, so that 0.1 is ten paise and 0.125 is refused.
    pub fn from_wire(amount: f64) -> Result<Self, Invalid> {
        let text = format!("{amount}");
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        if places.len() > 2 {
            return Err("must have at most two decimal places".into());
        }
        let paise = format!("{whole}{places:0<2}").parse::<i64>().unwrap_or(i64::MAX);
        let holds = (-Self::MAX_PAISE..=Self::MAX_PAISE).contains(&paise);
        if holds { Ok(Self(paise)) } else { Err("is too large an amount".into()) }
    }

    /// Formats the amount as people in India do, "-₹1,23,456.50"; in another currency as "-123456.50 USD".
    pub fn written(self, currency: &str) -> String {
        if currency != "INR" {
            return format!("{self} {currency}");
        }
        let (sign, paise) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let digits = (paise / 100).to_string();
        let mut grouped = String::with_capacity(digits.len() + 4);
        for (index, digit) in digits.chars().enumerate() {
            // The digits above the thousands are grouped in pairs, counted from the right.
            let left = digits.len() - index;
            if index > 0 && left >= 3 && left % 2 == 1 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        format!("{sign}₹{grouped}.{:02}", paise % 100)
    }
}

/// Writes the amount as people do: "-50.05".
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, paise) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", paise / 100, paise % 100)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The number is exact: a double holds every two-place decimal below 2^53 paise, and prints the shortest one.
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

impl PartialSchema for Money {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        let most = Self::MAX_PAISE / 100;
        // There is no `multipleOf`: 251.39 is no multiple of 0.01 in the doubles with which validators and clients
        // calculate.
        let number = number.minimum(Some(-most)).maximum(Some(most));
        let words = "An amount in the major unit (rupees). At most two decimal places; more are refused.";
        number.description(Some(words)).into()
    }
}

impl ToSchema for Money {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rupees_are_written_as_in_india_and_other_currencies_with_their_code() {
        for (paise, currency, text) in [
            (0, "INR", "₹0.00"),
            (5, "INR", "₹0.05"),
            (99_900, "INR", "₹999.00"),
            (100_000, "INR", "₹1,000.00"),
            (12_345_650, "INR", "₹1,23,456.50"),
            (-1_000_000_000, "INR", "-₹1,00,00,000.00"),
            (12_345_650, "USD", "123456.50 USD"),
        ] {
            assert_eq!(Money(paise).written(currency), text);
        }
    }
}
