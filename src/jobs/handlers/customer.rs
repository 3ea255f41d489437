//! What customers do.

use actix_web::{HttpResponse, get, post, web::Data};
use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    engine::{CommandDone, FreeCancellations as FreeUses, SupplyAvailability},
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, UserId, VehicleId},
    job::state::{Actor, Command, JobDetails, JobSpec, JobSummary, Refusal, Urgency},
    ports::{NewJob as EngineJob, WaitReason},
};
use std::sync::Arc;
use uuid::Uuid;

use super::{answer, job_id};
use crate::{
    accounting::dues,
    accounts::{
        auth::{Caller, Customer},
        uploads::{self, FileRef, JobPhotoFile},
    },
    catalogue::{
        categories::{self, CategoryRow},
        dispatch_settings,
        vehicles::{self, VehicleKind, VehicleRow},
    },
    fleet::mechanics,
    http::{Body, IdempotencyKey, Money, Named, NoFields, Owned, ValidationErrors},
    jobs::{
        JobRow, JobsContext, Outlook, Viewer,
        dto::{
            Cancel, CancellationQuote, Estimate, EstimateRequest, FreeCancellations, Job, NewJob, PricePart,
            begins_at,
        },
        offered_description, present,
        pricing::{self, JobPrice},
        queries, refused, summary,
    },
    platform::{
        db::in_place,
        error::{ApiError, ApiResult, Code, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// No mechanic farther than this from a pickup is considered.
const FARTHEST_M: f64 = 50_000.0;

/// What help would cost here and now, and how soon it could come. Not binding.
#[utoipa::path(tag = "jobs", request_body = EstimateRequest, responses((status = 200, body = Estimate)))]
#[post("/jobs/estimate")]
pub async fn estimate_job(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    body: Body<EstimateRequest>,
) -> ApiResult<HttpResponse> {
    let estimate = estimate(&context, &Booking::of(&caller), body.read()?).await?;
    Ok(HttpResponse::Ok().json(estimate))
}

/// How many jobs a customer may have open at once; any number where an admin acts for them, who sees the others.
fn most_open_jobs(context: &JobsContext, by: Actor) -> Option<u32> {
    match by {
        Actor::Admin(_) => None,
        Actor::Customer(_) | Actor::Mechanic(_) | Actor::System => {
            Some(context.settings.jobs.max_open_per_person)
        }
    }
}

/// Whom a job is for, and who creates it: the customer, or an admin whom they called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Booking {
    pub customer_id: Uuid,
    /// If the customer is a mechanic, too.
    pub mechanic_profile_id: Option<Uuid>,
    pub by: Actor,
}

impl Booking {
    fn of(caller: &Caller) -> Self {
        Self {
            customer_id: caller.user_id,
            mechanic_profile_id: caller.mechanic.map(|mechanic| mechanic.profile_id),
            by: Actor::Customer(UserId(caller.user_id)),
        }
    }

    /// Whose files the job may refer to.
    fn sender(&self) -> Uuid {
        match self.by {
            Actor::Admin(admin) => admin.0,
            Actor::Customer(_) | Actor::Mechanic(_) | Actor::System => self.customer_id,
        }
    }

    /// Continues "vehicle_id …".
    fn foreign_vehicle(&self) -> &'static str {
        match self.by {
            Actor::Admin(_) => "is not a vehicle of this customer",
            Actor::Customer(_) | Actor::Mechanic(_) | Actor::System => "is not a vehicle of yours",
        }
    }
}

pub(super) async fn estimate(
    context: &JobsContext,
    booking: &Booking,
    request: EstimateRequest,
) -> ApiResult<Estimate> {
    let (vehicle, category) =
        subject(context, booking, request.vehicle_id.0, request.service_category_id.0).await?;
    let pickup = Point::new(request.pickup_lat.0, request.pickup_lng.0);
    let supply = availability(context, pickup, vehicle.vehicle_type, &category).await?;
    let price = pricing::price(&category, supply.nearest.map(|nearest| nearest.distance_m));
    let search = dispatch_settings::search_policy(&context.dispatch.current(), &category.overrides);
    let (kind, category_id) = (vehicle.vehicle_type.0, CategoryId(category.id));
    let outlook =
        context.engine.outlook(pickup, kind, category_id, Urgency::Normal, Arc::new(search)).await.ok();
    let unpaid_paise = dues::unpaid_sum(&context.db, booking.customer_id).await?;
    let estimate = estimate_of(context, price, &supply, outlook.map(Outlook::from), unpaid_paise);
    let is_served = outlook.is_none_or(|outlook| outlook.reason.is_served());
    let is_outside_area = !is_served && !mechanics::is_within_reach(&context.db, pickup).await?;
    Ok(Estimate { is_outside_area, ..estimate })
}

fn estimate_of(
    context: &JobsContext,
    price: JobPrice,
    supply: &SupplyAvailability,
    outlook: Option<Outlook>,
    unpaid_paise: i64,
) -> Estimate {
    // All that is said of the wait follows from the outlook.
    let is_asked = outlook.is_some_and(|outlook| outlook.reason == WaitReason::Free);
    let asked = Some(supply).filter(|_| is_asked);
    let wait_s = outlook.and_then(|outlook| outlook.expected_wait_s);
    let part = |name: &str, paise| PricePart { name: name.to_owned(), amount: Money(paise) };
    Estimate {
        base_price: Money(price.base_paise),
        travel_price: Money(price.travel_paise),
        estimated_price: Money(price.base_paise + price.travel_paise),
        currency: context.settings.jobs.currency.clone(),
        breakdown: vec![part("base_price", price.base_paise), part("travel_price", price.travel_paise)],
        eta_range_min: wait_s.map(pricing::eta_range_min),
        eta_source: asked.and_then(|supply| supply.nearest).map(|nearest| nearest.source),
        available_mechanics: asked.map_or(0, |supply| supply.count),
        outlook,
        is_outside_area: false,
        unpaid_fees: Money(unpaid_paise),
    }
}

/// The customer's vehicle and a category that serves it, or what is wrong with either.
async fn subject(
    context: &JobsContext,
    booking: &Booking,
    vehicle_id: Uuid,
    category_id: Uuid,
) -> ApiResult<(VehicleRow, CategoryRow)> {
    let vehicle = vehicles::find_own(&context.db, booking.customer_id, vehicle_id).await?;
    let category = categories::find_active(&context.db, category_id).await?;
    let mut faults = ValidationErrors::default();
    if vehicle.is_none() {
        faults.add("vehicle_id", booking.foreign_vehicle());
    }
    match (&category, &vehicle) {
        (None, _) => faults.add("service_category_id", "is not a category that is offered"),
        (Some(category), Some(vehicle)) if !category.vehicle_types.contains(&vehicle.vehicle_type) => {
            faults.add("service_category_id", format!("does not serve a {}", vehicle.vehicle_type));
        }
        (Some(_), _) => {}
    }
    match (vehicle, category) {
        (Some(vehicle), Some(category)) if faults.0.is_empty() => Ok((vehicle, category)),
        _ => Err(faults.into()),
    }
}

/// Who could serve a pickup now.
pub(in crate::jobs) async fn availability(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
) -> ApiResult<SupplyAvailability> {
    let now = context.dispatch.current();
    let rings = category.overrides.rings_km.as_ref().unwrap_or(&now.settings.rings_km);
    let within_m = rings.last().map_or(FARTHEST_M, |km| (km * 1000.0).min(FARTHEST_M));
    let survey = context.engine.availability(pickup, vehicle_type.0, CategoryId(category.id), within_m);
    survey.await.map_err(refused)
}

/// Calls for help. Responds when the job is stored, before a mechanic is found; dispatch begins at once, or some time
/// before `scheduled_for`.
#[utoipa::path(
    tag = "jobs",
    params(IdempotencyKey),
    request_body = NewJob,
    responses(
        (status = 201, body = Job),
        (status = 409, body = ErrorBody, description = "ACTIVE_JOB_EXISTS: the vehicle has an open job; \
            TOO_MANY_OPEN_JOBS: the caller has as many as one may; \
            UNPAID_FEES: the caller owes too much for cancelled jobs; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
    ),
)]
#[post("/jobs")]
pub async fn create_job(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<NewJob>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let request = Request::new(caller.user_id, "/jobs", key, body.bytes());
    let booking = Booking::of(&caller);
    let make = async |claim: &Claim| create(&context, &booking, body, claim.mark()).await;
    let row =
        idempotency::once(&context, request, make, async |id, _| first_shape(&context, id).await).await?;
    tracing::Span::current().record("job.id", tracing::field::display(row.id));
    Ok(HttpResponse::Created().json(present(&row, Viewer::Customer, &context)))
}

