//! A peer that answers as Razorpay's documentation says (razorpay.com/docs/api), on a port of its own.

use std::sync::{Arc, Mutex};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::within;

pub const KEY_ID: &str = "rzp_test_1DP5mmOlF5G5ag";
pub const KEY_SECRET: &str = "thisissupersecret";
pub const ACCOUNT: &str = "7878780080316316";

/// The peer's way of answering from now on.
#[derive(Debug, Clone)]
pub enum Manner {
    /// It answers as documented.
    Documented,
    /// It answers any request with this status and body.
    Says(u16, String),
    /// It answers POST requests with this status and body, and GET requests as documented.
    SaysToPosts(u16, String),
    /// It takes the request and does not respond.
    Silent,
    /// It carries out a POST, and ends the connection within the response.
    Cut,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method and target: `POST /v1/orders?query`.
    pub line: String,
    pub body: Value,
    pub refund_key: Option<String>,
    pub payout_key: Option<String>,
}

/// The peer. It ends with the test.
pub struct RazorpayPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

struct State {
    manner: Mutex<Manner>,
    asked: Mutex<Vec<Asked>>,
    books: Mutex<Books>,
}

/// The records that it keeps.
#[derive(Default)]
struct Books {
    payments: Vec<Value>,
    refunds: Vec<(String, Value)>,
    payouts: Vec<(String, Value)>,
    validations: Vec<Value>,
}

impl RazorpayPeer {
    pub async fn start() -> Self {
        let state = State {
            manner: Mutex::new(Manner::Documented),
            asked: Mutex::default(),
            books: Mutex::default(),
        };
        let state = Arc::new(state);
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(answer))
        });
        // A connection that outlives its request would outlive the peer's death.
        let server = server.keep_alive(KeepAlive::Disabled);
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn answer_as(&self, manner: Manner) {
        *self.state.manner.lock().unwrap() = manner;
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    pub fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    pub fn last(&self) -> Asked {
        self.asked().pop().expect("it was asked")
    }

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
        self.state.books.lock().unwrap().payments.push(payment);
    }

    /// Sets the outcome of the last validation.
    pub fn validated(&self, status: &str, account_status: Option<&str>, name: Option<&str>) {
        let mut books = self.state.books.lock().unwrap();
        let validation = books.validations.last_mut().expect("one was asked");
        validation["status"] = json!(status);
        validation["results"] = json!({"account_status": account_status, "registered_name": name});
    }

    /// Sets the outcome of the last payout.
    pub fn paid_out(&self, status: &str, utr: Option<&str>, failure: Option<&str>) {
        let mut books = self.state.books.lock().unwrap();
        let (_, payout) = books.payouts.last_mut().expect("one was asked");
        (payout["status"], payout["utr"], payout["failure_reason"]) =
            (json!(status), json!(utr), json!(failure));
    }

    /// Returns the numbers of refunds and payouts on record.
    pub fn made(&self) -> (usize, usize) {
        let books = self.state.books.lock().unwrap();
        (books.refunds.len(), books.payouts.len())
    }

    /// Forgets old idempotency keys.
    pub fn forget_keys(&self) {
        let mut books = self.state.books.lock().unwrap();
        books.refunds.iter_mut().for_each(|(key, _)| key.clear());
        books.payouts.iter_mut().for_each(|(key, _)| key.clear());
    }

    /// Makes its port refuse connections from now on.
    pub async fn die(&self) {
        self.server.stop(false).await;
        let closed = async {
            // Nothing signals that a port was closed.
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        within("the port closes", closed).await;
    }
}

impl Drop for RazorpayPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
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

async fn answer(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let query = Some(request.query_string()).filter(|query| !query.is_empty());
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let asked = Asked {
        line: format!("{} {}{query}", request.method(), request.path()),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        refund_key: header("X-Refund-Idempotency"),
        payout_key: header("X-Payout-Idempotency"),
    };
    state.asked.lock().unwrap().push(asked.clone());
    let expected = format!("Basic {}", STANDARD.encode(format!("{KEY_ID}:{KEY_SECRET}")));
    if header("authorization") != Some(expected) {
        return says(401, error("BAD_REQUEST_ERROR", "Authentication failed"));
    }
    let manner = state.manner.lock().unwrap().clone();
    let is_post = request.method() == "POST";
    match manner {
        Manner::Documented => documented(&request, &asked, &state),
        Manner::Says(status, body) => says(status, body),
        Manner::SaysToPosts(status, body) if is_post => says(status, body),
        Manner::SaysToPosts(..) => documented(&request, &asked, &state),
        Manner::Silent => std::future::pending().await,
        Manner::Cut => {
            documented(&request, &asked, &state);
            let pieces = [Ok(Bytes::from_static(b"{\"id\":\"")), Err(std::io::Error::other("cut"))];
            HttpResponse::Ok().content_type("application/json").streaming(stream::iter(pieces))
        }
    }
}

