use std::sync::Arc;

use super::*;
use crate::{ids::LineItemId, simulation::world::north, wire::tests::destination};

const TOW: LineItemId = LineItemId(Uuid::from_u128(701));

fn load() -> Command {
    Command::Load { mechanic_id: M, photo_urls: vec!["https://files.example/1".to_owned()] }
}

fn with_destination(mut job: Job) -> Job {
    job.spec.destination = Some(Arc::new(destination()));
    job.spec.destination_price_paise = 6_000;
    job
}

fn loaded() -> Job {
    after(&with_destination(in_progress()), load(), at(500))
}

fn handed_over() -> Command {
    ending(Outcome::Towed, Some("https://files.example/2"), Some("Anil"))
}

fn propose(id: LineItemId, paise: i64) -> Command {
    let terms = ItemTerms {
        kind: ItemKind::Tow,
        description: "Towing".to_owned(),
        quantity: 1,
        unit_price_paise: paise,
        photo_url: None,
    };
    let destination = Some(Arc::new(destination()));
    Command::Item(ItemCommand::Propose { mechanic_id: M, id, terms, destination, idempotency: None })
}

/// Proposes work in addition to the tow, under the same id.
fn winch() -> Command {
    let terms = ItemTerms {
        kind: ItemKind::Labour,
        description: "Winching".to_owned(),
        quantity: 1,
        unit_price_paise: 100,
        photo_url: None,
    };
    let id = TOW;
    Command::Item(ItemCommand::Propose { mechanic_id: M, id, terms, destination: None, idempotency: None })
}

fn approve() -> Command {
    Command::Item(ItemCommand::Approve {
        id: TOW,
        quote: ItemQuote { version: 1, total_paise: None },
        on_account: false,
    })
}

fn reject() -> Command {
    Command::Item(ItemCommand::Reject {
        id: TOW,
        quote: ItemQuote { version: 1, total_paise: None },
        on_account: false,
    })
}

#[test]
fn the_estimate_includes_the_way_to_the_destination() {
    assert_eq!(with_destination(pending()).spec.estimated_price_paise(), 40_000);
}

#[test]
fn a_vehicle_is_loaded_once_by_the_mechanic_at_work_and_only_if_it_has_a_destination() {
    let job = with_destination(in_progress());
    let by_other = Command::Load { mechanic_id: OTHER, photo_urls: Vec::new() };
    assert_eq!(decide(&job, &by_other, at(500)), Err(Refusal::NotYours));
    assert_eq!(decide(&in_progress(), &load(), at(500)), Err(Refusal::NoDestination));
    let too_early = Refusal::InvalidTransition { from: Status::Arrived, wanted: Wanted::Load };
    assert_eq!(decide(&with_destination(arrived()), &load(), at(400)), Err(too_early));
    let job = loaded();
    assert_eq!(job.assignment().unwrap().loaded_at, Some(at(500)));
    assert_eq!(job.status(), Status::InProgress);
    assert_eq!(decide(&job, &load(), at(510)), Err(Refusal::AlreadyDone));
}

#[test]
fn a_vehicle_is_loaded_only_after_its_customer_has_decided_about_everything() {
    let job = after(&with_destination(in_progress()), winch(), at(450));
    assert_eq!(decide(&job, &load(), at(500)), Err(Refusal::PendingApproval { undecided: 1 }));
    assert!(decide(&after(&job, approve(), at(460)), &load(), at(500)).is_ok());
}

#[test]
fn the_mechanic_drives_to_the_destination_only_with_the_vehicle() {
    assert_eq!(with_destination(in_progress()).delivers_to(), None);
    assert_eq!(loaded().delivers_to(), Some(north(5_000.0)));
    assert_eq!(after(&loaded(), handed_over(), at(900)).delivers_to(), None);
}

