//! The engine's journal on Postgres: one transaction per decision.
//!
//! Whoever else changes a job appends through [`append`] in its own transaction, and then has the engine refresh it.

use std::fmt;

use chrono::{DateTime, Utc};
use futures_util::{FutureExt, future::BoxFuture};
use roadcall_actors::{
    dispatcher::explain::Explanation,
    ids::{JobId, MechanicId},
    job::state::{Actor, Assignment, Event, ItemChange, Job, JobDetails, LineItem, LiveOffer, Stage},
    mechanic::state::{Fix, Mechanic, TrailPoint},
    ports::{Change, CommitError, ExplanationLog, Guard, JobJournal, LoadError, MechanicJournal},
    random::Random,
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Recorders, load, queries};
use crate::{
    accounts::users,
    admin::audit,
    catalogue::{categories, dispatch_settings::DispatchConfig, vehicles},
    fleet::{eta, mechanics},
    http::Timestamp,
    jobs::{
        EventColumns, NewJobColumns, StateColumns,
        line_items::{queries as line_items, queries::LineItemRow},
        queries as jobs,
    },
    messaging::chat,
    money::payments,
    notifications::{self, Happening},
    offers::queries as offers,
    platform::{
        db::{Batches, Db},
        error::{Code, constraint, was_rolled_back},
    },
};

/// Commits, loads and records for the engine.
#[derive(Debug, Clone)]
pub struct PgJournal {
    db: Db,
    dispatch: DispatchConfig,
    random: Random,
    recorders: Recorders,
    mechanics: Batches<Uuid, Mechanic>,
}

/// Mechanics whose actors wait to be loaded; one more is tried again at its actor's next tick.
const MOST_WAITING: usize = 20_000;

impl PgJournal {
    pub fn new(db: Db, dispatch: DispatchConfig, random: Random, recorders: Recorders) -> Self {
        let from = db.clone();
        let mechanics = Batches::new("mechanics", MOST_WAITING, move |ids| {
            let db = from.clone();
            async move { load::mechanics_of(&db, &ids).await }.boxed()
        });
        Self { db, dispatch, random, recorders, mechanics }
    }

    async fn commit_change(&self, change: &Change) -> Result<(), CommitError> {
        // Nothing is committed before `commit` is sent, so whatever fails earlier has surely not happened.
        let mut tx = self.db.begin().await.map_err(failed)?;
        append(&mut tx, change, &self.random).await?;
        tx.commit().await.map_err(|error| match was_rolled_back(&error) {
            true => refused(error),
            false => CommitError::Unknown(error.to_string()),
        })?;
        self.recorders.notes.noted();
        if ends_calls(&change.event) {
            self.recorders.calls.ring();
        }
        Ok(())
    }
}

impl JobJournal for PgJournal {
    fn commit(&self, change: Change) -> BoxFuture<'_, Result<(), CommitError>> {
        async move { self.commit_change(&change).await }.boxed()
    }

    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>> {
        async move { load::job(&self.db, &self.dispatch, id.0).await.map_err(could_not_load) }.boxed()
    }
}

impl MechanicJournal for PgJournal {
    fn load_mechanic(&self, id: MechanicId) -> BoxFuture<'_, Result<Option<Mechanic>, LoadError>> {
        async move { self.mechanics.get(id.0).await.map_err(could_not_load) }.boxed()
    }

    fn save_availability(
        &self,
        id: MechanicId,
        available: bool,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        async move {
            match queries::save_availability(&self.db, id.0, available, at).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(CommitError::Refused(Guard::NotVerified)),
                // A single statement commits by itself: without an answer it may have happened.
                Err(error @ (sqlx::Error::Io(_) | sqlx::Error::Protocol(_))) => {
                    Err(CommitError::Unknown(error.to_string()))
                }
                Err(error) => Err(failed(error)),
            }
        }
        .boxed()
    }

    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>> {
        self.recorders.trail.record(points).boxed()
    }

    fn record_position(&self, id: MechanicId, fix: Fix) {
        self.recorders.trail.note_position(id, fix);
    }
}

impl ExplanationLog for PgJournal {
    fn record_explanation(&self, explanation: Explanation) {
        self.recorders.decisions.record(explanation);
    }
}

/// Whether the two sides have nothing more to talk about for now. Their call is ended by `workers/calls.rs`.
fn ends_calls(event: &Event) -> bool {
    matches!(event, Event::Completed { .. } | Event::Cancelled { .. } | Event::Released { .. })
}

