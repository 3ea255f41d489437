//! A receiver of webhooks in this process, as cheap as possible: its own cost is taken from the measured capacity.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::Failure;

/// A request larger than this is no webhook.
const MAX_REQUEST: usize = 256 * 1024;
const TAKEN: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";

/// A receiver that answers challenges, and counts events or lets them wait for ever.
#[derive(Debug)]
pub struct HookSink {
    pub url: String,
    taken: Arc<AtomicU64>,
}

impl HookSink {
    /// Starts to listen on a free port of this machine.
    pub async fn start(hangs: bool) -> Result<Self, Failure> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}/hooks", listener.local_addr()?);
        let taken = Arc::<AtomicU64>::default();
        let counted = taken.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, counted.clone(), hangs));
            }
        });
        Ok(Self { url, taken })
    }

    /// Returns the number of events so far.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

/// Serves a connection until it ends.
async fn serve(mut stream: TcpStream, taken: Arc<AtomicU64>, hangs: bool) -> Option<()> {
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let Some((head, length)) = whole(&buffer) else {
            let read = stream.read_buf(&mut buffer).await.ok()?;
            if read == 0 || buffer.len() > MAX_REQUEST {
                return None;
            }
            continue;
        };
        let answer = match challenge(&buffer[head..head + length]) {
            Some(text) => {
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}", text.len()).into_bytes()
            }
            None if hangs => std::future::pending().await,
            None => {
                taken.fetch_add(1, Ordering::Relaxed);
                TAKEN.to_vec()
            }
        };
        buffer.drain(..head + length);
        stream.write_all(&answer).await.ok()?;
    }
}

/// Returns the lengths of head and body of a request that has arrived as a whole.
fn whole(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head]).ok()?;
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    })?;
    (bytes.len() >= head + length).then_some((head, length))
}

/// Returns the text with which a challenge is answered; `None` for an event.
fn challenge(body: &[u8]) -> Option<String> {
    let starts_so = body.starts_with(br#"{"type":"webhook.verify""#);
    let body: Value = starts_so.then(|| serde_json::from_slice(body).ok())??;
    Some(body["data"]["challenge"].as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_whole_or_waited_for() {
        let request = b"POST /hooks HTTP/1.1\r\nContent-Length: 2\r\nhost: x\r\n\r\n{}";
        for length in 0..request.len() {
            assert_eq!(whole(&request[..length]), None, "{length}");
        }
        assert_eq!(whole(request), Some((request.len() - 2, 2)));
        let next = [&request[..], b"POST"].concat();
        assert_eq!(whole(&next), Some((request.len() - 2, 2)));
    }

    #[test]
    fn a_challenge_is_told_from_an_event() {
        let asked = br#"{"type":"webhook.verify","timestamp":"","data":{"challenge":"abc"}}"#;
        assert_eq!(challenge(asked).as_deref(), Some("abc"));
        assert_eq!(challenge(br#"{"type":"job.created","data":{"challenge":"abc"}}"#), None);
    }
}
