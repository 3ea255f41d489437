//! A mechanic's actions about money: confirming cash, and withdrawing.

use chrono::TimeDelta;

use super::{Mechanic, TRY_AGAIN};
use crate::demo::{news::News, payment_client};

impl Mechanic {
    /// Confirms the cash that customers paid.
    pub(super) async fn confirm_cash(&self) {
        for job in self.shared.take_cash(self.profile) {
            // This returns the open order for the mechanic, too.
            let counted = async {
                let bill = payment_client::order_for_job(&self.person, job, true).await?;
                payment_client::confirm_cash(&self.person, &bill).await
            };
            if let Err(error) = counted.await {
                self.shared.trouble(&self.name, error);
            }
        }
    }

    /// Withdraws once there is enough money in the wallet.
    pub(super) async fn check_wallet(&mut self) {
        self.plan_wallet_check();
        let least_paise = (self.shared.scenario.money.withdraw_from * 100.0).round() as i64;
        let banked = async {
            if !self.has_account {
                payment_client::add_account(&self.person, &self.name, &self.random).await?;
            }
            payment_client::withdraw(&self.person, least_paise, &self.random).await
        };
        match banked.await {
            Ok(withdrawn) => {
                self.has_account = true;
                if let Some(paise) = withdrawn {
                    self.shared.report(News::Withdrew { profile: self.profile, paise });
                }
            }
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }

    pub(super) fn plan_wallet_check(&mut self) {
        let pause = TimeDelta::from_std(self.random.seconds(self.shared.scenario.money.wallet_every_s));
        self.check_wallet_at = self.shared.now() + pause.unwrap_or(TRY_AGAIN);
    }
}
