//! The people of partners' jobs: the person who is helped, by their link, and the mechanic.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{
    Client, OnRoad, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    cases::{Contracted, new_case},
    new_phone,
    sms_gateway::SmsGateway,
    spawn_app_with, until_so,
};

/// The texts that a case can ask for.
const ALL_TEXTS: [&str; 4] = ["link", "eta", "arrival", "rating"];

/// Starts an app that sends texts to the gateway, but no news to customers. Its links can be looked at as often as a test wants.
async fn spawn(gateway: &SmsGateway) -> TestApp {
    spawn_app_with(|settings| {
        gateway.set(&mut settings.sms);
        settings.shares.requests_per_minute = 100_000;
    })
    .await
}

/// A person who is helped, and the mechanic who has taken their job.
struct Helped {
    phone: String,
    job: String,
    mechanic: OnRoad,
    offer: Value,
}

impl Helped {
    /// Orders help with these texts and further fields, which a mechanic near by takes.
    async fn with(partner: &Contracted<'_>, texts: &[&str], fields: Value) -> Self {
        let (place, phone) = (partner.place(), new_phone());
        let mut mechanic = partner.app.on_road_at(&partner.admin, (place.0 + 0.001, place.1)).await;
        let mut case = set(&new_case("roadside", place), "texts", json!(texts));
        case["beneficiary"]["phone"] = json!(phone);
        for (field, value) in fields.as_object().expect("fields") {
            case = set(&case, field, value.clone());
        }
        let made = partner.program.post("/partner/cases", case).await.expect(201);
        let offer = mechanic.offer().await;
        mechanic.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
        Self { phone, job: id_of(&made["jobs"][0]), mechanic, offer }
    }

    async fn tell(&self, verb: &str, body: Value) -> Value {
        self.mechanic.tell(&self.job, verb, body).await
    }

    /// Lets the mechanic arrive, and begin with the code that the link shows.
    async fn begin(&self, link: &Link) {
        self.mechanic.drive(&self.job).await;
        let code = link.shown().await["start_code"].clone();
        self.tell("start", json!({"start_code": code})).await;
    }

    async fn propose(&self, unit_price: f64) -> Value {
        let item = json!({"type": "part", "description": "Valve", "quantity": 1, "unit_price": unit_price});
        self.mechanic.client.post(&format!("/jobs/{}/line-items", self.job), item).await.expect(201)
    }
}

/// A link, and somebody without an account who has it.
struct Link {
    path: String,
    nobody: Client,
}

impl Link {
    /// Reads the link at the end of a text.
    fn in_text(app: &TestApp, text: &str) -> Self {
        let token = text.rsplit('/').next().expect("a token");
        Self { path: format!("/shares/{token}"), nobody: app.anonymous() }
    }

    /// Waits for the text that brings the link.
    async fn texted(app: &TestApp, gateway: &SmsGateway, helped: &Helped) -> Self {
        let texts = gateway.until_texts(&helped.phone, 1).await;
        Self::in_text(app, &texts[0])
    }

    async fn shown(&self) -> Value {
        self.nobody.get(&self.path).await.expect(200)
    }

    fn below(&self, path: &str) -> String {
        format!("{}{path}", self.path)
    }

    /// Returns the path of a decision about an item, and the item as it was shown.
    fn decision(&self, item: &Value, verb: &str) -> (String, Value) {
        let path = self.below(&format!("/line-items/{}/{verb}", id_of(item)));
        (path, json!({"version": item["version"], "quoted_total": item["total"]}))
    }
}

