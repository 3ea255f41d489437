//! Webhooks to partners: signed as Standard Webhooks describes it, to receivers that partners have named. They reach public hosts
//! only, and follow no redirects.

mod secret;

use std::time::Duration;

use reqwest::{Response, header};
use tokio::time::timeout;
use uuid::Uuid;

pub use self::secret::{SecretSeal, WebhookSecret};
use crate::{
    outside::{NotFound, OutsideClient, endpoint},
    sending,
};

/// The part of an answer's body that is read: enough for the answer to a challenge.
const READ_BYTES: usize = 1024;
/// The time in which that part has to come, once the status has: an answer that drips holds no place of others.
const READ_WITHIN: Duration = Duration::from_secs(2);
/// The fault of a text that is no URL.
const NO_URL: &str = "must be an https URL without a user, a password and a fragment";

/// Checks whether webhooks may go to an address; its host is looked up when they are sent. `Err` continues "url …".
pub fn check_webhook_url(text: &str, may_be_private: bool) -> Result<(), &'static str> {
    endpoint(text, may_be_private, NO_URL).map(drop)
}

/// A webhook to send.
#[derive(Debug)]
pub struct OutgoingWebhook<'a> {
    pub subscription_id: Uuid,
    pub url: &'a str,
    pub id: Uuid,
    /// The time of this try, in seconds since 1970.
    pub timestamp: i64,
    pub body: &'a str,
    /// The secrets that the receiver may know. Each signs.
    pub secrets: &'a [WebhookSecret],
}

impl OutgoingWebhook<'_> {
    fn signatures(&self) -> String {
        let id = self.id.to_string();
        let signed = self.secrets.iter().map(|secret| secret.sign(&id, self.timestamp, self.body));
        signed.collect::<Vec<_>>().join(" ")
    }
}

/// A receiver's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiverAnswer {
    pub status: u16,
    /// The beginning of the body.
    pub body: Vec<u8>,
}

impl ReceiverAnswer {
    pub fn is_taken(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReceiverAnswer {
    #[error("the address {0}")]
    Refused(&'static str),
    #[error("{0}")]
    NotFound(#[from] NotFound),
    #[error("no answer in time")]
    Late,
    #[error("no connection, or no answer")]
    Unreachable,
}

/// Sends webhooks.
#[derive(Debug)]
pub struct Webhooks {
    client: OutsideClient,
    read_within: Duration,
}

impl Webhooks {
    /// Makes the sender. `timeout` bounds a whole request.
    pub fn new(timeout: Duration, may_be_private: bool) -> reqwest::Result<Self> {
        Ok(Self { client: OutsideClient::new(timeout, may_be_private)?, read_within: READ_WITHIN })
    }

    /// Sends a webhook once.
    pub async fn send(&self, webhook: &OutgoingWebhook<'_>) -> Result<ReceiverAnswer, NoReceiverAnswer> {
        // The settings may have become stricter since the address was registered.
        let url = self.client.endpoint(webhook.url, NO_URL).map_err(NoReceiverAnswer::Refused)?;
        let request = self.client.post(webhook.subscription_id, &url, false).await?;
        let request = request
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", webhook.id.to_string())
            .header("webhook-timestamp", webhook.timestamp.to_string())
            .header("webhook-signature", webhook.signatures())
            .body(webhook.body.to_owned());
        let response = sending::send_to_anybody(request, "webhook").await.map_err(no_answer)?;
        let status = response.status().as_u16();
        Ok(ReceiverAnswer { status, body: beginning(response, self.read_within).await })
    }
}

fn no_answer(error: reqwest::Error) -> NoReceiverAnswer {
    if error.is_timeout() { NoReceiverAnswer::Late } else { NoReceiverAnswer::Unreachable }
}

/// Reads the beginning of a body, as far as it comes in time. An answer counts by its status, however its body ends.
async fn beginning(response: Response, within: Duration) -> Vec<u8> {
    let mut begun = Vec::new();
    if timeout(within, read(response, &mut begun)).await.is_err() {
        tracing::debug!(bytes = begun.len(), "the body of an answer to a webhook did not come in time");
    }
    begun.truncate(READ_BYTES);
    begun
}

async fn read(mut response: Response, begun: &mut Vec<u8>) {
    while begun.len() < READ_BYTES
        && let Ok(Some(piece)) = response.chunk().await
    {
        begun.extend_from_slice(&piece);
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn a_webhook_is_signed_by_each_secret() {
        let random = roadcall_base::random::Random::seeded(1);
        let secrets = [WebhookSecret::random(&random), WebhookSecret::random(&random)];
        let webhook = OutgoingWebhook {
            subscription_id: Uuid::nil(),
            url: "https://partner.example/hooks",
            id: Uuid::nil(),
            timestamp: 7,
            body: "{}",
            secrets: &secrets,
        };
        let expected = secrets.each_ref().map(|secret| secret.sign(&Uuid::nil().to_string(), 7, "{}"));
        assert_eq!(webhook.signatures(), expected.join(" "));
    }

    #[tokio::test]
    async fn an_address_in_a_private_network_is_asked_nothing() {
        let webhooks = Webhooks::new(Duration::from_secs(5), false).expect("a client");
        let send = async |url: &str| {
            let (id, secrets) = (Uuid::nil(), &[]);
            let webhook = OutgoingWebhook { subscription_id: id, url, id, timestamp: 0, body: "{}", secrets };
            webhooks.send(&webhook).await
        };
        let by_name = send("https://localhost.localdomain/").await;
        assert!(matches!(by_name, Err(NoReceiverAnswer::NotFound(_))), "{by_name:?}");
        for url in ["http://partner.example/", "https://127.0.0.1/", "https://[::1]/", "https://partner/"] {
            assert!(matches!(send(url).await, Err(NoReceiverAnswer::Refused(_))), "{url}");
        }
    }

    #[tokio::test]
    async fn an_answer_whose_body_never_ends_counts_by_its_status() {
        let receiver = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", receiver.local_addr().expect("an address"));
        let client = OutsideClient::new(Duration::from_secs(3_600), true).expect("a client");
        let webhooks = Webhooks { client, read_within: Duration::from_millis(1) };
        let (id, secrets) = (Uuid::nil(), &[]);
        let webhook =
            OutgoingWebhook { subscription_id: id, url: &url, id, timestamp: 0, body: "{}", secrets };
        let drips = async {
            let (mut stream, _) = receiver.accept().await.expect("a connection");
            assert!(stream.read(&mut [0; 1024]).await.expect("a request") > 0);
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n.").await.expect("it is sent");
            std::future::pending::<()>().await;
        };
        tokio::select! {
            answer = webhooks.send(&webhook) => assert_eq!(answer.map(|answer| answer.status), Ok(200)),
            () = drips => unreachable!("it drips for ever"),
        }
    }

    #[test]
    fn only_answers_of_success_take_a_webhook() {
        let is_taken = |status| ReceiverAnswer { status, body: Vec::new() }.is_taken();
        assert!([200, 202, 204, 299].into_iter().all(is_taken));
        assert!(![199, 301, 302, 307, 400, 410, 500].into_iter().any(is_taken));
    }
}
