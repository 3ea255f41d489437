//! Tests who sees a chat, who is notified, and what remains of it.

use serde_json::{Value, json};

use super::*;
use crate::support::{
    spawn_accepted, spawn_app,
    uploads::{photo, uploaded},
};

#[actix_web::test]
async fn only_the_jobs_two_sides_and_admins_see_its_chat() {
    let app = spawn_app().await;
    let (admin, mut scene) = (app.admin().await, app.accepted().await);
    let job = scene.job.clone();
    let before = say(&scene.customer, &job, "The gate code is 4711").await;
    let mut next = reassigned(&app, &admin, &scene).await;
    let hello = say(&scene.customer, &job, "Welcome").await;
    let strangers: [&Client; 3] =
        [&scene.mechanic.client, &*app.customer().await, &*app.verified_mechanic(&admin).await.client];
    for stranger in strangers {
        stranger.get(&scene.path("/messages")).await.refused(404, "NOT_FOUND");
        post(stranger, &job, json!({"odd": 1})).await.refused(404, "NOT_FOUND");
        let read = stranger.post(&scene.path("/messages/read"), json!({"up_to_seq": 1})).await;
        read.refused(404, "NOT_FOUND");
        let mut socket = app.socket(stranger).await;
        for (kind, data) in [
            ("chat.send", of(&job, &text("hello"))),
            ("chat.read", json!({"job_id": job, "up_to_seq": 1})),
            ("chat.typing", json!({"job_id": job})),
        ] {
            assert_eq!(socket.ask(kind, data).await.expect_err("a refusal")["code"], "NOT_FOUND", "{kind}");
        }
    }

    assert_eq!(bodies(&chat(&next.client, &job, "").await), ["Welcome"], "from its own assignment on");
    assert_eq!(bodies(&chat(&next.client, &job, "?since_seq=0").await), ["Welcome"]);
    assert_eq!(bodies(&chat(&scene.customer, &job, "").await), ["The gate code is 4711", "Welcome"]);
    let mut late = app.socket(&next.client).await;
    late.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("an ack");
    let heard = late.expect("chat.message").await;
    assert_eq!(heard["data"], hello);
    let events = next.client.get(&scene.path("/events?since_seq=0")).await.expect(200);
    assert!(!events.to_string().contains("The gate code"), "{events}");
    assert_eq!(next.socket.expect("chat.message").await["data"], hello);
    scene.mechanic.socket.expect("chat.message").await;
    scene.mechanic.socket.settle().await;
    assert!(scene.mechanic.socket.came("chat.message").is_empty(), "nothing after it lost the job");

    assert_eq!(chat(&admin, &job, "").await["data"], json!([before, hello]));
    post(&admin, &job, text("hello")).await.refused(403, "FORBIDDEN");
    let mut socket = app.socket(&admin).await;
    let refused = socket.ask("chat.send", of(&job, &text("hello"))).await.expect_err("a refusal");
    assert_eq!(refused["code"], "FORBIDDEN");
    socket.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("an ack");
    assert_eq!(socket.expect("chat.message").await["data"], before);
}

#[actix_web::test]
async fn an_image_must_be_the_senders_upload_and_opens_for_the_other_side() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let image = |url: &str| json!({"client_message_id": name(), "type": "image", "file_url": url});
    let tyre = uploaded(&scene.customer, "chat", &photo()).await;
    scene.mechanic.client.get(&tyre.path("/link")).await.refused(404, "NOT_FOUND");
    let sent = post(&scene.customer, &scene.job, image(&tyre.file_url)).await.expect(201);
    assert_eq!(sent["file_url"], tyre.file_url.as_str());
    scene.mechanic.client.get(&tyre.path("/link")).await.expect(200);
    app.customer().await.get(&tyre.path("/link")).await.refused(404, "NOT_FOUND");

    let foreign = uploaded(&scene.mechanic.client, "chat", &photo()).await;
    let avatar = uploaded(&scene.customer, "avatar", &photo()).await;
    for url in [&foreign.file_url, &avatar.file_url, "http://elsewhere.example/a.jpg"] {
        post(&scene.customer, &scene.job, image(url)).await.refused_field("file_url");
    }
    let next = reassigned(&app, &admin, &scene).await;
    for stranger in [&next.client, &scene.mechanic.client] {
        stranger.get(&tyre.path("/link")).await.refused(404, "NOT_FOUND");
    }
}

/// Returns how many notifications of messages somebody got, and how many of these are unread.
async fn told(person: &Client) -> (Value, Value) {
    let all = person.get("/notifications?type=chat_message").await.expect(200);
    let unread = person.get("/notifications?type=chat_message&is_read=false").await.expect(200);
    (all["total"].clone(), unread["total"].clone())
}

