//! The program as people run it: its command line, its output, its signals.

use std::{
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall::platform::db::testing::{TestDatabase, fresh_database};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, ChildStdout, Command},
};

use crate::support::{Answer, Client, uploads, within};

/// A database and a data folder, both removed on drop.
pub struct Place {
    pub database: TestDatabase,
    data_dir: PathBuf,
    pub log: PathBuf,
}

/// The service in a process of its own.
pub struct Served {
    child: Child,
    pub address: SocketAddr,
    stdout: BufReader<ChildStdout>,
    greeting: String,
    log: PathBuf,
}

impl Place {
    pub async fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let data_dir = env::temp_dir().join(format!("roadcall-cli-{}-{number}", std::process::id()));
        fs::remove_dir_all(&data_dir).ok();
        Self { database: fresh_database().await, log: data_dir.with_extension("log"), data_dir }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(&self.data_dir, arguments)
    }

    /// Returns a command on the same database, with another data folder.
    pub fn command_in(&self, data_dir: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.args(arguments).arg("--data-dir").arg(data_dir);
        command.env("DATABASE_URL", self.database.url()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `roadcall` alone, with these variables.
    pub async fn serve(&self, variables: &[(&str, &str)]) -> Served {
        self.serve_as(&[], variables).await
    }

    /// Runs `roadcall` with more arguments.
    pub async fn serve_as(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Served {
        let mut command = self.command(&[arguments, &["--listen", "127.0.0.1:0"]].concat());
        // Output goes to a file: a pipe that nobody reads would block the service when it is full.
        let log = fs::File::create(&self.log).unwrap();
        let mut child = command.envs(variables.iter().copied()).stderr(log).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        within("the greeting", stdout.read_line(&mut greeting)).await.unwrap();
        let address = greeting.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_else(|| panic!("no address in: {greeting}")).parse().unwrap();
        Served { child, address, stdout, greeting, log: self.log.clone() }
    }

    /// Runs `roadcall admin invite`, and returns its output.
    pub async fn invite(&self, email: &str) -> std::process::Output {
        let invited = self.command(&["admin", "invite", "--email", email]).output();
        within("the command ends", invited).await.unwrap()
    }

    pub async fn create_admin(&self, password: &str, role: &str) -> std::process::Output {
        let arguments = ["admin", "create", "--email", "Boss@Example.com", "--role", role];
        let mut child = self.command(&arguments).spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).await.unwrap();
        within("the command ends", child.wait_with_output()).await.unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.data_dir).ok();
        fs::remove_file(&self.log).ok();
        fs::remove_dir_all(self.data_dir.with_extension("zones")).ok();
    }
}

impl Served {
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id().expect("it still runs")).unwrap();
        kill(Pid::from_raw(pid), signal).unwrap();
    }

    /// Stops it as SIGTERM does, and expects that it ends well; returns its log.
    async fn stopped(self) -> String {
        self.signal(Signal::SIGTERM);
        let (status, _, log) = self.ended().await;
        assert!(status.success(), "{log}");
        log
    }

    /// Waits for the end; returns how it ended, and its stdout and log.
    pub async fn ended(mut self) -> (std::process::ExitStatus, String, String) {
        let mut greeting = self.greeting;
        let ended = async {
            self.stdout.read_to_string(&mut greeting).await.unwrap();
            self.child.wait().await.unwrap()
        };
        let status = within("the service ends", ended).await;
        (status, greeting, fs::read_to_string(&self.log).unwrap())
    }
}

/// Returns what a command that fails says.
async fn refusal(mut command: Command) -> String {
    let output = within("the refusal", command.output()).await.unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{words}");
    words
}

#[actix_web::test]
async fn the_first_start_suggests_what_to_try_and_later_ones_print_only_the_address() {
    let place = Place::new().await;
    for (start, says_more) in [("first", true), ("second", false)] {
        let served = place.serve(&[]).await;
        Client::new(served.address).get("/health/ready").await.expect(200);
        served.signal(Signal::SIGTERM);
        let (status, greeting, log) = served.ended().await;
        assert!(status.success(), "{start}: {log}");
        assert!(greeting.contains("/docs/"), "{start}: {greeting}");
        assert_eq!(greeting.contains("in a browser"), says_more, "{start}: {greeting}");
    }
}

