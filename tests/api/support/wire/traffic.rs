//! The traffic on the wire, parsed far enough to know in whose transaction a statement runs.
//!
//! The pool pings a connection whose user has not said that it ended: a Sync on its own. Postgres answers each query, and
//! each Sync, with ReadyForQuery, which says whether the connection is in a transaction. So if a ping or a BEGIN finds an
//! open transaction, a user left it open, and every statement from there to its end belongs to somebody else. A transaction
//! that its user abandoned looks different: its ROLLBACK comes before the ping.

use std::collections::{HashMap, VecDeque};

use tokio::sync::watch;

/// The number of statements that are kept for the message of a failure.
const EXAMPLES: usize = 5;
const IDLE: u8 = b'I';
/// A statement that changes a job. Outside of a transaction it commits by itself.
const CHANGES_JOBS: &str = "insert into job_events";
/// Only the session that holds the leader's lock sends this. It is never lent out and never pinged.
const LEADERS: &str = "pg_backend_pid()";

/// Counts so far, over all connections.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// Requests that the service sent on the connections of its pool: simple queries, and sequences that end with a Sync.
    pub messages: u64,
    /// The number of these requests that are BEGINs.
    pub begins: u64,
    /// How often a connection was in the pool while inside a transaction.
    pub left_open: u64,
    /// Statements that ran in a transaction that their sender had not begun.
    pub foreign: u64,
    /// Some of the foreign statements.
    pub examples: Vec<String>,
    /// Connections that have an open request, or are in a transaction.
    pub busy: usize,
}

/// The request that the next ReadyForQuery answers.
#[derive(Debug)]
enum Asked {
    Ping,
    Query { sql: String, is_run: bool },
}

/// One connection of the service to Postgres.
#[derive(Debug)]
pub struct Line {
    traffic: watch::Sender<Traffic>,
    from_service: Reader,
    from_postgres: Reader,
    prepared: HashMap<Vec<u8>, String>,
    /// The statement that was sent since the last Sync, and whether it is executed or only prepared.
    begun: Option<(String, bool)>,
    /// The open requests, each with whether it commits a transaction or a change of jobs.
    asked: VecDeque<(Asked, bool)>,
    /// The statements that were sent since the last BEGIN, or the last one that was sent outside of a transaction.
    transaction: Vec<String>,
    status: u8,
    is_foreign: bool,
    is_busy: bool,
    is_leaders: bool,
}

impl Line {
    pub fn new(traffic: watch::Sender<Traffic>) -> Self {
        Self {
            traffic,
            from_service: Reader { bytes: Vec::new(), has_start: true },
            from_postgres: Reader { bytes: Vec::new(), has_start: false },
            prepared: HashMap::new(),
            begun: None,
            asked: VecDeque::new(),
            transaction: Vec::new(),
            status: IDLE,
            is_foreign: false,
            is_busy: false,
            is_leaders: false,
        }
    }

    /// Takes in bytes that the service has sent. Returns whether they complete a request that commits.
    pub fn sent(&mut self, bytes: &[u8]) -> bool {
        let mut commits = false;
        self.from_service.bytes.extend_from_slice(bytes);
        while let Some((kind, body)) = self.from_service.next() {
            let mut texts = body.split(|byte| *byte == 0);
            let mut text = || texts.next().unwrap_or_default();
            match kind {
                b'Q' => {
                    let sql = String::from_utf8_lossy(text()).into_owned();
                    commits |= self.ask(Asked::Query { sql, is_run: true });
                }
                b'P' => {
                    let (name, sql) = (text().to_vec(), String::from_utf8_lossy(text()).into_owned());
                    self.prepared.insert(name, sql.clone());
                    self.begun = Some((sql, false));
                }
                b'B' => {
                    let sql = (text(), text()).1;
                    self.begun = Some((self.prepared.get(sql).cloned().unwrap_or_default(), true));
                }
                b'S' => {
                    let asked = self.begun.take();
                    commits |=
                        self.ask(asked.map_or(Asked::Ping, |(sql, is_run)| Asked::Query { sql, is_run }));
                }
                b'C' | b'D' | b'E' | b'H' => {
                    self.begun.get_or_insert_default();
                }
                _ => {}
            }
        }
        commits
    }

    /// Returns whether the last transaction has a statement that contains this text.
    pub fn has_sent(&self, text: &str) -> bool {
        self.transaction.iter().any(|sql| sql.contains(text))
    }

    /// Takes in bytes that Postgres has answered. Returns whether they complete the answer to a request that commits.
    pub fn answered(&mut self, bytes: &[u8]) -> bool {
        let mut has_committed = false;
        self.from_postgres.bytes.extend_from_slice(bytes);
        while let Some((kind, body)) = self.from_postgres.next() {
            if kind == b'Z' {
                has_committed |= self.ready(body.first().copied().unwrap_or(IDLE));
            }
        }
        has_committed
    }

