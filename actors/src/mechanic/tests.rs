//! The rules of a mechanic, without actors.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{actor::MechanicActor, state::*};
use crate::{
    eta::EtaSource,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, TrackerId, UserId},
    messages::{Supply, SupplyReport},
    offer::OfferCard,
    refusal::BrokenRule,
    settings::PresencePolicy,
    simulation::world::{CENTRE, morning, north, profile, settings},
    status::{OfferStatus, Urgency},
    vehicle::VehicleType,
};

fn policy() -> PresencePolicy {
    settings().presence
}

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn mechanic() -> Mechanic {
    Mechanic::new(MechanicId(Uuid::from_u128(1)), profile(UserId(Uuid::from_u128(1))), true, at(0))
}

fn ping(seq: i64, point: Point, recorded: i64) -> Ping {
    let (accuracy_m, speed_mps, heading) = (Some(10.0), None, None);
    Ping { seq, point, accuracy_m, speed_mps, heading, recorded_at: at(recorded), is_mock: false }
}

/// Sends one point, which takes 200 ms to arrive by the phone's own clock.
fn send(mechanic: &mut Mechanic, ping: Ping, received: i64) -> Located {
    mechanic.locate(vec![ping], PositionSource::App, &policy(), at(received) + TimeDelta::milliseconds(200))
}

/// Sends the same point from a tracker, which numbers nothing.
fn track(mechanic: &mut Mechanic, tracker: u128, point: Point, recorded: i64, received: i64) -> Located {
    let ping = Ping { seq: Ping::number_of(at(recorded)), ..ping(0, point, recorded) };
    let source = PositionSource::Tracker(TrackerId(Uuid::from_u128(tracker)));
    mechanic.locate(vec![ping], source, &policy(), at(received) + TimeDelta::milliseconds(200))
}

fn last(mechanic: &Mechanic) -> Fix {
    mechanic.last.expect("it was seen")
}

fn seen() -> Mechanic {
    let mut mechanic = mechanic();
    send(&mut mechanic, ping(1, CENTRE, 100), 100);
    mechanic
}

#[test]
fn a_newer_position_replaces_an_older_one_and_never_the_other_way_round() {
    let mut mechanic = seen();
    send(&mut mechanic, ping(2, north(50.0), 110), 110);
    let late = send(&mut mechanic, ping(3, north(25.0), 105), 111);
    assert_eq!((late.accepted, late.moved, late.last_seq), (1, false, Some(3)));
    assert_eq!(last(&mechanic).point, north(50.0));
    let same_time = send(&mut mechanic, ping(4, north(60.0), 110), 111);
    assert!(same_time.moved, "among equal times the higher seq is newer");
}

#[test]
fn points_of_one_message_are_taken_in_the_order_of_their_recording() {
    let mut mechanic = mechanic();
    let points = vec![ping(3, north(30.0), 103), ping(1, north(10.0), 101), ping(2, north(20.0), 102)];
    let located = mechanic.locate(points, PositionSource::App, &policy(), at(104));
    assert_eq!((located.accepted, located.last_seq), (3, Some(3)));
    assert_eq!(last(&mechanic).point, north(30.0));
}

#[test]
fn a_resend_is_a_duplicate_and_a_reused_number_is_not() {
    let mut mechanic = seen();
    let again = send(&mut mechanic, ping(1, CENTRE, 100), 130);
    assert_eq!((again.accepted, again.duplicates, again.moved), (0, 1, false));
    let reused = send(&mut mechanic, ping(1, CENTRE, 131), 131);
    assert_eq!((reused.accepted, reused.duplicates), (1, 0), "a phone that was set up anew counts from 1");
}

#[test]
fn absurd_times_are_rejected_by_name_and_leave_no_trace() {
    let day = 24 * 3_600;
    for (recorded, reason) in
        [(100 + day + 10, PointFault::RecordedInTheFuture), (100 - day - 10, PointFault::TooOld)]
    {
        let mut mechanic = seen();
        let before = last(&mechanic);
        let located = send(&mut mechanic, ping(9, north(10.0), recorded), 100);
        assert_eq!(located.rejected, [(9, reason)]);
        assert_eq!((located.accepted, last(&mechanic)), (0, before));
        send(&mut mechanic, ping(10, north(10.0), 115), 115);
        assert_eq!(last(&mechanic).recorded_at, at(115));
    }
}

