//! A peer that answers as Razorpay's documentation says (razorpay.com/docs/api).

use actix_web::HttpResponse;
use serde_json::{Value, json};

use super::peer::{Manner, Peer, PeerRequest, Provider, says};

pub const KEY_ID: &str = "rzp_test_1DP5mmOlF5G5ag";
pub const KEY_SECRET: &str = "thisissupersecret";
pub const ACCOUNT: &str = "7878780080316316";

/// The records that it keeps, with their idempotency keys.
#[derive(Default)]
pub struct Razorpay {
    payments: Vec<Value>,
    refunds: Vec<(String, Value)>,
    payouts: Vec<(String, Value)>,
    validations: Vec<Value>,
}

pub type RazorpayPeer = Peer<Razorpay>;

impl Provider for Razorpay {
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        let refused = || says(401, error("BAD_REQUEST_ERROR", "Authentication failed"));
        (!request.is_by(KEY_ID, KEY_SECRET)).then(refused)
    }

    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        match self.told(request) {
            Ok(body) => HttpResponse::Ok().json(body),
            Err(description) => HttpResponse::BadRequest()
                .content_type("application/json")
                .body(error("BAD_REQUEST_ERROR", description)),
        }
    }
}

impl RazorpayPeer {
    /// Records that a customer paid an order.
    pub fn has_payment(&self, id: &str, order_id: Option<&str>, amount: i64, status: &str) {
        let payment = json!({
            "id": id, "entity": "payment", "amount": amount, "currency": "INR", "status": status,
            "order_id": order_id, "invoice_id": null, "international": false, "method": "upi",
            "amount_refunded": 0, "refund_status": null, "captured": status == "captured",
            "description": "Flat tyre", "card_id": null, "bank": null, "wallet": null, "vpa": "someone@upi",
            "email": null, "contact": "+919876543210", "notes": [], "fee": null, "tax": null,
            "error_code": (status == "failed").then_some("BAD_REQUEST_ERROR"),
            "error_description": (status == "failed").then_some("Payment failed"),
            "error_source": null, "error_step": null, "error_reason": null,
            "acquirer_data": {}, "created_at": 1_606_985_209,
        });
        self.provider().payments.push(payment);
    }

    /// Sets the outcome of the last validation.
    pub fn validated(&self, status: &str, account_status: Option<&str>, name: Option<&str>) {
        let mut books = self.provider();
        let validation = books.validations.last_mut().expect("one was asked");
        validation["status"] = json!(status);
        validation["results"] = json!({"account_status": account_status, "registered_name": name});
    }

    /// Sets the outcome of the last payout.
    pub fn paid_out(&self, status: &str, utr: Option<&str>, failure: Option<&str>) {
        let mut books = self.provider();
        let (_, payout) = books.payouts.last_mut().expect("one was asked");
        (payout["status"], payout["utr"], payout["failure_reason"]) =
            (json!(status), json!(utr), json!(failure));
    }

    /// Returns the numbers of refunds and payouts on record.
    pub fn made(&self) -> (usize, usize) {
        let books = self.provider();
        (books.refunds.len(), books.payouts.len())
    }

    /// Forgets old idempotency keys.
    pub fn forget_keys(&self) {
        let mut books = self.provider();
        books.refunds.iter_mut().for_each(|(key, _)| key.clear());
        books.payouts.iter_mut().for_each(|(key, _)| key.clear());
    }
}

/// Returns an error as documented.
pub fn error(code: &str, description: &str) -> String {
    json!({"error": {
        "code": code, "description": description, "source": "business", "step": "payment_initiation",
        "reason": "input_validation_failed", "metadata": {}, "field": null,
    }})
    .to_string()
}

type Told = Result<Value, &'static str>;

impl Razorpay {
    fn told(&mut self, request: &PeerRequest) -> Told {
        let path: Vec<&str> = request.path.trim_start_matches("/v1/").split('/').collect();
        let asked = request.json();
        match (request.method.as_str(), path.as_slice()) {
            ("POST", ["orders"]) => Ok(order(&asked)),
            ("GET", ["orders", id, "payments"]) => {
                Ok(collection(self.payments.iter().filter(|payment| payment["order_id"] == **id)))
            }
            ("GET", ["payments", id]) => found(&self.payments, id),
            ("POST", ["payments", id, "capture"]) => capture(self, id, &asked),
            ("POST", ["payments", id, "refund"]) => refund(self, id, request),
            ("GET", ["payments", id, "refunds"]) => {
                let refunds = self.refunds.iter().map(|(_, refund)| refund);
                Ok(collection(refunds.filter(|refund| refund["payment_id"] == **id)))
            }
            ("POST", ["contacts"]) => Ok(made("cont_00000000000001", "contact", &asked)),
            ("POST", ["fund_accounts"]) => Ok(made("fa_00000000000001", "fund_account", &asked)),
            ("POST", ["fund_accounts", "validations"]) => Ok(validation(self, &asked)),
            ("GET", ["fund_accounts", "validations", id]) => found(&self.validations, id),
            ("POST", ["payouts"]) => payout(self, request),
            ("GET", ["payouts"]) => {
                let reference = |payout: &&Value| {
                    let pair =
                        format!("reference_id={}", payout["reference_id"].as_str().unwrap_or_default());
                    request.query.split('&').any(|given| given == pair)
                };
                Ok(collection(self.payouts.iter().map(|(_, payout)| payout).filter(reference)))
            }
            ("GET", ["payouts", id]) => {
                found(&self.payouts.iter().map(|(_, payout)| payout.clone()).collect::<Vec<_>>(), id)
            }
            _ => Err("The requested URL was not found on the server."),
        }
    }
}

