//! The chat of a job, over real HTTP and sockets.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Answer, Client, Person, Socket, TestApp,
    bodies::{id_of, set},
    roadside::{OnRoad, Scene},
    spawn_app, spawn_app_with,
    uploads::{photo, uploaded},
};

/// A name that no message has had.
fn name() -> String {
    Uuid::now_v7().to_string()
}

fn text(body: &str) -> Value {
    json!({"client_message_id": name(), "type": "text", "body": body})
}

async fn say(by: &Client, job: &str, body: &str) -> Value {
    post(by, job, text(body)).await.expect(201)
}

async fn post(by: &Client, job: &str, message: Value) -> Answer {
    by.post(&format!("/jobs/{job}/messages"), message).await
}

/// A message as it goes over a socket.
fn of(job: &str, message: &Value) -> Value {
    set(message, "job_id", json!(job))
}

async fn chat(by: &Client, job: &str, query: &str) -> Value {
    by.get(&format!("/jobs/{job}/messages{query}")).await.expect(200)
}

fn bodies(chat: &Value) -> Vec<&str> {
    let messages = chat["data"].as_array().expect("a list");
    messages.iter().map(|message| message["body"].as_str().unwrap_or("-")).collect()
}

fn seq(value: &Value) -> i64 {
    value["seq"].as_i64().expect("a number")
}

/// The next entries of a job's log as a socket is sent them.
async fn frames(socket: &mut Socket, job: &str, seqs: std::ops::RangeInclusive<i64>) -> Vec<Value> {
    let mut frames = Vec::new();
    for seq in seqs {
        let wanted = |frame: &Value| frame["seq"] == seq && frame["job_id"] == *job;
        frames.push(socket.find(&format!("frame {seq}"), wanted).await);
    }
    frames
}

/// Moves the end of a job back, as if so many seconds had passed since.
async fn pass(app: &TestApp, job: &str, seconds: i64) {
    let moved = sqlx::query(
        "update jobs set completed_at = completed_at - make_interval(secs => $2),
            cancelled_at = cancelled_at - make_interval(secs => $2) where id = $1",
    );
    let moved = moved.bind(job.parse::<Uuid>().expect("a UUID")).bind(seconds as f64);
    moved.execute(&app.database.pool).await.expect("the job is updated");
}

async fn count(app: &TestApp, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&app.database.pool).await.expect("a count")
}

/// The job is taken from its mechanic, and another one takes it.
async fn reassigned(app: &TestApp, admin: &Person, scene: &Scene) -> OnRoad {
    let mut next = app.on_road(admin).await;
    let path = format!("/admin/jobs/{}/reassign", scene.job);
    admin.post(&path, json!({"reason": "the phone is off"})).await.expect(200);
    next.accept().await;
    next
}

