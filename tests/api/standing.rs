//! After a change of somebody's role, invitation or password, nothing that remains still grants access.

use roadcall::accounts::auth::{self, Role};
use roadcall::platform::db::Transaction;
use serde_json::{Value, json};

use crate::{
    super_admin::{KIRAN, accept, audited, expire, invite, made, token_of},
    support::{
        Answer, PASSWORD, Person, Stranded, TestApp,
        bodies::{id_of, registration},
        rows::until_so_many_blocked,
        spawn_app, spawn_app_with, spawn_with_breakdown, spawn_with_mechanic, spawn_with_super_admin,
    },
};

/// The password of a person who holds a token that was meant for somebody else.
const LEAKERS: &str = "the leaker's own password";

/// Starts an app for tests that sign in more often than a person would.
async fn unlimited_app() -> TestApp {
    spawn_app_with(|settings| settings.limits.admin_login_per_minute = 1000).await
}

fn role_of(person: &Person) -> String {
    format!("/super-admin/users/{}/role", person.user_id)
}

/// Makes the customer an admin, who signs in as the identity "u1", and a customer again, who signs in by phone.
async fn once_an_admin(app: &TestApp, boss: &Person, customer: &Person) -> Person {
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    boss.put(&role_of(customer), json!({"role": "admin"})).await.expect(200);
    let login = json!({"idpIdToken": token_of(app, "u1", KIRAN, true).await});
    app.anonymous().post("/auth/admin-login", login).await.expect(200);
    boss.put(&role_of(customer), json!({"role": "customer"})).await.expect(200);
    app.sign_in(&customer.phone).await
}

#[actix_web::test]
async fn sessions_by_phone_end_if_an_invitation_gives_the_role_back() {
    let (app, boss) = spawn_with_super_admin().await;
    let customer = once_an_admin(&app, &boss, &app.customer().await).await;
    // The session is remembered as a customer's.
    customer.get("/users/me").await.expect(200);
    let again = made(&app, &boss, "u1", KIRAN, "admin").await;
    assert_eq!(again["userId"], customer.user_id);
    customer.get("/admin/users").await.refused(401, "UNAUTHORIZED");
    let refresh = json!({"refreshToken": customer.refresh_token});
    app.anonymous().post("/auth/refresh", refresh).await.refused(401, "UNAUTHORIZED");
    let kiran = app.anonymous().with_token(again["accessToken"].as_str().unwrap());
    kiran.get("/admin/users").await.expect(200);
}

#[actix_web::test]
async fn mechanics_and_customers_with_an_open_job_cannot_accept_an_invitation() {
    let (app, boss) = spawn_with_super_admin().await;
    let stranded = app.breakdown().await;
    let customer = once_an_admin(&app, &boss, &stranded.client).await;
    let stranded = Stranded { client: customer.clone(), ..stranded };
    let invited = invite(&boss, KIRAN, "admin").await;
    let own = token_of(&app, "u1", KIRAN, true).await;
    let job = id_of(&stranded.call().await);
    accept(&app, &invited, &own).await.refused(409, "CONFLICT");
    stranded.cancel(&job).await;
    customer.post("/mechanics/register", registration()).await.expect(201);
    accept(&app, &invited, &own).await.refused(409, "CONFLICT");
    assert_eq!(customer.get("/users/me").await.expect(200)["role"], "customer");
    assert_eq!(boss.get("/super-admin/invites?status=pending").await.expect(200)["total"], 1);
}

/// Returns the route by which a super-admin ends an admin's account.
fn end_of(person: &Person) -> String {
    format!("/super-admin/users/{}", person.user_id)
}

async fn make_account(app: &TestApp, invite: &Value, password: &str) -> Answer {
    let body = json!({"token": invite["token"], "password": password});
    app.anonymous().post("/idp/accounts", body).await
}

async fn id_token(app: &TestApp, password: &str) -> Answer {
    app.anonymous().post("/idp/token", json!({"email": KIRAN, "password": password})).await
}

