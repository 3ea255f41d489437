//! Tests of which mechanics are offered which job, and when, under paused time.

mod steps;
mod tables;

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use futures_util::future::join_all;
use roadcall_actors::{
    Engine, Placement, Snapshot,
    clock::Clock,
    dispatcher::explain::{Explanation, Method, Passed, Unfit, Verdict},
    eta::{EtaSource, StraightLine},
    experience::HoldCounts,
    ids::{CategoryId, JobId, MechanicId, VehicleId},
    job::state::{Actor, Command, JobDetails, JobSpec, Status, Urgency},
    mechanic::state::{PositionSource, Profile},
    ports::{Announcement, JobToCreate, OfferStatus, Ports},
    protocol::OpenJob,
    random::Random,
    settings::{MatchingPolicy, PricingPolicy, SearchOverrides, SearchPolicy, Settings, Strategy, Tuning},
    simulation::{
        MemoryJournal, Recorder, World,
        world::{CENTRE, matching, north, pricing, profile, search, settings, spec, user_of},
    },
    vehicle::VehicleType,
};

use steps::complete;
use tables::Table;

fn world() -> World {
    tokio::time::pause();
    World::new()
}

fn by(policy: MatchingPolicy) -> Settings {
    Settings { matching: policy, ..settings() }
}

/// Returns mechanics who are located at these points north of the centre, and not yet available.
async fn located<const N: usize>(world: &mut World, metres: [f64; N]) -> [MechanicId; N] {
    let ids = metres.map(|_| world.mechanic());
    for (id, metres) in ids.into_iter().zip(metres) {
        world.ping(id, north(metres)).await.expect("a ping to a mechanic that exists");
    }
    ids
}

async fn come_online(world: &World, ids: &[MechanicId]) {
    for done in join_all(ids.iter().map(|id| world.engine.set_availability(*id, true))).await {
        done.expect("a verified mechanic becomes available");
    }
}

/// Plays a job from the call to the completion by this mechanic, who is there already.
async fn completed(world: &World, mechanic_id: MechanicId) {
    let job = world.job_at(CENTRE).await;
    world.accept(&world.offered(job, mechanic_id).await).await.expect("an offer just made");
    world.order(job, Command::EnRoute { mechanic_id }).await.expect("it is accepted");
    world.arrive(job, mechanic_id, None).await.expect("they are there");
    let code = world.row(job).assignment().and_then(|assignment| assignment.start_code.clone());
    world.order(job, Command::Start { mechanic_id, code }).await.expect("the code is right");
    world.order(job, complete(mechanic_id)).await.expect("it began");
}

async fn urgent(world: &World, urgency: Urgency) -> JobId {
    let vehicle = VehicleId(world.random.id(world.now()));
    world
        .open(JobSpec { urgency, ..spec(vehicle, CENTRE, world.now()) })
        .await
        .expect("a job for a new vehicle")
}

fn explained(world: &World, job: JobId) -> Explanation {
    world.journal.explanations(job).pop().expect("an explanation")
}

fn verdict(explanation: &Explanation, id: MechanicId) -> &Verdict {
    let of = explanation.considered.iter().find(|one| one.mechanic_id == id);
    &of.unwrap_or_else(|| panic!("{id} in {explanation:?}")).verdict
}

#[actix::test]
async fn a_job_without_competitors_is_offered_at_once() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    world.pass_s(5).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, id).await;
    let waited = offer.offer.created_at - world.row(job).spec.created_at;
    assert!(waited < TimeDelta::milliseconds(10), "{waited}");
    let Verdict::Offered(terms) = *verdict(&explained(&world, job), id) else { panic!("not offered") };
    assert_eq!(terms.cost_s, i64::from(terms.eta_s) + terms.refusal_s + terms.idle_s);
    assert_eq!(terms.cost_s, offer.offer.cost_s);
}

