//! A mail server on a port of its own, by RFC 5321 and 4954, which answers as each test wants.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use roadcall::service::settings::{MailProvider, MailSettings, MailTls};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::until_fits;

/// A point in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Greeting,
    Auth,
    Mail,
    Rcpt,
    Data,
    /// After the text.
    Text,
}

/// The server's behaviour in one connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// It answers with this line.
    Says(At, &'static str),
    /// It says nothing from there on, and keeps the connection open.
    Stalls(At),
    /// It closes the connection.
    Cuts(At),
    /// It takes the text, and then closes the connection without an answer.
    TakesAndCuts,
}

/// A mail that the server took.
#[derive(Debug, Clone)]
pub struct TakenMail {
    /// The user name and the password.
    pub user: Option<(String, String)>,
    pub from: String,
    pub to: String,
    pub text: String,
}

/// The server. It ends with the test.
pub struct MailServer {
    port: u16,
    state: Arc<State>,
    listening: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    /// The acts for the next connections, one after the other; afterwards the server behaves well.
    acts: Mutex<VecDeque<Act>>,
    taken: Mutex<Vec<TakenMail>>,
    commands: Mutex<Vec<String>>,
}

impl MailServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let shared = state.clone();
        let listening = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let state = shared.clone();
                tokio::spawn(async move { Conversation::new(connection, state).run().await });
            }
        });
        Self { port, state, listening }
    }

    /// Changes settings to send through this server, signed in.
    pub fn set(&self, mail: &mut MailSettings) {
        mail.provider = MailProvider::Smtp;
        mail.host = "127.0.0.1".to_owned();
        mail.port = self.port;
        mail.tls = MailTls::None;
        mail.user = "roadcall".to_owned();
        mail.password.0 = "s3cret".to_owned();
        mail.from = "Roadcall <help@roadcall.example>".to_owned();
        mail.retry_s = 1;
    }

    pub fn act_next(&self, acts: impl IntoIterator<Item = Act>) {
        self.state.acts.lock().unwrap().extend(acts);
    }

    pub fn commands(&self) -> Vec<String> {
        self.state.commands.lock().unwrap().clone()
    }

    pub fn taken(&self) -> Vec<TakenMail> {
        self.state.taken.lock().unwrap().clone()
    }

    pub fn mails_to(&self, address: &str) -> Vec<TakenMail> {
        self.taken().into_iter().filter(|mail| mail.to == address).collect()
    }

    /// Waits until so many mails were taken for this address.
    pub async fn until_mails(&self, address: &str, count: usize) -> Vec<TakenMail> {
        let ask = async || self.mails_to(address);
        until_fits(&format!("{count} mails"), ask, |mails| mails.len() >= count).await
    }

    /// Waits until a command was sent so often.
    pub async fn until_command(&self, command: &str, count: usize) {
        let ask = async || self.commands().iter().filter(|line| line.starts_with(command)).count();
        until_fits(&format!("{count} times {command}"), ask, |sent| *sent >= count).await;
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

struct Conversation {
    stream: BufReader<TcpStream>,
    state: Arc<State>,
    act: Option<Act>,
    mail: TakenMail,
}

impl Conversation {
    fn new(connection: TcpStream, state: Arc<State>) -> Self {
        let act = state.acts.lock().unwrap().pop_front();
        let mail = TakenMail { user: None, from: String::new(), to: String::new(), text: String::new() };
        Self { stream: BufReader::new(connection), state, act, mail }
    }

    /// Returns the next line, or `None` once the connection is over.
    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end_matches("\r\n").to_owned())
    }

    async fn say(&mut self, line: &str) -> Option<()> {
        self.stream.get_mut().write_all(format!("{line}\r\n").as_bytes()).await.ok()
    }

    /// Answers a step as the test wants, or well.
    async fn answer(&mut self, at: At, well: &str) -> Option<bool> {
        match self.act {
            Some(Act::Says(when, line)) if when == at => {
                self.say(line).await?;
                Some(false)
            }
            Some(Act::Stalls(when)) if when == at => {
                while self.line().await.is_some() {}
                None
            }
            Some(Act::Cuts(when)) if when == at => None,
            Some(Act::TakesAndCuts) if at == At::Text => {
                self.state.taken.lock().unwrap().push(self.mail.clone());
                None
            }
            _ => {
                self.say(well).await?;
                Some(true)
            }
        }
    }

    async fn run(mut self) -> Option<()> {
        self.answer(At::Greeting, "220 mail.example ESMTP").await?;
        loop {
            let line = self.line().await?;
            let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            let noted = if word == "AUTH" { "AUTH".to_owned() } else { line.clone() };
            self.state.commands.lock().unwrap().push(noted);
            match word.as_str() {
                "EHLO" => {
                    self.say("250-mail.example").await?;
                    self.say("250-SIZE 10000000").await?;
                    self.say("250 AUTH PLAIN LOGIN").await?;
                }
                "AUTH" => {
                    let initial = line.rsplit(' ').next().unwrap_or_default();
                    let plain = STANDARD.decode(initial).expect("base64");
                    let plain = String::from_utf8(plain).expect("text");
                    let mut parts = plain.split('\0').skip(1).map(str::to_owned);
                    self.mail.user = parts.next().zip(parts.next());
                    self.answer(At::Auth, "235 welcome").await?;
                }
                "MAIL" => {
                    self.mail.from = within_angles(&line);
                    self.answer(At::Mail, "250 ok").await?;
                }
                "RCPT" => {
                    self.mail.to = within_angles(&line);
                    self.answer(At::Rcpt, "250 ok").await?;
                }
                "DATA" => {
                    if self.answer(At::Data, "354 go ahead").await? {
                        self.mail.text = self.text().await?;
                        if self.answer(At::Text, "250 taken").await? {
                            self.state.taken.lock().unwrap().push(self.mail.clone());
                        }
                    }
                }
                "QUIT" => {
                    self.say("221 bye").await?;
                    return None;
                }
                _ => self.say("502 not known").await?,
            }
        }
    }

    async fn text(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let line = self.line().await?;
            if line == "." {
                return Some(text);
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
    }
}

