//! Tests of what happens at a limit, and just beyond it.

use super::*;

#[test]
fn limits_of_distance_and_time_are_not_yet_reached_at_their_exact_value() {
    let near = |metres: f64| {
        let mut drive = Drive::new();
        drive.drive(420, |_| metres);
        drive.reports()
    };
    assert_eq!(near(500.0), [], "near enough to look for the customer");
    assert_eq!(near(501.0), [(400, "tell", Concern::Stalled)]);
    let expected = |second: i64| {
        let mut drive = Drive::with(duty(600));
        drive.drive(100, |now| 5.0 * (second - now) as f64);
        drive.steps()
    };
    assert_eq!(expected(600 + 300), [], "as late as it may be");
    assert_eq!(expected(600 + 301)[0], (40, "nudge", Concern::Slipping));
}

#[test]
fn a_move_by_the_radius_of_a_stall_is_no_stall() {
    let (from, to) = (north(2_000.0), north(2_150.0));
    // A move within the receiver's inaccuracy is no move.
    let accuracy_m = |metres: f64| Some(from.distance_m(to) - metres);
    for (metres, nudged_s) in [(99.9, 340), (100.0, 350)] {
        let mut drive = Drive::new();
        drive.run(400, |second| {
            let moved = Fix { accuracy_m: accuracy_m(metres), ..fix(to, second) };
            Some((if second == 10 { fix(from, second) } else { moved }, way(2_100.0)))
        });
        assert_eq!(drive.steps()[0], (nudged_s, "nudge", Concern::Stalled), "{metres}");
    }
}

#[test]
fn a_mechanic_is_compared_with_where_they_were_five_minutes_ago_and_no_longer() {
    let mut drive = Drive::new();
    let metres = |second: i64| match second {
        10 => 2_000.0,
        310 => 3_000.0,
        _ => 2_990.0,
    };
    drive.drive(305, metres);
    assert!(!drive.watch.has_concern());
    drive.drive(5, metres);
    assert!(drive.watch.has_concern(), "1,000 m farther");
    drive.silent(5);
    assert!(!drive.watch.has_concern());
}

#[test]
fn a_mechanic_who_turns_away_is_noticed_however_far_they_came() {
    let mut drive = Drive::new();
    drive.drive(200, |second| 6_000.0 - 10.0 * second as f64);
    drive.drive(160, |second| 4_000.0 + 8.0 * (second - 200) as f64);
    assert_eq!(drive.steps(), [(360, "nudge", Concern::MovingAway)]);
}

#[test]
fn a_mechanic_who_comes_back_by_less_than_half_the_limit_is_still_away() {
    for (metres, reports) in [(2_621.0, vec![(320, "tell", Concern::MovingAway)]), (2_620.0, vec![])] {
        let mut drive = Drive::new();
        drive.drive(330, |second| match second {
            ..=100 => 2_500.0 - 5.0 * second as f64,
            101..=240 => 2_000.0 + 8.0 * (second - 100) as f64,
            241..=260 => 3_120.0,
            _ => metres,
        });
        assert_eq!(drive.steps()[0], (260, "nudge", Concern::MovingAway));
        assert_eq!(drive.reports(), reports, "{metres}");
    }
}