fn says(status: u16, body: String) -> HttpResponse {
    HttpResponse::build(StatusCode::from_u16(status).unwrap()).content_type("application/json").body(body)
}

fn documented(request: &HttpRequest, asked: &Asked, state: &State) -> HttpResponse {
    let mut books = state.books.lock().unwrap();
    let path: Vec<&str> = request.path().trim_start_matches("/v1/").split('/').collect();
    let shown = match (request.method().as_str(), path.as_slice()) {
        ("POST", ["orders"]) => Ok(order(&asked.body)),
        ("GET", ["orders", id, "payments"]) => {
            Ok(collection(books.payments.iter().filter(|payment| payment["order_id"] == **id)))
        }
        ("GET", ["payments", id]) => found(&books.payments, id),
        ("POST", ["payments", id, "capture"]) => capture(&mut books, id, &asked.body),
        ("POST", ["payments", id, "refund"]) => refund(&mut books, id, asked),
        ("GET", ["payments", id, "refunds"]) => {
            let refunds = books.refunds.iter().map(|(_, refund)| refund);
            Ok(collection(refunds.filter(|refund| refund["payment_id"] == **id)))
        }
        ("POST", ["contacts"]) => Ok(made("cont_00000000000001", "contact", &asked.body)),
        ("POST", ["fund_accounts"]) => Ok(made("fa_00000000000001", "fund_account", &asked.body)),
        ("POST", ["fund_accounts", "validations"]) => Ok(validation(&mut books, &asked.body)),
        ("GET", ["fund_accounts", "validations", id]) => found(&books.validations, id),
        ("POST", ["payouts"]) => payout(&mut books, asked),
        ("GET", ["payouts"]) => {
            let reference = |payout: &&Value| {
                let pair = format!("reference_id={}", payout["reference_id"].as_str().unwrap_or_default());
                request.query_string().split('&').any(|given| given == pair)
            };
            Ok(collection(books.payouts.iter().map(|(_, payout)| payout).filter(reference)))
        }
        ("GET", ["payouts", id]) => {
            found(&books.payouts.iter().map(|(_, payout)| payout.clone()).collect::<Vec<_>>(), id)
        }
        _ => Err("The requested URL was not found on the server."),
    };
    match shown {
        Ok(body) => HttpResponse::Ok().json(body),
        Err(description) => says(400, error("BAD_REQUEST_ERROR", description)),
    }
}

type Told = Result<Value, &'static str>;

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

fn capture(books: &mut Books, id: &str, asked: &Value) -> Told {
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

fn refund(books: &mut Books, id: &str, asked: &Asked) -> Told {
    let key = asked.refund_key.clone().unwrap_or_default();
    if let Some((_, refund)) = books.refunds.iter().find(|(known, _)| !key.is_empty() && *known == key) {
        return Ok(refund.clone());
    }
    let payment = found(&books.payments, id)?;
    if payment["status"] != "captured" {
        return Err("The payment status should be captured for action to be taken");
    }
    if asked.body["amount"].as_i64() > payment["amount"].as_i64() {
        return Err("The total refund amount is greater than the refund payment amount");
    }
    let refund = json!({
        "id": format!("rfnd_{:014}", books.refunds.len()), "entity": "refund", "amount": asked.body["amount"],
        "currency": "INR", "payment_id": id, "notes": asked.body["notes"], "receipt": asked.body["receipt"],
        "acquirer_data": {"arn": null}, "created_at": 1_597_078_866, "batch_id": null, "status": "pending",
        "speed_processed": "normal", "speed_requested": "normal",
    });
    books.refunds.push((key, refund.clone()));
    Ok(refund)
}

fn validation(books: &mut Books, asked: &Value) -> Value {
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

fn payout(books: &mut Books, asked: &Asked) -> Told {
    let key = asked.payout_key.clone().ok_or("The idempotency key is missing")?;
    if let Some((_, payout)) = books.payouts.iter().find(|(known, _)| *known == key) {
        return Ok(payout.clone());
    }
    if asked.body["account_number"] != ACCOUNT {
        return Err("The RazorpayX Account number is invalid.");
    }
    let payout = json!({
        "id": format!("pout_{:014}", books.payouts.len()), "entity": "payout",
        "fund_account_id": asked.body["fund_account_id"], "amount": asked.body["amount"],
        "currency": asked.body["currency"], "notes": asked.body["notes"], "fees": 590, "tax": 90,
        "status": "processing", "purpose": asked.body["purpose"], "utr": null, "mode": asked.body["mode"],
        "reference_id": asked.body["reference_id"], "narration": null, "batch_id": null,
        "failure_reason": null, "created_at": 1_545_383_037, "fee_type": null,
        "status_details": {
            "reason": "payout_bank_processing", "description": "Payout is being processed", "source": "beneficiary_bank",
        },
    });
    books.payouts.push((key, payout.clone()));
    Ok(payout)
}
