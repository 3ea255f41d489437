//! SQL that loads a job for its actor and writes its changes.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Job, JobDetails};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::{
    catalogue::dispatch_settings::SearchOverrides,
    jobs::{
        dto::{ActorKind, EtaSource},
        queries::JobRow,
    },
    notifications::NewNotifications,
    platform::db::{StoredRow, read},
};

/// A job with the search settings that its category overrides.
#[derive(Debug, Clone, FromRow)]
pub struct LoadedJob {
    #[sqlx(flatten)]
    pub job: JobRow,
    #[sqlx(flatten)]
    pub overrides: SearchOverrides,
}

impl StoredRow for LoadedJob {
    const TABLE: &'static str = "jobs";
}

/// Returns the jobs in order of their ids.
pub async fn jobs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<LoadedJob>> {
    sqlx::query(
        "select j.*, c.offer_ttl_s, c.attempt_ttl_s, c.rings_km, c.round_widths, c.max_rounds, c.urgent_first_round,
            c.in_time_s, c.worth_s
        from jobs j join service_categories c on c.id = j.service_category_id
        where j.id = any($1)
        order by j.id",
    )
    .bind(ids)
    .try_map(read::<LoadedJob>)
    .fetch_all(db)
    .await
}

/// Returns one job, locked until the transaction ends.
pub async fn job_locked(tx: &mut PgConnection, id: Uuid) -> Result<Option<LoadedJob>> {
    sqlx::query(
        "select j.*, c.offer_ttl_s, c.attempt_ttl_s, c.rings_km, c.round_widths, c.max_rounds, c.urgent_first_round,
            c.in_time_s, c.worth_s
        from jobs j join service_categories c on c.id = j.service_category_id
        where j.id = $1
        for no key update of j",
    )
    .bind(id)
    .try_map(read::<LoadedJob>)
    .fetch_optional(tx)
    .await
}

/// Returns whether the job's entry under this command's id is a wrong start code, or `None` if there is no entry.
pub async fn is_wrong_start_code(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    command_id: Uuid,
) -> Result<Option<bool>> {
    sqlx::query_scalar(
        "select kind = 'wrong_start_code' from job_events where job_id = $1 and command_id = $2",
    )
    .bind(job_id)
    .bind(command_id)
    .fetch_optional(db)
    .await
}