#[actix_web::test]
async fn an_account_made_by_a_leaked_invitation_ends_with_it() {
    let app = unlimited_app().await;
    let boss = app.super_admin().await;
    for way in ["revoked", "replaced", "expired"] {
        let leaked = invite(&boss, KIRAN, "admin").await;
        make_account(&app, &leaked, LEAKERS).await.expect(200);
        let stolen = id_token(&app, LEAKERS).await.expect(200)["idToken"].take();
        match way {
            "revoked" => {
                drop(boss.delete(&format!("/super-admin/invites/{}", id_of(&leaked))).await.expect(204))
            }
            "expired" => expire(&app, &leaked).await,
            _ => (),
        }
        let kirans = match way {
            "replaced" => invite(&boss, KIRAN, "admin").await,
            _ => {
                id_token(&app, LEAKERS).await.refused(401, "UNAUTHORIZED");
                invite(&boss, KIRAN, "admin").await
            }
        };
        id_token(&app, LEAKERS).await.refused(401, "UNAUTHORIZED");
        make_account(&app, &kirans, PASSWORD).await.expect(200);
        id_token(&app, LEAKERS).await.refused(401, "UNAUTHORIZED");
        accept(&app, &kirans, stolen.as_str().unwrap()).await.refused(401, "UNAUTHORIZED");
        let own = app.id_token(KIRAN).await;
        let accepted = accept(&app, &kirans, own.as_str().unwrap()).await.expect(200);
        // An accepted account outlives its invitation.
        auth::sweep(&app.service.db, app.service.clock.now(), 1000).await.unwrap();
        let kiran = app.sign_in_admin(KIRAN).await;
        assert_eq!(accepted["data"]["userId"], kiran.user_id, "{way}");
        boss.delete(&end_of(&kiran)).await.expect(204);
    }
}

