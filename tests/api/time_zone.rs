//! The operator's time zone, as the program and Postgres know it.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use roadcall::{
    app::{self, StartOptions},
    platform::{
        db::testing::fresh_database,
        settings::{Settings, TimeZone},
    },
};

use crate::support::spawn_app;

#[actix_web::test]
async fn postgres_and_the_program_show_the_same_time_all_year() {
    let database = fresh_database().await;
    let year: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
    let moments: Vec<DateTime<Utc>> =
        (0..2 * 24 * 365).map(|half_hour| year + TimeDelta::minutes(30 * half_hour)).collect();
    for name in [
        "UTC",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Europe/Berlin",
        "America/New_York",
        "America/St_Johns",
        "Africa/Casablanca",
        "Australia/Lord_Howe",
    ] {
        let zone: TimeZone = name.parse().unwrap();
        let shown: Vec<NaiveDateTime> = sqlx::query_scalar(
            "select moment at time zone $1::text from unnest($2::timestamptz[]) with ordinality as asked (moment, place)
            order by place",
        )
        .bind(zone.name())
        .bind(&moments)
        .fetch_all(&database.db)
        .await
        .unwrap();
        let here: Vec<NaiveDateTime> = moments.iter().map(|at| zone.local(*at).naive_local()).collect();
        let differing = here.iter().zip(&shown).find(|(here, shown)| here != shown);
        assert_eq!((differing, shown.len()), (None, moments.len()), "{name}");
    }
}

#[actix_web::test]
async fn a_zone_that_postgres_does_not_know_prevents_a_start() {
    let mut app = spawn_app().await;
    let mut settings = Settings::clone(&app.service.settings);
    // A name that libraries use for "none", and that no tzdata has.
    settings.operator.time_zone = "Etc/Unknown".parse().unwrap();
    app.stop().await;
    let refused = app::start(settings, StartOptions::default()).await.err().expect("a refusal").to_string();
    assert!(refused.contains("does not know the time zone Etc/Unknown of operator.time_zone"), "{refused}");
    app.restart_with(|settings| settings.operator.time_zone = "Europe/Berlin".parse().unwrap()).await;
}