#[actix_web::test]
async fn the_other_side_is_notified_once_until_it_has_read() {
    let (app, mut scene) = spawn_accepted().await;
    let (job, mechanic) = (scene.job.clone(), scene.mechanic.client.clone());
    let mut customers = app.socket(&scene.customer).await;
    for n in 0..3 {
        say(&scene.customer, &job, &format!("A secret {n}")).await;
    }
    let last = seq(&say(&mechanic, &job, "Mine").await);
    assert_eq!(told(&mechanic).await, (json!(1), json!(1)), "of three messages");
    assert_eq!(told(&scene.customer).await, (json!(1), json!(1)));
    let notified =
        scene.mechanic.socket.find("the word", |frame| frame["data"]["type"] == "chat_message").await;
    assert!(!notified.to_string().contains("secret"), "{notified}");
    assert_eq!(chat(&mechanic, &job, "").await["unread"], 3);

    let read = json!({"up_to_seq": last - 1});
    let answer = mechanic.post(&scene.path("/messages/read"), read).await.expect(200);
    assert_eq!((&answer["reader"], &answer["up_to_seq"]), (&json!("mechanic"), &json!(last - 1)));
    let heard = customers.expect("chat.read").await;
    assert_eq!((&heard["data"], &heard["job_id"], &heard["seq"]), (&answer, &json!(job), &Value::Null));
    let earlier = json!({"job_id": job, "up_to_seq": 1});
    let again = scene.mechanic.socket.ask("chat.read", earlier).await.expect("an ack");
    assert_eq!(again, answer, "it only grows");
    customers.settle().await;
    assert!(customers.came("chat.read").is_empty(), "nothing new");
    let seen = chat(&scene.customer, &job, "").await;
    assert_eq!((&seen["mechanic_read_seq"], &seen["customer_read_seq"]), (&json!(last - 1), &json!(0)));
    assert_eq!(chat(&mechanic, &job, "").await["unread"], 0);
    assert_eq!(told(&mechanic).await, (json!(1), json!(0)), "seen in the chat");

    say(&scene.customer, &job, "One more").await;
    assert_eq!(told(&mechanic).await, (json!(2), json!(1)));
    assert_eq!(chat(&mechanic, &job, "").await["unread"], 1);
}

#[actix_web::test]
async fn somebody_who_read_something_else_is_still_notified_of_the_message() {
    let (_app, scene) = spawn_accepted().await;
    let mechanic = &scene.mechanic.client;
    let message = seq(&say(&scene.customer, &scene.job, "Where are you?").await);
    let read = async |up_to_seq: i64| {
        let body = json!({"up_to_seq": up_to_seq});
        mechanic.post(&scene.path("/messages/read"), body).await.expect(200);
        (told(mechanic).await.1, chat(mechanic, &scene.job, "").await["unread"].clone())
    };
    assert_eq!(read(message - 1).await, (json!(1), json!(1)));
    assert_eq!(read(message).await, (json!(0), json!(0)));
}

#[actix_web::test]
async fn typing_is_shown_only_to_the_other_side_and_not_stored() {
    let (app, mut scene) = spawn_accepted().await;
    let (job, admin) = (scene.job.clone(), app.admin().await);
    let mut customers = app.socket(&scene.customer).await;
    let mut watching = app.socket(&admin).await;
    watching.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    for _ in 0..5 {
        customers.ask("chat.typing", json!({"job_id": job})).await.expect("an ack");
    }
    let heard = scene.mechanic.socket.expect("chat.typing").await;
    assert_eq!(heard["data"], json!({"user_id": scene.customer.user_id}));
    assert_eq!((&heard["job_id"], &heard["seq"]), (&json!(job), &Value::Null));
    say(&scene.customer, &job, "Here").await;
    scene.mechanic.socket.expect("chat.message").await;
    assert!(scene.mechanic.socket.came("chat.typing").len() < 4, "five in a row are not five words");
    watching.expect("chat.message").await;
    customers.settle().await;
    assert!(watching.came("chat.typing").is_empty() && customers.came("chat.typing").is_empty());
    assert_eq!(chat(&scene.customer, &job, "").await["data"].as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn deleting_an_account_removes_the_persons_messages() {
    let (app, scene) = spawn_accepted().await;
    let job = &scene.job;
    let tyre = uploaded(&scene.customer, "chat", &photo()).await;
    let image =
        json!({"client_message_id": name(), "type": "image", "file_url": tyre.file_url, "body": "my tyre"});
    post(&scene.customer, job, image).await.expect(201);
    say(&scene.customer, job, "Call my sister").await;
    say(&scene.mechanic.client, job, "I will").await;
    scene.serve().await;
    let both = chat(&scene.mechanic.client, job, "").await["data"].take();
    for person in [&scene.customer, &scene.mechanic.client] {
        let mut export = person.get("/users/me/export").await.expect(200);
        let messages = export["messages"].as_array_mut().expect("a list");
        messages.reverse();
        assert_eq!(json!(messages), both);
    }
    scene.pay_cash().await;
    scene.customer.delete("/users/me").await.expect(204);
    let left = chat(&scene.mechanic.client, job, "").await;
    assert_eq!(bodies(&left), ["-", "-", "I will"]);
    let gone = &left["data"][0];
    assert_eq!((&gone["is_removed"], &gone["file_url"]), (&json!(true), &Value::Null));
    scene.mechanic.client.get(&tyre.path("/link")).await.refused(404, "NOT_FOUND");
    let events = scene.mechanic.client.get(&scene.path("/events?since_seq=0")).await.expect(200);
    assert!(!events.to_string().contains("sister") && events.to_string().contains("I will"));
    let kept = "select count(*) from job_events where data::text like '%sister%'";
    assert_eq!(app.value::<i64>(kept, &[]).await, 0);
}
