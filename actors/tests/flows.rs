//! Tests of whole flows through the engine, under paused time.

mod steps;

use std::{collections::BTreeSet, time::Duration};

use chrono::TimeDelta;
use futures_util::future::{join, join_all};
use roadcall_actors::{
    Engine, Placement, Snapshot,
    engine::NearestQuery,
    geo::Point,
    ids::{JobId, MechanicId, VehicleId},
    job::state::{
        Actor, BrokenRule, Command, Event, JobSpec, Override, Refusal, Stage, Status, Urgency, Wanted,
    },
    mechanic::state::{Engagement, PositionSource},
    ports::{Announcement, OfferStatus, Ports, WaitReason},
    protocol::{
        Accept, AvailabilityQuery, Call, EstimateQuery, FindCommand, Order, OutlookAt, QuoteCancellation,
    },
    server::EngineServer,
    simulation::{
        Fault, World,
        world::{CENTRE, category, north, settings, spec, user_of},
    },
    vehicle::VehicleType,
};

use steps::complete;

fn world() -> World {
    tokio::time::pause();
    World::new()
}

/// Returns a world with a job and, 500 m from it, a mechanic.
async fn called() -> (World, MechanicId, JobId) {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let job = world.job_at(CENTRE).await;
    (world, id, job)
}

/// Returns such a world in which the mechanic has accepted the job.
async fn accepted() -> (World, MechanicId, JobId) {
    let (world, id, job) = called().await;
    world.accept(&world.offered(job, id).await).await.expect("an offer just made");
    (world, id, job)
}

#[actix::test]
async fn a_job_is_offered_to_the_nearest_and_accepted() {
    let mut world = world();
    let far = world.mechanic_at(north(2_000.0)).await;
    let near = world.mechanic_at(north(500.0)).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, near).await;
    assert_eq!(world.offer(far), None, "round 1 is for one mechanic alone");
    world.pass_s(1).await;
    assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending]);
    world.accept(&offer).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(world.status(job), Status::Accepted);
    assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending, OfferStatus::Accepted]);
    assert!(world.outbound.all().contains(&Announcement::Assigned {
        mechanic: user_of(near),
        job,
        is_on_it: true
    }));
    assert_eq!(world.outbound.last_seq(job), Some(world.row(job).seq));
    world.check_quiet().await;
}

#[actix::test]
async fn an_unanswered_offer_expires_and_the_next_round_is_wider() {
    let mut world = world();
    let near = world.mechanic_at(north(500.0)).await;
    let others = [world.mechanic_at(north(900.0)).await, world.mechanic_at(north(1_000.0)).await];
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, near).await;
    for _ in 0..2 {
        world.pass_s(10).await;
        for id in others {
            world.ping(id, north(950.0)).await.unwrap();
        }
    }
    world.pass_s(2).await;
    assert_eq!(world.journal.offer(offer.offer.id).unwrap().status, OfferStatus::Expired);
    assert!(matches!(world.accept(&offer).await, Err(Refusal::OfferExpired)));
    for id in others {
        assert_eq!(world.offered(job, id).await.offer.round, 2);
    }
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_who_declines_is_not_asked_again() {
    let mut world = world();
    let first = world.mechanic_at(north(500.0)).await;
    let second = world.mechanic_at(north(900.0)).await;
    let job = world.job_at(CENTRE).await;
    world.decline(&world.offered(job, first).await).await.unwrap();
    let offer = world.offered(job, second).await;
    assert_eq!(world.offer(first), None);
    world.accept(&offer).await.unwrap();
    let made = world.journal.offers();
    assert_eq!(made.iter().filter(|row| row.offer.mechanic_id == first).count(), 1);
    world.check_quiet().await;
}

#[actix::test]
async fn if_two_accept_at_once_one_wins_and_the_other_is_refused() {
    let mut world = world();
    world.journal.set_latency(Duration::from_millis(20));
    let near = world.mechanic_at(north(100.0)).await;
    let (a, b) = (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(900.0)).await);
    let job = world.job_at(CENTRE).await;
    world.decline(&world.offered(job, near).await).await.unwrap();
    let (of_a, of_b) = (world.offered(job, a).await, world.offered(job, b).await);
    let (won, lost) = futures_util::future::join(world.accept(&of_a), world.accept(&of_b)).await;
    assert_eq!(won.unwrap().job.status(), Status::Accepted);
    assert_eq!(lost.unwrap_err(), Refusal::OfferTaken);
    assert_eq!(world.accept(&of_a).await.unwrap().event, None, "accepting again is harmless");
    world.pass_s(1).await;
    assert_eq!(world.outbound.offer_updates(of_b.offer.id), [OfferStatus::Pending, OfferStatus::Revoked]);
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_that_comes_online_is_offered_the_waiting_job_within_a_second() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(30).await;
    let id = world.mechanic_at(north(4_000.0)).await;
    world.offered(job, id).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_that_moves_into_reach_is_offered_the_waiting_job() {
    let mut world = world();
    let id = world.mechanic_at(north(21_000.0)).await;
    let job = world.job_at(CENTRE).await;
    world.pass_s(5).await;
    assert_eq!(world.offer(id), None);
    world.pass_s(40).await;
    world.ping(id, north(19_500.0)).await.unwrap();
    world.offered(job, id).await;
}

#[actix::test]
async fn after_a_release_another_mechanic_is_asked_and_never_the_same() {
    let mut world = world();
    let first = world.mechanic_at(north(500.0)).await;
    let second = world.mechanic_at(north(900.0)).await;
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, first).await).await.unwrap();
    let price = world.row(job).spec.estimated_price_paise();
    let release = Command::Release { mechanic_id: first, reason_code: "flat_tyre".to_owned() };
    world.order(job, release).await.unwrap();
    let offer = world.offered(job, second).await;
    assert_eq!(offer.attempt, 2);
    assert_eq!(world.row(job).spec.estimated_price_paise(), price);
    world.decline(&offer).await.unwrap();
    world.pass_s(50).await;
    assert_eq!(world.offer(first), None);
    world.check_quiet().await;
}