/// The job as it was when it was created, which is what the original response contained.
pub(super) async fn first_shape(context: &JobsContext, id: Uuid) -> ApiResult<JobRow> {
    let events = queries::events_since(&context.db, id, 0, 1).await?;
    events
        .into_iter()
        .next()
        .and_then(|event| event.snapshot)
        .map(|snapshot| snapshot.0)
        .ok_or_else(|| ApiError::not_found("job"))
}

pub(super) async fn create(
    context: &JobsContext,
    booking: &Booking,
    body: Body<NewJob>,
    mark: Option<Uuid>,
) -> ApiResult<JobRow> {
    let now = context.clock.now();
    let new = body.read()?;
    let photos = check(context, booking, &new, now).await?;
    // Somebody who may be hurt is not asked for money first.
    if new.urgency != Some(Named(Urgency::Accident)) {
        dues::check_unpaid(context, booking.customer_id).await?;
    }
    let (vehicle, category) = subject(context, booking, new.vehicle_id.0, new.service_category_id.0).await?;
    let pickup = Point::new(new.pickup_lat.0, new.pickup_lng.0);
    let supply = availability(context, pickup, vehicle.vehicle_type, &category).await?;
    let price = pricing::price(&category, supply.nearest.map(|nearest| nearest.distance_m));
    let id = JobId(context.random.id(now));
    let job = EngineJob {
        id,
        spec: spec(context, booking, &new, &vehicle, &category, price, now),
        details: JobDetails {
            most_open_jobs: most_open_jobs(context, booking.by),
            ..new.details(&vehicle, photos)
        },
        // A mechanic is not sent to their own breakdown.
        excluded: booking.mechanic_profile_id.map(MechanicId).into_iter().collect(),
        idempotency: mark,
    };
    let opened = context.engine.open_job(booking.by, job);
    match in_place(opened).await? {
        // Dispatch may have changed it since.
        Ok(_) => match context.recent.row(id.0, 1) {
            Some(row) => Ok(row),
            None => first_shape(context, id.0).await.map_err(after_commit),
        },
        // An earlier attempt with the same key, whose outcome was unknown, did create the job.
        Err(Refusal::AlreadyDone) => Err(ApiError::new(
            Code::IdempotencyInFlight,
            "This job was already created with the same Idempotency-Key. Send the request again.",
        )),
        Err(refusal) => Err(refused(refusal)),
    }
}

