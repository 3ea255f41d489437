//! Tests what admins see of people in lists, how they find them, and what the audit log keeps of this.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{
    Person,
    bodies::id_of,
    money::{Earning, insert_earning, insert_refund, insert_settlement},
    spawn_accepted, spawn_app, spawn_with_admin, spawn_with_breakdown,
};

async fn found(admin: &Person, list: &str, q: &str) -> Vec<String> {
    let page = admin.get(&format!("/admin/{list}?q={q}")).await.expect(200);
    page["data"].as_array().expect("a list").iter().map(id_of).collect()
}

async fn named(person: &Person, name: &str) {
    person.patch("/users/me", json!({ "name": name })).await.expect(200);
}

#[actix_web::test]
async fn lists_name_the_people_and_how_to_reach_them() {
    let (app, scene) = spawn_accepted().await;
    named(&scene.customer, "Meena Iyer").await;
    named(&scene.mechanic.client, "Ravi Kumar").await;
    scene.serve().await;
    let why = json!({"reason_code": "poor_work", "description": "It is flat again", "evidence_urls": []});
    scene.customer.post(&scene.path("/dispute"), why).await.expect(201);
    let (pool, profile) = (&app.database.db, &scene.mechanic.profile_id);
    let earned = insert_earning(pool, Earning::of(profile, 10_000)).await;
    insert_refund(pool, earned.payment_id).await;
    insert_settlement(pool, profile).await;
    let admin = app.admin().await;

    let of_customer = |item: &Value, person: &Person, name: &str| {
        assert_eq!(
            (&item["customer_name"], &item["customer_phone"]),
            (&json!(name), &json!(person.phone)),
            "{item}"
        );
    };
    let of_mechanic = |item: &Value| {
        let expected = (&json!("Ravi Kumar"), &json!(scene.mechanic.client.phone));
        assert_eq!((&item["mechanic_name"], &item["mechanic_phone"]), expected, "{item}");
    };
    let first = async |list: &str| admin.get(&format!("/admin/{list}")).await.expect(200)["data"][0].take();
    let job = admin.get(&format!("/admin/jobs/{}", scene.job)).await.expect(200);
    for item in [&job, &first("jobs?status=disputed").await, &first("disputes").await] {
        of_customer(item, &scene.customer, "Meena Iyer");
        of_mechanic(item);
    }
    // The mechanic pays for a vehicle of their own here.
    for item in [first("payments").await, first("refunds").await] {
        of_customer(&item, &scene.mechanic.client, "Ravi Kumar");
    }
    assert_eq!(first("refunds").await["channel"], "online");
    let of_person = async |person: &Person| {
        let page = admin.get(&format!("/admin/payments?customer_id={}", person.user_id)).await.expect(200);
        page["total"].clone()
    };
    assert_eq!(of_person(&scene.mechanic.client).await, json!(1));
    assert_eq!(of_person(&scene.customer).await, json!(0));
    of_mechanic(&first("settlements").await);
    // The job's own people see no more than before.
    let shown = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!((shown.get("customer_phone"), shown.get("mechanic_phone")), (None, None));
}

#[actix_web::test]
async fn jobs_are_found_by_their_people_and_by_the_vehicles_plate() {
    let (app, scene) = spawn_accepted().await;
    let other = app.breakdown().await;
    named(&scene.customer, "Meena Iyer").await;
    named(&scene.mechanic.client, "Ravi O'Neill").await;
    named(&other.client, "Kiran Das").await;
    let plate = json!({"registration_number": "MH 12-DE 4321"});
    other.client.patch(&format!("/vehicles/{}", other.vehicle_id), plate).await.expect(200);
    let of_other = id_of(&other.call().await);
    let admin = app.admin().await;

    let (phone, mechanic_phone) = (&scene.customer.phone[1..], &scene.mechanic.client.phone[3..]);
    let by_phone = format!("%2B91%20{}%20{}", &phone[2..7], &phone[7..]);
    for q in ["meena", "iyer%20mee", "O'Neill", "ka01ab1234", "KA-01%20AB", &by_phone, mechanic_phone] {
        assert_eq!(found(&admin, "jobs", q).await, std::slice::from_ref(&scene.job), "{q}");
    }
    for q in ["kiran", "mh%2012", "4321", "MH12DE4321"] {
        assert_eq!(found(&admin, "jobs", q).await, std::slice::from_ref(&of_other), "{q}");
    }
    for q in ["eena", "ka%25", "KA02AB", "98765432"] {
        assert_eq!(found(&admin, "jobs", q).await, Vec::<String>::new(), "{q}");
    }
    // The job keeps the plate that it shows, even if the vehicle changes.
    let repainted = json!({"registration_number": "MH 12-ZZ 9876"});
    other.client.patch(&format!("/vehicles/{}", other.vehicle_id), repainted).await.expect(200);
    assert_eq!(found(&admin, "jobs", "DE4321").await, std::slice::from_ref(&of_other));
    assert_eq!(found(&admin, "jobs", "ZZ9876").await, Vec::<String>::new());
    admin.post(&format!("/admin/jobs/{of_other}/cancel"), json!({"reason": "twice"})).await.expect(200);
    other.client.delete(&format!("/vehicles/{}", other.vehicle_id)).await.expect(204);
    assert_eq!(found(&admin, "jobs", "MH12DE").await, [of_other]);
}

