//! Tests of jobs that are created together.

use std::{cell::Cell, ops::Range};

use roadcall_actors::job::state::OnAccount;

use super::*;

/// An organisation with the account of the first customer. It has all vehicles, and a case for each of them.
const ORGANISATION: &str = "
    insert into organisations (id, account_id, name, kind, created_at, updated_at)
    values (id('7', 0), id('1', 0), 'Insurer', 'insurer', now(), now());
    insert into partner_contracts (id, organisation_id, reference, valid_from, created_at)
    values (id('7', 1), id('7', 0), 'roadside', now(), now());
    insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status, texts,
        created_at, updated_at)
    select id('8', n), id('7', 0), id('7', 1), id('7', 0), 'case ' || n, '', 'open', '{}', now(), now()
    from generate_series(0, 15) n;
    update vehicles set user_id = id('1', 0)";

impl World {
    async fn with_organisation() -> Self {
        let world = Self::new().await;
        raw_sql(ORGANISATION).execute(&world.database.db).await.expect("an organisation");
        world
    }

    /// Returns the change by which the organisation orders a job for this vehicle. It may have so many open jobs.
    fn order(&self, vehicle: usize, most: u32) -> JobChange {
        let mut order = self.creation_for(0, vehicle);
        let spec = &mut order.next.spec;
        spec.on_account = Some(OnAccount { case_id: id('8', vehicle), cover_paise: None });
        order.by = Actor::Partner(spec.customer_id);
        if let Event::Created { details } = &mut order.event {
            details.most_open_jobs = Some(most);
        }
        order
    }
}

#[tokio::test]
async fn jobs_whose_conditions_do_not_hold_are_left_out_and_the_others_are_created() {
    let world = World::new().await;
    for number in [5, 8, 9, 15] {
        world.searching(number).await;
    }
    let faults = "update users set status = 'suspended' where id = id('1', 1);
        update vehicles set deleted_at = now() where id = id('3', 2);
        update vehicles set user_id = id('1', 6) where id in (id('3', 8), id('3', 9), id('3', 10));
        update vehicles set user_id = id('1', 0) where id = id('3', 7)";
    let db = &world.database.db;
    raw_sql(faults)
        .execute(db)
        .await
        .expect("a suspended customer, a deleted vehicle, and others of several");
    raw_sql(MARKS).execute(db).await.expect("marks, of which the last is used");
    let marked = |mark, change| JobChange { idempotency: Some(id('7', mark)), ..change };
    let mut of_no_category = world.creation(4);
    of_no_category.next.spec.category_id = CategoryId(Uuid::from_u128(1));
    let mut again = world.creation(5);
    again.next.id = JobId(id('5', 100));
    let mut holder = db.begin().await.expect("a transaction");
    let held = raw_sql("select from users where id = id('1', 11) for no key update").execute(&mut *holder);
    held.await.expect("a customer who is held");
    let changes = vec![
        marked(0, world.creation(0)),
        world.creation(1),
        world.creation(2),
        marked(3, world.creation(3)),
        of_no_category,
        again,
        // This customer has two open jobs.
        world.creation_for(6, 10),
        // This is the second job of the first customer.
        world.creation_for(0, 7),
        world.creation(11),
        world.creation(12),
    ];
    assert!(changes.iter().all(|change| HOOKS.path_of(change) == CommitPath::Creation));
    let written = world.write_together(CommitPath::Creation, changes.clone()).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [true, false, false, false, false, false, false, false, false, true]);
    let made: Vec<Uuid> = world.column("select job_id from idempotency_keys order by id limit 1").await;
    assert_eq!(made, [id('5', 0)]);

    holder.rollback().await.expect("it is held no longer");
    let alone = world.write_at_once(&world.writer, changes).await;
    let refused = |guard| Err(CommitError::Refused(guard));
    let expected = [
        refused(Guard::NotACustomer),
        refused(Guard::VehicleGone),
        refused(Guard::MarkUsed),
        refused(Guard::CategoryGone),
        refused(Guard::OneOpenJobPerVehicle),
        refused(Guard::TooManyOpenJobs { most: 2 }),
        Ok(()),
        Ok(()),
    ];
    assert_eq!(alone[1..9], expected);
    assert!(alone[0].is_err() && alone[9].is_err(), "these were created before: {alone:?}");
}

#[tokio::test]
async fn a_job_that_an_admin_creates_is_written_alone() {
    let world = World::new().await;
    let created = JobChange { by: Actor::Admin(UserId(id('2', 0))), ..world.creation(0) };
    assert_eq!(HOOKS.path_of(&created), CommitPath::Alone);
    world.writer.write(created).await.expect("it is created");
    let audited: Vec<String> = world.column("select action from audit_log").await;
    assert_eq!(audited, ["job.create"]);
}

