use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use roadcall::{
    admin::measure_waiting,
    platform::{
        db::{Db, testing::fresh_database},
        settings::TimeZone,
    },
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    AssertFields, TestApp,
    bodies::{self, FLAT_TYRE, TOWING},
    midday,
    money::{Earning, insert_earning},
    rows::insert_job_in,
    spawn_app, spawn_app_at, spawn_with_admin, within,
};

/// A job with its row and its log. Times are in seconds after `begin`.
struct Past {
    category: &'static str,
    begin: &'static str,
    status: &'static str,
    /// The acceptances in the log.
    accepted: &'static [i64],
    arrived: Option<i64>,
    completed: Option<i64>,
    cancelled: Option<i64>,
    /// The searches in the log that found nobody.
    in_vain: &'static [i64],
}

const PAST: Past = Past {
    category: FLAT_TYRE,
    begin: "2026-03-10T06:00:00Z",
    status: "cancelled",
    accepted: &[],
    arrived: None,
    completed: None,
    cancelled: None,
    in_vain: &[],
};

async fn happened(app: &TestApp, vehicle: &Value, past: Past) -> Uuid {
    let pool = &app.database.db;
    let mut db = pool.acquire().await.unwrap();
    let id = insert_job_in(&mut db, vehicle, past.category, past.status).await;
    let update = "with facts as (
            update job_facts set created_at = $2::timestamptz, begin_at = $2::timestamptz where id = $1)
        update job_states set attempt = 1, created_at = $2::timestamptz,
        arrived_at = $2::timestamptz + make_interval(secs => $3),
        completed_at = $2::timestamptz + make_interval(secs => $4),
        cancelled_at = $2::timestamptz + make_interval(secs => $5) where id = $1";
    let seconds = |after: Option<i64>| after.map(|seconds| seconds as f64);
    let update = sqlx::query(update).bind(id).bind(past.begin.parse::<DateTime<Utc>>().unwrap());
    let update =
        update.bind(seconds(past.arrived)).bind(seconds(past.completed)).bind(seconds(past.cancelled));
    update.execute(pool).await.unwrap();
    let accepted = past.accepted.iter().map(|after| (*after, "accepted"));
    let in_vain = past.in_vain.iter().map(|after| (*after, "no_mechanic_found"));
    let mut events: Vec<_> = accepted.chain(in_vain).collect();
    events.sort_unstable();
    for (version, (after, kind)) in (2_i64..).zip(events) {
        let insert = "insert into job_events (job_id, version, seq, kind, command_id, actor_kind, at)
            select id, $2, null, $3, gen_random_uuid(), 'system', begin_at + make_interval(secs => $4)
            from jobs where id = $1";
        let insert = sqlx::query(insert).bind(id).bind(version).bind(kind).bind(after as f64);
        insert.execute(pool).await.unwrap();
    }
    id
}

async fn answered(db: &Db, job: Uuid, profile: &str, status: &str, at: &str) {
    let offer =
        "insert into offers (id, job_id, mechanic_profile_id, attempt, round, status, distance_m, eta_s, eta_base_s,
            cost_s, created_at, expires_at, settled_at)
        values (gen_random_uuid(), $1, $2, 1, 1, $3, 10, 60, 60, 60, $4, $4, $4)";
    let offer = sqlx::query(offer).bind(job).bind(profile.parse::<Uuid>().unwrap()).bind(status);
    offer.bind(at.parse::<DateTime<Utc>>().unwrap()).execute(db).await.unwrap();
}

async fn vehicle(app: &TestApp) -> Value {
    app.customer().await.post("/vehicles", bodies::vehicle("KA01AB1234")).await.expect(201)
}

