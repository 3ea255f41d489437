use async_trait::async_trait;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::model::{Announced, Fault, Kept, KeptBytes, PutLink};
use crate::ProviderError;

/// A store. Calls have their own time limits, and any call may be repeated, whatever its outcome.
#[async_trait]
pub trait Storage: Send + Sync + std::fmt::Debug {
    /// Returns the store's name in rows: "local" or "s3".
    fn name(&self) -> &'static str;

    /// Makes a link for sending exactly these bytes, until `expires_at`. Makes no request.
    fn put_link(&self, announced: &Announced, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> PutLink;

    /// Moves the file that has arrived out of the sending link's reach, pictures without their metadata, and checks it there. A
    /// file that differs from its announcement is removed, and its fault returned. Each `attempt` has an id of its own; forget an
    /// attempt that failed.
    async fn keep(
        &self,
        announced: &Announced,
        attempt: Uuid,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError>;

    /// Removes the result of a failed attempt, and leaves the file that has arrived.
    async fn forget(&self, id: Uuid, attempt: Uuid) -> Result<(), ProviderError>;

    /// Removes the file that has arrived, after its upload is complete.
    async fn clear_incoming(&self, id: Uuid) -> Result<(), ProviderError>;

    /// Makes a link with which anyone can fetch the file until `expires_at`. Makes no request.
    fn get_link(&self, kept: &Kept, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> String;

    /// Removes the file that has arrived, and the result of the attempt. It is no error if there is nothing to remove.
    async fn remove(&self, id: Uuid, attempt: Option<Uuid>) -> Result<(), ProviderError>;
}
