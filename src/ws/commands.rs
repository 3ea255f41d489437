//! The commands of a client over its socket.
//!
//! Every command that changes something runs in a task of its own, so a socket that closes does not interrupt it. It
//! runs after the earlier commands of the same socket: the last setting wins, and messages are in the order in which
//! they were written. Locations have their own queue. Subscriptions wait for nothing.

use std::{future::Future, time::Duration};

use actix::prelude::*;
use chrono::{DateTime, TimeDelta, Utc};
use opentelemetry::Context;
use roadcall_actors::{
    engine::SocketLink,
    ids::{MechanicId, UserId},
    mechanic::state::PositionSource,
};
use serde::Serialize;
use tokio::sync::oneshot;

use super::{
    context::WsContext,
    listener::Listener,
    location_queue::WaitingFrame,
    protocol::{ClientCommand, ClientFrame, Nothing, Reference},
    session::{Ctx, SocketSession},
    subscriptions::{AskedBy, Since},
};
use crate::{
    accounts::auth::{self, AnyMechanic, Caller, Customer, Mechanic},
    fleet::mechanics,
    http::check_leading,
    jobs::{self, Viewer},
    messaging::{
        calls::{self, OwnCall},
        chat::{self, ChatMessage},
    },
    offers::{self, Offer},
    platform::{
        error::{ApiError, ApiResult},
        idempotency::Claim,
    },
    tracking::{self, Points},
};

/// Commands of one socket that wait or run; further ones are refused.
const UNDER_WAY: usize = 32;

/// Commands of one socket, carried out one at a time in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct CommandQueue {
    under_way: usize,
    /// Ends when the newest command does.
    last: Option<oneshot::Receiver<()>>,
}

impl CommandQueue {
    /// Queues one more command. Returns a receiver that ends with the command before it, and a sender to drop when
    /// this command is done; `None` if too many are under way.
    fn line_up(&mut self) -> Option<(Option<oneshot::Receiver<()>>, oneshot::Sender<()>)> {
        if self.under_way >= UNDER_WAY {
            return None;
        }
        self.under_way += 1;
        let (done, is_done) = oneshot::channel();
        Some((self.last.replace(is_done), done))
    }
}

impl SocketSession {
    pub(super) fn carry_out(&mut self, frame: ClientFrame, ctx: &mut Ctx) {
        let ClientFrame { reference, command } = frame;
        let is_location = matches!(command, ClientCommand::Locate(_)) && self.caller.mechanic.is_some();
        if !is_location && !self.count_frame(reference.as_ref(), ctx) {
            return;
        }
        let admitted = check_leading(&self.context).and_then(|()| self.draw(&command, is_location));
        if let Err(refusal) = admitted {
            return self.refuse(reference.as_ref(), &refusal, ctx);
        }
        self.execute(command, reference, ctx);
    }

    /// Charges a command to the person's budget. A mechanic's positions are free: they are processed one frame at a
    /// time, at their own rate.
    fn draw(&self, command: &ClientCommand, is_location: bool) -> ApiResult<()> {
        let (limits, budget) = (self.limits(), self.caller.budget);
        match command {
            _ if is_location => Ok(()),
            ClientCommand::Subscribe { .. } => limits.check_subscription(budget),
            ClientCommand::Navigate { .. } => {
                limits.check_command(budget).and_then(|()| limits.check_hand_over(budget))
            }
            _ => limits.check_command(budget),
        }
    }

