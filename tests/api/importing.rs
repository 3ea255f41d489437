//! `roadcall import` as people run it: the real program beside a server.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    cli::Place,
    support::{TestApp, spawn_app, until, within},
};

/// A server, and a folder for files.
struct Lists {
    app: TestApp,
    place: Place,
    folder: PathBuf,
}

impl Lists {
    async fn new() -> Self {
        let app = spawn_app().await;
        let folder = app.data_dir.join("lists");
        fs::create_dir_all(&folder).unwrap();
        Self { app, place: Place::new().await, folder }
    }

    /// Runs the import on the server's database; returns whether it ended well, its output, and its error messages.
    async fn import(&self, kind: &str, text: &str, more: &[&str]) -> (bool, String, String) {
        let file = self.folder.join("list.csv");
        fs::write(&file, text).unwrap();
        let arguments = [&["import", kind, file.to_str().unwrap()], more].concat();
        let mut command = self.place.command(&arguments);
        let settings = self.app.database.settings();
        command.env("DATABASE_URL", settings.server().unwrap());
        command.env("ROADCALL__DATABASE__OWNER_URL", settings.owner().unwrap());
        let output = within("the program ends", command.output()).await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    /// Returns the numbers of people, mechanics and vehicles.
    async fn counts(&self) -> (i64, i64, i64) {
        let rows = "select (select count(*) from users where role = 'customer'),
            (select count(*) from mechanic_profiles), (select count(*) from vehicles)";
        self.app.row(rows, &[]).await
    }

    /// Returns how many rows of accounts and of mechanics Postgres read by scanning a whole table, once its count shows so many
    /// new rows of each.
    async fn read_in_whole_tables(&self, written: i64) -> i64 {
        let counted = "select min(n_tup_ins), sum(seq_tup_read)::bigint from pg_stat_user_tables
            where relname in ('users', 'mechanic_profiles')";
        until("the import's connection has ended", async || {
            let (ins, read): (i64, i64) = self.app.row(counted, &[]).await;
            (ins >= written).then_some(read)
        })
        .await
    }

    /// Returns the numbers of accounts and mechanics, and the numbers that Postgres plans for.
    async fn planned_for(&self) -> ((i64, i64), (i64, i64)) {
        let there = "select (select count(*) from users), (select count(*) from mechanic_profiles)";
        let planned = "select (select reltuples::bigint from pg_class where oid = 'users'::regclass),
            (select reltuples::bigint from pg_class where oid = 'mechanic_profiles'::regclass)";
        let db = &self.app.database.db;
        let there = sqlx::query_as(there).fetch_one(db).await.unwrap();
        (there, sqlx::query_as(planned).fetch_one(db).await.unwrap())
    }

    async fn all(&self, list: &str) -> Vec<Value> {
        let admin = self.app.admin().await;
        admin.get(list).await.expect(200)["data"].as_array().unwrap().clone()
    }
}

const MECHANICS: &str = "phone,name,vehicle_types,service_categories,service_radius_km
+91 98765 40001,Ravi Kumar,two_wheeler;four_wheeler,flat-tyre,7.5
98765-40002,Suresh Babu,two_wheeler,flat-tyre; battery-jump-start,
";

const VEHICLES: &str = "phone,name,vehicle_type,make,model,registration_number,year,fuel_type,color
+919876540003,Asha Rao,two_wheeler,Hero,Splendor,ka-01 ab 1234,2021,petrol,black
+919876540003,Asha Rao,four_wheeler,Tata,Nexon,KA05MN9876,,electric,
";

#[actix_web::test]
async fn imported_mechanics_wait_for_verification_and_a_second_import_changes_nothing() {
    let lists = Lists::new().await;
    let (ended_well, said, complaint) = lists.import("mechanics", MECHANICS, &[]).await;
    assert!(ended_well, "{complaint}");
    assert_eq!(said, "2 mechanics added, 0 were there already, 0 bad lines left out\n");
    let waiting = lists.all("/admin/mechanics?status=pending_verification").await;
    assert_eq!(waiting.len(), 2, "{waiting:#?}");
    let ravi = waiting.iter().find(|row| row["phone"] == "+919876540001").expect("Ravi");
    assert_eq!((&ravi["name"], &ravi["service_radius_km"]), (&json!("Ravi Kumar"), &json!(7)));
    assert_eq!(ravi["vehicle_types"], json!(["two_wheeler", "four_wheeler"]));
    let suresh =
        waiting.iter().find(|row| row["phone"] == "+919876540002").expect("a number without its country");
    assert_eq!(suresh["service_radius_km"], 10);

    let before = lists.counts().await;
    let (ended_well, said, _) = lists.import("mechanics", MECHANICS, &[]).await;
    assert!(ended_well);
    assert_eq!(said, "0 mechanics added, 2 were there already, 0 bad lines left out\n");
    assert_eq!(lists.counts().await, before);
    let log = lists.all("/admin/audit-log?action=mechanics.import").await;
    assert_eq!(log.len(), 1, "what changes nothing leaves no entry: {log:#?}");
    assert_eq!((&log[0]["actor_id"], &log[0]["after"]["added"]), (&Value::Null, &json!(2)));
    // They sign in like everybody, and find their profile.
    let person = lists.app.sign_in("+919876540001").await;
    assert_eq!(person.get("/mechanics/me").await.expect(200)["status"], "pending_verification");
}

#[actix_web::test]
async fn imported_vehicles_belong_to_their_owners() {
    let lists = Lists::new().await;
    let (ended_well, said, complaint) = lists.import("vehicles", VEHICLES, &[]).await;
    assert!(ended_well, "{complaint}");
    assert!(said.starts_with("2 vehicles added"), "{said}");
    let owner = lists.app.sign_in("+919876540003").await;
    let vehicles = owner.get("/vehicles").await.expect(200);
    assert_eq!(vehicles["data"].as_array().unwrap().len(), 2);
    let scooter = &vehicles["data"][0];
    assert_eq!(scooter["registration_number"], "KA01AB1234");
    assert_eq!(scooter["is_default"], true);
    assert_eq!((&scooter["year"], &scooter["fuel_type"]), (&json!(2021), &json!("petrol")));
    let before = lists.counts().await;
    let (_, said, _) = lists.import("vehicles", VEHICLES, &[]).await;
    assert!(said.starts_with("0 vehicles added, 2 were there already"), "{said}");
    assert_eq!(lists.counts().await, before);
}

#[actix_web::test]
async fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let lists = Lists::new().await;
    let before = lists.counts().await;
    let (ended_well, said, _) = lists.import("mechanics", MECHANICS, &["--dry-run"]).await;
    assert!(ended_well);
    assert_eq!(said, "2 mechanics would be added, 0 are there already, 0 lines are bad\n");
    assert_eq!(lists.counts().await, before);
}

