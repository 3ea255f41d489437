//! What a customer pays: online, in cash, and for having cancelled.

use std::time::Duration;

use tokio::time::sleep;

use super::{Customer, Wait};
use crate::demo::{
    api::{Fault, Job, Status},
    city::Curtain,
    purse::{self, Outcome},
    takings::Way,
    tally::News,
};

/// After a try to pay that failed.
const PAY_AGAIN: Duration = Duration::from_secs(1);

impl Customer {
    /// Pays for the job. False where it stays unpaid: the curtain fell first, or something is wrong.
    pub(super) async fn pay_or_leave(&self, wait: &mut Wait, curtain: &mut Curtain) -> bool {
        wait.has_paid = true;
        tokio::select! {
            () = curtain.fallen() => {
                self.leave(wait).await;
                false
            }
            is_paid = self.pay(&wait.job) => is_paid,
        }
    }

    async fn pay(&self, job: &Job) -> bool {
        sleep(self.dice.seconds(self.city.scenario.money.pay_after_s)).await;
        let in_cash = self.dice.chance(self.city.scenario.money.cash_share);
        let paid = if in_cash { self.pay_in_cash(job).await } else { self.pay_online(job).await };
        let way = if in_cash { Way::Cash } else { Way::Online };
        self.tell_paid(way, paid)
    }

    async fn pay_online(&self, job: &Job) -> Result<i64, Fault> {
        let bill = purse::order_for_job(&self.person, job.id, false).await?;
        if self.dice.chance(self.city.scenario.money.failed_share) {
            purse::check_out(&self.person, &bill, Outcome::Failed).await?;
            self.city.tell(News::PayFailed { customer: self.name.clone() });
            sleep(PAY_AGAIN).await;
        }
        purse::check_out(&self.person, &bill, Outcome::Captured).await?;
        purse::until_captured(&self.person, bill.payment_id).await?;
        Ok(bill.paise())
    }

    /// The notes go to the mechanic, and both say so.
    async fn pay_in_cash(&self, job: &Job) -> Result<i64, Fault> {
        let bill = purse::order_for_job(&self.person, job.id, true).await?;
        purse::confirm_cash(&self.person, bill.payment_id).await?;
        if let Some(mechanic) = job.mechanic_profile_id {
            self.city.hand_cash(mechanic, job.id);
        }
        purse::until_captured(&self.person, bill.payment_id).await?;
        Ok(bill.paise())
    }

    /// Some pay at once what cancelling cost; the others when they are told to.
    pub(super) async fn pay_fee(&self, job: &Job, curtain: &mut Curtain) {
        let is_due = job.status == Status::Cancelled && job.cancellation_fee.is_some_and(|fee| fee > 0.0);
        if !is_due || !self.dice.chance(self.city.scenario.money.fee_share) {
            return;
        }
        tokio::select! {
            () = curtain.fallen() => {}
            paid = self.pay_fees() => if let Err(fault) = paid {
                self.city.trouble(&self.name, fault);
            },
        }
    }

    pub(super) async fn pay_fees(&self) -> Result<(), Fault> {
        let Some(bill) = purse::order_for_fees(&self.person).await? else { return Ok(()) };
        purse::check_out(&self.person, &bill, Outcome::Captured).await?;
        purse::until_captured(&self.person, bill.payment_id).await?;
        self.tell_paid(Way::Fees, Ok(bill.paise()));
        Ok(())
    }

    fn tell_paid(&self, way: Way, paid: Result<i64, Fault>) -> bool {
        let is_paid = paid.is_ok();
        match paid {
            Ok(paise) => self.city.tell(News::Paid { customer: self.name.clone(), way, paise }),
            Err(fault) => self.city.trouble(&self.name, fault),
        }
        is_paid
    }
}
