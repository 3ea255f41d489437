//! Only the server that Postgres names leads, also after a restore of an older database and beside a copy of its files.

use async_nats::Client as NatsClient;
use futures_util::{FutureExt, StreamExt};
use serde_json::json;
use uuid::Uuid;

use super::{prefix, spawn_followed, until_led};
use crate::support::{TestApp, roadside::PICKUP, spawn_cluster, within};

/// A connection that pretends on the bus to be a leading server.
struct Voice {
    nats: NatsClient,
    prefix: String,
    server: Uuid,
}

impl Voice {
    async fn of(app: &TestApp, server: Uuid) -> Self {
        let nats = app.cluster.as_ref().expect("a cluster").nats.client().await;
        Self { nats, prefix: prefix(app).await, server }
    }

    async fn say_that_it_leads(&self, term: u64) {
        let body = json!({"term": term, "last": 0, "announcements": []});
        let heartbeat = json!({"v": 1, "from": self.server, "sent_at": 0, "body": body});
        let subject = format!("{}announcements", self.prefix);
        self.nats.publish(subject, heartbeat.to_string().into()).await.expect("sent");
        self.nats.flush().await.expect("NATS has it");
    }
}

async fn leader(app: &TestApp) -> Uuid {
    app.value("select server from leadership", &[]).await
}

async fn set_term(app: &TestApp, term: i64) {
    app.change("update leadership set term = $1::bigint", &[&term.to_string()]).await;
}

#[actix_web::test]
async fn a_lower_term_after_a_restore_is_noticed() {
    let (app, scene, mut customer) = spawn_followed().await;
    let admin = app.admin().await;
    // The other server has heard a leader of a high term, which Postgres knew.
    let voice = Voice::of(&app, leader(&app).await).await;
    set_term(&app, 41).await;
    let believed = async {
        loop {
            voice.say_that_it_leads(41).await;
            if admin.get("/admin/cluster").await.expect(200)["engine"]["is_answering"] == false {
                return;
            }
        }
    };
    within("it asks that leader in vain", believed).await;
    // A restore of older files has this effect.
    set_term(&app, 1).await;
    until_led(&admin).await;
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
}

#[actix_web::test]
async fn a_leader_on_a_copy_of_the_database_gets_no_messages() {
    let app = spawn_cluster().await;
    // The copy has the same name of the database, and the same term.
    let copy = Voice::of(&app, Uuid::from_u128(1)).await;
    let mut heard = Vec::new();
    for to in ["calls", "pings", "notices"] {
        for subject in [format!("engine.1.{to}"), format!("engine.1.{}.{to}", copy.server)] {
            let subject = format!("{}{subject}", copy.prefix);
            heard.push(copy.nats.subscribe(subject).await.expect("a subscription"));
        }
    }
    copy.nats.flush().await.expect("NATS has them");
    let mut scene = app.accepted().await;
    let mut customer = app.following(&scene).await;
    for term in [1, 0, 2, 1] {
        copy.say_that_it_leads(term).await;
    }
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    scene.mechanic.ping(PICKUP).await;
    scene.step("arrive", json!({"override_reason": "here"})).await;
    customer.until_status("arrived").await;
    // Messages that were sent before this one arrive before it.
    let mut last = copy.nats.subscribe("last").await.expect("a subscription");
    copy.nats.publish("last", "".into()).await.expect("sent");
    within("everything has come", last.next()).await.expect("a message");
    for subscription in &mut heard {
        assert_eq!(subscription.next().now_or_never().flatten().map(|message| message.subject), None);
    }
}
