//! Work that a vanished client must not stop midway.

use std::future::Future;

use tracing::Instrument as _;

use crate::error::{ApiError, ApiResult};

/// Runs `work` to its end even when the client resets the connection, which drops the handler at its next
/// `await`. For what has a step after its commit: the caches and the engine must hear of every commit.
pub async fn to_the_end<T: 'static>(work: impl Future<Output = ApiResult<T>> + 'static) -> ApiResult<T> {
    actix_web::rt::spawn(work.in_current_span()).await.unwrap_or_else(|gone| Err(ApiError::internal(gone)))
}
