//! Lists read little even from large tables: a list of a person reads its page and its index, whatever others listed before.
//!
//! Postgres keeps a plan that fits any arguments once it has planned a statement five times. Such a plan can't leave out a
//! condition that an argument switches off (`$1 is null or …`), nor choose an index by it. If a plan for the arguments looks much
//! cheaper, Postgres makes one at each call instead, so no list of a person shows the planner which arguments are given.

use std::collections::BTreeSet;

use roadcall::platform::db::testing::fresh_database;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, raw_sql};

use crate::queries::{Statement, statements};

/// The number of rows of each table.
const ROWS: i64 = 20_000;
/// The number of people to whom the rows belong in equal parts.
const PEOPLE: i64 = 400;
/// The maximum number of rows that a list of one person may read: a few times the fifty that each person has of each table,
/// on either side.
const MAX_ROWS: f64 = 600.0;
/// The number of rows that a search may read in addition: those of all people, because a small table may be read whole.
const MAX_PEOPLE: f64 = 2.0 * PEOPLE as f64;
/// The maximum number of blocks: finding that many rows by an index stays below, and reading a table whole does not.
const MAX_BLOCKS: i64 = 2_000;
/// The number of the newest jobs that a search looks at one by one for its list and for its count, each in both tables. In
/// the second it finds them by the index of their ids, which has two levels.
const NEWEST: [i64; 2] = [1_000, 2_000];

/// Lists of a person and their counts: file, function, and the arguments for the person with number 7, who is a customer and a
/// mechanic.
const OF_A_PERSON: [(&str, &str, &str); 21] = [
    ("src/jobs/queries.rs", "list", "{user}, {mechanic}, '{}', null, null, 20, 0"),
    ("src/jobs/queries.rs", "list_of_customer", "{user}, 20, '{}', null, null, 0"),
    ("src/jobs/queries.rs", "count", "{user}, {mechanic}, '{}', null, null"),
    ("src/money/payments/queries.rs", "list_of_person", "{user}, {mechanic}, null, null, null, null, 20, 0"),
    ("src/money/payments/queries.rs", "count_of_person", "{user}, {mechanic}, null, null, null, null"),
    ("src/money/disputes/queries.rs", "list_of_mechanic", "{mechanic}, null, null, null, 20, 0"),
    ("src/money/disputes/queries.rs", "count_of_mechanic", "{mechanic}, null, null, null"),
    ("src/money/disputes/queries.rs", "newest_of_person", "{user}, {mechanic}, 20"),
    ("src/money/no_shows/queries.rs", "of_person", "{user}, {mechanic}, 20"),
    ("src/money/wallet/settlements/queries.rs", "list_of_mechanic", "{mechanic}, null, null, 20, 0"),
    ("src/money/wallet/settlements/queries.rs", "count_of_mechanic", "{mechanic}, null, null"),
    ("src/money/wallet/withdrawals/queries.rs", "list_of_mechanic", "{mechanic}, null, null, 20, 0"),
    ("src/money/wallet/withdrawals/queries.rs", "count_of_mechanic", "{mechanic}, null, null"),
    ("crates/groundwork/src/notifications/queries.rs", "list", "{user}, null, null, 20, 0"),
    ("crates/groundwork/src/notifications/queries.rs", "count", "{user}, null, null"),
    ("crates/groundwork/src/accounting/ledger/queries.rs", "lines_of", "{mechanic}, null, null, 20, 0"),
    ("crates/groundwork/src/accounting/ledger/queries.rs", "count_lines_of", "{mechanic}, null, null"),
    ("src/sharing/ratings/queries.rs", "given", "{user}, {mechanic}, 20"),
    ("src/sharing/ratings/queries.rs", "received", "{user}, {mechanic}, now(), 20"),
    ("src/messaging/calls/queries.rs", "of_person", "{user}, 20"),
    ("src/messaging/chat/queries.rs", "newest_of", "{user}, {mechanic}, 20"),
];

