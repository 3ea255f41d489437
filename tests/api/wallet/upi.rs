use serde_json::{Value, json};
use uuid::Uuid;

use super::{slow, spawn_earner, spawn_prompt, spawn_prompt_with, spawn_prompt_with_admin, until_verified};
use crate::support::{AssertFields, bodies::id_of, money::set_name_mismatch, statuses, until_fits};
use roadcall::{
    money::wallet,
    providers::payouts::{Validation, ValidationOutcome},
};

fn account(vpa: &str) -> Value {
    json!({"vpa": vpa, "holder_name": "Asha Rao"})
}

#[actix_web::test]
async fn an_account_is_verified_if_the_banks_name_matches_the_profiles() {
    let app = spawn_prompt().await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("Asha.Rao@OKBank")).await.expect(201);
    made.assert_fields(json!({"vpa": "asha.rao@okbank", "verification_status": "verified",
        "name_match_score": 100, "name_at_bank": "ASHA RAO", "is_default": true}));
    let by_name = json!({"vpa": "rao@okbank", "holder_name": "Mrs. RAO A."});
    let made = mechanic.post("/wallet/upi", by_name).await.expect(201);
    assert_eq!((&made["verification_status"], &made["is_default"]), (&json!("verified"), &json!(false)));
    for (vpa, status, score) in
        [("mismatch1@okbank", "name_mismatch", json!(0)), ("invalid@okbank", "invalid", Value::Null)]
    {
        let made = mechanic.post("/wallet/upi", account(vpa)).await.expect(201);
        assert_eq!(made["verification_status"], status, "{made}");
        assert_eq!(made["name_match_score"], score, "{made}");
    }
    let listed = mechanic.column("/wallet/upi", "vpa").await;
    assert_eq!((listed.len(), &listed[0]), (4, &json!("asha.rao@okbank")), "the default comes first");
}

#[actix_web::test]
async fn only_the_verified_name_counts() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    let (client, verify) = (&mechanic.client, format!("/admin/mechanics/{}/verify", mechanic.profile_id));
    client.post("/wallet/upi", account("asha@okbank")).await.refused(403, "NOT_VERIFIED");
    client.patch("/users/me", json!({"name": null})).await.expect(200);
    admin.post(&verify, json!({})).await.refused_field("verified_name");
    admin.post(&verify, json!({"verified_name": "Asha Rao"})).await.expect(200);

    let someone_else = client.post("/wallet/upi", account("mismatch@okbank")).await.expect(201);
    client.patch("/users/me", json!({"name": "Someone Else"})).await.expect(200);
    let path = format!("/wallet/upi/{}/verify", id_of(&someone_else));
    let again = client.post(&path, json!({})).await.expect(200);
    assert_eq!(again["verification_status"], "name_mismatch", "{again}");
    assert_eq!(again["name_at_bank"], Value::Null, "the owner of an address stays unknown");
    let own = client.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!((&own["verification_status"], &own["name_at_bank"]), (&json!("verified"), &json!("ASHA RAO")));

    let listed = admin.get("/admin/wallet/upi?status=name_mismatch").await.expect(200);
    let shown = &listed["data"][0];
    shown.assert_fields(json!({"verified_name": "Asha Rao", "name_at_bank": "Someone Else",
        "mechanic_name": "Someone Else"}));
}

#[actix_web::test]
async fn only_a_different_verified_name_puts_accounts_back_to_review() {
    let (app, admin, earner) = spawn_earner(10_000).await;
    let approved = earner.client.post("/wallet/upi", account("mismatch@okbank")).await.expect(201);
    admin.post(&format!("/wallet/upi/{}/approve", id_of(&approved)), json!({})).await.expect(200);
    let verify = format!("/admin/mechanics/{}/verify", earner.profile_id);
    admin.post(&verify, json!({})).await.refused(409, "INVALID_TRANSITION");
    let statuses = async || {
        let of = |account: &Value| (account["verification_status"].clone(), account["is_default"].clone());
        earner.client.list("/wallet/upi").await.iter().map(of).collect::<Vec<_>>()
    };

    let as_approved = [(json!("verified"), json!(true)), (json!("manually_approved"), json!(false))];
    assert_eq!(statuses().await, as_approved);
    admin.post(&verify, json!({"verified_name": "Asha Rao"})).await.expect(200);
    assert_eq!(statuses().await, as_approved, "the name is the same");

    admin.post(&verify, json!({"verified_name": "Usha Iyer"})).await.expect(200);
    assert_eq!(statuses().await, vec![(json!("name_mismatch"), json!(false)); 2]);
    earner.client.post("/wallet/withdrawals", json!({"amount": 1})).await.refused(409, "CONFLICT");
    let to_it = json!({"amount": 1, "upi_account_id": earner.account["id"]});
    earner.client.post("/wallet/withdrawals", to_it).await.refused(409, "CONFLICT");

    admin.post(&verify, json!({"verified_name": "Asha Rao"})).await.expect(200);
    assert_eq!(statuses().await[0], (json!("verified"), json!(true)), "its bank has that name");
    earner.withdraw(1.0).await;
    let trail: Vec<String> = app
        .sql_column(
            "select after->>'verified_name' from audit_log where action like 'mechanic.verify%' order by at",
        )
        .await;
    assert_eq!(trail, ["Asha Rao", "Asha Rao", "Usha Iyer", "Asha Rao"]);
}

