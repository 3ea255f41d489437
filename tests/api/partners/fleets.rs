//! The vehicles of an organisation.

use serde_json::{Value, json};

use crate::support::{
    bodies::{id_of, set},
    cases::{Contracted, new_case},
    partners::Agent,
    roadside::PICKUP,
    spawn_app,
};

#[actix_web::test]
async fn a_spreadsheet_adds_what_is_new_and_says_what_became_of_each_line() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let csv = "vehicle_type,registration_number,make,model,year\n\
        four_wheeler,KA 05 MX 1234,Tata,Nexon,2021\n\
        four_wheeler,KA05MX1234,Tata,Nexon,2021\n\
        boat,KA05MX1235,Tata,Nexon,2021\n\
        four_wheeler,KA05MX1236,Tata,Nexon,2199\n\
        two_wheeler,KA05MX1237,,,\n";
    let import = async |csv: &str| {
        club.program.post("/partner/vehicles/import", json!({ "csv": csv })).await.expect(200)
    };
    let first = import(csv).await;
    let results: Vec<&Value> =
        first["lines"].as_array().expect("lines").iter().map(|line| &line["result"]).collect();
    assert_eq!(results, ["added", "known", "refused", "refused", "added"]);
    assert_eq!((&first["added"], &first["known"], &first["refused"]), (&json!(2), &json!(1), &json!(2)));
    assert_eq!(first["lines"][0]["vehicle_id"], first["lines"][1]["vehicle_id"]);
    assert_eq!(first["lines"][3]["line"], 5);
    let again = import(csv).await;
    assert_eq!((&again["added"], &again["known"]), (&json!(0), &json!(3)));
    let listed = club.program.get("/partner/vehicles").await.expect(200);
    assert_eq!(
        (&listed["total"], &listed["data"][0]["registration_number"]),
        (&json!(2), &json!("KA05MX1234"))
    );
    let odd = json!({"csv": "registration_number\nKA05MX1234\n"});
    club.program.post("/partner/vehicles/import", odd).await.refused_field("csv");
}

#[actix_web::test]
async fn an_organisation_has_any_number_of_vehicles_and_none_twice() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let lines: Vec<String> =
        (0..120).map(|number| format!("four_wheeler,KA06{:04}", 1_000 + number)).collect();
    let csv = format!("vehicle_type,registration_number\n{}\n", lines.join("\n"));
    let sheet = club.program.post("/partner/vehicles/import", json!({ "csv": csv })).await.expect(200);
    assert_eq!(sheet["added"], 120);
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": "KA07AB1234"});
    let made = club.program.post_once("/partner/vehicles", &vehicle, "one").await.expect(201);
    assert_eq!(club.program.post_once("/partner/vehicles", &vehicle, "one").await.expect(201), made);
    assert_eq!(made["is_default"], false);
    club.program.post("/partner/vehicles", vehicle).await.refused(409, "CONFLICT");

    let by_id =
        set(&new_case("roadside", PICKUP), "vehicle", json!({"id": id_of(&made), "odometer_km": 1200}));
    let case = club.program.post("/partner/cases", by_id).await.expect(201);
    assert_eq!(case["vehicle"]["registration_number"], "KA07AB1234");
    let other = Contracted::new(&app).await;
    let theirs = set(&new_case("roadside", PICKUP), "vehicle", json!({"id": id_of(&made)}));
    other.program.post("/partner/cases", theirs).await.refused_field("vehicle.id");
}

#[actix_web::test]
async fn an_agency_sees_the_vehicles_of_its_own_cases_and_has_its_own_keys_of_repeats() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    club.case().await;
    let agency = app.partner(&club.admin).await;
    let agent = Agent::new(&agency, &club.partner, &["read", "cases"]).await;
    assert_eq!(agent.get("/partner/vehicles").await.expect(200)["total"], 0);
    let body = new_case("roadside", club.place());
    let case = agent.post("/partner/cases", &body).await.expect(201);
    let listed = agent.get("/partner/vehicles").await.expect(200);
    assert_eq!(listed["total"], 1);
    assert_eq!(listed["data"][0]["registration_number"], case["vehicle"]["registration_number"]);
    assert_eq!(club.program.get("/partner/vehicles").await.expect(200)["total"], 2);

    let vehicle = |plate: &str| json!({"vehicle_type": "two_wheeler", "registration_number": plate});
    let (first, second) = (vehicle("KA07AB1234"), vehicle("KA07AB1235"));
    let added = club.program.post_once("/partner/vehicles", &first, "one").await.expect(201);
    let other = agent.post_once("/partner/vehicles", &second, "one").await.expect(201);
    assert_ne!(id_of(&added), id_of(&other));
    assert_eq!(agent.post_once("/partner/vehicles", &second, "one").await.expect(201), other);
    agent.post_once("/partner/vehicles", &first, "one").await.refused(422, "IDEMPOTENCY_KEY_REUSED");
}
