//! The reasons why an action on a UPI account is refused.

use chrono::{DateTime, SecondsFormat, Utc};

use super::queries::UpiRow;
use crate::{
    money::wallet::state::IllegalUpiMove,
    platform::error::{ApiError, ApiResult, Code},
};

/// Refuses with 409 an account to which no money may be sent now.
pub fn check_payable(account: &UpiRow, now: DateTime<Utc>) -> ApiResult<()> {
    let conflict = |message: String| Err(ApiError::new(Code::Conflict, message));
    if !account.verification_status.is_usable() {
        let status = account.verification_status;
        return conflict(format!("This UPI account is {status}. You can only withdraw to a verified one."));
    }
    if account.usable_from > now {
        let from = account.usable_from.to_rfc3339_opts(SecondsFormat::Secs, true);
        return conflict(format!("This UPI account is new. You can withdraw to it from {from}."));
    }
    Ok(())
}

pub fn illegal(refusal: IllegalUpiMove) -> ApiError {
    ApiError::new(Code::InvalidTransition, refusal.to_string())
}

pub fn no_such_account() -> ApiError {
    ApiError::not_found("UPI account")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::money::wallet::state::VerificationStatus;

    fn verified() -> UpiRow {
        UpiRow {
            id: Uuid::nil(),
            mechanic_profile_id: Uuid::nil(),
            vpa: "asha@okbank".to_owned(),
            holder_name: None,
            name_at_bank: None,
            name_match_score: None,
            verification_status: VerificationStatus::Verified,
            is_default: false,
            usable_from: DateTime::UNIX_EPOCH,
            rejection_reason: None,
            validation_id: None,
            fund_account_id: None,
            check_at: None,
            checks: 0,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn money_goes_to_an_approved_account_once_its_waiting_time_is_over() {
        let now = DateTime::UNIX_EPOCH;
        let (before, later) = (now - chrono::TimeDelta::seconds(1), now + chrono::TimeDelta::seconds(1));
        for status in VerificationStatus::ALL.iter().copied() {
            for (usable_from, is_over) in [(before, true), (now, true), (later, false)] {
                let row = UpiRow { verification_status: status, usable_from, ..verified() };
                let refused = check_payable(&row, now).map_err(|refusal| refusal.code);
                let expected = if status.is_usable() && is_over { Ok(()) } else { Err(Code::Conflict) };
                assert_eq!(refused, expected, "{status} from {usable_from}");
            }
        }
    }
}
