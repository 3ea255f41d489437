//! The service account that sends pushes, and its signatures.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Url;
use roadcall_platform::settings::web_url;
use serde::{Deserialize, Serialize};

use super::super::{error::PushStartError, settings::PushSettings};

/// The permission that is asked for with the access token.
const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";
/// Google's own address, used if neither the file nor the settings name one.
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";
/// The longest life that Google accepts.
const LIFE: TimeDelta = TimeDelta::hours(1);
/// A key file has about 2,500 bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// A service account. Holds a private key, so it has no debug print.
pub(super) struct Account {
    pub project_id: String,
    pub token_uri: Url,
    client_email: String,
    key_id: Option<String>,
    key: EncodingKey,
}

/// The fields we read of the file that the Google Cloud console makes.
#[derive(Default, Deserialize)]
struct KeyFile {
    project_id: Option<String>,
    private_key_id: Option<String>,
    private_key: Option<String>,
    client_email: Option<String>,
    token_uri: Option<String>,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

impl Account {
    /// Loads the account from the file that the settings name; values in the settings take precedence.
    pub fn load(settings: &PushSettings) -> Result<Self, PushStartError> {
        let file = match settings.fcm_service_account_file.trim() {
            "" => KeyFile::default(),
            path => read(path).map_err(PushStartError::File)?,
        };
        let choose = |own: &str, from_file: Option<String>| {
            let own = Some(own.trim().to_owned()).filter(|own| !own.is_empty());
            own.or(from_file.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
        };
        let project_id = choose(&settings.fcm_project_id, file.project_id);
        let project_id = project_id.ok_or(PushStartError::Missing("project_id"))?;
        // The id is part of the path of every push.
        if !project_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:".contains(&byte)) {
            return Err(PushStartError::Missing("a project_id of letters, digits and -"));
        }
        let client_email = choose(&settings.fcm_client_email, file.client_email);
        let pem = choose(&settings.fcm_private_key.0, file.private_key);
        // In an environment variable line breaks are escaped, as in the file.
        let pem = pem.ok_or(PushStartError::Missing("private_key"))?.replace("\\n", "\n");
        let token_uri = choose(&settings.fcm_token_uri, file.token_uri);
        let token_uri = web_url(token_uri.as_deref().unwrap_or(TOKEN_URI));
        Ok(Self {
            project_id,
            client_email: client_email.ok_or(PushStartError::Missing("client_email"))?,
            key_id: choose(&settings.fcm_private_key_id, file.private_key_id),
            key: EncodingKey::from_rsa_pem(pem.as_bytes()).map_err(|_| PushStartError::Key)?,
            token_uri: token_uri.ok_or(PushStartError::Url("token_uri"))?,
        })
    }

    /// Signs the JWT that is exchanged for an access token (RFC 7523).
    pub fn assertion(&self, now: DateTime<Utc>) -> Result<String, String> {
        let header = Header { kid: self.key_id.clone(), ..Header::new(Algorithm::RS256) };
        let claims = Claims {
            iss: &self.client_email,
            scope: SCOPE,
            aud: self.token_uri.as_str(),
            iat: now.timestamp(),
            exp: (now + LIFE).timestamp(),
        };
        jsonwebtoken::encode(&header, &claims, &self.key).map_err(|error| format!("assertion: {error}"))
    }
}

fn read(path: &str) -> Result<KeyFile, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_FILE_BYTES {
        return Err(format!("is larger than {MAX_FILE_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    // The error says where the file is wrong but not how, since that may quote the key.
    serde_json::from_str(&text)
        .map_err(|error| format!("is not a service account key, line {}", error.line()))
}
