use serde_json::{Value, json};
use uuid::Uuid;

use super::{Earner, spawn_prompt, spawn_prompt_with};
use crate::support::{bodies::id_of, money::set_name_mismatch, within};
use roadcall::{
    money::wallet,
    providers::payouts::{Validation, ValidationOutcome},
};

fn account(vpa: &str) -> Value {
    json!({"vpa": vpa, "holder_name": "Asha Rao"})
}

#[actix_web::test]
async fn an_account_is_verified_where_the_banks_name_fits_the_profiles() {
    let app = spawn_prompt().await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("Asha.Rao@OKBank")).await.expect(201);
    assert_eq!(made["vpa"], "asha.rao@okbank");
    assert_eq!((&made["verification_status"], &made["name_match_score"]), (&json!("verified"), &json!(100)));
    assert_eq!((&made["name_at_bank"], &made["is_default"]), (&json!("ASHA RAO"), &json!(true)));
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
    let listed = mechanic.get("/wallet/upi").await.expect(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 4);
    assert_eq!(listed["data"][0]["vpa"], "asha.rao@okbank", "the default comes first");
}

#[actix_web::test]
async fn nothing_fits_a_person_without_a_name() {
    let app = spawn_prompt().await;
    let mechanic = app.mechanic().await.client;
    mechanic.patch("/users/me", json!({"name": null})).await.expect(200);
    let made = mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!(
        (&made["verification_status"], &made["name_match_score"]),
        (&json!("name_mismatch"), &json!(0))
    );
    // The name is put right, and the provider asked again.
    mechanic.patch("/users/me", json!({"name": "Asha Rao"})).await.expect(200);
    let path = format!("/wallet/upi/{}/verify", id_of(&made));
    let again = mechanic.post(&path, json!({})).await.expect(200);
    assert_eq!(
        (&again["verification_status"], &again["name_match_score"]),
        (&json!("verified"), &json!(100))
    );
    mechanic.post(&path, json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn an_answer_that_comes_late_is_asked_for_again() {
    let app = spawn_prompt_with(|settings| {
        settings.sandbox.delay_min_ms = 300;
        settings.sandbox.delay_max_ms = 300;
    })
    .await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!((&made["verification_status"], &made["name_at_bank"]), (&json!("pending"), &Value::Null));
    within("the worker asks again", async {
        while mechanic.get("/wallet/upi").await.expect(200)["data"][0]["verification_status"] != "verified" {
            super::breathe().await;
        }
    })
    .await;
}

#[actix_web::test]
async fn a_provider_that_fails_half_the_time_is_asked_until_it_answers() {
    let app = spawn_prompt_with(|settings| settings.sandbox.failure_percent = 60).await;
    let mechanic = app.mechanic().await.client;
    for number in 0..4 {
        mechanic.post("/wallet/upi", account(&format!("asha{number}@okbank"))).await.expect(201);
    }
    within("all are verified", async {
        loop {
            let listed = mechanic.get("/wallet/upi").await.expect(200);
            let mut all = listed["data"].as_array().unwrap().iter();
            if all.all(|account| account["verification_status"] == "verified") {
                break;
            }
            super::cut_pauses_short(&app).await;
            super::breathe().await;
        }
    })
    .await;
}

#[actix_web::test]
async fn what_a_webhook_tells_of_an_account_moves_it_forward_only() {
    let app = spawn_prompt_with(|settings| {
        // The look by the worker comes far too late.
        settings.sandbox.delay_min_ms = 600_000;
        settings.sandbox.delay_max_ms = 600_000;
        settings.payouts.reconcile_after_s = 3_600;
    })
    .await;
    let mechanic = app.mechanic().await.client;
    let made = mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    assert_eq!(made["verification_status"], "pending");
    let id: Uuid = id_of(&made).parse().unwrap();
    let validation_id: String = sqlx::query_scalar("select validation_id from upi_accounts where id = $1")
        .bind(id)
        .fetch_one(&app.database.db)
        .await
        .unwrap();
    let active = ValidationOutcome::Active { name_at_bank: "Rao Asha".to_owned() };
    let tell = async |of: Option<Uuid>, id: &str, outcome: &ValidationOutcome| {
        let validation = Validation { id: id.to_owned(), fund_account_id: None, outcome: outcome.clone() };
        let mut tx = app.database.db.begin().await.unwrap();
        let known = wallet::apply_validation(&mut tx, &app.service.wallet, of, &validation).await.unwrap();
        tx.commit().await.unwrap();
        known
    };
    assert!(!tell(None, "fav_unknown", &ValidationOutcome::Invalid).await, "it is none of ours");
    assert!(tell(Some(id), "fav_older", &ValidationOutcome::Invalid).await, "of a look-up before this one");
    for (of, outcome) in [
        (None, ValidationOutcome::Pending),
        (None, active.clone()),
        (Some(id), active),
        (Some(id), ValidationOutcome::Invalid),
        (None, ValidationOutcome::Pending),
    ] {
        assert!(tell(of, &validation_id, &outcome).await);
    }
    let shown = mechanic.get("/wallet/upi").await.expect(200)["data"][0].clone();
    assert_eq!(
        (&shown["verification_status"], &shown["name_match_score"]),
        (&json!("verified"), &json!(100))
    );
}

#[actix_web::test]
async fn one_account_is_always_the_default() {
    let app = spawn_prompt().await;
    let mechanic = app.mechanic().await.client;
    let mut ids = Vec::new();
    for vpa in ["mismatch@okbank", "asha1@okbank", "asha2@okbank"] {
        ids.push(id_of(&mechanic.post("/wallet/upi", account(vpa)).await.expect(201)));
    }
    let default = async || {
        let listed = mechanic.get("/wallet/upi").await.expect(200);
        let defaults: Vec<&Value> = listed["data"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|account| account["is_default"] == true)
            .collect();
        assert_eq!(defaults.len(), 1, "{listed}");
        id_of(defaults[0])
    };
    assert_eq!(default().await, ids[0]);
    let made = mechanic.post(&format!("/wallet/upi/{}/default", ids[2]), json!({})).await.expect(200);
    assert_eq!(made["is_default"], true);
    assert_eq!(default().await, ids[2]);
    mechanic.delete(&format!("/wallet/upi/{}", ids[2])).await.expect(204);
    assert_eq!(default().await, ids[1], "the oldest that can be paid to");
    mechanic.delete(&format!("/wallet/upi/{}", ids[1])).await.expect(204);
    assert_eq!(default().await, ids[0], "and where there is none, the oldest");
    let invalid = id_of(&mechanic.post("/wallet/upi", account("invalid@okbank")).await.expect(201));
    mechanic.post(&format!("/wallet/upi/{invalid}/default"), json!({})).await.refused(409, "CONFLICT");
    mechanic.delete(&format!("/wallet/upi/{}", ids[2])).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn an_address_is_added_once_by_one_mechanic_and_there_is_a_limit() {
    let app = spawn_prompt().await;
    let (mechanic, other) = (app.mechanic().await.client, app.mechanic().await.client);
    let first = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    mechanic.post("/wallet/upi", account("ASHA@okbank")).await.refused(409, "CONFLICT");
    other.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    mechanic.delete(&format!("/wallet/upi/{first}")).await.expect(204);
    mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201);
    let more = (1..8).map(|number| mechanic.post("/wallet/upi", account(&format!("asha{number}@okbank"))));
    let more = futures_util::future::join_all(more.collect::<Vec<_>>()).await;
    let statuses: Vec<u16> = more.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 4, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 3, "{statuses:?}");
}

#[actix_web::test]
async fn another_mechanics_account_looks_like_none() {
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
async fn what_is_wrong_with_an_account_is_named() {
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
    mechanic.post("/wallet/upi", json!({"holder_name": "Asha"})).await.refused_field("vpa");
    mechanic.post("/wallet/upi", json!({"vpa": 4})).await.refused_field("vpa");
    mechanic
        .post("/wallet/upi", json!({"vpa": "a1@upi", "holder_name": "Asha\u{202e}"}))
        .await
        .refused_field("holder_name");
    mechanic.post("/wallet/upi", json!({"vpa": "a1@upi", "bank": "x"})).await.refused_field("bank");
    app.customer().await.post("/wallet/upi", account("asha@upi")).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn an_admin_decides_where_names_do_not_fit_and_nowhere_else() {
    let app = spawn_prompt().await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 0).await;
    let path = |account: &Value, verb: &str| format!("/wallet/upi/{}/{verb}", id_of(account));
    for verb in ["approve", "reject"] {
        admin.post(&path(&earner.account, verb), json!({})).await.refused(409, "INVALID_TRANSITION");
    }
    let approved = earner.client.post("/wallet/upi", account("mismatch1@okbank")).await.expect(201);
    let rejected = earner.client.post("/wallet/upi", account("mismatch2@okbank")).await.expect(201);
    let listed = admin.get("/admin/wallet/upi?status=name_mismatch").await.expect(200);
    assert_eq!(listed["total"], 2, "{listed}");
    // As the contract has it: without a body.
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
    let trail: Vec<(String, Value)> =
        sqlx::query_as("select action, after from audit_log where subject_kind = 'upi_account' order by at")
            .fetch_all(&app.database.db)
            .await
            .unwrap();
    let actions: Vec<&str> = trail.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["upi_account.approve", "upi_account.reject"]);
    assert_eq!(trail[1].1["rejection_reason"], "it is your brother's");
    admin.get("/admin/wallet/upi?status=good").await.refused_field("status");
}

#[actix_web::test]
async fn two_admins_who_decide_at_once_leave_one_decision() {
    let app = spawn_prompt().await;
    let admin = app.admin().await;
    let mechanic = app.mechanic().await.client;
    let id = id_of(&mechanic.post("/wallet/upi", account("asha@okbank")).await.expect(201));
    set_name_mismatch(&app.database.db, &id).await;
    let verbs = ["approve", "reject", "approve", "reject"];
    let paths = verbs.map(|verb| format!("/wallet/upi/{id}/{verb}"));
    let asked = paths.iter().map(|path| admin.post(path, json!({})));
    let answers = futures_util::future::join_all(asked.collect::<Vec<_>>()).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 3);
}