#[actix_web::test]
async fn removing_accounts_does_not_reset_the_limit_of_look_ups() {
    let app = spawn_prompt_with(|settings| settings.wallet.upi_look_ups_per_day = 3).await;
    let mechanic = app.mechanic().await.client;
    let mismatch = id_of(&mechanic.post("/wallet/upi", account("mismatch@okbank")).await.expect(201));
    mechanic.post("/wallet/upi", account("mismatch@okbank")).await.refused(409, "CONFLICT");
    mechanic.post(&format!("/wallet/upi/{mismatch}/verify"), json!({})).await.expect(200);
    let removed = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    mechanic.delete(&format!("/wallet/upi/{removed}")).await.expect(204);
    let refused = mechanic.post("/wallet/upi", account("asha@okbank")).await;
    let wait_s: i64 = refused.header("retry-after").expect("a wait").parse().expect("seconds");
    assert!((86_000..=86_401).contains(&wait_s), "{wait_s}");
    refused.refused(429, "RATE_LIMITED");
    mechanic.post(&format!("/wallet/upi/{mismatch}/verify"), json!({})).await.refused(429, "RATE_LIMITED");
    app.sql("update upi_look_ups set at = at - interval '1 day'").await;
    mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
}

#[actix_web::test]
async fn a_late_answer_is_requested_again() {
    let app = spawn_prompt_with(|settings| slow(settings, 300)).await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!((&made["verification_status"], &made["name_at_bank"]), (&json!("pending"), &Value::Null));
    until_verified(&mechanic).await;
}

#[actix_web::test]
async fn a_provider_that_fails_half_the_time_is_asked_until_it_answers() {
    let app = spawn_prompt_with(|settings| settings.sandbox.failure_percent = 60).await;
    let mechanic = app.mechanic().await.client;
    for number in 0..4 {
        mechanic.post("/wallet/upi", account(&format!("asha{number}@okbank"))).await.expect(201);
    }
    let hurried = async || {
        super::cut_pauses_short(&app).await;
        mechanic.column("/wallet/upi", "verification_status").await
    };
    until_fits("all are verified", hurried, |all| all.iter().all(|status| status == "verified")).await;
}

#[actix_web::test]
async fn webhooks_move_an_account_only_forward() {
    let app = spawn_prompt_with(|settings| {
        // The worker asks far too late.
        settings.wallet.upi_look_ups_per_day = 1;
        slow(settings, 600_000);
        settings.payouts.reconcile_after_s = 3_600;
    })
    .await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!(made["verification_status"], "pending");
    // Reading a check in progress is not a look-up.
    let again = mechanic.post(&format!("/wallet/upi/{}/verify", id_of(&made)), json!({})).await.expect(200);
    assert_eq!(again["verification_status"], "pending");
    let id: Uuid = id_of(&made).parse().unwrap();
    let validation_id = sqlx::query_scalar("select validation_id from upi_accounts where id = $1").bind(id);
    let validation_id: String = validation_id.fetch_one(&app.database.db).await.unwrap();
    let active = ValidationOutcome::Active { name_at_bank: "Rao Asha".to_owned() };
    let report = async |of: Option<Uuid>, id: &str, outcome: &ValidationOutcome| {
        let validation = Validation { id: id.to_owned(), fund_account_id: None, outcome: outcome.clone() };
        let mut tx = app.database.db.begin().await.unwrap();
        let known = wallet::apply_validation(&mut tx, &app.service.wallet, of, &validation).await.unwrap();
        tx.commit().await.unwrap();
        known
    };
    assert!(!report(None, "fav_unknown", &ValidationOutcome::Invalid).await, "it is not ours");
    assert!(report(Some(id), "fav_older", &ValidationOutcome::Invalid).await, "from an earlier look-up");
    for (of, outcome) in [
        (None, ValidationOutcome::Pending),
        (None, active.clone()),
        (Some(id), active),
        (Some(id), ValidationOutcome::Invalid),
        (None, ValidationOutcome::Pending),
    ] {
        assert!(report(of, &validation_id, &outcome).await);
    }
    let shown = mechanic.get("/wallet/upi").await.expect(200)["data"][0].clone();
    shown.assert_fields(json!({"verification_status": "verified", "name_match_score": 100}));
}

