//! Questions and complaints of people about their data: the answer, its deadline, who sees them, and what remains of them.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::grievances;
use serde_json::{Value, json};

use crate::{
    standing::one_behind_the_other,
    support::{
        Answer, Client, Person, TestApp, bodies::id_of, spawn_app, spawn_app_with, spawn_with_customer,
        spawn_with_super_admin,
    },
};

const OWN: &str = "/users/me/grievances";
const ALL: &str = "/admin/grievances";

fn asking(text: &str) -> Value {
    json!({"kind": "access", "text": text})
}

async fn ask(person: &Client, text: &str) -> String {
    id_of(&person.post(OWN, asking(text)).await.expect(201))
}

fn answering(id: &str) -> String {
    format!("{ALL}/{id}/answer")
}

async fn answer(admin: &Client, id: &str, text: &str) -> Answer {
    admin.post(&answering(id), json!({ "answer": text })).await
}

async fn listed(reader: &Client, path: &str) -> Vec<Value> {
    reader.get(path).await.expect(200)["data"].as_array().expect("a list").clone()
}

fn ids(rows: &[Value]) -> Vec<String> {
    rows.iter().map(id_of).collect()
}

fn time(text: &Value) -> DateTime<Utc> {
    text.as_str().and_then(|text| text.parse().ok()).expect("a time")
}

/// Makes a grievance due so many days from now.
async fn due_in(app: &TestApp, id: &str, days: i64) {
    let now = app.service.clock.now();
    let moved = sqlx::query("update grievances set created_at = $2, due_at = $3 where id::text = $1");
    let (created, due) = (now - TimeDelta::days(40), now + TimeDelta::days(days));
    moved.bind(id).bind(created).bind(due).execute(&app.database.db).await.unwrap();
}

/// Returns the texts of the table's rows, and whether they are open.
async fn kept(app: &TestApp) -> Vec<(bool, Option<String>, Option<String>)> {
    let rows = "select done_at is null, text, answer from grievances order by created_at, id";
    app.rows(rows, &[]).await
}

