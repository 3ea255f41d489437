//! Share links on the wire.

use deserr::Deserr;
use roadcall_actors::eta::in_whole_minutes;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::LinkRow;
use crate::{
    catalogue::vehicles::VehicleKind,
    http::{Timestamp, ValidationErrors, text_enum},
    jobs::{EtaSource, JobDestination, JobStatus, MechanicLeft, Outlook, Urgency, roughly_to},
    messaging::calls::SharedCall,
    tracking::{Eta, Location},
};

text_enum! {
    /// To whom a link is sent.
    ShareRecipient { Beneficiary = "beneficiary", }
}

/// What the holder of the link may do besides following the job. An empty body makes a link that only shows the job, or, if
/// `contact_preference` names the beneficiary, also lets its holder write and call.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewShare {
    /// Whether it shows the start code from acceptance until the work starts, so that the person at the vehicle can give it to the
    /// mechanic. False if not given.
    #[deserr(default)]
    pub shows_start_code: Option<bool>,
    /// Whether the holder may write to and call the mechanic, and be called, in place of the customer. If not given, true if the
    /// job's `contact_preference` is beneficiary or both, else false.
    #[deserr(default)]
    pub may_contact: Option<bool>,
    /// Sends the link by SMS to the job's `beneficiary_phone`. If not given, the customer shares it.
    #[deserr(default)]
    pub send_to: Option<ShareRecipient>,
}

text_enum! {
    /// To whom an admin has a link sent.
    LinkRecipient { Customer = "customer", Beneficiary = "beneficiary", }
}

/// Where an admin has a link sent by SMS: to the customer's own number, or to the job's `beneficiary_phone`.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SendShare {
    pub send_to: LinkRecipient,
}

/// A new link. Its token is shown only here.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewShareLink {
    pub id: Uuid,
    /// To share: anyone who has it can follow the job.
    pub url: String,
    /// The last part of `url`.
    pub token: String,
    pub shows_start_code: bool,
    pub may_contact: bool,
    /// When it was sent to the beneficiary by SMS; null if it was not.
    pub sent_at: Option<Timestamp>,
    /// At the latest; it ends with the job.
    pub expires_at: Timestamp,
}

/// A link as its maker sees it later, without its token.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareLink {
    pub id: Uuid,
    /// Whether it still shows the job.
    pub is_live: bool,
    pub shows_start_code: bool,
    pub may_contact: bool,
    /// When it was sent by SMS; null if it was not.
    pub sent_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

impl NewShareLink {
    pub fn of(row: LinkRow, url: String, token: String) -> Self {
        Self {
            id: row.id,
            url,
            token,
            shows_start_code: row.shows_start_code,
            may_contact: row.may_contact,
            sent_at: row.sent_at.map(Into::into),
            expires_at: row.expires_at.into(),
        }
    }
}

impl ShareLink {
    pub fn of(row: LinkRow, is_live: bool) -> Self {
        Self {
            id: row.id,
            is_live,
            shows_start_code: row.shows_start_code,
            may_contact: row.may_contact,
            sent_at: row.sent_at.map(Into::into),
            created_at: row.created_at.into(),
            expires_at: row.expires_at.into(),
            revoked_at: row.revoked_at.map(Into::into),
        }
    }
}

/// The job as the holder of a link sees it: its progress, and where help is.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedJob {
    pub status: JobStatus,
    /// The customer's first name; null if they gave none.
    pub customer_first_name: Option<String>,
    /// Null while nobody is on the job.
    pub mechanic_first_name: Option<String>,
    /// Whether an admin gave the job to its mechanic, who has not set out yet: nobody knows whether they have seen it.
    pub is_unconfirmed: bool,
    /// The name of the kind of help.
    pub service_category: String,
    /// Unless it is normal, people come before the vehicle: whom to call is `support.emergency_phone` of `GET /config`.
    pub urgency: Urgency,
    pub vehicle: SharedVehicle,
    /// To the pickup, and to the destination once the vehicle is loaded; null while the mechanic is at the vehicle, and while nobody
    /// is on the job.
    pub eta: Option<SharedEta>,
    /// While a mechanic is sought, and if none was found: what there is to expect, as the customer sees it.
    pub outlook: Option<Outlook>,
    /// Where the vehicle is towed; null if it goes nowhere.
    pub destination: Option<SharedDestination>,
    /// Since when the vehicle is on the truck: `eta` and `position` lead to the destination then.
    pub loaded_at: Option<Timestamp>,
    /// The position of the mechanic on the job.
    pub position: Option<SharedPosition>,
    /// Since when another app shows the mechanic the way, so that their position may not be shared; null otherwise.
    pub navigating_since: Option<Timestamp>,
    /// Why nobody is on the job although it had a mechanic; null otherwise.
    pub mechanic_left: Option<MechanicLeft>,
    /// What the mechanic asks for before the work starts. Shown from acceptance until then if the customer allowed it for this link;
    /// else null.
    pub start_code: Option<String>,
    /// Whether this link lets its holder write to the mechanic and call them.
    pub may_contact: bool,
    /// The holder's call with the mechanic, or one that they may answer; null if there is none.
    pub call: Option<SharedCall>,
    /// When the job changed last.
    pub updated_at: Timestamp,
    /// When the link ends, if the job does not before.
    pub expires_at: Timestamp,
}

/// The vehicle, without its plate.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedVehicle {
    pub vehicle_type: VehicleKind,
    pub make: String,
    pub model: String,
    pub color: Option<String>,
}

/// Where the vehicle is towed, roughly.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedDestination {
    /// The last part of the address, which names the town.
    pub address: String,
    /// If it is a workshop of the operator's list.
    pub workshop_name: Option<String>,
}

impl From<JobDestination> for SharedDestination {
    fn from(destination: JobDestination) -> Self {
        let workshop_name = destination.workshop_name.clone();
        Self { address: roughly_to(destination).address, workshop_name }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SharedEta {
    /// In whole minutes, rounded up (a multiple of 60): exact seconds and the position together would reveal how far away the
    /// customer is.
    #[schema(multiple_of = 60)]
    pub eta_s: u32,
    pub source: EtaSource,
}

impl From<Eta> for SharedEta {
    fn from(eta: Eta) -> Self {
        Self { eta_s: in_whole_minutes(eta.eta_s), source: eta.source }
    }
}

/// Where the mechanic was seen last, and how old that is.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedPosition {
    pub lat: f64,
    pub lng: f64,
    pub heading: Option<f64>,
    /// When the phone measured it.
    pub recorded_at: Timestamp,
    /// How old the position is, in milliseconds.
    pub age_ms: i64,
    /// Whether it is too old to be shown as current.
    pub stale: bool,
}

impl From<Location> for SharedPosition {
    fn from(location: Location) -> Self {
        let Location { lat, lng, heading, recorded_at, age_ms, stale, .. } = location;
        Self { lat, lng, heading, recorded_at, age_ms, stale }
    }
}
