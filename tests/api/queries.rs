//! Every SQL statement of the service is prepared against a fresh schema (docs/adr/0005).

use std::{
    collections::{BTreeSet, HashMap},
    fs,
};

use proc_macro2::{TokenStream, TokenTree};
use roadcall::{
    jobs::log::composed_statements,
    money::payments::bookings,
    platform::{db::testing::fresh_database, error::refusal_of},
};
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use syn::{
    Expr, ExprCall, ExprLit, ExprMethodCall, ItemMacro, Lit, Token, parse::Parser, punctuated::Punctuated,
    spanned::Spanned, visit::Visit,
};

use crate::support::source::{RustFile, files, root};

/// A call of `sqlx::query` or a related function.
pub(crate) struct Statement {
    /// The file with the line, for messages: `src/jobs/queries.rs:7`.
    pub(crate) place: String,
    /// The file below the layers.
    pub(crate) file: String,
    pub(crate) line: usize,
    /// The function that the call is in.
    pub(crate) function: String,
    /// The statement; `None` if the first argument is neither a composed statement nor a literal: a string, or a `concat!` of
    /// strings and of macros of the file.
    pub(crate) sql: Option<String>,
    /// Whether Postgres plans it for the given arguments every time: `persistent(false)`.
    pub(crate) is_planned_each_time: bool,
}

/// Collects the calls of one file.
#[derive(Default)]
struct Collector {
    /// The path of the file, and its path below the layers.
    path: String,
    file: String,
    function: String,
    /// The lines and columns of calls whose plan is not kept.
    planned_each_time: BTreeSet<(usize, usize)>,
    /// The parts of statements, such as a condition, that the file has as macros without arguments.
    parts: HashMap<String, String>,
    found: Vec<Statement>,
}

const CALLS: [&str; 6] =
    ["query", "query_as", "query_scalar", "query_with", "query_as_with", "query_scalar_with"];

impl<'a> Visit<'a> for Collector {
    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if is_query(&call.func)
            && let Some(first) = call.args.first()
        {
            let line = call.func.span().start().line;
            self.found.push(Statement {
                place: format!("{}:{line}", self.path),
                file: self.file.clone(),
                line,
                function: self.function.clone(),
                sql: literal(first, &self.parts).or_else(|| composed(&self.file, &self.function)),
                is_planned_each_time: self.planned_each_time.contains(&position(call)),
            });
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        // The outermost call of a chain comes first.
        if call.method == "persistent"
            && let Some(first) = first_of_chain(&call.receiver)
        {
            self.planned_each_time.insert(position(first));
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_item_macro(&mut self, item: &'a ItemMacro) {
        if let Some(name) = &item.ident
            && let Some(part) = expansion(&item.mac.tokens, &self.parts)
        {
            self.parts.insert(name.to_string(), part);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.function = function.sig.ident.to_string();
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.function = function.sig.ident.to_string();
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        // Unit tests may use any SQL for their set-up.
        if module.ident != "tests" {
            syn::visit::visit_item_mod(self, module);
        }
    }
}

fn position(call: &ExprCall) -> (usize, usize) {
    let start = call.func.span().start();
    (start.line, start.column)
}

/// Returns the call that a chain of methods begins with.
fn first_of_chain(mut receiver: &Expr) -> Option<&ExprCall> {
    while let Expr::MethodCall(call) = receiver {
        receiver = &call.receiver;
    }
    match receiver {
        Expr::Call(call) => Some(call),
        _ => None,
    }
}

/// Returns whether this is `sqlx::query…(…)`, or the bare name after a `use`.
fn is_query(called: &Expr) -> bool {
    let Expr::Path(path) = called else { return false };
    let segments = &path.path.segments;
    let name = segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let of_sqlx = segments.len() == 1 || segments.first().is_some_and(|first| first.ident == "sqlx");
    of_sqlx && CALLS.contains(&name.as_str())
}

/// Returns the text of a literal, with these parts.
fn literal(argument: &Expr, parts: &HashMap<String, String>) -> Option<String> {
    match argument {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Macro(called) if called.mac.path.is_ident("concat") => {
            let texts = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(called.mac.tokens.clone());
            texts.ok()?.iter().map(|text| literal(text, parts)).collect()
        }
        Expr::Macro(called) if called.mac.tokens.is_empty() => {
            parts.get(&called.mac.path.get_ident()?.to_string()).cloned()
        }
        _ => None,
    }
}

/// Returns the text of a macro with one rule, `() => { … };`, if it is a literal.
fn expansion(rules: &TokenStream, parts: &HashMap<String, String>) -> Option<String> {
    let groups: Vec<TokenStream> = rules
        .clone()
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })
        .collect();
    match groups.as_slice() {
        [arguments, text] if arguments.is_empty() => literal(&syn::parse2(text.clone()).ok()?, parts),
        _ => None,
    }
}

/// Returns the statement of this function, if it is composed from the declaration of a job's row
/// (docs/adr/0139).
fn composed(file: &str, function: &str) -> Option<String> {
    let of_jobs = composed_statements().into_iter().filter(|_| file.starts_with("jobs/log/"));
    let of_bookings =
        bookings::composed_statements().into_iter().filter(|_| file.starts_with("money/payments/bookings/"));
    let mut statements = of_jobs.chain(of_bookings);
    statements.find(|(name, _)| *name == function).map(|(_, sql)| sql.to_owned())
}

pub(crate) fn statements() -> Vec<Statement> {
    files().into_iter().flat_map(in_file).collect()
}

fn in_file(RustFile { path, place, text }: RustFile) -> Vec<Statement> {
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path} is not Rust: {error}"));
    let mut collector = Collector { path, file: place, parts: shared_parts(), ..Collector::default() };
    collector.visit_file(&parsed);
    collector.found
}

