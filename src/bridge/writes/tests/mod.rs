use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{join, join_all};
use roadcall_actors::{
    eta::EtaSource,
    geo::Point,
    ids::{CategoryId, CommandId, JobId, LineItemId, MechanicId, OfferId, UserId, VehicleId},
    job::state::{
        Actor, Assignment, Destination, Event, ItemChange, ItemKind, ItemStatus, ItemTerms, Job, JobDetails,
        JobSpec, JobSummary, LineItem, LiveOffer, Outcome as EngineOutcome, Receiver, Urgency,
    },
    ports::Guard,
    vehicle::VehicleType,
};
use sqlx::{Decode, Postgres, Row, Type, raw_sql};
use uuid::Uuid;

use super::*;
use crate::{
    catalogue::dispatch_settings::{DispatchConfig, SearchOverrides, search_policy},
    platform::db::testing::{TestDatabase, fresh_database},
    service::settings::Settings,
};

mod creating;

/// A flat tyre, from the migrations.
const CATEGORY: Uuid = Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001);

/// Sixteen customers with a vehicle each, and sixteen mechanics: the ids that [`id`] gives.
const PEOPLE: &str = "
    create function id(kind text, number integer) returns uuid language sql as
        $$ select ('00000000-0000-0000-0000-00000000' || kind || lpad(number::text, 3, '0'))::uuid $$;
    insert into users (id, phone, name, created_at, updated_at)
    select id(kind, n), '+9198' || kind || (1000000 + n), 'Asha', now(), now()
    from generate_series(0, 15) n, unnest(array['1', '2']) kind;
    insert into vehicles (id, user_id, vehicle_type, make, model, registration_number, created_at, updated_at)
    select id('3', n), id('1', n), 'four_wheeler', 'Tata', 'Nexon', 'KA01AB' || (1000 + n), now(), now()
    from generate_series(0, 15) n;
    insert into mechanic_profiles (id, user_id, status, service_radius_km, vehicle_types, service_category_ids,
        created_at, updated_at)
    select id('4', n), id('2', n), 'verified', 10, '{four_wheeler}', array[gen_random_uuid()], now(), now()
    from generate_series(0, 15) n";

fn id(kind: char, number: usize) -> Uuid {
    format!("00000000-0000-0000-0000-00000000{kind}{number:03}").parse().expect("a UUID")
}

fn mechanic(number: usize) -> MechanicId {
    MechanicId(id('4', number))
}

/// Returns the id of the offer of a job.
fn offer(number: usize) -> OfferId {
    OfferId(id('6', number))
}

fn at(minutes: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
}

struct World {
    database: TestDatabase,
    writer: JobWriter,
    random: Random,
    config: DispatchConfig,
    /// The time of the last change, in minutes.
    now: AtomicI64,
}

impl World {
    async fn new() -> Self {
        let database = fresh_database().await;
        raw_sql(PEOPLE).execute(&database.db).await.expect("people");
        let (random, now) = (Random::seeded(1), AtomicI64::new(0));
        let writer = JobWriter::new(database.db.clone(), random.clone());
        Self { database, writer, random, config: DispatchConfig::of_file(Settings::defaults().dispatch), now }
    }

    fn change(&self, job: &Job, event: Event) -> JobChange {
        let at = at(self.now.fetch_add(1, Ordering::Relaxed));
        JobChange {
            command_id: CommandId(self.random.id(at)),
            by: Actor::System,
            at,
            before: Some(job.clone()),
            next: job.apply(&event, at),
            event,
            idempotency: None,
        }
    }

    /// Commits a change, and returns the job after it.
    async fn commit(&self, job: &Job, event: Event) -> Job {
        let change = self.change(job, event);
        let next = change.next.clone();
        self.writer.write(change).await.expect("it is committed");
        next
    }