#[actix_web::test]
async fn a_helped_person_gets_the_texts_that_the_case_asks_for_in_their_language() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let partner = Contracted::new(&app).await;
    let helped = Helped::with(&partner, &ALL_TEXTS, json!({})).await;
    let texts = gateway.until_texts(&helped.phone, 2).await;
    let follow =
        texts.iter().find(|text| text.contains("help is ordered for you by Partner")).expect("a link");
    let expected = "Roadcall: a mechanic is coming to help: ";
    let eta = texts.iter().find(|text| text.starts_with(expected)).expect("when they come");
    assert!(eta.contains(". Expected by about ") && !eta.contains("http"), "{eta}");
    let link = Link::in_text(&app, follow);
    assert_eq!(link.shown().await["status"], "accepted");
    helped.begin(&link).await;
    let texts = gateway.until_texts(&helped.phone, 3).await;
    assert!(texts[2].starts_with("Roadcall: your mechanic is there"), "{texts:?}");
    helped.tell("complete", json!({"outcome": "fixed"})).await;
    let texts = gateway.until_texts(&helped.phone, 4).await;
    assert!(texts[3].contains("how was the help that you got? Tell us here: http"), "{texts:?}");
    assert_eq!(Link::in_text(&app, &texts[3]).shown().await["may_rate"], true);

    let hindi = json!({"name": "Asha Rao", "phone": new_phone(), "language": "hi-IN"});
    let in_hindi = Helped::with(&partner, &["link"], json!({"beneficiary": hindi})).await;
    let phone = hindi["phone"].as_str().expect("a number");
    assert!(gateway.until_texts(phone, 1).await[0].contains("आपके लिए मदद बुलाई गई है"));
    in_hindi.mechanic.drive(&in_hindi.job).await;
    let skipped = "select count(*) from notification_texts where job_id = $1::uuid and note = 'switched off'";
    until_so("the other texts are not sent", async || app.value::<i64>(skipped, &[&in_hindi.job]).await >= 1)
        .await;
    assert_eq!(gateway.texts_to(phone).len(), 1);
}

#[actix_web::test]
async fn a_text_that_a_server_left_half_sent_is_sent_again() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let partner = Contracted::new(&app).await;
    let first = Helped::with(&partner, &["link"], json!({})).await;
    gateway.until_texts(&first.phone, 1).await;
    let half = "update notification_texts set status = 'sending', tried_at = tried_at - interval '3 minutes'
        where job_id = $1::uuid and status = 'sent'";
    until_so("the text is noted as sent", async || app.change(half, &[&first.job]).await == 1).await;
    // The texts of another case wake the worker.
    Helped::with(&partner, &["link"], json!({})).await;
    let texts = gateway.until_texts(&first.phone, 2).await;
    assert_ne!(texts[0], texts[1], "each has a link of its own");
    assert_eq!(Link::in_text(&app, &texts[1]).shown().await["status"], "accepted");
}

#[actix_web::test]
async fn a_link_shows_the_partner_and_prices_only_if_the_contract_does() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    for shows_prices in [false, true] {
        let partner = Contracted::with(&app, json!({"shows_prices": shows_prices})).await;
        let helped = Helped::with(&partner, &["link"], json!({})).await;
        let shown = Link::texted(&app, &gateway, &helped).await.shown().await;
        let name = shown["partner_name"].as_str().expect("a name");
        assert!(name.starts_with("Partner "), "{shown}");
        assert_eq!(shown["customer_first_name"], "Asha");
        assert_eq!(shown["price"].is_number(), shows_prices, "{shown}");
        assert_eq!(
            (&shown["own_part"]["amount"], &shown["own_part"]["line_items"]),
            (&json!(0.0), &json!([]))
        );
        assert_eq!(shown["may_rate"], false);
    }
    // A customer's own link shows nothing of this.
    let scene = app.accepted().await;
    let link = scene.customer.post(&scene.path("/shares"), json!({})).await.expect(201);
    let link = Link::in_text(&app, link["url"].as_str().expect("a URL"));
    let shown = link.shown().await;
    for field in ["partner_name", "price", "own_part"] {
        assert_eq!(shown[field], Value::Null, "{field}");
    }
    for (path, body) in [("/rating", json!({"score": 5})), ("/cash-confirm", json!({"amount": 1}))] {
        link.nobody.post(&link.below(path), body).await.refused(403, "FORBIDDEN");
    }
}

