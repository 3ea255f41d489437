//! Tests of the advice on where to wait without a job.

use super::*;
use crate::{
    dispatcher::{advice::Advisor, queries::AdviceCounts},
    experience::AreaRate,
    messages::Advice,
};

const AFTER: TimeDelta = TimeDelta::minutes(2);

/// Returns a mechanic who has been idle for long.
fn idle(point: Point) -> Supply {
    Supply { idle_since: at(-3_600), fresh_until: at(86_400), ..supply(point) }
}

fn with(supplies: impl IntoIterator<Item = Supply>) -> DispatchState {
    let mut state = DispatchState::default();
    for (n, supply) in (1..).zip(supplies) {
        state.update_supply(mechanic(n), Some(supply), at(0));
    }
    state
}

fn calls(from: Point, per_hour: f64) -> AreaRate {
    AreaRate { area: from.area(), category_id: category(), per_s: per_hour / 3600.0 }
}

fn advice(state: &DispatchState, rates: &[AreaRate]) -> Vec<(MechanicId, Advice)> {
    Advisor::default().renew(state, rates, AFTER, &eta(), at(0))
}

#[test]
fn a_mechanic_far_from_where_calls_come_from_is_advised_to_wait_there() {
    let busy = north(4_000.0);
    let given = advice(&with([idle(CENTRE)]), &[calls(busy, 6.0), calls(CENTRE, 0.5)]);
    let [(id, advice)] = given[..] else { panic!("{given:?}") };
    assert_eq!((id, advice.centre), (mechanic(1), busy.area().centre()));
    assert!((advice.there.calls_per_hour - 6.0).abs() < 1e-9 && advice.there.mechanics == 0, "{advice:?}");
    assert!((advice.here.calls_per_hour - 0.5).abs() < 1e-9, "{advice:?}");
    assert!((300..1_200).contains(&advice.drive_s), "{advice:?}");
    assert_eq!(advice.until, at(i64::from(advice.drive_s) + 600));
}

#[test]
fn a_mechanic_in_a_good_place_gets_no_advice() {
    let busy = north(4_000.0);
    let rates = [calls(busy, 6.0), calls(CENTRE, 0.5)];
    assert!(advice(&with([idle(busy)]), &rates).is_empty(), "is there already");
    assert!(advice(&with([idle(CENTRE)]), &[calls(CENTRE, 6.0)]).is_empty(), "calls come from here");
    assert!(advice(&with([idle(CENTRE)]), &[]).is_empty(), "no calls at all");
    assert!(advice(&with([idle(CENTRE)]), &[calls(busy, 0.2)]).is_empty(), "hardly worth the drive");
    let other = AreaRate { category_id: CategoryId(Uuid::from_u128(77)), ..calls(busy, 60.0) };
    assert!(advice(&with([idle(CENTRE)]), &[other]).is_empty(), "calls for what they can't do");
    assert!(advice(&with([idle(CENTRE), idle(busy)]), &rates).is_empty(), "another serves them");
    let far = north(60_000.0);
    assert!(advice(&with([idle(CENTRE)]), &[calls(far, 60.0)]).is_empty(), "another town");
}

#[test]
fn a_mechanic_who_is_not_idle_gets_no_advice() {
    let rates = [calls(north(4_000.0), 6.0)];
    let just_free = Supply { idle_since: at(-60), ..idle(CENTRE) };
    let engaged = Supply { is_free: false, ..idle(CENTRE) };
    let stale = Supply { fresh_until: at(-1), ..idle(CENTRE) };
    for supply in [just_free, engaged, stale] {
        assert!(advice(&with([supply.clone()]), &rates).is_empty(), "{supply:?}");
    }
}

#[test]
fn mechanics_are_not_all_sent_to_one_place() {
    let (one, other) = (north(3_500.0), north(-3_500.0));
    let rates = [calls(one, 6.0), calls(other, 5.0)];
    let given = advice(&with((0..4).map(|_| idle(CENTRE))), &rates);
    let mut places: Vec<Point> = given.iter().map(|(_, advice)| advice.centre).collect();
    places.sort_by(|a, b| a.lat.total_cmp(&b.lat));
    assert_eq!(places, [other.area().centre(), one.area().centre()]);
}

