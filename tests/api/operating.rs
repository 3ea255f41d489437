//! Commands that an operator runs beside a server, `roadcall config check` and `roadcall doctor`, and the messages to
//! systemd.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, net::UnixDatagram},
    process::Output,
};

use nix::sys::signal::Signal;
use roadcall_actors::clock::Clock;
use serde_json::json;

use crate::{
    cli::{PRODUCTION, Place},
    support::{Client, disk::fill_the_disk, oidc_provider::OidcPeer, within},
};

async fn run(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> (Output, String) {
    let running = place.command(arguments).envs(variables.iter().copied()).output();
    let output = within("the command ends", running).await.unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap()
        + &String::from_utf8(output.stderr.clone()).unwrap();
    (output, text)
}

#[actix_web::test]
async fn config_check_shows_the_source_of_settings_and_what_production_would_refuse() {
    let place = Place::new().await;
    let variables = [
        ("ROADCALL__SERVER__WORKERS", "3"),
        ("ROADCALL__AUTH__TOKEN_SECRET", "hunter2 hunter2 hunter2 hunter2"),
    ];
    let (output, text) = run(&place, &["config", "check"], &[variables[0]]).await;
    assert!(output.status.success(), "{text}");
    for said in [
        "database.url    set (not shown)  (from DATABASE_URL)",
        "server.workers  3  (from ROADCALL__SERVER__WORKERS)",
        "Development starts with these settings.",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    let (output, text) = run(&place, &["config", "check", "--production"], &variables).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    for said in [
        "Production would not start:",
        "  auth.token_secret must be at least 32 bytes",
        "1 setting would be refused",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    let (output, text) = run(&place, &["config", "check"], &PRODUCTION).await;
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Production starts with these settings.") && !text.contains("hunter2"), "{text}");
    let warning = "  warning: privacy.contact_email is empty";
    assert!(text.contains(warning), "{text}");
    let ends: [(&[(&str, &str)], &str); 3] = [
        (&[("ROADCALL__LOG__FILTER", "roadcall=loud")], "  log.filter: "),
        (
            &[
                ("ROADCALL__UPLOADS__PROVIDER", "s3"),
                ("ROADCALL__UPLOADS__ENDPOINT", "https://10.0.0.7"),
                ("ROADCALL__UPLOADS__BUCKET", "files"),
                ("ROADCALL__UPLOADS__REGION", "here"),
                ("ROADCALL__UPLOADS__PATH_STYLE", "false"),
                ("ROADCALL__UPLOADS__ACCESS_KEY_ID", "id"),
                ("ROADCALL__UPLOADS__SECRET_ACCESS_KEY", "hunter2"),
            ],
            "  uploads.endpoint, uploads.bucket and uploads.path_style make no URL",
        ),
        (
            &[
                ("ROADCALL__PUSH__PROVIDER", "fcm"),
                ("ROADCALL__PUSH__FCM_SERVICE_ACCOUNT_FILE", "/nowhere/fcm.json"),
            ],
            "  push.fcm_service_account_file: ",
        ),
    ];
    for (set, fault) in ends {
        let (output, text) = run(&place, &["config", "check"], &[&PRODUCTION[..], set].concat()).await;
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("Production would not start:") && text.contains(fault), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
    let path = ("ROADCALL__SERVER__PUBLIC_URL", "https://api.example/roads");
    let production: Vec<_> = PRODUCTION.into_iter().filter(|(name, _)| *name != path.0).collect();
    let (_, text) = run(&place, &["config", "check"], &[&production[..], &[path]].concat()).await;
    assert!(text.contains("  warning: server.public_url has a path"), "{text}");
    let contact = ("ROADCALL__PRIVACY__CONTACT_EMAIL", "privacy@api.example");
    let (_, text) = run(&place, &["config", "check"], &[&PRODUCTION[..], &[contact]].concat()).await;
    assert!(!text.contains("warning"), "{text}");
}

#[actix_web::test]
async fn setup_writes_a_private_file_and_names_missing_settings_until_a_start_succeeds() {
    let place = Place::new().await;
    let file = std::env::temp_dir().join(format!("roadcall-setup-{}.toml", std::process::id()));
    fs::remove_file(&file).ok();
    let shown = file.display().to_string();
    let setup = ["setup", "--out", &shown, "--public-url", "https://help.example", "--brand", "Bell"];
    let (output, text) = run(&place, &setup[..5], &[]).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("--brand is needed where nobody can be asked"), "{text}");
    // Outside India, no currency is guessed.
    let (output, text) = run(&place, &[&setup[..], &["--region", "DE"]].concat(), &[]).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("--currency is needed where nobody can be asked"), "{text}");
    let here = ["--region", "DE", "--currency", "EUR", "--time-zone", "Europe/Berlin"];
    let setup = [&setup[..], &here, &["--map-center", "-33.92,18.42"]].concat();
    // The package brings this file.
    fs::write(&file, include_str!("../../deploy/debian/roadcall.toml")).unwrap();
    let (output, text) = run(&place, &setup, &[]).await;
    assert!(output.status.success(), "{text}");
    let aside = file.with_extension("toml.before");
    assert!(fs::read_to_string(&aside).unwrap().contains("# environment"), "it is kept");
    fs::remove_file(aside).unwrap();
    for said in [
        "Still to be set",
        "  sms.provider = \"log\"",
        "roadcall config check --config",
        "roadcall admin invite",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let before = fs::read_to_string(&file).unwrap();
    let (output, text) = run(&place, &setup, &[]).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("exists already") && fs::read_to_string(&file).unwrap() == before, "{text}");
    // roadcallctl names the settings file like this.
    let (output, text) = run(&place, &["config", "check"], &[("ROADCALL_CONFIG", shown.as_str())]).await;
    assert!(!output.status.success() && text.contains(&format!("\"Bell\"  (from {shown})")), "{text}");

    // These are the settings that setup could not know, as environment variables. Customers pay in cash.
    let providers: Vec<(&str, &str)> = PRODUCTION
        .into_iter()
        .filter(|(name, _)| ["SMS", "METRICS"].iter().any(|of| name.contains(&format!("__{of}__"))))
        .collect();
    let (output, text) = run(&place, &["config", "check", "--config", &shown], &providers).await;
    assert!(output.status.success() && text.contains("Production starts with these settings."), "{text}");
    let served = place.serve_as(&["--config", &shown], &providers).await;
    let config = Client::new(served.address).get("/config").await.expect(200);
    assert_eq!(config["operator"]["brand"], "Bell");
    assert_eq!(config["environment"], "production");
    assert_eq!((&config["currency"], &config["country_code"]), (&"EUR".into(), &"+49".into()));
    assert_eq!(config["map"]["center"], json!({"lat": -33.92, "lng": 18.42}));
    assert_eq!(config["payments"]["provider"], "none");
    served.signal(Signal::SIGTERM);
    served.ended().await;
    fs::remove_file(file).unwrap();
}

#[actix_web::test]
async fn a_secret_may_be_in_a_separate_file() {
    let place = Place::new().await;
    let secret = std::env::temp_dir().join(format!("roadcall-secret-{}", std::process::id()));
    fs::write(&secret, "hunter2 of a test alone, and long enough for one\n").unwrap();
    let file = secret.display().to_string();
    let production: Vec<(&str, &str)> = PRODUCTION
        .iter()
        .map(|(name, value)| match *name {
            "ROADCALL__AUTH__TOKEN_SECRET" => ("ROADCALL__AUTH__TOKEN_SECRET_FILE", file.as_str()),
            name => (name, *value),
        })
        .collect();
    let (output, text) = run(&place, &["config", "check"], &production).await;
    assert!(output.status.success(), "{text}");
    assert!(text.contains("auth.token_secret"), "{text}");
    assert!(text.contains("(from ROADCALL__AUTH__TOKEN_SECRET_FILE)"), "{text}");
    fs::remove_file(&secret).unwrap();
    let (output, text) = run(&place, &["config", "check"], &production).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains(&format!("ROADCALL__AUTH__TOKEN_SECRET_FILE: {file}: No such file")), "{text}");
}

#[actix_web::test]
async fn the_doctor_reports_existing_and_missing_parts() {
    let place = Place::new().await;
    // Nothing has run yet: there is a database without tables, and no folder.
    let (output, text) = run(&place, &["doctor"], &[("ROADCALL__SERVER__LISTEN", "127.0.0.1:9")]).await;
    assert!(output.status.success(), "{text}");
    for said in ["is made by the first start", "nobody answers at 127.0.0.1:9", "ok       clock"] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    let served = place.serve(&[]).await;
    let address = served.address.to_string();
    Client::new(served.address).get("/health/ready").await.expect(200);
    let public = format!("http://{address}");
    let variables =
        [("ROADCALL__SERVER__LISTEN", address.as_str()), ("ROADCALL__SERVER__PUBLIC_URL", public.as_str())];
    let (output, text) = run(&place, &["doctor"], &variables).await;
    assert!(output.status.success(), "{text}");
    for said in [
        "ok       server         ready at",
        "leads to roadcall",
        "ok       schema         fits this program",
        "ok       secrets        ",
        "GiB free",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    let wrong = [
        variables[0],
        ("ROADCALL__SERVER__PUBLIC_URL", "http://127.0.0.1:9"),
        ("ROADCALL__ETA__PROVIDER", "osrm"),
        ("ROADCALL__ETA__ROUTER_URL", "http://user:hunter2@127.0.0.1:9"),
    ];
    let (output, text) = run(&place, &["doctor"], &wrong).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    for said in [
        "FAULT    public address http://127.0.0.1:9/health does not answer",
        "FAULT    ways           http://127.0.0.1:9 does not answer",
        "2 things need your attention",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    assert!(!text.contains("hunter2"), "{text}");
    assert!(text.contains("ok       writes         are taken"), "{text}");
    fill_the_disk(&place.database).await;
    let (output, text) = run(&place, &["doctor"], &variables).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAULT    writes         refused: the database's disk is full"), "{text}");
    served.signal(Signal::SIGTERM);
    served.ended().await;
}

#[actix_web::test]
async fn the_doctor_names_an_issuer_that_differs_by_a_slash() {
    let place = Place::new().await;
    let peer = OidcPeer::start().await;
    let (issuer, with_slash) = (peer.issuer(), format!("{}/", peer.issuer()));
    let doctor = async |issuer: &str| {
        let variables = [("ROADCALL__SERVER__LISTEN", "127.0.0.1:9"), ("ROADCALL__IDENTITY__ISSUER", issuer)];
        run(&place, &["doctor"], &variables).await
    };
    let (output, text) = doctor(&issuer).await;
    assert!(output.status.success(), "{text}");
    assert!(text.contains(&format!("ok       identity       {issuer} says how admins sign in")), "{text}");
    let (output, text) = doctor(&with_slash).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    let said = format!("it calls itself \"{issuer}\", which differs by the slash at its end");
    assert!(text.contains("FAULT    identity") && text.contains(&said), "{text}");
    let (output, text) = doctor("http://127.0.0.1:9/realms/one").await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAULT    identity       http://127.0.0.1:9/realms/one: it can't be"), "{text}");
}

#[actix_web::test]
async fn a_command_whose_output_nobody_reads_ends_normally() {
    let place = Place::new().await;
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command(&["doctor"]);
    command.stdout(writer).env("ROADCALL__SERVER__LISTEN", "127.0.0.1:9");
    let ended = command.spawn().unwrap().wait_with_output();
    let output = within("the command ends", ended).await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

/// Serves with these secrets until `with` is done, then ends.
async fn served(place: &Place, variables: &[(&str, &str)], with: impl AsyncFnOnce(Client)) {
    let served = place.serve(variables).await;
    let client = Client::new(served.address);
    client.get("/health/ready").await.expect(200);
    with(client).await;
    served.signal(Signal::SIGTERM);
    let (status, _, log) = served.ended().await;
    assert!(status.success(), "{log}");
}

#[actix_web::test]
async fn keys_check_names_superfluous_and_missing_secrets() {
    const SECRET: &str = "ROADCALL__AUTH__TOKEN_SECRET";
    const ACCEPTED: &str = "ROADCALL__AUTH__ACCEPTED_TOKEN_SECRETS";
    let secrets = ["of before", "of today", "of tomorrow"].map(|when| format!("hunter2 {when:.<32}"));
    let [old, new, next] = secrets.each_ref().map(String::as_str);
    let place = Place::new().await;
    assert!(place.create_admin("correct horse battery staple", "super_admin").await.status.success());
    served(&place, &[(SECRET, old)], async |anyone| {
        let owner = json!({"email": "boss@example.com", "password": "correct horse battery staple"});
        let begun = anyone.post("/idp/second-factor", owner).await.expect(200);
        let secret = totp_rs::Secret::try_from_base32(begun["secret"].as_str().unwrap()).unwrap();
        let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
        let seconds = u64::try_from(Clock::system().now().timestamp()).unwrap();
        let code = totp.generate(seconds).to_string();
        let body =
            json!({"email": "boss@example.com", "password": "correct horse battery staple", "code": code});
        anyone.post("/idp/second-factor/confirm", body).await.expect(204);
    })
    .await;
    let check = async |variables: &[(&str, &str)], code: i32, expected: &[&str]| {
        let (output, text) = run(&place, &["keys", "check"], variables).await;
        assert_eq!(output.status.code(), Some(code), "{text}");
        for said in expected {
            assert!(text.contains(said), "{said} is missing in:\n{text}");
        }
        assert!(!text.contains("hunter2"), "{text}");
        text
    };
    let before = check(&[(SECRET, old)], 0, &["auth.token_secret: in use, 1 second factor"]).await;
    let id = before.split_whitespace().next().unwrap().to_owned();
    let both = format!("{old},{next}");
    let rotated = [(SECRET, new), (ACCEPTED, both.as_str())];
    let said = [
        "auth.token_secret: in use\n",
        "auth.accepted_token_secrets, number 1: needed: a server has started with it last",
        "auth.accepted_token_secrets, number 2: not used by any server so far: the next one",
    ];
    check(&rotated, 0, &said).await;
    let missing = format!(
        "1 second factor can't be read: put the secret that sealed it back into auth.accepted_token_secrets (servers have started with {id})"
    );
    check(&[(SECRET, new)], 1, &[&missing, "its second factor can't be read"]).await;
    let (output, text) = run(&place, &["doctor"], &[(SECRET, new)]).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAULT    secrets        1 second factor can't be read"), "{text}");

    served(&place, &rotated, async |_| ()).await;
    check(&rotated, 0, &["number 1: needed: second factors are sealed anew within the hour"]).await;
    let (output, text) = run(&place, &["keys", "reseal"], &rotated).await;
    assert!(output.status.success() && text.contains("1 second factor sealed anew"), "{text}");
    check(&rotated, 0, &["auth.token_secret: in use, 1 second factor", "number 1: needed until 20"]).await;
    check(&[(SECRET, new)], 0, &["auth.token_secret: in use, 1 second factor"]).await;

    let twice = [(SECRET, new), (ACCEPTED, new)];
    let (output, text) = run(&place, &["config", "check"], &twice).await;
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("auth.accepted_token_secrets must not contain auth.token_secret"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

/// Reads the server's messages until it has sent `expected`.
fn heard(socket: &UnixDatagram, expected: &str) -> Vec<String> {
    let (mut said, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let length =
            socket.recv(&mut buffer).unwrap_or_else(|error| panic!("{expected}: {error}; heard {said:?}"));
        said.push(String::from_utf8_lossy(&buffer[..length]).into_owned());
        if said.last().is_some_and(|last| last.contains(expected)) {
            return said;
        }
    }
}

/// Returns a socket that receives a server's messages to systemd, and its path.
fn notified(name: &str) -> (UnixDatagram, String) {
    let path = std::env::temp_dir().join(format!("roadcall-notify-{name}-{}", std::process::id()));
    fs::remove_file(&path).ok();
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(120))).unwrap();
    (socket, path.display().to_string())
}

#[actix_web::test]
async fn systemd_is_notified_of_every_state_of_a_server() {
    let place = Place::new().await;
    let (socket, path) = notified("leader");
    let variables = [("NOTIFY_SOCKET", path.as_str()), ("WATCHDOG_USEC", "3000000")];
    let served = place.serve(&variables).await;
    let said = heard(&socket, "READY=1");
    heard(&socket, "WATCHDOG=1");
    assert!(said.iter().any(|said| said.contains("READY=1") && said.contains("STATUS=serves")), "{said:?}");

    let folder = std::env::temp_dir().join(format!("roadcall-standby-{}", std::process::id()));
    let mut standby = place.command_in(&folder, &["--listen", "127.0.0.1:0"]);
    // It runs under another service's manager, so that only its own messages count.
    let (beside, its_path) = notified("standby");
    let standby = standby.envs(variables).env("NOTIFY_SOCKET", &its_path).spawn().unwrap();
    heard(&beside, "STATUS=stands by");
    for _ in 0..3 {
        heard(&beside, "WATCHDOG=1");
    }
    drop(standby);
    fs::remove_dir_all(folder).ok();
    fs::remove_file(its_path).unwrap();

    served.signal(Signal::SIGTERM);
    heard(&socket, "STOPPING=1");
    let (status, _, log) = served.ended().await;
    assert!(status.success(), "{log}");
    fs::remove_file(path).unwrap();
}
