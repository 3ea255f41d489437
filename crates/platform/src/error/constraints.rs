//! How the service answers when a constraint of the schema refuses a write: two simultaneous requests may both pass the check
//! that precedes the write. A test walks the schema and requires an entry here for each unique index that requests can violate.
//!
//! A constraint that only a bug can violate, such as a balance below zero, has no entry: the answer is a 500, logged as an error.
//! A caller that knows more, such as the field's name in its own body, maps the constraint itself with
//! [`constraint`](super::constraint).

use super::{ApiError, Code};

/// Seconds after which a request that lost a race may be repeated.
const RETRY_AFTER_S: u64 = 1;

/// How a violation is answered.
#[derive(Debug, Clone, Copy)]
enum Violation {
    /// The requested thing already exists, or is taken: an ordinary refusal.
    Taken(Code, &'static str),
    /// Another request did the same a moment earlier; a repeat finds its result. Checks and locks come before these
    /// constraints, so each violation is logged as a warning: if one keeps recurring, it is a bug.
    Race,
}

use Violation::{Race, Taken};

/// The violations by the constraint's name.
const VIOLATIONS: &[(&str, Violation)] = &[
    // accounts
    ("users_phone_key", Race),
    ("users_idp_uid_key", Taken(Code::Conflict, "This sign-in already belongs to another admin.")),
    ("users_admin_email_key", Taken(Code::Conflict, "Another admin uses this email address.")),
    ("refresh_tokens_one_live_per_session", Race),
    ("admin_invites_one_open_per_email", Race),
    ("privacy_notices_pkey", Race),
    ("consents_pkey", Race),
    ("organisations_name_key", Taken(Code::Conflict, "Another organisation has this name.")),
    (
        "organisation_members_once",
        Taken(
            Code::Conflict,
            "This person is already a member of an organisation. End that membership first.",
        ),
    ),
    ("idp_accounts_email_key", Taken(Code::Conflict, "Another admin uses this email address.")),
    // catalogue
    (
        "vehicles_registration_per_user",
        Taken(Code::Conflict, "You already have a vehicle with this registration number."),
    ),
    ("vehicles_one_default_per_user", Race),
    (
        "service_categories_slug_key",
        Taken(Code::Conflict, "Another category has this slug. Choose a different one."),
    ),
    ("dispatch_settings_pkey", Race),
    ("job_stops_pkey", Race),
    ("token_keys_pkey", Race),
    // mechanics
    (
        "mechanic_profiles_user_key",
        Taken(
            Code::AlreadyRegistered,
            "You already have a mechanic profile. Only a rejected one can be submitted again.",
        ),
    ),
    ("mechanic_changes_one_each", Race),
    // jobs
    (
        "jobs_one_active_per_mechanic",
        Taken(Code::ActiveJobExists, "This mechanic already has an active job."),
    ),
    (
        "jobs_one_open_per_vehicle",
        Taken(
            Code::ActiveJobExists,
            "This vehicle already has an open job. Cancel it, or wait until it ends.",
        ),
    ),
    ("offers_one_pending_per_mechanic", Race),
    ("free_cancellations_pkey", Race),
    ("no_shows_pkey", Race),
    ("tow_reviews_pkey", Race),
    ("job_events_pkey", Race),
    ("job_events_seq_key", Race),
    ("job_events_command_key", Race),
    ("disputes_one_per_job", Taken(Code::InvalidTransition, "This job already had a dispute.")),
    ("ratings_once_a_side", Taken(Code::AlreadyRated, "You have already rated this job.")),
    ("chat_messages_seq_key", Race),
    ("chat_messages_once", Race),
    (
        "calls_one_live_a_job",
        Taken(Code::Conflict, "Another call about this job is in progress. End it first."),
    ),
    // partners
    (
        "partner_contracts_reference_key",
        Taken(Code::Conflict, "Another contract of this organisation has this reference."),
    ),
    // money
    ("payments_one_open_per_job", Race),
    ("payments_one_open_for_fees", Race),
    ("payments_order_once", Race),
    ("payments_attempt_once", Race),
    ("earnings_once", Race),
    ("refunds_gateway_once", Race),
    ("upi_accounts_vpa_once", Taken(Code::Conflict, "You have already added this address.")),
    ("upi_accounts_one_default", Race),
    ("withdrawals_payout_once", Race),
    // notifications
    ("push_tokens_once", Race),
    ("push_tokens_one_per_device", Race),
    // sandbox
    ("sandbox_payments_one_good", Race),
];

/// Returns the answer to a violation of the constraint, or `None` if only a bug can violate it.
pub fn refusal_of(constraint: &str) -> Option<ApiError> {
    Some(match *violation_of(constraint)? {
        Taken(code, message) => ApiError::new(code, message),
        Race => {
            let message = "Something else changed this at the same time. Try again.";
            ApiError::new(Code::Conflict, message).retry_after(RETRY_AFTER_S)
        }
    })
}

/// Returns whether the violation is rare enough to be worth a warning.
pub(super) fn is_race(constraint: &str) -> bool {
    matches!(violation_of(constraint), Some(Race))
}

fn violation_of(constraint: &str) -> Option<&'static Violation> {
    VIOLATIONS.iter().find(|(name, _)| *name == constraint).map(|(_, violation)| violation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_is_refused_a_race_is_a_warning_and_an_overdrawn_account_is_a_bug() {
        let cases = [
            ("vehicles_registration_per_user", true, false),
            ("job_events_seq_key", true, true),
            ("ledger_accounts_available_not_negative", false, false),
            ("ledger_accounts_held_not_negative", false, false),
        ];
        for (name, is_refused, warns) in cases {
            assert_eq!((refusal_of(name).is_some(), is_race(name)), (is_refused, warns), "{name}");
        }
    }
}