#[actix_web::test]
async fn an_answered_grievance_is_announced_in_the_persons_language() {
    let app = spawn_app_with(|settings| {
        settings.privacy.contact_name = "Data protection desk".to_owned();
        settings.privacy.contact_email = "privacy@example.com".to_owned();
        settings.privacy.grievance_days = 20;
    })
    .await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    asha.patch("/users/me", json!({"name": "Asha Rao", "language": "kn"})).await.expect(200);
    assert_eq!(asha.get(OWN).await.expect(200)["total"], 0);

    let body = json!({"kind": "correction", "text": "My name is spelt wrong on the receipt"});
    let asked = asha.post(OWN, body).await.expect(201);
    let id = id_of(&asked);
    let contact = json!({"name": "Data protection desk", "email": "privacy@example.com"});
    assert_eq!(time(&asked["due_at"]) - time(&asked["created_at"]), TimeDelta::days(20));
    let expected = json!({
        "id": id, "kind": "correction", "status": "open", "text": "My name is spelt wrong on the receipt",
        "created_at": asked["created_at"], "due_at": asked["due_at"], "answer": null, "answered_at": null,
        "contact": contact,
    });
    assert_eq!(asked, expected);
    assert_eq!(listed(&asha, OWN).await, std::slice::from_ref(&asked));
    assert_eq!(app.anonymous().get("/config").await.expect(200)["operator"]["privacy_contact"], contact);

    let [row] = &listed(&admin, ALL).await[..] else { panic!("one") };
    assert_eq!(
        (&row["id"], &row["user_id"], &row["status"], &row["customer_name"]),
        (&json!(id), &json!(asha.user_id), &json!("open"), &json!("Asha Rao"))
    );
    assert!(row.get("text").is_none() && !row.to_string().contains("spelt"), "the list has no texts: {row}");
    let read = admin.get(&format!("{ALL}/{id}")).await.expect(200);
    assert_eq!(read["text"], "My name is spelt wrong on the receipt");
    assert_eq!(read["answer"], Value::Null);
    let reads = admin.get("/admin/audit-log?action=grievance.read").await.expect(200);
    assert_eq!((&reads["total"], &reads["data"][0]["object_id"]), (&json!(1), &json!(id)));

    let answered = answer(&admin, &id, "We have corrected it").await.expect(200);
    assert_eq!(answered["status"], "answered");
    assert_eq!(answered["answer"], "We have corrected it");
    assert_eq!(answered["answered_by"], json!(admin.user_id));
    let [mine] = &listed(&asha, OWN).await[..] else { panic!("one") };
    assert_eq!(
        (&mine["status"], &mine["answer"], &mine["answered_at"], &mine["contact"]),
        (&json!("answered"), &json!("We have corrected it"), &answered["done_at"], &contact)
    );
    let told = listed(&asha, "/notifications").await;
    assert_eq!(told[0]["type"], "grievance_answered");
    assert_eq!(told[0]["data"], json!({"grievance_id": id}));
    assert!(told[0]["title"].as_str().expect("a title").contains("ಉತ್ತರ"), "{}", told[0]);
    assert!(!told[0].to_string().contains("corrected"), "the answer is in the account alone");

    // It is answered once, even if the second answer differs.
    let other = app.admin().await;
    answer(&other, &id, "No").await.refused(409, "INVALID_TRANSITION");
    let trail = admin.get("/admin/audit-log?action=grievance.answer").await.expect(200);
    let entry = &trail["data"][0];
    assert_eq!((&trail["total"], &entry["object_id"]), (&json!(1), &json!(id)));
    assert_eq!(entry["after"]["user_id"], asha.user_id.as_str());
    assert!(!entry.to_string().contains("corrected it"), "the audit log keeps no text: {entry}");
    assert_eq!(ids(&listed(&admin, ALL).await), Vec::<String>::new());
    assert_eq!(ids(&listed(&admin, &format!("{ALL}?status=answered")).await), [id]);
}