fn spec(
    context: &JobsContext,
    booking: &Booking,
    new: &NewJob,
    vehicle: &VehicleRow,
    category: &CategoryRow,
    price: JobPrice,
    now: DateTime<Utc>,
) -> JobSpec {
    let lead = TimeDelta::seconds(context.settings.jobs.schedule_lead_s);
    let begin_at = begins_at(new.scheduled_for.map(|at| at.0), lead, now);
    let summary = JobSummary {
        category_name: category.name.clone(),
        category_slug: category.slug.clone(),
        vehicle_make: vehicle.make.clone(),
        vehicle_model: vehicle.model.clone(),
        description: new.description.as_ref().map(|text| offered_description(&text.0)),
        photo_count: new.photo_urls.as_ref().map_or(0, |urls| summary::count(urls.0.len())),
    };
    let search = dispatch_settings::search_policy(&context.dispatch.current(), &category.overrides);
    JobSpec {
        customer_id: UserId(booking.customer_id),
        vehicle_id: VehicleId(vehicle.id),
        category_id: CategoryId(category.id),
        vehicle_type: vehicle.vehicle_type.0,
        pickup: Point::new(new.pickup_lat.0, new.pickup_lng.0),
        urgency: new.urgency.map_or(Urgency::Normal, |urgency| urgency.0),
        summary: Arc::new(summary),
        base_price_paise: price.base_paise,
        travel_price_paise: price.travel_paise,
        created_at: now,
        begin_at,
        search: Arc::new(search),
    }
}