#[actix::test]
async fn cancelling_while_offered_takes_the_offer_back() {
    let (world, id, job) = called().await;
    let offer = world.offered(job, id).await;
    world.cancel(job).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending, OfferStatus::Revoked]);
    assert_eq!(world.accept(&offer).await.unwrap_err(), Refusal::OfferExpired);
    let next = world.job_at(CENTRE).await;
    world.offered(next, id).await;
    world.check_quiet().await;
    world.pass_s(10).await;
    assert!(!world.engine.running_jobs().contains(&job), "a settled job keeps no actor for long");
}

#[actix::test]
async fn all_who_ask_at_once_about_a_job_that_has_ended_are_answered() {
    let world = world();
    let job = world.job_at(CENTRE).await;
    world.cancel(job).await.unwrap();
    for _ in 0..3 {
        let over = Refusal::InvalidTransition { from: Status::Cancelled, wanted: Wanted::Cancel };
        let quote = QuoteCancellation { job, free_cancellations: None };
        let quotes = join_all((0..64).map(|_| world.engine.ask(quote.clone())));
        let cancels = join_all((0..64).map(|_| world.cancel(job)));
        let (quotes, cancels) = join(quotes, cancels).await;
        assert!(quotes.iter().all(|quote| *quote == Err(over.clone())), "{quotes:?}");
        assert!(cancels.iter().all(|done| *done == Err(over.clone())), "{cancels:?}");
        world.pass_s(10).await;
        assert!(world.engine.running_jobs().is_empty(), "the next round begins without an actor");
    }
}

#[actix::test]
async fn a_mechanic_who_goes_offline_gives_the_offer_back_at_once() {
    let (mut world, id, job) = called().await;
    let offer = world.offered(job, id).await;
    let next = world.mechanic_at(north(900.0)).await;
    world.engine.set_availability(id, false).await.unwrap();
    assert_eq!(world.journal.offer(offer.offer.id).unwrap().status, OfferStatus::Revoked);
    assert_eq!(world.accept(&offer).await.unwrap_err(), Refusal::OfferExpired);
    let second = world.offered(job, next).await;
    assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending, OfferStatus::Revoked]);
    world.accept(&second).await.unwrap();
    world.engine.set_availability(next, false).await.unwrap();
    assert_eq!(world.status(job), Status::Accepted, "the job under way is not touched");
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_is_switched_off_by_silence_and_not_by_a_clock_that_is_set() {
    let mut world = world();
    let id = world.mechanic_at(CENTRE).await;
    let is_available = async |world: &World| world.engine.mechanic(id).await.is_some_and(|it| it.available);
    world.clock.correct(TimeDelta::hours(-1));
    world.pass_s(11).await;
    assert!(is_available(&world).await, "an hour was skipped, not waited");
    world.pass_s(15 * 60).await;
    assert!(!is_available(&world).await);
}

#[actix::test]
async fn help_that_is_wanted_at_once_waits_for_no_clock() {
    let mut world = world();
    let mechanic = world.mechanic_at(north(500.0)).await;
    let vehicle = VehicleId(world.random.id(world.now()));
    // The clock of the calling server is a minute fast.
    let job = world.open(spec(vehicle, CENTRE, world.now() + TimeDelta::minutes(1))).await.unwrap();
    world.offered(job, mechanic).await;
}

#[actix::test]
async fn an_offer_that_is_made_while_its_mechanic_goes_offline_is_taken_back() {
    let mut world = world();
    world.journal.set_latency(Duration::from_millis(200));
    let id = world.mechanic_at(north(500.0)).await;
    let job = world.job_at(CENTRE).await;
    let held = async |world: &World| {
        let mechanic = world.engine.mechanic(id).await;
        mechanic.is_some_and(|mechanic| matches!(mechanic.engagement, Engagement::Reserved { .. }))
    };
    while !held(&world).await {
        world.pass(Duration::from_millis(10)).await;
    }
    world.engine.set_availability(id, false).await.unwrap();
    world.pass_s(2).await;
    assert_eq!(world.journal.pending_offers_of_job(job), []);
    world.check_quiet().await;
}

#[actix::test]
async fn without_mechanics_a_job_is_exhausted_after_180_s_and_can_be_retried() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass(Duration::from_millis(179_900)).await;
    assert_eq!(world.status(job), Status::Dispatching);
    world.pass(Duration::from_millis(300)).await;
    assert_eq!(world.status(job), Status::NoMechanicFound);
    world.order(job, Command::Retry { most_open_jobs: None }).await.unwrap();
    assert_eq!(world.row(job).attempt, 2);
    let id = world.mechanic_at(north(500.0)).await;
    world.offered(job, id).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_job_without_mechanic_cancels_itself_after_a_day() {
    let world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(200).await;
    world.pass_s(24 * 3600).await;
    assert_eq!(world.status(job), Status::Cancelled);
}

#[actix::test]
async fn a_scheduled_job_begins_at_its_time_and_not_before() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let vehicle = VehicleId(world.random.id(world.now()));
    let begin_at = world.now() + TimeDelta::minutes(30);
    let job = world.open(JobSpec { begin_at, ..spec(vehicle, CENTRE, world.now()) }).await.unwrap();
    world.pass_s(1_790).await;
    assert_eq!(world.status(job), Status::Pending);
    world.ping(id, north(400.0)).await.unwrap();
    world.engine.set_availability(id, true).await.unwrap();
    world.until("it begins", Duration::from_secs(11), |world| world.offer(id).is_some()).await;
    assert!(world.now() >= begin_at);
}

