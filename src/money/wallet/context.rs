use std::{ops::Deref, sync::Arc};

use crate::{notifications::NotifyContext, platform::worker::Wakeup, providers::payouts::Payouts};

/// What wallets need.
#[derive(Debug, Clone)]
pub struct WalletContext {
    pub notify: NotifyContext,
    pub payouts: Arc<dyn Payouts>,
    /// A withdrawal was asked for.
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
