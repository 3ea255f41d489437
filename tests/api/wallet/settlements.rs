use chrono::{DateTime, Days, TimeDelta, Utc};
use futures_util::future::join_all;
use roadcall::{accounting::ledger::Shares, service::settings::Settings};
use serde_json::{Value, json};

use super::{spawn_prompt_with, spawn_prompt_with_admin};
use crate::{
    payments::{completed, paid_online},
    support::{
        Client, TestApp,
        bodies::id_of,
        money::{Earning, insert_earning},
        rows::copy_completed_job,
    },
};

const WEEK: (&str, &str) = ("2026-01-05", "2026-01-12");

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

async fn run(admin: &Client, (start, end): (&str, &str)) -> Value {
    let body = json!({"period_start": start, "period_end": end});
    admin.post("/admin/settlements/run", body).await.expect(200)
}

async fn earn(app: &TestApp, profile: &str, gross: i64, when: &str, alter: impl FnOnce(&mut Earning)) {
    let mut earning = Earning { created_at: at(when), ..Earning::of(profile, gross) };
    alter(&mut earning);
    insert_earning(&app.database.db, earning).await;
}

#[actix_web::test]
async fn a_period_is_settled_once_for_each_mechanic() {
    let app = spawn_prompt_with(|settings| settings.operator.time_zone = "UTC".parse().unwrap()).await;
    let admin = app.admin().await;
    let (one, two) = (app.registered_mechanic().await, app.registered_mechanic().await);
    earn(&app, &one.profile_id, 10_000, "2026-01-05T00:00:00Z", |_| {}).await;
    earn(&app, &one.profile_id, 20_000, "2026-01-11T23:59:59Z", |earning| {
        earning.tax_paise = 3_000;
        earning.returned_paise = 5_000;
    })
    .await;
    earn(&app, &one.profile_id, 30_000, "2026-01-08T12:00:00Z", |earning| earning.is_cash = true).await;
    earn(&app, &one.profile_id, 99_900, "2026-01-12T00:00:00Z", |_| {}).await;
    earn(&app, &one.profile_id, 99_900, "2026-01-04T23:59:59Z", |_| {}).await;
    earn(&app, &two.profile_id, 1_000, "2026-01-06T00:00:00Z", |_| {}).await;
    let made = run(&admin, WEEK).await;
    assert_eq!(made["total"], 2, "{made}");
    let of = |profile: &str| {
        let mut all = made["data"].as_array().unwrap().iter();
        all.find(|settlement| settlement["mechanic_profile_id"] == profile).unwrap().clone()
    };
    let first = of(&one.profile_id);
    // The net is 85 of the first and 140 less a quarter of the second; the commission of 45 on the third is ours.
    let expected = [
        ("gross", 600.0),
        ("commission", 90.0),
        ("tax", 30.0),
        ("refunds", 50.0),
        ("cash_collected", 300.0),
        ("net", 85.0 + 105.0 - 45.0),
    ];
    for (field, amount) in expected {
        assert_eq!(first[field], amount, "{field}: {first}");
    }
    assert_eq!((&first["period_start"], &first["period_end"]), (&json!(WEEK.0), &json!(WEEK.1)));
    assert_eq!((&of(&two.profile_id)["net"], &first["status"]), (&json!(8.5), &json!("open")));

    assert_eq!(run(&admin, WEEK).await, made, "again: the same");
    let mine = one.client.get("/wallet/settlements").await.expect(200);
    assert_eq!((&mine["total"], &mine["data"][0]), (&json!(1), &first));
    let path = format!("/wallet/settlements/{}", id_of(&first));
    assert_eq!(one.client.get(&path).await.expect(200), first);
    assert_eq!(admin.get(&path).await.expect(200), first);
    two.client.get(&path).await.refused(404, "NOT_FOUND");
    app.customer().await.get(&path).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn days_are_local_and_leave_no_gap_to_earlier_ones_in_utc() {
    let west = |settings: &mut Settings| settings.operator.time_zone = "America/New_York".parse().unwrap();
    let app = spawn_prompt_with(west).await;
    let admin = app.admin().await;
    let mechanic = app.registered_mechanic().await;
    // Clocks show five hours less.
    earn(&app, &mechanic.profile_id, 10_000, "2026-01-05T04:59:59Z", |_| {}).await;
    earn(&app, &mechanic.profile_id, 20_000, "2026-01-05T05:00:00Z", |_| {}).await;
    earn(&app, &mechanic.profile_id, 40_000, "2026-01-12T04:59:59Z", |_| {}).await;
    earn(&app, &mechanic.profile_id, 80_000, "2026-01-12T05:00:00Z", |_| {}).await;
    assert_eq!(run(&admin, WEEK).await["data"][0]["gross"], 600.0);
    // An earlier release ended the week at 00:00 in UTC, so that it did not count this.
    earn(&app, &mechanic.profile_id, 1_000, "2026-01-12T03:00:00Z", |_| {}).await;
    assert_eq!(run(&admin, ("2026-01-12", "2026-01-19")).await["data"][0]["gross"], 810.0);
}

/// Inserts an empty settlement of the period, made while the operator had another time zone.
async fn settled_in_another_zone(app: &TestApp, profile: &str, (start, end): (&str, &str)) {
    let settlement = sqlx::query(
        "insert into settlements (id, mechanic_profile_id, period_start, period_end, gross_paise, commission_paise,
            tax_paise, refunds_paise, cash_collected_paise, net_paise, status, created_at)
        values (gen_random_uuid(), $1::uuid, $2::date, $3::date, 0, 0, 0, 0, 0, 0, 'open', now())",
    );
    settlement.bind(profile).bind(start).bind(end).execute(&app.database.db).await.unwrap();
}

