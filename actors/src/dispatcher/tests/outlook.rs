//! Tests of customers' outlooks.

use super::*;
use crate::{
    dispatcher::outlook::{Around, Forecast, Outlooks, Prospects},
    experience::WorkTimes,
    outbound::{Outlook, WaitReason},
};

fn prospects(state: &DispatchState, demand: &Demand) -> Prospects {
    Prospects::of(state, demand, &[], &shipped(), &WorkTimes::default(), &eta(), at(1))
}

fn forecast(state: &DispatchState, demand: &Demand) -> Forecast {
    prospects(state, demand).forecast(demand.search.in_time)
}

fn with(supplies: impl IntoIterator<Item = Supply>) -> DispatchState {
    let mut state = DispatchState::default();
    for (n, supply) in (1..).zip(supplies) {
        state.update_supply(mechanic(n), Some(supply), at(0));
    }
    state
}

#[test]
fn a_free_mechanic_nearby_is_a_good_chance_and_a_short_wait() {
    let near = forecast(&with([supply(north(1_000.0))]), &demand());
    assert!(near.chance_permille >= 780 && near.reason == WaitReason::Free, "{near:?}");
    let two = forecast(&with([supply(north(1_000.0)), supply(north(2_000.0))]), &demand());
    assert!(two.chance_permille > near.chance_permille, "{two:?}");
    // The second mechanic comes from farther away if the first refuses.
    assert!(two.wait_s > near.wait_s && two.wait_s < Some(600.0), "{two:?}");
    let shown = two.outlook(two.chance_permille);
    assert!(shown.expected_wait_s.is_some_and(|wait_s| wait_s % 60 == 0 && wait_s < 3_600), "{shown:?}");
    assert_eq!((shown.chance_permille % 50, shown.in_time_s), (0, 1_800));
}

#[test]
fn the_wait_for_the_only_mechanic_is_their_travel_time_without_their_refusal() {
    let only = forecast(&with([supply(north(1_000.0))]), &demand());
    assert!(only.wait_s.is_some_and(|wait_s| wait_s < 600.0), "{only:?}");
    // A mechanic who becomes free may come in their place, later.
    let busy = Supply { is_free: false, ..supply(north(500.0)) };
    let with_busy = forecast(&with([supply(north(1_000.0)), busy]), &demand());
    assert!(
        with_busy.wait_s > only.wait_s && with_busy.chance_permille > only.chance_permille,
        "{with_busy:?}"
    );
}

#[test]
fn without_a_mechanic_who_could_come_an_outlook_has_no_chance_and_no_time() {
    let unfit = Supply { vehicle_types: BTreeSet::from([VehicleType::TwoWheeler]).into(), ..supply(CENTRE) };
    let far = || supply(north(25_000.0));
    let elsewhere = Supply { fresh_until: at(0), ..supply(CENTRE) };
    let turned_down = Demand { excluded: BTreeSet::from([mechanic(1)]), ..demand() };
    for (demand, state, reason) in [
        (demand(), DispatchState::default(), WaitReason::NobodyOnline),
        (demand(), with([elsewhere]), WaitReason::NobodyOnline),
        (demand(), with([unfit.clone()]), WaitReason::NoSkill),
        (demand(), with([unfit.clone(), far()]), WaitReason::OutOfReach),
        (demand(), with([unfit, Supply { is_free: false, ..far() }]), WaitReason::OutOfReach),
        (demand(), with([supply(north(150_000.0))]), WaitReason::NobodyOnline),
        (turned_down, with([supply(north(1_000.0)), far()]), WaitReason::Declined),
    ] {
        let forecast = forecast(&state, &demand);
        assert_eq!((forecast.chance_permille, forecast.wait_s, forecast.reason), (0, None, reason));
    }
}

/// "Busy" is shown only if a mechanic is busy, and no mechanic counts as held back or busy while another is asked.
#[test]
fn the_reason_of_a_wait_is_the_first_that_applies() {
    let mut order = Vec::new();
    for bits in 0_u32..64 {
        let has = |bit: u32| bits & (1 << bit) != 0;
        let around = Around {
            asked: has(0),
            held: has(1),
            engaged: has(2),
            declined: has(3),
            far: has(4),
            other: has(5),
        };
        let first = bits.trailing_zeros().min(6);
        order.push((first, around.reason()));
    }
    for (first, reason) in order {
        assert_eq!(reason, WaitReason::ALL[first as usize]);
    }
}

#[test]
fn a_wait_has_one_reason_and_has_a_figure_only_if_a_mechanic_could_come() {
    let busy = Supply { is_free: false, ..supply(north(500.0)) };
    let one = with([busy.clone()]);
    assert_eq!(forecast(&one, &demand()).reason, WaitReason::Busy);
    let both = with([busy, supply(north(2_000.0))]);
    assert_eq!(forecast(&both, &demand()).reason, WaitReason::Free);
    for forecast in [forecast(&one, &demand()), forecast(&both, &demand())] {
        let shown = forecast.outlook(forecast.chance_permille);
        assert!(shown.expected_wait_s.is_some() && shown.reason == forecast.reason, "{shown:?}");
    }
}

