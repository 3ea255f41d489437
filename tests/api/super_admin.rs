//! Inviting admins and changing roles, from the invitation to the first request as an admin.

use roadcall::{
    accounts::auth::Role,
    providers::identity::{Expected, Identity, LocalProvider},
};
use serde_json::{Value, json};

use crate::{
    providers::identity::JwksPeer,
    support::{
        Answer, PASSWORD, Person, TestApp, bodies::id_of, spawn_app, spawn_app_with, spawn_with_super_admin,
    },
};

pub const KIRAN: &str = "kiran@example.com";

pub async fn invite(by: &Person, email: &str, role: &str) -> Value {
    by.post("/super-admin/invites", json!({"email": email, "role": role})).await.expect(201)
}

pub async fn accept(app: &TestApp, invite: &Value, id_token: &str) -> Answer {
    let body = json!({"token": invite["token"], "idpIdToken": id_token});
    app.anonymous().post("/auth/accept-invite", body).await
}

/// Returns a token in which the embedded provider describes an identity.
pub async fn token_of(app: &TestApp, uid: &str, email: &str, email_verified: bool) -> String {
    let identity = Identity { email_verified, ..app.identity(uid, email).await };
    let provider = app.service.auth.auth.local_provider().expect("switched on");
    provider.issue(&identity, app.service.clock.now()).unwrap()
}

/// Invites and accepts as the identity with this uid; returns the response's data.
pub async fn made(app: &TestApp, by: &Person, uid: &str, email: &str, role: &str) -> Value {
    let invite = invite(by, email, role).await;
    accept(app, &invite, &token_of(app, uid, email, true).await).await.expect(200)["data"].take()
}

pub async fn expire(app: &TestApp, invite: &Value) {
    let expire = "update admin_invites set expires_at = now() - interval '1 second' where id = $1::uuid";
    app.change(expire, &[&id_of(invite)]).await;
}

/// Returns the actions of the audit log on an object, oldest first, with the state afterwards.
pub async fn audited(app: &TestApp, id: &str) -> Vec<(String, Value)> {
    app.rows("select action, after from audit_log where subject_id = $1::uuid order by at, id", &[id]).await
}

#[actix_web::test]
async fn an_invited_admin_makes_an_account_accepts_and_works() {
    let (app, boss) = spawn_with_super_admin().await;
    let invited = invite(&boss, " Kiran@Example.com ", "admin").await;
    assert_eq!((&invited["email"], &invited["status"]), (&json!(KIRAN), &json!("pending")));
    let token = invited["token"].as_str().unwrap();

    let anyone = app.anonymous();
    let account = json!({"token": token, "password": PASSWORD});
    assert_eq!(anyone.post("/idp/accounts", account.clone()).await.expect(200), json!({"email": KIRAN}));
    anyone.post("/idp/accounts", account).await.refused(409, "CONFLICT");
    let id_token = app.id_token(KIRAN).await;
    // The person is not an admin before the invitation is accepted.
    anyone.post("/auth/admin-login", json!({"idpIdToken": id_token})).await.refused(403, "FORBIDDEN");

    let accepted = accept(&app, &invited, id_token.as_str().unwrap()).await.expect(200);
    assert_eq!((&accepted["success"], &accepted["data"]["role"]), (&json!(true), &json!("admin")));
    let kiran = anyone.with_token(accepted["data"]["accessToken"].as_str().unwrap());
    kiran.get("/admin/users").await.expect(200);
    kiran.get("/super-admin/invites").await.refused(403, "FORBIDDEN");
    let again = app.sign_in_admin(KIRAN).await;
    assert_eq!(again.user_id, accepted["data"]["userId"]);

    accept(&app, &invited, id_token.as_str().unwrap()).await.refused(410, "LINK_EXPIRED");
    let listed = boss.get("/super-admin/invites?status=accepted").await.expect(200);
    assert_eq!(listed["total"], 1);
    assert_eq!(listed["data"][0]["accepted_by"], accepted["data"]["userId"]);
    assert_eq!(listed["data"][0].get("token"), None);
    let trail = audited(&app, &id_of(&invited)).await;
    assert_eq!(
        trail.iter().map(|(action, _)| action.as_str()).collect::<Vec<_>>(),
        ["invite.create", "invite.accept"]
    );
    assert!(!format!("{trail:?}").contains(token), "{trail:?}");
}

