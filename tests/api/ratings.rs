//! Ratings, and the figures of mechanics that include them.

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::payments::{completed, order, until_payment};
use crate::support::{
    Answer, Client, Person, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    money::{Earning, insert_earning},
    roadside::Scene,
    rows::{copy_completed_job, set_job_status},
    spawn_accepted, spawn_app, spawn_app_with, spawn_completed,
};

fn stars(score: i64) -> Value {
    json!({"score": score, "tags": ["polite"], "comment": "As it should be"})
}

async fn rate(client: &Client, job: &str, score: i64) -> Answer {
    client.post(&format!("/jobs/{job}/rating"), stars(score)).await
}

async fn average(scene: &Scene) -> (f64, i64) {
    let profile = scene.mechanic.client.get("/mechanics/me").await.expect(200);
    (profile["avg_rating"].as_f64().expect("a number"), profile["total_ratings"].as_i64().expect("a number"))
}

/// Copies the scene's job for another customer.
async fn another(app: &TestApp, scene: &Scene) -> (Person, String) {
    let (customer, db) = (app.customer().await, &app.database.db);
    let id = copy_completed_job(db, &scene.job, app.service.random.id(app.service.clock.now())).await;
    let moved = "with facts as (update job_facts set customer_id = $2::uuid where id = $1::uuid)
        update job_states set customer_id = $2::uuid where id = $1::uuid";
    app.change(moved, &[&id, &customer.user_id]).await;
    (customer, id)
}

#[actix_web::test]
async fn each_side_rates_once_and_reads_the_others_rating_after_its_own() {
    let (app, scene, admin) = spawn_completed().await;
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    let listed = format!("/mechanics/{}/ratings", scene.mechanic.profile_id);
    let four = set(&stars(4), "tags", json!(["polite", "on_time", "polite"]));
    let given = customer.post(&scene.path("/rating"), four).await.expect(201);
    assert_eq!((&given["rater"], &given["score"]), (&json!("customer"), &json!(4)));
    assert_eq!((&given["tags"], &given["is_hidden"]), (&json!(["on_time", "polite"]), &json!(false)));
    rate(customer, &scene.job, 1).await.refused(409, "ALREADY_RATED");
    assert_eq!(average(&scene).await, (0.0, 0), "an average would give it away");

    let seen = customer.get(&scene.path("/ratings")).await.expect(200);
    assert_eq!((&seen["by_customer"], &seen["by_mechanic"]), (&given, &Value::Null));
    assert!(seen["ratable_until"].is_string() && seen["is_revealed"] == false, "{seen}");
    let seen = mechanic.get(&scene.path("/ratings")).await.expect(200);
    assert_eq!(seen["by_customer"], Value::Null, "before the mechanic has rated");
    assert_eq!(mechanic.get(&listed).await.expect(200)["total"], 0, "nor by way of the public list");
    assert_eq!(admin.get(&scene.path("/ratings")).await.expect(200)["by_customer"], given);

    let returned = rate(mechanic, &scene.job, 5).await.expect(201);
    assert_eq!(returned["rater"], "mechanic");
    rate(mechanic, &scene.job, 5).await.refused(409, "ALREADY_RATED");
    for person in [customer, mechanic] {
        let seen = person.get(&scene.path("/ratings")).await.expect(200);
        assert_eq!((&seen["by_customer"], &seen["by_mechanic"]), (&given, &returned));
        assert_eq!(seen["is_revealed"], true);
    }
    let reply = |person: &Person| {
        let person = person.clone();
        async move { person.get("/notifications?type=rating_received").await.expect(200)["total"].clone() }
    };
    assert_eq!(
        (reply(customer).await, reply(mechanic).await),
        (json!(1), json!(0)),
        "who waited for the other's"
    );
    assert_eq!(average(&scene).await, (4.0, 1), "a customer's rating is no mechanic's");
    let public = app.customer().await.get(&listed).await.expect(200);
    assert_eq!((&public["total"], &public["data"][0]["first_name"]), (&json!(1), &json!("Asha")));
    let fields: Vec<&String> = public["data"][0].as_object().expect("an object").keys().collect();
    assert_eq!(
        fields,
        ["comment", "created_at", "first_name", "id", "score", "tags"],
        "no id of a person or a job"
    );
}

