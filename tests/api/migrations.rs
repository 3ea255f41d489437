//! Tests what a migration may do while the previous release is still running (migrations/README.md), and migrations that move rows.

use chrono::{DateTime, Utc};
use roadcall::{
    jobs::{JobRow, log::entries_since},
    platform::db::{
        Contract, MIGRATOR, contract_of,
        testing::{TestDatabase, fresh_database},
    },
};
use serde_json::Value;
use sqlx::{Connection, PgConnection, migrate::Migration, query_as, query_scalar, raw_sql, types::Json};
use uuid::Uuid;

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

/// A job in each status, as earlier releases wrote it: the log has its creation, offers, which are not public, its acceptance, and a
/// message, which has no snapshot.
const EARLIER_JOBS: &str = "
    insert into users (id, phone, name, created_at, updated_at)
    select md5('customer' || n)::uuid, '+9198000000' || (10 + n), 'Asha', now(), now() from generate_series(1, 12) n
    union all
    select md5('user' || n)::uuid, '+9198000001' || (10 + n), 'Ravi', now(), now() from generate_series(1, 12) n;
    insert into vehicles (id, user_id, vehicle_type, make, model, registration_number, created_at, updated_at)
    select md5('vehicle' || n)::uuid, md5('customer' || n)::uuid, 'four_wheeler', 'Tata', 'Nexon', 'KA01AB' || (1000 + n), now(),
        now()
    from generate_series(1, 12) n;
    insert into mechanic_profiles (id, user_id, status, service_radius_km, vehicle_types, service_category_ids, created_at,
        updated_at)
    select md5('mechanic' || n)::uuid, md5('user' || n)::uuid, 'verified', 10, '{four_wheeler}', array[gen_random_uuid()], now(),
        now()
    from generate_series(1, 12) n;

    insert into jobs (id, customer_id, vehicle_id, vehicle_type, service_category_id, status, version, seq, pickup_address,
        pickup_lat, pickup_lng, description, photo_urls, beneficiary_name, beneficiary_phone, contact_preference, urgency,
        scheduled_for, begin_at, base_price_paise, travel_price_paise, estimated_price_paise, final_price_paise,
        cancellation_fee_paise, attempt, round, offered_in_round, attempt_ends_at, dispatch_version, excluded_mechanics,
        expired_once_mechanics, no_mechanic_until, mechanic_profile_id, accepted_offer_id, accepted_at, promised_at, concern,
        concern_since, en_route_at, arrived_at, started_at, completed_at, cancelled_at, cancel_reason_code, cancel_reason,
        start_code, wrong_start_codes, start_locked_until, outcome, outcome_notes, hms_room_id, disputed_at, resolved_at,
        created_at, updated_at, service_category_name, service_category_slug, vehicle_make, vehicle_model, vehicle_color,
        vehicle_registration_number, customer_name, mechanic_name, customer_phone, corrections, original_pickup_lat,
        original_pickup_lng, coarsened_at, log_names_mechanics, navigating_since, left_mechanic_id, left_reason, left_at,
        taken_back_at, arrival_is_unproven, arrival_concern, destination_address, destination_lat, destination_lng,
        destination_workshop_id, destination_workshop_name, destination_distance_m, destination_duration_s,
        destination_price_paise, receiver_name, receiver_phone, loaded_at, received_by, destination_driven_m)
    select md5('job' || n)::uuid, md5('customer' || n)::uuid, md5('vehicle' || n)::uuid, 'four_wheeler',
        (select id from service_categories order by id limit 1), status, 4, 3, 'MG Road ' || n, 12 + n, 77.25, 'Smoke', '{/a,/b}',
        'Meera', '+919812345678', 'both', 'highway', at + interval '1 second', at + interval '2 seconds', 101, 102, 103, 104,
        105, 106, 107, 108, at + interval '3 seconds', 109, array[md5('x')::uuid], array[md5('y')::uuid, md5('z')::uuid],
        at + interval '4 seconds', md5('mechanic' || n)::uuid, md5('offer' || n)::uuid, at + interval '5 seconds',
        at + interval '6 seconds', case when status in ('accepted', 'en_route') then 'dark' end,
        case when status in ('accepted', 'en_route') then at end, at + interval '7 seconds', at + interval '8 seconds',
        at + interval '9 seconds', at + interval '10 seconds', at + interval '11 seconds', 'other', 'Found the key', '1234', 110,
        at + interval '12 seconds', 'towed', 'The radiator leaks', 'room', at + interval '13 seconds',
        at + interval '14 seconds', at, at + interval '1 minute', 'Towing', 'towing', 'Tata', 'Nexon', 'red', 'KA01AB1234', 'Asha',
        'Ravi', '+919800000011', 111, 12.5, 77.5, at + interval '15 seconds', '{}', at + interval '16 seconds',
        md5('left')::uuid, 'silent', at + interval '17 seconds', at + interval '18 seconds', true, 'slipping', 'Residency Road',
        13.5, 78.25, md5('workshop')::uuid, 'Main workshop', 112, 113, 114, 'Kiran', '+919800000007',
        at + interval '19 seconds', 'Latha', 115
    from unnest(array['pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress', 'completed', 'paid',
            'cancelled', 'no_mechanic_found', 'disputed', 'resolved']) with ordinality as job (status, n),
        lateral (select timestamptz '2026-01-01' + make_interval(hours => n::integer) as at) made;

    insert into job_events (job_id, version, seq, kind, command_id, actor_kind, data, snapshot, at)
    select job.id, event.version, event.seq, event.kind, gen_random_uuid(), 'system', '{}',
        to_jsonb(job) || event.values || jsonb_build_object('version', event.version, 'seq', event.seq),
        job.created_at + make_interval(secs => event.version)
    from jobs job, (values
        (1, 1, 'created', jsonb '{\"status\": \"pending\", \"concern\": null, \"mechanic_profile_id\": null}'),
        (2, null, 'offers_made', null),
        (3, 2, 'accepted', jsonb '{\"status\": \"accepted\", \"start_code\": \"4321\"}'),
        (4, 3, 'message', null)) event (version, seq, kind, values)";

