//! A customer asks for help, or an admin does so for them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    engine::SupplyAvailability,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, UserId, VehicleId},
    job::state::{Actor, Destination, JobDetails, JobSpec, JobSummary, Receiver, Refusal, Urgency},
    offer::PartnerOrder,
    ports::{JobToCreate, WaitReason},
    protocol::{OpenJob, OutlookAt},
};
use uuid::Uuid;

use super::searching::{check_agreed, check_taken, most_open_jobs};
use crate::{
    accounting::dues::OwedFees,
    accounts::uploads::{self, FileRef, JobPhotoFile},
    catalogue::{categories::CategoryRow, dispatch_settings, vehicles::VehicleKind},
    fleet::{eta::Haul, mechanics},
    http::{Money, Timestamp, ValidationErrors},
    jobs::{
        checks::{AskedJob, JobChecks, StrandedVehicle, checks_of},
        context::JobsContext,
        dto::{Estimate, EstimateRequest, NewJob, PricePart, begins_at},
        in_vain::{self, KnownBy},
        log,
        on_account::AccountBooking,
        outlook::Outlook,
        pricing::{self, JobPrice},
        queries::{self, JobRow},
        summary::{self, offered_description},
        supply,
        towing::{self, Chosen},
    },
    platform::{
        db::in_place,
        error::{ApiError, ApiResult, Code, after_commit},
        idempotency::Claim,
    },
    wire::{Named, refused},
};

/// The customer of a new job, and its creator: the customer, or an admin whom they called.
#[derive(Debug, Clone)]
pub struct JobBooking {
    pub customer_id: Uuid,
    /// The customer's own profile, if they are also a mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    pub by: Actor,
    /// The version of the privacy notice that a customer who creates it agrees to.
    pub agreed_notice: Option<i64>,
    /// Identifies a customer who creates the job; `None` for an admin, who is not held back by calls in vain.
    pub known_by: Option<KnownBy>,
    /// The account of an organisation that orders the job.
    pub on_account: Option<AccountBooking>,
}

impl JobBooking {
    /// Returns the person whose files the job may refer to.
    fn sender(&self) -> Uuid {
        match self.by {
            Actor::Admin(admin) => admin.0,
            Actor::Customer(_) | Actor::Mechanic(_) | Actor::Partner(_) | Actor::System => self.customer_id,
        }
    }

    /// Returns the words that continue "vehicle_id …".
    fn foreign_vehicle(&self) -> &'static str {
        match self.by {
            Actor::Admin(_) => "is not a vehicle of this customer",
            Actor::Customer(_) | Actor::Mechanic(_) | Actor::Partner(_) | Actor::System => {
                "is not a vehicle of yours"
            }
        }
    }
}

/// Estimates the price of help here and now, and how soon it could come. The estimate is not binding.
pub async fn estimate(
    context: &JobsContext,
    booking: &JobBooking,
    request: EstimateRequest,
) -> ApiResult<Estimate> {
    let destination = request.chosen()?;
    let pickup = Point::new(request.pickup_lat.0, request.pickup_lng.0);
    let category = context.categories.find_active(&context.db, request.service_category_id.0).await?;
    let facts = queries::estimate_facts(&context.db, booking.customer_id, request.vehicle_id.0).await?;
    let (vehicle_type, category) = served(booking, facts.vehicle_type, |kind| *kind, category)?;
    let help = AskedHelp { vehicle_type, category, pickup, destination, at: request.scheduled_for };
    let estimate = estimate_help(context, booking.by, help).await?;
    Ok(Estimate { unpaid_fees: Money(facts.due_paise), ..estimate })
}

/// Help whose price is asked.
#[derive(Debug)]
pub struct AskedHelp {
    pub vehicle_type: VehicleKind,
    /// A category that serves such a vehicle.
    pub category: Arc<CategoryRow>,
    pub pickup: Point,
    pub destination: Option<Chosen>,
    /// When it should come, if not at once.
    pub at: Option<Timestamp>,
}

