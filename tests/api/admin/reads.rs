//! Every read of people by admins is in the audit log.

use roadcall::edge::AUDITED_READS;
use serde_json::{Value, json};

use crate::support::{OK, Person, TestApp, all_rows, spawn_app, spawn_with_admin};

/// Reads of admins that show no personal data, or add their entry elsewhere.
const OTHERWISE: [&str; 39] = [
    // The admin's own data.
    "/auth/sessions",
    "/users/me",
    "/users/me/export",
    "/users/me/grievances",
    "/notifications",
    "/notifications/unread-count",
    "/notifications/preferences",
    "/notifications/push-tokens",
    // Data that everybody sees.
    "/service-categories",
    "/service-categories/{id}",
    "/mechanics/{id}",
    "/mechanics/{id}/ratings",
    "/places",
    "/places/reverse",
    "/workshops",
    "/admin/workshops",
    // Offices, not people.
    "/admin/organisations/{id}",
    "/admin/organisations/{id}/keys",
    "/admin/organisations/{id}/contracts",
    "/admin/service-categories/{id}/questions",
    // Figures and settings.
    "/admin/live",
    "/admin/cluster",
    "/super-admin/log-filter",
    "/admin/status",
    "/admin/job-stop",
    "/admin/privacy-notices",
    "/admin/stats",
    "/admin/sla",
    "/admin/heatmap",
    "/admin/config/dispatch",
    "/admin/config/dispatch/versions",
    "/admin/dispatch/prices",
    "/admin/dispatch/switchback",
    "/admin/dispatch/roster",
    "/admin/dispatch/roster/picture",
    // The positions of all, without names.
    "/admin/fleet",
    // The places where clubs ask for help, without names.
    "/admin/partner-offers",
    "/admin/jobs/{id}/cancellation-quote",
    "/wallet/refunds/{paymentId}",
];
/// The lists, and whether their rows show people.
const LISTS: [(&str, bool); 26] = [
    ("/super-admin/invites", true),
    ("/super-admin/admins", true),
    ("/admin/refunds", true),
    ("/admin/payments", true),
    ("/admin/parked-payments", false),
    ("/admin/partner-deliveries", false),
    ("/admin/chargebacks", true),
    ("/admin/withdrawals", true),
    ("/admin/webhook-events", false),
    ("/admin/disputes", true),
    ("/admin/no-shows", true),
    ("/admin/tow-reviews", true),
    ("/admin/ratings", true),
    ("/admin/wallet/upi", true),
    ("/admin/settlements", true),
    ("/admin/failed-pushes", false),
    ("/admin/jobs", true),
    ("/admin/callbacks", true),
    ("/admin/grievances", true),
    ("/admin/users", true),
    ("/admin/mechanics", true),
    ("/admin/mechanic-changes", true),
    ("/admin/audit-log", true),
    ("/admin/organisations", false),
    ("/admin/partner-cases", true),
    ("/admin/partner-bills", false),
];
/// Files, live positions and lists within an object have entries of their own kind.
const BY_THEMSELVES: [&str; 5] = [
    "/uploads/{id}/link",
    "/uploads/{id}/file",
    "/jobs/{id}/stream",
    "/ws",
    "/admin/organisations/{id}/members",
];

#[test]
fn every_read_of_an_admin_is_audited_or_listed_as_needing_no_entry() {
    let audited = AUDITED_READS.map(|(route, _)| route);
    let lists = LISTS.map(|(route, _)| route);
    let reads = all_rows().filter(|row| row.route.starts_with("GET ") && row.expected[0] != OK);
    let forgotten: Vec<&str> = reads
        .filter(|row| row.expected[5] == OK || row.expected[6] == OK)
        .map(|row| row.template())
        .filter(|route| ![&audited[..], &lists, &OTHERWISE, &BY_THEMSELVES].concat().contains(route))
        .collect();
    assert!(forgotten.is_empty(), "add them to AUDITED_READS, or here: {forgotten:#?}");
}

/// Returns the number of entries for pages of lists that this admin has caused.
async fn lists_read(app: &TestApp, admin: &Person) -> i64 {
    let rows = "select count(*) from audit_log where action = 'list.read' and actor_id::text = $1
        and jsonb_array_length(after->'personal_data') > 0";
    sqlx::query_scalar(rows).bind(&admin.user_id).fetch_one(&app.database.db).await.unwrap()
}