/// Checks what the types of the fields can't. Returns the photos that the job may have.
async fn check(
    context: &JobsContext,
    booking: &Booking,
    new: &NewJob,
    now: DateTime<Utc>,
) -> ApiResult<Vec<FileRef<JobPhotoFile>>> {
    let horizon = TimeDelta::seconds(context.settings.jobs.schedule_max_s);
    let mut faults = new.faults(horizon, now);
    let urls = new.photo_urls.as_ref().map(|items| items.0.clone()).unwrap_or_default();
    let urls = uploads::numbered("photo_urls", urls);
    let photos = uploads::refer(&context.db, context, booking.sender(), urls, &mut faults).await?;
    faults.into_result()?;
    Ok(photos)
}

/// What cancelling would cost now.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = CancellationQuote),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job can't be cancelled (any more)"),
    ),
)]
#[get("/jobs/{id}/cancellation-quote")]
pub async fn quote_cancellation(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let free = free_cancellations(&context, &caller).await?;
    let quote = context.engine.quote_cancellation(job_id(row.id), Some(free)).await.map_err(refused)?;
    let days = context.settings.fees.free_cancellation_days;
    let free = FreeCancellations { left: free.left(), most: free.most, days };
    let quote = CancellationQuote { free_cancellations: Some(free), ..CancellationQuote::from(quote) };
    Ok(HttpResponse::Ok().json(quote))
}

/// Cancels the caller's job. If that costs something, the caller has to accept the fee: with `quoted_fee`, the fee that
/// the quote showed, or with `accept_fee`.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = Cancel,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or FEE_CHANGED: a fee is due that the \
            request does not accept; the message names it"),
    ),
)]
#[post("/jobs/{id}/cancel")]
pub async fn cancel_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<Cancel>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let cancel = body.read()?;
    let accepted_fee = cancel.accepted_fee();
    let by = Actor::Customer(UserId(caller.user_id));
    let (code, reason) = (cancel.reason_code.to_string(), cancel.reason.map(|text| text.0));
    let free = free_cancellations(&context, &caller).await?;
    let done = context.engine.cancel(job_id(row.id), by, code, reason, accepted_fee, Some(free)).await;
    answer(&context, Viewer::Customer, done).await
}

/// How often the customer may still cancel for free soon after an acceptance.
async fn free_cancellations(context: &JobsContext, caller: &Caller) -> ApiResult<FreeUses> {
    let fees = &context.settings.fees;
    let since = context.clock.now() - TimeDelta::days(fees.free_cancellation_days);
    let used = queries::free_cancellations(&context.db, caller.user_id, caller.budget, since).await?;
    let used = u32::try_from(used).unwrap_or(u32::MAX);
    Ok(FreeUses { most: fees.free_cancellations, since, used, person_key: caller.budget })
}

/// Searches again for a job that found no mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION; TOO_MANY_OPEN_JOBS; CONFLICT: the vehicle was \
            deleted, or the category is not offered any more"),
    ),
)]
#[post("/jobs/{id}/retry")]
pub async fn retry_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    body.read()?;
    let done = search_again(&context, &row, Actor::Customer(UserId(caller.user_id))).await?;
    answer(&context, Viewer::Customer, Ok(done)).await
}

/// Searches again for a job that found no mechanic.
pub(super) async fn search_again(context: &JobsContext, row: &JobRow, by: Actor) -> ApiResult<CommandDone> {
    check_still_offered(context, row).await?;
    let most_open_jobs = most_open_jobs(context, by);
    let retry = Command::Retry { most_open_jobs };
    context.engine.order(job_id(row.id), by, retry).await.map_err(|refusal| match refusal {
        // Happened since the check above.
        Refusal::VehicleGone => vehicle_deleted(),
        Refusal::CategoryGone => not_offered(),
        other => refused(other),
    })
}

/// Checks that the vehicle still exists and the category is still offered: both may go away while the job waits for
/// another try.
async fn check_still_offered(context: &JobsContext, row: &JobRow) -> ApiResult<()> {
    if vehicles::find_own(&context.db, row.customer_id, row.vehicle_id).await?.is_none() {
        return Err(vehicle_deleted());
    }
    match categories::find_active(&context.db, row.service_category_id).await? {
        Some(_) => Ok(()),
        None => Err(not_offered()),
    }
}

fn vehicle_deleted() -> ApiError {
    ApiError::new(
        Code::Conflict,
        "The vehicle of this job was deleted. Create a new job for another vehicle.",
    )
}

fn not_offered() -> ApiError {
    ApiError::new(
        Code::Conflict,
        "Help of this category is no longer offered. Create a new job in another one.",
    )
}