#[actix_web::test]
async fn a_period_adjoins_its_neighbours_settled_in_any_time_zone() {
    let zones = [
        ("Asia/Kolkata", "2026-01-04T18:30:00Z", "2026-01-11T18:30:00Z"),
        ("Pacific/Pago_Pago", "2026-01-05T11:00:00Z", "2026-01-12T11:00:00Z"),
        ("Pacific/Kiritimati", "2026-01-04T10:00:00Z", "2026-01-11T10:00:00Z"),
    ];
    for (zone, first, end) in zones {
        let app = spawn_prompt_with(|settings| settings.operator.time_zone = zone.parse().unwrap()).await;
        let admin = app.admin().await;
        let mechanic = app.registered_mechanic().await;
        let profile = &mechanic.profile_id;
        let before = async |when: &str, gross| {
            let when = (at(when) - TimeDelta::seconds(1)).to_rfc3339();
            earn(&app, profile, gross, &when, |_| {}).await;
        };
        before(first, 99_900).await;
        earn(&app, profile, 10_000, first, |_| {}).await;
        before(end, 20_000).await;
        earn(&app, profile, 99_900, end, |_| {}).await;
        assert_eq!(run(&admin, WEEK).await["data"][0]["gross"], 300.0, "{zone}: local days");

        // With a settled period on either side, this one counts everything that those leave out in the zones furthest east and
        // west.
        settled_in_another_zone(&app, profile, ("2025-11-24", "2025-12-01")).await;
        settled_in_another_zone(&app, profile, ("2025-12-08", "2025-12-15")).await;
        before("2025-11-30T10:00:00Z", 99_900).await;
        earn(&app, profile, 10_000, "2025-11-30T10:00:00Z", |_| {}).await;
        before("2025-12-08T12:00:00Z", 20_000).await;
        earn(&app, profile, 99_900, "2025-12-08T12:00:00Z", |_| {}).await;
        let between = run(&admin, ("2025-12-01", "2025-12-08")).await;
        assert_eq!(between["data"][0]["gross"], 300.0, "{zone}: between the neighbours");
    }
}

