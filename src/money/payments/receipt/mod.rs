//! Receipts: what was paid for, by whom and how, as a page and as a PDF.
//!
//! `queries.rs` reads, [`Source::receipt`] says what is on a receipt (pure), `html.rs` and `pdf.rs` lay it out
//! (pure): both show the same text in the same order.

mod dto;
mod handlers;
mod html;
mod pdf;
mod queries;
#[cfg(test)]
mod tests;

pub use dto::ReceiptFormat;

use chrono::{DateTime, Utc};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{dto::Channel, queries::PaymentRow};
use crate::{
    accounting::ledger, fleet::mechanics, http::Money, money::payments::PaymentsContext,
    platform::error::ApiResult,
};
use queries::{ReceiptFee, ReceiptItem, ReceiptJob};

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::get_receipt);
}

/// What is on a receipt, not escaped yet: names and descriptions are as people wrote them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Receipt {
    /// The payment's id.
    number: Uuid,
    /// Who, when, what, how: a name and its value.
    facts: Vec<(&'static str, String)>,
    /// What the total is made of.
    lines: Vec<Line>,
    /// The total first, then notes on it.
    sums: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    what: String,
    /// "2 × 120.50 INR"; empty where there is nothing to add.
    detail: String,
    amount: String,
}

/// A captured payment with what it is about, as it was read.
#[derive(Debug, Clone)]
struct Source {
    payment: PaymentRow,
    captured_at: DateTime<Utc>,
    /// Included in the total, as booked.
    tax_paise: i64,
    customer: Option<String>,
    /// First name.
    mechanic: Option<String>,
    subject: Subject,
}

#[derive(Debug, Clone)]
enum Subject {
    Job { job: Box<ReceiptJob>, items: Vec<ReceiptItem>, shows_pickup: bool },
    Fees(Vec<ReceiptFee>),
}

/// Reads what a receipt needs; `None` where nothing was captured.
async fn read(
    context: &PaymentsContext,
    payment: PaymentRow,
    shows_pickup: bool,
) -> ApiResult<Option<Source>> {
    let Some(captured_at) = payment.captured_at else { return Ok(None) };
    // The rate may have changed since: what was booked stays.
    let tax_paise = ledger::tax_of_payment(&context.db, payment.id).await?;
    let customer = queries::name_of(&context.db, payment.customer_id).await?;
    let mut mechanic = None;
    let subject = match payment.job_id {
        None => Subject::Fees(queries::fees(&context.db, payment.id).await?),
        Some(job_id) => {
            let Some(job) = queries::job(&context.db, job_id).await? else { return Ok(None) };
            if let Some(id) = job.mechanic_profile_id {
                mechanic = mechanics::first_names(&context.db, &[id]).await?.remove(&id);
            }
            let items = queries::approved_items(&context.db, job_id).await?;
            Subject::Job { job: Box::new(job), items, shows_pickup }
        }
    };
    Ok(Some(Source { payment, captured_at, tax_paise, customer, mechanic, subject }))
}

impl Source {
    fn receipt(&self) -> Receipt {
        let payment = &self.payment;
        let mut facts = vec![
            ("Receipt number", payment.id.to_string()),
            ("Paid at", minute(self.captured_at)),
            ("Paid by", self.customer.clone().unwrap_or_else(|| "Customer".to_owned())),
        ];
        if let Subject::Job { job, shows_pickup, .. } = &self.subject {
            facts.extend(self.mechanic.clone().map(|name| ("Mechanic", name)));
            let plate = match job.registration_number.as_str() {
                // Forgotten with the customer's account.
                "" => String::new(),
                plate => format!(", {plate}"),
            };
            facts.push(("Vehicle", format!("{} {}{plate}", job.make, job.model)));
            facts.push(("Service", job.category.clone()));
            facts.extend(shows_pickup.then(|| ("Pickup", job.pickup_address.clone())));
        }
        let channel = if payment.channel == Channel::Cash { "In cash" } else { "Online" };
        facts.push(("Paid", channel.to_owned()));
        facts.extend(payment.method.clone().map(|method| ("Method", method)));
        facts.extend(payment.gateway_payment_id.clone().map(|id| ("Gateway payment", id)));
        Receipt { number: payment.id, facts, lines: self.lines(), sums: self.sums() }
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<(String, String, i64)> = match &self.subject {
            Subject::Job { job, items, .. } => self.of_job(job, items),
            Subject::Fees(fees) => fees.iter().map(of_fee).collect(),
        };
        let sum: i64 = lines.iter().map(|(_, _, paise)| paise).sum();
        let other = self.payment.amount_paise - sum;
        // A resolution lowered the amount due, or another payment paid a part.
        if other != 0 {
            lines.push(("Not part of this payment".to_owned(), String::new(), other));
        }
        let shown = lines.into_iter();
        shown.map(|(what, detail, paise)| Line { what, detail, amount: self.amount(paise) }).collect()
    }

    fn of_job(&self, job: &ReceiptJob, items: &[ReceiptItem]) -> Vec<(String, String, i64)> {
        let frozen = [("Base price", job.base_price_paise), ("Travel", job.travel_price_paise)];
        let frozen = frozen.into_iter().map(|(what, paise)| (what.to_owned(), String::new(), paise));
        let items = items.iter().map(|item| {
            let detail = format!("{} × {}", item.quantity, self.amount(item.unit_price_paise));
            (item.description.clone(), detail, i64::from(item.quantity) * item.unit_price_paise)
        });
        frozen.chain(items).collect()
    }

    fn sums(&self) -> Vec<(&'static str, String)> {
        let mut sums = vec![("Total paid", self.amount(self.payment.amount_paise))];
        if self.tax_paise > 0 {
            sums.push(("Includes tax", self.amount(self.tax_paise)));
        }
        if self.payment.refunded_paise > 0 {
            sums.push(("Refunded or being refunded", self.amount(self.payment.refunded_paise)));
        }
        sums
    }

    /// "-50.00 INR"
    fn amount(&self, paise: i64) -> String {
        format!("{} {}", Money(paise), self.payment.currency)
    }
}

fn of_fee(fee: &ReceiptFee) -> (String, String, i64) {
    let detail = format!("Job {}, cancelled at {}", fee.job_id, minute(fee.cancelled_at));
    ("Cancellation fee".to_owned(), detail, fee.amount_paise)
}

fn minute(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}