/// Estimates like [`estimate`], for somebody who owes nothing.
pub async fn estimate_help(context: &JobsContext, by: Actor, help: AskedHelp) -> ApiResult<Estimate> {
    let AskedHelp { vehicle_type: Named(vehicle_type), category, pickup, destination, at } = help;
    towing::fits(&category, destination.is_some())?;
    let begin_at = search_begins_at(context, at, context.clock.now());
    check_taken(context, by, begin_at)?;
    let haul = match destination {
        Some(chosen) => Some(towing::haul(context, pickup, chosen).await?.haul),
        None => None,
    };
    let search = dispatch_settings::search_policy(&context.dispatch.current(), &category.overrides);
    let (category_id, urgency, search) = (CategoryId(category.id), Urgency::Normal, Arc::new(search));
    let outlook = OutlookAt { pickup, vehicle_type, category_id, urgency, search };
    let (supply, outlook) = supply::expected(context, outlook, &category).await?;
    let nearest_m = supply.nearest.map(|nearest| nearest.distance_m);
    let price = pricing::price(&category, nearest_m, haul.map(|haul| haul.distance_m));
    let shown = outlook.map(Outlook::from);
    let estimate = estimate_of(context, (price, haul), &supply, shown);
    let is_served = outlook.is_none_or(|outlook| outlook.reason.is_served());
    let is_outside_area = !is_served && !mechanics::is_within_reach(&context.db, pickup).await?;
    Ok(Estimate { is_outside_area, ..estimate })
}

/// Returns when the search for a mechanic begins, for help at that time or at once.
fn search_begins_at(
    context: &JobsContext,
    scheduled_for: Option<Timestamp>,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    let lead = TimeDelta::seconds(context.job_settings.schedule_lead_s);
    begins_at(scheduled_for.map(|at| at.0), lead, now)
}

fn estimate_of(
    context: &JobsContext,
    (price, haul): (JobPrice, Option<Haul>),
    supply: &SupplyAvailability,
    outlook: Option<Outlook>,
) -> Estimate {
    // Everything about the wait follows from the outlook.
    let is_asked = outlook.is_some_and(|outlook| outlook.reason == WaitReason::Free);
    let asked = Some(supply).filter(|_| is_asked);
    let wait_s = outlook.and_then(|outlook| outlook.expected_wait_s);
    let part = |name: &str, paise| PricePart { name: name.to_owned(), amount: Money(paise) };
    let destination_part = haul.map(|_| part("destination_price", price.destination_paise));
    let breakdown = [part("base_price", price.base_paise), part("travel_price", price.travel_paise)];
    Estimate {
        base_price: Money(price.base_paise),
        travel_price: Money(price.travel_paise),
        destination_price: Money(price.destination_paise),
        estimated_price: Money(price.total_paise()),
        currency: context.settings.currency.clone(),
        breakdown: breakdown.into_iter().chain(destination_part).collect(),
        destination: haul.map(Into::into),
        eta_range_min: wait_s.map(pricing::eta_range_min),
        eta_source: asked.and_then(|supply| supply.nearest).map(|nearest| Named(nearest.source)),
        available_mechanics: asked.map_or(0, |supply| supply.count),
        outlook,
        is_outside_area: false,
        unpaid_fees: Money(0),
    }
}

/// A vehicle that needs help, the kind of help, the place, and the order of the organisation that pays.
struct Breakdown {
    vehicle: StrandedVehicle,
    category: Arc<CategoryRow>,
    pickup: Point,
    order: Option<Arc<PartnerOrder>>,
}

/// Returns the customer's vehicle with the category that serves it, or the fault of either.
fn served<V>(
    booking: &JobBooking,
    vehicle: Option<V>,
    kind_of: impl Fn(&V) -> VehicleKind,
    category: Option<Arc<CategoryRow>>,
) -> ApiResult<(V, Arc<CategoryRow>)> {
    let mut faults = ValidationErrors::default();
    if vehicle.is_none() {
        faults.add("vehicle_id", booking.foreign_vehicle());
    }
    match (&category, vehicle.as_ref().map(kind_of)) {
        (None, _) => faults.add("service_category_id", "is not a category that is offered"),
        (Some(category), Some(kind)) if !category.vehicle_types.contains(&kind) => {
            faults.add("service_category_id", format!("does not serve a {kind}"));
        }
        (Some(_), _) => {}
    }
    match (vehicle, category) {
        (Some(vehicle), Some(category)) if faults.0.is_empty() => Ok((vehicle, category)),
        _ => Err(faults.into()),
    }
}

