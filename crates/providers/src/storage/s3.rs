//! A store with an S3 interface: Amazon's, or any other. `rusty_s3` signs the requests (Signature Version 4, in the query); this
//! module sends them.
//!
//! ```text
//! incoming/<id>            sent by a client, whose link may write there until it expires
//! files/<id>-<attempt>     the checked copy, a picture without its metadata: no client's link reaches it
//! ```

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use jiff::Timestamp;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use roadcall_platform::https;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{
    error::StorageError,
    inspection::Inspection,
    kind::HEAD_BYTES,
    model::{Announced, Fault, Kept, KeptBytes, PutLink},
    picture,
    picture_turns::{Pictures, stopped},
    settings::UploadSettings,
    store::Storage,
};
use crate::{ProviderError, sending};

/// How long the service's own requests stay valid: its clock may be a little off.
const OWN_LIFE: Duration = Duration::from_secs(300);
/// The number of bytes of a refusal that are read.
const MAX_REFUSAL_BYTES: usize = 4096;

/// The store that the settings name.
#[derive(derive_more::Debug, Clone)]
#[debug("S3Storage {{ bucket: {:?}, .. }}", self.bucket.name())]
pub struct S3Storage {
    bucket: Arc<Bucket>,
    credentials: Arc<Credentials>,
    client: Client,
    pictures: Pictures,
    max_megapixels: u32,
}

impl S3Storage {
    /// Makes the store. Redirects are not followed and no proxy of the environment is used: signed requests go only where the
    /// settings say.
    pub(super) fn new(settings: &UploadSettings) -> Result<Self, StorageError> {
        let endpoint = settings.endpoint_url().ok_or(StorageError::Url)?;
        let style = if settings.path_style { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let bucket = Bucket::new(endpoint, style, settings.bucket.clone(), settings.region.clone());
        let timeout = Duration::from_millis(settings.timeout_ms);
        let redirects = reqwest::redirect::Policy::none();
        let client = https::client().timeout(timeout).connect_timeout(timeout).redirect(redirects);
        Ok(Self {
            bucket: Arc::new(bucket.map_err(|_| StorageError::Url)?),
            credentials: Arc::new(Credentials::new(
                settings.access_key_id.clone(),
                settings.secret_access_key.0.clone(),
            )),
            client: client.no_proxy().build()?,
            pictures: Pictures::default(),
            max_megapixels: settings.max_image_megapixels,
        })
    }

    async fn keep_copy(
        &self,
        announced: &Announced,
        sent: &str,
        kept: &str,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError> {
        if !self.copy(sent, kept).await? {
            return Ok(Err(Fault::Missing));
        }
        let looked = self.look(announced, kept).await?;
        Ok(looked.map(|()| KeptBytes::as_announced(announced)))
    }

    /// Fetches a picture, and keeps it without its metadata: the bytes that are checked are the bytes that are kept. The
    /// picture's turn includes fetching it, since the turn bounds the memory in use.
    async fn keep_picture(
        &self,
        announced: &Announced,
        sent: &str,
        kept: &str,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError> {
        let _turn = self.pictures.turn().await?;
        let Some(mut response) = self.ask(self.get(sent)).await? else { return Ok(Err(Fault::Missing)) };
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(&error))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() as u64 > announced.size_bytes {
                return Ok(Err(Fault::Size));
            }
        }
        let (announced, most) = (*announced, self.max_megapixels);
        let cleaned = spawn_blocking(move || clean(&announced, &bytes, most)).await.map_err(|_| stopped())?;
        let (clean, bytes) = match cleaned {
            Ok(cleaned) => cleaned,
            Err(fault) => return Ok(Err(fault)),
        };
        let url = self.bucket.put_object(Some(&self.credentials), kept).sign(OWN_LIFE);
        let put = self.ask(self.client.put(url).body(clean)).await?;
        put.map(|_| Ok(bytes)).ok_or_else(|| ProviderError::Unavailable("the upload store: 404".to_owned()))
    }

    /// Checks a kept file against its announcement: the size and the first bytes, or all bytes if there is a digest to compare.
    async fn look(&self, announced: &Announced, key: &str) -> Result<Result<(), Fault>, ProviderError> {
        let vanished = || ProviderError::Unavailable("a copy is not there yet".to_owned());
        if self.size_of(key).await?.ok_or_else(vanished)? != announced.size_bytes {
            return Ok(Err(Fault::Size));
        }
        let request = self.get(key);
        let request = match announced.sha256 {
            Some(_) => request,
            None => request.header(header::RANGE, format!("bytes=0-{}", HEAD_BYTES - 1)),
        };
        let mut response = self.ask(request).await?.ok_or_else(vanished)?;
        let mut inspection = Inspection::of(announced);
        while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(&error))? {
            if let Err(fault) = inspection.take(&chunk) {
                return Ok(Err(fault));
            }
            // A store that does not support ranges sends the whole file.
            if announced.sha256.is_none() && inspection.head.len() == HEAD_BYTES {
                break;
            }
        }
        Ok(if announced.sha256.is_some() { inspection.finish() } else { inspection.check_kind() })
    }