/// The settings that production needs to start, with providers that nothing calls.
pub const PRODUCTION: [(&str, &str); 18] = [
    ("ROADCALL_ENV", "production"),
    ("ROADCALL__SERVER__TRUSTED_PROXIES", "direct"),
    ("ROADCALL__SERVER__PUBLIC_URL", "https://api.example"),
    ("ROADCALL__METRICS__LISTEN", "127.0.0.1:0"),
    ("ROADCALL__AUTH__DEV_OTP", "false"),
    ("ROADCALL__AUTH__TOKEN_SECRET", "hunter2 of a test alone, and long enough for one"),
    ("ROADCALL__IDENTITY__LOCAL_PROVIDER_IN_PRODUCTION", "true"),
    ("ROADCALL__SMS__PROVIDER", "twilio"),
    ("ROADCALL__SMS__TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000"),
    ("ROADCALL__SMS__TWILIO_AUTH_TOKEN", "hunter2"),
    ("ROADCALL__SMS__TWILIO_FROM", "+15005550006"),
    ("ROADCALL__GATEWAY__PROVIDER", "razorpay"),
    ("ROADCALL__GATEWAY__KEY_ID", "rzp_live_1"),
    ("ROADCALL__GATEWAY__KEY_SECRET", "hunter2"),
    ("ROADCALL__GATEWAY__WEBHOOK_SECRET", "hunter2 sixteen bytes"),
    ("ROADCALL__PAYOUTS__PROVIDER", "razorpay"),
    ("ROADCALL__PAYOUTS__ACCOUNT_NUMBER", "A7878780080316316"),
    ("ROADCALL__HTTP__ALLOWED_ORIGINS", "https://app.example"),
];

#[actix_web::test]
async fn production_logs_its_setup_and_no_secrets() {
    let place = Place::new().await;
    let served = place.serve(&PRODUCTION).await;
    Client::new(served.address).get("/health/ready").await.expect(200);
    served.signal(Signal::SIGTERM);
    let (status, greeting, log) = served.ended().await;
    assert!(status.success(), "{log}");
    for said in [
        "https://api.example",
        "embedded provider",
        "pages of https://app.example",
        "connect to the service itself",
    ] {
        assert!(greeting.contains(said), "{said} is missing in: {greeting}");
    }
    assert!(!greeting.contains("in a browser") && !greeting.contains("hunter2") && !log.contains("hunter2"));
}

#[actix_web::test]
async fn production_keeps_admins_passwords_only_with_a_setting() {
    let place = Place::new().await;
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command.envs(PRODUCTION.into_iter().filter(|(name, _)| !name.contains("LOCAL_PROVIDER")));
    let said = refusal(command).await;
    assert!(said.contains("identity.local_provider_in_production"), "{said}");
    assert!(said.contains("identity.issuer"), "{said}");
}

#[actix_web::test]
async fn requests_that_are_not_http_are_refused_and_not_logged_as_errors() {
    let place = Place::new().await;
    let served = place.serve(&[]).await;
    for bytes in [
        "\u{1}\u{2}nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
    ] {
        let mut odd = TcpStream::connect(served.address).await.unwrap();
        odd.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        within("an answer and the end", odd.read_to_end(&mut answer)).await.ok();
        assert!(answer.starts_with(b"HTTP/1.1 400"), "{bytes:?}: {}", String::from_utf8_lossy(&answer));
    }
    let log = served.stopped().await;
    assert!(!log.contains("ERROR"), "{log}");
}

#[actix_web::test]
async fn an_interrupted_service_ends_despite_an_open_request_and_at_once_after_a_second_signal() {
    let place = Place::new().await;
    let served = place.serve(&[("ROADCALL__SERVER__SHUTDOWN_TIMEOUT_MS", "600000")]).await;
    let mut open = TcpStream::connect(served.address).await.unwrap();
    let head = "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n";
    open.write_all(head.as_bytes()).await.unwrap();
    let mut seen = [0_u8; 64];
    within("the service waits for the body", open.read(&mut seen)).await.unwrap();
    served.signal(Signal::SIGINT);
    let refused = async { while TcpStream::connect(served.address).await.is_ok() {} };
    within("it stops accepting", refused).await;
    served.signal(Signal::SIGINT);
    let (status, _, log) = served.ended().await;
    assert!(status.success(), "{log}");
}