#[actix_web::test]
async fn a_page_that_shows_people_is_audited_once_per_admin_and_query() {
    let app = spawn_app().await;
    let (boss, other) = (app.super_admin().await, app.super_admin().await);
    for (list, shows_people) in LISTS {
        let before = lists_read(&app, &boss).await;
        for _ in 0..2 {
            boss.get(list).await.expect(200);
        }
        assert_eq!(lists_read(&app, &boss).await - before, i64::from(shows_people), "{list}");
    }
    let before = lists_read(&app, &boss).await;
    boss.get("/admin/users?page=2").await.expect(200);
    assert_eq!(lists_read(&app, &boss).await, before + 1, "another question");
    other.get("/admin/users").await.expect(200);
    assert_eq!(lists_read(&app, &other).await, 1, "another admin");
}

/// Returns who read an object, how and by which route, oldest first.
async fn looks(app: &TestApp, id: &str) -> Vec<(String, String, Option<String>)> {
    let rows = "select actor_id::text, action, after->>'route' from audit_log
        where subject_id::text = $1 and action ~ '[.](read|watch)$' order by at, id";
    sqlx::query_as(rows).bind(id).fetch_all(&app.database.db).await.unwrap()
}

fn look(who: &Person, action: &str, route: Option<&str>) -> (String, String, Option<String>) {
    (who.user_id.clone(), action.to_owned(), route.map(str::to_owned))
}

#[actix_web::test]
async fn an_admins_reads_of_a_job_are_audited_and_its_participants_are_not() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let said = json!({"client_message_id": "0190b7c4-0000-7000-8000-000000000001", "type": "text", "body": "the blue gate"});
    scene.customer.post(&scene.path("/messages"), said).await.expect(201);
    for reader in [&*scene.customer, &*scene.mechanic.client] {
        reader.get(&scene.path("/messages")).await.expect(200);
        reader.get(&scene.path("/location")).await.expect(200);
    }
    assert_eq!(looks(&app, &scene.job).await, []);
    // A second read within ten minutes adds nothing.
    for path in ["/messages", "/location", "/photos", "/messages"] {
        admin.get(&scene.path(path)).await.expect(200);
    }
    admin.get(&format!("/api/v1/admin/jobs/{}", scene.job)).await.expect(200);
    let mut expected = vec![
        look(&admin, "job.read", Some("/jobs/{id}/messages")),
        look(&admin, "job.read", Some("/jobs/{id}/location")),
        look(&admin, "job.read", Some("/jobs/{id}/photos")),
        look(&admin, "job.read", Some("/admin/jobs/{id}")),
    ];
    assert_eq!(looks(&app, &scene.job).await, expected);
    let other = app.admin().await;
    other.get(&scene.path("/messages")).await.expect(200);
    expected.push(look(&other, "job.read", Some("/jobs/{id}/messages")));
    let mut socket = app.socket(&admin).await;
    socket.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("followed");
    expected.push(look(&admin, "job.watch", None));
    assert_eq!(looks(&app, &scene.job).await, expected);
    let trail = app.admin().await.get("/admin/audit-log?action=job.read").await;
    assert!(trail.status == 200 && !trail.text.contains("blue gate"), "{}", trail.text);
}

#[actix_web::test]
async fn an_admins_read_of_a_person_is_audited_unless_it_is_refused() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await;
    let (user, profile) = (&mechanic.client.user_id, &mechanic.profile_id);
    admin.get(&format!("/admin/users/{user}")).await.expect(200);
    admin.get(&format!("/admin/mechanics/{profile}")).await.expect(200);
    app.customer().await.get(&format!("/admin/users/{user}")).await.refused(403, "FORBIDDEN");
    admin.get(&format!("/admin/users/{profile}")).await.refused(404, "NOT_FOUND");
    let by_number = json!({"phone": mechanic.client.phone});
    admin.post("/admin/users", by_number).await.expect(200);
    let by_route = ["/admin/users/{id}", "/admin/users"].map(|route| look(&admin, "user.read", Some(route)));
    assert_eq!(looks(&app, user).await, by_route);
    let of_profile = looks(&app, profile).await;
    assert_eq!(of_profile, [look(&admin, "mechanic_profile.read", Some("/admin/mechanics/{id}"))]);
}

#[actix_web::test]
async fn a_read_that_cannot_be_audited_shows_nothing() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let lock = "alter table audit_log add constraint closed check (action <> 'user.read')";
    app.sql(lock).await;
    let refused = admin.get(&format!("/admin/users/{}", customer.user_id)).await;
    assert!(!refused.text.contains(&customer.phone[1..]), "{}", refused.text);
    let error: Value = refused.refused(500, "INTERNAL_ERROR");
    assert_eq!(error["success"], false);
}