    /// Returns the size of an object; `None` if it does not exist.
    async fn size_of(&self, key: &str) -> Result<Option<u64>, ProviderError> {
        let url = self.bucket.head_object(Some(&self.credentials), key).sign(OWN_LIFE);
        let Some(response) = self.ask(self.client.head(url)).await? else { return Ok(None) };
        // A HEAD has no body to measure, so the header decides.
        let length = response.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        let length = length.and_then(|length| length.parse().ok());
        length.map(Some).ok_or_else(|| ProviderError::Unknown("the object has no length".to_owned()))
    }

    /// Copies an object; returns false if there is nothing to copy.
    async fn copy(&self, from: &str, to: &str) -> Result<bool, ProviderError> {
        let source = format!("/{}/{from}", self.bucket.name());
        let mut action = self.bucket.put_object(Some(&self.credentials), to);
        action.headers_mut().insert("x-amz-copy-source", source.as_str());
        let request = self.client.put(action.sign(OWN_LIFE)).header("x-amz-copy-source", &source);
        // The body of a 200 may report a failure (Amazon does this): the check that follows then finds no copy.
        Ok(self.ask(request.body("")).await?.is_some())
    }

    async fn delete(&self, key: &str) -> Result<(), ProviderError> {
        let url = self.bucket.delete_object(Some(&self.credentials), key).sign(OWN_LIFE);
        self.ask(self.client.request(Method::DELETE, url)).await.map(drop)
    }

    fn get(&self, key: &str) -> RequestBuilder {
        self.client.get(self.bucket.get_object(Some(&self.credentials), key).sign(OWN_LIFE))
    }

    /// Sends a request; `None` for 404.
    async fn ask(&self, request: RequestBuilder) -> Result<Option<Response>, ProviderError> {
        let response = sending::send(request, "s3").await.map_err(|error| no_answer(&error))?;
        match response.status() {
            status if status.is_success() => Ok(Some(response)),
            StatusCode::NOT_FOUND => {
                // A missing bucket is not a missing file; a HEAD has nothing but the status.
                let code = code_of(response).await;
                if code == "NoSuchBucket" { Err(refused("404", code)) } else { Ok(None) }
            }
            status => Err(refusal(status, code_of(response).await)),
        }
    }
}

