//! The client's address, as far as the network shows it.

use std::{
    future::{Ready, ready},
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use ipnet::Ipv6Net;
use roadcall_platform::{core::Core, error::ApiError, network::Network};

/// The address of the client: the peer's, or if the peer is a trusted proxy, the nearest address in `X-Forwarded-For`
/// that is not a trusted proxy's. The header of an untrusted peer is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Reads the address of a request.
    pub fn of(request: &HttpRequest) -> Self {
        let trusted = &Core::of(request).settings.server.trusted_proxies;
        let trusted: Vec<Network> = trusted.iter().filter_map(|text| text.parse().ok()).collect();
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let headers = request.headers().get_all("x-forwarded-for");
        let hops = headers.filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
        Self(client(peer, &hops, &trusted))
    }

    /// Returns the text by which limits count: an IPv6 network of 64 bits is one customer of a provider, who can use
    /// any address in it.
    pub fn bucket(self) -> String {
        match self.0 {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => Ipv6Net::new_assert(v6, 64).trunc().to_string(),
        }
    }

    /// Returns the same for the 48 bits around an IPv6 address: some providers assign a customer all their networks
    /// of 64 bits.
    pub fn wide_bucket(self) -> Option<String> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(v6) => Some(Ipv6Net::new_assert(v6, 48).trunc().to_string()),
        }
    }
}

impl FromRequest for ClientAddress {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

/// Walks the hops from the nearest to the farthest, as long as each is trusted to name the next.
fn client(peer: IpAddr, hops: &str, trusted: &[Network]) -> IpAddr {
    let mut at = peer.to_canonical();
    for hop in hops.rsplit(',').map(str::trim) {
        if !trusted.iter().any(|network| network.contains(at)) {
            break;
        }
        // Some proxies write the port, too.
        let next = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip()));
        match next {
            Ok(next) => at = next.to_canonical(),
            Err(_) => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, hops: &str, trusted: &[&str]) -> String {
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().expect("a network")).collect();
        client(peer.parse().expect("an address"), hops, &trusted).to_string()
    }

    #[test]
    fn forwarded_addresses_are_believed_from_trusted_proxies_only() {
        let proxies = ["10.0.0.0/8", "::1"];
        let cases = [
            ("203.0.113.9", "198.51.100.1", "203.0.113.9", "an untrusted peer's word counts for nothing"),
            ("10.1.2.3", "198.51.100.1", "198.51.100.1", "a trusted proxy names its client"),
            ("10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1", "what the client wrote itself is left out"),
            ("10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1", "a chain of trusted proxies is walked"),
            ("10.1.2.3", "198.51.100.1:4711", "198.51.100.1", "a port is left out"),
            ("::1", "2001:db8::7", "2001:db8::7", "IPv6 too"),
            ("10.1.2.3", "nonsense", "10.1.2.3", "nonsense ends the walk"),
            ("10.1.2.3", "", "10.1.2.3", "no header"),
            ("::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1", "a mapped IPv4 address is that IPv4 address"),
        ];
        for (peer, hops, client, why) in cases {
            assert_eq!(seen(peer, hops, &proxies), client, "{why}");
        }
    }

    #[test]
    fn an_ipv6_address_counts_by_its_64_bits() {
        let bucket = |text: &str| ClientAddress(text.parse().expect("an address")).bucket();
        assert_eq!(bucket("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(bucket("2001:db8:1:2:ffff::1"), bucket("2001:db8:1:2:3:4:5:6"));
        assert_ne!(bucket("2001:db8:1:3::1"), bucket("2001:db8:1:2::1"));
        assert_eq!(bucket("192.0.2.1"), "192.0.2.1");
        let wide = |text: &str| ClientAddress(text.parse().expect("an address")).wide_bucket();
        assert_eq!(wide("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1::/48"));
        assert_eq!(wide("192.0.2.1"), None);
    }
}