/// Writes one change within a transaction: the row by compare-and-set, the event, the offers.
pub async fn append(tx: &mut PgConnection, change: &Change, random: &Random) -> Result<(), CommitError> {
    let id = change.next.id.0;
    let event = event_columns(change);
    if let Actor::Admin(admin) = change.by {
        audit(tx, change, admin.0, random).await?;
    }
    if let Event::Created { details } = &change.event {
        create(tx, change, details, &event).await?;
    } else {
        if let Event::Retried { .. } = &change.event {
            hold_subjects(tx, &change.next).await?;
        }
        // Offers first: the guard of an accept answers before the row is touched.
        write_offers(tx, change).await?;
        let state = state_columns(&change.next);
        if !jobs::advance(tx, id, change.expected_version, &state, &event).await.map_err(refused)? {
            return Err(CommitError::Conflict);
        }
    }
    let due = payments::dues::note(tx, random, &change.next, &change.event, change.at).await;
    due.map_err(|error| CommitError::Failed(error.to_string()))?;
    write_items(tx, change).await?;
    if let Event::MessageSent { message_id } = change.event
        && !chat::place(tx, random, message_id, change.next.seq, change.at).await.map_err(refused)?
    {
        return Err(CommitError::AlreadyCommitted);
    }
    eta::note_arrival(tx, change).await.map_err(refused)?;
    let happened = Happening::Job { job: &change.next, event: &change.event, by: change.by };
    notifications::note(tx, random, happened, change.at).await.map_err(failed)?;
    if let Event::Completed { photo_urls, .. } = &change.event {
        let ids: Vec<Uuid> = photo_urls.iter().map(|_| random.id(change.at)).collect();
        queries::insert_final_photos(tx, &ids, photo_urls, id, event.actor_id, change.at)
            .await
            .map_err(refused)?;
        if let Some(assignment) = change.next.assignment() {
            queries::count_job(tx, assignment.mechanic_id.0).await.map_err(refused)?;
        }
    }
    Ok(())
}

/// What an admin did, with the job as it stood before and as it will stand.
async fn audit(
    tx: &mut PgConnection,
    change: &Change,
    admin: Uuid,
    random: &Random,
) -> Result<(), CommitError> {
    let before = jobs::find(&mut *tx, change.next.id.0).await.map_err(failed)?;
    let standing =
        |status: &str, mechanic: Option<Uuid>| json!({ "status": status, "mechanic_profile_id": mechanic });
    let mechanic = change.next.assignment().map(|assignment| assignment.mechanic_id.0);
    let mut after = standing(change.next.status().as_str(), mechanic);
    match &change.event {
        // By an admin it is a text of theirs, which stands here alone.
        Event::Released { reason_code, .. } => after["reason"] = json!(reason_code),
        Event::Cancelled { fee_paise, reason, .. } => {
            after["reason"] = json!(reason);
            after["fee_paise"] = json!(fee_paise);
        }
        _ => {}
    }
    let entry = audit::Entry {
        actor_id: Some(admin),
        action: match &change.event {
            Event::Accepted { .. } => "job.assign",
            Event::Released { .. } => "job.reassign",
            Event::Cancelled { .. } => "job.cancel",
            Event::Resolved => "job.resolve",
            other => other.kind(),
        },
        subject_kind: "job",
        subject_id: change.next.id.0,
        before: before.map_or(json!(null), |row| standing(&row.status, row.mechanic_profile_id)),
        after,
    };
    audit::record(tx, random, change.at, entry).await.map_err(failed)
}

async fn create(
    tx: &mut PgConnection,
    change: &Change,
    details: &JobDetails,
    event: &EventColumns,
) -> Result<(), CommitError> {
    hold_subjects(tx, &change.next).await?;
    jobs::insert(tx, &new_job_columns(&change.next, details), event).await.map_err(refused)?;
    if let Some(mark) = change.idempotency
        && !queries::complete_mark(tx, mark, change.next.id.0).await.map_err(refused)?
    {
        return Err(CommitError::Refused(Guard::MarkUsed));
    }
    Ok(())
}

