//! The files that may be uploaded for each purpose, and the people who may see them.

use roadcall_http::ValidationErrors;
use roadcall_platform::error::ApiResult;
use roadcall_providers::storage::{FileKind, Kept, UploadSettings};

use super::dto::UploadPurpose;
use crate::auth::desk::{self, Desks};

/// Returns whether files of a kind are allowed for a purpose: a PDF can't be shown as an avatar, in a chat, or as a
/// photo of a job.
pub(super) fn fits(purpose: UploadPurpose, kind: FileKind) -> bool {
    match purpose {
        UploadPurpose::Document | UploadPurpose::Evidence => true,
        UploadPurpose::JobPhoto | UploadPurpose::Avatar | UploadPurpose::Chat => kind.is_image(),
    }
}

/// Returns the size limit for a kind of file.
pub(super) fn max_bytes(kind: FileKind, settings: &UploadSettings) -> i64 {
    if kind.is_image() { settings.max_image_bytes } else { settings.max_pdf_bytes }
}

/// Checks an announcement; the error names the faults field by field.
pub(super) fn check(
    purpose: UploadPurpose,
    kind: FileKind,
    size_bytes: i64,
    settings: &UploadSettings,
    errors: &mut ValidationErrors,
) {
    if !fits(purpose, kind) {
        errors.add("content_type", format!("must be an image for {purpose}"));
    }
    let most = max_bytes(kind, settings);
    if size_bytes > most {
        errors.add("size_bytes", format!("must be at most {most} for {kind}"));
    }
}

/// The caller's relation to an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Owner,
    Admin,
    /// Neither owner nor admin.
    Stranger,
}

/// The right to see a file, as far as it is known without the objects that refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Granted,
    /// Granted, and recorded in the audit log.
    Audited,
    /// Granted to the customer and the mechanic of a job that refers to the file.
    OfJob,
    Denied,
}

pub(super) fn access(purpose: UploadPurpose, relation: Relation) -> Access {
    match (relation, purpose) {
        (Relation::Owner, _) => Access::Granted,
        (Relation::Admin | Relation::Stranger, UploadPurpose::Avatar) => Access::Granted,
        (Relation::Admin, _) => Access::Audited,
        (Relation::Stranger, UploadPurpose::JobPhoto | UploadPurpose::Evidence | UploadPurpose::Chat) => {
            Access::OfJob
        }
        (Relation::Stranger, UploadPurpose::Document) => Access::Denied,
    }
}

/// Refuses with 403 an admin whose desks don't need such a file: documents are for those who verify people.
pub(super) fn check_desk(purpose: UploadPurpose, desks: Desks) -> ApiResult<()> {
    match purpose {
        UploadPurpose::Document => desks.check::<desk::People>(),
        UploadPurpose::JobPhoto | UploadPurpose::Evidence | UploadPurpose::Chat | UploadPurpose::Avatar => {
            desks.check::<desk::Cases>()
        }
    }
}

/// Returns the lifetime of a link to a file in seconds.
pub(super) fn link_ttl_s(purpose: UploadPurpose, settings: &UploadSettings) -> i64 {
    if purpose == UploadPurpose::Document { settings.document_link_ttl_s } else { settings.link_ttl_s }
}

/// Returns whether caches on the way may store the file: they may not store documents.
pub(super) fn may_be_cached(purpose: UploadPurpose) -> bool {
    purpose != UploadPurpose::Document
}

/// Returns the file as the store knows it.
pub(super) fn kept(row: &super::queries::UploadRow) -> Kept {
    Kept {
        id: row.id,
        attempt: row.attempt,
        kind: row.content_type,
        may_be_cached: may_be_cached(row.purpose),
    }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    #[test]
    fn only_documents_and_evidence_may_be_pdfs() {
        let pdfs: Vec<UploadPurpose> =
            UploadPurpose::ALL.iter().copied().filter(|purpose| fits(*purpose, FileKind::Pdf)).collect();
        assert_eq!(pdfs, [UploadPurpose::Document, UploadPurpose::Evidence]);
        let images = FileKind::ALL.iter().filter(|kind| kind.is_image());
        assert!(images.clone().all(|kind| UploadPurpose::ALL.iter().all(|purpose| fits(*purpose, *kind))));
        assert_eq!(images.count(), 4);
    }

    #[test]
    fn a_file_may_be_as_large_as_its_kind_and_both_faults_are_named_at_once() {
        let settings: UploadSettings = default_of("uploads");
        let faults_of = |purpose, kind, size| {
            let mut errors = ValidationErrors::default();
            check(purpose, kind, size, &settings, &mut errors);
            errors.0.into_keys().collect::<Vec<String>>()
        };
        let (image, pdf) = (10 * 1024 * 1024, 20 * 1024 * 1024);
        assert_eq!(faults_of(UploadPurpose::Avatar, FileKind::Heic, image), Vec::<String>::new());
        assert_eq!(faults_of(UploadPurpose::Document, FileKind::Png, image + 1), ["size_bytes"]);
        assert_eq!(faults_of(UploadPurpose::Document, FileKind::Pdf, pdf), Vec::<String>::new());
        assert_eq!(faults_of(UploadPurpose::Chat, FileKind::Pdf, pdf + 1), ["content_type", "size_bytes"]);
    }

    #[test]
    fn a_private_file_is_its_owners_and_an_admins_access_is_recorded() {
        let of = |purpose| {
            [Relation::Owner, Relation::Admin, Relation::Stranger].map(|relation| access(purpose, relation))
        };
        use Access::{Audited, Denied, Granted, OfJob};
        assert_eq!(of(UploadPurpose::Document), [Granted, Audited, Denied]);
        assert_eq!(of(UploadPurpose::JobPhoto), [Granted, Audited, OfJob]);
        assert_eq!(of(UploadPurpose::Evidence), [Granted, Audited, OfJob]);
        assert_eq!(of(UploadPurpose::Avatar), [Granted, Granted, Granted]);
        assert_eq!(of(UploadPurpose::Chat), [Granted, Audited, OfJob]);
    }
}
