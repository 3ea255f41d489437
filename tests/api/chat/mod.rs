//! The chat of a job, over real HTTP and sockets.

mod leaving;
mod seeing;
mod writing;

use roadcall_actors::{clock::Clock, random::Random};
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, Person, Socket, TestApp,
    bodies::set,
    roadside::{OnRoad, Scene},
};

/// Returns a name that no message has had.
pub fn name() -> String {
    Random::system().id(Clock::system().now()).to_string()
}

pub fn text(body: &str) -> Value {
    json!({"client_message_id": name(), "type": "text", "body": body})
}

pub async fn say(by: &Client, job: &str, body: &str) -> Value {
    post(by, job, text(body)).await.expect(201)
}

pub async fn post(by: &Client, job: &str, message: Value) -> Answer {
    by.post(&format!("/jobs/{job}/messages"), message).await
}

/// Returns a message in the form that goes over a socket.
pub fn of(job: &str, message: &Value) -> Value {
    set(message, "job_id", json!(job))
}

pub async fn chat(by: &Client, job: &str, query: &str) -> Value {
    by.get(&format!("/jobs/{job}/messages{query}")).await.expect(200)
}

pub fn bodies(chat: &Value) -> Vec<&str> {
    let messages = chat["data"].as_array().expect("a list");
    messages.iter().map(|message| message["body"].as_str().unwrap_or("-")).collect()
}

pub fn seq(value: &Value) -> i64 {
    value["seq"].as_i64().expect("a number")
}

/// Returns the next entries of a job's log that a socket gets.
pub async fn frames(socket: &mut Socket, job: &str, seqs: std::ops::RangeInclusive<i64>) -> Vec<Value> {
    let mut frames = Vec::new();
    for seq in seqs {
        let wanted = |frame: &Value| frame["seq"] == seq && frame["job_id"] == *job;
        frames.push(socket.find(&format!("frame {seq}"), wanted).await);
    }
    frames
}

/// Reassigns the job to another mechanic, who accepts it.
pub async fn reassigned(app: &TestApp, admin: &Person, scene: &Scene) -> OnRoad {
    let mut next = app.on_road(admin).await;
    let path = format!("/admin/jobs/{}/reassign", scene.job);
    admin.post(&path, json!({"reason": "the phone is off"})).await.expect(200);
    next.accept().await;
    next
}
