use serde_json::{Value, json};

use crate::contract::{MECHANIC_PROFILE, fields};
use crate::support::{
    Client, TestApp,
    bodies::{FLAT_TYRE, TOWING, id_of, registration, with, without},
    spawn_app, spawn_with_admin, spawn_with_customer, spawn_with_mechanic,
};

const NOBODY: &str = "018f0000-0000-7000-8000-00000000dead";

/// Checks the contract, 2.2 and 4.2.
#[actix_web::test]
async fn registering_shows_the_bare_profile_with_exactly_the_fields_of_the_contract() {
    let (_app, client) = spawn_with_customer().await;
    let profile = client.post("/mechanics/register", registration()).await.expect(201);
    assert_eq!(fields(&profile), MECHANIC_PROFILE);
    assert_eq!(profile["status"], "pending_verification");
    assert_eq!(profile["rejection_reason"], Value::Null);
    assert_eq!(profile["is_available"], false);
    assert_eq!(profile["service_radius_km"], json!(12), "the whole kilometres within 12.4");
    assert_eq!(profile["vehicle_types"], json!(["two_wheeler", "four_wheeler"]));
    let own = client.get("/mechanics/me").await.expect(200);
    for field in MECHANIC_PROFILE {
        assert_eq!(own[field], profile[field], "the same token sees the new profile: {field}");
    }
    assert_eq!(own["service_category_ids"], json!([FLAT_TYRE]));
    assert_eq!((&own["pending_change"], &own["verified_name"]), (&Value::Null, &Value::Null));
    let document = &own["documents"][0];
    assert_eq!((&document["type"], &document["status"]), (&json!("photo_id"), &json!("pending")));
}

#[actix_web::test]
async fn a_registration_may_leave_out_the_radius_and_documents() {
    let app = spawn_app().await;
    let body = with(&without(&registration(), "service_radius_km"), "/documents", json!([]));
    let body = with(&body, "/service_category_ids", json!([FLAT_TYRE, TOWING, FLAT_TYRE]));
    let profile = app.customer().await.post("/mechanics/register", body).await.expect(201);
    assert_eq!(profile["service_radius_km"], 10);
}