#[test]
fn a_loaded_vehicle_is_handed_over_and_nothing_else() {
    let job = loaded();
    let fault = |job: &Job, command| decide(job, &command, at(900)).err();
    let not_towed = |fault| Some(Refusal::NotTowed(fault));
    for outcome in [Outcome::Fixed, Outcome::NeedsTow, Outcome::NotFixable] {
        assert_eq!(fault(&job, ending(outcome, Some("a"), Some("Anil"))), not_towed(TowFault::IsLoaded));
    }
    assert_eq!(fault(&job, ending(Outcome::Towed, None, Some("Anil"))), not_towed(TowFault::NoPhotos));
    assert_eq!(fault(&job, ending(Outcome::Towed, Some("a"), None)), not_towed(TowFault::NoReceiver));
    assert_eq!(fault(&with_destination(in_progress()), handed_over()), not_towed(TowFault::NotLoaded));
    assert_eq!(fault(&job, release(M)), Some(Refusal::VehicleLoaded));
    assert_eq!(fault(&job, no_show()), Some(Refusal::VehicleLoaded));
    assert_eq!(fault(&job, release(OTHER)), Some(Refusal::NotYours));
    let job = after(&job, handed_over(), at(900));
    let completion = job.completion().unwrap();
    assert_eq!((completion.outcome, completion.received_by.as_deref()), (Outcome::Towed, Some("Anil")));
    assert_eq!(completion.final_price_paise, 40_000);
}

#[test]
fn a_vehicle_is_handed_over_near_its_destination_or_with_a_logged_reason() {
    let handed_over = |distance_m, reason: Option<&str>| {
        let mut command = handed_over();
        let Command::Complete { drop_off, .. } = &mut command else { panic!("no completion") };
        let override_reason = reason.map(str::to_owned);
        *drop_off = DropOff { distance_m, driven_m: Some(700.0), override_reason };
        command
    };
    let limit_m = settings().jobs.arrival_radius_m;
    for distance_m in [None, Some(limit_m + 1.0)] {
        let refused = decide(&loaded(), &handed_over(distance_m, None), at(900));
        assert_eq!(refused, Err(Refusal::NotDelivered { distance_m, limit_m }));
    }
    let cases = [
        (Some(limit_m), None, None),
        (Some(limit_m), Some("not needed"), None),
        (Some(limit_m + 1.0), Some("a closed road"), Some("a closed road")),
        (None, Some("no network"), Some("no network")),
    ];
    for (distance_m, given, kept) in cases {
        let event = decide(&loaded(), &handed_over(distance_m, given), at(900)).unwrap();
        let Event::Completed { drop_off, .. } = event else { panic!("{event:?}") };
        let override_reason = kept.map(str::to_owned);
        assert_eq!(drop_off, Some(DropOff { distance_m, driven_m: Some(700.0), override_reason }));
    }
    // Roadside work has no destination.
    let event = decide(&in_progress(), &complete(), at(900)).unwrap();
    assert!(matches!(event, Event::Completed { drop_off: None, .. }), "{event:?}");
}

#[test]
fn a_vehicle_is_delivered_only_after_a_plausible_travel_time() {
    let may = |job: &Job, seconds| job.may_be_delivered(50.0, at(seconds));
    let loaded = loaded();
    assert!(!may(&loaded, 501) && !may(&loaded, 590), "5 km take 100 s at 50 m/s");
    assert!(may(&loaded, 605));
    assert!(!may(&with_destination(in_progress()), 900), "nothing is loaded");
}

#[test]
fn a_tow_that_did_not_happen_costs_nothing() {
    let fixed = || ending(Outcome::Fixed, None, None);
    let agreed_before = with_destination(in_progress());
    let agreed_there = after(&after(&in_progress(), propose(TOW, 90_000), at(450)), approve(), at(460));
    for (job, before) in [(agreed_before, 40_000), (agreed_there, 124_000)] {
        assert_eq!(job.price_paise(), before);
        let job = after(&job, fixed(), at(900));
        assert_eq!(job.completion().unwrap().final_price_paise, 34_000);
        assert_eq!(job.price_paise(), 34_000);
    }
}

#[test]
fn a_discount_on_a_tow_makes_no_price_negative() {
    let terms = ItemTerms {
        kind: ItemKind::Discount,
        description: "A regular".to_owned(),
        quantity: 1,
        unit_price_paise: 39_000,
        photo_url: None,
    };
    let (id, destination) = (TOW, None);
    let discount = ItemCommand::Propose { mechanic_id: M, id, terms, destination, idempotency: None };
    let job = after(&with_destination(in_progress()), Command::Item(discount), at(450));
    let job = after(&job, approve(), at(460));
    assert_eq!(job.price_paise(), 1_000);
    let job = after(&job, ending(Outcome::Fixed, None, None), at(900));
    assert_eq!(job.completion().unwrap().final_price_paise, 0);
}

