//! The chat for the guest of a link: with the mechanic who is on the job, as long as the link is live.

use super::{
    actions,
    context::ChatContext,
    dto::{MessagesQuery, NewGuestMessage, SharedMessage, SharedMessages},
    reading::messages,
    state,
};
use crate::{
    jobs::{self, JobRow, Viewer},
    messaging::guests::Guest,
    platform::error::ApiResult,
};

/// Lists the messages since the mechanic got the job; none if the job has no mechanic.
pub async fn list_as_guest(
    context: &ChatContext,
    guest: Guest,
    job: &JobRow,
    query: MessagesQuery,
) -> ApiResult<SharedMessages> {
    let (part, limit) = query.part()?;
    let (rows, has_more) = match job.mechanic_profile_id {
        Some(_) => {
            let first = jobs::first_visible_seq(&context.db, job, Viewer::Mechanic).await?;
            messages(context, job, first, part, limit).await?
        }
        None => (Vec::new(), false),
    };
    Ok(SharedMessages {
        data: rows.into_iter().map(|row| SharedMessage::of(row, guest.link_id)).collect(),
        has_more,
        is_writable: state::check_writable(job, context.chat_settings.after_end(), context.clock.now())
            .is_ok(),
    })
}

/// Writes a message for a guest, within their rate limit; returns whether it is new.
pub async fn send_as_guest(
    context: &ChatContext,
    guest: Guest,
    new: NewGuestMessage,
) -> ApiResult<(SharedMessage, bool)> {
    let (row, is_new) = actions::send_as_guest(context, guest, new.into()).await?;
    Ok((SharedMessage::of(row, guest.link_id), is_new))
}
