use std::collections::BTreeSet;

use roadcall_actors::{
    concern::{Concern, Delay},
    eta::EtaSource,
    ids::{JobId, LineItemId, MechanicId, OfferId, UserId, VehicleId},
    job::state::{
        Assignment, Cancellation, Completion, ItemKind, ItemStatus, ItemTerms, LineItem, LiveOffer,
        OnAccount, Outcome, Search, Stage,
    },
    simulation::world::{CENTRE, morning, spec},
};

use super::*;

const JOB: Uuid = Uuid::from_u128(1);
const CUSTOMER: UserId = UserId(Uuid::from_u128(2));
const MECHANIC: MechanicId = MechanicId(Uuid::from_u128(3));
const OTHER: MechanicId = MechanicId(Uuid::from_u128(4));
const THING: Uuid = Uuid::from_u128(5);

const BY_CUSTOMER: Actor = Actor::Customer(CUSTOMER);
const BY_MECHANIC: Actor = Actor::Mechanic(UserId(Uuid::from_u128(6)));
const BY_ADMIN: Actor = Actor::Admin(UserId(Uuid::from_u128(7)));
/// The organisation's account is the job's customer.
const BY_PARTNER: Actor = Actor::Partner(CUSTOMER);

fn job(stage: Stage) -> Job {
    let mut spec = spec(VehicleId(Uuid::nil()), CENTRE, morning());
    spec.customer_id = CUSTOMER;
    let mut job = Job::new(JobId(JOB), spec, BTreeSet::new());
    job.stage = stage;
    job
}

fn assignment() -> Assignment {
    Assignment { start_code: Some("0420".to_owned()), ..Assignment::new(MECHANIC, morning()) }
}

fn searching() -> Stage {
    Stage::Dispatching(Search { round: 1, offered_in_round: 0, ends_at: morning(), offers: Vec::new() })
}

fn completion() -> Completion {
    Completion {
        assignment: assignment(),
        outcome: Outcome::Fixed,
        notes: None,
        received_by: None,
        final_price_paise: 29_900,
        at: morning(),
        disputed_at: None,
        resolved_at: None,
    }
}

fn cancelled(assignment: Option<Assignment>) -> Stage {
    let reason_code = "changed_mind".to_owned();
    Stage::Cancelled(Cancellation { assignment, fee_paise: 0, reason_code, reason: None, at: morning() })
}

fn offer(mechanic_id: MechanicId) -> LiveOffer {
    LiveOffer {
        id: OfferId(Uuid::from_u128(mechanic_id.0.as_u128() + 100)),
        mechanic_id,
        round: 1,
        distance_m: 900,
        eta_s: 300,
        eta_base_s: 300,
        eta_source: EtaSource::StraightLine,
        cost_s: 300,
        created_at: morning(),
        expires_at: morning() + chrono::TimeDelta::seconds(20),
    }
}

fn moved(how: ItemChange) -> Event {
    let terms = ItemTerms {
        kind: ItemKind::Part,
        description: "Valve".to_owned(),
        quantity: 1,
        unit_price_paise: 100,
        photo_url: None,
    };
    let item = LineItem {
        id: LineItemId(THING),
        terms,
        destination: None,
        status: ItemStatus::Proposed,
        is_on_account: false,
        version: 1,
        created_at: morning(),
        updated_at: morning(),
    };
    Event::ItemChanged { how, item }
}

fn accepted() -> Event {
    Event::Accepted {
        assignment: assignment(),
        revoked: vec![(offer(OTHER).id, OTHER)],
        answered_at: morning(),
        overridden: None,
    }
}

fn released(by_mechanic: bool) -> Event {
    let (ends_at, round, reason_code) = (morning(), 1, "personal".to_owned());
    Event::Released { mechanic_id: MECHANIC, reason_code, by_mechanic, ends_at, round }
}

/// Makes the event of the watch taking the job, because nothing came from the mechanic's phone.
fn silent() -> Event {
    let (ends_at, round) = (morning(), 1);
    let reason_code = Concern::Dark.reassign_reason().to_owned();
    Event::Released { mechanic_id: MECHANIC, reason_code, by_mechanic: false, ends_at, round }
}