#[actix::test]
async fn two_jobs_that_compete_for_one_mechanic_are_served_with_the_shortest_total_travel() {
    let mut world = world();
    let older = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    let newer = world.job_at(north(1_000.0)).await;
    world.pass_s(1).await;
    // `between` is nearest to both; the older job has another mechanic who is hardly farther.
    let [between, behind] = located(&mut world, [500.0, -600.0]).await;
    come_online(&world, &[between, behind]).await;
    world.offered(older, behind).await;
    world.offered(newer, between).await;
    let explanation = explained(&world, older);
    assert_eq!((explanation.method, explanation.competing_jobs), (Method::Exact, 2));
    assert!(matches!(
        verdict(&explanation, between),
        Verdict::Passed(_, Passed::MatchedWith(job)) if *job == newer
    ));
    let counts = world.engine.counts(Duration::from_secs(1)).await.unwrap().dispatcher;
    assert_eq!((counts.contested, counts.bounded), (1, 0));
    world.check_quiet().await;
}

#[actix::test]
async fn the_nearest_strategy_serves_one_job_after_another() {
    tokio::time::pause();
    let mut world = World::seeded(1, by(MatchingPolicy { strategy: Strategy::Nearest, ..matching() }));
    let older = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    let newer = world.job_at(north(1_000.0)).await;
    world.pass_s(1).await;
    let [between, behind] = located(&mut world, [500.0, -600.0]).await;
    come_online(&world, &[between, behind]).await;
    world.offered(older, between).await;
    world.offered(newer, behind).await;
    assert_eq!(explained(&world, older).method, Method::Greedy);
}

#[actix::test]
async fn broadcast_offers_to_every_mechanic_in_the_ring_at_once() {
    tokio::time::pause();
    let mut world = World::seeded(1, by(MatchingPolicy { strategy: Strategy::Broadcast, ..matching() }));
    world.search = Arc::new(SearchPolicy { round_widths: vec![10], ..search() });
    let mut near = Vec::new();
    for metres in [300.0, 600.0, 900.0] {
        near.push(world.mechanic_at(north(metres)).await);
    }
    let far = world.mechanic_at(north(4_000.0)).await;
    let job = world.job_at(CENTRE).await;
    for id in near {
        world.offered(job, id).await;
    }
    world.pass_s(1).await;
    assert_eq!(world.offer(far), None, "the ring is not empty");
}

#[actix::test]
async fn competing_jobs_gather_for_the_window_and_not_longer() {
    let mut world = world();
    let jobs = [world.job_at(CENTRE).await, urgent(&world, Urgency::Accident).await];
    let began = world.now();
    world.pass(Duration::from_millis(100)).await;
    let [id] = located(&mut world, [500.0]).await;
    come_online(&world, &[id]).await;
    world.until("one is offered", Duration::from_secs(2), |world| world.offer(id).is_some()).await;
    let offer = world.offer(id).unwrap();
    assert_eq!(offer.job_id, jobs[1], "the accident comes first");
    let waited = offer.offer.created_at - began;
    let window = world.settings.matching.window;
    assert!(waited >= window - TimeDelta::milliseconds(10), "{waited}");
    assert!(waited <= window + TimeDelta::milliseconds(10), "{waited}");
    world.check_quiet().await;
}

#[actix::test]
async fn competing_jobs_that_have_waited_are_matched_within_a_second() {
    let mut world = world();
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(world.job_at(CENTRE).await);
        world.pass_s(20).await;
    }
    let id = world.mechanic_at(north(500.0)).await;
    world.offered(jobs[0], id).await;
    world.accept(&world.offer(id).unwrap()).await.unwrap();
    let next = world.mechanic_at(north(700.0)).await;
    world.offered(jobs[1], next).await;
    world.check_quiet().await;
}

#[actix::test]
async fn a_mechanic_that_is_freed_is_matched_within_a_second() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let first = world.job_at(CENTRE).await;
    let offer = world.offered(first, id).await;
    let second = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.decline(&offer).await.unwrap();
    world.offered(second, id).await;
}

