//! A socket, and its frames.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async_with_config, connect_async_with_config,
    tungstenite::{
        Error, Message, Utf8Bytes, client::IntoClientRequest, handshake::client::Request, http::HeaderValue,
        protocol::WebSocketConfig,
    },
};

use crate::{Api, ClientError};

/// The name of a handshake in errors.
const HANDSHAKE: &str = "GET /ws";
/// The largest message that is read: far more than any of the service.
const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// The code of a server's close without one (RFC 6455, 7.4.1).
const NO_CODE: u16 = 1005;

/// An open socket. It answers pings while it is read.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// When the server last sent anything.
    heard: Instant,
}

/// The end of a socket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SocketEnd {
    /// The server closed it, with this code.
    #[error("closed {0}")]
    Closed(u16),
    #[error("{0}")]
    Lost(String),
}

impl Socket {
    pub async fn open(api: &Api, token: &str) -> Result<Self, ClientError> {
        Self::open_at(&api.socket_url(), &[("authorization", &bearer(token))]).await
    }

    /// Opens a socket at any address and with any headers.
    pub async fn open_at(url: &str, headers: &[(&'static str, &str)]) -> Result<Self, ClientError> {
        let opened = connect_async_with_config(handshake(url, headers)?, Some(config()), true).await;
        opened.map(|(stream, _)| Self { stream, heard: Instant::now() }).map_err(failure)
    }

    /// Opens a socket over an open connection.
    pub async fn over(stream: TcpStream, url: &str, token: &str) -> Result<Self, ClientError> {
        let request = handshake(url, &[("authorization", &bearer(token))])?;
        let opened = client_async_with_config(request, MaybeTlsStream::Plain(stream), Some(config())).await;
        opened.map(|(stream, _)| Self { stream, heard: Instant::now() }).map_err(failure)
    }

    /// Returns the next text frame. Cancel-safe.
    pub async fn next(&mut self) -> Result<Utf8Bytes, SocketEnd> {
        loop {
            if let Some(text) = self.read().await? {
                return Ok(text);
            }
        }
    }

    /// Returns the next text frame; a server from which nothing comes for this long, not even a ping, is lost. Cancel-safe.
    pub async fn next_unless_silent(&mut self, limit: Duration) -> Result<Utf8Bytes, SocketEnd> {
        loop {
            match timeout(limit, self.read()).await {
                Ok(Ok(None)) => {}
                Ok(Ok(Some(text))) => return Ok(text),
                Ok(Err(end)) => return Err(end),
                Err(_) => return Err(SocketEnd::Lost(format!("silent for {limit:?}"))),
            }
        }
    }

    /// Reads one message, and returns its text if it has one.
    async fn read(&mut self) -> Result<Option<Utf8Bytes>, SocketEnd> {
        let message = self.stream.next().await;
        self.heard = Instant::now();
        match message {
            Some(Ok(Message::Text(text))) => Ok(Some(text)),
            Some(Ok(Message::Close(close))) => {
                Err(SocketEnd::Closed(close.map_or(NO_CODE, |close| close.code.into())))
            }
            Some(Ok(_)) => Ok(None),
            Some(Err(error)) => Err(SocketEnd::Lost(error.to_string())),
            None => Err(SocketEnd::Lost("ended".to_owned())),
        }
    }

    pub async fn send(&mut self, frame: String) -> Result<(), SocketEnd> {
        self.send_message(Message::text(frame)).await
    }

    /// Sends a message of any kind.
    pub async fn send_message(&mut self, message: Message) -> Result<(), SocketEnd> {
        self.stream.send(message).await.map_err(|error| SocketEnd::Lost(error.to_string()))
    }

    /// Asks for a sign of life.
    pub async fn probe(&mut self) -> Result<(), SocketEnd> {
        self.send_message(Message::Ping(Vec::new().into())).await
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

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE_BYTES))
}

fn handshake(url: &str, headers: &[(&'static str, &str)]) -> Result<Request, ClientError> {
    let mut request = url.into_client_request().map_err(failure)?;
    for (name, value) in headers {
        let value = HeaderValue::from_str(value).map_err(|why| ClientError::silent(HANDSHAKE, why))?;
        request.headers_mut().insert(*name, value);
    }
    Ok(request)
}

fn failure(error: Error) -> ClientError {
    match error {
        Error::Http(answer) => {
            let body = answer.body().as_deref().unwrap_or_default();
            ClientError::refused(HANDSHAKE, answer.status().as_u16(), answer.headers(), body)
        }
        other => ClientError::silent(HANDSHAKE, other),
    }
}

/// Returns the frame's `type`, without parsing the rest: the server writes it first.
pub fn kind_of(text: &str) -> &str {
    let rest = text.strip_prefix(r#"{"type":""#).unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

/// Builds a client's frame; an empty `reference` is left out.
pub fn frame(kind: &str, reference: &str, data: Value) -> String {
    match reference {
        "" => json!({ "type": kind, "data": data }).to_string(),
        reference => json!({ "type": kind, "ref": reference, "data": data }).to_string(),
    }
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

    #[test]
    fn a_frame_without_a_reference_has_none() {
        let data = || json!({ "is_available": true });
        let read = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
        let expected = json!({ "type": "availability.set", "ref": "on", "data": data() });
        assert_eq!(read(frame("availability.set", "on", data())), expected);
        assert!(read(frame("availability.set", "", data())).get("ref").is_none());
    }
}
