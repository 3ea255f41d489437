//! Makes cases with their first jobs, and further jobs of open cases.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use roadcall_actors::{ids::UserId, job::state::Actor};
use sqlx::types::Json;
use uuid::Uuid;

use super::{
    checking::{CheckedCase, checked},
    naming,
    ordering::{OrderedJob, planned},
};
use crate::{
    accounts::auth::{PartnerCaller, Principal},
    http::{Id, Name, Phone, ValidationErrors},
    jobs::{
        self, ContactPreference, JobRow, NewJob, actions::JobBooking, on_account::AccountBooking,
        towing::NewDestination,
    },
    partners::{
        cases::{
            audited,
            checks::CaseNames,
            dto::{CasePlace, ChosenVehicle, NewCase, NewCaseJob},
            queries::{self, CaseRow},
            showing::no_such_case,
        },
        club_offer::ClubOffer,
        feeds::{self, CaseStatus, FeedsContext, NewPartnerEvent, PartnerEventKind},
    },
    platform::{
        error::{ApiError, ApiResult, Code, commit_error, write_error},
        idempotency::{self, Claim},
    },
};

/// The most jobs of a case: each of its events shows all of them.
const MAX_JOBS: i64 = 20;
/// The most offers of a club that wait at once: more than dispatchers see, or could answer in time.
const MAX_OFFERS: i64 = 100;

/// Makes a case with its first job, and returns it with whether it is new: the same request with the same reference finds the
/// case that it made. The claim is completed with the first job.
///
/// The case is committed before the job, which refers to it. A case whose job is refused is deleted; one whose job may have been
/// made stays, and a repeat of the request goes on with it.
pub async fn create(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewCase,
    digest: [u8; 32],
    claim: &Claim,
) -> ApiResult<(CaseRow, bool)> {
    let names = CaseNames::find(context, caller, &new).await?;
    if let Some(case) = names.case(&context.db).await? {
        check_repeat(&case, caller, &digest)?;
        return match queries::first_job(&context.db, case.id).await? {
            Some(job_id) => repeated(context, case, job_id, claim).await,
            None => {
                let order = planned(context, &case, new.job).await.map_err(within_job)?;
                with_job(context, caller, case, order, claim).await
            }
        };
    }
    let (case, order, _) = insert(context, caller, new, digest, names, None).await?;
    check_repeat(&case, caller, &digest)?;
    with_job(context, caller, case, order, claim).await
}

/// Makes the first job of a case, unless another request makes it at this moment.
async fn with_job(
    context: &FeedsContext,
    caller: &PartnerCaller,
    case: CaseRow,
    order: OrderedJob,
    claim: &Claim,
) -> ApiResult<(CaseRow, bool)> {
    match ordered(context, caller.account_id, &case, order, claim).await {
        Ok(_) => {
            record(context, caller, &case).await;
            Ok((case, true))
        }
        Err(refusal) if refusal.code.status().is_server_error() => Err(refusal),
        Err(refusal) => match abandoned(context, case.id).await? {
            Some(job_id) => repeated(context, case, job_id, claim).await,
            None => Err(within_job(refusal)),
        },
    }
}

/// Deletes a case whose first job was refused. Returns its job instead if another request has made one meanwhile.
async fn abandoned(context: &FeedsContext, case_id: Uuid) -> ApiResult<Option<Uuid>> {
    let mut tx = context.db.begin().await?;
    queries::lock_whole(&mut tx, case_id).await?;
    if let Some(job_id) = queries::first_job(&mut *tx, case_id).await? {
        tx.rollback().await?;
        return Ok(Some(job_id));
    }
    queries::delete_without_job(&mut tx, case_id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(None)
}

/// Returns 409 CONFLICT if the case was made by another request.
pub(super) fn check_repeat(case: &CaseRow, caller: &PartnerCaller, digest: &[u8; 32]) -> ApiResult<()> {
    if case.made_by == caller.made_by && case.request_sha256 == digest {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Conflict,
        "This partner_reference was used for another case. Choose a different one.",
    ))
}

