//! Jobs over HTTP: created by customers, served by mechanics, overseen by admins.
//!
//! The engine's state machine decides what may happen to a job (`actors/src/job`); the handlers send it commands and
//! show the result. Files: `handlers/` (by who calls), `corrections/` and `line_items/` (changes to a job), `overview/`
//! (all jobs, for admins), `dto.rs` (the wire), `view.rs` and `people/` (what each reader sees), `summary.rs` (what
//! offers show), `pricing.rs` (what a job costs), `outlook/` (how long it may take), `callbacks/` (customers who ask for a
//! call), `log/` (how a job changes), `queries.rs`.

pub mod callbacks;
mod coarsening;
pub mod corrections;
mod dto;
mod eta_source;
mod handlers;
pub mod job_hook;
pub mod line_items;
pub mod log;
pub mod outlook;
mod overview;
mod owned;
mod people;
mod pricing;
pub(crate) mod queries;
mod summary;
mod view;

pub use crate::http::refused;
pub use callbacks::{CallbackStatus, JobCallback, OpenCallbacks};
pub use coarsening::{coarsen_places, has_exact_places, rounded};
pub use dto::{
    ActorKind, ConcernFilter, ContactPreference, Job, JobConcern, JobPhoto, JobStatus, ListRole,
    MechanicLeft, Urgency,
};
pub use eta_source::EtaSource;
pub use line_items::LineItem;
pub use outlook::{LongSearches, Outlook, WaitReason};
pub use owned::ViewedJob;
pub use people::forget_in_logs;
pub use people::{ContactPerson, ContactRole, ContactWay, JobContact, JobVehicle};
pub use queries::{JobEventRow, JobRow};
pub use summary::{PrivateDescription, offered_description};
pub use view::{Viewer, is_long_past, is_rough, mechanic_left, present, present_logged, viewer_of};

use chrono::{DateTime, Utc};
use roadcall_actors::{
    EngineHandle,
    engine::CommandDone,
    ids::{JobId, MechanicId, UserId},
    job::state::{Actor, CALL_EVENT, Command, MESSAGE_EVENT, PAYMENT_EVENT, is_item_event},
};
use sqlx::{PgConnection, PgExecutor};
use std::ops::Deref;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::auth::AnyMechanic,
    catalogue::dispatch_settings::DispatchConfig,
    http::PageParams,
    jobs::{callbacks::Callbacks, log::RecentEntries},
    notifications::NotifyContext,
    platform::{
        db::Db,
        error::{ApiError, ApiResult, after_commit},
        hooks::Hooks,
        settings::Settings,
    },
};

/// What jobs need, and other areas that change a job in their own transaction.
#[derive(Debug, Clone)]
pub struct JobsContext {
    pub notify: NotifyContext,
    pub engine: EngineHandle,
    /// How jobs are dispatched now.
    pub dispatch: DispatchConfig,
    /// What else happens in a transaction that changes a job.
    pub hooks: Hooks,
    /// What was committed a moment ago.
    pub recent: RecentEntries,
    /// How many customers wait for a call.
    pub callbacks: OpenCallbacks,
    /// Whose search becomes long.
    pub searches: LongSearches,
}

impl Deref for JobsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}

pub fn routes(config: &mut ServiceConfig) {
    use handlers::{admin, customer, mechanic, read};
    use overview::handlers as overview;
    config
        .service(customer::estimate_job)
        .service(customer::create_job)
        .service(customer::cancel_job)
        .service(customer::quote_cancellation)
        .service(customer::retry_job)
        .service(read::list_jobs)
        .service(read::get_job)
        .service(read::get_job_timeline)
        .service(read::list_job_photos)
        .configure(callbacks::routes)
        .configure(corrections::routes)
        .configure(line_items::routes)
        .service(mechanic::start_driving)
        .service(mechanic::navigate_elsewhere)
        .service(mechanic::take_back_job)
        .service(mechanic::list_my_lost_jobs)
        .service(mechanic::arrive)
        .service(mechanic::start_work)
        .service(mechanic::complete_work)
        .service(mechanic::release_job)
        .service(mechanic::report_no_show)
        .service(mechanic::add_job_photo)
        .service(mechanic::delete_job_photo)
        .service(overview::list_all_jobs)
        .service(overview::get_any_job)
        .service(admin::estimate_job_of_user)
        .service(admin::create_job_of_user)
        .service(admin::quote_any_cancellation)
        .service(admin::assign_job)
        .service(admin::reassign_job)
        .service(admin::retry_any_job)
        .service(admin::cancel_any_job);
}

