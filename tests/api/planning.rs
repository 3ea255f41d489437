//! Statements are planned a few times on each connection, not at each call: those of the service, and those inside the schema's
//! functions and triggers.
//!
//! Postgres plans a prepared statement for its arguments, and keeps a plan for any arguments only if that looks no more expensive
//! after five calls. It tells of each plan in its log (`log_planner_stats`), which needs no extension.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection, raw_sql};
use uuid::Uuid;

use crate::{
    payments::event,
    plans::is_of,
    queries::{Statement, statements},
    support::{OnRoad, Stranded, TestApp, roadside::PICKUP, spawn_app, spawn_app_with},
};

/// How often a connection may plan a statement: five times for the arguments of the first calls, once for any arguments, and
/// again when something about a table has changed.
const MAX_PLANS: usize = 8;
/// The fewest connections that the service takes.
const CONNECTIONS: u32 = 2;
/// A statement may change a table with several foreign keys, whose checks have the same text.
const MAX_PLANS_OF_CHECKS: usize = 3 * MAX_PLANS;
/// With this many, one of the connections runs a statement of each job more often than it may plan it.
const JOBS: usize = 24;

/// Customers and mechanics read these with each job.
const READ: [&str; 7] = [
    "/jobs",
    "/notifications",
    "/notifications?is_read=false",
    "/notifications/unread-count",
    "/payments",
    "/users/me",
    "/vehicles",
];
/// Mechanics read these in addition.
const READ_BY_MECHANICS: [&str; 4] =
    ["/mechanics/me", "/mechanics/me/offers", "/wallet", "/wallet/transactions"];

/// A plan that Postgres made.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Plan {
    /// The process that serves the connection.
    backend: String,
    /// The statement that the client sent.
    statement: String,
    /// The statement of a function or trigger that was planned, with the place; empty if it was the client's.
    inside: String,
}

/// Returns a text with one space after each word.
fn words(text: &str) -> String {
    text.split_whitespace().flat_map(|word| [word, " "]).collect()
}

/// Reads the plans of a part of the log. Each part of a message (`LOG`, `CONTEXT`, `STATEMENT` …) begins a line, and its further
/// lines begin with a tab.
fn plans(log: &str) -> Vec<Plan> {
    let mut plans = Vec::<Plan>::new();
    let (mut part, mut is_plan) = ("", false);
    for line in log.lines() {
        let text = line.strip_prefix('\t').unwrap_or_else(|| {
            let (head, rest) = line.split_once("] ").unwrap_or_default();
            let (name, text) = rest.split_once(":  ").unwrap_or_default();
            part = name;
            if !["DETAIL", "HINT", "QUERY", "CONTEXT", "STATEMENT"].contains(&name) {
                is_plan = text == "PLANNER STATISTICS";
            }
            if is_plan && name == "LOG" {
                let backend = head.rsplit('[').next().unwrap_or_default().to_owned();
                plans.push(Plan { backend, ..Plan::default() });
            }
            text
        });
        match (part, plans.last_mut()) {
            ("CONTEXT", Some(plan)) if is_plan => plan.inside.push_str(&words(text)),
            ("STATEMENT", Some(plan)) if is_plan => plan.statement.push_str(&words(text)),
            _ => {}
        }
    }
    plans
}

/// Returns the plans that one connection made too often, with their numbers.
fn made_too_often(plans: Vec<Plan>) -> BTreeMap<Plan, usize> {
    let mut counts = BTreeMap::new();
    for plan in plans {
        *counts.entry(plan).or_insert(0) += 1;
    }
    counts.retain(|plan, count| {
        let is_check = plan.inside.contains("SELECT 1 FROM ONLY");
        *count > if is_check { MAX_PLANS_OF_CHECKS } else { MAX_PLANS }
    });
    counts
}

impl TestApp {
    /// Makes Postgres log the plans of this database, and behave as if its tables were large: on small ones, reading all rows
    /// costs so little that no argument makes a difference. Holds for connections that are opened later.
    async fn log_plans(&self) {
        let owner = self.database.connect_options();
        let name = owner.get_database().expect("a database of the test's own");
        let mut db = PgConnection::connect_with(owner).await.expect("a connection");
        for setting in [
            "log_planner_stats = on",
            "log_error_verbosity = 'default'",
            "log_min_error_statement = log",
            "enable_seqscan = off",
        ] {
            let alter = format!("alter database \"{name}\" set {setting}");
            raw_sql(AssertSqlSafe(alter)).execute(&mut db).await.expect(setting);
        }
    }