/// Statements with a plan for any arguments in which an `or` follows an argument, and the reasons why they are not measured
/// here.
const OTHERS: [(&str, &[(&str, &str)]); 4] = [
    (
        "one object's or one person's rows, which an index of the other condition gives",
        &[
            ("crates/groundwork/src/accounting/dues/queries.rs", "debts_of_customer"),
            ("crates/groundwork/src/accounting/dues/queries.rs", "claims_of_mechanic"),
            ("crates/accounts/src/auth/otp/queries.rs", "attempts"),
            ("crates/accounts/src/uploads/queries.rs", "is_of_a_job_of"),
            ("src/messaging/chat/queries.rs", "unread"),
            ("src/money/wallet/upi/queries.rs", "lock_to_pay"),
            ("src/tracking/route/queries.rs", "trail"),
        ],
    ),
    (
        "both sides of the `or` have an index, and what is found is few",
        &[
            ("crates/accounts/src/auth/queries.rs", "admin_of_identity"),
            ("crates/accounts/src/uploads/queries.rs", "announced"),
            ("src/jobs/queries.rs", "free_cancellations"),
        ],
    ),
    (
        "a recording of a time of the past, made once for an operator",
        &[("src/admin/recording/queries.rs", "profiles")],
    ),
    (
        "a small table, or rows that wait for a worker and have an index of their own",
        &[
            ("crates/groundwork/src/accounting/dues/queries.rs", "free"),
            ("crates/accounts/src/uploads/queries.rs", "doomed"),
            ("crates/groundwork/src/catalogue/categories/queries.rs", "list"),
            ("src/messaging/calls/queries.rs", "due"),
            ("src/money/wallet/queries.rs", "due_to_clear"),
        ],
    ),
];

/// Returns whether a read has a condition that an argument may switch off, or an `or` between arguments.
fn has_choice(sql: &str) -> bool {
    let is_read = sql.trim_start().starts_with("select") || sql.trim_start().starts_with("with");
    // In a list, brackets may close after the argument.
    let brackets = if sql.contains("limit $") { ")" } else { "" };
    is_read
        && sql.split('$').skip(1).any(|after| {
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let of_type = |c: char| c.is_ascii_alphanumeric() || "_[]".contains(c);
            let after = after.strip_prefix("::").map_or(after, |cast| cast.trim_start_matches(of_type));
            let alone = after.trim_start_matches(|c: char| brackets.contains(c));
            after.starts_with(" is null")
                || after.starts_with(") = 0 or")
                || (alone.starts_with(char::is_whitespace) && alone.split_whitespace().next() == Some("or"))
        })
}

pub(crate) fn is_of(statement: &Statement, file: &str, function: &str) -> bool {
    let place = statement.place.rsplit_once(':').map(|(place, _)| place);
    place == Some(file) && statement.function == function
}

#[test]
fn a_statement_that_depends_on_its_arguments_is_planned_for_them_or_measured() {
    let statements = statements();
    let measured = OF_A_PERSON.iter().map(|(file, function, _)| (*file, *function));
    let others = OTHERS.iter().flat_map(|(_, functions)| functions.iter().copied());
    let known: BTreeSet<(&str, &str)> = measured.chain(others).collect();
    let is_known =
        |statement: &Statement| known.iter().any(|(file, function)| is_of(statement, file, function));
    let missing: Vec<&str> = statements
        .iter()
        .filter(|statement| statement.sql.as_deref().is_some_and(has_choice))
        .filter(|statement| !statement.is_planned_each_time && !is_known(statement))
        .map(|statement| statement.place.as_str())
        .collect();
    assert!(missing.is_empty(), "add `.persistent(false)`, or measure it here:\n{}", missing.join("\n"));
    let gone: Vec<_> = known
        .iter()
        .filter(|(file, function)| {
            !statements.iter().any(|s| is_of(s, file, function) && !s.is_planned_each_time)
        })
        .collect();
    assert!(gone.is_empty(), "there is no such statement with a plan that is kept: {gone:?}");
}

#[test]
fn every_spelling_of_a_choice_is_noticed() {
    for sql in [
        "select 1 where $1::uuid is null or a = $1",
        "select 1 where a = $1\n or b = $2",
        "select 1 where $1 or a = $2",
        "select 1 where cardinality($12::text[]) = 0 or a = any($12)",
        "with a as (select 1) select 1 from a where $1 is null",
        "select 1 where (a = $1) or (b = $2) limit $3",
    ] {
        assert!(has_choice(sql), "{sql}");
    }
    for sql in [
        "select 1 where a = $1 order by b",
        "select 1 limit $1 offset $2",
        "update a set b = 1 where $1 or c",
        "select coalesce($1::timestamptz, '-infinity')",
    ] {
        assert!(!has_choice(sql), "{sql}");
    }
}

