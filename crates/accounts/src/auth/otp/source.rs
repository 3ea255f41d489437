//! The source of an attempt to sign in, by which its limits are counted.
//!
//! Anyone can try wrong codes for a phone until it is locked. A device that has signed in with that phone before sends the token
//! that it got then, and is limited by its own attempts alone.

use roadcall_http::ClientAddress;
use uuid::Uuid;

/// The source for which an attempt counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    /// The network around an address, if it is larger than the network that the name means.
    network: Option<String>,
    /// The device, if it signed in with the phone before.
    device: Option<Uuid>,
    /// The device that a token names, if the token is not of this phone.
    named: Option<Uuid>,
}

impl Source {
    /// Returns the source of an address, as limits count it.
    pub fn address(address: ClientAddress) -> Self {
        Self { name: address.bucket(), network: address.wide_bucket(), device: None, named: None }
    }

    /// Returns the source of a device that signed in with the phone before.
    pub fn device(id: Uuid) -> Self {
        Self { name: format!("device {id}"), network: None, device: Some(id), named: None }
    }

    /// Returns the source on the device that a token names, genuine or not. That is no advantage with this phone;
    /// only later requests are counted by the device.
    pub fn on(self, named: Option<Uuid>) -> Self {
        Self { named, ..self }
    }

    /// Returns the device of the attempt, as far as its token names one.
    pub fn device_id(&self) -> Option<Uuid> {
        self.device.or(self.named)
    }

    /// Returns the device if it signed in with the phone before.
    pub fn known_device(&self) -> Option<Uuid> {
        self.device
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the network whose requests are counted together as well.
    pub fn network(&self) -> Option<&str> {
        self.network.as_deref()
    }

    /// Returns the name whose attempts count alone, for a known device; `None` if everybody's attempts at the phone
    /// count.
    pub fn own(&self) -> Option<&str> {
        self.device.map(|_| self.name.as_str())
    }
}
