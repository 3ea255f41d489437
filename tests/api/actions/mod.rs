//! Use cases are functions (`actions.rs`) that need no request. Handlers, sockets and workers call them: they begin no
//! transaction and write nothing themselves. Use cases know nothing of HTTP. These tests check this by reading the source.

mod called;
mod source_file;
mod writers;

use std::{collections::HashSet, sync::LazyLock};

use source_file::SourceFile;
use writers::{Writers, writing_functions};

use crate::support::source;

/// Exceptions to the rules below: the file, the name that it uses, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "money/payments/refunds/worker.rs",
        "claim_due",
        "a worker takes what is due, so that it does not come again at once",
    ),
    ("money/payments/refunds/worker.rs", "postpone", "what failed waits longer each time"),
    (
        "money/wallet/upi/worker.rs",
        "take_due",
        "a worker takes what is due, so that it does not come again at once",
    ),
    (
        "money/wallet/withdrawals/worker.rs",
        "take_due",
        "a worker takes what is due, so that it does not come again at once",
    ),
];

static FILES: LazyLock<Vec<SourceFile>> =
    LazyLock::new(|| source::files().iter().map(|file| SourceFile::read(&file.place, &file.text)).collect());

/// Returns the index of the exception that covers a place, if there is one.
fn exception(place: &str) -> Option<usize> {
    let (file, what) = (place.split(':').next(), place.rsplit(':').next());
    EXCEPTIONS.iter().position(|(at, name, _)| file == Some(*at) && what == Some(*name))
}

fn astray(found: Vec<String>) -> Vec<String> {
    found.into_iter().filter(|place| exception(place).is_none()).collect()
}

/// Returns the files where requests, frames or due work arrive.
fn entrances() -> impl Iterator<Item = &'static SourceFile> {
    FILES.iter().filter(|file| file.is_entrance())
}

fn actions() -> impl Iterator<Item = &'static SourceFile> {
    FILES.iter().filter(|file| file.is_of_actions())
}

#[test]
fn handlers_sockets_and_workers_have_no_transaction() {
    assert!(entrances().count() > 50, "the search itself is broken");
    assert!(actions().any(|file| !file.transactions().is_empty()), "the search itself is broken");
    let all = astray(entrances().flat_map(SourceFile::transactions).collect());
    assert!(
        all.is_empty(),
        "what is done in a transaction is a use case, in actions.rs:\n{}",
        all.join("\n")
    );
}

#[test]
fn handlers_sockets_and_workers_write_nothing() {
    let writers = Writers::of(&FILES);
    assert!(actions().any(|file| !file.writes(&writers).is_empty()), "the search itself is broken");
    let all = astray(entrances().flat_map(|file| file.writes(&writers)).collect());
    assert!(all.is_empty(), "what writes is a use case, in actions.rs:\n{}", all.join("\n"));
}

#[test]
fn use_cases_know_nothing_of_requests() {
    assert!(actions().count() > 20, "the search itself is broken");
    assert!(entrances().any(|file| !file.requests().is_empty()), "the search itself is broken");
    let all = astray(actions().flat_map(SourceFile::requests).collect());
    assert!(all.is_empty(), "use cases take ids and plain values:\n{}", all.join("\n"));
}

#[test]
fn every_exception_is_used() {
    let writers = Writers::of(&FILES);
    let entered = entrances().flat_map(|file| [file.transactions(), file.writes(&writers)].concat());
    let found: HashSet<usize> = entered
        .chain(actions().flat_map(SourceFile::requests))
        .filter_map(|place| exception(&place))
        .collect();
    let idle: Vec<_> = EXCEPTIONS.iter().enumerate().filter(|(at, _)| !found.contains(at)).collect();
    assert!(idle.is_empty(), "nothing needs these any more: {idle:?}");
}

#[test]
fn every_spelling_of_a_breach_is_noticed() {
    let source = "use sqlx::PgConnection;
        use super::{queries::{self as sql, insert}, super::users};
        use crate::{accounts::auth::{self, Role}, http::Body as Sent};
        async fn f(tx: &mut PgConnection) { db.begin().await; select! { a = tx.commit() => insert(tx) } }
        fn g(c: auth::Caller, r: Sent<A>) { sql::update(); users::gone(); queries::nothing(); match r { Role::Customer => {} } }
        fn h(b: bench) { b.begin(1); let begin = commit(); }
        mod tests { fn i() { db.begin(); } }";
    let file = SourceFile::read("accounts/invites/handlers.rs", source);
    let place = |line: usize, what: &str| format!("accounts/invites/handlers.rs:{line}: {what}");
    assert!(file.is_entrance() && !file.is_of_actions() && !file.has_routes);
    let transactions: Vec<String> = file.transactions();
    assert_eq!(
        transactions,
        [
            place(4, ".begin()"),
            place(4, ".commit()"),
            place(1, "sqlx::PgConnection"),
            place(4, "sqlx::PgConnection")
        ]
    );
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let writers = Writers {
        functions: [
            "accounts::invites::queries::insert",
            "accounts::invites::queries::update",
            "accounts::users::queries::forget",
        ]
        .map(path)
        .into(),
        exported: [(path("accounts::users::gone"), path("accounts::users::queries::forget"))].into(),
    };
    let own = |name: &str| format!("accounts::invites::queries::{name}");
    assert_eq!(
        file.writes(&writers),
        [
            place(2, &own("insert")),
            place(4, &own("insert")),
            place(5, &own("update")),
            place(5, "accounts::users::gone")
        ]
    );
    assert_eq!(
        file.requests(),
        [place(3, "http::Body"), place(5, "accounts::auth::Caller"), place(5, "http::Body")]
    );
    let queries = "pub fn a() {\n sqlx::query(\"\");\n}\nfn b() {\n a();\n}\nfn c() {\n b(1)\n}\nfn d() {\n x.a(); aa()\n}";
    let mut writing: Vec<String> = writing_functions(queries, &[2]).into_iter().collect();
    writing.sort();
    assert_eq!(writing, ["a", "b", "c"]);
    assert!(
        SourceFile::read("x/y.rs", "#[utoipa::path(tag = \"a\")] #[get(\"/a\")] fn a() {}").is_entrance()
    );
    assert!(!SourceFile::read("x/actions/admin.rs", "").is_entrance());
}