#[actix_web::test]
async fn a_bad_registration_names_its_field() {
    let (_app, client) = spawn_with_customer().await;
    for field in ["vehicle_types", "service_category_ids", "documents"] {
        client.post("/mechanics/register", without(&registration(), field)).await.refused_field(field);
        let nulled = with(&registration(), &format!("/{field}"), Value::Null);
        client.post("/mechanics/register", nulled).await.refused_field(field);
    }
    let document = json!({"type": "other", "file_url": "https://files.example/a.pdf"});
    let bad = [
        ("/vehicle_types", json!([]), "vehicle_types"),
        ("/vehicle_types", json!("two_wheeler"), "vehicle_types"),
        ("/vehicle_types/1", json!("boat"), "vehicle_types[1]"),
        ("/service_category_ids", json!([]), "service_category_ids"),
        ("/service_category_ids", json!([FLAT_TYRE, "x"]), "service_category_ids[1]"),
        ("/service_category_ids", json!([FLAT_TYRE, NOBODY]), "service_category_ids[1]"),
        ("/service_category_ids", json!(vec![FLAT_TYRE; 51]), "service_category_ids"),
        ("/documents", json!(vec![document; 21]), "documents"),
        ("/documents/0/type", json!("passport"), "documents[0].type"),
        ("/documents/0/file_url", json!("http://files.example/a.pdf"), "documents[0].file_url"),
        ("/documents/0/file_url", Value::Null, "documents[0].file_url"),
        ("/documents/0/pages", json!(2), "documents[0].pages"),
        ("/service_radius_km", json!(0.9), "service_radius_km"),
        ("/service_radius_km", json!(100.5), "service_radius_km"),
        ("/service_radius_km", json!("10"), "service_radius_km"),
        ("/status", json!("verified"), "status"),
    ];
    for (path, value, named) in bad {
        client.post("/mechanics/register", with(&registration(), path, value)).await.refused_field(named);
    }
    let several = json!({"vehicle_types": [], "service_category_ids": [1], "documents": [{}], "odd": 1});
    let refusal = client.post("/mechanics/register", several).await.refused(422, "VALIDATION_FAILED");
    let named = [
        "documents",
        "documents[0].file_url",
        "documents[0].type",
        "odd",
        "service_category_ids",
        "service_category_ids[0]",
        "vehicle_types",
    ];
    assert_eq!(fields(&refusal["error"]["errors"]), named, "all faults at once");
    client.get("/mechanics/me").await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn one_person_registers_once_even_with_simultaneous_requests() {
    let (app, client) = spawn_with_customer().await;
    let ask = || client.post("/mechanics/register", registration());
    let (first, second) = futures_util::future::join(ask(), ask()).await;
    assert_eq!(statuses([first, second]), [201, 409]);
    client.post("/mechanics/register", registration()).await.refused(409, "ALREADY_REGISTERED");
    app.admin().await.post("/mechanics/register", json!({})).await.refused(403, "FORBIDDEN");
    app.anonymous().post("/mechanics/register", registration()).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_rejected_mechanic_reads_the_reason_and_can_submit_again() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    admin.post(&format!("{path}/reject"), json!({"reason": "The photo is blurred."})).await.expect(200);
    let mine = mechanic.client.get("/mechanics/me").await.expect(200);
    assert_eq!(mine["status"], "rejected");
    assert_eq!(mine["rejection_reason"], "The photo is blurred.");

    let documents = json!([{"type": "aadhaar", "file_url": "https://files.example/sharp.jpg"}]);
    let body = with(&registration(), "/documents", documents);
    let again = mechanic.client.post("/mechanics/register", body).await.expect(201);
    assert_eq!(again["id"], json!(mechanic.profile_id));
    assert_eq!(again["status"], "pending_verification");
    assert_eq!(again["rejection_reason"], Value::Null);
    let detail = admin.get(&path).await.expect(200);
    let kinds: Vec<&Value> =
        detail["documents"].as_array().expect("a list").iter().map(|d| &d["type"]).collect();
    assert_eq!(kinds, ["aadhaar"], "what is handed in now replaces what was handed in before");
}

#[actix_web::test]
async fn a_profile_changes_its_status_only_as_its_diagram_says() {
    let (app, admin) = spawn_with_admin().await;
    let id = app.registered_mechanic().await.profile_id;
    let reason = json!({"reason": "Because."});
    // Each step is an action, and the status that it leads to; `None` if it is refused.
    let steps = [
        ("suspend", None),
        ("reinstate", None),
        ("verify", Some("verified")),
        ("verify", None),
        ("reject", None),
        ("reinstate", None),
        ("suspend", Some("suspended")),
        ("suspend", None),
        ("verify", None),
        ("reject", None),
        ("reinstate", Some("verified")),
    ];
    let mut from = "pending_verification";
    for (action, to) in steps {
        let body = if ["reject", "suspend"].contains(&action) { reason.clone() } else { json!({}) };
        let answer = admin.post(&format!("/admin/mechanics/{id}/{action}"), body).await;
        let Some(to) = to else {
            let refusal = answer.refused(409, "INVALID_TRANSITION");
            let message = refusal["error"]["message"].as_str().expect("text");
            assert!(message.contains(from), "{action} from {from}: {message}");
            assert!(message.contains("Possible now: "), "{action} from {from}: {message}");
            continue;
        };
        assert_eq!(answer.expect(200)["status"], to);
        from = to;
    }
    let expected = ["mechanic.verify", "mechanic.suspend", "mechanic.reinstate"];
    assert_eq!(audited(&app, &id).await, expected, "one audit row for each move, none for a refusal");
}

async fn audited(app: &TestApp, profile_id: &str) -> Vec<String> {
    let moves = "select action from audit_log where subject_id = $1::uuid
        and before->>'status' <> after->>'status' order by at";
    app.values(moves, &[profile_id]).await
}

#[actix_web::test]
async fn a_suspended_mechanic_is_no_longer_available() {
    let (app, admin, mechanic) = spawn_with_mechanic().await;
    app.change("update mechanic_profiles set is_available = true, available_since = now()", &[]).await;
    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    let suspended =
        admin.post(&format!("{path}/suspend"), json!({"reason": "Complaints."})).await.expect(200);
    assert_eq!(suspended["is_available"], false);
    assert_eq!(admin.get(&path).await.expect(200)["suspension_reason"], "Complaints.");
    let own = mechanic.client.get("/mechanics/me").await.expect(200);
    assert_eq!((&own["status"], &own["suspension_reason"]), (&json!("suspended"), &json!("Complaints.")));
    let reinstated = admin.post(&format!("{path}/reinstate"), json!({})).await.expect(200);
    assert_eq!((&reinstated["status"], &reinstated["is_available"]), (&json!("verified"), &json!(false)));
    let own = mechanic.client.get("/mechanics/me").await.expect(200);
    let shown = admin.get(&path).await.expect(200);
    for profile in [own, shown] {
        assert_eq!(profile["status"], "verified");
        assert_eq!(profile.get("suspension_reason"), Some(&Value::Null), "{profile}");
    }
}

#[actix_web::test]
async fn only_admins_change_the_status_of_profiles_and_give_a_reason() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    for action in ["verify", "reject", "suspend", "reinstate"] {
        let own = format!("{path}/{action}");
        mechanic.client.post(&own, json!({"odd": 1})).await.refused(403, "FORBIDDEN");
        // The object is checked before the body.
        let asked = json!({"odd": 1});
        admin.post(&format!("/admin/mechanics/{NOBODY}/{action}"), asked).await.refused(404, "NOT_FOUND");
        admin.post(&format!("/admin/mechanics/x/{action}"), json!({})).await.refused_field("id");
    }
    for action in ["reject", "suspend"] {
        for reason in [Value::Null, json!(""), json!("x"), json!(7), json!("x".repeat(501))] {
            admin.post(&format!("{path}/{action}"), json!({"reason": reason})).await.refused_field("reason");
        }
        admin.post(&format!("{path}/{action}"), json!({})).await.refused_field("reason");
    }
    admin.post(&format!("{path}/verify"), json!({"odd": 1})).await.refused_field("odd");
}

