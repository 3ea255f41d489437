//! Creates the people of a run, only through the public interface: signed in, verified, with vehicles.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_client::{Api, Patience, Tokens};
use serde_json::{Value, json};

use crate::Failure;

/// The number of requests under way at once during preparation.
const AT_ONCE: usize = 24;
/// The patience with requests that are refused for their rate.
const PATIENCE: Patience =
    Patience { tries: 60, wait: |error| (error.code() == "RATE_LIMITED").then_some(Duration::from_secs(1)) };
/// The name of everybody.
const NAME: &str = "Bench";

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
    let api = &api.patient(PATIENCE);
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
    let api = &api.patient(PATIENCE);
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
    let token = api.sign_in(&phone, NAME).await?.access_token;
    let registration = json!({
        "vehicle_types": ["four_wheeler"],
        "service_category_ids": categories,
        "documents": [],
        "service_radius_km": 20,
    });
    let profile = api.post("/mechanics/register", &token, registration).await?;
    let profile_id = text(&profile, "id")?;
    api.post(&format!("/admin/mechanics/{profile_id}/verify"), &admin, json!({})).await?;
    Ok(Mechanic { token, profile_id })
}

async fn customer(api: &Api, number: u64) -> Result<Customer, Failure> {
    let Tokens { access_token: token, refresh_token } = api.sign_in(&phone(number), NAME).await?;
    let vehicle = json!({
        "vehicle_type": "four_wheeler",
        "make": "Maruti",
        "model": "Swift",
        "registration_number": format!("KA{number}"),
    });
    let vehicle = api.post("/vehicles", &token, vehicle).await?;
    Ok(Customer { token, refresh_token, vehicle_id: text(&vehicle, "id")? })
}

/// Returns an admin's token.
pub async fn admin(api: &Api, email: &str, password: &str) -> Result<String, Failure> {
    Ok(api.sign_in_admin(email, password).await?.access_token)
}

fn text(value: &Value, field: &str) -> Result<String, Failure> {
    Ok(value[field].as_str().ok_or_else(|| format!("an answer without {field}"))?.to_owned())
}
