use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::model::{Announced, Fault, Kept, KeptBytes, PutLink};
use crate::providers::ProviderError;

/// A store. Calls have time limits of their own, and each may be made again whatever became of it.
pub trait Storage: Send + Sync + std::fmt::Debug {
    /// As in rows: "local", "s3".
    fn name(&self) -> &'static str;

    /// A link under which these bytes can be sent and no others, until `expires_at`. Makes no request.
    fn put_link(&self, announced: &Announced, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> PutLink;

    /// Keeps what has arrived where the link for sending does not reach, pictures without their metadata, and
    /// checks it there. What is not as announced is removed, and its fault returned. Each `attempt` has an id
    /// of its own; forget one that failed.
    fn keep<'a>(
        &'a self,
        announced: &'a Announced,
        attempt: Uuid,
    ) -> BoxFuture<'a, Result<Result<KeptBytes, Fault>, ProviderError>>;

    /// Removes what an attempt kept that came to nothing, and leaves what has arrived.
    fn forget(&self, id: Uuid, attempt: Uuid) -> BoxFuture<'_, Result<(), ProviderError>>;

    /// Removes what has arrived, after its upload is complete.
    fn clear_incoming(&self, id: Uuid) -> BoxFuture<'_, Result<(), ProviderError>>;

    /// A link under which anyone who has it can fetch the file until `expires_at`. Makes no request.
    fn get_link(&self, kept: &Kept, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> String;

    /// Removes what has arrived, and what the attempt kept. Nothing to remove is no error.
    fn remove(&self, id: Uuid, attempt: Option<Uuid>) -> BoxFuture<'_, Result<(), ProviderError>>;
}