#[tokio::test]
async fn customers_are_notified_of_the_jobs_that_others_create_for_them() {
    let world = World::new().await;
    let ordered = |number| {
        let change = world.creation(number);
        JobChange { by: Actor::Partner(change.next.spec.customer_id), ..change }
    };
    let changes = vec![ordered(0), world.creation(1), ordered(2)];
    assert!(changes.iter().all(|change| HOOKS.path_of(change) == CommitPath::Creation));
    let written = world.write_together(CommitPath::Creation, changes).await;
    assert!(written.iter().all(|outcome| matches!(outcome, Some(Ok(_)))));
    let notified: Vec<String> = world
        .column("select user_id || ' ' || (data ->> 'job_id') from notifications order by user_id")
        .await;
    let expected = [0, 2].map(|number| format!("{} {}", id('1', number), id('5', number)));
    assert_eq!(notified, expected);
}

#[tokio::test]
async fn two_servers_that_create_jobs_of_the_same_customers_keep_their_limit() {
    let world = World::new().await;
    let vehicles = "update vehicles set user_id = id('1', (right(id::text, 3)::integer) % 2)";
    raw_sql(vehicles).execute(&world.database.db).await.expect("two people with eight vehicles each");
    let other = JobWriter::new(world.database.db.clone(), Random::seeded(2));
    let creations = |numbers: Range<usize>| {
        numbers.map(|number| world.creation_for(number % 2, number)).collect::<Vec<_>>()
    };
    let (first, second) = (creations(0..8), creations(8..16));
    let (first, second) =
        join(world.write_at_once(&world.writer, first), world.write_at_once(&other, second)).await;
    let made = first.iter().chain(&second).filter(|result| result.is_ok()).count();
    assert_eq!(made, 4, "{first:?}, {second:?}");
    let counted: Vec<i64> = world.column("select count(*) from jobs group by customer_id").await;
    assert_eq!(counted, [2, 2]);
}

#[tokio::test]
async fn jobs_of_an_organisation_are_created_by_one_statement_up_to_its_limit() {
    let world = World::with_organisation().await;
    world.writer.write(world.order(0, 4)).await.expect("it is created");
    let mut twin = world.order(1, 4);
    twin.next.id = JobId(id('5', 100));
    // Bookings for later are counted apart.
    let mut later = world.order(6, 4);
    later.next.spec.begin_at = at(10_000);
    let mut orders = vec![world.order(1, 4), twin];
    orders.extend((2..6).map(|vehicle| world.order(vehicle, 4)));
    orders.push(later);
    assert!(orders.iter().all(|change| HOOKS.path_of(change) == CommitPath::Creation));
    let beyond = orders[4].clone();
    let written = world.write_together(CommitPath::Creation, orders).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [true, false, true, true, false, false, true]);
    let refused = world.writer.write(beyond).await.map(drop);
    assert_eq!(refused, Err(CommitError::Refused(Guard::TooManyOpenJobs { most: 4 })));
    let made: Vec<i64> = world.column("select count(*) from partner_jobs").await;
    assert_eq!(made, [5]);
}

#[tokio::test]
async fn two_servers_that_create_jobs_of_one_organisation_keep_its_limit() {
    let world = World::with_organisation().await;
    let other = JobWriter::new(world.database.db.clone(), Random::seeded(2));
    let orders = |numbers: Range<usize>| numbers.map(|vehicle| world.order(vehicle, 5)).collect::<Vec<_>>();
    let (first, second) = (orders(0..8), orders(8..16));
    let (first, second) =
        join(world.write_at_once(&world.writer, first), world.write_at_once(&other, second)).await;
    let made = first.iter().chain(&second).filter(|result| result.is_ok()).count();
    assert_eq!(made, 5, "{first:?}, {second:?}");
    let counted: Vec<i64> = world.column("select count(*) from jobs").await;
    assert_eq!(counted, [5]);
}

#[tokio::test]
async fn the_statement_that_creates_an_organisations_jobs_waits_for_its_account() {
    let world = World::with_organisation().await;
    let mut holder = world.database.db.begin().await.expect("a transaction");
    let held = raw_sql("select from users where id = id('1', 0) for no key update").execute(&mut *holder);
    held.await.expect("an account that is held");
    let is_written = Cell::new(false);
    let orders = async {
        let orders = vec![world.order(0, 5), world.order(1, 5)];
        let written = world.write_together(CommitPath::Creation, orders).await;
        is_written.set(true);
        written
    };
    let released = async {
        let waits = "select exists (select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock')";
        while !is_written.get() && world.column::<bool>(waits).await == [false] {}
        assert!(!is_written.get(), "it did not wait");
        holder.rollback().await.expect("it is held no longer");
    };
    let (written, ()) = join(orders, released).await;
    assert!(written.iter().all(|outcome| matches!(outcome, Some(Ok(_)))), "{written:?}");
}
