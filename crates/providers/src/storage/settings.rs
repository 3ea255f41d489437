//! Settings of uploads, and where they are kept: `[uploads]`.

use roadcall_platform::settings::{MAX_DAYS, NOT_HTTPS, Rule, RulesOf, Secret, Section, choice, list};
use serde::Deserialize;

/// A larger size is a typing error, since files are photos and papers.
const MAX_BYTES: i64 = 1024 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StorageProvider {
    Local,
    S3,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadSettings {
    #[serde(deserialize_with = "list")]
    pub allowed_hosts: Vec<String>,
    #[serde(deserialize_with = "choice")]
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
    pub max_pending_per_organisation: i64,
    pub max_bytes_per_organisation_and_day: i64,
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

    /// Returns the origin that browsers send files to and fetch them from: that of the S3 store, or `None` for the service itself.
    pub fn store_origin(&self) -> Option<String> {
        let mut url = self.endpoint_url().filter(|_| self.provider == StorageProvider::S3)?;
        if !self.path_style {
            let host = format!("{}.{}", self.bucket, url.host_str()?);
            url.set_host(Some(&host)).ok()?;
        }
        Some(url.origin().ascii_serialization())
    }

    fn rules_of_lives(&self) -> Vec<Rule> {
        let uploads = RulesOf("uploads");
        vec![
            uploads.within("put_link_ttl_s", self.put_link_ttl_s, 10..=3600),
            uploads.within("link_ttl_s", self.link_ttl_s, 5..=86_400),
            uploads.within("document_link_ttl_s", self.document_link_ttl_s, 5..=3600),
            uploads.within("receive_timeout_s", self.receive_timeout_s, 1..=3600),
            uploads.within("receive_window_s", self.receive_window_s, 1..=300),
            // This is longer than the life of a link and of an upload that it permits.
            uploads.within("pending_hours", self.pending_hours, 3..=24 * 30),
            uploads.within("unused_days", self.unused_days, 1..=MAX_DAYS),
        ]
    }

    fn rules_of_s3(&self) -> Vec<Rule> {
        let uploads = RulesOf("uploads");
        let needed = |field, text: &str| uploads.says(field, !text.trim().is_empty(), "is needed for s3");
        let is_bucket = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        let bucket = !self.bucket.trim().is_empty() && self.bucket.chars().all(is_bucket);
        vec![
            uploads.says("endpoint", self.endpoint_url().is_some(), "must be an http or https URL, for s3"),
            needed("region", &self.region),
            uploads.says("bucket", bucket, "is needed for s3: letters, digits, '.', '-' and '_'"),
            needed("access_key_id", &self.access_key_id),
            needed("secret_access_key", &self.secret_access_key.0),
            // Several requests must fit into the time of a try to complete an upload.
            uploads.within("timeout_ms", self.timeout_ms, 100..=10_000),
        ]
    }
}

impl Section for UploadSettings {
    fn rules(&self) -> Vec<Rule> {
        let uploads = RulesOf("uploads");
        let at_once = self.receiving_at_once.max(1);
        let holds_largest = |field, bytes: i64| {
            let largest = self.max_image_bytes.max(self.max_pdf_bytes);
            uploads.says(field, bytes >= largest, "must be at least the largest file")
        };
        let mut rules = vec![
            uploads.within("max_image_bytes", self.max_image_bytes, 1..=MAX_BYTES),
            uploads.within("max_image_megapixels", self.max_image_megapixels, 1..=10_000),
            uploads.within("max_pdf_bytes", self.max_pdf_bytes, 1..=MAX_BYTES),
            uploads.within("max_pending_per_user", self.max_pending_per_user, 1..=1000),
            holds_largest("max_bytes_per_user_and_day", self.max_bytes_per_user_and_day),
            uploads.within("max_pending_per_organisation", self.max_pending_per_organisation, 1..=10_000),
            holds_largest("max_bytes_per_organisation_and_day", self.max_bytes_per_organisation_and_day),
            uploads.within("receiving_at_once", self.receiving_at_once, 1..=10_000),
            uploads
                .within("receiving_per_user", self.receiving_per_user, 1..=at_once)
                .up_to("receiving_at_once"),
            uploads.within("receive_min_bytes_per_s", self.receive_min_bytes_per_s, 1..=1_000_000),
        ];
        rules.extend(self.rules_of_lives());
        if self.provider == StorageProvider::S3 {
            rules.extend(self.rules_of_s3());
        }
        rules
    }

    /// Returns the rules for production, which keep files, and the signatures that open them, from being sent in the clear.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_open = self.provider == StorageProvider::S3 && !self.endpoint.starts_with("https://");
        vec![RulesOf("uploads").says("endpoint", !is_open, NOT_HTTPS)]
    }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    #[test]
    fn browsers_reach_the_store_at_the_address_that_its_links_have() {
        let mut settings: UploadSettings = default_of("uploads");
        assert_eq!(settings.store_origin(), None, "the data folder is behind the service");
        settings.provider = StorageProvider::S3;
        settings.bucket = "files".to_owned();
        for (endpoint, path_style, expected) in [
            ("https://s3.example", false, "https://files.s3.example"),
            ("https://s3.example:9000/", true, "https://s3.example:9000"),
            ("http://127.0.0.1:9000", true, "http://127.0.0.1:9000"),
        ] {
            (settings.endpoint, settings.path_style) = (endpoint.to_owned(), path_style);
            assert_eq!(settings.store_origin().as_deref(), Some(expected));
        }
    }
}
