//! The owner of each table or view is the area that writes it. Like imports (`layers.rs`), statements reach down. Statements that read a
//! table of an area above, or write another area's table, are listed here with the reason.

use std::collections::BTreeSet;

use roadcall::platform::db::testing::fresh_database;

use crate::{
    layers::{area, is_above, module},
    queries::statements,
};

/// Each table's owner. Functions of the schema write the ledger's tables (`ledger_book`, `ledger_book_all`).
const OWNERS: &[(&str, &[&str])] = &[
    ("platform::db", &["leadership", "take_overs"]),
    ("cluster", &["lead_complaints"]),
    ("platform::audit", &["audit_log"]),
    ("platform::pulse", &["due_work"]),
    ("platform::idempotency", &["idempotency_keys"]),
    (
        "accounts::auth",
        &[
            "counted_messages",
            "former_accounts",
            "generated_secrets",
            "idp_accounts",
            "idp_password_tries",
            "otp_attempts",
            "otp_codes",
            "phone_changes",
            "refresh_tokens",
            "sessions",
            "text_message_counts",
            "token_keys",
            "users",
        ],
    ),
    ("accounts::uploads", &["uploads"]),
    ("accounts::invites", &["admin_invites"]),
    ("accounts::emails", &["email_codes"]),
    ("accounts::notices", &["consents", "privacy_notices"]),
    ("accounts::organisations", &["organisation_members", "organisations", "partner_keys"]),
    ("mails", &["mails"]),
    ("notifications", &["notifications", "notification_preferences", "notification_texts", "push_tokens"]),
    ("grievances", &["grievances"]),
    ("places", &["place_requests"]),
    ("catalogue::vehicles", &["vehicles"]),
    ("catalogue::dispatch_settings", &["dispatch_settings"]),
    ("catalogue::job_stops", &["job_stops"]),
    ("catalogue::categories", &["service_categories"]),
    ("catalogue::workshops", &["workshops"]),
    ("fleet::eta", &["trips"]),
    ("fleet::mechanics", &["mechanic_changes", "mechanic_documents", "mechanic_profiles"]),
    ("accounting::ledger", &["ledger_accounts", "ledger_postings", "ledger_transactions"]),
    ("accounting::dues", &["cancellation_fees", "job_dues", "partner_bills"]),
    (
        "jobs",
        &[
            "callback_requests",
            "free_cancellations",
            "job_events",
            "job_facts",
            "job_photos",
            "job_states",
            "jobs",
            "line_items",
            "outlook_calibration",
            "partner_approvals",
            "partner_jobs",
            "search_news",
        ],
    ),
    ("offers", &["offers"]),
    ("dispatch", &["dispatch_decisions", "price_samples"]),
    (
        "money::wallet",
        &["earnings", "payout_pauses", "settlements", "upi_accounts", "upi_look_ups", "withdrawals"],
    ),
    (
        "money::payments",
        &[
            "chargebacks",
            "parked_payments",
            "payment_attempts",
            "payment_fees",
            "payments",
            "refund_parts",
            "refunds",
            "webhook_events",
        ],
    ),
    ("money::disputes", &["dispute_statements", "disputes"]),
    ("money::no_shows", &["no_shows"]),
    ("money::tow_reviews", &["tow_reviews"]),
    ("messaging::calls", &["calls"]),
    ("messaging::chat", &["chat_messages", "chat_reads"]),
    ("tracking", &["location_points", "trackers", "trail", "trail_points", "trails"]),
    ("sharing::ratings", &["ratings"]),
    ("sharing::shares", &["share_links"]),
    ("partners::contracts", &["partner_contracts", "partner_terms"]),
    ("partners::cases", &["partner_cases", "partner_documents", "partner_drivers"]),
    ("partners::feeds", &["partner_deliveries", "partner_events", "partner_subscriptions"]),
    ("ws", &["ws_tickets"]),
    (
        "sandbox",
        &[
            "sandbox_deliveries",
            "sandbox_orders",
            "sandbox_payments",
            "sandbox_payouts",
            "sandbox_refunds",
            "sandbox_validations",
        ],
    ),
];