#[test]
fn a_position_grows_stale_after_a_minute() {
    let mechanic = seen();
    assert!(mechanic.is_online(&policy(), at(160)));
    assert!(!mechanic.is_online(&policy(), at(161)));
    assert!(!Mechanic { available: false, ..seen() }.is_online(&policy(), at(101)));
    assert!(!self::mechanic().is_online(&policy(), at(1)), "never seen");
}

#[test]
fn every_rule_that_an_assignment_would_break_is_named() {
    let (served, help) = (VehicleType::TwoWheeler, CategoryId(Uuid::from_u128(8)));
    let mut mechanic = seen();
    mechanic.profile.vehicle_types = Arc::new([served].into());
    mechanic.profile.categories = Arc::new([help].into());
    mechanic.profile.radius_m = 1_000.0;
    let broken = |mechanic: &Mechanic, wanted, second| mechanic.broken_rules(wanted, &policy(), at(second));
    assert_eq!(broken(&mechanic, (served, help, north(900.0)), 101), []);
    let unfit = (VehicleType::FourWheeler, CategoryId(Uuid::from_u128(9)), north(1_100.0));
    use BrokenRule::{Offline, OutsideOwnRadius, ServiceCategory, VehicleType as Type};
    assert_eq!(broken(&mechanic, unfit, 101), [Type, ServiceCategory, OutsideOwnRadius]);
    assert_eq!(broken(&mechanic, (served, help, CENTRE), 161), [Offline], "their position is old");
    let unwilling = Mechanic { available: false, ..mechanic.clone() };
    assert_eq!(broken(&unwilling, (served, help, CENTRE), 101), [Offline]);
    let unseen = Mechanic { last: None, ..mechanic };
    assert_eq!(broken(&unseen, (served, help, north(9_000.0)), 101), [Offline], "nobody knows how far");
}

#[test]
fn a_clock_that_runs_ahead_is_corrected_at_once() {
    let mut mechanic = mechanic();
    send(&mut mechanic, ping(1, CENTRE, 100 + 120), 100);
    assert!((last(&mechanic).recorded_at - at(100)).abs() <= TimeDelta::seconds(1));
    assert!(!mechanic.is_online(&policy(), at(170)), "a clock that runs ahead makes nobody fresh for longer");
}

#[test]
fn a_clock_that_lags_is_believed_to_lag_after_some_messages() {
    let mut mechanic = mechanic();
    for n in 0..4 {
        send(&mut mechanic, ping(n, CENTRE, 100 + n * 10 - 300), 100 + n * 10);
    }
    assert!(mechanic.is_online(&policy(), at(135)));
    assert!((last(&mechanic).recorded_at - at(130)).abs() <= TimeDelta::seconds(1));
}

#[test]
fn a_position_stamped_on_arrival_says_nothing_about_the_phones_clock() {
    let mut mechanic = mechanic();
    for n in 0..4 {
        send(&mut mechanic, ping(n, CENTRE, 100 + n * 10 - 300), 100 + n * 10);
    }
    // The position came with the switch to available. It waited for its actor for a second.
    send(&mut mechanic, Ping { seq: Ping::UNNUMBERED, ..ping(0, CENTRE, 139) }, 140);
    assert_eq!(last(&mechanic).recorded_at, at(139), "it needs no correction");
    send(&mut mechanic, Ping { seq: Ping::UNNUMBERED, ..ping(0, CENTRE, 5_000) }, 141);
    let fix = last(&mechanic);
    assert_eq!(fix.recorded_at, fix.received_at, "no phone is ahead of the service by it");
    send(&mut mechanic, ping(5, CENTRE, 150 - 300), 150);
    let taken_at = last(&mechanic).recorded_at;
    assert!(
        (taken_at - at(150)).abs() <= TimeDelta::seconds(1),
        "the clock is still known to lag: {taken_at}"
    );
}

#[test]
fn points_from_a_phone_that_was_offline_are_not_taken_for_a_lagging_clock() {
    let mut mechanic = mechanic();
    for n in 0..5 {
        // The lateness falls with each message: the phone catches up.
        send(&mut mechanic, ping(n, CENTRE, n * 100), 1_000 + n);
    }
    assert!(!mechanic.is_online(&policy(), at(1_005)));
}

