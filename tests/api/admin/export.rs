use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{
    Answer, AssertFields, Client,
    bodies::{FLAT_TYRE, TOWING, id_of, set},
    document,
    listed::Listed,
    spawn_admin_with, spawn_app, spawn_with_admin, within,
};

/// Returns every list that can be exported.
fn exported() -> impl Iterator<Item = &'static str> {
    let operations = document::operations().into_iter();
    let lists =
        operations.filter(|(.., operation)| operation["responses"]["200"]["content"]["text/csv"].is_object());
    lists.map(|(template, ..)| template)
}

/// Returns the header and the rows of a CSV answer.
fn parse(answer: &Answer) -> (Vec<String>, Vec<Vec<String>>) {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let mut reader = csv::Reader::from_reader(answer.text.as_bytes());
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let header = texts(reader.headers().unwrap());
    (header, reader.records().map(|record| texts(&record.unwrap())).collect())
}

async fn csv(admin: &Client, path: &str) -> Answer {
    let separator = if path.contains('?') { '&' } else { '?' };
    admin.get(&format!("{path}{separator}format=csv")).await
}

/// Returns a column of a CSV answer.
fn column(answer: &Answer, name: &str) -> Vec<String> {
    let (header, rows) = parse(answer);
    let index = header.iter().position(|column| column == name).unwrap_or_else(|| panic!("no {name}"));
    rows.into_iter().map(|row| row[index].clone()).collect()
}

/// Returns a list as JSON and as CSV. Repeats until nothing is added between the two, because the sandbox's webhooks may
/// arrive at any time.
async fn both(admin: &Client, path: &str) -> (Value, Answer) {
    let ids = |list: &Value| list["data"].as_array().expect("a list").iter().map(id_of).collect::<Vec<_>>();
    let asked = async {
        loop {
            let (before, answer) = (admin.get(path).await.expect(200), csv(admin, path).await);
            let after = admin.get(path).await.expect(200);
            // Each export adds an entry to the audit log.
            if ids(&before) == ids(&after) || path == "/admin/audit-log" {
                return (before, answer);
            }
        }
    };
    within(&format!("{path} stays as it is"), asked).await
}

#[actix_web::test]
async fn every_lists_csv_equals_its_json() {
    let Listed { admin, .. } = &Listed::start().await;
    for path in exported() {
        let (listed, answer) = both(admin, path).await;
        assert!(answer.header("content-type").unwrap().starts_with("text/csv"), "{path}");
        assert!(answer.header("content-disposition").unwrap().starts_with("attachment; filename="), "{path}");
        let (header, rows) = parse(&answer);
        let item = listed["data"][0].as_object().unwrap_or_else(|| panic!("{path} is empty"));
        let fields: BTreeSet<&str> = item.keys().map(String::as_str).collect();
        assert_eq!(header.iter().map(String::as_str).collect::<BTreeSet<_>>(), fields, "{path}");
        assert_eq!(header.len(), fields.len(), "{path}: a column twice");
        let total = answer.header("x-total-rows").unwrap().to_owned();
        assert_eq!(total, rows.len().to_string(), "{path}");
        assert_eq!(answer.header("x-truncated"), Some("false"), "{path}");
        let first_id = item["id"].as_str().unwrap();
        // Each export adds an entry to the audit log, after it has counted.
        let newest =
            if path == "/admin/audit-log" { first_id.to_owned() } else { column(&answer, "id")[0].clone() };
        assert_eq!(newest, first_id, "{path}");
    }
    let disputes = csv(admin, "/admin/disputes").await;
    assert_eq!(column(&disputes, "description"), ["'=flat, \"again\"\nand again"]);
    let users = csv(admin, "/admin/users?role=customer").await;
    // The account of an organisation has no number.
    let mut phones = column(&users, "phone");
    phones.retain(|phone| !phone.is_empty());
    assert!(!phones.is_empty() && phones.iter().all(|phone| phone.starts_with("'+")), "{}", users.text);
    let mechanics = csv(admin, "/admin/mechanics").await;
    assert_eq!(column(&mechanics, "vehicle_types"), ["two_wheeler; four_wheeler"]);
}

#[actix_web::test]
async fn an_export_is_read_chunk_by_chunk_and_says_what_it_left_out() {
    let (app, admin) = spawn_admin_with(|settings| settings.admin.export_max_rows = 1_101).await;
    // Several have the same moment, and are ordered by id within it.
    app.sql(
        "insert into users (id, name, created_at, updated_at)
        select gen_random_uuid(), 'Guest ' || n, timestamptz '2026-01-01' + make_interval(secs => n / 7),
            timestamptz '2026-01-01'
        from generate_series(1, 1200) n",
    )
    .await;
    let of_csv = csv(&admin, "/admin/users?role=customer").await;
    let ids = column(&of_csv, "id");
    assert_eq!(ids.len(), 1_101);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 1_101, "none twice");
    let head =
        ["x-total-rows", "x-row-limit", "x-truncated"].map(|name| of_csv.header(name).unwrap().to_owned());
    assert_eq!(head, ["1200", "1101", "true"]);
    let mut listed = Vec::new();
    for page in 1..=12 {
        listed.extend(admin.column(&format!("/admin/users?role=customer&limit=100&page={page}"), "id").await);
    }
    assert_eq!(ids, listed[..1_101], "in the order of the list");
    let few = csv(&admin, "/admin/users?q=Guest%20111").await;
    assert_eq!(column(&few, "name").len(), 11, "the list's filters apply");
}

