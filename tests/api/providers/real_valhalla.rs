//! The router's adapter against Valhalla itself, on a small town of our own: `./script/bootstrap valhalla`, then
//! `./script/test --test api real_valhalla -- --ignored`.

use std::{
    env, fs,
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use roadcall::{
    providers::routing::{Router, RoutingError, Valhalla},
    service::settings::EtaProvider,
};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};

use crate::{
    eta::by_router,
    support::{
        free_ports,
        roadside::Scene,
        spawn_app_with,
        town::{self, ISLAND, SEA, at},
        within,
    },
};

/// The time for one street, where cars drive 36 km/h.
const STREET_S: f64 = 20.0;

/// Returns the folder in which `script/bootstrap valhalla` installs Valhalla's programs.
fn programs() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let folder = env::var_os("ROADCALL_VALHALLA").map(PathBuf::from);
    let folder = folder
        .or_else(|| Some(cache?.join("roadcall/pyvalhalla/valhalla")))
        .expect("HOME or ROADCALL_VALHALLA");
    assert!(
        folder.join("bin/valhalla_service").exists(),
        "no Valhalla: script/bootstrap valhalla installs it"
    );
    folder
}

/// A `valhalla_service` with the town. It ends with the test.
struct Town {
    folder: PathBuf,
    child: Child,
    port: u16,
}