/// Inserts [`ROWS`] jobs with everything that belongs to them: each person has fifty as a customer and fifty others as a
/// mechanic.
async fn fill(db: &mut PgConnection) {
    let (user, mechanic) = ("md5('user' || n)::uuid", "md5('mechanic' || n)::uuid");
    let one_of = |kind: &str, number: &str| format!("md5('{kind}' || ({number}) % {PEOPLE})::uuid");
    let (customer, callee, served_by) =
        (one_of("user", "n"), one_of("user", "n + 1000"), one_of("mechanic", "n + 1000"));
    let made = "now() - make_interval(mins => n)";
    let all = format!("generate_series(1, {ROWS}) n");
    let people = format!("generate_series(0, {PEOPLE} - 1) n");
    // No statement reads the rows to which these refer.
    let sql = format!(
        "begin; set local statement_timeout = 0; set local session_replication_role = replica;
        insert into users (id, phone, name, created_at, updated_at)
        select {user}, '+9198' || (10000000 + n), 'Person p' || n || 'x', {made}, {made} from {people};
        insert into mechanic_profiles (id, user_id, status, service_radius_km, vehicle_types, service_category_ids,
            created_at, updated_at)
        select {mechanic}, {user}, 'verified', 10, '{{two_wheeler}}', array[gen_random_uuid()], {made}, {made}
            from {people};
        insert into job_facts (id, customer_id, vehicle_id, vehicle_type, vehicle_registration_number,
            service_category_id, pickup_address, pickup_lat, pickup_lng, contact_preference, urgency, begin_at,
            base_price_paise, travel_price_paise, estimated_price_paise, created_at)
        select md5('job' || n)::uuid, {customer}, md5('vehicle' || n)::uuid, 'four_wheeler', 'KA01' || n,
            gen_random_uuid(), 'Lane' || n, 12.97, 77.59, 'booker', 'normal', {made}, 29900, 0, 29900, {made}
            from {all};
        insert into job_states (id, customer_id, vehicle_id, created_at, version, seq, status, is_active, is_open,
            is_unfinished, updated_at, mechanic_profile_id)
        select md5('job' || n)::uuid, {customer}, md5('vehicle' || n)::uuid, {made}, 1, 1, 'paid', false, false, false,
            {made}, {served_by} from {all};
        insert into job_dues (job_id, customer_id, mechanic_profile_id, due_paise, paid_paise, settled_at, created_at)
        select md5('job' || n)::uuid, {customer}, {served_by}, 100, 100, {made}, {made} from {all};
        insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, applied_paise,
            is_open, captured_at, created_at, updated_at)
        select gen_random_uuid(), {customer}, 'job', md5('job' || n)::uuid, 'cash', 'captured', 100, 'INR', 100, false,
            {made}, {made}, {made} from {all};
        insert into disputes (id, job_id, customer_id, mechanic_profile_id, opened_by, reason_code, description,
            evidence_urls, status, final_price_paise, created_at)
        select gen_random_uuid(), md5('job' || n)::uuid, {customer}, {served_by}, 'customer', 'other', 'flat', '{{}}',
            'open', 100, {made} from {all};
        insert into no_shows (job_id, customer_id, mechanic_profile_id, amount_paise, status, created_at)
        select md5('job' || n)::uuid, {customer}, {served_by}, 100, 'open', {made} from {all};
        insert into settlements (id, mechanic_profile_id, period_start, period_end, gross_paise, commission_paise,
            tax_paise, refunds_paise, cash_collected_paise, net_paise, status, created_at)
        select gen_random_uuid(), {served_by}, date '2001-01-01' + n, date '2001-01-02' + n, 0, 0, 0, 0, 0, 0, 'open',
            {made} from {all};
        insert into withdrawals (id, mechanic_profile_id, upi_account_id, vpa, holder_name, amount_paise, currency,
            status, requested_at, settled_at, updated_at)
        select gen_random_uuid(), {served_by}, gen_random_uuid(), 'a@okbank', 'Asha', 100, 'INR', 'processed', {made},
            {made}, {made} from {all};
        insert into notifications (id, user_id, type, title, body, data, is_urgent, delivery_status, created_at,
            settled_at)
        select gen_random_uuid(), {customer}, 'job_accepted', 'A title', 'A body', '{{}}', false, 'sent', {made}, {made}
            from {all};
        insert into ratings (id, job_id, rater, customer_id, mechanic_profile_id, score, tags, created_at)
        select gen_random_uuid(), md5('job' || n)::uuid, 'customer', {customer}, {served_by}, 5, '{{}}', {made}
            from {all};
        insert into calls (id, job_id, mechanic_profile_id, caller_id, callee_id, caller_session_id, on_job, status,
            end_reason, created_at, ended_at)
        select gen_random_uuid(), md5('job' || n)::uuid, {served_by}, {customer}, {callee}, gen_random_uuid(),
            true, 'missed', 'no_answer', {made}, {made} from {all};
        insert into chat_messages (id, job_id, seq, sender, sender_id, customer_id, mechanic_profile_id,
            client_message_id, type, body, created_at)
        select gen_random_uuid(), md5('job' || n)::uuid, 1, 'customer', {customer}, {customer}, {served_by},
            gen_random_uuid(), 'text', 'hello', {made} from {all};
        insert into ledger_accounts (id, kind, mechanic_profile_id, balance_paise)
        select {mechanic}, 'mechanic_available', {mechanic}, 5000 from {people};
        insert into ledger_transactions (id, kind, key, at)
        select md5('job' || n)::uuid, 'capture', 'capture:' || n, {made} from {all};
        insert into ledger_postings (transaction_id, account_id, amount_paise)
        select md5('job' || n)::uuid, {served_by}, 100 from {all};
        commit"
    );
    raw_sql(AssertSqlSafe(sql)).execute(&mut *db).await.expect("the rows");
    raw_sql("set statement_timeout = 0").execute(&mut *db).await.expect("a setting");
    raw_sql("vacuum (analyze)").execute(&mut *db).await.expect("statistics");
}