#[actix_web::test]
async fn an_invited_admin_accepts_with_an_external_provider() {
    let peer = JwksPeer::start().await;
    let url = peer.keys_url();
    let app = spawn_app_with(|settings| {
        settings.identity.jwks_url = url;
        settings.identity.issuer = "https://idp.example".to_owned();
        settings.identity.local_provider = false;
    })
    .await;
    let audience = app.service.settings.identity.audience.clone();
    let expected = Expected { issuer: "https://idp.example".to_owned(), audience, vouches_for_emails: false };
    let provider = LocalProvider::new([5; 32], expected, 300).unwrap();
    peer.publish(serde_json::to_value(&provider.published).unwrap());
    let token = |uid: &str, email: &str| {
        let identity = Identity {
            uid: uid.to_owned(),
            email: email.to_owned(),
            email_verified: true,
            account_version: None,
            roles: Vec::new(),
        };
        provider.issue(&identity, app.service.clock.now()).unwrap()
    };
    let boss = {
        app.make_admin("boss@example.com", Role::SuperAdmin).await;
        let login = json!({"idpIdToken": token("u-boss", "boss@example.com")});
        let signed_in = app.anonymous().post("/auth/admin-login", login).await.expect(200);
        app.anonymous().with_token(signed_in["data"]["accessToken"].as_str().unwrap())
    };
    let body = json!({"email": KIRAN, "role": "super_admin"});
    let invited = boss.post("/super-admin/invites", body).await.expect(201);
    // That provider has its own way to create accounts.
    let account = json!({"token": invited["token"], "password": PASSWORD});
    app.anonymous().post("/idp/accounts", account).await.refused(404, "NOT_FOUND");
    let accepted = accept(&app, &invited, &token("u-kiran", "KIRAN@example.com")).await.expect(200);
    let kiran = app.anonymous().with_token(accepted["data"]["accessToken"].as_str().unwrap());
    let admins = kiran.get("/super-admin/admins").await.expect(200);
    assert_eq!(admins["total"], 2);
    assert_eq!(admins["data"][0]["email"], KIRAN);
    // Contract 4.1, rule 3: the first login replaces the uid that the invitation left; the new uid then stays.
    let login = |uid: &str| json!({"idpIdToken": token(uid, KIRAN)});
    app.anonymous().post("/auth/admin-login", login("u-moved")).await.expect(200);
    app.anonymous().post("/auth/admin-login", login("u-kiran")).await.refused(401, "UNAUTHORIZED");
    app.anonymous().post("/auth/admin-login", login("u-moved")).await.expect(200);
}

#[actix_web::test]
async fn only_the_invited_person_accepts_an_invitation_while_it_is_pending() {
    let (app, boss) = spawn_with_super_admin().await;
    let invited = invite(&boss, KIRAN, "admin").await;
    let own = token_of(&app, "u1", KIRAN, true).await;
    let unknown = json!({"token": "nobody's"});
    accept(&app, &unknown, &own).await.refused(401, "UNAUTHORIZED");
    accept(&app, &invited, "nonsense").await.refused(401, "UNAUTHORIZED");
    accept(&app, &invited, &token_of(&app, "u2", "ravi@example.com", true).await)
        .await
        .refused(403, "FORBIDDEN");
    accept(&app, &invited, &token_of(&app, "u1", KIRAN, false).await)
        .await
        .refused(403, "EMAIL_NOT_VERIFIED");
    let short = json!({"token": invited["token"], "password": "seven77"});
    app.anonymous().post("/idp/accounts", short).await.refused_field("password");
    let forged = json!({"token": "nobody's", "password": PASSWORD});
    app.anonymous().post("/idp/accounts", forged).await.refused(401, "UNAUTHORIZED");
    app.anonymous().post("/auth/accept-invite", json!({})).await.refused(422, "VALIDATION_FAILED");

    let revoke = format!("/super-admin/invites/{}", id_of(&invited));
    boss.delete(&revoke).await.expect(204);
    boss.delete(&revoke).await.refused(409, "INVALID_TRANSITION");
    accept(&app, &invited, &own).await.refused(410, "LINK_EXPIRED");
    let account = json!({"token": invited["token"], "password": PASSWORD});
    app.anonymous().post("/idp/accounts", account).await.refused(410, "LINK_EXPIRED");

    let late = invite(&boss, KIRAN, "admin").await;
    expire(&app, &late).await;
    accept(&app, &late, &own).await.refused(410, "LINK_EXPIRED");
    boss.delete(&format!("/super-admin/invites/{}", id_of(&late))).await.refused(409, "INVALID_TRANSITION");
    for (status, total) in [("pending", 0), ("revoked", 1), ("expired", 1), ("accepted", 0)] {
        let listed = boss.get(&format!("/super-admin/invites?status={status}")).await.expect(200);
        assert_eq!(listed["total"], total, "{status}");
    }
    boss.get("/super-admin/invites?status=lost").await.refused_field("status");
    let admins = boss.get("/super-admin/admins").await.expect(200);
    assert_eq!(admins["total"], 1, "nobody became an admin");
}

