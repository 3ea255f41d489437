use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    Earner, slow, spawn_earner, spawn_prompt_with, spawn_prompt_with_admin, until_verified, verify_all,
};
use crate::support::{
    AssertFields,
    bodies::id_of,
    money::{Earning, insert_earning},
    spawn_with_admin,
};

#[actix_web::test]
async fn a_withdrawal_is_held_sent_and_notified() {
    let (app, _, earner) = spawn_earner(50_000).await;
    let made = earner.withdraw(123.45).await;
    made.assert_fields(json!({"status": "requested", "amount": 123.45, "vpa": "asha@okbank", "utr": null,
        "upi_account_id": earner.account["id"]}));
    let done = earner.until(&made, "processed").await;
    assert!(done["utr"].is_string() && done["settled_at"].is_string(), "{done}");
    earner.wallet().await.assert_fields(json!({"available": 376.55, "held": 0.0, "withdrawable": 376.55,
        "lifetime_withdrawn": 123.45, "pending_withdrawals": 0.0}));
    let lines = earner.client.get("/wallet/transactions?limit=3").await.expect(200);
    let kinds = earner.client.column("/wallet/transactions?limit=3", "kind").await;
    assert_eq!(kinds, ["withdrawal_paid", "withdrawal_hold", "withdrawal_hold"]);
    assert_eq!((&lines["total"], &lines["data"][0]["amount"]), (&json!(4), &json!(-123.45)));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn failed_and_returned_withdrawals_are_available_again() {
    let (app, admin) = spawn_prompt_with_admin().await;
    for (vpa, status) in [("failure@okbank", "failed"), ("reversed@okbank", "reversed")] {
        let earner = Earner::new(&app, &admin, vpa, 10_000).await;
        let made = earner.withdraw(100.0).await;
        let done = earner.until(&made, status).await;
        assert!(done["failure_reason"].is_string(), "{done}");
        let wallet = earner.wallet().await;
        assert_eq!((&wallet["available"], &wallet["held"]), (&json!(100.0), &json!(0.0)), "{status}");
        assert_eq!(wallet["lifetime_withdrawn"], 0.0, "{status}");
    }
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_balance_limits_64_simultaneous_withdrawals() {
    let (app, _, earner) = spawn_earner(100_000).await;
    let asked = (0..64).map(|_| earner.client.post("/wallet/withdrawals", json!({"amount": 90.0})));
    let answers = join_all(asked.collect::<Vec<_>>()).await;
    let mut made = Vec::new();
    for answer in answers {
        match answer.status {
            201 => made.push(answer.expect(201)),
            _ => drop(answer.refused(409, "INSUFFICIENT_BALANCE")),
        }
    }
    assert_eq!(made.len(), 11, "1000 rupees are 11 times 90 and 10");
    for withdrawal in &made {
        earner.until(withdrawal, "processed").await;
    }
    let wallet = earner.wallet().await;
    assert_eq!((&wallet["available"], &wallet["held"]), (&json!(10.0), &json!(0.0)));
    assert_eq!(wallet["lifetime_withdrawn"], 990.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_same_key_withdraws_once() {
    let (_app, _, earner) = spawn_earner(100_000).await;
    let send = async |amount: f64| {
        earner.client.post_once("/wallet/withdrawals", &json!({"amount": amount}), "w1").await
    };
    let made = send(100.0).await.expect(201);
    earner.until(&made, "processed").await;
    assert_eq!(send(100.0).await.expect(201), made, "the same answer again");
    send(200.0).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(earner.wallet().await["available"], 900.0);
    assert_eq!(earner.client.get("/wallet/withdrawals").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn a_debt_reduces_the_withdrawable_amount() {
    let (app, _, earner) = spawn_earner(10_000).await;
    let cash = Earning { is_cash: true, ..Earning::of(&earner.profile_id, 20_000) };
    insert_earning(&app.database.db, cash).await;
    earner.wallet().await.assert_fields(json!({"available": 100.0, "owed": 30.0, "withdrawable": 70.0,
        "lifetime_earned": 270.0}));
    let ask = |amount: f64| earner.client.post("/wallet/withdrawals", json!({"amount": amount}));
    ask(70.01).await.refused(409, "INSUFFICIENT_BALANCE");
    let made = ask(70.0).await.expect(201);
    earner.until(&made, "processed").await;
    assert_eq!(earner.wallet().await["withdrawable"], 0.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn money_goes_only_to_the_mechanics_own_verified_account_that_is_not_new() {
    let (app, admin) = spawn_with_admin().await;
    let waiting = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    let refused = async |earner: &Earner, body: Value, why: &str| {
        earner.client.post("/wallet/withdrawals", body).await.refused_saying(409, "CONFLICT", why);
    };
    verify_all(&app).await;
    refused(&waiting, json!({"amount": 1}), "is new").await;

    let (app, admin, earner) = spawn_earner(10_000).await;
    let other = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    for foreign in [other.account["id"].clone(), json!("01890000-0000-7000-8000-000000000000")] {
        let body = json!({"amount": 1, "upi_account_id": foreign});
        earner.client.post("/wallet/withdrawals", body).await.refused_field("upi_account_id");
    }
    let new = json!({"vpa": "mismatch@okbank"});
    let mismatch = earner.client.post("/wallet/upi", new).await.expect(201);
    let to_it = json!({"amount": 1, "upi_account_id": mismatch["id"]});
    refused(&earner, to_it.clone(), "name_mismatch").await;
    admin.post(&format!("/wallet/upi/{}/approve", id_of(&mismatch)), json!({})).await.expect(200);
    let made = earner.client.post("/wallet/withdrawals", to_it).await.expect(201);
    assert_eq!(made["vpa"], "mismatch@okbank");

    let none = app.verified_mechanic(&admin).await;
    none.client.post("/wallet/withdrawals", json!({"amount": 1})).await.refused(409, "CONFLICT");
    let unverified = app.registered_mechanic().await.client;
    unverified.post("/wallet/withdrawals", json!({"amount": 1})).await.refused(403, "NOT_VERIFIED");
}

#[actix_web::test]
async fn amounts_have_limits() {
    let app = spawn_prompt_with(|settings| settings.wallet.max_withdrawal_paise = 5_000).await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    for amount in [json!(0.99), json!(50.01), json!(0), json!(-5), json!(10.001)] {
        earner.client.post("/wallet/withdrawals", json!({"amount": amount})).await.refused_field("amount");
    }
    assert_eq!(earner.wallet().await["held"], 0.0);
    earner.withdraw(50.0).await;
}

#[actix_web::test]
async fn an_account_with_a_payout_under_way_cannot_be_removed() {
    let app = spawn_prompt_with(|settings| slow(settings, 1_500)).await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    until_verified(&earner.client).await;
    let made = earner.withdraw(100.0).await;
    let path = format!("/wallet/upi/{}", id_of(&earner.account));
    earner.client.delete(&path).await.refused(409, "CONFLICT");
    earner.until(&made, "processed").await;
    earner.client.delete(&path).await.expect(204);
    assert_eq!(earner.withdrawal(&id_of(&made)).await["vpa"], "asha@okbank", "it still shows where it went");
}

#[actix_web::test]
async fn another_mechanics_withdrawal_is_not_found() {
    let (app, admin, earner) = spawn_earner(10_000).await;
    let other = Earner::new(&app, &admin, "asha@okbank", 0).await;
    let made = earner.withdraw(1.0).await;
    other.client.get(&format!("/wallet/withdrawals/{}", id_of(&made))).await.refused(404, "NOT_FOUND");
    assert_eq!(other.client.get("/wallet/withdrawals").await.expect(200)["total"], 0);
    assert_eq!(other.client.get("/wallet/transactions").await.expect(200)["total"], 0);
}
