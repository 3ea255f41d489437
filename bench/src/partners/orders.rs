//! A partner of a run: an organisation with a contract, a key and vehicles, through the public interface alone.

use std::sync::Arc;

use roadcall_client::Api;
use serde_json::{Value, json};

use super::sink::HookSink;
use crate::{
    Failure,
    pairs::{Begun, Pair},
    people::{self, Admins},
};

const CONTRACT: &str = "bench";
/// The time from which a replay sends everything.
const FROM_THE_START: &str = "2020-01-01T00:00:00.000Z";

/// A partner's program.
#[derive(Debug, Clone)]
pub struct PartnerProgram {
    pub key: Arc<str>,
    category: Arc<str>,
}

impl PartnerProgram {
    /// Makes an organisation whose contract covers a category, and its key.
    pub async fn new(api: &Api, admins: &Admins, category: &str, name: &str) -> Result<Self, Failure> {
        let email = admins.emails.first().ok_or("no admin's email was given")?;
        let admin = people::admin(api, email, &admins.password).await?;
        let organisation = json!({ "name": name, "kind": "insurer" });
        let made = api.post("/admin/organisations", &admin, organisation).await?;
        let path =
            |below: &str| format!("/admin/organisations/{}/{below}", made["id"].as_str().unwrap_or_default());
        let terms = json!([{ "service_category_id": category, "pricing": "quoted" }]);
        let contract = json!({ "reference": CONTRACT, "texts": [], "terms": terms });
        let contract = api.post(&path("contracts"), &admin, contract).await?;
        let key = json!({
            "name": "Bench",
            "scopes": ["read", "cases", "webhooks"],
            "expires_in_days": 1,
            "requests_per_minute": 100_000,
        });
        let key = api.post(&path("keys"), &admin, key).await?;
        let slug = text(&contract["terms"][0], "service_category_slug")?;
        Ok(Self { key: text(&key, "secret")?.into(), category: slug.into() })
    }

    /// Adds a vehicle, and returns its id.
    pub async fn vehicle(&self, api: &Api, number: u64) -> Result<String, Failure> {
        let vehicle = json!({
            "vehicle_type": "four_wheeler",
            "make": "Maruti",
            "model": "Swift",
            "registration_number": format!("KB{number}"),
        });
        text(&api.post("/partner/vehicles", &self.key, vehicle).await?, "id")
    }

    /// Makes a case at a pair's place, whose job the mechanic accepts.
    pub async fn begin(
        &self,
        api: &Api,
        pair: &mut Pair,
        vehicle: &str,
        reference: &str,
    ) -> Result<Begun, Failure> {
        let case = json!({
            "contract_reference": CONTRACT,
            "partner_reference": reference,
            "beneficiary": { "name": "Bench", "phone": "+919900000001" },
            "vehicle": { "id": vehicle },
            "job": {
                "service_category_slug": &*self.category,
                "pickup_address": "12 MG Road",
                "pickup_lat": pair.at.lat,
                "pickup_lng": pair.at.lng,
            },
        });
        let create = async {
            let case = api.post("/partner/cases", &self.key, case).await?;
            text(&case["jobs"][0], "id")
        };
        pair.begin_with(create).await
    }

    /// Makes a subscription to a receiver that is verified, and returns its id.
    pub async fn subscribe(&self, api: &Api, receiver: &HookSink) -> Result<String, Failure> {
        let new = json!({ "url": receiver.url });
        let id = text(&api.post("/partner/subscriptions", &self.key, new).await?, "id")?;
        api.post(&format!("/partner/subscriptions/{id}/verify"), &self.key, json!({})).await?;
        Ok(id)
    }

    /// Queues all events for a subscription again, a thousand at a time, until `most` are queued; returns how many are.
    pub async fn replay(&self, api: &Api, subscription: &str, most: u64) -> Result<u64, Failure> {
        let (mut since, mut queued) = (json!(FROM_THE_START), 0);
        while queued < most && !since.is_null() {
            let body = json!({ "since": since, "subscription_id": subscription });
            let mut replayed = api.post("/partner/deliveries/replay", &self.key, body).await?;
            queued += replayed["deliveries"].as_u64().unwrap_or_default();
            since = replayed["next_since"].take();
        }
        Ok(queued)
    }
}

fn text(value: &Value, field: &str) -> Result<String, Failure> {
    Ok(value[field].as_str().ok_or_else(|| format!("an answer without {field}: {value}"))?.to_owned())
}
