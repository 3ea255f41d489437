//! The wallet, over real HTTP.

mod bookings;
mod by_hand;
mod clearing;
mod crashes;
mod payouts;
mod reading;
mod settlements;
mod upi;
mod withdrawals;

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{AssertFields, Client, Person, TestApp, bodies::id_of, spawn_app_with, until_fits};

/// Starts an app with a provider that responds at once, and accounts that can be paid to at once.
pub async fn spawn_prompt() -> TestApp {
    spawn_prompt_with(|_| {}).await
}

/// Starts such an app with an admin, and a mechanic who has this much to withdraw.
async fn spawn_earner(paise: i64) -> (TestApp, Person, Earner) {
    let app = spawn_prompt().await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", paise).await;
    (app, admin, earner)
}

/// Starts such an app with an admin.
async fn spawn_prompt_with_admin() -> (TestApp, Person) {
    let app = spawn_prompt().await;
    let admin = app.admin().await;
    (app, admin)
}

/// Makes the provider take so long, whatever it is asked.
fn slow(settings: &mut Settings, delay_ms: u64) {
    (settings.sandbox.delay_min_ms, settings.sandbox.delay_max_ms) = (delay_ms, delay_ms);
}

/// Starts such an app with a provider that never answers.
async fn spawn_silent() -> TestApp {
    spawn_prompt_with(|settings| {
        settings.sandbox.failure_percent = 100;
        slow(settings, 600_000);
    })
    .await
}

/// Verifies every account, whatever the provider says.
async fn verify_all(app: &TestApp) {
    app.sql("update upi_accounts set verification_status = 'verified', check_at = null, is_default = true")
        .await;
}

async fn spawn_prompt_with(alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        prompt(settings);
        alter(settings);
    })
    .await
}

fn prompt(settings: &mut Settings) {
    settings.wallet.new_account_wait_hours = 0;
    slow(settings, 0);
    settings.payouts.timeout_ms = 2000;
    settings.payouts.retry_s = 1;
    settings.payouts.reconcile_after_s = 1;
}

/// A verified mechanic with an account that can be paid to.
#[derive(Debug)]
pub struct Earner {
    pub client: Person,
    pub profile_id: String,
    account: Value,
}

impl Earner {
    /// Makes a mechanic paid to `vpa`, with this much to withdraw.
    pub async fn new(app: &TestApp, admin: &Client, vpa: &str, paise: i64) -> Self {
        let mechanic = app.verified_mechanic(admin).await;
        let new = json!({"vpa": vpa, "holder_name": "Asha Rao"});
        let account = mechanic.client.post("/wallet/upi", new).await.expect(201);
        app.fund(&mechanic.profile_id, paise).await;
        Self { client: mechanic.client, profile_id: mechanic.profile_id, account }
    }

    pub async fn wallet(&self) -> Value {
        self.client.get("/wallet").await.expect(200)
    }

    async fn withdraw(&self, amount: f64) -> Value {
        self.client.post("/wallet/withdrawals", json!({"amount": amount})).await.expect(201)
    }

    pub async fn withdrawal(&self, id: &str) -> Value {
        self.client.get(&format!("/wallet/withdrawals/{id}")).await.expect(200)
    }

    /// Waits until the withdrawal has that status.
    async fn until(&self, withdrawal: &Value, status: &str) -> Value {
        let id = id_of(withdrawal);
        until_fits(status, async || self.withdrawal(&id).await, |shown| shown["status"] == status).await
    }

    /// Checks what the wallet shows as available and as held.
    async fn has(&self, available: f64, held: f64) {
        self.wallet().await.assert_fields(json!({ "available": available, "held": held }));
    }
}

/// Makes everything that waits for its next attempt due now.
async fn cut_pauses_short(app: &TestApp) {
    for statement in [
        "update withdrawals set next_try_at = now() where next_try_at is not null",
        "update upi_accounts set check_at = now() where check_at is not null",
    ] {
        app.sql(statement).await;
    }
    app.service.wallet.payout_wakeup.wake();
}

/// Waits until the mechanic's first account is verified.
async fn until_verified(mechanic: &Client) {
    let ask = async || mechanic.column("/wallet/upi", "verification_status").await;
    until_fits("the account is verified", ask, |statuses| statuses[0] == "verified").await;
}