#[actix_web::test]
async fn both_sides_see_one_log_live_replayed_and_over_http() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
    let job = scene.job.clone();
    let mut watching = app.socket(&scene.customer).await;
    let ack = watching.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    let start = seq(&ack);
    let first = say(&scene.customer, &job, "Beside the metro pillar").await;
    assert_eq!((seq(&first), &first["sender"]), (start + 1, &json!("customer")));
    assert_eq!((&first["sender_id"], &first["is_removed"]), (&json!(scene.customer.user_id), &json!(false)));
    let second = text("Two minutes");
    let second = scene.mechanic.socket.ask("chat.send", of(&job, &second)).await.expect("a message");
    assert_eq!((seq(&second), &second["sender"]), (start + 2, &json!("mechanic")));
    scene.step("en-route", json!({})).await;
    let place = json!({"client_message_id": name(), "type": "location", "lat": 12.9, "lng": 77.6});
    let third = watching.ask("chat.send", of(&job, &place)).await.expect("a message");
    assert_eq!((seq(&third), &third["lat"], &third["body"]), (start + 4, &json!(12.9), &Value::Null));

    let own = frames(&mut watching, &job, start + 1..=start + 4).await;
    let others = frames(&mut scene.mechanic.socket, &job, start + 1..=start + 4).await;
    let kinds: Vec<&Value> = own.iter().map(|frame| &frame["type"]).collect();
    assert_eq!(kinds, ["chat.message", "chat.message", "job.updated", "chat.message"]);
    for (index, message) in [(0, &first), (1, &second), (3, &third)] {
        assert_eq!((&own[index]["data"], &others[index]), (message, &own[index]));
    }
    assert_eq!(own[2]["data"]["seq"], start + 3);

    let listed = chat(&scene.mechanic.client, &job, "").await;
    assert_eq!(listed["data"], json!([first, second, third]));
    assert_eq!(listed, set(&chat(&scene.customer, &job, "").await, "unread", json!(2)));
    let events = scene.customer.get(&format!("/jobs/{job}/events?since_seq={start}")).await.expect(200);
    let seen: Vec<Value> = own.iter().map(|frame| logged(frame)).collect();
    assert_eq!(events["data"], json!(seen));
    let timeline = scene.customer.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    assert!(!timeline.to_string().contains("message"), "what was written stands in the chat: {timeline}");

    // Wherever a client comes back, what it missed follows without a gap; events before it stand as they did.
    for cut in start..start + 4 {
        let mut back = app.socket(&scene.customer).await;
        back.ask("job.subscribe", json!({"job_id": job, "since_seq": cut})).await.expect("an ack");
        let expected = &own[usize::try_from(cut - start).unwrap()..];
        assert_eq!(frames(&mut back, &job, cut + 1..=start + 4).await, expected, "resumed after {cut}");
        assert!(back.came("job.snapshot").is_empty());
    }
    let mut stream = app.stream(&scene.customer, &format!("/jobs/{job}/stream?since_seq={start}")).await;
    for expected in &own {
        let event = stream.expect(expected["type"].as_str().unwrap()).await;
        assert_eq!((&event.frame, event.id), (expected, expected["seq"].as_i64()));
    }
}

/// An entry of the log as `GET /jobs/{id}/events` has it.
fn logged(frame: &Value) -> Value {
    json!({"seq": frame["seq"], "type": frame["type"], "at": frame["at"], "data": frame["data"]})
}

#[actix_web::test]
async fn a_message_sent_again_is_the_same_message() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
    let (job, message) = (scene.job.clone(), text("I see you"));
    let sent = post(&scene.customer, &job, message.clone()).await.expect(201);
    assert_eq!(post(&scene.customer, &job, message.clone()).await.expect(200), sent);
    let mut socket = app.socket(&scene.customer).await;
    assert_eq!(socket.ask("chat.send", of(&job, &message)).await.expect("an ack"), sent);
    for odd in [set(&message, "body", json!("I do not")), set(&message, "type", json!("image"))] {
        let odd = match odd["type"] == "image" {
            true => set(&odd, "file_url", json!("https://files.example/a.jpg")),
            false => odd,
        };
        post(&scene.customer, &job, odd).await.refused(409, "CONFLICT");
    }
    let others = post(&scene.mechanic.client, &job, message).await.expect(201);
    assert_ne!(others["id"], sent["id"], "a name is its sender's own");

    let at_once = text("Sixteen at once");
    let answers = join_all((0..16).map(|_| post(&scene.customer, &job, at_once.clone()))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((made, answers.iter().filter(|answer| answer.status == 200).count()), (1, 15));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(count(&app, "select count(*) from chat_messages").await, 3);
    let last = seq(&scene.customer.get(&scene.path("")).await.expect(200));
    let heard = frames(&mut scene.mechanic.socket, &job, seq(&sent)..=last).await;
    assert_eq!(heard.len(), 3, "one entry of the log each");
}

