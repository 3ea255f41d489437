//! Asks Postgres who leads when a message names an unknown leader, or when the known leader does not answer.

use std::time::Duration;

use tokio::time::timeout;

use super::{context::ClusterContext, link::EngineLink, queries, subject::Leader};
use crate::platform::{db::Db, worker::repeat};

/// How long a look may take: announcements wait meanwhile.
const CONFIRM_LIMIT: Duration = Duration::from_secs(1);
/// The pause between two looks while the known leader does not answer.
const EVERY: Duration = Duration::from_secs(1);

/// Asks Postgres for the leader, notes it and returns it; `None` if Postgres does not say.
pub(super) async fn confirm(db: &Db, link: &EngineLink) -> Option<Leader> {
    let row = timeout(CONFIRM_LIMIT, queries::leader(&db.uncounted())).await.ok()?.ok()?;
    let leader = row.map(|row| Leader { term: row.term.unsigned_abs(), server: row.server });
    link.confirm(leader);
    leader
}

/// Keeps asking Postgres while the known leader is silent. Runs until it is aborted.
pub async fn look_for_leader(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    repeat(EVERY, async || {
        if peers.link.is_in_doubt() {
            confirm(&context.db, &peers.link).await;
        }
    })
    .await;
}
