//! How many connections are open, in all and from each address.

use std::{
    any::Any,
    collections::HashMap,
    net::{IpAddr, Shutdown},
    sync::Arc,
};

use actix_web::{dev::Extensions, rt::net::TcpStream};
use parking_lot::Mutex;

use crate::{
    http::network,
    platform::{network::Network, settings::ServerSettings},
};

/// The count of connections, which all clones share.
#[derive(Debug, Clone)]
pub struct Connections(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    open: Mutex<Open>,
    per_address: usize,
    nearly_full: usize,
    /// The proxies, whose connections belong to many people.
    proxies: Vec<Network>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A connection that is counted for as long as it is open.
#[derive(Debug)]
pub struct OpenConnection {
    connections: Connections,
    /// The address; `None` for a trusted proxy.
    address: Option<IpAddr>,
}

impl Connections {
    pub fn new(settings: &ServerSettings) -> Self {
        let proxies = settings.trusted_proxies.iter().filter_map(|text| text.parse().ok()).collect();
        Self(Arc::new(Inner {
            open: Mutex::default(),
            per_address: settings.connections_per_address,
            nearly_full: settings.max_connections - settings.max_connections / 8,
            proxies,
        }))
    }

    /// Counts a connection; returns `None` if its address already has the maximum number.
    pub fn open(&self, peer: IpAddr) -> Option<OpenConnection> {
        let peer = peer.to_canonical();
        let is_proxy = self.0.proxies.iter().any(|proxy| proxy.contains(peer));
        let address = (!is_proxy).then(|| network(peer));
        let mut open = self.0.open.lock();
        if let Some(address) = address {
            let own = open.by_address.entry(address).or_default();
            if *own >= self.0.per_address {
                return None;
            }
            *own += 1;
        }
        open.total += 1;
        Some(OpenConnection { connections: self.clone(), address })
    }

    /// Counts an accepted connection until it ends, or ends it.
    pub fn accept(&self, connection: &dyn Any, data: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
        let Ok(peer) = stream.peer_addr() else { return };
        match self.open(peer.ip()) {
            Some(open) => {
                data.insert(open);
            }
            None => {
                tracing::debug!("an address has as many connections as server.connections_per_address says");
                socket2::SockRef::from(stream).shutdown(Shutdown::Both).ok();
            }
        }
    }

    /// Returns whether connections should end after their answer rather than wait for another request.
    pub fn are_nearly_full(&self) -> bool {
        self.0.open.lock().total >= self.0.nearly_full
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.0.open.lock();
        open.total -= 1;
        let Some(address) = self.address else { return };
        if let Some(own) = open.by_address.get_mut(&address) {
            *own -= 1;
            if *own == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::settings::Settings;

    fn connections() -> Connections {
        let mut settings = Settings::defaults();
        (settings.server.max_connections, settings.server.connections_per_address) = (8, 2);
        settings.server.trusted_proxies = vec!["10.0.0.0/8".to_owned()];
        Connections::new(&settings.server)
    }

    #[test]
    fn the_connections_of_an_address_are_limited_and_those_of_a_proxy_are_not() {
        let connections = connections();
        let open = |text: &str| connections.open(text.parse().expect("an address"));
        let held = [open("203.0.113.1"), open("::ffff:203.0.113.1")];
        assert!(held.iter().all(Option::is_some) && open("203.0.113.1").is_none());
        let _other = open("203.0.113.2").expect("another address");
        let _proxied: Vec<_> = (0..3).map(|_| open("10.1.2.3").expect("a proxy")).collect();
        assert!(!connections.are_nearly_full());
        let _seventh = open("2001:db8::1").expect("room");
        assert!(connections.are_nearly_full());
        drop(held);
        assert!(!connections.are_nearly_full());
        open("203.0.113.1").expect("given back");
        assert!(
            !connections
                .0
                .open
                .lock()
                .by_address
                .contains_key(&"203.0.113.1".parse::<IpAddr>().expect("an address"))
        );
    }
}
