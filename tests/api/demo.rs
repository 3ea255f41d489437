//! The demo's city in front of a real service, over its public interface alone.

use roadcall::demo::{Scenario, Show, ShowError, admit};
use roadcall_actors::clock::Clock;

use super::support::{spawn_app, within};

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
    let mut app = spawn_app().await;
    let venue = admit(&app.state.db, format!("http://{}", app.address)).await.unwrap();
    let scenario = Scenario::parse(CORNER).unwrap();
    let show = within("everyone signs up", Show::start(scenario, &venue, Clock::system())).await.unwrap();
    within("two jobs are completed, or something goes wrong", async {
        show.city.until(|tally| tally.completed >= 2 || tally.troubles > 0).await;
    })
    .await;
    within("the open jobs end", show.wind_down(std::future::pending())).await;
    let tally = within("everyone goes home", show.end()).await;
    assert_eq!(tally.first_trouble, None);
    assert_eq!(tally.called, tally.completed + tally.cancelled);
    assert_eq!(tally.mechanics_online(), 0);
    assert!(tally.to_assign.percentile(50).is_some() && tally.to_arrive.percentile(50).is_some());
    within("the service stops", app.stop()).await;
}

#[actix_web::test]
async fn a_category_that_the_service_does_not_know_is_named() {
    let app = spawn_app().await;
    let venue = admit(&app.state.db, format!("http://{}", app.address)).await.unwrap();
    let scenario = Scenario::parse(&CORNER.replace("[\"towing\"]", "[\"teleport\"]")).unwrap();
    let refused = within("the show is refused", Show::start(scenario, &venue, Clock::system())).await;
    let why = refused.err().map(|error: ShowError| error.to_string()).unwrap_or_default();
    assert!(why.contains("mechanics[1].categories") && why.contains("teleport"), "{why}");
}