/// Reads of tables of areas above: the reason, the reading area, and the tables.
const READS_ABOVE: &[(&str, &str, &[&str])] = &[
    (
        "an account is shown and recognised with its mechanic's profile, in the one statement that each request waits for",
        "accounts::auth",
        &["mechanic_profiles"],
    ),
    ("the account that an invitation made ends with it", "accounts::auth", &["admin_invites"]),
    ("a session is deleted once no ticket refers to it", "accounts::auth", &["ws_tickets"]),
    (
        "an account is shown and searched with its mechanic's profile and vehicles",
        "accounts::users",
        &["mechanic_profiles", "vehicles"],
    ),
    ("nobody with an open job changes roles or leaves", "accounts::users", &["job_states", "jobs"]),
    (
        "a file may be read by the participants of what refers to it, and goes once nothing does",
        "accounts::uploads",
        &[
            "chat_messages",
            "dispute_statements",
            "disputes",
            "job_facts",
            "job_photos",
            "job_states",
            "line_items",
            "mechanic_documents",
            "partner_documents",
            "service_categories",
        ],
    ),
    ("the trail keeps an admin's name as it was at the time", "platform::audit", &["users"]),
    ("a notification addresses the account behind a profile", "notifications", &["mechanic_profiles"]),
    ("a push that nobody has to answer any more is not sent again", "notifications", &["calls", "offers"]),
    (
        "a push or a text message tells a customer what still holds of their job",
        "notifications",
        &["job_states", "jobs"],
    ),
    (
        "a person for whom an organisation orders help has no account: their number, their language and their texts are the case's",
        "notifications",
        &["job_facts", "partner_cases"],
    ),
    ("what an open job needs is neither changed nor deleted", "catalogue::vehicles", &["job_states"]),
    (
        "what a job or a mechanic refers to is not deleted",
        "catalogue::categories",
        &["job_facts", "jobs", "mechanic_profiles", "partner_terms"],
    ),
    ("settings stay loaded while a search uses them", "catalogue::dispatch_settings", &["job_states"]),
    ("a trip copies the ETA that its offer was made with", "fleet::eta", &["offers"]),
    (
        "all figures of a mechanic are of the same moment, and so of one statement",
        "fleet::mechanics",
        &["earnings", "job_events", "job_facts", "job_states", "offers", "ratings"],
    ),
    (
        "the ledger is audited against what it stands for, at one moment",
        "accounting::ledger",
        &["earnings", "withdrawals"],
    ),
    ("a bill names its case", "partners::bills", &["partner_cases"]),
    (
        "who owes, or is owed, keeps the account: read under the lock that ends it",
        "accounting::dues",
        &["job_states", "payment_fees", "payments"],
    ),
    (
        "a promise and extra work follow the contract, in the statement that writes them",
        "jobs",
        &["partner_cases", "partner_contracts"],
    ),
    (
        "a job is loaded with its live offers, and says whether its last search asked anybody",
        "jobs",
        &["offers"],
    ),
    (
        "an earning clears once nothing about its payment is open; a wallet shows refunds beside it",
        "money::wallet",
        &["chargebacks", "payments", "refunds"],
    ),
    ("cash may settle a job that is disputed as unpaid", "money::payments", &["disputes"]),
    (
        "the case of a bill is locked without waiting, in the statement that writes the bill",
        "money::payments",
        &["partner_cases"],
    ),
    ("a guest's link says whether its holder may talk", "messaging::guests", &["share_links"]),
    ("an admin judges a no-show by the mechanic's positions", "money::no_shows", &["trail"]),
    (
        "an event is numbered by its case and shows it; cases append events, so they are above",
        "partners::feeds",
        &["partner_cases"],
    ),
];

/// Writes of another area's table.
const WRITES_ELSEWHERE: &[(&str, &str, &[&str])] = &[
    ("an account's own fields beside how its person signs in", "accounts::users", &["users"]),
    ("what a payment, a refund or a chargeback earns is written with it", "money::payments", &["earnings"]),
    ("offers are made and end in the statement that changes their jobs", "jobs", &["offers"]),
    (
        "a change of a job is written with what is due, its trip, its mechanic's count and its request's mark, by one statement",
        "jobs",
        &["idempotency_keys", "job_dues", "mechanic_profiles", "trips"],
    ),
    (
        "a payment is booked with its job's steps, what is due for it and its request's mark, by one statement",
        "money::payments",
        &["idempotency_keys", "job_dues", "job_events", "job_states", "offers"],
    ),
    (
        "what an organisation pays for a job is captured, billed and noted with the job, by one statement",
        "money::payments",
        &["partner_bills", "partner_jobs"],
    ),
    (
        "an event takes the next number of its case, and says how far a job's log was told",
        "partners::feeds",
        &["partner_cases", "partner_jobs"],
    ),
    ("an offer of a club is a case that nobody has accepted yet", "partners::incoming", &["partner_cases"]),
    (
        "the engine's writers: positions in batches, and availability with its event",
        "bridge",
        &["mechanic_profiles", "trail_points"],
    ),
];

/// Returns the tables that a statement names after one of these words, in lower case.
fn named<'a>(sql: &str, tables: &[&'a str], before: &[&str]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut last = String::new();
    let mut is_quoted = false;
    // Commas separate columns, too.
    let mut is_among_tables = false;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = sql.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter == '\'' {
            is_quoted = !is_quoted;
        }
        if is_quoted || letter.is_whitespace() {
            continue;
        }
        let mut word = letter.to_ascii_lowercase().to_string();
        while is_part(letter)
            && let Some(next) = rest.next_if(|next| is_part(*next))
        {
            word.push(next.to_ascii_lowercase());
        }
        match word.as_str() {
            "from" | "join" | "using" => is_among_tables = true,
            "select" | "set" | "where" | "values" | "returning" | "(" | ")" => is_among_tables = false,
            _ => {}
        }
        if let Some(table) = tables.iter().find(|table| **table == word)
            && (last != "," || is_among_tables)
            && before.contains(&last.as_str())
        {
            found.insert(*table);
        }
        // For example `delete from only t`, `join lateral t`.
        if !["only", "lateral"].contains(&word.as_str()) {
            last = if word == "from" && last == "delete" { "delete from".to_owned() } else { word };
        }
    }
    found
}

