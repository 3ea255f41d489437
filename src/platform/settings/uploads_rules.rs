//! The rules for settings of uploads, which a start checks.

use super::{
    Settings, StorageProvider, UploadSettings,
    limits::MAX_DAYS,
    rule::{Rule, within},
};

/// A larger size is a typing error, since files are photos and papers.
const MAX_BYTES: i64 = 1024 * 1024 * 1024;

/// Returns the rules that must hold everywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let uploads = &settings.uploads;
    let public_url = &settings.server.public_url;
    let links = url::Url::parse(public_url).is_ok_and(|url| {
        ["http", "https"].contains(&url.scheme()) && url.has_host() && url.query().is_none()
    });
    let fault = "server.public_url must be an http or https URL: links to uploads begin with it";
    let own = vec![(links || public_url.is_empty(), fault)];
    [own, sizes(uploads), lives(uploads), s3(uploads)].into_iter().flatten().collect()
}

/// Returns the rules for production, which keep files, and the signatures that open them, from being sent in the clear.
pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let uploads = &settings.uploads;
    let is_open = uploads.provider == StorageProvider::S3 && !uploads.endpoint.starts_with("https://");
    vec![(!is_open, "uploads.endpoint is not https")]
}

fn sizes(uploads: &UploadSettings) -> Vec<Rule> {
    let day = uploads.max_image_bytes.max(uploads.max_pdf_bytes)..=i64::MAX;
    vec![
        (within(uploads.max_image_bytes, 1..=MAX_BYTES), "uploads.max_image_bytes must be 1 to 1073741824"),
        (within(uploads.max_image_megapixels, 1..=10_000), "uploads.max_image_megapixels must be 1 to 10000"),
        (within(uploads.max_pdf_bytes, 1..=MAX_BYTES), "uploads.max_pdf_bytes must be 1 to 1073741824"),
        (within(uploads.max_pending_per_user, 1..=1000), "uploads.max_pending_per_user must be 1 to 1000"),
        (
            within(uploads.max_bytes_per_user_and_day, day),
            "uploads.max_bytes_per_user_and_day must be at least the largest file",
        ),
        (within(uploads.receiving_at_once, 1..=10_000), "uploads.receiving_at_once must be 1 to 10000"),
        (
            within(uploads.receiving_per_user, 1..=uploads.receiving_at_once.max(1)),
            "uploads.receiving_per_user must be 1 to uploads.receiving_at_once",
        ),
        (
            within(uploads.receive_min_bytes_per_s, 1..=1_000_000),
            "uploads.receive_min_bytes_per_s must be 1 to 1000000",
        ),
    ]
}

fn lives(uploads: &UploadSettings) -> Vec<Rule> {
    let document = within(uploads.document_link_ttl_s, 5..=3600);
    vec![
        (within(uploads.put_link_ttl_s, 10..=3600), "uploads.put_link_ttl_s must be 10 to 3600"),
        (within(uploads.link_ttl_s, 5..=86_400), "uploads.link_ttl_s must be 5 to 86400"),
        (document, "uploads.document_link_ttl_s must be 5 to 3600"),
        (within(uploads.receive_timeout_s, 1..=3600), "uploads.receive_timeout_s must be 1 to 3600"),
        (within(uploads.receive_window_s, 1..=300), "uploads.receive_window_s must be 1 to 300"),
        // This is longer than the life of a link and of an upload that it permits.
        (within(uploads.pending_hours, 3..=24 * 30), "uploads.pending_hours must be 3 to 720"),
        (within(uploads.unused_days, 1..=MAX_DAYS), "uploads.unused_days must be 1 to 3650"),
    ]
}

fn s3(uploads: &UploadSettings) -> Vec<Rule> {
    if uploads.provider != StorageProvider::S3 {
        return Vec::new();
    }
    let named = |text: &str| !text.trim().is_empty();
    let is_bucket = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    let bucket = named(&uploads.bucket) && uploads.bucket.chars().all(is_bucket);
    vec![
        (uploads.endpoint_url().is_some(), "uploads.endpoint must be an http or https URL, for s3"),
        (named(&uploads.region), "uploads.region is needed for s3"),
        (bucket, "uploads.bucket is needed for s3: letters, digits, '.', '-' and '_'"),
        (named(&uploads.access_key_id), "uploads.access_key_id is needed for s3"),
        (named(&uploads.secret_access_key.0), "uploads.secret_access_key is needed for s3"),
        // Several requests must fit into the time of a try to complete an upload.
        (within(uploads.timeout_ms, 100..=10_000), "uploads.timeout_ms must be 100 to 10000"),
    ]
}
