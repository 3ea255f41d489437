use std::{ops::Deref, sync::Arc};

use futures_util::FutureExt;

use super::{
    bookings::{self, AttemptWriter, BookingWriter, ReportKey, ReportedPayment},
    inbox::Inbox,
};
use crate::{
    jobs::JobsContext,
    mails::Mails,
    money::wallet::WalletContext,
    platform::{core::Core, db::Batches, tasks::Tasks, worker::Wakeup},
    providers::gateway::{Gateway, GatewaySettings, WebhookKeys},
};

/// The maximum number of reported payments that wait to be read; a further one is tried again later.
const MAX_REPORTS: usize = 4_096;

/// The dependencies of payments.
#[derive(Debug, Clone)]
pub struct PaymentsContext {
    pub jobs: JobsContext,
    /// The wallet's context: the gateway's webhooks are about payouts too.
    pub wallet: WalletContext,
    pub tasks: Tasks,
    pub gateway_settings: Arc<GatewaySettings>,
    pub gateway: Arc<dyn Gateway>,
    /// The keys with which webhooks are signed.
    pub webhook_keys: WebhookKeys,
    pub inbox: Inbox,
    pub bookings: BookingWriter,
    pub attempts: AttemptWriter,
    /// Reads the payments that the gateway reports, many at once.
    pub reports: Batches<ReportKey, ReportedPayment>,
    /// Wakes the worker that makes refunds.
    pub refund_wakeup: Wakeup,
    /// Mails receipts.
    pub mails: Mails,
}

impl PaymentsContext {
    /// Starts the inbox of webhooks and the writers of bookings and attempts.
    pub fn start(
        jobs: JobsContext,
        wallet: WalletContext,
        tasks: Tasks,
        gateway_settings: Arc<GatewaySettings>,
        (gateway, webhook_keys): (Arc<dyn Gateway>, WebhookKeys),
        mails: Mails,
    ) -> Self {
        let inbox = Inbox::start(jobs.db.clone(), jobs.clock.clone(), gateway.name());
        let bookings = BookingWriter::new(jobs.db.clone());
        let attempts = AttemptWriter::new(jobs.db.clone());
        let db = jobs.db.clone();
        let reports = Batches::new("reported payments", MAX_REPORTS, move |keys| {
            let db = db.clone();
            async move { bookings::reported(&db, keys).await }.boxed()
        });
        let refund_wakeup = Wakeup::anywhere(jobs.bus.as_ref(), "refunds");
        Self {
            jobs,
            wallet,
            tasks,
            gateway_settings,
            gateway,
            webhook_keys,
            inbox,
            bookings,
            attempts,
            reports,
            refund_wakeup,
            mails,
        }
    }
}

impl AsRef<Core> for PaymentsContext {
    fn as_ref(&self) -> &Core {
        self
    }
}

impl Deref for PaymentsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}
