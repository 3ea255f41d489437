//! From rows to what the engine keeps in memory.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use roadcall_actors::{
    concern::{Concern, Delay, Duty},
    eta,
    geo::Point,
    ids::{CategoryId, JobId, LineItemId, MechanicId, OfferId, UserId, VehicleId},
    job::state::{
        Assignment, Cancellation, Completion, ItemKind, ItemStatus, ItemTerms, Job, JobSpec, LineItem,
        LiveOffer, Outcome, Search, Stage, Status, Urgency,
    },
    mechanic::state::{Engagement, Fix, History, Mechanic, Profile},
    ports::{OFFERED_PICKUP_GRID_M, OfferCard, OfferStatus},
    vehicle::VehicleType,
};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::queries::{self, LoadedJob, LoadedMechanic};
use crate::catalogue::dispatch_settings::search_policy;
use crate::{
    catalogue::dispatch_settings::DispatchConfig,
    jobs::{
        JobRow,
        line_items::{queries as line_items, queries::LineItemRow},
    },
    offers::{
        queries as offers,
        queries::{LiveOfferRow, OfferRow},
    },
    platform::db::Db,
};

pub(super) async fn job(db: &Db, config: &DispatchConfig, id: Uuid) -> Result<Option<Job>> {
    // The row, its offers and its line items belong together.
    let mut tx = db.begin_snapshot().await?;
    let Some(loaded) = queries::job(&mut *tx, id).await? else { return Ok(None) };
    let live = offers::live_of_jobs(&mut *tx, &[id]).await?;
    let items = line_items::of_jobs(&mut *tx, &[id]).await?;
    tx.commit().await?;
    let live: Vec<_> =
        live.into_iter().filter(|_| loaded.job.status == Status::Dispatching.as_str()).collect();
    restore(loaded, live, items, config).map(Some)
}

/// The same, its row locked until the transaction ends: nobody decides anything else about it meanwhile.
pub(super) async fn job_locked(
    tx: &mut PgConnection,
    config: &DispatchConfig,
    id: Uuid,
) -> Result<Option<Job>> {
    let Some(loaded) = queries::job_locked(&mut *tx, id).await? else { return Ok(None) };
    let live = match loaded.job.status.as_str() {
        status if status == Status::Dispatching.as_str() => offers::live_of_jobs(&mut *tx, &[id]).await?,
        _ => Vec::new(),
    };
    let items = line_items::of_jobs(&mut *tx, &[id]).await?;
    restore(loaded, live, items, config).map(Some)
}

/// How each of these mechanics answered last; those that never did are missing.
async fn histories(db: &Db, ids: &[Uuid]) -> Result<BTreeMap<Uuid, History>> {
    let mut histories: BTreeMap<Uuid, History> = BTreeMap::new();
    for (id, is_accepted) in queries::answers(db, ids, History::MAX as i64).await? {
        histories.entry(id).or_default().record(is_accepted);
    }
    Ok(histories)
}

/// Jobs of one page with their live offers.
pub(super) async fn jobs(db: &Db, config: &DispatchConfig, page: Vec<LoadedJob>) -> Result<Vec<Job>> {
    let ids: Vec<Uuid> = page.iter().map(|loaded| loaded.job.id).collect();
    let mut live: BTreeMap<Uuid, Vec<LiveOfferRow>> = BTreeMap::new();
    for offer in offers::live_of_jobs(db, &ids).await? {
        live.entry(offer.job_id).or_default().push(offer);
    }
    let mut items: BTreeMap<Uuid, Vec<LineItemRow>> = BTreeMap::new();
    for item in line_items::of_jobs(db, &ids).await? {
        items.entry(item.job_id).or_default().push(item);
    }
    page.into_iter()
        .map(|loaded| {
            let id = loaded.job.id;
            let live = live.remove(&id).unwrap_or_default();
            restore(loaded, live, items.remove(&id).unwrap_or_default(), config)
        })
        .collect()
}

/// Mechanics of one page with their offers and how they answered.
pub(super) async fn mechanics(db: &Db, page: Vec<LoadedMechanic>) -> Result<Vec<Mechanic>> {
    let ids: Vec<Uuid> = page.iter().map(|loaded| loaded.id).collect();
    let mut pending: HashMap<Uuid, OfferRow> = HashMap::new();
    for offer in offers::pending_of(db, &ids).await? {
        pending.insert(offer.mechanic_profile_id, offer);
    }
    let mut histories = histories(db, &ids).await?;
    let restored = page.into_iter().map(|loaded| {
        let history = histories.remove(&loaded.id).unwrap_or_default();
        let offer = pending.remove(&loaded.id);
        restore_mechanic(loaded, offer, history)
    });
    Ok(restored.collect())
}

