//! The frames of the server: those that it sends on its own, and the answers to a client's frames.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Reference;
use crate::{
    dispatch::fleet_view::{FleetChanges, FleetView},
    fleet::mechanics::WaitingAdvice,
    http::{Timestamp, text_enum},
    jobs::{Job, JobConcern, LineItem, Outlook},
    messaging::{
        calls::{Call, Signal},
        chat::{ChatMessage, ChatRead, ChatTyping},
    },
    money::payments::Payment,
    notifications::Notification,
    offers::Offer,
    platform::{error::ErrorDetail, traces::Traces},
    tracking::{Eta, Location},
    ws::frame_schemas::{About, Audience, Shape, server_frames},
};

server_frames! {
    Hello = "hello": Hello, Person, Socket, "First of all.";
    JobSnapshot = "job.snapshot": Job, Log, Both,
        "A subscription without `since_seq` starts, or one that must sync anew.";
    JobUpdated = "job.updated": Job, Log, Both,
        "An event of the job, as the job stood after it, live or replayed.";
    JobNudge = "job.nudge": Nudged, Job, Socket,
        "Something is wrong with the mechanic's own way: the app shall ask about it.";
    LineItemUpdated = "line_item.updated": LineItem, Log, Both,
        "A line item was proposed, amended, withdrawn, approved or rejected.";
    PaymentUpdated = "payment.updated": Payment, Log, Both,
        "A payment of the job, or of its cancellation fee, has moved; as it stands by now.";
    ChatMessage = "chat.message": ChatMessage, Log, Both,
        "One side of the job wrote to the other; as it stands by now.";
    ChatWasRead = "chat.read": ChatRead, Job, Socket,
        "The other side of the job has read its chat up to here; to all sockets of this one.";
    ChatTyped = "chat.typing": ChatTyping, Job, Socket,
        "The other side of the job is writing; to all sockets of this one, and kept nowhere.";
    CallUpdated = "call.updated": Call, Log, Both,
        "A call about the job began, was answered, or is over; as it stands by now.";
    CallRinging = "call.ringing": Call, Job, Socket,
        "To who is called: somebody calls. To who calls: it rings on a device of the other side.";
    CallSignal = "call.signal": Signal, Job, Socket,
        "What the other device of a call says to this one; not kept, and not sent again.";
    OfferCreated = "offer.created": Offer, Job, Socket, "A job is offered to this mechanic.";
    OfferRevoked = "offer.revoked": Offer, Job, Socket,
        "An offer was taken back, or declined elsewhere: by another device, or over HTTP.";
    OfferExpired = "offer.expired": Offer, Job, Socket, "An offer was not answered in time.";
    DispatchProgress = "dispatch.progress": Progress, Job, Both,
        "A round of offers went out; to the customer and admins.";
    DispatchOutlook = "dispatch.outlook": Outlook, Job, Both,
        "What the customer of a job that searches can expect: at first, and when it changes notably; to the customer and \
         admins.";
    NotificationCreated = "notification.created": Notification, Person, Socket,
        "This person was notified of something; it stands in their list, whether the frame arrives or not.";
    LocationUpdated = "location.updated": Location, Job, Both,
        "The job's mechanic moved; to the customer and admins, with its age.";
    LocationRate = "location.rate": LocationRate, Person, Socket,
        "The mechanic's app shall send its position this often from now on.";
    WaitAdvised = "advice.wait": WaitingAdvice, Person, Socket,
        "A mechanic without a job had better wait elsewhere; advice, not an order.";
    FleetSnapshot = "fleet.snapshot": FleetView, Person, Socket,
        "Everything in the box that an admin follows: at first, when it is shown in another way, and after a pause.";
    FleetChanged = "fleet.changed": FleetChanges, Person, Socket,
        "What differs in that box from what was sent before; once a second at most.";
    EtaUpdated = "eta.updated": Eta, Job, Both, "With a location: to the pickup until the mechanic has arrived, and to the destination once the vehicle is loaded.";
    ResyncRequired = "resync_required": Nothing, Perhaps, Both,
        "With `job_id`: that job's snapshot follows. Without: the connection ends, to be resumed.";
    SessionReplaced = "session.replaced": Nothing, Person, Socket,
        "A newer socket of the same mechanic took over: do not reconnect.";
    ServerDraining = "server.draining": Draining, Person, Both, "The server stops: come back after a while.";
}

/// A frame that the server sends on its own.
#[derive(Debug, Serialize)]
pub struct ServerFrame<T> {
    #[serde(rename = "type")]
    pub kind: ServerType,
    /// Present if the frame is about a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<Uuid>,
    /// The number of the event; only frames from the job's log have one: job.snapshot, job.updated,
    /// line_item.updated, payment.updated, chat.message, call.updated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<i64>,
    pub at: Timestamp,
    pub data: T,
}

impl<T: Serialize> ServerFrame<T> {
    pub fn new(kind: ServerType, at: DateTime<Utc>, data: T) -> Self {
        Self { kind, job_id: None, seq: None, at: at.into(), data }
    }

    pub fn of_job(self, job_id: Uuid) -> Self {
        Self { job_id: Some(job_id), ..self }
    }

    pub fn at_seq(self, seq: i64) -> Self {
        Self { seq: Some(seq), ..self }
    }

    /// Adds the sent frame to the trace of its job's last change, unless it follows from a position or a look-up.
    pub fn trace(&self, traces: &Traces) {
        let is_other = matches!(
            self.kind,
            ServerType::LocationUpdated
                | ServerType::EtaUpdated
                | ServerType::JobSnapshot
                | ServerType::ResyncRequired
        );
        if let Some(job) = self.job_id.filter(|_| !is_other) {
            traces.sent(self.kind.as_str(), job);
        }
    }
}

/// The answer to a client's frame.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply<'a, T> {
    Ack {
        #[serde(rename = "ref")]
        reference: &'a Reference,
        data: T,
    },
    /// `ref` is null if the frame had none.
    Error {
        #[serde(rename = "ref")]
        reference: Option<&'a Reference>,
        error: ErrorDetail,
        /// Seconds after which to try again, if that may help.
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after_s: Option<u64>,
    },
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Hello {
    /// The sign-in session behind the socket.
    pub session_id: Uuid,
    pub server_time: Timestamp,
    /// Seconds between the server's pings.
    pub heartbeat_s: u64,
    /// Seconds between the positions that a mechanic's app should send.
    pub location_interval_s: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Progress {
    pub round: u32,
    pub radius_km: f64,
    pub mechanics_offered: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LocationRate {
    pub interval_s: u32,
}

/// Something seems wrong with the mechanic's own trip.
#[derive(Debug, Serialize, ToSchema)]
pub struct Nudged {
    pub concern: JobConcern,
    /// The time since which the concern exists.
    pub since: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Draining {
    /// How long the client should wait before it reconnects; differs per socket, so that not all return at once.
    pub retry_after_ms: u32,
}

/// The job's last event when the subscription was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct Subscribed {
    pub job_id: Uuid,
    pub seq: i64,
}

/// `{}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Nothing {}
