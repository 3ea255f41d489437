//! The gateway and the payout provider that the settings name.

use std::{sync::Arc, time::Duration};

use roadcall_actors::{clock::Clock, random::Random};

use crate::providers::{
    gateway::{CheckoutKey, Gateway, NoGateway, RazorpayGateway, WebhookKeys},
    payouts::{Payouts, PayoutsByHand, RazorpayPayouts},
    razorpay::Api,
};
use crate::{
    platform::{
        db::Db,
        keys::KeyRing,
        settings::{GatewayProvider, PayoutProvider, Settings},
    },
    sandbox::Sandbox,
};

/// The providers that move money.
#[derive(Debug)]
pub struct MoneyProviders {
    pub gateway: Arc<dyn Gateway>,
    pub payouts: Arc<dyn Payouts>,
    pub webhook_keys: WebhookKeys,
    /// The sandbox, if either of them is the sandbox.
    pub sandbox: Option<Sandbox>,
}

/// Why the providers can't be started.
#[derive(Debug, thiserror::Error)]
pub enum MoneyError {
    #[error("gateway.base_url is no http or https URL")]
    Url,
    #[error("the gateway's HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

impl MoneyProviders {
    /// Starts the providers. `keys` generates secrets that the settings leave out, the same at each start. Makes no request.
    pub fn start(
        settings: &Settings,
        db: &Db,
        clock: &Clock,
        random: &Random,
        keys: impl Fn(&str) -> KeyRing<String>,
    ) -> Result<Self, MoneyError> {
        let webhook_keys = WebhookKeys::new(&settings.gateway, &keys("gateway webhook"));
        let checkout = CheckoutKey::new(&settings.gateway, &keys("gateway checkout"));
        let sandbox = Sandbox::new(settings, db, clock, random, checkout.clone(), webhook_keys.clone());
        let gateway: Arc<dyn Gateway> = match settings.gateway.provider {
            GatewayProvider::Sandbox => Arc::new(sandbox.clone()),
            GatewayProvider::Razorpay => {
                Arc::new(RazorpayGateway::new(api(settings, settings.gateway.timeout_ms)?, checkout))
            }
            GatewayProvider::None => Arc::new(NoGateway),
        };
        let payouts: Arc<dyn Payouts> = match settings.payouts.provider {
            PayoutProvider::Sandbox => Arc::new(sandbox.clone()),
            PayoutProvider::Razorpay => {
                let api = api(settings, settings.payouts.timeout_ms)?;
                Arc::new(RazorpayPayouts::new(api, &settings.payouts.account_number))
            }
            PayoutProvider::None => Arc::new(PayoutsByHand),
        };
        let is_sandbox = settings.gateway.provider == GatewayProvider::Sandbox
            || settings.payouts.provider == PayoutProvider::Sandbox;
        Ok(Self { gateway, payouts, webhook_keys, sandbox: is_sandbox.then_some(sandbox) })
    }
}

fn api(settings: &Settings, timeout_ms: u64) -> Result<Api, MoneyError> {
    let gateway = &settings.gateway;
    let base = gateway.api_url().ok_or(MoneyError::Url)?;
    Ok(Api::new(base, &gateway.key_id, &gateway.key_secret, Duration::from_millis(timeout_ms))?)
}
