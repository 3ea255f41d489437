//! Refuses an oversized frame when its header arrives.
//!
//! The codec checks a frame's size only once it holds the whole frame, so a header that declares 300 MB would make
//! the server collect 300 MB. This stream is in front of the codec and reads the headers (RFC 6455, 5.2) as they
//! pass. It also limits the total size of a message's fragments. Finally, it reads no faster than the person's
//! sockets may send: bytes that arrive faster wait here, unparsed, until the sender's window is full.

use std::{
    cell::Cell,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, ready},
};

use actix_web::error::PayloadError;
use bytes::Bytes;
use futures_util::Stream;
use tokio::time::Sleep;
use uuid::Uuid;

use crate::http::RateLimits;

const FIN: u8 = 0x80;
const OPCODE: u8 = 0x0f;
const CONTINUATION: u8 = 0;
/// Opcodes from here on belong to control frames, which may come between the fragments of a message.
const FIRST_CONTROL: u8 = 8;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
const MASK_LENGTH: usize = 4;
const LONGEST_HEADER: usize = 14;

/// The bytes of a socket, up to the first frame that is too large.
#[derive(Debug)]
pub struct FrameGuard<S> {
    stream: S,
    headers: Headers,
    refusal: GuardState,
    pace: Pace,
    /// Present while bytes wait; boxed, because they seldom do.
    held: Option<Box<HeldBytes>>,
}

/// Bytes whose turn has not come yet, and the timer of the next check.
#[derive(Debug)]
struct HeldBytes {
    bytes: Bytes,
    timer: Pin<Box<Sleep>>,
}

/// The limits on how fast a person's sockets are read.
#[derive(Debug, Clone)]
pub struct Pace {
    pub limits: Arc<RateLimits>,
    pub budget: Uuid,
}

/// Shows the session why its stream ended.
#[derive(Debug, Clone, Default)]
pub struct GuardState(Rc<Cell<bool>>);

impl GuardState {
    /// Returns whether a frame or message was too large.
    pub fn is_oversized(&self) -> bool {
        self.0.get()
    }
}

impl<S> FrameGuard<S> {
    /// Wraps the stream. `limit` is the number of payload bytes that a message may have in all its fragments.
    pub fn new(stream: S, limit: usize, pace: Pace) -> (Self, GuardState) {
        let refusal = GuardState::default();
        let headers = Headers::new(limit as u64);
        (Self { stream, headers, refusal: refusal.clone(), pace, held: None }, refusal)
    }

    /// Returns whether it is the bytes' turn; otherwise it holds them.
    fn is_in_turn(&mut self, bytes: &Bytes) -> bool {
        let turn = self.pace.limits.check_bytes(self.pace.budget, bytes.len());
        if let Err(wait) = turn {
            let (bytes, timer) = (bytes.clone(), Box::pin(tokio::time::sleep(wait)));
            self.held = Some(Box::new(HeldBytes { bytes, timer }));
        }
        turn.is_ok()
    }
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> FrameGuard<S> {
    /// Returns the held bytes when it is time to check again; otherwise the stream's next bytes.
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        if let Some(held) = &mut self.held {
            ready!(held.timer.as_mut().poll(cx));
        }
        match self.held.take() {
            Some(held) => Poll::Ready(Some(Ok(held.bytes))),
            None => Pin::new(&mut self.stream).poll_next(cx),
        }
    }
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> Stream for FrameGuard<S> {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.refusal.is_oversized() {
            return Poll::Ready(None);
        }
        loop {
            let chunk = match ready!(self.poll_chunk(cx)) {
                Some(Ok(chunk)) => chunk,
                ended => return Poll::Ready(ended),
            };
            if !self.is_in_turn(&chunk) {
                continue;
            }
            if !self.headers.admit(&chunk) {
                self.refusal.0.set(true);
                return Poll::Ready(Some(Err(PayloadError::Overflow)));
            }
            return Poll::Ready(Some(Ok(chunk)));
        }
    }
}

/// Follows the frames of one direction.
#[derive(Debug)]
struct Headers {
    limit: u64,
    /// The header being read, and how much of it has arrived.
    header: [u8; LONGEST_HEADER],
    header_read: u8,
    /// The number of payload bytes of the current frame that have not arrived yet.
    payload_left: u64,
    /// Total payload of the current message's fragments so far.
    message: u64,
}

impl Headers {
    fn new(limit: u64) -> Self {
        Self { limit, header: [0; LONGEST_HEADER], header_read: 0, payload_left: 0, message: 0 }
    }

