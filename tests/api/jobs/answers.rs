//! The engine loads how a mechanic answered its last offers.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::ids::MechanicId;
use uuid::Uuid;

use crate::support::{TestApp, bodies::vehicle, rows::insert_job, spawn_with_admin};

/// Inserts an offer that ended at `at`.
async fn ended(app: &TestApp, job: Uuid, mechanic: Uuid, status: &str, at: DateTime<Utc>) {
    let offer =
        "insert into offers (id, job_id, mechanic_profile_id, attempt, round, status, distance_m, eta_s, eta_base_s, cost_s,
            created_at, expires_at, settled_at)
        values (gen_random_uuid(), $1, $2, 1, 1, $3, 10, 10, 10, 10, $4, $4, $4)";
    let offer = sqlx::query(offer).bind(job).bind(mechanic).bind(status).bind(at);
    offer.execute(&app.database.db).await.expect("an offer is inserted");
}

async fn history(app: &TestApp, mechanic: Uuid) -> Vec<bool> {
    let known = app.engine().mechanic(MechanicId(mechanic)).await.expect("an actor");
    known.history.0.into_iter().collect()
}

#[actix_web::test]
async fn the_newest_20_answers_are_loaded_the_oldest_first() {
    let (mut app, admin) = spawn_with_admin().await;
    let customer = app.customer().await;
    let vehicle = customer.post("/vehicles", vehicle("KA1")).await.expect(201);
    let job = insert_job(&mut app.database.db.acquire().await.unwrap(), &vehicle, "cancelled").await;
    let uuid = |text: &str| text.parse::<Uuid>().expect("a UUID");
    // One is loaded at the start with all that are available, one is loaded when it is first asked for, and one never
    // answered.
    let available = uuid(&app.on_road(&admin).await.profile_id);
    let away = uuid(&app.verified_mechanic(&admin).await.profile_id);
    let new = uuid(&app.on_road(&admin).await.profile_id);
    let start = app.service.clock.now() - TimeDelta::hours(2);
    let at = |minute: i64| start + TimeDelta::minutes(minute);
    for id in [available, away] {
        // These are too old to count; a revoked offer says nothing about the mechanic.
        for minute in 0..5 {
            ended(&app, job, id, "accepted", at(minute)).await;
            ended(&app, job, id, "revoked", at(60 + minute)).await;
        }
        // They are written in a different order than they ended in.
        for minute in (10..30).rev() {
            let status = match minute {
                10 | 29 => "accepted",
                minute if minute % 2 == 0 => "declined",
                _ => "expired",
            };
            ended(&app, job, id, status, at(minute)).await;
        }
    }
    let mut expected = vec![false; 20];
    (expected[0], expected[19]) = (true, true);
    app.restart().await;
    assert_eq!(history(&app, available).await, expected);
    assert_eq!(history(&app, away).await, expected);
    assert!(history(&app, new).await.is_empty(), "each has its own");
}