#[test]
fn advice_is_replaced_only_after_it_ends_or_its_mechanic_gets_a_job() {
    let rates = [calls(north(4_000.0), 6.0)];
    let mut state = with([idle(CENTRE)]);
    let mut advisor = Advisor::default();
    let [(id, first)] = advisor.renew(&state, &rates, AFTER, &eta(), at(0))[..] else { panic!("no advice") };
    assert_eq!(advisor.advice(id, at(60)), Some(first));
    assert!(advisor.renew(&state, &rates, AFTER, &eta(), at(60)).is_empty(), "not again");
    assert_eq!(advisor.advice(id, first.until), None);
    assert_eq!(
        advisor.renew(&state, &rates, AFTER, &eta(), first.until).len(),
        1,
        "they stayed where they were"
    );
    state.take(id);
    assert!(advisor.renew(&state, &rates, AFTER, &eta(), at(120)).is_empty());
    assert_eq!(advisor.advice(id, at(120)), None, "they have a job");
}

#[test]
fn in_a_large_city_every_mechanic_has_their_turn() {
    // Another mechanic serves these, so no mechanic who waits there gets advice.
    let served = (0..600).map(|_| idle(CENTRE));
    let late = Supply { idle_since: at(-1_000), ..idle(north(40_000.0)) };
    let state = with(served.chain([late]));
    let rates = [calls(CENTRE, 1.0), calls(north(44_000.0), 6.0)];
    let mut advisor = Advisor::default();
    let mut minutes = || advisor.renew(&state, &rates, AFTER, &eta(), at(0)).len();
    assert_eq!([minutes(), minutes(), minutes()], [0, 0, 1], "256 at a time, those who wait longest first");
    assert_eq!([minutes(), minutes(), minutes(), minutes()], [0; 4]);
}

#[test]
fn mechanics_who_follow_advice_stay_or_get_a_job_first_are_counted_apart() {
    let rates = [calls(north(4_000.0), 6.0)];
    let counts = |given, followed, stayed, cut_short| AdviceCounts { given, followed, stayed, cut_short };
    let begin = || {
        let (state, mut advisor) = (with([idle(CENTRE)]), Advisor::default());
        let [(id, advice)] = advisor.renew(&state, &rates, AFTER, &eta(), at(0))[..] else {
            panic!("no advice")
        };
        assert_eq!(advisor.settle(&state, at(1)), counts(1, 0, 0, 0));
        (state, advisor, id, advice)
    };
    let is_at = |state: &mut DispatchState, id, point| state.update_supply(id, Some(idle(point)), at(300));

    let (mut state, mut advisor, id, advice) = begin();
    is_at(&mut state, id, advice.centre);
    assert_eq!(advisor.settle(&state, at(300)), counts(1, 0, 0, 0), "it still holds");
    is_at(&mut state, id, CENTRE);
    assert_eq!(advisor.settle(&state, advice.until), counts(1, 1, 0, 0), "they have been there");
    assert_eq!(advisor.settle(&state, advice.until), counts(1, 1, 0, 0), "once");

    let (state, mut advisor, _, advice) = begin();
    assert_eq!(advisor.settle(&state, advice.until), counts(1, 0, 1, 0), "stayed");

    for arrives in [true, false] {
        let (mut state, mut advisor, id, advice) = begin();
        is_at(&mut state, id, if arrives { advice.centre } else { north(1_000.0) });
        state.take(id);
        let expected = if arrives { counts(1, 1, 0, 0) } else { counts(1, 0, 0, 1) };
        assert_eq!(advisor.settle(&state, at(310)), expected, "a job, {arrives}");
    }

    let (mut state, mut advisor, id, _) = begin();
    state.update_supply(id, None, at(60));
    assert_eq!(advisor.settle(&state, at(60)), counts(1, 0, 0, 1), "offline");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn advice_is_finite_near_and_only_for_those_who_are_free(
        places in prop::collection::vec((-30_000.0..30_000.0_f64, any::<bool>(), 0.0..40_000.0_f64), 0..60),
        areas in prop::collection::vec((-40_000.0..40_000.0_f64, 0.0..1e6_f64), 0..80),
        now in -1_000_000..1_000_000_i64,
    ) {
        let supplies = places.iter().map(|(metres, is_free, radius_m)| {
            Supply { is_free: *is_free, radius_m: *radius_m, ..idle(north(*metres)) }
        });
        let state = with(supplies);
        let rates: Vec<AreaRate> = areas.iter().map(|(metres, per_hour)| calls(north(*metres), *per_hour)).collect();
        let mut advisor = Advisor::default();
        let given = advisor.renew(&state, &rates, AFTER, &eta(), at(now));
        prop_assert!(given.len() <= 32);
        for (id, advice) in given {
            let supply = state.supply(id).unwrap();
            prop_assert!(supply.is_free && advice.drive_s <= 1_200 && advice.until > at(now));
            prop_assert!(advice.there.calls_per_hour.is_finite() && advice.here.calls_per_hour.is_finite());
            prop_assert!(supply.point.distance_m(advice.centre) > 1_000.0);
        }
    }
}
