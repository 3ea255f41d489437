//! The SQL of the database's own housekeeping.

use chrono::{DateTime, NaiveDateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::RunQuery;

/// How many take-overs are remembered.
const KEPT_TAKE_OVERS: i64 = 100;

/// Returns whether the server has a database of that name.
pub(super) async fn database_exists(connection: &mut PgConnection, name: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select 1 from pg_catalog.pg_database where datname = $1)")
        .bind(name)
        .fetch_one(connection)
        .await
}

/// Returns the server's version, the database's size in bytes, and its time.
pub(super) async fn report(db: impl PgExecutor<'_>) -> Result<(String, i64, DateTime<Utc>)> {
    sqlx::query_as(
        "select current_setting('server_version'), pg_catalog.pg_database_size(current_database()), clock_timestamp()",
    )
    .fetch_one(db)
    .await
}

/// Lets the rest of the transaction read for as long as it takes, and tables from end to end.
pub async fn allow_long_reads(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'on', true)")
        .run(tx)
        .await
}

/// Returns the time of the database's clock.
pub(super) async fn clock(db: impl PgExecutor<'_>) -> Result<DateTime<Utc>> {
    sqlx::query_scalar("select clock_timestamp()").fetch_one(db).await
}

/// Makes the service's database in a fresh embedded cluster.
pub(super) async fn create_database(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("create database roadcall").run(connection).await
}

/// Gives the service's database in a fresh embedded cluster to an owner who is no superuser. The superuser, as whom this runs,
/// gets another name; since nobody can rename themselves, this runs as a temporary role for that moment.
pub(super) async fn make_the_owner_ordinary(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "do $$ begin
            create role roadcall_maker superuser nologin;
            set session authorization roadcall_maker;
            alter role roadcall rename to roadcall_admin;
            create role roadcall login nosuperuser nocreatedb nocreaterole noreplication;
            reset session authorization;
            drop role roadcall_maker;
            alter database roadcall owner to roadcall;
        end $$",
    )
    .run(connection)
    .await
}

/// Gives the schema of the tables to the owner, as Postgres does by itself since version 15.
pub(super) async fn give_the_schema(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "do $$ begin
            if current_setting('server_version_num')::integer < 150000 then
                alter schema public owner to roadcall;
            end if;
        end $$",
    )
    .run(connection)
    .await
}

/// Returns whether this session's role is a superuser.
pub(super) async fn is_superuser(connection: &mut PgConnection) -> Result<bool> {
    sqlx::query_scalar("select rolsuper from pg_catalog.pg_roles where rolname = current_user")
        .fetch_one(connection)
        .await
}

/// Returns whether this session may run programs on the server's machine, or write any file there, which amounts to the same,
/// directly or as a role that it can become. Before Postgres 16, a role that makes roles can become such a role.
pub(super) async fn may_run_programs(connection: &mut PgConnection) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select 1 from pg_catalog.pg_roles role
            where pg_catalog.pg_has_role(current_user, role.oid, 'member')
                and (role.rolsuper
                    or role.rolname in ('pg_execute_server_program', 'pg_write_server_files')
                    or (role.rolcreaterole and current_setting('server_version_num')::integer < 160000)))",
    )
    .fetch_one(connection)
    .await
}

/// Makes the service's role in an embedded cluster that does not have it yet, and makes Postgres reload its connection rules.
pub(super) async fn ensure_service_role(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "do $$ begin
            create role roadcall_service login nosuperuser nocreatedb nocreaterole noreplication;
        exception when duplicate_object or unique_violation then
            null;
        end $$",
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query("select pg_reload_conf()").run(connection).await
}

/// Gives the service's role the rights that its work needs, on the tables that exist now.
pub(super) async fn grant_to_service(connection: &mut PgConnection, role: &str) -> Result<()> {
    sqlx::query("select grant_to_service($1::text::name)").bind(role).run(connection).await
}

/// Returns the process that serves this session.
pub(super) async fn backend(connection: &mut PgConnection) -> Result<i32> {
    sqlx::query_scalar("select pg_backend_pid()").fetch_one(connection).await
}

/// Shows that `server` lives, for as long as this session lasts: `idempotency::queries::claim` looks for this lock.
/// The lock is shared, so that the server's next session gets it at once, even if this one still lingers, and so does
/// another server whose id has the same hash. The first number spells "live".
pub(super) async fn show_life(connection: &mut PgConnection, server: Uuid) -> Result<()> {
    sqlx::query("select pg_advisory_lock_shared(1818850917, hashtext($1::uuid::text))")
        .bind(server)
        .run(connection)
        .await
}

