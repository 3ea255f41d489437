//! Sends prepared requests over one connection, one after the other, as cheaply as possible: on a machine that is shared with the
//! server, the generator's own cost is taken from the measured capacity.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{ANSWER_LIMIT, Failure};

/// An answer larger than this is not the service's.
const MAX_ANSWER: usize = 64 * 1024;

/// A connection that is kept open.
#[derive(Debug)]
pub struct Sender {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Builds a request as it goes over the wire; an empty body is left out.
pub fn request(method: &str, path: &str, authority: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {authority}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
    }
    (text + "\r\n" + body).into_bytes()
}

impl Sender {
    pub async fn connect(authority: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(authority).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4096) })
    }

    pub async fn send(&mut self, request: &[u8]) -> Result<Answer, Failure> {
        timeout(ANSWER_LIMIT, self.exchange(request)).await.map_err(|_| "no answer in time")?
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Answer, Failure> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if let Some(answer) = parse(&self.buffer)? {
                return Ok(answer);
            }
            if self.buffer.len() > MAX_ANSWER {
                return Err("an answer that is too large".into());
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the connection was closed".into());
            }
        }
    }
}

/// Parses an answer; returns `None` while it is incomplete. Only answers with a content-length are understood, as the service
/// sends them.
fn parse(bytes: &[u8]) -> Result<Option<Answer>, Failure> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&bytes[..end])?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let status = status.ok_or("no HTTP answer")?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers: Vec<(String, String)> = lines.filter_map(header).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.ok_or("an answer without content-length")?.1.parse()?;
    let from = end + 4;
    let to = from + length;
    match bytes.get(from..to) {
        Some(body) => Ok(Some(Answer { status, headers, body: String::from_utf8_lossy(body).into_owned() })),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_or_waited_for() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\nx: y\r\n\r\n{\"status\":\"ok\"}";
        let answer = parse(whole).expect("an answer").expect("all of it");
        assert_eq!((answer.status, answer.body.as_str()), (200, "{\"status\":\"ok\"}"));
        for length in 0..whole.len() {
            assert_eq!(parse(&whole[..length]).expect("not yet"), None, "{length}");
        }
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
        assert!(parse(b"nonsense\r\n\r\n").is_err());
    }

    #[test]
    fn a_request_tells_its_length() {
        let text = |body| {
            String::from_utf8(request("POST", "/a", "127.0.0.1:1", &[("x", "y")], body)).expect("text")
        };
        assert_eq!(text(""), "POST /a HTTP/1.1\r\nhost: 127.0.0.1:1\r\nx: y\r\n\r\n");
        assert!(text("{}").ends_with("content-length: 2\r\n\r\n{}"), "{}", text("{}"));
    }
}
