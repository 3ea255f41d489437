//! Tests of the matches when jobs compete.

use super::{
    super::{
        components::{Component, split},
        explain::{Foresight, Method},
        solving::{Matched, PosedProblem, unserved},
    },
    *,
};

/// Returns the least cost of serving these jobs, found by trying everything.
fn optimum(jobs: &[WaitingJob], taken: &mut BTreeSet<MechanicId>) -> i64 {
    let Some((first, rest)) = jobs.split_first() else { return 0 };
    let mut best = unserved(first, &shipped()) + optimum(rest, taken);
    for candidate in &first.candidates {
        if taken.insert(candidate.mechanic_id) {
            best = best.min(candidate.terms.cost_s + optimum(rest, taken));
            taken.remove(&candidate.mechanic_id);
        }
    }
    best
}

fn cost(jobs: &[WaitingJob], offers: &[(JobId, Vec<MechanicId>)]) -> i64 {
    let of = |job: &WaitingJob| {
        let mine = offers.iter().find(|(id, _)| *id == job.job_id).map(|(_, list)| list[0]);
        let matched_job = job.candidates.iter().find(|candidate| Some(candidate.mechanic_id) == mine);
        matched_job.map_or(unserved(job, &shipped()), |candidate| candidate.terms.cost_s)
    };
    jobs.iter().map(of).sum()
}

fn jobs() -> impl Strategy<Value = Vec<WaitingJob>> {
    let urgency = proptest::sample::select(Urgency::ALL.to_vec());
    let costs = proptest::collection::vec((0_u128..6, 0_i64..12_000), 0..5);
    proptest::collection::vec((urgency, 0_i64..3, costs), 1..6).prop_map(|jobs| {
        let jobs = jobs.into_iter().enumerate().map(|(n, (urgency, since, costs))| {
            waiting(n as u128, Demand { urgency, waiting_since: at(since), ..demand() }, &costs)
        });
        jobs.collect()
    })
}

proptest! {
    #[test]
    fn competing_jobs_get_the_cheapest_total_assignment(jobs in jobs()) {
        let offers = offered(jobs.clone(), &shipped());
        prop_assert_eq!(cost(&jobs, &offers), optimum(&jobs, &mut BTreeSet::new()));
    }

    #[test]
    fn if_no_job_has_to_give_way_every_jobs_own_choice_is_the_optimum(jobs in jobs()) {
        for component in split(jobs).into_iter().filter(|component| !component.is_contested) {
            let solved = PosedProblem::new(&component, &shipped()).unwrap().solve();
            prop_assert_eq!(solved.mechanics, Matched::alone(&component).mechanics);
        }
    }

    #[test]
    fn no_mechanic_is_offered_two_jobs_and_no_job_hoards_mechanics(jobs in jobs(), offers in 1_usize..6) {
        let widen = |job: WaitingJob| {
            let demand = Demand { offers, ..(*job.demand).clone() };
            WaitingJob { demand: Arc::new(demand), ..job }
        };
        let jobs: Vec<_> = jobs.into_iter().map(widen).collect();
        let chosen = offered(jobs.clone(), &shipped());
        let mut taken = BTreeSet::new();
        for (id, list) in &chosen {
            prop_assert!(list.len() <= offers);
            for (n, one) in list.iter().enumerate() {
                prop_assert!(taken.insert(*one), "{one} twice");
                let uses = |job: &&WaitingJob| job.candidates.iter().any(|c| c.mechanic_id == *one);
                prop_assert!(n == 0 || jobs.iter().filter(uses).count() == 1, "{id} hoards");
            }
        }
        for lone in jobs.iter().filter(|job| chosen.iter().all(|(id, _)| *id != job.job_id)) {
            // The job was left out because others were served, or because its candidate was too far to make the
            // others travel longer.
            let cheapest = lone.candidates.first();
            prop_assert!(cheapest.is_none_or(|c| taken.contains(&c.mechanic_id)), "left out for nothing");
        }
    }

    #[test]
    fn the_order_of_arrival_changes_nothing(
        (jobs, shuffled) in jobs().prop_flat_map(|jobs| (Just(jobs.clone()), Just(jobs).prop_shuffle())),
        strategy in proptest::sample::select(vec![Policy::Exact, Policy::Nearest, Policy::Broadcast]),
    ) {
        let policy = MatchingPolicy { strategy, ..shipped() };
        prop_assert_eq!(offered(jobs, &policy), offered(shuffled, &policy));
    }
}

