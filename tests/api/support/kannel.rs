//! Kannel, an SMS gateway, with the fake SMSC that comes with it.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    process::{ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use roadcall::service::settings::{Secret, SmsHttpMethod, SmsProvider, SmsSettings};

use super::{
    free_ports,
    programs::{Programs, until_open},
    until_fits,
};

/// The program of Debian's package kannel-extras.
const FAKE_SMSC: &str = "/usr/lib/kannel/test/fakesmsc";
const HOW: &str = "script/bootstrap kannel installs it";

/// A running Kannel. It ends with the test.
#[derive(Debug)]
pub struct Kannel {
    _programs: Programs,
    /// The standard input of the fake SMSC, which ends when this is closed.
    _typed: ChildStdin,
    port: u16,
    lines: Arc<Mutex<Vec<String>>>,
}

/// A message as the SMSC got it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    pub sender: String,
    pub receiver: String,
    pub text: String,
}

impl Kannel {
    pub async fn start() -> Self {
        let mut programs = Programs::in_folder("kannel");
        let [admin, boxes, smsc, port] = free_ports();
        let file = programs.folder.join("kannel.conf");
        fs::write(&file, configuration(admin, boxes, smsc, port)).expect("a file");
        let quiet = |program: &str| {
            let mut command = Command::new(program);
            command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        programs.start(&mut quiet("bearerbox"), HOW);
        until_open("Kannel's centre", boxes).await;
        until_open("Kannel's centre", smsc).await;
        programs.start(&mut quiet("smsbox"), HOW);
        until_open("Kannel's entrance", port).await;
        let fake = env::var("ROADCALL_FAKESMSC").unwrap_or_else(|_| FAKE_SMSC.to_owned());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {fake} -H 127.0.0.1 -r {smsc} 2>&1")]);
        let fake = programs.start(shell.stdin(Stdio::piped()).stdout(Stdio::piped()), HOW);
        let (typed, shown) = fake.stdin.take().zip(fake.stdout.take()).expect("both are piped");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let read = lines.clone();
        thread::spawn(move || {
            for line in BufReader::new(shown).lines().map_while(Result::ok) {
                read.lock().unwrap().push(line);
            }
        });
        Self { _programs: programs, _typed: typed, port, lines }
    }

    /// Changes settings to those for Kannel in docs/OPERATIONS.md.
    pub fn set(&self, sms: &mut SmsSettings) {
        let url = "/cgi-bin/sendsms?username=roadcall&password=s%26cret&from={sender}&to={to}&coding={coding}&charset=UTF-8&text={text}";
        sms.provider = SmsProvider::Http;
        sms.timeout_ms = 20_000;
        sms.http.method = SmsHttpMethod::Get;
        sms.http.url = Secret(format!("http://127.0.0.1:{}{url}", self.port));
        sms.http.sender = "ROADCL".to_owned();
        sms.http.success_contains = ": ".to_owned();
    }

    /// Waits until the SMSC has this many messages, with the parts of long ones joined.
    pub async fn until_arrived(&self, count: usize) -> Vec<Arrived> {
        let arrived = async || put_together(&self.lines.lock().unwrap());
        until_fits(&format!("{count} messages arrive"), arrived, |arrived| arrived.len() >= count).await
    }
}

fn configuration(admin: u16, boxes: u16, smsc: u16, port: u16) -> String {
    format!(
        "group = core\nadmin-port = {admin}\nadmin-password = none\nadmin-interface = 127.0.0.1\n\
        smsbox-port = {boxes}\nsmsbox-interface = 127.0.0.1\nbox-allow-ip = 127.0.0.1\n\n\
        group = smsc\nsmsc = fake\nsmsc-id = fake\nport = {smsc}\nconnect-allow-ip = 127.0.0.1\n\n\
        group = smsbox\nbearerbox-host = 127.0.0.1\nsendsms-port = {port}\nsendsms-interface = 127.0.0.1\n\n\
        group = sendsms-user\nusername = roadcall\npassword = s&cret\nconcatenation = true\nmax-messages = 10\n"
    )
}

/// Reads messages from lines such as `Got message 1: <from to text …>` and `… <from to udh … data …>`.
fn put_together(lines: &[String]) -> Vec<Arrived> {
    let mut arrived = Vec::new();
    let mut parts: Vec<u8> = Vec::new();
    for line in lines {
        let Some((_, message)) = line.split_once("Got message ") else { continue };
        let message =
            message.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).expect("a message");
        let words: Vec<&str> = message.splitn(4, ' ').collect();
        let [sender, receiver, kind, rest] = words[..] else { panic!("no message: {line}") };
        let text = match kind {
            "text" => Some(rest.to_owned()),
            "data" => Some(ucs2(&bytes(rest))),
            "udh" => {
                let (header, data) = rest.split_once(" data ").expect("data after the header");
                // IEI 0 has the number of the message, the number of its parts, and the number of this part.
                let header = bytes(header);
                parts.extend(bytes(data));
                (header[4] == header[5]).then(|| ucs2(&std::mem::take(&mut parts)))
            }
            _ => panic!("no message: {line}"),
        };
        let arrive = |text| Arrived { sender: sender.to_owned(), receiver: receiver.to_owned(), text };
        arrived.extend(text.map(arrive));
    }
    arrived
}

fn bytes(encoded: &str) -> Vec<u8> {
    let spaced = encoded.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).collect()
}

fn ucs2(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    String::from_utf16(&units).expect("UTF-16")
}
