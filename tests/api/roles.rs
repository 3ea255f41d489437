//! The service's rights in its database, and who else may connect to the embedded one.

use std::fs;

use futures_util::future::join_all;
use roadcall::platform::db::Database;
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

use crate::{
    embedded::{DataDir, pid_of},
    support::spawn_app,
};

/// Statements that only the owner may run.
const OWNERS_ALONE: [&str; 10] = [
    "update audit_log set after = null",
    "delete from audit_log",
    "update ledger_transactions set note = null",
    "delete from ledger_postings",
    "truncate ledger_postings",
    "delete from _sqlx_migrations",
    "alter table audit_log disable trigger all",
    "create table odd (a int)",
    "create temporary table odd (a int)",
    "create role odd",
];

/// Connects as the embedded cluster's superuser.
async fn as_admin(database: &Database) -> PgConnection {
    let admin = database.roles().owner.clone().username("roadcall_admin");
    PgConnection::connect_with(&admin).await.unwrap()
}

async fn refused(database: &Database, statement: &'static str) {
    let error = sqlx::query(statement).execute(database.db()).await.expect_err(statement).to_string();
    let denied = ["permission denied", "must be owner"].iter().any(|why| error.contains(why));
    assert!(denied, "{statement}: {error}");
}

#[tokio::test]
async fn the_embedded_databases_service_owns_nothing_and_only_appends_to_the_audit_log_and_the_ledger() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    let (role, is_superuser): (String, bool) =
        sqlx::query_as("select rolname::text, rolsuper from pg_roles where rolname = current_user")
            .fetch_one(database.db())
            .await
            .unwrap();
    assert_eq!((role.as_str(), is_superuser), ("roadcall_service", false));
    let owned = "select count(*) from pg_class where relowner = current_user::regrole";
    let owned: i64 = sqlx::query_scalar(owned).fetch_one(database.db()).await.unwrap();
    assert_eq!(owned, 0);
    for statement in OWNERS_ALONE {
        refused(&database, statement).await;
    }
    let add = "insert into audit_log (id, action, subject_kind, at) values (gen_random_uuid(), 'a.b', 'user', now())";
    sqlx::query(add).execute(database.db()).await.unwrap();
    database.close().await.unwrap();
}

/// Statements that the owner may not run, although everything in the database is theirs.
const SUPERUSERS_ALONE: [&str; 5] = [
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/hostname')",
    "create role odd",
    "alter system set archive_command = 'true'",
    "set session authorization roadcall_admin",
];

#[tokio::test]
async fn the_embedded_databases_owner_migrates_it_and_runs_no_programs() {
    let folder = DataDir::new();
    // The second time, it already exists.
    for _ in 0..2 {
        let database = folder.open().await.unwrap();
        database.migrate().await.unwrap();
        let mut owner = PgConnection::connect_with(&database.roles().owner).await.unwrap();
        let (role, is_superuser): (String, bool) =
            sqlx::query_as("select rolname::text, rolsuper from pg_roles where rolname = current_user")
                .fetch_one(&mut owner)
                .await
                .unwrap();
        assert_eq!((role.as_str(), is_superuser), ("roadcall", false));
        for statement in SUPERUSERS_ALONE {
            sqlx::raw_sql(statement).execute(&mut owner).await.expect_err(statement);
        }
        owner.close().await.unwrap();
        database.close().await.unwrap();
    }
}

/// Inserts entries that are old enough to delete, and others that are not.
const ENTRIES: &str = "insert into audit_log (id, action, subject_kind, at)
    select gen_random_uuid(), 'a.b', 'user', now() - interval '1 day' * days from unnest(array[1, 400, 401]) days";

/// Puts a table of the caller's own in place of the audit log, with a trigger that runs whenever its rows are deleted.
const SHADOW: &str = "create temporary table audit_log (id uuid, at timestamptz);
    insert into audit_log values (gen_random_uuid(), now() - interval '2 years');
    create function pg_temp.climb() returns trigger language plpgsql as
        $$ begin create table climbed (a int); return old; end $$;
    create trigger climb before delete on audit_log for each row execute function pg_temp.climb();";

