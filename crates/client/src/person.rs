//! People who are signed in.

use std::sync::Arc;

use reqwest::Method;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::{Api, ClientError, Socket, api::Request};

/// The tokens of a session.
#[derive(derive_more::Debug, Clone, Deserialize)]
// Tokens must not reach a log through a debug print.
#[debug("Tokens {{ .. }}")]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: String,
}

#[derive(Deserialize)]
struct SignedIn {
    data: Tokens,
}

impl Api {
    /// Signs in with a phone number; the first time creates the account. The one-time password is read from the answer, which
    /// shows it only in development.
    pub async fn sign_in(&self, phone: &str, name: &str) -> Result<Tokens, ClientError> {
        let path = "/auth/send-otp";
        let sent = self.post(path, "", json!({ "phone": phone })).await?;
        let otp = sent["data"]["otp"].as_str().ok_or_else(|| {
            let why = "it shows no one-time password; this needs a service in development";
            ClientError::odd(format!("POST {path}"), why)
        })?;
        self.tokens("/auth/verify-otp", json!({ "phone": phone, "otp": otp, "name": name })).await
    }

    /// Signs an admin in by the embedded identity provider.
    pub async fn sign_in_admin(&self, email: &str, password: &str) -> Result<Tokens, ClientError> {
        let token = self.post("/idp/token", "", json!({ "email": email, "password": password })).await?;
        self.tokens("/auth/admin-login", json!({ "idpIdToken": token["idToken"] })).await
    }

    async fn tokens(&self, path: &str, body: Value) -> Result<Tokens, ClientError> {
        let request = Request { method: Method::POST, path, body: Some(&body), ..Request::default() };
        Ok(self.call::<SignedIn>(&request).await?.data)
    }
}

/// A person who is signed in. Clones share the tokens, which are renewed when the access token has expired.
#[derive(Debug, Clone)]
pub struct Person {
    api: Api,
    tokens: Arc<Mutex<Tokens>>,
}

impl Person {
    pub fn new(api: &Api, tokens: Tokens) -> Self {
        Self { api: api.clone(), tokens: Arc::new(Mutex::new(tokens)) }
    }

    pub fn api(&self) -> &Api {
        &self.api
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.ask(Request { path, ..Request::default() }).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, ClientError> {
        self.ask(Request { method: Method::POST, path, body: Some(&body), ..Request::default() }).await
    }

    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, ClientError> {
        self.ask(Request { method: Method::PUT, path, body: Some(&body), ..Request::default() }).await
    }

    /// Creates something at most once, however often the request has to be sent.
    pub async fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: Value,
        key: &str,
    ) -> Result<T, ClientError> {
        let (method, body, key) = (Method::POST, Some(&body), Some(key));
        self.ask(Request { method, path, body, key, ..Request::default() }).await
    }

    /// Opens a socket.
    pub async fn socket(&self) -> Result<Socket, ClientError> {
        Socket::open(&self.api, &self.access_token().await).await
    }

    /// Renews the pair of tokens.
    pub async fn renew(&self) -> Result<(), ClientError> {
        let mut tokens = self.tokens.lock().await;
        let body = json!({ "refreshToken": tokens.refresh_token });
        *tokens = self.api.tokens("/auth/refresh", body).await?;
        Ok(())
    }

    async fn ask<T: DeserializeOwned>(&self, request: Request<'_>) -> Result<T, ClientError> {
        let token = self.access_token().await;
        match self.api.call(&Request { token: &token, ..request.clone() }).await {
            Err(error) if error.status() == Some(401) => self.renew().await?,
            answer => return answer,
        }
        let token = self.access_token().await;
        self.api.call(&Request { token: &token, ..request }).await
    }

    async fn access_token(&self) -> String {
        self.tokens.lock().await.access_token.clone()
    }
}