fn cancel() -> Event {
    Event::Cancelled {
        fee_paise: 5_000,
        reason_code: "x".to_owned(),
        reason: None,
        revoked: Vec::new(),
        uses_free: None,
        claimed_paise: None,
    }
}

/// Makes the event of a no-show after an arrival that no position proves.
fn claimed() -> Event {
    Event::Cancelled {
        fee_paise: 0,
        reason_code: "customer_no_show".to_owned(),
        reason: None,
        revoked: Vec::new(),
        uses_free: None,
        claimed_paise: Some(15_000),
    }
}

/// Lists who is notified of what: `c` is the customer, `m` the mechanic on the job, `o` another person.
fn notified(event: DomainEvent<'_>) -> Vec<(char, Kind)> {
    let who = |note: &NewNotification| match note.to {
        Addressee::User(id) if id == CUSTOMER.0 => 'c',
        Addressee::Mechanic(id) if id == MECHANIC.0 => 'm',
        _ => 'o',
    };
    event.notifications().iter().map(|note| (who(note), note.kind)).collect()
}

fn completed_event() -> Event {
    let (notes, photo_urls, received_by) = (None, Vec::new(), None);
    let (final_price_paise, drop_off) = (29_900, None);
    Event::Completed { outcome: Outcome::Fixed, notes, photo_urls, received_by, final_price_paise, drop_off }
}

/// A job's stage after an event, the event, its actor, and who is notified of what.
type Case = (Stage, Event, Actor, Vec<(char, Kind)>);

