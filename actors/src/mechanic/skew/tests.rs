//! Tests with sequences of messages, each with the millisecond of its receipt and its lateness by the phone's own
//! clock.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::*;
use crate::simulation::world::morning;

const MINUTE_MS: i64 = 60_000;

fn at(ms: i64) -> DateTime<Utc> {
    morning() + TimeDelta::milliseconds(ms)
}

fn hear(skew: &mut Skew, received_ms: i64, late_ms: i64) -> i64 {
    skew.observe(TimeDelta::milliseconds(late_ms), at(received_ms));
    skew.offset().num_milliseconds()
}

/// Returns the offset in milliseconds after each of these messages.
fn offsets(skew: &mut Skew, messages: impl IntoIterator<Item = (i64, i64)>) -> Vec<i64> {
    messages.into_iter().map(|(received_ms, late_ms)| hear(skew, received_ms, late_ms)).collect()
}

/// Returns points from ten minutes ago, recorded and sent at these intervals.
fn backlog(from_ms: i64, recorded_every_ms: i64, sent_every_ms: i64) -> impl Iterator<Item = (i64, i64)> {
    let late = move |n| 10 * MINUTE_MS - n * (recorded_every_ms - sent_every_ms);
    (0..15).map(move |n| (from_ms + n * sent_every_ms, late(n)))
}

#[test]
fn a_clock_that_lags_from_the_start_is_believed_at_the_third_message() {
    for every_ms in [300, 3_000, 15_000] {
        let mut skew = Skew::default();
        let lagging = [600_200, 600_230, 600_180, 600_900].into_iter();
        let sent = (0..).map(|n| n * every_ms).zip(lagging);
        assert_eq!(offsets(&mut skew, sent), [0, 0, 600_180, 600_180], "every {every_ms} ms");
    }
}

#[test]
fn a_clock_that_runs_ahead_is_believed_at_once() {
    let mut skew = Skew::default();
    assert_eq!(
        offsets(&mut skew, [(0, -119_800), (10_000, -119_900), (20_000, -60_000)]),
        [-119_800, -119_900, -119_900]
    );
}

#[test]
fn a_phone_that_catches_up_point_by_point_has_no_clock_that_lags() {
    for (recorded_ms, sent_ms) in
        [(3_000, 20), (1_000, 20), (100, 20), (3_000, 1_000), (15_000, 10_000), (5_000, 4_000)]
    {
        let mut fresh = Skew::default();
        offsets(&mut fresh, (0..6).map(|n| (n * 3_000, 150)));
        let known = offsets(&mut fresh, backlog(20_000, recorded_ms, sent_ms));
        assert!(known.iter().all(|offset| *offset <= 150), "{recorded_ms}, {sent_ms}: {known:?}");
        // The service restarted: nothing is known of the phone.
        let unknown = offsets(&mut Skew::default(), backlog(0, recorded_ms, sent_ms));
        assert_eq!(unknown, [0; 15], "{recorded_ms}, {sent_ms}");
    }
}

#[test]
fn a_phone_that_was_prompt_once_lags_no_more_in_that_session() {
    let mut skew = Skew::default();
    hear(&mut skew, 0, 150);
    // This holds even if they are sent at the pace at which they were recorded.
    let steady = (1..100).map(|n| (n * 3_000, 10 * MINUTE_MS));
    assert!(offsets(&mut skew, steady.clone()).iter().all(|offset| *offset <= 150));
    skew.begin_session();
    assert_eq!(offsets(&mut skew, steady.map(|(at, late)| (at + 300_000, late)).take(3))[2], 10 * MINUTE_MS);
}

#[test]
fn messages_that_waited_together_and_repeats_prove_nothing() {
    let together = (0..10).map(|n| (n * 20, 10 * MINUTE_MS));
    assert_eq!(offsets(&mut Skew::default(), together), [0; 10]);
    let repeats = (0..10).map(|n| (n * 1_000, 10 * MINUTE_MS + n * 1_000));
    assert_eq!(offsets(&mut Skew::default(), repeats), [0; 10]);
}

#[test]
fn a_corrected_clock_is_believed_again() {
    let mut slow = Skew::default();
    offsets(&mut slow, (0..4).map(|n| (n * 10_000, 600_200)));
    assert_eq!(offsets(&mut slow, [(40_000, 200), (50_000, 300)]), [0, 0]);
    let mut fast = Skew::default();
    hear(&mut fast, 0, -3_600_000);
    let right = (1..4).map(|n| (n * 10_000, 200));
    assert_eq!(offsets(&mut fast, right), [-3_600_000, -3_600_000, 0]);
    let mut less_fast = Skew::default();
    hear(&mut less_fast, 0, -3_600_000);
    assert_eq!(offsets(&mut less_fast, (1..4).map(|n| (n * 10_000, -60_000)))[2], -60_000);
}

#[test]
fn a_lag_that_shrinks_was_not_a_lag() {
    let mut skew = Skew::default();
    offsets(&mut skew, (0..3).map(|n| (n * 10_000, 600_000)));
    let shrinking = [598_000, 596_000, 594_000, 592_000].into_iter().enumerate();
    let shrinking = shrinking.map(|(n, late)| (30_000 + n as i64 * 1_000, late));
    assert_eq!(offsets(&mut skew, shrinking), [598_000, 596_000, 0, 0]);
}

#[test]
fn a_delayed_message_changes_nothing() {
    let mut skew = Skew::default();
    offsets(&mut skew, (0..3).map(|n| (n * 10_000, 600_000)));
    assert_eq!(offsets(&mut skew, [(40_000, 612_000), (50_000, 601_000)]), [600_000, 600_000]);
}

proptest! {
    /// Checks that a point is never taken for more recent than it was by more than the time that the fastest message
    /// took, however wrong the clock is, and however late and many the messages are.
    #[test]
    fn no_order_of_messages_makes_an_old_point_recent_once_one_was_prompt(
        prompt_ms in 0_i64..1_000,
        messages in prop::collection::vec((1_i64..20_000, 0_i64..3_600_000), 1..60),
        steps in prop::collection::vec((1_i64..20_000, -3_000_i64..3_000), 1..60),
    ) {
        let mut skew = Skew::default();
        hear(&mut skew, 0, prompt_ms);
        let (mut now, mut late) = (0, 3_600_000);
        for (gap, delay) in messages {
            now += gap;
            prop_assert!(hear(&mut skew, now, delay) <= prompt_ms);
        }
        for (gap, step) in steps {
            now += gap;
            late = (late + step).max(0);
            prop_assert!(hear(&mut skew, now, late) <= prompt_ms);
        }
    }

    #[test]
    fn a_steady_phone_is_understood_whatever_its_clock_says(
        off_ms in -12 * 3_600_000_i64..12 * 3_600_000,
        messages in prop::collection::vec((3_000_i64..15_000, 0_i64..2_000), 10..30),
    ) {
        let mut skew = Skew::default();
        let mut now = 0;
        for (gap, delay) in messages {
            now += gap;
            hear(&mut skew, now, off_ms + delay);
        }
        let told = skew.offset().num_milliseconds();
        prop_assert!((off_ms - 5_000..=off_ms + 2_000).contains(&told), "{told}");
    }
}