#[actix_web::test]
async fn an_import_after_a_dry_run_costs_no_more_per_line_than_the_first_line() {
    const LINES: i64 = 400;
    let mut lists = Lists::new().await;
    // Postgres would count the server's reads, too.
    lists.app.stop().await;
    let mut text = "phone,name,vehicle_types,service_categories\n".to_owned();
    for line in 0..LINES {
        text.push_str(&format!("+91987654{line:04},Ravi Kumar,two_wheeler,flat-tyre\n"));
    }
    let (ended_well, said, complaint) = lists.import("mechanics", &text, &["--dry-run"]).await;
    assert!(ended_well, "{complaint}");
    assert!(said.starts_with(&format!("{LINES} mechanics would be added")), "{said}");
    let (there, planned) = lists.planned_for().await;
    assert_eq!(there, planned, "Postgres plans for rows that were taken back, or knows of none");

    // Postgres knows the tables as empty now: a plan for them reads them whole.
    let (ended_well, said, complaint) = lists.import("mechanics", &text, &[]).await;
    assert!(ended_well, "{complaint}");
    assert!(said.starts_with(&format!("{LINES} mechanics added")), "{said}");
    let read = lists.read_in_whole_tables(2 * LINES).await;
    assert!(read < 10 * LINES, "{read} rows were read for {LINES} lines");
    let (there, planned) = lists.planned_for().await;
    assert_eq!(there, planned, "the lists that are read next are planned for tables of another size");
}

#[actix_web::test]
async fn bad_lines_are_named_with_their_columns_and_the_file_is_not_imported() {
    let lists = Lists::new().await;
    let before = lists.counts().await;
    let bad = format!(
        "{MECHANICS}12,X,two_wheeler,flat-tyre,\n\
        +919876540004,,hovercraft,flat-tyre,900\n\
        +919876540005,,two_wheeler,no-such-help,\n\
        +919876540001,,two_wheeler,flat-tyre,\n"
    );
    let (ended_well, said, complaint) = lists.import("mechanics", &bad, &[]).await;
    assert!(!ended_well);
    assert_eq!(said, "");
    for part in [
        "line 4, phone: must be a phone number",
        "line 5, service_radius_km: must be 1 to 100",
        "line 5, vehicle_types: ",
        "line 6, service_categories: must be some of ",
        "line 7, phone: is on line 2 already",
        "4 lines are bad: nothing was written",
    ] {
        assert!(complaint.contains(part), "{part}: {complaint}");
    }
    assert!(!complaint.contains("4000"), "no number of the file is printed: {complaint}");
    assert_eq!(lists.counts().await, before);

    let (ended_well, said, _) = lists.import("mechanics", &bad, &["--skip-bad"]).await;
    assert!(ended_well);
    assert_eq!(said, "2 mechanics added, 0 were there already, 4 bad lines left out\n");
    assert_eq!(lists.counts().await, (before.0 + 2, before.1 + 2, before.2));
}

#[actix_web::test]
async fn faults_that_only_the_database_finds_are_named_too() {
    let lists = Lists::new().await;
    let admin = lists.app.admin().await;
    let user = admin.post("/admin/users", json!({"phone": "+919876540006"})).await.expect(201);
    let path = format!("/admin/users/{}/suspend", user["id"].as_str().unwrap());
    admin.post(&path, json!({"reason": "Repeated false calls"})).await.expect(200);
    let before = lists.counts().await;
    let line = "+919876540006,,two_wheeler,flat-tyre,\n";
    let (ended_well, _, complaint) = lists.import("mechanics", &format!("{MECHANICS}{line}"), &[]).await;
    assert!(!ended_well);
    assert!(complaint.contains("line 4: This account is suspended."), "{complaint}");
    let year = "phone,vehicle_type,make,model,registration_number,year\n+919876540007,two_wheeler,Hero,X,KA01AA1,2199\n";
    let (_, _, complaint) = lists.import("vehicles", year, &[]).await;
    assert!(complaint.contains("line 2, year: must be at most"), "{complaint}");
    assert_eq!(lists.counts().await, before);
}

#[actix_web::test]
async fn files_of_another_format_are_refused() {
    let lists = Lists::new().await;
    for (text, named) in [
        ("", "phone is missing"),
        ("phone,vehicle_types\n", "service_categories is missing"),
        ("phone,vehicle_types,service_categories,shoe_size\n", "column 4"),
        ("phone,vehicle_types,service_categories\n1\n", "line 2: has more or fewer cells"),
    ] {
        let (ended_well, _, complaint) = lists.import("mechanics", text, &[]).await;
        assert!(!ended_well && complaint.contains(named), "{text:?}: {complaint}");
    }
}