#[async_trait]
impl Storage for S3Storage {
    fn name(&self) -> &'static str {
        "s3"
    }

    fn put_link(&self, announced: &Announced, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> PutLink {
        let (key, headers) = (incoming(announced.id), announced.headers());
        let mut action = self.bucket.put_object(Some(&self.credentials), &key);
        for (name, value) in &headers {
            action.headers_mut().insert(*name, value.as_str());
        }
        PutLink { url: link(&action, now, expires_at), headers }
    }

    async fn keep(
        &self,
        announced: &Announced,
        attempt: Uuid,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError> {
        let (sent, kept) = (incoming(announced.id), file(announced.id, attempt));
        // The size is checked first, so that a file that is far too large is neither fetched nor copied.
        let looked = match self.size_of(&sent).await? {
            None => return Ok(Err(Fault::Missing)),
            Some(size) if size != announced.size_bytes => Err(Fault::Size),
            Some(_) if announced.kind.is_image() => self.keep_picture(announced, &sent, &kept).await?,
            Some(_) => self.keep_copy(announced, &sent, &kept).await?,
        };
        if looked == Err(Fault::Missing) {
            return Ok(looked);
        }
        if looked.is_err() {
            self.delete(&kept).await?;
            self.delete(&sent).await?;
        }
        Ok(looked)
    }

    async fn forget(&self, id: Uuid, attempt: Uuid) -> Result<(), ProviderError> {
        self.delete(&file(id, attempt)).await
    }

    async fn clear_incoming(&self, id: Uuid) -> Result<(), ProviderError> {
        self.delete(&incoming(id)).await
    }

    fn get_link(&self, kept: &Kept, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> String {
        let key = file(kept.id, kept.attempt.unwrap_or_default());
        let mut action = self.bucket.get_object(Some(&self.credentials), &key);
        let query = action.query_mut();
        query.insert("response-content-type", kept.kind.as_str());
        query.insert("response-content-disposition", kept.disposition());
        query.insert("response-cache-control", kept.cache_control());
        link(&action, now, expires_at)
    }

    async fn remove(&self, id: Uuid, attempt: Option<Uuid>) -> Result<(), ProviderError> {
        if let Some(attempt) = attempt {
            self.delete(&file(id, attempt)).await?;
        }
        self.delete(&incoming(id)).await
    }
}

/// Checks a picture, and removes its metadata.
fn clean(announced: &Announced, bytes: &[u8], max_megapixels: u32) -> Result<(Vec<u8>, KeptBytes), Fault> {
    let mut inspection = Inspection::of(announced);
    inspection.take(bytes)?;
    inspection.finish()?;
    let clean = picture::checked(announced.kind, bytes, max_megapixels)?;
    let kept = KeptBytes::of(&clean);
    Ok((clean, kept))
}

fn incoming(id: Uuid) -> String {
    format!("incoming/{id}")
}

fn file(id: Uuid, attempt: Uuid) -> String {
    format!("files/{id}-{attempt}")
}

/// Makes an error of a failed request. The error's own text contains the signed URL.
fn no_answer(error: &reqwest::Error) -> ProviderError {
    let why = if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "no answer in time"
    } else {
        "the connection was cut"
    };
    ProviderError::Unavailable(format!("the upload store: {why}"))
}

/// Returns the code of S3's error document; empty if it has none.
async fn code_of(mut response: Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_REFUSAL_BYTES {
            break;
        }
    }
    let text = String::from_utf8_lossy(&body);
    let code = text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map(|(code, _)| code).unwrap_or_default();
    code.chars().filter(char::is_ascii_alphanumeric).take(60).collect()
}

fn refusal(status: StatusCode, code: String) -> ProviderError {
    let status_text = status.as_u16().to_string();
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            ProviderError::Unavailable(status_text)
        }
        status if status.is_server_error() => ProviderError::Unavailable(status_text),
        _ => refused(&status_text, code),
    }
}

fn refused(status: &str, description: String) -> ProviderError {
    tracing::error!(
        status,
        code = description,
        "the upload store refuses access; check the settings of [uploads]"
    );
    ProviderError::Refused { code: status.to_owned(), description }
}

/// Signs a link that is valid from `now` to `expires_at`, for at least a second.
fn link<'a>(action: &impl S3Action<'a>, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> String {
    let life = (expires_at - now).to_std().unwrap_or_default().max(Duration::from_secs(1));
    let signed_at = Timestamp::from_second(now.timestamp()).expect("both crates know the years of a clock");
    action.sign_with_time(life, &signed_at).into()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use roadcall_platform::settings::{Secret, testing::default_of};

    use super::*;
    use crate::storage::FileKind;

    fn store(path_style: bool) -> S3Storage {
        let mut settings: UploadSettings = default_of("uploads");
        settings.endpoint = "https://s3.ap-south-1.amazonaws.com".to_owned();
        settings.bucket = "files".to_owned();
        settings.path_style = path_style;
        settings.access_key_id = "AKIA1".to_owned();
        settings.secret_access_key = Secret("a secret key".to_owned());
        https::install_tls_provider();
        S3Storage::new(&settings).expect("a store")
    }

    #[test]
    fn the_bucket_is_in_the_host_or_the_path_and_no_secret_is_shown() {
        let (id, now) = (Uuid::from_u128(7), DateTime::<Utc>::UNIX_EPOCH);
        let announced = Announced { id, kind: FileKind::Png, size_bytes: 9, sha256: None };
        for (path_style, start) in [
            (false, format!("https://files.s3.ap-south-1.amazonaws.com/incoming/{id}?")),
            (true, format!("https://s3.ap-south-1.amazonaws.com/files/incoming/{id}?")),
        ] {
            let store = store(path_style);
            let link = store.put_link(&announced, now, now + TimeDelta::seconds(60));
            assert!(link.url.starts_with(&start), "{}", link.url);
            assert!(link.url.contains("X-Amz-Expires=60&"), "{}", link.url);
            assert!(!link.url.contains("secret") && !format!("{store:?}").contains("AKIA1"));
        }
    }
}
