//! Tests of the price of a mechanic's hour, and of when a pickup is not worth it.

use std::collections::BTreeMap;

use super::{
    super::{
        state::LOOK_AGAIN_AFTER,
        worth::{Worth, chance_in_time},
    },
    *,
};
use crate::{
    experience::{CallRate, CompletedWork, HoldCounts, Kind, Lesson, WorkTimes},
    settings::{PricingPolicy, SearchPolicy},
    simulation::world::pricing as shipped_prices,
};

fn priced() -> MatchingPolicy {
    MatchingPolicy { pricing: Some(shipped_prices()), ..shipped() }
}

fn kind() -> Kind {
    Kind { category_id: category(), vehicle_type: VehicleType::FourWheeler }
}

fn calls(point: Point, per_hour: f64) -> CallRate {
    CallRate { cell: point.cell(), kind: kind(), per_s: per_hour / 3600.0 }
}

/// Returns the work times after this many jobs that took as long as was assumed before.
fn known_after(jobs: usize) -> WorkTimes {
    let experience =
        crate::experience::Experience::new(crate::experience::Lessons::default(), TimeDelta::hours(1), at(0));
    for _ in 0..jobs {
        let (travel_s, eta_s) = (720.0, Some(720.0));
        experience.learn(Lesson::Work(CompletedWork {
            category_id: category(),
            travel_s,
            on_site_s: 1_500.0,
            eta_s,
        }));
    }
    experience.work_times()
}

/// Returns the prices after they have settled, with these work times.
fn settled_by(supplies: &[Supply], rates: &[CallRate], work: &WorkTimes) -> Prices {
    (0..60).fold(Prices::default(), |last, _| {
        last.refreshed(&census(supplies.iter()), rates, std::iter::empty(), work.clone())
    })
}

/// Returns the prices after they have settled, with much experience.
fn settled(supplies: &[Supply], rates: &[CallRate]) -> Prices {
    settled_by(supplies, rates, &known_after(500))
}

fn price_of(mechanics: usize, per_hour: f64) -> f64 {
    let prices = settled(&vec![supply(CENTRE); mechanics], &[calls(CENTRE, per_hour)]);
    prices.class_of(&supply(CENTRE)).expect("a class").price
}

#[test]
fn the_price_of_one_class_follows_erlangs_formula() {
    // Computed by hand: 1500 s on site and 720 s of travel; 3 calls an hour make 1.85 erlangs; B(1, a) = 0.6491,
    // B(2, a) = 0.3753.
    let price = price_of(2, 3.0);
    assert!((price - 3.0 * (0.6491 - 0.3753)).abs() < 0.002, "{price}");
}

#[test]
fn one_more_mechanic_saves_less_than_the_last_one_did() {
    let prices = settled(&[supply(CENTRE), supply(CENTRE)], &[calls(CENTRE, 3.0)]);
    let class = &prices.markets[0].classes[0];
    // B(3, a) = 0.1879.
    assert!((class.one_more() - 3.0 * (0.3752 - 0.1879)).abs() < 0.002, "{}", class.one_more());
    assert!(class.one_more() < class.price);
}

#[test]
fn mechanics_are_dear_when_there_are_few_of_them_and_cost_nothing_when_there_are_many() {
    assert!(price_of(40, 3.0) < 1e-6);
    assert!(price_of(3, 30.0) > 1.0);
    assert_eq!(price_of(3, 0.0), 0.0, "nobody calls");
}

#[test]
fn towns_do_not_share_prices() {
    let far = Point::new(CENTRE.lat + 1.0, CENTRE.lng);
    let supplies = [supply(CENTRE), supply(far)];
    let prices = settled(&supplies, &[calls(far, 9.0)]);
    assert_eq!(prices.markets.len(), 2);
    assert_eq!(price(&prices, &supply(CENTRE)).per_hour, 0.0);
    assert!(price(&prices, &supply(far)).per_hour > 0.5);
    // A call near a town belongs to it, and a call far from every town to none.
    let beside = Point::new(CENTRE.lat + 0.21, CENTRE.lng);
    assert!(price(&settled(&supplies[..1], &[calls(beside, 9.0)]), &supplies[0]).per_hour > 0.5);
    let nowhere = Point::new(CENTRE.lat + 0.9, CENTRE.lng);
    assert_eq!(price(&settled(&supplies[..1], &[calls(nowhere, 9.0)]), &supplies[0]).per_hour, 0.0);
}