/// Returns the ids of unfinished jobs in order: at most `limit` after `after`.
pub async fn open_job_ids(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from jobs
        where id > $1 and is_unfinished
        order by id
        limit $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// A pending offer as the engine loads it.
#[derive(Debug, Clone, FromRow)]
pub struct LiveOfferRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub round: i32,
    pub distance_m: i32,
    pub eta_s: i32,
    pub eta_base_s: i32,
    pub eta_source: EtaSource,
    pub cost_s: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

impl StoredRow for LiveOfferRow {
    const TABLE: &'static str = "offers";
}

/// Returns the pending offers of these jobs, in the order in which they were made.
pub async fn live_of_jobs(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<LiveOfferRow>> {
    sqlx::query(
        "select * from offers where job_id = any($1) and status = 'pending'
        order by created_at, id",
    )
    .bind(job_ids)
    .try_map(read::<LiveOfferRow>)
    .fetch_all(db)
    .await
}

/// The event of a commit, as it is stored.
#[derive(Debug, Clone)]
pub struct EventColumns {
    pub kind: &'static str,
    pub is_public: bool,
    /// Whether the event changes anything in the row that is shown. A public event that does so stores a snapshot of the row.
    pub changes_row: bool,
    pub command_id: Uuid,
    pub actor_kind: ActorKind,
    pub actor_id: Option<Uuid>,
    pub data: serde_json::Value,
    pub at: DateTime<Utc>,
}

/// The stored number and snapshot of an event.
#[derive(Debug, Clone, FromRow)]
pub struct WrittenEvent {
    /// `None` for an event that is not public.
    pub seq: Option<i64>,
    /// The row after the event; see [`EventColumns::changes_row`].
    pub snapshot: Option<Json<JobRow>>,
}

/// Inserts the row, as version 1, with its first event.
pub async fn insert(
    tx: &mut PgConnection,
    job: &Job,
    details: &JobDetails,
    event: &EventColumns,
) -> Result<WrittenEvent> {
    let spec = &job.spec;
    let excluded: Vec<Uuid> = job.excluded.iter().map(|id| id.0).collect();
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let destination = spec.destination.as_ref();
    let workshop = destination.and_then(|destination| destination.workshop.as_ref());
    sqlx::query_as(
        "with job as (
            insert into jobs (id, customer_id, vehicle_id, vehicle_type, service_category_id, status, version, seq,
                pickup_address, pickup_lat, pickup_lng, description, photo_urls, beneficiary_name,
                beneficiary_phone, contact_preference, urgency, scheduled_for, begin_at, base_price_paise,
                travel_price_paise, estimated_price_paise, excluded_mechanics, created_at, updated_at,
                service_category_name, service_category_slug, vehicle_make, vehicle_model, vehicle_color,
                vehicle_registration_number, customer_name, destination_address, destination_lat, destination_lng,
                destination_workshop_id, destination_workshop_name, destination_distance_m, destination_duration_s,
                destination_price_paise, receiver_name, receiver_phone)
            values ($1, $2, $3, $4, $5, 'pending', 1, 1, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                $18, $17::bigint + $18::bigint + $39::bigint, $19, $31, $31, $20, $21, $22, $23, $24, $25,
                (select name from users where id = $2), $32, $33, $34, $35, $36, $37, $38, $39, $40, $41)
            returning *
        )
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
        select id, 1, 1, $26, $27, $28, $29, $30, to_jsonb(job), $31 from job
        returning seq, snapshot",
    )
    .bind(job.id.0)
    .bind(spec.customer_id.0)
    .bind(spec.vehicle_id.0)
    .bind(spec.vehicle_type.as_str())
    .bind(spec.category_id.0)
    .bind(&details.pickup_address)
    .bind(spec.pickup.lat)
    .bind(spec.pickup.lng)
    .bind(&details.description)
    .bind(&details.photo_urls)
    .bind(&details.beneficiary_name)
    .bind(&details.beneficiary_phone)
    .bind(&details.contact_preference)
    .bind(spec.urgency.as_str())
    .bind(details.scheduled_for)
    .bind(spec.begin_at)
    .bind(spec.base_price_paise)
    .bind(spec.travel_price_paise)
    .bind(&excluded)
    .bind(&spec.summary.category_name)
    .bind(&spec.summary.category_slug)
    .bind(&spec.summary.vehicle_make)
    .bind(&spec.summary.vehicle_model)
    .bind(&details.vehicle_color)
    .bind(&details.vehicle_registration_number)
    .bind(event.kind)
    .bind(event.command_id)
    .bind(event.actor_kind)
    .bind(event.actor_id)
    .bind(&event.data)
    .bind(event.at)
    .bind(destination.map(|destination| &destination.address))
    .bind(destination.map(|destination| destination.place.lat))
    .bind(destination.map(|destination| destination.place.lng))
    .bind(workshop.map(|workshop| workshop.id))
    .bind(workshop.map(|workshop| &workshop.name))
    .bind(destination.map(|destination| int(destination.distance_m)))
    .bind(destination.map(|destination| int(destination.duration_s)))
    .bind(spec.destination_price_paise)
    .bind(destination.and_then(|destination| destination.receiver.name.as_ref()))
    .bind(destination.and_then(|destination| destination.receiver.phone.as_ref()))
    .fetch_one(tx)
    .await
}

/// The columns of a job's row that the engine owns.
#[derive(Debug, Clone, Default)]
pub struct StateColumns {
    pub status: &'static str,
    /// Whether a mechanic is on the job.
    pub has_mechanic: bool,
    pub seq: i64,
    pub attempt: i32,
    pub round: i32,
    pub offered_in_round: i32,
    pub attempt_ends_at: Option<DateTime<Utc>>,
    pub excluded_mechanics: Vec<Uuid>,
    pub expired_once_mechanics: Vec<Uuid>,
    pub no_mechanic_until: Option<DateTime<Utc>>,
    pub mechanic_profile_id: Option<Uuid>,
    pub accepted_offer_id: Option<Uuid>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub promised_at: Option<DateTime<Utc>>,
    pub en_route_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub arrival_is_unproven: bool,
    pub arrival_concern: Option<&'static str>,
    pub started_at: Option<DateTime<Utc>>,
    pub loaded_at: Option<DateTime<Utc>>,
    pub received_by: Option<String>,
    pub completed_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub cancel_reason_code: Option<String>,
    pub cancel_reason: Option<String>,
    pub cancellation_fee_paise: Option<i64>,
    pub start_code: Option<String>,
    pub wrong_start_codes: i32,
    pub start_locked_until: Option<DateTime<Utc>>,
    pub outcome: Option<&'static str>,
    pub outcome_notes: Option<String>,
    pub final_price_paise: Option<i64>,
    pub concern: Option<&'static str>,
    pub concern_since: Option<DateTime<Utc>>,
    pub navigating_since: Option<DateTime<Utc>>,
    pub left_mechanic_id: Option<Uuid>,
    pub left_reason: Option<&'static str>,
    pub left_at: Option<DateTime<Utc>>,
    pub taken_back_at: Option<DateTime<Utc>>,
    pub disputed_at: Option<DateTime<Utc>>,
    pub resolved_at: Option<DateTime<Utc>>,
    /// The version of the dispatch settings that the search uses; `None` keeps the stored one.
    pub dispatch_version: Option<i64>,
}

/// Advances the row by one version, with its event and notifications; returns `None` if the row has another version. An open job
/// takes the current names of its participants; a job that was already over keeps the stored names, since the participants may
/// have left in the meantime. A mechanic who loses the job loses its room: the next mechanic talks in another.
pub async fn advance(
    tx: &mut PgConnection,
    id: Uuid,
    expected_version: i64,
    state: &StateColumns,
    event: &EventColumns,
    notes: &NewNotifications,
) -> Result<Option<WrittenEvent>> {
    sqlx::query_as(
        "with job as (
            update jobs j set version = version + 1, status = $3, seq = $5, attempt = $6, round = $7,
                offered_in_round = $8, attempt_ends_at = $9, excluded_mechanics = $10,
                expired_once_mechanics = $11, no_mechanic_until = $12, mechanic_profile_id = $13,
                accepted_offer_id = $14, accepted_at = $15, promised_at = $16, en_route_at = $17, arrived_at = $18,
                arrival_is_unproven = $19, arrival_concern = $20, started_at = $21, completed_at = $22,
                cancelled_at = $23, cancel_reason_code = $24, cancel_reason = $25, cancellation_fee_paise = $26,
                start_code = $27, wrong_start_codes = $28, start_locked_until = $29, outcome = $30,
                outcome_notes = $31, final_price_paise = $32, concern = $33, concern_since = $34,
                navigating_since = $35, left_mechanic_id = $36, left_reason = $37, left_at = $38,
                taken_back_at = $39, disputed_at = $40, resolved_at = $41, loaded_at = $60, received_by = $61,
                dispatch_version = coalesce($42, dispatch_version), updated_at = $50,
                hms_room_id = case when mechanic_profile_id is not distinct from $13 then hms_room_id end,
                customer_name = case when j.is_open then customer.name else j.customer_name end,
                customer_phone = case when $4 then customer.phone end,
                mechanic_name = case
                    when j.is_open then (
                        select u.name from mechanic_profiles m join users u on u.id = m.user_id where m.id = $13)
                    when $13 is not null then j.mechanic_name end
            from users customer
            where j.id = $1 and version = $2 and customer.id = customer_id
            returning j.*
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
            select id, version, case when $44 then seq end, $43, $46, $47, $48, $49,
                case when $44 and $45 then to_jsonb(job) end, $50
            from job
            returning seq, snapshot
        ), noted as (
            select record_notifications($50, $51, $52, $53, $54, $55, $56, $57, $58, $59) as count
            from job where cardinality($51) > 0
        )
        select event.seq, event.snapshot, noted.count from event left join noted on true",
    )
    .bind(id)
    .bind(expected_version)
    .bind(state.status)
    .bind(state.has_mechanic)
    .bind(state.seq)
    .bind(state.attempt)
    .bind(state.round)
    .bind(state.offered_in_round)
    .bind(state.attempt_ends_at)
    .bind(&state.excluded_mechanics)
    .bind(&state.expired_once_mechanics)
    .bind(state.no_mechanic_until)
    .bind(state.mechanic_profile_id)
    .bind(state.accepted_offer_id)
    .bind(state.accepted_at)
    .bind(state.promised_at)
    .bind(state.en_route_at)
    .bind(state.arrived_at)
    .bind(state.arrival_is_unproven)
    .bind(state.arrival_concern)
    .bind(state.started_at)
    .bind(state.completed_at)
    .bind(state.cancelled_at)
    .bind(&state.cancel_reason_code)
    .bind(&state.cancel_reason)
    .bind(state.cancellation_fee_paise)
    .bind(&state.start_code)
    .bind(state.wrong_start_codes)
    .bind(state.start_locked_until)
    .bind(state.outcome)
    .bind(&state.outcome_notes)
    .bind(state.final_price_paise)
    .bind(state.concern)
    .bind(state.concern_since)
    .bind(state.navigating_since)
    .bind(state.left_mechanic_id)
    .bind(state.left_reason)
    .bind(state.left_at)
    .bind(state.taken_back_at)
    .bind(state.disputed_at)
    .bind(state.resolved_at)
    .bind(state.dispatch_version)
    .bind(event.kind)
    .bind(event.is_public)
    .bind(event.changes_row)
    .bind(event.command_id)
    .bind(event.actor_kind)
    .bind(event.actor_id)
    .bind(&event.data)
    .bind(event.at)
    .bind(&notes.ids)
    .bind(&notes.user_ids)
    .bind(&notes.profile_ids)
    .bind(&notes.kinds)
    .bind(&notes.titles)
    .bind(&notes.bodies)
    .bind(&notes.data)
    .bind(&notes.are_urgent)
    .bind(&notes.expire_at)
    .bind(state.loaded_at)
    .bind(&state.received_by)
    .fetch_optional(tx)
    .await
}
