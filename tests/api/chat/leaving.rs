//! The customer learns that their mechanic has left, and each mechanic's chat stays separate.

use serde_json::{Value, json};

use super::*;
use crate::support::{bodies::id_of, spawn_accepted, spawn_app};

#[actix_web::test]
async fn the_customer_learns_why_their_mechanic_left_until_another_has_the_job() {
    let (app, mut scene) = spawn_accepted().await;
    let mut socket = app.following(&scene).await;
    let link = scene.customer.post(&scene.path("/shares"), json!({})).await.expect(201);
    let track = format!("/shares/{}", link["token"].as_str().expect("a token"));
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "beside the flyover"})).await;
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["mechanic_left"], Value::Null);
    scene.step("release", json!({"reason_code": "missing_parts"})).await;
    let searched = socket.find("another search", |frame| frame["data"]["status"] == "dispatching").await;
    let left = &searched["data"]["mechanic_left"];
    assert_eq!(left["reason"], "missing_parts");
    assert!(left["at"].is_string());
    assert_eq!(&scene.customer.get(&scene.path("")).await.expect(200)["mechanic_left"], left);
    assert_eq!(&app.anonymous().get(&track).await.expect(200)["mechanic_left"], left);

    // An admin's own words are for admins: the customer learns that the job was taken from the mechanic, but not why.
    let admin = app.admin().await;
    let mut next = app.on_road(&admin).await;
    next.accept().await;
    let taken = socket.find("another mechanic", |frame| frame["data"]["status"] == "accepted").await;
    assert_eq!(taken["data"]["mechanic_left"], Value::Null);
    let why = json!({"reason": "he was rude on the phone"});
    admin.post(&format!("/admin/jobs/{}/reassign", scene.job), why).await.expect(200);
    let again = socket.find("a third search", |frame| frame["data"]["status"] == "dispatching").await;
    assert_eq!(again["data"]["mechanic_left"]["reason"], "reassigned");
    assert!(!again.to_string().contains("rude"), "{again}");
    scene.mechanic.socket.settle().await;
}

#[actix_web::test]
async fn each_mechanic_reads_only_their_own_part_of_the_chat() {
    let app = spawn_app().await;
    let (admin, mut scene) = (app.admin().await, app.accepted().await);
    let job = scene.job.clone();
    let first = say(&scene.customer, &job, "I am beside the pillar").await;
    let answer = say(&scene.mechanic.client, &job, "On my way").await;
    let read = json!({"up_to_seq": seq(&answer)});
    scene.mechanic.client.post(&scene.path("/messages/read"), read.clone()).await.expect(200);
    let unread = say(&scene.customer, &job, "The gate code is 4711").await;
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;

    // Nobody has the job: the customer can still read, and nobody can write.
    let quiet = chat(&scene.customer, &job, "").await;
    assert_eq!(bodies(&quiet), ["I am beside the pillar", "On my way", "The gate code is 4711"]);
    assert_eq!((&quiet["is_writable"], &quiet["mechanic_first_seq"]), (&json!(false), &Value::Null));
    assert_eq!(quiet["earlier_mechanics"][0]["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    scene.mechanic.client.get(&scene.path("/messages")).await.refused(404, "NOT_FOUND");

    let mut next = app.on_road(&admin).await;
    next.accept().await;
    let mut customers = app.socket(&scene.customer).await;
    customers.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    let hello = say(&scene.customer, &job, "Hello").await;
    assert_eq!(bodies(&chat(&next.client, &job, "?since_seq=0").await), ["Hello"]);
    let newest = json!({"job_id": job, "up_to_seq": seq(&hello)});
    let told = next.socket.ask("chat.read", newest).await.expect("an ack");
    let heard = customers.expect("chat.read").await;
    assert_eq!(heard["data"], told);
    let from = told["from_seq"].as_i64().expect("a number");
    assert!(from > seq(&unread) && from <= seq(&hello), "{told}");

    let seen = chat(&scene.customer, &job, "").await;
    let of = |index: usize| {
        (&seen["data"][index]["mechanic_profile_id"], seen["data"][index]["read_at"].is_string())
    };
    let (old, new) = (json!(scene.mechanic.profile_id), json!(next.profile_id));
    assert_eq!([of(0), of(1), of(2), of(3)], [(&old, true), (&old, false), (&old, false), (&new, true)]);
    assert_eq!(seen["mechanic_first_seq"], from);
    let earlier = seen["earlier_mechanics"].as_array().expect("a list");
    assert_eq!((earlier.len(), &earlier[0]["mechanic_profile_id"]), (1, &old));
    assert_eq!(seen["data"][0]["id"], first["id"]);
    let newest = chat(&scene.customer, &job, &format!("?since_seq={}", seq(&hello))).await;
    assert_eq!(newest["earlier_mechanics"], seen["earlier_mechanics"], "whatever part is asked for");
    // The customer reads, and the present mechanic learns how far they have read their messages.
    let theirs = say(&next.client, &job, "Nearly there").await;
    let read = json!({"up_to_seq": seq(&theirs)});
    scene.customer.post(&scene.path("/messages/read"), read).await.expect(200);
    let mine = chat(&next.client, &job, "").await;
    assert!(mine["data"][1]["read_at"].is_string(), "{mine}");
    assert_eq!(mine["earlier_mechanics"], json!([]));
    scene.mechanic.socket.settle().await;
    assert!(scene.mechanic.socket.came("chat.read").is_empty(), "nothing reaches who left");
    assert_eq!(id_of(&seen["data"][3]), id_of(&hello));
}
