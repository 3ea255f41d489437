//! The router's adapter against OSRM itself, on a small town of our own: `./script/bootstrap osrm`, then
//! `./script/test --test api real_osrm -- --ignored`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use chrono::TimeDelta;
use roadcall::providers::routing::{AheadLimits, Limits, Osrm, Routed, Router, RoutingError};
use roadcall_actors::{clock::Clock, eta::StraightLine, geo::Point};
use serde_json::{Value, json};

use crate::{
    eta::by_router,
    support::{
        roadside::Scene,
        spawn_app_with,
        town::{self, ISLAND, SEA, STREET_S, at},
        within,
    },
};

/// Returns the folder in which `script/bootstrap osrm` installs OSRM's programs.
fn programs() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let folder = env::var_os("ROADCALL_OSRM").map(PathBuf::from);
    let folder = folder.or_else(|| Some(cache?.join("roadcall/osrm"))).expect("HOME or ROADCALL_OSRM");
    assert!(folder.join("bin/osrm-routed").exists(), "no OSRM: script/bootstrap osrm installs it");
    folder
}

/// An `osrm-routed` with the town. It ends with the test.
struct Town {
    folder: PathBuf,
    options: Vec<&'static str>,
    child: Child,
    port: u16,
}

impl Town {
    async fn start(options: &[&'static str]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("roadcall-osrm-{}-{number}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("town.osm"), town::map()).expect("a map");
        let profile = programs().join("share/profiles/car.lua");
        let prepare = |program: &str, arguments: &[&Path]| {
            let output = Command::new(programs().join("bin").join(program))
                .args(["--threads", "1"])
                .args(arguments)
                .current_dir(&folder)
                .output()
                .expect("a program");
            assert!(output.status.success(), "{program}: {output:?}");
        };
        prepare("osrm-extract", &[Path::new("-p"), &profile, Path::new("town.osm")]);
        prepare("osrm-partition", &[Path::new("town.osrm")]);
        prepare("osrm-customize", &[Path::new("town.osrm")]);
        let child = routed_in(&folder, options, 0);
        let mut town = Self { folder, options: options.to_vec(), child, port: 0 };
        town.port = town.until_it_listens().await;
        town
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn osrm(&self, timeout: Duration) -> Osrm {
        roadcall::platform::https::install_tls_provider();
        Osrm::new(self.url().parse().unwrap(), "driving".to_owned(), timeout).unwrap()
    }

    fn stop(&mut self) {
        self.child.kill().expect("a running process");
        self.child.wait().expect("a dead process");
    }

    async fn start_again(&mut self) {
        self.child = routed_in(&self.folder, &self.options, self.port);
        self.until_it_listens().await;
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.expect("kill").success());
    }

    /// Returns once all of its threads have stopped: the signal takes a moment.
    async fn freeze(&self) {
        self.signal("-STOP");
        let threads = format!("/proc/{}/task", self.child.id());
        let is_still = |thread: fs::DirEntry| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('T'))
        };
        let stands_still = async {
            while !fs::read_dir(&threads).expect("its threads").flatten().all(is_still) {
                // Nothing signals that they have stopped.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        within("it stands still", stands_still).await;
    }

    async fn until_it_listens(&self) -> u16 {
        let listens = async {
            loop {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                if let (Some((_, rest)), true) =
                    (log.split_once("Listening on: "), log.contains("running and waiting"))
                {
                    let address = rest.lines().next().unwrap();
                    return address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
                }
                // Nothing signals what another process does.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        within("OSRM listens", listens).await
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn routed_in(folder: &Path, options: &[&str], port: u16) -> Child {
    let log = fs::File::create(folder.join("log")).expect("a log");
    Command::new(programs().join("bin/osrm-routed"))
        .args(["--ip", "127.0.0.1", "--port", &port.to_string(), "--threads", "1", "--algorithm", "MLD"])
        .args(options)
        .arg("town.osrm")
        .current_dir(folder)
        .stdout(log)
        .stderr(Stdio::null())
        .spawn()
        .expect("osrm-routed: script/bootstrap osrm installs it")
}

const PATIENT: Duration = Duration::from_secs(20);
const LINE: StraightLine = StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 };

async fn seconds(osrm: &Osrm, from: Point, to: Point) -> Option<f64> {
    let durations = within("an answer", osrm.durations(&[from], &[to])).await;
    durations.expect("a table")[0][0]
}

/// Checks that a way takes so many streets, and up to five turns, each of which takes a few seconds.
#[track_caller]
fn takes(told: Option<f64>, streets: f64) {
    let (told, least) = (told.expect("a way"), streets * STREET_S);
    assert!((least - 1.0..=least + 40.0).contains(&told), "{told} s for {streets} streets");
}

#[actix_web::test]
#[ignore = "needs OSRM"]
async fn real_osrm_knows_bridges_one_way_streets_and_unreachable_places() {
    let town = Town::start(&[]).await;
    let osrm = town.osrm(PATIENT);
    takes(seconds(&osrm, at(5, 2), at(5, 5)).await, 3.0);
    takes(seconds(&osrm, at(5, 5), at(5, 6)).await, 13.0);
    takes(seconds(&osrm, at(0, 0), at(0, 4)).await, 4.0);
    takes(seconds(&osrm, at(0, 4), at(0, 0)).await, 6.0);
    assert_eq!(seconds(&osrm, at(ISLAND.0, ISLAND.1), at(5, 5)).await, None, "no way");
    assert_eq!(seconds(&osrm, SEA, at(5, 5)).await, None, "it would be moved to the nearest road");
    let (origins, destinations) = ([at(5, 2), SEA, at(5, 6), at(0, 4)], [at(5, 5), at(0, 0)]);
    let table = osrm.durations(&origins, &destinations).await.expect("a table");
    takes(table[0][0], 3.0);
    assert_eq!(table[1], [None, None]);
    takes(table[2][0], 13.0);
    takes(table[3][1], 6.0);

    let road = osrm.road(at(5, 5), at(5, 6)).await.expect("an answer").expect("a road");
    takes(Some(road.seconds), 13.0);
    assert!((road.length_m - 2_600.0).abs() < 20.0, "{}", road.length_m);
    let is_near = |place: Point| road.points.iter().any(|point| point.distance_m(place) < 2.0);
    for place in [at(5, 5), at(8, 5), at(11, 5), at(11, 6), at(8, 6), at(5, 6)] {
        assert!(is_near(place), "{place:?} in {:?}", road.points);
    }
    assert!(road.points[0].distance_m(at(5, 5)) < 2.0, "it begins there");
    assert_eq!(osrm.road(at(5, 5), at(ISLAND.0, ISLAND.1)).await, Ok(None), "NoRoute");
    assert_eq!(osrm.road(at(5, 5), SEA).await, Ok(None));
    let nowhere = osrm.road(at(5, 5), at(5, 5)).await.expect("an answer").expect("a road");
    assert_eq!((nowhere.points.len(), nowhere.length_m, nowhere.seconds), (2, 0.0, 0.0));
}

#[actix_web::test]
#[ignore = "needs OSRM"]
async fn real_osrm_enforces_its_limits_and_is_asked_on_open_connections() {
    let town = Town::start(&["--max-table-size", "3", "--default-radius", "500"]).await;
    let osrm = town.osrm(PATIENT);
    let refused = |code: &str| RoutingError::Refused(code.to_owned());
    let many: Vec<Point> = (0..5).map(|column| at(5, column)).collect();
    assert_eq!(osrm.durations(&many, &many[..2]).await, Err(refused("TooBig")), "10 durations");
    assert_eq!(osrm.durations(&many[..3], &many[..3]).await.map(|table| table.len()), Ok(3), "9 durations");
    assert_eq!(osrm.durations(&[at(5, 2), SEA], &[at(5, 5)]).await, Err(refused("NoSegment")), "all of it");
    assert_eq!(osrm.road(SEA, at(5, 5)).await, Err(refused("NoSegment")));
    let north_pole = Point::new(95.0, 0.0);
    assert_eq!(osrm.durations(&[north_pole], &[at(5, 5)]).await, Err(refused("InvalidOptions")));
    // OSRM closes a connection after 512 requests.
    for _ in 0..1_100 {
        takes(seconds(&osrm, at(5, 2), at(5, 5)).await, 3.0);
    }
}

#[actix_web::test]
#[ignore = "needs OSRM"]
async fn a_stopped_real_osrm_is_replaced_by_the_straight_line_until_it_is_back() {
    let mut town = Town::start(&[]).await;
    let limits = Limits {
        timeout: Duration::from_secs(3),
        points: 100,
        requests: 8,
        ways: 1_000,
        ttl: Duration::from_secs(600),
        ahead: AheadLimits { requests: 2, every: TimeDelta::zero() },
    };
    let routed = Routed::start(Arc::new(town.osrm(limits.timeout)), limits, Clock::system());
    // Each question is about a place that nobody has asked about.
    let mut column = 0;
    let mut ask = async |town: &Town| {
        assert!(town.port > 0);
        column += 1;
        let way = (at(3 + column / 12 % 8, column % 12), at(11, 0));
        match routed.table(vec![way], LINE) {
            Some(table) => within("an answer", table).await[0].is_some(),
            None => false,
        }
    };
    assert!(ask(&town).await);
    town.freeze().await;
    assert!(!ask(&town).await, "it is waited for until the time limit");
    town.signal("-CONT");
    town.stop();
    while routed.is_up() {
        assert!(!ask(&town).await);
    }
    assert!(!ask(&town).await, "and is not asked any more");
    town.start_again().await;
    let heals = async {
        while !ask(&town).await {
            // Nothing signals that the pause is over.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    within("it is asked again", heals).await;
    assert!(routed.is_up());
}

#[actix_web::test]
#[ignore = "needs OSRM"]
async fn real_osrm_prefers_the_mechanic_on_this_side_of_the_river_and_the_map_shows_the_way() {
    let town = Town::start(&[]).await;
    let app = spawn_app_with(by_router(town.url())).await;
    let place = |point: Point| (point.lat, point.lng);
    let (admin, stranded) = (app.admin().await, app.breakdown_at(place(at(5, 5))).await);
    // One is 200 m away across the river, and the other 800 m away on this side.
    let _across = app.on_road_at(&admin, place(at(5, 6))).await;
    let mut mechanic = app.on_road_at(&admin, place(at(5, 1))).await;
    let job = stranded.call().await;
    let offer = mechanic.offer().await;
    assert_eq!((&offer["job_id"], &offer["eta_source"]), (&job["id"], &json!("osrm")));
    let id = offer["id"].as_str().unwrap();
    mechanic.client.post(&format!("/offers/{id}/accept"), json!({})).await.expect(200);
    let mut scene =
        Scene { customer: stranded.client, mechanic, job: job["id"].as_str().unwrap().to_owned() };
    let way = scene.customer.get(&scene.path("/way-ahead")).await.expect(200);
    let metres = |way: &Value| way["properties"]["distance_m"].as_i64().unwrap();
    assert!((metres(&way) - 800).abs() < 5, "{way}");
    scene.mechanic.ping(place(at(5, 3))).await;
    let way = scene.customer.get(&scene.path("/way-ahead")).await.expect(200);
    assert!((metres(&way) - 400).abs() < 5, "{way}");
}
