//! Receipts: what was paid for, by whom and how, as a page and as a PDF.
//!
//! `queries.rs` reads, [`Source::receipt`] decides what is on a receipt (pure), `html.rs` and `pdf.rs` lay it out
//! (pure): both show the same text in the same order.

mod dto;
pub(super) mod handlers;
mod html;
pub(super) mod letter;
mod pdf;
mod queries;
#[cfg(test)]
mod tests;
mod words;

pub use dto::ReceiptFormat;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{dto::Channel, queries::PaymentRow};
use crate::{
    accounting::ledger,
    fleet::mechanics,
    http::Money,
    jobs::on_account::ShownPrices,
    money::payments::context::PaymentsContext,
    platform::{
        error::ApiResult,
        settings::{OperatorSettings, TimeZone},
    },
};
use queries::{ReceiptFee, ReceiptItem, ReceiptJob};
use words::Words;

/// The operator who issues receipts, with the zone of their times.
#[derive(Debug, Clone)]
struct Issuer {
    /// The operator's name; empty if the settings have none.
    name: String,
    address: String,
    zone: TimeZone,
}

impl Issuer {
    fn of(operator: &OperatorSettings) -> Self {
        Self {
            name: operator.name.clone(),
            address: operator.address.clone(),
            zone: operator.time_zone.clone(),
        }
    }

    fn minute(&self, at: DateTime<Utc>, words: &Words) -> String {
        words.minute(self.zone.local(at))
    }
}

/// The content of a receipt, not escaped yet: names and descriptions are as people wrote them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Receipt {
    words: &'static Words,
    /// The payment's id.
    number: Uuid,
    /// The facts of the payment (who, when, what, how), each with its name and value.
    facts: Vec<(&'static str, String)>,
    /// The parts of the total.
    lines: Vec<Line>,
    /// The total first, then notes on it.
    sums: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    what: String,
    /// The detail of the line, for example "2 × ₹120.50"; may be empty.
    detail: String,
    amount: String,
}

/// A captured payment with its subject, as they were read.
#[derive(Debug, Clone)]
struct Source {
    payment: PaymentRow,
    captured_at: DateTime<Utc>,
    /// The tax that is included in the total, as booked.
    tax_paise: i64,
    customer: Option<String>,
    /// The mechanic's first name.
    mechanic: Option<String>,
    subject: Subject,
}

#[derive(Debug, Clone)]
enum Subject {
    Job { job: Box<ReceiptJob>, items: Vec<ReceiptItem>, shows_pickup: bool, prices: ShownPrices },
    Fees(Vec<ReceiptFee>),
}

/// Reads the data of a receipt; `None` if nothing was captured.
async fn read(
    context: &PaymentsContext,
    payment: PaymentRow,
    is_for_mechanic: bool,
) -> ApiResult<Option<Source>> {
    let Some(captured_at) = payment.captured_at else { return Ok(None) };
    // The rate may have changed since: the booked tax counts.
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
            let order = job.partner_order.as_ref().map(|order| &order.0);
            let prices = match is_for_mechanic {
                true => ShownPrices::to_mechanic(order, context.rates),
                false => ShownPrices::IN_FULL,
            };
            Subject::Job { job: Box::new(job), items, shows_pickup: !is_for_mechanic, prices }
        }
    };
    Ok(Some(Source { payment, captured_at, tax_paise, customer, mechanic, subject }))
}