    /// Returns the change that creates the job of this customer.
    fn creation(&self, number: usize) -> JobChange {
        let spec = JobSpec {
            customer_id: UserId(id('1', number)),
            vehicle_id: VehicleId(id('3', number)),
            category_id: CategoryId(CATEGORY),
            vehicle_type: VehicleType::FourWheeler,
            pickup: Point::new(12.5, 77.25),
            urgency: Urgency::Normal,
            summary: Arc::new(JobSummary {
                category_name: "Flat tyre".to_owned(),
                category_slug: "flat-tyre".to_owned(),
                vehicle_make: "Tata".to_owned(),
                vehicle_model: "Nexon".to_owned(),
                description: None,
                photo_count: 0,
                order: None,
            }),
            base_price_paise: 100,
            travel_price_paise: 0,
            destination: None,
            destination_price_paise: 0,
            on_account: None,
            created_at: at(0),
            begin_at: at(0),
            search: Arc::new(search_policy(&self.config.current(), &SearchOverrides::default())),
        };
        let details = JobDetails {
            pickup_address: "MG Road".to_owned(),
            description: None,
            photo_urls: Vec::new(),
            beneficiary_name: None,
            beneficiary_phone: None,
            contact_preference: "booker".to_owned(),
            vehicle_color: None,
            vehicle_registration_number: "KA01AB1234".to_owned(),
            scheduled_for: None,
            most_open_jobs: Some(2),
        };
        let job = Job::new(JobId(id('5', number)), spec, BTreeSet::new());
        JobChange {
            by: Actor::Customer(job.spec.customer_id),
            before: None,
            next: job.clone(),
            ..self.change(&job, Event::Created { details: Box::new(details) })
        }
    }

    /// Returns the change that creates a job of this customer for another of their vehicles, which has this number.
    fn creation_for(&self, customer: usize, vehicle: usize) -> JobChange {
        let mut creation = self.creation(vehicle);
        creation.next.spec.customer_id = UserId(id('1', customer));
        JobChange { by: Actor::Customer(creation.next.spec.customer_id), ..creation }
    }

    /// Returns the job of this customer, which searches and has asked nobody.
    async fn searching(&self, number: usize) -> Job {
        let created = self.creation(number);
        let job = created.next.clone();
        self.writer.write(created).await.expect("it is created");
        self.commit(&job, Event::Began { ends_at: at(100), round: 1 }).await
    }

    /// Returns the job of this customer, which is offered to the mechanic of the same number.
    async fn offered(&self, number: usize) -> Job {
        self.commit(&self.searching(number).await, offered(offer(number), mechanic(number))).await
    }

    /// Returns the job of this customer, on which the mechanic of the same number works.
    async fn in_progress(&self, number: usize) -> Job {
        let mut job = self.offered(number).await;
        let arrived = Event::Arrived { distance_m: Some(5.0), override_reason: None };
        for event in [accepted(number), Event::WentEnRoute, arrived, Event::Started] {
            job = self.commit(&job, event).await;
        }
        job
    }

    async fn write_together(&self, path: CommitPath, changes: Vec<JobChange>) -> Vec<Outcome> {
        let changes = changes.into_iter().map(|change| Arc::new(PreparedChange::new(&self.random, change)));
        let written = self.writer.connections.write_together(path, changes.collect()).await;
        written.expect("there is a connection")
    }

    /// Writes all changes at once, and returns their results in this order.
    async fn write_at_once(
        &self,
        writer: &JobWriter,
        changes: Vec<JobChange>,
    ) -> Vec<Result<(), CommitError>> {
        let writes =
            changes.into_iter().map(move |change| async move { writer.write(change).await.map(drop) });
        join_all(writes).await
    }

