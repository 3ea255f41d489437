//! Withdrawing the agreement to the privacy notice.

use uuid::Uuid;

use crate::{
    accounts::notices,
    fleet::mechanics::{self, JobSeeker},
    lifecycle::LifecycleContext,
    platform::error::{ApiResult, after_commit},
};

/// Withdraws the person's agreement to every notice. A verified mechanic gets no offers from now on, but a job under way goes on.
/// A repeat changes nothing.
pub async fn withdraw_consent(
    context: &LifecycleContext,
    user_id: Uuid,
    mechanic: Option<JobSeeker>,
) -> ApiResult<()> {
    notices::withdraw(context, user_id).await?;
    if let Some(mechanic) = mechanic {
        mechanics::set_availability(context, mechanic, false, None).await.map_err(after_commit)?;
    }
    Ok(())
}
