//! Tests of the watch over a mechanic on the way to a pickup, without actors.

mod limits;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    super::state::{Fix, PositionSource},
    AssignmentWatch, Step, TrustedPosition,
};
use crate::{
    concern::{Concern, Delay, Duty, Finding},
    eta::EtaSource,
    geo::Point,
    ids::{JobId, TrackerId},
    ports::TripEstimate,
    settings::WatchPolicy,
    simulation::world::{CENTRE, morning, north, settings},
};

/// A drive to a pickup in the centre: evaluated every 5 s, with a position every 10 s.
struct Drive {
    watch: AssignmentWatch,
    policy: WatchPolicy,
    second: i64,
    /// The steps, with the second of each.
    done: Vec<(i64, Step)>,
    duty: Duty,
}

fn at(second: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(second)
}

fn duty(promised_s: i64) -> Duty {
    Duty { attempt: 1, promised_at: Some(at(promised_s)), reported: None, navigating_since: None }
}

fn way(distance_m: f64) -> TripEstimate {
    TripEstimate {
        eta_s: (distance_m / 5.0) as u32,
        base_s: 0,
        distance_m: distance_m as u32,
        source: EtaSource::StraightLine,
    }
}

fn fix(point: Point, second: i64) -> Fix {
    Fix {
        point,
        seq: second,
        accuracy_m: Some(10.0),
        speed_mps: None,
        heading: None,
        recorded_at: at(second),
        received_at: at(second),
        is_implausible: false,
        source: PositionSource::App,
    }
}

impl Drive {
    fn new() -> Self {
        Self::with(duty(3_600))
    }

    fn with(duty: Duty) -> Self {
        let watch = AssignmentWatch::new(JobId(Uuid::from_u128(1)), CENTRE, duty, at(0));
        let policy = WatchPolicy { slip_after: TimeDelta::minutes(5), ..settings().watch };
        Self { watch, policy, second: 0, done: Vec::new(), duty }
    }

    fn show(&mut self, fix: Fix, way: TripEstimate) {
        let seen = TrustedPosition::of(&fix, way, &settings().presence);
        self.watch.observe(seen, fix.source, &self.policy, at(self.second));
    }

    fn look(&mut self) {
        if matches!(self.done.last(), Some((_, Step::Report(Finding::Lost(_))))) {
            return;
        }
        self.watch.evaluate(&self.policy, at(self.second));
        for step in self.watch.steps(&self.policy, at(self.second)) {
            self.done.push((self.second, step));
            // The job commits every finding.
            self.duty.reported = match step {
                Step::Report(Finding::Delayed(delay)) => Some(delay.concern),
                Step::Report(Finding::Recovered(_)) => None,
                Step::Report(Finding::Lost(_)) | Step::Nudge(_) => self.duty.reported,
            };
            self.watch.update_duty(self.duty, at(self.second));
        }
    }

    /// Evaluates every 5 s for this long, and feeds in what `position` returns for each 10th second.
    fn run(&mut self, seconds: i64, position: impl Fn(i64) -> Option<(Fix, TripEstimate)>) {
        let end = self.second + seconds;
        while self.second < end {
            self.second += 5;
            if self.second % 10 == 0
                && let Some((fix, way)) = position(self.second)
            {
                self.show(fix, way);
            }
            self.look();
        }
    }

    /// Lets another app show the mechanic the way, or lets them come back from it.
    fn navigate(&mut self, is_elsewhere: bool) {
        self.duty.navigating_since = is_elsewhere.then(|| at(self.second));
        self.watch.update_duty(self.duty, at(self.second));
    }

    /// Drives like [`Self::drive`], seen by a tracker.
    fn drive_with_tracker(&mut self, seconds: i64, metres: impl Fn(i64) -> f64) {
        let source = PositionSource::Tracker(TrackerId(Uuid::from_u128(7)));
        let fix = |second| Fix { source, ..fix(north(metres(second)), second) };
        self.run(seconds, |second| Some((fix(second), way(metres(second)))));
    }

