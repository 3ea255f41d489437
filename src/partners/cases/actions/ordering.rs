//! Jobs that are about to be ordered, and the orders that their mechanics see.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use roadcall_actors::offer::{OrderedPlace, OrderedVehicle, PartnerOrder, PlaceContact};

use crate::{
    accounts::organisations,
    catalogue::categories::CategoryRow,
    partners::{
        cases::{
            dto::{CaseContact, CasePlace, NewCaseJob, VehicleFacts},
            queries::CaseRow,
            showing::no_such_case,
        },
        contracts::{self, ContractRow, TermsRow},
        feeds::FeedsContext,
    },
    platform::error::{ApiError, ApiResult},
};

/// A job that is about to be ordered under a contract.
pub(super) struct OrderedJob {
    pub new: NewCaseJob,
    pub agreement: Agreement,
}

/// The agreement with an organisation about a kind of help.
pub(super) struct Agreement {
    pub organisation_name: String,
    pub contract: ContractRow,
    pub category: Arc<CategoryRow>,
    pub terms: TermsRow,
}

impl Agreement {
    /// Returns the facts about a case that its mechanic should know.
    pub fn order(&self, case: &CaseRow) -> PartnerOrder {
        PartnerOrder {
            name: self.organisation_name.clone(),
            purchase_order: case.purchase_order.clone(),
            photos_required: self.terms.photos_required.unsigned_abs(),
            shows_prices: self.contract.shows_prices,
            notes: case.notes_for_mechanic.clone(),
            place: case.place.as_ref().map(|place| ordered_place(&place.0)).unwrap_or_default(),
            vehicle: ordered_vehicle(&case.vehicle.0),
        }
    }
}

/// Returns the terms, or the fault of one of these fields: of the contract, or of the category.
pub(super) fn covered(
    contract: &ContractRow,
    terms: Option<TermsRow>,
    at: DateTime<Utc>,
    [of_contract, of_category]: [&str; 2],
) -> ApiResult<TermsRow> {
    contract.covering(terms, at).map_err(|reason| {
        let field = if contract.is_valid_at(at) { of_category } else { of_contract };
        ApiError::invalid(field, reason.in_words())
    })
}

/// Checks a job of a case that exists.
pub(super) async fn planned(
    context: &FeedsContext,
    case: &CaseRow,
    new: NewCaseJob,
) -> ApiResult<OrderedJob> {
    let contract = contracts::find(&context.db, case.contract_id).await?.ok_or_else(no_such_case)?;
    let slug = "service_category_slug";
    let category = contracts::offered(context, &new.service_category_slug.0, slug).await?;
    let at = new.scheduled_for.map_or(context.clock.now(), |at| at.0);
    let terms = contracts::terms_of(&context.db, contract.id, category.id).await?;
    let terms = covered(&contract, terms, at, [slug, slug])?;
    let organisation = organisations::find(&context.db, case.organisation_id).await?;
    let organisation_name = organisation.ok_or_else(no_such_case)?.name;
    Ok(OrderedJob { new, agreement: Agreement { organisation_name, contract, category, terms } })
}

fn ordered_place(place: &CasePlace) -> OrderedPlace {
    OrderedPlace {
        location_type: Some(place.location_type.to_string()),
        clearance_cm: place.clearance_cm.and_then(|cm| u32::try_from(cm).ok()),
        keys_at: place.keys_at.clone(),
        is_attended: place.is_attended,
        pickup_contact: place.pickup_contact.as_ref().map(contact),
        dropoff_contact: place.dropoff_contact.as_ref().map(contact),
    }
}

fn contact(person: &CaseContact) -> PlaceContact {
    PlaceContact { name: person.name.clone(), phone: person.phone.clone() }
}

fn ordered_vehicle(facts: &VehicleFacts) -> OrderedVehicle {
    OrderedVehicle {
        vin: facts.vin.as_ref().map(|vin| vin.0.clone()),
        odometer_km: facts.odometer_km.and_then(|km| u32::try_from(km).ok()),
        fuel: facts.fuel.map(|fuel| fuel.to_string()),
        drive: facts.drive.map(|drive| drive.to_string()),
        weight_kg: facts.weight_kg.and_then(|kg| u32::try_from(kg).ok()),
    }
}
