//! Tests of mechanics who go dark, stand still or drive away on their way to a job, under paused time.

use std::time::Duration;

use chrono::TimeDelta;
use roadcall_actors::{
    concern::{Concern, Finding},
    geo::Point,
    ids::{JobId, MechanicId},
    job::state::{Command, Event, Refusal, Status},
    mechanic::state::PositionSource,
    ports::Announcement,
    protocol::QuoteCancellation,
    simulation::{
        Fault, World,
        world::{CENTRE, north, settings, user_of},
    },
};

/// A mechanic who took a job 4 km away, and another one somewhat farther away.
struct Scene {
    world: World,
    job: JobId,
    mechanic: MechanicId,
    other: MechanicId,
}

async fn scene() -> Scene {
    let mut world = World::new();
    let mechanic = world.mechanic_at(north(4_000.0)).await;
    let other = world.mechanic_at(north(4_500.0)).await;
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, mechanic).await).await.expect("an accepted offer");
    world.order(job, Command::EnRoute { mechanic_id: mechanic }).await.expect("it sets out");
    Scene { world, job, mechanic, other }
}

/// Pauses time, and returns such a scene.
async fn paused() -> Scene {
    tokio::time::pause();
    scene().await
}

impl Scene {
    /// Lets time pass. Every 10 s the other mechanic sends a position, and the mechanic on the job sends what
    /// `place` returns.
    async fn pass_s(&mut self, seconds: u32, place: impl Fn(u32) -> Option<Point>) {
        for second in (10..=seconds).step_by(10) {
            self.world.pass_s(10).await;
            // While the journal is away the points of a trail are refused.
            let _ = self.world.ping(self.other, north(4_500.0)).await;
            if let Some(point) = place(second) {
                let _ = self.world.ping(self.mechanic, point).await;
            }
        }
    }

    async fn silence(&mut self, seconds: u32) {
        self.pass_s(seconds, |_| None).await;
    }

    /// Returns the events that the customer sees for the job, in order.
    fn public(&self) -> Vec<&'static str> {
        let events = self.world.journal.events(self.job);
        events.iter().filter(|committed| committed.seq.is_some()).map(|c| c.event.kind()).collect()
    }

    fn delay(&self) -> Option<Concern> {
        self.world.row(self.job).assignment()?.delay.map(|delay| delay.concern)
    }

    fn nudged(&self) -> Vec<Concern> {
        self.world.outbound.nudges(self.job).iter().map(|nudge| nudge.delay.concern).collect()
    }
}

const ASSIGNED: [&str; 4] = ["created", "dispatching", "accepted", "en_route"];

#[actix::test]
async fn each_concern_is_nudged_then_reported_then_dispatched_again() {
    tokio::time::pause();
    type Place = fn(u32) -> Option<Point>;
    let stands: Place = |_| Some(north(4_000.0));
    let flees: Place = |second| Some(north(4_000.0 + 9.0 * f64::from(second)));
    for (concern, place, within_s) in [
        (Concern::Dark, (|_| None) as Place, 380),
        (Concern::Stalled, stands, 600),
        (Concern::MovingAway, flees, 420),
    ] {
        let mut scene = scene().await;
        let price = scene.world.row(scene.job).spec.estimated_price_paise();
        scene.pass_s(within_s, place).await;
        assert_eq!(scene.nudged()[0], concern);
        assert!(scene.nudged().len() <= 6, "{:?}", scene.nudged());
        assert_eq!(scene.public()[..6], [&ASSIGNED[..], &["delayed", "released"]].concat());
        let events = scene.world.journal.events(scene.job);
        let released = events.iter().find_map(|committed| match &committed.event {
            Event::Released { reason_code, mechanic_id, .. } => Some((reason_code.clone(), *mechanic_id)),
            _ => None,
        });
        assert_eq!(released, Some((concern.reassign_reason().to_owned(), scene.mechanic)));
        let offer = scene.world.offer(scene.other).expect("the other mechanic is asked");
        assert_eq!(offer.attempt, 2);
        scene.world.accept(&offer).await.unwrap();
        let row = scene.world.row(scene.job);
        assert_eq!(row.spec.estimated_price_paise(), price);
        assert!(row.excluded.contains(&scene.mechanic));
        assert_eq!(scene.world.outbound.last_seq(scene.job), Some(row.seq));
        let lost =
            Announcement::Assigned { mechanic: user_of(scene.mechanic), job: scene.job, is_on_it: false };
        assert!(scene.world.outbound.all().contains(&lost));
        scene.world.pass_s(1).await;
        scene.world.check_quiet().await;
    }
}

