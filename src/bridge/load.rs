//! Turns rows into the mechanics that the engine keeps in memory.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use roadcall_actors::{
    concern::Duty,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, UserId},
    job::state::Status,
    mechanic::state::{Engagement, Fix, History, Mechanic, Parked, PositionSource, Profile},
    ports::{OFFERED_PICKUP_GRID_M, OfferCard, OfferStatus},
};
use sqlx::Result;
use uuid::Uuid;

use super::queries::{self, LoadedMechanic};
use crate::{
    accounts::auth::MechanicStatus,
    offers::{queries as offers, queries::OfferRow},
    platform::db::Db,
    wire::Named,
};

fn whole(number: i32) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// Returns the latest answers of each of these mechanics; those who never answered are missing.
async fn histories(db: &Db, ids: &[Uuid]) -> Result<BTreeMap<Uuid, History>> {
    let answers = queries::answers(db, ids, History::MAX as i64).await?;
    let history = |answers: Vec<bool>| {
        let mut history = History::default();
        answers.into_iter().for_each(|is_accepted| history.record(is_accepted));
        history
    };
    Ok(answers.into_iter().map(|(id, answers)| (id, history(answers))).collect())
}

/// Returns the existing mechanics among these, with their offers and their latest answers.
pub(super) async fn mechanics(db: &Db, ids: &[Uuid]) -> Result<Vec<Mechanic>> {
    let mut pending: HashMap<Uuid, OfferRow> = HashMap::new();
    for offer in offers::pending_of(db, ids).await? {
        pending.insert(offer.mechanic_profile_id, offer);
    }
    let mut histories = histories(db, ids).await?;
    let restored = queries::mechanics(db, ids).await?.into_iter().map(|loaded| {
        let history = histories.remove(&loaded.id).unwrap_or_default();
        let offer = pending.remove(&loaded.id);
        restore_mechanic(loaded, offer, history)
    });
    Ok(restored.collect())
}

/// Returns the same mechanics by their ids.
pub(super) async fn mechanics_of(db: &Db, ids: &[Uuid]) -> Result<HashMap<Uuid, Mechanic>> {
    Ok(mechanics(db, ids).await?.into_iter().map(|mechanic| (mechanic.id.0, mechanic)).collect())
}

/// Returns the part of a profile that matching uses.
fn profile(row: &LoadedMechanic) -> Profile {
    Profile {
        user_id: UserId(row.user_id),
        is_verified: row.status == MechanicStatus::Verified,
        radius_m: f64::from(row.service_radius_km) * 1000.0,
        vehicle_types: row.vehicle_types.iter().map(|kind| kind.0).collect::<BTreeSet<_>>().into(),
        categories: row.service_category_ids.iter().copied().map(CategoryId).collect::<BTreeSet<_>>().into(),
    }
}

fn restore_mechanic(row: LoadedMechanic, offer: Option<OfferRow>, history: History) -> Mechanic {
    let profile = profile(&row);
    let user = profile.user_id;
    let since = row.available_since.or(row.last_received_at).unwrap_or_default();
    let mut mechanic = Mechanic::new(MechanicId(row.id), profile, row.is_available, since);
    mechanic.last = last_fix(&row);
    mechanic.parked = parked(&row);
    mechanic.history = history;
    mechanic.engagement = match (row.active_job_id, offer) {
        (Some(job), _) => Engagement::Busy {
            job_id: JobId(job),
            pickup: Point::new(row.active_lat.unwrap_or_default(), row.active_lng.unwrap_or_default()),
            is_arrived: matches!(row.active_status, Some(Named(Status::Arrived | Status::InProgress))),
            delivers_to: delivers_to(&row),
            duty: duty(&row),
        },
        (None, Some(offer)) => Engagement::Offered(Box::new(card(offer, user))),
        (None, None) => Engagement::Free,
    };
    mechanic
}

/// Returns where the mechanic takes the loaded vehicle.
fn delivers_to(row: &LoadedMechanic) -> Option<Point> {
    row.active_loaded_at?;
    Some(Point::new(row.active_destination_lat?, row.active_destination_lng?))
}

/// Returns the duty as the job's actor reports it.
fn duty(row: &LoadedMechanic) -> Option<Duty> {
    let (promised_at, accepted_at) = (row.active_promised_at, row.active_accepted_at);
    Some(Duty {
        attempt: whole(row.active_attempt?),
        promised_at: promised_at.filter(|promised_at| Some(*promised_at) > accepted_at),
        reported: row.active_concern.map(|concern| concern.0),
        navigating_since: row.active_navigating_since,
    })
}

/// Returns where the mechanic waits. This does not hold once they became unavailable.
fn parked(row: &LoadedMechanic) -> Option<Parked> {
    let holds = row.is_available && row.parked_since >= row.available_since;
    Some(Parked {
        place: Point::new(row.parked_lat?, row.parked_lng?),
        since: row.parked_since.filter(|_| holds)?,
        until: row.parked_until?,
        unanswered: u32::try_from(row.parked_unanswered).unwrap_or(u32::MAX),
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
        source: PositionSource::App,
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
        eta_source: row.eta_source.0,
        estimated_price_paise: row.estimated_price_paise,
        category: row.service_category_id,
        vehicle_type: row.vehicle_type.0,
        pickup: Point::new(row.pickup_lat, row.pickup_lng).snapped(OFFERED_PICKUP_GRID_M),
        destination: row.destination(),
        urgency: row.urgency.0,
        summary: Arc::new(row.summary()),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}