#[test]
fn only_the_class_that_the_calls_need_gets_dear() {
    let truck = supply(CENTRE);
    let van =
        Supply { categories: BTreeSet::from([CategoryId(Uuid::from_u128(99))]).into(), ..supply(CENTRE) };
    let supplies = [truck.clone(), van.clone()];
    let prices = settled(&supplies, &[calls(CENTRE, 9.0)]);
    assert!(price(&prices, &truck).per_hour > 0.5);
    assert_eq!(price(&prices, &van).per_hour, 0.0);
    assert_eq!(prices.markets[0].classes.iter().map(|class| class.mechanics).sum::<usize>(), 2);
}

#[test]
fn many_classes_are_joined_and_every_mechanic_belongs_to_one() {
    let skilled = |n: u128| {
        let categories = (0..3).map(|i| CategoryId(Uuid::from_u128(n * 7 + i * 13))).collect::<BTreeSet<_>>();
        Supply { categories: categories.into(), is_free: n < 120, ..supply(CENTRE) }
    };
    let supplies: Vec<_> = (0..200).map(skilled).collect();
    let prices = settled(&supplies, &[calls(CENTRE, 9.0)]);
    assert_eq!(prices.markets[0].classes.len(), 16);
    assert_eq!(prices.markets[0].classes.iter().map(|class| class.mechanics).sum::<usize>(), 200);
    assert_eq!(prices.markets[0].classes.iter().map(|class| class.free).sum::<usize>(), 120);
    assert!(supplies.iter().all(|supply| prices.class_of(supply).is_some()));
}

#[test]
fn two_classes_share_the_calls_that_both_may_answer() {
    let other = CategoryId(Uuid::from_u128(99));
    let versatile = Supply { categories: BTreeSet::from([category(), other]).into(), ..supply(CENTRE) };
    let mut supplies = vec![versatile; 3];
    supplies.extend([supply(CENTRE), supply(CENTRE)]);
    let for_others = CallRate { kind: Kind { category_id: other, ..kind() }, ..calls(CENTRE, 3.0) };
    let rates = [calls(CENTRE, 6.0), for_others];
    let first =
        Prices::default().refreshed(&census(supplies.iter()), &rates, std::iter::empty(), known_after(500));
    // The columns are mechanics, price, calls an hour and load, by another implementation of the formulas.
    for (prices, expected) in [
        (first, [[3.0, 0.499_232, 5.767_565, 3.556_665], [2.0, 0.431_041, 3.232_435, 1.993_335]]),
        (
            settled(&supplies, &rates),
            [[3.0, 0.999_411, 5.767_624, 3.556_702], [2.0, 0.863_026, 3.232_376, 1.993_298]],
        ),
    ] {
        let market = &prices.markets[0];
        for (class, expected) in market.classes.iter().zip(expected) {
            let found = [class.mechanics as f64, class.price, class.calls_per_s * 3600.0, class.load];
            let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 2e-6);
            assert!(is_near, "{found:?} instead of {expected:?}");
        }
        assert!((market.load() - 5.55).abs() < 1e-9, "9 calls an hour of 2,220 s: {}", market.load());
    }
}

#[test]
fn calls_of_a_kind_and_those_who_wait_add_up_and_so_do_mechanics_of_neighbouring_cells() {
    let beside = Point::new(CENTRE.lat + 0.2, CENTRE.lng);
    let engaged = Supply { is_free: false, ..supply(beside) };
    let supplies = [supply(CENTRE), supply(CENTRE), supply(beside), engaged];
    let rates = [calls(CENTRE, 1.0), calls(beside, 2.0)];
    let waiting = [(CENTRE, kind()), (beside, kind())].into_iter();
    let prices = Prices::default().refreshed(&census(supplies.iter()), &rates, waiting, known_after(500));
    assert_eq!((prices.markets.len(), prices.markets[0].classes.len()), (1, 1));
    let class = &prices.markets[0].classes[0];
    assert_eq!((class.mechanics, class.free), (4, 3));
    // Each waiting job counts as two calls an hour.
    assert!((class.calls_per_s * 3600.0 - 7.0).abs() < 1e-9, "{}", class.calls_per_s * 3600.0);
}

