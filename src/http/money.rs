//! Amounts of money on the wire.

use std::{borrow::Cow, fmt};

use deserr::Deserr;
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::read::Invalid;

/// An amount: whole paise inside, a decimal of the major unit with at most two places on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserr)]
#[deserr(try_from(f64) = Money::from_wire -> Invalid)]
pub struct Money(pub i64);

impl Money {
    /// Largest amount that is read: ten million rupees in paise.
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
}

/// As people write it: "-50.05".
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, paise) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", paise / 100, paise % 100)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Exact: a double holds every two-place decimal below 2^53 paise, and prints the shortest one.
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

impl PartialSchema for Money {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        let most = Self::MAX_PAISE / 100;
        // No `multipleOf`: 251.39 is no multiple of 0.01 in the doubles that validators and clients count with.
        let number = number.minimum(Some(-most)).maximum(Some(most));
        let words = "An amount in the major unit (rupees). At most two decimal places; more are refused.";
        number.description(Some(words)).into()
    }
}

impl ToSchema for Money {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Money")
    }
}
