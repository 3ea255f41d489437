use super::*;

pub(in crate::demo) fn at(second: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + second, 0).expect("a time")
}

pub(in crate::demo) fn job(status: Status) -> Job {
    let is_taken = status.is_served() || status == Status::Completed;
    Job {
        id: Uuid::from_u128(7),
        status,
        seq: 1,
        service_category_slug: "towing".to_owned(),
        pickup_lat: 12.97,
        pickup_lng: 77.6,
        destination: None,
        loaded_at: None,
        mechanic_profile_id: is_taken.then(|| Uuid::from_u128(1)),
        start_code: None,
        created_at: at(0),
        accepted_at: is_taken.then(|| at(4)),
        arrived_at: matches!(status, Status::Arrived | Status::InProgress | Status::Completed)
            .then(|| at(34)),
        cancellation_fee: None,
    }
}

/// Returns the statistics of one job, up to this status.
pub(in crate::demo) fn story(until: Status) -> Stats {
    let mut stats = Stats::new(at(0));
    stats.apply(at(0), News::Registered { profile: Uuid::from_u128(1), name: "Ravi Kumar".into() });
    stats.apply(at(0), News::Online { profile: Uuid::from_u128(1) });
    let (customer, what, place) = ("Asha Rao".into(), "Towing".into(), "MG Road".into());
    stats.apply(at(0), News::Called { job: job(Status::Pending), customer, what, place });
    let life = [
        Status::Dispatching,
        Status::Accepted,
        Status::EnRoute,
        Status::Arrived,
        Status::InProgress,
        Status::Completed,
    ];
    for (second, status) in (1..).zip(life) {
        stats.apply(at(second), News::Moved { job: job(status) });
        if status == until {
            break;
        }
    }
    stats
}

#[test]
fn a_job_is_counted_in_the_status_it_has_and_once_when_it_is_over() {
    let stats = story(Status::EnRoute);
    assert_eq!((stats.mechanics_online(), stats.mechanics_busy(), stats.open.len()), (1, 1, 1));
    let mut stats = story(Status::Completed);
    stats.apply(at(9), News::Moved { job: job(Status::Completed) });
    assert_eq!((stats.called, stats.completed, stats.mechanics_busy(), stats.open.len()), (1, 1, 0, 0));
    assert_eq!(stats.to_assign.percentile(50), Some(4_000));
    assert_eq!(stats.to_arrive.percentile(95), Some(30_000));
}

#[test]
fn a_completed_job_is_owed_for_until_it_is_paid() {
    let mut stats = story(Status::Completed);
    let counts = |stats: &Stats| (stats.completed, stats.revenue.paid, stats.revenue.owing.len());
    assert_eq!(counts(&stats), (1, 0, 1));
    for _ in 0..2 {
        stats.apply(at(9), News::Moved { job: job(Status::Paid) });
    }
    assert_eq!(counts(&stats), (1, 1, 0));
    stats.apply(at(9), News::Paid { customer: "Asha Rao".into(), kind: PaymentKind::Cash, paise: 29_900 });
    assert_eq!(stats.events.back().map(|event| event.text.as_str()), Some("Asha Rao pays 299.00 in cash"));
}

#[test]
fn events_are_texts_and_only_the_last_are_kept() {
    let mut stats = story(Status::Accepted);
    assert_eq!(
        stats.events.back().map(|event| event.text.as_str()),
        Some("Ravi Kumar takes Towing for Asha Rao")
    );
    for _ in 0..20 {
        stats.apply(at(60), News::Declined { profile: Uuid::from_u128(1) });
    }
    assert_eq!(stats.events.len(), EVENTS);
    assert_eq!(stats.events.back().map(|event| event.number), Some(23));
}

#[test]
fn percentiles_are_of_the_nearest_rank() {
    let mut times = Times::default();
    assert_eq!(times.percentile(50), None);
    for second in 1..=20 {
        times.note(at(0), at(second));
    }
    let found = [1, 50, 95, 100].map(|percent| times.percentile(percent));
    assert_eq!(found, [Some(1_000), Some(10_000), Some(19_000), Some(20_000)]);
}

#[test]
fn the_first_trouble_is_kept() {
    let mut stats = Stats::new(at(0));
    for what in ["one", "two"] {
        stats.apply(at(1), News::Trouble { who: "Asha".into(), what: what.into() });
    }
    assert_eq!((stats.troubles, stats.first_trouble.as_deref()), (2, Some("TROUBLE Asha: one")));
}
