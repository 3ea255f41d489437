//! 100ms (100ms.live/docs/server-side): each job has a room at their service, and we sign the tokens.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{Client, Response, StatusCode, Url};
use roadcall_base::random::Random;
use roadcall_platform::{https, settings::web_url};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{RoomIceServer, Rooms, RoomsError, settings::CallSettings};
use crate::{
    ProviderError,
    sending::{self, no_answer},
};

/// How long the token with which we ask for a room is valid.
const MANAGEMENT_TTL: TimeDelta = TimeDelta::minutes(5);
/// A larger answer is not read; a room takes less than 1 KiB.
const MAX_BYTES: usize = 64 * 1024;
/// The version of their tokens; they no longer accept version 1.
const VERSION: u8 = 2;

/// Rooms at 100ms.
#[derive(derive_more::Debug)]
#[debug("Hms {{ host: {:?}, .. }}", self.rooms.host_str())]
pub struct Hms {
    client: Client,
    rooms: Url,
    access_key: String,
    signing: EncodingKey,
    template_id: String,
    role: String,
    random: Random,
}

/// The claims of both kinds of tokens.
#[derive(Serialize)]
struct Claims<'a> {
    access_key: &'a str,
    /// Either "management" or "app".
    #[serde(rename = "type")]
    kind: &'static str,
    version: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    room_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a str>,
    jti: Uuid,
    iat: i64,
    nbf: i64,
    exp: i64,
}

#[derive(Deserialize)]
struct Room {
    id: String,
}

impl Hms {
    /// Starts the provider. `timeout` bounds a whole request. Redirects are not followed and no proxy of the environment is used:
    /// the token goes only where the settings say.
    pub fn start(settings: &CallSettings, random: &Random, timeout: Duration) -> Result<Self, RoomsError> {
        let mut rooms = web_url(&settings.hms_base_url).ok_or(RoomsError::Url)?;
        let base = rooms.path().trim_end_matches('/').to_owned();
        rooms.set_path(&format!("{base}/v2/rooms"));
        let client = https::client().timeout(timeout).connect_timeout(timeout);
        let client = client.redirect(reqwest::redirect::Policy::none()).no_proxy().build()?;
        Ok(Self {
            client,
            rooms,
            access_key: settings.hms_access_key.clone(),
            signing: EncodingKey::from_secret(settings.hms_secret.0.as_bytes()),
            template_id: settings.hms_template_id.clone(),
            role: settings.hms_role.clone(),
            random: random.clone(),
        })
    }

    fn sign(&self, claims: &Claims<'_>) -> Result<String, ProviderError> {
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.signing);
        token.map_err(|_| ProviderError::Unavailable("a token could not be signed".to_owned()))
    }

    fn management(&self, now: DateTime<Utc>) -> Result<String, ProviderError> {
        self.sign(&Claims {
            access_key: &self.access_key,
            kind: "management",
            version: VERSION,
            room_id: None,
            user_id: None,
            role: None,
            jti: self.random.id(now),
            iat: now.timestamp(),
            nbf: now.timestamp(),
            exp: (now + MANAGEMENT_TTL).timestamp(),
        })
    }
}

#[async_trait]
impl Rooms for Hms {
    fn name(&self) -> &'static str {
        "hms"
    }

    fn is_own(&self, room_id: &str) -> bool {
        is_id(room_id)
    }

    /// Makes a room. Its name contains the mechanic: for an existing name 100ms returns the existing room, for which a mechanic
    /// who lost the job may still have a token.
    async fn open(
        &self,
        job_id: Uuid,
        mechanic_profile_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, ProviderError> {
        let name = format!("job-{}-{}", job_id.simple(), mechanic_profile_id.simple());
        let mut body = json!({"name": name, "description": "A call about a job"});
        if !self.template_id.is_empty() {
            body["template_id"] = Value::from(self.template_id.as_str());
        }
        let request = self.client.post(self.rooms.clone()).bearer_auth(self.management(now)?).json(&body);
        let response = sending::send(request, "hms").await.map_err(|error| no_answer(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(refusal(status));
        }
        let room: Option<Room> = serde_json::from_slice(&read(response).await?).ok();
        let id = room.map(|room| room.id).filter(|id| is_id(id));
        id.ok_or_else(|| ProviderError::Unknown("the answer does not have the documented form".to_owned()))
    }

    fn admit(
        &self,
        room_id: &str,
        user_id: Uuid,
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<String, ProviderError> {
        self.sign(&Claims {
            access_key: &self.access_key,
            kind: "app",
            version: VERSION,
            room_id: Some(room_id),
            user_id: Some(user_id),
            role: Some(&self.role),
            jti: self.random.id(now),
            iat: now.timestamp(),
            nbf: now.timestamp(),
            exp: expires_at.timestamp(),
        })
    }

    fn ice_servers(&self, _: Uuid, _: DateTime<Utc>) -> Vec<RoomIceServer> {
        Vec::new()
    }
}

/// Returns whether a room's id has the form of 100ms: letters and digits. Those of the other provider have a hyphen.
fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Makes an error of the status alone: the body may quote the request.
fn refusal(status: StatusCode) -> ProviderError {
    let description = format!("status {}", status.as_u16());
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            tracing::error!("100ms does not accept calls.hms_access_key and calls.hms_secret");
            ProviderError::Unavailable("the key is not accepted".to_owned())
        }
        StatusCode::TOO_MANY_REQUESTS => ProviderError::Unavailable(description),
        status if status.is_client_error() => {
            ProviderError::Refused { code: status.as_u16().to_string(), description }
        }
        _ => ProviderError::Unknown(description),
    }
}

async fn read(response: Response) -> Result<Vec<u8>, ProviderError> {
    let body = sending::read(response, MAX_BYTES).await.map_err(|error| no_answer(&error))?;
    body.ok_or_else(|| ProviderError::Unknown(format!("the answer is larger than {MAX_BYTES} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_of_the_other_provider_are_recognised() {
        assert!(is_id("62f4b4b2d2b4b4b2d2b4b4b2"));
        for odd in ["", "peer-019ceb7a1c207b20", "a/b", "a?b", &"a".repeat(65)] {
            assert!(!is_id(odd), "{odd:?}");
        }
    }
}
