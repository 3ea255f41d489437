use super::*;

fn progress_at(contact_s: i64, moved_s: i64) -> MechanicProgress {
    MechanicProgress { last_contact_at: Some(at(contact_s)), last_moved_at: Some(at(moved_s)) }
}

fn quote(job: &Job, progress: MechanicProgress, second: i64) -> (i64, FeeReason) {
    let quote = fee::quote(job, &settings().fees, progress, None, at(second)).unwrap();
    (quote.fee_paise, quote.reason)
}

#[test]
fn cancelling_is_free_once_a_limit_is_passed_and_not_when_it_is_reached() {
    let due = (5_000, FeeReason::OnTheWay);
    for (what, progress, reached_s, reason) in [
        ("3 minutes of silence", progress_at(200, 200), 380, FeeReason::MechanicDark),
        ("10 minutes without a move", progress_at(700, 100), 700, FeeReason::MechanicStalled),
        ("15 minutes later than promised", progress_at(1_200, 1_200), 1_205, FeeReason::MechanicLate),
    ] {
        assert_eq!(quote(&en_route(), progress, reached_s), due, "{what}");
        assert_eq!(quote(&en_route(), progress, reached_s + 1), (0, reason), "{what}, and a second");
    }
}

#[test]
fn an_admin_stops_work_for_nothing_and_cancels_at_the_customers_fee_before_it() {
    let by_admin = |job: &Job, second| {
        fee::quote_by_admin(job, &settings().fees, progress_at(second, second), at(second))
            .map(|quote| (quote.fee_paise, quote.reason))
    };
    assert_eq!(by_admin(&in_progress(), 330), Ok((0, FeeReason::StoppedByAdmin)));
    for (job, second) in [(pending(), 0), (accepted(), 10), (en_route(), 300), (arrived(), 310)] {
        assert_eq!(by_admin(&job, second), Ok(quote(&job, progress_at(second, second), second)));
    }
    let refused = Refusal::InvalidTransition { from: Status::Completed, wanted: Wanted::Cancel };
    assert_eq!(by_admin(&completed(), 1_000), Err(refused));
}

#[test]
fn the_mechanic_of_a_cancelled_job_is_no_longer_late_or_navigating() {
    let away = after(&en_route(), navigate(M, true), at(70));
    let late = after(&away, watch(1, Finding::Delayed(DARK)), at(200));
    let before = late.assignment().expect("a mechanic").clone();
    assert!(before.delay.is_some() && before.navigating_since.is_some());
    let cancelled = after(&late, cancel(false, progress_at(65, 65)), at(300));
    let expected = Assignment { delay: None, navigating_since: None, ..before };
    assert_eq!(cancelled.assignment(), Some(&expected), "the rest is remembered");
}
