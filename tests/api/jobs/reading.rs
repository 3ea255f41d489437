use serde_json::{Value, json};

use crate::support::{
    AssertFields,
    bodies::{id_of, set},
    money::{Earning, insert_earning},
    spawn_accepted, spawn_on_road, spawn_with_admin,
};

fn ids(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn the_list_shows_own_jobs_newest_first_by_status_role_and_page() {
    let (app, _, mut mechanic, stranded) = spawn_on_road().await;
    let served = app.taken(&stranded, &mut mechanic).await;
    stranded.cancel(&served).await;
    let open = id_of(&stranded.call().await);
    let list = async |query: &str| stranded.client.get(&format!("/jobs{query}")).await.expect(200);

    let all = list("").await;
    assert_eq!(ids(&all), [&open, &served]);
    assert_eq!((&all["page"], &all["limit"], &all["total"]), (&json!(1), &json!(20), &json!(2)));
    assert_eq!(ids(&list("?status=cancelled").await), [&served]);
    assert_eq!(ids(&list("?status=cancelled,dispatching,pending").await), [&open, &served]);
    assert_eq!(ids(&list("?limit=1&page=2").await), [&served]);
    assert_eq!(ids(&list("?page=9").await), Vec::<&str>::new());
    assert_eq!(list("?role=mechanic").await["total"], 0);
    // A cancelled job stays on the list of the mechanic who was on it.
    let served_by = mechanic.client.get("/jobs?role=mechanic").await.expect(200);
    assert_eq!(ids(&served_by), [&served]);
    assert_eq!(mechanic.client.get("/jobs?role=customer").await.expect(200)["total"], 0);
    assert_eq!(app.customer().await.get("/jobs").await.expect(200)["total"], 0);

    for (query, field) in [
        ("?status=open", "status"),
        ("?role=admin", "role"),
        ("?page=0", "page"),
        ("?limit=101", "limit"),
        ("?limit=x", "limit"),
        ("?odd=1", "odd"),
    ] {
        stranded.client.get(&format!("/jobs{query}")).await.refused_field(field);
    }
}

#[actix_web::test]
async fn a_customer_who_is_also_a_mechanic_reads_one_list_page_by_page() {
    let (app, scene) = spawn_accepted().await;
    scene.serve().await;
    scene.pay_cash().await;
    // The mechanic was helped, too, and paid for it.
    let helped = insert_earning(&app.database.db, Earning::of(&scene.mechanic.profile_id, 10_000)).await;
    let (own, paid) = (helped.job_id.to_string(), helped.payment_id.to_string());
    let list = async |query: &str| scene.mechanic.client.get(query).await.expect(200);

    let all = list("/jobs").await;
    assert_eq!((ids(&all), &all["total"]), (vec![own.as_str(), scene.job.as_str()], &json!(2)));
    let second = list("/jobs?limit=1&page=2").await;
    assert_eq!((ids(&second), &second["total"]), (vec![scene.job.as_str()], &json!(2)));
    assert_eq!(ids(&list("/jobs?role=customer").await), [&own]);
    assert_eq!(ids(&list("/jobs?role=mechanic").await), [&scene.job]);

    let all = list("/payments").await;
    assert_eq!((ids(&all)[0], ids(&all).len(), &all["total"]), (paid.as_str(), 2, &json!(2)));
    assert_eq!(ids(&list("/payments?limit=1&page=2").await), ids(&all)[1..]);
    let of_job = list(&format!("/payments?job_id={}", scene.job)).await;
    assert_eq!((ids(&of_job), &of_job["total"]), (ids(&all)[1..].to_vec(), &json!(1)));
    assert_eq!(scene.customer.get("/payments").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn a_mechanic_sees_neither_the_start_code_nor_the_beneficiarys_phone() {
    let (_app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let call = set(&stranded.call_body(), "beneficiary_phone", json!("+919812345678"));
    let call = set(&call, "beneficiary_name", json!("Meera"));
    let job = id_of(&stranded.client.post("/jobs", call).await.expect(201));
    mechanic.accept().await;
    let own = stranded.job(&job).await;
    assert_eq!(own["beneficiary_phone"], "+919812345678");
    assert!(own["start_code"].is_string());
    let path = format!("/jobs/{job}");
    let seen = mechanic.client.get(&path).await.expect(200);
    seen.assert_fields(json!({"beneficiary_phone": null, "start_code": null, "beneficiary_name": "Meera"}));
    assert_eq!(admin.get(&path).await.expect(200)["start_code"], Value::Null);
    let pushed = mechanic.socket.until_status("accepted").await;
    pushed.assert_fields(json!({"data/beneficiary_phone": null, "data/start_code": null}));
}

#[actix_web::test]
async fn a_mechanics_timeline_begins_with_its_own_assignment() {
    let (app, admin, mut first, stranded) = spawn_on_road().await;
    let job = app.taken(&stranded, &mut first).await;
    first.tell(&job, "release", json!({"reason_code": "personal"})).await;
    let mut second = app.on_road(&admin).await;
    second.accept().await;
    let path = format!("/jobs/{job}/timeline");
    assert_eq!(second.client.column(&path, "event").await, ["accepted"]);
    let whole = stranded.client.column(&path, "event").await;
    assert_eq!(whole, ["created", "dispatching", "accepted", "released", "accepted"]);
}

#[actix_web::test]
async fn admins_see_everybodys_jobs() {
    let (app, admin) = spawn_with_admin().await;
    let (one, two) = (app.breakdown().await, app.breakdown().await);
    let (first, second) = (id_of(&one.call().await), id_of(&two.call().await));
    let all = admin.get("/admin/jobs").await.expect(200);
    assert_eq!(ids(&all), [&second, &first]);
    admin.get("/admin/jobs?status=nothing").await.refused_field("status");
    let shown = admin.get(&format!("/admin/jobs/{first}")).await.expect(200);
    assert_eq!(shown["customer_id"], one.client.user_id.as_str());
    one.client.get("/admin/jobs").await.refused(403, "FORBIDDEN");
    admin.get("/jobs").await.refused(403, "FORBIDDEN");
}