#[actix_web::test]
async fn the_driver_decides_by_the_link_about_what_exceeds_the_cover_and_about_nothing_else() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let quoted = 299.0;
    let partner = Contracted::with(&app, json!({"cover": quoted + 100.0})).await;
    let helped = Helped::with(&partner, &["link"], json!({})).await;
    let link = Link::texted(&app, &gateway, &helped).await;
    helped.begin(&link).await;
    let price = "select estimated_price_paise from jobs where id = $1::uuid";
    assert_eq!(app.value::<i64>(price, &[&helped.job]).await, 29_900, "the cover leaves 100");

    let (small, large, third) =
        (helped.propose(80.0).await, helped.propose(120.0).await, helped.propose(150.0).await);
    let own = link.shown().await["own_part"].clone();
    let awaited: Vec<_> =
        own["line_items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!(awaited, [large["id"].clone(), third["id"].clone()]);
    for verb in ["approve", "reject"] {
        let (path, body) = link.decision(&small, verb);
        let refused = link.nobody.post(&path, body).await.refused(409, "CONFLICT");
        assert!(refused["error"]["message"].as_str().unwrap().contains("decides about this item"));
    }
    let (path, body) = link.decision(&large, "approve");
    let stale = set(&body, "version", json!(2));
    link.nobody.post(&path, stale).await.refused(409, "CONFLICT");
    let approved = link.nobody.post(&path, body.clone()).await.expect(200);
    assert_eq!(approved["status"], "approved");
    assert_eq!(link.nobody.post(&path, body).await.expect(200), approved, "a repeat changes nothing");
    let (path, body) = link.decision(&third, "reject");
    assert_eq!(link.nobody.post(&path, body).await.expect(200)["status"], "rejected");
    let own = link.shown().await["own_part"].clone();
    assert_eq!((&own["amount"], &own["line_items"]), (&json!(120.0), &json!([])));
    let on_account = "select bool_or(is_on_account) from line_items where job_id = $1::uuid";
    assert!(!app.value::<bool>(on_account, &[&helped.job]).await, "the driver pays for what they approve");
    let unknown = link.below("/line-items/019ceb79-1a20-7b20-9e32-000000000001/approve");
    link.nobody.post(&unknown, json!({"version": 1})).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn the_driver_and_the_mechanic_confirm_the_drivers_part_in_cash() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let partner = Contracted::with(&app, json!({"cover": 200.0})).await;
    let helped = Helped::with(&partner, &["link"], json!({})).await;
    let link = Link::texted(&app, &gateway, &helped).await;
    let cash = link.below("/cash-confirm");
    link.nobody.post(&cash, json!({"amount": 99.0})).await.refused(409, "INVALID_TRANSITION");
    helped.begin(&link).await;
    helped.tell("complete", json!({"outcome": "fixed"})).await;
    until_so("the partner's part is booked", async || link.shown().await["own_part"]["is_due"] == true).await;
    let own = link.shown().await["own_part"].clone();
    assert_eq!((&own["amount"], &own["is_confirmed"]), (&json!(99.0), &json!(false)));
    let job = helped.mechanic.client.get(&format!("/jobs/{}", helped.job)).await.expect(200);
    assert_eq!(job["partner"]["driver_pays"], 99.0, "the mechanic sees what to collect");
    link.nobody.post(&cash, json!({"amount": 98.0})).await.refused(409, "CONFLICT");
    for _ in 0..2 {
        let shown = link.nobody.post(&cash, json!({"amount": 99.0})).await.expect(200);
        assert_eq!(
            (&shown["status"], &shown["own_part"]["is_confirmed"]),
            (&json!("completed"), &json!(true))
        );
    }
    let order = json!({"job_id": helped.job, "method": "cash"});
    let made = helped.mechanic.client.post("/payments/orders", order).await.expect(200);
    assert_eq!(made["amount"], 99.0);
    let confirm = format!("/payments/{}/cash-confirm", made["payment_id"].as_str().expect("an id"));
    helped.mechanic.client.post(&confirm, json!({"amount": 99.0})).await.expect(200);
    let shown = link.nobody.post(&cash, json!({"amount": 99.0})).await.expect(200);
    assert_eq!((&shown["status"], &shown["own_part"]["is_due"]), (&json!("paid"), &json!(false)));
    let told = "select count(*) from notifications n join organisations o on o.account_id = n.user_id
        where n.type = 'payment_captured'";
    assert_eq!(app.sql_value::<i64>(told).await, 0, "nobody reads what the organisation's account is told");
}

