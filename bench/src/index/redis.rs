//! Redis' own geographic index over its socket: GEOADD, and GEOSEARCH BYRADIUS … ASC COUNT … WITHDIST.

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::{Duration, Instant},
};

use roadcall_actors::geo::Point;

use super::{
    K, Measured, WITHIN_M,
    city::{Answers, City},
};
use crate::{Failure, resp};

const QUESTIONS: usize = 1_000;
const MOVES: usize = 20_000;
/// Commands sent before the first answer is read.
const PIPELINE: usize = 64;
/// Redis keeps 52 bits of a position and reckons with another earth radius.
const TOLERANCE_M: f64 = 2.0;

/// The least of the protocol (RESP2) that is needed.
#[derive(Debug)]
struct Client {
    stream: BufReader<UnixStream>,
}

#[derive(Debug)]
enum Reply {
    Text(String),
    List(Vec<Reply>),
}

impl Client {
    fn write(&mut self, commands: &[Vec<String>]) -> Result<(), Failure> {
        let bytes: Vec<u8> = commands.iter().flat_map(|command| resp::command(command)).collect();
        Ok(self.stream.get_mut().write_all(&bytes)?)
    }

    fn read(&mut self) -> Result<Reply, Failure> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let (kind, rest) = line.trim_end().split_at_checked(1).ok_or("no answer from Redis")?;
        match kind {
            "+" | ":" => Ok(Reply::Text(rest.to_owned())),
            "$" => {
                let mut text = vec![0; rest.parse::<usize>()? + 2];
                self.stream.read_exact(&mut text)?;
                text.truncate(text.len() - 2);
                Ok(Reply::Text(String::from_utf8(text)?))
            }
            "*" => {
                (0..rest.parse::<usize>()?).map(|_| self.read()).collect::<Result<_, _>>().map(Reply::List)
            }
            _ => Err(format!("Redis: {line}").into()),
        }
    }

    /// In batches of `at_once`.
    fn ask(&mut self, commands: &[Vec<String>], at_once: usize) -> Result<(Vec<Reply>, Duration), Failure> {
        let mut replies = Vec::with_capacity(commands.len());
        let start = Instant::now();
        for batch in commands.chunks(at_once) {
            self.write(batch)?;
            for _ in batch {
                replies.push(self.read()?);
            }
        }
        Ok((replies, start.elapsed()))
    }
}

pub fn run(socket: &Path, city: &City, expected: &Answers, runs: usize) -> Result<Vec<Measured>, Failure> {
    let mut client = Client { stream: BufReader::new(UnixStream::connect(socket)?) };
    let everybody: Vec<_> = (0..).zip(&city.points).map(|(number, point)| add(number, *point)).collect();
    client.ask(&everybody, PIPELINE)?;
    let questions: Vec<_> = city.questions.iter().take(QUESTIONS).map(|from| search(*from)).collect();
    let moves: Vec<_> =
        city.moving.iter().take(MOVES).map(|n| add(*n, city.elsewhere[*n as usize])).collect();
    let mut took: [Vec<Duration>; 4] = Default::default();
    let mut answers = Answers::new();
    for _ in 0..runs {
        let (replies, one_by_one) = client.ask(&questions, 1)?;
        answers = replies.into_iter().map(numbers).collect::<Result<_, _>>()?;
        took[0].push(one_by_one);
        took[1].push(client.ask(&questions, PIPELINE)?.1);
    }
    for _ in 0..runs {
        took[2].push(client.ask(&moves, 1)?.1);
        took[3].push(client.ask(&moves, PIPELINE)?.1);
    }
    let note = city.compare(expected, &answers, TOLERANCE_M)?;
    let [search_one, search_many, move_one, move_many] = took;
    let in_batches = |what: &str| format!("{what}, {PIPELINE} at once");
    Ok(vec![
        Measured::new("Redis: GEOSEARCH nearest 10, one at a time", QUESTIONS, search_one).noted(note),
        Measured::new(&in_batches("Redis: GEOSEARCH nearest 10"), QUESTIONS, search_many),
        Measured::new("Redis: GEOADD move, one at a time", MOVES, move_one),
        Measured::new(&in_batches("Redis: GEOADD move"), MOVES, move_many),
    ])
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn add(number: u32, Point { lat, lng }: Point) -> Vec<String> {
    words(&["GEOADD", "points", &lng.to_string(), &lat.to_string(), &number.to_string()])
}

fn search(Point { lat, lng }: Point) -> Vec<String> {
    let (lng, lat) = (lng.to_string(), lat.to_string());
    let (metres, count) = (WITHIN_M.to_string(), K.to_string());
    let from = ["GEOSEARCH", "points", "FROMLONLAT", &lng, &lat];
    let how = ["BYRADIUS", &metres, "m", "ASC", "COUNT", &count, "WITHDIST"];
    words(&[&from[..], &how[..]].concat())
}

/// Of pairs of a name and a distance.
fn numbers(reply: Reply) -> Result<Vec<u32>, Failure> {
    let Reply::List(pairs) = reply else { return Err("Redis: a list expected".into()) };
    let number = |pair: Reply| match pair {
        Reply::List(pair) => match pair.first() {
            Some(Reply::Text(name)) => Ok(name.parse()?),
            _ => Err("Redis: a name expected".into()),
        },
        Reply::Text(_) => Err("Redis: a pair expected".into()),
    };
    pairs.into_iter().map(number).collect()
}
