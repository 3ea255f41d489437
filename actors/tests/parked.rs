//! Tests of mechanics who wait at a place with a dark phone, under paused time.

use std::time::Duration;

use chrono::TimeDelta;
use roadcall_actors::{
    dispatcher::explain::Verdict,
    ids::MechanicId,
    job::state::{Command, Refusal, Status},
    ports::{Announcement, OfferStatus},
    simulation::{
        World,
        world::{CENTRE, north},
    },
};

/// Returns a mechanic who waits 1 km away and whose phone is dark from then on.
async fn parked() -> (World, MechanicId) {
    tokio::time::pause();
    let world = World::new();
    let id = world.mechanic();
    world.engine.park(id, north(1_000.0), None).await.expect("a verified mechanic");
    (world, id)
}

fn is_parked(world: &World, id: MechanicId) -> bool {
    world.journal.mechanic(id).expect("a mechanic").parked.is_some()
}

#[actix::test]
async fn a_dark_phone_is_offered_a_job_after_hours_and_has_longer_to_answer() {
    let (mut world, id) = parked().await;
    world.pass_s(3 * 3600).await;
    let job = world.job_at(CENTRE).await;
    let row = world.offered(job, id).await;
    assert_eq!(row.offer.expires_at - row.offer.created_at, TimeDelta::seconds(90));
    let explained = world.journal.explanations(job).pop().expect("an explanation");
    let Verdict::Offered(terms) = explained.considered[0].verdict else { panic!("{explained:?}") };
    assert_eq!(terms.parked_s, 60);
    assert_eq!(terms.cost_s, i64::from(terms.eta_s) + terms.refusal_s + terms.idle_s + 60);
    world.pass_s(80).await;
    world.accept(&row).await.expect("in time");
    world.pass_s(1).await;
    let sightings = world.outbound.all().into_iter().filter_map(|report| match report {
        Announcement::Located(sighting) if sighting.job_id == job => Some(sighting),
        _ => None,
    });
    let first = sightings.last().expect("the customer sees where they set out from");
    assert_eq!((first.fix.point, first.estimate.is_some()), (north(1_000.0), true));
    // From now on silence counts as for everybody: the customer is informed, and the job goes on.
    let limit = Duration::from_secs(600);
    world.until("somebody else is sought", limit, |world| world.status(job) == Status::Dispatching).await;
    world.ping(id, north(1_000.0)).await.expect("they are back");
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_with_a_fresh_position_comes_first_and_has_the_usual_time() {
    let (mut world, waiting) = parked().await;
    let present = world.mechanic_at(north(1_100.0)).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, present).await.offer;
    assert_eq!(offer.expires_at - offer.created_at, world.search.offer_ttl);
    assert!(is_parked(&world, waiting));
    // With a fresh position a parked mechanic is treated like any other.
    world.ping(waiting, north(1_050.0)).await.expect("a position");
    world.ping(present, north(9_000.0)).await.expect("a position");
    world
        .order(job, Command::Decline { offer_id: offer.id, mechanic_id: present, reason: None })
        .await
        .unwrap();
    let offer = world.offered(job, waiting).await.offer;
    assert_eq!(offer.expires_at - offer.created_at, world.search.offer_ttl);
}

#[actix::test]
async fn two_unanswered_offers_end_parking_across_a_restart() {
    let (mut world, id) = parked().await;
    for round in 1..=2 {
        let job = world.job_at(north(f64::from(round) * 10.0)).await;
        let offer = world.offered(job, id).await.offer;
        world.order(job, Command::EnRoute { mechanic_id: id }).await.expect_err("not theirs");
        world.pass_s(92).await;
        assert_eq!(world.journal.offer(offer.id).expect("a row").status, OfferStatus::Expired);
        world.cancel(job).await.expect("it searches");
        world.restart().await;
        world.pass_s(1).await;
    }
    // After a start, mechanics have some time to send a position.
    world.pass_s(16 * 60).await;
    let mechanic = world.journal.mechanic(id).expect("a mechanic");
    assert_eq!((mechanic.parked, mechanic.available), (None, false), "nobody waits for a phone that is off");
}

#[actix::test]
async fn a_mechanic_who_leaves_the_place_is_no_longer_parked() {
    let (mut world, id) = parked().await;
    world.pass_s(600).await;
    world.ping(id, north(3_000.0)).await.expect("a position");
    world.until("it ends", Duration::from_secs(10), |world| !is_parked(world, id)).await;
    assert!(world.engine.mechanic(id).await.expect("a mechanic").available, "they are online where they are");
}

#[actix::test]
async fn parking_ends_by_the_mechanics_word_with_their_availability_and_after_a_while() {
    let (mut world, id) = parked().await;
    world.pass_s(3600).await;
    world.engine.end_parking(id).await.expect("their word");
    assert!(!is_parked(&world, id));
    world.pass_s(60).await;
    assert!(
        world.engine.mechanic(id).await.expect("a mechanic").available,
        "they have time to send a position"
    );
    world.engine.end_parking(id).await.expect("again changes nothing");

    world.engine.park(id, north(500.0), None).await.expect("elsewhere");
    world.engine.set_availability(id, false).await.expect("off");
    assert!(!is_parked(&world, id));

    world.engine.park(id, north(500.0), None).await.expect("on again");
    world.ping(id, north(500.0)).await.expect("a position");
    let refused = world.engine.park(id, CENTRE, None).await;
    assert!(matches!(refused, Err(Refusal::NotAtPlace { .. })), "{refused:?}");
    world.restart().await;
    world.pass_s(12 * 3600 - 10).await;
    assert!(is_parked(&world, id));
    world.pass_s(30).await;
    let mechanic = world.journal.mechanic(id).expect("a mechanic");
    assert_eq!((mechanic.parked, mechanic.available), (None, false));
}