#[actix::test]
async fn a_restart_takes_up_offers_with_their_deadlines_and_accepted_jobs() {
    let mut world = world();
    let (a, b) = (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(900.0)).await);
    let accepted = world.job_at(CENTRE).await;
    world.accept(&world.offered(accepted, a).await).await.unwrap();
    let offered = world.job_at(CENTRE).await;
    let offer = world.offered(offered, b).await;
    let ends_at = |world: &World| match world.row(offered).stage {
        Stage::Dispatching(search) => search.ends_at,
        stage => panic!("{stage:?}"),
    };
    let deadline = ends_at(&world);
    world.pass_s(10).await;
    world.restart().await;
    world.pass_s(1).await;
    world.check_quiet().await;
    assert_eq!(ends_at(&world), deadline);
    assert_eq!(world.offer(b), Some(offer.clone()));
    world.order(accepted, Command::EnRoute { mechanic_id: a }).await.unwrap();
    world.pass_s(11).await;
    assert_eq!(world.journal.offer(offer.offer.id).unwrap().status, OfferStatus::Expired);
    world.check_quiet().await;
}

/// docs/adr/0013: another job that wants the mechanic does not expire the offer, because the offer's own job counts
/// expired offers.
#[actix::test]
async fn an_offer_that_went_stale_unsettled_is_counted_by_its_own_job_and_then_frees_its_mechanic() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let first = world.job_at(CENTRE).await;
    let stale = world.offered(first, id).await;
    world.journal.go_away();
    world.pass_s(60).await;
    assert_eq!(world.journal.offer(stale.offer.id).unwrap().status, OfferStatus::Pending);
    world.journal.come_back();
    world.restart().await;
    world.job_at(north(600.0)).await;
    world.ping(id, north(500.0)).await.unwrap();
    let limit = Duration::from_secs(5);
    world
        .until("the mechanic is asked again", limit, |world| {
            world.offer(id).is_some_and(|offer| offer.offer.id != stale.offer.id)
        })
        .await;
    assert_eq!(world.journal.offer(stale.offer.id).unwrap().status, OfferStatus::Expired);
    let row = world.row(first);
    assert!(row.expired_once.contains(&id), "a second time leaves it out");
    let Stage::Dispatching(search) = &row.stage else { panic!("{:?}", row.stage) };
    assert_eq!(search.round, 2, "the round of an expired offer is over");
    world.check_quiet().await;
}

/// The only mechanic answers no offer, neither at the very end of the first search nor in the next ones.
#[actix::test]
async fn a_search_offers_in_full_until_its_end_and_the_next_one_asks_who_only_did_not_answer() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(175).await;
    let Stage::Dispatching(search) = world.row(job).stage else { panic!("it searches") };
    let id = world.mechanic_at(north(1_100.0)).await;
    let late = world.offered(job, id).await.offer;
    assert_eq!(late.expires_at - late.created_at, world.search.offer_ttl);
    assert!(late.expires_at > search.ends_at);
    let offers = |world: &World| {
        let reports = world.outbound.all().into_iter();
        let offers = reports.filter_map(|report| match report {
            Announcement::Offer(card) if card.job_id == job => Some(card.id),
            _ => None,
        });
        offers.collect::<BTreeSet<_>>().len()
    };
    for made in [1, 3, 5] {
        while world.status(job) != Status::NoMechanicFound {
            world.pass_s(5).await;
            world.ping(id, north(1_100.0)).await.unwrap();
        }
        assert_eq!(offers(&world), made, "a second silence is the last in its search");
        world.order(job, Command::Retry { most_open_jobs: None }).await.unwrap();
    }
    world.check_quiet().await;
}

/// While an offer of the job is out, its customer reads that a mechanic is asked, whatever was expected before.
#[actix::test]
async fn an_outlook_follows_the_offers_of_its_job() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    let expected = async |world: &World| world.engine.job_outlook(job).await.unwrap().unwrap().reason;
    assert_eq!(expected(&world).await, WaitReason::NobodyOnline);
    let id = world.mechanic_at(north(500.0)).await;
    let offer = world.offered(job, id).await;
    world.pass_s(1).await;
    assert_eq!(expected(&world).await, WaitReason::Free);
    world.decline(&offer).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(expected(&world).await, WaitReason::Declined);
    let news = world.outbound.all().into_iter().filter_map(|report| match report {
        Announcement::Outlook { job: of, outlook } if of == job => Some(outlook.reason),
        _ => None,
    });
    let mut news: Vec<WaitReason> = news.collect();
    // Between the answer and the mechanic's next report they count as busy.
    news.retain(|reason| *reason != WaitReason::Busy);
    assert_eq!(news, [WaitReason::NobodyOnline, WaitReason::Free, WaitReason::Declined]);
}

#[actix::test]
async fn a_waiting_job_finds_its_mechanic_after_a_restart() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(5).await;
    world.restart().await;
    let id = world.mechanic_at(north(500.0)).await;
    world.offered(job, id).await;
}

#[actix::test]
async fn while_the_journal_is_away_no_deadline_is_acted_on_and_it_recovers_by_itself() {
    let (mut world, id, job) = called().await;
    let offer = world.offered(job, id).await;
    world.journal.go_away();
    let before = world.journal.uses();
    world.pass_s(60).await;
    let tries = world.journal.uses().commits - before.commits;
    assert!((10..=70).contains(&tries), "{tries} tries in a minute");
    assert_eq!(world.offer(id), Some(offer));
    assert!(matches!(world.cancel(job).await, Err(Refusal::Unavailable(_))));
    world.journal.come_back();
    world.pass_s(2).await;
    assert_eq!(world.offer(id), None, "the overdue expiry is made up for");
    world.ping(id, north(400.0)).await.unwrap();
    world.until("it is offered again", Duration::from_secs(2), |world| world.offer(id).is_some()).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_waiting_job_with_a_free_mechanic_does_not_spin_while_the_journal_is_away() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.journal.go_away();
    let id = world.mechanic();
    world.journal.come_back();
    world.ping(id, north(500.0)).await.unwrap();
    world.journal.go_away();
    // A ping alone does not make the mechanic available: availability can't be saved while the journal is away.
    assert!(matches!(world.engine.set_availability(id, true).await, Err(Refusal::Unavailable(_))));
    world.journal.come_back();
    world.journal.fail_next([Fault::Failed; 5]);
    world.engine.set_availability(id, true).await.unwrap();
    let before = world.journal.uses().commits;
    world.pass(Duration::from_millis(900)).await;
    assert!(world.journal.uses().commits - before <= 2, "it waits between tries");
    world.until("the fault is over", Duration::from_secs(10), |world| world.offer(id).is_some()).await;
    assert_eq!(world.offer(id).unwrap().job_id, job);
    world.check_quiet().await;
}

