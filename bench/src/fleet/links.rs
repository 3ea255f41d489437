//! The links of servers: to their clients, to NATS and to Postgres.

use std::{net::Ipv4Addr, path::Path};

use tokio::process::Command;

use super::run;
use crate::Failure;

/// The addresses of all ends of links.
const ALL: &str = "10.213.0.0/16";

/// The connection of a server with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    Clients,
    Nats,
    Postgres,
}

impl Link {
    const ALL: [Self; 3] = [Self::Clients, Self::Nats, Self::Postgres];

    fn letter(self) -> char {
        match self {
            Self::Clients => 'c',
            Self::Nats => 'n',
            Self::Postgres => 'p',
        }
    }
}

/// How servers are connected.
#[derive(Debug)]
pub enum Links {
    /// The servers are connected by loopback.
    Loopback,
    /// Each server has a network namespace, and a pair of virtual interfaces for each link. They are removed when this is
    /// dropped.
    Cuttable { servers: u8 },
}

impl Links {
    /// Builds links that can be cut. Needs root, and iproute2.
    pub async fn cuttable(servers: u8) -> Result<Self, Failure> {
        let links = Self::Cuttable { servers };
        // Otherwise packets for a server that was cut off would go to the machine's gateway, where somebody may answer.
        ip(&["route", "replace", "unreachable", ALL, "metric", "1000000"]).await?;
        for server in 0..servers {
            let namespace = namespace(server);
            // A run that was killed may have left this.
            ip(&["netns", "del", &namespace]).await.ok();
            ip(&["netns", "add", &namespace]).await?;
            ip(&["-n", &namespace, "link", "set", "lo", "up"]).await?;
            for link in Link::ALL {
                let (outer, inner) = (outer(server, link), format!("to-{}", link.letter()));
                ip(&["link", "del", &outer]).await.ok();
                ip(&["link", "add", &outer, "type", "veth", "peer", "name", &inner, "netns", &namespace])
                    .await?;
                let [here, there] = [1, 2].map(|end| format!("{}/30", address(server, link, end)));
                ip(&["addr", "add", &here, "dev", &outer]).await?;
                ip(&["link", "set", &outer, "up"]).await?;
                ip(&["-n", &namespace, "addr", "add", &there, "dev", &inner]).await?;
                ip(&["-n", &namespace, "link", "set", &inner, "up"]).await?;
            }
        }
        Ok(links)
    }

    /// Cuts or restores a link: a cut link drops everything without an error.
    pub async fn cut(&self, server: u8, link: Link, is_cut: bool) -> Result<(), Failure> {
        match self {
            Self::Loopback => Err("these links can't be cut".into()),
            Self::Cuttable { .. } => {
                let state = if is_cut { "down" } else { "up" };
                ip(&["link", "set", &outer(server, link), state]).await.map(drop)
            }
        }
    }

    /// Returns whether [`Links::cut`] works here.
    pub fn can_cut(&self) -> bool {
        matches!(self, Self::Cuttable { .. })
    }

    /// Returns the address at which the server finds the other end of the link.
    pub fn host(&self, server: u8, link: Link) -> Ipv4Addr {
        match self {
            Self::Loopback => Ipv4Addr::LOCALHOST,
            Self::Cuttable { .. } => address(server, link, 1),
        }
    }

    /// Returns the address at which clients find a server.
    pub fn server(&self, server: u8) -> Ipv4Addr {
        match self {
            Self::Loopback => Ipv4Addr::LOCALHOST,
            Self::Cuttable { .. } => address(server, Link::Clients, 2),
        }
    }

    /// Returns the address to listen on for all servers.
    pub(super) fn anywhere(&self) -> &'static str {
        match self {
            Self::Loopback => "127.0.0.1",
            Self::Cuttable { .. } => "0.0.0.0",
        }
    }

    /// Returns the server's namespace, if it has one.
    pub(super) fn namespace(&self, server: u8) -> Option<String> {
        matches!(self, Self::Cuttable { .. }).then(|| namespace(server))
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        let Self::Cuttable { servers } = self else { return };
        std::process::Command::new("ip").args(["route", "del", "unreachable", ALL]).status().ok();
        for server in 0..*servers {
            // The interfaces are removed with the namespace.
            std::process::Command::new("ip").args(["netns", "del", &namespace(server)]).status().ok();
        }
    }
}

fn namespace(server: u8) -> String {
    format!("roadcall-{server}")
}

fn outer(server: u8, link: Link) -> String {
    format!("roadcall-{server}{}", link.letter())
}

/// Returns the address of the first or second end.
fn address(server: u8, link: Link, end: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 213, server, link as u8 * 4 + end)
}

/// Returns a command that runs a program at a server's end of its links.
pub(super) fn command(namespace: Option<&str>, program: &Path) -> Command {
    let Some(namespace) = namespace else { return Command::new(program) };
    let mut command = Command::new("ip");
    command.args(["netns", "exec", namespace]).arg(program);
    command
}

async fn ip(arguments: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("ip");
    command.args(arguments);
    run(command, "").await
}
