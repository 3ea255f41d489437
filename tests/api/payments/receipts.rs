use chrono::{DateTime, FixedOffset, Utc};
use reqwest::Method;
use serde_json::json;

use super::{completed, event, ids_of, order, pay, spawn_completed, until_payment};
use crate::support::{
    Answer, Client, Stranded,
    bodies::id_of,
    roadside::{PICKUP, Scene},
    spawn_app_with, spawn_with_admin,
};

const NAME: &str = "<script>alert(1)</script>";

fn path(payment: &str) -> String {
    format!("/payments/{payment}/receipt")
}

async fn accepting(client: &Client, payment: &str, accept: &str) -> Answer {
    client.send_as(Method::GET, &path(payment), |request| request.header("accept", accept)).await
}

/// Checks that a page shows each of these texts.
fn shows(page: &str, texts: &[&str]) {
    for shown in texts {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
}

/// Checks that a page shows none of these texts.
fn hides(page: &str, texts: &[&str]) {
    for hidden in texts {
        assert!(!page.contains(hidden), "{hidden} is in {page}");
    }
}

#[actix_web::test]
async fn a_receipt_shows_each_party_the_amount_and_its_purpose() {
    let app = spawn_app_with(|settings| {
        settings.money.tax_bps = 1_800;
        settings.operator.name = "Roadcall & Sons".to_owned();
        settings.operator.address = "7 Church Street, Bengaluru".to_owned();
        settings.operator.time_zone = "Asia/Kathmandu".parse().unwrap();
    })
    .await;
    let scene = app.accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    let items = [
        json!({"type": "part", "description": format!("A tube {NAME}"), "quantity": 2, "unit_price": 120.5}),
        json!({"type": "discount", "description": "For the wait", "quantity": 1, "unit_price": 41}),
        json!({"type": "labour", "description": "Refused", "quantity": 1, "unit_price": 77}),
    ];
    for (item, verb) in items.into_iter().zip(["approve", "approve", "reject"]) {
        let item = scene.mechanic.client.post(&scene.path("/line-items"), item).await.expect(201);
        let decide = scene.path(&format!("/line-items/{}/{verb}", id_of(&item)));
        scene.customer.post(&decide, json!({"version": 1})).await.expect(200);
    }
    scene.step("complete", json!({"outcome": "fixed"})).await;
    scene.customer.patch("/users/me", json!({"name": NAME})).await.expect(200);
    scene.mechanic.client.patch("/users/me", json!({"name": "Ravi Kumar"})).await.expect(200);
    let order = order(&scene).await;
    let (id, order_id) = ids_of(&order);
    scene.customer.get(&path(id)).await.refused(409, "INVALID_TRANSITION");
    let paid = pay(&app, order_id, "captured").await;
    until_payment(&scene.customer, id, "status", json!("captured")).await;

    let answer = scene.customer.get(&path(id)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    let named = format!("inline; filename=\"receipt-{id}.html\"");
    assert_eq!(answer.header("content-disposition"), Some(named.as_str()));
    assert_eq!((answer.header("cache-control"), answer.header("vary")), (Some("no-store"), Some("accept")));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    hides(policy, &["unsafe"]);
    hides(&answer.text, &["<script", "://"]);
    // These are 299.00 and 2 × 120.50, less 41.00; of 499.00 including 18 %, 76.12 are tax.
    let texts = [
        id,
        paid["gateway_payment_id"].as_str().unwrap(),
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<bdi>Ravi</bdi>",
        "Hero Splendor, KA01AB1234",
        "MG Road",
        "Help on the spot",
        "₹299.00",
        "2 × ₹120.50",
        "₹241.00",
        "-₹41.00",
        "₹499.00",
        "₹76.12",
        "Online",
        "<bdi>UPI</bdi>",
        "<bdi>Roadcall &amp; Sons, 7 Church Street, Bengaluru</bdi>",
        "m UTC+05:45</bdi>",
    ];
    shows(&answer.text, &texts);
    let phone = &scene.customer.phone;
    hides(&answer.text, &[&phone[3..], "Refused", "Kumar", "Refunded", "Not part"]);

    for (language, title) in
        [("hi-IN", "<h1>रसीद</h1>"), ("kn", "<h1>ರಸೀದಿ</h1>"), ("en-IN", "<h1>Receipt</h1>")]
    {
        scene.customer.patch("/users/me", json!({"language": language})).await.expect(200);
        let page = scene.customer.get(&path(id)).await.text;
        assert!(page.contains(title) && page.contains("₹499.00"), "{language}: {page}");
    }
    let (admin, mechanic) = (app.admin().await, &scene.mechanic.client);
    let theirs = mechanic.get(&path(id)).await;
    shows(&theirs.text, &["₹499.00"]);
    hides(&theirs.text, &["MG Road"]);
    let theirs = mechanic.get(&format!("{}?format=pdf", path(id))).await;
    assert!(theirs.text.contains("(499.00)") && !theirs.text.contains("MG Road"), "{}", theirs.text);
    let refund = json!({"amount": 9.5, "reason": "late"});
    admin.post(&format!("/payments/{id}/refunds"), refund).await.expect(201);
    until_payment(&scene.customer, id, "status", json!("partially_refunded")).await;
    let after = admin.get(&path(id)).await;
    assert!(after.text.contains("₹9.50") && after.text.contains("MG Road"), "{}", after.text);
    app.customer().await.get(&path(id)).await.refused(404, "NOT_FOUND");
    app.anonymous().get(&path(id)).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_receipt_has_no_unknown_names_and_none_of_people_who_left() {
    let (app, admin) = spawn_with_admin().await;
    let (mut mechanic, customer) = (app.on_road(&admin).await, app.customer().await);
    let plate = json!({"vehicle_type": "two_wheeler", "registration_number": "KA05MK77"});
    let vehicle_id = id_of(&customer.post("/vehicles", plate).await.expect(201));
    let stranded = Stranded { client: customer, vehicle_id, place: PICKUP };
    let job = app.taken(&stranded, &mut mechanic).await;
    let scene = Scene { customer: stranded.client, mechanic, job };
    scene.serve().await;
    let id = scene.pay_cash().await;
    for person in [&scene.customer, &scene.mechanic.client] {
        person.patch("/users/me", json!({"name": null})).await.expect(200);
    }
    let of_customer = "<dt>Paid by</dt><dd><bdi>Customer</bdi></dd>";
    for reader in [&*scene.customer, &*scene.mechanic.client, &*admin] {
        let page = reader.get(&path(&id)).await.text;
        shows(&page, &[of_customer, "<dt>Vehicle</dt><dd><bdi>KA05MK77</bdi></dd>", "₹299.00"]);
        hides(&page, &["<dt>Mechanic</dt>"]);
    }

    scene.customer.delete("/users/me").await.expect(204);
    for reader in [&*scene.mechanic.client, &*admin] {
        let page = reader.get(&path(&id)).await.text;
        shows(&page, &[of_customer, "₹299.00"]);
        hides(&page, &["<dt>Vehicle</dt>", "KA05MK77", "Asha", &scene.customer.phone[3..]]);
    }
    let pdf = admin.get(&format!("{}?format=pdf", path(&id))).await.text;
    assert!(pdf.contains("(Customer)") && !pdf.contains("(Vehicle)"), "{pdf}");
}

#[actix_web::test]
async fn a_receipt_shows_the_operators_time_in_summer_and_in_winter() {
    let app =
        spawn_app_with(|settings| settings.operator.time_zone = "America/New_York".parse().unwrap()).await;
    let scene = completed(&app).await;
    let id = scene.pay_cash().await;
    for (captured_at, shown) in [
        ("2026-11-01T05:30:00Z", "<bdi>1 Nov 2026, 1:30 am UTC-04:00</bdi>"),
        ("2026-11-01T06:30:00Z", "<bdi>1 Nov 2026, 1:30 am UTC-05:00</bdi>"),
        ("2027-01-01T04:59:59Z", "<bdi>31 Dec 2026, 11:59 pm UTC-05:00</bdi>"),
    ] {
        let at: DateTime<Utc> = captured_at.parse().unwrap();
        let captured = "update payments set captured_at = $2 where id = $1::uuid";
        sqlx::query(captured).bind(&id).bind(at).execute(&app.database.db).await.unwrap();
        shows(&scene.customer.get(&path(&id)).await.text, &[shown]);
    }
}

#[actix_web::test]
async fn the_format_is_chosen_by_name_or_by_accept() {
    let (_app, scene) = spawn_completed().await;
    let id = scene.pay_cash().await;
    let customer = &scene.customer;
    let answer = customer.get(&format!("{}?format=pdf", path(&id))).await;
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    let named = format!("inline; filename=\"receipt-{id}.pdf\"");
    assert_eq!(answer.header("content-disposition"), Some(named.as_str()));
    let policy = answer.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; frame-ancestors 'none'"));
    assert!(answer.text.starts_with("%PDF-1.") && answer.text.ends_with("%%EOF"), "{}", answer.text);
    shows(&answer.text, &["(299.00)", "(In cash)", "(MG Road)", &format!("({id})")]);
    let (page, pdf) = (Some("text/html; charset=utf-8"), Some("application/pdf"));
    for (accept, expected) in [
        ("application/pdf", pdf),
        ("text/html;q=0.8, application/pdf", pdf),
        ("text/html, application/pdf;q=0.8", page),
        ("application/pdf;q=0", page),
        ("*/*", page),
        ("application/json", page),
        ("no, type; at=all", page),
    ] {
        assert_eq!(accepting(customer, &id, accept).await.header("content-type"), expected, "{accept}");
    }
    let named = format!("{}?format=html", path(&id));
    let both =
        customer.send_as(Method::GET, &named, |request| request.header("accept", "application/pdf")).await;
    assert_eq!(both.header("content-type"), page, "what is named wins");
    customer.get(&format!("{}?format=docx", path(&id))).await.refused_field("format");
    customer.get(&format!("{}?size=a5", path(&id))).await.refused_field("size");
}

#[actix_web::test]
async fn a_receipt_for_fees_lists_each_of_them() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let scene = app.accepted().await;
    scene.cancel().await;
    let body = json!({"fee_job_ids": [scene.job]});
    let order = scene.customer.post("/payments/orders", body).await.expect(201);
    let (id, order_id) = ids_of(&order);
    let captured = event("payment.captured", "pay_receipt_fee", order_id, 5_000, "captured");
    app.webhook(&captured).await.expect(200);
    until_payment(&scene.customer, id, "status", json!("captured")).await;
    let job = scene.shown().await;
    let cancelled_at: DateTime<Utc> = job["cancelled_at"].as_str().unwrap().parse().unwrap();
    let india = FixedOffset::east_opt(5 * 3600 + 30 * 60).unwrap();
    let minute = cancelled_at.with_timezone(&india).format("%-d %b %Y, %-I:%M %P UTC+05:30");
    let cancelled = format!("Job {}, cancelled at {minute}", scene.job);
    let answer = scene.customer.get(&path(id)).await;
    shows(&answer.text, &["Cancellation fee", &cancelled, "₹50.00", "pay_receipt_fee"]);
    hides(&answer.text, &["Vehicle", "Not part"]);
    // A fee is not paid to the mechanic, who gets no receipt for it.
    scene.mechanic.client.get(&path(id)).await.refused(404, "NOT_FOUND");
}