    fn silent(&mut self, seconds: i64) {
        self.run(seconds, |_| None);
    }

    /// Drives `metres(second)` north of the pickup.
    fn drive(&mut self, seconds: i64, metres: impl Fn(i64) -> f64) {
        self.run(seconds, |second| Some((fix(north(metres(second)), second), way(metres(second)))));
    }

    fn steps(&self) -> Vec<(i64, &'static str, Concern)> {
        let word = |(second, step): &(i64, Step)| match step {
            Step::Nudge(delay) => (*second, "nudge", delay.concern),
            Step::Report(Finding::Delayed(delay)) => (*second, "tell", delay.concern),
            Step::Report(Finding::Recovered(concern)) => (*second, "recovered", *concern),
            Step::Report(Finding::Lost(concern)) => (*second, "lost", *concern),
        };
        self.done.iter().map(word).collect()
    }

    /// Returns the steps without the nudges.
    fn reports(&self) -> Vec<(i64, &'static str, Concern)> {
        self.steps().into_iter().filter(|(_, what, _)| *what != "nudge").collect()
    }
}

#[test]
fn a_drive_as_promised_is_left_alone() {
    let mut drive = Drive::with(duty(700));
    drive.drive(600, |second| 3_000.0 - 5.0 * second as f64);
    assert_eq!(drive.steps(), []);
    assert!(!drive.watch.has_concern());
}

#[test]
fn a_silent_mechanic_is_nudged_then_reported_then_replaced() {
    let mut drive = Drive::new();
    drive.drive(100, |_| 3_000.0);
    drive.silent(400);
    use Concern::Dark;
    // 90 s of silence, 30 s of debounce; a minute until the customer is informed; 3 more until the job is
    // dispatched again.
    let expected = [
        (220, "nudge", Dark),
        (280, "nudge", Dark),
        (280, "tell", Dark),
        (340, "nudge", Dark),
        (400, "nudge", Dark),
        (460, "nudge", Dark),
        (460, "lost", Dark),
    ];
    assert_eq!(drive.steps(), expected);
    let Step::Nudge(delay) = drive.done[0].1 else { panic!() };
    assert_eq!(delay, Delay { concern: Dark, since: at(100) }, "since it was heard last");
}

#[test]
fn a_silence_shorter_than_its_limit_and_debounce_is_no_concern() {
    let mut drive = Drive::new();
    for n in 0..5 {
        drive.silent(115);
        let (second, metres) = (drive.second, 2_500.0 - 300.0 * f64::from(n));
        drive.show(fix(north(metres), second), way(metres));
    }
    assert_eq!(drive.steps(), []);
}

#[test]
fn a_silent_mechanic_who_reports_again_for_a_while_has_recovered() {
    let mut drive = Drive::new();
    drive.silent(200);
    assert_eq!(drive.reports(), [(180, "tell", Concern::Dark)]);
    drive.drive(60, |second| 4_000.0 - 5.0 * second as f64);
    assert_eq!(drive.reports()[1..], [(240, "recovered", Concern::Dark)], "30 s after it was heard again");
    drive.silent(60);
    assert_eq!(drive.reports().len(), 2, "and everything begins anew");
}

#[test]
fn a_single_position_out_of_the_dark_ends_nothing_and_causes_no_step() {
    let mut drive = Drive::new();
    drive.silent(355);
    drive.second += 5;
    let second = drive.second;
    drive.show(fix(north(2_000.0), second), way(2_000.0));
    drive.look();
    assert_eq!(drive.reports(), [(180, "tell", Concern::Dark)], "it was due to be taken away, and spoke");
    drive.drive(10, |_| 2_000.0);
    assert_eq!(drive.reports().len(), 1);
}