#[test]
fn long_work_still_counts_as_a_call_however_dear_an_hour_is() {
    let (long, short) = (CategoryId(Uuid::from_u128(41)), CategoryId(Uuid::from_u128(42)));
    let experience =
        crate::experience::Experience::new(crate::experience::Lessons::default(), TimeDelta::hours(1), at(0));
    for (category_id, on_site_s) in [(long, 14_000.0), (short, 1.0)].repeat(250) {
        let (travel_s, eta_s) = (1.0, Some(1.0));
        experience.learn(Lesson::Work(CompletedWork { category_id, travel_s, on_site_s, eta_s }));
    }
    let both = Supply { categories: BTreeSet::from([long, short]).into(), ..supply(CENTRE) };
    let calls_for =
        |category_id, per_hour| CallRate { kind: Kind { category_id, ..kind() }, ..calls(CENTRE, per_hour) };
    let rates = [calls_for(long, 0.01), calls_for(short, 100.0)];
    let prices = settled_by(&[both], &rates, &experience.work_times());
    let class = &prices.markets[0].classes[0];
    assert!(class.price > 15.0, "an hour of long work costs dozens of jobs: {class:?}");
    assert!((class.calls_per_s * 3600.0 - 100.01).abs() < 1e-9, "{class:?}");
}

#[test]
fn the_chance_to_be_in_time_falls_with_the_way_and_ends_with_the_time() {
    assert!((chance_in_time(1_000.0, 1_000.0, 0.25) - 0.5).abs() < 1e-6);
    // The difference is one standard deviation.
    assert!((chance_in_time(1_000.0 * (-0.25_f64).exp(), 1_000.0, 0.25) - 0.841_345).abs() < 1e-5);
    assert_eq!((chance_in_time(10.0, 0.0, 0.25), chance_in_time(10.0, -5.0, 0.25)), (0.0, 0.0));
    assert_eq!(chance_in_time(0.0, 10.0, 0.25), 1.0);
}

/// Returns a state whose only class is as dear as few mechanics make it.
fn dear(mechanics: u128) -> DispatchState {
    let mut state = DispatchState::default();
    for n in 0..mechanics {
        state.update_supply(mechanic(n), Some(supply(north(9_000.0 + n as f64))), at(0));
    }
    let supplies: Vec<_> = supplies(&state).cloned().collect();
    state.set_prices(settled(&supplies, &[calls(CENTRE, 60.0)]));
    state
}

#[test]
fn a_far_pickup_is_held_back_while_mechanics_are_dear_and_offered_when_they_are_not() {
    let mut state = dear(2);
    // The job is nine kilometres away, and the customer has waited for 15 minutes.
    let late = Demand { waiting_since: at(-900), ..demand() };
    state.update_demand(job(1), Some(late.clone()), at(0));
    let look = state.look(&eta(), &priced(), at(1));
    assert!(look.open.is_empty());
    let held = &look.unmatched[0].held;
    assert_eq!(held.len(), 2);
    let foresight = held[0].terms.foresight.unwrap();
    assert!(foresight.price_s + foresight.late_s >= 3_600, "{foresight:?}");
    assert_eq!((state.ready(), state.held()), (0, 1));
    assert!(!state.has_unmatched(), "no report of a mechanic has to wake the dispatcher for it");
    state.set_prices(Prices::default());
    assert_eq!((state.ready(), state.held()), (1, 0), "new prices");
    assert_eq!(decide_by(&mut state, &priced()).len(), 1);
}

