//! The status of a profile's documents, and how long each is needed. Pure: no clock, no rows, no requests.

use chrono::{DateTime, Utc};
use roadcall_accounts::auth::MechanicStatus;
use roadcall_http::text_enum;

/// The maximum number of documents of a profile; one more is refused.
pub const MAX_DOCUMENTS: usize = 20;

text_enum! {
    /// The kind of a document (contract 2.7).
    DocumentType {
        Aadhaar = "aadhaar",
        SkillCert = "skill_cert",
        PhotoId = "photo_id",
        Other = "other",
    }
}

text_enum! {
    /// The status of a document.
    DocumentStatus {
        /// No admin has verified the profile with it yet.
        Pending = "pending",
        /// An admin has verified the profile since the document was submitted.
        Accepted = "accepted",
        /// The profile was rejected; the documents of the next registration replace this one.
        Rejected = "rejected",
    }
}

/// Returns the status of a document that was submitted at `handed_in_at`.
pub fn document_status(
    handed_in_at: DateTime<Utc>,
    profile: MechanicStatus,
    verified_at: Option<DateTime<Utc>>,
) -> DocumentStatus {
    match verified_at {
        _ if profile == MechanicStatus::Rejected => DocumentStatus::Rejected,
        Some(verified_at) if handed_in_at <= verified_at => DocumentStatus::Accepted,
        _ => DocumentStatus::Pending,
    }
}

/// A document of a profile, reduced to what decides whether it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandedIn {
    pub kind: DocumentType,
    pub at: DateTime<Utc>,
    pub status: DocumentStatus,
}

/// Returns what the document is needed for, among all of its profile; `None` if the mechanic may delete it.
pub fn needed_for(
    document: &HandedIn,
    all: &[HandedIn],
    profile: MechanicStatus,
    has_pending_change: bool,
) -> Option<&'static str> {
    let is_replaced = all.iter().any(|other| {
        other.kind == document.kind && other.at > document.at && other.status == DocumentStatus::Accepted
    });
    match document.status {
        DocumentStatus::Rejected => None,
        DocumentStatus::Pending if profile == MechanicStatus::PendingVerification => {
            Some("Your registration is under review with this document. You can delete it afterwards.")
        }
        _ if has_pending_change => Some(
            "The change that you asked for is under review with your documents. You can delete it afterwards.",
        ),
        DocumentStatus::Accepted if !is_replaced => {
            Some("You were verified with this document. Hand in a newer one of the same type first.")
        }
        DocumentStatus::Accepted | DocumentStatus::Pending => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_stays_while_it_proves_something() {
        use DocumentStatus::{Accepted, Pending, Rejected};
        use DocumentType::{Aadhaar, Other};
        use MechanicStatus::{PendingVerification, Suspended, Verified};
        let of = |kind, second, status| HandedIn {
            kind,
            at: DateTime::from_timestamp(second, 0).expect("a time"),
            status,
        };
        let old = of(Aadhaar, 1, Accepted);
        let cases = [
            (of(Aadhaar, 1, Pending), vec![], PendingVerification, false, true, "under review"),
            (of(Aadhaar, 1, Pending), vec![], Verified, false, false, "handed in unasked"),
            (of(Aadhaar, 1, Pending), vec![], Verified, true, true, "for a change"),
            (of(Aadhaar, 1, Rejected), vec![], MechanicStatus::Rejected, false, false, "rejected"),
            (old, vec![], Verified, false, true, "verified with it"),
            (old, vec![], Suspended, false, true, "verified with it"),
            (old, vec![of(Aadhaar, 2, Pending)], Verified, false, true, "the newer one is not accepted"),
            (old, vec![of(Other, 2, Accepted)], Verified, false, true, "another type"),
            (old, vec![of(Aadhaar, 2, Accepted)], Verified, false, false, "replaced"),
            (old, vec![of(Aadhaar, 2, Accepted)], Verified, true, true, "a change under review"),
            (of(Aadhaar, 2, Accepted), vec![old], Verified, false, true, "the newer of two"),
        ];
        for (document, mut all, profile, has_change, is_needed, why) in cases {
            all.push(document);
            assert_eq!(needed_for(&document, &all, profile, has_change).is_some(), is_needed, "{why}");
        }
    }

    #[test]
    fn a_document_is_accepted_by_the_next_verification_and_rejected_with_its_profile() {
        use MechanicStatus::{PendingVerification, Rejected, Verified};
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time");
        let cases = [
            (PendingVerification, None, DocumentStatus::Pending),
            (Verified, Some(at(10)), DocumentStatus::Accepted),
            (Verified, Some(at(9)), DocumentStatus::Pending),
            (Rejected, Some(at(11)), DocumentStatus::Rejected),
        ];
        for (profile, verified_at, expected) in cases {
            assert_eq!(document_status(at(10), profile, verified_at), expected, "{profile} {verified_at:?}");
        }
    }
}
