//! The JSON of the socket, both ways. docs/REALTIME.md tells it in words, and `GET /asyncapi.json`, which is made of the two
//! lists here, for machines: a new type is one line in its list.
//!
//! A client's frame is `{type, ref?, data}`; faults are named as over HTTP: the envelope's own by their field, those
//! of `data` by their path within it.

use chrono::{DateTime, Utc};
use deserr::Deserr;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::frames::{About, Shape, Told, client_frames, server_frames};
use crate::{
    fleet::mechanics::MechanicProfile,
    http::{Id, Invalid, Text, Timestamp, ValidationErrors, WholeNumber, text_enum},
    jobs::{Job, JobConcern, LineItem},
    messaging::{
        calls::{Call, Payload, Signal, Signalled},
        chat::{ChatOf, ChatRead, ChatReadUpTo, ChatSend, ChatTyping, Message, NewMessage},
    },
    money::payments::Payment,
    notifications::Notification,
    offers::Offer,
    platform::error::{ApiError, ApiResult, ErrorDetail},
    tracking::{Eta, Location, LocationReceipt, Points},
};

client_frames! {
    LocationUpdate = "location.update": Points => LocationReceipt, "Positions of the mechanic's phone.";
    AvailabilitySet = "availability.set": Availability => MechanicProfile,
        "The mechanic's wish to be offered jobs.";
    OfferAccept = "offer.accept": OfferAnswer => Job, "Takes an offered job.";
    OfferDecline = "offer.decline": OfferAnswer => Offer, "Declines an offered job.";
    JobSubscribe = "job.subscribe": Subscription => Subscribed,
        "Follows a job, from its last known event on where `since_seq` is given.";
    JobUnsubscribe = "job.unsubscribe": Subscription => Nothing, "Follows a job no more.";
    ChatSend = "chat.send": ChatSend => Message, "Writes to the other side of a job, as `POST /jobs/{id}/messages` does.";
    ChatRead = "chat.read": ChatReadUpTo => ChatRead, "The client has read a job's chat up to here.";
    ChatTyping = "chat.typing": ChatOf => Nothing,
        "The client is writing to the other side of a job; passed on once a second at most.";
    CallInvite = "call.invite": Invitation => Call, "Calls the other side of a job.";
    CallRinging = "call.ringing": CallNamed => Call, "It rings on this device: the caller hears it.";
    CallAccept = "call.accept": CallNamed => Call, "Answers a call with this device.";
    CallReject = "call.reject": CallNamed => Call, "Does not take a call.";
    CallEnd = "call.end": CallNamed => Call, "Hangs up.";
    CallSignal = "call.signal": SignalSent => Signalled,
        "Says something to the other device of a call: a description or a candidate, 12 KiB at most.";
}

/// The client's own name for a frame, repeated in its answer: 1 to 64 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, Serialize)]
#[deserr(try_from(String) = Reference::new -> Invalid)]
#[serde(transparent)]
pub struct Reference(String);

impl Reference {
    fn new(text: String) -> Result<Self, Invalid> {
        let holds = (1..=64).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        if holds { Ok(Self(text)) } else { Err("must have 1 to 64 characters".into()) }
    }
}

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct Envelope {
    #[deserr(rename = "type")]
    kind: ClientType,
    #[deserr(default, rename = "ref")]
    reference: Option<Reference>,
    data: Value,
}

/// A frame that was understood.
#[derive(Debug)]
pub struct ClientFrame {
    pub reference: Option<Reference>,
    pub command: ClientCommand,
}

/// A frame that was not, with its reference where that could be read.
#[derive(Debug)]
pub struct Malformed {
    pub reference: Option<Reference>,
    pub error: ApiError,
}

