//! The wire types of the embedded identity provider.

use deserr::Deserr;
use roadcall_http::{Email, Invalid, Text, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::dto::{OtpText, TokenText};

/// A password as it was typed: 1 to 200 characters. Its debug print hides it.
#[derive(derive_more::Debug, Clone, Deserr, ToSchema)]
#[debug("PasswordText(..)")]
#[deserr(try_from(String) = PasswordText::new -> Invalid)]
#[schema(min_length = 1, max_length = 200, format = "password")]
pub struct PasswordText(pub String);

impl PasswordText {
    fn new(text: String) -> Result<Self, Invalid> {
        let holds = (1..=200).contains(&text.chars().count());
        if holds { Ok(Self(text)) } else { Err("must have 1 to 200 characters".into()) }
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct PasswordLogin {
    pub email: Email,
    pub password: PasswordText,
    /// The code that the authenticator app shows, if the account has a second factor.
    #[deserr(default)]
    pub code: Option<OtpText>,
    /// The token that this device got when it last signed in with this email: others' wrong passwords then do not
    /// keep it waiting.
    #[deserr(default)]
    pub device_token: Option<TokenText>,
}

/// The owner of the second factor that is set up.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct SecondFactorOwner {
    pub email: Email,
    pub password: PasswordText,
    /// The token that this device got when it last signed in with this email: others' wrong passwords then do not
    /// keep it waiting.
    #[deserr(default)]
    pub device_token: Option<TokenText>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct SecondFactorCode {
    pub email: Email,
    pub password: PasswordText,
    /// The code that the authenticator app shows.
    pub code: OtpText,
    /// The token that this device got when it last signed in with this email: others' wrong passwords then do not
    /// keep it waiting.
    #[deserr(default)]
    pub device_token: Option<TokenText>,
}

/// The secret for an authenticator app (TOTP, RFC 6238); shown only once.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("NewSecondFactor(..)")]
#[serde(rename_all = "camelCase")]
pub struct NewSecondFactor {
    /// The secret in base32, to be typed in.
    pub secret: String,
    /// The same secret as a link, to be shown as a QR code.
    pub otpauth_url: String,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct NewAccount {
    /// The token of a pending invitation.
    pub token: Text<1, 200>,
    /// The password: at least 12 characters, and not easy to guess.
    #[schema(value_type = String, min_length = 12, max_length = 200, format = "password")]
    pub password: PasswordText,
}

/// An account of the embedded identity provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityAccount {
    /// The invited address. It counts as verified: the token was handed to its owner.
    #[schema(format = "email")]
    pub email: String,
}

/// The identity of the person who signed in, signed by the identity provider.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("IdToken(..)")]
#[serde(rename_all = "camelCase")]
pub struct IdToken {
    /// The token for POST /auth/admin-login.
    pub id_token: String,
    /// The token for the next sign-in on this device with this email. It signs nobody in; keep it when signing out.
    pub device_token: String,
}

/// Published keys (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityKeys {
    /// The public keys, as RFC 7517 writes them.
    #[schema(value_type = Vec<Object>)]
    pub keys: Vec<serde_json::Value>,
}

/// The provider's metadata (OpenID Connect Discovery 1.0, section 3), as far as it applies.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityConfiguration {
    /// The `iss` of ID tokens.
    pub issuer: String,
    /// The address of the keys.
    pub jwks_uri: String,
    /// The address where ID tokens are issued.
    pub token_endpoint: String,
    /// The types of answers to an authorization.
    pub response_types_supported: Vec<String>,
    /// The way in which the `sub` of an ID token is made.
    pub subject_types_supported: Vec<String>,
    /// The algorithms with which ID tokens are signed.
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// The claims of an ID token.
    pub claims_supported: Vec<String>,
}