impl Town {
    async fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("roadcall-valhalla-{}-{number}", process::id()));
        fs::create_dir_all(folder.join("tiles")).expect("a folder");
        fs::write(folder.join("town.osm"), town::map()).expect("a map");
        let run = |program: &Path, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(&folder).output();
            let output = output.unwrap_or_else(|error| panic!("{program:?}: {error}"));
            assert!(output.status.success(), "{program:?}: {output:?}");
        };
        let [port] = free_ports();
        fs::write(folder.join("valhalla.json"), configuration(&folder, port).to_string()).expect("a file");
        run(Path::new("osmium"), &["cat", "town.osm", "-o", "town.osm.pbf"]);
        run(
            &programs().join("bin/valhalla_build_tiles"),
            &["-c", "valhalla.json", "-j", "1", "town.osm.pbf"],
        );
        let child = Command::new(programs().join("bin/valhalla_service"))
            .args(["valhalla.json", "1"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("valhalla_service: script/bootstrap valhalla installs it");
        within("Valhalla listens", async {
            while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
                // Nothing signals what another process does.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        Self { folder, child, port }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Returns the configuration that Valhalla's own program writes, for this folder and port.
fn configuration(folder: &Path, port: u16) -> Value {
    let written = fs::read(programs().join("valhalla.json")).expect("a configuration");
    let mut all: Value = serde_json::from_slice(&written).expect("JSON");
    let pipe = |name: &str| json!(format!("ipc://{}/{name}", folder.display()));
    all["mjolnir"]["tile_dir"] = json!(folder.join("tiles"));
    let service = &mut all["httpd"]["service"];
    service["listen"] = json!(format!("tcp://127.0.0.1:{port}"));
    (service["loopback"], service["interrupt"]) = (pipe("loopback"), pipe("interrupt"));
    for part in ["loki", "thor", "odin", "meili"] {
        all[part]["service"]["proxy"] = pipe(part);
    }
    all["service_limits"]["auto"]["max_matrix_location_pairs"] = json!(9);
    all
}

fn valhalla(town: &Town) -> Valhalla {
    roadcall::platform::https::install_tls_provider();
    Valhalla::new(town.url().parse().unwrap(), "auto".to_owned(), Duration::from_secs(20)).unwrap()
}

async fn seconds(valhalla: &Valhalla, from: Point, to: Point) -> Option<f64> {
    let durations = within("an answer", valhalla.durations(&[from], &[to])).await;
    durations.expect("a table")[0][0]
}

/// Checks that a way takes so many streets, and some turns, each of which takes a few seconds.
#[track_caller]
fn takes(seconds: Option<f64>, streets: f64) {
    let (seconds, least) = (seconds.expect("a way"), streets * STREET_S);
    assert!((least - 1.0..=least + 40.0).contains(&seconds), "{seconds} s for {streets} streets");
}

#[actix_web::test]
#[ignore = "needs Valhalla"]
async fn real_valhalla_knows_bridges_one_way_streets_and_unreachable_places() {
    let town = Town::start().await;
    let valhalla = valhalla(&town);
    takes(seconds(&valhalla, at(5, 2), at(5, 5)).await, 3.0);
    takes(seconds(&valhalla, at(5, 5), at(5, 6)).await, 13.0);
    takes(seconds(&valhalla, at(0, 0), at(0, 4)).await, 4.0);
    takes(seconds(&valhalla, at(0, 4), at(0, 0)).await, 6.0);
    let island = at(ISLAND.0, ISLAND.1);
    assert_eq!(seconds(&valhalla, island, at(5, 5)).await, None, "it would be moved to the town");
    assert_eq!(valhalla.road(at(5, 5), island).await, Ok(None));
    assert_eq!(seconds(&valhalla, SEA, at(5, 5)).await, None, "it would be moved to the nearest road");
    let (origins, destinations) = ([at(5, 2), SEA, at(0, 4)], [at(5, 5), at(0, 0)]);
    let table = valhalla.durations(&origins, &destinations).await.expect("a table");
    takes(table[0][0], 3.0);
    assert_eq!(table[1], [None, None]);
    takes(table[2][1], 6.0);

    let road = valhalla.road(at(5, 5), at(5, 6)).await.expect("an answer").expect("a road");
    takes(Some(road.seconds), 13.0);
    assert!((road.length_m - 2_600.0).abs() < 20.0, "{}", road.length_m);
    let is_near = |place: Point| road.points.iter().any(|point| point.distance_m(place) < 2.0);
    for place in [at(5, 5), at(8, 5), at(11, 5), at(11, 6), at(8, 6), at(5, 6)] {
        assert!(is_near(place), "{place:?} in {:?}", road.points);
    }
    assert!(road.points[0].distance_m(at(5, 5)) < 2.0, "it begins there");
    assert_eq!(valhalla.road(at(5, 5), SEA).await, Ok(None));
    let nowhere = valhalla.road(at(5, 5), at(5, 5)).await.expect("an answer").expect("a road");
    assert_eq!((nowhere.length_m, nowhere.seconds), (0.0, 0.0));

    let many: Vec<Point> = (0..5).map(|column| at(5, column)).collect();
    let refused = valhalla.durations(&many, &many[..2]).await;
    assert!(matches!(refused, Err(RoutingError::Refused(_))), "10 pairs: {refused:?}");
}

#[actix_web::test]
#[ignore = "needs Valhalla"]
async fn real_valhalla_prefers_the_mechanic_on_this_side_of_the_river_and_the_map_shows_the_way() {
    let town = Town::start().await;
    let router = by_router(town.url());
    let app = spawn_app_with(|settings| {
        router(settings);
        settings.eta.provider = EtaProvider::Valhalla;
        settings.eta.router_max_table = 6;
    })
    .await;
    let place = |point: Point| (point.lat, point.lng);
    let (admin, stranded) = (app.admin().await, app.breakdown_at(place(at(5, 5))).await);
    // One is 200 m away across the river, and the other 800 m away on this side.
    let _across = app.on_road_at(&admin, place(at(5, 6))).await;
    let mut mechanic = app.on_road_at(&admin, place(at(5, 1))).await;
    let job = stranded.call().await;
    let offer = mechanic.offer().await;
    assert_eq!((&offer["job_id"], &offer["eta_source"]), (&job["id"], &json!("valhalla")));
    let id = offer["id"].as_str().unwrap();
    mechanic.client.post(&format!("/offers/{id}/accept"), json!({})).await.expect(200);
    let scene = Scene { customer: stranded.client, mechanic, job: job["id"].as_str().unwrap().to_owned() };
    let way = scene.customer.get(&scene.path("/way-ahead")).await.expect(200);
    let metres = way["properties"]["distance_m"].as_i64().unwrap();
    assert!((metres - 800).abs() < 5, "{way}");
}