#[test]
fn a_clock_that_was_corrected_is_believed_again() {
    let mut mechanic = mechanic();
    send(&mut mechanic, ping(1, CENTRE, 100 + 3_600), 100);
    for n in 0..8 {
        send(&mut mechanic, ping(2 + n, CENTRE, 110 + n * 10), 110 + n * 10);
    }
    assert!(mechanic.is_online(&policy(), at(185)), "{:?}", last(&mechanic));
}

#[test]
fn trackers_and_the_app_make_one_position_of_which_the_newest_counts() {
    let mut mechanic = seen();
    let moved = track(&mut mechanic, 7, north(50.0), 110, 111);
    assert!(moved.moved);
    assert_eq!(moved.last_seq, Some(1), "the app's own count is not a tracker's");
    assert!(!send(&mut mechanic, ping(2, north(20.0), 105), 112).moved);
    assert!(send(&mut mechanic, ping(3, north(80.0), 115), 115).moved);
    assert_eq!(track(&mut mechanic, 7, north(50.0), 110, 116).duplicates, 1, "sent again");
    assert_eq!(last(&mechanic).source, PositionSource::App);
}

#[test]
fn a_tracker_with_a_wrong_clock_does_not_correct_the_apps() {
    let mut mechanic = seen();
    // The clock is an hour ahead: it is corrected at once, for this tracker alone.
    track(&mut mechanic, 7, north(10.0), 3_710, 110);
    assert_eq!(last(&mechanic).recorded_at, at(110) + TimeDelta::milliseconds(200));
    send(&mut mechanic, ping(2, north(20.0), 120), 120);
    assert_eq!(last(&mechanic).recorded_at, at(120));
    track(&mut mechanic, 7, north(30.0), 3_730, 130);
    assert_eq!(last(&mechanic).recorded_at, at(130) + TimeDelta::milliseconds(200));
}

#[test]
fn a_phone_that_was_left_at_home_does_not_move_a_mechanic_whose_app_is_heard() {
    let mut mechanic = seen();
    let (home, on_the_road) = (north(9_000.0), CENTRE);
    for second in (110..200).step_by(10) {
        assert!(!track(&mut mechanic, 7, home, second, second).moved, "{second}");
        send(&mut mechanic, ping(second, on_the_road, second + 1), second + 1);
        assert_eq!(last(&mechanic).point, on_the_road);
        assert!(!last(&mechanic).is_implausible);
    }
    // The app is silent: only the tracker is heard, and it repeats its position.
    assert!(!track(&mut mechanic, 7, home, 300, 300).moved);
    assert!(track(&mut mechanic, 7, home, 310, 310).moved);
}

#[test]
fn an_app_that_is_heard_again_counts_although_a_tracker_at_home_goes_on_in_between() {
    let mut mechanic = seen();
    let (home, on_the_road) = (north(9_000.0), CENTRE);
    track(&mut mechanic, 7, home, 300, 300);
    assert!(track(&mut mechanic, 7, home, 310, 310).moved, "the app is silent");
    assert!(!send(&mut mechanic, ping(2, on_the_road, 320), 320).moved, "one may be a leap");
    assert!(track(&mut mechanic, 7, home, 325, 325).moved);
    assert!(send(&mut mechanic, ping(3, on_the_road, 335), 335).moved);
    assert!(!track(&mut mechanic, 7, home, 340, 340).moved);
    assert_eq!((last(&mechanic).point, last(&mechanic).is_implausible), (on_the_road, false));
}

#[test]
fn the_clocks_of_a_few_trackers_are_known_at_once() {
    let mut mechanic = seen();
    for tracker in 0..100 {
        track(&mut mechanic, tracker, CENTRE, 200 + tracker as i64, 200 + tracker as i64);
    }
    assert_eq!(mechanic.received.skews.trackers(), 5);
}

#[test]
fn a_leap_counts_once_a_second_position_agrees_and_proves_an_arrival_then() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), north(5_000.0), false);
    let leap = send(&mut mechanic, ping(2, north(5_000.0), 110), 110);
    assert_eq!((leap.accepted, leap.moved), (1, false));
    assert!(leap.trail[0].is_implausible, "it is kept for the trail");
    assert_eq!(last(&mechanic).point, CENTRE);
    assert!(mechanic.distance_to_pickup(&policy(), at(111)).is_some_and(|metres| metres > 4_900.0));
    assert!(send(&mut mechanic, ping(3, north(4_990.0), 120), 120).moved);
    assert!(!last(&mechanic).is_implausible);
    assert!(mechanic.distance_to_pickup(&policy(), at(121)).is_some_and(|metres| metres < 20.0));
}

