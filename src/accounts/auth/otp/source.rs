//! Where an attempt to sign in comes from, by which its limits are counted.
//!
//! Anyone can try wrong codes for a phone until it is locked. A device that has signed in with that phone before sends the token
//! that it got then, and is limited by its own attempts alone.

use uuid::Uuid;

use crate::http::ClientAddress;

/// What an attempt counts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    /// Of an address: the network around it, where that is larger than what the name means.
    network: Option<String>,
    /// A device that signed in with the phone before.
    device: Option<Uuid>,
    /// The device that a token names which is not of this phone.
    named: Option<Uuid>,
}

impl Source {
    /// An address, as limits count it.
    pub fn address(address: ClientAddress) -> Self {
        Self { name: address.bucket(), network: address.wide_bucket(), device: None, named: None }
    }

    /// A device that signed in with the phone before.
    pub fn device(id: Uuid) -> Self {
        Self { name: format!("device {id}"), network: None, device: Some(id), named: None }
    }

    /// Returns the source on the device that a token names, genuine or not. That helps nobody with this phone; only what people do later
    /// is counted by it.
    pub fn on(self, named: Option<Uuid>) -> Self {
        Self { named, ..self }
    }

    /// Returns the device that it is on, as far as it says so.
    pub fn device_id(&self) -> Option<Uuid> {
        self.device.or(self.named)
    }

    /// The known device, if it is one.
    pub fn known_device(&self) -> Option<Uuid> {
        self.device
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// A network whose requests are counted together as well.
    pub fn network(&self) -> Option<&str> {
        self.network.as_deref()
    }

    /// Whose attempts count: everybody's for the phone (`None`), or a known device's alone.
    pub fn own(&self) -> Option<&str> {
        self.device.map(|_| self.name.as_str())
    }
}
