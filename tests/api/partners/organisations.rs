use std::slice::from_ref;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Client, Person, partners::Key, spawn_with_admin};

/// Returns the entries of the audit log about an object, the oldest first.
async fn audited(admin: &Person, object: &str) -> Vec<Value> {
    let log = admin.get(&format!("/admin/audit-log?object_id={object}")).await.expect(200);
    log["data"].as_array().unwrap().iter().rev().cloned().collect()
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn an_organisation_is_made_once_found_and_changed() {
    let (app, admin) = spawn_with_admin().await;
    let body = json!({"name": "Nandi  Motor Insurance", "kind": "insurer", "email": "Assist@Nandi.example"});
    let made = admin.post_once("/admin/organisations", &body, "nandi").await.expect(201);
    assert_eq!(admin.post_once("/admin/organisations", &body, "nandi").await.expect(201), made);
    assert_eq!(
        (&made["name"], &made["email"]),
        (&json!("Nandi Motor Insurance"), &json!("assist@nandi.example"))
    );
    let taken = json!({"name": "NANDI motor insurance", "kind": "club"});
    let refused = admin.post("/admin/organisations", taken).await.refused(409, "CONFLICT");
    assert_eq!(refused["error"]["message"], "Another organisation has this name.");
    let other = app.partner(&admin).await;

    let found = async |query: &str| {
        let list = admin.get(&format!("/admin/organisations?{query}")).await.expect(200);
        list["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    let (nandi, other_id) = (made["id"].clone(), json!(other.id));
    assert_eq!(found("").await, [other_id.clone(), nandi.clone()]);
    assert_eq!(found("q=nandi").await, from_ref(&nandi));
    assert_eq!(found("kind=club").await, Vec::<Value>::new());

    let path = format!("/admin/organisations/{}", nandi.as_str().unwrap());
    let changed = admin.patch(&path, json!({"kind": "club", "email": null})).await.expect(200);
    assert_eq!((&changed["kind"], &changed["email"]), (&json!("club"), &Value::Null));
    let clash = json!({"name": "nandi motor insurance"});
    admin.patch(&other.path(""), clash).await.refused(409, "CONFLICT");
    assert_eq!(found("kind=club&status=active").await, from_ref(&nandi));
    let entries = audited(&admin, nandi.as_str().unwrap()).await;
    assert_eq!(actions(&entries), ["organisation.create", "organisation.update"]);
    assert_eq!((&entries[0]["actor_id"], &entries[0]["via"]), (&json!(admin.user_id), &Value::Null));
    assert_eq!(
        (&entries[1]["before"]["kind"], &entries[1]["after"]["kind"]),
        (&json!("insurer"), &json!("club"))
    );
}

#[actix_web::test]
async fn an_admin_makes_no_job_on_an_organisations_account_without_a_case() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let path = format!("/admin/users/{}/jobs", partner.account_id);
    let refused = admin.post(&path, json!({})).await.refused(409, "CONFLICT");
    assert!(refused["error"]["message"].as_str().is_some_and(|why| why.contains("make a case")), "{refused}");
}

#[actix_web::test]
async fn a_suspended_organisation_is_refused_at_once_and_reinstated() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let (member, program) = (partner.member("manager").await, partner.program(&["read"]).await);
    let callers: [&Client; 2] = [&member, &program];
    for caller in callers {
        assert_eq!(caller.get("/partner").await.expect(200)["organisation_id"], json!(partner.id));
    }
    admin.patch(&partner.path(""), json!({"status": "suspended"})).await.expect(200);
    for caller in callers {
        let refused = caller.get("/partner").await.refused(403, "FORBIDDEN");
        assert_eq!(refused["error"]["message"], "This organisation is suspended. Contact support.");
    }
    admin.patch(&partner.path(""), json!({"status": "active"})).await.expect(200);
    for caller in callers {
        caller.get("/partner").await.expect(200);
    }
}

#[actix_web::test]
async fn an_agencys_key_acts_for_the_organisations_that_it_names_and_for_no_other() {
    let (app, admin) = spawn_with_admin().await;
    let (agency, insurer, stranger) =
        (app.partner(&admin).await, app.partner(&admin).await, app.partner(&admin).await);
    let key = agency.key_with(&["read", "keys"], json!({"acts_for": [insurer.id, insurer.id]})).await;
    let program = app.program(&key);
    let acting_for = async |id: &str| {
        program.send_as(Method::GET, "/partner", |request| request.header("Roadcall-Organisation", id)).await
    };
    let own = program.get("/partner").await.expect(200);
    assert_eq!((&own["organisation_id"], &own["agency_id"]), (&json!(agency.id), &Value::Null));
    let other = acting_for(&insurer.id).await.expect(200);
    assert_eq!((&other["organisation_id"], &other["agency_id"]), (&json!(insurer.id), &json!(agency.id)));
    assert_eq!(acting_for(&agency.id).await.expect(200)["agency_id"], Value::Null);
    for other in [&*stranger.id, "insurer", ""] {
        let refused = acting_for(other).await.refused(403, "FORBIDDEN");
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(why.contains("Roadcall-Organisation"), "{other}: {why}");
    }
    let keys = program.send_as(Method::GET, "/partner/keys", |request| {
        request.header("Roadcall-Organisation", &insurer.id)
    });
    keys.await.refused(403, "FORBIDDEN");

    admin.patch(&insurer.path(""), json!({"status": "suspended"})).await.expect(200);
    acting_for(&insurer.id).await.refused(403, "FORBIDDEN");
    program.get("/partner").await.expect(200);
    let unknown =
        json!({"name": "Agency", "scopes": ["read"], "expires_in_days": 1, "acts_for": [admin.user_id]});
    admin.post(&agency.path("/keys"), unknown).await.refused_field("acts_for");
}

#[actix_web::test]
async fn writes_of_partners_name_the_key_or_the_membership() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let (member, program) = (partner.member("manager").await, partner.program(&["read", "keys"]).await);
    let body = json!({"name": "Reports", "scopes": ["read"], "expires_in_days": 90});
    for (caller, actor) in [(&*member, json!(member.user_id)), (&program, Value::Null)] {
        let key = Key::of(&caller.post("/partner/keys", body.clone()).await.expect(201));
        caller.delete(&format!("/partner/keys/{}", key.id)).await.expect(204);
        caller.delete(&format!("/partner/keys/{}", key.id)).await.expect(204);
        let entries = audited(&admin, &key.id).await;
        assert_eq!(actions(&entries), ["partner_key.create", "partner_key.revoke"], "once each");
        for entry in &entries {
            assert_eq!(entry["actor_id"], actor);
            assert_eq!(entry["via"]["organisation"], json!(partner.id));
            assert_eq!(entry["via"]["key"].is_null(), !actor.is_null());
            assert!(!entry.to_string().contains(&key.text), "the log holds no key");
        }
    }
}