#[actix::test]
async fn an_accept_whose_commit_is_unknown_is_settled_by_what_the_journal_says() {
    tokio::time::pause();
    for (fault, expected) in [
        (Fault::UnknownCommitted, Status::Accepted),
        (Fault::UnknownNotCommitted, Status::Dispatching),
        (Fault::Failed, Status::Dispatching),
        (Fault::Conflict, Status::Accepted),
    ] {
        let mut world = World::new();
        let id = world.mechanic_at(north(500.0)).await;
        let job = world.job_at(CENTRE).await;
        let offer = world.offered(job, id).await;
        world.journal.fail_next([fault]);
        let answer = world.accept(&offer).await;
        match fault {
            Fault::Conflict => drop(answer.unwrap()),
            Fault::Failed => assert!(matches!(answer, Err(Refusal::Unavailable(_))), "{answer:?}"),
            _ => assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))), "{answer:?}"),
        }
        world.pass_s(3).await;
        assert_eq!(world.status(job), expected, "{fault:?}");
        world.check_quiet().await;
        let again = world.accept(&offer).await.unwrap();
        assert_eq!(again.job.status(), Status::Accepted);
        world.pass_s(1).await;
        assert_eq!(
            world.outbound.offer_updates(offer.offer.id),
            [OfferStatus::Pending, OfferStatus::Accepted]
        );
        assert_eq!(world.outbound.last_seq(job), Some(world.row(job).seq), "watchers are told");
        world.engine.crash();
    }
}

#[actix::test]
async fn after_a_start_jobs_wait_until_all_mechanics_are_loaded() {
    let mut world = world();
    let far = world.mechanic_at(north(2_000.0)).await;
    let near = world.mechanic_at(north(500.0)).await;
    world.die();
    world.pass_s(1).await;
    let ports =
        Ports { journal: world.journal.clone(), outbound: world.outbound.clone(), eta: world.eta.clone() };
    let Snapshot { jobs, mechanics, past, .. } = world.journal.snapshot();
    let (first, rest): (Vec<_>, Vec<_>) = mechanics.into_iter().partition(|mechanic| mechanic.id == far);
    let snapshot = Snapshot { jobs, mechanics: first, more_follow: true, past };
    let (clock, random) = (world.clock.clone(), world.random.clone());
    world.engine = Engine::start(world.settings.clone(), ports, clock, random, Placement::Here, snapshot);
    let job = world.job_at(CENTRE).await;
    world.pass_s(3).await;
    assert_eq!((world.offer(far), world.offer(near)), (None, None), "the nearest is yet to be loaded");
    let (vehicle_type, category_id) = (VehicleType::FourWheeler, category());
    let priced_by =
        AvailabilityQuery { pickup: CENTRE, vehicle_type, category_id, within_m: 3_000.0, most: 1 };
    let unpriced = priced_by.clone().answer_on(&world.engine).await;
    assert!(
        matches!(unpriced, Err(Refusal::Unavailable(_))),
        "no price follows from the far one: {unpriced:?}"
    );

    assert_eq!(world.engine.without_actor(vec![far, near]), [near]);
    let load = async {
        world.engine.take_up(rest);
        assert!(world.engine.without_actor(vec![far, near]).is_empty());
        world.engine.begin_matching();
    };
    let (priced, ()) = join(priced_by.answer_on(&world.engine), load).await;
    let nearest = priced.unwrap().nearest.expect("both are loaded");
    assert!(nearest.distance_m < 1_000, "the price follows from the near one: {nearest:?}");
    world.offered(job, near).await;
    assert_eq!(world.offer(far), None);
}

/// Checks that each try is a command of its own: a failed try says nothing of the next; the log has the step once.
#[actix::test]
async fn a_step_that_failed_is_carried_out_by_its_next_try_and_by_no_other_after_that() {
    let (world, id, job) = called().await;
    let offer = world.offered(job, id).await;
    world.accept(&offer).await.unwrap();
    let server = EngineServer::new(world.engine.clone());
    let logged_under = world.engine.new_command();
    let set_out = async || {
        let (by, command) = (Actor::Mechanic(user_of(id)), Command::EnRoute { mechanic_id: id });
        let order =
            Order { id: world.engine.new_command(), logged_under: Some(logged_under), job, by, command };
        server
            .answer(order.into_request())
            .await
            .map(|answer| Order::read(answer).expect("an order's answer"))
    };
    world.journal.fail_next([Fault::Failed]);
    let failed = set_out().await;
    assert!(matches!(failed, Err(Refusal::Unavailable(_))), "{failed:?}");
    let done = set_out().await.unwrap();
    assert!(done.is_new, "{done:?}");
    assert_eq!(world.status(job), Status::EnRoute);
    let again = set_out().await;
    assert!(matches!(again, Err(Refusal::InvalidTransition { .. })), "{again:?}");
    assert_eq!(world.row(job).version, done.version);
    let find = FindCommand { job, command: logged_under, logged_under: None, item: None };
    let found = world.engine.ask(find).await.unwrap();
    assert_eq!(found.map(|found| found.version), Some(done.version), "the log has it under the key's id");
}