/// Whom and what a job is about stays as it is while the job begins, or begins anew: the customer, the category, the vehicle.
/// Locks them in this order, before the job.
async fn hold_subjects(tx: &mut PgConnection, job: &Job) -> Result<(), CommitError> {
    match users::hold_customer(tx, job.spec.customer_id.0).await {
        Ok(()) => {}
        // The vehicle goes with the account of its owner.
        Err(error) if error.code == Code::Unauthorized => {
            return Err(CommitError::Refused(Guard::VehicleGone));
        }
        Err(error) if [Code::Forbidden, Code::AccountSuspended].contains(&error.code) => {
            return Err(CommitError::Refused(Guard::NotACustomer));
        }
        Err(error) => return Err(CommitError::Failed(error.to_string())),
    }
    if !categories::hold_offered(tx, job.spec.category_id.0).await.map_err(failed)? {
        return Err(CommitError::Refused(Guard::CategoryGone));
    }
    hold_vehicle(tx, job).await
}

/// Nobody deletes the vehicle meanwhile.
async fn hold_vehicle(tx: &mut PgConnection, job: &Job) -> Result<(), CommitError> {
    match vehicles::hold_own(tx, job.spec.customer_id.0, job.spec.vehicle_id.0).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(CommitError::Refused(Guard::VehicleGone)),
        Err(error) => Err(CommitError::Failed(error.to_string())),
    }
}

async fn write_offers(tx: &mut PgConnection, change: &Change) -> Result<(), CommitError> {
    if let Event::OffersMade { offers } = &change.event {
        return insert_offers(tx, change, offers).await;
    }
    if let Event::Accepted { assignment, .. } = &change.event
        && !mechanics::hold_verified(tx, assignment.mechanic_id.0).await.map_err(refused)?
    {
        let guard = if assignment.offer_id.is_some() { Guard::OfferGone } else { Guard::NotVerified };
        return Err(CommitError::Refused(guard));
    }
    if let Event::Accepted { assignment: Assignment { offer_id: Some(offer_id), .. }, answered_at, .. } =
        &change.event
    {
        let answered_by = *answered_at - change.next.spec.search.offer_grace;
        if !offers::accept(tx, offer_id.0, answered_by, change.at).await.map_err(refused)? {
            return Err(CommitError::Refused(Guard::OfferGone));
        }
    }
    let (ended, status) = change.event.ended_offers();
    if ended.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = ended.iter().map(|id| id.0).collect();
    let reason = match &change.event {
        Event::OfferDeclined { reason, .. } => reason.as_deref(),
        _ => None,
    };
    let count = offers::settle(tx, &ids, status.as_str(), reason, change.at).await.map_err(refused)?;
    // Fewer than memory knew of: memory is stale.
    if count == ids.len() as u64 { Ok(()) } else { Err(CommitError::Conflict) }
}

/// Under the lock that the row's update took.
async fn write_items(tx: &mut PgConnection, change: &Change) -> Result<(), CommitError> {
    let job_id = change.next.id.0;
    match &change.event {
        Event::Released { .. } => line_items::delete_of_job(tx, job_id).await.map_err(refused)?,
        Event::ItemChanged { how: ItemChange::Withdrawn, item } => {
            line_items::delete(tx, job_id, item.id.0).await.map_err(refused)?;
        }
        Event::ItemChanged { how, item } => {
            line_items::save(tx, &item_row(job_id, item)).await.map_err(refused)?;
            if let (ItemChange::Proposed, Some(mark)) = (how, change.idempotency)
                && !queries::complete_item_mark(tx, mark, item.id.0).await.map_err(refused)?
            {
                return Err(CommitError::Refused(Guard::MarkUsed));
            }
        }
        _ => {}
    }
    Ok(())
}

async fn insert_offers(
    tx: &mut PgConnection,
    change: &Change,
    made: &[LiveOffer],
) -> Result<(), CommitError> {
    let Some(first) = made.first() else { return Ok(()) };
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let columns = offers::NewOffers {
        ids: made.iter().map(|offer| offer.id.0).collect(),
        mechanic_profile_ids: made.iter().map(|offer| offer.mechanic_id.0).collect(),
        distances_m: made.iter().map(|offer| int(offer.distance_m)).collect(),
        etas_s: made.iter().map(|offer| int(offer.eta_s)).collect(),
        eta_bases_s: made.iter().map(|offer| int(offer.eta_base_s)).collect(),
        eta_sources: made.iter().map(|offer| offer.eta_source).collect(),
        costs_s: made.iter().map(|offer| offer.cost_s).collect(),
    };
    let (job_id, attempt, round) = (change.next.id.0, int(change.next.attempt), int(first.round));
    offers::insert(tx, job_id, attempt, round, &columns, first.created_at, first.expires_at)
        .await
        .map_err(refused)
}