#[actix_web::test]
async fn an_account_of_an_unaccepted_invitation_signs_in_to_nothing_else() {
    let (app, boss) = spawn_with_super_admin().await;
    let leaked = invite(&boss, KIRAN, "admin").await;
    make_account(&app, &leaked, LEAKERS).await.expect(200);
    let kiran = app.customer().await;
    kiran.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    boss.put(&role_of(&kiran), json!({"role": "super_admin"})).await.expect(200);
    let login = json!({"idpIdToken": id_token(&app, LEAKERS).await.expect(200)["idToken"]});
    app.anonymous().post("/auth/admin-login", login.clone()).await.refused(403, "FORBIDDEN");
    boss.delete(&format!("/super-admin/invites/{}", id_of(&leaked))).await.expect(204);
    app.anonymous().post("/auth/admin-login", login).await.refused(401, "UNAUTHORIZED");
    id_token(&app, LEAKERS).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn accounts_of_expired_invitations_are_swept() {
    let (app, boss) = spawn_with_super_admin().await;
    let invited = invite(&boss, KIRAN, "admin").await;
    make_account(&app, &invited, LEAKERS).await.expect(200);
    let left = || async {
        let left = sqlx::query_scalar::<_, i64>("select count(*) from idp_accounts where email = $1");
        left.bind(KIRAN).fetch_one(&app.database.db).await.unwrap()
    };
    auth::sweep(&app.service.db, app.service.clock.now(), 1000).await.unwrap();
    assert_eq!(left().await, 1);
    expire(&app, &invited).await;
    auth::sweep(&app.service.db, app.service.clock.now(), 1000).await.unwrap();
    assert_eq!(left().await, 0);
}

#[actix_web::test]
async fn an_id_token_is_void_after_a_change_of_the_password() {
    let (app, boss) = spawn_with_super_admin().await;
    app.make_admin(KIRAN, Role::Admin).await;
    let anyone = app.anonymous();
    let login = |token| anyone.post("/auth/admin-login", json!({ "idpIdToken": token }));
    let old = app.id_token(KIRAN).await;
    // This is like `roadcall admin create`.
    app.make_admin(KIRAN, Role::Admin).await;
    login(old.clone()).await.refused(401, "UNAUTHORIZED");
    let new = app.id_token(KIRAN).await;
    let signed_in = login(new.clone()).await.expect(200);
    // The old token accepts no invitation either.
    let path = format!("/super-admin/users/{}/role", signed_in["data"]["userId"].as_str().unwrap());
    boss.put(&path, json!({"role": "customer"})).await.expect(200);
    let invited = invite(&boss, KIRAN, "admin").await;
    accept(&app, &invited, old.as_str().unwrap()).await.refused(401, "UNAUTHORIZED");
    accept(&app, &invited, new.as_str().unwrap()).await.expect(200);
}

/// Makes changes of who is an admin wait for this transaction's end.
async fn hold_admins(app: &TestApp) -> Transaction {
    let mut held = app.database.db.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(3, 0)").execute(&mut *held).await.unwrap();
    held
}

#[actix_web::test]
async fn invitations_end_with_their_senders_rights() {
    let app = unlimited_app().await;
    let boss = app.super_admin().await;
    for way in ["demoted", "suspended", "left"] {
        let inviter = app.super_admin().await;
        let invited = invite(&inviter, KIRAN, "super_admin").await;
        let foreign = invite(&boss, &format!("{way}@example.com"), "admin").await;
        make_account(&app, &invited, PASSWORD).await.expect(200);
        let own = app.id_token(KIRAN).await;
        let suspend = format!("/admin/users/{}/suspend", inviter.user_id);
        match way {
            "demoted" => boss.put(&role_of(&inviter), json!({"role": "admin"})).await.expect(200),
            "suspended" => boss.post(&suspend, json!({"reason": "fraud"})).await.expect(200),
            _ => boss.delete(&end_of(&inviter)).await.expect(204),
        };
        accept(&app, &invited, own.as_str().unwrap()).await.refused(410, "LINK_EXPIRED");
        make_account(&app, &invited, PASSWORD).await.refused(410, "LINK_EXPIRED");
        let trail = audited(&app, &id_of(&invited)).await;
        let actions: Vec<&str> = trail.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(actions, ["invite.create", "invite.revoke"], "{way}");
        make_account(&app, &foreign, PASSWORD).await.expect(200);
        assert_eq!(
            boss.get("/super-admin/invites?status=revoked").await.expect(200)["data"][0]["id"],
            invited["id"]
        );
    }
}

#[actix_web::test]
async fn an_invitation_of_a_sender_who_lost_the_role_is_void() {
    let (app, inviter) = spawn_with_super_admin().await;
    let invited = invite(&inviter, KIRAN, "super_admin").await;
    let own = token_of(&app, "u1", KIRAN, true).await;
    let demote = "update users set role = 'customer' where role = 'super_admin'";
    app.change(demote, &[]).await;
    accept(&app, &invited, &own).await.refused(410, "LINK_EXPIRED");
    make_account(&app, &invited, PASSWORD).await.refused(410, "LINK_EXPIRED");
}

#[actix_web::test]
async fn admins_who_suspend_each_other_at_once_leave_one() {
    let app = spawn_app().await;
    let (one, other) = (app.super_admin().await, app.super_admin().await);
    let of = |person: &Person| format!("/admin/users/{}/suspend", person.user_id);
    let (of_one, of_other) = (of(&one), of(&other));
    let why = || json!({"reason": "fraud"});
    // Both are admitted as admins before either is suspended.
    let held = hold_admins(&app).await;
    let release = async {
        until_so_many_blocked(&app.database.db, 2).await;
        held.commit().await.unwrap();
    };
    let (first, second, ()) = tokio::join!(one.post(&of_other, why()), other.post(&of_one, why()), release);
    assert_eq!(statuses([first, second]), [200, 403]);
}

#[actix_web::test]
async fn a_forbidden_target_is_refused_before_faults_of_the_body() {
    let app = spawn_app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    boss.put(&role_of(&boss), json!({"role": "king"})).await.refused(403, "FORBIDDEN");
    for (who, whom) in [(&boss, &boss), (&admin, &admin), (&admin, &boss)] {
        let path = format!("/admin/users/{}", whom.user_id);
        who.post(&format!("{path}/suspend"), json!({"why": 1})).await.refused(403, "FORBIDDEN");
        who.post(&format!("{path}/reinstate"), json!({"why": 1})).await.refused(403, "FORBIDDEN");
    }
    boss.put(&role_of(&admin), json!({"role": "king"})).await.refused_field("role");
}

/// Makes an admin like `roadcall admin create`.
async fn create_admin(app: &TestApp, email: &str, role: Role) -> Result<String, String> {
    let state = &app.service;
    let made = roadcall::lifecycle::admins::create_admin(
        &state.db,
        email,
        PASSWORD,
        role,
        &state.clock,
        &state.random,
    )
    .await;
    made.map(|id| id.to_string()).map_err(|why| why.to_string())
}

#[actix_web::test]
async fn the_command_line_gives_a_demoted_admin_the_role_back() {
    let (app, boss) = spawn_with_super_admin().await;
    let id = create_admin(&app, KIRAN, Role::Admin).await.unwrap();
    boss.put(&format!("/super-admin/users/{id}/role"), json!({"role": "customer"})).await.expect(200);
    assert_eq!(create_admin(&app, KIRAN, Role::SuperAdmin).await.as_ref(), Ok(&id));
    let kiran = app.sign_in_admin(KIRAN).await;
    assert_eq!(kiran.user_id, id);
    kiran.get("/super-admin/admins").await.expect(200);
    let rows = "select before from audit_log where action = 'admin.create' and subject_id::text = $1 order by at, id";
    let befores: Vec<Option<Value>> =
        sqlx::query_scalar(rows).bind(&id).fetch_all(&app.database.db).await.unwrap();
    let before = |before: &Option<Value>| before.clone().filter(|before| !before.is_null());
    assert_eq!(before(&befores[0]), None);
    let demoted = json!({"role": "customer", "email": KIRAN, "status": "active", "second_factor": false});
    assert_eq!(before(&befores[1]), Some(demoted));
}

#[actix_web::test]
async fn the_command_line_finds_an_admin_who_has_changed_their_email() {
    let app = spawn_app().await;
    let id = create_admin(&app, KIRAN, Role::Admin).await.unwrap();
    let kiran = app.sign_in_admin(KIRAN).await;
    kiran.patch("/users/me", json!({"email": "kiran@home.example"})).await.expect(200);
    // The admin is found by the email that they sign in with.
    assert_eq!(create_admin(&app, KIRAN, Role::Admin).await.as_ref(), Ok(&id));
    let kiran = app.sign_in_admin(KIRAN).await;
    assert_eq!(kiran.user_id, id);
    // The admin is also found by their current email; the old one no longer signs in.
    kiran.patch("/users/me", json!({"email": "kiran@home.example"})).await.expect(200);
    assert_eq!(create_admin(&app, "kiran@home.example", Role::Admin).await.as_ref(), Ok(&id));
    assert_eq!(app.sign_in_admin("kiran@home.example").await.user_id, id);
    id_token(&app, PASSWORD).await.refused(401, "UNAUTHORIZED");
    // If somebody else has that email by now, the command says so.
    let kiran = app.sign_in_admin("kiran@home.example").await;
    kiran.patch("/users/me", json!({"email": "kiran@work.example"})).await.expect(200);
    let other = app.admin().await;
    other.patch("/users/me", json!({"email": "kiran@home.example"})).await.expect(200);
    let refusal = create_admin(&app, "kiran@home.example", Role::Admin).await.unwrap_err();
    assert!(refusal.contains("another admin"), "{refusal}");
}

#[actix_web::test]
async fn the_command_line_keeps_the_last_super_admin_and_refuses_mechanics() {
    let app = spawn_app().await;
    let id = create_admin(&app, KIRAN, Role::SuperAdmin).await.unwrap();
    let refusal = create_admin(&app, KIRAN, Role::Admin).await.unwrap_err();
    assert!(refusal.contains("last active super-admin"), "{refusal}");
    let kiran = app.sign_in_admin(KIRAN).await;
    let invited = invite(&kiran, "ravi@example.com", "super_admin").await;
    let boss = app.super_admin().await;
    assert_eq!(create_admin(&app, KIRAN, Role::Admin).await.as_ref(), Ok(&id));
    boss.put(&format!("/super-admin/users/{id}/role"), json!({"role": "customer"})).await.expect(200);
    let own = token_of(&app, "u2", "ravi@example.com", true).await;
    accept(&app, &invited, &own).await.refused(410, "LINK_EXPIRED");

    let mechanic = once_an_admin(&app, &boss, &app.customer().await).await;
    mechanic.post("/mechanics/register", registration()).await.expect(201);
    // This is the email of that identity's account.
    let refusal = create_admin(&app, "u1@accounts.example", Role::Admin).await.unwrap_err();
    assert!(refusal.contains("mechanic"), "{refusal}");
    assert_eq!(mechanic.get("/users/me").await.expect(200)["role"], "customer");
}

/// Locks the account, so that nobody can change it before this transaction's end.
pub async fn lock_account(app: &TestApp, person: &Person) -> Transaction {
    let mut held = app.database.db.begin().await.unwrap();
    let lock = sqlx::query("select id from users where id::text = $1 for update").bind(&person.user_id);
    lock.execute(&mut *held).await.unwrap();
    held
}

/// Sends both requests while the account is locked, the second behind the first.
pub async fn one_behind_the_other(
    app: &TestApp,
    person: &Person,
    first: impl Future<Output = Answer>,
    second: impl Future<Output = Answer>,
) -> (Answer, Answer) {
    let held = lock_account(app, person).await;
    behind(app, held, first, second).await
}

/// Sends both requests while `held` keeps them waiting, the second behind the first.
pub async fn behind(
    app: &TestApp,
    held: Transaction,
    first: impl Future<Output = Answer>,
    second: impl Future<Output = Answer>,
) -> (Answer, Answer) {
    let second = async {
        until_so_many_blocked(&app.database.db, 1).await;
        second.await
    };
    let release = async {
        until_so_many_blocked(&app.database.db, 2).await;
        held.commit().await.unwrap();
    };
    let (first, second, ()) = tokio::join!(first, second, release);
    (first, second)
}

#[actix_web::test]
async fn requests_of_a_customer_who_becomes_an_admin_are_refused() {
    let (app, boss) = spawn_with_super_admin().await;
    let admin = || json!({"role": "admin"});
    let stranded = app.breakdown().await;
    stranded.client.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let promote = role_of(&stranded.client);
    let call = stranded.client.post("/jobs", stranded.call_body());
    let (promoted, called) =
        one_behind_the_other(&app, &stranded.client, boss.put(&promote, admin()), call).await;
    promoted.expect(200);
    called.refused(403, "FORBIDDEN");

    let customer = app.customer().await;
    customer.patch("/users/me", json!({"email": "ravi@example.com"})).await.expect(200);
    let promote = role_of(&customer);
    let register = customer.post("/mechanics/register", registration());
    let (promoted, registered) =
        one_behind_the_other(&app, &customer, boss.put(&promote, admin()), register).await;
    promoted.expect(200);
    registered.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn customers_with_a_job_cannot_become_admins_and_suspended_ones_cannot_create_jobs() {
    let (app, boss) = spawn_with_super_admin().await;
    let stranded = app.breakdown().await;
    let customer = &stranded.client;
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let (promote, suspend) = (role_of(customer), format!("/admin/users/{}/suspend", customer.user_id));
    let call = customer.post("/jobs", stranded.call_body());
    let promote = boss.put(&promote, json!({"role": "admin"}));
    let (called, promoted) = one_behind_the_other(&app, customer, call, promote).await;
    let job = id_of(&called.expect(201));
    promoted.refused(409, "CONFLICT");
    stranded.cancel(&job).await;
    let suspend = boss.post(&suspend, json!({"reason": "fraud"}));
    let call = customer.post("/jobs", stranded.call_body());
    let (suspended, called) = one_behind_the_other(&app, customer, suspend, call).await;
    suspended.expect(200);
    called.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn one_customer_makes_two_jobs_at_once() {
    let (app, stranded) = spawn_with_breakdown().await;
    let car = json!({"vehicle_type": "four_wheeler", "make": "Maruti", "model": "Swift",
        "registration_number": "KA01AB9999"});
    let car = id_of(&stranded.client.post("/vehicles", car).await.expect(201));
    let mut other = stranded.call_body();
    other["vehicle_id"] = json!(car);
    let first = stranded.client.post("/jobs", stranded.call_body());
    let second = stranded.client.post("/jobs", other);
    let (first, second) = one_behind_the_other(&app, &stranded.client, first, second).await;
    first.expect(201);
    second.expect(201);
}

#[actix_web::test]
async fn the_end_and_the_email_of_an_admin_are_in_the_audit_log() {
    let (app, boss) = spawn_with_super_admin().await;
    for role in [Role::Admin, Role::SuperAdmin] {
        let admin = app.admin_as(role).await;
        admin.patch("/users/me", json!({"name": "Kiran"})).await.expect(200);
        admin.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
        admin.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
        admin.delete("/users/me").await.refused(403, "FORBIDDEN");
        boss.delete(&end_of(&admin)).await.expect(204);
        admin.get("/users/me").await.refused(401, "UNAUTHORIZED");
        let trail = audited(&app, &admin.user_id).await;
        let actions: Vec<&str> = trail.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(actions, ["admin.create", "user.name", "user.email", "user.end"]);
        assert_eq!(trail[1].1, json!({"name": "Kiran"}));
        assert_eq!(trail[2].1, json!({"email": KIRAN, "email_verified": false}));
        assert_eq!(trail[3].1, json!({"role": role.as_str(), "status": "deleted"}));
    }
    let customer = app.customer().await;
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    customer.delete("/users/me").await.expect(204);
    assert!(audited(&app, &customer.user_id).await.is_empty());
}

#[actix_web::test]
async fn admins_who_left_are_not_listed() {
    let app = spawn_app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    assert_eq!(boss.get("/super-admin/admins").await.expect(200)["total"], 2);
    boss.delete(&end_of(&admin)).await.expect(204);
    let left = boss.get("/super-admin/admins").await.expect(200);
    assert_eq!(left["total"], 1);
    let ids: Vec<&Value> = left["data"].as_array().unwrap().iter().map(|admin| &admin["id"]).collect();
    assert_eq!(ids, [&json!(boss.user_id)]);
}

#[actix_web::test]
async fn an_email_with_lookalike_letters_is_another_email() {
    let (app, boss) = spawn_with_super_admin().await;
    let odd = "\u{212a}iran@example.com";
    let invited = invite(&boss, KIRAN, "admin").await;
    let own = token_of(&app, "u1", odd, true).await;
    accept(&app, &invited, &own).await.refused(403, "FORBIDDEN");
    create_admin(&app, KIRAN, Role::Admin).await.unwrap();
    app.anonymous().post("/auth/admin-login", json!({"idpIdToken": own})).await.refused(403, "FORBIDDEN");
    let customer = app.customer().await;
    customer.patch("/users/me", json!({"email": odd})).await.refused_field("email");
    let shout = token_of(&app, "u2", "KIRAN@EXAMPLE.COM", true).await;
    app.anonymous().post("/auth/admin-login", json!({"idpIdToken": shout})).await.expect(200);
}

#[actix_web::test]
async fn a_former_mechanic_stays_offline() {
    let (_app, admin, mechanic) = spawn_with_mechanic().await;
    mechanic.client.delete("/users/me").await.expect(204);
    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    for way in ["reinstate", "verify"] {
        admin.post(&format!("{path}/{way}"), json!({})).await.refused(409, "INVALID_TRANSITION");
    }
    assert_eq!(admin.get(&path).await.expect(200)["status"], "suspended");
}