/// The files with parts of statements that several files share.
const SHARED: [&str; 2] = ["src/jobs/shown.rs", "src/money/payments/attempts/queries.rs"];

/// Returns the parts of statements that several files share.
fn shared_parts() -> HashMap<String, String> {
    let mut collector = Collector::default();
    for file in SHARED {
        let source = fs::read_to_string(root().join(file)).unwrap();
        collector.visit_file(&syn::parse_file(&source).unwrap());
    }
    collector.parts
}

#[tokio::test]
async fn every_statement_is_a_literal_that_the_schema_accepts() {
    let database = fresh_database().await;
    let statements = statements();
    let mut faults = Vec::new();
    for Statement { place, sql, .. } in &statements {
        match sql {
            None => faults.push(format!("{place}: the statement is not a string literal")),
            Some(sql) => {
                let sql = AssertSqlSafe(sql.clone()).into_sql_str();
                if let Err(error) = (&database.db).prepare(sql).await {
                    faults.push(format!("{place}: {error}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "of {} statements:\n{}", statements.len(), faults.join("\n"));
    assert!(!statements.is_empty(), "no statement was found: the search itself is broken");
}

#[test]
fn a_statement_is_read_with_the_parts_that_it_shares() {
    let source = r#"
        macro_rules! made { () => { "made > $1" }; }
        macro_rules! listed { () => { concat!("is_open and ", made!()) }; }
        macro_rules! of { ($table:literal) => { $table }; }
        fn count() { sqlx::query_scalar(concat!("select count(*) from jobs where ", listed!())).persistent(false) }
        fn unknown() { sqlx::query(concat!("select * from ", of!("jobs"))) }
    "#;
    let mut collector = Collector::default();
    collector.visit_file(&syn::parse_file(source).unwrap());
    let found = collector.found.iter().map(|found| (found.sql.as_deref(), found.is_planned_each_time));
    let found: Vec<_> = found.collect();
    let expected = [(Some("select count(*) from jobs where is_open and made > $1"), true), (None, false)];
    assert_eq!(found, expected);
}

#[test]
fn sql_is_only_in_files_named_queries() {
    let is_astray = |statement: &Statement| {
        !statement.file.ends_with("queries.rs") && !statement.file.starts_with("platform/db/")
    };
    let astray = statements().into_iter().filter(is_astray);
    let astray: Vec<String> = astray.map(|statement| statement.place).collect();
    assert!(astray.is_empty(), "SQL belongs into the area's queries.rs:\n{}", astray.join("\n"));
}

#[tokio::test]
async fn a_statement_that_does_not_match_the_schema_is_noticed() {
    let database = fresh_database().await;
    for sql in ["select no_such_column from users", "selec 1", "select id from users where id = 1::text"] {
        assert!((&database.db).prepare(AssertSqlSafe(sql).into_sql_str()).await.is_err(), "{sql}");
    }
}

/// Unique indexes that no request violates, by reason: the service creates these keys itself, or its statement handles a
/// conflict.
const NEVER_VIOLATED: [(&str, &[&str]); 5] = [
    (
        "the key is random, or that of a new row",
        &[
            "admin_invites_token_key",
            "idp_accounts_pkey",
            "ledger_postings_pkey",
            "organisations_account_key",
            "partner_events_seq_key",
            "partner_jobs_pkey",
            "partner_keys_handle_key",
            "partner_terms_pkey",
            "place_requests_code_key",
            "payment_fees_pkey",
            "refresh_tokens_hash_key",
            "refund_parts_pkey",
            "sandbox_orders_pkey",
            "sandbox_payments_pkey",
            "sandbox_payouts_pkey",
            "sandbox_refunds_pkey",
            "sandbox_validations_pkey",
            "share_links_token_key",
            "trackers_token_key",
            "uploads_file_url_key",
            "ws_tickets_pkey",
        ],
    ),
    (
        "the statement says what happens on a conflict",
        &[
            "callback_requests_pkey",
            "chargebacks_pkey",
            "chat_reads_pkey",
            "email_codes_pkey",
            "former_accounts_pkey",
            "generated_secrets_pkey",
            "idempotency_keys_scope",
            "idp_password_tries_pkey",
            "lead_complaints_pkey",
            "leadership_pkey",
            "take_overs_pkey",
            "ledger_accounts_once",
            "ledger_transactions_key",
            "mails_one_for_each_event",
            "notification_preferences_pkey",
            "notification_texts_pkey",
            "otp_codes_pkey",
            "parked_payments_pkey",
            "partner_approvals_pkey",
            "partner_cases_reference_key",
            "partner_documents_file_key",
            "partner_drivers_reference_key",
            "payment_attempts_pkey",
            "sandbox_payouts_once",
            "search_news_pkey",
            "sandbox_validations_once",
            "settlements_once",
            "text_message_counts_pkey",
            "trails_pkey",
            "trips_pkey",
            "webhook_events_once",
        ],
    ),
    ("only earlier releases write it", &["location_points_once"]),
    (
        "a lock goes before it",
        &["cancellation_fees_pkey", "job_dues_pkey", "partner_bills_pkey", "sandbox_refunds_once"],
    ),
    (
        "one task alone writes it",
        &[
            "dispatch_decisions_one_in_vain_per_round",
            "dispatch_decisions_pkey",
            "price_samples_pkey",
            "outlook_calibration_pkey",
        ],
    ),
];

#[tokio::test]
async fn every_unique_index_that_requests_can_violate_has_a_refusal() {
    let database = fresh_database().await;
    let indexes: Vec<(String, bool)> = sqlx::query_as(
        "select i.indexrelid::regclass::text, i.indnkeyatts = 1 and a.attname = 'id'
            and a.atttypid in ('uuid'::regtype, 'bigint'::regtype)
        from pg_index i
            join pg_class t on t.oid = i.indrelid
            join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
        where (i.indisunique or i.indisexclusion) and t.relnamespace = 'public'::regnamespace
            and t.relname not like '\\_sqlx%'
        order by 1",
    )
    .fetch_all(&database.db)
    .await
    .expect("the indexes");
    let is_safe = |name: &str| NEVER_VIOLATED.iter().any(|(_, names)| names.contains(&name));
    let missing: Vec<&String> = indexes
        .iter()
        .filter(|(name, is_own_id)| !is_own_id && !is_safe(name) && refusal_of(name).is_none())
        .map(|(name, _)| name)
        .collect();
    assert!(
        missing.is_empty(),
        "say in crates/platform/src/error/constraints.rs what these are answered: {missing:?}"
    );
    let is_there = |name: &str| indexes.iter().any(|(index, _)| index == name);
    let gone = NEVER_VIOLATED.iter().flat_map(|(_, names)| names.iter()).find(|name| !is_there(name));
    assert_eq!(gone, None, "there is no such index any more");
}
