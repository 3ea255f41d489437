use uuid::Uuid;

use super::{
    context::ChatContext,
    dto::{ChatMechanic, Part},
    queries::{self, MessageRow},
};
use crate::{fleet::mechanics, jobs::JobRow, platform::error::ApiResult};

/// Lists the mechanics who wrote, or were written to, from the reader's first visible event on, and who don't have the job now. A
/// job that was searched for once has had one mechanic at most.
pub async fn earlier_mechanics(
    context: &ChatContext,
    job: &JobRow,
    first_seq: i64,
) -> ApiResult<Vec<ChatMechanic>> {
    if job.attempt <= 1 {
        return Ok(Vec::new());
    }
    let mut ids = queries::mechanics_of(&context.db, job.id, first_seq).await?;
    ids.retain(|id| Some(*id) != job.mechanic_profile_id);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut names = mechanics::first_names(&context.db, &ids).await?;
    let named = |id: Uuid| ChatMechanic { mechanic_profile_id: id, first_name: names.remove(&id) };
    Ok(ids.into_iter().map(named).collect())
}

/// Returns the messages in order, and whether there are more, for which it reads one row more than it shows.
pub async fn messages(
    context: &ChatContext,
    row: &JobRow,
    first: i64,
    part: Part,
    limit: i64,
) -> ApiResult<(Vec<MessageRow>, bool)> {
    let mut rows = match part {
        Part::After(seq) => queries::after(&context.db, row.id, seq.max(first - 1), limit + 1).await?,
        Part::Before(seq) => queries::before(&context.db, row.id, first, seq, limit + 1).await?,
    };
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > most;
    rows.truncate(most);
    if matches!(part, Part::Before(_)) {
        rows.reverse();
    }
    Ok((rows, has_more))
}
