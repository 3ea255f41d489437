//! Estimates of the price of help, and requests for help.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_actors::job::state::JobDetails;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContactPreference, EtaSource, Urgency};
use crate::{
    accounts::uploads::{FileRef, FileUrl, JobPhotoFile},
    http::{Id, Items, Latitude, Longitude, Money, Name, Phone, Text, Timestamp, ValidationErrors},
    jobs::{
        outlook::Outlook,
        towing::{Chosen, DestinationChoice, EstimatedDestination, NewDestination},
    },
    platform::error::ApiResult,
};

/// The details of a job whose price is asked.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct EstimateRequest {
    pub vehicle_id: Id,
    pub service_category_id: Id,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
    /// The place to which the vehicle is towed, if the category takes a destination. It needs no address.
    #[deserr(default)]
    pub destination: Option<DestinationChoice>,
    /// When help should come, as in the job; null or left out: now. While no new jobs are taken, only a time after the stop has a
    /// price.
    #[deserr(default)]
    pub scheduled_for: Option<Timestamp>,
}

impl EstimateRequest {
    /// Returns the chosen destination, if there is one.
    pub fn chosen(&self) -> ApiResult<Option<Chosen>> {
        let mut faults = ValidationErrors::default();
        let chosen = self.destination.clone().and_then(|choice| choice.chosen(false, &mut faults));
        faults.into_result()?;
        Ok(chosen)
    }
}

/// The price of help, and how soon it could come.
#[derive(Debug, Serialize, ToSchema)]
pub struct Estimate {
    pub base_price: Money,
    pub travel_price: Money,
    /// The price of the way to the destination; 0 without one.
    pub destination_price: Money,
    pub estimated_price: Money,
    pub currency: String,
    /// The parts of the price: base_price, travel_price and, with a destination, destination_price.
    pub breakdown: Vec<PricePart>,
    /// The destination with its distance; null without a destination.
    pub destination: Option<EstimatedDestination>,
    /// Minimum and maximum minutes until a mechanic arrives: the wait of `outlook`, and half as much again. Null without an
    /// expected wait.
    pub eta_range_min: Option<[u32; 2]>,
    /// The source of the nearest free mechanic's travel time, if that mechanic would be asked.
    pub eta_source: Option<EtaSource>,
    /// How many mechanics are free for this job: 0 if the free ones are kept for other jobs; capped at 1,000.
    pub available_mechanics: usize,
    /// The outlook for a job here and now; null if the engine is too busy to say.
    pub outlook: Option<Outlook>,
    /// Whether no mechanic can come, and no mechanic of the service, online or not, was last seen within their reach of this
    /// place: a job here would find nobody, however long it waits.
    pub is_outside_area: bool,
    /// The amount that the customer owes for cancelled jobs.
    pub unpaid_fees: Money,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PricePart {
    #[schema(example = "base_price")]
    pub name: String,
    pub amount: Money,
}

/// Returns why help can't be scheduled for that time, or `None` if it can.
pub(in crate::jobs) fn schedule_fault(
    at: Timestamp,
    horizon: TimeDelta,
    now: DateTime<Utc>,
) -> Option<String> {
    if at.0 <= now {
        Some("must be in the future".to_owned())
    } else {
        (at.0 - now > horizon).then(|| format!("must be within {} days", horizon.num_days()))
    }
}

/// Returns when dispatch begins for help at that time, or at once.
pub(in crate::jobs) fn begins_at(
    scheduled_for: Option<DateTime<Utc>>,
    lead: TimeDelta,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    scheduled_for.map_or(now, |at| (at - lead).max(now))
}

/// A request for help.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewJob {
    pub vehicle_id: Id,
    pub service_category_id: Id,
    pub pickup_address: Text<1, 500>,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
    /// The place to which the vehicle is towed, if the category takes a destination (`destination` of `GET /service-categories`).
    #[deserr(default)]
    pub destination: Option<NewDestination>,
    #[deserr(default)]
    pub description: Option<Text<1, 2000>>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub photo_urls: Option<Items<FileUrl, 0, 10>>,
    /// The person who is served, if not the caller.
    #[deserr(default)]
    pub beneficiary_name: Option<Name<100>>,
    /// The beneficiary's number. `POST /jobs/{id}/shares` sends the link to the job there if asked to (`send_to`). Mechanics see
    /// the number only if `contact_preference` names the beneficiary and the operator shows numbers at all.
    #[deserr(default)]
    pub beneficiary_phone: Option<Phone>,
    /// The people whom the mechanic writes to and calls. The beneficiary is reached through a link that allows it
    /// (`may_contact`). The default is booker; the other values need `beneficiary_phone`.
    #[deserr(default)]
    pub contact_preference: Option<ContactPreference>,
    #[deserr(default)]
    pub urgency: Option<Urgency>,
    /// When help should come; dispatch begins some time before. If left out: now.
    #[deserr(default)]
    pub scheduled_for: Option<Timestamp>,
}

impl NewJob {
    /// Checks the rules that the fields' types can't express. Help can be scheduled up to `horizon` ahead.
    pub fn faults(&self, horizon: TimeDelta, now: DateTime<Utc>) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        let phone = self.beneficiary_phone.as_ref().map(|phone| phone.0.as_str());
        if let Some((field, why)) = self.contact_preference.and_then(|preference| preference.fault(phone)) {
            faults.add(field, why);
        }
        if let Some(why) = self.scheduled_for.and_then(|at| schedule_fault(at, horizon, now)) {
            faults.add("scheduled_for", why);
        }
        faults
    }

    /// Returns the details that the engine passes on, except those of the vehicle and the limit.
    pub fn details(self, photos: Vec<FileRef<JobPhotoFile>>) -> JobDetails {
        JobDetails {
            pickup_address: self.pickup_address.0,
            description: self.description.map(|text| text.0),
            photo_urls: photos.into_iter().map(FileRef::into_url).collect(),
            beneficiary_name: self.beneficiary_name.map(|name| name.0),
            beneficiary_phone: self.beneficiary_phone.map(|phone| phone.0),
            contact_preference: self.contact_preference.unwrap_or(ContactPreference::Booker).to_string(),
            scheduled_for: self.scheduled_for.map(|at| at.0),
            ..JobDetails::default()
        }
    }
}