#[actix::test]
async fn a_mechanic_that_another_waiting_job_could_use_is_kept_for_it() {
    let mut world = world();
    let [a, b, only] = located(&mut world, [500.0, 600.0, 700.0]).await;
    let near = urgent(&world, Urgency::Highway).await;
    // Only one of them can serve the job.
    world.journal.change_profile(only, |profile| {
        profile.vehicle_types = Arc::new([VehicleType::FourWheeler, VehicleType::TwoWheeler].into());
    });
    for id in [a, b] {
        world.journal.change_profile(id, |profile| {
            profile.vehicle_types = Arc::new([VehicleType::FourWheeler].into())
        });
    }
    for id in [a, b, only] {
        world.engine.mechanic_changed(id).await.unwrap();
    }
    let vehicle = VehicleId(world.random.id(world.now()));
    let two = JobSpec { vehicle_type: VehicleType::TwoWheeler, ..spec(vehicle, CENTRE, world.now()) };
    let other = world.open(two).await.unwrap();
    world.pass_s(1).await;
    come_online(&world, &[a, b, only]).await;
    world.offered(other, only).await;
    world.offered(near, a).await;
    world.offered(near, b).await;
    world.pass_s(1).await;
    assert_eq!(world.journal.pending_offers_of_job(near).len(), 2, "wide enough for three");
}

#[actix::test]
async fn an_eta_table_changes_the_choice() {
    tokio::time::pause();
    let table = Arc::new(Table::default());
    let mut world = World::with_eta(1, settings(), table.clone());
    let near = world.mechanic_at(north(500.0)).await;
    let far = world.mechanic_at(north(1_500.0)).await;
    table.set(north(500.0), 900);
    table.set(north(1_500.0), 200);
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, far).await;
    assert_eq!((offer.offer.eta_s, world.offer(near)), (200, None));
    let Verdict::Passed(terms, Passed::CostsMore) = *verdict(&explained(&world, job), near) else {
        panic!("the near one costs more")
    };
    assert_eq!((terms.eta_s, terms.eta_source), (900, EtaSource::Osrm));
    assert_eq!(table.questions(), 1);
    assert_eq!(world.engine.counts(Duration::from_secs(1)).await.unwrap().dispatcher.eta_tables, 1);
}

#[actix::test]
async fn a_slow_table_stalls_no_other_job_and_is_requested_once_for_a_job() {
    tokio::time::pause();
    let table = Arc::new(Table::default());
    let mut world = World::with_eta(1, settings(), table.clone());
    let (slow_one, quick_one) =
        (world.mechanic_at(north(500.0)).await, world.mechanic_at(north(90_000.0)).await);
    table.delay(CENTRE, Duration::from_millis(900));
    let slow = world.job_at(CENTRE).await;
    world.pass(Duration::from_millis(10)).await;
    let quick = world.job_at(north(90_000.0)).await;
    world.until("the other is offered", Duration::from_millis(100), |w| w.offer(quick_one).is_some()).await;
    assert_eq!(world.offer(quick_one).unwrap().job_id, quick);
    // Meanwhile, updates of the job and the mechanic start no second request.
    world.ping(slow_one, north(510.0)).await.unwrap();
    world.engine.job(slow).await.unwrap();
    world.pass(Duration::from_millis(500)).await;
    assert_eq!((world.offer(slow_one), table.questions()), (None, 2));
    world.offered(slow, slow_one).await;
    assert_eq!((table.questions(), table.most_at_once()), (2, 1));
    world.check_quiet().await;
}

#[actix::test]
async fn a_table_that_never_answers_is_replaced_by_the_straight_line() {
    tokio::time::pause();
    let table = Arc::new(Table::default());
    let mut world = World::with_eta(1, settings(), table.clone());
    let id = world.mechanic_at(north(500.0)).await;
    table.delay(CENTRE, Duration::from_secs(3_600));
    let job = world.job_at(CENTRE).await;
    world.until("it is offered", Duration::from_secs(7), |world| world.offer(id).is_some()).await;
    assert_eq!(world.offer(id).unwrap().job_id, job);
    let Verdict::Offered(terms) = *verdict(&explained(&world, job), id) else { panic!("not offered") };
    assert_eq!(terms.eta_source, EtaSource::StraightLine);
}

#[actix::test]
async fn choices_that_changed_during_a_table_request_are_decided_again() {
    tokio::time::pause();
    let table = Arc::new(Table::default());
    let mut world = World::with_eta(1, settings(), table.clone());
    let gone = world.mechanic_at(north(500.0)).await;
    let left = world.mechanic_at(north(1_500.0)).await;
    table.delay(CENTRE, Duration::from_millis(300));
    let job = world.job_at(CENTRE).await;
    world.pass(Duration::from_millis(100)).await;
    world.engine.set_availability(gone, false).await.unwrap();
    world.offered(job, left).await;
    let second = world.job_at(CENTRE).await;
    world.engine.set_availability(gone, true).await.unwrap();
    world.pass(Duration::from_millis(100)).await;
    world.cancel(second).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(world.offer(gone), None, "nobody wants it any more");
    let counts = world.engine.counts(Duration::from_secs(1)).await.unwrap().dispatcher;
    assert!(counts.stale >= 1, "{counts:?}");
    world.check_quiet().await;
}

