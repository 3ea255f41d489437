//! The gateway and the payout provider that the settings name.

use std::sync::Arc;

use roadcall_actors::{clock::Clock, random::Random};
use sqlx::PgPool;

use super::{
    gateway::{CheckoutKey, Gateway, WebhookKeys},
    payouts::Payouts,
};
use crate::{
    sandbox::Sandbox,
    settings::{GatewayProvider, PayoutProvider, Settings},
};

/// Who moves money.
#[derive(Debug)]
pub struct MoneyProviders {
    pub gateway: Arc<dyn Gateway>,
    pub payouts: Arc<dyn Payouts>,
    pub webhook_keys: WebhookKeys,
    /// Where either of them is the sandbox.
    pub sandbox: Option<Sandbox>,
}

/// Why there is nobody to move money.
#[derive(Debug, thiserror::Error)]
pub enum MoneyError {
    #[error("razorpay is not built in")]
    Razorpay,
}

impl MoneyProviders {
    /// `key` generates what the settings leave out, the same at each start. Asks no provider.
    pub fn start(
        settings: &Settings,
        db: &PgPool,
        clock: &Clock,
        random: &Random,
        key: impl Fn(&str) -> String,
    ) -> Result<Self, MoneyError> {
        let webhook_keys = WebhookKeys::new(&settings.gateway, key("gateway webhook").as_bytes());
        let checkout = CheckoutKey::new(&settings.gateway, key("gateway checkout").as_bytes());
        let sandbox = Sandbox::new(settings, db, clock, random, checkout, webhook_keys.clone());
        let gateway: Arc<dyn Gateway> = match settings.gateway.provider {
            GatewayProvider::Sandbox => Arc::new(sandbox.clone()),
            GatewayProvider::Razorpay => return Err(MoneyError::Razorpay),
        };
        let payouts: Arc<dyn Payouts> = match settings.payouts.provider {
            PayoutProvider::Sandbox => Arc::new(sandbox.clone()),
            PayoutProvider::Razorpay => return Err(MoneyError::Razorpay),
        };
        let is_sandbox = settings.gateway.provider == GatewayProvider::Sandbox
            || settings.payouts.provider == PayoutProvider::Sandbox;
        Ok(Self { gateway, payouts, webhook_keys, sandbox: is_sandbox.then_some(sandbox) })
    }
}