#[test]
fn a_held_job_is_woken_by_a_mechanic_who_becomes_free_or_after_a_while_but_not_by_every_position() {
    let mut state = dear(2);
    state.update_demand(job(1), Some(Demand { waiting_since: at(-900), ..demand() }), at(0));
    state.look(&eta(), &priced(), at(1));
    assert_eq!(state.held(), 1);
    assert!(!state.update_supply(mechanic(0), Some(supply(north(8_990.0))), at(2)), "a position");
    assert!(!state.update_supply(mechanic(9), Some(Supply { is_free: false, ..supply(CENTRE) }), at(2)));
    assert!(state.update_supply(mechanic(9), Some(supply(CENTRE)), at(3)), "free now");
    assert_eq!(state.held(), 0);
    state.take(mechanic(9));
    state.look(&eta(), &priced(), at(4));
    assert_eq!(state.held(), 1);
    state.retry_overdue(at(4) + LOOK_AGAIN_AFTER);
    assert_eq!(state.held(), 0, "nobody is held for ever");
}

#[test]
fn accidents_are_never_held_back_unless_the_settings_say_so() {
    for (hold_accidents, held) in [(false, 0), (true, 1)] {
        let mut state = dear(2);
        let demand = Demand { urgency: Urgency::Accident, waiting_since: at(-3_000), ..demand() };
        state.update_demand(job(1), Some(demand), at(0));
        let mut policy = priced();
        policy.pricing.as_mut().unwrap().hold_accidents = hold_accidents;
        let open = state.look(&eta(), &policy, at(1)).open.len();
        assert_eq!((state.held(), open), (held, 1 - held), "{hold_accidents}");
    }
}

fn switched_off() -> MatchingPolicy {
    MatchingPolicy { pricing: Some(PricingPolicy { applies: false, ..shipped_prices() }), ..shipped() }
}

#[test]
fn prices_that_are_switched_off_change_nothing() {
    for policy in [shipped(), switched_off(), MatchingPolicy { strategy: Policy::Nearest, ..priced() }] {
        let mut state = dear(2);
        state.update_demand(job(1), Some(Demand { waiting_since: at(-3_000), ..demand() }), at(0));
        let open = state.look(&eta(), &policy, at(1)).open;
        assert!(open[0].held.is_empty() && open[0].candidates.len() == 2);
        assert!(open[0].candidates.iter().all(|candidate| candidate.terms.foresight.is_none()));
    }
}

#[test]
fn a_cheaper_class_farther_away_serves_a_job_that_is_held_back_from_the_dear_class() {
    let mut state = dear(1);
    let others = BTreeSet::from([category(), CategoryId(Uuid::from_u128(99))]);
    let plenty = Supply { categories: others.into(), ..supply(north(11_500.0)) };
    let mut supplies: Vec<_> = supplies(&state).cloned().collect();
    for n in 100..160 {
        state.update_supply(mechanic(n), Some(plenty.clone()), at(0));
        supplies.push(plenty.clone());
    }
    let prices = settled(&supplies, &[calls(CENTRE, 60.0)]);
    assert!(price(&prices, &plenty).per_hour < price(&prices, &supplies[0]).per_hour + 1e-9);
    state.set_prices(prices);
    state.update_demand(job(1), Some(demand()), at(0));
    assert!(!decide_by(&mut state, &priced()).is_empty());
}

#[test]
fn a_mechanic_costs_less_the_longer_they_have_waited() {
    let new = Price { per_hour: 0.8, calls_per_s: 1.0 / 900.0 };
    assert_eq!(new.after(0.0), 0.8);
    // Computed by hand: after half an hour in which two calls were expected, the price is halved.
    assert!((new.after(1_800.0) - 0.4).abs() < 1e-9);
    let prices = settled(&[supply(CENTRE), supply(CENTRE)], &[calls(CENTRE, 4.0)]);
    assert!(
        (price(&prices, &supply(CENTRE)).calls_per_s * 3600.0 - 2.0).abs() < 1e-9,
        "two calls an hour each"
    );
}