#[actix_web::test]
async fn a_second_invitation_of_an_email_replaces_the_first() {
    let (app, boss) = spawn_with_super_admin().await;
    let first = invite(&boss, KIRAN, "super_admin").await;
    let second = invite(&boss, KIRAN, "admin").await;
    let own = token_of(&app, "u1", KIRAN, true).await;
    accept(&app, &first, &own).await.refused(410, "LINK_EXPIRED");
    assert_eq!(accept(&app, &second, &own).await.expect(200)["data"]["role"], "admin");
    boss.post("/super-admin/invites", json!({"email": KIRAN, "role": "admin"}))
        .await
        .refused(409, "CONFLICT");
    let odd = json!({"email": "kiran", "role": "customer"});
    let refused = boss.post("/super-admin/invites", odd).await.refused(422, "VALIDATION_FAILED");
    let named: Vec<&String> = refused["error"]["errors"].as_object().unwrap().keys().collect();
    assert_eq!(named, ["email", "role"]);
    // Two simultaneous invitations leave one open.
    let body = json!({"email": "ravi@example.com", "role": "admin"});
    let both =
        futures_util::future::join_all([1, 2].map(|_| boss.post("/super-admin/invites", body.clone()))).await;
    both.into_iter().for_each(|answer| drop(answer.expect(201)));
    let open = boss.get("/super-admin/invites?status=pending").await.expect(200);
    assert_eq!(open["total"], 1);
}

#[actix_web::test]
async fn an_invitation_accepted_from_several_places_at_once_makes_one_admin() {
    let (app, boss) = spawn_with_super_admin().await;
    let invited = invite(&boss, KIRAN, "admin").await;
    let mut tokens = Vec::new();
    for uid in ["u1", "u1", "u2", "u3"] {
        tokens.push(token_of(&app, uid, KIRAN, true).await);
    }
    let answers = tokens.iter().map(|token| accept(&app, &invited, token));
    assert_eq!(statuses(futures_util::future::join_all(answers).await), [200, 410, 410, 410]);
    assert_eq!(boss.get("/super-admin/admins").await.expect(200)["total"], 2);
}

