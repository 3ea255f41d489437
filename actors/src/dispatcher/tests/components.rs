//! Tests of which jobs are decided together, and when.

use super::{
    super::components::{Component, split},
    *,
};

fn sizes(components: &[Component]) -> Vec<(usize, bool)> {
    components.iter().map(|component| (component.jobs.len(), component.is_contested)).collect()
}

#[test]
fn jobs_without_a_common_candidate_are_decided_separately() {
    let jobs = vec![waiting(1, demand(), &[(1, 10), (2, 20)]), waiting(2, demand(), &[(3, 10)])];
    assert_eq!(sizes(&split(jobs)), [(1, false), (1, false)]);
}

#[test]
fn jobs_with_different_cheapest_candidates_do_not_compete() {
    let jobs = vec![waiting(1, demand(), &[(1, 10), (2, 20)]), waiting(2, demand(), &[(2, 10), (1, 20)])];
    assert_eq!(sizes(&split(jobs)), [(2, false)]);
}

#[test]
fn jobs_with_the_same_cheapest_candidate_compete_with_every_job_that_may_have_to_give_way() {
    let chain = vec![
        waiting(1, demand(), &[(1, 10), (2, 20)]),
        waiting(2, demand(), &[(1, 10), (2, 11), (3, 90)]),
        waiting(3, demand(), &[(2, 10), (4, 20)]),
        waiting(4, demand(), &[(9, 10)]),
    ];
    assert_eq!(sizes(&split(chain)), [(3, true), (1, false)]);
}

#[test]
fn as_many_candidates_as_jobs_are_looked_at_and_no_more() {
    let shared = [(7, 100), (8, 100)];
    let with = |own: u128| [(own, 1), (own + 1, 2), shared[0], shared[1]];
    let jobs = vec![waiting(1, demand(), &with(10)), waiting(2, demand(), &with(20))];
    assert_eq!(sizes(&split(jobs)), [(1, false), (1, false)], "two jobs have two of their own each");
}

#[test]
fn competing_jobs_gather_from_the_oldest_update_on_and_no_other_job_waits() {
    let policy = MatchingPolicy { window: TimeDelta::seconds(2), ..shipped() };
    let by = |round_since, job: WaitingJob| WaitingJob { round_since, ..job };
    let jobs = vec![
        by(at(10), waiting(1, demand(), &[(1, 10)])),
        by(at(11), waiting(2, demand(), &[(1, 20), (2, 50)])),
        by(at(11), waiting(3, demand(), &[(5, 10)])),
    ];
    let ids = |due: &Due| due.jobs().map(|job| job.job_id).collect::<Vec<_>>();
    let (due, next) = Due::now(jobs.clone(), &policy, at(11));
    assert_eq!((ids(&due), next), (vec![job(3)], Some(at(12))));
    let (due, next) = Due::now(jobs.clone(), &policy, at(12));
    assert_eq!((ids(&due), next), (vec![job(1), job(2), job(3)], None));
    let at_once = MatchingPolicy { window: TimeDelta::zero(), ..shipped() };
    let (due, next) = Due::now(jobs, &at_once, at(11));
    assert_eq!((ids(&due).len(), next), (3, None));
}

#[test]
fn a_repeated_update_does_not_prolong_the_window() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(CENTRE)), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    state.update_demand(job(1), Some(demand()), at(5));
    state.update_demand(job(1), Some(Demand { offers: 2, ..demand() }), at(6));
    let round_since = |state: &mut DispatchState| state.look(&eta(), &shipped(), at(6)).open[0].round_since;
    assert_eq!(round_since(&mut state), at(0));
    state.update_demand(job(1), Some(Demand { round: 2, ..demand() }), at(7));
    assert_eq!(round_since(&mut state), at(7), "another round is another revision");
}

#[test]
fn a_job_with_a_pending_offer_does_not_compete() {
    let out = Demand { has_offer: true, offers: 2, ..demand() };
    let jobs = vec![waiting(1, out, &[(1, 10), (2, 20)]), waiting(2, demand(), &[(1, 30)])];
    let due = Due::all(jobs.clone(), &shipped());
    assert_eq!((sizes(&due.components), due.widening.len()), (vec![(1, false)], 1));
    let expected = [(job(1), vec![mechanic(2)]), (job(2), vec![mechanic(1)])];
    assert_eq!(offered(jobs, &shipped()), expected, "it takes only whom nobody else could use");
}