#[actix_web::test]
async fn a_second_server_on_the_same_data_folder_is_refused_with_the_reason() {
    let place = Place::new().await;
    let served = place.serve(&[]).await;
    let words = refusal(place.command(&["serve", "--listen", "127.0.0.1:0"])).await;
    assert!(words.contains("--data-dir"), "{words}");
    Client::new(served.address).get("/health").await.expect(200);
    served.stopped().await;
}

#[actix_web::test]
async fn a_taken_port_is_named_and_nothing_is_left_running() {
    let place = Place::new().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for _ in 0..2 {
        let words = refusal(place.command(&["serve", "--listen", &address])).await;
        assert!(words.contains(&address), "{words}");
    }
}

#[actix_web::test]
async fn bad_settings_and_arguments_are_refused_by_name() {
    let place = Place::new().await;
    let nobody = ("DATABASE_URL", "postgres://roadcall:hunter2@127.0.0.1:9/roadcall");
    let fresh = ("ROADCALL__DISPATCH__FRESH_POSITION_S", "900");
    let cases: [(&[&str], (&str, &str), &str); 10] = [
        (&["serve", "--listen", "0.0.0.0:0"], ("X", ""), "server.listen"),
        (&["serve", "--listen", "localhost"], ("X", ""), "such as 127.0.0.1:8080"),
        (&["serve"], nobody, "Connection refused"),
        (&["ledger", "check"], nobody, "Connection refused"),
        (&["serve"], ("ROADCALL__SERVER__NO_SUCH_KEY", "1"), "no_such_key"),
        (&["serve"], ("ROADCALL_ENV", "production"), "auth.dev_otp"),
        (&["serve"], ("ROADCALL__OPERATOR__TIME_ZONE", "Mars/Base"), "operator.time_zone is a name such as"),
        (&["serve"], ("ROADCALL__ETA__UTC_OFFSET_MINUTES", "330"), "set operator.time_zone"),
        (&["serve"], fresh, "watch.dark_after_s must be at least dispatch.fresh_position_s"),
        (&["admin", "create", "--email", "a@b.example", "--role", "customer"], ("X", ""), "super_admin"),
    ];
    for (arguments, (name, value), expected) in cases {
        let mut command = place.command(arguments);
        command.env(name, value);
        let words = refusal(command).await;
        assert!(words.contains(expected), "{arguments:?} {name}: {words}");
        assert!(!words.contains("hunter2"), "{words}");
    }
}

#[actix_web::test]
async fn packages_get_a_manual_of_every_command_and_completions_for_three_shells() {
    let folder = env::temp_dir().join(format!("roadcall-reference-{}", std::process::id()));
    let written = |to: PathBuf| async move {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        within("the command ends", command.args(["reference", "--to"]).arg(to).output()).await.unwrap()
    };
    let output = written(folder.clone()).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (file, what) in [
        ("man/roadcall.1", "dispatch of roadside mechanics"),
        ("man/roadcall-admin-create.1", "email"),
        ("man/roadcall-ledger-check.1", "Check that every balance"),
        ("completions/roadcall.bash", "--data-dir"),
        ("completions/roadcall.fish", "ledger"),
        ("completions/_roadcall", "#compdef roadcall"),
    ] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(what), "{file} says nothing of {what}");
    }
    // A file is not a folder.
    let output = written(folder.join("man/roadcall.1")).await;
    assert!(!output.status.success());
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(why.starts_with("roadcall: --to: "), "{why}");
    fs::remove_dir_all(folder).unwrap();
}

/// Returns a zone whose clocks show the time of Greenwich, as a file of tzdata (RFC 9636).
fn tzif() -> Vec<u8> {
    // These count UTC and standard indicators, leap seconds, changes, types of local time, and letters of their names.
    let counts = [0_u32, 0, 0, 0, 1, 4].map(u32::to_be_bytes).concat();
    let block: [&[u8]; 5] = [b"TZif2", &[0; 15], &counts, &[0; 6], b"UTC\0"];
    let block = block.concat();
    let file: [&[u8]; 3] = [&block, &block, b"\nUTC0\n"];
    file.concat()
}

