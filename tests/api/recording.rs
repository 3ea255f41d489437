//! A recording of a day: it has the jobs and answers, it hides the people, and the simulator plays it.

use std::{fs, path::PathBuf, process::Stdio};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::support::{TestApp, bodies::id_of, roadside::PICKUP, spawn_app, within};

/// The place of the second mechanic, about 2.2 km from the pickups.
const FAR: (f64, f64) = (PICKUP.0 + 0.02, PICKUP.1);

/// A file that is removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("roadcall-recording-{}-{name}.json", std::process::id())))
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_file(&self.0).ok();
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Returns the output of `roadcall recording export`, or its error message if it failed.
async fn export(app: &TestApp, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
    command.args(["recording", "export"]).args(arguments).arg("--data-dir").arg(&app.data_dir);
    command.env("DATABASE_URL", app.database.url()).kill_on_drop(true).stdin(Stdio::null());
    let output = within("the export", command.output()).await.unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(String::from_utf8(output.stdout).unwrap()) } else { Err(words) }
}

/// Texts that reveal who somebody is, or what happened to whom.
struct Secrets(Vec<String>);

/// Plays one job declined by a mechanic and served by another, and one that its customer cancels.
async fn evening(app: &TestApp) -> Secrets {
    let admin = app.admin().await;
    let mut near = app.on_road_at(&admin, (PICKUP.0 + 0.002, PICKUP.1)).await;
    let mut far = app.on_road_at(&admin, FAR).await;
    let (first, second) = (app.breakdown().await, app.breakdown().await);
    let job = id_of(&first.call().await);
    let offer = id_of(&near.offer().await);
    let body = json!({"reason": "my cousin Ravi"});
    near.client.post(&format!("/offers/{offer}/decline"), body).await.expect(200);
    far.accept().await;
    far.drive_and_start(&first.client, &job).await;
    // The mechanic stays in place: a jump within a moment would be implausible, and not count.
    far.ping(FAR).await;
    far.tell(&job, "complete", json!({"outcome": "fixed", "notes": "Paid to Ravi."})).await;
    let other = id_of(&second.call().await);
    near.offer().await;
    second.cancel(&other).await;
    let ids = [offer, job, other, near.profile_id.clone(), far.profile_id.clone()];
    let people = [&near.client, &far.client, &first.client, &second.client];
    let phones = people.iter().map(|person| person.phone.trim_start_matches('+').to_owned());
    let users = people.iter().map(|person| person.user_id.clone());
    let vehicles = [first.vehicle_id.clone(), second.vehicle_id.clone()];
    let texts = ["Asha", "Rao", "Ravi", "KA01AB1234", "MG Road", "Hero", "changed_mind", "+91"];
    let all = ids.into_iter().chain(phones).chain(users).chain(vehicles).chain(texts.map(str::to_owned));
    Secrets(all.collect())
}

fn place_of(point: (f64, f64)) -> Value {
    let Point { lat, lng } = Point::new(point.0, point.1).snapped(200.0);
    json!({"lat": lat, "lng": lng})
}

