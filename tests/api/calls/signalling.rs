//! Calls over sockets: which devices ring, and what the two devices send each other.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{tell, told};
use crate::support::{Socket, bodies::id_of, spawn_accepted, spawn_app_with, until_so};

const SDP: &str =
    "v=0\r\no=- 46117 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n";

fn of(call: &Value) -> Value {
    json!({"call_id": call["id"]})
}

fn signal(call: &Value, payload: impl Into<Value>) -> Value {
    json!({"call_id": call["id"], "payload": payload.into()})
}

/// Waits for the call's next frame of that type, and returns its data.
async fn hears(socket: &mut Socket, kind: &str, call: &Value) -> Value {
    let is_meant = |frame: &Value| {
        let id = frame["data"].get("call_id").unwrap_or(&frame["data"]["id"]);
        frame["type"] == kind && *id == call["id"]
    };
    let mut frame = socket.find(kind, is_meant).await;
    assert!(frame["job_id"].is_string(), "{frame}");
    assert_eq!(frame.get("seq").is_some(), kind == "call.updated", "{frame}");
    frame["data"].take()
}

#[actix_web::test]
async fn two_phones_ring_answer_talk_and_hang_up() {
    let (app, mut scene) = spawn_accepted().await;
    let mut customer = app.socket(&scene.customer).await;
    let call = customer.ask("call.invite", json!({"job_id": scene.job})).await.expect("a call");
    assert_eq!(call["status"], "ringing");
    let mechanic = &mut scene.mechanic.socket;
    assert_eq!(hears(mechanic, "call.ringing", &call).await, call);
    assert_eq!(mechanic.ask("call.ringing", of(&call)).await.expect("an ack"), call);
    assert_eq!(hears(&mut customer, "call.ringing", &call).await, call, "it rings on the other side");
    let odd = customer.ask("call.ringing", of(&call)).await.expect_err("who calls does not ring");
    assert_eq!(odd["code"], "INVALID_TRANSITION");

    let offer = json!({"type": "offer", "sdp": SDP});
    let sent = customer.ask("call.signal", signal(&call, offer.clone())).await.expect("an ack");
    assert_eq!(sent, json!({"call_id": call["id"], "delivered": true}));
    assert_eq!(hears(mechanic, "call.signal", &call).await["payload"], offer);
    let early = mechanic.ask("call.signal", signal(&call, "x")).await.expect_err("not answered yet");
    assert_eq!(early["code"], "INVALID_TRANSITION");

    let answered = mechanic.ask("call.accept", of(&call)).await.expect("a call");
    assert_eq!(answered["status"], "accepted");
    while hears(&mut customer, "call.updated", &call).await["status"] != "accepted" {}
    let answer = json!({"type": "answer", "sdp": SDP});
    mechanic.ask("call.signal", signal(&call, answer.clone())).await.expect("an ack");
    assert_eq!(hears(&mut customer, "call.signal", &call).await["payload"], answer);
    for number in 0..12 {
        customer.send(json!({"type": "call.signal", "data": signal(&call, number)})).await;
    }
    for number in 0..12 {
        assert_eq!(hears(mechanic, "call.signal", &call).await["payload"], number, "in order");
    }

    let ended = mechanic.ask("call.end", of(&call)).await.expect("a call");
    assert_eq!((&ended["status"], &ended["end_reason"]), (&json!("ended"), &json!("callee_hung_up")));
    while hears(&mut customer, "call.updated", &call).await["status"] != "ended" {}
    for socket in [&mut customer, mechanic] {
        let late = socket.ask("call.signal", signal(&call, "x")).await.expect_err("it is over");
        assert_eq!(late["code"], "INVALID_TRANSITION");
    }
    let kept = "select count(*) from job_events where data::text like '%sdp%' or replaced::text like '%sdp%'";
    let kept: i64 = app.value(kept, &[]).await;
    assert_eq!(kept, 0, "signals are passed on and not kept");
}