/// Reads a mail as a file contains it.
pub fn read_mail(text: &str) -> TakenMail {
    let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    TakenMail { user: None, from: String::new(), to: String::new(), text }
}

fn within_angles(line: &str) -> String {
    let (_, rest) = line.split_once('<').expect("an address in angles");
    rest.split('>').next().unwrap_or_default().to_owned()
}

/// A part of a mail, decoded.
#[derive(Debug, Clone)]
pub struct MailPart {
    /// The headers, long ones in one line.
    pub headers: String,
    pub bytes: Vec<u8>,
}

impl MailPart {
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("text").replace("\r\n", "\n")
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

impl TakenMail {
    pub fn header(&self, name: &str) -> Option<String> {
        split(&self.text).header(name).map(str::to_owned)
    }

    /// Returns all parts that are not multipart, in order.
    pub fn parts(&self) -> Vec<MailPart> {
        let mut parts = Vec::new();
        collect(&self.text, &mut parts);
        parts
    }

    /// Returns the whole mail, decoded, for a search.
    pub fn shown(&self) -> String {
        let parts = self.parts();
        parts.iter().map(|part| String::from_utf8_lossy(&part.bytes).replace("\r\n", "\n")).collect()
    }
}

fn split(text: &str) -> MailPart {
    let (headers, body) = text.split_once("\r\n\r\n").expect("headers and a body");
    MailPart { headers: headers.replace("\r\n ", " ").replace("\r\n", "\n"), bytes: body.as_bytes().to_vec() }
}

fn collect(text: &str, parts: &mut Vec<MailPart>) {
    let mut part = split(text);
    let kind = part.header("Content-Type").unwrap_or_default().to_owned();
    if kind.starts_with("multipart/") {
        let (_, rest) = kind.split_once("boundary=\"").expect("a boundary");
        let boundary = format!("--{}", rest.split('"').next().unwrap_or_default());
        let body = part.text().replace('\n', "\r\n");
        for inner in body.split(&boundary).skip(1).filter(|inner| !inner.starts_with("--")) {
            collect(inner.trim_start_matches("\r\n"), parts);
        }
        return;
    }
    let body = String::from_utf8(part.bytes.clone()).expect("ASCII");
    match part.header("Content-Transfer-Encoding") {
        Some("base64") => {
            let body: String = body.split_whitespace().collect();
            part.bytes = STANDARD.decode(body).expect("base64");
        }
        Some("quoted-printable") => part.bytes = unquoted(&body),
        _ => {}
    }
    parts.push(part);
}

fn unquoted(body: &str) -> Vec<u8> {
    let joined = body.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        if first == b'=' {
            let hex = std::str::from_utf8(&more[..2]).expect("hex");
            bytes.push(u8::from_str_radix(hex, 16).expect("hex"));
            rest = &more[2..];
        } else {
            bytes.push(first);
            rest = more;
        }
    }
    bytes
}
