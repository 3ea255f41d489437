//! Messages are stored once, in one order, within their time and limits.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::*;
use crate::support::{bodies::id_of, spawn_accepted, spawn_app, spawn_app_with};

#[actix_web::test]
async fn both_sides_see_one_log_live_replayed_and_over_http() {
    let (app, mut scene) = spawn_accepted().await;
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
    let seen: Vec<Value> = own.iter().map(logged).collect();
    assert_eq!(events["data"], json!(seen));
    let timeline = scene.customer.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    assert!(!timeline.to_string().contains("message"), "what was written stands in the chat: {timeline}");

    // Wherever a client resumes, it gets the missed entries without a gap; earlier events do not change.
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

/// Returns an entry of the log in the form that `GET /jobs/{id}/events` returns.
fn logged(frame: &Value) -> Value {
    json!({"seq": frame["seq"], "type": frame["type"], "at": frame["at"], "data": frame["data"]})
}

#[actix_web::test]
async fn a_message_sent_again_is_the_same_message() {
    let (app, mut scene) = spawn_accepted().await;
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
    assert_eq!(app.value::<i64>("select count(*) from chat_messages", &[]).await, 3);
    let last = seq(&scene.customer.get(&scene.path("")).await.expect(200));
    let heard = frames(&mut scene.mechanic.socket, &job, seq(&sent)..=last).await;
    assert_eq!(heard.len(), 3, "one entry of the log each");
}

#[actix_web::test]
async fn simultaneous_messages_have_one_order_without_gaps_for_both() {
    let (app, mut scene) = spawn_accepted().await;
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
async fn messages_are_accepted_from_the_acceptance_until_a_day_after_the_end() {
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
    app.pass_since_end(&scene.job, 24 * 3600 + 1).await;
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
    app.service.clock.stop();
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
async fn a_bad_message_names_its_field() {
    let (app, scene) = spawn_accepted().await;
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
    assert_eq!(app.value::<i64>("select count(*) from chat_messages", &[]).await, 0);
    say(&scene.customer, &scene.job, &"é".repeat(2000)).await;
}

#[actix_web::test]
async fn a_restart_loses_no_message() {
    let mut app = spawn_app().await;
    let scene = app.accepted().await;
    let first = text("Before");
    let sent = post(&scene.customer, &scene.job, first.clone()).await.expect(201);
    let body = json!({"up_to_seq": sent["seq"]});
    scene.mechanic.client.post(&scene.path("/messages/read"), body).await.expect(200);
    let before = chat(&scene.customer, &scene.job, "").await;
    app.restart().await;
    let customer = app.anonymous().with_token(scene.customer.token().expect("signed in"));
    assert_eq!(chat(&customer, &scene.job, "").await, before);
    let again = post(&customer, &scene.job, first).await.expect(200);
    assert_eq!(again, before["data"][0], "as it is now: read");
    assert_eq!(seq(&say(&customer, &scene.job, "After").await), seq(&sent) + 1);
}

#[actix_web::test]
async fn a_lively_chat_delays_no_transition() {
    let app = spawn_app_with(|settings| settings.chat.messages_per_minute = 1_000).await;
    let scene = app.accepted().await;
    let talk = async {
        for n in 0..60 {
            let by: &Client = if n % 2 == 0 { &scene.customer } else { &scene.mechanic.client };
            say(by, &scene.job, &format!("line {n}")).await;
        }
    };
    let talk_too = async {
        for n in 0..60 {
            say(&scene.customer, &scene.job, &format!("and {n}")).await;
        }
    };
    futures_util::join!(talk, talk_too, scene.serve());
    let events = scene.customer.get(&scene.path("/events?since_seq=0")).await.expect(200);
    let last = events["last_seq"].as_i64().expect("a number");
    assert_eq!(app.value::<i64>("select count(*) from chat_messages", &[]).await, 120);
    let dense = "select count(distinct seq) from job_events where seq is not null";
    assert_eq!(app.value::<i64>(dense, &[]).await, last);
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "completed");
}

#[actix_web::test]
async fn a_message_that_was_stored_but_not_sent_is_sent_when_its_sender_retries() {
    let (app, scene) = spawn_accepted().await;
    let message = text("Are you there?");
    // This is a row as a crash leaves it.
    let written =
        "insert into chat_messages (id, job_id, sender, sender_id, customer_id, mechanic_profile_id,
            client_message_id, type, body, created_at)
        values ($1::uuid, $2::uuid, 'customer', $3::uuid, $3::uuid, $4::uuid, $5::uuid, 'text', $6, now())";
    let named = message["client_message_id"].as_str().unwrap();
    let (customer, profile) = (&scene.customer.user_id, &scene.mechanic.profile_id);
    let body = message["body"].as_str().unwrap();
    app.change(written, &[&name(), &scene.job, customer, profile, named, body]).await;
    assert_eq!(chat(&scene.mechanic.client, &scene.job, "").await["data"], json!([]), "seen by nobody");
    assert_eq!(
        roadcall::messaging::chat::sweep(&app.service.ws.chat, 10).await.expect("a sweep"),
        0,
        "it is young"
    );
    let answers = join_all((0..4).map(|_| post(&scene.customer, &scene.job, message.clone()))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((made, answers.iter().filter(|answer| answer.status == 200).count()), (1, 3));
    assert_eq!(bodies(&chat(&scene.mechanic.client, &scene.job, "").await), ["Are you there?"]);
    let events = "select count(*) from job_events where kind = 'message'";
    assert_eq!(app.value::<i64>(events, &[]).await, 1);

    let forget = "update chat_messages set seq = null, created_at = created_at - interval '25 hours'";
    app.change(forget, &[]).await;
    assert_eq!(roadcall::messaging::chat::sweep(&app.service.ws.chat, 10).await.expect("a sweep"), 1);
}