/// Takes the leader's lock for this session, if it is free. The two numbers spell "roadcall".
pub(super) async fn try_lock(connection: &mut PgConnection) -> Result<bool> {
    sqlx::query_scalar("select pg_try_advisory_lock(1919902052, 1667329132)").fetch_one(connection).await
}

/// Returns the local times of a zone at these moments, in their order.
pub(super) async fn local_times(
    db: impl PgExecutor<'_>,
    zone: &str,
    moments: &[DateTime<Utc>],
) -> Result<Vec<NaiveDateTime>> {
    sqlx::query_scalar(
        "select moment at time zone $1::text
        from unnest($2::timestamptz[]) with ordinality as asked (moment, place)
        order by place",
    )
    .bind(zone)
    .bind(moments)
    .fetch_all(db)
    .await
}

/// Returns whether that process still serves this session, and has the lock.
pub(super) async fn holds_lock(connection: &mut PgConnection, backend: i32) -> Result<bool> {
    sqlx::query_scalar(
        "select pg_backend_pid() = $1 and exists (
            select 1 from pg_catalog.pg_locks
            where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and objsubid = 2
                and database = (select oid from pg_catalog.pg_database where datname = current_database())
                and pid = $1 and granted)",
    )
    .bind(backend)
    .fetch_one(connection)
    .await
}

/// Returns whether any server has the leader's lock.
pub(super) async fn is_led(db: impl PgExecutor<'_>) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select 1 from pg_catalog.pg_locks
            where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and objsubid = 2
                and database = (select oid from pg_catalog.pg_database where datname = current_database())
                and granted)",
    )
    .fetch_one(db)
    .await
}

/// Returns the present or last leader.
pub(super) async fn leader(connection: &mut PgConnection) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select server from leadership").fetch_optional(connection).await
}

/// The earlier leaders at a take-over, and the number of the new leader's term.
#[derive(Debug, FromRow)]
pub(super) struct TakenOver {
    pub to_end: Vec<Uuid>,
    pub term: i64,
}

/// Makes `server` the leader, which is a name of `member`, and returns the earlier leaders that may still have sessions. The
/// caller must hold the lock.
pub(super) async fn take_over(
    connection: &mut PgConnection,
    server: Uuid,
    member: Uuid,
    release: &str,
) -> Result<TakenOver> {
    sqlx::query_as(
        "with led as (
            insert into leadership (server, term) values ($1, 1)
                on conflict (only_row) do update set server = excluded.server, term = leadership.term + 1,
                    -- What was said of the one before says nothing of this one.
                    unheard_at = null,
                    to_end = array_remove(array_append(leadership.to_end, leadership.server), excluded.server)
            returning to_end, term),
        noted as (
            insert into take_overs (term, server, release, led_at) select term, $4::uuid, $2, now() from led),
        forgotten as (
            delete from take_overs using led where take_overs.term <= led.term - $3)
        select to_end, term from led",
    )
    .bind(server)
    .bind(release)
    .bind(KEPT_TAKE_OVERS)
    .bind(member)
    .fetch_one(connection)
    .await
}

/// Releases the lock. The session, and the lock that shows life, remain.
pub(super) async fn unlock(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("select pg_advisory_unlock(1919902052, 1667329132)").run(connection).await
}

/// Notes that the leader of this term is not heard; does nothing once another server leads.
pub(super) async fn say_unheard(db: impl PgExecutor<'_>, term: i64) -> Result<()> {
    sqlx::query("update leadership set unheard_at = clock_timestamp() where term = $1")
        .bind(term)
        .run(db)
        .await
}

/// Returns whether a server noted that within the last second; it does so several times a second.
pub(super) async fn is_unheard(db: impl PgExecutor<'_>) -> Result<bool> {
    sqlx::query_scalar(
        "select coalesce(unheard_at > clock_timestamp() - interval '1 second', false) from leadership",
    )
    .fetch_one(db)
    .await
}

/// Notes that the leader of this term has loaded everything.
pub(super) async fn note_ready(db: impl PgExecutor<'_>, term: i64) -> Result<()> {
    sqlx::query("update take_overs set ready_at = now() where term = $1 and ready_at is null")
        .bind(term)
        .run(db)
        .await
}

