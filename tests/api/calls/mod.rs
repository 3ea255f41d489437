//! Calls between the two sides of a job.

mod going;
mod racing;
mod rooms;
mod signalling;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Person, TestApp, bodies::id_of, roadside::Scene, until};

impl Scene {
    /// Lets the customer call the mechanic.
    async fn ring(&self) -> Value {
        self.customer.post(&self.path("/calls"), json!({})).await.expect(201)
    }

    /// Lets the customer call and the mechanic answer.
    async fn talk(&self) -> Value {
        let call = self.ring().await;
        tell(&self.mechanic.client, &call, "accept").await.expect(200)
    }

    /// Returns the call as its customer sees it now.
    async fn now(&self, call: &Value) -> Value {
        let listed = self.customer.get(&self.path("/calls")).await.expect(200);
        let mut calls = listed["data"].as_array().expect("a list").iter();
        calls.find(|listed| listed["id"] == call["id"]).expect("the call").clone()
    }

    /// Waits until the call has this status.
    async fn until_call(&self, call: &Value, status: &str) -> Value {
        let what = format!("a call that is {status}");
        until(&what, async || Some(self.now(call).await).filter(|call| call["status"] == status)).await
    }
}

async fn tell(by: &Client, call: &Value, verb: &str) -> Answer {
    by.post(&format!("/calls/{}/{verb}", id_of(call)), json!({})).await
}

/// Moves all times of a call back, as if so many seconds had passed.
async fn pass(app: &TestApp, call: &Value, seconds: i64) {
    let moved = "update calls set deadline_at = deadline_at - make_interval(secs => $2::float8),
        created_at = created_at - make_interval(secs => $2::float8),
        answered_at = answered_at - make_interval(secs => $2::float8) where id = $1::uuid";
    app.change(moved, &[&id_of(call), &seconds.to_string()]).await;
}

/// Returns the ids of the calls in a person's notifications of this type.
async fn told(person: &Person, kind: &str) -> Vec<Value> {
    let listed = person.get(&format!("/notifications?type={kind}")).await.expect(200);
    listed["data"].as_array().expect("a list").iter().map(|told| told["data"]["call_id"].clone()).collect()
}

/// Returns the statuses of calls in the job's log, as its customer reads it now.
async fn logged(scene: &Scene) -> Vec<Value> {
    let log = scene.customer.get(&scene.path("/events")).await.expect(200);
    let events = log["data"].as_array().expect("a list").iter();
    let calls = events.filter(|event| event["type"] == "call.updated");
    calls.map(|event| event["data"]["status"].clone()).collect()
}
