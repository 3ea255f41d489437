//! The states of organisations and keys. Pure.

use chrono::{DateTime, Utc};
use roadcall_http::text_enum;

use super::keys::PartnerKeyRow;

text_enum! {
    /// The kind of an organisation.
    OrganisationKind {
        Insurer = "insurer",
        /// A motor club.
        Club = "club",
        Manufacturer = "manufacturer",
        Lessor = "lessor",
        Fleet = "fleet",
        /// An agency, which acts for other organisations.
        Agency = "agency",
        Other = "other",
    }
}

text_enum! {
    /// Whether an organisation may act.
    OrganisationStatus {
        Active = "active",
        /// Keys and members are refused; open jobs go on.
        Suspended = "suspended",
    }
}

text_enum! {
    /// The status of a key.
    KeyStatus {
        Active = "active",
        /// Another key replaces it, and it still works until it expires.
        Replaced = "replaced",
        Expired = "expired",
        Revoked = "revoked",
    }
}

impl PartnerKeyRow {
    pub fn status(&self, now: DateTime<Utc>) -> KeyStatus {
        match (self.revoked_at, self.replaced_by) {
            (Some(_), _) => KeyStatus::Revoked,
            (None, _) if self.expires_at <= now => KeyStatus::Expired,
            (None, Some(_)) => KeyStatus::Replaced,
            (None, None) => KeyStatus::Active,
        }
    }
}