#[actix::test]
async fn an_explanation_names_why_each_mechanic_was_not_offered_the_job() {
    let mut world = world();
    let mut near = Vec::new();
    for n in 0..8 {
        near.push(world.mechanic_at(north(500.0 + 100.0 * f64::from(n))).await);
    }
    let [offered, dearer, busy, bike, elsewhere, homely, declined, stale] = near[..] else { panic!("eight") };
    type Change = fn(&mut Profile);
    let profiles: [(MechanicId, Change); 3] = [
        (bike, |profile| profile.vehicle_types = Arc::new([VehicleType::TwoWheeler].into())),
        (elsewhere, |profile| profile.categories = Arc::new([CategoryId(uuid::Uuid::from_u128(8))].into())),
        (homely, |profile| profile.radius_m = 100.0),
    ];
    for (id, change) in profiles {
        world.journal.change_profile(id, change);
        world.engine.mechanic_changed(id).await.unwrap();
    }
    let other = world.job_at(north(60_000.0)).await;
    world.pass_s(1).await;
    let why = Some("they know the way".to_owned());
    world.assign(other, busy, why).await.unwrap();
    world.pass_s(50).await;
    for id in [offered, dearer, busy, bike, elsewhere, homely, declined] {
        let point = world.engine.mechanic(id).await.unwrap().last.unwrap().point;
        world.ping(id, point).await.unwrap();
    }
    world.pass(Duration::from_millis(11_000)).await;
    let vehicle = VehicleId(world.random.id(world.now()));
    let (id, spec) = (JobId(world.random.id(world.now())), spec(vehicle, CENTRE, world.now()));
    let by = Actor::Customer(spec.customer_id);
    let (details, excluded) = (JobDetails::default(), [declined].into());
    let new = Box::new(JobToCreate { id, spec, details, excluded, idempotency: None });
    let open = OpenJob { command: world.engine.new_command(), by, new };
    open.carry_out(&world.engine).await.unwrap();
    world.offered(id, offered).await;
    world.pass(Duration::from_millis(100)).await;
    let explanation = explained(&world, id);
    assert_eq!((explanation.round, explanation.wanted, explanation.ring_m), (1, 1, 3_000.0));
    assert_eq!((explanation.method, explanation.omitted), (Method::Alone, 0));
    assert!(matches!(verdict(&explanation, offered), Verdict::Offered(_)));
    assert!(matches!(verdict(&explanation, dearer), Verdict::Passed(_, Passed::CostsMore)));
    for (id, unfit) in [
        (busy, Unfit::Engaged),
        (bike, Unfit::VehicleType),
        (elsewhere, Unfit::Category),
        (homely, Unfit::OutsideOwnRadius),
        (declined, Unfit::Excluded),
    ] {
        assert_eq!(verdict(&explanation, id), &Verdict::Unfit(unfit));
    }
    let is_told_of = explanation.considered.iter().any(|one| one.mechanic_id == stale);
    assert!(!is_told_of, "one that is no longer online is not known at all");
    let distances: Vec<_> = explanation.considered.iter().map(|one| one.distance_m).collect();
    assert!(distances.is_sorted(), "{distances:?}");
}

#[actix::test]
async fn a_job_without_a_mechanic_is_explained_on_changes_and_not_repeatedly() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let first = world.job_at(CENTRE).await;
    world.offered(first, id).await;
    let job = world.job_at(CENTRE).await;
    world.pass_s(15).await;
    let told = world.journal.explanations(job);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(verdict(&told[0], id), &Verdict::Unfit(Unfit::Engaged));
    world.accept(&world.offer(id).unwrap()).await.unwrap();
    let bike = world.mechanic();
    world
        .journal
        .change_profile(bike, |profile| profile.vehicle_types = Arc::new([VehicleType::TwoWheeler].into()));
    world.ping(bike, north(100.0)).await.unwrap();
    come_online(&world, &[bike]).await;
    world.pass_s(12).await;
    let told = world.journal.explanations(job);
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(verdict(&told[1], bike), &Verdict::Unfit(Unfit::VehicleType));
    world.pass_s(100).await;
    let told = world.journal.explanations(job);
    assert!(told.len() <= 5, "{}", told.len());
}