#[test]
fn a_leap_that_comes_again_because_it_was_not_stored_does_not_agree_with_itself() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    let leap = ping(2, north(40_000.0), 110);
    let located = send(&mut mechanic, leap, 110);
    mechanic.discard_trail(&located.trail);
    let again = send(&mut mechanic, leap, 112);
    assert_eq!((again.accepted, again.duplicates, again.moved), (1, 0, false));
    assert_eq!(last(&mechanic).point, CENTRE);
    assert!(send(&mut mechanic, ping(3, north(40_000.0), 120), 120).moved);
}

#[test]
fn the_trip_with_a_loaded_vehicle_is_added_up_from_the_pickup() {
    let (mut mechanic, job_id) = (seen(), JobId(Uuid::from_u128(5)));
    mechanic.assign(job_id, CENTRE, true);
    send(&mut mechanic, ping(2, north(300.0), 130), 130);
    assert_eq!(mechanic.driven_m(), None, "nothing is loaded");
    let delivers_to = Some(north(5_000.0));
    let is_arrived = true;
    mechanic.engagement = Engagement::Busy { job_id, pickup: CENTRE, is_arrived, delivers_to, duty: None };
    // A move shorter than the receiver's noise adds nothing.
    for (seq, metres, second) in [(3, 1_000.0, 230), (4, 1_010.0, 240), (5, 2_000.0, 400), (6, 1_000.0, 500)]
    {
        send(&mut mechanic, ping(seq, north(metres), second), second);
    }
    let driven_m = mechanic.driven_m().expect("positions came");
    assert!((driven_m - 3_000.0).abs() < 20.0, "{driven_m}");
    let to_go = mechanic.distance_to(north(5_000.0), &policy(), at(501)).expect("a position");
    assert!((to_go - 4_000.0).abs() < 20.0, "{to_go}");
    mechanic.assign(JobId(Uuid::from_u128(6)), CENTRE, false);
    assert_eq!(mechanic.driven_m(), None, "another job");
}

#[test]
fn a_receiver_that_leaps_and_comes_back_moves_no_mechanic() {
    let mut mechanic = seen();
    for second in [110, 130, 150] {
        assert!(!send(&mut mechanic, ping(second, north(40_000.0), second), second).moved);
        assert!(send(&mut mechanic, ping(second + 1, north(20.0), second + 10), second + 10).moved);
    }
    // A receiver that leaps to and fro moves nobody, either.
    assert!(!send(&mut mechanic, ping(160, north(40_000.0), 161), 161).moved);
    assert!(!send(&mut mechanic, ping(161, north(-40_000.0), 162), 162).moved);
    assert_eq!(last(&mechanic).point, north(20.0));
}

#[test]
fn positions_of_a_receiver_without_a_fix_are_refused() {
    let nowhere = |seq, recorded| Ping { point: Point::new(0.004, -0.002), ..ping(seq, CENTRE, recorded) };
    for mut mechanic in [seen(), mechanic()] {
        let before = mechanic.last;
        for second in [200, 210, 3_000] {
            let located = send(&mut mechanic, nowhere(second, second), second);
            assert_eq!((located.accepted, located.rejected), (0, vec![(second, PointFault::NoFix)]));
        }
        assert_eq!(mechanic.last, before);
    }
}

#[test]
fn only_a_fresh_exact_and_genuine_position_proves_an_arrival() {
    type Spoil = fn(&mut Ping);
    let cases: [(&str, Spoil, i64, bool); 4] = [
        ("a good one", |_| (), 111, true),
        ("inexact", |ping| ping.accuracy_m = Some(101.0), 111, false),
        ("admittedly faked", |ping| ping.is_mock = true, 111, false),
        ("old", |_| (), 171, false),
    ];
    for (what, change, second, is_proof) in cases {
        let mut mechanic = mechanic();
        mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
        let mut point = ping(2, north(20.0), 110);
        change(&mut point);
        send(&mut mechanic, point, 110);
        assert_eq!(mechanic.distance_to_pickup(&policy(), at(second)).is_some(), is_proof, "{what}");
    }
}

