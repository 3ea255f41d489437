//! Admins at some desks alone: what they may do, who decides it, and that it takes effect at once. `authorization.rs` has every
//! route.

use serde_json::{Value, json};

use crate::{
    super_admin::{accept, audited, invite, token_of},
    support::{
        Person,
        bodies::id_of,
        spawn_app, spawn_app_with, spawn_with_super_admin,
        uploads::{photo, uploaded},
    },
};

const KIRAN: &str = "kiran@example.com";
const ALL: [&str; 4] = ["dispatch", "money", "people", "settings"];
const BOX: &str = "77.0,12.0,78.0,13.5";

fn path(of: &Person) -> String {
    format!("/super-admin/users/{}/desks", of.user_id)
}

async fn move_to(boss: &Person, admin: &Person, desks: &[&str]) -> Value {
    boss.put(&path(admin), json!({ "desks": desks })).await.expect(200)
}

#[actix_web::test]
async fn an_admin_is_narrowed_and_widened_at_once_and_the_refusal_names_the_desk() {
    let app = spawn_app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    for person in [&boss, &admin] {
        assert_eq!(person.get("/users/me").await.expect(200)["desks"], json!(ALL));
    }
    assert_eq!(app.customer().await.get("/users/me").await.expect(200)["desks"], json!([]));
    admin.get("/admin/payments").await.expect(200);

    let shown = move_to(&boss, &admin, &["people", "dispatch", "people"]).await;
    assert_eq!(shown["desks"], json!(["dispatch", "people"]));
    assert_eq!(admin.get("/users/me").await.expect(200)["desks"], json!(["dispatch", "people"]));
    let refused = admin.get("/admin/payments").await.refused(403, "DESK_NEEDED");
    let why = refused["error"]["message"].as_str().unwrap();
    assert_eq!(why, "This needs the money desk. Ask a super-admin for it.");
    admin.get("/admin/payments?format=csv").await.refused(403, "DESK_NEEDED");
    admin.get("/admin/audit-log").await.refused(403, "DESK_NEEDED");
    admin.get("/admin/live").await.expect(200);
    admin.get("/admin/users").await.expect(200);
    let listed = boss.get("/super-admin/admins").await.expect(200);
    assert_eq!(listed["data"][0]["desks"], json!(["dispatch", "people"]));

    move_to(&boss, &admin, &["dispatch", "people"]).await;
    move_to(&boss, &admin, &ALL).await;
    admin.get("/admin/payments").await.expect(200);
    let kept = "select desks from users where id::text = $1";
    let kept: Option<Vec<String>> = app.value(kept, &[&admin.user_id]).await;
    assert_eq!(kept, None, "a desk that comes later is theirs too");
    let trail: Vec<(String, Value)> = audited(&app, &admin.user_id).await;
    let changes: Vec<&Value> =
        trail.iter().filter(|(action, _)| action == "user.desks").map(|(_, after)| &after["desks"]).collect();
    assert_eq!(changes, [&json!(["dispatch", "people"]), &json!(ALL)], "a change of nothing leaves no entry");
}

#[actix_web::test]
async fn only_a_super_admin_narrows_admins_and_only_other_ones() {
    let app = spawn_app().await;
    let (boss, other, admin) = (app.super_admin().await, app.super_admin().await, app.admin().await);
    let desks = || json!({"desks": ["money"]});
    admin.put(&path(&other), desks()).await.refused(403, "FORBIDDEN");
    boss.put(&path(&boss), desks()).await.refused(403, "FORBIDDEN");
    boss.put(&path(&other), desks()).await.refused(409, "CONFLICT");
    boss.put(&path(&app.customer().await), desks()).await.refused(409, "CONFLICT");
    for (odd, field) in [
        (json!({"desks": []}), "desks"),
        (json!({"desks": null}), "desks"),
        (json!({"desks": ["money", "garage"]}), "desks[1]"),
        (json!({"desks": ["money", "money", "money", "money", "money"]}), "desks"),
    ] {
        boss.put(&path(&admin), odd).await.refused_field(field);
    }

    // Another role has all its rights.
    move_to(&boss, &admin, &["money"]).await;
    let role = format!("/super-admin/users/{}/role", admin.user_id);
    let raised = boss.put(&role, json!({"role": "super_admin"})).await.expect(200);
    assert_eq!(raised["desks"], json!(ALL));
    let lowered = boss.put(&role, json!({"role": "admin"})).await.expect(200);
    assert_eq!(lowered["desks"], json!(ALL));
}