#[actix_web::test]
async fn weeks_in_india_begin_at_half_past_six_in_the_evening_in_utc_and_are_settled_in_any_order() {
    let app =
        spawn_prompt_with(|settings| settings.operator.time_zone = "Asia/Kolkata".parse().unwrap()).await;
    let admin = app.admin().await;
    let mechanic = app.registered_mechanic().await;
    // These are the first and the last second of three weeks, and the seconds around them.
    for (gross, when) in [
        (1_000, "2025-12-28T18:29:59Z"),
        (2_000, "2025-12-28T18:30:00Z"),
        (4_000, "2026-01-04T18:29:59Z"),
        (8_000, "2026-01-04T18:30:00Z"),
        (16_000, "2026-01-11T18:29:59Z"),
        (32_000, "2026-01-11T18:30:00Z"),
        (64_000, "2026-01-18T18:29:59Z"),
        (128_000, "2026-01-18T18:30:00Z"),
    ] {
        earn(&app, &mechanic.profile_id, gross, when, |_| {}).await;
    }
    let weeks = [(("2026-01-12", "2026-01-19"), 960.0), (("2025-12-29", "2026-01-05"), 60.0), (WEEK, 240.0)];
    for (week, gross) in weeks {
        let made = run(&admin, week).await;
        assert_eq!((&made["total"], &made["data"][0]["gross"]), (&json!(1), &json!(gross)), "{week:?}");
        assert_eq!(run(&admin, week).await, made, "{week:?} again");
    }
    let starts = mechanic.client.column("/wallet/settlements", "period_start").await;
    assert_eq!(starts, ["2026-01-12", WEEK.0, "2025-12-29"], "the newest period first");
    let left = "select array_agg(gross_paise order by gross_paise) from earnings where settlement_id is null";
    let left: Vec<i64> = app.sql_value(left).await;
    assert_eq!(left, [1_000, 128_000], "of another week");
}

#[actix_web::test]
async fn a_later_refund_changes_only_the_ledger() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    earn(&app, &mechanic.profile_id, 10_000, "2026-01-06T00:00:00Z", |_| {}).await;
    let made = run(&admin, WEEK).await;
    app.sql("update earnings set returned_paise = 10000").await;
    assert_eq!(run(&admin, WEEK).await, made);
}

#[actix_web::test]
async fn periods_that_share_a_day_are_refused() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    for when in ["2026-01-06T00:00:00Z", "2026-01-13T00:00:00Z", "2026-01-02T00:00:00Z"] {
        earn(&app, &mechanic.profile_id, 10_000, when, |_| {}).await;
    }
    run(&admin, WEEK).await;
    let others = [
        ("2026-01-04", "2026-01-06"),
        ("2026-01-11", "2026-01-14"),
        ("2026-01-06", "2026-01-07"),
        ("2026-01-01", "2026-01-31"),
        ("2026-01-05", "2026-01-13"),
    ];
    for (start, end) in others {
        let body = json!({"period_start": start, "period_end": end});
        admin.post("/admin/settlements/run", body).await.refused(409, "CONFLICT");
    }
    assert_eq!(run(&admin, ("2026-01-12", "2026-01-19")).await["total"], 1, "the next week");
    assert_eq!(run(&admin, ("2026-01-01", "2026-01-05")).await["total"], 1, "the days before");
    let counted: i64 = app.sql_value("select sum(gross_paise)::bigint from settlements").await;
    assert_eq!(counted, 30_000, "each earning once");
}

#[actix_web::test]
async fn runs_at_the_same_time_count_nothing_twice() {
    let (app, admin) = spawn_prompt_with_admin().await;
    for _ in 0..3 {
        let mechanic = app.registered_mechanic().await;
        earn(&app, &mechanic.profile_id, 10_000, "2026-01-06T00:00:00Z", |_| {}).await;
    }
    let periods = [WEEK, WEEK, ("2026-01-06", "2026-01-13"), WEEK, ("2026-01-01", "2026-01-31")];
    let asked = periods.map(|(start, end)| {
        let body = json!({"period_start": start, "period_end": end});
        admin.post("/admin/settlements/run", body)
    });
    for answer in join_all(asked).await {
        assert!([200, 409].contains(&answer.status), "{}", answer.text);
    }
    let counted: (i64, i64) = app.sql_row("select count(*), sum(gross_paise)::bigint from settlements").await;
    assert_eq!(counted, (3, 30_000));
}

/// Checks that the statement rounds like the ledger's shares.
#[actix_web::test]
async fn refunds_are_shared_to_the_paisa() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    let mut expected = 0;
    for number in 0..60i64 {
        let gross = 101 + number * 37;
        let (commission, tax) = (gross * (7 + number % 13) / 100, gross * (number % 5) / 100);
        let returned = gross * number / 61;
        let shares =
            Shares { commission_paise: commission, tax_paise: tax, mechanic_paise: gross - commission - tax };
        let back = shares.returned(0, returned);
        let is_cash = number % 3 == 0;
        expected += match is_cash {
            true => shares.mechanic_paise - back.mechanic_paise - gross,
            false => shares.mechanic_paise - back.mechanic_paise,
        };
        earn(&app, &mechanic.profile_id, gross, "2026-01-06T00:00:00Z", |earning| {
            earning.commission_paise = commission;
            earning.tax_paise = tax;
            earning.returned_paise = returned;
            earning.is_cash = is_cash;
        })
        .await;
    }
    let made = run(&admin, WEEK).await;
    assert_eq!(made["data"][0]["net"], expected as f64 / 100.0);
}

