//! A customer's payments: jobs, online or in cash, and cancellation fees.

use std::time::Duration;

use roadcall_client::ClientError;
use tokio::time::sleep;

use super::{Customer, Wait};
use crate::demo::{
    api_client::{Job, Status},
    news::News,
    payment_client::{self, Outcome},
    revenue::PaymentKind,
    shared::Shutdown,
};

/// How long a customer waits after a failed payment.
const PAY_AGAIN: Duration = Duration::from_secs(1);

impl Customer {
    /// Pays for the job. Returns false if it stays unpaid, because the demo ends or something is wrong.
    pub(super) async fn pay_or_leave(&self, wait: &mut Wait, shutdown: &mut Shutdown) -> bool {
        wait.has_paid = true;
        tokio::select! {
            () = shutdown.requested() => {
                self.leave(wait).await;
                false
            }
            is_paid = self.pay(&wait.job) => is_paid,
        }
    }

    async fn pay(&self, job: &Job) -> bool {
        sleep(self.random.seconds(self.shared.scenario.money.pay_after_s)).await;
        let in_cash = self.random.chance(self.shared.scenario.money.cash_share);
        let paid = if in_cash { self.pay_in_cash(job).await } else { self.pay_online(job).await };
        let kind = if in_cash { PaymentKind::Cash } else { PaymentKind::Online };
        self.report_paid(kind, paid)
    }

    async fn pay_online(&self, job: &Job) -> Result<i64, ClientError> {
        let bill = payment_client::order_for_job(&self.person, job.id, false).await?;
        if self.random.chance(self.shared.scenario.money.failed_share) {
            payment_client::check_out(&self.person, &bill, Outcome::Failed).await?;
            self.shared.report(News::PayFailed { customer: self.name.clone() });
            sleep(PAY_AGAIN).await;
        }
        payment_client::check_out(&self.person, &bill, Outcome::Captured).await?;
        payment_client::until_captured(&self.person, bill.payment_id).await?;
        Ok(bill.paise())
    }

    /// Pays in cash: customer and mechanic both confirm it.
    async fn pay_in_cash(&self, job: &Job) -> Result<i64, ClientError> {
        let bill = payment_client::order_for_job(&self.person, job.id, true).await?;
        payment_client::confirm_cash(&self.person, &bill).await?;
        if let Some(mechanic) = job.mechanic_profile_id {
            self.shared.hand_cash(mechanic, job.id);
        }
        payment_client::until_captured(&self.person, bill.payment_id).await?;
        Ok(bill.paise())
    }

    /// Pays a cancellation fee at once in some cases; the other customers pay when the service demands it.
    pub(super) async fn pay_fee(&self, job: &Job, shutdown: &mut Shutdown) {
        let is_due = job.status == Status::Cancelled && job.cancellation_fee.is_some_and(|fee| fee > 0.0);
        if !is_due || !self.random.chance(self.shared.scenario.money.fee_share) {
            return;
        }
        tokio::select! {
            () = shutdown.requested() => {}
            paid = self.pay_fees() => if let Err(error) = paid {
                self.shared.trouble(&self.name, error);
            },
        }
    }

    pub(super) async fn pay_fees(&self) -> Result<(), ClientError> {
        let Some(bill) = payment_client::order_for_fees(&self.person).await? else { return Ok(()) };
        payment_client::check_out(&self.person, &bill, Outcome::Captured).await?;
        payment_client::until_captured(&self.person, bill.payment_id).await?;
        self.report_paid(PaymentKind::Fees, Ok(bill.paise()));
        Ok(())
    }

    fn report_paid(&self, kind: PaymentKind, paid: Result<i64, ClientError>) -> bool {
        let is_paid = paid.is_ok();
        match paid {
            Ok(paise) => self.shared.report(News::Paid { customer: self.name.clone(), kind, paise }),
            Err(error) => self.shared.trouble(&self.name, error),
        }
        is_paid
    }
}