#[actix_web::test]
async fn a_time_zone_unknown_to_postgres_is_refused_and_differing_rules_are_logged() {
    let place = Place::new().await;
    let folder = place.data_dir.with_extension("zones");
    for zone in ["Mars/Base", "Europe/Berlin"] {
        let file = folder.join(zone);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, tzif()).unwrap();
    }
    let variables = |zone| [("TZDIR", folder.to_str().unwrap()), ("ROADCALL__OPERATOR__TIME_ZONE", zone)];
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.envs(variables("Mars/Base"));
    let words = refusal(command).await;
    assert!(
        words.contains("Postgres does not know the time zone Mars/Base of operator.time_zone"),
        "{words}"
    );

    for (zone, is_warned) in [("Europe/Berlin", true), ("Europe/Paris", false)] {
        let served = place.serve(&variables(zone)).await;
        let log = served.stopped().await;
        let warns = log.contains("Postgres and this program know different rules of the time zone");
        assert_eq!(warns, is_warned, "{zone}: {log}");
    }
}

#[actix_web::test]
async fn an_admin_made_twice_beside_a_running_server_has_the_new_password() {
    let place = Place::new().await;
    let served = place.serve(&[]).await;
    let nobody = Client::new(served.address);
    for (password, role) in [("correct horse battery", "admin"), ("another long password", "super_admin")] {
        let output = place.create_admin(password, role).await;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let login = json!({"email": "boss@example.com", "password": password});
        let token = nobody.post("/idp/token", login).await.expect(200);
        let login = json!({"idpIdToken": token["idToken"]});
        let signed_in = nobody.post("/auth/admin-login", login).await.expect(200);
        assert_eq!(signed_in["data"]["role"], role);
    }
    let output = place.create_admin("short", "admin").await;
    assert!(!output.status.success());
    served.stopped().await;
}

/// Returns the token in the link that the output shows.
fn token_in(output: &std::process::Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let token =
        text.split_once("/console/invite#token=").and_then(|(_, rest)| rest.split_whitespace().next());
    token.unwrap_or_else(|| panic!("no link in: {text}")).to_owned()
}

/// Chooses a password with the invitation, and accepts it.
async fn accept(nobody: &Client, token: &str, email: &str) -> Answer {
    let password = "seven drawers in a grey desk";
    nobody.post("/idp/accounts", json!({"token": token, "password": password})).await.expect(200);
    let proof = nobody.post("/idp/token", json!({"email": email, "password": password})).await.expect(200);
    nobody.post("/auth/accept-invite", json!({"token": token, "idpIdToken": proof["idToken"]})).await
}

#[actix_web::test]
async fn the_first_super_admin_uses_a_link_made_before_the_first_start_once() {
    let place = Place::new().await;
    let token = token_in(&place.invite(" Boss@Example.com ").await);
    let kept: Vec<u8> = sqlx::query_scalar("select token_hash from admin_invites where invited_by is null")
        .fetch_one(&place.database.db)
        .await
        .unwrap();
    assert_ne!(kept, token.as_bytes());
    let served = place.serve(&[]).await;
    let nobody = Client::new(served.address);
    let accepted = accept(&nobody, &token, "boss@example.com").await.expect(200);
    assert_eq!(accepted["data"]["role"], "super_admin");
    let boss = nobody.with_token(accepted["data"]["accessToken"].as_str().unwrap());
    let invites = boss.get("/super-admin/invites").await.expect(200);
    assert_eq!(invites["data"][0]["status"], "accepted");
    assert_eq!(invites["data"][0]["invited_by"], json!(null));
    let trail = boss.get("/admin/audit-log?action=invite.create").await.expect(200);
    assert_eq!(trail["data"][0]["actor_id"], json!(null));
    assert!(!trail.to_string().contains(&token));
    let body = json!({"token": token, "password": "another long password"});
    nobody.post("/idp/accounts", body).await.refused(410, "LINK_EXPIRED");
    let again = place.invite("boss@example.com").await;
    let why = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && why.contains("already an admin"), "{why}");
    served.stopped().await;
}

