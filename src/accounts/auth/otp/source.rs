//! Where an attempt to sign in comes from: what its limits are counted by.
//!
//! Anybody can try wrong codes for somebody's phone until it is locked. A device that signed in with that phone before shows
//! the token that it was given then, and answers for itself alone.

use uuid::Uuid;

/// What an attempt counts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    is_known_device: bool,
}

impl Source {
    /// An address, as limits count it.
    pub fn address(bucket: String) -> Self {
        Self { name: bucket, is_known_device: false }
    }

    /// A device that signed in with the phone before.
    pub fn device(id: Uuid) -> Self {
        Self { name: format!("device {id}"), is_known_device: true }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// By whom the limits of a phone are used up: by everybody together (`None`), or by a known device alone.
    pub fn own(&self) -> Option<&str> {
        self.is_known_device.then_some(&self.name)
    }
}