#[actix_web::test]
async fn what_many_write_at_once_is_one_dense_order_for_both() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
    let job = scene.job.clone();
    let mut watching = app.socket(&scene.customer).await;
    let start = seq(&watching.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack"));
    let clients: [&Client; 2] = [&scene.customer, &scene.mechanic.client];
    let id = job.as_str();
    let said = (0..24).map(|n| async move { say(clients[n % 2], id, &format!("line {n}")).await });
    let said = join_all(said).await;
    let own = frames(&mut watching, &job, start + 1..=start + 24).await;
    assert_eq!(frames(&mut scene.mechanic.socket, &job, start + 1..=start + 24).await, own);
    let mut listed = chat(&scene.customer, &job, "?limit=100").await["data"].take();
    let shown: Vec<&Value> = own.iter().map(|frame| &frame["data"]).collect();
    assert_eq!(listed, json!(shown));
    assert!(said.iter().all(|message| shown.contains(&message)));

    let last = start + 24;
    let newest = chat(&scene.customer, &job, "?limit=5").await;
    assert_eq!((seq(&newest["data"][0]), &newest["has_more"]), (last - 4, &json!(true)));
    let older = chat(&scene.customer, &job, &format!("?limit=100&before_seq={}", last - 4)).await;
    assert_eq!((older["data"].as_array().map(Vec::len), &older["has_more"]), (Some(19), &json!(false)));
    let newer = chat(&scene.customer, &job, &format!("?limit=4&since_seq={}", last - 6)).await;
    assert_eq!((seq(&newer["data"][0]), &newer["has_more"]), (last - 5, &json!(true)));
    assert_eq!(newer["data"][3], listed[21].take());
    for (query, field) in [
        ("since_seq=-1", "since_seq"),
        ("before_seq=0", "before_seq"),
        ("since_seq=1&before_seq=2", "before_seq"),
        ("limit=101", "limit"),
        ("page=1", "page"),
    ] {
        scene.customer.get(&scene.path(&format!("/messages?{query}"))).await.refused_field(field);
    }
}

#[actix_web::test]
async fn only_the_jobs_two_sides_and_admins_know_of_its_chat() {
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
    assert!(!events.to_string().contains("4711"), "{events}");
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
async fn they_write_from_the_acceptance_until_a_day_after_the_end() {
    let app = spawn_app().await;
    let waiting = app.breakdown_at((13.5, 78.5)).await;
    let unserved = id_of(&waiting.call().await);
    post(&waiting.client, &unserved, text("Anyone?")).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(chat(&waiting.client, &unserved, "").await["is_writable"], false);

    let scene = app.accepted().await;
    let open = chat(&scene.customer, &scene.job, "").await;
    assert_eq!((&open["is_writable"], &open["writable_until"]), (&json!(true), &Value::Null));
    scene.serve().await;
    let thanks = text("Thank you");
    let sent = post(&scene.customer, &scene.job, thanks.clone()).await.expect(201);
    let done = chat(&scene.customer, &scene.job, "").await;
    assert!(done["is_writable"] == true && done["writable_until"].is_string(), "{done}");
    pass(&app, &scene.job, 24 * 3600 + 1).await;
    for person in [&scene.customer, &scene.mechanic.client] {
        post(person, &scene.job, text("One more thing")).await.refused(409, "CONFLICT");
    }
    assert_eq!(post(&scene.customer, &scene.job, thanks).await.expect(200), sent, "it was sent in time");
    let over = chat(&scene.mechanic.client, &scene.job, "").await;
    assert_eq!((bodies(&over), &over["is_writable"]), (vec!["Thank you"], &json!(false)));
}

#[actix_web::test]
async fn http_and_sockets_share_one_limit() {
    let app = spawn_app_with(|settings| settings.chat.messages_per_minute = 3).await;
    let scene = app.accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    for n in 0..2 {
        say(&scene.customer, &scene.job, &format!("{n}")).await;
    }
    socket.ask("chat.send", of(&scene.job, &text("2"))).await.expect("a message");
    let refused = socket.ask("chat.send", of(&scene.job, &text("3"))).await.expect_err("a refusal");
    assert_eq!(refused["code"], "RATE_LIMITED");
    let refused = post(&scene.customer, &scene.job, text("3")).await;
    assert!(refused.header("retry-after").is_some_and(|seconds| seconds != "0"));
    refused.refused(429, "RATE_LIMITED");
    say(&scene.mechanic.client, &scene.job, "I am another").await;
    assert_eq!(bodies(&chat(&scene.customer, &scene.job, "").await), ["0", "1", "2", "I am another"]);
}

#[actix_web::test]
async fn what_is_wrong_with_a_message_is_named() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    for (field, odd, named) in [
        ("client_message_id", json!("mine"), "client_message_id"),
        ("client_message_id", Value::Null, "client_message_id"),
        ("type", json!("voice"), "type"),
        ("body", json!(""), "body"),
        ("body", json!("x".repeat(2001)), "body"),
        ("body", Value::Null, "body"),
        ("lat", json!(1), "lat"),
        ("type", json!("image"), "file_url"),
        ("to", json!("everybody"), "to"),
    ] {
        let odd = set(&text("hello"), field, odd);
        post(&scene.customer, &scene.job, odd.clone()).await.refused_field(named);
        let refused = socket.ask("chat.send", of(&scene.job, &odd)).await.expect_err("a refusal");
        assert!(refused["errors"][named].is_array(), "{named}: {refused}");
    }
    let last = seq(&scene.customer.get(&scene.path("")).await.expect(200));
    for odd in [0, last + 1] {
        let read = scene.customer.post(&scene.path("/messages/read"), json!({"up_to_seq": odd})).await;
        read.refused_field("up_to_seq");
    }
    assert_eq!(count(&app, "select count(*) from chat_messages").await, 0);
    say(&scene.customer, &scene.job, &"é".repeat(2000)).await;
}