#[actix::test]
async fn decisions_are_not_explained_if_explanations_are_switched_off() {
    tokio::time::pause();
    let mut world = World::seeded(1, by(MatchingPolicy { explain: false, ..matching() }));
    let id = world.mechanic_at(north(500.0)).await;
    let (offered, waiting) = (world.job_at(CENTRE).await, world.job_at(north(60_000.0)).await);
    world.offered(offered, id).await;
    world.pass_s(30).await;
    assert!(world.journal.explanations(offered).is_empty() && world.journal.explanations(waiting).is_empty());
}

#[actix::test]
async fn answers_determine_the_chance_that_a_mechanic_accepts_and_survive_a_restart() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let offered = |world: &World, job| {
        let offer = world.offer(id).expect("an offer");
        assert_eq!(offer.job_id, job);
        offer
    };
    let declined = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.decline(&offered(&world, declined)).await.unwrap();
    let revoked = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    offered(&world, revoked);
    world.cancel(revoked).await.unwrap();
    let expired = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    offered(&world, expired);
    for _ in 0..3 {
        world.pass_s(10).await;
        world.ping(id, north(500.0)).await.unwrap();
    }
    world.order(expired, Command::Retry { most_open_jobs: None }).await.ok();
    world.cancel(expired).await.unwrap();
    let accepted = world.job_at(CENTRE).await;
    world.pass_s(1).await;
    world.accept(&offered(&world, accepted)).await.unwrap();
    world.pass_s(1).await;
    let statuses: Vec<_> = world.journal.offers().into_iter().map(|row| row.status).collect();
    let answers = statuses.iter().filter(|status| **status != OfferStatus::Revoked);
    let expected: Vec<_> = answers.map(|status| *status == OfferStatus::Accepted).collect();
    let history = world.engine.mechanic(id).await.unwrap().history;
    assert_eq!(Vec::from(history.0.clone()), expected, "{statuses:?}");
    assert!(history.acceptance_permille() < 800);
    world.restart().await;
    assert_eq!(world.engine.mechanic(id).await.unwrap().history, history);
}

/// A large problem is solved on another thread, which needs real threads, and so real time.
#[actix::test]
async fn a_large_problem_is_solved_on_another_thread() {
    let (journal, outbound) = (Arc::new(MemoryJournal::default()), Arc::new(Recorder::default()));
    let eta = Arc::new(StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 });
    let ports = Ports { journal: journal.clone(), outbound, eta };
    let (clock, random) = (Clock::system(), Random::seeded(1));
    let settings = by(MatchingPolicy { solve_inline_edges: 0, ..matching() });
    let snapshot = Snapshot::default();
    let engine = Engine::start(
        settings.clone(),
        ports,
        clock.clone(),
        random.clone(),
        Placement::OwnThreads,
        snapshot,
    );
    let id = MechanicId(random.id(clock.now()));
    journal.add_mechanic(id, profile(user_of(id)), clock.now());
    for _ in 0..3 {
        let spec = spec(VehicleId(random.id(clock.now())), CENTRE, clock.now());
        let (by, id) = (Actor::Customer(spec.customer_id), JobId(random.id(clock.now())));
        let (details, excluded) = (JobDetails::default(), Default::default());
        let new = Box::new(JobToCreate { id, spec, details, excluded, idempotency: None });
        OpenJob { command: engine.new_command(), by, new }.carry_out(&engine).await.unwrap();
    }
    let ping = roadcall_actors::mechanic::state::Ping {
        seq: 1,
        point: north(500.0),
        accuracy_m: None,
        speed_mps: None,
        heading: None,
        recorded_at: clock.now(),
        is_mock: false,
    };
    engine.locate(id, vec![ping], PositionSource::App, clock.now()).await.unwrap();
    let (limit, pause) = (Duration::from_secs(30), Duration::from_millis(5));
    let counts = async || engine.counts(limit).await.unwrap().dispatcher;
    let all_wait = async {
        while counts().await.waiting_jobs < 3 {
            tokio::time::sleep(pause).await;
        }
    };
    tokio::time::timeout(limit, all_wait).await.expect("three waiting jobs");
    engine.set_availability(id, true).await.unwrap();
    let offered = async {
        while journal.pending_offer(id).is_none() {
            tokio::time::sleep(pause).await;
        }
    };
    tokio::time::timeout(limit, offered).await.expect("an offer");
    let counts = counts().await;
    assert_eq!((counts.beside, counts.contested), (1, 1), "{counts:?}");
    engine.end();
}

