//! Tests what a migration may do while the previous release is still running (migrations/README.md).

use roadcall::platform::db::{Contract, MIGRATOR, contract_of};

/// Returns the statements that take something away from a running program, or make its writes fail.
fn faults(sql: &str) -> Vec<&'static str> {
    let without_comments: Vec<&str> =
        sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let text = without_comments.join(" ").to_lowercase();
    let statements: Vec<String> =
        text.split(';').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let is_new =
        |table: &str| statements.iter().any(|made| made.starts_with(&format!("create table {table} ")));
    let mut faults = Vec::new();
    for statement in &statements {
        let words: Vec<&str> = statement.split(' ').collect();
        if ["drop", "truncate", "delete"].contains(&words[0]) {
            faults.push("removes something");
        }
        // Ids are random, whichever release writes them.
        if let ["create", "unique", "index", _, "on", table, ref columns @ ..] = words[..]
            && !is_new(table)
            && *columns != ["(id)"]
        {
            faults.push("makes values unique that the running release may repeat");
        }
        let ["alter", "table", table, ..] = words[..] else { continue };
        if is_new(table) {
            continue;
        }
        for action in statement.split(',') {
            // This rule is replaced within the statement, by one that allows more.
            let is_replaced = action.split_once("drop constraint ").is_some_and(|(_, name)| {
                statement.contains(&format!("add constraint {} check", name.trim()))
            });
            if action.contains(" drop ") && !action.contains("drop not null") && !is_replaced {
                faults.push("removes something");
            }
            if action.contains("rename ") {
                faults.push("renames something");
            }
            if action.contains("set not null")
                || (action.contains(" type ") && action.contains("alter column"))
            {
                faults.push("narrows a column");
            }
            if action.contains("add column") && action.contains("not null") && !action.contains("default") {
                faults.push("adds a column that the running release does not fill");
            }
            if action.contains("add constraint") && !action.contains("not valid") {
                faults.push("adds a constraint that is checked under a lock: add it as not valid, and validate it later");
            }
        }
    }
    faults
}

#[test]
fn a_migration_expands_or_names_the_migration_that_it_contracts() {
    for migration in MIGRATOR.iter() {
        let (version, description) = (migration.version, &migration.description);
        match contract_of(description) {
            Contract::Expands => {
                let faults = faults(migration.sql.as_str());
                assert!(faults.is_empty(), "{version} {description}: {faults:?}");
            }
            Contract::Of(spared) => {
                let is_earlier = MIGRATOR.iter().any(|other| other.version == spared && spared < version);
                assert!(is_earlier, "{version} {description}: there is no migration {spared} before it");
            }
            Contract::Unreadable => panic!("{version} {description}: say contract_of_NNNN_…"),
        }
    }
}

#[test]
fn statements_that_disturb_a_running_release_are_noticed() {
    let fine = [
        "create table t (a int not null unique); create unique index i on t (a);",
        "create unique index i on jobs (id);",
        "alter table jobs add column note text;",
        "alter table jobs add column count int not null default 0;",
        "alter table jobs add constraint c check (count > 0) not valid;",
        "alter table jobs alter column note drop not null;",
        "alter table jobs drop constraint c, add constraint c check (count > -1) not valid;",
        "create index i on jobs (created_at); -- drop table jobs",
    ];
    for sql in fine {
        assert_eq!(faults(sql), [""; 0], "{sql}");
    }
    let disturbing = [
        "drop table jobs;",
        "alter table jobs drop column note;",
        "alter table jobs add column a text, drop constraint c;",
        "alter table jobs rename column note to remark;",
        "alter table jobs alter column note set not null;",
        "alter table jobs alter column count type bigint;",
        "alter table jobs add column note text not null;",
        "alter table jobs add constraint c check (count > 0);",
        "create unique index i on jobs (pickup_lat);",
        "delete from jobs;",
    ];
    for sql in disturbing {
        assert_eq!(faults(sql).len(), 1, "{sql}");
    }
}