async fn repeated(
    context: &FeedsContext,
    case: CaseRow,
    job_id: Uuid,
    claim: &Claim,
) -> ApiResult<(CaseRow, bool)> {
    if claim.mark().is_some() {
        let mut tx = context.db.begin().await?;
        idempotency::complete_shown(&mut tx, claim, job_id).await?;
        tx.commit().await.map_err(commit_error)?;
    }
    Ok((case, false))
}

/// Checks a new case and inserts it, without its job. Returns the case that has its reference then, and whether it is new. The
/// event of an offered case goes with it.
pub(super) async fn insert(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewCase,
    digest: [u8; 32],
    names: CaseNames,
    offer: Option<ClubOffer>,
) -> ApiResult<(CaseRow, OrderedJob, bool)> {
    let CheckedCase { new, vehicle, agreement } =
        checked(context, caller, new, names, offer.is_some()).await?;
    let now = context.clock.now();
    let (id, reference) = (context.random.id(now), new.partner_reference.0.clone());
    if let (ChosenVehicle::Known(Id(vehicle_id)), None) = (&vehicle, &offer) {
        let (row, job) = new.row(id, &agreement.contract, (caller, digest), *vehicle_id, now);
        let order = OrderedJob { new: job, agreement };
        let mut connection = context.db.acquire().await?;
        let inserted = queries::insert_if_new(&mut connection, &row).await;
        return match connection.ended(inserted).map_err(write_error)? {
            Some(row) => Ok((row, order, true)),
            None => Ok((named(context, caller, &reference).await?, order, false)),
        };
    }
    let mut tx = context.db.begin().await?;
    let vehicle_id = naming::vehicle(&mut tx, context, caller, vehicle).await?;
    let (row, job) = new.row(id, &agreement.contract, (caller, digest), vehicle_id, now);
    let row = offered(row, offer, now);
    let order = OrderedJob { new: job, agreement };
    let is_offered = row.status == CaseStatus::Offered;
    let waiting = match is_offered {
        true => queries::count_offers_locked(&mut tx, row.organisation_id, now).await?,
        false => 0,
    };
    if let Some(row) = queries::insert_if_new(&mut tx, &row).await? {
        if waiting >= MAX_OFFERS {
            return Err(too_many_offers());
        }
        if is_offered {
            let event = NewPartnerEvent::of_case(PartnerEventKind::CaseOffered, context.clock.now());
            feeds::append(&mut tx, context, row.id, vec![event]).await?;
            audited::made(context, &mut tx, Principal::from(*caller), &row).await?;
        }
        tx.commit().await.map_err(commit_error)?;
        context.wake();
        return Ok((row, order, true));
    }
    tx.rollback().await?;
    Ok((named(context, caller, &reference).await?, order, false))
}

/// Returns the case by whose reference another one could not be inserted a moment ago.
async fn named(context: &FeedsContext, caller: &PartnerCaller, reference: &str) -> ApiResult<CaseRow> {
    let known = queries::by_reference(&context.db, caller.organisation_id, reference).await?;
    // Another copy of this request was refused a moment ago, which deleted the case.
    let gone =
        || ApiError::new(Code::Conflict, "This case was made and refused at this moment. Send it again.");
    known.ok_or_else(gone)
}

fn too_many_offers() -> ApiError {
    let message = format!(
        "{MAX_OFFERS} offers of this club wait for an answer or a confirmation. Withdraw some, or wait."
    );
    ApiError::new(Code::Conflict, message)
}

/// Returns the row of a case that a club offers, if there is an offer.
fn offered(row: CaseRow, offer: Option<ClubOffer>, now: DateTime<Utc>) -> CaseRow {
    let Some(offer) = offer else { return row };
    let until = offer.until(now);
    CaseRow { status: CaseStatus::Offered, offer: Some(Json(offer)), offered_until: Some(until), ..row }
}