#[actix::test]
async fn a_copy_of_an_accept_is_never_answered_as_if_nothing_had_changed_while_the_first_may_be_committed() {
    let (world, id, job) = called().await;
    let offer = world.offered(job, id).await.offer.id;
    let (server, command) = (EngineServer::new(world.engine.clone()), world.engine.new_command());
    let accept = async || {
        let (logged_under, user, answered_ago) = (None, user_of(id), TimeDelta::zero());
        let accept = Accept { command, logged_under, job, offer, mechanic: id, user, answered_ago };
        let answer = server.answer(accept.into_request()).await?;
        Ok::<_, Refusal>(Accept::read(answer).expect("the answer to an accept"))
    };
    world.journal.fail_next([Fault::UnknownCommitted]);
    let answer = accept().await;
    assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))), "{answer:?}");

    world.journal.go_away();
    let answer = accept().await;
    assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))), "{answer:?}");
    world.journal.come_back();
    let known = accept().await.unwrap();
    assert_eq!((known.job, world.status(job)), (job, Status::Accepted));

    world.journal.go_away();
    assert_eq!(accept().await, Ok(known), "every copy is answered the same");
    world.journal.come_back();
    world.pass_s(40).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_cancellation_whose_commit_is_unknown_still_frees_the_mechanic() {
    let (world, id, job) = accepted().await;
    world.journal.fail_next([Fault::UnknownCommitted]);
    assert!(matches!(world.cancel(job).await, Err(Refusal::OutcomeUnknown(_))));
    world.pass_s(3).await;
    assert_eq!(world.engine.mechanic(id).await.unwrap().engagement, Engagement::Free);
    assert!(world.outbound.all().contains(&Announcement::Assigned {
        mechanic: user_of(id),
        job,
        is_on_it: false
    }));
    world.check_quiet().await;
}

/// Has the dispatch of a new job begin near a mechanic, while each commit takes 50 ms.
async fn begun_at_a_slow_journal(world: &mut World) -> (MechanicId, JobId) {
    let id = world.mechanic_at(north(500.0)).await;
    let vehicle = VehicleId(world.random.id(world.now()));
    let begin_at = world.now() + TimeDelta::seconds(2);
    let job =
        world.open(JobSpec { begin_at, ..spec(vehicle, CENTRE, world.now()) }).await.expect("it is made");
    world.journal.set_latency(Duration::from_millis(50));
    world.until("it begins", Duration::from_secs(3), |world| world.row(job).attempt == 1).await;
    (id, job)
}

#[actix::test]
async fn offers_whose_commit_is_unknown_reach_their_mechanic_if_they_were_made() {
    tokio::time::pause();
    for fault in [Fault::UnknownCommitted, Fault::UnknownNotCommitted] {
        let mut world = World::new();
        let (id, _) = begun_at_a_slow_journal(&mut world).await;
        world.journal.fail_next([fault]);
        world.until("it is offered", Duration::from_secs(5), |world| world.offer(id).is_some()).await;
        let offer = world.offer(id).unwrap();
        world.pass_s(3).await;
        assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending], "{fault:?}");
        world.accept(&offer).await.unwrap();
        world.check_quiet().await;
        world.engine.crash();
    }
}

#[actix::test]
async fn a_job_whose_creation_is_unknown_is_looked_after_if_it_was_made() {
    tokio::time::pause();
    for fault in [Fault::UnknownCommitted, Fault::UnknownCommittedLate(Duration::from_secs(5))] {
        let mut world = World::new();
        let id = world.mechanic_at(north(500.0)).await;
        world.journal.fail_next([fault]);
        let vehicle = VehicleId(world.random.id(world.now()));
        let answer = world.open(spec(vehicle, CENTRE, world.now())).await;
        assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))));
        world.until("it is offered", Duration::from_secs(9), |world| world.offer(id).is_some()).await;
        world.pass_s(1).await;
        world.check_quiet().await;
        world.engine.crash();
    }
}

#[actix::test]
async fn a_release_that_is_committed_long_after_its_outcome_was_unknown_is_noticed() {
    let mut world = world();
    let (first, second) = (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(900.0)).await);
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, first).await).await.unwrap();
    world.journal.fail_next([Fault::UnknownCommittedLate(Duration::from_secs(12))]);
    let release = Command::Release { mechanic_id: first, reason_code: "breakdown".to_owned() };
    assert!(matches!(world.order(job, release).await, Err(Refusal::OutcomeUnknown(_))));
    world.pass_s(10).await;
    assert_eq!(world.status(job), Status::Accepted, "it is not committed yet");
    world.until("another is asked", Duration::from_secs(10), |world| world.offer(second).is_some()).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_release_that_is_committed_after_the_journal_was_away_for_long_is_noticed() {
    let mut world = world();
    let (first, second) = (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(900.0)).await);
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, first).await).await.unwrap();
    world.journal.fail_next([Fault::UnknownCommittedLate(Duration::from_secs(65))]);
    let release = Command::Release { mechanic_id: first, reason_code: "breakdown".to_owned() };
    assert!(matches!(world.order(job, release).await, Err(Refusal::OutcomeUnknown(_))));
    world.journal.go_away();
    world.pass_s(60).await;
    world.journal.come_back();
    world.pass_s(4).await;
    assert_eq!(world.status(job), Status::Accepted, "it is not committed yet");
    world.ping(second, north(900.0)).await.unwrap();
    world.until("another is asked", Duration::from_secs(20), |world| world.offer(second).is_some()).await;
    world.check_quiet().await;
}

#[actix::test]
async fn an_offer_that_was_committed_late_can_be_accepted_before_its_job_looked_again() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let late = Fault::UnknownCommittedLate(Duration::from_millis(500));
    world.journal.set_latency(Duration::from_millis(5));
    let job = world.job_at(CENTRE).await;
    // Dispatch began; the offer is next.
    world.pass(Duration::from_millis(8)).await;
    world.journal.fail_next([late]);
    world.pass(Duration::from_millis(100)).await;
    // A caller asks, so the job is loaded before the offer is committed.
    let retry = world.order(job, Command::Retry { most_open_jobs: None }).await;
    assert!(matches!(retry, Err(Refusal::InvalidTransition { .. })), "{retry:?}");
    world.until("the offer is committed", Duration::from_secs(1), |world| world.offer(id).is_some()).await;
    let offer = world.offer(id).unwrap();
    assert_eq!(world.accept(&offer).await.unwrap().job.status(), Status::Accepted);
    world.pass_s(40).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_is_free_soon_after_a_release_of_unknown_outcome_by_an_actor_without_memory() {
    let (world, id, job) = accepted().await;
    world.engine.panic_job(job);
    world.journal.fail_next([Fault::UnknownCommitted]);
    let release = Command::Release { mechanic_id: id, reason_code: "breakdown".to_owned() };
    let mut answer = world.order(job, release.clone()).await;
    // The panic may have dropped the first command.
    if world.status(job) == Status::Accepted {
        answer = world.order(job, release).await;
    }
    assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))), "{answer:?}");
    world.pass_s(3).await;
    assert_eq!(world.engine.mechanic(id).await.unwrap().engagement, Engagement::Free);
    world.check_quiet().await;
}

