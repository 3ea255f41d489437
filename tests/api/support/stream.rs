//! A client of server-sent events (WHATWG HTML, 9.2.6) that reads them as they arrive.

use std::collections::VecDeque;

use serde_json::Value;

use super::{Client, TestApp, document, plain_http, within};

/// An event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: Option<i64>,
    pub kind: String,
    /// The frame; in a guest's stream, whose events are not frames, the data.
    pub frame: Value,
    pub retry_ms: Option<u64>,
}

/// An open stream. It checks every frame against the AsyncAPI document.
#[derive(Debug)]
pub struct EventStream {
    response: reqwest::Response,
    text: String,
    unread: VecDeque<Event>,
    pub comments: usize,
    is_guests: bool,
}

impl TestApp {
    /// Opens a stream of that person.
    pub async fn stream(&self, person: &Client, path: &str) -> EventStream {
        let opened = self.try_stream(person.token(), path, None).await;
        opened.unwrap_or_else(|refused| panic!("no stream: {refused:?}"))
    }

    /// Tries to open a stream; a refusal is its status and body.
    pub async fn try_stream(
        &self,
        token: Option<&str>,
        path: &str,
        last_event_id: Option<&str>,
    ) -> Result<EventStream, (u16, Value)> {
        let mut request =
            plain_http().build().expect("an HTTP client").get(format!("http://{}{path}", self.address));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let response = within("the stream's head", request.send()).await.expect("an answer");
        let status = response.status().as_u16();
        if status != 200 {
            return Err((status, response.json().await.expect("the envelope")));
        }
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let is_guests = path.starts_with("/shares/");
        Ok(EventStream { response, text: String::new(), unread: VecDeque::new(), comments: 0, is_guests })
    }
}

impl EventStream {
    /// Waits for the next event of that type; other events are kept.
    pub async fn expect(&mut self, kind: &str) -> Event {
        if let Some(index) = self.unread.iter().position(|event| event.kind == kind) {
            return self.unread.remove(index).expect("found");
        }
        loop {
            let event = within(kind, self.next()).await;
            let event = event.unwrap_or_else(|| panic!("ended before {kind}; unread: {:?}", self.unread));
            if event.kind == kind {
                return event;
            }
            self.unread.push_back(event);
        }
    }

    /// Returns the events of that type that arrived so far and were not taken.
    pub fn came(&self, kind: &str) -> Vec<&Event> {
        self.unread.iter().filter(|event| event.kind == kind).collect()
    }

    /// Reads to the end. Events are kept.
    pub async fn ended(&mut self) {
        while let Some(event) = within("the stream ends", self.next()).await {
            self.unread.push_back(event);
        }
    }

    /// Waits for a comment.
    pub async fn comment(&mut self) {
        let before = self.comments;
        within("a comment", async {
            while self.comments == before {
                assert!(self.read().await, "ended before a comment came");
            }
        })
        .await;
    }

    /// Returns the next event, or `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(event) = self.event(&block) {
                    return Some(event);
                }
            } else if !self.read().await {
                return None;
            }
        }
    }

    async fn read(&mut self) -> bool {
        // A cut connection also ends the stream.
        let Ok(Some(chunk)) = self.response.chunk().await else { return false };
        let text = std::str::from_utf8(&chunk).expect("UTF-8");
        self.comments += text.lines().filter(|line| line.starts_with(':')).count();
        self.text.push_str(text);
        true
    }

    fn event(&mut self, block: &str) -> Option<Event> {
        let (mut id, mut kind, mut data, mut retry_ms) = (None, None, None, None);
        for line in block.lines() {
            match line.split_once(": ") {
                Some(("id", value)) => id = Some(value.parse().expect("a number")),
                Some(("event", value)) => kind = Some(value.to_owned()),
                Some(("data", value)) => data = Some(serde_json::from_str::<Value>(value).expect("JSON")),
                Some(("retry", value)) => retry_ms = Some(value.parse().expect("a number")),
                _ => assert!(line.starts_with(':'), "no field of a stream: {line}"),
            }
        }
        let (kind, frame) = (kind?, data?);
        if !self.is_guests {
            document::check_frame(&frame, None);
            assert_eq!((frame["type"].as_str(), frame["seq"].as_i64()), (Some(kind.as_str()), id), "{frame}");
        }
        Some(Event { id, kind, frame, retry_ms })
    }
}