async fn rows(db: &mut PgConnection) -> Vec<Value> {
    let rows = query_scalar("select to_jsonb(job) from jobs job order by id").persistent(false);
    rows.fetch_all(db).await.expect("jobs")
}

async fn logged(db: &mut PgConnection, job: Uuid) -> Vec<JobRow> {
    let entries = entries_since(db, job, 0, 100).await.expect("a log");
    entries.into_iter().map(|entry| entry.snapshot).collect()
}

/// Returns the rows that an earlier release shows for the log of a job.
async fn shown_earlier(db: &mut PgConnection, job: Uuid) -> Vec<JobRow> {
    let logged = query_as(
        "select snapshot, seq, at from job_events where job_id = $1 and seq is not null order by seq",
    );
    let logged: Vec<(Option<Json<JobRow>>, i64, DateTime<Utc>)> =
        logged.bind(job).persistent(false).fetch_all(db).await.expect("a log");
    let mut shown: Vec<JobRow> = Vec::new();
    for (snapshot, seq, updated_at) in logged {
        let row = snapshot.map(|snapshot| snapshot.0).or_else(|| shown.last().cloned());
        shown.push(JobRow { seq, updated_at, ..row.expect("the first entry has a snapshot") });
    }
    shown
}

/// Makes a schema as it was before a migration; returns a connection to it, and this migration with those after it.
async fn before(database: &TestDatabase, version: i64) -> (PgConnection, Vec<&'static Migration>) {
    let options = database.connect_options().clone().options([("search_path", "earlier")]);
    let mut db = PgConnection::connect_with(&options).await.expect("a connection");
    raw_sql("create schema earlier").execute(&mut db).await.expect("a schema");
    let (earlier, later): (Vec<_>, Vec<_>) =
        MIGRATOR.iter().partition(|migration| migration.version < version);
    migrate(&mut db, earlier).await;
    (db, later)
}

async fn migrate(db: &mut PgConnection, migrations: Vec<&'static Migration>) {
    for migration in migrations {
        raw_sql(migration.sql.clone()).execute(&mut *db).await.expect("a migration");
    }
}