#[actix::test]
async fn a_job_that_will_be_late_is_reported_and_kept() {
    let mut scene = paused().await;
    // They drive 4 km at 1.5 m/s, although a bit over 13 minutes were promised.
    scene.pass_s(1_200, |second| Some(north(4_000.0 - 1.5 * f64::from(second)))).await;
    assert_eq!(scene.public(), [&ASSIGNED[..], &["delayed"]].concat());
    assert_eq!(scene.delay(), Some(Concern::Slipping));
    let quote = QuoteCancellation { job: scene.job, free_cancellations: None };
    assert_eq!(scene.world.engine.ask(quote).await.unwrap().fee_paise, 0);
    scene.world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_who_comes_back_keeps_the_job_and_the_customer_is_informed() {
    let mut scene = paused().await;
    scene.silence(200).await;
    assert_eq!(scene.delay(), Some(Concern::Dark));
    scene.pass_s(60, |second| Some(north(3_500.0 - 8.0 * f64::from(second)))).await;
    assert_eq!(scene.public(), [&ASSIGNED[..], &["delayed", "recovered"]].concat());
    assert_eq!(scene.delay(), None);
    let nudges = scene.nudged().len();
    scene.pass_s(200, |second| Some(north(3_000.0 - 8.0 * f64::from(second)))).await;
    assert_eq!((scene.nudged().len(), scene.world.status(scene.job)), (nudges, Status::EnRoute));
    scene.world.check_quiet().await;
}

#[actix::test]
async fn an_arrival_ends_the_watch_and_the_reported_concern() {
    let mut scene = paused().await;
    scene.silence(200).await;
    let (world, job, mechanic) = (&scene.world, scene.job, scene.mechanic);
    let reason = Some("its phone is broken".to_owned());
    world.arrive(job, mechanic, reason).await.unwrap();
    assert_eq!(scene.delay(), None);
    let nudges = scene.nudged().len();
    scene.silence(1_200).await;
    assert_eq!((scene.nudged().len(), scene.world.status(scene.job)), (nudges, Status::Arrived));
    scene.world.check_quiet().await;
}

#[actix::test]
async fn a_finding_that_comes_late_loses_against_the_arrival() {
    let mut scene = paused().await;
    scene.silence(200).await;
    scene.world.journal.set_latency(Duration::from_millis(20));
    let (world, job, mechanic_id) = (&scene.world, scene.job, scene.mechanic);
    let finding = Finding::Lost(Concern::Dark);
    let lost = world.order(job, Command::Watch { mechanic_id, attempt: 1, finding });
    let reason = Some("its phone is broken".to_owned());
    let arrived = world.arrive(job, mechanic_id, reason);
    // Whatever the order in which they come, one of them counts.
    let (arrived, lost) = futures_util::future::join(arrived, lost).await;
    match world.status(job) {
        Status::Arrived => assert_eq!((arrived.is_ok(), lost.unwrap_err()), (true, Refusal::StaleFinding)),
        Status::Dispatching => assert_eq!((arrived.unwrap_err(), lost.is_ok()), (Refusal::NotYours, true)),
        other => panic!("{other:?}"),
    }
    let again = world.order(job, Command::Watch { mechanic_id, attempt: 1, finding }).await;
    assert_eq!(again.unwrap_err(), Refusal::StaleFinding);
}

#[actix::test]
async fn the_silence_counts_from_a_restart() {
    let mut scene = paused().await;
    scene.silence(90).await;
    scene.world.restart().await;
    scene.silence(110).await;
    assert_eq!(scene.nudged(), [], "for the new process it is not silent yet");
    scene.silence(30).await;
    assert_eq!(scene.nudged(), [Concern::Dark]);
    scene.silence(250).await;
    assert_eq!(scene.public()[4..6], ["delayed", "released"]);
}

#[actix::test]
async fn a_restart_keeps_what_was_reported_to_the_customer() {
    let mut scene = paused().await;
    scene.silence(200).await;
    scene.world.restart().await;
    scene.silence(60).await;
    assert_eq!(scene.delay(), Some(Concern::Dark), "not heard since");
    scene.world.check_quiet().await;
    scene.pass_s(60, |second| Some(north(3_500.0 - 8.0 * f64::from(second)))).await;
    assert_eq!(scene.public()[4..], ["delayed", "recovered"]);
}

#[actix::test]
async fn a_mechanic_reported_before_a_restart_gets_the_full_time_again_before_losing_the_job() {
    let mut scene = paused().await;
    scene.silence(350).await;
    assert_eq!(scene.public()[4..], ["delayed"]);
    scene.world.restart().await;
    scene.silence(290).await;
    assert_eq!(scene.public()[4..], ["delayed"], "and the customer is told once");
    scene.silence(30).await;
    assert_eq!(scene.public()[4..6], ["delayed", "released"]);
}

#[actix::test]
async fn while_the_journal_is_away_no_mechanic_is_judged_and_the_silence_counts_from_its_return() {
    let mut scene = paused().await;
    scene.silence(80).await;
    scene.world.journal.go_away();
    scene.silence(300).await;
    assert_eq!((scene.nudged(), scene.public().len()), (vec![], 4));
    scene.world.journal.come_back();
    scene.silence(100).await;
    assert_eq!(scene.nudged(), [], "its phone could not reach the service either");
    scene.silence(400).await;
    assert_eq!(scene.public()[4..6], ["delayed", "released"]);
}

#[actix::test]
async fn a_report_whose_commit_is_unknown_is_made_once() {
    tokio::time::pause();
    for fault in [Fault::UnknownCommitted, Fault::UnknownNotCommitted, Fault::Conflict, Fault::Panic] {
        let mut scene = scene().await;
        scene.silence(170).await;
        scene.world.journal.fail_next([fault]);
        scene.silence(250).await;
        let told = scene.public().iter().filter(|kind| **kind == "delayed").count();
        assert_eq!(told, 1, "{fault:?}: {:?}", scene.public());
        scene.world.check();
    }
}

#[actix::test]
async fn an_actor_that_died_starts_watching_again() {
    let mut scene = paused().await;
    scene.silence(200).await;
    scene.world.engine.panic_mechanic(scene.mechanic);
    scene.silence(280).await;
    assert_eq!(scene.public()[4..], ["delayed"]);
    scene.silence(60).await;
    assert_eq!(scene.public()[4..6], ["delayed", "released"]);
}

#[actix::test]
async fn the_watch_reads_the_journal_only_while_something_is_wrong() {
    let mut scene = paused().await;
    let loads = |scene: &Scene| scene.world.journal.uses().loads;
    let before = loads(&scene);
    scene.pass_s(300, |second| Some(north(4_000.0 - 8.0 * f64::from(second)))).await;
    assert!(loads(&scene) - before <= 6, "{} loads in 5 minutes", loads(&scene) - before);
    let before = loads(&scene);
    scene.silence(300).await;
    assert!(loads(&scene) - before <= 70, "{} loads in 5 minutes", loads(&scene) - before);
}

#[actix::test]
async fn the_app_sends_often_only_while_someone_watches() {
    let mut scene = paused().await;
    let policy = settings().presence;
    let (job, mechanic) = (scene.job, scene.mechanic);
    let located = scene.world.ping(mechanic, north(3_900.0)).await.unwrap();
    assert_eq!(located.next_interval_s, policy.unwatched_interval_s);
    scene.world.engine.watch([job]);
    scene.world.pass_s(5).await;
    let rate = |world: &World| {
        let told = world.outbound.all().into_iter().rev();
        told.into_iter().find_map(|told| match told {
            Announcement::Rate { mechanic: user, interval_s } if user == user_of(mechanic) => {
                Some(interval_s)
            }
            _ => None,
        })
    };
    assert_eq!(rate(&scene.world), Some(policy.fast_interval_s), "within a look of the actor");
    scene.world.pass_s(20).await;
    let located = scene.world.ping(mechanic, north(3_800.0)).await.unwrap();
    assert_eq!(located.next_interval_s, policy.fast_interval_s, "a socket that comes back changes nothing");
    scene.world.pass_s(20).await;
    assert_eq!(rate(&scene.world), Some(policy.unwatched_interval_s));
    let located = scene.world.ping(mechanic, north(3_700.0)).await.unwrap();
    assert_eq!(located.next_interval_s, policy.unwatched_interval_s);
}

#[actix::test]
async fn an_inexact_position_keeps_a_mechanic_in_the_match() {
    tokio::time::pause();
    let mut world = World::new();
    let id = world.mechanic_at(north(500.0)).await;
    world.pass_s(20).await;
    let mut rough = world.ping_at(id, north(9_000.0), world.now());
    rough.accuracy_m = Some(800.0);
    world.engine.locate(id, vec![rough], PositionSource::App, world.now()).await.unwrap();
    let job = world.job_at(CENTRE).await;
    assert_eq!(world.offered(job, id).await.offer.distance_m, 500);
    // The good position still becomes stale.
    world.decline(&world.offered(job, id).await).await.unwrap();
    world.pass(Duration::from_secs(41)).await;
    let online = world.engine.mechanic(id).await.unwrap();
    assert!(!online.is_online(&settings().presence, world.now() + TimeDelta::seconds(1)));
}

#[actix::test]
async fn a_mechanic_whose_phone_is_dark_while_another_app_shows_the_way_keeps_the_job() {
    tokio::time::pause();
    for is_restarted in [false, true] {
        let mut scene = scene().await;
        let navigate = Command::Navigate { mechanic_id: scene.mechanic, is_elsewhere: true };
        scene.world.order(scene.job, navigate.clone()).await.expect("it hands over");
        let repeated = scene.world.order(scene.job, navigate).await.expect("saying it twice is no fault");
        assert_eq!(repeated.event, None);
        if is_restarted {
            scene.world.restart().await;
        }
        scene.silence(700).await;
        assert_eq!((scene.world.status(scene.job), scene.delay()), (Status::EnRoute, None));
        assert_eq!(scene.nudged(), []);
        assert_eq!(scene.public(), [&ASSIGNED[..], &["navigating"]].concat());
        let quote = QuoteCancellation { job: scene.job, free_cancellations: None };
        let quote = scene.world.engine.ask(quote).await.unwrap();
        assert!(quote.fee_paise > 0, "the silence of a mechanic who drives makes nothing free");
        scene.world.ping(scene.mechanic, north(20.0)).await.expect("it is back");
        scene.world.arrive(scene.job, scene.mechanic, None).await.expect("it has arrived");
        scene.world.check_quiet().await;
    }
}

#[actix::test]
async fn a_mechanic_who_lost_a_job_by_silence_and_arrives_takes_it_back_while_it_is_free() {
    let mut scene = paused().await;
    scene.silence(380).await;
    assert_eq!(scene.public().last(), Some(&"released"));
    let unseen = scene.world.take_back(scene.job, scene.mechanic).await;
    assert_eq!(unseen, Err(Refusal::NoPosition), "nobody knows where it is");
    let stranger = scene.world.take_back(scene.job, scene.other).await;
    assert_eq!(stranger, Err(Refusal::NotYours));
    scene.world.ping(scene.mechanic, north(20.0)).await.expect("it is back");
    // A restart does not forget whose job it was.
    scene.world.restart().await;
    scene.world.ping(scene.mechanic, north(20.0)).await.expect("it is back");
    let offer = scene.world.offer(scene.other);
    let taken = scene.world.take_back(scene.job, scene.mechanic).await.expect("it is free");
    assert_eq!(taken.job.assignment().map(|a| a.mechanic_id), Some(scene.mechanic));
    let again = scene.world.take_back(scene.job, scene.mechanic).await.expect("it has it");
    assert_eq!(again.event, None);
    if let Some(offer) = offer {
        assert!(scene.world.accept(&offer).await.is_err(), "the offer of the other is gone");
    }
    scene.world.pass_s(1).await;
    scene.world.check_quiet().await;
}

#[actix::test]
async fn one_mechanic_gets_the_job_if_one_takes_it_back_while_another_accepts_it() {
    tokio::time::pause();
    let mut winners = std::collections::BTreeSet::new();
    for first in [0, 1] {
        let mut scene = scene().await;
        scene.silence(380).await;
        let offer = scene.world.offered(scene.job, scene.other).await;
        scene.world.ping(scene.mechanic, north(20.0)).await.expect("it is back");
        let (world, job, mechanic) = (&scene.world, scene.job, scene.mechanic);
        let back = world.take_back(job, mechanic);
        let accepted = world.accept(&offer);
        let (back, accepted) = match first {
            0 => futures_util::future::join(back, accepted).await,
            _ => {
                let (accepted, back) = futures_util::future::join(accepted, back).await;
                (back, accepted)
            }
        };
        assert!(back.is_ok() != accepted.is_ok(), "{back:?} {accepted:?}");
        if let Err(refusal) = back {
            assert_eq!(refusal, Refusal::OfferTaken);
        }
        winners.insert(world.row(job).assignment().map(|a| a.mechanic_id));
        scene.world.pass_s(1).await;
        scene.world.check_quiet().await;
    }
    assert!(!winners.contains(&None));
}

#[actix::test]
async fn a_tracker_keeps_a_mechanic_online_and_on_the_job_while_their_page_is_hidden() {
    tokio::time::pause();
    let mut world = World::new();
    let mechanic = world.mechanic_at(north(4_000.0)).await;
    // Half an hour passes without a position of the app, while the tracker goes on.
    for _ in 0..60 {
        world.pass_s(30).await;
        world.track(mechanic, north(4_000.0)).await.expect("a position");
        let known = world.engine.mechanic(mechanic).await.expect("a mechanic");
        assert!(known.is_online(&world.settings.presence, world.now()));
    }
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, mechanic).await).await.expect("an accepted offer");
    world.order(job, Command::EnRoute { mechanic_id: mechanic }).await.expect("it sets out");
    world
        .order(job, Command::Navigate { mechanic_id: mechanic, is_elsewhere: true })
        .await
        .expect("handed over");
    for second in (15..=600).step_by(15) {
        world.pass_s(15).await;
        world.track(mechanic, north(4_000.0 - 6.6 * f64::from(second))).await.expect("a position");
    }
    let known = world.engine.mechanic(mechanic).await.expect("a mechanic");
    let left_m = known.distance_to_pickup(&world.settings.presence, world.now());
    assert!(left_m.is_some_and(|left_m| left_m < 50.0), "what proves an arrival: {left_m:?}");
    assert_eq!(world.row(job).status(), Status::EnRoute);
    assert_eq!(world.outbound.nudges(job), []);
    world.check_quiet().await;
}

#[actix::test]
async fn a_tracker_that_ends_on_the_way_is_noticed_although_a_maps_app_shows_it() {
    let mut scene = paused().await;
    scene.world.track(scene.mechanic, north(4_000.0)).await.expect("a position");
    let navigate = Command::Navigate { mechanic_id: scene.mechanic, is_elsewhere: true };
    scene.world.order(scene.job, navigate).await.expect("handed over");
    scene.silence(380).await;
    assert_eq!(scene.nudged()[0], Concern::Dark);
    assert!(scene.public().contains(&"released"), "{:?}", scene.public());
}
