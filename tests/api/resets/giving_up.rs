//! A phone that sends a whole request and resets its connection while the service works on it.

use std::{net::SocketAddr, time::Duration};

use reqwest::Method;
use serde_json::Value;
use socket2::SockRef;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
};

use crate::support::{Client, wire::Traffic, within};

/// A request that is ready to be sent.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// The event that the phone waits for before it gives up.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// This many messages have gone to Postgres since the request was sent.
    Messages(u64),
    /// A transaction has begun.
    Begin,
}

/// The way a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Reset,
    /// The response came before the reset: the status and the rest of it.
    Answered(u16, String),
}

impl Request {
    /// Returns the request that this client would send.
    pub fn by(client: &Client, method: Method, path: &str, body: Option<&Value>) -> Self {
        let token = client.token().map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
        let kind = body.map(|_| ("content-type".to_owned(), "application/json".to_owned()));
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        Self { method, path: path.to_owned(), headers: token.into_iter().chain(kind).collect(), body }
    }

    pub fn post(client: &Client, path: &str, body: &Value) -> Self {
        Self::by(client, Method::POST, path, Some(body))
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn bytes(&self, to: SocketAddr) -> Vec<u8> {
        let Self { method, path, headers, body } = self;
        let length = body.len();
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {to}\r\ncontent-length: {length}\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        [head.as_bytes(), b"\r\n", body].concat()
    }

    /// Sends the request, and resets the connection if `until` comes before the response.
    pub async fn give_up(&self, to: SocketAddr, mut traffic: watch::Receiver<Traffic>, until: Until) -> End {
        let mut phone = TcpStream::connect(to).await.expect("the service listens");
        let seen = until.count(&traffic.borrow_and_update());
        phone.write_all(&self.bytes(to)).await.expect("the request is sent");
        let mut answer = vec![0; 1024];
        let came = async {
            tokio::select! {
                biased;
                read = phone.read(&mut answer) => Some(read.unwrap_or(0)),
                _ = traffic.wait_for(|traffic| until.is_due(seen, traffic)) => None,
            }
        };
        match within(&format!("{} {} goes on", self.method, self.path), came).await {
            None => {
                reset(&phone);
                End::Reset
            }
            Some(read) => {
                let text = String::from_utf8_lossy(&answer[..read]).into_owned();
                let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
                End::Answered(status.unwrap_or(0), text)
            }
        }
    }
}

impl Until {
    pub fn count(self, traffic: &Traffic) -> u64 {
        match self {
            Self::Messages(_) => traffic.messages,
            Self::Begin => traffic.begins,
        }
    }

    pub fn is_due(self, before: u64, traffic: &Traffic) -> bool {
        match self {
            Self::Messages(many) => traffic.messages >= before + many,
            Self::Begin => traffic.begins > before,
        }
    }
}

/// Makes the next drop of the stream send the peer a reset instead of a normal close.
pub fn reset(stream: &TcpStream) {
    SockRef::from(stream).set_linger(Some(Duration::ZERO)).expect("a socket option");
}