#[test]
fn the_noise_of_a_receiver_is_not_speed() {
    let mut mechanic = seen();
    send(&mut mechanic, Ping { accuracy_m: Some(80.0), ..ping(2, north(120.0), 100) }, 101);
    assert!(!last(&mechanic).is_implausible);
}

#[test]
fn an_inexact_position_does_not_displace_a_good_one_while_that_is_fresh() {
    let rough = |seq, recorded| Ping { accuracy_m: Some(101.0), ..ping(seq, north(900.0), recorded) };
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    let located = send(&mut mechanic, rough(2, 130), 130);
    assert_eq!(
        (located.accepted, located.moved, located.trail.len()),
        (1, false, 1),
        "it is kept for the trail"
    );
    assert_eq!(last(&mechanic).point, CENTRE);
    assert_eq!(
        mechanic.last_contact_at(),
        Some(at(130) + TimeDelta::milliseconds(200)),
        "but its phone is alive"
    );
    send(&mut mechanic, rough(3, 170), 170);
    assert_eq!(last(&mechanic).point, north(900.0), "better than a stale one");
    send(&mut mechanic, rough(4, 180), 180);
    assert_eq!(last(&mechanic).seq, 4, "among inexact ones the newest");
    send(&mut mechanic, ping(5, north(20.0), 181), 181);
    assert_eq!(last(&mechanic).point, north(20.0));
}

#[test]
fn trails_are_written_only_on_a_job_and_include_late_points() {
    let mut mechanic = seen();
    assert_eq!(send(&mut mechanic, ping(2, CENTRE, 110), 110).trail, []);
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    assert_eq!(send(&mut mechanic, ping(4, CENTRE, 130), 130).trail.len(), 1);
    assert_eq!(send(&mut mechanic, ping(3, CENTRE, 120), 131).trail.len(), 1);
}

#[test]
fn a_point_counts_as_stored_when_it_is_and_a_repeat_waits_for_that() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    let first = send(&mut mechanic, ping(900, CENTRE, 110), 110);
    assert_eq!((first.accepted, first.trail.len(), first.last_seq), (1, 1, Some(1)));
    let repeat = send(&mut mechanic, ping(900, CENTRE, 110), 112);
    assert_eq!((repeat.accepted, repeat.duplicates, &repeat.trail), (0, 1, &first.trail), "stored once more");
    mechanic.discard_trail(&first.trail);
    assert_eq!(send(&mut mechanic, ping(5, CENTRE, 120), 120).last_seq, Some(1), "900 is not stored");
    assert_eq!(mechanic.confirm_trail(&repeat.trail), Some(900));
    let again = send(&mut mechanic, ping(900, CENTRE, 110), 130);
    assert_eq!((again.duplicates, again.trail.len(), again.last_seq), (1, 0, Some(900)));
}

#[test]
fn a_point_that_was_not_stored_is_taken_again_and_one_that_came_twice_in_a_message_is_stored_once() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    let twice = vec![ping(2, CENTRE, 110), ping(2, CENTRE, 110)];
    let located = mechanic.locate(twice, PositionSource::App, &policy(), at(110));
    assert_eq!((located.accepted, located.duplicates, located.trail.len()), (1, 1, 1));
    mechanic.discard_trail(&located.trail);
    let again = send(&mut mechanic, ping(2, CENTRE, 110), 112);
    assert_eq!((again.accepted, again.duplicates, again.trail.len()), (1, 0, 1));
}

#[test]
fn a_trail_has_both_the_corrected_time_and_the_phones_own() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    let trail = send(&mut mechanic, ping(2, CENTRE, 110 + 600), 110).trail;
    assert_eq!((trail[0].ping.recorded_at, trail[0].recorded_at), (at(710), trail[0].received_at));
}

#[test]
fn old_points_sent_one_by_one_prove_no_arrival() {
    let mut mechanic = mechanic();
    mechanic.assign(JobId(Uuid::from_u128(5)), CENTRE, false);
    for n in 0..6 {
        send(&mut mechanic, ping(n, north(8_700.0), 1_000 + n * 3), 1_000 + n * 3);
    }
    let now = last(&mechanic);
    for n in 0..15 {
        let received_at = at(1_020) + TimeDelta::milliseconds(n * 20);
        let located = mechanic.locate(
            vec![ping(10 + n, CENTRE, 400 + n * 3)],
            PositionSource::App,
            &policy(),
            received_at,
        );
        assert_eq!((located.accepted, located.moved), (1, false), "kept for the trail");
    }
    assert_eq!(last(&mechanic), now);
    assert!(mechanic.distance_to_pickup(&policy(), at(1_021)).is_some_and(|metres| metres > 8_000.0));
}

