//! One socket of the public interface, as a client holds it.

use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async, connect_async_with_config,
    tungstenite::{Message, Utf8Bytes, client::IntoClientRequest, http::header},
};

use crate::{Failure, http::Api, plan::Place};

#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// When the server last sent anything.
    heard: Instant,
}

impl Socket {
    pub async fn open(api: &Api, token: &str) -> Result<Self, Failure> {
        let mut request = api.socket_url().into_client_request()?;
        request.headers_mut().insert(header::AUTHORIZATION, format!("Bearer {token}").parse()?);
        let (stream, _) = connect_async_with_config(request, None, true).await?;
        Ok(Self { stream, heard: Instant::now() })
    }

    /// Opens a socket over an open connection; the error is the server's answer instead.
    pub async fn over(
        stream: TcpStream,
        url: &str,
        token: &str,
    ) -> Result<Self, tokio_tungstenite::tungstenite::Error> {
        let mut request = url.into_client_request()?;
        request.headers_mut().insert(header::AUTHORIZATION, format!("Bearer {token}").parse()?);
        let (stream, _) = client_async(request, MaybeTlsStream::Plain(stream)).await?;
        Ok(Self { stream, heard: Instant::now() })
    }

    /// Returns the next text frame; `Err` says how the socket ended. Answers pings on the way. Cancel-safe.
    pub async fn next(&mut self) -> Result<Utf8Bytes, String> {
        loop {
            let message = self.stream.next().await;
            self.heard = Instant::now();
            match message {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(reason))) => {
                    return Err(reason.map_or("closed".to_owned(), |why| format!("closed {}", why.code)));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("ended".to_owned()),
            }
        }
    }

    pub async fn send(&mut self, frame: String) -> Result<(), String> {
        self.stream.send(Message::text(frame)).await.map_err(|error| error.to_string())
    }

    /// Asks for a sign of life.
    pub async fn probe(&mut self) -> Result<(), String> {
        self.stream.send(Message::Ping(Vec::new().into())).await.map_err(|error| error.to_string())
    }

    /// Returns how long the server has been silent.
    pub fn silent_for(&self) -> Duration {
        self.heard.elapsed()
    }

    /// Closes the socket, without waiting for the server's answer.
    pub async fn close(mut self) {
        self.stream.close(None).await.ok();
    }
}

/// Returns the frame's `type`, without parsing the rest: the server writes it first.
pub fn kind_of(text: &str) -> &str {
    let rest = text.strip_prefix(r#"{"type":""#).unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

/// Builds a client's frame.
pub fn frame(kind: &str, reference: &str, data: Value) -> String {
    json!({ "type": kind, "ref": reference, "data": data }).to_string()
}

/// Builds a `location.update` with one point, recorded now.
pub fn ping(seq: i64, at: Place) -> String {
    frame("location.update", &format!("p{seq}"), json!({ "points": [point(seq, at)] }))
}

/// Builds a point, recorded now.
pub fn point(seq: i64, at: Place) -> Value {
    let recorded_at = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Millis, true);
    json!({ "seq": seq, "lat": at.lat, "lng": at.lng, "accuracy_m": 8.0, "recorded_at": recorded_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_read_without_parsing_the_frame() {
        let cases = [
            (r#"{"type":"offer.created","job_id":"x","data":{}}"#, "offer.created"),
            (r#"{"type":"ack","ref":"p1","data":{}}"#, "ack"),
            (r#"{"ref":"p1"}"#, ""),
            ("", ""),
        ];
        for (text, kind) in cases {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }
}