#[actix_web::test]
async fn a_mechanic_changes_their_services() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await.client;
    let before = mechanic.get("/mechanics/me").await.expect(200);
    assert_eq!(
        mechanic.patch("/mechanics/me", json!({"service_radius_km": 33.5})).await.expect(200)["service_radius_km"],
        33
    );
    let changes = json!({"vehicle_types": ["commercial"], "service_category_ids": [TOWING, TOWING]});
    let after = mechanic.patch("/mechanics/me", changes).await.expect(200);
    assert_eq!((&after["vehicle_types"], &after["service_radius_km"]), (&json!(["commercial"]), &json!(33)));
    assert_eq!((&after["id"], &after["status"]), (&before["id"], &before["status"]));
    let bad = [
        (json!({"service_radius_km": 0}), "service_radius_km"),
        (json!({"service_radius_km": null}), "service_radius_km"),
        (json!({"vehicle_types": []}), "vehicle_types"),
        (json!({"vehicle_types": ["boat"]}), "vehicle_types[0]"),
        (json!({"service_category_ids": []}), "service_category_ids"),
        (json!({"service_category_ids": [NOBODY]}), "service_category_ids[0]"),
        (json!({"is_available": true}), "is_available"),
        (json!({"status": "verified"}), "status"),
    ];
    for (body, named) in bad {
        mechanic.patch("/mechanics/me", body).await.refused_field(named);
    }
    app.customer().await.patch("/mechanics/me", json!({"odd": 1})).await.refused(404, "NOT_FOUND");
}

