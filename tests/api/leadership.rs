//! Two servers on one database: one leads, the other stands by.

use std::{
    env,
    path::PathBuf,
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;
use roadcall::platform::{
    db::{
        self, Database, LeadershipStatus, Serving,
        testing::{TestDatabase, fresh_database},
    },
    settings::DbSettings,
};
use serde_json::{Value, json};

use crate::{
    restart::{SETTINGS, Server},
    support::{
        TestApp,
        bodies::id_of,
        rows::{living_sessions, until_it_is_gone, until_it_lives},
        spawn_app, until_so, within,
    },
};

/// Starts a server that leads on a database.
async fn led() -> (TestApp, Server) {
    let mut app = spawn_app().await;
    app.stop().await;
    let leader = Server::start_with(&app, SETTINGS);
    leader.until_ready().await;
    app.address = ([127, 0, 0, 1], leader.port).into();
    (app, leader)
}

#[actix_web::test]
async fn a_standby_serves_nothing_and_takes_over_when_the_leader_is_killed() {
    let (mut app, mut leader) = led().await;
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    let standby = Server::start_with(&app, SETTINGS);
    standby.until("standby").await;

    for prefix in ["", "/api/v1"] {
        assert_eq!(standby.get(&format!("{prefix}/health")).await.unwrap().status(), 200);
        let ready = async |query: &str| {
            let answer = standby.get(&format!("{prefix}/health/ready{query}")).await.unwrap();
            let status = answer.status().as_u16();
            (status, answer.json::<Value>().await.unwrap()["status"].clone())
        };
        // Load balancers must not send requests here; a deployment that replaces the leader by this server may go on.
        assert_eq!(ready("").await, (503, json!("standby")));
        assert_eq!(ready("?standby_ok=false&by=probe").await, (503, json!("standby")));
        assert_eq!(ready("?standby_ok=true").await, (200, json!("standby")));
        assert_eq!(ready("?standby_ok=perhaps").await.0, 422);
        for (path, status) in
            [("/health", 200), ("/health/ready", 503), ("/health/ready?standby_ok=true", 200)]
        {
            let head = standby.head(&format!("{prefix}{path}")).await.unwrap();
            assert_eq!((head.status().as_u16(), head.headers().contains_key("retry-after")), (status, false));
            assert_eq!(head.text().await.unwrap(), "", "{path}");
        }
        for path in ["/jobs", "/ws", "/service-categories", "/nowhere"] {
            let answer = standby.get(&format!("{prefix}{path}")).await.unwrap();
            assert_eq!(answer.status(), 503, "{path}");
            assert!(answer.headers().contains_key("retry-after"), "{path}");
            assert_eq!(answer.json::<Value>().await.unwrap()["error"]["code"], "UNAVAILABLE", "{path}");
        }
    }
    assert_eq!(app.anonymous().get("/health/ready?standby_ok=true").await.expect(200)["status"], "ready");
    app.anonymous().get("/health/ready?standby_ok=perhaps").await.refused(422, "VALIDATION_FAILED");

    leader.kill();
    let killed = Instant::now();
    standby.until_ready().await;
    println!("the standby was ready {} ms after the kill -9", killed.elapsed().as_millis());
    app.address = ([127, 0, 0, 1], standby.port).into();
    let client = stranded.client.at(app.address);
    assert_eq!(client.get(&format!("/jobs/{job}")).await.expect(200)["id"], job.as_str());
    let reason = json!({"reason_code": "changed_mind"});
    client.post(&format!("/jobs/{job}/cancel"), reason).await.expect(200);
}

#[actix_web::test]
async fn a_frozen_leader_is_replaced_and_serves_nothing_when_it_resumes() {
    let mut app = spawn_app().await;
    app.stop().await;
    let quick: Vec<_> =
        SETTINGS.iter().copied().chain([("ROADCALL__DATABASE__LEADER_SILENCE_MS", "6000")]).collect();
    let leader = Server::start_with(&app, &quick);
    leader.until_ready().await;
    app.address = ([127, 0, 0, 1], leader.port).into();
    let stranded = app.breakdown().await;
    let standby = Server::start_with(&app, &quick);
    standby.until("standby").await;

    leader.signal(Signal::SIGSTOP);
    let stopped = Instant::now();
    standby.until_ready().await;
    println!("the standby was ready {} ms after the SIGSTOP", stopped.elapsed().as_millis());

    // They are sent before it resumes, so that it finds the requests at that moment.
    let waiting: Vec<_> = (0..8)
        .map(|_| {
            let (client, body) = (stranded.client.clone(), stranded.call_body());
            actix_web::rt::spawn(async move { client.try_post("/jobs", body).await })
        })
        .collect();
    leader.signal(Signal::SIGCONT);
    for request in waiting {
        // The request was refused, or cut when the server stopped serving.
        if let Some(answer) = request.await.unwrap() {
            answer.expect(503);
        }
    }
    leader.until("standby").await;
    let client = stranded.client.at(([127, 0, 0, 1], standby.port).into());
    assert_eq!(
        client.get("/jobs").await.expect(200)["total"],
        0,
        "nothing was done behind the new leader's back"
    );
}

/// The `Db` of two servers, in one process.
struct Rivals {
    first: Database,
    second: Database,
    folders: [PathBuf; 2],
    database: TestDatabase,
}

impl Drop for Rivals {
    fn drop(&mut self) {
        for folder in &self.folders {
            std::fs::remove_dir_all(folder).ok();
        }
    }
}

/// Starts both on a new database. A leader that is silent for so long is replaced.
async fn rivals(leader_silence_ms: u64) -> Rivals {
    let database = fresh_database().await;
    let settings = &DbSettings { leader_silence_ms, ..database.settings() };
    let folders = ["first", "second"].map(|name| {
        let of = settings.server().and_then(|url| url.rsplit('/').next()).unwrap_or_default();
        let of: String = of.chars().filter(char::is_ascii_alphanumeric).collect();
        env::temp_dir().join(format!("roadcall-leadership-{of}-{name}"))
    });
    let first = Database::open(settings, &folders[0], Serving::Leader).await.expect("a database");
    let second = Database::open(settings, &folders[1], Serving::Leader).await.expect("a database");
    Rivals { first, second, folders, database }
}

#[actix_web::test]
async fn transactions_of_a_former_leader_are_over_before_the_next_one_reads_anything() {
    // The timeout is so long that the server would notice by itself far too late.
    let rivals = rivals(600_000).await;
    let (first, second) = (&rivals.first, &rivals.second);
    within("the first leads", first.lead()).await.unwrap();
    assert_eq!(first.db().lease().standing(), LeadershipStatus::Leading);
    let insert = "insert into leadership (only_row, server) values (false, gen_random_uuid())";
    let note = "create table notes (note text)";
    sqlx::query(note).execute(&rivals.database.db).await.unwrap();
    sqlx::query("grant all on notes to public").execute(&rivals.database.db).await.unwrap();
    let mut begun = first.db().begin().await.unwrap();
    sqlx::query("insert into notes values ('of the first')").execute(&mut *begun).await.unwrap();

    // It loses its lock without noticing.
    let lost = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'roadcall leadership'";
    let ended: i64 = sqlx::query_scalar(lost).fetch_one(&rivals.database.db).await.unwrap();
    assert_eq!(ended, 1);
    within("the second leads", second.lead()).await.unwrap();
    assert!(first.db().lease().is_held(), "the first does not know yet");

    begun.commit().await.expect_err("its session is ended");
    first.db().begin().await.map(drop).expect_err("and no new one is lent out");
    assert_eq!(first.db().lease().standing(), LeadershipStatus::Replaced, "it knows now");
    assert!(!first.db().lease().is_held());
    let notes: i64 = sqlx::query_scalar("select count(*) from notes").fetch_one(second.db()).await.unwrap();
    assert_eq!(notes, 0);
    sqlx::query(insert).execute(second.db()).await.expect_err("there is one leader at most");
}

#[actix_web::test]
async fn sessions_left_by_a_failed_take_over_are_ended_by_the_next() {
    let rivals = rivals(600_000).await;
    let (first, second) = (&rivals.first, &rivals.second);
    within("the first leads", first.lead()).await.unwrap();
    let mut begun = first.db().begin().await.unwrap();
    sqlx::query("select 1").execute(&mut *begun).await.unwrap();

    // Another server wrote its name, and died before it had ended any session.
    let wrote = "update leadership set server = gen_random_uuid(), to_end = array[server]";
    sqlx::query(wrote).execute(&rivals.database.db).await.unwrap();
    let lost = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'roadcall leadership'";
    sqlx::query(lost).execute(&rivals.database.db).await.unwrap();
    within("the second leads", second.lead()).await.unwrap();
    begun.commit().await.expect_err("its session is ended");
    let left: i32 = sqlx::query_scalar("select cardinality(to_end) from leadership")
        .fetch_one(&rivals.database.db)
        .await
        .unwrap();
    assert_eq!(left, 0, "nobody has to end them again");
}

#[actix_web::test]
async fn a_report_that_a_leader_is_unheard_does_not_apply_to_the_next() {
    let rivals = rivals(600_000).await;
    let (first, second) = (&rivals.first, &rivals.second);
    within("the first leads", first.lead()).await.unwrap();
    db::say_unheard(second.db(), 1).await.unwrap();
    assert!(db::is_unheard(first.db()).await.unwrap());
    let lost = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'roadcall leadership'";
    sqlx::query(lost).execute(&rivals.database.db).await.unwrap();
    within("the second leads", second.lead()).await.unwrap();
    assert!(!db::is_unheard(second.db()).await.unwrap());
    // It was about to report this when it took over.
    db::say_unheard(second.db(), 1).await.unwrap();
    assert!(!db::is_unheard(second.db()).await.unwrap());
}

#[actix_web::test]
async fn connections_opened_by_a_standby_are_not_used_by_the_leader() {
    let rivals = rivals(600_000).await;
    let server = &rivals.first;
    sqlx::query("select 1").execute(server.db()).await.expect("a standby may use the database");
    within("it leads", server.lead()).await.unwrap();

    // Another server has led since, and this one does not know yet.
    let led = "update leadership set server = gen_random_uuid()";
    sqlx::query(led).execute(&rivals.database.db).await.unwrap();
    server.db().begin().await.map(drop).expect_err("the connection from before is not lent out");
    assert_eq!(server.db().lease().standing(), LeadershipStatus::Replaced);
}

#[actix_web::test]
async fn a_leader_that_lost_its_session_goes_on_if_nobody_else_has_led_since() {
    let rivals = rivals(6_000).await;
    within("it leads", rivals.first.lead()).await.unwrap();
    let sessions = "select array_agg(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'roadcall leadership'";
    let before: Vec<i32> = sqlx::query_scalar(sessions).fetch_one(&rivals.database.db).await.unwrap();
    let end = "select pg_terminate_backend($1)";
    sqlx::query(end).bind(before[0]).execute(&rivals.database.db).await.unwrap();
    until_so("another session with the lock", async || {
        let now: Option<Vec<i32>> =
            sqlx::query_scalar(sessions).fetch_one(&rivals.database.db).await.unwrap();
        now.is_some_and(|now| now != before) && rivals.first.db().lease().is_held()
    })
    .await;
    sqlx::query("select 1").execute(rivals.first.db()).await.expect("it still leads");
    assert_eq!(rivals.first.db().lease().standing(), LeadershipStatus::Leading);
}

#[actix_web::test]
async fn a_former_leader_goes_first_only_while_it_answers() {
    let rivals = rivals(600_000).await;
    let (first, second) = (&rivals.first, &rivals.second);
    within("the first leads", first.lead()).await.unwrap();
    let lease = second.db().lease().clone();
    lease.let_leader_go_first(true);
    let leading = tokio::spawn(second.lead());
    let lost = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'roadcall leadership'
            and pid in (select pid from pg_locks where classid = 1919902052 and granted)";
    let mut losing = std::pin::pin!(sqlx::query(lost).execute(&rivals.database.db));
    let lost = loop {
        // It answers again and again, however long this takes.
        lease.let_leader_go_first(true);
        if let Ok(lost) = tokio::time::timeout(Duration::from_millis(100), &mut losing).await {
            break lost;
        }
    };
    lost.unwrap();
    let asks = async {
        // It answers again and again.
        while tokio::time::timeout(Duration::from_millis(100), lease.asks_for_leader()).await.is_err() {
            lease.let_leader_go_first(true);
        }
    };
    within("the second asks for the first", asks).await;
    assert_eq!(lease.standing(), LeadershipStatus::Standby);
    lease.let_leader_go_first(false);
    within("the second leads", leading).await.unwrap().unwrap();
    assert_eq!(lease.standing(), LeadershipStatus::Leading);
}

#[actix_web::test]
async fn a_former_leader_leads_again_under_another_name_without_its_old_transactions() {
    let database = fresh_database().await;
    let settings = DbSettings { leader_silence_ms: 600_000, ..database.settings() };
    let folder = env::temp_dir().join(format!("roadcall-again-{}", std::process::id()));
    let server = Database::open(&settings, &folder, Serving::Members).await.expect("a database");
    within("it leads", server.lead()).await.unwrap();
    let before = server.engine_db().current();
    sqlx::query("select 1").execute(&before).await.expect("it leads");
    server.held_lead().give_up().await;

    server.stand_again();
    within("it leads again", server.lead()).await.unwrap();
    let now = server.engine_db().current();
    assert_eq!((now.lease().standing(), now.lease().term()), (LeadershipStatus::Leading, 2));
    sqlx::query("select 1").execute(&now).await.expect("it leads again");
    sqlx::query("select 1").execute(&before).await.expect_err("this is over");
    assert_ne!(before.lease().server(), now.lease().server());
    let member = server.db().lease().server();
    assert!(!living_sessions(&database.db, member).await.is_empty(), "its requests go on");
    let noted: Vec<uuid::Uuid> = sqlx::query_scalar("select server from take_overs order by term")
        .fetch_all(&database.db)
        .await
        .unwrap();
    assert_eq!(noted, [member, member], "people know it by one name");
    server.close().await.unwrap();
    std::fs::remove_dir_all(&folder).ok();
}

#[actix_web::test]
async fn a_server_notices_the_failure_of_its_candidate_without_leading() {
    let rivals = rivals(20_000).await;
    let (server, lease) = (&rivals.first, rivals.first.db().lease());
    server.held_lead().give_up().await;
    assert_eq!(lease.standing(), LeadershipStatus::Standby);
    lease.fail();
    within("it notices", lease.replaced()).await;
    assert!(!lease.is_held());
}

#[actix_web::test]
async fn every_server_shows_that_it_lives_even_after_losing_its_session() {
    let rivals = rivals(6_000).await;
    let [first, second] = [&rivals.first, &rivals.second].map(|server| server.db().lease().server());
    assert_eq!(living_sessions(&rivals.database.db, first).await, [0; 0]);
    let loses_its_session = async |server| {
        let before = living_sessions(&rivals.database.db, server).await;
        assert_eq!(before.len(), 1);
        let end = sqlx::query("select pg_terminate_backend($1, 10000)").bind(before[0]);
        end.execute(&rivals.database.db).await.unwrap();
        until_it_lives(&rivals.database.db, server, &before).await;
    };
    within("the first leads", rivals.first.lead()).await.unwrap();
    loses_its_session(first).await;
    assert_eq!(rivals.first.db().lease().standing(), LeadershipStatus::Leading);

    let mut standing_by = Box::pin(rivals.second.lead());
    assert!(futures_util::poll!(&mut standing_by).is_pending());
    until_it_lives(&rivals.database.db, second, &[]).await;
    loses_its_session(second).await;
    assert_eq!(rivals.second.db().lease().standing(), LeadershipStatus::Standby);
    assert_eq!(living_sessions(&rivals.database.db, first).await.len(), 1, "each has its own");
    drop(standing_by);
    until_it_is_gone(&rivals.database.db, second).await;
}
