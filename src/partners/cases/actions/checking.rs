//! Checks what a new case names, and its answers.

use super::{
    naming,
    ordering::{Agreement, covered},
};
use crate::{
    accounts::auth::PartnerCaller,
    catalogue::categories::check_answers,
    http::ValidationErrors,
    partners::{
        cases::{
            checks::CaseNames,
            dto::{ChosenVehicle, NewCase},
        },
        contracts,
        feeds::FeedsContext,
    },
    platform::error::{ApiError, ApiResult},
};

/// A new case without faults. The person who is helped is the driver, if it names one.
pub(super) struct CheckedCase {
    pub new: NewCase,
    pub vehicle: ChosenVehicle,
    pub agreement: Agreement,
}

/// Checks a new case; `is_offer` says whether a club offers it.
pub(super) async fn checked(
    context: &FeedsContext,
    caller: &PartnerCaller,
    mut new: NewCase,
    CaseNames { found, category }: CaseNames,
    is_offer: bool,
) -> ApiResult<CheckedCase> {
    let contract = found.contract.ok_or_else(contracts::unknown_contract)?;
    let field = "job.service_category_slug";
    let category = category.ok_or_else(|| contracts::not_offered(field))?;
    let at = new.job.scheduled_for.map_or(context.clock.now(), |at| at.0);
    let terms = covered(&contract, found.terms, at, ["contract_reference", field])?;
    let mut faults = ValidationErrors::default();
    if contract.requires_purchase_order && new.purchase_order.is_none() {
        faults.add("purchase_order", "is required by the contract");
    }
    if new.answer_within_s.is_some() && !is_offer {
        faults.add("answer_within_s", "is only for offers: POST /partner/offers");
    }
    if let Some(answers) = &new.answers {
        check_answers(&terms.questions.0, &answers.0, &mut faults);
    }
    let driver = naming::driver(context, caller, &new, &mut faults).await?;
    let named = (new.vehicle.as_ref(), driver.as_ref());
    let vehicle = naming::chosen(context, caller, named, &mut faults).await?;
    faults.into_result()?;
    new.beneficiary = driver.map(Into::into).or(new.beneficiary);
    let vehicle = vehicle.ok_or_else(|| ApiError::invalid("vehicle", "is required"))?;
    let is_named = new.vehicle.as_ref().is_some_and(|vehicle| vehicle.id.is_some());
    if is_named && !found.has_vehicle {
        return Err(ApiError::invalid("vehicle.id", "is not a vehicle of this organisation"));
    }
    let agreement = Agreement { contract, category, terms, organisation_name: found.organisation_name };
    Ok(CheckedCase { new, vehicle, agreement })
}
