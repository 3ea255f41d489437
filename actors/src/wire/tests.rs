//! Tests that values survive the way from one process to another.

use std::{collections::BTreeSet, fmt, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use uuid::Uuid;

use crate::{
    assigning::Assignability,
    concern::{Concern, Delay},
    dispatcher::{
        explain::Unfit,
        guard::{Guard, Sample},
        pricing::{Market, SkillClass, Skills},
        queries::{
            AdviceCounts, AdviceQuery, Availability, AvailabilityQuery, CandidatesQuery, DispatcherCounts,
            FleetQuery, NearbyMechanic, NearestQuery, OnlineMechanic, OutlookQuery, PricesQuery,
        },
    },
    engine::AssignmentCandidate,
    eta::{EtaSource, TripEstimate},
    experience::{Calibration, HoldCounts, HoldReport, StarvingCategory},
    geo::{Bounds, Squares},
    ids::{CommandId, JobId, MechanicId, OfferId, UserId, VehicleId},
    job::{
        fee::{FeeQuote, FeeReason},
        state::{
            Actor, BrokenRule, Destination, Ineligibility, ItemStatus, JobDetails, JobSpec, JobSummary,
            OnAccount, Receiver, Refusal, Status, TowFault, Urgency, Wanted, Workshop,
        },
    },
    mechanic::state::{Fix, Located, Ping, PointFault, PositionSource, TrailPoint},
    messages::Demand,
    observe::EngineCounts,
    offer::{OrderedPlace, OrderedVehicle, PartnerOrder, PlaceContact},
    outbound::{DispatchProgress, Nudge, Outlook, Sighting, WaitReason},
    ports::{Advice, JobToCreate, OfferCard, OfferStatus, Surroundings},
    protocol::{EndParking, EstimateQuery, OpenJob, OutlookAt, Park},
    settings::{SearchOverrides, SearchPolicy},
    simulation::world::{self, CENTRE, category, morning, north, spec},
    vehicle::VehicleType,
};

/// Serialises a value and reads it back.
pub(crate) fn assert_same_after_sending<T>(value: &T)
where
    T: fmt::Debug + PartialEq + Serialize + DeserializeOwned,
{
    let json = serde_json::to_string(value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    let read = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
    assert_eq!(*value, read, "{json}");
}

/// Returns a value of each variant. Does not compile if a variant is missing.
macro_rules! one_of_each {
    ($kind:ident { $($variant:ident $(($($parts:tt)*))? $({ $($fields:tt)* })?),+ $(,)? }) => {{
        let _is_complete = |value: &$kind| match value { $($kind::$variant { .. } => ()),+ };
        vec![$($kind::$variant $(($($parts)*))? $({ $($fields)* })?),+]
    }};
}

pub(crate) use one_of_each;

fn user() -> UserId {
    UserId(Uuid::from_u128(1))
}

fn job() -> JobId {
    JobId(Uuid::from_u128(2))
}

fn mechanic() -> MechanicId {
    MechanicId(Uuid::from_u128(3))
}

/// Returns a time with a fraction of a second.
fn later() -> DateTime<Utc> {
    morning() + TimeDelta::microseconds(1_234_567)
}

fn summary() -> JobSummary {
    JobSummary {
        category_name: "Flat tyre".to_owned(),
        category_slug: "flat-tyre".to_owned(),
        vehicle_make: "Bajaj".to_owned(),
        vehicle_model: "Pulsar".to_owned(),
        description: Some("The rear one, \"again\" – ಪಂಕ್ಚರ್".to_owned()),
        photo_count: 2,
        order: Some(Arc::new(order())),
    }
}

fn order() -> PartnerOrder {
    let contact = PlaceContact { name: "Ravi".to_owned(), phone: "+919845000000".to_owned() };
    PartnerOrder {
        name: "Bharat Insurance".to_owned(),
        purchase_order: Some("PO-7".to_owned()),
        photos_required: 3,
        shows_prices: true,
        notes: Some("The gate is locked".to_owned()),
        place: OrderedPlace {
            location_type: Some("basement".to_owned()),
            clearance_cm: Some(190),
            keys_at: Some("The guard".to_owned()),
            is_attended: Some(false),
            pickup_contact: Some(contact.clone()),
            dropoff_contact: Some(contact),
        },
        vehicle: OrderedVehicle {
            vin: Some("MA3".to_owned()),
            weight_kg: Some(900),
            ..OrderedVehicle::default()
        },
    }
}

pub(crate) fn destination() -> Destination {
    Destination {
        place: north(5_000.0),
        address: "Hosur Road, \"beside the mill\"".to_owned(),
        workshop: Some(Workshop { id: Uuid::from_u128(61), name: "Lakshmi Motors".to_owned() }),
        receiver: Receiver { name: Some("Anil".to_owned()), phone: Some("+919800000001".to_owned()) },
        distance_m: 6_400,
        duration_s: 900,
    }
}

fn search() -> SearchPolicy {
    let over = SearchOverrides {
        rings_m: Some(vec![1_500.5, 9_000.0]),
        round_widths: Some(vec![1, 4]),
        max_rounds: Some(7),
        offer_ttl: Some(TimeDelta::milliseconds(20_500)),
        attempt_ttl: Some(TimeDelta::minutes(9)),
        urgent_first_round: Some(3),
        in_time: Some(TimeDelta::minutes(45)),
        worth_s: Some(-1),
    };
    world::search().with(over)
}

fn job_spec() -> JobSpec {
    spec(VehicleId(Uuid::from_u128(5)), north(12.5), morning())
}

fn estimate() -> TripEstimate {
    TripEstimate { eta_s: 420, base_s: 405, distance_m: 2_002, source: EtaSource::OsrmLearned }
}

fn fix() -> Fix {
    Fix {
        point: north(700.0),
        seq: 41,
        accuracy_m: Some(8.25),
        speed_mps: Some(7.5),
        heading: None,
        recorded_at: morning(),
        received_at: later(),
        is_implausible: true,
        source: PositionSource::App,
    }
}

fn demand() -> Demand {
    Demand {
        attempt: 2,
        round: 3,
        offers: 1,
        has_offer: true,
        pickup: CENTRE,
        vehicle_type: VehicleType::TwoWheeler,
        category_id: category(),
        urgency: Urgency::Accident,
        waiting_since: later(),
        excluded: BTreeSet::from([mechanic()]),
        search: Arc::new(search()),
    }
}

#[test]
fn a_new_job_with_all_its_fields_survives() {
    let spec = JobSpec {
        summary: Arc::new(summary()),
        urgency: Urgency::Highway,
        begin_at: later(),
        destination: Some(Arc::new(destination())),
        destination_price_paise: 6_000,
        on_account: Some(OnAccount { case_id: Uuid::from_u128(10), cover_paise: Some(200_000) }),
        search: Arc::new(search()),
        ..job_spec()
    };
    let details = JobDetails {
        pickup_address: "80 Feet Road".to_owned(),
        description: Some("The rear one".to_owned()),
        photo_urls: vec!["https://files.example/1".to_owned()],
        beneficiary_name: Some("Asha".to_owned()),
        beneficiary_phone: Some("+919812345678".to_owned()),
        contact_preference: "both".to_owned(),
        vehicle_color: Some("red".to_owned()),
        vehicle_registration_number: "KA01AB1234".to_owned(),
        scheduled_for: Some(later()),
        most_open_jobs: Some(3),
    };
    let (excluded, idempotency) = (BTreeSet::from([mechanic()]), Some(Uuid::from_u128(9)));
    assert_same_after_sending(&JobToCreate { id: job(), spec, details, excluded, idempotency });
    assert_same_after_sending(&bare_job());
}

fn bare_job() -> JobToCreate {
    JobToCreate {
        id: job(),
        spec: job_spec(),
        details: JobDetails::default(),
        excluded: BTreeSet::new(),
        idempotency: None,
    }
}

/// The issuers of commands that a release without partners knows.
#[derive(Debug, PartialEq, Deserialize)]
enum EarlierActor {
    Customer(UserId),
    Mechanic(UserId),
    Admin(UserId),
    System,
}

#[derive(Debug, PartialEq, Deserialize)]
struct EarlierOpenJob {
    by: EarlierActor,
}

#[test]
fn a_leader_that_knows_no_partners_makes_no_job_of_theirs() {
    let read = |by| {
        let open = OpenJob { command: CommandId(Uuid::from_u128(11)), by, new: Box::new(bare_job()) };
        let json = serde_json::to_string(&open).expect("JSON");
        serde_json::from_str::<EarlierOpenJob>(&json).ok()
    };
    let by = EarlierActor::Customer(user());
    assert_eq!(read(Actor::Customer(user())), Some(EarlierOpenJob { by }));
    assert_eq!(read(Actor::Partner(user())), None, "it would leave out who pays");
}

#[test]
fn every_refusal_survives() {
    let refusals = one_of_each! { Refusal {
        NotFound,
        NotYours,
        InvalidTransition { from: Status::EnRoute, wanted: Wanted::StartWork },
        OfferTaken,
        OfferExpired,
        MechanicBusy,
        VehicleBusy,
        TooManyOpenJobs { most: 3 },
        VehicleGone,
        CategoryGone,
        CaseNotOpen,
        NotACustomer,
        NotEligible(Ineligibility::NotVerified),
        RulesBroken(BrokenRule::ALL.to_vec()),
        FeeChanged { fee_paise: 5_000 },
        FreeCancellationsUsed,
        BeyondCover { left_paise: 700 },
        TooManyCorrections,
        JobChanged,
        MovedTooFar { limit_m: 2_000.5 },
        NotAtPlace { distance_m: 812.25, limit_m: 300.0 },
        PriceChanged { price_paise: 34_000 },
        WrongStartCode { left: 4 },
        StartLocked { wait_s: 600 },
        TooFar { distance_m: Some(151.5), limit_m: 150.0 },
        NotDelivered { distance_m: Some(151.5), limit_m: 150.0 },
        NoPosition,
        NoLongerFits,
        TooEarly { from: later() },
        TooLate { until: later() },
        NoSuchItem,
        ItemDecided(ItemStatus::Rejected),
        ItemChanged { version: 2, total_paise: -150 },
        TooManyItems,
        PriceOutOfRange,
        DiscountTooLarge,
        TowIsFixed,
        TowWithoutDestination,
        HasDestination,
        TowUndecided,
        NoDestination,
        VehicleLoaded,
        NotTowed(TowFault::NoReceiver),
        PendingApproval { undecided: 2 },
        StaleProposal,
        StaleFinding,
        NothingDue,
        AlreadyDone,
        Unavailable("no connection".to_owned()),
        OutcomeUnknown("no answer".to_owned()),
    } };
    refusals.iter().for_each(assert_same_after_sending);
    assert_same_after_sending(&Refusal::TooFar { distance_m: None, limit_m: 150.0 });
    for wanted in Wanted::ALL {
        assert_same_after_sending(&Refusal::InvalidTransition { from: Status::Paid, wanted });
    }
}

#[test]
fn positions_and_their_outcomes_survive() {
    let ping = Ping {
        seq: 40,
        point: CENTRE,
        accuracy_m: None,
        speed_mps: Some(0.5),
        heading: Some(271.0),
        recorded_at: later(),
        is_mock: true,
    };
    assert_same_after_sending(&ping);
    assert_same_after_sending(&TrailPoint {
        job_id: job(),
        mechanic_id: mechanic(),
        ping,
        recorded_at: later(),
        received_at: morning(),
        is_implausible: false,
    });
    let located = Located {
        accepted: 3,
        duplicates: 1,
        rejected: vec![
            (38, PointFault::TooOld),
            (39, PointFault::RecordedInTheFuture),
            (40, PointFault::NoFix),
        ],
        last_seq: Some(41),
        next_interval_s: 5,
        ..Located::default()
    };
    assert_same_after_sending(&located);
    // Fields that the actor keeps to itself are not sent.
    let own = Located { moved: true, trail: Vec::new(), ..located.clone() };
    assert_eq!(serde_json::to_value(&own).unwrap(), serde_json::to_value(&located).unwrap());
}

#[test]
fn announcements_survive() {
    assert_same_after_sending(&OfferCard {
        id: OfferId(Uuid::from_u128(4)),
        job_id: job(),
        mechanic_id: mechanic(),
        mechanic_user: user(),
        status: OfferStatus::Revoked,
        round: 2,
        distance_m: 2_002,
        eta_s: 420,
        eta_source: EtaSource::Osrm,
        estimated_price_paise: 34_000,
        category: Uuid::from_u128(7),
        vehicle_type: VehicleType::Commercial,
        pickup: CENTRE,
        destination: Some(destination().offered()),
        urgency: Urgency::Normal,
        summary: Arc::new(summary()),
        created_at: morning(),
        expires_at: later(),
    });
    for (expected_wait_s, reason) in [(Some(1_260), WaitReason::Held), (None, WaitReason::NobodyOnline)] {
        assert_same_after_sending(&Outlook {
            expected_wait_s,
            chance_permille: 850,
            in_time_s: 1_800,
            reason,
        });
    }
    assert_same_after_sending(&Advice {
        centre: CENTRE,
        radius_m: 900.0,
        drive_s: 300,
        here: Surroundings { calls_per_hour: 0.25, mechanics: 4 },
        there: Surroundings { calls_per_hour: 1.5, mechanics: 0 },
        until: later(),
    });
    for estimate in [Some(estimate()), None] {
        assert_same_after_sending(&Sighting { job_id: job(), mechanic_id: mechanic(), fix: fix(), estimate });
    }
    let (customer, round) = (user(), 2);
    let progress =
        DispatchProgress { job_id: job(), customer, round, radius_m: 5_500.0, mechanics_offered: 3 };
    assert_same_after_sending(&progress);
    let delay = Delay { concern: Concern::MovingAway, since: later() };
    assert_same_after_sending(&Nudge { mechanic: user(), job_id: job(), delay });
}

#[test]
fn requests_and_answers_survive() {
    let (pickup, vehicle_type, category_id, within_m) = (CENTRE, VehicleType::ThreeWheeler, category(), 9e3);
    assert_same_after_sending(&AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most: 50 });
    assert_same_after_sending(&NearestQuery { pickup, vehicle_type, category_id, within_m, k: 10 });
    let supply = AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most: 1 };
    let (urgency, search) = (Urgency::Highway, demand().search);
    let outlook = OutlookAt { pickup, vehicle_type, category_id, urgency, search };
    assert_same_after_sending(&EstimateQuery { supply, outlook });
    let label = Some("My workshop".to_owned());
    assert_same_after_sending(&Park { mechanic: mechanic(), place: CENTRE, label });
    assert_same_after_sending(&EndParking { mechanic: mechanic() });
    assert_same_after_sending(&PricesQuery);
    assert_same_after_sending(&AdviceQuery(mechanic()));
    assert_same_after_sending(&OutlookQuery {
        job_id: Some(job()),
        demand: demand(),
        asked: vec![mechanic()],
    });
    assert_same_after_sending(&CandidatesQuery { demand: demand(), within_m, k: 10 });
    assert_same_after_sending(&FleetQuery {
        bounds: Bounds { west: 179.5, south: -1.0, east: -179.5, north: 1.0 },
        most: 2_000,
        squares: Squares { degrees: 0.25 },
    });
    assert_same_after_sending(&Availability {
        count: 2,
        nearest: Some(estimate()),
        cells: vec![CENTRE, CENTRE],
    });
    let misfits = Unfit::ALL.to_vec();
    assert_same_after_sending(&NearbyMechanic { id: mechanic(), misfits: misfits.clone() });
    let (id, point, fresh_until) = (mechanic(), CENTRE, later());
    assert_same_after_sending(&OnlineMechanic { id, point, is_free: true, fresh_until });
    for assignability in [Assignability::Yes, Assignability::WithReason, Assignability::No] {
        assert_same_after_sending(&AssignmentCandidate {
            id: mechanic(),
            last: fix(),
            estimate: estimate(),
            job: Some(job()),
            misfits: misfits.clone(),
            assignability,
        });
    }
    for free_until in [Some(later()), None] {
        assert_same_after_sending(&FeeQuote { fee_paise: 5_000, reason: FeeReason::OnTheWay, free_until });
    }
}

