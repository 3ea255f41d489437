use serde_json::json;

use crate::support::{Client, new_phone, partners::ALL_SCOPES, spawn_with_admin};

#[actix_web::test]
async fn a_members_role_decides_their_scopes() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let roles: [(&str, &[&str]); 3] =
        [("manager", &ALL_SCOPES), ("dispatcher", &["read", "cases", "approvals"]), ("viewer", &["read"])];
    for (role, scopes) in roles {
        let member = partner.member(role).await;
        let shown = member.get("/partner").await.expect(200);
        assert_eq!((&shown["role"], &shown["scopes"]), (&json!(role), &json!(scopes)));
        let keys = member.get("/partner/keys").await;
        if role == "manager" {
            keys.expect(200);
        } else {
            let refused = keys.refused(403, "FORBIDDEN");
            assert_eq!(refused["error"]["message"], "Your role lacks the scope keys.");
        }
    }
    let listed = admin.get(&partner.path("/members")).await.expect(200);
    let listed: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|member| member["role"].clone()).collect();
    assert_eq!(listed, ["manager", "dispatcher", "viewer"]);
}

#[actix_web::test]
async fn a_person_is_a_member_of_one_organisation_until_they_are_removed_or_leave() {
    let (app, admin) = spawn_with_admin().await;
    let (one, other) = (app.partner(&admin).await, app.partner(&admin).await);
    let person = app.customer().await;
    let refused = person.get("/partner").await.refused(403, "FORBIDDEN");
    assert!(refused["error"]["message"].as_str().unwrap().starts_with("Only partners can do this"));
    let body = json!({"phone": person.phone, "name": "Somebody Else", "role": "viewer"});
    let member = admin.post(&one.path("/members"), body.clone()).await.expect(201);
    assert_eq!((&member["user_id"], &member["name"]), (&json!(person.user_id), &json!("Asha Rao")));
    assert_eq!(person.get("/partner").await.expect(200)["organisation_id"], json!(one.id));
    for partner in [&one, &other] {
        admin.post(&partner.path("/members"), body.clone()).await.refused(409, "CONFLICT");
    }

    let path = format!("/admin/organisation-members/{}", member["id"].as_str().unwrap());
    admin.delete(&path).await.expect(204);
    person.get("/partner").await.refused(403, "FORBIDDEN");
    admin.delete(&path).await.refused(404, "NOT_FOUND");
    admin.post(&other.path("/members"), body).await.expect(201);
    assert_eq!(person.get("/partner").await.expect(200)["organisation_id"], json!(other.id));
    person.delete("/users/me").await.expect(204);
    assert_eq!(admin.get(&other.path("/members")).await.expect(200)["total"], 0);
}

#[actix_web::test]
async fn a_member_who_became_an_admin_acts_for_nobody() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let join = "insert into organisation_members (id, organisation_id, user_id, role, created_at)
        values (gen_random_uuid(), $1::uuid, $2::uuid, 'manager', now())";
    sqlx::query(join).bind(&partner.id).bind(&admin.user_id).execute(&app.database.db).await.unwrap();
    admin.get("/partner").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_members_token_of_another_organisation_finds_no_key_of_this_one() {
    let (app, admin) = spawn_with_admin().await;
    let (one, other) = (app.partner(&admin).await, app.partner(&admin).await);
    let key = one.key(&["read"]).await;
    let (member, program) = (other.member("manager").await, other.program(&ALL_SCOPES).await);
    let callers: [&Client; 2] = [&member, &program];
    for caller in callers {
        let path = format!("/partner/keys/{}", key.id);
        caller.delete(&path).await.refused(404, "NOT_FOUND");
        caller.post(&format!("{path}/rotate"), json!({})).await.refused(404, "NOT_FOUND");
    }
    app.program(&key).get("/partner").await.expect(200);
    let invalid = json!({"phone": "12", "name": "", "role": "owner"});
    let refused = admin.post(&one.path("/members"), invalid).await.refused(422, "VALIDATION_FAILED");
    let named: Vec<_> = refused["error"]["errors"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(named, ["name", "phone", "role"]);
    let new = json!({"phone": new_phone(), "name": "Divya Shetty", "role": "viewer"});
    admin
        .post("/admin/organisations/018f0000-0000-7000-8000-00000000dead/members", new)
        .await
        .refused(404, "NOT_FOUND");
}