#[actix_web::test]
async fn thirty_two_simultaneous_ratings_are_all_counted() {
    let (app, scene, _) = spawn_completed().await;
    let mut jobs = Vec::new();
    for _ in 0..32 {
        let (customer, job) = another(&app, &scene).await;
        rate(&scene.mechanic.client, &job, 5).await.expect(201);
        jobs.push((customer, job));
    }
    let score = |index: usize| 1 + (index as i64 * 7) % 5;
    let answers = jobs.iter().enumerate().map(|(index, (customer, job))| rate(customer, job, score(index)));
    for answer in join_all(answers).await {
        answer.expect(201);
    }
    let sum: i64 = (0..32).map(score).sum();
    let expected = (sum as f64 / 32.0 * 100.0).round() / 100.0;
    assert_eq!(average(&scene).await, (expected, 32));
    let kept: i64 = app.value("select rating_sum from mechanic_profiles where total_ratings = 32", &[]).await;
    assert_eq!(kept, sum);
}

#[actix_web::test]
async fn only_one_of_a_sides_simultaneous_ratings_counts() {
    let (_app, scene, _) = spawn_completed().await;
    let both = join_all([rate(&scene.customer, &scene.job, 5), rate(&scene.customer, &scene.job, 1)]).await;
    assert_eq!(statuses(both), [201, 409]);
    rate(&scene.mechanic.client, &scene.job, 5).await.expect(201);
    assert_eq!(average(&scene).await.1, 1);
}