/// Makes a category only for commercial vehicles.
async fn crane(admin: &Client) -> String {
    let crane = json!({
        "name": "Crane", "slug": "crane", "description": "", "icon_url": null, "vehicle_types": ["commercial"],
        "base_price": 4000, "per_km_price": 50, "free_km": 0, "estimated_duration_min": 120,
    });
    id_of(&admin.post("/service-categories", crane).await.expect(201))
}

#[actix_web::test]
async fn services_that_match_no_job_are_refused_with_the_reason() {
    let (app, admin) = spawn_with_admin().await;
    let (crane, client) = (crane(&admin).await, app.customer().await);
    let useless = with(&registration(), "/service_category_ids", json!([crane]));
    let refusal = client.post("/mechanics/register", useless).await.refused_field("service_category_ids");
    assert!(
        refusal["error"]["errors"]["service_category_ids"][0].as_str().unwrap().contains("vehicle types")
    );
    let both = with(&registration(), "/service_category_ids", json!([crane, FLAT_TYRE]));
    let profile = client.post("/mechanics/register", both).await.expect(201);
    let body = json!({"service_category_ids": [crane]});
    client.patch("/mechanics/me", body).await.refused_field("service_category_ids");
    let commercial = json!({"vehicle_types": ["commercial"], "service_category_ids": [crane]});
    client.patch("/mechanics/me", commercial).await.expect(200);
    let body = json!({"vehicle_types": ["two_wheeler"]});
    client.patch("/mechanics/me", body).await.refused_field("vehicle_types");
    admin.post(&format!("/admin/mechanics/{}/verify", id_of(&profile)), json!({})).await.expect(200);
    let body = json!({"vehicle_types": ["two_wheeler"]});
    client.patch("/mechanics/me", body).await.refused_field("vehicle_types");
}

#[actix_web::test]
async fn a_verified_mechanic_serves_less_at_once_and_more_after_approval() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    let serves = |own: &Value| (own["vehicle_types"].clone(), own["service_category_ids"].clone());
    let narrower =
        mechanic.patch("/mechanics/me", json!({"vehicle_types": ["four_wheeler"]})).await.expect(200);
    assert_eq!(serves(&narrower), (json!(["four_wheeler"]), json!([FLAT_TYRE])));
    assert_eq!(narrower["pending_change"], Value::Null);

    let wider = json!({"vehicle_types": ["commercial", "four_wheeler"], "service_category_ids": [TOWING]});
    let asked = mechanic.patch("/mechanics/me", wider).await.expect(200);
    assert_eq!(serves(&asked), (json!(["four_wheeler"]), json!([FLAT_TYRE])), "the old ones stay valid");
    assert_eq!(serves(&asked["pending_change"]), (json!(["four_wheeler", "commercial"]), json!([TOWING])));
    let first = id_of(&asked["pending_change"]);
    let body = json!({"service_category_ids": [FLAT_TYRE, TOWING]});
    let again = mechanic.patch("/mechanics/me", body).await.expect(200);
    let second = id_of(&again["pending_change"]);
    let both = (json!(["four_wheeler", "commercial"]), json!([FLAT_TYRE, TOWING]));
    assert_eq!(serves(&again["pending_change"]), both, "what is left out stays as in the change that waits");
    let body = json!({"service_category_ids": [TOWING, FLAT_TYRE]});
    let repeated = mechanic.patch("/mechanics/me", body).await.expect(200);
    assert_eq!(repeated["pending_change"], again["pending_change"], "the same again is no new change");
    let path = |id: &str, verb: &str| format!("/admin/mechanic-changes/{id}/{verb}");
    admin.post(&path(&first, "approve"), json!({})).await.refused(404, "NOT_FOUND");
    mechanic.post(&path(&second, "approve"), json!({})).await.refused(403, "FORBIDDEN");

    let listed = admin.get("/admin/mechanic-changes").await.expect(200);
    assert_eq!((&listed["total"], &listed["data"][0]["id"]), (&json!(1), &json!(second)));
    assert_eq!(listed["data"][0]["served_service_category_ids"], json!([FLAT_TYRE]));
    assert_eq!(listed["data"][0]["service_category_ids"], json!([FLAT_TYRE, TOWING]));
    admin.post(&path(&second, "approve"), json!({})).await.expect(200);
    admin.post(&path(&second, "approve"), json!({})).await.refused(404, "NOT_FOUND");
    let own = mechanic.get("/mechanics/me").await.expect(200);
    assert_eq!(serves(&own), both);
    assert_eq!(own["pending_change"], Value::Null);
    assert_eq!(own["documents"][0]["status"], "accepted");
}