#[tokio::test]
async fn the_sweep_of_the_audit_log_deletes_only_old_entries_and_runs_no_triggers_of_its_caller() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    let mut owner = PgConnection::connect_with(&database.roles().owner).await.unwrap();
    sqlx::raw_sql(ENTRIES).execute(&mut owner).await.unwrap();

    let mut service = PgConnection::connect_with(&database.roles().service).await.unwrap();
    let error =
        sqlx::raw_sql(SHADOW).execute(&mut service).await.expect_err("no tables of its own").to_string();
    assert!(error.contains("permission denied"), "{error}");
    // If something else needs temporary tables, the sweep still uses the right table.
    sqlx::raw_sql("grant temporary on database roadcall to roadcall_service")
        .execute(&mut owner)
        .await
        .unwrap();
    sqlx::raw_sql(SHADOW).execute(&mut service).await.unwrap();
    let sweep = "select audit_log_sweep(now() - interval '366 days', 10)";
    let swept: i64 = sqlx::query_scalar(sweep).fetch_one(&mut service).await.unwrap();
    let left = "select count(*), to_regclass('climbed') is not null from public.audit_log";
    let left: (i64, bool) = sqlx::query_as(left).fetch_one(&mut owner).await.unwrap();
    assert_eq!((swept, left), (2, (1, false)));

    sqlx::raw_sql("create role stranger").execute(&mut as_admin(&database).await).await.unwrap();
    let may = "select has_function_privilege('stranger', 'audit_log_sweep(timestamptz, bigint)', 'execute')";
    assert!(!sqlx::query_scalar::<_, bool>(may).fetch_one(&mut owner).await.unwrap());
    database.close().await.unwrap();
}

#[tokio::test]
async fn simultaneously_started_servers_all_start() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    for migrated in join_all((0..8).map(|_| database.migrate())).await {
        migrated.unwrap();
    }
    database.close().await.unwrap();
}

#[actix_web::test]
async fn the_service_of_the_tests_has_such_a_role_too() {
    let app = spawn_app().await;
    let role: String =
        sqlx::query_scalar("select current_user::text").fetch_one(&app.service.db).await.unwrap();
    let owner: String =
        sqlx::query_scalar("select current_user::text").fetch_one(&app.database.db).await.unwrap();
    if app.database.roles().owner.get_username() != app.database.roles().service.get_username() {
        assert_ne!(role, owner);
        let forge = "update ledger_accounts set balance_paise = 0; delete from ledger_accounts";
        sqlx::raw_sql(forge).execute(&mut *app.service.db.acquire().await.unwrap()).await.expect_err("no");
    }
}

#[tokio::test]
async fn postgres_knows_nothing_of_the_servers_environment() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    let environment = fs::read(format!("/proc/{}/environ", pid_of(&database))).unwrap();
    let text = String::from_utf8_lossy(&environment).into_owned();
    let names: Vec<&str> = text.split('\0').filter_map(|pair| pair.split('=').next()).collect();
    let is_harmless = |name: &&str| {
        ["", "PATH", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR"].contains(name) || name.starts_with("PG")
    };
    assert!(std::env::vars().any(|(name, _)| !is_harmless(&name.as_str())), "this process has others");
    assert!(names.iter().all(is_harmless), "{names:?}");
    database.close().await.unwrap();
}

/// Connects as any other role of the cluster.
async fn as_stranger(database: &Database) -> sqlx::Result<PgConnection> {
    let stranger: PgConnectOptions = database.roles().owner.clone().username("stranger");
    PgConnection::connect_with(&stranger).await
}

#[tokio::test]
async fn an_older_folder_is_closed_to_other_roles_at_its_next_start() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    let mut admin = as_admin(&database).await;
    for statement in
        ["create role stranger login", "drop owned by roadcall_service", "drop role roadcall_service"]
    {
        sqlx::raw_sql(statement).execute(&mut admin).await.unwrap();
    }
    admin.close().await.unwrap();
    database.close().await.unwrap();
    let rules = folder.0.join("postgres/pgdata/pg_hba.conf");
    if rules.exists() {
        fs::write(&rules, "local all all trust\n").unwrap();
    }

    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    let refused = as_stranger(&database).await.expect_err("no rule lets them in").to_string();
    assert!(refused.contains("pg_hba.conf"), "{refused}");
    let rows: i64 = sqlx::query_scalar("select count(*) from users").fetch_one(database.db()).await.unwrap();
    assert_eq!(rows, 0, "the service's role is there again, and may read");
    database.close().await.unwrap();
}