#[actix_web::test]
async fn percentiles_of_times_to_help_equal_hand_computed_ones() {
    let app = spawn_app().await;
    let (admin, vehicle) = (app.admin().await, vehicle(&app).await);
    // These are assigned after 10, 20, 30, 40 and 100 s, and reached after 600, 1200 and 1860 s.
    let jobs = [
        Past { accepted: &[10], arrived: Some(600), ..PAST },
        Past { accepted: &[20], arrived: Some(1200), ..PAST },
        // A mechanic gave this one back: the first acceptance counts, and the arrival of the mechanic who came.
        Past { accepted: &[30, 900], arrived: Some(1860), ..PAST },
        Past { accepted: &[40], ..PAST },
        Past { accepted: &[100], category: TOWING, ..PAST },
        Past { cancelled: Some(5), ..PAST },
        Past { in_vain: &[180], status: "no_mechanic_found", ..PAST },
        // This is the day before, in India: 23:59:59 there.
        Past { accepted: &[1], arrived: Some(2), begin: "2026-03-08T18:29:59Z", ..PAST },
        // This is the day after.
        Past { accepted: &[1], arrived: Some(2), begin: "2026-03-11T18:30:00Z", ..PAST },
    ];
    for past in jobs {
        happened(&app, &vehicle, past).await;
    }
    let sla = admin.get("/admin/sla?from=2026-03-09&to=2026-03-11").await.expect(200);
    assert_eq!((&sla["from"], &sla["to"]), (&json!("2026-03-09"), &json!("2026-03-11")));
    let total = &sla["total"];
    assert_eq!([&total["jobs"], &total["assigned"], &total["arrived"]], [7, 5, 3]);
    // `percentile_cont` takes the value at 1 + p * (n - 1), between its neighbours.
    let assign = json!({"p50": 30.0, "p90": 76.0, "p95": 88.0, "p99": 97.6});
    let arrive = json!({"p50": 1200.0, "p90": 1728.0, "p95": 1794.0, "p99": 1846.8});
    for (found, expected) in [(&total["time_to_assign_s"], assign), (&total["time_to_arrive_s"], arrive)] {
        for name in ["p50", "p90", "p95", "p99"] {
            let (found, expected) = (found[name].as_f64().unwrap(), expected[name].as_f64().unwrap());
            assert!((found - expected).abs() < 1e-6, "{name}: {found} for {expected}");
        }
    }
    assert_eq!(total["assigned_within_60_s"], 0.8);
    assert!((total["arrived_within_30_min"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
    let categories = sla["by_category"].as_array().unwrap();
    let towing = categories.iter().find(|row| row["service_category_id"] == TOWING).unwrap();
    assert_eq!([&towing["jobs"], &towing["assigned"], &towing["arrived"]], [1, 1, 0]);
    towing.assert_fields(json!({"assigned_within_60_s": 0.0, "arrived_within_30_min": null,
        "time_to_assign_s/p99": 100.0, "time_to_arrive_s": null}));

    let nothing = admin.get("/admin/sla?from=2020-01-01&to=2020-01-01").await.expect(200);
    nothing.assert_fields(json!({"total/jobs": 0, "by_category": [], "total/time_to_assign_s": null}));
}

#[actix_web::test]
async fn finished_work_is_added_up_by_day_and_by_category() {
    let app = spawn_app().await;
    let (admin, vehicle) = (app.admin().await, vehicle(&app).await);
    let profile = app.registered_mechanic().await.profile_id;
    let pool = &app.database.db;
    // It is created on the 10th and completed on the 11th, Indian time.
    let done = Past { status: "completed", completed: Some(14 * 3600), accepted: &[10], ..PAST };
    let done = happened(&app, &vehicle, done).await;
    happened(&app, &vehicle, Past { cancelled: Some(60), category: TOWING, ..PAST }).await;
    // The first job twice found no mechanic and was never served: it counts as unserved once. The second found none at
    // first and was then served: it does not count.
    let lost = Past { in_vain: &[180, 400], status: "no_mechanic_found", ..PAST };
    happened(&app, &vehicle, lost).await;
    let served = Past { in_vain: &[180], accepted: &[300], status: "completed", ..PAST };
    happened(&app, &vehicle, served).await;
    for (status, at) in [
        ("accepted", "2026-03-10T06:00:10Z"),
        ("declined", "2026-03-10T06:00:05Z"),
        ("expired", "2026-03-10T06:00:06Z"),
        ("revoked", "2026-03-10T06:00:06Z"),
        ("accepted", "2026-03-12T06:00:00Z"),
    ] {
        answered(pool, done, &profile, status, at).await;
    }
    let paid = insert_earning(pool, Earning::of(&profile, 10_000)).await;
    let earned =
        "update earnings set created_at = '2026-03-11T06:00:00Z', commission_paise = 1500, tax_paise = 100,
            share_paise = 8400, returned_paise = 2000, held_paise = 0 where payment_id = $1";
    sqlx::query(earned).bind(paid.payment_id).execute(pool).await.unwrap();

    let stats = admin.get("/admin/stats?from=2026-03-10&to=2026-03-11").await.expect(200);
    let total = &stats["total"];
    let counts = ["jobs_made", "jobs_completed", "jobs_cancelled", "jobs_unserved"];
    assert_eq!(counts.map(|name| total[name].as_i64().unwrap()), [4, 1, 1, 1], "{total}");
    let offers = ["offers_accepted", "offers_declined", "offers_expired"];
    assert_eq!(offers.map(|name| total[name].as_i64().unwrap()), [1, 1, 1]);
    assert!((total["acceptance_rate"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    let money = ["revenue", "refunded", "commission", "tax"];
    assert_eq!(money.map(|name| total[name].as_f64().unwrap()), [100.0, 20.0, 15.0, 1.0]);

    let days = stats["by_day"].as_array().unwrap();
    let of_day = |name: &str| days.iter().map(|day| day[name].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        days.iter().map(|day| day["day"].as_str().unwrap()).collect::<Vec<_>>(),
        ["2026-03-10", "2026-03-11"]
    );
    assert_eq!(of_day("jobs_made"), [4.0, 0.0]);
    assert_eq!(of_day("jobs_completed"), [0.0, 1.0]);
    assert_eq!(of_day("revenue"), [0.0, 100.0]);
    assert_eq!(days[1]["acceptance_rate"], Value::Null);
    let categories = stats["by_category"].as_array().unwrap();
    let of = |category: &str| categories.iter().find(|row| row["service_category_id"] == category).unwrap();
    assert_eq!((&of(TOWING)["jobs_made"], &of(TOWING)["jobs_cancelled"]), (&json!(1), &json!(1)));
    assert_eq!((&of(FLAT_TYRE)["jobs_made"], &of(FLAT_TYRE)["jobs_unserved"]), (&json!(3), &json!(1)));
    assert_eq!((&stats["currency"], &stats["time_zone"]), (&json!("INR"), &json!("Asia/Kolkata")));
}

#[actix_web::test]
async fn days_on_which_clocks_change_have_23_or_25_hours() {
    let mut app = spawn_app().await;
    let vehicle = vehicle(&app).await;
    // Each case has a zone and its day, with its first and last second.
    let days = [
        ("Europe/Berlin", "2026-03-29", ["2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"]),
        ("Europe/Berlin", "2026-10-25", ["2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"]),
        ("America/New_York", "2026-03-08", ["2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z"]),
        ("America/New_York", "2026-11-01", ["2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z"]),
        ("Africa/Casablanca", "2026-02-15", ["2026-02-14T23:00:00Z", "2026-02-15T23:59:59Z"]),
        ("Asia/Kathmandu", "2026-05-10", ["2026-05-09T18:15:00Z", "2026-05-10T18:14:59Z"]),
    ];
    for (.., [first, last]) in days {
        happened(&app, &vehicle, Past { begin: first, ..PAST }).await;
        happened(&app, &vehicle, Past { begin: last, completed: Some(0), ..PAST }).await;
        // These are a second before the day and a second after it.
        let (before, after) =
            (Past { begin: first, completed: Some(-1), ..PAST }, Past { begin: last, ..PAST });
        happened(&app, &vehicle, before).await;
        happened(&app, &vehicle, Past { cancelled: Some(1), ..after }).await;
    }
    for (zone, day, _) in days {
        let date: NaiveDate = day.parse().unwrap();
        let (before, after) = (date.pred_opt().unwrap(), date.succ_opt().unwrap());
        if app.service.settings.operator.time_zone.name() != zone {
            app.restart_with(|settings| settings.operator.time_zone = zone.parse().unwrap()).await;
        }
        let admin = app.admin().await;
        let stats = admin.get(&format!("/admin/stats?from={before}&to={after}")).await.expect(200);
        let by_day = stats["by_day"].as_array().unwrap();
        let figures = |name: &str| by_day.iter().map(|day| &day[name]).collect::<Vec<_>>();
        assert_eq!(stats["time_zone"], zone);
        assert_eq!(figures("jobs_made"), [0, 4, 0], "{zone} {day}");
        assert_eq!(figures("jobs_completed"), [1, 1, 0], "{zone} {day}");
        assert_eq!(figures("jobs_cancelled"), [0, 0, 1], "{zone} {day}");
        let alone = admin.get(&format!("/admin/stats?from={day}&to={day}")).await.expect(200);
        let alone =
            ["jobs_made", "jobs_completed", "jobs_cancelled"].map(|name| alone["total"][name].clone());
        assert_eq!(alone, [4, 1, 0], "{zone} {day}");
        let sla = admin.get(&format!("/admin/sla?from={day}&to={day}")).await.expect(200);
        assert_eq!((&sla["total"]["jobs"], &sla["time_zone"]), (&json!(4), &json!(zone)), "{day}");
        let sla = admin.get(&format!("/admin/sla?from={after}&to={after}")).await.expect(200);
        assert_eq!(sla["total"]["jobs"], 0, "{zone} {after}");
    }
}

#[actix_web::test]
async fn postgres_and_the_program_show_the_same_time_all_year() {
    let database = fresh_database().await;
    let year: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
    let moments: Vec<_> =
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
            "select moment at time zone $1::text
            from unnest($2::timestamptz[]) with ordinality as asked (moment, place) order by place",
        )
        .bind(zone.name())
        .bind(&moments)
        .fetch_all(&database.db)
        .await
        .unwrap();
        let here: Vec<_> = moments.iter().map(|at| zone.local(*at).naive_local()).collect();
        let differing = here.iter().zip(&shown).find(|(here, shown)| here != shown);
        assert_eq!((differing, shown.len()), (None, moments.len()), "{name}");
    }
}

#[actix_web::test]
async fn a_period_is_bounded_and_the_last_week_by_default() {
    let app = spawn_app_at(midday(), |settings| settings.operator.time_zone = "UTC".parse().unwrap()).await;
    let admin = app.admin().await;
    let stats = admin.get("/admin/stats").await.expect(200);
    assert_eq!(stats["by_day"].as_array().unwrap().len(), 7);
    assert_eq!(stats["to"], app.service.clock.now().date_naive().to_string());
    for path in ["/admin/stats", "/admin/sla"] {
        admin.get(&format!("{path}?from=2026-01-01&to=2026-04-02")).await.expect(200);
        for (query, field) in [
            ("from=2026-01-01&to=2026-04-03", "from"),
            ("from=2026-01-02&to=2026-01-01", "to"),
            ("from=today", "from"),
            ("from=-001-01-01", "from"),
            ("to=2026-02-30", "to"),
            ("until=2026-02-01", "until"),
        ] {
            admin.get(&format!("{path}?{query}")).await.refused_field(field);
        }
    }
}

#[actix_web::test]
async fn live_figures_count_jobs_mechanics_and_sockets() {
    let (app, admin) = spawn_with_admin().await;
    let empty = admin.get("/admin/live").await.expect(200);
    assert_eq!((&empty["jobs"], &empty["engine"]["is_answering"]), (&json!([]), &json!(true)));
    assert_eq!(empty["waiting"]["oldest_webhook_age_s"], Value::Null, "{empty}");

    app.registered_mechanic().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    app.taken(&stranded, &mut mechanic).await;
    let free = app.on_road(&admin).await;
    app.webhook(&json!({"event": "payment.captured", "payload": {}})).await.expect(200);
    let live = admin.get("/admin/live").await.expect(200);
    live.assert_fields(json!({"jobs/0/status": "accepted", "jobs/0/count": 1}));
    assert!(live["jobs"][0]["oldest_age_s"].as_i64().unwrap() >= 0);
    let mechanics = &live["mechanics"];
    assert_eq!([&mechanics["available"], &mechanics["on_a_job"], &mechanics["offered"]], [2, 1, 0]);
    live.assert_fields(json!({"waiting/mechanics": 1, "engine/job_actors": 1, "sockets": 2}));
    drop(free);
}

#[actix_web::test]
async fn waiting_work_and_free_space_are_measured() {
    let app = spawn_app().await;
    app.customer().await;
    let core = app.service.core();
    assert_eq!(measure_waiting(core).await.unwrap(), 0);
    let dead = "insert into webhook_events (id, gateway, event_id, event, body, status, next_try_at, received_at, settled_at)
        values (gen_random_uuid(), 'sandbox', 'evt_1', 'payment.captured', '{}', 'dead', now(), now(), now())";
    app.sql(dead).await;
    assert_eq!(measure_waiting(core).await.unwrap(), 1);
    // Other tests measure in this process, too, so only the names are certain.
    for line in [
        "roadcall_waiting{what=\"dead_webhooks\"} ",
        "roadcall_waiting{what=\"overdue_grievances\"} ",
        "roadcall_waiting_oldest_seconds{what=\"withdrawals\"} ",
        "roadcall_db_size_bytes ",
        "roadcall_disk_bytes{state=\"free\"} ",
        "roadcall_text_messages_total{kind=\"otp\",status=\"taken\"} ",
    ] {
        let measured = async { while !app.anonymous().get("/metrics").await.text.contains(line) {} };
        within(line, measured).await;
    }
}
