//! The embedded payment gateway and payout provider. They play an outside world (docs/adr/0020): with tables of their own, and
//! without the product's; webhooks over real HTTP, late, twice or out of order as the settings ask; a payout once per withdrawal,
//! whichever process dies in between. Development only: production refuses them by name.
//!
//! `gateway.rs` and `payouts.rs` keep the traits' promises, `state.rs` has the decisions, `events.rs` the webhooks,
//! `deliveries.rs` sends them, `handlers.rs` is the customer's phone.

mod deliveries;
mod dto;
mod events;
mod gateway;
mod handlers;
mod payouts;
mod queries;
mod settings;
mod state;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_base::{clock::Clock, random::Random};
use sqlx::PgConnection;

pub use deliveries::deliver;
pub use dto::PayOutcome;
pub use settings::SandboxSettings;

use crate::{
    ProviderError,
    gateway::{CheckoutKey, WebhookKeys},
};
use events::SandboxEvent;
use queries::WebhookDelivery;
use roadcall_http::Routes;
use roadcall_platform::{core::Core, db::Db, worker::Wakeup};
use state::InjectedFailure;

/// The shared parts that the sandbox's handlers use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct SandboxContext {
    #[deref]
    pub core: Core,
    /// The sandbox, unless both the gateway and the payout provider are real.
    pub sandbox: Option<Sandbox>,
}

pub fn routes(config: &mut Routes) {
    config.service(handlers::pay_order);
}

/// The key for checkouts if the settings name none.
const KEY_ID: &str = "rzp_test_sandbox";
/// How long webhooks are kept after they were sent or given up.
const RETENTION: TimeDelta = TimeDelta::days(7);
/// The number of letters of an id, as in Razorpay's.
const ID_LETTERS: usize = 14;

/// The sandbox. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    db: Db,
    clock: Clock,
    random: Random,
    settings: SandboxSettings,
    order_ttl: TimeDelta,
    key_id: String,
    checkout: CheckoutKey,
    webhooks: WebhookKeys,
    /// Woken when there are webhooks to send.
    wakeup: Wakeup,
}

/// An attempt that was made at the checkout.
#[derive(Debug, Clone)]
pub struct Checkout {
    pub attempt_id: String,
    pub signature: String,
}

/// Why an order can't be paid.
#[derive(Debug, thiserror::Error)]
pub enum PayError {
    #[error("There is no such order.")]
    NoSuchOrder,
    #[error("This order is already paid.")]
    Paid,
    #[error("This order has expired.")]
    Expired,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("the outcome of the commit: {0}")]
    Commit(sqlx::Error),
}

impl Sandbox {
    /// Makes the sandbox. `key_id` is the key for checkouts, if there is one; `checkout` signs checkouts, and `webhooks` signs
    /// webhooks.
    pub fn new(
        settings: &SandboxSettings,
        (key_id, order_ttl): (&str, TimeDelta),
        db: &Db,
        clock: &Clock,
        random: &Random,
        checkout: CheckoutKey,
        webhooks: WebhookKeys,
    ) -> Self {
        Self(Arc::new(Parts {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            settings: settings.clone(),
            order_ttl,
            key_id: if key_id.is_empty() { KEY_ID } else { key_id }.to_owned(),
            checkout,
            webhooks,
            wakeup: Wakeup::default(),
        }))
    }

    /// Runs a call of the API, which fails as often as the settings ask.
    async fn call<T>(
        &self,
        work: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        let draw = |below| self.0.random.below(below);
        match state::injected_failure(self.0.settings.failure_percent, draw) {
            None => work.await,
            Some(InjectedFailure::Before) => {
                Err(ProviderError::Unavailable("the sandbox is set to fail".to_owned()))
            }
            Some(InjectedFailure::After) => {
                work.await?;
                Err(ProviderError::Unknown("the sandbox is set to lose its answer".to_owned()))
            }
        }
    }

    fn delay(&self) -> TimeDelta {
        state::delay(&self.0.settings, |below| self.0.random.below(below))
    }

    /// Makes an id of Razorpay's form.
    fn id(&self, prefix: &str) -> String {
        const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let letter = || char::from(LETTERS[self.0.random.below(62) as usize]);
        let letters: String = std::iter::repeat_with(letter).take(ID_LETTERS).collect();
        format!("{prefix}_{letters}")
    }

    /// Plans webhooks within the transaction of their events: they are sent only if it commits. `subject` is the object of the
    /// events.
    async fn plan(
        &self,
        tx: &mut PgConnection,
        subject: &str,
        events: &[SandboxEvent],
        now: DateTime<Utc>,
    ) -> sqlx::Result<()> {
        let times: Vec<DateTime<Utc>> = events.iter().map(|event| event.at).collect();
        let due = state::due_times(&times, &self.0.settings, |below| self.0.random.below(below));
        for (event, times) in events.iter().zip(due) {
            let event_id = self.id("evt");
            let body = event.body().map_err(|error| sqlx::Error::Encode(error.into()))?;
            for due_at in times {
                let delivery = WebhookDelivery {
                    id: self.0.random.id(now),
                    event_id: event_id.clone(),
                    event: event.event.to_owned(),
                    subject: subject.to_owned(),
                    body: body.clone(),
                    due_at,
                    attempts: 0,
                };
                queries::insert_delivery(tx, &delivery, now).await?;
            }
        }
        Ok(())
    }

    /// Returns the wakeup of the sender of webhooks, to be used after the commit of planned ones.
    pub fn wakeup(&self) -> &Wakeup {
        &self.0.wakeup
    }

    /// Deletes webhooks that were sent or given up a week ago; returns how many.
    pub async fn sweep(&self, at_most: i64) -> sqlx::Result<u64> {
        queries::sweep(&self.0.db, self.0.clock.now() - RETENTION, at_most).await
    }
}

/// Makes the error of a failure before a commit: nothing happened.
fn unavailable(error: sqlx::Error) -> ProviderError {
    ProviderError::Unavailable(format!("the sandbox's database: {error}"))
}

/// Makes the error of a failed commit: it may have happened unless the database said otherwise.
fn unknown_outcome(error: sqlx::Error) -> ProviderError {
    match error {
        sqlx::Error::Database(_) => unavailable(error),
        _ => ProviderError::Unknown(format!("the sandbox's database: {error}")),
    }
}

fn refused(description: &str) -> ProviderError {
    ProviderError::Refused { code: "BAD_REQUEST_ERROR".to_owned(), description: description.to_owned() }
}
