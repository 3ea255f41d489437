//! Settings of uploads, and where they are kept: `[uploads]`.

use serde::Deserialize;

use super::{Secret, choice, list};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StorageProvider {
    Local,
    S3,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadSettings {
    #[serde(deserialize_with = "list::list")]
    pub allowed_hosts: Vec<String>,
    #[serde(deserialize_with = "choice::choice")]
    pub provider: StorageProvider,
    pub endpoint: String,
    pub region: String,
    pub bucket: String,
    pub path_style: bool,
    pub access_key_id: String,
    pub secret_access_key: Secret,
    pub timeout_ms: u64,
    pub max_image_bytes: i64,
    pub max_image_megapixels: u32,
    pub max_pdf_bytes: i64,
    pub put_link_ttl_s: i64,
    pub link_ttl_s: i64,
    pub document_link_ttl_s: i64,
    pub max_pending_per_user: i64,
    pub max_bytes_per_user_and_day: i64,
    pub receiving_at_once: usize,
    pub receiving_per_user: usize,
    pub receive_timeout_s: u64,
    pub receive_min_bytes_per_s: usize,
    pub receive_window_s: u64,
    pub pending_hours: i64,
    pub unused_days: i64,
}

impl UploadSettings {
    /// Returns the address of the S3 store, an absolute http or https URL that ends with its path; `None` for any other text.
    pub fn endpoint_url(&self) -> Option<url::Url> {
        let url = url::Url::parse(&self.endpoint).ok()?;
        let is_web = ["http", "https"].contains(&url.scheme()) && url.has_host();
        let is_bare = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        (is_web && is_bare).then_some(url)
    }
}