    /// Returns whether the request commits.
    fn ask(&mut self, asked: Asked) -> bool {
        self.is_leaders |= matches!(&asked, Asked::Query { sql, .. } if sql.contains(LEADERS));
        if self.is_leaders {
            return false;
        }
        let is_begin = matches!(&asked, Asked::Query { sql, .. } if is_begin(sql));
        let mut commits = false;
        if let Asked::Query { sql, is_run: true } = &asked {
            let is_outside = self.status == IDLE && self.asked.is_empty();
            if is_begin || is_outside {
                self.transaction.clear();
            }
            commits = sql.eq_ignore_ascii_case("commit") || (is_outside && sql.contains(CHANGES_JOBS));
            self.transaction.push(sql.clone());
        }
        let was_busy = std::mem::replace(&mut self.is_busy, true);
        self.asked.push_back((asked, commits));
        self.traffic.send_modify(|traffic| {
            traffic.messages += 1;
            traffic.begins += u64::from(is_begin);
            traffic.busy += usize::from(!was_busy);
        });
        commits
    }

    /// Returns whether the answered request commits.
    fn ready(&mut self, status: u8) -> bool {
        let before = std::mem::replace(&mut self.status, status);
        // A new connection has no open request.
        let Some((asked, commits)) = self.asked.pop_front() else { return false };
        let found = match &asked {
            Asked::Ping => status != IDLE,
            Asked::Query { sql, .. } => is_begin(sql) && before != IDLE,
        };
        let is_new = found && !self.is_foreign;
        self.is_foreign |= found;
        let foreign = match &asked {
            Asked::Query { sql, is_run: true } if self.is_foreign && !is_rollback(sql) => Some(sql.clone()),
            _ => None,
        };
        self.is_foreign &= status != IDLE;
        let rests = self.asked.is_empty() && status == IDLE;
        let comes_to_rest = rests && std::mem::replace(&mut self.is_busy, false);
        self.traffic.send_modify(|traffic| {
            traffic.left_open += u64::from(is_new);
            traffic.busy -= usize::from(comes_to_rest);
            traffic.foreign += u64::from(foreign.is_some());
            let room = EXAMPLES.saturating_sub(traffic.examples.len());
            traffic.examples.extend(foreign.into_iter().take(room));
        });
        commits
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.traffic.send_modify(|traffic| traffic.busy -= usize::from(self.is_busy));
    }
}

fn is_begin(sql: &str) -> bool {
    sql.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("begin"))
}

fn is_rollback(sql: &str) -> bool {
    sql.eq_ignore_ascii_case("rollback")
}

/// Cuts a stream of bytes into messages: a letter, a length that includes itself, and a body.
#[derive(Debug)]
struct Reader {
    bytes: Vec<u8>,
    /// Whether the first message has been read; a client's first message has no letter.
    has_start: bool,
}

impl Reader {
    fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let letters = usize::from(!self.has_start);
        let length = self.bytes.get(letters..letters + 4)?;
        let length = u32::from_be_bytes(length.try_into().expect("four bytes"));
        let end = letters + usize::try_from(length).expect("a length");
        if self.bytes.len() < end {
            return None;
        }
        let kind = if self.has_start { 0 } else { self.bytes[0] };
        let body = self.bytes[letters + 4..end].to_vec();
        self.bytes.drain(..end);
        self.has_start = false;
        Some((kind, body))
    }
}

#[test]
fn a_transaction_left_open_is_distinguished_from_an_abandoned_one() {
    let (traffic, seen) = watch::channel(Traffic::default());
    let message = |kind: u8, body: &[u8]| {
        let length = u32::try_from(body.len() + 4).expect("short");
        [&[kind], length.to_be_bytes().as_slice(), body].concat()
    };
    let ready = |status: u8| message(b'Z', &[status]);
    let ping = message(b'S', b"");
    let mut line = Line::new(traffic);
    line.sent(&8_u32.to_be_bytes());
    line.sent(&[0, 3, 0, 0]);
    line.answered(&ready(b'I'));
    // The transaction is begun and abandoned, and the connection is returned.
    for sent in [message(b'Q', b"BEGIN\0"), message(b'Q', b"ROLLBACK\0"), ping.clone()] {
        line.sent(&sent);
    }
    line.answered(&[ready(b'T'), ready(b'I'), ready(b'I')].concat());
    assert_eq!((seen.borrow().left_open, seen.borrow().busy), (0, 0));
    // The transaction is begun, and the connection is returned; then somebody else uses it.
    line.sent(&[message(b'Q', b"BEGIN\0"), ping.clone()].concat());
    line.answered(&[ready(b'T'), ready(b'T')].concat());
    assert_eq!((seen.borrow().left_open, seen.borrow().foreign), (1, 0));
    assert!(!line.has_sent("delete"));
    line.sent(&ping);
    let run =
        [message(b'P', b"s\0delete\0\0\0"), message(b'B', b"\0s\0"), message(b'E', b"\0\0\0\0\0"), ping];
    line.sent(&run.concat());
    line.answered(&[ready(b'T'), ready(b'T')].concat());
    assert!(line.has_sent("delete"));
    let seen = seen.borrow();
    assert_eq!((seen.left_open, seen.foreign, seen.begins, seen.messages), (1, 1, 2, 7));
    assert_eq!((seen.examples.as_slice(), seen.busy), (["delete".to_owned()].as_slice(), 1));
}
