//! The demo's city on a real service, using only its public interface.

use std::{env, fs, path::PathBuf, process::Stdio};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall::{accounting::ledger, cli::sim::demo_access};
use roadcall_actors::clock::Clock;
use roadcall_sim::{
    demo::{Population, PopulationError, Revenue, Scenario},
    scenario::ScenarioFile,
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

use super::support::{TestApp, spawn_app, spawn_app_with, within};

/// Three mechanics around one corner, who take everything and are fast.
const CORNER: &str = r#"
    title = "A corner of Bengaluru"
    seed = 3
    time_scale = 4.0

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
    speed_kmh = 40.0

    [[mechanics]]
    name = "Meena Devi"
    home = "MG Road"
    radius_km = 5.0
    vehicle_types = ["four_wheeler"]
    categories = ["towing"]
    accept_share = 1.0
    ignore_share = 0.0
    speed_kmh = 40.0

    [[mechanics]]
    name = "Imran Pasha"
    home = "Church Street"
    radius_km = 5.0
    vehicle_types = ["two_wheeler", "four_wheeler"]
    accept_share = 1.0
    ignore_share = 0.0
    speed_kmh = 40.0

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

/// What was captured for jobs, in paise.
async fn captured(app: &TestApp, channel: &str) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(amount_paise), 0)::bigint from payments
        where status = 'captured' and purpose = 'job' and channel = $1",
    )
    .bind(channel)
    .fetch_one(&app.service.db)
    .await
    .unwrap()
}

/// What mechanics had sent to their banks, in paise.
async fn withdrawn(app: &TestApp) -> i64 {
    sqlx::query_scalar("select coalesce(sum(amount_paise), 0)::bigint from withdrawals")
        .fetch_one(&app.service.db)
        .await
        .unwrap()
}

/// The total cost of paid jobs, in paise, and their number.
async fn owed_for_jobs(app: &TestApp) -> (i64, i64) {
    sqlx::query_as(
        "select coalesce(sum(final_price_paise), 0)::bigint, count(*) from jobs where status = 'paid'",
    )
    .fetch_one(&app.service.db)
    .await
    .unwrap()
}

#[actix_web::test]
async fn cancelled_jobs_are_paid_for_where_that_costs_something() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let service = demo_access(&app.service.db, format!("http://{}", app.address)).await.unwrap();
    // Everybody changes their mind while the mechanic drives.
    let restless = CORNER
        .replace("cancel_share = 0.0", "cancel_share = 1.0")
        .replace("time_scale = 4.0", "time_scale = 0.5");
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

    /// `roadcall demo` with this scenario, whose temporary folder is this one.
    fn demo(&self, scenario: &str) -> Command {
        let file = self.0.join("scenario.toml");
        fs::write(&file, scenario).unwrap();
        fs::create_dir_all(self.0.join("tmp")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.args(["demo", "--headless", "--listen", "127.0.0.1:0", "--scenario"]).arg(file);
        // Invented people must not get into the database of the person who runs this.
        command.env("TMPDIR", self.0.join("tmp")).env("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
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
    within("someone pays", async {
        while let Some(line) = lines.next_line().await.unwrap() {
            seen.push(line);
            if seen.last().is_some_and(|line| line.contains(" pays ")) {
                break;
            }
        }
    })
    .await;
    let pid = i32::try_from(child.id().expect("it still runs")).unwrap();
    kill(Pid::from_raw(pid), Signal::SIGINT).unwrap();
    let ended = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            seen.push(line);
        }
        child.wait_with_output().await.unwrap()
    };
    let output = within("the demo ends", ended).await;
    let (shown, log) = (seen.join("\n"), String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "{shown}\n{log}");
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
async fn the_command_refuses_a_scenario_that_can_not_be_played_before_it_starts_anything() {
    let folder = Folder::new("demo-refused");
    let mut command = folder.demo(&CORNER.replace("spread_m = 40.0", "spread_m = 40.0\nspred_m = 1.0"));
    let output = within("the command ends", command.output()).await.unwrap();
    assert!(!output.status.success());
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(why.contains("unknown field `spred_m`"), "{why}");
    assert_eq!(fs::read_dir(folder.0.join("tmp")).unwrap().count(), 0);
}
