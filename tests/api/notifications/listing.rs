use serde_json::json;

use super::{listed, register};
use crate::support::{bodies::id_of, spawn_with_admin, spawn_with_customer, spawn_with_mechanic, within};

#[actix_web::test]
async fn a_list_is_filtered_and_paged_and_marked_as_read() {
    let (_app, admin, mechanic) = spawn_with_mechanic().await;
    let profile = format!("/admin/mechanics/{}", mechanic.profile_id);
    for verb in ["suspend", "reinstate"] {
        admin.post(&format!("{profile}/{verb}"), json!({"reason": "papers"})).await;
    }
    let reinstated = admin.post(&format!("{profile}/reinstate"), json!({})).await;
    reinstated.expect(200);
    let person = &mechanic.client;
    let unread = async || person.get("/notifications/unread-count").await.expect(200)["unread_count"].clone();
    assert_eq!(unread().await, 3);
    let page = person.get("/notifications?page=2&limit=1").await.expect(200);
    assert_eq!((&page["total"], &page["page"], &page["limit"]), (&json!(3), &json!(2), &json!(1)));
    assert_eq!(page["data"][0]["type"], "mechanic_suspended");

    let id = id_of(&page["data"][0]);
    for _ in 0..2 {
        let read = person.post(&format!("/notifications/{id}/read"), json!({})).await.expect(200);
        assert_eq!((&read["id"], &read["is_read"]), (&json!(id), &json!(true)));
    }
    assert_eq!(unread().await, 2);
    let ids = |told: Vec<serde_json::Value>| told.iter().map(id_of).collect::<Vec<_>>();
    assert_eq!(ids(listed(person, "&is_read=true").await), std::slice::from_ref(&id));
    assert_eq!(listed(person, "&is_read=false").await.len(), 2);
    assert_eq!(listed(person, "&is_read=false&type=mechanic_suspended").await.len(), 0);
    assert_eq!(listed(person, "&type=mechanic_verified").await.len(), 1);

    let all = person.post("/notifications/read-all", json!({})).await.expect(200);
    assert_eq!(all, json!({"unread_count": 0}));
    assert_eq!((unread().await, listed(person, "&is_read=false").await.len()), (json!(0), 0));
}

#[actix_web::test]
async fn bad_parameters_name_their_field() {
    let (_app, person) = spawn_with_customer().await;
    for (query, field) in [
        ("is_read=yes", "is_read"),
        ("is_read=", "is_read"),
        ("type=nothing", "type"),
        ("page=0", "page"),
        ("limit=101", "limit"),
        ("unread=1", "unread"),
    ] {
        person.get(&format!("/notifications?{query}")).await.refused_field(field);
    }
    person.post("/notifications/read-all", json!({"all": true})).await.refused_field("all");
}

#[actix_web::test]
async fn people_see_and_mark_only_their_own_notifications() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let others = [
        app.customer().await,
        app.registered_mechanic().await.client,
        app.admin().await,
        app.super_admin().await,
    ];
    let id = id_of(&listed(&mechanic.client, "").await[0]);
    register(&mechanic.client, "phone").await;
    for other in &others {
        assert_eq!(listed(other, "").await.len(), 0);
        other.post(&format!("/notifications/{id}/read"), json!({})).await.refused(404, "NOT_FOUND");
        other.delete("/notifications/push-tokens/phone").await.refused(404, "NOT_FOUND");
        other.post("/notifications/read-all", json!({})).await.expect(200);
        let count = other.get("/notifications/unread-count").await.expect(200);
        assert_eq!(count["unread_count"], 0);
    }
    let count = mechanic.client.get("/notifications/unread-count").await.expect(200);
    assert_eq!(count["unread_count"], 1, "others marked their own");
    mechanic.client.delete("/notifications/push-tokens/phone").await.expect(204);
}

#[actix_web::test]
async fn notifications_are_deleted_with_their_persons_account() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    register(&mechanic.client, "phone").await;
    mechanic.client.patch("/notifications/preferences", json!({"jobs": false})).await.expect(200);
    mechanic.client.delete("/users/me").await.expect(204);
    let left = "select (select count(*) from notifications) + (select count(*) from push_tokens)
        + (select count(*) from notification_preferences)";
    let left: i64 = app.value(left, &[]).await;
    assert_eq!(left, 0);
}

#[actix_web::test]
async fn old_notifications_are_deleted_and_expired_offers_count_as_read() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    let state = &app.service;
    assert_eq!(roadcall::notifications::sweep(&state.notifications, 10).await.expect("swept"), 0);
    assert_eq!(roadcall::notifications::read_expired(&state.notifications, 10).await.expect("read"), 0);
    let age = |column: &'static str, days: i32| {
        let text = match column {
            "expires_at" => "update notifications set expires_at = now() - make_interval(days => $1)",
            _ => "update notifications set created_at = now() - make_interval(days => $1)",
        };
        sqlx::query(text).bind(days).execute(&app.database.db)
    };
    age("expires_at", 0).await.expect("expired");
    within("an expired notification counts as read", async {
        // The service's own worker may do it first, so the count that the call returns says nothing.
        while listed(&mechanic, "&is_read=true").await.len() != 1 {
            roadcall::notifications::read_expired(&state.notifications, 10).await.expect("read");
        }
    })
    .await;
    age("created_at", 89).await.expect("aged");
    assert_eq!(roadcall::notifications::sweep(&state.notifications, 10).await.expect("swept"), 0);
    age("created_at", 91).await.expect("aged");
    assert_eq!(roadcall::notifications::sweep(&state.notifications, 10).await.expect("swept"), 1);
    assert_eq!(listed(&mechanic, "").await.len(), 0);
}
