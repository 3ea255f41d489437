use std::fmt;

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{AdminUpiRow, UpiRow};
use crate::{
    http::{CsvRow, Invalid, Name, Text, Timestamp, ValidationErrors},
    money::wallet::state::VerificationStatus,
};

/// A UPI address (VPA), stored in lower case so that each address has one form: 2 to 256 letters, digits, dots,
/// underscores or hyphens, `@`, then a handle of 2 to 64 letters or digits.
#[derive(Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Vpa::new -> Invalid)]
#[schema(pattern = r"^[A-Za-z0-9._-]{2,256}@[A-Za-z0-9]{2,64}$", example = "ravi.kumar@okbank")]
pub struct Vpa(pub String);

impl Vpa {
    pub fn new(text: String) -> Result<Self, Invalid> {
        let text = text.trim();
        let (local, handle) = text.split_once('@').ok_or("must be a UPI address, e.g. name@bank")?;
        let is_local = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        if !(2..=256).contains(&local.len()) || !local.bytes().all(is_local) {
            return Err(
                "must have 2 to 256 letters, digits, dots, underscores or hyphens before the @".into()
            );
        }
        if !(2..=64).contains(&handle.len()) || !handle.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err("must have 2 to 64 letters or digits after the @".into());
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

impl fmt::Debug for Vpa {
    // Addresses must not reach a log through a debug print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vpa(..)")
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewUpiAccount {
    pub vpa: Vpa,
    /// The owner of the address, as far as the mechanic knows; only the bank's name counts.
    #[deserr(default)]
    pub holder_name: Option<Name<120>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RejectUpiAccount {
    /// The reason, which the mechanic reads.
    #[deserr(default)]
    pub reason: Option<Text<3, 500>>,
}

/// A UPI account of a mechanic.
#[derive(Serialize, ToSchema)]
pub struct UpiAccount {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    /// The address, in lower case.
    pub vpa: String,
    /// The name at the bank; null before it is known.
    pub holder_name: Option<String>,
    /// The name to which the address is registered. Null unless it matches the verified name, so that nobody can look
    /// up other people's names.
    pub name_at_bank: Option<String>,
    /// How well the name at the bank matches the verified name, 0 to 100; null until the bank has answered.
    #[schema(minimum = 0, maximum = 100)]
    pub name_match_score: Option<i32>,
    pub verification_status: VerificationStatus,
    /// Whether the account is used when a withdrawal names none. The first verified account becomes the default.
    pub is_default: bool,
    /// The time before which nothing can be withdrawn to the account.
    pub usable_from: Timestamp,
    pub rejection_reason: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for UpiAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpiAccount")
            .field("id", &self.id)
            .field("verification_status", &self.verification_status)
            .finish_non_exhaustive()
    }
}

impl From<UpiRow> for UpiAccount {
    fn from(row: UpiRow) -> Self {
        Self {
            id: row.id,
            mechanic_profile_id: row.mechanic_profile_id,
            vpa: row.vpa,
            holder_name: row.holder_name,
            name_at_bank: row
                .name_at_bank
                .filter(|_| row.verification_status == VerificationStatus::Verified),
            name_match_score: row.name_match_score,
            verification_status: row.verification_status,
            is_default: row.is_default,
            usable_from: row.usable_from.into(),
            rejection_reason: row.rejection_reason,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

/// A UPI account of a mechanic, with the names to compare, for admins.
#[derive(Serialize, ToSchema)]
pub struct UpiAccountForAdmin {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    /// The name that the mechanic uses.
    pub mechanic_name: Option<String>,
    /// The name that an admin verified with the documents. The name at the bank is compared with it.
    pub verified_name: Option<String>,
    /// The address, in lower case.
    pub vpa: String,
    /// The owner of the address, according to the mechanic.
    pub holder_name: Option<String>,
    /// The name to which the address is registered; null until the bank has answered.
    pub name_at_bank: Option<String>,
    /// How well the name at the bank matches the verified name, 0 to 100.
    #[schema(minimum = 0, maximum = 100)]
    pub name_match_score: Option<i32>,
    pub verification_status: VerificationStatus,
    pub is_default: bool,
    /// The time before which nothing can be withdrawn to the account.
    pub usable_from: Timestamp,
    pub rejection_reason: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for UpiAccountForAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpiAccountForAdmin")
            .field("id", &self.id)
            .field("verification_status", &self.verification_status)
            .finish_non_exhaustive()
    }
}

impl CsvRow for UpiAccountForAdmin {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "mechanic_profile_id",
        "mechanic_name",
        "verified_name",
        "vpa",
        "holder_name",
        "name_at_bank",
        "name_match_score",
        "verification_status",
        "is_default",
        "usable_from",
        "rejection_reason",
        "created_at",
        "updated_at",
    ];
}

impl From<AdminUpiRow> for UpiAccountForAdmin {
    fn from(AdminUpiRow { account, mechanic_name, verified_name }: AdminUpiRow) -> Self {
        Self {
            id: account.id,
            mechanic_profile_id: account.mechanic_profile_id,
            mechanic_name,
            verified_name,
            vpa: account.vpa,
            holder_name: account.holder_name,
            name_at_bank: account.name_at_bank,
            name_match_score: account.name_match_score,
            verification_status: account.verification_status,
            is_default: account.is_default,
            usable_from: account.usable_from.into(),
            rejection_reason: account.rejection_reason,
            created_at: account.created_at.into(),
            updated_at: account.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_stored_in_one_form_and_invalid_ones_are_refused() {
        for text in ["Ravi.Kumar@OKBank", " ravi.kumar@okbank\n"] {
            assert_eq!(Vpa::new(text.into()).expect(text).0, "ravi.kumar@okbank");
        }
        let long = format!("{}@{}", "a".repeat(256), "b".repeat(64));
        for text in ["ab@cd", "9876543210@upi", "a_b-c.d@ybl", long.as_str()] {
            assert!(Vpa::new(text.into()).is_ok(), "{text}");
        }
        let too_long = [format!("{}@upi", "a".repeat(257)), format!("ab@{}", "b".repeat(65))];
        let odd = [
            "",
            "@",
            "ab",
            "ab@",
            "@cd",
            "a@cd",
            "ab@c",
            "ab@c.d",
            "ab@cd@ef",
            "a b@cd",
            "ab@c d",
            "rävi@upi",
            "ravi@ｕpi",
            "ravi@upi\u{0}",
            "ravi+x@upi",
            "ravi@upi-x",
            "ab @cd",
        ];
        for text in odd.into_iter().chain(too_long.iter().map(String::as_str)) {
            assert!(Vpa::new(text.into()).is_err(), "{text:?}");
        }
        assert_eq!(format!("{:?}", Vpa("ravi@upi".into())), "Vpa(..)");
    }
}