/// Those of the mechanics that there are.
pub(super) async fn mechanics_of(db: &Db, ids: &[Uuid]) -> Result<HashMap<Uuid, Mechanic>> {
    let loaded = mechanics(db, queries::mechanics(db, ids).await?).await?;
    Ok(loaded.into_iter().map(|mechanic| (mechanic.id.0, mechanic)).collect())
}

fn odd(what: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("{what} {value:?} is not known").into())
}

fn restore(
    loaded: LoadedJob,
    live: Vec<LiveOfferRow>,
    items: Vec<LineItemRow>,
    config: &DispatchConfig,
) -> Result<Job> {
    let row = loaded.job;
    let by = match row.status.as_str() {
        status if status == Status::Dispatching.as_str() => config.of_attempt(row.dispatch_version),
        _ => config.current(),
    };
    let policy = search_policy(&by, &loaded.overrides);
    let vehicle_type =
        VehicleType::parse(&row.vehicle_type).ok_or_else(|| odd("vehicle type", &row.vehicle_type))?;
    let urgency = Urgency::parse(&row.urgency).ok_or_else(|| odd("urgency", &row.urgency))?;
    let spec = JobSpec {
        customer_id: UserId(row.customer_id),
        vehicle_id: VehicleId(row.vehicle_id),
        category_id: CategoryId(row.service_category_id),
        vehicle_type,
        pickup: Point::new(row.pickup_lat, row.pickup_lng),
        urgency,
        base_price_paise: row.base_price_paise,
        travel_price_paise: row.travel_price_paise,
        created_at: row.created_at,
        begin_at: row.begin_at,
        search: Arc::new(policy),
    };
    let stage = stage(&row, live)?;
    Ok(Job {
        id: JobId(row.id),
        version: row.version,
        seq: row.seq,
        spec,
        stage,
        attempt: whole(row.attempt),
        excluded: row.excluded_mechanics.into_iter().map(MechanicId).collect(),
        expired_once: row.expired_once_mechanics.into_iter().map(MechanicId).collect(),
        items: items.into_iter().map(line_item).collect::<Result<_>>()?,
    })
}

fn line_item(row: LineItemRow) -> Result<LineItem> {
    let terms = ItemTerms {
        kind: ItemKind::parse(&row.kind).ok_or_else(|| odd("type of line item", &row.kind))?,
        description: row.description,
        quantity: whole(row.quantity),
        unit_price_paise: row.unit_price_paise,
        photo_url: row.photo_url,
    };
    let status = ItemStatus::parse(&row.status).ok_or_else(|| odd("status of a line item", &row.status))?;
    let (created_at, updated_at) = (row.created_at, row.updated_at);
    Ok(LineItem { id: LineItemId(row.id), terms, status, created_at, updated_at })
}

fn whole(number: i32) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// The schema knows no other sources.
fn eta_source(text: &str) -> &'static str {
    eta::source_named(text).unwrap_or(eta::STRAIGHT_LINE)
}

fn stage(row: &JobRow, live: Vec<LiveOfferRow>) -> Result<Stage> {
    let status = Status::parse(&row.status).ok_or_else(|| odd("status", &row.status))?;
    let assigned = || assignment(row).ok_or_else(|| odd("status without a mechanic", &row.status));
    Ok(match status {
        Status::Pending => Stage::Pending,
        Status::Dispatching => Stage::Dispatching(Search {
            round: whole(row.round),
            offered_in_round: whole(row.offered_in_round),
            ends_at: row.attempt_ends_at.unwrap_or(row.updated_at),
            offers: live.into_iter().map(live_offer).collect(),
        }),
        Status::Accepted => Stage::Accepted(assigned()?),
        Status::EnRoute => Stage::EnRoute(assigned()?),
        Status::Arrived => Stage::Arrived(assigned()?),
        Status::InProgress => Stage::InProgress(assigned()?),
        Status::Completed => Stage::Completed(completion(row, assigned()?)),
        Status::Paid => Stage::Paid(completion(row, assigned()?)),
        Status::Disputed => Stage::Disputed(completion(row, assigned()?)),
        Status::Resolved => Stage::Resolved(completion(row, assigned()?)),
        Status::NoMechanicFound => {
            Stage::NoMechanicFound { until: row.no_mechanic_until.unwrap_or(row.updated_at) }
        }
        Status::Cancelled => Stage::Cancelled(Cancellation {
            assignment: assignment(row),
            fee_paise: row.cancellation_fee_paise.unwrap_or_default(),
            reason_code: row.cancel_reason_code.clone().unwrap_or_default(),
            reason: row.cancel_reason.clone(),
            at: row.cancelled_at.unwrap_or(row.updated_at),
        }),
    })
}