/// Makes a job of an open case in the name of its organisation's account, which completes the claim. Its faults are named as fields
/// of the job.
pub async fn create_job(
    context: &FeedsContext,
    account_id: Uuid,
    case: &CaseRow,
    new: NewCaseJob,
    claim: &Claim,
) -> ApiResult<JobRow> {
    if queries::count_jobs(&context.db, case.id).await? >= MAX_JOBS {
        let message = format!("This case has had {MAX_JOBS} jobs, so it takes no other. Make another case.");
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let order = planned(context, case, new).await?;
    ordered(context, account_id, case, order, claim).await
}

async fn ordered(
    context: &FeedsContext,
    account_id: Uuid,
    case: &CaseRow,
    order: OrderedJob,
    claim: &Claim,
) -> ApiResult<JobRow> {
    let OrderedJob { new, agreement } = order;
    if case.status != CaseStatus::Open {
        let message = format!("This case is {}, so it takes no job.", case.status);
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let vehicle_id = case.vehicle_id.ok_or_else(|| ApiError::invalid("vehicle", "is not known yet"))?;
    let booking = JobBooking {
        customer_id: account_id,
        mechanic_profile_id: None,
        by: Actor::Partner(UserId(account_id)),
        agreed_notice: None,
        known_by: None,
        on_account: Some(AccountBooking {
            case_id: case.id,
            order: Arc::new(agreement.order(case)),
            agreed: agreement.terms.agreed(),
            cover: agreement.contract.cover(),
            most_open_jobs: context.partner_settings.max_open_jobs,
        }),
    };
    let new = new_job(case, new, (vehicle_id, agreement.category.id));
    let row = jobs::actions::create(context, &booking, new, claim).await?;
    context.feeding.wake();
    Ok(row)
}

fn new_job(case: &CaseRow, new: NewCaseJob, (vehicle_id, category_id): (Uuid, Uuid)) -> NewJob {
    let place = case.place.as_ref().map(|place| &place.0);
    let phone = case.beneficiary_phone.clone();
    NewJob {
        vehicle_id: Id(vehicle_id),
        service_category_id: Id(category_id),
        pickup_address: new.pickup_address,
        pickup_lat: new.pickup_lat,
        pickup_lng: new.pickup_lng,
        destination: new.destination.map(|destination| received_by(destination, place)),
        description: new.description,
        photo_urls: None,
        beneficiary_name: case.beneficiary_name.clone().map(Name),
        contact_preference: phone.is_some().then_some(ContactPreference::Beneficiary),
        beneficiary_phone: phone.map(Phone),
        urgency: new.urgency,
        scheduled_for: new.scheduled_for,
    }
}

/// Adds the receiver whom the case names to a destination that names none.
fn received_by(destination: NewDestination, place: Option<&CasePlace>) -> NewDestination {
    let contact = place.and_then(|place| place.dropoff_contact.as_ref());
    match contact.filter(|_| destination.receiver_name.is_none() && destination.receiver_phone.is_none()) {
        Some(contact) => NewDestination {
            receiver_name: Some(Name(contact.name.clone())),
            receiver_phone: Some(Phone(contact.phone.clone())),
            ..destination
        },
        None => destination,
    }
}

/// Records who made a case. Its job stands whether this succeeds or not.
async fn record(context: &FeedsContext, caller: &PartnerCaller, case: &CaseRow) {
    if let Err(error) = recorded(context, caller, case).await {
        error.log();
    }
}

async fn recorded(context: &FeedsContext, caller: &PartnerCaller, case: &CaseRow) -> ApiResult<()> {
    let mut db = context.db.acquire().await?;
    audited::made(context, &mut db, Principal::from(*caller), case).await
}

/// Returns the case of a job that an earlier request made.
pub async fn case_of_job(context: &FeedsContext, job_id: Uuid) -> ApiResult<CaseRow> {
    queries::of_job(&context.db, job_id).await?.ok_or_else(no_such_case)
}

/// Renames the faults of a job to the fields of its case.
fn within_job(refusal: ApiError) -> ApiError {
    if refusal.errors.is_empty() {
        return refusal;
    }
    let mut faults = ValidationErrors::default();
    for (field, whys) in &refusal.errors {
        let field = match field.as_str() {
            "vehicle_id" => "vehicle".to_owned(),
            "service_category_id" => "job.service_category_slug".to_owned(),
            field => format!("job.{field}"),
        };
        whys.iter().for_each(|why| faults.add(field.clone(), why.clone()));
    }
    faults.into()
}