#[test]
fn one_reservation_at_a_time_and_only_for_online_verified_mechanics() {
    let (offer, other, job) =
        (OfferId(Uuid::from_u128(1)), OfferId(Uuid::from_u128(2)), JobId(Uuid::from_u128(3)));
    let mut mechanic = seen();
    assert!(mechanic.reserve(offer, job, &policy(), at(110)));
    assert!(!mechanic.reserve(other, job, &policy(), at(111)));
    assert_eq!(mechanic.end_offer(other, at(112)), None);
    assert!(
        matches!(mechanic.engagement, Engagement::Reserved { .. }),
        "a late word about another changes nothing"
    );
    mechanic.end_offer(offer, at(112));
    assert_eq!(mechanic.engagement, Engagement::Free);

    assert!(!Mechanic { available: false, ..seen() }.reserve(offer, job, &policy(), at(110)));
    assert!(!seen().reserve(offer, job, &policy(), at(161)), "stale");
    let mut unverified = seen();
    unverified.profile.is_verified = false;
    assert!(!unverified.reserve(offer, job, &policy(), at(110)));
    let mut busy = seen();
    busy.assign(job, CENTRE, false);
    assert!(!busy.reserve(offer, job, &policy(), at(110)));
}

#[test]
fn a_reservation_without_an_offer_is_released() {
    let (offer, job) = (OfferId(Uuid::from_u128(1)), JobId(Uuid::from_u128(3)));
    let mut mechanic = seen();
    mechanic.reserve(offer, job, &policy(), at(110));
    assert_eq!(mechanic.expired_reservation(at(119)), None);
    assert_eq!(mechanic.expired_reservation(at(120)), Some(offer));
    assert!(mechanic.reserve(OfferId(Uuid::from_u128(9)), job, &policy(), at(120)), "another may take it");
}

#[test]
fn a_reload_keeps_what_only_memory_knows() {
    let (offer, job) = (OfferId(Uuid::from_u128(1)), JobId(Uuid::from_u128(3)));
    let mut held = seen();
    held.reserve(offer, job, &policy(), at(110));
    let reloaded = mechanic().keeping_memory_of(Some(held.clone()), at(111));
    assert_eq!((reloaded.engagement, reloaded.last), (held.engagement, held.last));
    let mut busy = seen();
    busy.assign(job, CENTRE, false);
    let freed = mechanic().keeping_memory_of(Some(busy), at(500));
    assert_eq!((freed.engagement, freed.idle_since), (Engagement::Free, at(500)));
    // The journal's answers count; if it has none, the answers in memory do.
    let mut answered = seen();
    answered.history.record(false);
    let kept = mechanic().keeping_memory_of(Some(answered.clone()), at(111));
    assert_eq!(kept.history, answered.history);
    let mut loaded = mechanic();
    loaded.history.record(true);
    let newer = loaded.history.clone();
    assert_eq!(loaded.keeping_memory_of(Some(answered), at(111)).history, newer);
}

fn offered(offer: u128, job: u128) -> OfferCard {
    OfferCard {
        id: OfferId(Uuid::from_u128(offer)),
        job_id: JobId(Uuid::from_u128(job)),
        mechanic_id: mechanic().id,
        mechanic_user: UserId(Uuid::from_u128(1)),
        status: OfferStatus::Pending,
        round: 1,
        distance_m: 900,
        eta_s: 300,
        eta_source: EtaSource::StraightLine,
        estimated_price_paise: 34_000,
        category: Uuid::from_u128(7),
        vehicle_type: VehicleType::FourWheeler,
        pickup: CENTRE,
        destination: None,
        urgency: Urgency::Normal,
        summary: Arc::default(),
        created_at: at(100),
        expires_at: at(120),
    }
}