#[test]
fn a_mechanic_who_has_waited_long_is_sent_to_a_job_that_is_held_back_from_others() {
    let mut state = dear(2);
    let late = Demand { waiting_since: at(-900), ..demand() };
    state.update_demand(job(1), Some(late), at(0));
    assert!(state.look(&eta(), &priced(), at(1)).open.is_empty());
    let waited = Supply { idle_since: at(-7_200), ..supply(north(9_000.0)) };
    state.update_supply(mechanic(0), Some(waited), at(2));
    state.retry_overdue(at(2) + LOOK_AGAIN_AFTER);
    let open = state.look(&eta(), &priced(), at(12)).open;
    let (sent, held) = (&open[0].candidates, &open[0].held);
    assert_eq!((sent[0].mechanic_id, held[0].mechanic_id), (mechanic(0), mechanic(1)));
    let foresight = sent[0].terms.foresight.unwrap();
    assert!(foresight.price_per_hour_milli < foresight.class_price_per_hour_milli, "{foresight:?}");
}

#[test]
fn prices_give_way_while_mechanics_stand_free_near_held_jobs() {
    let mut state = dear(2);
    state.update_demand(job(1), Some(Demand { waiting_since: at(-900), ..demand() }), at(0));
    state.look(&eta(), &priced(), at(1));
    assert_eq!(state.held(), 1);
    let before = price(state.prices(), &supply(CENTRE)).per_hour;
    let rates = [calls(CENTRE, 60.0)];
    let mut minutes = 0;
    while state.held() > 0 {
        (0..6).for_each(|_| state.watch_markets());
        let last = state.prices();
        let prices = last.refreshed(state.census(), &rates, std::iter::empty(), known_after(500));
        state.set_prices(prices);
        state.look(&eta(), &priced(), at(1));
        minutes += 1;
        assert!(minutes < 20, "held for ever: {:?}", state.prices().markets);
    }
    let guard = &state.prices().markets[0].guard;
    assert!(guard.price_share() < 0.5 && guard.idle_beside_held() >= 0.25, "{guard:?}");
    assert!(price(state.prices(), &supply(CENTRE)).per_hour < before / 2.0);
}

#[test]
fn prices_count_in_proportion_to_the_evidence() {
    let (supplies, rates) = ([supply(CENTRE)], [calls(CENTRE, 9.0)]);
    let price_after = |jobs| price(&settled_by(&supplies, &rates, &known_after(jobs)), &supplies[0]).per_hour;
    let all = settled(&supplies, &rates).class_of(&supplies[0]).expect("a class").price;
    assert_eq!(price_after(0), 0.0, "nothing is known");
    assert!((price_after(10) - all / 2.0).abs() < 1e-6 && (price_after(30) - all * 0.75).abs() < 1e-6);
}

#[test]
fn a_job_that_is_likely_to_be_reached_in_time_is_not_held_back_at_any_price() {
    let mut state = dear(2);
    // The pickup is nine kilometres away, which takes half an hour, and 40 minutes are left.
    let generous = Arc::new(SearchPolicy { in_time: TimeDelta::minutes(40), ..(*demand().search).clone() });
    state.update_demand(job(1), Some(Demand { search: generous, ..demand() }), at(0));
    let open = state.look(&eta(), &MatchingPolicy { pricing: Some(dearest()), ..shipped() }, at(1)).open;
    let foresight = open[0].candidates[0].terms.foresight.expect("prices are on");
    assert!(foresight.chance_permille > 500 && foresight.price_s > foresight.worth_s, "{foresight:?}");
}

/// Returns a policy in which every price is ten times as high.
fn dearest() -> PricingPolicy {
    PricingPolicy { worth_s: 36_000, ..shipped_prices() }
}