#[test]
fn only_the_service_sets_the_price_of_a_tow() {
    let tow = |destination| ItemTerms {
        kind: if destination { ItemKind::Tow } else { ItemKind::Labour },
        description: "Towing".to_owned(),
        quantity: 1,
        unit_price_paise: 900,
        photo_url: None,
    };
    let alone = |terms| {
        Command::Item(ItemCommand::Propose {
            mechanic_id: M,
            id: TOW,
            terms,
            destination: None,
            idempotency: None,
        })
    };
    let refused = Err(Refusal::TowWithoutDestination);
    assert_eq!(decide(&in_progress(), &alone(tow(true)), at(450)), refused);
    let job = after(&in_progress(), alone(tow(false)), at(450));
    let patch = ItemPatch { kind: Some(ItemKind::Tow), ..ItemPatch::default() };
    let amend = Command::Item(ItemCommand::Amend { mechanic_id: M, id: TOW, patch });
    assert_eq!(decide(&job, &amend, at(460)), refused);
}

#[test]
fn an_admin_may_stop_a_tow() {
    let stopped = after(&loaded(), cancel(true, MechanicProgress::default()), at(600));
    assert_eq!(stopped.status(), Status::Cancelled);
}

#[test]
fn an_approved_tow_gives_the_job_its_destination() {
    for job in [arrived(), in_progress()] {
        let job = after(&job, propose(TOW, 90_000), at(450));
        assert_eq!(job.spec.destination, None);
        let job = after(&job, approve(), at(460));
        assert_eq!(job.spec.destination.as_deref(), Some(&destination()));
        assert_eq!((job.price_paise(), job.spec.destination_price_paise), (124_000, 0));
    }
    let rejected = after(&after(&in_progress(), propose(TOW, 90_000), at(450)), reject(), at(460));
    assert_eq!(rejected.spec.destination, None);
    assert!(decide(&rejected, &propose(LineItemId(Uuid::from_u128(702)), 1), at(470)).is_ok());
}

#[test]
fn there_is_one_tow_at_a_time_and_its_price_stays() {
    let other = || propose(LineItemId(Uuid::from_u128(702)), 1);
    assert_eq!(decide(&with_destination(in_progress()), &other(), at(450)), Err(Refusal::HasDestination));
    let job = after(&in_progress(), propose(TOW, 1), at(450));
    assert_eq!(decide(&job, &other(), at(460)), Err(Refusal::TowUndecided));
    let patch = ItemPatch { unit_price_paise: Some(100), ..ItemPatch::default() };
    let amend = Command::Item(ItemCommand::Amend { mechanic_id: M, id: TOW, patch });
    assert_eq!(decide(&job, &amend, at(460)), Err(Refusal::TowIsFixed));
    let withdraw = Command::Item(ItemCommand::Withdraw { mechanic_id: M, id: TOW });
    assert!(decide(&after(&job, withdraw, at(460)), &other(), at(470)).is_ok());
    assert_eq!(decide(&after(&job, approve(), at(460)), &other(), at(470)), Err(Refusal::HasDestination));
}

#[test]
fn the_next_mechanic_begins_without_the_tow_that_the_last_one_proposed() {
    let with_tow = after(&after(&arrived(), propose(TOW, 90_000), at(450)), approve(), at(460));
    let released = after(&with_tow, release(M), at(470));
    assert_eq!(released.spec.destination, None);
    let booked = after(&with_destination(arrived()), release(M), at(470));
    assert!(booked.spec.destination.is_some(), "the customer wanted this from the start");
    let winched = after(&after(&with_destination(arrived()), winch(), at(450)), approve(), at(460));
    assert!(after(&winched, release(M), at(470)).spec.destination.is_some(), "whatever else they approved");
}

#[test]
fn a_moved_pickup_keeps_the_way_to_the_destination_and_its_price() {
    let job = with_destination(pending());
    let moved = |quoted_price_paise| {
        let (point, travel_price_paise) = (north(100.0), 5_000);
        let pickup = Some(NewPickup { point, travel_price_paise, mechanic: None, eta_s: None });
        Command::Correct(Box::new(Correction { pickup, quoted_price_paise, ..Correction::default() }))
    };
    let dearer = Refusal::PriceChanged { price_paise: 41_000 };
    assert_eq!(decide(&job, &moved(None), at(1)), Err(dearer));
    let corrected = after(&job, moved(Some(41_000)), at(1));
    assert_eq!(corrected.spec.estimated_price_paise(), 41_000);
    assert_eq!(corrected.spec.destination, job.spec.destination);
}
