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

use crate::support::{Client, Person, TestApp, bodies::id_of, spawn_app_with, within};

/// Starts an app with a provider that responds at once, and accounts that can be paid to at once.
pub async fn spawn_prompt() -> TestApp {
    spawn_prompt_with(|_| {}).await
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
    settings.sandbox.delay_min_ms = 0;
    settings.sandbox.delay_max_ms = 0;
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
        within(status, async {
            loop {
                let shown = self.withdrawal(&id).await;
                if shown["status"] == status {
                    return shown;
                }
                breathe().await;
            }
        })
        .await
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

/// Pauses between two checks of something that sends no signal, long enough to stay within the rate limit.
async fn breathe() {
    tokio::time::sleep(std::time::Duration::from_millis(60)).await;
}