#[test]
fn a_reload_reveals_the_unreported_end_of_an_offer() {
    let (first, second) = (offered(1, 3), offered(2, 4));
    let before = Engagement::Offered(Box::new(first.clone()));
    let changes = |engagement, second: i64| {
        let now = Mechanic { engagement, ..seen() };
        let changes = now.offer_changes_since(&before, at(second));
        changes.into_iter().map(|card| (card.id, card.status)).collect::<Vec<_>>()
    };
    let on = |job_id| Engagement::Busy {
        job_id,
        pickup: CENTRE,
        is_arrived: false,
        delivers_to: None,
        duty: None,
    };
    assert_eq!(changes(before.clone(), 110), []);
    assert_eq!(changes(on(first.job_id), 110), [(first.id, OfferStatus::Accepted)]);
    assert_eq!(changes(on(second.job_id), 110), [(first.id, OfferStatus::Revoked)]);
    assert_eq!(changes(Engagement::Free, 119), [(first.id, OfferStatus::Revoked)]);
    assert_eq!(changes(Engagement::Free, 120), [(first.id, OfferStatus::Expired)]);
    let replaced = changes(Engagement::Offered(Box::new(second.clone())), 110);
    assert_eq!(replaced, [(first.id, OfferStatus::Revoked), (second.id, OfferStatus::Pending)]);
}

#[test]
fn a_mechanic_holds_one_offer_and_only_a_message_about_it_ends_it() {
    let (card, other) = (offered(1, 3), offered(2, 4));
    let mut mechanic = seen();
    assert!(mechanic.offered(card.clone()));
    assert!(!mechanic.offered(other.clone()), "its journal decides about a second");
    assert_eq!(mechanic.engagement.offer(), Some(&card));
    let described = OfferCard { eta_s: 240, ..card.clone() };
    assert!(mechanic.offered(described.clone()), "the same offer with a new estimate");
    assert_eq!(mechanic.end_offer(other.id, at(112)), None);
    assert_eq!(mechanic.engagement.offer(), Some(&described), "a late word about another changes nothing");
    assert_eq!(mechanic.end_offer(card.id, at(112)), Some(described));
    assert_eq!((mechanic.engagement, mechanic.idle_since), (Engagement::Free, at(0)));
    let mut busy = seen();
    busy.assign(card.job_id, CENTRE, false);
    assert!(!busy.offered(card));
    assert_eq!(busy.engagement.job(), Some(JobId(Uuid::from_u128(3))));
}

#[test]
fn an_offer_that_ended_more_than_ten_seconds_ago_is_overdue() {
    // The offer ends at 120.
    let mechanic = Mechanic { engagement: Engagement::Offered(Box::new(offered(1, 3))), ..seen() };
    assert_eq!([119, 130, 131].map(|second| mechanic.has_overdue_offer(at(second))), [false, false, true]);
    assert!(!seen().has_overdue_offer(at(131)));
}

#[test]
fn only_a_message_about_the_same_job_ends_it_for_its_mechanic() {
    let (job, other) = (JobId(Uuid::from_u128(3)), JobId(Uuid::from_u128(4)));
    let mut mechanic = seen();
    assert!(!mechanic.unassign(job, at(110)), "they are on none");
    assert_eq!(mechanic.idle_since, at(0));
    mechanic.assign(job, CENTRE, false);
    assert!(!mechanic.unassign(other, at(120)));
    assert_eq!((mechanic.engagement.job(), mechanic.idle_since), (Some(job), at(0)));
    assert!(mechanic.unassign(job, at(130)));
    assert_eq!((mechanic.engagement, mechanic.idle_since), (Engagement::Free, at(130)));
}

#[test]
fn a_reload_keeps_progress_only_on_the_same_job() {
    let (job, other) = (JobId(Uuid::from_u128(3)), JobId(Uuid::from_u128(4)));
    let mut old = seen();
    old.assign(job, north(5_000.0), false);
    send(&mut old, ping(2, CENTRE, 110), 110);
    let moved_at = old.last_moved_at();
    assert!(moved_at.is_some());
    for (now_on, expected) in [(Some(job), moved_at), (Some(other), None), (None, None)] {
        let mut loaded = mechanic();
        now_on.into_iter().for_each(|job| loaded.assign(job, CENTRE, false));
        assert_eq!(loaded.keeping_memory_of(Some(old.clone()), at(120)).last_moved_at(), expected);
    }
    let idle = mechanic().keeping_memory_of(Some(Mechanic { idle_since: at(-50), ..seen() }), at(120));
    assert_eq!(idle.idle_since, at(-50), "who was free has been since");
}