#[test]
fn a_job_with_long_work_does_not_wait_for_those_with_short_work() {
    let (long, short) = (CategoryId(Uuid::from_u128(41)), CategoryId(Uuid::from_u128(42)));
    let experience =
        crate::experience::Experience::new(crate::experience::Lessons::default(), TimeDelta::hours(1), at(0));
    for (category_id, on_site_s) in [(long, 5_400.0), (short, 300.0)].repeat(200) {
        let (travel_s, eta_s) = (720.0, Some(720.0));
        experience.learn(Lesson::Work(CompletedWork { category_id, travel_s, on_site_s, eta_s }));
    }
    let both = Supply { categories: BTreeSet::from([long, short]).into(), ..supply(north(1_000.0)) };
    let rates = [long, short]
        .map(|category_id| CallRate { kind: Kind { category_id, ..kind() }, ..calls(CENTRE, 9.0) });
    let mut state = DispatchState::default();
    state.update_supply(mechanic(0), Some(both.clone()), at(0));
    state.set_prices(settled_by(&[both], &rates, &experience.work_times()));
    let waiting = |category_id, since| Demand { category_id, waiting_since: at(since), ..demand() };
    state.update_demand(job(1), Some(waiting(long, -300)), at(0));
    state.update_demand(job(2), Some(waiting(short, 0)), at(0));
    let decided = decide_by(&mut state, &priced());
    assert_eq!(decided.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [job(1)], "it has waited for longer");
}

#[test]
fn mechanics_of_one_town_do_not_alarm_another() {
    let far = Point::new(CENTRE.lat + 1.0, CENTRE.lng);
    let mut state = dear(2);
    (10..20).for_each(|n| {
        state.update_supply(mechanic(n), Some(supply(far)), at(0));
    });
    state.update_supply(mechanic(20), Some(Supply { is_free: false, ..supply(far) }), at(0));
    let supplies: Vec<_> = supplies(&state).cloned().collect();
    state.set_prices(settled(&supplies, &[calls(CENTRE, 60.0)]));
    state.update_demand(job(1), Some(Demand { waiting_since: at(-900), ..demand() }), at(0));
    state.look(&eta(), &priced(), at(1));
    (0..12).for_each(|_| state.watch_markets());
    let guards: Vec<_> = state.prices().markets.iter().map(|market| &market.guard).collect();
    let shares: Vec<_> = guards.iter().map(|guard| guard.idle_beside_held()).collect();
    assert_eq!(shares, [0.5, 0.0], "half of two, none of eleven");
    assert_eq!(guards.iter().map(|guard| guard.busy()).collect::<Vec<_>>(), [0.0, 1.0]);
}

#[test]
fn the_outcomes_of_holds_are_counted_in_the_nearest_market() {
    let far = Point::new(CENTRE.lat + 1.0, CENTRE.lng);
    let mut prices = settled(&[supply(CENTRE), supply(far)], &[]);
    let counts = |justified| HoldCounts { justified, free: 1, wasted: 2 };
    let (beside, nowhere) = (Point::new(far.lat + 0.2, far.lng), Point::new(far.lat + 9.0, far.lng));
    let held = [(CENTRE, 5), (far, 3), (beside, 4), (nowhere, 9)];
    prices.count_holds(held.map(|(place, justified)| (place.cell(), counts(justified))).into());
    let holds: Vec<_> = prices.markets.iter().map(|market| market.holds).collect();
    assert_eq!(holds, [counts(5), HoldCounts { justified: 7, free: 2, wasted: 4 }]);
}

#[test]
fn travel_time_is_corrected_by_the_ratio_of_trips_to_their_etas() {
    let experience =
        crate::experience::Experience::new(crate::experience::Lessons::default(), TimeDelta::hours(1), at(0));
    for _ in 0..200 {
        let (travel_s, eta_s) = (200.0, Some(1_000.0));
        experience.learn(Lesson::Work(CompletedWork {
            category_id: category(),
            travel_s,
            on_site_s: 600.0,
            eta_s,
        }));
    }
    let supplies = [supply(CENTRE)];
    let rates = [calls(CENTRE, 1.0)];
    let learned = Prices::default().refreshed(
        &census(supplies.iter()),
        &rates,
        std::iter::empty(),
        experience.work_times(),
    );
    let (demand, policy) = (Demand { waiting_since: at(-900), ..demand() }, priced());
    let foresight = |prices: &Prices| {
        let worth = Worth::of(&demand, &policy, prices, at(0)).expect("prices are on");
        worth.foresight(&Price::default(), 0.0, 2_000, 0)
    };
    let (believed, known) = (foresight(&Prices::default()), foresight(&learned));
    assert!(believed.chance_permille < 10, "{believed:?}: 2,000 s are too long for 892");
    assert!(known.chance_permille > 990, "{known:?}: a fifth of them are not");
    assert!((1_000..1_200).contains(&known.busy_s) && believed.busy_s == 3_500, "{known:?} {believed:?}");
}