    /// Returns the first column of all rows.
    async fn column<T>(&self, sql: &'static str) -> Vec<T>
    where
        T: for<'r> Decode<'r, Postgres> + Type<Postgres>,
    {
        let rows = raw_sql(sql).fetch_all(&self.database.db).await.expect("rows");
        rows.iter().map(|row| row.get(0)).collect()
    }

    async fn versions(&self) -> Vec<i64> {
        self.column("select version from jobs order by id").await
    }
}

fn offered(id: OfferId, mechanic_id: MechanicId) -> Event {
    Event::OffersMade {
        offers: vec![LiveOffer {
            id,
            mechanic_id,
            round: 1,
            distance_m: 1_000,
            eta_s: 300,
            eta_base_s: 300,
            eta_source: EtaSource::StraightLine,
            cost_s: 300,
            created_at: at(1),
            expires_at: at(1_000),
        }],
    }
}

fn accepted(number: usize) -> Event {
    let assignment = Assignment {
        mechanic_id: mechanic(number),
        offer_id: Some(offer(number)),
        accepted_at: at(2),
        promised_at: at(3),
        en_route_at: None,
        arrived_at: None,
        arrival_is_unproven: false,
        arrival_concern: None,
        started_at: None,
        loaded_at: None,
        start_code: Some("1234".to_owned()),
        wrong_codes: 0,
        locked_until: None,
        delay: None,
        navigating_since: None,
        is_taken_back: false,
    };
    Event::Accepted { assignment, revoked: Vec::new(), answered_at: at(2), overridden: None }
}

fn declined(number: usize) -> Event {
    Event::OfferDeclined { offer_id: offer(number), mechanic_id: mechanic(number), reason: None }
}

#[tokio::test]
async fn changes_whose_conditions_do_not_hold_are_left_out_and_the_others_are_written() {
    let world = World::new().await;
    let mut jobs = Vec::new();
    for number in 0..5 {
        jobs.push(world.offered(number).await);
    }
    jobs.push(world.searching(5).await);
    let db = &world.database.db;
    let past = "update mechanic_profiles set status = 'suspended' where id = id('4', 1);
        update offers set status = 'expired', settled_at = now() where id = id('6', 2)";
    raw_sql(past).execute(db).await.expect("a suspended mechanic, and an offer that is over");
    let mut holder = db.begin().await.expect("a transaction");
    let held = raw_sql("select from jobs where id = id('5', 3) for update").execute(&mut *holder);
    held.await.expect("a job that is held");
    let stale = Job { version: jobs[4].version - 1, ..jobs[4].clone() };
    let changes = vec![
        world.change(&jobs[0], accepted(0)),
        world.change(&jobs[1], accepted(1)),
        world.change(&jobs[2], declined(2)),
        world.change(&jobs[3], declined(3)),
        world.change(&stale, declined(4)),
        world.change(&jobs[5], offered(offer(5), mechanic(5))),
    ];
    let before = world.versions().await;
    let written = world.write_together(CommitPath::Together, changes.clone()).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [true, false, false, false, false, true]);
    let advanced = before.iter().zip(&written).map(|(version, written)| version + i64::from(*written));
    assert_eq!(world.versions().await, advanced.collect::<Vec<_>>());
    let statuses: Vec<String> = world.column("select status from offers order by id").await;
    assert_eq!(statuses, ["accepted", "pending", "expired", "pending", "pending", "pending"]);

    holder.rollback().await.expect("it is held no longer");
    let alone = world.write_at_once(&world.writer, changes).await;
    let expected = [
        Err(CommitError::Refused(Guard::OfferGone)),
        Err(CommitError::Conflict),
        Ok(()),
        Err(CommitError::Conflict),
    ];
    assert_eq!(alone[1..5], expected);
    assert!(alone[0].is_err() && alone[5].is_err(), "these were written before: {alone:?}");
}

#[tokio::test]
async fn of_changes_that_fail_together_only_the_guilty_fail() {
    let world = World::new().await;
    let mut changes = Vec::new();
    for number in 0..12 {
        let job = world.searching(number).await;
        // Eight jobs are offered to the same mechanic.
        changes
            .push(world.change(&job, offered(offer(number), mechanic(if number < 8 { 0 } else { number }))));
    }
    let together = world.write_together(CommitPath::Together, changes.clone()).await;
    assert!(together.iter().all(Option::is_none), "{together:?}");
    assert!(world.versions().await.iter().all(|version| *version == 2), "nothing was written");
    let alone = world.write_at_once(&world.writer, changes).await;
    let busy = Err(CommitError::Refused(Guard::OnePendingOfferPerMechanic));
    assert_eq!(alone[..8].iter().filter(|result| **result == busy).count(), 7, "{alone:?}");
    assert_eq!(alone.iter().filter(|result| result.is_ok()).count(), 5, "{alone:?}");
}

#[tokio::test]
async fn two_servers_that_write_the_same_jobs_write_each_change_once_and_do_not_deadlock() {
    let world = World::new().await;
    let mut jobs = Vec::new();
    for number in 0..12 {
        jobs.push(world.searching(number).await);
    }
    let other = JobWriter::new(world.database.db.clone(), Random::seeded(2));
    let offers = |kind: char| {
        let change = |(number, job): (usize, &Job)| {
            world.change(job, offered(OfferId(id(kind, number)), mechanic((number * 5) % 12)))
        };
        jobs.iter().enumerate().map(change).collect::<Vec<_>>()
    };
    let (forward, mut backward) = (offers('7'), offers('8'));
    backward.reverse();
    let written =
        join(world.write_at_once(&world.writer, forward), world.write_at_once(&other, backward)).await;
    let (forward, backward) = written;
    for (number, (one, another)) in forward.iter().zip(backward.iter().rev()).enumerate() {
        assert!(one.is_ok() != another.is_ok(), "{number}: {one:?}, {another:?}");
        let refused = if one.is_ok() { another } else { one };
        assert!(matches!(refused, Err(CommitError::Conflict | CommitError::Refused(_))), "{refused:?}");
    }
    assert!(world.versions().await.iter().all(|version| *version == 3));
}

