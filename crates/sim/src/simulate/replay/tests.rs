use super::*;
use crate::scenario::ScenarioFile;

/// Two mechanics and three jobs: one job served, one given up during the search, one while the mechanic was on the way.
pub(super) const FRIDAY: &str = r#"{"format":"roadcall-recording","version":1,"weekday":"friday","start_hour":17.5,"hours":4,
"categories":[{"slug":"flat-tyre","minutes":18},{"slug":"towing","minutes":40}],
"mechanics":[
{"radius_km":10,"vehicle_types":["four_wheeler"],"categories":[0,1],
 "online":[{"from_s":0,"to_s":3600,"place":{"lat":12.97,"lng":77.59},"off_m":0},
  {"from_s":9000,"to_s":14400,"place":{"lat":12.99,"lng":77.61},"off_m":1500}],"last":{"lat":12.96,"lng":77.58}},
{"radius_km":8,"vehicle_types":["four_wheeler"],"categories":[1,0],
 "online":[{"from_s":600,"to_s":14400,"off_m":0}],"last":{"lat":12.95,"lng":77.60}}],
"jobs":[
{"at_s":600,"pickup":{"lat":12.98,"lng":77.60},"category":0,"vehicle_type":"four_wheeler","urgency":"normal","mechanic":0,
 "accepted_s":610,"arrived_s":1500,"started_s":1560,"completed_s":2460,"work_s":900,"ends":{"lat":12.99,"lng":77.60}},
{"at_s":700,"pickup":{"lat":12.96,"lng":77.58},"category":1,"vehicle_type":"four_wheeler","urgency":"accident",
 "cancelled_s":1000,"cancelled_by":"customer"},
{"at_s":9100,"pickup":{"lat":12.97,"lng":77.62},"category":1,"vehicle_type":"four_wheeler","urgency":"normal","mechanic":1,
 "accepted_s":9200,"cancelled_s":10100,"cancelled_by":"customer"}],
"answers":[
{"mechanic":0,"job":0,"nth":0,"distance_m":1500,"answer":"accepted","reaction_s":4.5},
{"mechanic":0,"job":1,"nth":0,"distance_m":2500,"answer":"expired"},
{"mechanic":1,"job":2,"nth":0,"distance_m":3500,"answer":"accepted","reaction_s":7}]}"#;

fn even() -> Scenario {
    Scenario::load("even").expect("built in")
}

fn friday() -> (Replay, Scenario) {
    let replay = Replay::new(Recording::parse(FRIDAY).unwrap_or_else(|why| panic!("{why}")));
    let scenario = replay.scenario(&even());
    (replay, scenario)
}

#[test]
fn a_recording_overrides_the_base_scenario() {
    let (_, scenario) = friday();
    let said =
        ["Friday from 17:30 for 4.0 h", "3 jobs, 2 mechanics", "1 jobs were served and 1 reached in time"];
    said.into_iter().for_each(|words| assert!(scenario.title.contains(words), "{}", scenario.title));
    assert_eq!((scenario.jobs, scenario.mechanics, scenario.hours), (3, 2, 4.0));
    assert_eq!(scenario.categories[1].name, "towing");
    // Both mechanics can do the same, in whatever order that was written.
    assert_eq!((scenario.crews.len(), scenario.crews[0].percent), (1, 100.0));
    assert_eq!(scenario.traffic.speed_kmh, even().traffic.speed_kmh, "two trips are too few");
    let place = places::demand_place(&scenario, Rng::new(4));
    assert!(place.distance_m(Point::new(scenario.city.lat, scenario.city.lng)) < 6_000.0, "{place:?}");
}

#[test]
fn the_speed_is_learned_from_twenty_recorded_trips() {
    let (mut replay, _) = friday();
    let (job, answer) = (replay.recording.jobs[0].clone(), replay.recording.answers[0].clone());
    replay.recording.jobs = vec![job; 20];
    replay.recording.answers = (0..20).map(|job| file::Answer { job, ..answer.clone() }).collect();
    // The trip is 1.5 km in 890 s, times the detour, at the factor of 17 h.
    let expected = 1_500.0 * 1.35 / 890.0 * 3.6 / 0.85;
    let speed = learning::speed_kmh(&even(), &replay.recording).expect("enough trips");
    assert!((speed - expected).abs() < 1e-9, "{speed}, not {expected}");
    replay.recording.answers.pop();
    assert_eq!(learning::speed_kmh(&even(), &replay.recording), None);
}

#[test]
fn customers_wait_as_long_as_recorded_or_at_least_as_long_as_known() {
    let (replay, scenario) = friday();
    for seed in 0..50 {
        let calls = replay.calls(&scenario, Rng::new(seed));
        assert_eq!(calls.iter().map(|call| call.at).collect::<Vec<_>>(), [600_000, 700_000, 9_100_000]);
        assert!(calls[0].patience >= 60_000 && calls[0].arrival_patience >= 900_000, "{:?}", calls[0]);
        assert_eq!((calls[1].patience, calls[2].arrival_patience), (300_000, 1_000_000));
        assert!(calls[1].arrival_patience >= 300_000 && calls[2].patience >= 100_000);
        assert_eq!((calls[0].work, calls[1].work), (900_000, 2_400_000), "as recorded, and the median");
        assert_eq!((calls[0].ends_at.lat, calls[1].urgency), (12.99, Urgency::Accident));
    }
    let patience = |seed| replay.calls(&scenario, Rng::new(seed))[0].patience;
    assert_ne!(patience(1), patience(2), "what was not recorded is drawn");
}

#[test]
fn mechanics_answer_as_recorded_and_otherwise_as_usual() {
    let (replay, scenario) = friday();
    let people = replay.mechanics(&scenario, Rng::new(1));
    assert_eq!(people[0].answer(&scenario, 0, 0, 9_000.0), (Answer::Accept, 4_500));
    assert_eq!(people[0].answer(&scenario, 1, 0, 0.0).0, Answer::Ignore);
    // One of two offers was accepted, at 1.5 and 2.5 km.
    assert!((replay.accept(&scenario, 0, 0.75) - (1.0 + 0.08 + 7.5) / 12.0).abs() < 1e-9);
    let answers = |seed| {
        let people = replay.mechanics(&scenario, Rng::new(seed));
        (0..40).map(|nth| people[1].answer(&scenario, 0, nth, 1_000.0).0).collect::<Vec<_>>()
    };
    assert_ne!(answers(1), answers(2));
}

#[test]
fn mechanics_work_where_and_when_they_were_seen() {
    let (replay, scenario) = friday();
    let people = replay.mechanics(&scenario, Rng::new(1));
    assert_eq!(people[0].shifts(), [(0, 3_600_000), (9_000_000, 14_400_000)]);
    assert_eq!(people[0].home, Point::new(12.97, 77.59));
    assert_eq!((people[0].place_at(0), people[0].place_at(5_000_000)), (Some(people[0].home), None));
    let second = people[0].place_at(9_000_000).expect("a place");
    assert!((second.distance_m(Point::new(12.99, 77.61)) - 1_500.0).abs() < 10.0, "{second:?}");
    assert_eq!(people[1].home, Point::new(12.95, 77.60), "where they were last");
}
