//! Secrets, which printing the settings does not show.

use std::{convert::Infallible, str::FromStr};

use serde::Deserialize;

/// A password, a key, or a URL that may hold one.
#[derive(derive_more::Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[debug("Secret(..)")]
#[serde(transparent)]
pub struct Secret(pub String);

impl Secret {
    /// Returns whether this stands for the secret that the service has generated itself.
    pub fn is_generated(&self) -> bool {
        self.0 == "generated"
    }
}

/// Used by lists of secrets.
impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}