fn any_supply() -> impl Strategy<Value = Supply> {
    let place = (-90.0..90.0, -180.0..180.0).prop_map(|(lat, lng)| Point::new(lat, lng));
    let sets = (proptest::collection::btree_set(0_u128..5, 0..5), any::<bool>());
    (place, sets).prop_map(|(point, (categories, is_free))| {
        let categories =
            categories.into_iter().map(|n| CategoryId(Uuid::from_u128(n))).collect::<BTreeSet<_>>();
        Supply { categories: categories.into(), is_free, ..supply(point) }
    })
}

/// Generates mechanics at a few places with a few skills, so that some are alike.
fn any_near() -> impl Strategy<Value = Supply> {
    (0..4_i32, any::<bool>(), any::<bool>()).prop_map(|(place, is_skilled, is_free)| {
        let categories: BTreeSet<_> = is_skilled.then(category).into_iter().collect();
        Supply { categories: categories.into(), is_free, ..supply(north(f64::from(place) * 9_000.0)) }
    })
}

fn any_rate() -> impl Strategy<Value = CallRate> {
    (-90.0..90.0, -180.0..180.0, 0_u128..6, 0.0..1e6).prop_map(|(lat, lng, category, per_s)| CallRate {
        cell: Point::new(lat, lng).cell(),
        kind: Kind { category_id: CategoryId(Uuid::from_u128(category)), ..kind() },
        per_s,
    })
}

