//! The router's adapter against Valhalla itself, on a small town of our own: `./script/bootstrap valhalla`, then
//! `./script/test --test api real_valhalla -- --ignored`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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
        programs::{Programs, until_open},
        spawn_app_with,
        town::{self, at},
    },
};

/// The time for one street, where cars drive 36 km/h.
const STREET_S: f64 = 20.0;

/// Returns the folder in which `script/bootstrap valhalla` installs Valhalla's programs.
fn installed() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let folder = env::var_os("ROADCALL_VALHALLA").map(PathBuf::from);
    let folder = folder.or_else(|| Some(cache?.join("roadcall/pyvalhalla/valhalla")));
    let folder = folder.expect("HOME or ROADCALL_VALHALLA");
    let service = folder.join("bin/valhalla_service");
    assert!(service.exists(), "no Valhalla: script/bootstrap valhalla installs it");
    folder
}

/// A `valhalla_service` with the town. It ends with the test.
struct Town {
    _programs: Programs,
    port: u16,
}

impl Town {
    async fn start() -> Self {
        let mut programs = Programs::in_folder("valhalla");
        let folder = programs.folder.clone();
        fs::create_dir_all(folder.join("tiles")).expect("a folder");
        fs::write(folder.join("town.osm"), town::map()).expect("a map");
        let [port] = free_ports();
        fs::write(folder.join("valhalla.json"), configuration(&folder, port).to_string()).expect("a file");
        programs.run(Command::new("osmium").args(["cat", "town.osm", "-o", "town.osm.pbf"]));
        let mut tiles = Command::new(installed().join("bin/valhalla_build_tiles"));
        programs.run(tiles.args(["-c", "valhalla.json", "-j", "1", "town.osm.pbf"]));
        let mut service = Command::new(installed().join("bin/valhalla_service"));
        service.args(["valhalla.json", "1"]).stdout(Stdio::null()).stderr(Stdio::null());
        programs.start(&mut service, "script/bootstrap valhalla installs it");
        until_open("Valhalla listens", port).await;
        Self { _programs: programs, port }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// Returns the configuration that Valhalla's own program writes, for this folder and port.
fn configuration(folder: &Path, port: u16) -> Value {
    let written = fs::read(installed().join("valhalla.json")).expect("a configuration");
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

#[actix_web::test]
#[ignore = "needs Valhalla"]
async fn real_valhalla_knows_bridges_one_way_streets_and_unreachable_places() {
    let town = Town::start().await;
    let valhalla = valhalla(&town);
    town::knows_bridges_one_way_streets_and_unreachable_places(&valhalla, STREET_S).await;
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
    town::prefers_the_mechanic_on_this_side_of_the_river(&app, "valhalla").await;
}