/// Returns the shipped settings with this change.
fn tuning(version: i64, change: impl FnOnce(&mut Tuning)) -> Tuning {
    let mut tuning = Tuning { search: SearchPolicy { version, ..search() }, matching: matching() };
    change(&mut tuning);
    tuning
}

#[actix::test]
async fn an_attempt_ends_as_it_began_and_the_next_uses_the_tuned_policy() {
    let mut world = world();
    let near = [world.mechanic_at(north(300.0)).await, world.mechanic_at(north(600.0)).await];
    let job = world.job_at(CENTRE).await;
    let first = world.offered(job, near[0]).await;
    world.engine.tune(tuning(7, |tuning| {
        tuning.search.round_widths = vec![2];
        tuning.search.offer_ttl = TimeDelta::seconds(30);
    }));
    // The search under way offers the job to one mechanic at a time, in its first round, for twenty seconds.
    let before = world.engine.job(job).await.unwrap();
    assert_eq!((before.spec.search.version, before.spec.search.width(1)), (0, 1));
    world.accept(&first).await.unwrap();
    let why = Command::Release { mechanic_id: near[0], reason_code: "personal".to_owned() };
    world.order(job, why).await.unwrap();
    let other = world.mechanic_at(north(900.0)).await;
    for id in [near[1], other] {
        let offer = world.offered(job, id).await.offer;
        assert_eq!(offer.expires_at - offer.created_at, TimeDelta::seconds(30));
    }
    let after = world.engine.job(job).await.unwrap();
    assert_eq!((after.attempt, after.spec.search.version), (2, 7));
    world.check_quiet().await;
}

#[actix::test]
async fn a_scheduled_job_uses_the_policy_that_holds_when_it_begins() {
    let world = world();
    world.engine.tune(tuning(3, |tuning| tuning.search.max_rounds = 2));
    let vehicle = VehicleId(world.random.id(world.now()));
    let now = world.now();
    let later = JobSpec { begin_at: now + TimeDelta::seconds(60), ..spec(vehicle, CENTRE, now) };
    let job = world.open(later).await.unwrap();
    world.pass_s(30).await;
    world.engine.tune(tuning(4, |tuning| tuning.search.attempt_ttl = TimeDelta::seconds(20)));
    world.pass_s(31).await;
    let held = world.engine.job(job).await.unwrap();
    assert_eq!((held.status(), held.spec.search.version), (Status::Dispatching, 4));
    world.pass_s(30).await;
    assert_eq!(world.engine.job(job).await.unwrap().status(), Status::NoMechanicFound);
}

#[actix::test]
async fn overrides_of_a_category_survive_tuning() {
    let mut world = world();
    let over = SearchOverrides { round_widths: Some(vec![2]), ..SearchOverrides::default() };
    world.search = Arc::new(search().with(over.clone()));
    assert_eq!(world.search.round_widths, [2]);
    world.engine.tune(tuning(9, |tuning| {
        tuning.search.round_widths = vec![1];
        tuning.search.offer_ttl = TimeDelta::seconds(7);
    }));
    let near = [world.mechanic_at(north(300.0)).await, world.mechanic_at(north(600.0)).await];
    let job = world.job_at(CENTRE).await;
    for id in near {
        let offer = world.offered(job, id).await.offer;
        assert_eq!(offer.expires_at - offer.created_at, TimeDelta::seconds(7));
    }
    let held = world.engine.job(job).await.unwrap().spec.search;
    assert_eq!((held.version, &held.over), (9, &over));
}