/// Returns every event that notifies someone, by every actor who may cause it.
fn of_jobs() -> Vec<Case> {
    use Kind::*;
    let at_work = || Stage::InProgress(assignment());
    let delay = Delay { concern: Concern::Dark, since: morning() };
    let slow = Delay { concern: Concern::Slipping, since: morning() };
    let created = || Event::Created { details: Box::default() };
    vec![
        (Stage::Pending, created(), BY_ADMIN, vec![('c', JobCreated)]),
        (Stage::Pending, created(), BY_PARTNER, vec![('c', JobCreated)]),
        (Stage::Pending, created(), BY_CUSTOMER, vec![]),
        (
            searching(),
            Event::OffersMade { offers: vec![offer(MECHANIC), offer(OTHER)] },
            Actor::System,
            vec![('m', JobOffer), ('o', JobOffer)],
        ),
        (Stage::Accepted(assignment()), accepted(), BY_MECHANIC, vec![('c', JobAccepted)]),
        (Stage::Accepted(assignment()), accepted(), BY_ADMIN, vec![('c', JobAccepted), ('m', JobAssigned)]),
        (
            Stage::NoMechanicFound { until: morning() },
            Event::Exhausted { until: morning() },
            Actor::System,
            vec![('c', NoMechanicFound)],
        ),
        (Stage::EnRoute(assignment()), Event::WentEnRoute, BY_MECHANIC, vec![('c', JobEnRoute)]),
        (
            Stage::EnRoute(assignment()),
            Event::Delayed(delay),
            Actor::System,
            vec![('c', JobDelayed), ('m', JobSilent)],
        ),
        (Stage::EnRoute(assignment()), Event::Delayed(slow), Actor::System, vec![('c', JobDelayed)]),
        (Stage::EnRoute(assignment()), Event::HandedOver, BY_MECHANIC, vec![]),
        (Stage::EnRoute(assignment()), Event::CameBack, BY_MECHANIC, vec![]),
        (
            Stage::Arrived(assignment()),
            Event::Arrived { distance_m: None, override_reason: None },
            BY_MECHANIC,
            vec![('c', JobArrived)],
        ),
        (at_work(), Event::Started, BY_MECHANIC, vec![('c', JobStarted)]),
        (at_work(), Event::Loaded { photo_urls: Vec::new() }, BY_MECHANIC, vec![('c', JobLoaded)]),
        (at_work(), moved(ItemChange::Proposed), BY_MECHANIC, vec![('c', LineItemProposed)]),
        (at_work(), moved(ItemChange::Approved), BY_CUSTOMER, vec![('m', LineItemApproved)]),
        (at_work(), moved(ItemChange::Rejected), BY_CUSTOMER, vec![('m', LineItemRejected)]),
        (at_work(), moved(ItemChange::Amended), BY_MECHANIC, vec![]),
        (at_work(), moved(ItemChange::Withdrawn), BY_MECHANIC, vec![]),
        (Stage::Completed(completion()), completed_event(), BY_MECHANIC, vec![('c', JobCompleted)]),
        (Stage::Paid(completion()), Event::Paid, Actor::System, vec![('m', JobPaid)]),
        (Stage::Paid(completion()), Event::Paid, BY_CUSTOMER, vec![('m', JobPaid)]),
        (Stage::Paid(completion()), Event::Paid, BY_MECHANIC, vec![]),
        (searching(), released(true), BY_MECHANIC, vec![('c', JobReleased)]),
        (searching(), released(false), Actor::System, vec![('c', JobReleased), ('m', JobReassigned)]),
        (searching(), released(false), BY_ADMIN, vec![('c', JobReleased), ('m', JobReassigned)]),
        (searching(), silent(), Actor::System, vec![('c', JobReleased), ('m', JobLostBySilence)]),
        (cancelled(Some(assignment())), cancel(), BY_CUSTOMER, vec![('m', JobCancelled)]),
        (cancelled(Some(assignment())), cancel(), BY_MECHANIC, vec![('c', JobCancelled)]),
        (cancelled(Some(assignment())), cancel(), BY_ADMIN, vec![('c', JobCancelled), ('m', JobCancelled)]),
        (cancelled(None), cancel(), BY_CUSTOMER, vec![]),
        (cancelled(None), cancel(), Actor::System, vec![('c', JobCancelled)]),
        (cancelled(Some(assignment())), claimed(), BY_MECHANIC, vec![('c', NoShowReported)]),
        (cancelled(Some(assignment())), Event::NoShowContested, BY_CUSTOMER, vec![('m', NoShowContested)]),
        (
            cancelled(Some(assignment())),
            Event::NoShowDecided { fee_paise: 0 },
            BY_ADMIN,
            vec![('c', NoShowDecided), ('m', NoShowDecided)],
        ),
        (Stage::Disputed(completion()), Event::Disputed, BY_CUSTOMER, vec![('m', DisputeOpened)]),
        (Stage::Disputed(completion()), Event::Disputed, BY_MECHANIC, vec![('c', DisputeOpened)]),
        (
            Stage::Resolved(completion()),
            Event::Resolved,
            BY_ADMIN,
            vec![('c', DisputeResolved), ('m', DisputeResolved)],
        ),
        (searching(), Event::Began { ends_at: morning(), round: 1 }, Actor::System, vec![]),
        (Stage::Accepted(assignment()), corrected(), BY_CUSTOMER, vec![('m', JobCorrected)]),
        (searching(), corrected(), BY_CUSTOMER, vec![]),
        (
            searching(),
            Event::Retried { ends_at: morning(), round: 1, most_open_jobs: None },
            BY_CUSTOMER,
            vec![],
        ),
        (Stage::EnRoute(assignment()), Event::Recovered { concern: Concern::Dark }, Actor::System, vec![]),
        (Stage::Arrived(assignment()), Event::WrongCodeEntered { locked_until: None }, BY_MECHANIC, vec![]),
        (Stage::Completed(completion()), Event::PaymentChanged { payment_id: THING }, Actor::System, vec![]),
    ]
}

fn corrected() -> Event {
    Event::Corrected { details: Box::default(), summary: None, pickup: None, time: None, search: None }
}