#[actix_web::test]
async fn the_default_account_can_always_be_paid_to() {
    let app = spawn_prompt().await;
    let (admin, mechanic) = (app.admin().await, app.mechanic().await.client);
    let default = async || {
        let mut all = mechanic.list("/wallet/upi").await;
        all.retain(|account| account["is_default"] == true);
        assert!(all.len() <= 1, "{all:?}");
        all.first().map(id_of)
    };
    let add = async |vpa: &str| id_of(&mechanic.post("/wallet/upi", account(vpa)).await.expect(201));
    let make_default = async |id: &str| mechanic.post(&format!("/wallet/upi/{id}/default"), json!({})).await;
    let (mismatch, invalid) = (add("mismatch@okbank").await, add("invalid@okbank").await);
    assert_eq!(default().await, None);
    for id in [&mismatch, &invalid] {
        make_default(id).await.refused(409, "CONFLICT");
    }
    let approved = admin.post(&format!("/wallet/upi/{mismatch}/approve"), json!({})).await.expect(200);
    assert_eq!((approved["is_default"].as_bool(), default().await), (Some(true), Some(mismatch.clone())));
    let (one, two) = (add("asha1@okbank").await, add("asha2@okbank").await);
    assert_eq!(default().await, Some(mismatch.clone()));
    assert_eq!(make_default(&two).await.expect(200)["is_default"], true);
    assert_eq!(default().await, Some(two.clone()));
    mechanic.delete(&format!("/wallet/upi/{two}")).await.expect(204);
    assert_eq!(default().await, Some(mismatch.clone()), "the oldest that can be paid to");
    for id in [&mismatch, &one] {
        mechanic.delete(&format!("/wallet/upi/{id}")).await.expect(204);
    }
    assert_eq!(default().await, None);
    make_default(&two).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_new_account_becomes_the_default_only_when_it_can_be_paid_to() {
    let app = spawn_prompt_with(|settings| settings.wallet.new_account_wait_hours = 1).await;
    let mechanic = app.mechanic().await.client;
    let first = mechanic.post("/wallet/upi", account("asha1@okbank")).await.expect(201);
    assert_eq!(first["is_default"], true, "the only one");
    let second = id_of(&mechanic.post("/wallet/upi", account("asha2@okbank")).await.expect(201));
    let path = format!("/wallet/upi/{second}/default");
    mechanic.post(&path, json!({})).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn addresses_that_no_bank_knows_do_not_count_against_the_limit() {
    let app = spawn_prompt_with(|settings| settings.wallet.max_upi_accounts = 1).await;
    let mechanic = app.mechanic().await.client;
    for bank in ["okbank", "upi", "ybl"] {
        mechanic.post("/wallet/upi", account(&format!("invalid@{bank}"))).await.expect(201);
    }
    mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    mechanic.post("/wallet/upi", account("asha@ybl")).await.refused(409, "CONFLICT");
    let kept = mechanic.column("/wallet/upi", "vpa").await;
    assert_eq!(kept, ["asha@okbank"], "only as many of those are kept");
}

#[actix_web::test]
async fn addresses_are_unique_and_limited_per_mechanic() {
    let app = spawn_prompt().await;
    let (mechanic, other) = (app.mechanic().await.client, app.mechanic().await.client);
    let first = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    mechanic.post("/wallet/upi", account("ASHA@okbank")).await.refused(409, "CONFLICT");
    other.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    mechanic.delete(&format!("/wallet/upi/{first}")).await.expect(204);
    mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    let more = (1..8).map(|number| mechanic.post("/wallet/upi", account(&format!("asha{number}@okbank"))));
    let more = futures_util::future::join_all(more.collect::<Vec<_>>()).await;
    assert_eq!(statuses(&more), [201, 201, 201, 201, 409, 409, 409]);
}

#[actix_web::test]
async fn another_mechanics_account_is_not_found() {
    let app = spawn_prompt().await;
    let (mechanic, other) = (app.mechanic().await.client, app.mechanic().await.client);
    let id = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    for verb in ["default", "verify"] {
        other.post(&format!("/wallet/upi/{id}/{verb}"), json!({"odd": 1})).await.refused(404, "NOT_FOUND");
    }
    other.delete(&format!("/wallet/upi/{id}")).await.refused(404, "NOT_FOUND");
    assert_eq!(other.get("/wallet/upi").await.expect(200), json!({"data": []}));
}

#[actix_web::test]
async fn invalid_fields_of_an_account_are_named() {
    let app = spawn_prompt().await;
    let mechanic = app.mechanic().await.client;
    let odd = [
        "",
        "asha",
        "asha@",
        "@okbank",
        "a@okbank",
        "asha@o",
        "asha@ok.bank",
        "as ha@okbank",
        "asha@ok@bank",
        "äsha@upi",
    ];
    for vpa in odd {
        mechanic.post("/wallet/upi", account(vpa)).await.refused_field("vpa");
    }
    mechanic.post("/wallet/upi", account(&format!("{}@upi", "a".repeat(257)))).await.refused_field("vpa");
    let odd_name = json!({"vpa": "a1@upi", "holder_name": "Asha\u{202e}"});
    mechanic.post("/wallet/upi", odd_name).await.refused_field("holder_name");
    app.customer().await.post("/wallet/upi", account("asha@upi")).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn an_admin_decides_only_about_mismatched_names() {
    let (app, admin, earner) = spawn_earner(0).await;
    let path = |account: &Value, verb: &str| format!("/wallet/upi/{}/{verb}", id_of(account));
    for verb in ["approve", "reject"] {
        admin.post(&path(&earner.account, verb), json!({})).await.refused(409, "INVALID_TRANSITION");
    }
    let approved = earner.client.post("/wallet/upi", account("mismatch1@okbank")).await.expect(201);
    let rejected = earner.client.post("/wallet/upi", account("mismatch2@okbank")).await.expect(201);
    let listed = admin.get("/admin/wallet/upi?status=name_mismatch").await.expect(200);
    assert_eq!(listed["total"], 2, "{listed}");
    // The contract has this request without a body.
    let shown = admin.send(reqwest::Method::POST, &path(&approved, "approve"), None).await.expect(200);
    assert_eq!(shown["verification_status"], "manually_approved");
    let why = json!({"reason": "it is your brother's"});
    let shown = admin.post(&path(&rejected, "reject"), why).await.expect(200);
    assert_eq!(shown["verification_status"], "rejected");
    assert_eq!(shown["rejection_reason"], "it is your brother's");
    for (account, verb) in [(&approved, "approve"), (&approved, "reject"), (&rejected, "approve")] {
        admin.post(&path(account, verb), json!({})).await.refused(409, "INVALID_TRANSITION");
    }
    earner.client.post(&path(&rejected, "verify"), json!({})).await.refused(409, "INVALID_TRANSITION");
    let trail: Vec<(String, Value)> = app
        .sql_rows("select action, after from audit_log where subject_kind = 'upi_account' order by at")
        .await;
    let actions: Vec<&str> = trail.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["upi_account.approve", "upi_account.reject"]);
    assert_eq!(trail[1].1["rejection_reason"], "it is your brother's");
    admin.get("/admin/wallet/upi?status=good").await.refused_field("status");
}

#[actix_web::test]
async fn two_admins_who_decide_at_once_leave_one_decision() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.mechanic().await.client;
    let id = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    set_name_mismatch(&app.database.db, &id).await;
    let paths = ["approve", "reject", "approve", "reject"].map(|verb| format!("/wallet/upi/{id}/{verb}"));
    let asked = paths.iter().map(|path| admin.post(path, json!({})));
    let answers = futures_util::future::join_all(asked.collect::<Vec<_>>()).await;
    assert_eq!(statuses(&answers), [200, 409, 409, 409]);
}