#[derive(Debug)]
pub enum ClientCommand {
    Locate(Points),
    SetAvailability { is_available: bool },
    AcceptOffer { offer_id: Uuid },
    DeclineOffer { offer_id: Uuid, reason: Option<String> },
    Subscribe { job_id: Uuid, since_seq: Option<i64> },
    Unsubscribe { job_id: Uuid },
    SendMessage { job_id: Uuid, new: NewMessage },
    ReadMessages { job_id: Uuid, up_to_seq: i64 },
    Type { job_id: Uuid },
    Invite { job_id: Uuid },
    Ring { call_id: Uuid },
    AcceptCall { call_id: Uuid },
    RejectCall { call_id: Uuid },
    EndCall { call_id: Uuid },
    Signal { call_id: Uuid, payload: Payload },
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct Availability {
    is_available: bool,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct OfferAnswer {
    offer_id: Id,
    #[deserr(default)]
    reason: Option<Text<1, 200>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct Subscription {
    job_id: Id,
    #[deserr(default)]
    since_seq: Option<WholeNumber<0, { i64::MAX }>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct Invitation {
    job_id: Id,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct CallNamed {
    call_id: Id,
}

#[derive(Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct SignalSent {
    call_id: Id,
    /// Any JSON, which the service does not look into: 12 KiB at most.
    payload: Value,
}

impl ClientFrame {
    /// Reads a text frame; every fault is named.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(why) => {
                let error = ApiError::invalid("body", format!("is not JSON: {why}"));
                return Err(Malformed { reference: None, error });
            }
        };
        let reference = value.get("ref").and_then(Value::as_str).map(str::to_owned);
        let reference = reference.and_then(|text| Reference::new(text).ok());
        match Self::read(value) {
            Ok((command, reference)) => Ok(Self { reference, command }),
            Err(error) => Err(Malformed { reference, error }),
        }
    }

    fn read(value: Value) -> ApiResult<(ClientCommand, Option<Reference>)> {
        let envelope: Envelope = deserr::deserialize::<_, _, ValidationErrors>(value)?;
        Ok((ClientCommand::read(envelope.kind, envelope.data)?, envelope.reference))
    }
}

impl ClientCommand {
    fn read(kind: ClientType, data: Value) -> ApiResult<Self> {
        Ok(match kind {
            ClientType::LocationUpdate => Self::Locate(typed(data)?),
            ClientType::AvailabilitySet => {
                let Availability { is_available } = typed(data)?;
                Self::SetAvailability { is_available }
            }
            ClientType::OfferAccept => {
                // A reason makes no sense here and is overlooked, as the two frames share their shape.
                let OfferAnswer { offer_id, .. } = typed(data)?;
                Self::AcceptOffer { offer_id: offer_id.0 }
            }
            ClientType::OfferDecline => {
                let OfferAnswer { offer_id, reason } = typed(data)?;
                Self::DeclineOffer { offer_id: offer_id.0, reason: reason.map(|text| text.0) }
            }
            ClientType::JobSubscribe => {
                let Subscription { job_id, since_seq } = typed(data)?;
                Self::Subscribe { job_id: job_id.0, since_seq: since_seq.map(|seq| seq.0) }
            }
            ClientType::JobUnsubscribe => {
                let Subscription { job_id, .. } = typed(data)?;
                Self::Unsubscribe { job_id: job_id.0 }
            }
            ClientType::ChatSend => {
                let (job_id, new) = typed::<ChatSend>(data)?.split();
                Self::SendMessage { job_id, new }
            }
            ClientType::ChatRead => {
                let ChatReadUpTo { job_id, up_to_seq } = typed(data)?;
                Self::ReadMessages { job_id: job_id.0, up_to_seq: up_to_seq.0 }
            }
            ClientType::ChatTyping => {
                let ChatOf { job_id } = typed(data)?;
                Self::Type { job_id: job_id.0 }
            }
            ClientType::CallInvite => Self::Invite { job_id: typed::<Invitation>(data)?.job_id.0 },
            ClientType::CallRinging => Self::Ring { call_id: call_in(data)? },
            ClientType::CallAccept => Self::AcceptCall { call_id: call_in(data)? },
            ClientType::CallReject => Self::RejectCall { call_id: call_in(data)? },
            ClientType::CallEnd => Self::EndCall { call_id: call_in(data)? },
            ClientType::CallSignal => {
                let SignalSent { call_id, payload } = typed(data)?;
                Self::Signal { call_id: call_id.0, payload: Payload::new(payload)? }
            }
        })
    }
}

fn call_in(data: Value) -> ApiResult<Uuid> {
    Ok(typed::<CallNamed>(data)?.call_id.0)
}

fn typed<T: Deserr<ValidationErrors>>(data: Value) -> ApiResult<T> {
    Ok(deserr::deserialize::<T, _, ValidationErrors>(data)?)
}

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
    ChatMessage = "chat.message": Message, Log, Both,
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
        "What the other device of a call says to this one; not kept, and not told again.";
    OfferCreated = "offer.created": Offer, Job, Socket, "A job is offered to this mechanic.";
    OfferRevoked = "offer.revoked": Offer, Job, Socket,
        "An offer was taken back, or declined elsewhere: by another device, or over HTTP.";
    OfferExpired = "offer.expired": Offer, Job, Socket, "An offer was not answered in time.";
    DispatchProgress = "dispatch.progress": Progress, Job, Both,
        "A round of offers went out; to the customer and admins.";
    NotificationCreated = "notification.created": Notification, Person, Socket,
        "This person was told something; it stands in their list, whether the frame arrives or not.";
    LocationUpdated = "location.updated": Location, Job, Both,
        "The job's mechanic moved; to the customer and admins, with its age.";
    LocationRate = "location.rate": LocationRate, Person, Socket,
        "The mechanic's app shall send its position this often from now on.";
    EtaUpdated = "eta.updated": Eta, Job, Both, "With a location, until the mechanic has arrived.";
    ResyncRequired = "resync_required": Nothing, Perhaps, Both,
        "With `job_id`: that job's snapshot follows. Without: the connection ends, to be resumed.";
    SessionReplaced = "session.replaced": Nothing, Person, Socket,
        "A newer socket of the same mechanic took over: do not reconnect.";
    ServerDraining = "server.draining": Draining, Person, Both, "The server stops: come back after a while.";
}