fn collection<'a>(items: impl Iterator<Item = &'a Value>) -> Value {
    let items: Vec<&Value> = items.collect();
    json!({"entity": "collection", "count": items.len(), "items": items})
}

fn found(rows: &[Value], id: &str) -> Told {
    rows.iter().find(|row| row["id"] == id).cloned().ok_or("The id provided does not exist")
}

fn made(id: &str, entity: &str, asked: &Value) -> Value {
    let mut made = asked.clone();
    (made["id"], made["entity"], made["active"]) = (json!(id), json!(entity), json!(true));
    made
}

fn order(asked: &Value) -> Value {
    json!({
        "id": "order_9A33XWu170gUtm", "entity": "order", "amount": asked["amount"], "amount_paid": 0,
        "amount_due": asked["amount"], "currency": asked["currency"], "receipt": asked["receipt"],
        "offer_id": null, "status": "created", "attempts": 0, "notes": asked["notes"],
        "created_at": 1_582_628_071,
    })
}

fn header(request: &PeerRequest, name: &str) -> Option<String> {
    request.header(name).map(str::to_owned)
}

fn capture(books: &mut Razorpay, id: &str, asked: &Value) -> Told {
    let payment = books.payments.iter_mut().find(|payment| payment["id"] == id);
    let payment = payment.ok_or("The id provided does not exist")?;
    match payment["status"].as_str() {
        Some("authorized") if payment["amount"] == asked["amount"] => {
            (payment["status"], payment["captured"]) = (json!("captured"), json!(true));
            Ok(payment.clone())
        }
        Some("authorized") => Err("Capture amount must be equal to the amount authorized"),
        Some("captured" | "refunded") => Err("This payment has already been captured"),
        _ => Err("Only payments which have been authorized and not yet captured can be captured"),
    }
}

fn refund(books: &mut Razorpay, id: &str, request: &PeerRequest) -> Told {
    let (key, asked) = (header(request, "x-refund-idempotency").unwrap_or_default(), request.json());
    if let Some((_, refund)) = books.refunds.iter().find(|(known, _)| !key.is_empty() && *known == key) {
        return Ok(refund.clone());
    }
    let payment = found(&books.payments, id)?;
    if payment["status"] != "captured" {
        return Err("The payment status should be captured for action to be taken");
    }
    if asked["amount"].as_i64() > payment["amount"].as_i64() {
        return Err("The total refund amount is greater than the refund payment amount");
    }
    let refund = json!({
        "id": format!("rfnd_{:014}", books.refunds.len()), "entity": "refund", "amount": asked["amount"],
        "currency": "INR", "payment_id": id, "notes": asked["notes"], "receipt": asked["receipt"],
        "acquirer_data": {"arn": null}, "created_at": 1_597_078_866, "batch_id": null, "status": "pending",
        "speed_processed": "normal", "speed_requested": "normal",
    });
    books.refunds.push((key, refund.clone()));
    Ok(refund)
}

fn validation(books: &mut Razorpay, asked: &Value) -> Value {
    let validation = json!({
        "id": format!("fav_{:014}", books.validations.len()), "entity": "fund_account.validation",
        "fund_account": {
            "id": asked["fund_account"]["id"], "entity": "fund_account", "contact_id": "cont_00000000000001",
            "account_type": "vpa", "batch_id": null, "active": true, "created_at": 1_573_110_860,
        },
        "status": "created", "amount": null, "currency": null, "notes": asked["notes"],
        "results": {"account_status": null, "registered_name": null},
        "created_at": 1_574_244_676, "utr": null,
    });
    books.validations.push(validation.clone());
    validation
}

fn payout(books: &mut Razorpay, request: &PeerRequest) -> Told {
    let key = header(request, "x-payout-idempotency").ok_or("The idempotency key is missing")?;
    let asked = request.json();
    if let Some((_, payout)) = books.payouts.iter().find(|(known, _)| *known == key) {
        return Ok(payout.clone());
    }
    if asked["account_number"] != ACCOUNT {
        return Err("The RazorpayX Account number is invalid.");
    }
    let payout = json!({
        "id": format!("pout_{:014}", books.payouts.len()), "entity": "payout",
        "fund_account_id": asked["fund_account_id"], "amount": asked["amount"],
        "currency": asked["currency"], "notes": asked["notes"], "fees": 590, "tax": 90,
        "status": "processing", "purpose": asked["purpose"], "utr": null, "mode": asked["mode"],
        "reference_id": asked["reference_id"], "narration": null, "batch_id": null,
        "failure_reason": null, "created_at": 1_545_383_037, "fee_type": null,
        "status_details": {
            "reason": "payout_bank_processing", "description": "Payout is being processed", "source": "beneficiary_bank",
        },
    });
    books.payouts.push((key, payout.clone()));
    Ok(payout)
}
