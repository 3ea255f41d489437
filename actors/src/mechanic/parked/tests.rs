//! Tests of when a mechanic counts as being where they said that they wait.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::super::state::*;
use crate::{
    geo::Point,
    ids::{JobId, MechanicId, OfferId, UserId},
    refusal::{Ineligibility, Refusal},
    settings::PresencePolicy,
    simulation::world::{CENTRE, morning, north, profile, settings},
    status::OfferStatus,
};

fn policy() -> PresencePolicy {
    settings().presence
}

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn unseen() -> Mechanic {
    Mechanic::new(MechanicId(Uuid::from_u128(1)), profile(UserId(Uuid::from_u128(1))), true, at(0))
}

/// Returns a mechanic who waits in the centre, since second 0.
fn parked() -> Mechanic {
    let mut mechanic = unseen();
    mechanic.parked = Some(mechanic.decide_parking(CENTRE, &policy(), at(0)).expect("they may"));
    mechanic
}

fn see(mechanic: &mut Mechanic, point: Point, seconds: i64) {
    let (accuracy_m, speed_mps, heading) = (Some(10.0), None, None);
    let ping = Ping {
        seq: seconds,
        point,
        accuracy_m,
        speed_mps,
        heading,
        recorded_at: at(seconds),
        is_mock: false,
    };
    mechanic.locate(vec![ping], PositionSource::App, &policy(), at(seconds));
}

fn end(mechanic: &Mechanic, seconds: i64) -> Option<ParkingEnd> {
    mechanic.parking_end(&policy(), at(seconds))
}

#[test]
fn a_parked_mechanic_is_available_there_for_hours_without_any_position() {
    let mechanic = parked();
    for hours in [0, 1, 11] {
        let now = at(hours * 3600 + 59);
        let supply = mechanic.supply(&mechanic.matched_at(&policy(), now).expect("they are online"));
        assert_eq!((supply.point, supply.is_parked, supply.is_free), (CENTRE, true, true));
        assert!(supply.fresh_until > now && mechanic.is_online(&policy(), now));
        assert!(!mechanic.should_go_offline(&policy(), TimeDelta::hours(hours + 1)));
    }
    assert_eq!((end(&mechanic, 12 * 3600 - 1), end(&mechanic, 12 * 3600)), (None, Some(ParkingEnd::Over)));
    assert_eq!(mechanic.matched_at(&policy(), at(12 * 3600)), None);
    assert!(!mechanic.is_online(&policy(), at(12 * 3600)));
    let mut unavailable = parked();
    unavailable.available = false;
    assert_eq!(unavailable.matched_at(&policy(), at(1)), None);
}

#[test]
fn a_fresh_position_counts_before_the_place() {
    let mut mechanic = parked();
    see(&mut mechanic, north(200.0), 600);
    let whereabouts = |seconds| mechanic.whereabouts(&policy(), at(seconds)).expect("somewhere");
    assert_eq!((whereabouts(660).point, whereabouts(660).is_parked), (north(200.0), false));
    assert_eq!((whereabouts(661).point, whereabouts(661).is_parked), (CENTRE, true));
    assert_eq!(end(&mechanic, 661), None, "still there");
}

#[test]
fn a_position_elsewhere_ends_parking_unless_it_is_older() {
    let mut mechanic = parked();
    // Up to 10 m of the distance may be the receiver's noise.
    see(&mut mechanic, north(309.0), 600);
    assert_eq!(end(&mechanic, 600), None);
    see(&mut mechanic, north(320.0), 660);
    assert_eq!(end(&mechanic, 660), Some(ParkingEnd::Left));
    assert_eq!(mechanic.whereabouts(&policy(), at(660)).expect("seen").point, north(320.0));
    assert_eq!(mechanic.whereabouts(&policy(), at(900)), None, "even when that is old: they are not there");
    let mut before = unseen();
    see(&mut before, north(9_000.0), -300);
    before.parked = Some(before.decide_parking(CENTRE, &policy(), at(0)).expect("that was minutes ago"));
    assert_eq!(end(&before, 1), None);
}

#[test]
fn a_mechanic_may_not_wait_where_their_phone_is_not() {
    let mut mechanic = unseen();
    see(&mut mechanic, north(320.0), 0);
    let refused = mechanic.decide_parking(CENTRE, &policy(), at(60)).expect_err("they are elsewhere");
    assert!(matches!(refused, Refusal::NotAtPlace { limit_m: 300.0, .. }), "{refused}");
    assert!(mechanic.decide_parking(north(30.0), &policy(), at(60)).is_ok());
    assert!(mechanic.decide_parking(CENTRE, &policy(), at(61)).is_ok(), "nothing fresh contradicts them");
    mechanic.profile.is_verified = false;
    let refused = mechanic.decide_parking(CENTRE, &policy(), at(61));
    assert_eq!(refused, Err(Refusal::NotEligible(Ineligibility::NotVerified)));
}

#[test]
fn unanswered_offers_in_a_row_end_parking() {
    use OfferStatus::{Accepted, Declined, Expired, Revoked};
    for (answers, expected) in [
        (vec![Expired], None),
        (vec![Expired, Revoked], None),
        (vec![Expired, Declined, Expired], None),
        (vec![Expired, Accepted, Expired], None),
        (vec![Expired, Revoked, Expired], Some(ParkingEnd::Unanswered)),
    ] {
        let mut mechanic = parked();
        answers.iter().for_each(|status| mechanic.note_answer(*status));
        assert_eq!(end(&mechanic, 1), expected, "{answers:?}");
        assert_eq!(mechanic.matched_at(&policy(), at(1)).is_some(), expected.is_none());
    }
}

#[test]
fn a_parked_mechanic_with_a_job_sets_out_from_the_place_and_is_then_where_they_are_seen() {
    let job = JobId(Uuid::from_u128(5));
    let mut mechanic = parked();
    assert!(mechanic.reserve(OfferId(Uuid::from_u128(6)), job, &policy(), at(1000)), "while nothing comes");
    let from = mechanic.set_out_from_place(&policy(), at(1000)).expect("nothing fresher is known");
    mechanic.assign(job, north(100.0), false);
    assert_eq!((from.point, from.recorded_at), (CENTRE, at(1000)));
    assert_eq!(mechanic.distance_to_pickup(&policy(), at(1001)), None, "it proves no arrival");
    assert!(!mechanic.is_online(&policy(), at(1061)), "their word does not count on a job");
    // The first position is not compared with the place.
    see(&mut mechanic, north(290.0), 1002);
    assert!(!mechanic.last.expect("seen").is_implausible);
    see(&mut mechanic, north(2_000.0), 1302);
    assert_eq!(end(&mechanic, 20 * 3600), None, "a job ends nothing");
    mechanic.unassign(job, at(1400));
    assert_eq!(end(&mechanic, 1400), Some(ParkingEnd::Left), "afterwards they are elsewhere");
    let mut seen = parked();
    see(&mut seen, north(50.0), 1000);
    assert_eq!(seen.set_out_from_place(&policy(), at(1001)), None, "a fresh position is better");
    assert_eq!(unseen().set_out_from_place(&policy(), at(0)), None);
}