#[actix_web::test]
async fn a_helped_person_rates_once_by_the_link_within_two_days() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let partner = Contracted::new(&app).await;
    let helped = Helped::with(&partner, &["link", "rating"], json!({})).await;
    let link = Link::texted(&app, &gateway, &helped).await;
    let rating = link.below("/rating");
    let four = json!({"score": 4, "tags": ["on_time"]});
    link.nobody.post(&rating, four.clone()).await.refused(409, "INVALID_TRANSITION");
    helped.begin(&link).await;
    helped.tell("complete", json!({"outcome": "fixed"})).await;
    assert_eq!(link.shown().await["may_rate"], true);
    let given = link.nobody.post(&rating, four.clone()).await.expect(201);
    assert_eq!((&given["rater"], &given["score"]), (&json!("customer"), &json!(4)));
    assert_eq!(link.shown().await["may_rate"], false);
    link.nobody.post(&rating, four.clone()).await.refused(409, "ALREADY_RATED");
    helped
        .mechanic
        .client
        .post(&format!("/jobs/{}/rating", helped.job), json!({"score": 5}))
        .await
        .expect(201);
    let listed = format!("/mechanics/{}/ratings", helped.mechanic.profile_id);
    assert_eq!(
        partner.admin.get(&listed).await.expect(200)["data"][0]["score"],
        4,
        "it counts as a customer's"
    );

    let silent = Helped::with(&partner, &["link"], json!({})).await;
    let unasked = Link::texted(&app, &gateway, &silent).await;
    silent.begin(&unasked).await;
    silent.tell("complete", json!({"outcome": "fixed"})).await;
    assert_eq!(unasked.shown().await["may_rate"], false);
    unasked.nobody.post(&unasked.below("/rating"), four).await.refused(403, "FORBIDDEN");
    // Messages and calls end with the work.
    unasked.nobody.get(&unasked.below("/messages")).await.refused(410, "LINK_EXPIRED");

    let hour = Duration::from_secs(3_600);
    app.service.clock.advance(47 * hour);
    link.shown().await;
    app.service.clock.advance(2 * hour);
    link.nobody.get(&link.path).await.refused(410, "LINK_EXPIRED");
    link.nobody.post(&rating, json!({"score": 1})).await.refused(410, "LINK_EXPIRED");
}

/// Returns what a case says about the place and the vehicle.
fn details() -> Value {
    json!({
        "purchase_order": "PO-7",
        "notes_for_mechanic": "Ask the guard, 98450 12345",
        "place": {
            "location_type": "basement", "clearance_cm": 190, "keys_at": "At the guard's desk", "is_attended": false,
            "pickup_contact": {"name": "Ravi Kumar", "phone": "+919845012345"},
        },
    })
}

#[actix_web::test]
async fn a_mechanic_sees_the_partner_what_it_needs_and_what_they_earn_but_no_hidden_price() {
    let app = spawn_app_with(|settings| settings.jobs.show_contact_numbers = true).await;
    for shows_prices in [false, true] {
        let terms = json!([{"service_category_id": FLAT_TYRE, "pricing": "quoted", "photos_required": 2}]);
        let partner = Contracted::with(&app, json!({"shows_prices": shows_prices, "terms": terms})).await;
        let helped = Helped::with(&partner, &[], details()).await;
        let (offer, mechanic) = (&helped.offer, &helped.mechanic.client);
        let offered = &offer["partner"];
        assert!(offered["name"].as_str().is_some_and(|name| name.starts_with("Partner ")), "{offered}");
        assert_eq!((&offered["purchase_order"], &offered["photos_required"]), (&json!("PO-7"), &json!(2)));
        assert_eq!((&offered["location_type"], &offered["clearance_cm"]), (&json!("basement"), &json!(190)));
        assert_eq!(offered["notes_for_mechanic"], "Ask the guard, •••");
        assert_eq!((&offered["keys_at"], &offered["pickup_contact"]), (&Value::Null, &Value::Null));
        assert_eq!(offer["estimated_price"] == offer["estimated_earnings"], !shows_prices, "{offer}");
        assert_eq!(offered["earnings"], offer["estimated_earnings"]);
        let read = mechanic.get(&format!("/offers/{}", id_of(offer))).await.expect(200);
        assert_eq!((&read["partner"], &read["estimated_price"]), (offered, &offer["estimated_price"]));

        let job = mechanic.get(&format!("/jobs/{}", helped.job)).await.expect(200);
        let ordered = &job["partner"];
        assert_eq!(ordered["case_id"], Value::Null, "an id for admins");
        assert_eq!(
            (&ordered["keys_at"], &ordered["notes_for_mechanic"]),
            (&json!("At the guard's desk"), &json!("Ask the guard, 98450 12345"))
        );
        assert_eq!(ordered["pickup_contact"], json!({"name": "Ravi Kumar", "phone": "+919845012345"}));
        assert_eq!(job["estimated_price"] == ordered["earnings"], !shows_prices, "{job}");
    }
    let scene = app.accepted().await;
    let job = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    assert_eq!(job["partner"], Value::Null);
}