#[actix::test]
async fn a_release_whose_actor_died_right_after_its_commit_is_not_answered_as_refused() {
    let (world, id, job) = accepted().await;
    world.journal.fail_next([Fault::PanicCommitted]);
    let release = Command::Release { mechanic_id: id, reason_code: "breakdown".to_owned() };
    let answer = world.order(job, release.clone()).await;
    assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))), "{answer:?}");
    assert_eq!(world.status(job), Status::Dispatching, "it is committed");
    assert_eq!(
        world.order(job, release).await.unwrap_err(),
        Refusal::NotYours,
        "another command is refused by name"
    );
    world.pass_s(70).await;
    world.check_quiet().await;
}

#[actix::test]
async fn commits_that_a_process_left_under_way_are_noticed_by_the_next() {
    let (mut world, id, job) = accepted().await;
    world.journal.fail_next([Fault::UnknownCommittedLate(Duration::from_secs(5))]);
    assert!(matches!(world.cancel(job).await, Err(Refusal::OutcomeUnknown(_))));
    world.restart().await;
    world.pass_s(4).await;
    assert_eq!(world.status(job), Status::Accepted, "it is not committed yet");
    world.pass_s(6).await;
    assert_eq!(world.status(job), Status::Cancelled);
    assert_eq!(world.engine.mechanic(id).await.unwrap().engagement, Engagement::Free);
    world.check_quiet().await;
}

#[actix::test]
async fn a_job_whose_creation_is_unknown_and_did_not_happen_leaves_no_actor() {
    let world = world();
    world.journal.fail_next([Fault::UnknownNotCommitted]);
    let vehicle = VehicleId(world.random.id(world.now()));
    let answer = world.open(spec(vehicle, CENTRE, world.now())).await;
    assert!(matches!(answer, Err(Refusal::OutcomeUnknown(_))));
    world.pass_s(40).await;
    assert!(world.engine.running_jobs().is_empty());
    assert!(world.open(spec(vehicle, CENTRE, world.now())).await.is_ok());
}

#[actix::test]
async fn looking_at_a_job_while_the_journal_is_away_does_not_orphan_it() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.journal.fail_next([Fault::UnknownNotCommitted]);
    assert!(world.cancel(job).await.is_err());
    world.journal.go_away();
    assert!(matches!(world.engine.job(job).await, Err(Refusal::Unavailable(_))));
    world.pass_s(3).await;
    world.journal.come_back();
    world.engine.job(job).await.unwrap();
    let id = world.mechanic_at(north(500.0)).await;
    world.offered(job, id).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_job_that_is_looked_at_after_its_memory_was_dropped_goes_on_waiting() {
    let mut world = world();
    let (id, job) = begun_at_a_slow_journal(&mut world).await;
    world.journal.fail_next([Fault::UnknownNotCommitted]);
    world.until("the offer failed", Duration::from_secs(1), |world| world.journal.uses().commits == 3).await;
    assert_eq!(world.offer(id), None);
    world.engine.job(job).await.unwrap();
    world.until("it is offered", Duration::from_secs(3), |world| world.offer(id).is_some()).await;
}

#[actix::test]
async fn the_supervisor_recovers_from_a_panic_in_a_jobs_actor() {
    let mut world = world();
    let job = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.engine.panic_job(job);
    world.pass_s(3).await;
    let id = world.mechanic_at(north(500.0)).await;
    let offer = world.offered(job, id).await;
    world.journal.fail_next([Fault::Panic]);
    assert!(world.accept(&offer).await.is_ok(), "the repeat reaches the actor that took its place");
    world.pass_s(3).await;
    world.check_quiet().await;
}

#[actix::test]
async fn the_supervisor_recovers_from_a_panic_in_a_mechanics_actor() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    world.engine.panic_mechanic(id);
    world.pass_s(3).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, id).await;
    world.engine.panic_mechanic(id);
    world.pass_s(3).await;
    world.check_quiet().await;
    world.accept(&offer).await.unwrap();
    world.check_quiet().await;
}

#[actix::test]
async fn a_dispatcher_that_died_is_replaced_and_everyone_reports_again() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let elsewhere = world.job_at(Point::new(60.0, 10.0)).await;
    world.pass_s(1).await;
    world.engine.panic_dispatcher();
    world.pass_s(3).await;
    let counts = world.engine.counts(Duration::from_secs(1)).await.unwrap();
    assert_eq!((counts.dispatcher.waiting_jobs, counts.dispatcher.free_mechanics), (1, 1));
    let job = world.job_at(CENTRE).await;
    world.offered(job, id).await;
    assert_eq!(world.status(elsewhere), Status::Dispatching);
    world.check_quiet().await;
}

#[actix::test]
async fn a_reservation_is_released_if_the_dispatcher_dies_meanwhile() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    world.journal.set_latency(Duration::from_secs(2));
    let job = world.job_at(CENTRE).await;
    world.until("it begins", Duration::from_secs(5), |world| world.row(job).attempt == 1).await;
    world.pass(Duration::from_millis(100)).await;
    world.engine.panic_dispatcher();
    world.journal.set_latency(Duration::ZERO);
    world.until("it is offered", Duration::from_secs(20), |world| world.offer(id).is_some()).await;
    world.pass_s(1).await;
    world.check_quiet().await;
}