#[actix_web::test]
async fn calls_are_in_the_jobs_log_live_replayed_and_streamed() {
    let (app, scene) = spawn_accepted().await;
    let mut live = app.following(&scene).await;
    let mut stream = app.stream(&scene.customer, &scene.path("/stream")).await;
    stream.expect("job.snapshot").await;
    let call = scene.talk().await;
    tell(&scene.customer, &call, "end").await.expect(200);
    let mut seqs = Vec::new();
    while seqs.len() < 3 {
        let frame = live.expect("call.updated").await;
        assert_eq!(frame["data"]["id"], call["id"]);
        seqs.push(frame["seq"].as_i64().expect("a number"));
        assert_eq!(stream.expect("call.updated").await.frame["seq"], frame["seq"]);
    }
    assert_eq!(seqs, [seqs[0], seqs[0] + 1, seqs[0] + 2]);
    let mut later = app.socket(&scene.mechanic.client).await;
    let from = json!({"job_id": scene.job, "since_seq": seqs[0] - 1});
    later.ask("job.subscribe", from).await.expect("an ack");
    let log =
        scene.customer.get(&scene.path(&format!("/events?since_seq={}", seqs[0] - 1))).await.expect(200);
    for (seq, event) in seqs.iter().zip(log["data"].as_array().expect("a list")) {
        let frame = later.find("the event", |frame| frame["seq"] == *seq).await;
        assert_eq!((&frame["type"], &event["type"]), (&json!("call.updated"), &json!("call.updated")));
        assert_eq!((&event["seq"], &event["data"]), (&json!(seq), &frame["data"]));
        assert_eq!(frame["data"]["status"], "ended", "as it stands by now");
    }
}

#[actix_web::test]
async fn the_answering_device_talks_and_the_others_stop_ringing() {
    let (app, mut scene) = spawn_accepted().await;
    // Clean up: no socket follows the job automatically from now on.
    scene.serve().await;
    let tablet = app.sign_in(&scene.customer.phone).await;
    let (mut phone, mut second) = (app.socket(&scene.customer).await, app.socket(&tablet).await);
    let call = scene.mechanic.socket.ask("call.invite", json!({"job_id": scene.job})).await.expect("a call");
    for device in [&mut phone, &mut second] {
        hears(device, "call.ringing", &call).await;
        // The socket follows the job from now on.
        device.expect("job.snapshot").await;
    }
    scene.mechanic.socket.ask("call.signal", signal(&call, "offer")).await.expect("an ack");
    for device in [&mut phone, &mut second] {
        assert_eq!(hears(device, "call.signal", &call).await["payload"], "offer", "whichever will answer");
    }
    second.ask("call.accept", of(&call)).await.expect("a call");
    while hears(&mut phone, "call.updated", &call).await["status"] != "accepted" {}
    let elsewhere = phone.ask("call.accept", of(&call)).await.expect_err("the other one did");
    assert_eq!(elsewhere["code"], "CONFLICT");
    let elsewhere = phone.ask("call.signal", signal(&call, "x")).await.expect_err("it does not talk");
    assert_eq!(elsewhere["code"], "CONFLICT");
    scene.mechanic.socket.ask("call.signal", signal(&call, "to one")).await.expect("an ack");
    assert_eq!(hears(&mut second, "call.signal", &call).await["payload"], "to one");
    phone.settle().await;
    assert!(phone.came("call.signal").is_empty(), "{:?}", phone.came("call.signal"));

    drop(second);
    until_so("the socket is gone", async || {
        let sent = scene.mechanic.socket.ask("call.signal", signal(&call, "x")).await;
        sent.expect("an ack")["delivered"] == false
    })
    .await;
    phone.ask("call.end", of(&call)).await.expect("whichever device hangs up");
}