#[actix_web::test]
async fn work_for_a_partner_is_not_complete_without_its_photos() {
    let app = spawn_app_with(|settings| settings.jobs.start_code = false).await;
    let terms = json!([{"service_category_id": FLAT_TYRE, "pricing": "quoted", "photos_required": 2}]);
    let partner = Contracted::with(&app, json!({"terms": terms})).await;
    let helped = Helped::with(&partner, &[], json!({})).await;
    helped.mechanic.drive(&helped.job).await;
    helped.tell("start", json!({})).await;
    let mechanic = &helped.mechanic.client;
    let complete = format!("/jobs/{}/complete", helped.job);
    let photo = |name: &str| format!("https://files.example/{name}.jpg");
    let with = |photos: &[&str]| {
        let photos: Vec<String> = photos.iter().map(|name| photo(name)).collect();
        json!({"outcome": "fixed", "photo_urls": photos})
    };
    for (photos, missing) in [(vec![], "Add 2 more photos"), (vec!["a"], "Add 1 more photo ")] {
        let refused = mechanic.post(&complete, with(&photos)).await.refused(409, "CONFLICT");
        assert!(refused["error"]["message"].as_str().unwrap().starts_with(missing), "{refused}");
    }
    let before = json!({"stage": "before", "file_url": photo("a")});
    mechanic.post(&format!("/jobs/{}/photos", helped.job), before).await.expect(201);
    mechanic.post(&complete, with(&["a"])).await.refused(409, "CONFLICT");
    let done = mechanic.post(&complete, with(&["b"])).await.expect(200);
    assert_eq!(done["status"], "completed");
}

#[actix_web::test]
async fn a_link_decides_only_if_the_key_that_makes_it_may_approve() {
    let app = spawn_app_with(|_| {}).await;
    let partner = Contracted::new(&app).await;
    let case = partner.case().await;
    let path = format!("/partner/jobs/{}/shares", id_of(&case["jobs"][0]));
    for (scopes, decides) in [(&["cases"][..], false), (&["cases", "approvals"], true)] {
        let made = partner.partner.program(scopes).await.post(&path, json!({})).await.expect(201);
        let link = Link::in_text(&app, made["token"].as_str().expect("a token"));
        let shown = link.shown().await;
        assert_eq!(shown["own_part"].is_object(), decides, "{shown}");
        assert!(shown["start_code"].is_null(), "nobody has the job yet");
    }
}

#[actix_web::test]
async fn a_mechanics_receipt_of_the_drivers_part_shows_no_hidden_price() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    for shows_prices in [false, true] {
        let partner = Contracted::with(&app, json!({"cover": 200.0, "shows_prices": shows_prices})).await;
        let helped = Helped::with(&partner, &["link"], json!({})).await;
        let link = Link::texted(&app, &gateway, &helped).await;
        helped.begin(&link).await;
        helped.tell("complete", json!({"outcome": "fixed"})).await;
        until_so("the partner's part is booked", async || link.shown().await["own_part"]["is_due"] == true)
            .await;
        let mechanic = &helped.mechanic.client;
        let cash = json!({"amount": 99.0});
        link.nobody.post(&link.below("/cash-confirm"), cash.clone()).await.expect(200);
        let order = json!({"job_id": helped.job, "method": "cash"});
        let made = mechanic.post("/payments/orders", order).await.expect(200);
        let payment = format!("/payments/{}", made["payment_id"].as_str().expect("an id"));
        mechanic.post(&format!("{payment}/cash-confirm"), cash).await.expect(200);
        let receipt = mechanic.get(&format!("{payment}/receipt")).await;
        assert_eq!(receipt.status, 200, "{}", receipt.text);
        assert!(receipt.text.contains("₹99.00"), "{}", receipt.text);
        assert_eq!(receipt.text.contains("₹299.00"), shows_prices, "{}", receipt.text);
    }
}

#[actix_web::test]
async fn an_admin_can_send_a_helped_person_a_new_link_that_decides() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway).await;
    let partner = Contracted::new(&app).await;
    let helped = Helped::with(&partner, &["rating"], json!({})).await;
    let path = format!("/admin/jobs/{}/shares", helped.job);
    partner.admin.post(&path, json!({"send_to": "beneficiary"})).await.expect(201);
    let link = Link::texted(&app, &gateway, &helped).await;
    assert_eq!(link.shown().await["own_part"]["amount"], 0.0);
    let refused = partner.admin.post(&path, json!({"send_to": "customer"})).await;
    refused.refused_field("send_to");
}
