//! The drivers of an organisation.

use serde_json::{Value, json};

use crate::support::{
    bodies::{id_of, set, without},
    cases::{Contracted, new_case},
    partners::Agent,
    roadside::PICKUP,
    spawn_app,
};

fn new_driver(reference: &str) -> Value {
    json!({"reference": reference, "name": "Ravi Kumar", "phone": "98123 00042", "language": "hi",
        "registration_number": "KA 07 AB 1234"})
}

/// Returns a case that names a driver instead of a person and a vehicle.
fn case_of(driver: &str, place: (f64, f64)) -> Value {
    let body = without(&without(&new_case("roadside", place), "beneficiary"), "vehicle");
    set(&body, "driver_id", json!(driver))
}

#[actix_web::test]
async fn a_case_that_names_a_driver_helps_them_with_their_vehicle() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let program = &club.program;
    let driver = program.post_once("/partner/drivers", &new_driver("D-17"), "one").await.expect(201);
    assert_eq!(program.post_once("/partner/drivers", &new_driver("D-17"), "one").await.expect(201), driver);
    assert_eq!(
        (&driver["phone"], &driver["registration_number"]),
        (&json!("+919812300042"), &json!("KA07AB1234"))
    );
    program.post("/partner/drivers", new_driver("D-17")).await.refused(409, "CONFLICT");
    let by_driver = case_of(&id_of(&driver), club.place());
    program.post("/partner/cases", by_driver.clone()).await.refused_field("vehicle");

    let vehicle = json!({"vehicle_type": "two_wheeler", "registration_number": "KA07AB1234"});
    program.post("/partner/vehicles", vehicle).await.expect(201);
    let case = program.post("/partner/cases", by_driver.clone()).await.expect(201);
    let helped = json!({"name": "Ravi Kumar", "phone": "+919812300042", "language": "hi"});
    assert_eq!(
        (&case["helped_person"], &case["vehicle"]["registration_number"]),
        (&helped, &json!("KA07AB1234"))
    );

    let path = format!("/partner/drivers/{}", id_of(&driver));
    program.delete(&path).await.expect(204);
    program.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(program.get("/partner/drivers").await.expect(200)["data"], json!([]));
    let again = program.post("/partner/cases", by_driver).await.expect(200);
    assert_eq!((&again["id"], &again["helped_person"]), (&case["id"], &helped));
    let body = without(&new_case("roadside", club.place()), "beneficiary");
    let another = set(&body, "driver_id", driver["id"].clone());
    program.post("/partner/cases", another).await.refused_field("driver_id");
}

#[actix_web::test]
async fn a_case_names_either_a_person_or_a_driver_of_its_organisation() {
    let app = spawn_app().await;
    let (club, other) = (Contracted::new(&app).await, Contracted::new(&app).await);
    let driver = id_of(&club.program.post("/partner/drivers", new_driver("D-17")).await.expect(201));
    let body = new_case("roadside", PICKUP);
    for (why, case, field) in [
        ("both", set(&body, "driver_id", json!(driver)), "driver_id"),
        ("neither", without(&body, "beneficiary"), "beneficiary"),
        ("nobody's", set(&without(&body, "beneficiary"), "driver_id", json!(club.partner.id)), "driver_id"),
    ] {
        let answer = club.program.post("/partner/cases", case).await;
        assert_eq!(answer.status, 422, "{why}: {}", answer.text);
        answer.refused_field(field);
    }
    let theirs = set(&without(&body, "beneficiary"), "driver_id", json!(driver));
    other.program.post("/partner/cases", theirs.clone()).await.refused_field("driver_id");
    other.program.delete(&format!("/partner/drivers/{driver}")).await.refused(404, "NOT_FOUND");

    let agency = app.partner(&club.admin).await;
    let agent = Agent::new(&agency, &club.partner, &["read", "cases"]).await;
    agent.post("/partner/cases", &theirs).await.refused_field("driver_id");
    assert_eq!(agent.get("/partner/drivers").await.expect(200)["total"], 0);
    agent.post("/partner/drivers", &new_driver("D-17")).await.expect(201);
    assert_eq!(agent.get("/partner/drivers").await.expect(200)["total"], 1);
    assert_eq!(club.program.get("/partner/drivers").await.expect(200)["total"], 2);
}

#[actix_web::test]
async fn a_spreadsheet_of_drivers_adds_what_is_new_and_says_what_became_of_each_line() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let csv = "reference,name,phone,registration_number\n\
        1042,Asha Rao,98765 43210,KA05MX1234\n\
        1042,Asha Rao,+919876543210,\n\
        1043,Ravi Kumar,help,\n\
        1044,,+919812300042,\n\
        1045,Divya Shetty,+919812300043,\n";
    let import = async |csv: &str| club.program.post("/partner/drivers/import", json!({ "csv": csv })).await;
    let first = import(csv).await.expect(200);
    let lines = first["lines"].as_array().expect("lines");
    let results: Vec<&Value> = lines.iter().map(|line| &line["result"]).collect();
    assert_eq!(results, ["added", "known", "refused", "refused", "added"]);
    assert_eq!((&lines[0]["driver_id"], &lines[0]["vehicle_id"]), (&lines[1]["driver_id"], &Value::Null));
    assert_eq!(import(csv).await.expect(200)["known"], 3);
    let listed = club.program.get("/partner/drivers").await.expect(200);
    let shown = |at: usize| (&listed["data"][at]["reference"], &listed["data"][at]["phone"]);
    assert_eq!(shown(0), (&json!("1042"), &json!("+919876543210")));
    assert_eq!((shown(1).0, &listed["total"]), (&json!("1045"), &json!(2)));

    import("reference,name\n1046,Asha Rao\n").await.refused_field("csv");
    let long = "reference,name,phone\n".to_owned() + &"1,Asha Rao,+919876543210\n".repeat(501);
    import(&long).await.refused_field("csv");
    let reader = club.partner.program(&["read"]).await;
    reader.post("/partner/drivers/import", json!({ "csv": csv })).await.refused(403, "FORBIDDEN");
    reader.get("/partner/drivers").await.expect(200);
}

#[actix_web::test]
async fn a_fleet_that_is_full_takes_no_driver_and_no_part_of_a_spreadsheet() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let others = "insert into partner_drivers (id, organisation_id, made_by, reference, name, phone, language, created_at)
        select gen_random_uuid(), $1::uuid, $1::uuid, 'D-' || n, 'Ravi Kumar', '+919812300042', 'en', now()
        from generate_series(1, 19999) n";
    assert_eq!(app.change(others, &[&club.partner.id]).await, 19_999);
    let import = async |csv: &str| club.program.post("/partner/drivers/import", json!({ "csv": csv })).await;
    let two = "reference,name,phone\n1042,Asha Rao,+919876543210\n1043,Asha Rao,+919876543210\n";
    import(two).await.refused(409, "CONFLICT");
    club.program.post("/partner/drivers", new_driver("D-20000")).await.expect(201);
    club.program.post("/partner/drivers", new_driver("D-20001")).await.refused(409, "CONFLICT");
    let known = import("reference,name,phone\nD-20000,Ravi Kumar,+919812300042\n").await.expect(200);
    assert_eq!(known["known"], 1);
    assert_eq!(club.program.get("/partner/drivers").await.expect(200)["total"], 20_000);
}