fn others() -> Vec<(DomainEvent<'static>, (char, Kind))> {
    use Kind::*;
    let of = PaymentOf { payment_id: THING, job_id: Some(JOB), customer_id: CUSTOMER.0 };
    let upi = UpiOf { profile_id: MECHANIC.0, upi_account_id: THING };
    let withdrawal = WithdrawalOf { profile_id: MECHANIC.0, withdrawal_id: THING };
    let (to, job_id) = (Addressee::User(CUSTOMER.0), JOB);
    let parking = |why| DomainEvent::ParkingEnded { profile_id: MECHANIC.0, why };
    let prospect = |prospect| DomainEvent::SearchProspect { customer_id: CUSTOMER.0, job_id, prospect };
    vec![
        (DomainEvent::PaymentCaptured(of), ('c', PaymentCaptured)),
        (DomainEvent::PaymentFailed(of), ('c', PaymentFailed)),
        (DomainEvent::SurplusReturned { refund_id: THING, of }, ('c', SurplusReturned)),
        (DomainEvent::DisputeStatement { to, job_id }, ('c', DisputeStatement)),
        (DomainEvent::DisputePaid { profile_id: MECHANIC.0, job_id }, ('m', DisputePaid)),
        (DomainEvent::TowDecided { profile_id: MECHANIC.0, job_id }, ('m', TowDecided)),
        (DomainEvent::RefundProcessed { refund_id: THING, of }, ('c', RefundProcessed)),
        (DomainEvent::RefundFailed { refund_id: THING, of }, ('c', RefundFailed)),
        (DomainEvent::MechanicVerified(MECHANIC.0), ('m', MechanicVerified)),
        (DomainEvent::MechanicRejected(MECHANIC.0), ('m', MechanicRejected)),
        (
            DomainEvent::MechanicSuspended { profile_id: MECHANIC.0, reason: "Papers" },
            ('m', MechanicSuspended),
        ),
        (DomainEvent::MechanicReinstated(MECHANIC.0), ('m', MechanicReinstated)),
        (DomainEvent::MechanicChangeApproved(MECHANIC.0), ('m', MechanicChangeApproved)),
        (
            DomainEvent::MechanicChangeRejected { profile_id: MECHANIC.0, reason: "Papers" },
            ('m', MechanicChangeRejected),
        ),
        (
            DomainEvent::GrievanceAnswered { user_id: CUSTOMER.0, grievance_id: THING },
            ('c', GrievanceAnswered),
        ),
        (DomainEvent::UpiVerified(upi), ('m', UpiVerified)),
        (DomainEvent::UpiNameMismatch(upi), ('m', UpiNameMismatch)),
        (DomainEvent::UpiInvalid(upi), ('m', UpiInvalid)),
        (DomainEvent::UpiApproved(upi), ('m', UpiApproved)),
        (DomainEvent::UpiRejected(upi), ('m', UpiRejected)),
        (DomainEvent::WithdrawalPaid(withdrawal), ('m', WithdrawalPaid)),
        (DomainEvent::WithdrawalFailed(withdrawal), ('m', WithdrawalFailed)),
        (DomainEvent::WithdrawalReversed(withdrawal), ('m', WithdrawalReversed)),
        (DomainEvent::RatingReceived { to, job_id }, ('c', RatingReceived)),
        (DomainEvent::ChatMessage { to, job_id, message_id: THING }, ('c', ChatMessage)),
        (
            DomainEvent::CallIncoming { to, job_id, call_id: THING, rings_until: morning() },
            ('c', CallIncoming),
        ),
        (DomainEvent::CallMissed { to, job_id, call_id: THING }, ('c', CallMissed)),
        (prospect(Prospect::Long), ('c', SearchLong)),
        (prospect(Prospect::Unserved), ('c', SearchUnserved)),
        (prospect(Prospect::Short), ('c', SearchShorter)),
        (DomainEvent::MechanicNear { customer_id: CUSTOMER.0, job_id }, ('c', JobNear)),
        (DomainEvent::CallbackNotReached { customer_id: CUSTOMER.0, job_id }, ('c', CallbackNotReached)),
        (parking(ParkingEnd::Over), ('m', ParkingOver)),
        (parking(ParkingEnd::Left), ('m', ParkingLeft)),
        (parking(ParkingEnd::Unanswered), ('m', ParkingUnanswered)),
    ]
}