#[actix_web::test]
async fn an_image_is_an_upload_of_the_senders_and_opens_for_the_other_side() {
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

/// How often somebody was told of messages, and how many of these are unread.
async fn told(person: &Client) -> (Value, Value) {
    let all = person.get("/notifications?type=chat_message").await.expect(200);
    let unread = person.get("/notifications?type=chat_message&is_read=false").await.expect(200);
    (all["total"].clone(), unread["total"].clone())
}

#[actix_web::test]
async fn the_other_side_is_told_once_until_it_has_read() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
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
async fn typing_is_shown_to_the_other_side_alone_and_kept_nowhere() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
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
async fn a_restart_loses_nothing() {
    let mut app = spawn_app().await;
    let scene = app.accepted().await;
    let first = text("Before");
    let sent = post(&scene.customer, &scene.job, first.clone()).await.expect(201);
    scene
        .mechanic
        .client
        .post(&scene.path("/messages/read"), json!({"up_to_seq": sent["seq"]}))
        .await
        .expect(200);
    let before = chat(&scene.customer, &scene.job, "").await;
    app.restart().await;
    let customer = app.anonymous().with_token(scene.customer.token().expect("signed in"));
    assert_eq!(chat(&customer, &scene.job, "").await, before);
    assert_eq!(post(&customer, &scene.job, first).await.expect(200), sent);
    assert_eq!(seq(&say(&customer, &scene.job, "After").await), seq(&sent) + 1);
}

#[actix_web::test]
async fn whoever_leaves_takes_along_what_they_wrote() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
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
    scene.customer.delete("/users/me").await.expect(204);
    let left = chat(&scene.mechanic.client, job, "").await;
    assert_eq!(bodies(&left), ["-", "-", "I will"]);
    let gone = &left["data"][0];
    assert_eq!((&gone["is_removed"], &gone["file_url"]), (&json!(true), &Value::Null));
    scene.mechanic.client.get(&tyre.path("/link")).await.refused(404, "NOT_FOUND");
    let events = scene.mechanic.client.get(&scene.path("/events?since_seq=0")).await.expect(200);
    assert!(!events.to_string().contains("sister") && events.to_string().contains("I will"));
    let kept: i64 = count(&app, "select count(*) from job_events where data::text like '%sister%'").await;
    assert_eq!(kept, 0);
}
