//! RazorpayX: contacts, fund accounts, their validation, payouts.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::{NewPayout, NewValidation, Payout, PayoutStatus, Payouts, Validation, ValidationOutcome};
use crate::{
    ProviderError,
    razorpay::{self, Api, Collection},
};

/// RazorpayX honours the key for seven days, which is why payouts of the same reference are looked for first.
const IDEMPOTENCY: &str = "X-Payout-Idempotency";
/// The characters allowed in a contact's name, which their dashboard shows, and the name of a contact without any.
const NAME_CHARACTERS: &str = " '-_/(),.";
const NAMELESS: &str = "Mechanic";

/// RazorpayX as a payout provider.
#[derive(Debug, Clone)]
pub struct RazorpayPayouts {
    api: Api,
    account_number: String,
}

#[derive(Deserialize)]
struct Made {
    id: String,
}

#[derive(Deserialize)]
struct PayoutBody {
    id: String,
    amount: i64,
    status: String,
    reference_id: Option<String>,
    utr: Option<String>,
    failure_reason: Option<String>,
    status_details: Option<StatusDetails>,
}

#[derive(Deserialize)]
struct StatusDetails {
    description: Option<String>,
}

#[derive(Deserialize)]
struct ValidationBody {
    id: String,
    fund_account: Option<Made>,
    /// The status: created, completed or failed.
    status: String,
    results: Option<Results>,
    /// The name of `results` in a composite validation.
    validation_results: Option<Results>,
}

#[derive(Deserialize)]
struct Results {
    account_status: Option<String>,
    registered_name: Option<String>,
}

impl RazorpayPayouts {
    pub fn new(api: Api, account_number: &str) -> Self {
        Self { api, account_number: account_number.to_owned() }
    }

    /// Makes a contact and a fund account. If they exist already, RazorpayX returns them.
    async fn fund_account(&self, reference: Uuid, holder: &str, vpa: &str) -> Result<String, ProviderError> {
        let contact = json!({"name": contact_name(holder), "type": "vendor", "reference_id": reference});
        let contact: Made = self.api.post(&["contacts"], &contact, None).await?;
        let account = json!({"contact_id": contact.id, "account_type": "vpa", "vpa": {"address": vpa}});
        let account: Made = self.api.post(&["fund_accounts"], &account, None).await?;
        Ok(account.id)
    }

    async fn of_withdrawal(&self, withdrawal_id: Uuid) -> Result<Option<Payout>, ProviderError> {
        let reference = withdrawal_id.to_string();
        let query = [
            ("account_number", self.account_number.as_str()),
            ("reference_id", &reference),
            ("count", razorpay::LIST),
        ];
        let list: Collection<PayoutBody> = self.api.get(&["payouts"], &query).await?;
        // We asked for one reference, and check that the answer is about it.
        let found = list.items.into_iter().find(|payout| payout.reference_id.as_ref() == Some(&reference));
        found.map(Payout::try_from).transpose()
    }
}