/// Covers all ways of the money: cash and online, each refunded in part or completely.
#[actix_web::test]
async fn the_net_amount_equals_the_ledgers() {
    let app = spawn_prompt_with(|settings| {
        settings.money.tax_bps = 1_800;
        settings.money.commission_bps = 1_500;
    })
    .await;
    let admin = app.admin().await;
    let scene = completed(&app).await;
    let mut jobs = vec![scene.job.clone()];
    for _ in 0..4 {
        let id = app.service.random.id(app.now());
        jobs.push(copy_completed_job(&app.database.db, &scene.job, id).await);
    }
    let returned = [json!(299.0), json!(33.33), Value::Null, json!(100.01), Value::Null];
    for (number, (job, back)) in jobs.iter().zip(returned).enumerate() {
        let payment = match number {
            ..3 => scene.pay_cash_for(job).await,
            _ => paid_online(&app, &scene.customer, job).await,
        };
        if !back.is_null() {
            let refund = json!({"amount": back, "reason": "flat again"});
            admin.post(&format!("/payments/{payment}/refunds"), refund).await.expect(201);
        }
    }
    app.sql("update earnings set created_at = '2026-01-06T00:00:00Z'").await;
    let balances = app.balances(&scene.mechanic.profile_id).await;
    let booked = balances.available_paise + balances.held_paise - balances.owed_paise;
    let made = run(&admin, WEEK).await["data"][0].clone();
    assert_eq!(made["net"], booked as f64 / 100.0, "{made} {balances:?}");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_settlement_is_paid_once() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    earn(&app, &mechanic.profile_id, 10_000, "2026-01-06T00:00:00Z", |_| {}).await;
    let made = run(&admin, WEEK).await["data"][0].clone();
    let path = format!("/admin/settlements/{}/mark-paid", id_of(&made));
    admin.post(&path, json!({"reference": ""})).await.refused_field("reference");
    let paid = admin.post(&path, json!({"reference": "NEFT 7"})).await.expect(200);
    assert_eq!((&paid["status"], &paid["reference"]), (&json!("paid"), &json!("NEFT 7")));
    assert!(paid["paid_at"].is_string());
    admin.post(&path, json!({"reference": "NEFT 8"})).await.refused(409, "INVALID_TRANSITION");
    let listed = admin.list("/admin/settlements?status=paid").await.remove(0);
    assert_eq!((&listed["id"], &listed["paid_at"]), (&paid["id"], &paid["paid_at"]));
    assert_eq!(admin.get("/admin/settlements?status=open").await.expect(200)["total"], 0);
    assert_eq!(run(&admin, WEEK).await["data"][0], paid);
    let actions: Vec<String> =
        app.sql_column("select action from audit_log where action like 'settlement%' order by at").await;
    assert_eq!(actions, ["settlements.run", "settlement.mark_paid"]);
}

#[actix_web::test]
async fn a_bad_period_names_its_field() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let refused = async |start: Value, end: Value, field: &str| {
        let body = json!({"period_start": start, "period_end": end});
        admin.post("/admin/settlements/run", body).await.refused_field(field);
    };
    // This period is not over, even if a day ends meanwhile.
    let today = app.service.clock.now().date_naive();
    let later = today.checked_add_days(Days::new(2)).unwrap();
    refused(json!("2026-01-05"), json!("2026-01-05"), "period_end").await;
    refused(json!("2025-01-01"), json!("2025-04-04"), "period_end").await;
    refused(json!(today.to_string()), json!(later.to_string()), "period_end").await;
    refused(json!("5 January"), json!("2026-01-06"), "period_start").await;
    refused(json!("2026-02-30"), json!("2026-03-06"), "period_start").await;
    assert_eq!(run(&admin, ("2025-01-01", "2025-04-03")).await["total"], 0, "92 days of nothing");
}