#[test]
fn a_wait_at_a_light_with_its_noise_is_no_stall_and_a_long_one_is() {
    let noisy = |second: i64| 2_000.0 + if second % 20 == 0 { 40.0 } else { -40.0 };
    let mut drive = Drive::new();
    drive.drive(300, noisy);
    assert_eq!(drive.steps(), []);
    drive.drive(40, noisy);
    assert_eq!(drive.steps(), [(340, "nudge", Concern::Stalled)]);
    drive.drive(260, noisy);
    assert_eq!(drive.reports(), [(400, "tell", Concern::Stalled), (580, "lost", Concern::Stalled)]);
}

#[test]
fn a_mechanic_who_navigates_may_be_silent_until_they_should_have_arrived() {
    let mut drive = Drive::new();
    // The last position leaves 10 minutes to go.
    drive.drive(100, |_| 3_000.0);
    drive.navigate(true);
    drive.silent(600 + 300 + 25);
    assert_eq!(drive.steps(), [], "10 minutes of driving, 5 of grace, the debounce");
    drive.silent(600);
    use Concern::Dark;
    // The last position came at 100: 600 s of driving, 300 of grace, 30 of debounce.
    assert_eq!(drive.steps()[0], (1_030, "nudge", Dark));
    assert_eq!(drive.reports(), [(1_090, "tell", Dark), (1_270, "lost", Dark)]);
    let Step::Nudge(delay) = drive.done[0].1 else { panic!() };
    assert_eq!(delay.since, at(100), "since it was heard last");
}

#[test]
fn a_tracker_goes_on_while_another_app_shows_the_way_so_its_silence_is_not_expected() {
    let mut drive = Drive::new();
    drive.drive_with_tracker(100, |_| 3_000.0);
    drive.navigate(true);
    drive.drive_with_tracker(200, |second| 3_300.0 - 3.0 * second as f64);
    assert_eq!(drive.steps(), [], "positions go on");
    drive.silent(400);
    use Concern::Dark;
    // The last position came at 300: 90 s until the phone counts as dark, 30 of debounce, as without a maps app.
    assert_eq!(drive.steps()[0], (420, "nudge", Dark));
    assert_eq!(drive.reports(), [(480, "tell", Dark), (660, "lost", Dark)]);
}

#[test]
fn a_tracker_that_fell_silent_before_the_hand_over_promises_nothing() {
    let mut drive = Drive::new();
    drive.drive_with_tracker(60, |_| 3_000.0);
    drive.drive(90, |_| 3_000.0);
    drive.navigate(true);
    drive.silent(600 + 300);
    assert_eq!(drive.steps(), [], "only the app was heard, which the browser stops");
}

#[test]
fn a_mechanic_who_is_back_in_the_app_may_no_longer_be_silent() {
    let mut drive = Drive::new();
    drive.navigate(true);
    drive.drive(100, |second| 6_000.0 - 10.0 * second as f64);
    drive.silent(400);
    drive.navigate(false);
    drive.drive(20, |_| 1_000.0);
    assert_eq!(drive.steps(), []);
    drive.silent(150);
    assert_eq!(drive.steps()[0], (640, "nudge", Concern::Dark), "90 s and the debounce after the last");
}

#[test]
fn silence_on_a_long_trip_is_expected_no_longer_than_its_limit() {
    let mut drive = Drive::with(duty(20_000));
    drive.drive(100, |_| 50_000.0);
    drive.navigate(true);
    drive.silent(2_700 + 200);
    assert_eq!(drive.reports(), [(100 + 2_700 + 30 + 60, "tell", Concern::Dark)]);
}

#[test]
fn after_a_restart_the_promise_limits_the_expected_silence() {
    let mut drive = Drive::with(Duty { navigating_since: Some(at(-60)), ..duty(900) });
    drive.silent(900 + 300 + 25);
    // The customer knows that it is later than promised; nothing is taken away.
    assert!(!drive.reports().iter().any(|(_, what, concern)| *what == "lost" || *concern == Concern::Dark));
    drive.silent(300);
    assert!(drive.reports().contains(&(1_290, "tell", Concern::Dark)), "{:?}", drive.reports());
    let mut unpromised = Drive::with(Duty { promised_at: None, navigating_since: Some(at(0)), ..duty(0) });
    unpromised.silent(300 + 200);
    assert_eq!(unpromised.reports(), [(390, "tell", Concern::Dark)], "the grace alone");
}