#[actix_web::test]
async fn a_changed_name_is_verified_only_if_the_admin_sends_it() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    mechanic.client.patch("/users/me", json!({"name": "Asha Varma"})).await.expect(200);
    let verify = format!("/admin/mechanics/{}/verify", mechanic.profile_id);
    admin.post(&verify, json!({})).await.refused(409, "CONFLICT");
    let verified = json!({"verified_name": "Asha Rao"});
    assert_eq!(admin.post(&verify, verified).await.expect(200)["status"], "verified");
}

#[actix_web::test]
async fn a_rejected_change_has_no_effect_and_a_reason() {
    let (app, admin, mechanic) = spawn_with_mechanic().await;
    let (client, wider) = (&mechanic.client, json!({"vehicle_types": ["commercial", "two_wheeler"]}));
    let asked = client.patch("/mechanics/me", wider.clone()).await.expect(200);
    let path = format!("/admin/mechanic-changes/{}", id_of(&asked["pending_change"]));
    admin.post(&format!("{path}/reject"), json!({})).await.refused_field("reason");
    admin.post(&format!("{path}/reject"), json!({"reason": "No licence for lorries."})).await.expect(200);
    let own = client.get("/mechanics/me").await.expect(200);
    assert_eq!((&own["vehicle_types"], &own["pending_change"]), (&json!(["two_wheeler"]), &Value::Null));
    let shown = client.get("/notifications?type=mechanic_change_rejected").await.expect(200);
    let body = shown["data"][0]["body"].as_str().expect("a text");
    assert!(body.ends_with("Reason: No licence for lorries."), "{body}");
    client.patch("/mechanics/me", wider).await.expect(200);
    let withdrawn =
        client.patch("/mechanics/me", json!({"vehicle_types": ["two_wheeler"]})).await.expect(200);
    assert_eq!(withdrawn["pending_change"], Value::Null, "asking for what is served withdraws it");
    let trail = "select action from audit_log where subject_id = $1::uuid and action like 'mechanic.%_change'
        order by at";
    let trail: Vec<String> = app.values(trail, &[&mechanic.profile_id]).await;
    assert_eq!(trail, ["mechanic.reject_change"]);
}

#[actix_web::test]
async fn documents_are_submitted_one_by_one_up_to_a_limit() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await.client;
    let document = json!({"type": "skill_cert", "file_url": "https://files.example/cert.pdf"});
    let made = mechanic.post("/mechanics/me/documents", document.clone()).await.expect(201);
    let list = mechanic.get("/mechanics/me/documents").await.expect(200);
    assert_eq!((list["data"].as_array().expect("a list").len(), &list["data"][1]), (2, &made));
    for _ in 2..roadcall::fleet::mechanics::MAX_DOCUMENTS {
        mechanic.post("/mechanics/me/documents", document.clone()).await.expect(201);
    }
    mechanic.post("/mechanics/me/documents", document.clone()).await.refused(409, "CONFLICT");
    for (path, value) in [("type", json!("passport")), ("file_url", json!("x")), ("pages", json!(1))] {
        let body = with(&document, &format!("/{path}"), value);
        mechanic.post("/mechanics/me/documents", body).await.refused_field(path);
    }
}

