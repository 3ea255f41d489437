//! Offers on the wire.

use deserr::Deserr;
use roadcall_actors::{
    eta,
    geo::Point,
    job::state::JobSummary,
    offer::{OfferedDestination as EngineDestination, PartnerOrder},
    ports::{OFFERED_PICKUP_GRID_M, OfferCard, OfferStatus as EngineStatus},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::OfferRow;
use crate::{
    accounting::ledger::{ShareRates, Shares},
    catalogue::vehicles::VehicleKind,
    http::{Money, Text, Timestamp, ValidationErrors},
    jobs::{
        EtaSource, PrivateDescription, Urgency,
        on_account::{JobPartner, ShownPrices},
        rounded,
    },
    wire::Named,
};

pub type OfferStatus = Named<EngineStatus>;

/// A job that a mechanic may take.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Offer {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub status: OfferStatus,
    pub round: u32,
    /// The straight line to the pickup in metres, rounded up to whole 100 m as the pickup is rounded.
    #[schema(multiple_of = 100)]
    pub distance_m: u32,
    /// Seconds to the pickup, rounded up to whole minutes (a multiple of 60): exact seconds would undo the rounding of the
    /// pickup.
    #[schema(multiple_of = 60)]
    pub eta_s: u32,
    pub eta_source: EtaSource,
    /// The price quoted to the customer for the job, without line items; the mechanic's share of it if the organisation that ordered
    /// the job hides prices.
    pub estimated_price: Money,
    /// The mechanic's share of that price, after tax and commission; approved line items are added.
    pub estimated_earnings: Money,
    pub job: OfferedJob,
    /// The place to which the vehicle is to be towed; null if it is not towed.
    pub destination: Option<OfferedDestination>,
    /// The organisation that ordered the job, and what it needs; null for a customer's own job.
    pub partner: Option<JobPartner>,
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
}

/// The part of a job that an offer shows before it is accepted: no address, name, phone or registration number.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OfferedJob {
    pub service_category_id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    /// The customer's description: the first 200 characters, without anything that looks like a phone number, a plate, a postal
    /// code, an email address, a UPI address or a web address. The mechanic who accepts the job reads all of it.
    pub description: Option<String>,
    /// The number of photos that came with the job; `GET /offers/{id}/photos` opens them.
    pub photo_count: u32,
    pub vehicle_type: VehicleKind,
    /// The vehicle's make; empty if nobody has given it.
    pub vehicle_make: String,
    /// The vehicle's model; empty if nobody has given it.
    pub vehicle_model: String,
    /// The pickup, rounded to 100 m.
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub urgency: Urgency,
}

/// The place to which a vehicle is to be towed, rounded like the pickup.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OfferedDestination {
    /// Degrees north (WGS 84), rounded to 100 m.
    pub lat: f64,
    pub lng: f64,
    /// The distance from the pickup in metres, rounded up to whole 100 m.
    #[schema(multiple_of = 100)]
    pub distance_m: u32,
    /// The driving time from the pickup, rounded up to whole minutes.
    #[schema(multiple_of = 60)]
    pub duration_s: u32,
    /// The workshop's name, if the place is a workshop of `GET /workshops`.
    pub workshop_name: Option<String>,
}

impl From<&EngineDestination> for OfferedDestination {
    fn from(destination: &EngineDestination) -> Self {
        Self {
            lat: destination.place.lat,
            lng: destination.place.lng,
            distance_m: rounded_m(destination.distance_m),
            duration_s: eta::in_whole_minutes(destination.duration_s),
            workshop_name: destination.workshop_name.clone(),
        }
    }
}

impl OfferedJob {
    /// Builds the job of an offer. `pickup` is already rounded.
    fn of(
        category: Uuid,
        vehicle_type: VehicleKind,
        pickup: Point,
        urgency: Urgency,
        about: &JobSummary,
    ) -> Self {
        Self {
            service_category_id: category,
            service_category_name: about.category_name.clone(),
            service_category_slug: about.category_slug.clone(),
            description: about.description.clone(),
            photo_count: about.photo_count,
            vehicle_type,
            vehicle_make: about.vehicle_make.clone(),
            vehicle_model: about.vehicle_model.clone(),
            pickup_lat: pickup.lat,
            pickup_lng: pickup.lng,
            urgency,
        }
    }
}

impl OfferRow {
    /// Returns the vehicle's destination, as roughly as the mechanic may see it.
    pub fn destination(&self) -> Option<EngineDestination> {
        let whole =
            |number: Option<i32>| number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
        Some(EngineDestination {
            place: Point::new(self.destination_lat?, self.destination_lng?).snapped(OFFERED_PICKUP_GRID_M),
            distance_m: whole(self.destination_distance_m),
            duration_s: whole(self.destination_duration_s),
            workshop_name: self.destination_workshop_name.clone(),
        })
    }

