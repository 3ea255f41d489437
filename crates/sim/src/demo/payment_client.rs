//! Requests about money. A customer's app makes an order, goes through the checkout (which the sandbox plays), and waits
//! until the service shows the payment as captured. A mechanic's app adds an account and withdraws.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use roadcall_client::{ClientError, Person};

use crate::rng::Stream;

/// How often an app checks whether a payment was captured.
const LOOK: Duration = Duration::from_millis(500);
/// The maximum number of such checks. Webhooks take a fraction of a second; if one is lost, the service asks the gateway after
/// `gateway.reconcile_after_s`, a minute.
const LOOKS: u32 = 180;

/// An order, with the amount to pay.
#[derive(Debug, Clone, Deserialize)]
pub struct Bill {
    pub payment_id: Uuid,
    /// The gateway's order; none for cash.
    pub gateway_order_id: Option<String>,
    amount: f64,
}

#[derive(Deserialize)]
struct Wallet {
    withdrawable: f64,
}

impl Bill {
    pub fn paise(&self) -> i64 {
        paise_of(self.amount)
    }
}

#[derive(Deserialize)]
struct Payment {
    status: String,
}

#[derive(Deserialize)]
struct Fee {
    job_id: Uuid,
}

#[derive(Deserialize)]
struct Fees {
    data: Vec<Fee>,
}

/// The end of a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Captured,
    Failed,
}

pub async fn order_for_job(person: &Person, job: Uuid, in_cash: bool) -> Result<Bill, ClientError> {
    let method = if in_cash { "cash" } else { "online" };
    let key = format!("demo-{method}-{job}");
    person.post_once("/payments/orders", json!({ "job_id": job, "method": method }), &key).await
}

/// Makes an order for all cancellation fees that the person owes, if there are any.
pub async fn order_for_fees(person: &Person) -> Result<Option<Bill>, ClientError> {
    let fees: Fees = person.get("/payments/unpaid-fees").await?;
    let jobs: Vec<Uuid> = fees.data.into_iter().map(|fee| fee.job_id).collect();
    if jobs.is_empty() {
        return Ok(None);
    }
    person.post("/payments/orders", json!({ "fee_job_ids": jobs })).await.map(Some)
}

/// Pays, or fails to pay, at the gateway's checkout.
pub async fn check_out(person: &Person, bill: &Bill, outcome: Outcome) -> Result<(), ClientError> {
    let order = bill.gateway_order_id.as_deref();
    let order = order.ok_or_else(|| ClientError::odd("POST /payments/orders", "no gateway_order_id"))?;
    let outcome = if outcome == Outcome::Captured { "captured" } else { "failed" };
    let path = format!("/sandbox/gateway/orders/{order}/pay");
    person.post::<Value>(&path, json!({ "outcome": outcome })).await.map(drop)
}

/// Confirms for one side that cash changed hands.
pub async fn confirm_cash(person: &Person, bill: &Bill) -> Result<(), ClientError> {
    let path = format!("/payments/{}/cash-confirm", bill.payment_id);
    person.post::<Value>(&path, json!({ "amount": bill.amount })).await.map(drop)
}

/// Waits until the service shows the payment as captured, within a limit.
pub async fn until_captured(person: &Person, payment: Uuid) -> Result<(), ClientError> {
    let path = format!("/payments/{payment}");
    let mut last = String::new();
    for _ in 0..LOOKS {
        let Payment { status } = person.get(&path).await?;
        if status == "captured" {
            return Ok(());
        }
        last = status;
        sleep(LOOK).await;
    }
    let why = format!("still {last} after {} s", LOOK.as_secs_f64() * f64::from(LOOKS));
    Err(ClientError::odd(format!("GET {path}"), why))
}

/// Adds the VPA to be paid to, under the name that the person signed up with. The provider verifies it by itself.
pub async fn add_account(person: &Person, name: &str, random: &Stream) -> Result<(), ClientError> {
    let local = name.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), ".");
    let body = json!({ "vpa": format!("{local}.{}@demobank", random.digits(4)), "holder_name": name });
    person.post::<Value>("/wallet/upi", body).await.map(drop)
}

/// Withdraws the whole withdrawable balance, if it is at least `least_paise`; returns how much, in paise.
pub async fn withdraw(
    person: &Person,
    least_paise: i64,
    random: &Stream,
) -> Result<Option<i64>, ClientError> {
    let Wallet { withdrawable } = person.get("/wallet").await?;
    if paise_of(withdrawable) < least_paise {
        return Ok(None);
    }
    let key = format!("demo-{}", random.digits(9));
    match person.post_once::<Value>("/wallet/withdrawals", json!({ "amount": withdrawable }), &key).await {
        Ok(_) => Ok(Some(paise_of(withdrawable))),
        // The VPA is not verified yet, or too new; or a refund came between.
        Err(error) if matches!(error.code(), "CONFLICT" | "INSUFFICIENT_BALANCE") => Ok(None),
        Err(error) => Err(error),
    }
}

fn paise_of(rupees: f64) -> i64 {
    (rupees * 100.0).round() as i64
}