#[tokio::test]
async fn jobs_that_are_completed_together_get_their_dues_and_are_counted() {
    let world = World::new().await;
    let mut changes = Vec::new();
    for number in 0..3 {
        let job = world.in_progress(number).await;
        let completed = Event::Completed {
            outcome: EngineOutcome::Fixed,
            notes: None,
            photo_urls: vec!["/files/a".to_owned()],
            received_by: None,
            final_price_paise: 100 + number as i64,
            drop_off: None,
        };
        // The photos are the mechanic's.
        let by = Actor::Mechanic(UserId(id('2', number)));
        changes.push(JobChange { by, ..world.change(&job, completed) });
    }
    // This one is stale, so it leaves nothing behind.
    changes[1].before.as_mut().expect("it is no new job").version -= 1;
    assert!(changes.iter().all(|change| HOOKS.path_of(change) == CommitPath::Together));
    let written = world.write_together(CommitPath::Together, changes).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [true, false, true]);
    let dues: Vec<String> = world.column("select job_id || ' ' || due_paise from job_dues order by 1").await;
    assert_eq!(dues, [format!("{} 100", id('5', 0)), format!("{} 102", id('5', 2))]);
    let counted: Vec<i32> =
        world.column("select total_jobs from mechanic_profiles order by id limit 3").await;
    assert_eq!(counted, [1, 0, 1]);
    let photos: Vec<Uuid> = world.column("select job_id from job_photos order by job_id").await;
    assert_eq!(photos, [id('5', 0), id('5', 2)]);
    let trips: Vec<i64> = world.column("select count(*) from trips").await;
    assert_eq!(trips, [3], "all three arrived");
}

#[tokio::test]
async fn a_release_is_written_with_others_unless_it_ends_a_tow() {
    let world = World::new().await;
    let job = world.in_progress(0).await;
    let released = |job: &Job| Event::Released {
        mechanic_id: mechanic(0),
        reason_code: "too_far".to_owned(),
        by_mechanic: true,
        ends_at: at(200),
        round: job.attempt,
    };
    let mut ends_tow = world.change(&job, released(&job));
    let destination = Destination {
        place: Point::new(13.5, 78.25),
        address: "Residency Road".to_owned(),
        workshop: None,
        receiver: Receiver { name: None, phone: None },
        distance_m: 1_000,
        duration_s: 300,
    };
    let before = ends_tow.before.as_mut().expect("it is no new job");
    before.spec.destination = Some(Arc::new(destination));
    assert_eq!(HOOKS.path_of(&ends_tow), CommitPath::Alone);
    let plain = world.change(&job, released(&job));
    assert_eq!(HOOKS.path_of(&plain), CommitPath::Together);
    assert!(matches!(world.writer.write(plain).await, Ok(Some(_))), "its entry is public");
    let statuses: Vec<String> = world.column("select status from jobs").await;
    assert_eq!(statuses, ["dispatching"]);
}

#[tokio::test]
async fn a_change_without_an_answer_is_written_again_unless_it_may_have_happened() {
    let world = World::new().await;
    let mut jobs = Vec::new();
    for number in 0..3 {
        jobs.push(world.offered(number).await);
    }
    let written = world.change(&jobs[0], accepted(0));
    world.writer.write(written.clone()).await.expect("it is committed, and its answer is lost");
    let lost = world.change(&jobs[1], accepted(1));
    let late = world.change(&jobs[2], accepted(2));
    world.commit(&jobs[2], declined(2)).await;
    let mut results = Vec::new();
    for change in [written, lost, late] {
        let prepared = PreparedChange::new(&world.random, change);
        let again = world.writer.connections.write_again(&prepared, "no answer".to_owned()).await;
        results.push(again.map(drop));
    }
    let unknown = CommitError::Unknown("no answer".to_owned());
    assert_eq!(results, [Err(CommitError::AlreadyCommitted), Ok(()), Err(unknown)]);
    let statuses: Vec<String> = world.column("select status from jobs order by id").await;
    assert_eq!(statuses, ["accepted", "accepted", "dispatching"]);
}

