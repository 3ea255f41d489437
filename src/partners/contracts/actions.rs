//! Use cases of admins with contracts, and the question what a contract covers.

use std::{collections::HashMap, sync::Arc};

use roadcall_actors::{geo::Point, ids::UserId, job::state::Actor};
use uuid::Uuid;

use super::{
    audited,
    dto::{Coverage, CoverageRequest, NewContract, PartnerContract},
    queries::{self, ContractRow, TermsRow},
    state::NotCovered,
};
use crate::{
    accounts::auth::PartnerCaller,
    catalogue::categories::{self, CategoryRow},
    http::{Money, ValidationErrors},
    jobs::{
        JobsContext,
        actions::{AskedHelp, estimate_help},
    },
    platform::{
        core::Core,
        db::Db,
        error::{ApiError, ApiResult, commit_error, constraint},
        idempotency::{self, Claim},
    },
};

/// Makes a contract with its terms.
pub async fn create(
    core: &Core,
    admin: Uuid,
    organisation_id: Uuid,
    new: NewContract,
    claim: &Claim,
) -> ApiResult<PartnerContract> {
    let now = core.clock.now();
    let row = new.row(core.random.id(now), organisation_id, now);
    let mut faults = new.faults(row.valid_from);
    let terms = terms(&core.db, &new, row.id, &mut faults).await?;
    faults.into_result()?;
    let mut tx = core.db.begin().await?;
    queries::insert(&mut tx, &row).await.map_err(|error| match constraint(&error) {
        Some("partner_contracts_reference_key") => {
            ApiError::invalid("reference", "is the name of another contract of this organisation")
        }
        _ => error.into(),
    })?;
    queries::insert_terms(&mut tx, &terms).await?;
    audited::made(core, &mut tx, admin, &row, &terms).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(PartnerContract::of(row, terms))
}

/// Returns the rows of the terms, and adds categories that do not exist to the faults.
async fn terms(
    db: &Db,
    new: &NewContract,
    contract_id: Uuid,
    faults: &mut ValidationErrors,
) -> ApiResult<Vec<TermsRow>> {
    let slugs: HashMap<Uuid, String> =
        categories::all(db).await?.into_iter().map(|category| (category.id, category.slug)).collect();
    let mut rows = Vec::with_capacity(new.terms.0.len());
    for (index, terms) in new.terms.0.iter().enumerate() {
        let id = terms.service_category_id.0;
        match slugs.get(&id) {
            Some(slug) => {
                let questions = categories::questions_of(db, id).await?;
                rows.push(terms.row(contract_id, slug.clone(), questions));
            }
            None => faults.add(format!("terms[{index}].service_category_id"), "is not a service category"),
        }
    }
    Ok(rows)
}

/// Ends a contract: nothing is ordered under it from now on, and its jobs go on. A repeat changes nothing.
pub async fn end(core: &Core, admin: Uuid, id: Uuid) -> ApiResult<PartnerContract> {
    let mut tx = core.db.begin().await?;
    if let Some(row) = queries::end(&mut tx, id, core.clock.now()).await? {
        audited::ended(core, &mut tx, admin, &row).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    shown(&core.db, id).await
}

/// Returns a contract with its terms.
pub async fn shown(db: &Db, id: Uuid) -> ApiResult<PartnerContract> {
    let row = queries::find(db, id).await?.ok_or_else(no_such_contract)?;
    let terms = queries::terms_of_contracts(db, &[id]).await?;
    Ok(PartnerContract::of(row, terms))
}

/// Returns the contracts with their terms.
pub async fn all_shown(db: &Db, rows: Vec<ContractRow>) -> ApiResult<Vec<PartnerContract>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut terms: HashMap<Uuid, Vec<TermsRow>> = HashMap::new();
    for row in queries::terms_of_contracts(db, &ids).await? {
        terms.entry(row.contract_id).or_default().push(row);
    }
    Ok(rows.into_iter().map(|row| (terms.remove(&row.id).unwrap_or_default(), row)).map(contract).collect())
}

fn contract((terms, row): (Vec<TermsRow>, ContractRow)) -> PartnerContract {
    PartnerContract::of(row, terms)
}

/// Returns the fault of a name that no contract of the organisation has.
pub fn unknown_contract() -> ApiError {
    ApiError::invalid("contract_reference", "is not a contract of this organisation")
}

/// Returns the fault of a field that names a category which is not offered.
pub fn not_offered(field: &str) -> ApiError {
    ApiError::invalid(field, "is not a category that is offered")
}

/// Returns the category with this slug, if it is offered, or the fault of `field`.
pub async fn offered(context: &JobsContext, slug: &str, field: &str) -> ApiResult<Arc<CategoryRow>> {
    let found = context.categories.find_offered(&context.db, slug).await?;
    found.ok_or_else(|| not_offered(field))
}

/// Returns whether a contract covers help, what it would cost, and when it could come.
pub async fn coverage(
    context: &JobsContext,
    caller: &PartnerCaller,
    request: CoverageRequest,
) -> ApiResult<Coverage> {
    let mut faults = ValidationErrors::default();
    let destination = request.destination.clone().and_then(|choice| choice.chosen(false, &mut faults));
    faults.into_result()?;
    let reference = &request.contract_reference.0;
    let contract = queries::by_reference(&context.db, caller.organisation_id, reference).await?;
    let contract = contract.ok_or_else(unknown_contract)?;
    let category = offered(context, &request.service_category_slug.0, "service_category_slug").await?;
    if !category.vehicle_types.contains(&request.vehicle_type) {
        let why = format!("is not served by {}", category.slug);
        return Err(ApiError::invalid("vehicle_type", why));
    }
    let at = request.scheduled_for.map_or(context.clock.now(), |at| at.0);
    let terms = queries::terms_of(&context.db, contract.id, category.id).await?;
    let terms = match contract.covering(terms, at) {
        Ok(terms) => terms,
        Err(reason) => return Ok(not_covered(context, reason)),
    };
    let pickup = Point::new(request.pickup_lat.0, request.pickup_lng.0);
    let (vehicle_type, at) = (request.vehicle_type, request.scheduled_for);
    let help = AskedHelp { vehicle_type, category, pickup, destination, at };
    let estimate = estimate_help(context, Actor::Partner(UserId(caller.account_id)), help).await?;
    let destination_m = estimate.destination.map(|destination| destination.distance_m);
    let cover = contract.cover();
    let known = Coverage {
        destination: estimate.destination,
        eta_range_min: estimate.eta_range_min,
        is_outside_area: estimate.is_outside_area,
        ..not_covered(context, NotCovered::DestinationTooFar)
    };
    if destination_m.is_some_and(|metres| !cover.reaches(metres)) {
        return Ok(known);
    }
    let price_paise = terms.agreed().of_job(estimate.estimated_price.0, destination_m);
    let shares = cover.share(price_paise);
    Ok(Coverage {
        is_covered: true,
        reason: None,
        price: Some(Money(price_paise)),
        payable: Some(Money(shares.payable_paise)),
        driver_pays: Some(Money(shares.driver_paise)),
        ..known
    })
}

fn not_covered(context: &JobsContext, reason: NotCovered) -> Coverage {
    Coverage {
        is_covered: false,
        reason: Some(reason),
        price: None,
        payable: None,
        driver_pays: None,
        currency: context.settings.currency.clone(),
        destination: None,
        eta_range_min: None,
        is_outside_area: false,
    }
}

pub(super) fn no_such_contract() -> ApiError {
    ApiError::not_found("contract")
}