#[actix_web::test]
async fn a_second_link_replaces_the_first_and_an_expired_one_is_refused() {
    let place = Place::new().await;
    let served = place.serve(&[]).await;
    let nobody = Client::new(served.address);
    let first = token_in(&place.invite("boss@example.com").await);
    let second = token_in(&place.invite("boss@example.com").await);
    let account = |token: &str| json!({"token": token, "password": "seven drawers in a grey desk"});
    nobody.post("/idp/accounts", account(&first)).await.refused(410, "LINK_EXPIRED");
    let expire = "update admin_invites set expires_at = now() - interval '1 second'";
    sqlx::query(expire).execute(&place.database.db).await.unwrap();
    nobody.post("/idp/accounts", account(&second)).await.refused(410, "LINK_EXPIRED");
    let third = token_in(&place.invite("boss@example.com").await);
    assert_eq!(accept(&nobody, &third, "boss@example.com").await.expect(200)["data"]["role"], "super_admin");
    let odd = place.invite("boss").await;
    let why = String::from_utf8_lossy(&odd.stderr).into_owned();
    assert!(!odd.status.success() && why.contains("the email"), "{why}");
    let log = served.stopped().await;
    assert!(!log.contains(&third), "{log}");
}

/// Uploads a document and downloads it; returns the signatures of both links.
async fn uploaded(person: &Client) -> (String, String) {
    let upload = uploads::uploaded(person, "document", &uploads::photo()).await;
    let link = upload.link_path(person).await;
    person.get(&upload.path("/file")).await.expect(302);
    person.without_token().get(&link).await.expect(200);
    let signature = |path: &str| path.rsplit_once("signature=").unwrap().1.to_owned();
    (signature(&upload.put_path), signature(&link))
}

/// Returns the refresh tokens of a page that signed in and refreshed.
async fn cookie_of(nobody: &Client) -> (String, String) {
    let phone = "+919876501235";
    let sent = nobody.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let body = json!({"phone": phone, "otp": sent["data"]["otp"], "name": "Ravi"});
    let post = |path, body: serde_json::Value, cookie: String| {
        nobody.send_as(reqwest::Method::POST, path, move |request| {
            request.header("x-session", "cookie").header("cookie", cookie).json(&body)
        })
    };
    let token = |answer: Answer| {
        let set = answer.header("set-cookie").expect("a cookie");
        set.split(['=', ';']).nth(1).expect("a token").to_owned()
    };
    let first = token(post("/auth/verify-otp", body, String::new()).await);
    let second = token(post("/auth/refresh", json!({}), format!("roadcall_session={first}")).await);
    (first, second)
}

#[actix_web::test]
async fn the_most_verbose_log_has_no_phones_codes_or_tokens() {
    let place = Place::new().await;
    let served = place.serve(&[("ROADCALL__LOG__FILTER", "trace"), ("ROADCALL__LOG__FORMAT", "json")]).await;
    let nobody = Client::new(served.address);
    let phone = "+919876501234";
    let sent = nobody.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let otp = sent["data"]["otp"].as_str().unwrap().to_owned();
    let body = json!({"phone": phone, "otp": otp, "name": "Asha"});
    let signed_in = nobody.post("/auth/verify-otp", body.clone()).await.expect(200);
    nobody.post("/auth/verify-otp", body).await.refused(401, "INVALID_OTP");
    let access = signed_in["data"]["accessToken"].as_str().unwrap().to_owned();
    let refresh = signed_in["data"]["refreshToken"].as_str().unwrap().to_owned();
    nobody.with_token(&access).get("/users/me?ticket=hunter2").await;
    nobody.post("/auth/refresh", json!({"refreshToken": refresh})).await.expect(200);
    let cookie = cookie_of(&nobody).await;
    let signed = uploaded(&nobody.with_token(&access)).await;
    served.signal(Signal::SIGTERM);
    let (_, _, log) = served.ended().await;
    let answered = log.lines().filter(|line| line.contains("answered"));
    assert!(answered.clone().count() >= 5, "{log}");
    for line in answered {
        let line: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        assert!(line["span"]["http.route"].is_string() && line["span"]["request.id"].is_string(), "{line}");
    }
    for (what, secret) in [
        ("phone", phone),
        ("phone", &phone[1..]),
        ("access token", &access),
        ("refresh token", &refresh),
        ("cookie of a page", &cookie.0),
        ("cookie of a page after a refresh", &cookie.1),
        ("ticket", "hunter2"),
        ("signature of a link to send a file", &signed.0),
        ("signature of a link to fetch it", &signed.1),
    ] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "the {what} stands in the log: {}", line.unwrap_or_default());
    }
    let code = format!("\"{otp}\"");
    assert!(!log.contains(&code), "the code stands in the log");
}