/// Makes this transaction wait only briefly for locks, keep little of its sorting in memory, and put the rest where the database
/// is.
pub(super) async fn sort_on_disk(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "select set_config('lock_timeout', '500ms', true), set_config('work_mem', '64kB', true),
            set_config('temp_tablespaces', '', true)",
    )
    .run(connection)
    .await
}

/// Sorts some hundred kilobytes more than that, which takes space in files for the time of the sort.
pub(super) async fn take_room(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "select count(*) from (
            select number from generate_series(1, 8000) as numbers (number) order by number desc
        ) as sorted",
    )
    .run(connection)
    .await
}

/// Rewrites a row unchanged: that of the newest take-over, which exists on every server and which nobody waits for.
pub(super) async fn write_again(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("update take_overs set ready_at = ready_at where term = (select max(term) from take_overs)")
        .run(connection)
        .await
}

/// Returns the name of this database. A copy of it has another name, unless its files were copied.
pub(super) async fn name(db: impl PgExecutor<'_>) -> Result<String> {
    sqlx::query_scalar(
        "select format('%s-%s', (select system_identifier from pg_catalog.pg_control_system()), oid)
        from pg_catalog.pg_database where datname = current_database()",
    )
    .fetch_one(db)
    .await
}

/// Notes that no session of earlier leaders is left. The caller must hold the lock.
pub(super) async fn all_ended(connection: &mut PgConnection, server: Uuid) -> Result<()> {
    sqlx::query("update leadership set to_end = '{}' where server = $1").bind(server).run(connection).await
}

/// Ends this role's sessions of that name; returns whether none were left.
pub(super) async fn end_sessions(connection: &mut PgConnection, name: &str) -> Result<bool> {
    sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) = 0 from pg_catalog.pg_stat_activity
        where datname = current_database() and usename = current_user and application_name = $1",
    )
    .bind(name)
    .fetch_one(connection)
    .await
}

/// Returns whether any program has migrated this database.
pub(super) async fn has_migrations(connection: &mut PgConnection) -> Result<bool> {
    sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null").fetch_one(connection).await
}

/// Returns the number and description of each applied migration.
pub(super) async fn applied_migrations(db: impl PgExecutor<'_>) -> Result<Vec<(i64, String)>> {
    sqlx::query_as("select version, description from _sqlx_migrations where success order by version")
        .fetch_all(db)
        .await
}

/// Lets other sessions read what this transaction reads, and returns the snapshot's id and the schema.
pub(super) async fn export_snapshot(connection: &mut PgConnection) -> Result<(String, Option<String>)> {
    sqlx::query_as("select pg_export_snapshot(), current_schema()::text").fetch_one(connection).await
}

/// Returns the statement that counts the rows of each table of the schema, or `None` if there are no tables.
pub(super) async fn counting_statement(connection: &mut PgConnection) -> Result<Option<String>> {
    sqlx::query_scalar(
        "select string_agg(format('select %L::text, count(*) from %I.%I', c.relname, n.nspname, c.relname),
            ' union all ' order by c.relname)
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
            and not exists (select from pg_catalog.pg_depend d
                where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')",
    )
    .fetch_one(connection)
    .await
}

/// Returns the names of at most `limit` tables, views and sequences of the schema, without those of extensions.
pub(super) async fn relations(connection: &mut PgConnection, limit: i64) -> Result<Vec<String>> {
    sqlx::query_scalar(
        "select c.relname::text
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
            and not exists (select from pg_catalog.pg_depend d
                where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
        order by c.relname limit $1",
    )
    .bind(limit)
    .fetch_all(connection)
    .await
}

/// Revokes from everybody else the privileges that the migrations revoked, since a dump, whose roles may have other names
/// here, is restored without privileges. `grant_to_service` grants the service its own.
pub(super) async fn close_functions(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "revoke execute on function grant_to_service(name), audit_log_sweep(timestamptz, bigint) from public",
    )
    .run(connection)
    .await
}

#[cfg(test)]
mod tests {
    use crate::db::cluster::{ADMIN, OWNER, SERVICE};

    #[test]
    fn the_roles_that_connect_are_the_ones_that_are_made() {
        let made = [
            format!("create role {SERVICE} login "),
            format!("create role {OWNER} login "),
            format!("rename to {ADMIN};"),
        ];
        for made in made {
            assert!(include_str!("queries.rs").contains(&made), "{made}");
        }
    }
}