#[tokio::test]
async fn jobs_and_their_logs_are_the_same_after_the_row_was_split() {
    let database = fresh_database().await;
    let (mut db, later) = before(&database, 111).await;
    raw_sql(EARLIER_JOBS).execute(&mut db).await.expect("jobs");
    let before = rows(&mut db).await;
    let ids: Vec<Uuid> = query_scalar("select id from jobs").fetch_all(&mut db).await.expect("ids");
    let mut logs = Vec::new();
    for id in &ids {
        logs.push(shown_earlier(&mut db, *id).await);
    }
    assert_eq!((before.len(), logs[0].len()), (12, 3));

    migrate(&mut db, later).await;
    let mut after = rows(&mut db).await;
    for (row, earlier) in after.iter_mut().zip(&before) {
        // Columns of later releases are empty in these jobs.
        let columns = row.as_object_mut().expect("a row");
        columns.retain(|column, value| earlier.get(column).is_some() || !value.is_null());
    }
    assert_eq!(after, before);
    for (id, shown) in ids.iter().zip(&logs) {
        let without_version = |row: JobRow| JobRow { version: 0, ..row };
        let same: Vec<JobRow> = logged(&mut db, *id).await.into_iter().map(without_version).collect();
        assert_eq!(same, shown.iter().cloned().map(without_version).collect::<Vec<_>>());
    }

    // An entry of this release leads from the present row back to the earlier ones.
    let changed = "with job as (
            update job_states set version = 5, seq = 4, start_code = null, room_in_log = hms_room_id, updated_at = now()
            returning id)
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, replaced, at)
        select id, 5, 4, 'call', gen_random_uuid(), 'system', '{\"start_code\": \"1234\"}', now() from job";
    raw_sql(changed).execute(&mut db).await.expect("a change");
    for (id, shown) in ids.iter().zip(&logs) {
        let logged = logged(&mut db, *id).await;
        assert_eq!(
            logged.iter().map(|row| &row.start_code).collect::<Vec<_>>()[..3],
            shown.iter().map(|row| &row.start_code).collect::<Vec<_>>()
        );
        let present = query_as("select * from jobs where id = $1").bind(id).fetch_one(&mut db);
        let present: JobRow = present.await.expect("a job");
        assert_eq!(logged.last(), Some(&present));
        assert!(present.stage(Vec::new()).is_ok(), "{present:?}");
    }
}

/// A settlement of four jobs: with a hidden price, with a shown one, paid in cash, and a customer's own. Of the first, something was
/// refunded before the settlement, and after it.
const EARLIER_SETTLEMENT: &str = "set session_replication_role = replica;
    insert into job_facts (id, customer_id, vehicle_id, vehicle_type, service_category_id, pickup_address, pickup_lat,
        pickup_lng, contact_preference, urgency, begin_at, base_price_paise, travel_price_paise, estimated_price_paise,
        created_at, partner_order)
    select md5('job' || n)::uuid, md5('a')::uuid, md5('b' || n)::uuid, 'four_wheeler', md5('c')::uuid, 'Lane', 12.9, 77.5,
        'booker', 'normal', now(), 1, 2, 3, now(), case when n < 4 then jsonb_build_object('shows_prices', n = 2) end
    from generate_series(1, 4) n;
    insert into partner_jobs (job_id, case_id, account_id, created_at)
    select md5('job' || n)::uuid, md5('case')::uuid, md5('a')::uuid, now() from generate_series(1, 3) n;
    insert into settlements (id, mechanic_profile_id, period_start, period_end, gross_paise, commission_paise, tax_paise,
        refunds_paise, cash_collected_paise, net_paise, status, created_at)
    values (md5('settlement')::uuid, md5('d')::uuid, '2026-01-05', '2026-01-12', 4000, 600, 120, 100, 1000, 2198, 'open',
        '2026-01-13');
    insert into earnings (id, payment_id, job_id, mechanic_profile_id, kind, channel, gross_paise, commission_paise, tax_paise,
        share_paise, settlement_id, created_at)
    select md5('earning' || n)::uuid, md5('payment' || n)::uuid, md5('job' || n)::uuid, md5('d')::uuid, 'job',
        case n when 3 then 'cash' else 'online' end, 1000, 150, 30, 820, md5('settlement')::uuid, timestamptz '2026-01-06'
    from generate_series(1, 4) n;
    insert into refunds (id, payment_id, amount_paise, status, source, created_at, updated_at)
    select md5('refund' || n)::uuid, md5('payment1')::uuid, 100, 'processed', 'admin',
        timestamptz '2026-01-01' + make_interval(days => 10 * n), now()
    from generate_series(1, 2) n;
    insert into refund_parts (refund_id, earning_id, gross_paise, commission_paise, tax_paise, held_paise, available_paise,
        owed_paise)
    select md5('refund' || n)::uuid, md5('earning1')::uuid, 100, 15, 3, 82, 0, 0 from generate_series(1, 2) n;
    set session_replication_role = origin";

