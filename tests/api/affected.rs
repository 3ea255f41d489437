//! `roadcall privacy affected` lists the people whose data an admin's account read or changed, and says what the audit log
//! can't know.

use std::{fs, os::unix::fs::PermissionsExt, process::Stdio};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::{
    privacy::{BENEFICIARY, lived},
    support::{Person, TestApp, bodies::id_of, spawn_app, within},
};

/// The output of the command.
struct Said {
    is_done: bool,
    /// The lines of the CSV, each by its columns.
    people: Vec<Value>,
    csv: String,
    notes: String,
}

impl Said {
    /// Returns the line of somebody with an account.
    fn of(&self, user_id: &str) -> Option<&Value> {
        self.people.iter().find(|person| person["account"] == user_id)
    }

    fn has(&self, user_id: &str) -> bool {
        self.of(user_id).is_some()
    }
}

async fn affected(app: &TestApp, arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
    command.args(["privacy", "affected"]).args(arguments).arg("--data-dir").arg(&app.data_dir);
    command.env("DATABASE_URL", app.database.url()).kill_on_drop(true).stdin(Stdio::null());
    let output = within("the list", command.output()).await.unwrap();
    let csv = String::from_utf8(output.stdout).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let person = |record: csv::Result<csv::StringRecord>| {
        let record = record.unwrap();
        let cells = columns.iter().cloned().zip(record.iter().map(|cell| json!(cell)));
        Value::Object(cells.collect())
    };
    let people = reader.records().map(person).collect();
    let notes = String::from_utf8(output.stderr).unwrap();
    Said { is_done: output.status.success(), people, csv, notes }
}

fn text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Returns an hour around now.
fn around(app: &TestApp) -> [String; 2] {
    let now = app.service.clock.now();
    [text(now - TimeDelta::minutes(30)), text(now + TimeDelta::minutes(30))]
}

async fn by(app: &TestApp, admin: &str) -> Said {
    let [from, to] = around(app);
    affected(app, &["--admin", admin, "--from", &from, "--to", &to]).await
}

async fn email_of(admin: &Person) -> String {
    admin.get("/users/me").await.expect(200)["email"].as_str().expect("an email").to_owned()
}

#[actix_web::test]
async fn a_read_of_a_job_lists_only_its_customer_mechanic_and_beneficiary() {
    let app = spawn_app().await;
    let (reader, idle) = (app.admin().await, app.admin().await);
    let life = lived(&app).await;
    let (customer, mechanic) = (&life.scene.customer, &life.scene.mechanic.client);
    // The job is too far away for the other mechanics to get its offer.
    let bystander = app.accepted_at((12.2958, 76.6394)).await;
    reader.get(&format!("/admin/jobs/{}", life.scene.job)).await.expect(200);
    reader.get(&life.scene.path("/messages")).await.expect(200);
    let third = app.customer().await;
    let body = json!({"reason": "A test"});
    reader.post(&format!("/admin/users/{}/suspend", third.user_id), body).await.expect(200);
    reader.get("/admin/users").await.expect(200);
    reader.get("/admin/users?format=csv").await;

    let found = by(&app, &email_of(&reader).await).await;
    assert!(found.is_done, "{}", found.notes);
    let line = found.of(&customer.user_id).unwrap_or_else(|| panic!("{}", found.csv));
    assert_eq!(line["as"], "customer");
    assert_eq!(line["reads"], "2");
    assert_eq!(line["changes"], "0");
    assert_eq!(line["what"], "job.read /admin/jobs/{id} x1; job.read /jobs/{id}/messages x1");
    assert_eq!(found.of(&mechanic.user_id).expect("the mechanic")["as"], "mechanic");
    let named: Vec<&Value> = found.people.iter().filter(|person| person["as"] == "beneficiary").collect();
    assert_eq!((named.len(), &named[0]["job"]), (1, &json!(life.scene.job)));
    let suspended = found.of(&third.user_id).expect("who was suspended");
    assert_eq!((&suspended["reads"], &suspended["changes"]), (&json!("0"), &json!("1")));
    for other in [&bystander.customer, &bystander.mechanic.client, &idle] {
        assert!(!found.has(&other.user_id), "{}", found.csv);
    }
    assert_eq!(found.people.len(), 4, "{}", found.csv);
    // Names and numbers are left out unless they are asked for.
    for personal in [&customer.phone[1..], &mechanic.phone[1..], &BENEFICIARY[1..], "Asha", "Meera"] {
        assert!(!found.csv.contains(personal) && !found.notes.contains(personal), "{personal}");
    }
    for said in [
        "4 people",
        "The list users was read: 1 time, ",
        "The list users was exported: 1 time, ",
        "Who was in it is not recorded.",
        "Not in the log, and so not here:",
    ] {
        assert!(found.notes.contains(said), "{said} is missing in:\n{}", found.notes);
    }
    // The admin can be named by the account's id as well.
    assert_eq!(by(&app, &reader.user_id).await.people, found.people);

    let nobody = by(&app, &idle.user_id).await;
    assert!(nobody.is_done && nobody.people.is_empty(), "{}", nobody.csv);
    assert!(nobody.notes.contains("0 people"), "{}", nobody.notes);
}

