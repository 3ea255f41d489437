//! Figures, for admins.

use actix_web::{
    get,
    web::{Data, Json},
};

use roadcall_actors::job::state::Status;

use super::{
    dto::{Live, LiveEngine, LiveMechanics, LiveQueues, OpenJobs, PeriodParams, Sla, Stats},
    period::FiguresPeriod,
    queries,
};
use crate::{
    accounts::auth::{Admin, desk},
    admin::FiguresContext,
    dispatch::fleet_view,
    http::{Day, Query},
    platform::error::ApiResult,
    wire::Named,
};

/// The targets for an assignment and an arrival.
const ASSIGN_WITHIN_S: f64 = 60.0;
const ARRIVE_WITHIN_S: f64 = 30.0 * 60.0;

/// Returns the present state of the service: open jobs, mechanics, queues, and everything that waits for somebody.
#[utoipa::path(tag = "admin", responses((status = 200, body = Live)))]
#[get("/admin/live")]
pub async fn get_live(_: Admin<desk::Any>, context: Data<FiguresContext>) -> ApiResult<Json<Live>> {
    let now = context.clock.now();
    let open = queries::open_jobs(&context.db, now).await?;
    let waiting = queries::waiting(&context.db, now).await?;
    let counts = fleet_view::engine_counts(&context.engine).await;
    let of_engine = |number: Option<usize>| number.map(whole);
    let dispatcher = counts.map(|counts| counts.dispatcher);
    let everywhere = fleet_view::totals(&context.db, counts.as_ref(), now).await?;
    let of_status = |status: &Status| {
        let row = open.iter().find(|row| row.status == *status)?;
        Some(OpenJobs { status: Named(*status), count: row.count, oldest_age_s: row.oldest_age_s })
    };
    Ok(Json(Live {
        at: now.into(),
        jobs: Status::ALL.iter().filter_map(of_status).collect(),
        jobs_with_a_concern: everywhere.concerns,
        everywhere,
        mechanics: LiveMechanics {
            available: waiting.available,
            online: everywhere.online,
            free: everywhere.free,
            offered: waiting.offered,
            on_a_job: waiting.on_a_job,
        },
        engine: LiveEngine {
            is_answering: counts.is_some(),
            waiting_jobs: of_engine(dispatcher.map(|counts| counts.waiting_jobs)),
            job_actors: of_engine(counts.map(|counts| counts.job_actors)),
            mechanic_actors: of_engine(counts.map(|counts| counts.mechanic_actors)),
        },
        sockets: whole(context.hub.sockets()),
        queues: LiveQueues {
            trail_points: whole(context.trail.waiting()),
            decisions: whole(context.decisions.waiting()),
        },
        waiting: waiting.waiting,
    }))
}

/// Returns the figures of a period, in all, by day and by category. A day is a local one (`operator.time_zone`): when clocks
/// change, it has 23 or 25 hours.
#[utoipa::path(
    tag = "admin",
    params(
        ("from" = Option<Day>, Query, description = "First day; six days before `to` if not given", example = "2026-03-09"),
        ("to" = Option<Day>, Query, description = "Last day, included, at most 91 days later; today if not given", example = "2026-03-15"),
    ),
    responses((status = 200, body = Stats)),
)]
#[get("/admin/stats")]
pub async fn get_stats(
    _: Admin<desk::Any>,
    context: Data<FiguresContext>,
    params: Query<PeriodParams>,
) -> ApiResult<Json<Stats>> {
    let period = asked(&context, params)?;
    let (from, to) = (period.start(), period.end());
    let rows = queries::figures(&context.db, from, to, period.zone.name()).await?;
    Ok(Json(Stats::of(&period, context.settings.currency.clone(), &rows)))
}

/// Returns how fast help came for jobs whose search began in a period, in all and by category. A job that was cancelled before a
/// mechanic took it, or that found no mechanic, counts only in `jobs`.
#[utoipa::path(
    tag = "admin",
    params(
        ("from" = Option<Day>, Query, description = "First day; six days before `to` if not given", example = "2026-03-09"),
        ("to" = Option<Day>, Query, description = "Last day, included, at most 91 days later; today if not given", example = "2026-03-15"),
    ),
    responses((status = 200, body = Sla)),
)]
#[get("/admin/sla")]
pub async fn get_sla(
    _: Admin<desk::Any>,
    context: Data<FiguresContext>,
    params: Query<PeriodParams>,
) -> ApiResult<Json<Sla>> {
    let period = asked(&context, params)?;
    let (from, to) = (period.start(), period.end());
    let rows = queries::sla(&context.db, from, to, ASSIGN_WITHIN_S, ARRIVE_WITHIN_S).await?;
    Ok(Json(Sla::of(&period, &rows)))
}

fn asked(context: &FiguresContext, params: Query<PeriodParams>) -> ApiResult<FiguresPeriod> {
    let PeriodParams { from, to } = params.read()?;
    Ok(FiguresPeriod::new(from, to, &context.settings.operator.time_zone, context.clock.now())?)
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