#[test]
fn a_jobs_events_notify_the_other_side_and_never_their_actor() {
    for (stage, event, by, expected) in of_jobs() {
        let job = job(stage);
        assert_eq!(
            notified(DomainEvent::Job { job: &job, event: &event, by }),
            expected,
            "{event:?} by {by:?}"
        );
    }
}

#[test]
fn events_apart_from_jobs_notify_the_people_concerned() {
    for (event, expected) in others() {
        assert_eq!(notified(event), [expected], "{event:?}");
    }
}

fn interrupted() -> DomainEvent<'static> {
    const ADMINS: [Uuid; 2] = [Uuid::from_u128(7), Uuid::from_u128(8)];
    DomainEvent::WorkInterrupted { job_id: JOB, customer_id: CUSTOMER.0, admins: &ADMINS }
}

#[test]
fn interrupted_work_notifies_the_customer_and_every_admin() {
    let admin = ('o', Kind::JobNeedsAdmin);
    assert_eq!(notified(interrupted()), [('c', Kind::JobInterrupted), admin, admin]);
}

#[test]
fn the_account_of_an_organisation_is_notified_of_what_the_helped_person_is_texted_and_of_nothing_else() {
    const TEXTED: [Kind; 4] = [Kind::JobCreated, Kind::JobAccepted, Kind::JobArrived, Kind::JobCompleted];
    for (stage, event, by, expected) in of_jobs() {
        let mut job = job(stage);
        job.spec.on_account = Some(OnAccount { case_id: THING, cover_paise: None });
        let expected: Vec<_> =
            expected.into_iter().filter(|(who, kind)| *who != 'c' || TEXTED.contains(kind)).collect();
        assert_eq!(
            notified(DomainEvent::Job { job: &job, event: &event, by }),
            expected,
            "{event:?} by {by:?}"
        );
    }
}

#[test]
fn a_mechanic_who_stops_waiting_is_not_notified_of_that() {
    let ended = DomainEvent::ParkingEnded { profile_id: MECHANIC.0, why: ParkingEnd::OwnWish };
    assert!(ended.notifications().is_empty());
}

#[test]
fn every_kind_is_used() {
    let of_jobs = of_jobs().into_iter().flat_map(|(_, _, _, expected)| expected);
    let others = others().into_iter().map(|(_, expected)| expected).chain(notified(interrupted()));
    let all: BTreeSet<Kind> = of_jobs.chain(others).map(|(_, kind)| kind).collect();
    assert_eq!(all, Kind::ALL.iter().copied().collect());
}

#[test]
fn an_offer_is_urgent_and_expires_and_names_its_job() {
    let (job, made) = (job(searching()), offer(MECHANIC));
    let event = Event::OffersMade { offers: vec![made.clone()] };
    let notes = DomainEvent::Job { job: &job, event: &event, by: Actor::System }.notifications();
    assert_eq!(notes[0].expires_at, Some(made.expires_at));
    assert_eq!(notes[0].data, BTreeMap::from([("job_id", JOB), ("offer_id", made.id.0)]));
    assert!(notes[0].kind.is_urgent());
    for kind in Kind::ALL {
        let wakes = matches!(kind, Kind::JobOffer | Kind::JobAssigned | Kind::JobSilent | Kind::CallIncoming);
        assert_eq!(kind.is_urgent(), wakes, "{kind}");
    }
}

#[test]
fn data_names_the_objects_of_the_event() {
    let of = PaymentOf { payment_id: THING, job_id: None, customer_id: CUSTOMER.0 };
    let fees = DomainEvent::PaymentCaptured(of).notifications();
    assert_eq!(fees[0].data, BTreeMap::from([("payment_id", THING)]));
    let refund = DomainEvent::RefundProcessed { refund_id: JOB, of }.notifications();
    assert_eq!(refund[0].data, BTreeMap::from([("payment_id", THING), ("refund_id", JOB)]));
    let (job, event) = (job(Stage::InProgress(assignment())), moved(ItemChange::Proposed));
    let item = DomainEvent::Job { job: &job, event: &event, by: BY_MECHANIC }.notifications();
    assert_eq!(item[0].data, BTreeMap::from([("job_id", JOB), ("line_item_id", THING)]));
}
