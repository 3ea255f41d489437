//! Who calls: customers, mechanics and admins, made the way real ones are.

use std::sync::atomic::{AtomicU32, Ordering};

use roadcall::auth::{self, Role};
use serde_json::json;

use super::{
    Client, TestApp,
    bodies::{id_of, registration},
};

const PASSWORD: &str = "correct horse battery staple";

/// A mechanic who is signed in.
#[derive(Debug, Clone)]
pub struct MechanicClient {
    pub client: Client,
    pub profile_id: String,
}

impl TestApp {
    /// Someone who signed in with a phone number of their own.
    pub async fn customer(&self) -> Client {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let phone = format!("+9198{:08}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.sign_in(&phone).await
    }

    /// Whoever has that phone number.
    pub async fn sign_in(&self, phone: &str) -> Client {
        let anyone = self.anonymous();
        let sent = anyone.post("/auth/send-otp", json!({ "phone": phone })).await.expect(200);
        let body = json!({ "phone": phone, "otp": sent["data"]["otp"], "name": "Asha Rao" });
        let signed_in = anyone.post("/auth/verify-otp", body).await.expect(200);
        anyone.with_token(signed_in["data"]["accessToken"].as_str().expect("a token"))
    }

    pub async fn admin(&self) -> Client {
        self.admin_as(Role::Admin).await
    }

    pub async fn super_admin(&self) -> Client {
        self.admin_as(Role::SuperAdmin).await
    }

    async fn admin_as(&self, role: Role) -> Client {
        let state = &self.state;
        let email = format!("{}@example.com", state.random.id(state.clock.now()));
        auth::create_admin(&state.db, &email, PASSWORD, role, &state.clock, &state.random)
            .await
            .expect("an admin");
        let anyone = self.anonymous();
        let body = json!({ "email": email, "password": PASSWORD });
        let token = anyone.post("/idp/token", body).await.expect(200);
        let body = json!({ "idpIdToken": token["idToken"] });
        let signed_in = anyone.post("/auth/admin-login", body).await.expect(200);
        anyone.with_token(signed_in["data"]["accessToken"].as_str().expect("a token"))
    }

    /// A mechanic whose profile waits for verification.
    pub async fn registered_mechanic(&self) -> MechanicClient {
        let client = self.customer().await;
        let profile = client.post("/mechanics/register", registration()).await.expect(201);
        MechanicClient { client, profile_id: id_of(&profile) }
    }

    /// A mechanic whom `admin` has verified.
    pub async fn verified_mechanic(&self, admin: &Client) -> MechanicClient {
        let mechanic = self.registered_mechanic().await;
        admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), json!({})).await.expect(200);
        mechanic
    }
}
