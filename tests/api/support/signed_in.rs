//! Callers: customers, mechanics and admins.
//!
//! Most tests are not about signing in, so people get their accounts and sessions here by the functions behind it, without
//! a code, a password or a request. Tests of sign-in itself (`auth`) use HTTP.

use std::{
    ops::Deref,
    sync::atomic::{AtomicU32, Ordering},
};

use chrono::{DateTime, Utc};
use roadcall::{
    accounts::auth::{
        self, AuthContext, Role, SignedIn, idp,
        sessions::{self, SessionOwner},
    },
    lifecycle::admins::create_admin_with_hash,
    providers::identity::Identity,
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{
    Client, TestApp,
    bodies::{id_of, registration},
};

/// The password of every admin in the tests.
pub const PASSWORD: &str = "correct horse battery staple";

/// Somebody who is signed in; requests are made as this person.
#[derive(Debug, Clone)]
pub struct Person {
    client: Client,
    pub user_id: String,
    /// The phone number, or an empty text for an admin.
    pub phone: String,
    pub refresh_token: String,
}

impl Deref for Person {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Person {
    /// Returns a program, which has no account, where a table lists it among people.
    pub fn of_program(client: Client) -> Self {
        Self { client, user_id: String::new(), phone: String::new(), refresh_token: String::new() }
    }
}

/// A mechanic who is signed in.
#[derive(Debug, Clone)]
pub struct MechanicClient {
    pub client: Person,
    pub profile_id: String,
}

/// Returns the hash of [`PASSWORD`]. A test process computes it once.
async fn password_hash() -> &'static str {
    static HASH: OnceCell<String> = OnceCell::const_new();
    let hash = async || idp::hash_password(PASSWORD.to_owned(), String::new()).await.expect("a hash");
    HASH.get_or_init(hash).await
}

/// Returns a phone number that no test has used.
pub fn new_phone() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("+9198{:08}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl TestApp {
    /// Signs somebody in with a phone number of their own.
    pub async fn customer(&self) -> Person {
        self.sign_in(&new_phone()).await
    }

    /// Opens a session of the person with that phone number, and creates an account for a new number.
    pub async fn sign_in(&self, phone: &str) -> Person {
        let (auth, now) = (self.auth(), self.service.clock.now());
        // The test's own connections work even while the service is stopped.
        let mut tx = self.database.db.begin().await.expect("a transaction");
        let id = auth.random.id(now);
        let person =
            auth::person_of_phone(&mut tx, id, phone, Some("Asha Rao"), now).await.expect("a person");
        auth::may_sign_in(&person).expect("somebody who may sign in");
        let budget = auth.auth.budget_of(person.id, Some(phone));
        let owner = SessionOwner { user_id: person.id, role: person.role, budget };
        let signed_in = sessions::open(auth, &mut tx, owner, None, now).await.expect("a session");
        tx.commit().await.expect("a commit");
        auth::forget(auth, person.id).await;
        self.person(signed_in, phone)
    }

    /// Signs in by the code that a phone gets, as an app does.
    pub async fn sign_in_by_code(&self, phone: &str) -> Person {
        let anyone = self.anonymous();
        let sent = anyone.post("/auth/send-otp", json!({ "phone": phone })).await.expect(200);
        let body = json!({ "phone": phone, "otp": sent["data"]["otp"], "name": "Asha Rao" });
        let signed_in = anyone.post("/auth/verify-otp", body).await.expect(200);
        self.person_of(&signed_in["data"], phone)
    }

    fn auth(&self) -> &AuthContext {
        &self.service.edge.auth
    }

    pub async fn admin(&self) -> Person {
        self.admin_as(Role::Admin).await
    }

    pub async fn super_admin(&self) -> Person {
        self.admin_as(Role::SuperAdmin).await
    }

    pub async fn admin_as(&self, role: Role) -> Person {
        let (auth, now) = (self.auth(), self.service.clock.now());
        let email = format!("{}@example.com", auth.random.id(now));
        self.make_admin(&email, role).await;
        // The test's own connections work even while the service is stopped.
        let mut tx = self.database.db.begin().await.expect("a transaction");
        let account = auth::admin_of_identity(&mut tx, "", &email).await.expect("a row").expect("an admin");
        let uid = account.idp_uid.clone().expect("an identity");
        let identity =
            Identity { uid, email, email_verified: true, account_version: None, roles: Vec::new() };
        let signed_in = auth::open_admin_session(auth, &mut tx, &account, &identity, None, now).await;
        tx.commit().await.expect("a commit");
        self.person(signed_in.expect("a session"), "")
    }

    /// Makes an admin whom `boss`, a super-admin, has narrowed to one desk.
    pub async fn admin_at(&self, boss: &Client, desk: &str) -> Person {
        let admin = self.admin().await;
        let path = format!("/super-admin/users/{}/desks", admin.user_id);
        boss.put(&path, json!({ "desks": [desk] })).await.expect(200);
        admin
    }

    /// Makes an admin who has not signed in yet; returns the user's id.
    pub async fn make_admin(&self, email: &str, role: Role) -> Uuid {
        let (db, service) = (&self.database.db, &self.service);
        let hash = password_hash().await;
        let made = create_admin_with_hash(db, email, hash, role, &service.clock, &service.random).await;
        made.expect("an admin")
    }

    /// Signs in with a token of the local identity provider.
    pub async fn sign_in_admin(&self, email: &str) -> Person {
        let anyone = self.anonymous();
        let token = self.id_token(email).await;
        let signed_in = anyone.post("/auth/admin-login", json!({ "idpIdToken": token })).await.expect(200);
        self.person_of(&signed_in["data"], "")
    }

    fn person_of(&self, data: &Value, phone: &str) -> Person {
        let text = |field: &str| data[field].as_str().unwrap_or_else(|| panic!("no {field}")).to_owned();
        Person {
            client: self.anonymous().with_token(text("accessToken")),
            user_id: text("userId"),
            phone: phone.to_owned(),
            refresh_token: text("refreshToken"),
        }
    }

    /// Returns a token of the local identity provider for that email.
    pub async fn id_token(&self, email: &str) -> Value {
        let login = json!({ "email": email, "password": PASSWORD });
        self.anonymous().post("/idp/token", login).await.expect(200)["idToken"].take()
    }

    /// Returns an identity of the embedded provider; creates its account for a new `uid`. That account has its own email,
    /// so several identities can claim the same one.
    pub async fn identity(&self, uid: &str, email: &str) -> Identity {
        let make =
            "insert into idp_accounts (uid, email, email_verified, password_hash, created_at, updated_at)
            values ($1, $1 || '@accounts.example', true, '', $2, $2) on conflict (uid) do nothing";
        let db = &self.database.db;
        sqlx::query(make).bind(uid).bind(self.service.clock.now()).execute(db).await.expect("an account");
        let version = "select updated_at from idp_accounts where uid = $1";
        let version: DateTime<Utc> =
            sqlx::query_scalar(version).bind(uid).fetch_one(db).await.expect("its version");
        Identity {
            uid: uid.to_owned(),
            email: email.to_owned(),
            email_verified: true,
            account_version: Some(version.timestamp_micros()),
            roles: Vec::new(),
        }
    }

    fn person(&self, signed_in: SignedIn, phone: &str) -> Person {
        Person {
            client: self.anonymous().with_token(signed_in.access_token),
            user_id: signed_in.user_id.to_string(),
            phone: phone.to_owned(),
            refresh_token: signed_in.refresh_token.expect("a session of no browser has one"),
        }
    }

    /// Registers a mechanic whose profile waits for verification.
    pub async fn registered_mechanic(&self) -> MechanicClient {
        let client = self.customer().await;
        let profile = client.post("/mechanics/register", registration()).await.expect(201);
        MechanicClient { client, profile_id: id_of(&profile) }
    }

    /// Registers a mechanic, whom an admin verifies.
    pub async fn mechanic(&self) -> MechanicClient {
        self.verified_mechanic(&*self.admin().await).await
    }

    /// Changes the services of a verified mechanic, approved by `admin`.
    pub async fn serve(&self, admin: &Client, mechanic: &Client, changes: Value) {
        let asked = mechanic.patch("/mechanics/me", changes).await.expect(200);
        let path = format!("/admin/mechanic-changes/{}/approve", id_of(&asked["pending_change"]));
        admin.post(&path, json!({})).await.expect(200);
    }

    /// Registers a mechanic, whom `admin` verifies.
    pub async fn verified_mechanic(&self, admin: &Client) -> MechanicClient {
        let mechanic = self.registered_mechanic().await;
        admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), json!({})).await.expect(200);
        mechanic
    }
}