    /// Follows the bytes; returns `false` at the first frame that is too large.
    fn admit(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            if self.payload_left > 0 {
                let passing = self.payload_left.min(bytes.len() as u64);
                self.payload_left -= passing;
                bytes = &bytes[passing as usize..];
                continue;
            }
            self.header[usize::from(self.header_read)] = bytes[0];
            self.header_read += 1;
            bytes = &bytes[1..];
            let header = &self.header[..usize::from(self.header_read)];
            let Some(length) = declared_length(header) else { continue };
            let is_whole = header.len() == header_length(header[1]);
            if !self.fits(length) {
                return false;
            }
            if is_whole {
                self.begin_payload(length);
            }
        }
        true
    }

    fn fits(&self, length: u64) -> bool {
        let before = if self.header[0] & OPCODE == CONTINUATION { self.message } else { 0 };
        before.saturating_add(length) <= self.limit
    }

    fn begin_payload(&mut self, length: u64) {
        let (opcode, is_last) = (self.header[0] & OPCODE, self.header[0] & FIN != 0);
        if opcode < FIRST_CONTROL {
            let before = if opcode == CONTINUATION { self.message } else { 0 };
            self.message = if is_last { 0 } else { before + length };
        }
        self.payload_left = length;
        self.header_read = 0;
    }
}

/// Returns the payload's length as soon as enough of the header has arrived.
fn declared_length(header: &[u8]) -> Option<u64> {
    match header.get(1)? & LENGTH {
        126 => header.get(2..4).map(|bytes| u64::from(u16::from_be_bytes([bytes[0], bytes[1]]))),
        127 => header.get(2..10)?.try_into().ok().map(u64::from_be_bytes),
        short => Some(u64::from(short)),
    }
}

fn header_length(second: u8) -> usize {
    let extended = match second & LENGTH {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    2 + extended + if second & MASKED != 0 { MASK_LENGTH } else { 0 }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use futures_util::{FutureExt, StreamExt};
    use roadcall_actors::clock::Clock;

    use super::*;
    use crate::service::settings::Settings;

    const TEXT: u8 = 1;
    const PING: u8 = 9;

    fn frame(opcode: u8, is_last: bool, length: usize) -> Vec<u8> {
        let mut frame = vec![opcode | if is_last { FIN } else { 0 }];
        match length {
            0..=125 => frame.push(MASKED | length as u8),
            126..=0xffff => {
                frame.push(MASKED | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(MASKED | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; MASK_LENGTH]);
        frame.extend(std::iter::repeat_n(b'x', length));
        frame
    }

    #[tokio::test]
    async fn bytes_beyond_a_persons_rate_wait() {
        let mut settings = Settings::defaults();
        settings.ws.bytes_per_second = 1024;
        let clock = Clock::controlled(DateTime::UNIX_EPOCH);
        clock.stop();
        let pace =
            Pace { limits: Arc::new(RateLimits::new(&settings.rates(), &clock)), budget: Uuid::from_u128(1) };
        let chunks = [4096, 4096].map(|length| Ok(Bytes::from(frame(TEXT, true, length - 8))));
        let (mut guard, _) = FrameGuard::new(futures_util::stream::iter(chunks), 100_000, pace);
        assert!(guard.next().now_or_never().is_some(), "as much as may come at once");
        assert!(guard.next().now_or_never().is_none(), "and no more for now");
        assert_eq!(guard.held.as_ref().map(|held| held.bytes.len()), Some(4096), "nothing is lost");
    }

    #[test]
    fn frames_within_the_limit_pass_however_they_are_cut() {
        let sizes = [0, 1, 125, 126, 999, 1000];
        let mut bytes: Vec<u8> = sizes.iter().flat_map(|size| frame(TEXT, true, *size)).collect();
        bytes.extend(frame(TEXT, false, 600));
        bytes.extend(frame(PING, true, 125));
        bytes.extend(frame(CONTINUATION, true, 400));
        bytes.extend(frame(TEXT, true, 1000));
        for step in [1, 2, 3, 7, 100, bytes.len()] {
            let mut headers = Headers::new(1000);
            assert!(bytes.chunks(step).all(|chunk| headers.admit(chunk)), "in pieces of {step}");
            assert!(headers.header_read == 0 && headers.payload_left == 0 && headers.message == 0);
        }
    }

    #[test]
    fn an_oversized_frame_is_refused_by_its_header_alone() {
        for length in [1001, 65_536, 300_000_000] {
            let header = frame(TEXT, true, length)[..10].to_vec();
            assert!(!Headers::new(1000).admit(&header), "{length}");
        }
        let most = [FIN | TEXT, MASKED | 127, 255, 255, 255, 255, 255, 255, 255, 255];
        assert!(!Headers::new(1000).admit(&most));
    }

    #[test]
    fn the_fragments_of_a_message_count_together() {
        let mut headers = Headers::new(1000);
        assert!(headers.admit(&frame(TEXT, false, 600)));
        assert!(headers.admit(&frame(CONTINUATION, false, 400)));
        assert!(headers.admit(&frame(CONTINUATION, false, 0)));
        assert!(!headers.admit(&frame(CONTINUATION, true, 1)));
    }
}
