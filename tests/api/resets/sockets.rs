//! A phone sends every command of the socket, and resets its connection while the service carries it out.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use super::{
    giving_up::{End, Until, reset},
    promises::status_of,
};
use crate::{
    chat,
    support::{
        Client, OnRoad, Stranded, TestApp,
        bodies::id_of,
        roadside::{PICKUP, Scene, point},
        wire::Wire,
        within,
    },
};

/// A place out of the reach of the people who wait for their responses.
const PLACE: (f64, f64) = (15.0, 75.0);
const OFFERED: (f64, f64) = (16.0, 75.0);

/// Commands sent by the customer of a job, or by its mechanic.
pub const COMMANDS: [&str; 16] = [
    "location.update",
    "availability.set",
    "offer.accept",
    "offer.decline",
    "job.subscribe",
    "job.unsubscribe",
    "job.navigating",
    "chat.send",
    "chat.read",
    "chat.typing",
    "call.invite",
    "call.ringing",
    "call.accept",
    "call.reject",
    "call.end",
    "call.signal",
];

/// Two sides of a job, and two people who have no job together yet.
pub struct Talking {
    scene: Scene,
    stranded: Stranded,
    free: OnRoad,
    number: i64,
}

/// A command that is ready to be sent.
pub struct Command {
    socket: WebSocketStream<TcpStream>,
    frame: Value,
}

impl Talking {
    pub async fn new(app: &TestApp) -> Self {
        let (admin, scene) = (app.admin().await, app.accepted_at(PLACE).await);
        Self {
            scene,
            stranded: app.breakdown_at(OFFERED).await,
            free: app.on_road_at(&admin, OFFERED).await,
            number: 0,
        }
    }

    /// Creates the object of the command, and opens the socket for it.
    pub async fn prepare(&mut self, app: &TestApp, kind: &str) -> Command {
        self.number += 1;
        let (job, number) = (self.scene.job.clone(), self.number);
        let data = match kind {
            "location.update" => json!({"points": [point(number, PICKUP, app.service.clock.now())]}),
            "availability.set" => json!({"is_available": number % 2 == 0}),
            "offer.accept" | "offer.decline" => json!({"offer_id": self.offer().await}),
            "chat.send" => chat::of(&job, &chat::text("Beside the metro pillar")),
            "chat.read" => json!({"job_id": job, "up_to_seq": number}),
            "call.invite" => {
                self.hang_up().await;
                json!({"job_id": job})
            }
            "call.signal" => json!({"call_id": self.call().await, "payload": {"type": "offer", "sdp": ""}}),
            call if call.starts_with("call.") => json!({"call_id": self.call().await}),
            _ => json!({"job_id": job}),
        };
        let by = match kind {
            "offer.accept" | "offer.decline" => &self.free.client,
            "location.update" | "availability.set" | "job.navigating" | "call.ringing" | "call.accept"
            | "call.reject" => &self.scene.mechanic.client,
            _ => &self.scene.customer,
        };
        Command { socket: open(app, by).await, frame: json!({"type": kind, "ref": "r", "data": data}) }
    }

    /// Returns the id of an offer of a new job to the mechanic who has none.
    async fn offer(&mut self) -> String {
        let open = "/jobs?limit=100&status=pending,dispatching,accepted,no_mechanic_found";
        let open = self.stranded.client.get(open).await.expect(200);
        for job in open["data"].as_array().into_iter().flatten() {
            self.stranded.cancel(&id_of(job)).await;
        }
        let online = json!({"is_available": true, "lat": OFFERED.0, "lng": OFFERED.1});
        self.free.client.put("/mechanics/me/availability", online).await.expect(200);
        self.free.ping(OFFERED).await;
        let job = id_of(&self.stranded.call().await);
        let is_its = |frame: &Value| frame["type"] == "offer.created" && frame["data"]["job_id"] == *job;
        id_of(&self.free.socket.find("an offer of the job", is_its).await["data"])
    }

    async fn hang_up(&self) {
        let calls = self.scene.customer.get(&self.scene.path("/calls")).await.expect(200);
        let is_live =
            |call: &&Value| ["ringing", "accepted"].contains(&call["status"].as_str().unwrap_or(""));
        for call in calls["data"].as_array().into_iter().flatten().filter(is_live) {
            // It may end by itself meanwhile.
            self.scene.customer.post(&format!("/calls/{}/end", id_of(call)), json!({})).await;
        }
    }

    /// Starts a call that rings, and returns its id.
    async fn call(&self) -> String {
        self.hang_up().await;
        id_of(&self.scene.customer.post(&self.scene.path("/calls"), json!({})).await.expect(201))
    }
}

async fn open(app: &TestApp, by: &Client) -> WebSocketStream<TcpStream> {
    let mut request = format!("ws://{}/ws", app.address).into_client_request().expect("a request");
    let bearer = format!("Bearer {}", by.token().expect("signed in"));
    request.headers_mut().insert("authorization", bearer.parse().expect("a header"));
    let stream = TcpStream::connect(app.address).await.expect("the service listens");
    let (mut socket, _) = within("the handshake", client_async(request, stream)).await.expect("a socket");
    within("hello", socket.next()).await.expect("a frame").expect("hello");
    socket
}

impl Command {
    /// Sends the command, and resets the connection if `until` comes before the response.
    pub async fn give_up(mut self, wire: &Wire, until: Until) -> End {
        let mut traffic = wire.watch();
        let seen = until.count(&traffic.borrow_and_update());
        self.socket.send(Message::text(self.frame.to_string())).await.expect("the socket takes a frame");
        let came = async {
            tokio::select! {
                biased;
                answer = answer(&mut self.socket) => Some(answer),
                _ = traffic.wait_for(|traffic| until.is_due(seen, traffic)) => None,
            }
        };
        match within(&format!("{} goes on", self.frame["type"]), came).await {
            None => {
                reset(self.socket.get_ref());
                End::Reset
            }
            Some(answer) => {
                let is_error = answer["type"] == "error";
                let status = if is_error { status_of(&answer["error"]) } else { 200 };
                End::Answered(status, answer.to_string())
            }
        }
    }
}

async fn answer(socket: &mut WebSocketStream<TcpStream>) -> Value {
    loop {
        let text = match socket.next().await {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(_)) => continue,
            ended => panic!("the socket ended: {ended:?}"),
        };
        let frame: Value = serde_json::from_str(&text).expect("JSON");
        if frame["ref"] == "r" {
            return frame;
        }
    }
}
