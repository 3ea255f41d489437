//! Calls from app to app: the sound goes between the two phones, directly or over a relay, and never through us.

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use roadcall_base::random::Random;
use roadcall_platform::settings::Secret;
use serde::Serialize;
use sha1::Sha1;
use uuid::Uuid;

use super::{RoomIceServer, Rooms, settings::CallSettings};
use crate::ProviderError;

const ISSUER: &str = "roadcall";
/// The audience and key id of this kind of token, so that it is not taken for any other.
const AUDIENCE: &str = "roadcall-call";
/// The prefix of our rooms' names.
const PREFIX: &str = "peer-";

/// Rooms that need no server.
#[derive(derive_more::Debug)]
#[debug("Peer {{ .. }}")]
pub struct Peer {
    signing: EncodingKey,
    random: Random,
    stun_urls: Vec<String>,
    turn_urls: Vec<String>,
    turn_secret: Secret,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'static str,
    aud: &'static str,
    sub: Uuid,
    room: &'a str,
    iat: i64,
    exp: i64,
}

impl Peer {
    pub fn new(settings: &CallSettings, random: &Random, key: &str) -> Self {
        Self {
            signing: EncodingKey::from_secret(key.as_bytes()),
            random: random.clone(),
            stun_urls: settings.stun_urls.clone(),
            turn_urls: settings.turn_urls.clone(),
            turn_secret: settings.turn_secret.clone(),
        }
    }
}

#[async_trait]
impl Rooms for Peer {
    fn name(&self) -> &'static str {
        "peer"
    }

    fn is_own(&self, room_id: &str) -> bool {
        room_id.starts_with(PREFIX)
    }

    async fn open(&self, _: Uuid, _: Uuid, now: DateTime<Utc>) -> Result<String, ProviderError> {
        Ok(format!("{PREFIX}{}", self.random.id(now).simple()))
    }

    fn admit(
        &self,
        room_id: &str,
        user_id: Uuid,
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<String, ProviderError> {
        let (iat, exp) = (now.timestamp(), expires_at.timestamp());
        let claims = Claims { iss: ISSUER, aud: AUDIENCE, sub: user_id, room: room_id, iat, exp };
        let header = Header { kid: Some(AUDIENCE.to_owned()), ..Header::new(Algorithm::HS256) };
        let token = jsonwebtoken::encode(&header, &claims, &self.signing);
        token.map_err(|_| ProviderError::Unavailable("a token could not be signed".to_owned()))
    }

    fn ice_servers(&self, user_id: Uuid, expires_at: DateTime<Utc>) -> Vec<RoomIceServer> {
        let mut servers = Vec::new();
        if !self.stun_urls.is_empty() {
            servers.push(RoomIceServer { urls: self.stun_urls.clone(), login: None });
        }
        if !self.turn_urls.is_empty() {
            let login = login(&self.turn_secret, user_id, expires_at);
            servers.push(RoomIceServer { urls: self.turn_urls.clone(), login: Some(login) });
        }
        servers
    }
}

/// Makes a name and a password that a relay with the same secret accepts until `expires_at` without knowing any accounts: the
/// name is that time in seconds since 1970 and the user, the password is the base64 of HMAC-SHA1 of the name under the secret
/// (draft-uberti-behave-turn-rest-00, 2.2; coturn's `use-auth-secret`).
fn login(secret: &Secret, user_id: Uuid, expires_at: DateTime<Utc>) -> (String, String) {
    let name = format!("{}:{user_id}", expires_at.timestamp());
    let mac = Hmac::<Sha1>::new_from_slice(secret.0.as_bytes()).expect("HMAC takes a key of any length");
    let password = STANDARD.encode(mac.chain_update(name.as_bytes()).finalize().into_bytes());
    (name, password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_agrees_with_another_implementation() {
        // printf '1800000000:00000000-0000-0000-0000-000000000007' | openssl dgst -sha1 -hmac 'north wind and sun' -binary | base64
        let expires_at = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let secret = Secret("north wind and sun".to_owned());
        let (name, password) = login(&secret, Uuid::from_u128(7), expires_at);
        assert_eq!(name, "1800000000:00000000-0000-0000-0000-000000000007");
        assert_eq!(password, "d7im7gKPk1+2eaqj0iAT2URxhfM=");
    }
}
