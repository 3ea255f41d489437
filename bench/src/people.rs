//! Creates the people of a run, only through the public interface: signed in, verified, with vehicles.

use std::{future::Future, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use crate::{
    Failure,
    http::{Api, Refused},
};

/// The number of requests under way at once during preparation.
const AT_ONCE: usize = 24;
/// The number of tries of a request that was refused for its rate.
const TRIES: u32 = 60;

/// The admins who verify mechanics, and their password.
#[derive(Debug, Clone)]
pub struct Admins {
    pub emails: Vec<String>,
    pub password: String,
}

#[derive(Debug, Clone)]
pub struct Mechanic {
    pub token: String,
    pub profile_id: String,
}

#[derive(Debug, Clone)]
pub struct Customer {
    pub token: String,
    pub refresh_token: String,
    pub vehicle_id: String,
}

/// Signs up `count` mechanics and has them verified. Phone numbers begin at `first`.
pub async fn mechanics(
    api: &Api,
    admins: &Admins,
    first: u64,
    count: usize,
) -> Result<Vec<Mechanic>, Failure> {
    let mut admin_tokens = Vec::new();
    for email in &admins.emails {
        admin_tokens.push(admin(api, email, &admins.password).await?);
    }
    let token = admin_tokens.first().ok_or("no admin's email was given")?;
    let categories = categories(api, token).await?;
    let made = stream::iter(0..count).map(|n| {
        let admin = admin_tokens[n % admin_tokens.len()].clone();
        mechanic(api, phone(first + n as u64), admin, &categories)
    });
    made.buffered(AT_ONCE).try_collect().await
}

/// Signs up `count` customers, each with one vehicle.
pub async fn customers(api: &Api, first: u64, count: usize) -> Result<Vec<Customer>, Failure> {
    let made = stream::iter(0..count).map(|n| customer(api, first + n as u64));
    made.buffered(AT_ONCE).try_collect().await
}

/// Returns the ids of the categories that serve cars.
pub async fn categories(api: &Api, token: &str) -> Result<Vec<String>, Failure> {
    let listed = api.get("/service-categories?vehicle_type=four_wheeler", token).await?;
    let ids = listed["data"].as_array().into_iter().flatten().filter_map(|category| category["id"].as_str());
    Ok(ids.map(str::to_owned).collect())
}

fn phone(number: u64) -> String {
    format!("+91{number:010}")
}

async fn mechanic(
    api: &Api,
    phone: String,
    admin: String,
    categories: &[String],
) -> Result<Mechanic, Failure> {
    let token = sign_in(api, &phone).await?.access;
    let registration = json!({
        "vehicle_types": ["four_wheeler"],
        "service_category_ids": categories,
        "documents": [],
        "service_radius_km": 20,
    });
    let profile = patiently(|| api.post("/mechanics/register", &token, registration.clone())).await?;
    let profile_id = text(&profile, "id")?;
    let verify = format!("/admin/mechanics/{profile_id}/verify");
    patiently(|| api.post(&verify, &admin, json!({}))).await?;
    Ok(Mechanic { token, profile_id })
}

async fn customer(api: &Api, number: u64) -> Result<Customer, Failure> {
    let Tokens { access: token, refresh: refresh_token } = sign_in(api, &phone(number)).await?;
    let vehicle = json!({
        "vehicle_type": "four_wheeler",
        "make": "Maruti",
        "model": "Swift",
        "registration_number": format!("KA{number}"),
    });
    let vehicle = patiently(|| api.post("/vehicles", &token, vehicle.clone())).await?;
    Ok(Customer { token, refresh_token, vehicle_id: text(&vehicle, "id")? })
}

struct Tokens {
    access: String,
    refresh: String,
}

/// Signs in with a new phone number; development shows the code in the answer.
async fn sign_in(api: &Api, phone: &str) -> Result<Tokens, Failure> {
    let sent = patiently(|| api.post("/auth/send-otp", "", json!({ "phone": phone }))).await?;
    let otp =
        sent["data"]["otp"].as_str().ok_or("the server does not show one-time passwords: not development")?;
    let body = json!({ "phone": phone, "otp": otp, "name": "Bench" });
    let signed_in = patiently(|| api.post("/auth/verify-otp", "", body.clone())).await?;
    let token = |name| text(&signed_in["data"], name);
    Ok(Tokens { access: token("accessToken")?, refresh: token("refreshToken")? })
}

/// Returns an admin's token.
pub async fn admin(api: &Api, email: &str, password: &str) -> Result<String, Failure> {
    let token = api.post("/idp/token", "", json!({ "email": email, "password": password })).await?;
    let signed_in = api.post("/auth/admin-login", "", json!({ "idpIdToken": token["idToken"] })).await?;
    text(&signed_in["data"], "accessToken")
}

fn text(value: &Value, field: &str) -> Result<String, Failure> {
    Ok(value[field].as_str().ok_or_else(|| format!("an answer without {field}"))?.to_owned())
}

/// Waits and repeats while the rate is the only objection.
async fn patiently<F: Future<Output = Result<Value, Refused>>>(
    mut request: impl FnMut() -> F,
) -> Result<Value, Refused> {
    for _ in 1..TRIES {
        match request().await {
            Err(refused) if refused.code == "RATE_LIMITED" => {
                tokio::time::sleep(Duration::from_secs(1)).await
            }
            answer => return answer,
        }
    }
    request().await
}
