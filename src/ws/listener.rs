//! Follows jobs for a socket, or for a stream of one job.
//!
//! Events are pulled: a wake only says that there are more. The session then reads them from Postgres, starting after
//! the last event it sent, one fetch at a time. Replay and live use the same code, so no event is lost or repeated in
//! between. Only the newest position counts: the slot holds it, and a timer limits how often it is sent.

use actix::prelude::*;
use actix_web::web::Data;
use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    ids::JobId,
    ports::{DispatchProgress, Outlook, Sighting},
};
use serde::Serialize;
use uuid::Uuid;

use super::{
    attempts::{Party, Verdict},
    context::WsContext,
    hub::SocketPermit,
    protocol::{Nothing, Progress, Reference, ServerFrame, ServerType, Subscribed},
    subscriptions::{
        AskedBy, Attempt, MAX_JOBS, Opened, Since, Subscription, Subscriptions, open, too_many_jobs,
    },
    watch::Watch,
};
use crate::{
    accounts::auth::{self, Caller},
    jobs::{self, JobRow, Viewer},
    platform::error::{ApiError, ApiResult, Code},
    tracking::{self, Eta, EventData, Location, Logged},
};

/// Events per read.
const BATCH: i64 = 100;
/// A client further behind gets the job's current state, not its history.
const MAX_REPLAY: i64 = 1_000;
/// A read that takes longer is abandoned and repeated: a database that does not answer may have lost it.
pub(super) const READ_LIMIT: std::time::Duration = std::time::Duration::from_secs(15);
/// How long to wait after a failed read from the database. Reads are repeated until the socket closes.
pub(super) const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_secs(1);

/// Follows jobs for a socket or a stream of one job. This trait decides for both what is sent, and in which order.
pub(super) trait Listener: Actor<Context: AsyncContext<Self>> + Sized {
    fn context(&self) -> &Data<WsContext>;
    fn caller(&self) -> Caller;
    fn permit(&self) -> &SocketPermit;
    fn subscriptions(&mut self) -> &mut Subscriptions;
    /// Replaces the caller by the database's present answer.
    fn set_caller(&mut self, caller: Caller);
    /// Notes that a subscription has begun.
    fn has_opened(&mut self);
    fn show<T: Serialize>(&self, frame: &ServerFrame<T>, ctx: &mut Self::Context);
    /// Acknowledges a frame that has a reference.
    fn ack<T: Serialize>(&self, reference: Option<&Reference>, data: T, ctx: &mut Self::Context);
    fn refuse(&self, reference: Option<&Reference>, error: &ApiError, ctx: &mut Self::Context);
    /// Handles the failure of a subscription of the server's own; returns whether to try again.
    fn tries_again(&self, error: &ApiError, ctx: &mut Self::Context) -> bool;
    /// Disconnects a person who may see other things than before, so that the client subscribes anew.
    fn connect_again(&self, ctx: &mut Self::Context);
    /// Disconnects a person whose session has ended or whose role has changed.
    fn sign_out(&self, why: &str, ctx: &mut Self::Context);

    /// Writes lines to the log with the ids of the request that began all this.
    fn in_span(&self, log: impl FnOnce()) {
        log();
    }

    fn now(&self) -> DateTime<Utc> {
        self.context().clock.now()
    }

