//! The demo's city on a real service, using only its public interface.

use std::{env, fs, path::PathBuf, process::Stdio, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use reqwest::Method;
use roadcall::{
    accounting::ledger,
    app::StartOptions,
    cli::sim::{ScenarioCity, demo_access},
    demo::{City, CityAdmin, CityPerson, PlayTime},
    platform::settings::Environment,
};
use roadcall_actors::{clock::Clock, geo::Point};
use roadcall_sim::{
    demo::{Population, PopulationError, Revenue, Scenario},
    scenario::ScenarioFile,
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
    time::timeout,
};

use serde_json::{Value, json};
use uuid::Uuid;

use super::support::{
    Client, LIMIT, TestApp, bodies::id_of, spawn_app, spawn_app_as, spawn_app_with, within,
};

/// A scenario with three mechanics around one corner, who take every job and are fast.
const CORNER: &str = r#"
    title = "A corner of Bengaluru"
    seed = 3

    [demand]
    jobs_per_minute = 120.0
    spread_m = 40.0
    [demand.mix_percent]
    towing = 50.0
    flat-tyre = 50.0

    [customers]
    names = ["Asha Rao", "Dev Menon"]
    vehicle_types = ["four_wheeler"]
    cancel_share = 0.0
    cancel_after_s = [1.0, 2.0]
    patience_s = 60.0

    [work]
    think_s = [0.1, 0.3]
    repair_s = [0.1, 0.3]

    [money]
    pay_after_s = [0.1, 0.2]
    cash_share = 0.5
    failed_share = 0.5
    fee_share = 1.0
    item_share = 0.7
    wallet_every_s = [0.5, 1.0]
    withdraw_from = 1.0

    [[mechanics]]
    name = "Ravi Kumar"
    home = "MG Road"
    radius_km = 5.0
    vehicle_types = ["four_wheeler"]
    accept_share = 1.0
    ignore_share = 0.0
    speed_kmh = 160.0

    [[mechanics]]
    name = "Meena Devi"
    home = "MG Road"
    radius_km = 5.0
    vehicle_types = ["four_wheeler"]
    categories = ["towing"]
    accept_share = 1.0
    ignore_share = 0.0
    speed_kmh = 160.0

    [[mechanics]]
    name = "Imran Pasha"
    home = "Church Street"
    radius_km = 5.0
    vehicle_types = ["two_wheeler", "four_wheeler"]
    accept_share = 1.0
    ignore_share = 0.0
    speed_kmh = 160.0

    [[places]]
    name = "MG Road"
    lat = 12.9755
    lng = 77.6068

    [[places]]
    name = "Church Street"
    lat = 12.9752
    lng = 77.6050
"#;

#[actix_web::test]
async fn a_small_city_completes_jobs_and_nothing_goes_wrong() {
    let mut app = spawn_app_with(|settings| {
        (settings.money.dispute_window_s, settings.wallet.clearing_hours) = (0, 0);
        settings.wallet.new_account_wait_hours = 0;
    })
    .await;
    let service = demo_access(&app.service.db, format!("http://{}", app.address)).await.unwrap();
    let scenario = Scenario::parse(CORNER).unwrap();
    let population =
        within("everyone signs up", Population::start(scenario, &service, Clock::system())).await.unwrap();
    within("jobs are paid online and in cash, and money is withdrawn, or something goes wrong", async {
        let is_mixed = |revenue: &Revenue| {
            revenue.online_paise > 0
                && revenue.cash_paise > 0
                && revenue.items > 0
                && revenue.withdrawn_paise > 0
        };
        population.shared.until(|stats| is_mixed(&stats.revenue) || stats.troubles > 0).await;
    })
    .await;
    within("the open jobs end", population.wind_down(std::future::pending())).await;
    let stats = within("everyone goes offline", population.end()).await;
    assert_eq!(stats.first_trouble, None);
    assert_eq!(stats.called, stats.completed + stats.cancelled);
    assert_eq!(stats.mechanics_online(), 0);
    let revenue = &stats.revenue;
    assert_eq!((revenue.paid, revenue.owing.len()), (stats.completed, 0));
    let taken = [revenue.online_paise, revenue.cash_paise];
    assert_eq!([captured(&app, "online").await, captured(&app, "cash").await], taken);
    assert_eq!(owed_for_jobs(&app).await, (taken[0] + taken[1], stats.completed as i64));
    assert_eq!(withdrawn(&app).await, revenue.withdrawn_paise);
    assert!(ledger::audit(&app.service.db).await.unwrap().is_sound());
    assert!(stats.to_assign.percentile(50).is_some() && stats.to_arrive.percentile(50).is_some());
    within("the service stops", app.stop()).await;
}

/// Returns the amount captured for jobs, in paise.
async fn captured(app: &TestApp, channel: &str) -> i64 {
    let paid = "select coalesce(sum(amount_paise), 0)::bigint from payments
        where status = 'captured' and purpose = 'job' and channel = $1";
    app.value(paid, &[channel]).await
}

/// Returns the amount that mechanics had sent to their banks, in paise.
async fn withdrawn(app: &TestApp) -> i64 {
    app.value("select coalesce(sum(amount_paise), 0)::bigint from withdrawals", &[]).await
}

/// Returns the total cost of paid jobs, in paise, and their number.
async fn owed_for_jobs(app: &TestApp) -> (i64, i64) {
    let owed = "select coalesce(sum(final_price_paise), 0)::bigint, count(*) from jobs where status = 'paid'";
    app.row(owed, &[]).await
}

#[actix_web::test]
async fn cancellation_fees_are_paid() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let service = demo_access(&app.service.db, format!("http://{}", app.address)).await.unwrap();
    // Everybody changes their mind while the mechanic drives.
    let restless = CORNER
        .replace("cancel_share = 0.0", "cancel_share = 1.0")
        .replace("speed_kmh = 160.0", "speed_kmh = 20.0");
    let scenario =
        Scenario::parse(&restless.replace("cancel_after_s = [1.0, 2.0]", "cancel_after_s = [2.0, 3.0]"))
            .unwrap();
    let population =
        within("everyone signs up", Population::start(scenario, &service, Clock::system())).await.unwrap();
    within("a fee is paid, or something goes wrong", async {
        population.shared.until(|stats| stats.revenue.fees_paise > 0 || stats.troubles > 0).await;
    })
    .await;
    let stats = within("everyone goes offline", population.end()).await;
    assert_eq!(stats.first_trouble, None);
    assert!(ledger::audit(&app.service.db).await.unwrap().is_sound());
}