    fn execute(&mut self, command: ClientCommand, reference: Option<Reference>, ctx: &mut Ctx) {
        // Commands run in tasks that take the trace with them.
        let trace = command.kind().and_then(|kind| self.context.traces.of_frame(kind.as_str()));
        let _attached = trace.map(Context::attach);
        match command {
            ClientCommand::Locate(points) => self.take_location(reference, points, ctx),
            ClientCommand::SetAvailability { is_available } => {
                if !self.permit.speak_for_mechanic() {
                    return self.close_replaced(ctx);
                }
                self.run(reference, ctx, move |context, caller| async move {
                    let mechanic = Mechanic::of(caller)?.into();
                    let profile =
                        mechanics::set_availability(&context.mechanics, mechanic, is_available, None).await;
                    profile.map(mechanics::MechanicProfile::from)
                });
            }
            ClientCommand::AcceptOffer { offer_id } => {
                let received_at = self.now();
                self.run(reference, ctx, move |context, caller| async move {
                    let Mechanic { caller, profile_id } = Mechanic::of(caller)?;
                    let offer = offers::own(&context, profile_id, offer_id).await?;
                    let (step, user) = (offer.job_id.into(), UserId(caller.user_id));
                    let row = offers::accept(&context, &offer, step, user, received_at).await?;
                    Ok(jobs::present(&row, Viewer::Mechanic, &context))
                });
            }
            ClientCommand::DeclineOffer { offer_id, reason } => {
                self.declined_offer = Some(offer_id);
                self.run(reference, ctx, move |context, caller| async move {
                    let Mechanic { caller, profile_id } = Mechanic::of(caller)?;
                    let offer = offers::own(&context, profile_id, offer_id).await?;
                    let (step, user) = (offer.job_id.into(), UserId(caller.user_id));
                    let declined = offers::decline(&context, &offer, step, user, reason).await?;
                    Ok(Offer::of_row(declined, context.rates))
                });
            }
            ClientCommand::Subscribe { job_id, since_seq } => {
                let since = since_seq.map_or(Since::Now, Since::Event);
                self.subscribe(job_id, since, AskedBy::Client(reference), ctx);
            }
            ClientCommand::Unsubscribe { job_id } => {
                self.unsubscribe(job_id);
                self.ack(reference.as_ref(), Nothing {}, ctx);
            }
            ClientCommand::Navigate { job_id, is_elsewhere } => {
                self.run(reference, ctx, move |context, caller| async move {
                    let mechanic = AnyMechanic::of(caller)?;
                    let own = jobs::find_as(&context, &mechanic.caller, job_id, Viewer::Mechanic).await?;
                    let row = own.ok_or_else(|| ApiError::not_found("job"))?;
                    let (step, by) = (row.id.into(), (&mechanic).into());
                    let row = jobs::actions::navigate(&context, step, by, is_elsewhere).await?;
                    Ok(jobs::present(&row, Viewer::Mechanic, &context))
                });
            }
            ClientCommand::WatchFleet(window) => self.watch_fleet(reference, window, ctx),
            ClientCommand::UnwatchFleet => {
                self.unwatch_fleet();
                self.ack(reference.as_ref(), Nothing {}, ctx);
            }
            ClientCommand::SendMessage { job_id, new } => {
                self.run(reference, ctx, move |context, caller| async move {
                    context.chat.limits.check_message(caller.budget)?;
                    let (message, _) = chat::send(&context.chat, caller.into(), job_id, new).await?;
                    Ok(ChatMessage::from(message))
                });
            }
            ClientCommand::ReadMessages { job_id, up_to_seq } => {
                self.run(reference, ctx, move |context, caller| async move {
                    chat::read(&context.chat, caller.into(), job_id, up_to_seq).await
                });
            }
            ClientCommand::Type { job_id } => {
                self.run(reference, ctx, move |context, caller| async move {
                    chat::typing(&context.chat, caller.into(), job_id).await.map(|()| Nothing {})
                });
            }
            ClientCommand::Invite { job_id } => {
                self.call(reference, ctx, move |context, caller| async move {
                    calls::invite(&context.calls, caller.into(), job_id, &Claim::Unmarked).await
                });
            }
            ClientCommand::Ring { call_id } => {
                self.call(reference, ctx, move |context, caller| async move {
                    calls::ring(&context.calls, OwnCall::get(&context, caller.into(), call_id).await?).await
                });
            }
            ClientCommand::AcceptCall { call_id } => {
                self.call(reference, ctx, move |context, caller| async move {
                    let call = OwnCall::get(&context, caller.into(), call_id).await?;
                    calls::accept(&context.calls, &call).await
                });
            }
            ClientCommand::RejectCall { call_id } => {
                self.call(reference, ctx, move |context, caller| async move {
                    let call = OwnCall::get(&context, caller.into(), call_id).await?;
                    calls::reject(&context.calls, &call).await
                });
            }
            ClientCommand::EndCall { call_id } => {
                self.call(reference, ctx, move |context, caller| async move {
                    let call = OwnCall::get(&context, caller.into(), call_id).await?;
                    calls::hang_up(&context.calls, &call).await
                });
            }
            ClientCommand::Signal { call_id, payload } => {
                self.call(reference, ctx, move |context, caller| async move {
                    calls::signal(&context.calls, caller.into(), call_id, payload).await
                });
            }
        }
    }

    /// Runs a command as [`SocketSession::run`] does, for customers and mechanics.
    fn call<T, F>(
        &mut self,
        reference: Option<Reference>,
        ctx: &mut Ctx,
        command: impl FnOnce(actix_web::web::Data<WsContext>, Caller) -> F + 'static,
    ) where
        T: Serialize + 'static,
        F: Future<Output = ApiResult<T>> + 'static,
    {
        self.run(reference, ctx, move |context, caller| async move {
            let Customer(caller) = Customer::of(caller)?;
            command(context, caller).await
        });
    }