#[actix_web::test]
async fn strangers_can_neither_send_nor_receive_signals() {
    let (app, mut scene) = spawn_accepted().await;
    let (stranger, admin) = (app.customer().await, app.admin().await);
    let (mut stranger, mut overseer) = (app.socket(&stranger).await, app.socket(&admin).await);
    let call = scene.talk().await;
    for (kind, data) in [
        ("call.invite", json!({"job_id": scene.job})),
        ("call.ringing", of(&call)),
        ("call.accept", of(&call)),
        ("call.reject", of(&call)),
        ("call.end", of(&call)),
        ("call.signal", signal(&call, "x")),
    ] {
        assert_eq!(
            stranger.ask(kind, data.clone()).await.expect_err("refused")["code"],
            "NOT_FOUND",
            "{kind}"
        );
        assert_eq!(overseer.ask(kind, data).await.expect_err("refused")["code"], "FORBIDDEN", "{kind}");
    }
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    let former = scene.mechanic.socket.ask("call.signal", signal(&call, "x")).await;
    assert_eq!(former.expect_err("it lost the job")["code"], "NOT_FOUND");
    stranger.settle().await;
    assert!(stranger.came("call.signal").is_empty() && stranger.came("call.ringing").is_empty());
}

#[actix_web::test]
async fn signals_have_a_maximum_size_and_rate() {
    let app = spawn_app_with(|settings| settings.calls.signals_per_second = 3).await;
    let scene = app.accepted().await;
    let mut customer = app.socket(&scene.customer).await;
    let call = scene.talk().await;
    // With its two quotation marks, it is one byte too large.
    let large = "x".repeat(12 * 1024 - 1);
    let refused = customer.ask("call.signal", signal(&call, large.clone())).await.expect_err("too large");
    assert_eq!(refused["code"], "VALIDATION_FAILED");
    assert!(refused["errors"]["payload"][0].as_str().is_some_and(|why| why.contains("12288")), "{refused}");
    customer.ask("call.signal", signal(&call, &large[1..])).await.expect("as large as may be");
    for (data, field) in [
        (json!({"call_id": call["id"]}), "payload"),
        (json!({"payload": 1}), "call_id"),
        (json!({"call_id": call["id"], "payload": 1, "to": "x"}), "to"),
    ] {
        let refused = customer.ask("call.signal", data).await.expect_err("refused");
        assert!(refused["errors"].get(field).is_some(), "{refused}");
    }
    let mut references = Vec::new();
    for number in 0..12 {
        references.push(customer.ask_later("call.signal", signal(&call, number)).await);
    }
    let mut refused = 0;
    for reference in references {
        if let Err(error) = customer.answer(&reference).await {
            assert_eq!(error["code"], "RATE_LIMITED");
            refused += 1;
        }
    }
    assert!(refused >= 1, "twelve at once are more than three in a second");
    customer.ask("call.end", of(&call)).await.expect("the socket stays open");
}

#[actix_web::test]
async fn two_people_who_invite_each_other_over_sockets_make_one_call() {
    let (app, mut scene) = spawn_accepted().await;
    let mut customer = app.socket(&scene.customer).await;
    let invite = json!({"job_id": scene.job});
    let both = [&mut customer, &mut scene.mechanic.socket];
    let answers = join_all(both.map(|socket| socket.ask("call.invite", invite.clone()))).await;
    let made: Vec<&Value> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    let refused: Vec<&Value> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert_eq!((made.len(), refused.len()), (1, 1), "{answers:?}");
    assert_eq!(refused[0]["code"], "CONFLICT");
    assert!(refused[0]["message"].as_str().expect("a text").contains(&id_of(made[0])), "{refused:?}");
}

#[actix_web::test]
async fn a_callee_without_a_socket_gets_a_push_that_expires_with_the_ringing() {
    let (app, scene) = spawn_accepted().await;
    let call = scene.mechanic.client.post(&scene.path("/calls"), json!({})).await.expect(201);
    assert_eq!(told(&scene.customer, "call_incoming").await, [call["id"].clone()]);
    let told = "select notification.is_urgent, notification.expires_at = call.deadline_at
        from notifications notification join calls call on call.id::text = notification.data ->> 'call_id'
        where notification.type = 'call_incoming'";
    let (is_urgent, ends_with_it): (bool, bool) = app.row(told, &[]).await;
    assert!(is_urgent && ends_with_it);
}