#[test]
fn the_shortest_total_travel_wins_over_the_oldest_jobs_own() {
    let older = waiting(1, demand(), &[(1, 100), (2, 150)]);
    let newer = waiting(2, Demand { waiting_since: at(1), ..demand() }, &[(1, 90), (2, 900)]);
    let jobs = vec![older, newer];
    assert_eq!(offered(jobs.clone(), &shipped()), [(job(1), vec![mechanic(2)]), (job(2), vec![mechanic(1)])]);
    let nearest = MatchingPolicy { strategy: Policy::Nearest, ..shipped() };
    assert_eq!(offered(jobs, &nearest), [(job(1), vec![mechanic(1)]), (job(2), vec![mechanic(2)])]);
}

#[test]
fn when_supply_is_scarce_urgent_and_long_waiting_jobs_are_served() {
    let one = |n, demand, cost_s| waiting(n, demand, &[(1, cost_s)]);
    let urgent = Demand { urgency: Urgency::Accident, ..demand() };
    let long = Demand { waiting_since: at(-1_200), ..demand() };
    let winner = |jobs: Vec<WaitingJob>| {
        let offers = offered(jobs, &shipped());
        assert_eq!(offers.len(), 1);
        offers[0].0
    };
    assert_eq!(winner(vec![one(1, demand(), 100), one(2, urgent.clone(), 600)]), job(2));
    assert_eq!(winner(vec![one(1, demand(), 100), one(2, urgent, 800)]), job(1), "not at any cost");
    assert_eq!(winner(vec![one(1, demand(), 100), one(2, long, 250)]), job(2));
    assert_eq!(winner(vec![one(1, demand(), 101), one(2, demand(), 100)]), job(2), "else the shorter way");
}

#[test]
fn ties_go_to_the_older_job_and_then_to_the_lower_id() {
    let since = |seconds| Demand { waiting_since: at(seconds), ..demand() };
    // The difference in age is too short to be worth a second.
    let jobs = vec![waiting(1, since(1), &[(1, 100)]), waiting(2, since(0), &[(1, 100)])];
    assert_eq!(offered(jobs, &shipped()), [(job(2), vec![mechanic(1)])]);
    let jobs = vec![waiting(2, since(0), &[(1, 100)]), waiting(1, since(0), &[(1, 100)])];
    assert_eq!(offered(jobs, &shipped()), [(job(1), vec![mechanic(1)])]);
}

#[test]
fn more_jobs_are_served_rather_than_fewer() {
    let jobs = vec![waiting(1, demand(), &[(1, 10), (2, 3_000)]), waiting(2, demand(), &[(1, 20)])];
    assert_eq!(offered(jobs, &shipped()).len(), 2);
    let far = vec![waiting(1, demand(), &[(1, 80_000)])];
    assert_eq!(offered(far, &shipped()).len(), 1, "and a far one rather than none");
}

/// Returns jobs that all want the same mechanics, at many different costs.
fn crowd(jobs: u128, mechanics: u128) -> Component {
    let cost = |j: u128, m: u128| ((j * 7_919 + m * 104_729) % 1_009) as i64;
    let of = |j: u128| (0..mechanics).map(move |m| (m, if m == 0 { 0 } else { 1 + cost(j, m) }));
    let jobs = (0..jobs).map(|j| waiting(j, demand(), &of(j).collect::<Vec<_>>()));
    let mut components = split(jobs.collect());
    assert_eq!(components.len(), 1);
    components.remove(0)
}

