//! Checks the state of everything, at most once in a few seconds for all callers.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use nix::sys::statvfs::statvfs;
use roadcall_actors::protocol::CountQuery;
use tokio::task::spawn_blocking;

use super::{
    StatusContext,
    counters::Counts,
    dto::Status,
    found::{Found, FoundBackups, FoundDatabase, FoundDisk, FoundGrievances, FoundQueues, FoundServers},
    free_space::FreeSpace,
    queries, verdicts,
};
use crate::{
    admin::figures,
    lifecycle::backup,
    money::wallet,
    pages::StopSource,
    platform::{
        db::{MIGRATOR, report},
        error::ApiResult,
        telemetry,
    },
};

/// How long an answer is shown before the state is checked again.
const FRESH: TimeDelta = TimeDelta::seconds(5);
/// The time within which the engine has to answer. A slower engine is shown as not answering.
const ENGINE_LIMIT: Duration = Duration::from_secs(1);
/// Work that has been due for longer is late.
const LATE: TimeDelta = TimeDelta::minutes(1);

/// Returns the last state if it is fresh, or checks it now.
pub(super) async fn look(context: &StatusContext) -> ApiResult<Status> {
    let mut last = context.last.0.lock().await;
    let now = context.clock.now();
    if let Some(status) = last.as_ref()
        && (now - status.at.0).abs() < FRESH
    {
        return Ok(status.clone());
    }
    let status = verdicts::of(&find(context).await?);
    *last = Some(status.clone());
    Ok(status)
}

async fn find(context: &StatusContext) -> ApiResult<Found> {
    let expected = &context.expected;
    let database = database(context).await?;
    let queues = queues(context).await?;
    let counts = context.counts.since_then(Counts::read(&telemetry::rendered()));
    let now = context.clock.now();
    Ok(Found {
        now,
        database,
        disk: disk(&context.settings.server.data_dir, &context.free_space).await,
        backup: backups(context).await,
        servers: servers(context).await,
        queues,
        counts,
        router: context.etas.is_router_up(),
        has_places: expected.has_places,
        has_mail: expected.has_mail,
        pays_by_hand: expected.pays_by_hand,
        stop: context.stop.notice(now),
    })
}

async fn database(context: &StatusContext) -> ApiResult<FoundDatabase> {
    let asked = Instant::now();
    let found = report(&context.db, &context.clock).await?;
    let took = asked.elapsed();
    let (open, idle) = context.db.connections();
    Ok(FoundDatabase {
        version: found.version,
        size_bytes: found.size_bytes,
        took,
        in_use: (open as usize).saturating_sub(idle),
        most: context.settings.database.max_connections,
        waiting: context.db.waiting(),
        is_overloaded: context.overload.is_under_way(),
        writes: context.db.writes(context.clock.now()).await,
        clock_ahead: found.clock_ahead,
        schema: found.schema,
        migration: MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or_default(),
    })
}

/// Returns the state of the disk, or `None` if the disk does not tell it. Runs on a thread of its own, because a disk may be slow
/// to answer.
async fn disk(folder: &Path, space: &FreeSpace) -> Option<FoundDisk> {
    let folder = folder.to_path_buf();
    let stats = spawn_blocking(move || statvfs(&folder)).await.ok()?.ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(stats.fragment_size());
    let free_bytes = bytes(stats.blocks_available());
    Some(FoundDisk { free_bytes, all_bytes: bytes(stats.blocks()), lasts: space.lasts(free_bytes) })
}

async fn backups(context: &StatusContext) -> FoundBackups {
    let every = context.expected.backs_up_every.and_then(|every| TimeDelta::from_std(every).ok());
    if context.cluster.peers.is_some() && !context.cluster.engine_db.lease().is_leading() {
        return FoundBackups { every, is_elsewhere: true, ..FoundBackups::default() };
    }
    let folder = &context.expected.backup_folder;
    let kept = backup::kept(folder).await.inspect_err(|error| {
        tracing::warn!(%error, "the folder of backups can't be read");
    });
    let proven = backup::proven(folder).await;
    FoundBackups { every, kept: kept.ok(), proven, is_elsewhere: false }
}

async fn servers(context: &StatusContext) -> FoundServers {
    let cluster = &context.cluster;
    let own = cluster.own_report();
    let others = cluster.peers.as_ref().map(|peers| peers.nodes.reports()).unwrap_or_default();
    let asked = Instant::now();
    let engine = context.engine.ask(CountQuery { within: ENGINE_LIMIT }).await;
    FoundServers {
        is_alone: cluster.peers.is_none(),
        is_connected: cluster.peers.as_ref().is_none_or(|peers| peers.link.bus().is_connected()),
        is_leading: own.is_leading,
        clocks_ahead_ms: others.iter().filter_map(|node| node.clock_ahead_ms).collect(),
        releases: [own.release].into_iter().chain(others.into_iter().map(|node| node.release)).collect(),
        engine_took: engine.is_ok().then(|| asked.elapsed()),
    }
}

async fn queues(context: &StatusContext) -> ApiResult<FoundQueues> {
    let now = context.clock.now();
    let late = queries::late(&context.db, now - LATE).await?;
    let grievances = queries::grievances(&context.db, now).await?;
    let waiting = figures::waiting(&context.db, now).await?;
    let expected = &context.expected;
    Ok(FoundQueues {
        oldest_webhook_age_s: waiting.oldest_webhook_age_s,
        oldest_withdrawal_age_s: waiting.oldest_withdrawal_age_s,
        payouts_paused_since: wallet::payouts_paused_since(&context.db).await?,
        dead_webhooks: waiting.dead_webhooks,
        failed_refunds: waiting.failed_refunds,
        parked_payments: waiting.parked_payments,
        chargebacks: waiting.chargebacks,
        grievances: FoundGrievances {
            open: grievances.open,
            overdue: grievances.overdue,
            next_due: grievances.next_due,
        },
        late_notifications: late.notifications,
        late_mails: late.mails,
        trail: (context.trail.waiting(), expected.trail_queue),
        decisions: (context.decisions.waiting(), expected.decision_queue),
    })
}