#[actix_web::test]
async fn people_see_their_own_grievances_and_only_the_people_desk_sees_all() {
    let (app, boss) = spawn_with_super_admin().await;
    let (asha, other) = (app.customer().await, app.verified_mechanic(&boss).await.client);
    let id = ask(&asha, "What do you know about me?").await;
    let of_mechanic = ask(&other, "Who has read my papers?").await;
    assert_eq!(ids(&listed(&other, OWN).await), [of_mechanic]);
    assert_eq!(ids(&listed(&asha, OWN).await), [id.as_str()]);
    asha.get(&format!("{ALL}/{id}")).await.refused(403, "FORBIDDEN");
    for desk in ["dispatch", "money", "settings"] {
        let admin = app.admin_at(&boss, desk).await;
        admin.get(ALL).await.refused(403, "DESK_NEEDED");
        admin.get(&format!("{ALL}/{id}")).await.refused(403, "DESK_NEEDED");
        answer(&admin, &id, "No").await.refused(403, "DESK_NEEDED");
    }
    let admin = app.admin_at(&boss, "people").await;
    admin.get(&format!("{ALL}/{}", asha.user_id)).await.refused(404, "NOT_FOUND");
    answer(&admin, &asha.user_id, "No").await.refused(404, "NOT_FOUND");
    answer(&admin, &id, "All of it is under Account").await.expect(200);
    assert_eq!(kept(&app).await.iter().filter(|(is_open, ..)| *is_open).count(), 1);
    boss.post(OWN, asking("Mine?")).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_list_begins_with_the_earliest_deadline_and_is_filtered_by_kind() {
    let app = spawn_app().await;
    let (admin, asha, ravi) = (app.admin().await, app.customer().await, app.customer().await);
    let (later, sooner) = (ask(&asha, "One").await, ask(&ravi, "Two").await);
    due_in(&app, &later, 9).await;
    due_in(&app, &sooner, 2).await;
    let erasure = id_of(&asha.post(OWN, json!({"kind": "erasure", "text": "Three"})).await.expect(201));
    assert_eq!(ids(&listed(&admin, ALL).await), [sooner.as_str(), &later, &erasure]);
    assert_eq!(ids(&listed(&admin, &format!("{ALL}?kind=erasure")).await), [erasure.as_str()]);
    assert_eq!(ids(&listed(&admin, &format!("{ALL}?limit=1&page=2")).await), [later.as_str()]);
    admin.get(&format!("{ALL}?kind=anger")).await.refused_field("kind");
    for id in [&later, &erasure] {
        answer(&admin, id, "Done").await.expect(200);
    }
    let answered = listed(&admin, &format!("{ALL}?status=answered")).await;
    assert_eq!(ids(&answered), [erasure, later], "the newest first");
    let csv = admin.get(&format!("{ALL}?status=answered&format=csv")).await;
    assert_eq!((csv.status, csv.header("x-total-rows")), (200, Some("2")));
    assert!(!csv.text.contains("Three"), "{}", csv.text);
}

#[actix_web::test]
async fn repeats_under_a_key_write_one_grievance_and_faults_name_their_field() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    let asked = async |body: Value| asha.post_once(OWN, &body, "once").await;
    let first = asked(asking("Once")).await.expect(201);
    asked(asking("Twice")).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    answer(&admin, &id_of(&first), "Once").await.expect(200);
    assert_eq!(asked(asking("Once")).await.expect(201), first, "no second one");
    assert_eq!(asha.get(OWN).await.expect(200)["total"], 1);

    asha.post(OWN, json!({"kind": "anger", "text": "x"})).await.refused_field("kind");
    asha.post(OWN, json!({"kind": "other"})).await.refused_field("text");
    for text in [String::new(), "x".repeat(2001)] {
        asha.post(OWN, asking(&text)).await.refused_field("text");
    }
    let id = ask(&asha, &"ಅ".repeat(2000)).await;
    for text in [String::new(), "x".repeat(4001)] {
        answer(&admin, &id, &text).await.refused_field("answer");
    }
    answer(&admin, &id, &"ಅ".repeat(4000)).await.expect(200);
}

#[actix_web::test]
async fn grievances_of_a_person_are_limited() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    let mut open = Vec::new();
    for number in 0..5 {
        open.push(ask(&asha, &format!("Number {number}")).await);
    }
    asha.post(OWN, asking("One more")).await.refused(409, "CONFLICT");
    app.customer().await.post(OWN, asking("Somebody else's")).await.expect(201);
    for id in &open {
        answer(&admin, id, "Done").await.expect(200);
    }
    for number in 5..10 {
        open.push(ask(&asha, &format!("Number {number}")).await);
    }
    answer(&admin, &open[9], "Done").await.expect(200);
    let many = asha.post(OWN, asking("The eleventh")).await;
    assert_eq!(many.header("retry-after"), Some("86400"));
    many.refused(429, "RATE_LIMITED");
    let earlier = "update grievances set created_at = created_at - interval '25 hours'";
    app.change(earlier, &[]).await;
    asha.post(OWN, asking("The next day")).await.expect(201);
}

#[actix_web::test]
async fn only_one_of_two_simultaneous_answers_counts() {
    let app = spawn_app().await;
    let (one, other, asha) = (app.admin().await, app.admin().await, app.customer().await);
    let id = ask(&asha, "What do you know about me?").await;
    let by = async |admin: &Person, text: &str| answer(admin, &id, text).await.status;
    let mut statuses =
        <[u16; 2]>::from(futures_util::future::join(by(&one, "One"), by(&other, "Other")).await);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(one.get("/admin/audit-log?action=grievance.answer").await.expect(200)["total"], 1);
    assert_eq!(listed(&asha, "/notifications").await.len(), 1);
}

/// Returns the line of the status about grievances.
async fn line(admin: &Client) -> Value {
    let status = admin.get("/admin/status").await.expect(200);
    let lines = status["lines"].as_array().expect("lines").clone();
    lines.into_iter().find(|line| line["about"] == "grievances").expect("a line")
}