fn read<'a>(sql: &str, tables: &[&'a str]) -> BTreeSet<&'a str> {
    named(sql, tables, &["from", "join", "using", ","])
}

fn written<'a>(sql: &str, tables: &[&'a str]) -> BTreeSet<&'a str> {
    named(sql, tables, &["into", "update", "delete from"])
}

/// Returns whether a statement writes any table.
pub(crate) fn is_write(sql: &str) -> bool {
    let tables: Vec<&str> = OWNERS.iter().flat_map(|(_, tables)| tables.iter().copied()).collect();
    !written(sql, &tables).is_empty()
}

fn owner(table: &str) -> Option<&'static str> {
    OWNERS.iter().find(|(_, tables)| tables.contains(&table)).map(|(owner, _)| *owner)
}

fn pairs(
    listed: &'static [(&'static str, &'static str, &'static [&'static str])],
) -> BTreeSet<(&'static str, &'static str)> {
    listed.iter().flat_map(|(_, area, tables)| tables.iter().map(move |table| (*area, *table))).collect()
}

#[test]
fn statements_read_only_tables_of_areas_below_and_write_their_own() {
    let tables: Vec<&str> = OWNERS.iter().flat_map(|(_, tables)| tables.iter().copied()).collect();
    let (may_read, may_write) = (pairs(READS_ABOVE), pairs(WRITES_ELSEWHERE));
    let (mut read_above, mut written_elsewhere) = (BTreeSet::new(), BTreeSet::new());
    let mut astray = Vec::new();
    for statement in statements() {
        let Some(sql) = &statement.sql else { continue };
        let area = area(&module(&statement.file));
        let of_another = |table: &&&str| owner(table) != Some(area.as_str());
        for table in read(sql, &tables).iter().filter(|table| is_above(owner(table).unwrap(), &area)) {
            read_above.insert((area.clone(), *table));
            if !may_read.contains(&(area.as_str(), *table)) {
                astray.push(format!("{}: {area} reads {table}", statement.place));
            }
        }
        for table in written(sql, &tables).iter().filter(of_another) {
            written_elsewhere.insert((area.clone(), *table));
            if !may_write.contains(&(area.as_str(), *table)) {
                astray.push(format!("{}: {area} writes {table}", statement.place));
            }
        }
    }
    assert!(astray.is_empty(), "move the statement to the table's area, or above it:\n{}", astray.join("\n"));
    let is_idle = |used: &BTreeSet<(String, &str)>, listed: &(&str, &str)| {
        !used.contains(&(listed.0.to_owned(), listed.1))
    };
    let idle: Vec<_> = may_read.iter().filter(|listed| is_idle(&read_above, listed)).collect();
    assert!(idle.is_empty(), "nothing reads these any more: {idle:?}");
    let idle: Vec<_> = may_write.iter().filter(|listed| is_idle(&written_elsewhere, listed)).collect();
    assert!(idle.is_empty(), "nothing writes these any more: {idle:?}");
}

#[tokio::test]
async fn every_table_and_view_has_one_owner() {
    let database = fresh_database().await;
    let there: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class
        where relkind in ('r', 'p', 'v') and not relispartition and relnamespace = 'public'::regnamespace
            and relname not like '\\_sqlx%'
        order by 1",
    )
    .fetch_all(&database.db)
    .await
    .unwrap();
    let mut owned: Vec<&str> = OWNERS.iter().flat_map(|(_, tables)| tables.iter().copied()).collect();
    owned.sort_unstable();
    assert_eq!(owned, there);
}

#[test]
fn tables_are_found_in_every_spelling_of_a_statement() {
    let tables = ["jobs", "offers", "users"];
    let reads = [
        ("select * from jobs j join offers o on o.job_id = j.id", vec!["jobs", "offers"]),
        ("select id, offers, jobs from users", vec!["users"]),
        ("select 1 from users, only jobs where 'from offers' = $1", vec!["jobs", "users"]),
        (
            "with a as (select id from\n  jobs) delete from offers using users where true",
            vec!["jobs", "users"],
        ),
        ("update jobs set offers = 1 where id in (select id from users)", vec!["users"]),
    ];
    for (sql, expected) in reads {
        assert_eq!(read(sql, &tables).into_iter().collect::<Vec<_>>(), expected, "{sql}");
    }
    let writes = [
        ("insert into jobs (users) select id from users", vec!["jobs"]),
        ("with a as (delete from offers returning id) update users set name = ''", vec!["offers", "users"]),
    ];
    for (sql, expected) in writes {
        assert_eq!(written(sql, &tables).into_iter().collect::<Vec<_>>(), expected, "{sql}");
    }
}
