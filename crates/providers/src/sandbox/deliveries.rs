//! Sends webhooks: over HTTP, signed, when they are due, and again if they were not taken.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::{StreamExt, stream};
use reqwest::Client;
use tokio::time::timeout;

use super::{
    Sandbox,
    queries::{self, WebhookDelivery},
    state,
};

/// The number of webhooks taken at once; the rest is taken next.
const BATCH: i64 = 64;
/// The number of webhooks sent at once. Those of one subject are sent one after the other.
const AT_ONCE: usize = 8;
/// How long a receiver may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Webhooks that were taken and not settled within this time are taken again: their sender has died, or was still busy with
/// others.
const LEASE: TimeDelta = TimeDelta::seconds(20);
/// The pause after a fault of the database.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Sends due webhooks to `url`; runs until it is aborted.
pub async fn deliver(sandbox: Sandbox, url: String) {
    // Each webhook has its own connection, as from a real provider. The connection to this server itself has no TLS.
    let client = Client::builder().timeout(TIMEOUT).no_proxy().pool_max_idle_per_host(0).tls_certs_only([]);
    let client = client.redirect(reqwest::redirect::Policy::none()).build();
    let Ok(client) = client else {
        return tracing::error!("the sandbox could not make an HTTP client; it sends no webhooks");
    };
    loop {
        match sandbox.send_due(&client, &url).await {
            // More webhooks may be due.
            Ok(sent) if sent > 0 => {}
            Ok(_) => sandbox.wait().await,
            Err(error) => {
                tracing::warn!(%error, "the sandbox could not send its webhooks; trying again");
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        }
    }
}

impl Sandbox {
    /// Waits until the next webhook is due, or until it is woken.
    async fn wait(&self) {
        let next = queries::next_due(&self.0.db).await.ok().flatten();
        let now = self.0.clock.now();
        match next.map(|next| (next - now).to_std().unwrap_or_default()) {
            // Tokio rounds up to whole milliseconds, so that the webhook is due after the wait.
            Some(until) => drop(timeout(until, self.0.wakeup.woken()).await),
            None => self.0.wakeup.woken().await,
        }
    }

    /// Sends due webhooks; returns how many were tried.
    async fn send_due(&self, client: &Client, url: &str) -> sqlx::Result<usize> {
        let now = self.0.clock.now();
        let until = now + LEASE;
        let taken = queries::take_due(&self.0.db, now, until, BATCH).await?;
        let count = taken.len();
        stream::iter(by_subject(taken))
            .for_each_concurrent(AT_ONCE, |lane| async move {
                for delivery in lane {
                    if self.0.clock.now() >= until {
                        break;
                    }
                    self.send_one(client, url, &delivery).await;
                }
            })
            .await;
        Ok(count)
    }

    async fn send_one(&self, client: &Client, url: &str, delivery: &WebhookDelivery) {
        let failure = post(self, client, url, delivery).await.err();
        let now = self.0.clock.now();
        let event = delivery.event.as_str();
        let kept = match (&failure, state::pause_after(delivery.attempts)) {
            (None, _) => queries::settle(&self.0.db, delivery.id, true, now).await,
            (Some(why), Some(pause)) => {
                tracing::debug!(event, why, "a webhook was not accepted; sending it again later");
                queries::put_off(&self.0.db, delivery.id, now + pause).await
            }
            (Some(why), None) => {
                tracing::warn!(event, why, "a webhook was not accepted; giving up");
                queries::settle(&self.0.db, delivery.id, false, now).await
            }
        };
        if let Err(error) = kept {
            tracing::warn!(%error, event, "a webhook's delivery could not be recorded; it is sent again");
        }
    }
}

async fn post(
    sandbox: &Sandbox,
    client: &Client,
    url: &str,
    delivery: &WebhookDelivery,
) -> Result<(), String> {
    let request = client
        .post(url)
        .header("content-type", "application/json")
        .header("X-Gateway-Signature", sandbox.0.webhooks.sign(delivery.body.as_bytes()))
        .header("X-Gateway-Event-Id", &delivery.event_id)
        .body(delivery.body.clone());
    let response = request.send().await.map_err(|error| error.without_url().to_string())?;
    let status = response.status();
    if status.as_u16() == 200 { Ok(()) } else { Err(format!("answered {status}")) }
}

/// Groups deliveries by subject, in the order in which they are due.
fn by_subject(taken: Vec<WebhookDelivery>) -> Vec<Vec<WebhookDelivery>> {
    let mut lanes: Vec<Vec<WebhookDelivery>> = Vec::new();
    for delivery in taken {
        match lanes.iter_mut().find(|lane| lane[0].subject == delivery.subject) {
            Some(lane) => lane.push(delivery),
            None => lanes.push(vec![delivery]),
        }
    }
    lanes
}