#[actix_web::test]
async fn a_recording_has_the_days_jobs_and_answers_without_the_people() {
    let app = spawn_app().await;
    let began = app.service.clock.now();
    let Secrets(secrets) = evening(&app).await;
    let file = Scratch::new("evening");
    let (from, to) = (rfc3339(began - TimeDelta::hours(1)), rfc3339(began + TimeDelta::hours(1)));
    let path = file.0.to_str().unwrap();
    export(&app, &["--from", &from, "--to", &to, "--out", path]).await.unwrap();

    let text = file.text();
    for secret in secrets.iter().map(String::as_str).chain([&from[..10], "name", "phone"]) {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let recording: Value = serde_json::from_str(&text).unwrap();
    let [served, cancelled] = recording["jobs"].as_array().unwrap().as_slice() else { panic!("{text}") };
    assert_eq!(recording["categories"][served["category"].as_u64().unwrap() as usize]["slug"], "flat-tyre");
    assert_eq!((&served["pickup"], &served["vehicle_type"]), (&place_of(PICKUP), &json!("two_wheeler")));
    assert_eq!(served["ends"], place_of(FAR));
    let times = ["at_s", "accepted_s", "en_route_s", "arrived_s", "started_s", "completed_s"];
    let times = times.map(|key| served[key].as_i64().unwrap_or_else(|| panic!("{key}: {served}")));
    assert!((3590..3660).contains(&times[0]) && times.is_sorted() && times[5] < 3720, "{times:?}");
    assert_eq!(cancelled["cancelled_by"], "customer");
    assert_eq!((&cancelled["mechanic"], &cancelled["accepted_s"]), (&Value::Null, &Value::Null));

    let far = &served["mechanic"];
    let answers = recording["answers"].as_array().unwrap();
    let given: Vec<_> = answers.iter().map(|a| (&a["job"], &a["answer"], &a["distance_m"])).collect();
    // The offer that was open when the customer cancelled was withdrawn: nobody answered it.
    let zero = json!(0);
    assert_eq!(given, [(&zero, &json!("declined"), &json!(200)), (&zero, &json!("accepted"), &json!(2200))]);
    assert!(answers[0]["mechanic"] != *far && answers[1]["mechanic"] == *far, "{text}");
    assert!(answers.iter().all(|answer| answer["reaction_s"].as_f64().unwrap() < 30.0), "{text}");
    let mechanics = recording["mechanics"].as_array().unwrap();
    assert_eq!(mechanics.len(), 2, "{text}");
    let around = i64::from(15 * 60);
    for mechanic in mechanics {
        let span = &mechanic["online"][0];
        let (from_s, to_s) = (span["from_s"].as_i64().unwrap(), span["to_s"].as_i64().unwrap());
        assert!(from_s >= 3590 - around && from_s <= times[0] && to_s >= times[0] + around, "{mechanic}");
        assert!(span["place"]["lat"].is_number(), "{mechanic}");
    }

    let dated = export(&app, &["--from", &from, "--to", &to, "--keep-date"]).await.unwrap();
    let dated: Value = serde_json::from_str(&dated).unwrap();
    assert_eq!(dated["date"].as_str(), Some(&from[..10]));
}

#[cfg(feature = "sim")]
#[actix_web::test]
async fn a_recorded_evening_is_played_by_the_simulator() {
    let app = spawn_app().await;
    let began = app.service.clock.now();
    evening(&app).await;
    let file = Scratch::new("played");
    let (from, to) = (rfc3339(began - TimeDelta::hours(1)), rfc3339(began + TimeDelta::hours(1)));
    let path = file.0.to_str().unwrap();
    export(&app, &["--from", &from, "--to", &to, "--out", path]).await.unwrap();

    let simulated = async |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.args(["simulate", "--replay"]).arg(path).args(["--policy", "ours,nearest", "--seeds", "2"]);
        let output = command.args(more).stdin(Stdio::null()).kill_on_drop(true).output();
        let output = within("the report", output).await.unwrap();
        let (said, why) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr).into_owned());
        if output.status.success() { Ok(said.into_owned()) } else { Err(why) }
    };
    let table = simulated(&["--check-every-step"]).await.unwrap();
    let title = table.lines().next().unwrap();
    assert!(title.starts_with("Replay of a ") && title.contains(": 2 jobs, 2 mechanics; "), "{title}");
    assert!(title.contains("1 jobs were served and 1 reached in time"), "{title}");
    let served = table.lines().find(|line| line.starts_with("served  ")).unwrap();
    // Both policies repeat the evening: one job is accepted, and the other one's customer gives up at once.
    assert_eq!(served.matches("50.0 ±0.0 %").count(), 2, "{served}");
    assert_eq!(table, simulated(&["--check-every-step"]).await.unwrap());
    let why = simulated(&["--jobs", "3"]).await.unwrap_err();
    assert!(why.contains("--replay") && why.contains("--jobs"), "{why}");
    fs::write(&file.0, file.text().replacen("\"urgency\":\"normal\"", "\"urgency\":\"mild\"", 1)).unwrap();
    let why = simulated(&[]).await.unwrap_err();
    assert!(why.contains("--replay") && why.contains("jobs[0].urgency: mild"), "{why}");
}

#[actix_web::test]
async fn a_period_that_cannot_be_recorded_is_refused_by_its_argument() {
    let app = spawn_app().await;
    let cases: [(&[&str], &str); 4] = [
        (&["--from", "2026-11-20T00:00:00Z"], "--to"),
        (&["--from", "yesterday", "--to", "2026-11-20T00:00:00Z"], "--from"),
        (&["--from", "2026-11-20T00:00:00Z", "--to", "2026-11-20T00:00:00Z"], "--to must be after --from"),
        (&["--from", "2026-11-20T00:00:00Z", "--to", "2026-11-28T00:00:00Z"], "--to must be at most 7 days"),
    ];
    for (arguments, named) in cases {
        let words = export(&app, arguments).await.expect_err(named);
        assert!(words.contains(named), "{arguments:?}: {words}");
    }
}
