//! Secrets, which printing the settings does not show.

use std::{convert::Infallible, fmt, str::FromStr};

use serde::Deserialize;

/// A password, a key, or a URL that may hold one.
#[derive(Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl Secret {
    /// Returns whether this stands for the secret that the service has generated itself.
    pub fn is_generated(&self) -> bool {
        self.0 == "generated"
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Used by lists of secrets.
impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}
