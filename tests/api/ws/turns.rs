//! The commands of one socket are carried out in the order in which they arrived.

use serde_json::{Value, json};

use crate::{
    chat::{of, text},
    support::{spawn_accepted, spawn_with_mechanic, within},
};

#[actix_web::test]
async fn messages_keep_the_order_in_which_they_were_written() {
    let (_app, mut scene) = spawn_accepted().await;
    let written: Vec<String> = (0..20).map(|number| format!("m{number:02}")).collect();
    let mut references = Vec::new();
    for body in &written {
        references.push(scene.mechanic.socket.ask_later("chat.send", of(&scene.job, &text(body))).await);
    }
    for reference in references {
        scene.mechanic.socket.answer(&reference).await.expect("a message");
    }
    let listed = scene.customer.get(&scene.path("/messages?limit=50")).await.expect(200);
    let bodies = listed["data"].as_array().expect("a list").iter().map(|message| &message["body"]);
    assert_eq!(bodies.collect::<Vec<_>>(), written.iter().collect::<Vec<_>>());
}

#[actix_web::test]
async fn the_last_availability_setting_wins() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let mut socket = app.socket(&mechanic.client).await;
    for round in 0..10 {
        let wishes = [true, false, true, round % 2 == 0];
        let mut references = Vec::new();
        for is_available in wishes {
            references
                .push(socket.ask_later("availability.set", json!({"is_available": is_available})).await);
        }
        for reference in references {
            socket.answer(&reference).await.expect("the profile");
        }
        let profile = mechanic.client.get("/mechanics/me").await.expect(200);
        assert_eq!(profile["is_available"], wishes[3], "round {round}");
    }
}

#[actix_web::test]
async fn a_device_can_signal_right_after_answering_a_call() {
    let (app, mut scene) = spawn_accepted().await;
    let mut customer = app.socket(&scene.customer).await;
    for _ in 0..5 {
        let call = customer.ask("call.invite", json!({"job_id": scene.job})).await.expect("a call");
        let named = json!({"call_id": call["id"]});
        let mechanic = &mut scene.mechanic.socket;
        let accepted = mechanic.ask_later("call.accept", named.clone()).await;
        let signal = json!({"call_id": call["id"], "payload": "answer"});
        let signalled = mechanic.ask_later("call.signal", signal).await;
        assert_eq!(mechanic.answer(&accepted).await.expect("a call")["status"], "accepted");
        assert_eq!(mechanic.answer(&signalled).await.expect("an ack")["delivered"], true);
        customer.ask("call.end", named).await.expect("a call");
    }
}

#[actix_web::test]
async fn a_limited_number_of_commands_wait_and_subscriptions_do_not() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let job = app.breakdown().await.call().await;
    let mut socket = app.socket(&mechanic.client).await;
    let mut holder = app.database.db.begin().await.unwrap();
    sqlx::query("lock table mechanic_profiles in exclusive mode").execute(&mut *holder).await.unwrap();
    let mut references = Vec::new();
    for _ in 0..33 {
        references.push(socket.ask_later("availability.set", json!({"is_available": true})).await);
    }
    let beyond = socket.answer(&references.pop().expect("33 of them")).await.expect_err("one too many");
    assert_eq!(beyond["code"], "RATE_LIMITED");
    let foreign = socket.ask("job.subscribe", json!({"job_id": job["id"]})).await.expect_err("not theirs");
    assert_eq!(foreign["code"], "NOT_FOUND", "answered while all others wait");
    holder.rollback().await.unwrap();
    for reference in references {
        socket.answer(&reference).await.expect("the profile");
    }
    socket.ask("availability.set", json!({"is_available": false})).await.expect("there is room again");
}

#[actix_web::test]
async fn commands_are_carried_out_even_if_the_socket_closes() {
    let (app, mut scene) = spawn_accepted().await;
    let bodies = ["one", "two", "three"];
    let mut socket = app.socket(&scene.customer).await;
    for body in bodies {
        socket.ask_later("chat.send", of(&scene.job, &text(body))).await;
    }
    // The server has read everything before this: the socket now closes.
    socket.settle().await;
    drop(socket);
    for body in bodies {
        let frame = scene.mechanic.socket.expect("chat.message").await;
        assert_eq!(frame["data"]["body"], body);
    }
}

#[actix_web::test]
async fn a_batch_of_100_complete_points_fits_into_a_frame() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let mut socket = app.socket(&mechanic.client).await;
    let point = |number: i64| {
        let mut point = app.point(1_700_000_000_000 + number, 12.971_598_765_432_1);
        point["lng"] = json!(77.594_612_345_678_9);
        for field in ["accuracy_m", "speed_mps", "heading"] {
            point[field] = json!(12.345_678_901_234_5);
        }
        point["is_mock"] = json!(false);
        point
    };
    let points: Vec<Value> = (0..100).map(point).collect();
    let frame = json!({"points": points});
    assert!(frame.to_string().len() > 16_384, "as phones write them");
    let receipt = within("a receipt", socket.ask("location.update", frame)).await.expect("a receipt");
    assert_eq!(receipt["accepted"], 100);
}
