use std::{ops::Deref, sync::Arc};

use super::settings::WalletSettings;
use crate::{
    notifications::NotifyContext,
    platform::{core::Core, worker::Wakeup},
    providers::payouts::{PayoutSettings, Payouts},
};

/// The dependencies of wallets.
#[derive(Debug, Clone)]
pub struct WalletContext {
    pub notify: NotifyContext,
    pub wallet_settings: Arc<WalletSettings>,
    pub payout_settings: Arc<PayoutSettings>,
    pub payouts: Arc<dyn Payouts>,
    /// Wakes the worker that pays withdrawals out.
    pub payout_wakeup: Wakeup,
}

impl WalletContext {
    pub fn new(
        notify: NotifyContext,
        wallet_settings: Arc<WalletSettings>,
        payout_settings: Arc<PayoutSettings>,
        payouts: Arc<dyn Payouts>,
    ) -> Self {
        let payout_wakeup = Wakeup::anywhere(notify.bus.as_ref(), "payouts");
        Self { notify, wallet_settings, payout_settings, payouts, payout_wakeup }
    }
}

impl AsRef<Core> for WalletContext {
    fn as_ref(&self) -> &Core {
        self
    }
}

impl Deref for WalletContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}
