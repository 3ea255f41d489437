//! Connections through the proxy, in memory and with a clock that passes only while nothing else can happen.

use chrono::DateTime;
use roadcall_actors::clock::Clock;
use tokio::{
    io::{DuplexStream, duplex},
    time::timeout,
};

use super::*;

/// The memory of a socket.
const SOCKET: usize = 64 * 1024;
/// Longer than anything takes to arrive.
const LONG: Duration = Duration::from_secs(600);

/// Returns a server's end of a new connection, and the other end.
fn connected(ways: &Arc<Ways>) -> (DuplexStream, DuplexStream) {
    let ((server, near), (far, other)) = (duplex(SOCKET), duplex(SOCKET));
    let ways = ways.clone();
    tokio::spawn(async move { connect(near, far, &ways).await });
    (server, other)
}

async fn received(end: &mut DuplexStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    end.read_exact(&mut bytes).await.unwrap();
    bytes
}

/// Returns a clock that shows the time of the test, which passes only while nothing else can happen.
fn stopwatch() -> Clock {
    Clock::virtual_from(DateTime::UNIX_EPOCH)
}

/// Checks a time that has passed, which timers round to milliseconds.
fn assert_passed(clock: &Clock, expected_ms: u64) {
    let passed = clock.elapsed().as_millis();
    let expected = u128::from(expected_ms);
    assert!((expected..=expected + expected / 50).contains(&passed), "{passed} ms, not {expected_ms}");
}

#[tokio::test(start_paused = true)]
async fn bytes_pass_in_both_directions_until_both_ends_close() {
    let (mut server, mut other) = connected(&Arc::default());
    let clock = stopwatch();
    let bytes: Vec<u8> = (0..3 * ON_THE_WAY).map(|n| (n % 251) as u8).collect();
    let sent = async {
        server.write_all(&bytes).await.unwrap();
        server.shutdown().await.unwrap();
    };
    let mut arrived = Vec::new();
    let ((), read) = tokio::join!(sent, other.read_to_end(&mut arrived));
    assert_eq!(read.unwrap(), bytes.len());
    assert!(arrived == bytes);
    other.write_all(b"answer").await.unwrap();
    assert_eq!(received(&mut server, 6).await, b"answer");
    drop(other);
    assert_eq!(server.read(&mut [0]).await.unwrap(), 0);
    assert_passed(&clock, 0);
}

#[tokio::test(start_paused = true)]
async fn a_mute_link_swallows_what_the_server_sends_and_carries_what_it_receives() {
    let ways = Arc::<Ways>::default();
    let (mut server, mut other) = connected(&ways);
    ways.set(Impairment::Mute.passages());
    server.write_all(&vec![7; 3 * ON_THE_WAY]).await.unwrap();
    other.write_all(b"heard").await.unwrap();
    assert_eq!(received(&mut server, 5).await, b"heard");
    let heard = timeout(LONG, other.read(&mut [0])).await;
    assert!(heard.is_err(), "nothing arrives, and the connection stays open: {heard:?}");

    ways.set([Passage::Free; 2]);
    let ended = other.read(&mut [0]).await.unwrap();
    assert_eq!(ended, 0, "nothing may follow what was lost");
}

#[tokio::test(start_paused = true)]
async fn a_deaf_link_swallows_what_is_sent_to_the_server_and_carries_what_it_sends() {
    let ways = Arc::<Ways>::default();
    let (mut server, mut other) = connected(&ways);
    ways.set(Impairment::Deaf.passages());
    other.write_all(b"lost").await.unwrap();
    server.write_all(b"heard").await.unwrap();
    assert_eq!(received(&mut other, 5).await, b"heard");
    assert!(timeout(LONG, server.read(&mut [0])).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_server_is_not_noticed_while_its_link_is_mute() {
    let ways = Arc::<Ways>::default();
    let (server, mut other) = connected(&ways);
    ways.set(Impairment::Mute.passages());
    drop(server);
    other.write_all(b"to nobody").await.unwrap();
    assert!(timeout(LONG, other.read(&mut [0])).await.is_err());
    ways.set([Passage::Free; 2]);
    assert_eq!(other.read(&mut [0]).await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_link_that_lost_nothing_goes_on_after_its_repair() {
    let ways = Arc::<Ways>::default();
    let (mut server, mut other) = connected(&ways);
    ways.set(Impairment::Mute.passages());
    sleep(LONG).await;
    ways.set([Passage::Free; 2]);
    server.write_all(b"again").await.unwrap();
    assert_eq!(received(&mut other, 5).await, b"again");
}

#[tokio::test(start_paused = true)]
async fn delayed_bytes_arrive_before_later_ones() {
    let ways = Arc::<Ways>::default();
    let (mut server, mut other) = connected(&ways);
    let clock = stopwatch();
    ways.set(Impairment::Late(Duration::from_millis(1_200)).passages());
    server.write_all(b"first").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    ways.set([Passage::Free; 2]);
    server.write_all(b"second").await.unwrap();
    assert_eq!(received(&mut other, 11).await, b"firstsecond");
    assert_passed(&clock, 1_200);
}

#[tokio::test(start_paused = true)]
async fn messages_on_a_late_link_do_not_wait_for_each_other() {
    let ways = Arc::<Ways>::default();
    let (mut server, mut other) = connected(&ways);
    let clock = stopwatch();
    ways.set(Impairment::Late(Duration::from_millis(1_200)).passages());
    for _ in 0..10 {
        server.write_all(b"x").await.unwrap();
        sleep(Duration::from_millis(100)).await;
    }
    received(&mut other, 10).await;
    assert_passed(&clock, 900 + 1_200);
}

#[tokio::test(start_paused = true)]
async fn the_connections_of_a_narrow_link_share_its_rate() {
    let ways = Arc::<Ways>::default();
    let connections = [connected(&ways), connected(&ways)];
    let clock = stopwatch();
    ways.set(Impairment::Narrow { bytes: 3_000 }.passages());
    let sent = connections.map(|(mut server, mut other)| async move {
        server.write_all(&[7; 6_000]).await.unwrap();
        received(&mut other, 6_000).await
    });
    let [one, another] = sent;
    tokio::join!(one, another);
    assert_passed(&clock, 4_000);
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_does_not_read_stops_its_sender() {
    let (mut server, mut other) = connected(&Arc::default());
    let mut taken = 0;
    while let Ok(count) = timeout(LONG, server.write(&[7; 1_000])).await {
        taken += count.unwrap();
    }
    let memory = ON_THE_WAY + 2 * SOCKET + CHUNK;
    assert!((memory / 2..=memory).contains(&taken), "{taken} bytes");
    assert_eq!(received(&mut other, taken).await.len(), taken);
}
