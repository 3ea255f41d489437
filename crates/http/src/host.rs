//! The names by which a request may reach a development server. Under DNS rebinding, a page whose own name was made
//! to lead here has the same origin as the service to its browser, so it could read everything that development
//! shows: codes, for example.

use std::net::IpAddr;

use roadcall_platform::settings::CoreSettings;
use url::{Host, Url};

/// Returns whether a `Host` is this machine, or the address that the settings give to clients.
pub fn is_this_machine(host: &str, public_url: &str) -> bool {
    let Some(asked) = host_of(host) else { return false };
    let is_loopback = match &asked {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        // Browsers never ask the network about names below localhost (RFC 6761, 6.3).
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
    };
    is_loopback || Url::parse(public_url).is_ok_and(|public| public.host() == Some(as_ref(&asked)))
}

/// Returns whether a server answers to a `Host`: in production to every one, as a proxy may have chosen it; in
/// development to this machine's names, and to the address at which it listens. If it listens at every address, any
/// address will do: only names can be made to lead elsewhere.
pub fn is_answered(host: &str, settings: &CoreSettings) -> bool {
    let listen = settings.server.listen.ip();
    let is_ours = |address: IpAddr| listen.is_unspecified() || address == listen;
    settings.is_production()
        || is_this_machine(host, &settings.server.public_url)
        || match host_of(host) {
            Some(Host::Ipv4(address)) => is_ours(address.into()),
            Some(Host::Ipv6(address)) => is_ours(address.into()),
            Some(Host::Domain(_)) | None => false,
        }
}

fn host_of(host: &str) -> Option<Host> {
    Url::parse(&format!("http://{host}/")).ok()?.host().map(|host| host.to_owned())
}

fn as_ref(host: &Host) -> Host<&str> {
    match host {
        Host::Domain(name) => Host::Domain(name),
        Host::Ipv4(address) => Host::Ipv4(*address),
        Host::Ipv6(address) => Host::Ipv6(*address),
    }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::{Environment, testing::default_core};

    use super::*;

    #[test]
    fn only_names_of_this_machine_lead_here() {
        let public = "https://dev.example:8443";
        for host in [
            "127.0.0.1:8080",
            "localhost",
            "LOCALHOST:8080",
            "localhost.:8080",
            "console.localhost:8080",
            "[::1]:8080",
            "dev.example:8443",
            "dev.example",
        ] {
            assert!(is_this_machine(host, public), "{host}");
        }
        for host in [
            "rebound.example:8080",
            "127.0.0.1.example",
            "192.168.1.7:8080",
            "localhost.example",
            "notlocalhost",
            "",
            "a b",
        ] {
            assert!(!is_this_machine(host, public), "{host}");
        }
    }

    #[test]
    fn a_development_server_answers_at_its_own_address_and_production_to_every_name() {
        let at = |listen: &str| {
            let mut settings = default_core();
            settings.server.listen = listen.parse().expect("an address");
            settings
        };
        let cases = [
            ("127.0.0.1:8080", "192.168.1.7:8080", false),
            ("192.168.1.7:8080", "192.168.1.7:8080", true),
            ("192.168.1.7:8080", "192.168.1.8:8080", false),
            ("0.0.0.0:8080", "192.168.1.8:8080", true),
            ("[::]:8080", "[fe80::1]:8080", true),
            ("0.0.0.0:8080", "rebound.example:8080", false),
            ("0.0.0.0:8080", "localhost:8080", true),
        ];
        for (listen, host, answered) in cases {
            assert_eq!(is_answered(host, &at(listen)), answered, "{host} at {listen}");
        }
        let mut production = at("127.0.0.1:8080");
        production.environment = Environment::Production;
        assert!(is_answered("api.example", &production));
    }
}