#[test]
fn a_trip_of_a_minute_leaves_no_less_time_than_without_another_app() {
    let mut drive = Drive::with(duty(30));
    drive.policy.navigation_grace = TimeDelta::zero();
    drive.policy.slip_after = TimeDelta::hours(1);
    drive.drive(10, |_| 100.0);
    drive.navigate(true);
    drive.silent(120);
    assert_eq!(drive.steps(), [(130, "nudge", Concern::Dark)]);
}

#[test]
fn a_stalled_mechanic_who_drives_on_has_recovered() {
    let mut drive = Drive::new();
    drive.drive(405, |_| 2_000.0);
    drive.drive(60, |second| 2_000.0 - 10.0 * (second - 405) as f64);
    assert_eq!(drive.reports(), [(400, "tell", Concern::Stalled), (450, "recovered", Concern::Stalled)]);
}

#[test]
fn a_time_without_positions_is_no_stall() {
    let mut drive = Drive::new();
    drive.drive(20, |_| 2_000.0);
    let inexact = |second| Fix { accuracy_m: Some(500.0), ..fix(north(2_000.0), second) };
    drive.run(600, |second| Some((inexact(second), way(2_000.0))));
    assert_eq!(drive.steps(), [], "its phone is heard, and where it is isn't known");
}

#[test]
fn a_stall_that_is_no_longer_seen_does_not_cost_the_job() {
    let mut drive = Drive::new();
    drive.drive(405, |_| 2_000.0);
    let inexact = |second| Fix { accuracy_m: Some(500.0), ..fix(north(2_000.0), second) };
    drive.run(600, |second| Some((inexact(second), way(2_000.0))));
    assert_eq!(drive.reports(), [(400, "tell", Concern::Stalled)]);
    drive.drive(120, |_| 2_000.0);
    assert_eq!(drive.reports().len(), 2, "until it is seen there again");
}

#[test]
fn a_mechanic_who_stays_beside_the_pickup_is_nudged_and_keeps_the_job() {
    let mut drive = Drive::new();
    drive.drive(900, |_| 300.0);
    assert_eq!(drive.reports(), []);
    assert_eq!(drive.steps()[0], (340, "nudge", Concern::Stalled));
}

#[test]
fn a_mechanic_who_drives_away_is_nudged_then_reported_then_replaced() {
    let mut drive = Drive::new();
    drive.drive(100, |second| 3_000.0 - 5.0 * second as f64);
    drive.drive(500, |second| 2_500.0 + 8.0 * (second - 100) as f64);
    let away = Concern::MovingAway;
    // They are 1 km farther away than at their nearest point after 125 s.
    assert_eq!(drive.steps()[0], (260, "nudge", away));
    assert_eq!(drive.reports(), [(320, "tell", away), (500, "lost", away)]);
}

#[test]
fn a_detour_that_shortens_the_trip_is_not_moving_away() {
    let mut drive = Drive::new();
    // They drive to the motorway: 1.5 km farther as the crow flies, but faster.
    drive.run(300, |second| {
        let away = 2_000.0 + 5.0 * second as f64;
        let way = TripEstimate {
            eta_s: 900 - second as u32,
            base_s: 0,
            distance_m: away as u32,
            source: EtaSource::StraightLine,
        };
        Some((fix(north(away), second), way))
    });
    assert_eq!(drive.steps(), []);
}

