//! The frames of a client: `{type, ref?, data}`. Errors are named as over HTTP: those of the envelope by their field,
//! those of `data` by their path within it.

use deserr::Deserr;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Nothing, Subscribed};
use crate::{
    dispatch::fleet_view::{BoundingBox, FleetWindow, Zoom},
    fleet::mechanics::MechanicProfile,
    http::{Id, Invalid, Text, ValidationErrors, WholeNumber, read_json, text_enum},
    jobs::Job,
    messaging::{
        calls::{Call, SignalPayload, Signalled},
        chat::{ChatMessage, ChatOf, ChatRead, ChatReadUpTo, ChatSend, NewMessage},
    },
    offers::Offer,
    platform::error::{ApiError, ApiResult},
    tracking::{LocationReceipt, Points},
    ws::frame_schemas::{Shape, client_frames},
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
    JobNavigating = "job.navigating": NavigatingJob => Job,
        "Another app shows the mechanic the way, or they are back, as `POST /jobs/{id}/navigating` says.";
    FleetSubscribe = "fleet.subscribe": FleetSubscription => Nothing,
        "Follows the mechanics and the open jobs in a box of the map; replaces the box before. For admins.";
    FleetUnsubscribe = "fleet.unsubscribe": NoData => Nothing, "Follows the map no more.";
    ChatSend = "chat.send": ChatSend => ChatMessage, "Writes to the other side of a job, as `POST /jobs/{id}/messages` does.";
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
#[derive(Debug, Clone, PartialEq, Eq, Deserr, Deserialize, Serialize)]
#[deserr(try_from(String) = Reference::new -> Invalid)]
#[serde(try_from = "String")]
pub struct Reference(pub(super) String);

impl TryFrom<String> for Reference {
    type Error = Invalid;
    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::new(text)
    }
}

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

/// A valid frame.
#[derive(Debug)]
pub struct ClientFrame {
    pub reference: Option<Reference>,
    pub command: ClientCommand,
}

/// An invalid frame, with its reference if that could be read.
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
    Navigate { job_id: Uuid, is_elsewhere: bool },
    WatchFleet(FleetWindow),
    UnwatchFleet,
    SendMessage { job_id: Uuid, new: NewMessage },
    ReadMessages { job_id: Uuid, up_to_seq: i64 },
    Type { job_id: Uuid },
    Invite { job_id: Uuid },
    Ring { call_id: Uuid },
    AcceptCall { call_id: Uuid },
    RejectCall { call_id: Uuid },
    EndCall { call_id: Uuid },
    Signal { call_id: Uuid, payload: SignalPayload },
}

impl ClientCommand {
    /// Returns the name of the command's trace; `None` for positions, which come every few seconds, and for commands
    /// that start nothing.
    pub fn kind(&self) -> Option<ClientType> {
        Some(match self {
            Self::Locate(_)
            | Self::Subscribe { .. }
            | Self::Unsubscribe { .. }
            | Self::WatchFleet(_)
            | Self::UnwatchFleet => return None,
            Self::SetAvailability { .. } => ClientType::AvailabilitySet,
            Self::AcceptOffer { .. } => ClientType::OfferAccept,
            Self::DeclineOffer { .. } => ClientType::OfferDecline,
            Self::Navigate { .. } => ClientType::JobNavigating,
            Self::SendMessage { .. } => ClientType::ChatSend,
            Self::ReadMessages { .. } => ClientType::ChatRead,
            Self::Type { .. } => ClientType::ChatTyping,
            Self::Invite { .. } => ClientType::CallInvite,
            Self::Ring { .. } => ClientType::CallRinging,
            Self::AcceptCall { .. } => ClientType::CallAccept,
            Self::RejectCall { .. } => ClientType::CallReject,
            Self::EndCall { .. } => ClientType::CallEnd,
            Self::Signal { .. } => ClientType::CallSignal,
        })
    }
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
struct NavigatingJob {
    job_id: Id,
    /// False means that they are back in this app; the default is true.
    #[deserr(default)]
    is_elsewhere: Option<bool>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct FleetSubscription {
    /// `west,south,east,north` in degrees. If west is greater than east, the box crosses the date line.
    #[schema(value_type = String, example = "77.55,12.93,77.65,13.01")]
    bbox: BoundingBox,
    /// The zoom level as on web maps.
    #[schema(value_type = i64, minimum = 0, maximum = 22, example = 13)]
    zoom: Zoom,
    /// Whether the frames have all open jobs, and the details that a list shows of them and of the mechanics; false
    /// if absent.
    #[deserr(default)]
    details: Option<bool>,
}

/// `{}`
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
struct NoData {}

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
    /// Any JSON of at most 12 KiB; the service does not inspect it.
    payload: Value,
}

impl ClientFrame {
    /// Parses a text frame; the error names every fault.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        match LocationFrame::read(text) {
            Some(frame) => Ok(frame),
            None => Self::parse_any(text),
        }
    }

    pub(super) fn parse_any(text: &str) -> Result<Self, Malformed> {
        let value = read_json(text.as_bytes()).map_err(|faults| Malformed {
            reference: Referring::read(text),
            error: of_data(faults).into(),
        })?;
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
                // The two frames share their shape, so a reason is possible here; it is ignored.
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
            ClientType::JobNavigating => {
                let NavigatingJob { job_id, is_elsewhere } = typed(data)?;
                Self::Navigate { job_id: job_id.0, is_elsewhere: is_elsewhere.unwrap_or(true) }
            }
            ClientType::FleetSubscribe => {
                let FleetSubscription { bbox, zoom, details } = typed(data)?;
                Self::WatchFleet(FleetWindow::new(bbox, zoom).with_details(details.unwrap_or(false)))
            }
            ClientType::FleetUnsubscribe => {
                let NoData {} = typed(data)?;
                Self::UnwatchFleet
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
                Self::Signal { call_id: call_id.0, payload: SignalPayload::new(payload)? }
            }
        })
    }
}

/// A `location.update`, parsed straight into its type, because most frames are of this type. If this reader refuses a
/// frame, the general one parses it again and names the faults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocationFrame {
    #[serde(rename = "type")]
    _kind: LocationKind,
    #[serde(default, rename = "ref")]
    reference: Option<Reference>,
    data: Points,
}

#[derive(Deserialize)]
enum LocationKind {
    #[serde(rename = "location.update")]
    LocationUpdate,
}

impl LocationFrame {
    pub(super) fn read(text: &str) -> Option<ClientFrame> {
        let Self { reference, data, .. } = serde_json::from_str(text).ok()?;
        Some(ClientFrame { reference, command: ClientCommand::Locate(data) })
    }
}

/// The reference of a frame that could not be read completely.
#[derive(Deserialize)]
struct Referring {
    #[serde(rename = "ref")]
    reference: String,
}

impl Referring {
    fn read(text: &str) -> Option<Reference> {
        let Self { reference } = serde_json::from_str(text).ok()?;
        Reference::new(reference).ok()
    }
}

/// Names the reader's faults by their path within `data`.
fn of_data(faults: ValidationErrors) -> ValidationErrors {
    let within = |path: String| path.strip_prefix("data.").map(str::to_owned).unwrap_or(path);
    ValidationErrors(faults.0.into_iter().map(|(path, messages)| (within(path), messages)).collect())
}

fn call_in(data: Value) -> ApiResult<Uuid> {
    Ok(typed::<CallNamed>(data)?.call_id.0)
}

fn typed<T: Deserr<ValidationErrors>>(data: Value) -> ApiResult<T> {
    Ok(deserr::deserialize::<T, _, ValidationErrors>(data)?)
}