#[actix_web::test]
async fn an_invitation_sets_its_admins_desks() {
    let (app, boss) = spawn_with_super_admin().await;
    let body = json!({"email": KIRAN, "role": "admin", "desks": ["settings"]});
    let invited = boss.post("/super-admin/invites", body).await.expect(201);
    assert_eq!(invited["desks"], json!(["settings"]));
    let token = token_of(&app, "u1", KIRAN, true).await;
    let accepted = accept(&app, &invited, &token).await.expect(200);
    let kiran = app.anonymous().with_token(accepted["data"]["accessToken"].as_str().unwrap());
    kiran.get("/admin/cluster").await.expect(200);
    kiran.get("/admin/jobs").await.refused(403, "DESK_NEEDED");
    let trail = audited(&app, &id_of(&invited)).await;
    assert!(trail.iter().all(|(_, after)| after["desks"] == json!(["settings"])), "{trail:?}");

    let second = json!({"email": "ravi@example.com", "role": "super_admin", "desks": ["money"]});
    boss.post("/super-admin/invites", second).await.refused_field("desks");
    let open = invite(&boss, "ravi@example.com", "admin").await;
    assert_eq!(open["desks"], json!(ALL));

    // A returning admin gets the desks of the new invitation.
    let id = accepted["data"]["userId"].as_str().unwrap();
    boss.put(&format!("/super-admin/users/{id}/role"), json!({"role": "customer"})).await.expect(200);
    let again = json!({"email": KIRAN, "role": "admin", "desks": ["money", "people"]});
    let again = boss.post("/super-admin/invites", again).await.expect(201);
    let token = token_of(&app, "u1", KIRAN, true).await;
    let accepted = accept(&app, &again, &token).await.expect(200);
    assert_eq!(accepted["data"]["userId"], id);
    let kiran = app.anonymous().with_token(accepted["data"]["accessToken"].as_str().unwrap());
    assert_eq!(kiran.get("/users/me").await.expect(200)["desks"], json!(["money", "people"]));
}

#[actix_web::test]
async fn sockets_and_streams_of_a_narrowed_admin_end_at_once_and_are_refused_at_another_desk() {
    // Sessions are not rechecked periodically, so that only the change itself can end a socket.
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 3_600).await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let job = id_of(&app.breakdown().await.call().await);
    let map = || json!({"bbox": BOX, "zoom": 13});
    let mut socket = app.socket(&admin).await;
    socket.ask("fleet.subscribe", map()).await.expect("a map");
    socket.ask("job.subscribe", json!({ "job_id": job })).await.expect("followed");
    let stream = format!("/jobs/{job}/stream");
    let mut streamed = app.stream(&admin, &stream).await;
    streamed.expect("job.snapshot").await;

    move_to(&boss, &admin, &["money"]).await;
    assert_eq!(socket.closed().await, 1013);
    streamed.ended().await;
    let mut socket = app.socket(&admin).await;
    socket.ask("job.subscribe", json!({ "job_id": job })).await.expect("a money matter, too");
    let refused = socket.ask("fleet.subscribe", map()).await.expect_err("no map");
    assert_eq!(refused["code"], "DESK_NEEDED");

    move_to(&boss, &admin, &["settings"]).await;
    assert_eq!(socket.closed().await, 1013);
    let mut socket = app.socket(&admin).await;
    let refused = socket.ask("job.subscribe", json!({ "job_id": job })).await.expect_err("no job");
    assert_eq!(refused["code"], "DESK_NEEDED");
    admin.get(&stream).await.refused(403, "DESK_NEEDED");
    admin.get(&format!("/jobs/{job}")).await.refused(403, "DESK_NEEDED");
    // Routes about the admin's own data stay open.
    socket.settle().await;
    admin.post("/ws/ticket", json!({})).await.expect(200);
}

#[actix_web::test]
async fn files_are_only_shown_to_the_desk_that_needs_them() {
    let app = spawn_app().await;
    let (boss, mechanic) = (app.super_admin().await, app.registered_mechanic().await);
    let at = |desk| app.admin_at(&boss, desk);
    let (dispatch, people, settings) = (at("dispatch").await, at("people").await, at("settings").await);
    let paper = uploaded(&mechanic.client, "document", &photo()).await.path("/link");
    let picture = uploaded(&mechanic.client, "job_photo", &photo()).await.path("/link");
    people.get(&paper).await.expect(200);
    dispatch.get(&paper).await.refused(403, "DESK_NEEDED");
    dispatch.get(&picture).await.expect(200);
    settings.get(&picture).await.refused(403, "DESK_NEEDED");
}

async fn notes(person: &Person) -> Vec<Value> {
    let list = person.get("/notifications").await.expect(200);
    list["data"].as_array().unwrap().iter().map(|note| note["type"].clone()).collect()
}

#[actix_web::test]
async fn a_job_that_needs_an_admin_notifies_the_dispatch_desk() {
    let (app, boss) = spawn_with_super_admin().await;
    let (dispatch, people) = (app.admin_at(&boss, "dispatch").await, app.admin_at(&boss, "people").await);
    let scene = app.accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    let suspend = format!("/admin/users/{}/suspend", scene.mechanic.client.user_id);
    dispatch.post(&suspend, json!({"reason": "fraud"})).await.refused(403, "DESK_NEEDED");
    people.post(&suspend, json!({"reason": "fraud"})).await.expect(200);
    for notified in [&boss, &dispatch] {
        assert_eq!(notes(notified).await, ["job_needs_admin"]);
    }
    assert_eq!(notes(&people).await, Vec::<Value>::new());
}