/// The job's row.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<JobRow>> {
    Ok(queries::find(db, id).await?)
}

/// The job's row after a command that is done.
pub async fn row_after(context: &JobsContext, done: &CommandDone) -> ApiResult<JobRow> {
    let id = done.job.id.0;
    match context.recent.row(id, done.job.version) {
        Some(row) => Ok(row),
        None => find(&context.db, id).await.map_err(after_commit)?.ok_or_else(|| ApiError::not_found("job")),
    }
}

/// The job's row, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> ApiResult<Option<JobRow>> {
    Ok(queries::lock(tx, id).await?)
}

/// The mechanic of the job says whether another app shows them the way.
pub async fn navigate(
    context: &JobsContext,
    mechanic: AnyMechanic,
    row: &JobRow,
    is_elsewhere: bool,
) -> ApiResult<Job> {
    let (by, mechanic_id) =
        (Actor::Mechanic(UserId(mechanic.caller.user_id)), MechanicId(mechanic.profile_id));
    let command = Command::Navigate { mechanic_id, is_elsewhere };
    let done = context.engine.order(JobId(row.id), by, command).await.map_err(refused)?;
    Ok(present(&row_after(context, &done).await?, Viewer::Mechanic, context))
}

/// The same by the job's id; 404 unless it is the mechanic's.
pub async fn navigate_by_id(
    context: &JobsContext,
    mechanic: AnyMechanic,
    job_id: Uuid,
    is_elsewhere: bool,
) -> ApiResult<Job> {
    let row = find(&context.db, job_id).await?;
    let own = row.filter(|row| viewer_of(&mechanic.caller, row) == Some(Viewer::Mechanic));
    navigate(context, mechanic, &own.ok_or_else(|| ApiError::not_found("job"))?, is_elsewhere).await
}

/// Stores the room in which a job's customer and this mechanic talk, if the job's room is still `held`. Returns the
/// job's room afterwards, `None` if the mechanic is not on the job any more. A mechanic who loses the job loses its
/// room.
pub async fn keep_room(
    db: impl PgExecutor<'_>,
    id: Uuid,
    mechanic_profile_id: Uuid,
    held: Option<&str>,
    room_id: &str,
) -> ApiResult<Option<String>> {
    Ok(queries::keep_room(db, id, mechanic_profile_id, held, room_id).await?)
}

/// Removes what identifies a person from their jobs, which are all over: those they created, with the people they
/// named, and those they served. [`forget_in_logs`] does the rest.
pub async fn forget_person(
    tx: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
) -> sqlx::Result<()> {
    people::queries::forget_customer(tx, user_id).await?;
    callbacks::forget_customer(tx, user_id).await?;
    match mechanic_profile_id {
        Some(profile) => people::queries::forget_mechanic(tx, profile).await,
        None => Ok(()),
    }
}

/// The newest jobs that a person created or served, at most `limit`, each as they see it in that role: an admin who was
/// once on a job as its mechanic sees no more here than a mechanic.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    settings: &Settings,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Job>> {
    let filter = queries::JobFilter {
        customer_id: Some(user_id),
        mechanic_profile_id,
        ..queries::JobFilter::default()
    };
    let rows = queries::list(&mut *db, &filter, PageParams { page: 1, limit }).await?;
    let callbacks = Callbacks::of(&mut *db, &rows).await?;
    let viewer = |row: &JobRow| match row.customer_id == user_id {
        true => Viewer::Customer,
        false => Viewer::Mechanic,
    };
    let shown = |row: &JobRow| {
        let viewer = viewer(row);
        Job { callback: callbacks.of_job(row, viewer), ..view::present_at(row, viewer, settings, now) }
    };
    Ok(rows.iter().map(shown).collect())
}