/// Checks a call for help by somebody who watches the demo: nobody in the city knows their start code.
#[actix_web::test]
async fn a_mechanic_asks_a_stranger_for_the_start_code_in_the_chat() {
    let app = spawn_app().await;
    let service = demo_access(&app.service.db, format!("http://{}", app.address)).await.unwrap();
    // There is one call at the beginning, and no other.
    let quiet = CORNER.replace("jobs_per_minute = 120.0", "jobs_per_minute = 0.1");
    let quiet = Scenario::parse(&quiet.replace("item_share = 0.7", "item_share = 0.0")).unwrap();
    let population =
        within("everyone signs up", Population::start(quiet, &service, Clock::system())).await.unwrap();
    let stranger = app.breakdown_at((12.9755, 77.6068)).await;
    let job = id_of(&stranger.call().await);
    let messages = format!("/jobs/{job}/messages");
    let write = async |text: &str| {
        let id = Uuid::from_u128(text.len() as u128);
        let message = json!({"client_message_id": id, "type": "text", "body": text});
        stranger.client.post(&messages, message).await.expect(201)
    };
    stranger.client.get_until(&messages, |chat| chat["data"][0]["sender"] == "mechanic").await;
    write("Just a moment.").await;
    let code = stranger.job(&job).await["start_code"].as_str().expect("a start code").to_owned();
    write(&format!("It is {code}.")).await;
    let path = format!("/jobs/{job}");
    stranger.client.get_until(&path, |job| job["completed_at"].is_string()).await;
    let stats = within("everyone goes offline", population.end()).await;
    assert_eq!(stats.first_trouble, None);
}