#[async_trait]
impl Payouts for RazorpayPayouts {
    fn name(&self) -> &'static str {
        "razorpay"
    }

    async fn validate(&self, new: &NewValidation) -> Result<Validation, ProviderError> {
        let account = self.fund_account(new.upi_account_id, &new.holder_name, &new.vpa).await;
        let fund_account_id = account.map_err(razorpay::not_yet)?;
        let body = json!({
            "account_number": self.account_number,
            "fund_account": {"id": fund_account_id},
            "notes": {"upi_account_id": new.upi_account_id},
        });
        let made: ValidationBody = self.api.post(&["fund_accounts", "validations"], &body, None).await?;
        let validation = Validation::try_from(made)?;
        Ok(Validation { fund_account_id: Some(fund_account_id), ..validation })
    }

    async fn validation(&self, id: &str) -> Result<Option<Validation>, ProviderError> {
        if !razorpay::is_id(id) {
            return Ok(None);
        }
        let found: Option<ValidationBody> = self.api.find(&["fund_accounts", "validations", id]).await?;
        found.map(Validation::try_from).transpose()
    }

    async fn pay_out(&self, new: &NewPayout) -> Result<Payout, ProviderError> {
        if let Some(payout) = self.of_withdrawal(new.withdrawal_id).await.map_err(razorpay::not_yet)? {
            return Ok(payout);
        }
        let fund_account_id = match &new.fund_account_id {
            Some(id) => id.clone(),
            None => {
                let account = self.fund_account(new.withdrawal_id, &new.holder_name, &new.vpa).await;
                account.map_err(razorpay::not_yet)?
            }
        };
        let body = json!({
            "account_number": self.account_number,
            "fund_account_id": fund_account_id,
            "amount": new.amount_paise,
            "currency": new.currency,
            "mode": "UPI",
            "purpose": "payout",
            "queue_if_low_balance": true,
            "reference_id": new.withdrawal_id,
            "notes": {"withdrawal_id": new.withdrawal_id},
        });
        let key = Some((IDEMPOTENCY, new.withdrawal_id));
        let payout = Payout::try_from(self.api.post::<PayoutBody>(&["payouts"], &body, key).await?)?;
        if payout.amount_paise == new.amount_paise {
            Ok(payout)
        } else {
            Err(razorpay::wrong_answer("payout"))
        }
    }

    async fn payout(&self, id: &str) -> Result<Option<Payout>, ProviderError> {
        if !razorpay::is_id(id) {
            return Ok(None);
        }
        let found: Option<PayoutBody> = self.api.find(&["payouts", id]).await?;
        found.map(Payout::try_from).transpose()
    }
}

impl TryFrom<PayoutBody> for Payout {
    type Error = ProviderError;

    fn try_from(body: PayoutBody) -> Result<Self, ProviderError> {
        let undocumented_status =
            || ProviderError::Unknown("a payout with an undocumented status".to_owned());
        let status = PayoutStatus::parse(&body.status).ok_or_else(undocumented_status)?;
        let details = body.status_details.and_then(|details| details.description);
        let has_failed = matches!(status, PayoutStatus::Failed | PayoutStatus::Reversed);
        Ok(Self {
            id: body.id,
            withdrawal_id: body.reference_id.and_then(|text| Uuid::parse_str(&text).ok()),
            amount_paise: body.amount,
            status,
            utr: body.utr,
            failure: body.failure_reason.or(details).filter(|_| has_failed),
        })
    }
}

impl TryFrom<ValidationBody> for Validation {
    type Error = ProviderError;

    fn try_from(body: ValidationBody) -> Result<Self, ProviderError> {
        let outcome = match body.status.as_str() {
            "created" => ValidationOutcome::Pending,
            // Completed means only that there is a result.
            "completed" => match body.results.or(body.validation_results) {
                Some(Results { account_status: Some(status), registered_name }) if status == "active" => {
                    ValidationOutcome::Active { name_at_bank: registered_name.unwrap_or_default() }
                }
                _ => ValidationOutcome::Invalid,
            },
            "failed" => {
                let description = "The address could not be checked.".to_owned();
                return Err(ProviderError::Refused { code: "VALIDATION_FAILED".to_owned(), description });
            }
            _ => {
                let why = "a validation with an undocumented status".to_owned();
                return Err(ProviderError::Unknown(why));
            }
        };
        Ok(Self { id: body.id, fund_account_id: body.fund_account.map(|account| account.id), outcome })
    }
}

/// Returns a name of 3 to 50 allowed characters that ends in a letter, a digit or a full stop.
fn contact_name(holder: &str) -> String {
    let is_allowed = |c: &char| c.is_ascii_alphanumeric() || NAME_CHARACTERS.contains(*c);
    let name: String = holder.chars().filter(is_allowed).take(50).collect();
    let name = name.trim().trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    if name.len() < 3 { NAMELESS.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_gets_an_acceptable_name() {
        for (holder, name) in [
            ("Ravi Kumar", "Ravi Kumar"),
            ("M. S. O'Neill-", "M. S. O'Neill"),
            ("रवि", NAMELESS),
            ("", NAMELESS),
            ("Al", NAMELESS),
            ("Ravi <b>Kumar</b> & Sons (", "Ravi bKumar/b  Sons"),
        ] {
            assert_eq!(contact_name(holder), name);
        }
        assert_eq!(contact_name(&"x".repeat(80)).len(), 50);
    }
}