#[actix_web::test]
async fn a_customer_with_the_invited_email_stays_a_customer() {
    let (app, boss) = spawn_with_super_admin().await;
    let customer = app.customer().await;
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let admin = made(&app, &boss, "u1", KIRAN, "admin").await;
    assert_ne!(admin["userId"], customer.user_id);
    assert_eq!(customer.get("/users/me").await.expect(200)["role"], "customer");
    customer.get("/admin/users").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_former_admin_who_is_invited_again_gets_their_account_back() {
    let (app, boss) = spawn_with_super_admin().await;
    let first = made(&app, &boss, "u1", KIRAN, "admin").await;
    let path = format!("/super-admin/users/{}/role", first["userId"].as_str().unwrap());
    boss.put(&path, json!({"role": "customer"})).await.expect(200);
    let again = made(&app, &boss, "u1", KIRAN, "super_admin").await;
    assert_eq!((&again["userId"], &again["role"]), (&first["userId"], &json!("super_admin")));
    // The same person signs in under another email, while being an admin.
    let invited = invite(&boss, "kiran@work.example", "admin").await;
    let other = token_of(&app, "u1", "kiran@work.example", true).await;
    accept(&app, &invited, &other).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn a_withdrawn_role_is_gone_at_once() {
    let app = spawn_app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    admin.get("/admin/users").await.expect(200);
    let path = format!("/super-admin/users/{}/role", admin.user_id);
    let shown = boss.put(&path, json!({"role": "customer"})).await.expect(200);
    assert_eq!((&shown["role"], &shown["id"]), (&json!("customer"), &json!(admin.user_id)));
    admin.get("/admin/users").await.refused(401, "UNAUTHORIZED");
    let refresh = json!({"refreshToken": admin.refresh_token});
    app.anonymous().post("/auth/refresh", refresh).await.refused(401, "UNAUTHORIZED");
    assert_eq!(boss.get("/super-admin/admins").await.expect(200)["total"], 1);
    // When the role is given back, the person has to sign in again.
    boss.put(&path, json!({"role": "admin"})).await.expect(200);
    boss.put(&path, json!({"role": "admin"})).await.expect(200);
    let trail = audited(&app, &admin.user_id).await;
    let roles: Vec<&Value> =
        trail.iter().filter(|row| row.0 == "user.role").map(|row| &row.1["role"]).collect();
    assert_eq!(roles, ["customer", "admin"], "what changed nothing is not told");
}

#[actix_web::test]
async fn a_promoted_admin_goes_on_as_super_admin_and_a_demoted_one_signs_in_again() {
    let (app, boss) = spawn_with_super_admin().await;
    app.make_admin(KIRAN, Role::Admin).await;
    let kiran = app.sign_in_admin(KIRAN).await;
    let path = format!("/super-admin/users/{}/role", kiran.user_id);
    kiran.get("/super-admin/admins").await.refused(403, "FORBIDDEN");
    boss.put(&path, json!({"role": "super_admin"})).await.expect(200);
    kiran.get("/super-admin/admins").await.expect(200);
    boss.put(&path, json!({"role": "admin"})).await.expect(200);
    kiran.get("/super-admin/admins").await.refused(401, "UNAUTHORIZED");
    let kiran = app.sign_in_admin(KIRAN).await;
    kiran.get("/admin/users").await.expect(200);
    kiran.get("/super-admin/admins").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn ones_own_role_and_the_last_super_admin_cannot_be_changed() {
    let app = spawn_app().await;
    let (one, other) = (app.super_admin().await, app.super_admin().await);
    let path = |person: &Person| format!("/super-admin/users/{}/role", person.user_id);
    one.put(&path(&one), json!({"role": "admin"})).await.refused(403, "FORBIDDEN");
    one.put(&path(&other), json!({"role": "admin"})).await.expect(200);
    other.put(&path(&one), json!({"role": "admin"})).await.refused(401, "UNAUTHORIZED");
    one.put(&path(&one), json!({"role": "customer"})).await.refused(403, "FORBIDDEN");
    one.put(&path(&other), json!({"role": "boss"})).await.refused_field("role");
}

#[actix_web::test]
async fn super_admins_who_demote_each_other_at_once_leave_one() {
    let app = spawn_app().await;
    for _ in 0..4 {
        let (one, other) = (app.super_admin().await, app.super_admin().await);
        let of = |person: &Person| format!("/super-admin/users/{}/role", person.user_id);
        let (to_other, to_one) = (of(&other), of(&one));
        let demote = || json!({"role": "customer"});
        let (first, second) = tokio::join!(one.put(&to_other, demote()), other.put(&to_one, demote()));
        let statuses = statuses([first, second]);
        // The slower one lost the role before its own turn: at admission, or under the lock.
        assert!(statuses[0] == 200 && [401, 403].contains(&statuses[1]), "{statuses:?}");
        let left: i64 = app.value("select count(*) from users where role = 'super_admin'", &[]).await;
        assert_eq!(left, 1);
        app.change("update users set role = 'customer'", &[]).await;
    }
}

#[actix_web::test]
async fn a_customer_becomes_an_admin_only_by_signing_in_as_one() {
    let (app, boss) = spawn_with_super_admin().await;
    let customer = app.customer().await;
    let path = format!("/super-admin/users/{}/role", customer.user_id);
    // There is no email to sign in with.
    boss.put(&path, json!({"role": "admin"})).await.refused(409, "CONFLICT");
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    boss.put(&path, json!({"role": "admin"})).await.expect(200);
    customer.get("/admin/users").await.refused(401, "UNAUTHORIZED");
    let sent = app.anonymous().post("/auth/send-otp", json!({"phone": customer.phone})).await.expect(200);
    let code = json!({"phone": customer.phone, "otp": sent["data"]["otp"]});
    app.anonymous().post("/auth/verify-otp", code).await.refused(403, "FORBIDDEN");
    let login = json!({"idpIdToken": token_of(&app, "u1", KIRAN, true).await});
    let signed_in = app.anonymous().post("/auth/admin-login", login).await.expect(200);
    assert_eq!(signed_in["data"]["userId"], customer.user_id);

    // Another customer also claims this email.
    let other = app.customer().await;
    other.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let taken = format!("/super-admin/users/{}/role", other.user_id);
    boss.put(&taken, json!({"role": "admin"})).await.refused(409, "CONFLICT");
    // Neither mechanics nor people with an open job can become admins.
    let mechanic = app.registered_mechanic().await.client;
    mechanic.patch("/users/me", json!({"email": "ravi@example.com"})).await.expect(200);
    let path = format!("/super-admin/users/{}/role", mechanic.user_id);
    boss.put(&path, json!({"role": "admin"})).await.refused(409, "CONFLICT");
    let stranded = app.breakdown().await;
    stranded.client.patch("/users/me", json!({"email": "asha@example.com"})).await.expect(200);
    stranded.call().await;
    let path = format!("/super-admin/users/{}/role", stranded.client.user_id);
    boss.put(&path, json!({"role": "admin"})).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn acceptances_are_limited_like_admin_logins() {
    let app = spawn_app_with(|settings| settings.limits.admin_login_per_minute = 2).await;
    app.service.clock.stop();
    let body = json!({"token": "guess", "idpIdToken": "a.b.c"});
    for _ in 0..2 {
        app.anonymous().post("/auth/accept-invite", body.clone()).await.refused(401, "UNAUTHORIZED");
    }
    app.anonymous().post("/auth/accept-invite", body).await.put_off(429, "RATE_LIMITED");
    let account = json!({"token": "guess", "password": PASSWORD});
    app.anonymous().post("/idp/accounts", account).await.refused(429, "RATE_LIMITED");
}
