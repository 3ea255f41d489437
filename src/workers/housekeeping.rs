//! Deletes expired rows, packs trails, and starts actors that should be running. A failed task is tried again the next time.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::time::Interval;

use crate::{
    accounts::{auth, emails, uploads},
    admin::{measure_waiting, post_reports},
    bridge::recovery,
    catalogue::dispatch_settings,
    dispatch, grievances,
    jobs::{self, callbacks, outlook},
    lifecycle, mails,
    messaging::{calls, chat},
    money::{payments, wallet},
    notifications,
    partners::{cases, feeds},
    places,
    platform::{
        audit,
        error::{ApiError, Code},
        idempotency, telemetry,
        worker::Wakeup,
    },
    service::Service,
    sharing::{ratings, shares},
    tracking, ws,
};

/// How often limiters forget idle keys and histograms fold their samples.
const TICK: Duration = Duration::from_secs(5);
/// How often the dispatch settings, the stop of new jobs and the privacy notice in force are read again.
const REFRESH: Duration = Duration::from_secs(60);
/// How often the counts of the metrics are stored.
const COUNT: Duration = Duration::from_secs(60);
/// How often every open job without an actor gets one.
const LOOK_AFTER_JOBS: Duration = Duration::from_secs(60);
/// How often trails are packed, and rows that no rule needs are deleted.
const SWEEP: Duration = Duration::from_secs(3600);
/// The delay of the first sweep after a start, short enough for a service that is deployed every half hour.
const FIRST_SWEEP: Duration = Duration::from_secs(300);
/// The number of rows that one statement deletes, so that none runs into its timeout.
pub(super) const ROWS_AT_ONCE: i64 = 20_000;
/// The number of statements of one kind in a sweep, ten million rows; the rest waits for the next sweep.
const STATEMENTS: usize = 500;
/// The pause between two statements, so that others reach the database.
const BREATH: Duration = Duration::from_millis(20);

/// Runs until it is aborted.
pub async fn housekeeping(service: Service) {
    tokio::join!(often(&service), now_and_then(&service));
}

/// Runs the tasks that every server has for itself.
pub async fn tidy(service: Service) {
    let mut tick = tokio::time::interval(TICK);
    let mut refresh = tokio::time::interval(REFRESH);
    let mut count = tokio::time::interval(COUNT);
    // The start has just loaded them, and there is nothing to fold or forget yet.
    refresh.tick().await;
    tick.tick().await;
    measure_disk(&service).await;
    loop {
        tokio::select! {
            _ = tick.tick() => {
                telemetry::fold_histograms();
                service.limits.forget_idle();
            }
            _ = count.tick() => service.counts.note(),
            () = refresh_due(&mut refresh, &service.dispatch.settings_changed) => {
                measure_disk(&service).await;
                if let Err(error) = dispatch_settings::refresh(service.core(), &service.dispatch.dispatch, &service.edge.engine).await {
                    tracing::warn!(%error, "dispatch settings could not be reloaded; will retry");
                }
                if let Err(error) = service.categories.current.refresh(&service.db).await {
                    tracing::warn!(%error, "the categories could not be read again; will retry");
                }
                if let Err(error) = service.job_stops.current.refresh(&service.db).await {
                    tracing::warn!(%error, "whether new jobs are taken could not be read again; will retry");
                }
                if let Err(error) = service.notices.current.refresh(&service.db).await {
                    tracing::warn!(%error, "which privacy notice holds could not be read again; will retry");
                }
            }
        }
    }
}

/// Measures the free space of the disk on a thread of its own, since a disk may be slow to answer.
async fn measure_disk(service: &Service) {
    let folder = service.settings.server.data_dir.clone();
    let measured = tokio::task::spawn_blocking(move || telemetry::measure_disk(&folder)).await;
    if let Ok(Some(free_bytes)) = measured {
        service.free_space.note(service.clock.now(), free_bytes);
    }
}

/// Waits for a minute, or until somebody has changed the values.
async fn refresh_due(refresh: &mut Interval, changed: &Wakeup) {
    tokio::select! {
        _ = refresh.tick() => {}
        () = changed.woken() => {}
    }
}

async fn often(service: &Service) {
    let mut look_after = tokio::time::interval(LOOK_AFTER_JOBS);
    // The first tick is immediate, and a start has more urgent tasks.
    look_after.tick().await;
    // Ratings that were due while the service was down should not be missing from averages for another minute.
    report("revealed ratings", ratings::count_revealed(&service.ratings, ROWS_AT_ONCE).await);
    report("open callbacks", callbacks::count_open(&service.payments.jobs).await);
    report("what waits", measure_waiting(service.core()).await);
    let mut reported = None;
    loop {
        look_after.tick().await;
        let addresses = &service.settings.mail.reports_to;
        match post_reports(service.core(), &service.payments.mails, addresses, reported).await {
            Ok(day) => reported = day,
            Err(error) => report("reports of the day", Err(error)),
        }
        report("open callbacks", callbacks::count_open(&service.payments.jobs).await);
        report("what waits", measure_waiting(service.core()).await);
        let revealed = ratings::count_revealed(&service.ratings, ROWS_AT_ONCE).await;
        report("revealed ratings", revealed);
        report("messages to old numbers", auth::notify_old_numbers(&service.auth).await);
        if let Some(engine) = service.engine.get()
            && let Err(error) = recovery::look_after(&service.db, &engine).await
        {
            tracing::warn!(%error, "open jobs could not be checked; will retry");
        }
    }
}