#[test]
fn a_mechanic_who_turns_round_has_recovered_once_halfway_back() {
    let mut drive = Drive::new();
    drive.drive(330, |second| 2_000.0 + 8.0 * second as f64);
    let reported = drive.reports();
    assert_eq!(reported.len(), 1, "{reported:?}");
    let farthest = 2_000.0 + 8.0 * 330.0;
    drive.drive(40, |second| farthest - 8.0 * (second - 330) as f64);
    assert_eq!(drive.reports().len(), 1, "not yet");
    drive.drive(60, |second| farthest - 8.0 * (second - 330) as f64);
    assert_eq!(drive.reports()[1..], [(430, "recovered", Concern::MovingAway)]);
}

#[test]
fn positions_that_flap_or_prove_nothing_are_not_moving_away() {
    type Spoil = fn(&mut Fix);
    let cases: [(&str, Spoil); 3] = [
        ("inexact", |fix| fix.accuracy_m = Some(300.0)),
        ("implausible", |fix| fix.is_implausible = true),
        ("old when they came", |fix| fix.recorded_at -= TimeDelta::seconds(61)),
    ];
    for (what, spoil) in cases {
        let mut drive = Drive::new();
        drive.drive(20, |_| 2_000.0);
        drive.run(250, |second| {
            let mut fix = fix(north(9_000.0), second);
            spoil(&mut fix);
            Some((fix, way(9_000.0)))
        });
        assert_eq!(drive.steps(), [], "{what}");
    }
    let mut drive = Drive::new();
    drive.drive(900, |second| if second % 30 == 0 { 6_000.0 } else { 2_000.0 });
    assert_eq!(drive.steps(), [], "there and back within the debounce");
}

#[test]
fn a_mechanic_who_will_be_late_is_reported_beforehand_and_keeps_the_job() {
    let mut drive = Drive::with(duty(600));
    // 5 km at 2 m/s: they are expected at 1,000 s from the start, and ever later.
    drive.drive(900, |second| 5_000.0 - 2.0 * second as f64);
    assert_eq!(drive.steps()[0], (40, "nudge", Concern::Slipping));
    assert_eq!(drive.reports(), [(100, "tell", Concern::Slipping)]);
}

#[test]
fn a_mechanic_who_makes_up_for_a_delay_has_recovered() {
    let mut drive = Drive::with(duty(600));
    drive.drive(200, |_| 4_000.0);
    assert_eq!(drive.reports(), [(200, "tell", Concern::Slipping)]);
    // They are expected within half the tolerance from 236 s on.
    drive.drive(100, |second| 4_000.0 - 40.0 * (second - 200) as f64);
    let recovered: Vec<_> = drive.reports()[1..].to_vec();
    assert_eq!(recovered, [(270, "recovered", Concern::Slipping)]);
}

#[test]
fn the_customer_is_informed_of_the_most_serious_concern() {
    let mut drive = Drive::with(duty(100));
    drive.drive(250, |_| 4_000.0);
    drive.silent(250);
    drive.drive(100, |second| 4_000.0 - 5.0 * (second - 500) as f64);
    use Concern::{Dark, Slipping};
    let expected = [(100, "tell", Slipping), (430, "tell", Dark), (540, "tell", Slipping)];
    assert_eq!(drive.reports(), expected, "and what is left when it is over");
}

#[test]
fn without_a_promise_nothing_slips() {
    let mut drive = Drive::with(Duty { promised_at: None, ..duty(0) });
    drive.drive(280, |_| 9_000.0);
    assert_eq!(drive.steps(), []);
}

#[test]
fn after_an_interruption_all_evidence_has_to_be_collected_again() {
    let mut drive = Drive::new();
    drive.silent(350);
    assert_eq!(drive.reports(), [(180, "tell", Concern::Dark)]);
    drive.watch.interrupt(at(350));
    drive.silent(115);
    assert_eq!(drive.reports().len(), 1);
    drive.silent(200);
    assert_eq!(drive.reports()[1], (650, "lost", Concern::Dark), "silence, debounce and notice once more");
}