    /// Serves a job, has it paid at the gateway, and reads as apps do.
    async fn work_and_pay(&self, stranded: &Stranded, mechanic: &mut OnRoad) {
        mechanic.ping((PICKUP.0 + 0.001, PICKUP.1)).await;
        let job = self.taken(stranded, mechanic).await;
        mechanic.drive_and_start(&stranded.client, &job).await;
        mechanic.tell(&job, "complete", json!({"outcome": "fixed"})).await;
        let order = stranded.client.post("/payments/orders", json!({"job_id": job})).await.expect(201);
        let paise = (order["amount"].as_f64().expect("an amount") * 100.0).round() as i64;
        let order_id = order["gateway_order_id"].as_str().expect("an order of the gateway");
        let captured = event("payment.captured", &format!("pay_{order_id}"), order_id, paise, "captured");
        assert_eq!(self.webhook(&captured).await.expect(200)["status"], "ok");
        for path in READ {
            stranded.client.get(path).await.expect(200);
            mechanic.client.get(path).await.expect(200);
        }
        for path in READ_BY_MECHANICS {
            mechanic.client.get(path).await.expect(200);
        }
        for rest in ["", "/timeline", "/line-items", "/messages"] {
            stranded.client.get(&format!("/jobs/{job}{rest}")).await.expect(200);
        }
    }
}

fn log_from(log: &Path, start: u64) -> String {
    let (mut log, mut rest) = (File::open(log).expect("the server's log"), Vec::new());
    log.seek(SeekFrom::Start(start)).and_then(|_| log.read_to_end(&mut rest)).expect("the rest of the log");
    String::from_utf8_lossy(&rest).into_owned()
}

#[actix_web::test]
async fn jobs_and_payments_plan_no_statement_at_each_call() {
    let mut app = spawn_app_with(|settings| {
        settings.database.max_connections = CONNECTIONS;
        settings.limits.per_user_per_minute = 1_000_000;
    })
    .await;
    // A server named by `DATABASE_URL` has its log elsewhere.
    let Some(log) = app.database.server_log() else { return };
    let start = fs::metadata(&log).expect("the server's log").len();
    app.log_plans().await;
    app.restart().await;
    let (stranded, mut mechanic) = (app.breakdown().await, app.on_road(&*app.admin().await).await);
    for _ in 0..JOBS {
        app.work_and_pay(&stranded, &mut mechanic).await;
    }
    let plans = plans(&log_from(&log, start));
    for function in ["count_open_jobs(", "ledger_book_all(", "ledger_lock(", "record_notifications("] {
        assert!(plans.iter().any(|plan| plan.inside.contains(function)), "{function}…) was never planned");
    }
    let statements = statements();
    let texts = |statement: &Statement| statement.sql.as_deref().map(words);
    let own: BTreeSet<String> = statements.iter().filter_map(texts).collect();
    let kept = statements.iter().filter(|statement| !statement.is_planned_each_time);
    let kept: BTreeSet<String> = kept.filter_map(texts).collect();
    let mut faults = made_too_often(plans);
    // Other tests write to the same log.
    faults.retain(|plan, _| {
        let statements = if plan.inside.is_empty() { &kept } else { &own };
        statements.contains(&plan.statement)
    });
    assert!(faults.is_empty(), "these are planned at each call: {faults:#?}");
}

#[actix_web::test]
async fn a_statement_that_is_planned_at_each_call_is_noticed() {
    let app = spawn_app().await;
    let Some(log) = app.database.server_log() else { return };
    let start = fs::metadata(&log).expect("the server's log").len();
    app.log_plans().await;
    let mut db = PgConnection::connect_with(app.database.connect_options()).await.expect("a connection");
    raw_sql(
        "insert into users (id, phone, created_at, updated_at)
        select gen_random_uuid(), '+9198' || (10000000 + n), now(), now() from generate_series(1, 2000) n;
        create function counted(people uuid[]) returns bigint language plpgsql as $$ begin
            return (select count(phone) from users where id = any(people)); end $$",
    )
    .execute(&mut db)
    .await
    .expect("people and a function");
    let (by_number, by_any) = (
        "select count(phone) from users where id = any($1)",
        "select count(phone) from users where id = any((select $1)::uuid[])",
    );
    for sql in [by_number, by_any, "select counted($1)"] {
        for _ in 0..=MAX_PLANS {
            let people = sqlx::query_scalar::<_, i64>(sql).bind(vec![Uuid::nil()]).fetch_one(&mut db).await;
            assert_eq!(people.expect(sql), 0);
        }
    }
    let faults = made_too_often(plans(&log_from(&log, start)));
    let found: Vec<_> =
        faults.keys().map(|plan| (&*plan.statement, plan.inside.contains("counted("))).collect();
    assert_eq!(
        found,
        [("select count(phone) from users where id = any($1) ", false), ("select counted($1) ", true)]
    );
}