#[actix::test]
async fn messages_lost_to_a_full_mailbox_are_made_up_for_from_the_journal() {
    let mut small = settings();
    small.limits.mailbox = 1;
    tokio::time::pause();
    let mut world = World::seeded(1, small);
    let id = world.mechanic_at(north(500.0)).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, id).await;
    world.journal.set_latency(Duration::from_secs(3));
    // The actor waits for the journal, and its mailbox fills.
    for _ in 0..6 {
        let engine = world.engine.clone();
        actix_rt::spawn(async move { engine.mechanic_changed(id).await });
        world.pass(Duration::from_millis(10)).await;
    }
    world.accept(&offer).await.unwrap();
    world.journal.set_latency(Duration::ZERO);
    world.pass_s(20).await;
    assert!(matches!(world.engine.mechanic(id).await.unwrap().engagement, Engagement::Busy { .. }));
    assert_eq!(
        world.outbound.offer_updates(offer.offer.id),
        [OfferStatus::Pending, OfferStatus::Accepted],
        "and its phone is told"
    );
    world.check_quiet().await;
}

#[actix::test]
async fn an_idle_engine_does_no_work() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    world.job_at(Point::new(60.0, 10.0)).await;
    world.pass_s(200).await;
    world.ping(id, north(500.0)).await.unwrap();
    world.pass_s(1).await;
    let before = world.journal.uses();
    world.outbound.clear();
    world.pass_s(600).await;
    assert_eq!(world.journal.uses(), before);
    assert_eq!(world.outbound.all(), []);
}

#[actix::test]
async fn a_whole_search_takes_a_bounded_number_of_commits() {
    let mut world = world();
    for distance in 1..=4 {
        world.mechanic_at(north(f64::from(distance) * 300.0)).await;
    }
    let job = world.job_at(CENTRE).await;
    for _ in 0..20 {
        for id in world.journal.mechanic_ids() {
            world.ping(id, north(500.0)).await.unwrap();
        }
        world.pass_s(10).await;
    }
    assert_eq!(world.status(job), Status::NoMechanicFound);
    let commits = world.journal.uses().commits;
    assert!(commits < 30, "{commits} commits for one search");
    let per_mechanic = |id| world.journal.offers().iter().filter(|row| row.offer.mechanic_id == id).count();
    assert!(world.journal.mechanic_ids().into_iter().all(|id| per_mechanic(id) <= 2));
}

#[actix::test]
async fn an_admin_needs_a_reason_to_assign_a_mechanic_whom_dispatch_leaves_out() {
    let mut world = world();
    let id = world.mechanic_at(north(60_000.0)).await;
    let job = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    let refused = world.assign(job, id, None).await;
    assert_eq!(refused.unwrap_err(), Refusal::RulesBroken(vec![BrokenRule::OutsideOwnRadius]));
    assert_eq!(world.status(job), Status::Dispatching);
    let why = "nobody else is near".to_owned();
    let done = world.assign(job, id, Some(why.clone())).await.unwrap();
    let Some(Event::Accepted { overridden, .. }) = done.event else { panic!("{:?}", done.event) };
    assert_eq!(overridden, Some(Override { rules: vec![BrokenRule::OutsideOwnRadius], reason: why }));
    // After they were taken off the job, they are assigned again only with a reason.
    let reassign = Command::Reassign { reason: "too far".to_owned() };
    world.engine.order(world.engine.new_command(), job, Actor::Admin(user_of(id)), reassign).await.unwrap();
    let refused = world.assign(job, id, None).await;
    let rules = vec![BrokenRule::OutsideOwnRadius, BrokenRule::Excluded];
    assert_eq!(refused.unwrap_err(), Refusal::RulesBroken(rules));
}

#[actix::test]
async fn an_admins_choice_takes_back_the_offer_of_another_job() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let offered = world.job_at(CENTRE).await;
    let offer = world.offered(offered, id).await;
    let chosen = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.assign(chosen, id, None).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(world.journal.offer(offer.offer.id).unwrap().status, OfferStatus::Revoked);
    assert_eq!(world.outbound.offer_updates(offer.offer.id), [OfferStatus::Pending, OfferStatus::Revoked]);
    assert_eq!(world.status(chosen), Status::Accepted);
    world.check_quiet().await;
}

#[actix::test]
async fn points_that_could_not_be_stored_are_taken_again() {
    let (mut world, id, _) = accepted().await;
    let ping = world.ping_at(id, north(450.0), world.now());
    world.journal.set_trail_full(true);
    let refused = world.engine.locate(id, vec![ping], PositionSource::App, world.now()).await;
    assert!(matches!(refused, Err(Refusal::Unavailable(_))));
    world.journal.set_trail_full(false);
    let located = world.engine.locate(id, vec![ping], PositionSource::App, world.now()).await.unwrap();
    assert_eq!((located.accepted, located.duplicates), (1, 0));
    assert_eq!(world.journal.trail().len(), 1);
    let again = world.engine.locate(id, vec![ping], PositionSource::App, world.now()).await.unwrap();
    assert_eq!((again.accepted, again.duplicates), (0, 1));
}

#[actix::test]
async fn availability_ends_by_itself_when_a_phone_falls_silent_but_not_on_a_job() {
    let mut world = world();
    let (silent, busy) = (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(100.0)).await);
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, busy).await).await.unwrap();
    world.order(job, Command::EnRoute { mechanic_id: busy }).await.unwrap();
    let reason = Some("beside the road".to_owned());
    world.arrive(job, busy, reason).await.unwrap();
    world.pass_s(14 * 60).await;
    assert!(world.journal.mechanic(silent).unwrap().available);
    world.pass_s(70).await;
    assert!(!world.journal.mechanic(silent).unwrap().available);
    assert!(world.journal.mechanic(busy).unwrap().available);
    world.pass_s(3600).await;
    assert!(!world.engine.running_mechanics().contains(&silent), "an actor that nobody needs ends");
    world.mechanic_at(north(600.0)).await;
    world.ping(silent, north(500.0)).await.unwrap();
    world.check_quiet().await;
}

#[actix::test]
async fn a_second_job_for_the_same_vehicle_is_refused() {
    let world = world();
    let vehicle = VehicleId(world.random.id(world.now()));
    world.open(spec(vehicle, CENTRE, world.now())).await.unwrap();
    assert_eq!(world.open(spec(vehicle, CENTRE, world.now())).await.unwrap_err(), Refusal::VehicleBusy);
    world.pass_s(2).await;
    assert_eq!(world.engine.running_jobs().len(), 1);
}