#[test]
fn a_mechanic_who_is_not_verified_or_wants_no_work_is_no_supply() {
    let mut mechanic = seen();
    assert!(mechanic.matched_at(&policy(), at(110)).is_some());
    mechanic.profile.is_verified = false;
    assert_eq!(mechanic.matched_at(&policy(), at(110)), None);
    assert_eq!(Mechanic { available: false, ..seen() }.matched_at(&policy(), at(110)), None);
}

#[test]
fn a_report_has_only_what_changed() {
    let (mut mechanic, mut reported) = (seen(), None);
    let mut report = |mechanic: &Mechanic, seconds| {
        mechanic.report(mechanic.matched_at(&policy(), at(seconds)), &mut reported)
    };
    let first = mechanic.supply(&mechanic.matched_at(&policy(), at(110)).expect("they are online"));
    assert_eq!(report(&mechanic, 110), Some(SupplyReport::Changed(Some(first.clone()))));
    assert_eq!(report(&mechanic, 111), None);
    let last = mechanic.last.as_mut().expect("a position");
    (last.point, last.recorded_at) = (CENTRE, last.recorded_at + TimeDelta::seconds(1));
    let (point, fresh_until) = (CENTRE, first.fresh_until + TimeDelta::seconds(1));
    assert_eq!(report(&mechanic, 111), Some(SupplyReport::Moved { point, fresh_until }));
    assert_eq!(report(&mechanic, 111), None);
    mechanic.idle_since = at(111);
    let changed = Supply { point, fresh_until, idle_since: at(111), ..first };
    assert_eq!(report(&mechanic, 111), Some(SupplyReport::Changed(Some(changed))));
    mechanic.available = false;
    assert_eq!(report(&mechanic, 111), Some(SupplyReport::Changed(None)));
    assert_eq!(report(&mechanic, 111), None);
}

#[test]
fn availability_is_forgotten_after_a_quarter_of_an_hour_of_silence_but_not_on_a_job() {
    let mechanic = seen();
    let (quarter, longer) = (TimeDelta::minutes(15), TimeDelta::minutes(15) + TimeDelta::milliseconds(1));
    assert!(!mechanic.should_go_offline(&policy(), quarter));
    assert!(mechanic.should_go_offline(&policy(), longer));
    let unavailable = Mechanic { available: false, ..seen() };
    assert!(!unavailable.should_go_offline(&policy(), longer), "it has ended already");
    let mut busy = seen();
    busy.assign(JobId(Uuid::from_u128(3)), CENTRE, false);
    assert!(!busy.should_go_offline(&policy(), longer));
}

#[test]
fn the_app_sends_often_while_watched_and_seldom_but_within_20_s_otherwise() {
    let mut mechanic = seen();
    assert!(mechanic.interval_s(&policy()) <= 20);
    mechanic.offered(offered(1, 3));
    assert_eq!(mechanic.interval_s(&policy()), policy().fast_interval_s, "while an offer is open");
    mechanic.assign(JobId(Uuid::from_u128(3)), CENTRE, false);
    assert_eq!(mechanic.interval_s(&policy()), policy().unwatched_interval_s);
    mechanic.is_watched = true;
    assert_eq!(mechanic.interval_s(&policy()), policy().fast_interval_s);
}

#[test]
fn progress_on_a_job_is_a_move_and_not_noise() {
    let mut mechanic = seen();
    mechanic.assign(JobId(Uuid::from_u128(3)), north(5_000.0), false);
    assert_eq!(mechanic.last_moved_at(), None);
    send(&mut mechanic, ping(2, CENTRE, 110), 110);
    send(&mut mechanic, ping(3, north(30.0), 120), 120);
    assert_eq!(mechanic.last_moved_at(), Some(at(110) + TimeDelta::milliseconds(200)));
    send(&mut mechanic, ping(4, north(60.0), 130), 130);
    assert_eq!(mechanic.last_moved_at(), Some(at(130) + TimeDelta::milliseconds(200)));
    assert_eq!(mechanic.last_contact_at(), Some(at(130) + TimeDelta::milliseconds(200)));
}

#[test]
fn a_mechanic_without_a_job_takes_little_memory() {
    let size = size_of::<MechanicActor>();
    assert!(size <= 960, "{size} bytes for each mechanic who is online");
}