#[actix_web::test]
async fn names_and_numbers_are_written_only_on_request_into_a_private_file() {
    let app = spawn_app().await;
    let reader = app.admin().await;
    let life = lived(&app).await;
    reader.get(&format!("/admin/jobs/{}", life.scene.job)).await.expect(200);
    let [from, to] = around(&app);
    let asked = ["--admin", &reader.user_id, "--from", &from, "--to", &to, "--with-phones"];
    let found = affected(&app, &asked).await;
    let line = found.of(&life.scene.customer.user_id).expect("the customer");
    assert_eq!(line["phone"], format!("'{}", life.scene.customer.phone), "no formula for a spreadsheet");
    let named = found.people.iter().find(|person| person["as"] == "beneficiary").expect("the beneficiary");
    assert_eq!((&named["name"], &named["phone"]), (&json!("Meera Rao"), &json!(format!("'{BENEFICIARY}"))));
    assert!(!found.notes.contains(&BENEFICIARY[1..]), "{}", found.notes);

    let file = std::env::temp_dir().join(format!("roadcall-affected-{}.csv", std::process::id()));
    fs::remove_file(&file).ok();
    let shown = file.display().to_string();
    let written = affected(&app, &[&asked[..], &["--out", &shown]].concat()).await;
    assert!(written.is_done && written.csv.is_empty(), "{}", written.notes);
    assert_eq!(fs::read_to_string(&file).unwrap(), found.csv);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = affected(&app, &[&asked[..], &["--out", &shown]].concat()).await;
    assert!(!again.is_done && again.notes.contains("--out"), "{}", again.notes);
    fs::remove_file(&file).unwrap();

    // The command leaves an entry, whose actor has no account.
    let trail = reader.get("/admin/audit-log?object_type=affected").await.expect(200);
    assert_eq!(trail["total"], 3, "{trail}");
    let entry = &trail["data"][0];
    assert_eq!((&entry["actor_id"], &entry["action"]), (&Value::Null, &json!("export")));
    assert_eq!(entry["after"]["personal_data"], json!(["name", "phone"]));
}