async fn now_and_then(service: &Service) {
    tokio::time::sleep(FIRST_SWEEP).await;
    let mut sweep = tokio::time::interval(SWEEP);
    loop {
        sweep.tick().await;
        sweep_rows(service).await;
    }
}

async fn sweep_rows(service: &Service) {
    let (now, rows) = (service.clock.now(), ROWS_AT_ONCE);
    report("signed-out devices", notifications::forget_signed_out(&service.notifications).await);
    until_done("socket tickets", async || ws::sweep(&service.db, now, rows).await).await;
    until_done("sign-ins", async || auth::sweep(&service.db, now, rows).await).await;
    let (db, random, keys) = (&service.db, &service.random, service.auth.auth.factor_keys());
    report("second factors under an earlier secret", auth::keys::reseal(db, random, keys).await);
    until_done("codes of addresses", async || emails::sweep(&service.db, now, rows).await).await;
    until_done("places that were asked for", async || places::sweep_requests(&service.db, now, rows).await)
        .await;
    until_done("mails", async || mails::sweep(&service.db, now, rows).await).await;
    until_done("idempotency keys", async || idempotency::sweep(service, rows).await).await;
    until_done("webhook events", async || payments::sweep(&service.payments, rows).await).await;
    until_done("look-ups of UPI addresses", async || wallet::sweep_look_ups(&service.db, now, rows).await)
        .await;
    until_done("notifications", async || notifications::sweep(&service.notifications, rows).await).await;
    until_done("dispatch decisions", async || dispatch::sweep(&service.dispatch, rows).await).await;
    until_done("prices", async || dispatch::sweep_prices(&service.dispatch, rows).await).await;
    if let Some(sandbox) = &service.sandbox.sandbox {
        until_done("sandbox webhooks", async || sandbox.sweep(rows).await).await;
    }
    until_done("uploads", async || uploads::sweep(&service.uploads, rows).await).await;
    until_done("messages never sent", async || chat::sweep(&service.ws.chat, rows).await).await;
    let kept = TimeDelta::days(service.settings.calls.retention_days);
    until_done("callbacks", async || callbacks::sweep(&service.payments.jobs, kept, rows).await).await;
    until_done("free cancellations", async || {
        jobs::sweep_free_cancellations(&service.payments.jobs, rows).await
    })
    .await;
    until_done("news of searches", async || outlook::sweep(&service.payments.jobs, rows).await).await;
    until_done("share links", async || shares::sweep(&service.shares, rows).await).await;
    until_done("events of partners", async || feeds::sweep(&service.feeds, rows).await).await;
    report("secrets of webhooks under an earlier secret", feeds::reseal(&service.feeds).await);
    until_done("grievances", async || grievances::sweep(&service.db, now, rows).await).await;
    until_done("calls", async || calls::sweep(&service.ws.calls, rows).await).await;
    let audit_kept_from = now - TimeDelta::days(service.settings.admin.audit_retention_days);
    until_done("audit entries", async || audit::sweep(&service.db, audit_kept_from, rows).await).await;
    let kept = TimeDelta::days(service.settings.privacy.coarsen_after_days);
    report("people of partners' cases", cases::forget_people(&service.feeds, kept).await);
    report("names in jobs' logs", jobs::forget_in_logs(&service.db).await);
    report("jobs of people who left", lifecycle::coarsen_places(&service.lifecycle).await);
    report("packed trails", tracking::pack(&service.dispatch.jobs, &service.clock).await);
    let kept = TimeDelta::days(service.settings.tracking.trail_retention_days);
    until_done("trails", async || tracking::sweep(&service.dispatch.jobs, kept, rows).await).await;
}

/// Sweeps until a statement finds fewer rows than it may delete, or one fails.
async fn until_done<E: Into<ApiError>>(what: &'static str, sweep: impl AsyncFn() -> Result<u64, E>) {
    for _ in 0..STATEMENTS {
        let swept = sweep().await;
        let more = swept.as_ref().is_ok_and(|rows| *rows >= ROWS_AT_ONCE.unsigned_abs());
        report(what, swept);
        if !more {
            return;
        }
        tokio::time::sleep(BREATH).await;
    }
    tracing::warn!(what, "one sweep could not delete everything; the next continues");
}

fn report(what: &str, swept: Result<u64, impl Into<ApiError>>) {
    match swept.map_err(Into::into) {
        Ok(rows) => tracing::debug!(what, rows, "housekeeping done"),
        // A bug shows nowhere else: the sweep is tried again, and may fail for ever.
        Err(error) if error.code == Code::InternalError => {
            tracing::error!(what, error.cause = %error, "housekeeping failed; will retry");
        }
        Err(error) => tracing::warn!(what, error.cause = %error, "housekeeping failed; will retry"),
    }
}
