//! Addresses and networks of addresses, as settings name them.

use std::{net::IpAddr, str::FromStr};

use ipnet::IpNet;

/// An address (`10.0.0.7`) or a network (`10.0.0.0/8`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Returns the network's share of all addresses of its version.
    fn part(self) -> f64 {
        0.5_f64.powi(i32::from(self.0.prefix_len()))
    }

    pub fn contains(self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let network = text.parse::<IpAddr>().map(IpNet::from).or_else(|_| text.parse::<IpNet>());
        let refused = |_| format!("{text} is neither an address nor a network such as 10.0.0.0/8");
        network.map(Self).map_err(refused)
    }
}

/// Returns whether the networks together are small enough to belong to one operator: at most a sixteenth of the IPv4 addresses,
/// and of the IPv6 addresses.
pub fn are_few(networks: &[Network]) -> bool {
    let part = |is_v4: bool| -> f64 {
        networks
            .iter()
            .filter(|network| network.0.addr().is_ipv4() == is_v4)
            .map(|network| network.part())
            .sum()
    };
    part(true) <= LARGEST_PART && part(false) <= LARGEST_PART
}

const LARGEST_PART: f64 = 1.0 / 16.0;

/// IPv4 networks that are not part of the internet (RFC 6890), and multicast.
const SPECIAL_V4: [&str; 15] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];
/// The only IPv6 network in use on the internet. Those in [`SPECIAL_V6`] are inside it, but lead elsewhere or
/// name an IPv4 address.
const GLOBAL_V6: &str = "2000::/3";
const SPECIAL_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/// Returns whether the address is on the internet, so neither on this machine nor in a private network.
pub fn is_public(address: IpAddr) -> bool {
    let is_in = |text: &&str| text.parse::<Network>().is_ok_and(|network| network.contains(address));
    match address.to_canonical() {
        IpAddr::V4(_) => !SPECIAL_V4.iter().any(is_in),
        IpAddr::V6(_) => is_in(&GLOBAL_V6) && !SPECIAL_V6.iter().any(is_in),
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
    fn only_addresses_of_the_internet_are_public() {
        let is_public = |text: &str| is_public(text.parse().expect(text));
        for text in ["8.8.8.8", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(is_public(text), "{text}");
        }
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.31.255.255",
            "192.168.1.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "fd00::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(text), "{text}");
        }
    }

    #[test]
    fn networks_that_cover_much_of_the_internet_are_noticed_however_they_are_cut() {
        let are_few = |texts: &[&str]| {
            let networks: Vec<Network> = texts.iter().map(|text| text.parse().expect(text)).collect();
            are_few(&networks)
        };
        assert!(are_few(&[]));
        assert!(are_few(&[
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "100.64.0.0/10",
            "fd00::/8",
            "::1"
        ]));
        assert!(are_few(&["0.0.0.0/4"]), "a sixteenth");
        let quarters = ["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"];
        for many in [
            &["0.0.0.0/0"][..],
            &["10.0.0.0/0"],
            &["::/0"],
            &["0.0.0.0/1", "128.0.0.0/1"],
            &quarters,
            &["0.0.0.0/4", "16.0.0.0/5"],
            &["::/1", "8000::/1"],
            &["2000::/3"],
        ] {
            assert!(!are_few(many), "{many:?}");
        }
    }
}