#[actix::test]
async fn tuned_weights_apply_from_the_next_match_on() {
    let mut world = world();
    let id = world.mechanic_at(north(500.0)).await;
    let mut refusals_s = Vec::new();
    for number in 0..3 {
        if number == 2 {
            world.engine.tune(tuning(1, |tuning| tuning.matching.refusal_weight_s = 500));
        }
        let job = world.job_at(CENTRE).await;
        let offer = world.offered(job, id).await;
        let Verdict::Offered(terms) = *verdict(&explained(&world, job), id) else { panic!("not offered") };
        refusals_s.push(terms.refusal_s);
        world.decline(&offer).await.unwrap();
    }
    // A refusal costs 25 times as much as before, and one more refusal is expected.
    assert!(refusals_s[1] > 0 && refusals_s[2] >= 20 * refusals_s[1], "{refusals_s:?}");
}

#[actix::test]
async fn a_mechanic_without_a_job_is_advised_to_wait_where_calls_come_from_until_they_have_one() {
    tokio::time::pause();
    let mut world = World::seeded(1, by(MatchingPolicy { pricing: Some(pricing()), ..matching() }));
    let busy = north(4_000.0);
    for _ in 0..6 {
        let job = world.job_at(busy).await;
        world.pass_s(10).await;
        world.cancel(job).await.expect("no mechanic has it yet");
    }
    let [id] = located(&mut world, [0.0]).await;
    come_online(&world, &[id]).await;
    world.pass_s(100).await;
    assert_eq!(world.engine.advice(id).await, Ok(None), "not idle for long enough");
    for _ in 0..5 {
        world.pass_s(30).await;
        world.ping(id, north(0.0)).await.expect("a ping");
    }
    let advice = world.engine.advice(id).await.expect("an answer").expect("advice");
    assert!(advice.centre.distance_m(busy) < 2_000.0, "{advice:?}");
    assert!(advice.there.calls_per_hour > 1.0 && advice.here.calls_per_hour < 0.1, "{advice:?}");
    let shown =
        world.outbound.all().into_iter().filter(|report| matches!(report, Announcement::WaitAdvised { .. }));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [Announcement::WaitAdvised { mechanic: user_of(id), advice }],
        "once"
    );
    let job = world.job_at(CENTRE).await;
    world.offered(job, id).await;
    assert_eq!(world.engine.advice(id).await, Ok(None), "an offer goes before");
}

#[actix::test]
async fn a_far_job_is_held_back_for_a_near_one_and_the_hold_counts_as_justified() {
    tokio::time::pause();
    let prices = |applies| Some(PricingPolicy { applies, ..pricing() });
    let mut world = World::seeded(1, by(MatchingPolicy { pricing: prices(true), ..matching() }));
    let [id] = located(&mut world, [0.0]).await;
    come_online(&world, &[id]).await;
    // Prices count in proportion to what is known of work.
    for _ in 0..20 {
        completed(&world, id).await;
    }
    // Two price updates have to pass, since each goes half of the way.
    for _ in 0..4 {
        world.pass_s(20).await;
        world.ping(id, north(0.0)).await.expect("a ping");
    }
    let far = world.job_at(north(9_000.0)).await;
    world.pass_s(1).await;
    assert!(world.offer(id).is_none(), "their hour is worth more");
    assert_eq!(world.engine.holds().open, 1);
    let near = world.job_at(CENTRE).await;
    let offer = world.offered(near, id).await;
    world.accept(&offer).await.expect("an offer just made");
    let report = world.engine.holds();
    assert_eq!((report.ended, report.open), (HoldCounts { justified: 1, ..HoldCounts::default() }, 0));
    assert_eq!(report.starving.len(), 1, "nothing of its category was completed since");
    // The settings switch to an hour without prices: no job is held, and prices stay known.
    world.engine.tune(tuning(1, |tuning| tuning.matching.pricing = prices(false)));
    world.cancel(near).await.expect("not under way yet");
    // Reports of mechanics don't wake the dispatcher for a held job: it looks once a second.
    world.pass_s(1).await;
    world.offered(far, id).await;
    assert!(!world.engine.prices().await.expect("an answer").is_empty());
}