/// The newest line items of these jobs, at most `limit`.
pub async fn newest_line_items(
    db: &mut PgConnection,
    job_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<LineItem>> {
    let rows = line_items::queries::newest_of_jobs(db, job_ids, limit).await?;
    Ok(rows.into_iter().map(LineItem::from).collect())
}

/// The newest photos of these jobs, at most `limit`.
pub async fn newest_photos(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> ApiResult<Vec<JobPhoto>> {
    let rows = queries::newest_photos(db, job_ids, limit).await?;
    Ok(rows.into_iter().map(JobPhoto::from).collect())
}

/// The job that a mechanic is on.
pub async fn active_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
) -> ApiResult<Option<Uuid>> {
    let active = queries::active_of_mechanics(db, &[mechanic_profile_id]).await?;
    Ok(active.first().map(|(_, job_id)| *job_id))
}

/// Those of the mechanics who are on a job, each with that job.
pub async fn active_of_mechanics(
    db: impl PgExecutor<'_>,
    mechanic_profile_ids: &[Uuid],
) -> sqlx::Result<Vec<(Uuid, Uuid)>> {
    queries::active_of_mechanics(db, mechanic_profile_ids).await
}

/// One entry of the log that every participant may see.
#[derive(Debug, Clone)]
pub struct JobEvent {
    /// Dense from 1.
    pub seq: i64,
    pub kind: String,
    pub at: DateTime<Utc>,
    pub subject: Subject,
    /// The job after the event.
    pub snapshot: JobRow,
    /// Whether a mechanic is on the job now.
    pub is_active: bool,
}

/// What an event is about.
#[derive(Debug, Clone)]
pub enum Subject {
    Job,
    /// The item after the event.
    LineItem(LineItem),
    /// A payment of the job, by its id.
    Payment(Uuid),
    /// A message of its chat, by its id.
    Message(Uuid),
    /// A call about the job, by its id.
    Call(Uuid),
}

impl Subject {
    /// The message that the event is about.
    pub fn message(&self) -> Option<Uuid> {
        match self {
            Subject::Message(id) => Some(*id),
            Subject::Job | Subject::LineItem(_) | Subject::Payment(_) | Subject::Call(_) => None,
        }
    }
}

/// The newest event of each of these jobs; at most 1,000 at once.
pub async fn newest_seqs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<Vec<(Uuid, i64)>> {
    Ok(queries::newest_seqs(db, ids).await?)
}

/// The log after `since_seq`, in order, at most `limit` entries. `newest`: the newest entry, where the caller knows it; those up to
/// it that were committed just now need no look into the database.
pub async fn events_since(
    context: &JobsContext,
    job_id: Uuid,
    since_seq: i64,
    newest: Option<i64>,
    limit: i64,
) -> ApiResult<Vec<JobEvent>> {
    let db = &context.db;
    let rows = match newest.and_then(|newest| context.recent.between(job_id, since_seq, newest)) {
        Some(rows) => rows,
        None => queries::events_since(db, job_id, since_seq, limit).await?,
    };
    let (mut events, mut standing): (Vec<JobEvent>, Option<JobRow>) = (Vec::new(), None);
    for row in rows {
        let subject = subject(job_id, &row);
        let snapshot = match (row.snapshot, standing.take()) {
            (Some(snapshot), _) => snapshot.0,
            // A message changes nothing else in the job.
            (None, Some(before)) => JobRow { seq: row.seq, updated_at: row.at, ..before },
            (None, None) => {
                let before = queries::snapshot_before(db, job_id, row.seq).await?;
                JobRow { seq: row.seq, updated_at: row.at, ..before.0 }
            }
        };
        standing = Some(snapshot.clone());
        let JobEventRow { seq, kind, at, is_active, .. } = row;
        events.push(JobEvent { seq, kind, at, subject, snapshot, is_active });
    }
    Ok(events)
}

fn subject(job_id: Uuid, row: &JobEventRow) -> Subject {
    let id = |name: &str| row.data[name].as_str()?.parse().ok();
    match row.kind.as_str() {
        PAYMENT_EVENT => id("payment_id").map_or(Subject::Job, Subject::Payment),
        MESSAGE_EVENT => id("message_id").map_or(Subject::Job, Subject::Message),
        CALL_EVENT => id("call_id").map_or(Subject::Job, Subject::Call),
        kind if is_item_event(kind) => {
            line_items::of_event(job_id, &row.data).map_or(Subject::Job, Subject::LineItem)
        }
        _ => Subject::Job,
    }
}

/// The first event of a job that the viewer may see: a mechanic sees from its own assignment on.
pub async fn first_visible_seq(db: &Db, row: &JobRow, viewer: Viewer) -> ApiResult<i64> {
    match viewer {
        Viewer::Customer | Viewer::Admin => Ok(1),
        Viewer::Mechanic => Ok(queries::assigned_at_seq(db, row.id).await?.unwrap_or(1)),
    }
}

/// Deletes cancellations that no longer count; returns how many.
pub async fn sweep_free_cancellations(context: &JobsContext, limit: i64) -> sqlx::Result<u64> {
    let kept = chrono::TimeDelta::days(context.settings.fees.free_cancellation_days);
    queries::sweep_free_cancellations(&context.db, context.clock.now() - kept, limit).await
}
