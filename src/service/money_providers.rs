//! The gateway and the payout provider that the settings name.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use roadcall_actors::{clock::Clock, random::Random};

use super::settings::{GatewayProvider, GatewaySettings, PayoutProvider, Settings};
use crate::{
    platform::{db::Db, keys::KeyRing},
    providers::{
        gateway::{CheckoutKey, Gateway, NoGateway, RazorpayGateway, WebhookKeys},
        payouts::{Payouts, PayoutsByHand, RazorpayPayouts},
        razorpay::Api,
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
        let Settings { gateway, payouts, sandbox, .. } = settings;
        let webhook_keys = WebhookKeys::new(gateway, &keys("gateway webhook"));
        let checkout = CheckoutKey::new(gateway, &keys("gateway checkout"));
        let orders = (gateway.key_id.as_str(), TimeDelta::seconds(gateway.order_ttl_s));
        let sandbox =
            Sandbox::new(sandbox, orders, db, clock, random, checkout.clone(), webhook_keys.clone());
        let is_sandbox =
            gateway.provider == GatewayProvider::Sandbox || payouts.provider == PayoutProvider::Sandbox;
        let taking: Arc<dyn Gateway> = match gateway.provider {
            GatewayProvider::Sandbox => Arc::new(sandbox.clone()),
            GatewayProvider::Razorpay => {
                Arc::new(RazorpayGateway::new(api(gateway, gateway.timeout_ms)?, checkout))
            }
            GatewayProvider::None => Arc::new(NoGateway),
        };
        let paying: Arc<dyn Payouts> = match payouts.provider {
            PayoutProvider::Sandbox => Arc::new(sandbox.clone()),
            PayoutProvider::Razorpay => {
                let api = api(gateway, payouts.timeout_ms)?;
                Arc::new(RazorpayPayouts::new(api, &payouts.account_number))
            }
            PayoutProvider::None => Arc::new(PayoutsByHand),
        };
        Ok(Self { gateway: taking, payouts: paying, webhook_keys, sandbox: is_sandbox.then_some(sandbox) })
    }
}

fn api(gateway: &GatewaySettings, timeout_ms: u64) -> Result<Api, MoneyError> {
    let base = gateway.api_url().ok_or(MoneyError::Url)?;
    Ok(Api::new(base, &gateway.key_id, &gateway.key_secret, Duration::from_millis(timeout_ms))?)
}