#[actix_web::test]
async fn the_status_counts_grievances_that_are_due_soon() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    ask(&asha, "Later").await;
    let soon = ask(&asha, "Soon").await;
    due_in(&app, &soon, 2).await;
    let line = line(&admin).await;
    assert_eq!(line["state"], "look", "{line}");
    assert!(line["text"].as_str().expect("a text").starts_with("2 questions about people's data are open;"));
}

#[actix_web::test]
async fn the_status_counts_overdue_grievances_and_no_answered_ones() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    let (late, answered) = (ask(&asha, "Late").await, ask(&asha, "Answered").await);
    due_in(&app, &late, -1).await;
    due_in(&app, &answered, -9).await;
    answer(&admin, &answered, "Done").await.expect(200);
    let line = line(&admin).await;
    let (state, runbook) = (json!("act"), json!("RoadcallGrievanceOverdue"));
    assert_eq!((&line["state"], &line["runbook"]), (&state, &runbook), "{line}");
    let text = line["text"].as_str().expect("a text");
    assert!(text.starts_with("1 question about people's data is open, 1 overdue"), "{text}");
}

#[actix_web::test]
async fn grievances_are_exported_and_deleted_with_the_account() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    let answered = ask(&asha, "My daughter is Meera").await;
    answer(&admin, &answered, "Meera is not in our books").await.expect(200);
    let open = ask(&asha, "And my son?").await;
    let export = asha.get("/users/me/export").await.expect(200);
    assert_eq!(export["grievances"], asha.get(OWN).await.expect(200)["data"]);
    assert_eq!(export["grievances"][1]["answer"], "Meera is not in our books");

    asha.delete("/users/me").await.expect(204);
    assert_eq!(kept(&app).await, [(false, None, None), (false, None, None)]);
    assert_eq!(ids(&listed(&admin, ALL).await), Vec::<String>::new());
    let [closed] = &listed(&admin, &format!("{ALL}?status=closed")).await[..] else { panic!("one") };
    assert_eq!((&closed["id"], &closed["customer_name"]), (&json!(open), &Value::Null));
    assert_eq!(admin.get(&format!("{ALL}/{answered}")).await.expect(200)["text"], Value::Null);
    answer(&admin, &open, "Too late").await.refused(409, "INVALID_TRANSITION");

    // A year later, answered grievances are deleted, and open ones are not.
    let ravi = app.customer().await;
    let other = ask(&ravi, "Still open").await;
    let (db, now) = (&app.database.db, app.service.clock.now());
    assert_eq!(grievances::sweep(db, now + TimeDelta::days(364), 100).await.unwrap(), 0);
    assert_eq!(grievances::sweep(db, now + TimeDelta::days(366), 100).await.unwrap(), 2);
    assert_eq!(ids(&listed(&admin, ALL).await), [other]);
}

#[actix_web::test]
async fn a_grievance_made_while_its_person_leaves_is_not_kept() {
    let (app, asha) = spawn_with_customer().await;
    let writing = asha.post(OWN, asking("At once"));
    let (left, written) = one_behind_the_other(&app, &asha, asha.delete("/users/me"), writing).await;
    left.expect(204);
    written.refused(401, "UNAUTHORIZED");
    assert_eq!(kept(&app).await, []);
}

#[actix_web::test]
async fn an_answer_given_while_its_person_leaves_notifies_nobody() {
    let app = spawn_app().await;
    let (admin, asha) = (app.admin().await, app.customer().await);
    let id = ask(&asha, "At once").await;
    let (answered, left) =
        one_behind_the_other(&app, &asha, answer(&admin, &id, "Done"), asha.delete("/users/me")).await;
    answered.expect(200);
    left.expect(204);
    assert_eq!(kept(&app).await, [(false, None, None)]);
    let told: i64 =
        app.value("select count(*) from notifications where user_id::text = $1", &[&asha.user_id]).await;
    assert_eq!(told, 0);
}