#[test]
fn beyond_the_size_limit_the_answer_is_sound_and_its_gap_is_reported() {
    let component = crowd(40, 30);
    let exact = PosedProblem::new(&component, &shipped()).unwrap().solve();
    assert_eq!(exact.method, Method::Exact);
    let hurried = MatchingPolicy { solve_exact_edges: 100, solve_steps: 50, ..shipped() };
    let bounded = PosedProblem::new(&component, &hurried).unwrap().solve();
    let Method::Bounded { gap_s } = bounded.method else { panic!("{:?}", bounded.method) };
    let total = |matched: Matched| -> i64 {
        let picks: Vec<_> = matched.matches(component.clone()).collect();
        let ids: BTreeSet<_> = picks.iter().filter_map(|p| p.first.as_ref()).map(|c| c.mechanic_id).collect();
        assert_eq!(ids.len(), picks.iter().filter(|matched_job| matched_job.first.is_some()).count());
        let cost = picks.iter().map(|matched_job| match &matched_job.first {
            Some(candidate) => candidate.terms.cost_s,
            None => unserved(&matched_job.job, &shipped()),
        });
        cost.sum()
    };
    let (exact, bounded) = (total(exact), total(bounded));
    assert!(exact <= bounded && bounded - exact <= gap_s, "{exact} {bounded} {gap_s}");
    assert_eq!(
        PosedProblem::new(&component, &hurried).unwrap().solve().method,
        Method::Bounded { gap_s },
        "again the same"
    );
}

#[test]
fn a_job_is_left_out_only_for_more_than_its_cheapest_candidate_costs() {
    for (costs, expected) in [
        (&[][..], 7_200),
        (&[(1, 100)], 7_200),
        (&[(1, 7_199)], 7_200),
        (&[(1, 7_200), (2, 9_000)], 7_201),
        (&[(1, 80_000)], 80_001),
    ] {
        let [normal, urgent] = [Urgency::Normal, Urgency::Highway]
            .map(|urgency| unserved(&waiting(1, Demand { urgency, ..demand() }, costs), &shipped()));
        assert_eq!((normal, urgent), (expected, expected + 300), "{costs:?}");
    }
    let with_work = |cost_s| {
        let mut job = waiting(1, demand(), &[(1, cost_s)]);
        let foresight = Foresight {
            price_per_hour_milli: 0,
            class_price_per_hour_milli: 0,
            busy_s: 0,
            price_s: 0,
            on_site_price_s: 900,
            chance_permille: 0,
            late_s: 0,
            worth_s: 0,
        };
        job.candidates[0].terms.foresight = Some(foresight);
        unserved(&job, &shipped())
    };
    assert_eq!([100, 8_099, 8_100].map(with_work), [8_100, 8_100, 8_101], "somebody has to do the work");
}

#[test]
fn a_gap_is_reported_in_whole_seconds_and_never_too_small() {
    let unsearched = MatchingPolicy { solve_exact_edges: 0, solve_steps: 0, ..shipped() };
    let solved = |jobs| {
        let posed = PosedProblem::new(&Component { jobs, is_contested: true }, &unsearched).unwrap();
        (posed.edges(), posed.solve().method)
    };
    // The total is 240 s, where each job by itself could be served for 190; the tie-break is a fraction of a
    // second.
    let two = vec![waiting(1, demand(), &[(1, 100), (2, 150)]), waiting(2, demand(), &[(1, 90), (2, 900)])];
    assert_eq!(solved(two), (4, Method::Bounded { gap_s: 51 }));
    // There are so many jobs that nothing is added for ties.
    let many = (0..1_500).map(|n| waiting(n, demand(), &[(n, 10)]));
    let many = many.chain([waiting(1_500, demand(), &[(0, 20), (5_000, 50)])]);
    assert_eq!(solved(many.collect()), (1_502, Method::Bounded { gap_s: 30 }));
}

#[test]
fn broadcast_asks_every_mechanic_in_the_ring_up_to_the_width_of_the_round() {
    let broadcast = MatchingPolicy { strategy: Policy::Broadcast, ..shipped() };
    let wide = Demand { offers: 3, ..demand() };
    let all = [(1, 10), (2, 20), (3, 30), (4, 40)];
    let jobs = vec![waiting(1, wide.clone(), &all), waiting(2, wide, &all)];
    let expected = [(job(1), vec![mechanic(1), mechanic(2), mechanic(3)]), (job(2), vec![mechanic(4)])];
    assert_eq!(offered(jobs, &broadcast), expected);
}