    fn subscribe(&mut self, job: Uuid, since: Since, by: AskedBy, ctx: &mut Self::Context) {
        if self.subscriptions().is_full_for(job) {
            match &by {
                AskedBy::Client(reference) => {
                    return self.refuse(reference.as_ref(), &too_many_jobs(MAX_JOBS), ctx);
                }
                AskedBy::Server => return,
                // One more job at most is followed, since it replaces the previous own job.
                AskedBy::OwnJob => {}
            }
        }
        // The watch is registered first: later commits wake it, earlier ones are in the row.
        let Some(watch) = self.permit().watch(job) else { return };
        let number = self.subscriptions().attempts.start(job, by.party());
        let attempt = Attempt { job, number, since, by };
        let (context, caller) = (self.context().clone(), self.caller());
        let task = actix_rt::spawn(async move { open(&context, caller, job, since).await });
        ctx.spawn(task.into_actor(self).map(move |opened, session, ctx| {
            match opened.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok(opened) => session.opened(attempt, opened, watch, ctx),
                Err(error) => session.not_opened(attempt, &error, ctx),
            }
        }));
    }

    /// Handles an attempt whose job was looked up.
    fn opened(&mut self, attempt: Attempt, opened: Opened, watch: Watch, ctx: &mut Self::Context) {
        let verdict = self.subscriptions().judge(&attempt);
        match verdict {
            Verdict::Begin => {
                self.subscriptions().finish(&attempt);
                self.begin(opened, watch, &attempt, ctx);
            }
            Verdict::Superseded => {
                self.subscriptions().finish(&attempt);
                let subscribed = Subscribed { job_id: attempt.job, seq: opened.row.seq };
                self.ack(attempt.by.reference(), subscribed, ctx);
            }
            Verdict::Wait => self.try_later(attempt, ctx),
            Verdict::Withdrawn => self.withdrawn(&attempt, ctx),
        }
    }

    /// Handles an attempt whose look-up failed. A client gets the error. The server's own attempt is repeated, unless
    /// something else has already decided about the job.
    fn not_opened(&mut self, attempt: Attempt, error: &ApiError, ctx: &mut Self::Context) {
        let verdict = self.subscriptions().judge(&attempt);
        match (verdict, attempt.by.party()) {
            (Verdict::Withdrawn, _) => self.withdrawn(&attempt, ctx),
            (Verdict::Begin | Verdict::Superseded | Verdict::Wait, Party::Client) => {
                self.subscriptions().finish(&attempt);
                self.refuse(attempt.by.reference(), error, ctx);
            }
            (Verdict::Superseded, Party::Server) => self.subscriptions().finish(&attempt),
            (Verdict::Begin | Verdict::Wait, Party::Server) => match self.tries_again(error, ctx) {
                true => self.try_later(attempt, ctx),
                false => self.subscriptions().finish(&attempt),
            },
        }
    }

    /// Repeats the server's own attempt.
    fn try_later(&mut self, attempt: Attempt, ctx: &mut Self::Context) {
        ctx.run_later(LOOK_AGAIN, move |session, ctx| match session.subscriptions().judge(&attempt) {
            Verdict::Begin => {
                session.subscribe(attempt.job, attempt.since, attempt.by.clone(), ctx);
                // The old attempt ends only now, so that its place is kept in between.
                session.subscriptions().finish(&attempt);
            }
            Verdict::Wait => session.try_later(attempt, ctx),
            Verdict::Superseded | Verdict::Withdrawn => session.subscriptions().finish(&attempt),
        });
    }

    /// Refuses a subscription from which the client unsubscribed during the look-up. Only a client's frame gets an
    /// answer.
    fn withdrawn(&mut self, attempt: &Attempt, ctx: &mut Self::Context) {
        if let AskedBy::Client(reference) = &attempt.by {
            let error = ApiError::new(
                Code::Conflict,
                "You unsubscribed from this job before the subscription began.",
            );
            self.refuse(reference.as_ref(), &error, ctx);
        }
    }

    fn unsubscribe(&mut self, job: Uuid) {
        let subscriptions = self.subscriptions();
        subscriptions.attempts.withdraw(job);
        subscriptions.jobs.remove(&job);
    }

    fn begin(&mut self, opened: Opened, watch: Watch, attempt: &Attempt, ctx: &mut Self::Context) {
        let Opened { caller, row, viewer, first_seq, position } = opened;
        let job = row.id;
        // Somebody who registered as a mechanic since the socket opened sees the job as one. If the role has changed,
        // the recheck handles it.
        self.set_caller(Caller { mechanic: caller.mechanic, ..self.caller() });
        self.ack(attempt.by.reference(), Subscribed { job_id: job, seq: row.seq }, ctx);
        let sent_seq = match attempt.since {
            Since::Event(seq) if seq <= row.seq && row.seq - seq.max(first_seq - 1) <= MAX_REPLAY => {
                seq.max(first_seq - 1)
            }
            Since::Event(_) => {
                let frame = ServerFrame::new(ServerType::ResyncRequired, self.now(), Nothing {});
                self.show(&frame.of_job(job), ctx);
                self.send_snapshot(&row, viewer, ctx)
            }
            Since::Now => self.send_snapshot(&row, viewer, ctx),
            Since::Assignment => first_seq - 1,
        };
        if let Some(position) = position {
            watch.seed_position(position);
        }
        if viewer != Viewer::Mechanic {
            watch.join_audience();
            self.context().engine.watch([JobId(job)]);
        }
        watch.has_sent(sent_seq);
        let subscription = Subscription {
            watch,
            viewer,
            attempt: attempt.number,
            is_own: matches!(attempt.by, AskedBy::OwnJob),
            sent_seq,
            start_seq: row.seq,
            paid_seq: 0,
            fruitless_at: None,
            is_fetching: false,
            shown_mechanic: tracking::assigned_while_shown(&row),
            is_at_vehicle: row.arrived_at.is_some() && row.loaded_at.is_none(),
            sent_position: None,
            sent_position_at: None,
            has_timer: false,
        };
        self.subscriptions().jobs.insert(job, subscription);
        self.has_opened();
        self.follow(job, ctx);
    }

    fn send_snapshot(&self, row: &JobRow, viewer: Viewer, ctx: &mut Self::Context) -> i64 {
        let shown = jobs::present(row, viewer, self.context());
        let frame = ServerFrame::new(ServerType::JobSnapshot, self.now(), shown);
        self.show(&frame.of_job(row.id).at_seq(row.seq), ctx);
        row.seq
    }

    /// Checks the job's slot, and sends new events, and the position if it is due.
    fn follow(&mut self, job: Uuid, ctx: &mut Self::Context) {
        let Some(subscription) = self.subscriptions().jobs.get(&job) else { return };
        subscription.watch.look_again();
        self.fetch_if_behind(job, ctx);
        self.send_position_if_due(job, ctx);
    }

    fn fetch_if_behind(&mut self, job: Uuid, ctx: &mut Self::Context) {
        let Some(subscription) = self.subscriptions().jobs.get_mut(&job) else { return };
        if subscription.is_fetching || !subscription.is_behind() {
            return;
        }
        subscription.is_fetching = true;
        // Live events are free; only repeated events are charged, and only once.
        let (attempt, last) =
            (subscription.attempt, subscription.start_seq.min(subscription.sent_seq + BATCH));
        let again = last - subscription.sent_seq.max(subscription.paid_seq);
        let again = u32::try_from(again).unwrap_or_default();
        if let Err(wait) = self.context().chat.limits.check_replay(self.caller().budget, again) {
            ctx.run_later(wait.min(READ_LIMIT), move |session, ctx| {
                let current = session.subscriptions().jobs.get_mut(&job);
                let Some(subscription) = current.filter(|current| current.attempt == attempt) else { return };
                subscription.is_fetching = false;
                session.follow(job, ctx);
            });
            return;
        }
        let Some(subscription) = self.subscriptions().jobs.get_mut(&job) else { return };
        subscription.paid_seq = subscription.paid_seq.max(last);
        let reports = subscription.watch.reports();
        let (since, newest) = (subscription.sent_seq, subscription.newest_seq());
        let context = self.context().clone();
        let task = actix_rt::spawn(async move {
            let read = context.logs.logged(&context, job, since, newest, BATCH);
            tokio::time::timeout(READ_LIMIT, read)
                .await
                .unwrap_or_else(|late| Err(ApiError::unavailable(late)))
        });
        ctx.spawn(task.into_actor(self).map(move |fetched, session, ctx| {
            let current = session.subscriptions().jobs.get_mut(&job);
            let Some(subscription) = current.filter(|current| current.attempt == attempt) else { return };
            subscription.is_fetching = false;
            match fetched.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok(events) => {
                    if events.is_empty() {
                        subscription.fruitless_at = Some(reports);
                    }
                    events.iter().for_each(|event| session.show_event(job, event, ctx));
                    session.follow(job, ctx);
                }
                Err(error) => {
                    session.in_span(|| error.log());
                    ctx.run_later(LOOK_AGAIN, move |session, ctx| session.follow(job, ctx));
                }
            }
        }));
    }

    fn show_event(&mut self, job: Uuid, event: &Logged, ctx: &mut Self::Context) {
        let caller = self.caller();
        let Some(subscription) = self.subscriptions().jobs.get_mut(&job) else { return };
        let (viewer, may_show) = (subscription.viewer, subscription.may_show(event, &caller));
        let shown_before = subscription.shown_mechanic;
        subscription.sent_seq = event.seq();
        subscription.watch.has_sent(event.seq());
        subscription.shown_mechanic = tracking::assigned_while_shown(event.job());
        let row = event.job();
        subscription.is_at_vehicle = row.arrived_at.is_some() && row.loaded_at.is_none();
        let is_newly_shown = subscription.shown_mechanic.is_some() && shown_before.is_none();
        if may_show {
            let shown = event.shown(viewer, self.context());
            let kind = match &shown {
                EventData::Job(_) => ServerType::JobUpdated,
                EventData::LineItem(_) => ServerType::LineItemUpdated,
                EventData::Payment(_) => ServerType::PaymentUpdated,
                EventData::Message(_) => ServerType::ChatMessage,
                EventData::Call(_) => ServerType::CallUpdated,
            };
            let frame = ServerFrame::new(kind, event.at(), shown);
            self.show(&frame.of_job(job).at_seq(event.seq()), ctx);
        }
        if is_newly_shown && viewer != Viewer::Mechanic {
            self.seed_position(event.job().clone(), ctx);
        }
    }

    /// Shows the new mechanic's last position before their next ping.
    fn seed_position(&mut self, row: JobRow, ctx: &mut Self::Context) {
        let (job, context, of) = (row.id, self.context().clone(), row.clone());
        let task = actix_rt::spawn(async move { tracking::latest(&context, &of).await });
        ctx.spawn(task.into_actor(self).map(move |looked, session, ctx| {
            let Some(subscription) = session.subscriptions().jobs.get(&job) else { return };
            match looked.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok(Some(position)) => {
                    subscription.watch.seed_position(position);
                    session.follow(job, ctx);
                }
                Ok(None) => {}
                Err(error) => {
                    session.in_span(|| error.log());
                    ctx.run_later(LOOK_AGAIN, move |session, ctx| session.seed_position_again(row, ctx));
                }
            }
        }));
    }

    /// Repeats a failed read, unless the mechanic is no longer shown or has sent a position meanwhile.
    fn seed_position_again(&mut self, row: JobRow, ctx: &mut Self::Context) {
        let Some(subscription) = self.subscriptions().jobs.get(&row.id) else { return };
        let is_shown = subscription.shown_mechanic == row.mechanic_profile_id;
        if is_shown && subscription.watch.position().is_none() {
            self.seed_position(row, ctx);
        }
    }

    fn send_position_if_due(&mut self, job: Uuid, ctx: &mut Self::Context) {
        let now = self.now();
        let interval = TimeDelta::milliseconds(self.context().ws_settings.location_interval_ms as i64);
        let Some(subscription) = self.subscriptions().jobs.get_mut(&job) else { return };
        let Some((number, sighting)) = subscription.next_position() else { return };
        let wait = subscription.sent_position_at.map_or(TimeDelta::zero(), |at| at + interval - now);
        // Positions must not wait if the wall clock was set back.
        let wait = wait.min(interval);
        if wait > TimeDelta::zero() {
            if !subscription.has_timer {
                subscription.has_timer = true;
                ctx.run_later(wait.to_std().unwrap_or_default(), move |session, ctx| {
                    if let Some(subscription) = session.subscriptions().jobs.get_mut(&job) {
                        subscription.has_timer = false;
                    }
                    session.follow(job, ctx);
                });
            }
            return;
        }
        subscription.sent_position = Some(number);
        subscription.sent_position_at = Some(now);
        // The estimate may have been made before the arrival.
        let estimate = sighting.estimate.filter(|_| !subscription.is_at_vehicle);
        self.send_position(job, &Sighting { estimate, ..sighting }, now, ctx);
    }

    fn send_position(&self, job: Uuid, sighting: &Sighting, now: DateTime<Utc>, ctx: &mut Self::Context) {
        let fresh = self.context().dispatch.fresh_position();
        let location = Location::of(sighting.mechanic_id.0, &sighting.fix, fresh, now);
        self.show(&ServerFrame::new(ServerType::LocationUpdated, now, location).of_job(job), ctx);
        if let Some(estimate) = sighting.estimate {
            self.show(&ServerFrame::new(ServerType::EtaUpdated, now, Eta::from(estimate)).of_job(job), ctx);
        }
    }

    /// Sends the frame about a round of offers for a job.
    fn show_progress(&mut self, progress: DispatchProgress, ctx: &mut Self::Context) {
        let job = progress.job_id.0;
        if self.subscriptions().jobs.get(&job).is_some_and(Subscription::shows_dispatch) {
            let (round, mechanics_offered) = (progress.round, progress.mechanics_offered);
            let data = Progress { round, radius_km: progress.radius_m / 1000.0, mechanics_offered };
            let frame = ServerFrame::new(ServerType::DispatchProgress, self.now(), data);
            self.show(&frame.of_job(job), ctx);
        }
    }

    /// Sends the frame about what the customer of a job can now expect.
    fn show_outlook(&mut self, job: Uuid, outlook: Outlook, ctx: &mut Self::Context) {
        if self.subscriptions().jobs.get(&job).is_some_and(Subscription::shows_dispatch) {
            let data = jobs::Outlook::from(outlook);
            let frame = ServerFrame::new(ServerType::DispatchOutlook, self.now(), data);
            self.show(&frame.of_job(job), ctx);
        }
    }

    /// Checks every slot. This makes up for wakes that found no room.
    fn follow_all(&mut self, ctx: &mut Self::Context) {
        let jobs: Vec<Uuid> = self.subscriptions().jobs.keys().copied().collect();
        jobs.into_iter().for_each(|job| self.follow(job, ctx));
    }

    /// Checks the session and the role again, together with those of other sockets.
    fn recheck(&mut self, ctx: &mut Self::Context) {
        let (context, caller) = (self.context().clone(), self.caller());
        self.judge_session(ctx, async move {
            auth::recheck_session(&context.mechanics, caller.user_id, caller.session_id).await
        });
    }

    /// Checks the session and the role at once and on its own, because something about the person has changed.
    fn check_session(&mut self, ctx: &mut Self::Context) {
        let (context, caller) = (self.context().clone(), self.caller());
        self.judge_session(ctx, async move {
            auth::principal_of_session(&context.mechanics, caller.user_id, caller.session_id).await
        });
    }

    fn judge_session(
        &mut self,
        ctx: &mut Self::Context,
        look: impl Future<Output = ApiResult<Caller>> + 'static,
    ) {
        ctx.spawn(actix_rt::spawn(look).into_actor(self).map(|looked, session, ctx| match looked {
            Ok(Ok(caller)) if caller.role != session.caller().role => {
                session.sign_out("the role has changed", ctx);
            }
            Ok(Ok(caller)) if caller.desks != session.caller().desks => session.connect_again(ctx),
            Ok(Ok(caller)) => session.set_caller(caller),
            Ok(Err(error)) if matches!(error.code, Code::Unauthorized | Code::AccountSuspended) => {
                session.sign_out("the session has ended", ctx);
            }
            // The database is away: decide at the next check.
            Ok(Err(error)) => session.in_span(|| error.log()),
            Err(gone) => session.in_span(|| {
                tracing::error!(error.cause = %gone, "checking a session failed");
            }),
        }));
    }
}