#[test]
fn busy_mechanics_are_some_chance_which_falls_as_time_passes_and_others_wait() {
    let busy = || Supply { is_free: false, ..supply(north(1_000.0)) };
    let state = with((0..3).map(|_| busy()));
    let first = forecast(&state, &demand());
    assert!(first.reason == WaitReason::Busy && (1..700).contains(&first.chance_permille), "{first:?}");
    let later = forecast(&state, &Demand { waiting_since: at(-900), ..demand() });
    assert!(later.chance_permille < first.chance_permille, "{later:?}");
    let late = forecast(&state, &Demand { waiting_since: at(-1_800), ..demand() });
    assert_eq!(late.chance_permille, 0);
    let mut crowded = with((0..3).map(|_| busy()));
    for n in 1..=5 {
        let other = Demand { waiting_since: at(-i64::try_from(n).unwrap()), ..demand() };
        crowded.update_demand(job(n), Some(other), at(0));
    }
    crowded.look(&eta(), &shipped(), at(1));
    let crowded = forecast(&crowded, &demand());
    assert!(crowded.chance_permille < first.chance_permille && crowded.wait_s > first.wait_s);
}

#[test]
fn the_place_of_a_mechanic_within_their_cell_changes_nothing() {
    let cell = north(3_000.0).snapped(200.0);
    let places = [-80.0, 0.0, 80.0].map(|metres| Point { lat: cell.lat + metres / 111_195.0, ..cell });
    let all = places.map(|place| prospects(&with([supply(place)]), &demand()));
    assert!(all[0] == all[1] && all[1] == all[2], "{all:?}");
}

#[test]
fn only_notable_changes_are_news() {
    let mut outlooks = Outlooks::default();
    let outlook = |expected_wait_s| Outlook {
        expected_wait_s,
        chance_permille: 500,
        in_time_s: 1_800,
        reason: WaitReason::Busy,
    };
    assert!(outlooks.is_due(job(1), at(0)));
    assert!(outlooks.note(job(1), outlook(Some(1_200)), false, at(0)), "the first");
    assert!(!outlooks.is_due(job(1), at(29)) && outlooks.is_due(job(1), at(30)));
    assert!(!outlooks.note(job(1), outlook(Some(1_260)), false, at(30)));
    assert!(outlooks.note(job(1), outlook(Some(1_500)), false, at(60)), "by more than a fifth");
    let held = Outlook { reason: WaitReason::Held, ..outlook(Some(1_500)) };
    assert!(outlooks.note(job(1), held, false, at(90)));
    let nobody = Outlook { reason: WaitReason::NobodyOnline, ..outlook(None) };
    assert!(outlooks.note(job(1), nobody, false, at(120)));
    outlooks.forget(at(1_800), |_| false);
    assert_eq!(outlooks.last(job(1)), Some(Outlook { reason: WaitReason::NobodyOnline, ..outlook(None) }));
    outlooks.forget(at(2_000), |_| true);
    assert!(outlooks.last(job(1)).is_some(), "it waits");
    outlooks.forget(at(2_000), |_| false);
    assert_eq!(outlooks.last(job(1)), None);
}

#[test]
fn an_offer_and_its_end_are_news_whenever_they_come() {
    let mut outlooks = Outlooks::default();
    let outlook =
        |reason| Outlook { expected_wait_s: Some(600), chance_permille: 500, in_time_s: 1_800, reason };
    outlooks.note(job(1), outlook(WaitReason::Busy), false, at(0));
    assert!(outlooks.note_offer(job(1)), "they believe that all are busy");
    outlooks.note(job(1), outlook(WaitReason::Free), true, at(1));
    assert!(!outlooks.note_offer(job(1)), "they know that a mechanic is asked");
    assert!(outlooks.is_due(job(1), at(2)), "that mechanic does not come");
    assert!(outlooks.note(job(1), outlook(WaitReason::Busy), false, at(2)));
    assert!(!outlooks.is_due(job(1), at(3)));
}

#[test]
fn a_mechanic_with_an_offer_of_the_job_counts_as_asked_and_not_as_busy() {
    let holder = Supply { is_free: false, ..supply(north(1_000.0)) };
    let (state, demand) = (with([holder]), demand());
    let asked = |holders: &[MechanicId]| {
        let work = WorkTimes::default();
        let prospects = Prospects::of(&state, &demand, holders, &shipped(), &work, &eta(), at(1));
        prospects.forecast(demand.search.in_time)
    };
    assert_eq!(asked(&[]).reason, WaitReason::Busy, "another job's offer");
    let offered = asked(&[mechanic(1)]);
    let free = forecast(&with([supply(north(1_000.0))]), &demand);
    assert_eq!((offered.reason, offered.wait_s), (WaitReason::Free, free.wait_s));
    assert_eq!(offered.chance_permille, free.chance_permille);
    let unknown = asked(&[mechanic(9)]);
    assert!(unknown.reason == WaitReason::Free && unknown.chance_permille > 0, "{unknown:?}");
}

fn any_f64() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..1.0_f64, -1e4..1e5_f64, Just(f64::NAN), Just(f64::INFINITY), Just(0.0)]
}

proptest! {
    #[test]
    fn every_forecast_is_plausible(
        asked in proptest::collection::vec((0.05..0.98_f64, any_f64()), 0..9),
        (rivals, reason) in (0_usize..100, 0..WaitReason::ALL.len()),
        (freed_per_s, travel_s, left_s, search_left_s, sigma) in
            (any_f64(), any_f64(), any_f64(), any_f64(), any_f64()),
        calibrated in any::<u32>(),
    ) {
        let prospects = Prospects {
            asked, rivals, freed_per_s, travel_s, left_s, search_left_s, sigma, reason: WaitReason::ALL[reason],
        };
        let forecast = prospects.forecast(TimeDelta::minutes(30));
        prop_assert!(forecast.chance_permille <= 1000);
        let outlook = forecast.outlook(calibrated);
        prop_assert!(outlook.chance_permille <= 1000);
        prop_assert!(outlook.expected_wait_s.is_none_or(|wait_s| wait_s <= 4 * 3600 && wait_s % 60 == 0));
    }
}