fn completion(row: &JobRow, assignment: Assignment) -> Completion {
    Completion {
        assignment,
        outcome: row.outcome.as_deref().and_then(Outcome::parse).unwrap_or(Outcome::Fixed),
        notes: row.outcome_notes.clone(),
        final_price_paise: row.final_price_paise.unwrap_or(row.estimated_price_paise),
        at: row.completed_at.unwrap_or(row.updated_at),
        disputed_at: row.disputed_at,
        resolved_at: row.resolved_at,
    }
}

fn assignment(row: &JobRow) -> Option<Assignment> {
    let accepted_at = row.accepted_at?;
    Some(Assignment {
        mechanic_id: MechanicId(row.mechanic_profile_id?),
        offer_id: row.accepted_offer_id.map(OfferId),
        accepted_at,
        promised_at: row.promised_at.unwrap_or(accepted_at),
        en_route_at: row.en_route_at,
        arrived_at: row.arrived_at,
        started_at: row.started_at,
        start_code: row.start_code.clone(),
        wrong_codes: whole(row.wrong_start_codes),
        locked_until: row.start_locked_until,
        delay: delay(row),
    })
}

fn delay(row: &JobRow) -> Option<Delay> {
    let concern = row.concern.as_deref().and_then(Concern::parse)?;
    Some(Delay { concern, since: row.concern_since? })
}

fn live_offer(row: LiveOfferRow) -> LiveOffer {
    LiveOffer {
        id: OfferId(row.id),
        mechanic_id: MechanicId(row.mechanic_profile_id),
        round: whole(row.round),
        distance_m: whole(row.distance_m),
        eta_s: whole(row.eta_s),
        eta_base_s: whole(row.eta_base_s),
        eta_source: eta_source(&row.eta_source),
        cost_s: row.cost_s,
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}

/// What is matched of a profile.
fn profile(row: &LoadedMechanic) -> Profile {
    Profile {
        user_id: UserId(row.user_id),
        is_verified: row.status == "verified",
        radius_m: f64::from(row.service_radius_km) * 1000.0,
        vehicle_types: row.vehicle_types.iter().filter_map(|kind| VehicleType::parse(kind)).collect(),
        categories: row.service_category_ids.iter().copied().map(CategoryId).collect(),
    }
}

fn restore_mechanic(row: LoadedMechanic, offer: Option<OfferRow>, history: History) -> Mechanic {
    let profile = profile(&row);
    let user = profile.user_id;
    let since = row.available_since.or(row.last_received_at).unwrap_or_default();
    let mut mechanic = Mechanic::new(MechanicId(row.id), profile, row.is_available, since);
    mechanic.last = last_fix(&row);
    mechanic.history = history;
    mechanic.engagement = match (row.active_job_id, offer) {
        (Some(job), _) => Engagement::Busy {
            job_id: JobId(job),
            pickup: Point::new(row.active_lat.unwrap_or_default(), row.active_lng.unwrap_or_default()),
            is_arrived: matches!(row.active_status.as_deref(), Some("arrived" | "in_progress")),
            duty: duty(&row),
        },
        (None, Some(offer)) => Engagement::Offered(Box::new(card(offer, user))),
        (None, None) => Engagement::Free,
    };
    mechanic
}

/// As the job's actor tells it.
fn duty(row: &LoadedMechanic) -> Option<Duty> {
    let (promised_at, accepted_at) = (row.active_promised_at, row.active_accepted_at);
    Some(Duty {
        attempt: whole(row.active_attempt?),
        promised_at: promised_at.filter(|promised_at| Some(*promised_at) > accepted_at),
        reported: row.active_concern.as_deref().and_then(Concern::parse),
    })
}

fn last_fix(row: &LoadedMechanic) -> Option<Fix> {
    Some(Fix {
        point: Point::new(row.last_lat?, row.last_lng?),
        seq: row.last_seq.unwrap_or_default(),
        accuracy_m: row.last_accuracy_m,
        speed_mps: None,
        heading: None,
        recorded_at: row.last_recorded_at?,
        received_at: row.last_received_at?,
        is_implausible: row.last_is_implausible,
    })
}

fn card(row: OfferRow, user: UserId) -> OfferCard {
    OfferCard {
        id: OfferId(row.id),
        job_id: JobId(row.job_id),
        mechanic_id: MechanicId(row.mechanic_profile_id),
        mechanic_user: user,
        status: OfferStatus::Pending,
        round: whole(row.round),
        distance_m: whole(row.distance_m),
        eta_s: whole(row.eta_s),
        eta_source: eta_source(&row.eta_source),
        estimated_price_paise: row.estimated_price_paise,
        category: row.service_category_id,
        vehicle_type: VehicleType::parse(&row.vehicle_type).unwrap_or(VehicleType::FourWheeler),
        pickup: Point::new(row.pickup_lat, row.pickup_lng).snapped(OFFERED_PICKUP_GRID_M),
        urgency: Urgency::parse(&row.urgency).unwrap_or(Urgency::Normal),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}