#[actix_web::test]
async fn only_finished_work_is_rated_and_only_for_a_week() {
    let (app, scene) = spawn_accepted().await;
    rate(&scene.customer, &scene.job, 5).await.refused(409, "INVALID_TRANSITION");
    scene.serve().await;
    let job = scene.job.parse::<Uuid>().unwrap();
    for (status, expected) in [("disputed", 409), ("cancelled", 409), ("paid", 201)] {
        set_job_status(&app.database.db, job, status).await;
        rate(&scene.customer, &scene.job, 5).await.expect(expected);
    }
    let week = 7 * 24 * 3600;
    app.pass_since_end(&scene.job, week + 1).await;
    rate(&scene.mechanic.client, &scene.job, 5).await.refused(409, "CONFLICT");
    let seen = scene.mechanic.client.get(&scene.path("/ratings")).await.expect(200);
    assert_eq!(seen["is_revealed"], true, "nobody may any more");
    assert_eq!(seen["by_customer"]["score"], 5, "nobody may any more");
    let listed = format!("/mechanics/{}/ratings", scene.mechanic.profile_id);
    assert_eq!(scene.customer.get(&listed).await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn after_a_dispute_the_time_to_rate_starts_again() {
    let (app, scene, admin) = spawn_completed().await;
    let reason = json!({"reason_code": "poor_work", "description": "Flat again", "evidence_urls": []});
    scene.customer.post(&scene.path("/dispute"), reason).await.expect(201);
    rate(&scene.customer, &scene.job, 2).await.refused(409, "INVALID_TRANSITION");
    let word = json!({"outcome": "mechanic", "note": "The work was sound"});
    admin.post(&format!("/admin/jobs/{}/resolve", scene.job), word).await.expect(200);
    app.change("update job_states set completed_at = completed_at - interval '20 days'", &[]).await;
    rate(&scene.customer, &scene.job, 2).await.expect(201);
}

#[actix_web::test]
async fn a_bad_rating_names_its_field_and_nobody_else_rates() {
    let (app, scene, admin) = spawn_completed().await;
    let path = scene.path("/rating");
    for (field, odd, named) in [
        ("score", json!(0), "score"),
        ("score", json!(6), "score"),
        ("score", json!(4.5), "score"),
        ("score", json!("5"), "score"),
        ("tags", json!(["nice"]), "tags[0]"),
        ("tags", json!(["polite", "slow_to_pay"]), "tags[1]"),
        ("tags", json!(vec!["polite"; 6]), "tags"),
        ("comment", json!(""), "comment"),
        ("comment", json!("x".repeat(1001)), "comment"),
        ("stars", json!(5), "stars"),
    ] {
        scene.customer.post(&path, set(&stars(5), field, odd)).await.refused_field(named);
    }
    let of_customers = set(&stars(5), "tags", json!(["on_time"]));
    scene.mechanic.client.post(&path, of_customers).await.refused_field("tags[0]");
    rate(&*app.customer().await, &scene.job, 5).await.refused(404, "NOT_FOUND");
    rate(&app.verified_mechanic(&admin).await.client, &scene.job, 5).await.refused(404, "NOT_FOUND");
    rate(&admin, &scene.job, 5).await.refused(403, "FORBIDDEN");
    assert_eq!(average(&scene).await, (0.0, 0));
    let longest = json!({"score": 5, "comment": "é".repeat(1000)});
    scene.customer.post(&path, longest).await.expect(201);
}

#[actix_web::test]
async fn a_hidden_rating_no_longer_counts_and_its_reason_is_kept() {
    let (app, scene, admin) = spawn_completed().await;
    let (other, job) = another(&app, &scene).await;
    let bad = rate(&scene.customer, &scene.job, 1).await.expect(201);
    rate(&scene.mechanic.client, &scene.job, 3).await.expect(201);
    rate(&other, &job, 4).await.expect(201);
    rate(&scene.mechanic.client, &job, 4).await.expect(201);
    assert_eq!(average(&scene).await, (2.5, 2));
    let listed = format!("/mechanics/{}/ratings", scene.mechanic.profile_id);
    assert_eq!(other.get(&listed).await.expect(200)["total"], 2);

    let path = format!("/admin/ratings/{}", id_of(&bad));
    admin.delete(&format!("{path}?reason=bored")).await.refused_field("reason");
    let both = join_all([admin.delete(&format!("{path}?reason=abusive")), admin.delete(&path)]).await;
    both.into_iter().for_each(|answer| drop(answer.expect(204)));
    assert_eq!(average(&scene).await, (4.0, 1), "taken out once");
    let shown = other.get(&listed).await.expect(200);
    assert_eq!((&shown["total"], &shown["data"][0]["score"]), (&json!(1), &json!(4)));
    let own = scene.customer.get(&scene.path("/ratings")).await.expect(200);
    assert_eq!((&own["by_customer"]["is_hidden"], &own["by_customer"]["score"]), (&json!(true), &json!(1)));
    let rated = scene.mechanic.client.get(&scene.path("/ratings")).await.expect(200);
    assert_eq!(rated["by_customer"], Value::Null);
    rate(&scene.customer, &scene.job, 5).await.refused(409, "ALREADY_RATED");

    let hidden = admin.get("/admin/ratings?is_hidden=true").await.expect(200);
    assert_eq!((&hidden["total"], &hidden["data"][0]["id"]), (&json!(1), &bad["id"]));
    let kept = hidden["data"][0]["hidden_reason"].as_str().expect("a reason");
    let audited: Vec<Value> =
        app.values("select after from audit_log where action = 'rating.hide'", &[]).await;
    assert_eq!(audited, [json!({"is_hidden": true, "score": 1, "reason": kept})], "audited once");
    let mechanic = &scene.mechanic.profile_id;
    for (query, total) in [
        (format!("job_id={job}"), 2),
        (format!("mechanic_profile_id={mechanic}&rater=customer"), 2),
        (format!("customer_id={}", other.user_id), 2),
        ("max_score=3".to_owned(), 2),
        ("is_hidden=false".to_owned(), 3),
    ] {
        assert_eq!(
            admin.get(&format!("/admin/ratings?{query}")).await.expect(200)["total"],
            total,
            "{query}"
        );
    }
    for (query, field) in [("max_score=0", "max_score"), ("job_id=x", "job_id"), ("rater=me", "rater")] {
        admin.get(&format!("/admin/ratings?{query}")).await.refused_field(field);
    }
}

/// Returns everything that the mechanic, and everybody else, can see of how often and how well the mechanic was rated.
async fn figures(app: &TestApp, scene: &Scene) -> [Value; 7] {
    let own = scene.mechanic.client.get("/mechanics/me").await.expect(200);
    let stats = scene.mechanic.client.get("/mechanics/me/stats").await.expect(200);
    let path = format!("/mechanics/{}", scene.mechanic.profile_id);
    let card = app.customer().await.get(&path).await.expect(200);
    let listed = scene.customer.get(&format!("{path}/ratings")).await.expect(200);
    [
        own["avg_rating"].clone(),
        own["total_ratings"].clone(),
        card["avg_rating"].clone(),
        card["total_ratings"].clone(),
        stats["avg_rating"].clone(),
        stats["ratings"].clone(),
        listed["total"].clone(),
    ]
}

/// Returns the figures if all of these views agree.
fn stood(average: f64, count: i64) -> [Value; 7] {
    let (score, count) = (json!(average), json!(count));
    let of_period = if count == 0 { Value::Null } else { score.clone() };
    [score.clone(), count.clone(), score, count.clone(), of_period, count.clone(), count]
}

#[actix_web::test]
async fn figures_include_a_rating_once_and_only_after_it_is_revealed() {
    let (app, scene, admin) = spawn_completed().await;
    let (second, job) = another(&app, &scene).await;
    let week = 7 * 24 * 3600;
    let count = async || {
        roadcall::sharing::ratings::count_revealed(&app.service.ratings, 100).await.expect("counted");
    };
    rate(&scene.customer, &scene.job, 2).await.expect(201);
    rate(&second, &job, 5).await.expect(201);
    count().await;
    assert_eq!(figures(&app, &scene).await, stood(0.0, 0));
    // The mechanic's own rating reveals one, and the end of the week the other.
    rate(&scene.mechanic.client, &job, 4).await.expect(201);
    assert_eq!(figures(&app, &scene).await, stood(5.0, 1));
    app.pass_since_end(&scene.job, week + 1).await;
    join_all([count(), count()]).await;
    assert_eq!(figures(&app, &scene).await, stood(3.5, 2), "two at once");
    app.pass_since_end(&job, week + 1).await;
    count().await;
    assert_eq!(figures(&app, &scene).await, stood(3.5, 2), "what counts already");
    let ratings = admin.get("/admin/ratings?rater=customer").await.expect(200);
    for rating in ratings["data"].as_array().expect("a list") {
        admin.delete(&format!("/admin/ratings/{}", id_of(rating))).await.expect(204);
    }
    count().await;
    assert_eq!(figures(&app, &scene).await, stood(0.0, 0), "what is hidden is taken out");
}

#[actix_web::test]
async fn a_rating_hidden_before_it_was_revealed_never_counts() {
    let (app, scene, admin) = spawn_completed().await;
    let (second, job) = another(&app, &scene).await;
    for (customer, job) in [(&*scene.customer, &scene.job), (&*second, &job)] {
        let bad = rate(customer, job, 1).await.expect(201);
        admin.delete(&format!("/admin/ratings/{}", id_of(&bad))).await.expect(204);
    }
    rate(&scene.mechanic.client, &scene.job, 4).await.expect(201);
    app.pass_since_end(&job, 7 * 24 * 3600 + 1).await;
    roadcall::sharing::ratings::count_revealed(&app.service.ratings, 100).await.expect("counted");
    assert_eq!(figures(&app, &scene).await, stood(0.0, 0));
}

#[actix_web::test]
async fn a_rating_outlives_its_authors_account_without_the_name() {
    let (_app, scene, _) = spawn_completed().await;
    rate(&scene.customer, &scene.job, 5).await.expect(201);
    rate(&scene.mechanic.client, &scene.job, 5).await.expect(201);
    scene.pay_cash().await;
    scene.customer.delete("/users/me").await.expect(204);
    let listed = format!("/mechanics/{}/ratings", scene.mechanic.profile_id);
    let shown = scene.mechanic.client.get(&listed).await.expect(200);
    assert_eq!((&shown["total"], &shown["data"][0]["first_name"]), (&json!(1), &Value::Null));
    assert_eq!(average(&scene).await, (5.0, 1));
}

#[actix_web::test]
async fn the_time_to_rate_is_configurable() {
    let app = spawn_app_with(|settings| settings.ratings.window_s = 60).await;
    let scene = completed(&app).await;
    app.pass_since_end(&scene.job, 61).await;
    rate(&scene.customer, &scene.job, 5).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn a_mechanics_figures_cover_the_period() {
    let app = spawn_app().await;
    let (admin, mut mechanic) = (app.admin().await, None);
    let mut last = None;
    // One job is declined, one released, one cancelled, one done and rated.
    for end in ["decline", "release", "cancel", "complete"] {
        let stranded = app.breakdown().await;
        let on_road = match &mut mechanic {
            Some(on_road) => on_road,
            none => none.insert(app.on_road(&admin).await),
        };
        let job = id_of(&stranded.call().await);
        let offer = on_road.offer().await;
        if end == "decline" {
            on_road.client.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);
            stranded.cancel(&job).await;
            continue;
        }
        on_road.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
        match end {
            "release" => {
                on_road.tell(&job, "release", json!({"reason_code": "vehicle_trouble"})).await;
                stranded.cancel(&job).await;
            }
            "cancel" => drop(stranded.cancel(&job).await),
            _ => {
                on_road.drive_and_start(&stranded.client, &job).await;
                on_road.tell(&job, "complete", json!({"outcome": "fixed"})).await;
                rate(&stranded.client, &job, 4).await.expect(201);
                rate(&on_road.client, &job, 5).await.expect(201);
                last = Some((stranded, job));
            }
        }
    }
    let on_road = mechanic.expect("a mechanic");
    let stats = on_road.client.get("/mechanics/me/stats").await.expect(200);
    for (field, value) in [
        ("offers_received", json!(4)),
        ("offers_accepted", json!(3)),
        ("offers_declined", json!(1)),
        ("offers_expired", json!(0)),
        ("acceptance_rate", json!(0.75)),
        ("jobs_completed", json!(1)),
        ("jobs_cancelled", json!(1)),
        ("jobs_released", json!(1)),
        ("avg_rating", json!(4.0)),
        ("ratings", json!(1)),
        ("gross", json!(0.0)),
        ("earnings", json!(0.0)),
    ] {
        assert_eq!(stats[field], value, "{field} in {stats}");
    }
    let (stranded, job) = last.expect("the job that was done");
    let order = json!({"job_id": job, "method": "cash"});
    let order = stranded.client.post("/payments/orders", order).await.expect(201);
    let confirm = format!("/payments/{}/cash-confirm", order["payment_id"].as_str().expect("an id"));
    for person in [&stranded.client, &on_road.client] {
        person.post(&confirm, json!({"amount": order["amount"]})).await.expect(200);
    }
    let stats = on_road.client.get("/mechanics/me/stats").await.expect(200);
    assert_eq!((&stats["gross"], &stats["commission"]), (&json!(299.0), &json!(44.85)));
    assert_eq!(stats["earnings"], json!(254.15), "less commission");
    let by_day = on_road.client.get("/mechanics/me/stats?step_s=86400").await.expect(200);
    let steps = by_day["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 30);
    let last = steps.last().expect("a step");
    assert_eq!((&last["jobs"], &last["earnings"]), (&json!(1), &json!(254.15)));
    assert!(steps[..29].iter().all(|step| step["earnings"] == 0.0), "{by_day}");
    assert_eq!(stats["steps"], json!([]), "only if they are asked for");
    let before = "/mechanics/me/stats?from=2020-01-01T00:00:00Z&to=2020-12-31T00:00:00Z";
    let stats = on_road.client.get(before).await.expect(200);
    assert_eq!((&stats["offers_received"], &stats["acceptance_rate"]), (&json!(0), &Value::Null));
    for (query, field) in [
        ("from=yesterday", "from"),
        ("from=2020-01-01T00:00:00Z", "from"),
        ("to=2020-01-01", "to"),
        ("since=1", "since"),
        ("step_s=60", "step_s"),
        ("step_s=3600", "step_s"),
    ] {
        on_road.client.get(&format!("/mechanics/me/stats?{query}")).await.refused_field(field);
    }
}

#[actix_web::test]
async fn a_step_counts_its_jobs_and_adds_up_the_earnings_of_jobs_and_fees() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await;
    let created_at: DateTime<Utc> = "2026-01-06T12:00:00Z".parse().unwrap();
    let earn = async |gross_paise| {
        let earning = Earning { created_at, ..Earning::of(&mechanic.profile_id, gross_paise) };
        insert_earning(&app.database.db, earning).await.id
    };
    earn(10_000).await;
    let fee = earn(5_000).await;
    app.change("update earnings set kind = 'fee' where id = $1::uuid", &[&fee.to_string()]).await;
    let day = "from=2026-01-06T00:00:00Z&to=2026-01-07T00:00:00Z&step_s=86400";
    let stats = mechanic.client.get(&format!("/mechanics/me/stats?{day}")).await.expect(200);
    let step = &stats["steps"][0];
    // This is 85 % of both.
    assert_eq!((&step["jobs"], &step["earnings"]), (&json!(1), &json!(127.5)), "{stats}");
}

#[actix_web::test]
async fn figures_wallet_and_ledger_agree_after_each_of_several_refunds() {
    let app = spawn_app_with(|settings| settings.money.tax_bps = 1_800).await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let id = app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    // These are amounts whose shares are not whole paise, and then the rest.
    for (amount, refunded) in [(33.33, 33.33), (0.01, 33.34), (100.01, 133.35), (165.65, 299.0)] {
        let refund = json!({"amount": amount, "reason": "flat again"});
        admin.post(&format!("/payments/{id}/refunds"), refund).await.expect(201);
        until_payment(&scene.customer, &id, "refunded_amount", json!(refunded)).await;
        let stats = scene.mechanic.client.get("/mechanics/me/stats?step_s=86400").await.expect(200);
        assert_eq!((&stats["gross"], &stats["refunds"]), (&json!(299.0), &json!(refunded)), "{stats}");
        let balances = app.balances(&scene.mechanic.profile_id).await;
        let booked = balances.available_paise + balances.held_paise - balances.owed_paise;
        let paise = |amount: &Value| (amount.as_f64().expect("an amount") * 100.0).round() as i64;
        assert_eq!(paise(&stats["earnings"]), booked, "{stats} {balances:?}");
        let steps = stats["steps"].as_array().expect("steps");
        assert_eq!(paise(&steps.last().expect("a step")["earnings"]), booked, "{stats}");
        let wallet = scene.mechanic.client.get("/wallet").await.expect(200);
        assert_eq!(paise(&wallet["available"]) + paise(&wallet["held"]), booked, "{wallet}");
    }
    let payment = until_payment(&scene.customer, &id, "status", json!("refunded")).await;
    assert_eq!(payment["amount"], payment["refunded_amount"]);
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_card_shows_work_and_ratings_but_not_how_to_reach_the_mechanic() {
    let (_app, scene, _) = spawn_completed().await;
    let avatar = "https://files.example/ravi.jpg";
    let body = json!({"name": "Ravi Kumar", "avatar_url": avatar});
    scene.mechanic.client.patch("/users/me", body).await.expect(200);
    rate(&scene.customer, &scene.job, 3).await.expect(201);
    rate(&scene.mechanic.client, &scene.job, 3).await.expect(201);
    let card = scene.customer.get(&format!("/mechanics/{}", scene.mechanic.profile_id)).await.expect(200);
    assert_eq!((&card["first_name"], &card["avatar_url"]), (&json!("Ravi"), &json!(avatar)));
    assert_eq!(card["avg_rating"], 3.0);
    assert_eq!(card["total_ratings"], 1);
    assert_eq!(card["total_jobs"], 1);
    assert!(card["service_category_ids"].as_array().expect("a list").contains(&json!(FLAT_TYRE)));
    assert!(!card.to_string().contains(&scene.mechanic.client.phone), "{card}");
}