/// The work that a statement did.
struct Cost {
    rows: f64,
    blocks: i64,
    plan: Value,
}

/// Prepares a statement, for which Postgres chooses its plans in this mode.
async fn prepare(db: &mut PgConnection, mode: &str, sql: &str) {
    let prepare = format!("set plan_cache_mode = {mode}; prepare measured as {sql}");
    raw_sql(AssertSqlSafe(prepare)).execute(db).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Returns the call of the prepared statement for the person with number 7.
fn call(arguments: &str) -> String {
    let arguments = arguments.replace("{user}", "md5('user7')::uuid");
    format!("execute measured({})", arguments.replace("{mechanic}", "md5('mechanic7')::uuid"))
}

/// Returns how many plans Postgres makes for the arguments in ten calls. It makes five before it can choose.
async fn plans_for_arguments(db: &mut PgConnection, sql: &str, arguments: &str) -> i64 {
    prepare(db, "auto", sql).await;
    for _ in 0..10 {
        raw_sql(AssertSqlSafe(call(arguments))).execute(&mut *db).await.expect(sql);
    }
    let plans = "select custom_plans from pg_prepared_statements where name = 'measured'";
    let plans = sqlx::query_scalar(plans).fetch_one(&mut *db).await.expect("it was prepared");
    raw_sql("deallocate measured").execute(db).await.expect("it was prepared");
    plans
}

/// Runs a statement with these arguments, by a plan for any (`force_generic_plan`) or for them alone (`force_custom_plan`).
async fn cost(db: &mut PgConnection, mode: &str, sql: &str, arguments: &str) -> Cost {
    prepare(db, mode, sql).await;
    cost_of_prepared(db, sql, arguments).await
}

/// Runs the prepared statement with these arguments.
async fn cost_of_prepared(db: &mut PgConnection, sql: &str, arguments: &str) -> Cost {
    let explain = format!("explain (analyze, buffers, format json) {}", call(arguments));
    let explained = sqlx::query_scalar::<_, Value>(AssertSqlSafe(explain)).persistent(false);
    let plan = explained.fetch_one(&mut *db).await;
    let plan = plan.unwrap_or_else(|error| panic!("{sql} ({arguments}): {error}"))[0]["Plan"].take();
    raw_sql("deallocate measured").execute(db).await.expect("it was prepared");
    let blocks = |kind: &str| plan[kind].as_i64().expect("blocks");
    let blocks = blocks("Shared Hit Blocks") + blocks("Shared Read Blocks");
    Cost { rows: rows_read(&plan), blocks, plan }
}

/// Adds up the rows of tables and indexes that a plan looked at, including those that a condition then rejected.
fn rows_read(plan: &Value) -> f64 {
    let number = |name: &str| plan[name].as_f64().unwrap_or(0.0);
    let is_scan = plan.get("Relation Name").is_some() || plan.get("Index Name").is_some();
    let refused = number("Rows Removed by Filter") + number("Rows Removed by Index Recheck");
    let own = if is_scan { (number("Actual Rows") + refused) * number("Actual Loops") } else { 0.0 };
    own + plan["Plans"].as_array().into_iter().flatten().map(rows_read).sum::<f64>()
}

/// Returns the statement of that function.
fn sql_of<'a>(statements: &'a [Statement], file: &str, function: &str) -> &'a str {
    let found = statements.iter().find(|statement| is_of(statement, file, function));
    found.and_then(|found| found.sql.as_deref()).unwrap_or_else(|| panic!("{file} has no {function}"))
}

