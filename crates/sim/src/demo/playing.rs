//! Plays the city on a service that runs already, for as long as that wants it.

use roadcall_actors::clock::Clock;
use roadcall_client::ClientError;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{
    api_client::{categories, holder_of, service_at, upload},
    picture::{self, Scene},
    population::{Population, PopulationError, ServiceAccess},
    scenario::Scenario,
};

/// Plays until `stop` turns true and everyone has gone offline; ends at once when `end` turns true.
pub async fn play_until(
    scenario: Scenario,
    service: &ServiceAccess,
    mut stop: watch::Receiver<bool>,
    mut end: watch::Receiver<bool>,
) -> Result<(), PopulationError> {
    let playing = async {
        let population = tokio::select! {
            started = Population::start(scenario, service, Clock::system()) => started?,
            _ = stop.wait_for(|is_over| *is_over) => return Ok(()),
        };
        stop.wait_for(|is_over| *is_over).await.ok();
        population.end().await;
        Ok(())
    };
    tokio::select! {
        outcome = playing => outcome,
        _ = end.wait_for(|is_over| *is_over) => Ok(()),
    }
}

/// Gives a customer a vehicle, unless they have one.
pub async fn settle_customer(base: &str, access_token: &str) -> Result<(), ClientError> {
    let person = holder_of(&service_at(base)?, access_token);
    let vehicles: Value = person.get("/vehicles").await?;
    if vehicles["data"].as_array().is_none_or(Vec::is_empty) {
        let vehicle = json!({
            "vehicle_type": "four_wheeler", "make": "Maruti", "model": "Swift", "color": "blue",
            "registration_number": "KA 01 DM 0001",
        });
        person.post::<Value>("/vehicles", vehicle).await?;
    }
    Ok(())
}

/// Registers a mechanic for every vehicle and every kind of help, and has them verified, unless they are.
pub async fn settle_mechanic(base: &str, access_token: &str, admin_token: &str) -> Result<(), ClientError> {
    let api = service_at(base)?;
    let (person, admin) = (holder_of(&api, access_token), holder_of(&api, admin_token));
    let profile: Value = match person.get("/mechanics/me").await {
        Ok(profile) => profile,
        Err(refused) if refused.code() == "NOT_FOUND" => Value::Null,
        Err(error) => return Err(error),
    };
    let profile = match profile["status"].as_str() {
        None | Some("rejected") => {
            let categories = categories(&person).await?;
            let kinds: std::collections::BTreeSet<&str> = categories
                .iter()
                .flat_map(|category| category.vehicle_types.iter().map(String::as_str))
                .collect();
            let ids: Vec<_> = categories.iter().map(|category| category.id).collect();
            let certificate = upload(&person, "document", picture::png(Scene::Certificate, 0)).await?;
            let registration = json!({
                "vehicle_types": kinds,
                "service_category_ids": ids,
                "documents": [{ "type": "skill_cert", "file_url": certificate }],
                "service_radius_km": 20,
            });
            person.post("/mechanics/register", registration).await?
        }
        Some("pending_verification") => profile,
        Some(_) => return Ok(()),
    };
    let id = profile["id"].as_str().unwrap_or_default();
    admin.post::<Value>(&format!("/admin/mechanics/{id}/verify"), json!({})).await?;
    Ok(())
}