/// Statements with an array that Postgres may count, since they read much and run seldom.
const OF_MANY: [(&str, &str); 25] = [
    ("crates/accounts/src/uploads/queries.rs", "doomed"),
    ("src/admin/affected/queries.rs", "lists"),
    ("src/admin/affected/queries.rs", "reached"),
    ("src/admin/affected/queries.rs", "seen"),
    ("src/admin/affected/queries.rs", "unresolved"),
    ("src/admin/recording/queries.rs", "first_points"),
    ("src/admin/recording/queries.rs", "last_points"),
    ("src/admin/recording/queries.rs", "offers"),
    ("src/admin/recording/queries.rs", "profiles"),
    ("src/admin/recording/queries.rs", "sightings"),
    ("crates/groundwork/src/fleet/eta/queries.rs", "recent"),
    ("src/jobs/coarsening/queries.rs", "coarsen_items"),
    ("src/jobs/coarsening/queries.rs", "coarsen_logs"),
    ("src/jobs/coarsening/queries.rs", "coarsen_rows"),
    ("src/jobs/coarsening/queries.rs", "forget_logged_details"),
    ("src/jobs/coarsening/queries.rs", "item_destinations"),
    ("src/jobs/line_items/queries.rs", "newest_of_jobs"),
    ("src/jobs/people/queries.rs", "forget_in_logs"),
    ("src/jobs/queries.rs", "newest_photos"),
    ("src/messaging/chat/queries.rs", "coarsen_places"),
    ("src/money/no_shows/queries.rs", "position_marks"),
    ("src/money/wallet/queries.rs", "newest_refunds"),
    ("src/money/wallet/settlements/queries.rs", "add_up"),
    ("src/money/wallet/settlements/queries.rs", "take_earnings"),
    ("src/tracking/queries.rs", "newest_points"),
];

/// Returns whether the planner sees the number of elements of an array, and has a choice that depends on it.
fn shows_a_number(sql: &str) -> bool {
    let sql = sql.replace("any (", "any(");
    let has_choice =
        sql.trim_start().starts_with("update") || sql.contains("join ") || sql.contains(" lateral ");
    sql.contains("= any($") || (has_choice && sql.contains("unnest($"))
}

#[test]
fn no_statement_that_runs_often_shows_how_many_elements_an_array_has() {
    let statements = statements();
    let shows = |statement: &&Statement| statement.sql.as_deref().is_some_and(shows_a_number);
    let shown: Vec<&Statement> =
        statements.iter().filter(|statement| !statement.is_planned_each_time).filter(shows).collect();
    let is_known =
        |statement: &Statement| OF_MANY.iter().any(|(file, function)| is_of(statement, file, function));
    let missing: Vec<&str> =
        shown.iter().filter(|found| !is_known(found)).map(|found| found.place.as_str()).collect();
    assert!(
        missing.is_empty(),
        "write any((select $1)::uuid[]), unnest((select $1)::uuid[]):\n{}",
        missing.join("\n")
    );
    let gone =
        OF_MANY.iter().find(|(file, function)| !shown.iter().any(|found| is_of(found, file, function)));
    assert_eq!(gone, None, "there is no such statement");
}

#[test]
fn every_spelling_of_an_array_with_a_number_is_noticed() {
    for sql in [
        "select 1 from a where b = any($1)",
        "select 1 from a where b = any ($12) and c",
        "update a set b = 1 from unnest($1::uuid[]) as c (id) where a.id = c.id",
        "select 1 from unnest($1::uuid[], $2::text[]) as c (id, d) join a on a.id = c.id",
    ] {
        assert!(shows_a_number(sql), "{sql}");
    }
    for sql in [
        "select 1 from a where b = any((select $1)::uuid[])",
        "insert into a select * from unnest($1::uuid[], $2::text[])",
        "select 1 from unnest((select $1)::uuid[]) as c (id) join a on a.id = c.id",
        "select 1 from a where $1 = any(b)",
    ] {
        assert!(!shows_a_number(sql), "{sql}");
    }
}

#[test]
fn plans_are_read_from_the_log() {
    let log = "2026-11-29 10:00:00.001 UTC [7] LOG:  PLANNER STATISTICS
2026-11-29 10:00:00.001 UTC [7] DETAIL:  ! system usage stats:
\t!\t0.000104 s user, 0.000000 s system, 0.000103 s elapsed
2026-11-29 10:00:00.001 UTC [7] CONTEXT:  SQL statement \"select 1
\t    from a\"
\tPL/pgSQL function f(uuid) line 3 at SQL statement
2026-11-29 10:00:00.001 UTC [7] STATEMENT:  select
\t  f($1)
2026-11-29 10:00:00.002 UTC [8] FATAL:  terminating connection
2026-11-29 10:00:00.002 UTC [8] STATEMENT:  select 2
2026-11-29 10:00:00.003 UTC [9] LOG:  PLANNER STATISTICS
2026-11-29 10:00:00.003 UTC [9] STATEMENT:  select 3";
    let plan = |backend: &str, statement: &str, inside: &str| Plan {
        backend: backend.to_owned(),
        statement: statement.to_owned(),
        inside: inside.to_owned(),
    };
    let nested = "SQL statement \"select 1 from a\" PL/pgSQL function f(uuid) line 3 at SQL statement ";
    assert_eq!(plans(log), [plan("7", "select f($1) ", nested), plan("9", "select 3 ", "")]);
}