#[actix_web::test]
async fn mechanics_are_found_by_name_and_number() {
    let (app, admin) = spawn_with_admin().await;
    let (one, other) = (app.verified_mechanic(&admin).await, app.registered_mechanic().await);
    named(&one.client, "Ravi Kumar").await;
    named(&other.client, "रवि दास").await;
    assert_eq!(found(&admin, "mechanics", "kumar").await, std::slice::from_ref(&one.profile_id));
    assert_eq!(
        found(&admin, "mechanics", "%E0%A4%B0%E0%A4%B5%E0%A4%BF").await,
        std::slice::from_ref(&other.profile_id)
    );
    assert_eq!(found(&admin, "mechanics", &one.client.phone[5..]).await, [one.profile_id]);
    let none = admin.get("/admin/mechanics?q=kumar&status=pending_verification").await.expect(200);
    assert_eq!((&none["total"], &none["data"]), (&json!(0), &json!([])));
    let long = format!("/admin/mechanics?q={}", "x".repeat(101));
    admin.get(&long).await.refused_field("q");
}

#[actix_web::test]
async fn far_too_long_words_stop_no_job() {
    let (app, stranded) = spawn_with_breakdown().await;
    let mut body = stranded.call_body();
    body["description"] = json!("ख".repeat(2_000));
    let job = id_of(&stranded.client.post("/jobs", body).await.expect(201));
    let admin = app.admin().await;
    assert_eq!(found(&admin, "jobs", &"%E0%A4%96".repeat(60)).await, [job]);
}

#[actix_web::test]
async fn reading_personal_data_in_a_list_is_audited_without_the_search_text() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    admin.get(&format!("/admin/users?role=customer&q={}", &customer.phone[5..])).await.expect(200);
    admin.get("/admin/users?role=nobody").await.refused_field("role");
    admin.get("/admin/webhook-events").await.expect(200);
    customer.get("/admin/users").await.refused(403, "FORBIDDEN");
    let trail = admin.get("/admin/audit-log?action=list.read").await.expect(200);
    assert_eq!(trail["total"], 1, "{trail}");
    let row = &trail["data"][0];
    assert_eq!((&row["object_type"], &row["actor_id"]), (&json!("users"), &json!(admin.user_id)));
    let after = json!({
        "list": "users", "filters": {"role": "customer", "q": "[hidden]"}, "rows": 1, "total": 1,
        "personal_data": ["name", "phone", "email", "avatar_url"],
    });
    assert_eq!(row["after"], after);
}

#[actix_web::test]
async fn people_are_found_by_the_plates_of_their_vehicles() {
    let app = spawn_app().await;
    let (admin, stranded, other) = (app.admin().await, app.breakdown().await, app.breakdown().await);
    let plate = json!({"registration_number": "MH 12-DE 4321"});
    let vehicle = format!("/vehicles/{}", other.vehicle_id);
    other.client.patch(&vehicle, plate).await.expect(200);
    for q in ["mh12de4321", "MH-12%20DE", "4321"] {
        assert_eq!(found(&admin, "users", q).await, std::slice::from_ref(&other.client.user_id), "{q}");
    }
    assert_eq!(found(&admin, "users", "KA01AB1234").await, std::slice::from_ref(&stranded.client.user_id));
    let page = admin.get("/admin/users?q=mh12&limit=1").await.expect(200);
    assert_eq!(page["total"], 1);
    other.client.delete(&vehicle).await.expect(204);
    assert_eq!(found(&admin, "users", "mh12de4321").await, Vec::<String>::new());
}

/// The number of rows that the next two tests write: more than a search looks at one by one, and counts.
const MANY: i32 = 2_500;

/// Returns the ids of a page of a list, and its total.
async fn page_of(admin: &Person, path: &str) -> (Vec<String>, i64) {
    let page = admin.get(path).await.expect(200);
    let ids = page["data"].as_array().expect("a list").iter().map(id_of).collect();
    (ids, page["total"].as_i64().expect("a total"))
}