#[actix_web::test]
async fn a_category_that_the_service_does_not_know_is_named() {
    let app = spawn_app().await;
    let service = demo_access(&app.service.db, format!("http://{}", app.address)).await.unwrap();
    let scenario = Scenario::parse(&CORNER.replace("[\"towing\"]", "[\"teleport\"]")).unwrap();
    let refused =
        within("the scenario is refused", Population::start(scenario, &service, Clock::system())).await;
    let why = refused.err().map(|error: PopulationError| error.to_string()).unwrap_or_default();
    assert!(why.contains("mechanics[1].categories") && why.contains("teleport"), "{why}");
}

/// A test's own folder, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("roadcall-{name}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Returns `roadcall demo` with this scenario and this temporary folder.
    fn demo(&self, scenario: &str) -> Command {
        let file = self.0.join("scenario.toml");
        fs::write(&file, scenario).unwrap();
        fs::create_dir_all(self.0.join("tmp")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.args(["demo", "--headless", "--listen", "127.0.0.1:0", "--scenario"]).arg(file);
        // Invented people must not get into the database of the person who runs this.
        command.env("TMPDIR", self.0.join("tmp")).env("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        // A pipe that nobody reads would stop the command once it is full.
        command.stderr(fs::File::create(self.0.join("log")).unwrap());
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.0.join("log")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[actix_web::test]
async fn the_command_plays_with_a_database_of_its_own_and_an_interrupt_ends_it_cleanly() {
    let folder = Folder::new("demo-command");
    let mut child = folder.demo(CORNER).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut seen = Vec::new();
    let someone_pays = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            seen.push(line);
            if seen.last().is_some_and(|line| line.contains(" pays ")) {
                break;
            }
        }
    };
    let in_time = timeout(LIMIT, someone_pays).await.is_ok();
    assert!(in_time, "nobody pays:\n{}\n{}", seen.join("\n"), folder.log());
    let pid = i32::try_from(child.id().expect("it still runs")).unwrap();
    kill(Pid::from_raw(pid), Signal::SIGINT).unwrap();
    let ended = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            seen.push(line);
        }
        child.wait().await.unwrap()
    };
    let ended = within("the demo ends", ended).await;
    let (shown, log) = (seen.join("\n"), folder.log());
    assert!(ended.success(), "{shown}\n{log}");
    for part in [
        "/docs/",
        "Asha Rao",
        "calls for help",
        "nothing went wrong",
        "completed jobs: ",
        "the ledger is sound",
    ] {
        assert!(shown.contains(part), "{part} is missing in:\n{shown}\n{log}");
    }
    let left: Vec<_> = fs::read_dir(folder.0.join("tmp")).unwrap().collect();
    assert!(left.is_empty(), "the demo leaves its folder behind: {left:?}");
}

#[actix_web::test]
async fn the_command_refuses_an_unplayable_scenario_before_it_starts_anything() {
    let folder = Folder::new("demo-refused");
    let mut command = folder.demo(&CORNER.replace("spread_m = 40.0", "spread_m = 40.0\nspred_m = 1.0"));
    let ended = within("the command ends", command.status()).await.unwrap();
    assert!(!ended.success());
    let why = folder.log();
    assert!(why.contains("unknown field `spred_m`"), "{why}");
    assert_eq!(fs::read_dir(folder.0.join("tmp")).unwrap().count(), 0);
}

/// Starts a server on which the corner may be played.
async fn corner() -> TestApp {
    with_city(ScenarioCity(Scenario::parse(CORNER).unwrap())).await
}

async fn with_city(city: impl City + 'static) -> TestApp {
    spawn_app_as(|_| {}, StartOptions { city: Some(Arc::new(city)), ..StartOptions::default() }).await
}

