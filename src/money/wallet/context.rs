use std::{ops::Deref, sync::Arc};

use crate::{notifications::NotifyContext, platform::worker::Wakeup, providers::payouts::Payouts};

/// The dependencies of wallets.
#[derive(Debug, Clone)]
pub struct WalletContext {
    pub notify: NotifyContext,
    pub payouts: Arc<dyn Payouts>,
    /// Wakes the worker that pays withdrawals out.
    pub payout_wakeup: Wakeup,
}

impl WalletContext {
    pub fn new(notify: NotifyContext, payouts: Arc<dyn Payouts>) -> Self {
        let payout_wakeup = Wakeup::anywhere(notify.bus.as_ref(), "payouts");
        Self { notify, payouts, payout_wakeup }
    }
}

impl Deref for WalletContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}