    /// Summarises the job as far as the mechanic may see it.
    pub fn summary(&self) -> JobSummary {
        JobSummary {
            category_name: self.service_category_name.clone(),
            category_slug: self.service_category_slug.clone(),
            vehicle_make: self.vehicle_make.clone(),
            vehicle_model: self.vehicle_model.clone(),
            description: self.description.as_ref().map(PrivateDescription::offered),
            photo_count: u32::try_from(self.photo_count).unwrap_or_default(),
            order: self.partner_order.as_ref().map(|order| order.0.clone()),
        }
    }
}

/// A photo of the damage, for a mechanic who decides on an offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferPhoto {
    /// A link that anyone who has it can open without a token.
    pub url: String,
    /// When the link ends: with the offer at the latest.
    pub expires_at: Timestamp,
}

/// The reason for declining an offer; only operators see it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Decline {
    #[deserr(default)]
    pub reason: Option<Text<1, 200>>,
}

/// Rounds metres up as coarsely as the pickup is shown.
fn rounded_m(distance_m: u32) -> u32 {
    distance_m.div_ceil(OFFERED_DISTANCE_M).saturating_mul(OFFERED_DISTANCE_M)
}

/// The money of an offer, and the organisation that pays, if any.
struct Pay {
    price: Money,
    earnings: Money,
    partner: Option<JobPartner>,
}

impl Pay {
    /// Returns the shown price, and the mechanic's share of it, rounded as in the ledger.
    fn of(price_paise: i64, order: Option<&PartnerOrder>, rates: ShareRates) -> Self {
        let earnings = Money(Shares::of(price_paise, rates).mechanic_paise);
        Self {
            price: ShownPrices::to_mechanic(order, rates).shown(price_paise),
            earnings,
            partner: order.map(|order| JobPartner::offered(order, earnings)),
        }
    }
}

const OFFERED_DISTANCE_M: u32 = OFFERED_PICKUP_GRID_M as u32;

impl Offer {
    /// Removes the customer's text and rounds the places as coarsely as in a mechanic's old jobs.
    pub fn roughly(self) -> Self {
        let (pickup_lat, pickup_lng) = (rounded(self.job.pickup_lat), rounded(self.job.pickup_lng));
        let destination = self.destination.map(|destination| OfferedDestination {
            lat: rounded(destination.lat),
            lng: rounded(destination.lng),
            workshop_name: None,
            ..destination
        });
        Self {
            job: OfferedJob { pickup_lat, pickup_lng, description: None, photo_count: 0, ..self.job },
            destination,
            partner: self.partner.map(JobPartner::roughly),
            ..self
        }
    }

    /// Builds the offer from its row.
    pub fn of_row(row: OfferRow, rates: ShareRates) -> Self {
        let whole = |number: i32| u32::try_from(number).unwrap_or_default();
        let pickup = Point::new(row.pickup_lat, row.pickup_lng).snapped(OFFERED_PICKUP_GRID_M);
        let (destination, summary) = (row.destination(), row.summary());
        let pay = Pay::of(row.estimated_price_paise, summary.order.as_deref(), rates);
        Self {
            id: row.id,
            job_id: row.job_id,
            mechanic_profile_id: row.mechanic_profile_id,
            status: row.status,
            round: whole(row.round),
            distance_m: rounded_m(whole(row.distance_m)),
            eta_s: eta::in_whole_minutes(whole(row.eta_s)),
            eta_source: row.eta_source,
            estimated_price: pay.price,
            estimated_earnings: pay.earnings,
            job: OfferedJob::of(row.service_category_id, row.vehicle_type, pickup, row.urgency, &summary),
            destination: destination.as_ref().map(Into::into),
            partner: pay.partner,
            expires_at: row.expires_at.into(),
            created_at: row.created_at.into(),
        }
    }

    /// Builds the offer from the engine's data.
    pub fn of_card(card: &OfferCard, rates: ShareRates) -> Self {
        let pay = Pay::of(card.estimated_price_paise, card.summary.order.as_deref(), rates);
        Self {
            id: card.id.0,
            job_id: card.job_id.0,
            mechanic_profile_id: card.mechanic_id.0,
            status: Named(card.status),
            round: card.round,
            distance_m: rounded_m(card.distance_m),
            eta_s: eta::in_whole_minutes(card.eta_s),
            eta_source: card.eta_source.into(),
            estimated_price: pay.price,
            estimated_earnings: pay.earnings,
            job: OfferedJob::of(
                card.category,
                card.vehicle_type.into(),
                card.pickup,
                Named(card.urgency),
                &card.summary,
            ),
            destination: card.destination.as_ref().map(Into::into),
            partner: pay.partner,
            expires_at: card.expires_at.into(),
            created_at: card.created_at.into(),
        }
    }
}