    /// Runs a command after those before it and answers it. The caller is loaded at that time, since the one of the
    /// opening may be out of date.
    fn run<T, F>(
        &mut self,
        reference: Option<Reference>,
        ctx: &mut Ctx,
        command: impl FnOnce(actix_web::web::Data<WsContext>, Caller) -> F + 'static,
    ) where
        T: Serialize + 'static,
        F: Future<Output = ApiResult<T>> + 'static,
    {
        let Some((before, done)) = self.commands.line_up() else {
            return self.refuse(reference.as_ref(), &ApiError::rate_limited(1), ctx);
        };
        let (context, caller) = (self.context.clone(), self.caller);
        let task = self.context.tasks.run(async move {
            // This is dropped on every way out: the next command gets its turn even after a panic.
            let _done = done;
            if let Some(before) = before {
                // The channel carries no value; its sender is dropped.
                before.await.ok();
            }
            let caller =
                auth::principal_of_session(&context.mechanics, caller.user_id, caller.session_id).await?;
            let answer = command(context, caller).await?;
            ApiResult::Ok((caller, answer))
        });
        ctx.spawn(task.into_actor(self).map(move |done, session, ctx| {
            session.commands.under_way -= 1;
            match done.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok((caller, answer)) => {
                    // If the role has changed, the recheck handles it.
                    session.caller.mechanic = caller.mechanic;
                    session.ack(reference.as_ref(), answer, ctx);
                }
                Err(error) => session.refuse(reference.as_ref(), &error, ctx),
            }
        }));
    }

    fn take_location(&mut self, reference: Option<Reference>, points: Points, ctx: &mut Ctx) {
        if self.caller.mechanic.is_none() {
            // The person may have registered as a mechanic since. Running this as a command loads the caller again.
            return self.run(reference, ctx, move |context, caller| async move {
                let mechanic = AnyMechanic::of(caller)?;
                tracking::locate(&context, mechanic.profile_id, points.pings(), PositionSource::App).await
            });
        }
        if !self.permit.speak_for_mechanic() {
            return self.close_replaced(ctx);
        }
        let now = self.now();
        let displaced = self.locations.push(reference, points, now);
        self.supersede(displaced, ctx);
        if !self.locations.is_busy {
            self.locate_in_turn(now, ctx);
        }
    }

    fn supersede(&self, displaced: Vec<WaitingFrame>, ctx: &mut Ctx) {
        for WaitingFrame { reference, points, .. } in displaced {
            self.ack(reference.as_ref(), self.locations.superseded(&points), ctx);
        }
    }

    /// Processes the next frame now, or when the rate allows it.
    fn locate_in_turn(&mut self, now: DateTime<Utc>, ctx: &mut Ctx) {
        self.locations.is_busy = true;
        let gap =
            TimeDelta::microseconds(1_000_000 / i64::from(self.context.ws_settings.frames_per_second.max(1)));
        let wait = self.locations.started_at.map_or(TimeDelta::zero(), |at| at + gap - now);
        match wait.to_std().ok().filter(|wait| *wait > Duration::ZERO) {
            Some(wait) => {
                ctx.run_later(wait.min(Duration::from_secs(1)), |session, ctx| {
                    session.locate_next(session.now(), ctx);
                });
            }
            None => self.locate_next(now, ctx),
        }
    }

    fn locate_next(&mut self, now: DateTime<Utc>, ctx: &mut Ctx) {
        let mechanic = AnyMechanic::of(self.caller);
        let displaced = self.locations.displace(now);
        self.supersede(displaced, ctx);
        let (Some(WaitingFrame { reference, points, .. }), Ok(mechanic)) = (self.locations.pop(), mechanic)
        else {
            self.locations.is_busy = false;
            return;
        };
        self.locations.started_at = Some(now);
        let id = MechanicId(mechanic.profile_id);
        let mut link = self.link.take().unwrap_or_else(|| SocketLink::new(id));
        let context = self.context.clone();
        // This runs in no task of its own: the mechanic's actor does the work, and goes on if this socket closes.
        let located = async move {
            let located = tracking::locate_over(&context, &mut link, points).await;
            (located, link)
        };
        ctx.spawn(located.into_actor(self).map(move |(located, link), session, ctx| {
            session.link = Some(link);
            match located {
                Ok(receipt) => {
                    session.locations.last_seq = receipt.last_seq;
                    session.locations.interval_s = receipt.next_interval_s;
                    session.ack(reference.as_ref(), receipt, ctx);
                }
                Err(error) => session.refuse(reference.as_ref(), &error, ctx),
            }
            match session.locations.is_empty() {
                true => session.locations.is_busy = false,
                false => session.locate_in_turn(session.now(), ctx),
            }
        }));
    }
}