#[test]
fn after_a_restart_a_reported_concern_ends_by_evidence_alone() {
    for reported in Concern::ALL {
        let mut drive = Drive::with(Duty { reported: Some(reported), ..duty(3_600) });
        drive.silent(60);
        assert_eq!(drive.reports(), [], "{reported:?}: nothing is known yet");
        drive.drive(240, |second| 4_000.0 - 5.0 * second as f64);
        let reports = drive.reports();
        assert!(
            matches!(reports[..], [(_, "recovered", concern)] if concern == reported),
            "{reported:?}: {reports:?}"
        );
    }
}

#[test]
fn after_a_restart_a_mechanic_who_has_not_moved_has_not_recovered_from_a_stall() {
    let mut drive = Drive::with(Duty { reported: Some(Concern::Stalled), ..duty(3_600) });
    drive.drive(200, |_| 2_000.0);
    assert_eq!(drive.reports(), []);
}

#[test]
fn a_setting_keeps_a_concern_from_dispatching_again() {
    let mut drive = Drive::new();
    drive.policy.may_reassign.clear();
    drive.silent(1_000);
    assert_eq!(drive.reports(), [(180, "tell", Concern::Dark)]);
}

#[test]
fn a_watch_is_over_one_attempt_at_one_place() {
    let job = JobId(Uuid::from_u128(1));
    let watch = AssignmentWatch::new(job, CENTRE, duty(600), at(0));
    let reported = Duty { reported: Some(Concern::Dark), ..duty(900) };
    let next = Duty { attempt: 2, ..duty(600) };
    for (what, job, pickup, duty, is_same) in [
        ("the same", job, CENTRE, duty(600), true),
        ("a later promise and a reported concern", job, CENTRE, reported, true),
        ("another job", JobId(Uuid::from_u128(2)), CENTRE, duty(600), false),
        ("a moved pickup", job, north(1.0), duty(600), false),
        ("another attempt", job, CENTRE, next, false),
    ] {
        assert_eq!(watch.is_of(job, pickup, &duty), is_same, "{what}");
    }
    let second = AssignmentWatch::new(job, CENTRE, next, at(0));
    assert_eq!((second.job(), second.attempt()), (job, 2));
}

#[test]
fn an_interruption_does_not_repeat_a_nudge() {
    let mut drive = Drive::with(duty(100));
    drive.drive(110, |_| 4_000.0);
    drive.watch.interrupt(at(110));
    drive.drive(60, |_| 4_000.0);
    let nudges = drive.steps().into_iter().filter(|(_, what, _)| *what == "nudge");
    let seconds: Vec<_> = nudges.map(|(second, ..)| second).collect();
    // The concern is confirmed again at 150.
    assert_eq!(seconds, [40, 100, 160]);
}

#[test]
fn a_concern_without_recent_positions_is_not_confirmed() {
    let inexact = |second| Fix { accuracy_m: Some(500.0), ..fix(north(2_000.0), second) };
    for (seen_s, metres) in [(320, [2_000.0, 2_000.0]), (120, [2_000.0, 3_500.0])] {
        let mut drive = Drive::new();
        drive.policy.debounce = TimeDelta::seconds(100);
        drive.drive(seen_s, |second| metres[usize::from(second > 100)]);
        assert!(drive.watch.has_concern(), "suspected");
        drive.run(150, |second| Some((inexact(second), way(2_000.0))));
        assert_eq!(drive.steps(), [], "not seen for 90 s");
        assert!(!drive.watch.has_concern());
    }
}

#[test]
fn the_positions_kept_of_a_trip_are_bounded() {
    let mut drive = Drive::new();
    for second in 0..10_000 {
        drive.second = second;
        let metres = f64::from(second as i32 % 977);
        drive.show(fix(Point::new(CENTRE.lat, CENTRE.lng + metres * 1e-5), second), way(metres));
    }
    assert!(format!("{:?}", drive.watch).len() < 40_000);
}