#[tokio::test]
async fn an_earlier_settlement_hides_the_same_sums_as_before() {
    let database = fresh_database().await;
    let (mut db, later) = before(&database, 137).await;
    raw_sql(EARLIER_SETTLEMENT).execute(&mut db).await.expect("a settlement");
    migrate(&mut db, later).await;
    let sums = "select hidden_commission_paise, hidden_tax_paise, hidden_refunds_paise from settlements";
    let hidden: (i64, i64, i64) = query_as(sums).fetch_one(&mut db).await.expect("sums");
    assert_eq!(hidden, (150, 30, 18));
}

#[tokio::test]
async fn the_rules_of_a_jobs_row_hold_for_its_parts() {
    let database = fresh_database().await;
    let mut db = PgConnection::connect_with(database.connect_options()).await.expect("a connection");
    let jobs = "set session_replication_role = replica;
        insert into job_facts (id, customer_id, vehicle_id, vehicle_type, service_category_id, pickup_address, pickup_lat,
            pickup_lng, contact_preference, urgency, begin_at, base_price_paise, travel_price_paise, estimated_price_paise,
            created_at)
        select md5('job' || n)::uuid, md5('a')::uuid, md5('b' || n)::uuid, 'four_wheeler', md5('c')::uuid, 'Lane', 12.9, 77.5,
            'booker', 'normal', now(), 1, 2, 3, now()
        from generate_series(1, 3) n;
        insert into job_states (id, customer_id, vehicle_id, created_at, version, seq, status, is_active, is_open, is_unfinished,
            updated_at, mechanic_profile_id)
        select md5('job' || n)::uuid, md5('a')::uuid, md5('b' || n)::uuid, now(), 1, 1, status, is_active, is_active, is_active,
            now(), md5('d' || n)::uuid
        from (values (1, 'arrived', true), (2, 'in_progress', true), (3, 'paid', false)) job (n, status, is_active);
        set session_replication_role = origin";
    raw_sql(jobs).execute(&mut db).await.expect("jobs");
    for (change, rule) in [
        (
            "update job_states set mechanic_profile_id = md5('d1')::uuid where is_active",
            "jobs_one_active_per_mechanic",
        ),
        ("update job_states set vehicle_id = md5('b1')::uuid where is_open", "jobs_one_open_per_vehicle"),
        ("update job_states set is_open = false where status = 'arrived'", "jobs_status_known"),
        ("update job_states set is_unfinished = true where status = 'paid'", "jobs_status_known"),
        ("update job_states set status = 'lost' where status = 'paid'", "jobs_status_known"),
        ("update job_states set concern = 'dark', concern_since = now()", "jobs_concern_on_the_way"),
        ("update job_states set concern_since = now()", "jobs_concern_on_the_way"),
        (
            "update job_states set accepted_at = now(), taken_back_at = now()",
            "jobs_taken_back_by_who_lost_it",
        ),
        ("update job_facts set destination_lat = 12.9", "jobs_destination_is_whole"),
        ("update job_facts set destination_price_paise = -1", "jobs_destination_price_sign"),
        ("update job_facts set urgency = 'none'", "jobs_urgency_known"),
        ("update job_facts set contact_preference = 'none'", "jobs_contact_known"),
        ("delete from job_facts", "job_states_id_fkey"),
    ] {
        let error = raw_sql(change).execute(&mut db).await.expect_err(change);
        let violated = error.as_database_error().and_then(|error| error.constraint());
        assert_eq!(violated, Some(rule), "{change}: {error}");
    }
}
