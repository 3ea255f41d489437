use proptest::prelude::*;

use super::*;

/// The partner's part of a whole job in these tests, in paise.
const COVERED: i64 = 100_001;

const EXACTING: OutcomeTerms = OutcomeTerms {
    gone_on_arrival_bps: 5_000,
    unsuccessful_bps: 2_500,
    destination_refused_bps: 8_000,
    cancelled_bps: 3_333,
    promise_missed_bps: 4_000,
    free_cancellation_minutes: 15,
};
const GENEROUS: OutcomeTerms = OutcomeTerms {
    gone_on_arrival_bps: 10_000,
    unsuccessful_bps: 10_000,
    destination_refused_bps: 10_000,
    cancelled_bps: 10_000,
    promise_missed_bps: 10_000,
    free_cancellation_minutes: 0,
};
const NOTHING_BUT_WORK: OutcomeTerms = OutcomeTerms {
    gone_on_arrival_bps: 0,
    unsuccessful_bps: 0,
    destination_refused_bps: 0,
    cancelled_bps: 0,
    promise_missed_bps: 0,
    free_cancellation_minutes: 1_440,
};
const TERMS: [OutcomeTerms; 3] = [EXACTING, GENEROUS, NOTHING_BUT_WORK];

const ENDS: [JobEnd; 10] = [
    JobEnd::Completed(Outcome::Fixed),
    JobEnd::Completed(Outcome::Temporary),
    JobEnd::Completed(Outcome::Towed),
    JobEnd::Completed(Outcome::NeedsTow),
    JobEnd::Completed(Outcome::NotFixable),
    JobEnd::TowedElsewhere,
    JobEnd::NoShow,
    JobEnd::CancelledByPartner,
    JobEnd::CancelledByUs,
    JobEnd::NoMechanic,
];

fn minute(minutes: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
}

/// Returns a job that was accepted at 0 minutes, promised for 30, reached at 20, and ended at 60.
fn job(end: JobEnd) -> Facts {
    Facts {
        end,
        covered_paise: COVERED,
        accepted_at: Some(minute(0)),
        promised_at: Some(minute(30)),
        arrived_at: Some(minute(20)),
        ended_at: minute(60),
    }
}

#[test]
fn each_end_costs_its_share_by_each_contract() {
    use OutcomeKind::*;
    let table = [
        (Completed, [100_001, 100_001, 100_001]),
        (Completed, [100_001, 100_001, 100_001]),
        (Completed, [100_001, 100_001, 100_001]),
        (Unsuccessful, [25_000, 100_001, 0]),
        (Unsuccessful, [25_000, 100_001, 0]),
        (DestinationRefused, [80_001, 100_001, 0]),
        (GoneOnArrival, [50_001, 100_001, 0]),
        (CancelledByPartner, [33_330, 100_001, 0]),
        (CancelledByUs, [0, 0, 0]),
        (NoMechanic, [0, 0, 0]),
    ];
    for (end, (kind, payable)) in ENDS.into_iter().zip(table) {
        for (terms, payable_paise) in TERMS.iter().zip(payable) {
            assert_eq!(decide(&job(end), terms), (kind, payable_paise), "{end:?} {terms:?}");
        }
    }
}