#[actix_web::test]
async fn a_document_is_deleted_unless_it_is_evidence() {
    let (app, admin) = spawn_with_admin().await;
    let (pending, mechanic) = (app.registered_mechanic().await, app.verified_mechanic(&admin).await);
    let first = async |client: &Client| {
        let list = client.get("/mechanics/me/documents").await.expect(200);
        format!("/mechanics/me/documents/{}", id_of(&list["data"][0]))
    };
    let own = first(&pending.client).await;
    pending.client.delete(&own).await.refused(409, "CONFLICT");
    mechanic.client.delete(&own).await.refused(404, "NOT_FOUND");
    let why = json!({"reason": "the picture is dark"});
    admin.post(&format!("/admin/mechanics/{}/reject", pending.profile_id), why).await.expect(200);
    pending.client.delete(&own).await.expect(204);
    pending.client.delete(&own).await.refused(404, "NOT_FOUND");

    let verified_with = first(&mechanic.client).await;
    mechanic.client.delete(&verified_with).await.refused(409, "CONFLICT");
    let kind = mechanic.client.get("/mechanics/me/documents").await.expect(200)["data"][0]["type"].clone();
    let newer = json!({"type": kind, "file_url": "https://files.example/newer.pdf"});
    let newer = mechanic.client.post("/mechanics/me/documents", newer).await.expect(201);
    mechanic.client.delete(&verified_with).await.refused(409, "CONFLICT");
    let again = json!({"verified_name": "Asha Rao"});
    admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), again).await.expect(200);
    mechanic.client.delete(&verified_with).await.expect(204);
    let newer = format!("/mechanics/me/documents/{}", id_of(&newer));
    mechanic.client.delete(&newer).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn the_public_card_shows_a_verified_mechanic_and_no_more_than_a_first_name() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mechanic = app.registered_mechanic().await;
    let path = format!("/mechanics/{}", mechanic.profile_id);
    customer.get(&path).await.refused(404, "NOT_FOUND");
    admin.post(&format!("/admin{path}/verify"), json!({})).await.expect(200);
    let card = customer.get(&path).await.expect(200);
    let expected = [
        "avatar_url",
        "avg_rating",
        "first_name",
        "id",
        "member_since",
        "service_category_ids",
        "total_jobs",
        "total_ratings",
        "vehicle_types",
    ];
    assert_eq!((fields(&card), &card["first_name"]), (expected.to_vec(), &json!("Asha")));
    admin.post(&format!("/admin{path}/suspend"), json!({"reason": "Complaints."})).await.expect(200);
    customer.get(&path).await.refused(404, "NOT_FOUND");
    app.anonymous().get(&path).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn admins_list_mechanics_by_status_page_by_page_the_newest_first() {
    let (app, admin) = spawn_with_admin().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(app.registered_mechanic().await.profile_id);
    }
    admin.post(&format!("/admin/mechanics/{}/verify", ids[1]), json!({})).await.expect(200);
    let listed = |page: Value| {
        let ids: Vec<String> = page["data"].as_array().expect("a list").iter().map(id_of).collect();
        (ids, page["total"].as_i64().expect("a total"))
    };
    let page = admin.get("/admin/mechanics?limit=2").await.expect(200);
    assert_eq!((&page["page"], &page["limit"]), (&json!(1), &json!(2)));
    assert_eq!(page["data"][0]["documents"], Value::Null);
    assert!(page["data"][0]["phone"].is_string());
    assert_eq!(listed(page), (vec![ids[2].clone(), ids[1].clone()], 3));
    let page = admin.get("/admin/mechanics?limit=2&page=2").await.expect(200);
    assert_eq!(listed(page), (vec![ids[0].clone()], 3));
    let page = admin.get("/admin/mechanics?status=verified").await.expect(200);
    assert_eq!(listed(page), (vec![ids[1].clone()], 1));
    for (query, named) in [("status=odd", "status"), ("page=0", "page"), ("limit=101", "limit"), ("q=a", "q")]
    {
        admin.get(&format!("/admin/mechanics?{query}")).await.refused_field(named);
    }
    app.customer().await.get("/admin/mechanics?page=0").await.refused(403, "FORBIDDEN");
    admin.get(&format!("/admin/mechanics/{NOBODY}")).await.refused(404, "NOT_FOUND");
}
