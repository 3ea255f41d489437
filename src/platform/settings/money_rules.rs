//! The rules for settings of money, which a start checks.

use super::{
    GatewayProvider, GatewaySettings, MoneySettings, PayoutProvider, PayoutSettings, SandboxSettings,
    Settings, WalletSettings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
};

/// The minimum length of a secret that webhooks are signed with.
const SECRET_BYTES: usize = 16;
/// Ten million rupees: a higher amount is a typing error.
const MAX_PAISE: i64 = 1_000_000_000;

/// Returns the rules that must hold everywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let rules = [
        money(&settings.money),
        gateway(&settings.gateway),
        inbox(&settings.gateway),
        payouts(&settings.payouts),
        wallet(&settings.wallet, &settings.money),
        sandbox(&settings.sandbox),
        razorpay(settings),
    ];
    rules.into_iter().flatten().collect()
}

/// Returns the rules for production, which make sure that money really moves, and safely.
pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let Settings { gateway, payouts, .. } = settings;
    let is_open = uses_razorpay(settings) && !gateway.base_url.starts_with("https://");
    vec![
        (gateway.provider != GatewayProvider::Sandbox, "gateway.provider = \"sandbox\" takes no money"),
        (payouts.provider != PayoutProvider::Sandbox, "payouts.provider = \"sandbox\" pays nobody"),
        (!is_open, "gateway.base_url is not https"),
    ]
}

fn uses_razorpay(settings: &Settings) -> bool {
    settings.gateway.provider == GatewayProvider::Razorpay
        || settings.payouts.provider == PayoutProvider::Razorpay
}

fn money(money: &MoneySettings) -> Vec<Rule> {
    vec![
        (within(money.commission_bps, 0..=10_000), "money.commission_bps must be 0 to 10000"),
        (within(money.tax_bps, 0..=10_000), "money.tax_bps must be 0 to 10000"),
        (within(money.dispute_window_s, 0..=90 * DAY_S), "money.dispute_window_s must be 0 to 7776000"),
    ]
}

fn gateway(gateway: &GatewaySettings) -> Vec<Rule> {
    let long = |secret: &str| secret.is_empty() || secret.len() >= SECRET_BYTES;
    vec![
        (gateway.api_url().is_some(), "gateway.base_url must be an http or https URL without a query"),
        (long(&gateway.webhook_secret.0), "gateway.webhook_secret must be at least 16 bytes"),
        (
            long(&gateway.webhook_secret_previous.0),
            "gateway.webhook_secret_previous must be at least 16 bytes",
        ),
        (
            gateway.webhook_secret.0.is_empty() || gateway.webhook_secret != gateway.webhook_secret_previous,
            "gateway.webhook_secret_previous must not be gateway.webhook_secret: name an earlier secret, or the next one",
        ),
        (within(gateway.timeout_ms, 100..=60_000), "gateway.timeout_ms must be 100 to 60000"),
        (within(gateway.order_ttl_s, 60..=DAY_S), "gateway.order_ttl_s must be 60 to 86400"),
        (within(gateway.reconcile_after_s, 1..=DAY_S), "gateway.reconcile_after_s must be 1 to 86400"),
    ]
}

fn inbox(gateway: &GatewaySettings) -> Vec<Rule> {
    let kept = within(gateway.inbox_retention_days, 1..=MAX_DAYS);
    vec![
        (within(gateway.inbox_answer_queue, 0..=10_000), "gateway.inbox_answer_queue must be 0 to 10000"),
        (within(gateway.inbox_answer_wait_ms, 0..=10_000), "gateway.inbox_answer_wait_ms must be 0 to 10000"),
        (within(gateway.inbox_attempts, 1..=100), "gateway.inbox_attempts must be 1 to 100"),
        (within(gateway.inbox_retry_s, 1..=3600), "gateway.inbox_retry_s must be 1 to 3600"),
        (kept, "gateway.inbox_retention_days must be 1 to 3650"),
    ]
}

fn payouts(payouts: &PayoutSettings) -> Vec<Rule> {
    vec![
        (within(payouts.timeout_ms, 100..=60_000), "payouts.timeout_ms must be 100 to 60000"),
        (within(payouts.reconcile_after_s, 1..=DAY_S), "payouts.reconcile_after_s must be 1 to 86400"),
        (within(payouts.retry_s, 1..=3600), "payouts.retry_s must be 1 to 3600"),
    ]
}

fn wallet(wallet: &WalletSettings, money: &MoneySettings) -> Vec<Rule> {
    let clearing = within(wallet.clearing_hours, 0..=24 * 90);
    let outlasts = clearing && wallet.clearing_hours * 3600 >= money.dispute_window_s;
    let least = within(wallet.min_withdrawal_paise, 1..=wallet.max_withdrawal_paise);
    let most = within(wallet.max_withdrawal_paise, 1..=MAX_PAISE);
    vec![
        (clearing, "wallet.clearing_hours must be 0 to 2160"),
        (
            outlasts,
            "wallet.clearing_hours must not be shorter than money.dispute_window_s: what may be disputed is held",
        ),
        (within(wallet.new_account_wait_hours, 0..=720), "wallet.new_account_wait_hours must be 0 to 720"),
        (least, "wallet.min_withdrawal_paise must be 1 to wallet.max_withdrawal_paise"),
        (most, "wallet.max_withdrawal_paise must be 1 to 1000000000"),
        (within(wallet.max_upi_accounts, 1..=100), "wallet.max_upi_accounts must be 1 to 100"),
        (within(wallet.upi_look_ups_per_day, 1..=1000), "wallet.upi_look_ups_per_day must be 1 to 1000"),
        (within(wallet.name_match_score, 0..=100), "wallet.name_match_score must be 0 to 100"),
    ]
}

fn sandbox(sandbox: &SandboxSettings) -> Vec<Rule> {
    let delays = sandbox.delay_min_ms <= sandbox.delay_max_ms && sandbox.delay_max_ms <= 600_000;
    vec![
        (delays, "sandbox.delay_min_ms must be at most sandbox.delay_max_ms, and that at most 600000"),
        (sandbox.duplicate_percent <= 100, "sandbox.duplicate_percent must be 0 to 100"),
        (sandbox.reorder_percent <= 100, "sandbox.reorder_percent must be 0 to 100"),
        (sandbox.failure_percent <= 100, "sandbox.failure_percent must be 0 to 100"),
        (sandbox.payout_failure_percent <= 100, "sandbox.payout_failure_percent must be 0 to 100"),
    ]
}

/// Returns the rules for the account at Razorpay.
fn razorpay(settings: &Settings) -> Vec<Rule> {
    let Settings { gateway, payouts, .. } = settings;
    if !uses_razorpay(settings) {
        return Vec::new();
    }
    let has_account =
        payouts.provider != PayoutProvider::Razorpay || !payouts.account_number.trim().is_empty();
    vec![
        (!gateway.key_id.trim().is_empty(), "gateway.key_id is needed for razorpay"),
        (!gateway.key_secret.0.trim().is_empty(), "gateway.key_secret is needed for razorpay"),
        (!gateway.webhook_secret.0.trim().is_empty(), "gateway.webhook_secret is needed for razorpay"),
        (has_account, "payouts.account_number is needed for razorpay"),
    ]
}
