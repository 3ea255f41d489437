//! Share links on the wire.

use deserr::Deserr;
use roadcall_actors::eta::in_whole_minutes;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::LinkRow;
use crate::{
    catalogue::vehicles::VehicleKind,
    http::{Money, Timestamp, ValidationErrors, text_enum},
    jobs::{EtaSource, JobDestination, JobStatus, LineItem, MechanicLeft, Outlook, Urgency, roughly_to},
    messaging::calls::SharedCall,
    tracking::{Eta, Location},
};

text_enum! {
    /// The recipient of a link.
    ShareRecipient { Beneficiary = "beneficiary", }
}

/// The permissions of the link's holder. An empty body makes a link that only shows the job, or, if `contact_preference` names
/// the beneficiary, also lets its holder write and call.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewShare {
    /// Whether the link shows the start code from acceptance until the work starts, so that the person at the vehicle can give it
    /// to the mechanic. False if not given.
    #[deserr(default)]
    pub shows_start_code: Option<bool>,
    /// Whether the holder may write to and call the mechanic, and be called, in place of the customer. If not given, true if the
    /// job's `contact_preference` is beneficiary or both, else false.
    #[deserr(default)]
    pub may_contact: Option<bool>,
    /// The recipient of the link by SMS, at the job's `beneficiary_phone`. If not given, the customer shares it.
    #[deserr(default)]
    pub send_to: Option<ShareRecipient>,
}

text_enum! {
    /// The person to whom an admin has a link sent.
    LinkRecipient { Customer = "customer", Beneficiary = "beneficiary", }
}

/// The recipient of an admin's link by SMS: the customer at their own number, or the beneficiary at the job's
/// `beneficiary_phone`.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SendShare {
    pub send_to: LinkRecipient,
}

/// A new link. Its token is shown only here.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewShareLink {
    pub id: Uuid,
    /// The link to share: anyone who has it can follow the job.
    pub url: String,
    /// The last part of `url`.
    pub token: String,
    pub shows_start_code: bool,
    pub may_contact: bool,
    /// When the link was sent to the beneficiary by SMS; null if it was not.
    pub sent_at: Option<Timestamp>,
    /// When the link ends at the latest; it ends with the job.
    pub expires_at: Timestamp,
}

/// A link as its maker sees it later, without its token.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareLink {
    pub id: Uuid,
    /// Whether the link still shows the job.
    pub is_live: bool,
    pub shows_start_code: bool,
    pub may_contact: bool,
    /// When the link was sent by SMS; null if it was not.
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
    /// The mechanic's first name; null while the job has no mechanic.
    pub mechanic_first_name: Option<String>,
    /// Whether an admin gave the job to its mechanic, who has not set out yet: it is unknown whether they have seen it.
    pub is_unconfirmed: bool,
    /// The name of the kind of help.
    pub service_category: String,
    /// Unless it is normal, people come before the vehicle: the number to call is `support.emergency_phone` of `GET /config`.
    pub urgency: Urgency,
    pub vehicle: SharedVehicle,
    /// The time to the pickup, and to the destination once the vehicle is loaded; null while the mechanic is at the vehicle, and
    /// while the job has no mechanic.
    pub eta: Option<SharedEta>,
    /// The prospects of the search, as the customer sees them; only while a mechanic is sought, and if none was found.
    pub outlook: Option<Outlook>,
    /// The place to which the vehicle is towed; null if it is not towed.
    pub destination: Option<SharedDestination>,
    /// Since when the vehicle is on the truck: `eta` and `position` then lead to the destination.
    pub loaded_at: Option<Timestamp>,
    /// The position of the mechanic on the job.
    pub position: Option<SharedPosition>,
    /// Since when another app has been showing the mechanic the way, so that their position may not be shared; null otherwise.
    pub navigating_since: Option<Timestamp>,
    /// Why the job has no mechanic any longer; null otherwise.
    pub mechanic_left: Option<MechanicLeft>,
    /// The code that the mechanic asks for before the work starts. Shown from acceptance until then if the customer allowed it
    /// for this link; else null.
    pub start_code: Option<String>,
    /// Whether this link lets its holder write to the mechanic and call them.
    pub may_contact: bool,
    /// The holder's call with the mechanic, or a call that they may answer; null if there is none.
    pub call: Option<SharedCall>,
    /// The organisation that ordered the help and pays for it; null for a customer's own job.
    #[schema(example = "Bharat Insurance")]
    pub partner_name: Option<String>,
    /// The price, so far or in the end, if the organisation shows it; else null.
    pub price: Option<Money>,
    /// The part of the job that the holder decides and pays; null unless an organisation ordered help for them.
    pub own_part: Option<SharedOwnPart>,
    /// Whether the holder may rate the mechanic now (`POST /shares/{token}/rating`).
    pub may_rate: bool,
    /// When the job last changed.
    pub updated_at: Timestamp,
    /// When the link ends, unless the job ends before.
    pub expires_at: Timestamp,
}

/// The part of a job that the person for whom an organisation ordered help decides and pays themselves.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedOwnPart {
    /// The amount that they pay to the mechanic in cash: the rest beyond the organisation's part, with the work that they approved.
    pub amount: Money,
    #[schema(example = "INR")]
    pub currency: String,
    /// Extra work that the organisation does not pay and that they have to decide about.
    pub line_items: Vec<LineItem>,
    /// Whether the amount is due now, and `POST /shares/{token}/cash-confirm` can confirm that it was paid.
    pub is_due: bool,
    /// Whether they have confirmed it; the mechanic confirms it, too.
    pub is_confirmed: bool,
}

/// The vehicle, without its plate.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedVehicle {
    pub vehicle_type: VehicleKind,
    pub make: String,
    pub model: String,
    pub color: Option<String>,
}

/// The rough place to which the vehicle is towed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedDestination {
    /// The last part of the address, which names the town.
    pub address: String,
    /// The workshop's name, if it is on the operator's list; else null.
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
    /// The time in seconds, in whole minutes, rounded up (a multiple of 60): exact seconds and the position together would reveal
    /// how far away the customer is.
    #[schema(multiple_of = 60)]
    pub eta_s: u32,
    pub source: EtaSource,
}

impl From<Eta> for SharedEta {
    fn from(eta: Eta) -> Self {
        Self { eta_s: in_whole_minutes(eta.eta_s), source: eta.source }
    }
}

/// The mechanic's last position, and its age.
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
