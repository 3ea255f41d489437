//! The payout provider.

use async_trait::async_trait;

use super::{
    Sandbox,
    dto::PayoutOutcome,
    events,
    queries::{self, SandboxPayout, SandboxValidation},
    refused, state, unavailable, unknown_outcome,
};
use crate::{
    ProviderError,
    payouts::{NewPayout, NewValidation, Payout, Payouts, Validation},
};

/// The number of digits of a bank's reference.
const UTR_DIGITS: u32 = 9;

#[async_trait]
impl Payouts for Sandbox {
    fn name(&self) -> &'static str {
        "sandbox"
    }

    async fn validate(&self, new: &NewValidation) -> Result<Validation, ProviderError> {
        self.call(self.ask(new)).await
    }

    async fn validation(&self, id: &str) -> Result<Option<Validation>, ProviderError> {
        let lookup = async move {
            let now = self.0.clock.now();
            let row = queries::validation(&self.0.db, id).await.map_err(unavailable)?;
            Ok(row.map(|row| state::validation(row, now)))
        };
        self.call(lookup).await
    }

    async fn pay_out(&self, new: &NewPayout) -> Result<Payout, ProviderError> {
        self.call(self.send(new)).await
    }

    async fn payout(&self, id: &str) -> Result<Option<Payout>, ProviderError> {
        let lookup = async move {
            let now = self.0.clock.now();
            let row = queries::payout(&self.0.db, id).await.map_err(unavailable)?;
            Ok(row.map(|row| state::payout(row, now)))
        };
        self.call(lookup).await
    }
}

impl Sandbox {
    async fn ask(&self, new: &NewValidation) -> Result<Validation, ProviderError> {
        let now = self.0.clock.now();
        let row = SandboxValidation {
            id: self.id("fav"),
            upi_account_id: new.upi_account_id,
            fund_account_id: self.id("fa"),
            name_at_bank: state::name_at_bank(&new.vpa, &new.holder_name),
            settles_at: now + self.delay(),
            created_at: now,
        };
        let mut tx = self.0.db.begin().await.map_err(unavailable)?;
        if !queries::insert_validation(&mut tx, &row).await.map_err(unavailable)? {
            let row = queries::validation_of(&mut *tx, new.upi_account_id).await.map_err(unavailable)?;
            return row.map(|row| state::validation(row, now)).ok_or_else(missing_row);
        }
        self.plan(&mut tx, &row.id, &events::of_validation(&row), now).await.map_err(unavailable)?;
        tx.commit().await.map_err(unknown_outcome)?;
        self.wakeup().wake();
        Ok(state::validation(row, now))
    }

    async fn send(&self, new: &NewPayout) -> Result<Payout, ProviderError> {
        if new.amount_paise <= 0 {
            return Err(refused("The amount must be above 0"));
        }
        let now = self.0.clock.now();
        let outcome = state::payout_ends(&new.vpa, &self.0.settings, |below| self.0.random.below(below));
        let settles_at = now + self.delay();
        let utr = self.0.random.digits(UTR_DIGITS);
        let row = SandboxPayout {
            id: self.id("pout"),
            withdrawal_id: new.withdrawal_id,
            amount_paise: new.amount_paise,
            currency: new.currency.clone(),
            outcome,
            settles_at,
            reverses_at: (outcome == PayoutOutcome::Reversed).then(|| settles_at + self.delay()),
            utr: (outcome != PayoutOutcome::Failed).then_some(utr),
            created_at: now,
        };
        let mut tx = self.0.db.begin().await.map_err(unavailable)?;
        if !queries::insert_payout(&mut tx, &row).await.map_err(unavailable)? {
            let row = queries::payout_of(&mut *tx, new.withdrawal_id)
                .await
                .map_err(unavailable)?
                .ok_or_else(missing_row)?;
            let other = "The idempotency key was used with another request";
            let is_same = row.amount_paise == new.amount_paise && row.currency == new.currency;
            return if is_same { Ok(state::payout(row, now)) } else { Err(refused(other)) };
        }
        self.plan(&mut tx, &row.id, &events::of_payout(&row), now).await.map_err(unavailable)?;
        tx.commit().await.map_err(unknown_outcome)?;
        self.wakeup().wake();
        Ok(state::payout(row, now))
    }
}

/// Makes the error of a missing row; nothing deletes these rows.
fn missing_row() -> ProviderError {
    ProviderError::Unavailable("a row of the sandbox has disappeared".to_owned())
}