#[actix::test]
async fn a_job_changed_by_others_is_loaded_again_and_its_watchers_are_informed() {
    let (world, id, job) = accepted().await;
    world.journal.change_job(job, |job| {
        job.version += 1;
        job.seq += 1;
    });
    world.engine.refresh(job, None).await.unwrap();
    assert_eq!(world.outbound.last_seq(job), Some(world.row(job).seq));
    world.order(job, Command::EnRoute { mechanic_id: id }).await.unwrap();
}

#[actix::test]
async fn the_nearest_who_could_serve_come_first_up_to_the_requested_number() {
    let mut world = world();
    let mut ids = Vec::new();
    for metres in [900.0, 300.0, 600.0, 6_000.0] {
        ids.push(world.mechanic_at(north(metres)).await);
    }
    let nearest = async |within_m, k| {
        let (pickup, vehicle_type, category_id) = (CENTRE, VehicleType::FourWheeler, category());
        let query = NearestQuery { pickup, vehicle_type, category_id, within_m, k };
        let found = world.engine.nearest(query).await.unwrap();
        found.into_iter().map(|(id, metres)| (id, metres.round())).collect::<Vec<_>>()
    };
    assert_eq!(nearest(5_000.0, 2).await, [(ids[1], 300.0), (ids[2], 600.0)]);
    assert_eq!(nearest(5_000.0, 10).await, [(ids[1], 300.0), (ids[2], 600.0), (ids[0], 900.0)]);
    world.pass_s(61).await;
    assert_eq!(nearest(5_000.0, 10).await, [], "nobody was seen lately");
}

#[actix::test]
async fn a_survey_counts_who_could_serve() {
    let mut world = world();
    let near = world.mechanic_at(north(500.0)).await;
    world.mechanic_at(north(1_500.0)).await;
    world.mechanic_at(north(9_000.0)).await;
    world.pass_s(1).await;
    let query = AvailabilityQuery {
        pickup: CENTRE,
        vehicle_type: VehicleType::FourWheeler,
        category_id: category(),
        within_m: 5_000.0,
        most: 10,
    };
    let survey = world.engine.ask(query.clone()).await.unwrap();
    assert_eq!(survey.count, 2);
    let outlook = OutlookAt {
        pickup: CENTRE,
        vehicle_type: VehicleType::FourWheeler,
        category_id: category(),
        urgency: Urgency::Normal,
        search: spec(VehicleId(uuid::Uuid::nil()), CENTRE, world.now()).search,
    };
    let both = EstimateQuery { supply: query.clone(), outlook: outlook.clone() };
    let expected = (survey.clone(), world.engine.ask(outlook).await.unwrap());
    assert_eq!(world.engine.ask(both).await.unwrap(), expected, "an estimate asks for both at once");
    let cell = north(500.0).snapped(200.0);
    assert_eq!(f64::from(survey.nearest.unwrap().distance_m), CENTRE.distance_m(cell).round());
    assert_eq!(survey.cells[0], cell);
    let job = world.job_at(CENTRE).await;
    world.offered(job, near).await;
    world.pass_s(1).await;
    let survey = world.engine.ask(query).await.unwrap();
    assert_eq!(survey.count, 1, "one who considers an offer is not free");
}

/// Has a mechanic arrive at a new job.
async fn arrived(world: &mut World) -> (MechanicId, JobId) {
    let id = world.mechanic_at(north(50.0)).await;
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, id).await).await.expect("it is offered");
    world.order(job, Command::EnRoute { mechanic_id: id }).await.expect("it is accepted");
    world.arrive(job, id, None).await.expect("they are near");
    (id, job)
}

fn start_code(world: &World, job: JobId) -> String {
    world.row(job).assignment().and_then(|assignment| assignment.start_code.clone()).expect("a code")
}

#[actix::test]
async fn a_repeated_wrong_start_code_locks_and_the_count_survives_a_restart() {
    let mut world = world();
    let (id, job) = arrived(&mut world).await;
    let start = |code: &str| Command::Start { mechanic_id: id, code: Some(code.to_owned()) };
    for left in [4, 3] {
        assert_eq!(world.order(job, start("none")).await.unwrap_err(), Refusal::WrongStartCode { left });
    }
    world.restart().await;
    for left in [2, 1] {
        assert_eq!(world.order(job, start("none")).await.unwrap_err(), Refusal::WrongStartCode { left });
    }
    assert!(matches!(world.order(job, start("none")).await, Err(Refusal::StartLocked { .. })));
    let code = start_code(&world, job);
    assert!(matches!(world.order(job, start(&code)).await, Err(Refusal::StartLocked { .. })));
    world.pass_s(601).await;
    world.order(job, start(&code)).await.unwrap();
    let events = world.journal.events(job);
    assert!(matches!(events.last().unwrap().event, Event::Started));
    world.order(job, complete(id)).await.unwrap();
    world.pass_s(1).await;
    world.check_quiet().await;
}

/// Checks that a key and its digits make one id, whichever code the job has when they are sent again.
#[actix::test]
async fn a_code_that_was_logged_as_wrong_starts_nothing_when_it_is_sent_again_and_would_be_right() {
    let mut world = world();
    let (id, job) = arrived(&mut world).await;
    let code = start_code(&world, job);
    let (by, same) = (Actor::Mechanic(user_of(id)), world.engine.new_command());
    let start = |command, code: &str| {
        let start = Command::Start { mechanic_id: id, code: Some(code.to_owned()) };
        world.engine.order(command, job, by, start)
    };
    for given in ["none", code.as_str()] {
        assert_eq!(start(same, given).await.unwrap_err(), Refusal::WrongStartCode { left: 4 }, "{given}");
        assert_eq!(world.status(job), Status::Arrived);
    }
    start(world.engine.new_command(), &code).await.unwrap();
    assert_eq!(world.status(job), Status::InProgress);
    world.check_quiet().await;
}