async fn signed_in(app: &TestApp, role: &str) -> (Client, Value) {
    let data = app.anonymous().post("/demo/sign-in", json!({ "as": role })).await.expect(200)["data"].take();
    (app.anonymous().with_token(data["accessToken"].as_str().expect("an access token")), data)
}

#[actix_web::test]
async fn a_city_plays_on_a_server_on_request_until_it_is_stopped() {
    let mut app = corner().await;
    let page = app.anonymous();
    assert_eq!(page.get("/config").await.expect(200)["demo_available"], true);
    let mut before = page.get("/demo").await.expect(200);
    assert!(is_at(&before["center"].take(), CORNER_AT));
    let expected = json!({
        "is_playing": false, "is_moved": false, "center": null, "started_at": null,
        "title": "A corner of Bengaluru", "failure": null,
    });
    assert_eq!(before, expected);
    let playing = page.post("/demo/play", json!({})).await.expect(200);
    assert_eq!((&playing["is_playing"], &playing["failure"]), (&json!(true), &Value::Null));
    assert!(playing["started_at"].is_string(), "{playing}");
    assert_eq!(
        page.post("/demo/play", json!({})).await.expect(200),
        playing,
        "it plays once, however often it is asked"
    );
    assert_eq!(page.get("/demo").await.expect(200), playing);

    let (admin, _) = signed_in(&app, "admin").await;
    admin
        .get_until("/admin/jobs?status=paid", |jobs| {
            jobs["data"].as_array().is_some_and(|jobs| !jobs.is_empty())
        })
        .await;
    let mechanics = admin.get("/admin/mechanics").await.expect(200);
    for mechanic in mechanics["data"].as_array().into_iter().flatten() {
        let id = id_of(mechanic);
        let profile = admin.get(&format!("/admin/mechanics/{id}")).await.expect(200);
        let file = profile["documents"][0]["file_url"].as_str().expect("a certificate");
        let (_, upload) = file.rsplit_once("/uploads/").expect("a file of the service");
        let link = admin.get(&format!("/uploads/{}", upload.replace("/file", "/link"))).await.expect(200);
        assert!(link["url"].is_string(), "{link}");
    }
    let stopped = page.post("/demo/stop", json!({})).await.expect(200);
    assert_eq!((&stopped["is_playing"], &stopped["failure"]), (&json!(false), &Value::Null));
    assert_eq!(page.post("/demo/stop", json!({})).await.expect(200), stopped);
    let online = |mechanics: &Value| {
        mechanics["data"].as_array().into_iter().flatten().any(|one| one["is_online"] == true)
    };
    admin.get_until("/admin/mechanics", |mechanics| !online(mechanics)).await;

    let again = page.post("/demo/play", json!({})).await.expect(200);
    assert_eq!(again["is_playing"], true);
    within("the service stops while the city plays", app.stop()).await;
}

/// The middle of the corner's places.
const CORNER_AT: (f64, f64) = (12.975_35, 77.6059);

fn is_at(place: &Value, (lat, lng): (f64, f64)) -> bool {
    let near = |field: &str, degrees: f64| (place[field].as_f64().unwrap() - degrees).abs() < 1e-6;
    near("lat", lat) && near("lng", lng)
}