/// Four marks of requests. The last has made the first job.
const MARKS: &str = "
    insert into idempotency_keys (id, user_id, method, route, key, body_sha256, leased_until, created_at, job_id)
    select id('7', n), id('1', n), 'POST', '/jobs', 'key', '\\x00', now(), now(),
        case when n = 3 then (select min(id::text)::uuid from job_facts) end
    from generate_series(0, 3) n";

fn item(number: usize, status: ItemStatus) -> LineItem {
    LineItem {
        id: LineItemId(id('8', number)),
        terms: ItemTerms {
            kind: ItemKind::Part,
            description: "A valve".to_owned(),
            quantity: 1,
            unit_price_paise: 100,
            photo_url: None,
        },
        destination: None,
        status,
        is_on_account: false,
        version: 1,
        created_at: at(50),
        updated_at: at(50),
    }
}

#[tokio::test]
async fn line_items_are_written_with_changes_of_other_jobs() {
    let world = World::new().await;
    let (mut jobs, mut proposed) = (Vec::new(), Vec::new());
    for number in 0..4 {
        jobs.push(world.in_progress(number).await);
    }
    raw_sql(MARKS).execute(&world.database.db).await.expect("marks, of which the last is used");
    for (number, job) in jobs.iter().enumerate() {
        let item = item(number, ItemStatus::Proposed);
        let change = world.change(job, Event::ItemChanged { how: ItemChange::Proposed, item });
        proposed.push(JobChange { idempotency: Some(id('7', number)), ..change });
    }
    let used = proposed[3].clone();
    let jobs: Vec<Job> = proposed.iter().map(|change| change.next.clone()).collect();
    let written = world.write_together(CommitPath::Together, proposed).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [true, true, true, false]);
    let alone = world.writer.write(used).await;
    assert!(matches!(alone, Err(CommitError::Refused(Guard::MarkUsed))), "{alone:?}");
    let made: Vec<Uuid> = world.column("select effect_id from idempotency_keys order by id limit 3").await;
    assert_eq!(made, [id('8', 0), id('8', 1), id('8', 2)]);

    let withdrawn = item(0, ItemStatus::Proposed);
    let approved = LineItem { version: 2, ..item(1, ItemStatus::Approved) };
    let released = Event::Released {
        mechanic_id: mechanic(2),
        reason_code: "too_far".to_owned(),
        by_mechanic: true,
        ends_at: at(200),
        round: 1,
    };
    let changes = vec![
        world.change(&jobs[0], Event::ItemChanged { how: ItemChange::Withdrawn, item: withdrawn }),
        world.change(&jobs[1], Event::ItemChanged { how: ItemChange::Approved, item: approved }),
        world.change(&jobs[2], released),
    ];
    let written = world.write_together(CommitPath::Together, changes).await;
    assert!(written.iter().all(|outcome| matches!(outcome, Some(Ok(_)))), "{written:?}");
    let left: Vec<String> = world.column("select id || ' ' || status from line_items").await;
    assert_eq!(left, [format!("{} approved", id('8', 1))]);
}

#[tokio::test]
async fn a_completion_whose_mechanic_is_held_by_another_transaction_is_written_alone() {
    let world = World::new().await;
    let mut changes = Vec::new();
    for number in 0..2 {
        let job = world.in_progress(number).await;
        let completed = Event::Completed {
            outcome: EngineOutcome::Fixed,
            notes: None,
            photo_urls: Vec::new(),
            received_by: None,
            final_price_paise: 100,
            drop_off: None,
        };
        changes.push(world.change(&job, completed));
    }
    let mut holder = world.database.db.begin().await.expect("a transaction");
    let held = "update mechanic_profiles set updated_at = now() where id = id('4', 0)";
    raw_sql(held).execute(&mut *holder).await.expect("a mechanic who is held");
    let written = world.write_together(CommitPath::Together, changes.clone()).await;
    let written: Vec<bool> = written.into_iter().map(|outcome| matches!(outcome, Some(Ok(_)))).collect();
    assert_eq!(written, [false, true]);
    let late = world.writer.write(changes.swap_remove(0));
    let (late, ended) = join(late, holder.commit()).await;
    ended.expect("it is held no longer");
    assert!(late.is_ok(), "{late:?}");
    let counted: Vec<i32> =
        world.column("select total_jobs from mechanic_profiles order by id limit 2").await;
    assert_eq!(counted, [1, 1]);
}