#[tokio::test]
async fn lists_among_many_rows_read_only_their_page_and_their_index() {
    let database = fresh_database().await;
    let mut db = PgConnection::connect_with(database.connect_options()).await.expect("a connection");
    fill(&mut db).await;
    let (statements, mut faults) = (statements(), Vec::new());
    let mut check = |what: String, cost: Cost, (max_rows, max_blocks): (f64, i64), finds: bool| {
        let Cost { rows, blocks, plan } = cost;
        if rows > max_rows || blocks > max_blocks || (finds && rows < 1.0) {
            faults.push(format!("{what}: {rows} rows, {blocks} blocks, by {plan:#}"));
        }
    };
    for (file, function, arguments) in OF_A_PERSON {
        let sql = sql_of(&statements, file, function);
        let cost = cost(&mut db, "force_generic_plan", sql, arguments).await;
        check(format!("{file}, {function}"), cost, (MAX_ROWS, MAX_BLOCKS), true);
    }
    // They find nothing, a person who has fifty jobs on either side, a street, a plate, all jobs by a word and its beginning.
    let searches = [
        ("'zebra', null, null, null", false),
        ("'p7x', null, null, null", true),
        ("'lane4711', null, null, null", true),
        ("'KA0119999', null, 'KA0119999%', '9999110AK%'", true),
        ("'lane', null, null, null", true),
        ("'la', null, null, null", true),
    ];
    for (q, finds) in searches {
        let functions = [("list_found", ", null, null, null, 20, 0"), ("count_found", ", 1000")];
        for ((function, rest), newest) in functions.into_iter().zip(NEWEST) {
            let sql = sql_of(&statements, "src/jobs/overview/queries.rs", function);
            let arguments = format!("'{{}}', '{{}}', null, null, null, null, null, false, {q}{rest}");
            let cost = cost(&mut db, "force_custom_plan", sql, &arguments).await;
            let max = (MAX_ROWS + MAX_PEOPLE + 2.0 * newest as f64, MAX_BLOCKS + 5 * newest);
            check(format!("the search for {q}, {function}"), cost, max, finds);
        }
    }
    for (file, function, arguments) in OF_A_PERSON {
        let sql = sql_of(&statements, file, function);
        // Most people are no mechanics. The other statements with both sides belong to exports, which are asked for seldom.
        let is_list = ["src/jobs/", "src/money/payments/"].iter().any(|area| file.starts_with(area));
        let of_customer = arguments.replace("{user}, {mechanic}", "{user}, null");
        for arguments in [arguments, if is_list { &*of_customer } else { arguments }] {
            let plans = plans_for_arguments(&mut db, sql, arguments).await;
            if plans > 5 {
                faults.push(format!("{file}, {function}: {plans} plans in ten calls with {arguments}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test]
async fn webhooks_are_found_by_their_ids_although_nothing_waited_when_the_plan_was_made() {
    let database = fresh_database().await;
    let mut db = PgConnection::connect_with(database.connect_options()).await.expect("a connection");
    let events = |status: &str| {
        format!(
            "insert into webhook_events (id, gateway, event_id, event, body, status, next_try_at, received_at)
            select md5('{status}' || n)::uuid, 'sandbox', '{status}' || n, 'payment.captured', '{{}}', '{status}', now(), now()
            from generate_series(1, {ROWS}) n;"
        )
    };
    let statements = statements();
    for (function, rest) in [("take", ""), ("settle_as_old", ", now()")] {
        let settled = format!("truncate webhook_events; {} analyze webhook_events", events("processed"));
        raw_sql(AssertSqlSafe(settled)).execute(&mut db).await.expect("settled events");
        let sql = sql_of(&statements, "src/money/payments/inbox/queries.rs", function);
        prepare(&mut db, "force_generic_plan", sql).await;
        raw_sql(AssertSqlSafe(call(&format!("'{{}}'{rest}")))).execute(&mut db).await.expect(sql);
        raw_sql(AssertSqlSafe(events("pending"))).execute(&mut db).await.expect("pending events");
        let arguments = format!("array[md5('pending7')::uuid]{rest}");
        let Cost { rows, plan, .. } = cost_of_prepared(&mut db, sql, &arguments).await;
        assert!((1.0..10.0).contains(&rows), "{function}: {rows} rows, by {plan:#}");
    }
}