/// Checks that mechanics and jobs move to a person who is far away, and that maps begin there.
#[actix_web::test]
async fn a_city_moves_to_a_person_who_asks_for_it_from_far_away() {
    let mut app = corner().await;
    let page = app.anonymous();
    let begins = async || page.get("/config").await.expect(200)["map"]["center"].take();
    let usual = begins().await;
    let nearby = page.post("/demo/play?lat=12.99&lng=77.61", json!({})).await.expect(200);
    assert!(is_at(&nearby["center"], CORNER_AT) && nearby["is_moved"] == false, "{nearby}");
    assert_eq!(begins().await, usual);

    let berlin = (52.52, 13.405);
    let moved = page.post("/demo/play?lat=52.52&lng=13.405", json!({})).await.expect(200);
    assert!(is_at(&moved["center"], berlin) && moved["is_moved"] == true, "{moved}");
    assert!(is_at(&begins().await, berlin));
    let (admin, _) = signed_in(&app, "admin").await;
    admin
        .get_until("/admin/fleet?bbox=13.3,52.4,13.5,52.6&zoom=12&details=true", |fleet| {
            let count = |what: &str| fleet["counts"][what].as_i64().unwrap();
            count("free") + count("busy") == 3 && count("waiting_jobs") + count("active_jobs") > 0
        })
        .await;
    let here = page.post("/demo/play?lat=52.5&lng=13.4", json!({})).await.expect(200);
    assert_eq!(here["started_at"], moved["started_at"], "it stays where it is");
    assert_eq!(page.post("/demo/play", json!({})).await.expect(200)["started_at"], moved["started_at"]);
    page.post("/demo/play?lat=52.5", json!({})).await.refused_field("lng");

    page.post("/demo/stop", json!({})).await.expect(200);
    assert_eq!(begins().await, usual);

    // No city reaches a pole: it plays as near as possible, and says where.
    let arctic = page.post("/demo/play?lat=89.5&lng=13.405", json!({})).await.expect(200);
    assert!(is_at(&arctic["center"], (80.0, 13.405)), "{arctic}");
    assert!(is_at(&begins().await, (80.0, 13.405)));
    let again = page.post("/demo/play?lat=89.5&lng=13.405", json!({})).await.expect(200);
    assert_eq!(again["started_at"], arctic["started_at"], "it plays as near as it can");
    within("the service stops", app.stop()).await;
}

/// Checks that a sign-in gives its requests for a code back, so that everybody in a city may sign up again and again.
#[actix_web::test]
async fn a_visitor_moves_the_city_any_number_of_times() {
    let city = ScenarioCity(Scenario::parse(CORNER).unwrap());
    let options = StartOptions { city: Some(Arc::new(city)), ..StartOptions::default() };
    // Five people sign up for each move, with two requests each.
    let mut app =
        spawn_app_as(|settings| settings.auth.otp_requests_per_address_per_hour = 11, options).await;
    let page = app.anonymous();
    let (admin, _) = signed_in(&app, "admin").await;
    for (lat, lng) in [(52.52, 13.405), (48.85, 2.35), (40.41, -3.7)] {
        page.post(&format!("/demo/play?lat={lat}&lng={lng}"), json!({})).await.expect(200);
        let bbox = format!("{},{},{},{}", lng - 0.1, lat - 0.1, lng + 0.1, lat + 0.1);
        // Mechanics go online once everybody has signed up.
        until_online(&admin, &bbox, 3).await;
        assert_eq!(page.get("/demo").await.expect(200)["failure"], Value::Null);
    }
    within("the service stops", app.stop()).await;
}

/// Waits until so many mechanics are online in this part of the map.
async fn until_online(admin: &Client, bbox: &str, mechanics: i64) {
    admin
        .get_until(&format!("/admin/fleet?bbox={bbox}&zoom=12"), |fleet| {
            let count = |what: &str| fleet["counts"][what].as_i64().unwrap();
            count("free") + count("busy") == mechanics
        })
        .await;
}

#[actix_web::test]
async fn a_moved_city_returns_to_a_person_who_asks_for_it_at_its_own_place() {
    let mut app = corner().await;
    let page = app.anonymous();
    let begins = async || page.get("/config").await.expect(200)["map"]["center"].take();
    let usual = begins().await;
    let (home, berlin) = ("77.5,12.9,77.7,13.1", "13.3,52.4,13.5,52.6");
    let moved = page.post("/demo/play?lat=52.52&lng=13.405", json!({})).await.expect(200);
    assert_eq!(moved["is_moved"], true);
    let (admin, _) = signed_in(&app, "admin").await;
    until_online(&admin, berlin, 3).await;

    let back = page.post("/demo/play?lat=12.99&lng=77.61", json!({})).await.expect(200);
    assert!(is_at(&back["center"], CORNER_AT) && back["is_moved"] == false, "{back}");
    assert_eq!((&back["is_playing"], &back["failure"]), (&json!(true), &Value::Null));
    assert_ne!(back["started_at"], moved["started_at"], "it begins anew");
    assert_eq!(begins().await, usual);
    until_online(&admin, home, 3).await;
    until_online(&admin, berlin, 0).await;
    let again = page.post("/demo/play?lat=12.98&lng=77.6", json!({})).await.expect(200);
    assert_eq!(again["started_at"], back["started_at"], "it stays");
    within("the service stops", app.stop()).await;
}