/// Something that the server tells by itself.
#[derive(Debug, Serialize)]
pub struct ServerFrame<T> {
    #[serde(rename = "type")]
    pub kind: ServerType,
    /// Where the frame is about a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<Uuid>,
    /// Only what stands in the job's log has one: job.snapshot, job.updated, line_item.updated, payment.updated,
    /// chat.message, call.updated.
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
}

/// The answer to a client's frame.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer<'a, T> {
    Ack {
        #[serde(rename = "ref")]
        reference: &'a Reference,
        data: T,
    },
    /// `ref` is null for a frame without one.
    Error {
        #[serde(rename = "ref")]
        reference: Option<&'a Reference>,
        error: ErrorDetail,
    },
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Hello {
    /// The sign-in session behind the socket.
    pub session_id: Uuid,
    pub server_time: Timestamp,
    /// How often the server pings.
    pub heartbeat_s: u64,
    /// How often a mechanic's app shall send its position.
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

/// Something is wrong with the mechanic's own way.
#[derive(Debug, Serialize, ToSchema)]
pub struct Nudged {
    pub concern: JobConcern,
    /// Since when there is reason for it.
    pub since: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Draining {
    /// When to come back; differs per socket, so that not all come at once.
    pub retry_after_ms: u32,
}

/// The subscription's last event when it was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct Subscribed {
    pub job_id: Uuid,
    pub seq: i64,
}

/// `{}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Nothing {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults_of(text: &str) -> Vec<String> {
        ClientFrame::parse(text).err().map(|bad| bad.error.errors.into_keys().collect()).unwrap_or_default()
    }

    #[test]
    fn every_fault_of_a_frame_is_named() {
        let id = "018f0000-0000-7000-8000-000000000001";
        let cases = [
            ("", vec!["body"]),
            ("{", vec!["body"]),
            ("[]", vec!["body"]),
            ("null", vec!["body"]),
            (r#""ping""#, vec!["body"]),
            ("{}", vec!["data", "type"]),
            (r#"{"type":"chat.shout","data":{}}"#, vec!["type"]),
            (r#"{"type":7,"data":{}}"#, vec!["type"]),
            (r#"{"type":"job.subscribe","data":{},"extra":1}"#, vec!["extra"]),
            (r#"{"type":"job.subscribe","data":{},"ref":""}"#, vec!["ref"]),
            (r#"{"type":"job.subscribe","data":{},"ref":3}"#, vec!["ref"]),
            (r#"{"type":"job.subscribe","data":[]}"#, vec!["body"]),
            (r#"{"type":"job.subscribe","data":{"job_id":"x","since_seq":-1}}"#, vec!["job_id", "since_seq"]),
            (r#"{"type":"job.subscribe","data":{"since_seq":"1"}}"#, vec!["job_id", "since_seq"]),
            (r#"{"type":"availability.set","data":{"is_available":"yes"}}"#, vec!["is_available"]),
            (r#"{"type":"offer.decline","data":{"offer_id":null,"reason":""}}"#, vec!["offer_id", "reason"]),
            (r#"{"type":"chat.send","data":{}}"#, vec!["client_message_id", "job_id", "type"]),
            (r#"{"type":"chat.read","data":{"job_id":"x","up_to_seq":0}}"#, vec!["job_id", "up_to_seq"]),
            (r#"{"type":"chat.typing","data":{"job":1}}"#, vec!["job", "job_id"]),
            (
                r#"{"type":"location.update","data":{"points":[{"seq":1}]}}"#,
                vec!["points[0].lat", "points[0].lng", "points[0].recorded_at"],
            ),
        ];
        for (text, fields) in cases {
            assert_eq!(faults_of(text), fields, "{text}");
        }
        let fine = json!({"type": "job.subscribe", "ref": "a", "data": {"job_id": id, "since_seq": 0}});
        assert_eq!(faults_of(&fine.to_string()), Vec::<String>::new());
    }

    #[test]
    fn a_malformed_frame_keeps_its_reference() {
        let bad = ClientFrame::parse(r#"{"type":"nonsense","ref":"r1"}"#).expect_err("malformed");
        assert_eq!(bad.reference, Some(Reference("r1".to_owned())));
        let bad = ClientFrame::parse(r#"{"type":"nonsense","ref":{}}"#).expect_err("malformed");
        assert_eq!(bad.reference, None);
    }

    #[test]
    fn deep_nesting_is_refused_and_not_followed() {
        let deep = format!("{}{}", "[".repeat(8_000), "]".repeat(8_000));
        assert_eq!(faults_of(&deep), ["body"]);
    }

    #[test]
    fn frames_look_as_documented() {
        let at = DateTime::from_timestamp_millis(1_800_000_000_123).expect("a time");
        let id = Uuid::from_u128(1);
        let frame = ServerFrame::new(ServerType::LocationRate, at, LocationRate { interval_s: 3 });
        let shown =
            json!({"type": "location.rate", "at": "2027-01-15T08:00:00.123Z", "data": {"interval_s": 3}});
        assert_eq!(serde_json::to_value(&frame).expect("JSON"), shown);
        let frame = ServerFrame::new(ServerType::JobUpdated, at, Nothing {}).of_job(id).at_seq(7);
        let shown = json!({"type": "job.updated", "job_id": id, "seq": 7, "at": "2027-01-15T08:00:00.123Z", "data": {}});
        assert_eq!(serde_json::to_value(&frame).expect("JSON"), shown);
        let reference = Reference("r".to_owned());
        let ack = Answer::Ack { reference: &reference, data: Subscribed { job_id: id, seq: 2 } };
        let shown = json!({"type": "ack", "ref": "r", "data": {"job_id": id, "seq": 2}});
        assert_eq!(serde_json::to_value(&ack).expect("JSON"), shown);
        let detail = ApiError::not_found("job").body().error;
        let error: Answer<'_, Nothing> = Answer::Error { reference: None, error: detail };
        let shown = json!({"type": "error", "ref": null, "error": {"code": "NOT_FOUND", "message": "There is no such job."}});
        assert_eq!(serde_json::to_value(&error).expect("JSON"), shown);
    }
}
