//! Requests to addresses that strangers have named: push services that browsers name, and receivers that partners name. Such a
//! request reaches public hosts with a name, over https, and no other place that its answer names.

mod address;
mod lookups;

use std::{sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder, Url};
use roadcall_platform::https;
use uuid::Uuid;

use self::lookups::{FoundHosts, Lookups};
pub(crate) use self::{address::endpoint, lookups::NotFound};

/// The HTTP client for such addresses.
#[derive(Debug)]
pub(crate) struct OutsideClient {
    client: Client,
    /// `None` if a request may go anywhere.
    lookups: Option<Arc<Lookups>>,
}

impl OutsideClient {
    /// Makes a client. `timeout` bounds a whole request. Redirects are not followed: they could lead anywhere.
    pub fn new(timeout: Duration, may_be_private: bool) -> reqwest::Result<Self> {
        let lookups = (!may_be_private).then(Lookups::of_the_system);
        Ok(Self { client: client(timeout, lookups.clone())?, lookups })
    }

    /// Reads an address like [`endpoint`].
    pub fn endpoint(&self, text: &str, expected: &'static str) -> Result<Url, &'static str> {
        endpoint(text, self.lookups.is_none(), expected)
    }

    /// Begins a POST to an address that [`Self::endpoint`] has read. Its host is looked up first.
    pub async fn post(&self, owner: Uuid, url: &Url, is_urgent: bool) -> Result<RequestBuilder, NotFound> {
        if let (Some(lookups), Some(host)) = (&self.lookups, url.host_str()) {
            lookups.look_up(owner, host, is_urgent).await?;
        }
        Ok(self.client.post(url.clone()))
    }
}

fn client(timeout: Duration, lookups: Option<Arc<Lookups>>) -> reqwest::Result<Client> {
    let redirects = reqwest::redirect::Policy::none();
    let client = https::client().timeout(timeout).connect_timeout(timeout).redirect(redirects).no_proxy();
    match lookups {
        None => client.build(),
        Some(lookups) => client.dns_resolver(Arc::new(FoundHosts(lookups))).build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_may_lead_to_our_own_hosts_only_where_that_is_allowed() {
        for may_be_private in [false, true] {
            let ours = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let port = ours.local_addr().expect("an address").port();
            let client = OutsideClient::new(Duration::from_secs(30), may_be_private).expect("a client");
            let url: Url = format!("http://localhost:{port}/").parse().expect("a URL");
            let begun = client.post(Uuid::from_u128(1), &url, true).await;
            assert_eq!(begun.is_ok(), may_be_private, "it has no public address");
            let request = begun.unwrap_or_else(|_| client.client.post(url.clone()));
            let is_reached = tokio::select! {
                _ = ours.accept() => true,
                _ = request.send() => false,
            };
            assert_eq!(is_reached, may_be_private);
        }
    }
}