#[test]
fn the_same_ends_after_the_promised_time_are_missed_promises_where_anything_was_payable() {
    use OutcomeKind::*;
    let table = [
        [(PromiseMissed, 40_000), (PromiseMissed, 100_001), (PromiseMissed, 0)],
        [(PromiseMissed, 40_000), (PromiseMissed, 100_001), (PromiseMissed, 0)],
        [(PromiseMissed, 40_000), (PromiseMissed, 100_001), (PromiseMissed, 0)],
        // The share of the end is below that of a missed promise.
        [(PromiseMissed, 25_000), (PromiseMissed, 100_001), (Unsuccessful, 0)],
        [(PromiseMissed, 25_000), (PromiseMissed, 100_001), (Unsuccessful, 0)],
        [(PromiseMissed, 40_000), (PromiseMissed, 100_001), (DestinationRefused, 0)],
        [(PromiseMissed, 40_000), (PromiseMissed, 100_001), (GoneOnArrival, 0)],
        [(PromiseMissed, 33_330), (PromiseMissed, 100_001), (CancelledByPartner, 0)],
        [(CancelledByUs, 0); 3],
        [(NoMechanic, 0); 3],
    ];
    for (end, expected) in ENDS.into_iter().zip(table) {
        let late = Facts { arrived_at: Some(minute(31)), ..job(end) };
        let never = Facts { arrived_at: None, ..job(end) };
        for (terms, expected) in TERMS.iter().zip(expected) {
            assert_eq!(decide(&late, terms), expected, "late: {end:?} {terms:?}");
            assert_eq!(decide(&never, terms), expected, "never there: {end:?} {terms:?}");
        }
    }
}

#[test]
fn an_arrival_at_the_promised_minute_and_a_job_without_a_promise_are_in_time() {
    let end = JobEnd::Completed(Outcome::Fixed);
    let exact = Facts { arrived_at: Some(minute(30)), ..job(end) };
    let unpromised = Facts { promised_at: None, arrived_at: Some(minute(59)), ..job(end) };
    let extended = Facts { promised_at: Some(minute(45)), arrived_at: Some(minute(45)), ..job(end) };
    for facts in [exact, unpromised, extended] {
        assert_eq!(decide(&facts, &EXACTING), (OutcomeKind::Completed, COVERED), "{facts:?}");
    }
}

#[test]
fn a_partner_cancels_for_nothing_before_the_acceptance_and_for_some_minutes_after_it() {
    let cancelled = |accepted_at: Option<i64>, ended_at: i64| {
        let facts = Facts {
            accepted_at: accepted_at.map(minute),
            promised_at: None,
            arrived_at: None,
            ended_at: minute(ended_at),
            ..job(JobEnd::CancelledByPartner)
        };
        decide(&facts, &EXACTING)
    };
    for (accepted_at, ended_at, payable_paise) in
        [(None, 0, 0), (None, 500, 0), (Some(10), 10, 0), (Some(10), 25, 0), (Some(10), 26, 33_330)]
    {
        let expected = (OutcomeKind::CancelledByPartner, payable_paise);
        assert_eq!(cancelled(accepted_at, ended_at), expected, "{accepted_at:?} {ended_at}");
    }
}

#[test]
fn a_free_cancellation_is_none_of_a_missed_promise() {
    let facts = Facts {
        promised_at: Some(minute(5)),
        arrived_at: None,
        ended_at: minute(10),
        ..job(JobEnd::CancelledByPartner)
    };
    assert_eq!(decide(&facts, &EXACTING), (OutcomeKind::CancelledByPartner, 0));
}

prop_compose! {
    fn any_terms()(
        gone_on_arrival_bps in 0_i32..=10_000, unsuccessful_bps in 0_i32..=10_000,
        destination_refused_bps in 0_i32..=10_000, cancelled_bps in 0_i32..=10_000,
        promise_missed_bps in 0_i32..=10_000, free_cancellation_minutes in 0_i32..=1_440,
    ) -> OutcomeTerms {
        OutcomeTerms {
            gone_on_arrival_bps, unsuccessful_bps, destination_refused_bps, cancelled_bps, promise_missed_bps,
            free_cancellation_minutes,
        }
    }
}

proptest! {
    #[test]
    fn a_partner_pays_at_most_the_whole_job_and_no_more_for_a_late_arrival(
        end in 0_usize..ENDS.len(), covered_paise in 0_i64..=1_000_000_000, arrived in 0_i64..60, terms in any_terms(),
    ) {
        let early = Facts { covered_paise, arrived_at: Some(minute(0)), ..job(ENDS[end]) };
        let (_, most) = decide(&early, &terms);
        let (_, payable) = decide(&Facts { arrived_at: Some(minute(arrived)), ..early }, &terms);
        prop_assert!((0..=covered_paise).contains(&most) && payable <= most);
    }
}