/// A statement that failed before the commit was sent: surely not happened.
fn failed(error: sqlx::Error) -> CommitError {
    CommitError::Failed(error.to_string())
}

/// As [`failed`]; a named constraint is a named refusal.
fn refused(error: sqlx::Error) -> CommitError {
    match constraint(&error) {
        Some("jobs_one_active_per_mechanic") => CommitError::Refused(Guard::OneActiveJobPerMechanic),
        Some("jobs_one_open_per_vehicle") => CommitError::Refused(Guard::OneOpenJobPerVehicle),
        Some("offers_one_pending_per_mechanic") => CommitError::Refused(Guard::OnePendingOfferPerMechanic),
        Some("job_events_command_key" | "jobs_pkey") => CommitError::AlreadyCommitted,
        Some("job_events_pkey" | "job_events_seq_key") => CommitError::Conflict,
        _ => failed(error),
    }
}

fn could_not_load(error: impl fmt::Display) -> LoadError {
    LoadError(error.to_string())
}

fn event_columns(change: &Change) -> EventColumns {
    let (actor_kind, actor_id) = match change.by {
        Actor::Customer(user) => ("customer", Some(user.0)),
        Actor::Mechanic(user) => ("mechanic", Some(user.0)),
        Actor::Admin(user) => ("admin", Some(user.0)),
        Actor::System => ("system", None),
    };
    EventColumns {
        kind: change.event.kind(),
        is_public: change.event.is_public(),
        changes_row: !matches!(change.event, Event::MessageSent { .. }),
        command_id: change.command_id.0,
        actor_kind,
        actor_id,
        data: event_data(change.next.id.0, &change.event, change.by),
        at: change.at,
    }
}

/// What an event tells beyond the row, for the timeline and for operators.
fn event_data(job_id: Uuid, event: &Event, by: Actor) -> serde_json::Value {
    match event {
        Event::Created { .. } | Event::WentEnRoute | Event::Started => json!({}),
        Event::Delayed(delay) => {
            json!({ "concern": delay.concern.as_str(), "since": Timestamp(delay.since) })
        }
        Event::Recovered { concern } => json!({ "concern": concern.as_str() }),
        Event::Began { ends_at, round } | Event::Retried { ends_at, round } => {
            json!({ "ends_at": Timestamp(*ends_at), "round": round })
        }
        Event::OffersMade { offers } => {
            let mechanics: Vec<Uuid> = offers.iter().map(|offer| offer.mechanic_id.0).collect();
            json!({ "round": offers.first().map(|offer| offer.round), "mechanics": mechanics })
        }
        Event::OfferDeclined { mechanic_id, reason, .. } => {
            json!({ "mechanic": mechanic_id.0, "reason": reason })
        }
        Event::OfferRevoked { mechanic_id, .. } => json!({ "mechanic": mechanic_id.0 }),
        Event::OffersExpired { offers } => {
            let mechanics: Vec<Uuid> = offers.iter().map(|(_, mechanic_id)| mechanic_id.0).collect();
            json!({ "mechanics": mechanics })
        }
        Event::Accepted { assignment, .. } => json!({ "mechanic_profile_id": assignment.mechanic_id.0 }),
        Event::Exhausted { until } => json!({ "until": Timestamp(*until) }),
        Event::Arrived { distance_m, override_reason } => {
            json!({ "distance_m": distance_m.map(f64::round), "override_reason": override_reason })
        }
        Event::WrongCodeEntered { locked_until } => json!({ "locked_until": locked_until.map(Timestamp) }),
        Event::Completed { outcome, .. } => json!({ "outcome": outcome.as_str() }),
        Event::Released { mechanic_id, reason_code, by_mechanic, .. } => {
            // What an admin writes is for admins: it stands in their trail.
            let reason_code = if matches!(by, Actor::Admin(_)) { "admin" } else { reason_code };
            json!({ "mechanic_profile_id": mechanic_id.0, "reason_code": reason_code, "by_mechanic": by_mechanic })
        }
        Event::Cancelled { reason_code, .. } => json!({ "reason_code": reason_code }),
        Event::ItemChanged { item, .. } => json!(item_row(job_id, item)),
        Event::PaymentChanged { payment_id } => json!({ "payment_id": payment_id }),
        Event::MessageSent { message_id } => json!({ "message_id": message_id }),
        Event::CallChanged { call_id } => json!({ "call_id": call_id }),
        Event::Paid | Event::Disputed | Event::Resolved => json!({}),
    }
}

