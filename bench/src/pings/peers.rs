//! What passes messages on elsewhere, at the same rates: Mosquitto, where each phone publishes with QoS 1, and Redis, where each
//! position is a GEOADD and a PUBLISH. One subscriber reads all of them.

use std::{
    net::{Ipv4Addr, TcpListener},
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, NetworkOptions, Packet, QoS};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpStream, tcp::OwnedWriteHalf},
    process::{Child, Command},
    task::JoinSet,
    time::sleep,
};

use super::{
    phone::{GRACE, Seen, Step},
    watchers::Times,
};
use crate::{
    Failure,
    plan::{Place, Town, Walker},
    resp,
    socket::ping,
};

const CHANNEL: &str = "positions";
/// Loopback alone, no persistence, all other settings as they come. Without delays where a packet is not full.
const MOSQUITTO: &str = "allow_anonymous true\nset_tcp_nodelay true\n";
/// Messages of one phone that wait to be written.
const OUTGOING: usize = 64;
const LOOK: Duration = Duration::from_millis(20);

/// A server and everyone who is connected to it.
#[derive(Debug)]
pub struct Peer {
    pub name: &'static str,
    server: Child,
    publishers: Vec<Publisher>,
    received: Arc<Times>,
    /// Messages carry the time since then.
    epoch: Instant,
    _reading: JoinSet<()>,
}

#[derive(Debug)]
struct Publisher {
    link: Link,
    walker: Walker,
    seq: i64,
}

#[derive(Debug)]
enum Link {
    Mqtt(AsyncClient),
    Redis { number: usize, stream: OwnedWriteHalf },
}

/// `None` where Mosquitto is not installed.
pub async fn mosquitto(count: usize, town: Town) -> Result<Option<Peer>, Failure> {
    let port = free_port()?;
    let mut command = Command::new("mosquitto");
    command.args(["-c", "/dev/stdin"]).stdin(Stdio::piped());
    let Some(mut server) = start(command)? else { return Ok(None) };
    let mut config = server.stdin.take().ok_or("mosquitto has no input")?;
    config.write_all(format!("listener {port} 127.0.0.1\n{MOSQUITTO}").as_bytes()).await?;
    drop(config);
    drop(connect(port).await?);
    let (epoch, received, mut reading) = (Instant::now(), Arc::<Times>::default(), JoinSet::new());
    let (subscriber, events) = client("subscriber", port);
    subscriber.subscribe(CHANNEL, QoS::AtMostOnce).await?;
    reading.spawn({
        let received = received.clone();
        // The client is kept: without it the subscription ends.
        async move {
            read_mqtt(events, |text| note(text, epoch, &received)).await;
            drop(subscriber)
        }
    });
    let mut links = Vec::new();
    for number in 0..count {
        let (publisher, events) = client(&format!("phone{number}"), port);
        reading.spawn(read_mqtt(events, |_| ()));
        links.push(Link::Mqtt(publisher));
    }
    Ok(Some(Peer::new("mosquitto", server, links, town, received, epoch, reading)))
}

/// `None` where Redis is not installed.
pub async fn redis(count: usize, town: Town) -> Result<Option<Peer>, Failure> {
    let port = free_port()?;
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "no"]);
    let Some(server) = start(command)? else { return Ok(None) };
    let (epoch, received, mut reading) = (Instant::now(), Arc::<Times>::default(), JoinSet::new());
    let mut subscriber = connect(port).await?;
    subscriber.write_all(&resp::command(&["SUBSCRIBE", CHANNEL])).await?;
    reading.spawn({
        let received = received.clone();
        async move {
            let mut lines = BufReader::new(subscriber).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                note(&line, epoch, &received);
            }
        }
    });
    let mut links = Vec::new();
    for number in 0..count {
        let (mut read, stream) = connect(port).await?.into_split();
        reading.spawn(async move { drop(tokio::io::copy(&mut read, &mut tokio::io::sink()).await) });
        links.push(Link::Redis { number, stream });
    }
    Ok(Some(Peer::new("redis", server, links, town, received, epoch, reading)))
}