proptest! {
    #[test]
    fn prices_are_finite_and_not_negative_whatever_is_reported(
        supplies in proptest::collection::vec(any_supply(), 0..40),
        rates in proptest::collection::vec(any_rate(), 0..40),
        works in proptest::collection::vec((0.0..1e5_f64, 0.0..1e5_f64, 0.0..1e5_f64), 0..20),
    ) {
        let experience = crate::experience::Experience::new(
            crate::experience::Lessons::default(), TimeDelta::hours(1), at(0));
        for (travel_s, on_site_s, eta_s) in works {
            let eta_s = Some(eta_s);
            experience.learn(Lesson::Work(CompletedWork { category_id: category(), travel_s, on_site_s, eta_s }));
        }
        let mut prices = Prices::default();
        for _ in 0..4 {
            let waiting = rates.iter().map(|rate| (rate.cell.centre(), rate.kind));
            prices = prices.refreshed(&census(supplies.iter()), &rates, waiting, experience.work_times());
            for supply in &supplies {
                let Price { per_hour: price, .. } = price(&prices, supply);
                prop_assert!(price.is_finite() && price >= 0.0, "{price}");
            }
        }
    }

    #[test]
    fn the_census_equals_a_full_count_and_mechanics_have_the_prices_of_their_groups(
        reports in proptest::collection::vec((0_u128..6, proptest::option::weighted(0.8, any_near())), 1..60),
        taken in proptest::collection::vec(0_u128..6, 0..10),
    ) {
        let (mut state, rates) = (DispatchState::default(), [calls(CENTRE, 60.0)]);
        let mut taken = taken.into_iter();
        for (n, (id, supply)) in reports.into_iter().enumerate() {
            match supply {
                Some(moved) if n % 3 == 2 => {
                    state.update_position(mechanic(id), moved.point, at(60), at(0));
                }
                supply => {
                    state.update_supply(mechanic(id), supply, at(0));
                }
            }
            if n % 5 == 1 {
                taken.next().into_iter().for_each(|id| state.take(mechanic(id)));
            }
            if n % 7 == 3 {
                let prices = state.prices().refreshed(state.census(), &rates, std::iter::empty(), known_after(50));
                state.set_prices(prices);
            }
            let mut counted: BTreeMap<_, (usize, usize)> = BTreeMap::new();
            for supply in supplies(&state) {
                let (online, free) = counted.entry((supply.point.cell(), Skills::of(supply))).or_default();
                (*online, *free) = (*online + 1, *free + usize::from(supply.is_free));
            }
            let groups = state.census().groups();
            let kept: BTreeMap<_, _> =
                groups.map(|group| ((group.cell, group.skills.clone()), (group.online, group.free))).collect();
            prop_assert_eq!(kept, counted);
            for id in 0..6 {
                if let Some(online) = state.online(mechanic(id)) {
                    prop_assert_eq!(online.price, price(state.prices(), &online.supply));
                }
            }
        }
    }

    #[test]
    fn more_mechanics_who_can_do_the_same_are_never_dearer(mechanics in 1_usize..60, per_hour in 0.0..200.0_f64) {
        let (fewer, more) = (price_of(mechanics, per_hour), price_of(mechanics + 1, per_hour));
        prop_assert!(more <= fewer + 1e-6, "{fewer} for {mechanics}, {more} for one more");
    }

    #[test]
    fn terms_stay_within_bounds_whatever_a_price_and_an_estimate_say(
        price in prop_oneof![Just(0.0), Just(f64::MAX), Just(f64::NAN), Just(f64::INFINITY), 0.0..100.0_f64],
        eta_s in any::<u32>(),
        waited in -100_000_i64..100_000,
        refusal_s in 0_i64..86_400,
        (calls_per_s, free_s) in (0.0..1e3_f64, -1e6..1e9_f64),
    ) {
        let demand = Demand { waiting_since: at(-waited), ..demand() };
        let (policy, prices) = (priced(), Prices::default());
        let worth = Worth::of(&demand, &policy, &prices, at(0)).expect("prices are on");
        let price = Price { per_hour: price, calls_per_s };
        let foresight = worth.foresight(&price, free_s, eta_s, refusal_s);
        let prices = [foresight.price_per_hour_milli, foresight.class_price_per_hour_milli];
        for term in [foresight.price_s, foresight.late_s, foresight.busy_s].into_iter().chain(prices) {
            prop_assert!((0..=matching::MAX_TERM_S).contains(&term), "{foresight:?}");
        }
        prop_assert!((0..=1000).contains(&foresight.chance_permille));
    }
}

#[test]
fn skills_without_a_class_are_priced_as_the_most_similar_class() {
    let with = |categories: &[u128], vehicle_types: &[VehicleType]| {
        let categories = categories.iter().map(|n| CategoryId(Uuid::from_u128(*n))).collect::<BTreeSet<_>>();
        let vehicle_types = vehicle_types.iter().copied().collect::<BTreeSet<_>>();
        Supply { categories: categories.into(), vehicle_types: vehicle_types.into(), ..supply(CENTRE) }
    };
    let (car, scooter) = (VehicleType::FourWheeler, VehicleType::TwoWheeler);
    let (broad, long) = (with(&[1, 2], &[car, scooter]), with(&[1, 2, 3], &[car]));
    let prices = settled(&[broad.clone(), long.clone()], &[]);
    for (skills, like) in [
        (&broad, &broad),
        (&long, &long),
        // It shares 2 of 3 with the first class, and 2 of 4 with the second.
        (&with(&[1, 2], &[car]), &long),
        // It shares 2 of 7, and 4 of 6.
        (&with(&[1, 2, 4], &[car, scooter]), &broad),
        // It shares 2 of 5, and no vehicle that both can help.
        (&with(&[1, 2, 3], &[scooter]), &broad),
    ] {
        assert_eq!(prices.class_of(skills).expect("a class").skills, Skills::of(like), "{skills:?}");
    }
    // It shares 1 of 3, and 3 of 4.
    let (narrow, wide) = (with(&[1], &[car]), with(&[1, 2, 3, 4], &[car]));
    let prices = settled(&[narrow, wide.clone()], &[]);
    let like = &prices.class_of(&with(&[1, 2, 3], &[car])).expect("a class").skills;
    assert_eq!(*like, Skills::of(&wide));
}
