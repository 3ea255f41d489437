//! A client of the socket that reads frames as they arrive.

use std::{
    collections::{HashMap, VecDeque},
    net::SocketAddr,
};

use roadcall_client::{ClientError, SocketEnd, frame};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{Client, TestApp, document, within};

/// An open socket. It checks every frame against the AsyncAPI document, and answers pings while it is read.
#[derive(Debug)]
pub struct Socket {
    inner: roadcall_client::Socket,
    /// Frames that arrived while the test waited for another one.
    unread: VecDeque<Value>,
    asked: u32,
    /// The type of the request of each reference.
    kinds: HashMap<String, String>,
}

/// The headers of an attempt to connect.
pub type Headers<'a> = &'a [(&'static str, &'a str)];

/// Tries to open a socket; a refusal is its status and code.
pub async fn try_connect(
    address: SocketAddr,
    path: &str,
    headers: Headers<'_>,
) -> Result<Socket, (u16, String)> {
    let url = format!("ws://{address}{path}");
    match within("the handshake", roadcall_client::Socket::open_at(&url, headers)).await {
        Ok(inner) => Ok(Socket { inner, unread: VecDeque::new(), asked: 0, kinds: HashMap::new() }),
        Err(ClientError::Refused { status, code, .. }) => Err((status, code)),
        Err(other) => panic!("no handshake: {other}"),
    }
}

impl TestApp {
    /// Opens a socket of that person, and reads its hello.
    pub async fn socket(&self, person: &Client) -> Socket {
        let mut socket = self.fresh_socket(person).await;
        socket.expect("hello").await;
        socket
    }

    /// Opens a socket of which nothing has been read yet.
    pub async fn fresh_socket(&self, person: &Client) -> Socket {
        let bearer = format!("Bearer {}", person.token().expect("signed in"));
        let opened = try_connect(self.address, "/ws", &[("authorization", &bearer)]).await;
        opened.unwrap_or_else(|refused| panic!("no socket: {refused:?}"))
    }
}

impl Socket {
    /// Sends JSON without waiting for an answer.
    pub async fn send(&mut self, frame: Value) {
        self.send_raw(Message::text(frame.to_string())).await;
    }

    pub async fn send_raw(&mut self, message: Message) {
        self.inner.send_message(message).await.expect("the socket takes a message");
    }

    /// Sends a message like [`Socket::send_raw`], even if the server may have closed already.
    pub async fn try_send_raw(&mut self, message: Message) -> bool {
        self.inner.send_message(message).await.is_ok()
    }

    /// Sends a frame with a reference and waits for its answer; returns the data, or the error.
    pub async fn ask(&mut self, kind: &str, data: Value) -> Result<Value, Value> {
        let reference = self.ask_later(kind, data).await;
        self.answer(&reference).await
    }

    /// Sends a frame and returns its reference, for [`Socket::answer`].
    pub async fn ask_later(&mut self, kind: &str, data: Value) -> String {
        self.asked += 1;
        let reference = format!("r{}", self.asked);
        self.kinds.insert(reference.clone(), kind.to_owned());
        self.send_raw(Message::text(frame(kind, &reference, data))).await;
        reference
    }

    pub async fn answer(&mut self, reference: &str) -> Result<Value, Value> {
        let mut answer =
            self.find(&format!("an answer to {reference}"), |frame| frame["ref"] == reference).await;
        match answer["type"].as_str() {
            Some("ack") => Ok(answer["data"].take()),
            Some("error") => Err(answer["error"].take()),
            _ => panic!("no answer: {answer}"),
        }
    }

    /// Waits for the next frame of that type; other frames are kept.
    pub async fn expect(&mut self, kind: &str) -> Value {
        self.find(kind, |frame| frame["type"] == kind).await
    }

    /// Waits for a frame of that type and leaves it for [`Socket::expect`].
    pub async fn until(&mut self, kind: &str) {
        let frame = self.expect(kind).await;
        self.unread.push_front(frame);
    }

    /// Waits for the next `job.updated` or `job.snapshot` that shows this status.
    pub async fn until_status(&mut self, status: &str) -> Value {
        self.find(&format!("a job that is {status}"), |frame| {
            frame["type"].as_str().is_some_and(|kind| kind.starts_with("job."))
                && frame["data"]["status"] == status
        })
        .await
    }

    /// Waits for the next frame that matches; other frames are kept.
    pub async fn find(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.unread.iter().position(&fits) {
            return self.unread.remove(index).expect("found");
        }
        loop {
            let frame = match within(what, self.read()).await {
                Ok(frame) => frame,
                Err(close) => panic!("closed with {close:?} before {what}; unread: {:?}", self.unread),
            };
            if fits(&frame) {
                return frame;
            }
            self.unread.push_back(frame);
        }
    }

    /// Returns the frames of that type that arrived so far and were not taken.
    pub fn came(&self, kind: &str) -> Vec<&Value> {
        self.unread.iter().filter(|frame| frame["type"] == kind).collect()
    }

    /// Reads to the end; returns the close code (0 if the connection was lost). Frames are kept.
    pub async fn closed(&mut self) -> u16 {
        loop {
            match within("the socket closes", self.read()).await {
                Ok(frame) => self.unread.push_back(frame),
                Err(code) => return code,
            }
        }
    }

    /// Returns once everything sent before this answer has been read.
    pub async fn settle(&mut self) {
        let nobody = "018f0000-0000-7000-8000-0000000000ff";
        self.ask("job.unsubscribe", json!({"job_id": nobody})).await.expect("an ack");
    }

    /// Returns the next frame, or the close code.
    async fn read(&mut self) -> Result<Value, u16> {
        let text = self.inner.next().await.map_err(|end| match end {
            SocketEnd::Closed(code) => code,
            SocketEnd::Lost(_) => 0,
        })?;
        let frame: Value = serde_json::from_str(&text).expect("JSON");
        let asked = frame["ref"].as_str().and_then(|reference| self.kinds.get(reference));
        document::check_frame(&frame, asked.map(String::as_str));
        Ok(frame)
    }
}