#[actix_web::test]
async fn a_click_signs_in_as_the_same_people_each_time_and_after_a_restart() {
    let mut app = corner().await;
    let mut known: Option<[Value; 3]> = None;
    for start in 0..2 {
        for _ in 0..2 {
            let (admin, as_admin) = signed_in(&app, "admin").await;
            assert_eq!(as_admin["role"], "super_admin");
            admin.get("/admin/live").await.expect(200);
            let (customer, _) = signed_in(&app, "customer").await;
            let me = customer.get("/users/me").await.expect(200);
            assert_eq!((&me["name"], &me["role"]), (&json!("Demo Customer"), &json!("customer")));
            let vehicles = customer.get("/vehicles").await.expect(200);
            assert_eq!(vehicles["data"].as_array().map(Vec::len), Some(1), "{vehicles}");
            let (mechanic, _) = signed_in(&app, "mechanic").await;
            assert_eq!(mechanic.get("/users/me").await.expect(200)["name"], "Demo Mechanic");
            let profile = mechanic.get("/mechanics/me").await.expect(200);
            assert_eq!(profile["status"], "verified");
            let categories = mechanic.get("/service-categories").await.expect(200);
            let (served, all) = (&profile["service_category_ids"], &categories["data"]);
            assert_eq!(served.as_array().map(Vec::len), all.as_array().map(Vec::len));
            let people = [as_admin["userId"].clone(), me["id"].clone(), profile["id"].clone()];
            assert!(people.iter().all(Value::is_string), "{people:?}");
            assert_eq!(known.get_or_insert(people.clone()), &people, "start {start}");
            // The next sign-in signs nobody out.
            for earlier in [&admin, &customer, &mechanic] {
                earlier.get("/users/me").await.expect(200);
            }
        }
        app.restart().await;
    }
}

#[actix_web::test]
async fn a_page_signs_in_with_a_cookie_of_its_app() {
    let app = corner().await;
    let origin = format!("http://{}", app.address);
    let nobody = app.anonymous();
    let answer = nobody.send_as(Method::POST, "/demo/sign-in", |request| {
        let request = request.header("x-session", "cookie/console").header("origin", &origin);
        request.json(&json!({"as": "admin"}))
    });
    let answer = answer.await;
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("roadcall_session_console=") && cookie.contains("Path=/auth;"), "{cookie}");
    let body = answer.expect(200);
    assert!(body["data"]["accessToken"].is_string() && body["data"]["refreshToken"].is_null(), "{body}");
    let refreshed = nobody.send_as(Method::POST, "/auth/refresh", |request| {
        let pair = cookie.split(';').next().unwrap();
        request.header("x-session", "cookie/console").header("cookie", pair).header("origin", &origin)
    });
    refreshed.await.expect(200);
    app.anonymous().post("/demo/sign-in", json!({"as": "owner"})).await.refused_field("as");
    app.anonymous().post("/demo/sign-in", json!({})).await.refused_field("as");
}

