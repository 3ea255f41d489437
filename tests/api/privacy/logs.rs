//! A job runs through all its states while the service's log is at its most verbose.

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::{BENEFICIARY, PUSH_TOKEN, VPA};
use crate::chat::name;
use crate::cli::Place;
use crate::support::{
    Client,
    bodies::{FLAT_TYRE, id_of, registration, set},
    money::{Earning, insert_earning},
    roadside::{PICKUP, point},
    socket::{Socket, try_connect},
    until,
    uploads::{pdf, photo, presigned_as, uploaded},
};

const CUSTOMER: &str = "+919876501111";
const MECHANIC: &str = "+919876502222";
const PASSWORD: &str = "correct horse battery";
const RELAY_SECRET: &str = "what the relay of this life knows";

/// Values that must not be in the log, with their names.
#[derive(Default)]
struct Secrets {
    /// Values that are long enough to be unmistakable anywhere.
    whole: Vec<(&'static str, String)>,
    /// Values of a few digits, which may occur in a number or an id by chance.
    codes: Vec<(&'static str, String)>,
}

impl Secrets {
    fn keep(&mut self, what: &'static str, secret: &Value) {
        self.whole.push((what, secret.as_str().unwrap_or_else(|| panic!("no {what}")).to_owned()));
    }

    fn keep_signature(&mut self, what: &'static str, link: &str) {
        let signature = link.rsplit_once("signature=").expect("a signature").1;
        self.whole.push((what, signature.to_owned()));
    }

    /// Returns the secrets in the log, and the lines that contain them.
    fn told_by<'a>(&self, log: &'a str) -> Vec<(&'static str, &'a str)> {
        let mut told = Vec::new();
        for line in log.lines() {
            let whole = self.whole.iter().filter(|(_, secret)| line.contains(secret));
            told.extend(whole.map(|(what, _)| (*what, line)));
            let codes = self.codes.iter().filter(|(_, code)| tells_code(line, code));
            told.extend(codes.map(|(what, _)| (*what, line)));
        }
        told
    }
}

/// Returns whether the line has the code as a text or as a field's value. Within another number, it is no code.
fn tells_code(line: &str, code: &str) -> bool {
    ["\"", "'", "=", "code ", "code: ", "otp ", "otp: "].iter().any(|before| {
        line.match_indices(&format!("{before}{code}")).any(|(at, found)| {
            let after = line[at + found.len()..].chars().next();
            !after.is_some_and(|next| next.is_ascii_alphanumeric() || next == '.' || next == '-')
        })
    })
}

async fn sign_in(nobody: &Client, phone: &str, secrets: &mut Secrets) -> Client {
    let sent = nobody.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let otp = sent["data"]["otp"].as_str().expect("a code").to_owned();
    let body = json!({"phone": phone, "otp": otp, "name": "Asha Rao"});
    let signed_in = nobody.post("/auth/verify-otp", body).await.expect(200);
    let refreshed = json!({"refreshToken": signed_in["data"]["refreshToken"]});
    let again = nobody.post("/auth/refresh", refreshed).await.expect(200);
    for tokens in [&signed_in["data"], &again["data"]] {
        secrets.keep("access token", &tokens["accessToken"]);
        secrets.keep("refresh token", &tokens["refreshToken"]);
    }
    secrets.codes.push(("one-time password", otp));
    secrets.whole.push(("phone", phone[1..].to_owned()));
    nobody.with_token(again["data"]["accessToken"].as_str().expect("a token"))
}

async fn admin(place: &Place, nobody: &Client, secrets: &mut Secrets) -> Client {
    assert!(place.create_admin(PASSWORD, "admin").await.status.success());
    let login = json!({"email": "boss@example.com", "password": PASSWORD});
    let token = nobody.post("/idp/token", login).await.expect(200);
    let login = json!({"idpIdToken": token["idToken"]});
    let signed_in = nobody.post("/auth/admin-login", login).await.expect(200);
    secrets.keep("identity token", &token["idToken"]);
    secrets.keep("access token", &signed_in["data"]["accessToken"]);
    secrets.whole.push(("password", PASSWORD.to_owned()));
    nobody.with_token(signed_in["data"]["accessToken"].as_str().expect("a token"))
}

/// Puts a mechanic with documents and a UPI account online; returns the profile and the socket.
async fn on_road(
    served: std::net::SocketAddr,
    mechanic: &Client,
    admin: &Client,
    secrets: &mut Secrets,
) -> (String, Socket) {
    let paper = json!({"purpose": "document", "content_type": "application/pdf", "size_bytes": pdf().len()});
    let paper = presigned_as(mechanic, paper).await;
    paper.put(mechanic, &pdf()).await.expect(200);
    paper.complete(mechanic).await.expect(200);
    secrets.keep_signature("signature to send a document", &paper.put_path);
    secrets.keep_signature("signature to fetch a document", &paper.link_path(mechanic).await);
    mechanic.get(&paper.path("/file")).await.expect(302);
    secrets.whole.push(("link of a document", paper.file_url.clone()));
    let papers = json!([{"type": "photo_id", "file_url": paper.file_url}]);
    let registered = set(&registration(), "documents", papers);
    let profile = id_of(&mechanic.post("/mechanics/register", registered).await.expect(201));
    admin.post(&format!("/admin/mechanics/{profile}/verify"), json!({})).await.expect(200);
    admin.get(&paper.path("/file")).await.expect(302);
    secrets.keep_signature("signature for an admin", &paper.link_path(admin).await);
    mechanic.post("/wallet/upi", json!({"vpa": VPA, "holder_name": "Asha Rao"})).await.expect(201);
    secrets.whole.push(("VPA", VPA.to_owned()));
    let bearer = format!("Bearer {}", mechanic.token().expect("signed in"));
    let socket = try_connect(served, "/ws", &[("authorization", &bearer)]).await.expect("a socket");
    let wish = json!({"is_available": true, "lat": PICKUP.0 + 0.001, "lng": PICKUP.1});
    mechanic.put("/mechanics/me/availability", wish).await.expect(200);
    (profile, socket)
}

/// Creates the job with everything that a customer may enter.
async fn call(customer: &Client, secrets: &mut Secrets) -> String {
    let device = json!({"token": PUSH_TOKEN, "platform": "android", "device_id": "pixel-7"});
    customer.post("/notifications/push-tokens", device).await.expect(201);
    secrets.whole.push(("push token", PUSH_TOKEN.to_owned()));
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": "KA01AB1234"});
    let vehicle = id_of(&customer.post("/vehicles", vehicle).await.expect(201));
    let seen = uploaded(customer, "job_photo", &photo()).await;
    secrets.keep_signature("signature to send a photo", &seen.put_path);
    let call = json!({"vehicle_id": vehicle, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road",
        "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1, "photo_urls": [seen.file_url],
        "beneficiary_name": "Meera Rao", "beneficiary_phone": BENEFICIARY});
    secrets.whole.push(("beneficiary's phone", BENEFICIARY[1..].to_owned()));
    id_of(&customer.post("/jobs", call).await.expect(201))
}

/// Lets the customer ask to be called, and an admin find the number.
async fn ask_for_a_call(customer: &Client, admin: &Client, job: &str, secrets: &mut Secrets) {
    let note = "My sister answers the phone";
    customer.post(&format!("/jobs/{job}/callback"), json!({"note": note})).await.expect(200);
    let listed = admin.get("/admin/callbacks").await.expect(200);
    assert_eq!(listed["data"][0]["customer_phone"], json!(CUSTOMER));
    assert_eq!(listed["data"][0]["note"], json!(note));
    secrets.whole.push(("note of a request to be called", note.to_owned()));
}

/// Lets the two sides write to each other, over HTTP and the socket.
async fn talk(customer: &Client, mechanic: &mut Socket, job: &str, secrets: &mut Secrets) {
    let (asked, answered) = ("The gate is open, mind the dog", "Tell it that I am a friend");
    let text = |body| json!({"client_message_id": name(), "type": "text", "body": body});
    let messages = format!("/jobs/{job}/messages");
    customer.post(&messages, text(asked)).await.expect(201);
    mechanic.expect("chat.message").await;
    mechanic.ask("chat.send", set(&text(answered), "job_id", json!(job))).await.expect("a message");
    let image = uploaded(customer, "chat", &photo()).await;
    let gate = json!({"client_message_id": name(), "type": "image", "file_url": image.file_url});
    customer.post(&messages, gate).await.expect(201);
    secrets.keep_signature("signature to send an image", &image.put_path);
    secrets.whole.extend([("message", asked.to_owned()), ("message over a socket", answered.to_owned())]);
}

/// Makes a call about the job: two devices find each other by the signals that we pass on.
async fn phone(customer: &Client, served: std::net::SocketAddr, mechanic: &mut Socket, job: &str) -> Secrets {
    let mut secrets = Secrets::default();
    let token = customer.post(&format!("/jobs/{job}/calls/token"), json!({})).await.expect(200);
    secrets.keep("token of a call", &token["token"]);
    secrets.keep("login for a relay", &token["ice_servers"][0]["credential"]);
    secrets.whole.push(("secret of a relay", RELAY_SECRET.to_owned()));
    let bearer = format!("Bearer {}", customer.token().expect("signed in"));
    let mut handset = try_connect(served, "/ws", &[("authorization", &bearer)]).await.expect("a socket");
    let call = handset.ask("call.invite", json!({"job_id": job})).await.expect("a call");
    let call = json!({"call_id": call["id"]});
    mechanic.ask("call.accept", call.clone()).await.expect("a call");
    let candidate = "candidate:842163049 1 udp 1677729535 203.0.113.77 46154 typ srflx";
    secrets.whole.push(("signal of a call", "203.0.113.77".to_owned()));
    let signal = set(&call, "payload", json!({"candidate": candidate}));
    mechanic.ask("call.signal", signal).await.expect("an ack");
    assert_eq!(handset.expect("call.signal").await["data"]["payload"]["candidate"], candidate);
    handset.ask("call.end", call).await.expect("a call");
    secrets
}

/// Follows the job by a link; finishes, pays, rates and disputes it, and downloads its files.
async fn serve(nobody: &Client, customer: &Client, mechanic: &Client, job: &str, secrets: &mut Secrets) {
    let path = |rest: &str| format!("/jobs/{job}{rest}");
    let rights = json!({"send_to": "beneficiary", "may_contact": true});
    let link = customer.post(&path("/shares"), rights).await.expect(201);
    secrets.keep("share token", &link["token"]);
    let track = format!("/shares/{}", link["token"].as_str().expect("a token"));
    nobody.get(&track).await.expect(200);
    let word = "My umbrella is red";
    let message = json!({"client_message_id": name(), "type": "text", "body": word});
    nobody.post(&format!("{track}/messages"), message).await.expect(201);
    secrets.whole.push(("message of a guest", word.to_owned()));
    let now = roadcall_actors::clock::Clock::system().now();
    let points = json!({"points": [point(1, (PICKUP.0 + 0.0005, PICKUP.1), now)]});
    mechanic.post("/mechanics/me/location", points).await.expect(200);
    mechanic.post(&path("/en-route"), json!({})).await.expect(200);
    mechanic.post(&path("/arrive"), json!({"override_reason": "the receiver is off"})).await.expect(200);
    let code = customer.get(&path("")).await.expect(200)["start_code"].take();
    secrets.codes.push(("start code", code.as_str().expect("a code").to_owned()));
    mechanic.post(&path("/start"), json!({"start_code": code})).await.expect(200);
    let tube = json!({"type": "part", "description": "A tube", "quantity": 1, "unit_price": 120.5});
    let item = id_of(&mechanic.post(&path("/line-items"), tube).await.expect(201));
    customer.post(&path(&format!("/line-items/{item}/approve")), json!({"version": 1})).await.expect(200);
    mechanic.post(&path("/complete"), json!({"outcome": "fixed"})).await.expect(200);
    nobody.get(&track).await.refused(410, "LINK_EXPIRED");
    let order = customer.post("/payments/orders", json!({"job_id": job})).await.expect(201);
    let pay =
        format!("/sandbox/gateway/orders/{}/pay", order["gateway_order_id"].as_str().expect("an order"));
    let paid = nobody.post(&pay, json!({"outcome": "captured"})).await.expect(200);
    let verify = json!({"gateway_order_id": order["gateway_order_id"],
        "gateway_payment_id": paid["gateway_payment_id"], "signature": paid["signature"]});
    customer.post("/payments/verify", verify).await.expect(200);
    secrets.keep("signature of a payment", &paid["signature"]);
    for person in [customer, mechanic] {
        person.post(&path("/rating"), json!({"score": 4})).await.expect(201);
    }
    let again = json!({"reason_code": "poor_work", "description": "Flat again"});
    customer.post(&path("/dispute"), again).await.expect(201);
    for person in [customer, mechanic] {
        person.get("/users/me/export").await.expect(200);
    }
}

/// Waits until the provider has paid a withdrawal: its calls go over HTTP and contain the VPA.
async fn withdraw(place: &Place, mechanic: &Client, profile: &str) {
    insert_earning(&place.database.db, Earning::of(profile, 50_000)).await;
    let made = until("the account can be paid to", async || {
        let asked = mechanic.post("/wallet/withdrawals", json!({"amount": 100.0})).await;
        if asked.status == 201 {
            return Some(id_of(&asked.body));
        }
        asked.refused(409, "CONFLICT");
        None
    });
    let path = format!("/wallet/withdrawals/{}", made.await);
    mechanic.get_until(&path, |withdrawal| withdrawal["status"] == "processed").await;
}

#[actix_web::test]
async fn the_log_of_a_whole_job_has_no_phone_code_token_or_link() {
    let place = Place::new().await;
    let served = place
        .serve(&[
            ("ROADCALL__LOG__FILTER", "trace"),
            ("ROADCALL__LOG__FORMAT", "json"),
            ("ROADCALL__WALLET__NEW_ACCOUNT_WAIT_HOURS", "0"),
            ("ROADCALL__SANDBOX__DELAY_MIN_MS", "0"),
            ("ROADCALL__CALLS__TURN_URLS", "turn:turn.example.com:3478"),
            ("ROADCALL__CALLS__TURN_SECRET", RELAY_SECRET),
            ("ROADCALL__SANDBOX__DELAY_MAX_MS", "0"),
        ])
        .await;
    let (nobody, mut secrets) = (Client::new(served.address), Secrets::default());
    let admin = admin(&place, &nobody, &mut secrets).await;
    let customer = sign_in(&nobody, CUSTOMER, &mut secrets).await;
    let mechanic = sign_in(&nobody, MECHANIC, &mut secrets).await;
    let called = [
        id_of(&customer.get("/users/me").await.expect(200)),
        id_of(&mechanic.get("/users/me").await.expect(200)),
    ];
    let (profile, mut socket) = on_road(served.address, &mechanic, &admin, &mut secrets).await;
    let job = call(&customer, &mut secrets).await;
    ask_for_a_call(&customer, &admin, &job, &mut secrets).await;
    let offer = id_of(&socket.expect("offer.created").await["data"]);
    mechanic.post(&format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    talk(&customer, &mut socket, &job, &mut secrets).await;
    let told = phone(&customer, served.address, &mut socket, &job).await;
    secrets.whole.extend(told.whole);
    serve(&nobody, &customer, &mechanic, &job, &mut secrets).await;
    withdraw(&place, &mechanic, &profile).await;
    drop(socket);
    served.signal(Signal::SIGTERM);
    let (_, _, log) = served.ended().await;
    for of_this_life in
        ["TRACE", "/shares/{token}", "/jobs/{id}/dispute", "/wallet/withdrawals", "/users/me/export"]
    {
        assert!(log.contains(of_this_life), "{of_this_life} is missing: the log is not of this life");
    }
    // A search for a job or a person finds the requests about it.
    let answered: Vec<Value> = log
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &Value| {
            line["message"] == "request answered" && line["span"]["job.id"] == job.as_str()
        })
        .collect();
    for (method, route, person) in [
        ("POST", "/jobs", &called[0]),
        ("POST", "/jobs/{id}/start", &called[1]),
        ("POST", "/jobs/{id}/dispute", &called[0]),
    ] {
        let is_it = |line: &Value| {
            (&line["span"]["http.method"], &line["span"]["http.route"]) == (&json!(method), &json!(route))
        };
        let line = answered.iter().find(|line| is_it(line));
        assert_eq!(
            line.unwrap_or_else(|| panic!("{method} {route} is missing"))["span"]["user.id"],
            person.as_str()
        );
    }
    let told = secrets.told_by(&log);
    assert!(told.is_empty(), "{} lines tell, such as: {:#?}", told.len(), &told[..told.len().min(8)]);
}

#[test]
fn a_code_is_found_as_a_text_and_not_within_a_number() {
    for told in [r#"{"otp":"4821"}"#, "code=4821 ", r#"Start { code: \"4821\" }"#, "the code 4821"] {
        assert!(tells_code(told, "4821"), "{told}");
    }
    for other in ["4821", r#"{"ms":4821}"#, "id=4821-aa", "=48210", r#""4821.5""#] {
        assert!(!tells_code(other, "4821"), "{other}");
    }
}
