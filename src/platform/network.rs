//! Addresses and networks of addresses, as settings name them.

use std::{net::IpAddr, str::FromStr};

/// An address (`10.0.0.7`) or a network (`10.0.0.0/8`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    /// Whether every address is in it.
    pub fn is_everything(self) -> bool {
        self.prefix == 0
    }

    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => {
                let shift = 32 - self.prefix;
                a.to_bits().checked_shr(shift) == b.to_bits().checked_shr(shift)
            }
            (IpAddr::V6(a), IpAddr::V6(b)) => {
                let shift = 128 - self.prefix;
                a.to_bits().checked_shr(shift) == b.to_bits().checked_shr(shift)
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("{text} is neither an address nor a network such as 10.0.0.0/8");
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let address: IpAddr = address.trim().parse().map_err(|_| refused())?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(bits), |text| text.trim().parse().map_err(|_| refused()))?;
        if prefix > bits { Err(refused()) } else { Ok(Self { address, prefix }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_networks_are_refused() {
        for text in ["", "x", "10.0.0.0/33", "10.0.0.0/x", "::/129", "10.0.0/8"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_network_of_all_addresses_is_noticed() {
        let is_everything = |text: &str| text.parse::<Network>().expect("a network").is_everything();
        assert!(["0.0.0.0/0", "10.0.0.0/0", "::/0"].into_iter().all(is_everything));
        assert!(!["0.0.0.0/1", "10.0.0.0/8", "::1"].into_iter().any(is_everything));
    }
}