#[actix_web::test]
async fn pages_of_other_sites_neither_start_the_city_nor_sign_in() {
    let app = corner().await;
    let nobody = app.anonymous();
    let routes = [
        (Method::GET, "/demo"),
        (Method::POST, "/demo/play"),
        (Method::POST, "/demo/stop"),
        (Method::POST, "/demo/sign-in"),
        (Method::POST, "/api/v1/demo/sign-in"),
    ];
    for (method, path) in routes {
        let body = json!({"as": "admin"});
        let port = app.address.port();
        for (name, value) in [
            ("origin", "https://evil.example".to_owned()),
            ("origin", "null".to_owned()),
            ("origin", format!("http://127.0.0.1:{}", port.wrapping_add(1))),
            // These are hosts of an attacker that lead to this machine.
            ("host", format!("evil.example:{port}")),
            ("host", format!("192.168.1.7:{port}")),
        ] {
            let answer = nobody
                .send_as(method.clone(), path, |request| request.header(name, &value).json(&body))
                .await;
            answer.refused(403, "FORBIDDEN");
        }
        let rebound = format!("evil.example:{port}");
        let theirs = |request: reqwest::RequestBuilder| {
            request.header("host", &rebound).header("origin", format!("http://{rebound}")).json(&body)
        };
        nobody.send_as(method.clone(), path, theirs).await.refused(403, "FORBIDDEN");
    }
    assert_eq!(nobody.get("/demo").await.expect(200)["is_playing"], false);
}

#[actix_web::test]
async fn there_is_no_demo_in_production_or_without_a_simulator() {
    let scenario = || Arc::new(ScenarioCity(Scenario::parse(CORNER).unwrap())) as Arc<dyn City>;
    let production = StartOptions { city: Some(scenario()), ..StartOptions::default() };
    let in_production = spawn_app_as(
        |settings| {
            settings.environment = Environment::Production;
            settings.auth.token_secret.0 = "of a test alone, and long enough for one".to_owned();
            settings.metrics.listen = "127.0.0.1:0".parse().unwrap();
        },
        production,
    );
    for app in [in_production.await, spawn_app_as(|_| {}, StartOptions::default()).await] {
        let nobody = app.anonymous();
        assert_eq!(nobody.get("/config").await.expect(200)["demo_available"], false);
        nobody.get("/demo").await.refused(404, "NOT_FOUND");
        for path in ["/demo/play", "/demo/stop", "/demo/sign-in"] {
            nobody.post(path, json!({"as": "admin"})).await.refused(404, "NOT_FOUND");
        }
        let people: i64 = app.value("select count(*) from users", &[]).await;
        assert_eq!(people, 0);
    }
}

/// A city that can't begin.
#[derive(Debug)]
struct Ghosts;

impl City for Ghosts {
    fn title(&self) -> &str {
        "nowhere"
    }

    fn center(&self) -> Point {
        Point::new(CORNER_AT.0, CORNER_AT.1)
    }

    fn nearest(&self, point: Point) -> Point {
        point
    }

    fn play(
        &self,
        _: String,
        _: CityAdmin,
        _: Option<Point>,
        _: PlayTime,
    ) -> BoxFuture<'static, Result<(), String>> {
        async { Err("nobody lives here".to_owned()) }.boxed()
    }

    fn settle(&self, _: String, _: CityPerson) -> BoxFuture<'static, Result<(), String>> {
        async { Err("nobody lives here".to_owned()) }.boxed()
    }
}

#[actix_web::test]
async fn a_city_that_ends_by_itself_says_why_and_can_be_started_again() {
    let app = with_city(Ghosts).await;
    let nobody = app.anonymous();
    for _ in 0..2 {
        nobody.post("/demo/play", json!({})).await.expect(200);
        nobody
            .get_until("/demo", |demo| demo["failure"] == "nobody lives here" && demo["is_playing"] == false)
            .await;
    }
    // Maps do not begin where no city plays.
    let usual = nobody.get("/config").await.expect(200)["map"]["center"].take();
    nobody.post("/demo/play?lat=52.52&lng=13.405", json!({})).await.expect(200);
    nobody.get_until("/demo", |demo| demo["is_playing"] == false).await;
    assert_eq!(nobody.get("/config").await.expect(200)["map"]["center"], usual);
    nobody.post("/demo/sign-in", json!({"as": "customer"})).await.refused(503, "UNAVAILABLE");
    signed_in(&app, "admin").await;
}