fn item_row(job_id: Uuid, item: &LineItem) -> LineItemRow {
    let terms = item.terms.clone();
    LineItemRow {
        id: item.id.0,
        job_id,
        kind: terms.kind.as_str().to_owned(),
        description: terms.description,
        quantity: i32::try_from(terms.quantity).unwrap_or(i32::MAX),
        unit_price_paise: terms.unit_price_paise,
        photo_url: terms.photo_url,
        status: item.status.as_str().to_owned(),
        created_at: item.created_at,
        updated_at: item.updated_at,
    }
}

fn new_job_columns(job: &Job, details: &JobDetails) -> NewJobColumns {
    let (spec, details) = (&job.spec, details.clone());
    NewJobColumns {
        id: job.id.0,
        customer_id: spec.customer_id.0,
        vehicle_id: spec.vehicle_id.0,
        vehicle_type: spec.vehicle_type.as_str(),
        service_category_id: spec.category_id.0,
        pickup_address: details.pickup_address,
        pickup_lat: spec.pickup.lat,
        pickup_lng: spec.pickup.lng,
        description: details.description,
        photo_urls: details.photo_urls,
        beneficiary_name: details.beneficiary_name,
        beneficiary_phone: details.beneficiary_phone,
        contact_preference: details.contact_preference,
        urgency: spec.urgency.as_str(),
        scheduled_for: details.scheduled_for,
        begin_at: spec.begin_at,
        base_price_paise: spec.base_price_paise,
        travel_price_paise: spec.travel_price_paise,
        excluded_mechanics: job.excluded.iter().map(|id| id.0).collect(),
    }
}

fn state_columns(job: &Job) -> StateColumns {
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let mut row = StateColumns {
        status: job.status().as_str(),
        seq: job.seq,
        attempt: int(job.attempt),
        excluded_mechanics: job.excluded.iter().map(|id| id.0).collect(),
        expired_once_mechanics: job.expired_once.iter().map(|id| id.0).collect(),
        ..StateColumns::default()
    };
    if let Some(assignment) = job.assignment() {
        row.mechanic_profile_id = Some(assignment.mechanic_id.0);
        row.accepted_offer_id = assignment.offer_id.map(|id| id.0);
        row.accepted_at = Some(assignment.accepted_at);
        row.promised_at = Some(assignment.promised_at);
        row.en_route_at = assignment.en_route_at;
        row.arrived_at = assignment.arrived_at;
        row.started_at = assignment.started_at;
        row.start_code = assignment.start_code.clone();
        row.wrong_start_codes = int(assignment.wrong_codes);
        row.start_locked_until = assignment.locked_until;
        row.concern = assignment.delay.map(|delay| delay.concern.as_str());
        row.concern_since = assignment.delay.map(|delay| delay.since);
    }
    match &job.stage {
        Stage::Dispatching(search) => {
            row.round = int(search.round);
            row.offered_in_round = int(search.offered_in_round);
            row.attempt_ends_at = Some(search.ends_at);
            row.dispatch_version = Some(job.spec.search.version);
        }
        Stage::NoMechanicFound { until } => row.no_mechanic_until = Some(*until),
        Stage::Completed(completion)
        | Stage::Paid(completion)
        | Stage::Disputed(completion)
        | Stage::Resolved(completion) => {
            row.disputed_at = completion.disputed_at;
            row.resolved_at = completion.resolved_at;
            row.completed_at = Some(completion.at);
            row.outcome = Some(completion.outcome.as_str());
            row.outcome_notes = completion.notes.clone();
            row.final_price_paise = Some(completion.final_price_paise);
        }
        Stage::Cancelled(cancellation) => {
            row.cancelled_at = Some(cancellation.at);
            row.cancellation_fee_paise = Some(cancellation.fee_paise);
            row.cancel_reason_code = Some(cancellation.reason_code.clone());
            row.cancel_reason = cancellation.reason.clone();
        }
        Stage::Pending
        | Stage::Accepted(_)
        | Stage::EnRoute(_)
        | Stage::Arrived(_)
        | Stage::InProgress(_) => {}
    }
    row
}
