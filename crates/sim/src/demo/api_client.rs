//! The interface as the demo's apps use it: how patient they are, the fields that they read, and how they upload files.

use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, Utc};
use roadcall_client::{Api, ClientError, Patience, Person, Tokens, sent};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait before a repeat, even if `Retry-After` asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const PATIENCE: Patience = Patience { tries: 3, wait: wait_after };
/// The name of a request with a file in error messages.
const BYTES: &str = "the bytes of a photo";

/// The status of a job (contract 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pending,
    Dispatching,
    Accepted,
    EnRoute,
    Arrived,
    InProgress,
    Completed,
    Paid,
    Cancelled,
    NoMechanicFound,
    Disputed,
    Resolved,
}

impl Status {
    /// Returns whether nothing in the demo changes the job any more.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Paid | Self::Cancelled | Self::Disputed | Self::Resolved)
    }

    /// Returns whether a mechanic has the job.
    pub fn is_served(self) -> bool {
        matches!(self, Self::Accepted | Self::EnRoute | Self::Arrived | Self::InProgress)
    }
}

/// The fields of a job that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Job {
    pub id: Uuid,
    pub status: Status,
    pub seq: i64,
    pub service_category_slug: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub destination: Option<Destination>,
    /// Since when the vehicle is on the truck.
    pub loaded_at: Option<DateTime<Utc>>,
    pub mechanic_profile_id: Option<Uuid>,
    /// The start code, which only customers see.
    pub start_code: Option<String>,
    pub created_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    /// The fee in rupees.
    pub cancellation_fee: Option<f64>,
}

/// The place to which a vehicle is towed.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Destination {
    pub lat: f64,
    pub lng: f64,
}

/// The fields of a line item that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct LineItem {
    pub id: Uuid,
    pub status: String,
    pub description: String,
    /// This and the total, in rupees, are what the customer agrees to.
    pub version: i64,
    pub total: f64,
}

/// The fields of an offer that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Offer {
    pub id: Uuid,
}

/// The fields of a service category that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Category {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    pub vehicle_types: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Categories {
    data: Vec<Category>,
}

/// The place to which the bytes of a file are uploaded.
#[derive(Deserialize)]
struct Announced {
    upload_id: Uuid,
    url: String,
    headers: BTreeMap<String, String>,
}

/// A file that the service has checked.
#[derive(Deserialize)]
struct Kept {
    file_url: String,
}

/// Returns how long to wait after a request that was refused for now, or got no answer.
fn wait_after(error: &ClientError) -> Option<Duration> {
    match error {
        ClientError::Refused { status: 429 | 503, retry_after_s, .. } => {
            Some(Duration::from_secs(retry_after_s.unwrap_or(1)).min(LONGEST_WAIT))
        }
        ClientError::Silent { .. } => Some(Duration::from_millis(500)),
        ClientError::Refused { .. } | ClientError::Odd { .. } => None,
    }
}

/// Creates a client of the service at `base`.
pub fn service_at(base: &str) -> Result<Api, ClientError> {
    Ok(Api::new(base, REQUEST_TIMEOUT)?.patient(PATIENCE))
}

/// Returns the holder of this access token, for as long as it is valid.
pub fn holder_of(api: &Api, access_token: &str) -> Person {
    Person::new(api, Tokens { access_token: access_token.to_owned(), refresh_token: String::new() })
}

/// Returns every category.
pub async fn categories(person: &Person) -> Result<Vec<Category>, ClientError> {
    Ok(person.get::<Categories>("/service-categories").await?.data)
}

/// Uploads a picture for this purpose, and returns the URL by which bodies name it.
pub async fn upload(person: &Person, purpose: &str, png: Vec<u8>) -> Result<String, ClientError> {
    let new = json!({ "purpose": purpose, "content_type": "image/png", "size_bytes": png.len() });
    let announced: Announced = person.post("/uploads/presign", new).await?;
    send_file(person.api(), &announced, png).await?;
    let kept: Kept = person.post(&format!("/uploads/{}/complete", announced.upload_id), json!({})).await?;
    Ok(kept.file_url)
}

/// Sends the bytes of a file to its link. A link to the service itself is rewritten to the address at which this client reaches it.
async fn send_file(api: &Api, to: &Announced, bytes: Vec<u8>) -> Result<(), ClientError> {
    let path = format!("/uploads/{}/content", to.upload_id);
    let own = to.url.find(&path).map(|start| format!("{}{}", api.base(), &to.url[start..]));
    let url = own.as_deref().unwrap_or(&to.url);
    let sending = PATIENCE.repeat(|| {
        let request = api.http().put(url).body(bytes.clone());
        let headers = to.headers.iter();
        sent(headers.fold(request, |request, (name, value)| request.header(name, value)), BYTES)
    });
    match sending.await {
        // A try that got no answer may have brought the bytes.
        Err(error) if error.status() == Some(409) => Ok(()),
        answer => answer.map(drop),
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    const FILE: &[u8] = b"a picture";

    /// Sends a file to a server that gives these answers, and returns the outcome and how many of them were needed.
    async fn sent_to(answers: &[&str]) -> (Result<(), ClientError>, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let api = service_at(&format!("http://{}", listener.local_addr().expect("an address")));
        let api = api.expect("a client");
        let upload_id = Uuid::from_u128(7);
        let url = format!("https://elsewhere.example/uploads/{upload_id}/content?signature=x");
        let to = Announced { upload_id, url, headers: BTreeMap::new() };
        let mut needed = 0;
        let serving = async {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.expect("a request");
                let (mut request, mut chunk) = (Vec::new(), [0; 1024]);
                while !request.ends_with(FILE) {
                    let read = stream.read(&mut chunk).await.expect("bytes");
                    assert!(read > 0, "the request is not whole");
                    request.extend_from_slice(&chunk[..read]);
                }
                needed += 1;
                let head = format!(
                    "HTTP/1.1 {answer}\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).await.expect("an answer");
            }
            std::future::pending::<()>().await;
        };
        let outcome = tokio::select! {
            outcome = send_file(&api, &to, FILE.to_vec()) => outcome,
            () = serving => unreachable!("it serves for ever"),
        };
        (outcome, needed)
    }

    #[tokio::test]
    async fn a_file_that_is_refused_for_now_is_sent_again_and_not_for_ever() {
        let (busy, limited) = ("503 Service Unavailable", "429 Too Many Requests");
        for (answers, is_sent, tries) in [
            (vec!["200 OK"], true, 1),
            (vec![limited, busy, "200 OK"], true, 3),
            (vec![busy, "409 Conflict"], true, 2),
            (vec![busy; 4], false, 3),
            (vec!["403 Forbidden", "200 OK"], false, 1),
        ] {
            let (outcome, needed) = sent_to(&answers).await;
            assert_eq!((outcome.is_ok(), needed), (is_sent, tries), "{answers:?}: {outcome:?}");
        }
    }
}