#[test]
fn figures_for_operators_survive() {
    let mut guard = Guard::default();
    guard.note(Sample { online: 9, busy: 4, held_jobs: 2, beside: 3 });
    guard.adjust();
    let skills = Skills {
        categories: Arc::new(BTreeSet::from([category()])),
        vehicle_types: Arc::new(VehicleType::ALL.into()),
    };
    let holds = HoldCounts { justified: 5, free: 2, wasted: 1 };
    assert_same_after_sending(&Market {
        near: CENTRE,
        classes: vec![SkillClass { skills, mechanics: 9, free: 5, price: 0.75, calls_per_s: 0.5, load: 4.5 }],
        guard,
        holds,
    });
    let starving = vec![StarvingCategory { category_id: category(), since: later() }];
    assert_same_after_sending(&HoldReport { ended: holds, open: 3, uncounted: 4, starving });
    let mut calibration = Calibration::default();
    calibration.learn(850, true);
    assert_same_after_sending(&calibration);
    let advice = AdviceCounts { given: 9, followed: 5, stayed: 2, cut_short: 1 };
    let dispatcher = DispatcherCounts { waiting_jobs: 3, passes: 100, advice, ..Default::default() };
    assert_same_after_sending(&EngineCounts { job_actors: 7, mechanic_actors: 8, dispatcher });
}

#[test]
fn spans_of_time_are_whole_milliseconds_and_impossible_ones_are_refused() {
    let mut sent = serde_json::to_value(search()).unwrap();
    assert_eq!((&sent["offer_ttl"], &sent["over"]["offer_ttl"]), (&json!(20_500), &json!(20_500)));
    sent["offer_ttl"] = json!(i64::MIN);
    let refused = serde_json::from_value::<SearchPolicy>(sent).unwrap_err().to_string();
    assert!(refused.contains("milliseconds"), "{refused}");
}

#[test]
fn fields_of_a_newer_process_are_ignored_and_missing_optional_fields_are_none() {
    let bare = json!({"seq": 1, "point": {"lat": 1.0, "lng": 2.0, "floor": 3}, "recorded_at": "2026-01-05T08:00:00Z",
        "is_mock": false, "battery": 80});
    let ping: Ping = serde_json::from_value(bare).unwrap();
    assert_eq!((ping.seq, ping.accuracy_m), (1, None));
    assert_eq!(serde_json::from_value::<SearchOverrides>(json!({})).unwrap(), SearchOverrides::default());
}
