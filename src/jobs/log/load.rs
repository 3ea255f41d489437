//! Turns rows into the jobs that the engine keeps in memory.

use std::{collections::BTreeMap, sync::Arc};

use roadcall_actors::{
    geo::Point,
    ids::{CategoryId, JobId, LineItemId, MechanicId, OfferId, UserId, VehicleId},
    job::state::{ItemTerms, Job, JobSpec, LineItem, LiveOffer, OnAccount, Status},
    ports::LoggedAs,
};
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::queries::{self, LiveOfferRow, LoadedJob};
use crate::{
    catalogue::dispatch_settings::{DispatchConfig, search_policy},
    jobs::{
        line_items::{queries as line_items, queries::LineItemRow},
        row::whole,
        summary, towing,
    },
    platform::db::Db,
};

pub async fn load_job(db: &Db, config: &DispatchConfig, id: Uuid) -> Result<Option<Job>> {
    Ok(load_jobs(db, config, &[id]).await?.pop())
}

/// Loads those of the jobs that exist, in order of their ids.
pub async fn load_jobs(db: &Db, config: &DispatchConfig, ids: &[Uuid]) -> Result<Vec<Job>> {
    let mut tx = db.begin_snapshot().await?;
    load(&mut tx, config, ids).await
}

/// Returns the result of a command that the job's log has, or `None` if the log does not have it.
pub async fn find_command(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    command_id: Uuid,
) -> Result<Option<LoggedAs>> {
    let is_wrong_code = queries::is_wrong_start_code(db, job_id, command_id).await?;
    Ok(is_wrong_code.map(|is_wrong| if is_wrong { LoggedAs::WrongStartCode } else { LoggedAs::Done }))
}

/// Like [`load_job`], but locks the row until the transaction ends, so that nothing else is decided about the job
/// meanwhile.
pub(super) async fn job_locked(
    tx: &mut PgConnection,
    config: &DispatchConfig,
    id: Uuid,
) -> Result<Option<Job>> {
    let Some(loaded) = queries::job_locked(tx, id).await? else { return Ok(None) };
    Ok(complete(tx, config, vec![loaded]).await?.pop())
}

/// Loads jobs within a snapshot, so that rows, offers and line items belong together.
async fn load(tx: &mut PgConnection, config: &DispatchConfig, ids: &[Uuid]) -> Result<Vec<Job>> {
    let loaded = queries::jobs(&mut *tx, ids).await?;
    complete(tx, config, loaded).await
}

/// Completes the jobs with their offers and line items. These must belong to the rows, so they are read within the same snapshot,
/// or under the rows' lock.
async fn complete(
    tx: &mut PgConnection,
    config: &DispatchConfig,
    loaded: Vec<LoadedJob>,
) -> Result<Vec<Job>> {
    let is_dispatching = |loaded: &&LoadedJob| loaded.job.status == Status::Dispatching;
    let dispatching: Vec<Uuid> = loaded.iter().filter(is_dispatching).map(|loaded| loaded.job.id).collect();
    let mut live: BTreeMap<Uuid, Vec<LiveOfferRow>> = BTreeMap::new();
    if !dispatching.is_empty() {
        for offer in queries::live_of_jobs(&mut *tx, &dispatching).await? {
            live.entry(offer.job_id).or_default().push(offer);
        }
    }
    let mut items: BTreeMap<Uuid, Vec<LineItemRow>> = BTreeMap::new();
    let ids: Vec<Uuid> = loaded.iter().map(|loaded| loaded.job.id).collect();
    for item in line_items::of_jobs(&mut *tx, &ids).await? {
        items.entry(item.job_id).or_default().push(item);
    }
    let restored = loaded.into_iter().map(|loaded| {
        let id = loaded.job.id;
        let live = live.remove(&id).unwrap_or_default();
        restore(loaded, live, items.remove(&id).unwrap_or_default(), config)
    });
    restored.collect()
}

fn restore(
    loaded: LoadedJob,
    live: Vec<LiveOfferRow>,
    items: Vec<LineItemRow>,
    config: &DispatchConfig,
) -> Result<Job> {
    let row = loaded.job;
    let by = match row.status.0 {
        Status::Dispatching => config.of_attempt(row.dispatch_version),
        _ => config.current(),
    };
    let policy = search_policy(&by, &loaded.overrides);
    let spec = JobSpec {
        customer_id: UserId(row.customer_id),
        vehicle_id: VehicleId(row.vehicle_id),
        category_id: CategoryId(row.service_category_id),
        vehicle_type: row.vehicle_type.0,
        pickup: Point::new(row.pickup_lat, row.pickup_lng),
        urgency: row.urgency.0,
        summary: Arc::new(summary::of_row(&row)),
        base_price_paise: row.base_price_paise,
        travel_price_paise: row.travel_price_paise,
        destination: towing::engine_destination(&row),
        destination_price_paise: row.destination_price_paise,
        on_account: row.case_id.map(|case_id| OnAccount { case_id, cover_paise: row.cover_paise }),
        created_at: row.created_at,
        begin_at: row.begin_at,
        search: Arc::new(policy),
    };
    let (stage, left) = (row.stage(live.into_iter().map(live_offer).collect())?, row.left());
    Ok(Job {
        id: JobId(row.id),
        version: row.version,
        seq: row.seq,
        spec,
        stage,
        attempt: whole(row.attempt),
        excluded: row.excluded_mechanics.into_iter().map(MechanicId).collect(),
        expired_once: row.expired_once_mechanics.into_iter().map(MechanicId).collect(),
        items: items.into_iter().map(line_item).collect(),
        corrections: whole(row.corrections),
        moved_from: row
            .original_pickup_lat
            .zip(row.original_pickup_lng)
            .map(|(lat, lng)| Point::new(lat, lng)),
        left,
    })
}

fn line_item(row: LineItemRow) -> LineItem {
    let terms = ItemTerms {
        kind: row.kind.0,
        description: row.description,
        quantity: whole(row.quantity),
        unit_price_paise: row.unit_price_paise,
        photo_url: row.photo_url,
    };
    LineItem {
        id: LineItemId(row.id),
        terms,
        destination: row.destination.map(|destination| Arc::new(destination.0.into())),
        status: row.status.0,
        is_on_account: row.is_on_account,
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

fn live_offer(row: LiveOfferRow) -> LiveOffer {
    LiveOffer {
        id: OfferId(row.id),
        mechanic_id: MechanicId(row.mechanic_profile_id),
        round: whole(row.round),
        distance_m: whole(row.distance_m),
        eta_s: whole(row.eta_s),
        eta_base_s: whole(row.eta_base_s),
        eta_source: row.eta_source.0,
        cost_s: row.cost_s,
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}
