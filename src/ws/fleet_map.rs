//! The map of an admin, kept up to date over their socket.
//!
//! A socket looks once a second at its own window, and sends the differences from what it sent before. While the
//! client does not read, the socket does not look, so nothing queues up; afterwards it sends everything anew.

use std::time::Duration;

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::{
    fleet_seats::{FleetSeat, NoSeat},
    listener::Listener,
    protocol::{Nothing, Reference, ServerType},
    session::{Ctx, SocketSession},
};
use crate::{
    accounts::auth::{self, Admin, desk},
    dispatch::fleet_view::{self, FleetChanges, FleetNews, FleetView, FleetWindow, Looked, SentDetails},
    platform::error::{ApiError, ApiResult, Code},
};

/// The interval at which a map gets the changes.
const EVERY: Duration = Duration::from_secs(1);

/// The map of a socket, which has at most one.
#[derive(Debug, Default)]
pub(super) struct FleetMap {
    /// The seat of the map, held from the first attempt to subscribe on, as long as there is a subscription or an
    /// attempt.
    seat: Option<FleetSeat>,
    /// Numbers the commands about the map: only the last attempt to subscribe counts.
    command: u64,
    shown: Option<Shown>,
    /// The details that were sent for any of the socket's windows.
    sent: SentDetails,
}

/// A subscription, and what was sent to the client for it.
#[derive(Debug)]
struct Shown {
    /// The command that began it.
    command: u64,
    window: FleetWindow,
    view: FleetView,
    looked_at: DateTime<Utc>,
}

impl SocketSession {
    /// Replaces the previous map, once the first look has succeeded.
    pub(super) fn watch_fleet(&mut self, reference: Option<Reference>, window: FleetWindow, ctx: &mut Ctx) {
        if let Err(refusal) = Admin::<desk::Dispatch>::of(self.caller).and_then(|_| self.take_fleet_seat()) {
            return self.refuse(reference.as_ref(), &refusal, ctx);
        }
        let map = self.map();
        map.command += 1;
        let command = map.command;
        let (context, caller) = (self.context.clone(), self.caller);
        let look = actix_rt::spawn(async move {
            let caller =
                auth::principal_of_session(&context.mechanics, caller.user_id, caller.session_id).await?;
            Admin::<desk::Dispatch>::of(caller)?;
            let looked = fleet_view::look(&context.jobs, &context.fleet, window).await?;
            fleet_view::record_read(&context.jobs, caller.user_id, &looked).await?;
            Ok(looked)
        });
        ctx.spawn(look.into_actor(self).map(move |looked, session, ctx| {
            let looked = looked.unwrap_or_else(|gone| Err(ApiError::internal(gone)));
            session.begin_fleet(reference, command, window, looked, ctx);
        }));
    }

    pub(super) fn unwatch_fleet(&mut self) {
        let map = self.map();
        *map = FleetMap { command: map.command + 1, ..FleetMap::default() };
    }

    fn take_fleet_seat(&mut self) -> ApiResult<()> {
        if self.map().seat.is_none() {
            let seat = self.context.fleet_seats.take(self.caller.user_id);
            self.map().seat = Some(seat.map_err(too_many_maps)?);
        }
        Ok(())
    }

    fn map(&mut self) -> &mut FleetMap {
        self.fleet_map.get_or_insert_default()
    }

    fn begin_fleet(
        &mut self,
        reference: Option<Reference>,
        command: u64,
        window: FleetWindow,
        looked: ApiResult<Looked>,
        ctx: &mut Ctx,
    ) {
        if self.map().command != command {
            let later = "You sent another fleet command before this subscription began.";
            return self.refuse(reference.as_ref(), &ApiError::new(Code::Conflict, later), ctx);
        }
        match looked {
            Ok(Looked { view, listed }) => {
                self.ack(reference.as_ref(), Nothing {}, ctx);
                let details = listed.and_then(|listed| self.map().sent.news(&listed));
                let view = self.send_snapshot(FleetView { details, ..view }, ctx);
                let shown = Shown { command, window, view, looked_at: self.now() };
                self.map().shown = Some(shown);
                self.look_at_fleet_later(command, ctx);
            }
            Err(error) => {
                let map = self.map();
                if map.shown.is_none() {
                    map.seat = None;
                }
                self.refuse(reference.as_ref(), &error, ctx);
            }
        }
    }

    fn look_at_fleet_later(&self, command: u64, ctx: &mut Ctx) {
        ctx.run_later(EVERY, move |session, ctx| session.look_at_fleet(command, ctx));
    }

    fn look_at_fleet(&mut self, command: u64, ctx: &mut Ctx) {
        let Some(window) = self.shown_fleet(command).map(|shown| shown.window) else { return };
        let context = self.context.clone();
        let look = async move { fleet_view::look(&context.jobs, &context.fleet, window).await };
        ctx.spawn(actix_rt::spawn(look).into_actor(self).map(move |looked, session, ctx| {
            match looked.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok(looked) => session.show_fleet(command, looked, ctx),
                // The next look may succeed.
                Err(error) => session.in_span(|| error.log()),
            }
            session.look_at_fleet_later(command, ctx);
        }));
    }

    fn show_fleet(&mut self, command: u64, Looked { view, listed }: Looked, ctx: &mut Ctx) {
        let now = self.now();
        let Some(shown) = self.shown_fleet(command) else { return };
        let news = FleetNews::between(&shown.view, &view, now - shown.looked_at);
        shown.looked_at = now;
        let details = listed.and_then(|listed| self.map().sent.news(&listed));
        let view = match (news, details) {
            (FleetNews::Nothing, None) => return,
            (FleetNews::Nothing, Some(details)) => {
                let changes = FleetChanges::of_details(view.counts, view.everywhere, details);
                self.send_event(ServerType::FleetChanged, changes, ctx);
                view
            }
            (FleetNews::Everything, details) => self.send_snapshot(FleetView { details, ..view }, ctx),
            (FleetNews::Some(changes), details) => {
                self.send_event(ServerType::FleetChanged, FleetChanges { details, ..*changes }, ctx);
                view
            }
        };
        if let Some(shown) = self.shown_fleet(command) {
            shown.view = view;
        }
    }

    /// Sends the view and returns the form with which later views are compared.
    fn send_snapshot(&mut self, view: FleetView, ctx: &mut Ctx) -> FleetView {
        self.send_event(ServerType::FleetSnapshot, &view, ctx);
        FleetView { details: None, ..view }
    }

    /// Returns the subscription that this command began, unless it has ended.
    fn shown_fleet(&mut self, command: u64) -> Option<&mut Shown> {
        self.map().shown.as_mut().filter(|shown| shown.command == command)
    }
}

fn too_many_maps(none: NoSeat) -> ApiError {
    let why = match none {
        NoSeat::Taken { most } => format!("The service keeps at most {most} maps up to date."),
        NoSeat::Own { most } => format!("The service keeps at most {most} of your maps up to date."),
    };
    ApiError::new(Code::Conflict, format!("{why} Close another one, or ask GET /admin/fleet."))
}
