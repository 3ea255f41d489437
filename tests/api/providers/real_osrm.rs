//! The router's adapter against OSRM itself, on a small town of our own: `./script/bootstrap osrm`, then
//! `./script/test --test api real_osrm -- --ignored`.

use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use chrono::TimeDelta;
use roadcall::providers::routing::{AheadLimits, Limits, Osrm, Routed, Router, RoutingError};
use roadcall_actors::{clock::Clock, eta::StraightLine, geo::Point};

use crate::{
    eta::by_router,
    support::{
        programs::Programs,
        spawn_app_with,
        town::{self, SEA, at, metres_ahead, seconds, takes},
        within,
    },
};

/// The time for one street, where OSRM drives 28.8 km/h.
const STREET_S: f64 = 25.0;

/// Returns the folder in which `script/bootstrap osrm` installs OSRM's programs.
fn installed() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let folder = env::var_os("ROADCALL_OSRM").map(PathBuf::from);
    let folder = folder.or_else(|| Some(cache?.join("roadcall/osrm"))).expect("HOME or ROADCALL_OSRM");
    assert!(folder.join("bin/osrm-routed").exists(), "no OSRM: script/bootstrap osrm installs it");
    folder
}

/// An `osrm-routed` with the town. It ends with the test.
struct Town {
    programs: Programs,
    options: Vec<&'static str>,
    /// The process's id.
    id: u32,
    port: u16,
}

impl Town {
    async fn start(options: &[&'static str]) -> Self {
        let programs = Programs::in_folder("osrm");
        fs::write(programs.folder.join("town.osm"), town::map()).expect("a map");
        let profile = installed().join("share/profiles/car.lua").display().to_string();
        let prepare = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(installed().join("bin").join(program));
            programs.run(command.args(["--threads", "1"]).args(arguments));
        };
        prepare("osrm-extract", &["-p", &profile, "town.osm"]);
        prepare("osrm-partition", &["town.osrm"]);
        prepare("osrm-customize", &["town.osrm"]);
        let mut town = Self { programs, options: options.to_vec(), id: 0, port: 0 };
        town.start_again().await;
        town
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn osrm(&self, timeout: Duration) -> Osrm {
        roadcall::platform::https::install_tls_provider();
        Osrm::new(self.url().parse().unwrap(), "driving".to_owned(), timeout).unwrap()
    }

    /// Starts the router, at the same port as before.
    async fn start_again(&mut self) {
        let log = fs::File::create(self.programs.folder.join("log")).expect("a log");
        let mut routed = Command::new(installed().join("bin/osrm-routed"));
        routed.args(["--ip", "127.0.0.1", "--port", &self.port.to_string(), "--threads", "1"]);
        routed.args(["--algorithm", "MLD"]).args(&self.options).arg("town.osrm");
        let how = "script/bootstrap osrm installs it";
        self.id = self.programs.start(routed.stdout(log).stderr(Stdio::null()), how).id();
        self.port = self.until_it_listens().await;
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.id.to_string()]).status();
        assert!(status.expect("kill").success());
    }

    /// Returns once all of its threads have stopped: the signal takes a moment.
    async fn freeze(&self) {
        self.signal("-STOP");
        let threads = format!("/proc/{}/task", self.id);
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
                let log = fs::read_to_string(self.programs.folder.join("log")).unwrap_or_default();
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

const PATIENT: Duration = Duration::from_secs(20);
const LINE: StraightLine = StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 };

#[actix_web::test]
#[ignore = "needs OSRM"]
async fn real_osrm_knows_bridges_one_way_streets_and_unreachable_places() {
    let town = Town::start(&[]).await;
    let osrm = town.osrm(PATIENT);
    town::knows_bridges_one_way_streets_and_unreachable_places(&osrm, STREET_S).await;
    let nowhere = osrm.road(at(5, 5), at(5, 5)).await.expect("an answer").expect("a road");
    assert_eq!(nowhere.points.len(), 2);
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
        takes(seconds(&osrm, at(5, 2), at(5, 5)).await, 3.0 * STREET_S);
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
    town.programs.kill();
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
    let mut scene = town::prefers_the_mechanic_on_this_side_of_the_river(&app, "osrm").await;
    let Point { lat, lng } = at(5, 3);
    scene.mechanic.ping((lat, lng)).await;
    assert!((metres_ahead(&scene).await - 400).abs() < 5);
}