impl Source {
    fn receipt(&self, issuer: &Issuer, words: &'static Words) -> Receipt {
        let payment = &self.payment;
        let mut facts = vec![(words.number, payment.id.to_string())];
        let seller = [&issuer.name, &issuer.address].map(String::as_str);
        let seller: Vec<&str> = seller.into_iter().filter(|part| !part.is_empty()).collect();
        facts.extend((!issuer.name.is_empty()).then(|| (words.seller, seller.join(", "))));
        facts.push((words.paid_at, issuer.minute(self.captured_at, words)));
        facts.push((words.paid_by, self.customer.clone().unwrap_or_else(|| words.customer.to_owned())));
        if let Subject::Job { job, shows_pickup, .. } = &self.subject {
            facts.extend(self.mechanic.clone().map(|name| (words.mechanic, name)));
            let name = format!("{} {}", job.make, job.model);
            // The name may be missing, and the plate is removed with the customer's account.
            let known = [name.trim(), job.registration_number.as_str()];
            let known: Vec<&str> = known.into_iter().filter(|part| !part.is_empty()).collect();
            facts.extend((!known.is_empty()).then(|| (words.vehicle, known.join(", "))));
            facts.push((words.service, job.category.clone()));
            facts.extend(shows_pickup.then(|| (words.pickup, job.pickup_address.clone())));
        }
        let channel = match payment.channel {
            Channel::Cash => words.in_cash,
            Channel::Online => words.online,
            Channel::Account => words.on_account,
        };
        facts.push((words.paid, channel.to_owned()));
        let method = payment.method.as_deref().map(|method| words.method_name(method).to_owned());
        facts.extend(method.map(|name| (words.method, name)));
        facts.extend(payment.gateway_payment_id.clone().map(|id| (words.gateway_payment, id)));
        let (lines, sums) = (self.lines(issuer, words), self.sums(words));
        Receipt { words, number: payment.id, facts, lines, sums }
    }

    fn lines(&self, issuer: &Issuer, words: &Words) -> Vec<Line> {
        let mut lines: Vec<(String, String, i64)> = match &self.subject {
            // The parts of the price, and their sum, are not for this reader.
            Subject::Job { job, prices, .. } if prices.are_hidden() => {
                vec![(job.category.clone(), String::new(), self.payment.amount_paise)]
            }
            Subject::Job { job, items, .. } => self.of_job(job, items, words),
            Subject::Fees(fees) => fees.iter().map(|fee| of_fee(fee, issuer, words)).collect(),
        };
        let sum: i64 = lines.iter().map(|(_, _, paise)| paise).sum();
        let other = self.payment.amount_paise - sum;
        // The amounts differ if a resolution lowered the amount due, or if another payment paid a part.
        if other != 0 {
            lines.push((words.not_part.to_owned(), String::new(), other));
        }
        let shown = lines.into_iter();
        shown.map(|(what, detail, paise)| Line { what, detail, amount: self.amount(paise) }).collect()
    }

    fn of_job(&self, job: &ReceiptJob, items: &[ReceiptItem], words: &Words) -> Vec<(String, String, i64)> {
        let frozen = [(words.base_price, job.base_price_paise), (words.travel, job.travel_price_paise)];
        let towed = Some((words.towing, job.destination_price_paise)).filter(|(_, paise)| *paise > 0);
        let frozen =
            frozen.into_iter().chain(towed).map(|(what, paise)| (what.to_owned(), String::new(), paise));
        let items = items.iter().map(|item| {
            let detail = format!("{} × {}", item.quantity, self.amount(item.unit_price_paise));
            (item.description.clone(), detail, i64::from(item.quantity) * item.unit_price_paise)
        });
        frozen.chain(items).collect()
    }

    fn sums(&self, words: &Words) -> Vec<(&'static str, String)> {
        let mut sums = vec![(words.total, self.amount(self.payment.amount_paise))];
        if self.tax_paise > 0 {
            sums.push((words.tax, self.amount(self.tax_paise)));
        }
        if self.payment.refunded_paise > 0 {
            sums.push((words.refunded, self.amount(self.payment.refunded_paise)));
        }
        sums
    }

    fn amount(&self, paise: i64) -> String {
        Money(paise).written(&self.payment.currency)
    }
}

fn of_fee(fee: &ReceiptFee, issuer: &Issuer, words: &Words) -> (String, String, i64) {
    let detail = words.cancelled.replace("{job}", &fee.job_id.to_string());
    let detail = detail.replace("{time}", &issuer.minute(fee.cancelled_at, words));
    (words.cancellation_fee.to_owned(), detail, fee.amount_paise)
}