#[actix_web::test]
async fn a_search_that_finds_very_many_jobs_lists_the_newest_and_counts_a_thousand() {
    let (app, stranded) = spawn_with_breakdown().await;
    let (admin, db) = (app.admin().await, &app.database.db);
    let mechanic = app.verified_mechanic(&admin).await;
    named(&stranded.client, "Crowd Customer").await;
    named(&mechanic.client, "Rarely Seen").await;
    let job = id_of(&stranded.call().await);
    admin.post(&format!("/admin/jobs/{job}/cancel"), json!({"reason": "a pattern"})).await.expect(200);
    // Copies of the job, a minute older each. Every other one has the mechanic, and few are at a garden.
    sqlx::query(
        "with copied as (
            insert into job_facts select (jsonb_populate_record(original, jsonb_build_object(
                'id', md5('copy' || n)::uuid, 'created_at', original.created_at - make_interval(mins => n),
                'pickup_address', 'Lane-' || n || case when n % 100 = 0 then ' Garden' else '' end))).*
            from job_facts original, generate_series(1, $2) n
            where original.id = $1::uuid
            returning id, created_at)
        insert into job_states select (jsonb_populate_record(original, jsonb_build_object(
            'id', copied.id, 'created_at', copied.created_at, 'mechanic_profile_id',
            case when extract(minute from copied.created_at)::integer % 2 = 0 then $3 end))).*
        from job_states original, copied
        where original.id = $1::uuid",
    )
    .bind(&job)
    .bind(MANY)
    .bind(&mechanic.profile_id)
    .execute(db)
    .await
    .expect("copies");
    sqlx::query(
        "insert into users (id, name, created_at, updated_at)
        select gen_random_uuid(), 'Crowd ' || n, now(), now() from generate_series(1, 1100) n",
    )
    .execute(db)
    .await
    .expect("a crowd");
    let words = "search_words(pickup_address, description, beneficiary_name) @@ search_query";
    let with_mechanic = "id in (select id from job_states where mechanic_profile_id is not null)";
    for (q, condition, total) in [
        ("lane", format!("{words}('lane')"), 1_000),
        ("la", format!("{words}('la')"), 1_000),
        ("lane%2042", format!("{words}('lane 42')"), 0),
        ("garden", format!("{words}('garden')"), 25),
        ("rarely", with_mechanic.to_owned(), 1_000),
        ("crowd", "true".to_owned(), 1_000),
        ("no-such-lane", "false".to_owned(), 0),
    ] {
        let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(format!(
            "select id::text as found from job_facts where {condition} order by created_at desc, id desc"
        )))
        .fetch_all(db)
        .await
        .expect("a list");
        let total = if total == 0 { found.len() as i64 } else { total };
        for (page, limit) in [(1, 20), (2, 20), (1, 100), (55, 20)] {
            let path = format!("/admin/jobs?q={q}&page={page}&limit={limit}");
            let first = ((page - 1) * limit).min(found.len());
            let shown = &found[first..(first + limit).min(found.len())];
            // A page beyond the thousand counts itself.
            let total = total.max(if shown.is_empty() { 0 } else { (first + shown.len()) as i64 });
            assert_eq!(page_of(&admin, &path).await, (shown.to_vec(), total), "{path}");
        }
    }
    let file = admin.get("/admin/jobs?q=lane&format=csv").await;
    assert_eq!((file.status, file.header("x-total-rows")), (200, Some("2500")));
    assert_eq!(file.text.matches("Lane-").count(), MANY as usize, "a file has all of them");
}

#[actix_web::test]
async fn a_search_that_finds_very_many_people_lists_the_newest_and_counts_a_thousand() {
    let (app, admin) = spawn_with_admin().await;
    let db = &app.database.db;
    sqlx::query(
        "insert into users (id, name, email, created_at, updated_at)
        select gen_random_uuid(), 'Guest ' || n, case when n % 100 = 0 then 'sea@' || n || '.example.com' end,
            timestamptz '2026-01-01' + make_interval(secs => n / 7), timestamptz '2026-01-01'
        from generate_series(1, $1) n",
    )
    .bind(MANY)
    .execute(db)
    .await
    .expect("guests");
    for (q, total) in [("guest", 1_000), ("gu", 1_000), ("guest%2011", 111), ("sea", 25)] {
        let found: Vec<String> = sqlx::query_scalar(
            "select id::text as found from users
            where search_words(name, email) @@ search_query(replace($1, '%20', ' '))
            order by created_at desc, id desc",
        )
        .bind(q)
        .fetch_all(db)
        .await
        .expect("a list");
        for page in [1, 2, 55] {
            let path = format!("/admin/users?role=customer&q={q}&page={page}&limit=20");
            let first = ((page - 1) * 20).min(found.len());
            let shown = &found[first..(first + 20).min(found.len())];
            let total = total.max(if shown.is_empty() { 0 } else { (first + shown.len()) as i64 });
            assert_eq!(page_of(&admin, &path).await, (shown.to_vec(), total), "{path}");
        }
    }
}
