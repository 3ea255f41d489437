//! The wire types of signing in at a provider.

use deserr::Deserr;
use roadcall_http::ValidationErrors;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::dto::{SignedIn, TokenText, WithTokens};

/// The page on which a sign-in continues.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInBegun {
    /// The provider's page, to be opened in this browser. It sends people back to `/console/sign-in`.
    pub authorization_url: String,
    /// Seconds within which they have to be back.
    pub expires_in: i64,
}

/// The parameters with which the provider sent the browser back.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct CompleteSignIn {
    pub code: TokenText,
    pub state: TokenText,
    /// The provider's name, if it was given.
    #[deserr(default)]
    pub iss: Option<TokenText>,
    /// The token of an invitation, which is accepted, too.
    #[deserr(default)]
    pub invitation_token: Option<TokenText>,
}

/// The tokens of a new session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInCompleted {
    #[serde(flatten)]
    pub signed_in: SignedIn,
    /// The page on which people sign out at the provider, too; null if it has none.
    #[schema(required)]
    pub sign_out_url: Option<String>,
}

impl WithTokens for SignInCompleted {
    fn tokens(&mut self) -> &mut SignedIn {
        &mut self.signed_in
    }
}