impl Peer {
    fn new(
        name: &'static str,
        server: Child,
        links: Vec<Link>,
        town: Town,
        received: Arc<Times>,
        epoch: Instant,
        reading: JoinSet<()>,
    ) -> Self {
        let publisher = |(link, n)| Publisher { link, walker: Walker::new(town, n), seq: 0 };
        let publishers = links.into_iter().zip(0..).map(publisher).collect();
        Self { name, server, publishers, received, epoch, _reading: reading }
    }

    pub fn pid(&self) -> Option<u32> {
        self.server.id()
    }

    pub fn len(&self) -> usize {
        self.publishers.len()
    }

    pub async fn step(mut self, step: Step) -> (Self, Seen) {
        let (epoch, mut tasks) = (self.epoch, JoinSet::new());
        self.received.take();
        for (publisher, number) in self.publishers.drain(..).zip(0..) {
            tasks.spawn(publish(publisher, step, number, epoch));
        }
        let mut seen = Seen::default();
        while let Some(done) = tasks.join_next().await {
            let Ok((publisher, sent)) = done else { continue };
            self.publishers.push(publisher);
            seen.sent += sent;
        }
        while (self.received.len() as u64) < seen.sent && Instant::now() < step.until + GRACE {
            sleep(LOOK).await;
        }
        seen.took = self.received.take();
        seen.accepted = seen.took.len() as u64;
        (self, seen)
    }
}

async fn publish(mut publisher: Publisher, step: Step, number: u32, epoch: Instant) -> (Publisher, u64) {
    let (mut tick, mut sent) = (step.ticks(number), 0);
    while tick.tick().await.into_std() < step.until {
        let at = publisher.walker.drive(step.every);
        publisher.seq += 1;
        let message = format!("{}{}", epoch.elapsed().as_micros(), ping(publisher.seq, at));
        sent += 1;
        if publisher.link.send(at, message).await.is_err() {
            break;
        }
    }
    (publisher, sent)
}

impl Link {
    async fn send(&mut self, at: Place, message: String) -> Result<(), Failure> {
        match self {
            Link::Mqtt(client) => client.publish(CHANNEL, QoS::AtLeastOnce, false, message).await?,
            Link::Redis { number, stream } => {
                let place = [at.lng, at.lat].map(|degrees| degrees.to_string());
                let add = ["GEOADD", "points", &place[0], &place[1], &number.to_string()];
                let commands = [resp::command(&add), resp::command(&["PUBLISH", CHANNEL, &message])];
                stream.write_all(&commands.concat()).await?;
            }
        }
        Ok(())
    }
}

/// Notes how old a message is: it begins with the microsecond in which it was written.
fn note(message: &str, epoch: Instant, received: &Times) {
    if let Some(written) = written_at(message) {
        received.add(epoch.elapsed().saturating_sub(written));
    }
}

fn written_at(message: &str) -> Option<Duration> {
    let (micros, _) = message.split_once('{')?;
    micros.parse().ok().map(Duration::from_micros)
}

fn client(name: &str, port: u16) -> (AsyncClient, EventLoop) {
    let options = MqttOptions::new(name, Ipv4Addr::LOCALHOST.to_string(), port);
    let (client, mut events) = AsyncClient::new(options, OUTGOING);
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    events.set_network_options(network);
    (client, events)
}

async fn read_mqtt(mut events: EventLoop, mut read: impl FnMut(&str)) {
    while let Ok(event) = events.poll().await {
        if let Event::Incoming(Packet::Publish(message)) = event {
            read(std::str::from_utf8(&message.payload).unwrap_or_default());
        }
    }
}

/// A program that ends with the run; `None` if there is no such program.
fn start(mut command: Command) -> Result<Option<Child>, Failure> {
    command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    match command.spawn() {
        Ok(child) => Ok(Some(child)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// The server may still be starting.
async fn connect(port: u16) -> Result<TcpStream, Failure> {
    let mut tries = 0;
    loop {
        match TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) if tries == 100 => return Err(error.into()),
            Err(_) => tries += 1,
        }
        sleep(Duration::from_millis(50)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_when_it_was_written() {
        let message = format!("1500{}", ping(1, Place { lat: 1.0, lng: 2.0 }));
        assert_eq!(written_at(&message), Some(Duration::from_micros(1500)));
        assert_eq!(written_at("$9"), None);
    }
}