#[actix_web::test]
async fn only_entries_within_the_period_count_and_bad_arguments_are_refused() {
    let app = spawn_app().await;
    let (reader, asha, ravi) = (app.admin().await, app.customer().await, app.customer().await);
    reader.get(&format!("/admin/users/{}", asha.user_id)).await.expect(200);
    let seen: DateTime<Utc> =
        app.value("select max(at) from audit_log where action = 'user.read'", &[]).await;
    reader.get(&format!("/admin/users/{}", ravi.user_id)).await.expect(200);
    let of = async |from: DateTime<Utc>, to: DateTime<Utc>| {
        let found =
            affected(&app, &["--admin", &reader.user_id, "--from", &text(from), "--to", &text(to)]).await;
        [found.has(&asha.user_id), found.has(&ravi.user_id)]
    };
    let (hour, moment) = (TimeDelta::hours(1), TimeDelta::microseconds(1));
    assert_eq!(of(seen - hour, seen + hour).await, [true, true]);
    assert_eq!(of(seen - hour, seen).await, [false, false], "before the end");
    assert_eq!(of(seen + moment, seen + hour).await, [false, true]);
    let [from, to] = around(&app);
    let early =
        affected(&app, &["--admin", &reader.user_id, "--from", "2020-01-01T00:00:00Z", "--to", &to]).await;
    assert!(early.notes.contains("The log begins at "), "{}", early.notes);
    for (arguments, why) in [
        (["--admin", "nobody@example.com", "--from", &from, "--to", &to], "--admin: no account"),
        (["--admin", &reader.user_id, "--from", &to, "--to", &from], "--to must be after --from"),
    ] {
        let refused = affected(&app, &arguments).await;
        assert!(!refused.is_done && refused.notes.contains(why), "{}", refused.notes);
        assert!(refused.csv.is_empty());
    }
}

#[actix_web::test]
async fn entries_about_money_documents_calls_and_grievances_lead_to_their_people() {
    let app = spawn_app().await;
    let reader = app.admin().await;
    let life = lived(&app).await;
    let (customer, mechanic) = (&life.scene.customer, &life.scene.mechanic.client);
    let question = id_of(
        &customer.post("/users/me/grievances", json!({"kind": "access", "text": "What?"})).await.expect(201),
    );
    let payment = id_of(&customer.get("/payments").await.expect(200)["data"][0]);
    let call = id_of(&customer.post(&life.scene.path("/calls"), json!({})).await.expect(201));
    for path in [
        format!("/payments/{payment}"),
        format!("/calls/{call}"),
        format!("/admin/mechanics/{}", life.scene.mechanic.profile_id),
        format!("/admin/grievances/{question}"),
        format!("/uploads/{}/link", life.upload_id),
    ] {
        reader.get(&path).await.expect(200);
    }
    let found = by(&app, &reader.user_id).await;
    let what = |user: &str| found.of(user).expect("a line")["what"].as_str().expect("words").to_owned();
    let (of_customer, of_mechanic) = (what(&customer.user_id), what(&mechanic.user_id));
    for said in ["payment.read", "call.read", "grievance.read", "upload.read"] {
        assert!(of_customer.contains(said), "{said}: {of_customer}");
    }
    assert!(of_mechanic.contains("mechanic_profile.read"), "{of_mechanic}");
    assert!(of_mechanic.contains("call.read"), "{of_mechanic}");
    assert!(!of_mechanic.contains("grievance.read"), "{of_mechanic}");

    // Entries about deleted objects are counted.
    app.change("delete from grievances", &[]).await;
    let later = by(&app, &reader.user_id).await;
    let gone = "1 entry about something that is gone or names nobody: grievance";
    assert!(later.notes.contains(gone), "{}", later.notes);
}

#[actix_web::test]
async fn a_mechanic_who_lost_the_job_is_listed_too() {
    let app = spawn_app().await;
    let (admin, reader) = (app.admin().await, app.admin().await);
    let scene = app.accepted().await;
    let away = json!({"reason": "Another mechanic is nearer"});
    admin.post(&format!("/admin/jobs/{}/reassign", scene.job), away).await.expect(200);
    reader.get(&format!("/admin/jobs/{}", scene.job)).await.expect(200);
    let found = by(&app, &reader.user_id).await;
    let line = found.of(&scene.mechanic.client.user_id).unwrap_or_else(|| panic!("{}", found.csv));
    assert_eq!((&line["as"], &line["reads"]), (&json!("mechanic"), &json!("1")));
}