/// Returns the job as it was when it was created, as in the original response.
pub async fn first_shape(context: &JobsContext, id: Uuid) -> ApiResult<JobRow> {
    log::row_at(&context.db, id, 1).await?.ok_or_else(|| ApiError::not_found("job"))
}

/// Creates the job, which completes the claim in the same transaction. Returns before a mechanic is found.
pub async fn create(
    context: &JobsContext,
    booking: &JobBooking,
    new: NewJob,
    claim: &Claim,
) -> ApiResult<JobRow> {
    let now = context.clock.now();
    let (photos, chosen) = check(context, booking, &new, now).await?;
    let begin_at = search_begins_at(context, new.scheduled_for, now);
    check_taken(context, booking.by, begin_at)?;
    check_agreed(context, booking.by, booking.agreed_notice).await?;
    let is_accident = matches!(new.urgency, Some(Named(Urgency::Accident)));
    let asked = AskedJob {
        customer_id: booking.customer_id,
        known_by: booking.known_by,
        vehicle_id: new.vehicle_id.0,
        category_id: new.service_category_id.0,
        is_accident,
    };
    let JobChecks { vehicle, category, owed, withdrawn, cancelled_accidents } =
        checks_of(context, asked, now).await?;
    if booking.known_by.is_some() {
        in_vain::check_withdrawn(context, &withdrawn, is_accident, now)?;
    }
    if is_accident {
        // A person who may be hurt is not asked for money first.
        check_accident(context, booking, &owed, cancelled_accidents)?;
    } else {
        check_unpaid(context, booking, &owed)?;
    }
    let pickup = Point::new(new.pickup_lat.0, new.pickup_lng.0);
    let category = category.map(Arc::new);
    let (vehicle, category) = served(booking, vehicle, |vehicle| vehicle.vehicle_type, category)?;
    let order = booking.on_account.as_ref().map(|account| account.order.clone());
    let breakdown = Breakdown { vehicle, category, pickup, order };
    let (vehicle, category) = (&breakdown.vehicle, &breakdown.category);
    towing::fits(category, chosen.is_some())?;
    let destination = match chosen {
        Some((chosen, receiver)) => Some(towing::haul(context, pickup, chosen).await?.destination(receiver)),
        None => None,
    };
    let nearest = supply::nearest(context, pickup, vehicle.vehicle_type, category).await?;
    let (nearest_m, destination_m) =
        (nearest.map(|nearest| nearest.distance_m), destination.as_ref().map(|place| place.distance_m));
    let price = pricing::price(category, nearest_m, destination_m);
    let on_account = match &booking.on_account {
        Some(account) => Some(account.of_job(price.total_paise(), destination_m)?),
        None => None,
    };
    let id = JobId(context.random.id(now));
    let job = JobToCreate {
        id,
        spec: JobSpec {
            on_account,
            ..spec(context, booking, &new, &breakdown, (price, destination), (now, begin_at))
        },
        details: JobDetails {
            vehicle_color: vehicle.color.clone(),
            vehicle_registration_number: vehicle.registration_number.clone(),
            most_open_jobs: match &booking.on_account {
                Some(account) => Some(account.most_open_jobs),
                None => most_open_jobs(context, booking.by),
            },
            ..new.details(photos)
        },
        // A mechanic is not sent to their own breakdown.
        excluded: booking.mechanic_profile_id.map(MechanicId).into_iter().collect(),
        idempotency: claim.mark(),
    };
    let open = OpenJob { command: context.new_command(), by: booking.by, new: job.into() };
    match in_place(context.engine.ask(open)).await? {
        // Dispatch may have changed the job since.
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

/// Refuses with 409 UNPAID_FEES; an admin reads what they can do about it. An organisation pays by the bill.
fn check_unpaid(context: &JobsContext, booking: &JobBooking, owed: &OwedFees) -> ApiResult<()> {
    if let Actor::Partner(_) = booking.by {
        return Ok(());
    }
    let unpaid = owed.check(context.fee_settings.max_unpaid_paise);
    unpaid.map_err(|error| match (booking.by, error.code) {
        (Actor::Admin(_), Code::UnpaidFees) => ApiError::new(
            Code::UnpaidFees,
            "This customer owes cancellation fees. Ask them to pay, waive the fees, or decide about those they contest.",
        ),
        _ => error,
    })
}

/// Refuses an accident reported by a customer who owes much or has called mechanics to accidents in vain all day: a person
/// decides, on the phone.
fn check_accident(
    context: &JobsContext,
    booking: &JobBooking,
    owed: &OwedFees,
    cancelled: i64,
) -> ApiResult<()> {
    if let Actor::Admin(_) | Actor::Partner(_) = booking.by {
        return Ok(());
    }
    let fees = &context.fee_settings;
    let then = in_vain::call_instead(&context.support_phone);
    if owed.counted_paise() > fees.max_unpaid_in_accident_paise {
        let are = if owed.contested_paise > 0 { "are due or contested" } else { "are due" };
        let message = format!("Your cancellation fees of {} {are}. {then}", Money(owed.counted_paise()));
        return Err(ApiError::new(Code::UnpaidFees, message));
    }
    if cancelled >= fees.max_cancelled_accidents {
        let message = format!("You have cancelled help after an accident {cancelled} times today. {then}");
        return Err(ApiError::new(Code::RateLimited, message).retry_after(3_600));
    }
    Ok(())
}

fn spec(
    context: &JobsContext,
    booking: &JobBooking,
    new: &NewJob,
    Breakdown { vehicle, category, pickup, order }: &Breakdown,
    (price, destination): (JobPrice, Option<Destination>),
    (created_at, begin_at): (DateTime<Utc>, DateTime<Utc>),
) -> JobSpec {
    let summary = JobSummary {
        category_name: category.name.clone(),
        category_slug: category.slug.clone(),
        vehicle_make: vehicle.make.clone(),
        vehicle_model: vehicle.model.clone(),
        description: new.description.as_ref().map(|text| offered_description(&text.0)),
        photo_count: new.photo_urls.as_ref().map_or(0, |urls| summary::count(urls.0.len())),
        order: order.clone(),
    };
    let search = dispatch_settings::search_policy(&context.dispatch.current(), &category.overrides);
    JobSpec {
        customer_id: UserId(booking.customer_id),
        vehicle_id: VehicleId(vehicle.id),
        category_id: CategoryId(category.id),
        vehicle_type: vehicle.vehicle_type.0,
        pickup: *pickup,
        urgency: new.urgency.map_or(Urgency::Normal, |urgency| urgency.0),
        summary: Arc::new(summary),
        base_price_paise: price.base_paise,
        travel_price_paise: price.travel_paise,
        destination: destination.map(Arc::new),
        destination_price_paise: price.destination_paise,
        created_at,
        begin_at,
        search: Arc::new(search),
        on_account: None,
    }
}

/// Checks the rules that the fields' types can't express. Returns the photos that the job may have, and its destination with the
/// receiver.
async fn check(
    context: &JobsContext,
    booking: &JobBooking,
    new: &NewJob,
    now: DateTime<Utc>,
) -> ApiResult<(Vec<FileRef<JobPhotoFile>>, Option<(Chosen, Receiver)>)> {
    let horizon = TimeDelta::seconds(context.job_settings.schedule_max_s);
    let mut faults = new.faults(horizon, now);
    let chosen = new.destination.as_ref().and_then(|destination| {
        let chosen = destination.choice().chosen(true, &mut faults)?;
        Some((chosen, destination.receiver()))
    });
    let urls = new.photo_urls.as_ref().map(|items| items.0.clone()).unwrap_or_default();
    let urls = uploads::numbered("photo_urls", urls);
    let photos = uploads::refer(&context.db, context, booking.sender(), urls, &mut faults).await?;
    faults.into_result()?;
    Ok((photos, chosen))
}