#[actix_web::test]
async fn an_export_is_audited_without_its_search_text() {
    let (_app, admin) = spawn_with_admin().await;
    csv(&admin, "/admin/users?role=customer&q=%2B9198").await;
    let row = &admin.list("/admin/audit-log?action=export").await[0];
    row.assert_fields(json!({"object_type": "users", "actor_id": admin.user_id,
        "after/filters": {"role": "customer", "q": "[hidden]"}, "after/rows": 0, "after/total": 0,
        "after/personal_data": ["name", "phone", "email", "avatar_url"]}));
}

#[actix_web::test]
async fn only_admins_export_and_only_whole_lists() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    for path in exported() {
        csv(&customer, path).await.refused(403, "FORBIDDEN");
        csv(&admin, &format!("{path}?page=2")).await.refused_field("page");
        csv(&admin, &format!("{path}?limit=5")).await.refused_field("limit");
        admin.get(&format!("{path}?format=pdf")).await.refused_field("format");
    }
    customer.get("/payments?format=csv").await.refused_field("format");
}

#[actix_web::test]
async fn jobs_are_found_by_people_place_and_time() {
    let (app, admin) = spawn_with_admin().await;
    let (one, other) = (app.breakdown().await, app.breakdown().await);
    let of_one = id_of(&one.call().await);
    let body = set(&other.call_body(), "pickup_address", json!("100% Fuel_Stop, Old Airport Road"));
    let body = set(&body, "service_category_id", json!(TOWING));
    let of_other = id_of(&other.client.post("/jobs", body).await.expect(201));
    let profile = app.verified_mechanic(&admin).await.profile_id;
    let assign = json!({"mechanic_profile_id": profile, "override_reason": "nobody else is near"});
    admin.post(&format!("/admin/jobs/{of_one}/assign"), assign).await.expect(200);
    let shown = admin.get(&format!("/admin/jobs/{of_other}")).await.expect(200);
    let made = shown["created_at"].as_str().unwrap();

    let found = async |query: &str| -> Vec<String> {
        let page = admin.get(&format!("/admin/jobs?{query}")).await.expect(200);
        let ids: Vec<String> = page["data"].as_array().unwrap().iter().map(id_of).collect();
        assert_eq!(page["total"], ids.len(), "{query}");
        ids
    };
    let (one_alone, other_alone, both) =
        ([of_one.clone()], [of_other.clone()], [of_other.clone(), of_one.clone()]);
    assert_eq!(found("").await, both);
    assert_eq!(found(&format!("customer_id={}", one.client.user_id)).await, one_alone);
    assert_eq!(found(&format!("mechanic_profile_id={profile}")).await, one_alone);
    assert_eq!(found(&format!("service_category_id={TOWING}")).await, other_alone);
    assert_eq!(found("q=old%20AIRPORT").await, other_alone);
    assert_eq!(found("q=fuel_stop").await, other_alone);
    // Punctuation marks are not words, and are not wildcards either.
    for sign in ["%25%25", "__", "%5C%5C", "%27%27", "!%26|:*"] {
        assert_eq!(found(&format!("q={sign}")).await, Vec::<String>::new(), "{sign}");
    }
    assert_eq!(found(&format!("from={made}")).await, other_alone);
    assert_eq!(found(&format!("to={made}")).await, one_alone);
    let all =
        format!("status=accepted&q=mg&customer_id={}&service_category_id={FLAT_TYRE}", one.client.user_id);
    assert_eq!(found(&all).await, one_alone);
    assert_eq!(
        found(&format!("customer_id={}&mechanic_profile_id={profile}", other.client.user_id)).await,
        Vec::<String>::new()
    );

    let long = "x".repeat(101);
    for (query, field) in [
        ("customer_id=asha", "customer_id"),
        ("service_category_id=1", "service_category_id"),
        ("mechanic_profile_id=1", "mechanic_profile_id"),
        ("from=monday", "from"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z", "to"),
        ("q=", "q"),
        ("q=%00", "q"),
        ("q=a", "q"),
        (&format!("q={long}"), "q"),
        ("status=lost", "status"),
    ] {
        admin.get(&format!("/admin/jobs?{query}")).await.refused_field(field);
    }
    for path in ["/admin/users?q=%25%25", "/admin/users?q=__"] {
        assert_eq!(admin.get(path).await.expect(200)["total"], 0, "{path}");
    }
}
