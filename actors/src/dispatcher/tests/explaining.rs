//! Tests of the record of a decision.

use super::{
    super::{
        answers::Decision,
        explain::{Explanation, MAX_CONSIDERED, Passed, Verdict},
        explaining::{EXPLAIN_EVERY, LastRecorded, explanation},
    },
    *,
};

fn decisions(open: Vec<WaitingJob>) -> Vec<Decision> {
    let mut users = CandidateUse::default();
    open.iter().for_each(|job| users.add(job.candidates.iter().map(|candidate| candidate.mechanic_id)));
    Due::all(open, &shipped()).decide(&users, &shipped(), at(1)).decisions
}

fn why(told: &Explanation, n: u128) -> &Verdict {
    let of = told.considered.iter().find(|one| one.mechanic_id == mechanic(n));
    &of.unwrap_or_else(|| panic!("{n} in {told:?}")).verdict
}

#[test]
fn a_mechanic_that_could_not_be_reserved_is_explained_as_such() {
    let wide = Demand { offers: 2, ..demand() };
    let decision = decisions(vec![waiting(1, wide, &[(1, 10), (2, 20), (3, 30)])]).remove(0);
    let told = explanation(&DispatchState::default(), &decision, &[mechanic(2)].into());
    assert!(matches!(why(&told, 1), Verdict::Offered(_)));
    assert!(matches!(why(&told, 2), Verdict::Passed(_, Passed::NotReserved)));
    assert!(matches!(why(&told, 3), Verdict::Passed(_, Passed::CostsMore)));
}

#[test]
fn a_mechanic_serves_another_job_better_or_is_kept_for_one() {
    let wide = Demand { offers: 3, ..demand() };
    let jobs = vec![waiting(1, wide, &[(1, 10), (2, 20), (3, 30)]), waiting(2, demand(), &[(2, 5), (3, 9)])];
    let decision = decisions(jobs).into_iter().find(|decision| decision.job.job_id == job(1)).unwrap();
    let told = explanation(&DispatchState::default(), &decision, &BTreeSet::new());
    assert!(matches!(why(&told, 1), Verdict::Offered(_)));
    assert!(matches!(why(&told, 2), Verdict::Passed(_, Passed::MatchedWith(other)) if *other == job(2)));
    assert!(matches!(why(&told, 3), Verdict::Passed(_, Passed::KeptForOthers)));
}

#[test]
fn a_record_lists_the_offered_and_the_nearest_and_counts_the_rest() {
    let mut state = DispatchState::default();
    for n in 0..200 {
        let is_free = n % 2 == 0;
        state.update_supply(mechanic(n), Some(Supply { is_free, ..supply(north(1.0 + n as f64)) }), at(0));
    }
    // The farthest mechanic within the limit has been idle long enough to be chosen.
    let last = 2 * (matching::MAX_CANDIDATES as u128 - 1);
    let idle = Supply { idle_since: at(-7_200), ..supply(north(1.0 + last as f64)) };
    state.update_supply(mechanic(last), Some(idle), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    let decision = decisions(state.look(&eta(), &shipped(), at(1)).open).remove(0);
    let told = explanation(&state, &decision, &BTreeSet::new());
    assert_eq!((told.considered.len(), told.omitted), (MAX_CONSIDERED, 150));
    assert!(matches!(why(&told, last), Verdict::Offered(_)));
    assert!(matches!(why(&told, 1), Verdict::Unfit(Unfit::Engaged)));
    let nearest: Vec<_> = (0..MAX_CONSIDERED as u128 - 1).map(mechanic).chain([mechanic(last)]).collect();
    assert_eq!(told.considered.iter().map(|one| one.mechanic_id).collect::<Vec<_>>(), nearest);
}

#[test]
fn a_job_without_a_mechanic_is_recorded_on_changes_or_seldom() {
    let mut state = DispatchState::default();
    let mut recorded = LastRecorded::default();
    let nobody =
        |demand: Demand, seconds| Decision::nobody(waiting(1, demand, &[]), Policy::Exact, at(seconds));
    let mut tell = |state: &DispatchState, decision: &Decision| {
        recorded.is_due(decision) && {
            let told = explanation(state, decision, &BTreeSet::new());
            recorded.note(decision, &told)
        }
    };
    assert!(tell(&state, &nobody(demand(), 0)));
    let every = EXPLAIN_EVERY.num_seconds();
    assert!(!tell(&state, &nobody(demand(), every)), "nothing else is to be told");
    state.update_supply(mechanic(1), Some(Supply { is_free: false, ..supply(CENTRE) }), at(0));
    assert!(!tell(&state, &nobody(demand(), every + 1)), "too soon to look again");
    assert!(tell(&state, &nobody(demand(), 2 * every)));
    assert!(tell(&state, &nobody(Demand { round: 2, ..demand() }, 2 * every)), "another round");
    recorded.forget(at(9_999), |_| false);
    assert!(recorded.is_due(&nobody(Demand { round: 2, ..demand() }, 2 * every)));
}
