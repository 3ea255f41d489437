//! Writes a job's changes.

use roadcall_actors::{
    job::state::Event,
    ports::{CommitError, Guard, JobChange},
    random::Random,
};
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    columns::changes_facts,
    hooks::{self, HookError, Hooks},
    prepared::{PreparedChange, PreparedEntry},
    queries,
};
use crate::{
    jobs::queries::{JobEventRow, JobRow},
    notifications,
    platform::error::constraint,
};

/// Writes one change within a transaction: the row by compare-and-set, the event, the notifications, and whatever the hooks add.
/// Returns the log's new entry if it is public: for [`super::RecentEntries`], after the commit.
pub async fn append(
    tx: &mut PgConnection,
    random: &Random,
    hooks: Hooks,
    change: &JobChange,
) -> Result<Option<JobEventRow>, CommitError> {
    append_entry(tx, random, hooks, change, &PreparedEntry::of(random, change)).await
}

/// Writes like [`append`].
pub async fn append_prepared(
    tx: &mut PgConnection,
    random: &Random,
    hooks: Hooks,
    PreparedChange { change, entry }: &PreparedChange,
) -> Result<Option<JobEventRow>, CommitError> {
    append_entry(tx, random, hooks, change, entry).await
}

async fn append_entry(
    tx: &mut PgConnection,
    random: &Random,
    hooks: Hooks,
    change: &JobChange,
    entry: &PreparedEntry,
) -> Result<Option<JobEventRow>, CommitError> {
    let facts = match changes_facts(change) {
        true => queries::facts(tx, change.next.id.0).await.map_err(refused)?,
        false => None,
    };
    hooks::run(hooks.before, tx, random, &[change]).await.map_err(stopped)?;
    let row = write(tx, change, entry, facts.as_ref()).await?;
    hooks::run(hooks.after, tx, random, &[change]).await.map_err(stopped)?;
    Ok(entry.shown(row))
}

/// Writes the row, its event and its notifications. `facts` are those before a hook may have written them.
async fn write(
    tx: &mut PgConnection,
    change: &JobChange,
    PreparedEntry { event, notes }: &PreparedEntry,
    facts: Option<&Value>,
) -> Result<JobRow, CommitError> {
    match &change.event {
        Event::Created { details } => {
            let written = queries::insert(tx, &change.next, details, event).await.map_err(refused)?;
            notifications::insert(tx, notes, change.at).await.map_err(refused)?;
            Ok(written)
        }
        _ => {
            let expected = change.expected_version();
            let advanced = queries::advance(tx, &change.next, expected, event, notes, facts).await;
            advanced.map_err(refused)?.ok_or(CommitError::Conflict)
        }
    }
}

/// Converts the reason for which a hook stopped changes.
pub fn stopped(error: HookError) -> CommitError {
    match error {
        HookError::Database(error) => refused(error),
        HookError::Refused(guard) => CommitError::Refused(guard),
        HookError::Conflict => CommitError::Conflict,
        HookError::AlreadyCommitted => CommitError::AlreadyCommitted,
        HookError::Failed(error) => CommitError::Failed(error.to_string()),
    }
}

/// Turns a named constraint into its refusal. After any other failure before the commit was sent, surely nothing has happened.
pub fn refused(error: sqlx::Error) -> CommitError {
    match constraint(&error) {
        Some("jobs_one_active_per_mechanic") => CommitError::Refused(Guard::OneActiveJobPerMechanic),
        Some("jobs_one_open_per_vehicle") => CommitError::Refused(Guard::OneOpenJobPerVehicle),
        Some("offers_one_pending_per_mechanic") => CommitError::Refused(Guard::OnePendingOfferPerMechanic),
        Some("job_events_command_key" | "jobs_pkey") => CommitError::AlreadyCommitted,
        Some("job_events_pkey" | "job_events_seq_key") => CommitError::Conflict,
        _ => CommitError::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use chrono::{DateTime, TimeDelta, Utc};
    use roadcall_actors::{
        concern::{Concern, Delay},
        geo::Point,
        ids::{CategoryId, CommandId, JobId, MechanicId, OfferId, UserId, VehicleId},
        job::state::{
            Actor, Assignment, Cancellation, Completion, Destination, Job, JobDetails, JobSpec, JobSummary,
            LeaveReason, Left, OnAccount, Outcome, Receiver, Search, Stage, Urgency, Workshop,
        },
        offer::PartnerOrder,
        vehicle::VehicleType,
    };
    use serde_json::json;
    use sqlx::{query_scalar, raw_sql};
    use uuid::Uuid;

    use super::*;
    use crate::{
        catalogue::dispatch_settings::{DispatchConfig, SearchOverrides, search_policy},
        jobs::{
            log::{
                load::job_locked,
                replay::{entries_since, row_at},
                together::{NotTogether, append_together, create_together},
            },
            queries::find,
        },
        platform::db::testing::fresh_database,
        service::settings::Settings,
    };

    const JOB: Uuid = Uuid::from_u128(1);
    const CUSTOMER: Uuid = Uuid::from_u128(2);
    const VEHICLE: Uuid = Uuid::from_u128(3);
    const MECHANIC: Uuid = Uuid::from_u128(4);
    const CASE: Uuid = Uuid::from_u128(20);
    /// Towing, from the migrations.
    const CATEGORY: Uuid = Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0003);

    const PEOPLE: &str = "
        insert into users (id, phone, name, created_at, updated_at) values
            ('00000000-0000-0000-0000-000000000002', '+919800000002', 'Asha', now(), now()),
            ('00000000-0000-0000-0000-000000000005', '+919800000005', 'Ravi', now(), now());
        insert into vehicles (id, user_id, vehicle_type, make, model, registration_number, created_at, updated_at)
        values ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000002', 'four_wheeler', 'Tata',
            'Nexon', 'KA01AB1234', now(), now());
        insert into mechanic_profiles (id, user_id, status, service_radius_km, vehicle_types, service_category_ids,
            created_at, updated_at)
        values ('00000000-0000-0000-0000-000000000004', '00000000-0000-0000-0000-000000000005', 'verified', 10,
            '{four_wheeler}', array[gen_random_uuid()], now(), now());
        insert into organisations (id, account_id, name, kind, created_at, updated_at)
        values ('00000000-0000-0000-0000-000000000018', '00000000-0000-0000-0000-000000000002', 'Insurer', 'insurer', now(),
            now());
        insert into partner_contracts (id, organisation_id, reference, valid_from, created_at)
        values ('00000000-0000-0000-0000-000000000019', '00000000-0000-0000-0000-000000000018', 'roadside', now(), now());
        insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status, texts,
            created_at, updated_at)
        values ('00000000-0000-0000-0000-000000000014', '00000000-0000-0000-0000-000000000018',
            '00000000-0000-0000-0000-000000000019', '00000000-0000-0000-0000-000000000018', 'case', '', 'open', '{}', now(),
            now())";

    /// Returns a time for each number. Those of the changes are below 100.
    fn at(number: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(number)
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn details() -> JobDetails {
        JobDetails {
            pickup_address: "MG Road".to_owned(),
            description: text("Smoke under the bonnet"),
            photo_urls: vec!["/files/a".to_owned(), "/files/\"b\\, {c}".to_owned()],
            beneficiary_name: text("Meera"),
            beneficiary_phone: text("+919800000006"),
            contact_preference: "both".to_owned(),
            vehicle_color: text("red"),
            vehicle_registration_number: "KA01AB1234".to_owned(),
            scheduled_for: Some(at(100)),
            most_open_jobs: None,
        }
    }

    fn spec(config: &DispatchConfig) -> JobSpec {
        let mut policy = search_policy(&config.current(), &SearchOverrides::default());
        policy.version = 7;
        JobSpec {
            customer_id: UserId(CUSTOMER),
            vehicle_id: VehicleId(VEHICLE),
            category_id: CategoryId(CATEGORY),
            vehicle_type: VehicleType::FourWheeler,
            pickup: Point::new(12.5, 77.25),
            urgency: Urgency::Highway,
            summary: Arc::new(JobSummary {
                category_name: "Towing".to_owned(),
                category_slug: "towing".to_owned(),
                vehicle_make: "Tata".to_owned(),
                vehicle_model: "Nexon".to_owned(),
                description: text("Smoke under the bonnet"),
                photo_count: 2,
                order: Some(Arc::new(PartnerOrder {
                    name: "Bharat Insurance".to_owned(),
                    purchase_order: text("PO-7"),
                    ..PartnerOrder::default()
                })),
            }),
            base_price_paise: 101,
            travel_price_paise: 102,
            destination: Some(Arc::new(Destination {
                place: Point::new(13.5, 78.25),
                address: "Residency Road".to_owned(),
                workshop: Some(Workshop { id: Uuid::from_u128(10), name: "Main workshop".to_owned() }),
                receiver: Receiver { name: text("Kiran"), phone: text("+919800000007") },
                distance_m: 103,
                duration_s: 104,
            })),
            destination_price_paise: 105,
            on_account: Some(OnAccount { case_id: CASE, cover_paise: Some(108) }),
            created_at: at(1),
            begin_at: at(101),
            search: Arc::new(policy),
        }
    }

    fn assignment() -> Assignment {
        Assignment {
            mechanic_id: MechanicId(MECHANIC),
            offer_id: Some(OfferId(Uuid::from_u128(11))),
            accepted_at: at(102),
            promised_at: at(103),
            en_route_at: Some(at(104)),
            arrived_at: Some(at(105)),
            arrival_is_unproven: true,
            arrival_concern: Some(Concern::Slipping),
            started_at: Some(at(106)),
            loaded_at: Some(at(107)),
            start_code: text("1234"),
            wrong_codes: 2,
            locked_until: Some(at(108)),
            delay: None,
            navigating_since: Some(at(109)),
            is_taken_back: false,
        }
    }

    /// Returns every stage, in the order of the changes.
    fn stages() -> [Stage; 12] {
        let search = Search { round: 3, offered_in_round: 4, ends_at: at(110), offers: Vec::new() };
        let delay = Some(Delay { concern: Concern::Dark, since: at(111) });
        let on_the_way = Assignment { delay, is_taken_back: true, ..assignment() };
        let completion = Completion {
            assignment: assignment(),
            outcome: Outcome::Towed,
            notes: text("The radiator leaks"),
            received_by: text("Latha"),
            final_price_paise: 106,
            at: at(112),
            disputed_at: Some(at(113)),
            resolved_at: Some(at(114)),
        };
        [
            Stage::Pending,
            Stage::Dispatching(search),
            Stage::NoMechanicFound { until: at(115) },
            Stage::Accepted(on_the_way.clone()),
            Stage::EnRoute(on_the_way),
            Stage::Arrived(assignment()),
            Stage::InProgress(assignment()),
            Stage::Completed(completion.clone()),
            Stage::Paid(completion.clone()),
            Stage::Disputed(completion.clone()),
            Stage::Resolved(completion),
            Stage::Cancelled(Cancellation {
                assignment: Some(assignment()),
                fee_paise: 107,
                reason_code: "other".to_owned(),
                reason: text("Found the key"),
                at: at(116),
            }),
        ]
    }

    fn mechanics(numbers: [u128; 2]) -> BTreeSet<MechanicId> {
        numbers.map(|number| MechanicId(Uuid::from_u128(number))).into()
    }

    /// Returns the change that takes a job to this version and stage.
    fn change_to(
        config: &DispatchConfig,
        random: &Random,
        version: i64,
        stage: Stage,
        before: Option<Job>,
    ) -> JobChange {
        let event = match &stage {
            Stage::Pending => Event::Created { details: Box::new(details()) },
            _ => Event::CameBack,
        };
        let left = Left { mechanic_id: MechanicId(MECHANIC), reason: LeaveReason::Silent, at: at(117) };
        let next = Job {
            version,
            seq: version,
            stage,
            attempt: 5,
            expired_once: mechanics([14, 15]),
            left: Some(left),
            ..Job::new(JobId(JOB), spec(config), mechanics([12, 13]))
        };
        let (command_id, at) = (CommandId(random.id(at(version))), at(version));
        JobChange { command_id, by: Actor::System, at, before, event, next, idempotency: None }
    }

    /// Writes a change by itself, or together with one of a job, or of a customer and a vehicle, that does not exist.
    async fn write(
        tx: &mut PgConnection,
        random: &Random,
        change: &JobChange,
        is_together: bool,
    ) -> Option<JobEventRow> {
        if !is_together {
            let no_hooks = Hooks { before: &[], after: &[] };
            return append(tx, random, no_hooks, change).await.expect("it is written");
        }
        let mut left_out = change.clone();
        left_out.next.id = JobId(Uuid::from_u128(99));
        left_out.next.spec.customer_id = UserId(Uuid::from_u128(99));
        left_out.next.spec.vehicle_id = VehicleId(Uuid::from_u128(99));
        let changes = [left_out, change.clone()].map(|change| Arc::new(PreparedChange::new(random, change)));
        let written = match change.before {
            Some(_) => append_together(tx, random, &changes).await,
            None => create_together(tx, &changes).await,
        };
        let [left_out, written] = <[_; 2]>::try_from(written.expect("no error")).expect("two outcomes");
        assert_eq!(left_out.expect_err("there is no such job or customer"), NotTogether);
        written.expect("it is written")
    }

    #[tokio::test]
    async fn every_field_of_a_job_is_read_as_it_was_written() {
        every_field_is_read_as_written(false).await;
    }

    #[tokio::test]
    async fn every_field_of_a_job_is_read_as_it_was_written_together_with_another() {
        every_field_is_read_as_written(true).await;
    }

    async fn every_field_is_read_as_written(is_together: bool) {
        let database = fresh_database().await;
        let config = DispatchConfig::of_file(Settings::defaults().dispatch);
        let random = Random::seeded(1);
        let mut tx = database.db.begin().await.expect("a transaction");
        raw_sql(PEOPLE).execute(&mut *tx).await.expect("people");
        let (mut before, mut rows, mut values) = (None, Vec::new(), Vec::new());
        for (version, stage) in (1..).zip(stages()) {
            let change = change_to(&config, &random, version, stage, before);
            let entry = write(&mut tx, &random, &change, is_together).await;
            let read = job_locked(&mut tx, &config, JOB).await.expect("it is read").expect("it is there");
            // The row has the version of the policy, not the policy.
            let search = read.spec.search.clone();
            let mut written = change.next;
            written.spec.search = search;
            assert_eq!(read, written);
            let row = find(&mut *tx, JOB).await.expect("it is read").expect("it is there");
            assert_eq!(row.updated_at, change.at);
            assert_eq!(entry.map(|entry| entry.snapshot).as_ref(), Some(&row));
            let columns = query_scalar::<_, Value>("select to_jsonb(job) from jobs job");
            values.push(columns.fetch_one(&mut *tx).await.expect("the columns"));
            rows.push(row);
            before = Some(read);
        }
        let logged = entries_since(&mut *tx, JOB, 0, 100).await.expect("the log");
        assert_eq!(logged.into_iter().map(|entry| entry.snapshot).collect::<Vec<_>>(), rows);
        let third = row_at(&mut *tx, JOB, 3).await.expect("the log");
        assert_eq!(third.as_ref(), rows.get(2));

        let row = rows.pop().expect("it is there");
        assert_eq!(row.estimated_price_paise, spec(&config).estimated_price_paise());
        assert_eq!(row.dispatch_version, Some(7));
        let stored = JobDetails {
            pickup_address: row.pickup_address,
            description: row.description,
            photo_urls: row.photo_urls,
            beneficiary_name: row.beneficiary_name,
            beneficiary_phone: row.beneficiary_phone,
            contact_preference: row.contact_preference.as_str().to_owned(),
            vehicle_color: row.vehicle_color,
            vehicle_registration_number: row.vehicle_registration_number,
            scheduled_for: row.scheduled_for,
            most_open_jobs: None,
        };
        assert_eq!(stored, details());

        let nothing = [json!(null), json!(0), json!(false), json!([])];
        let mut columns = JobRow::CREATED.iter().chain(JobRow::KEPT);
        let untested = columns.find(|column| values.iter().all(|row| nothing.contains(&row[**column])));
        assert_eq!(untested, None, "give the column a value in this test");
    }

    #[tokio::test]
    async fn a_name_that_was_removed_after_the_completion_is_not_written_again() {
        let database = fresh_database().await;
        let config = DispatchConfig::of_file(Settings::defaults().dispatch);
        let random = Random::seeded(1);
        let mut tx = database.db.begin().await.expect("a transaction");
        raw_sql(PEOPLE).execute(&mut *tx).await.expect("people");
        let mut before = None;
        for (version, stage) in (1..).zip(stages()) {
            let is_completed = matches!(stage, Stage::Completed(_));
            let change = change_to(&config, &random, version, stage, before);
            let written = write(&mut tx, &random, &change, version % 2 == 0).await.expect("an entry");
            let name = written.snapshot.received_by;
            assert_eq!(name, text("Latha").filter(|_| is_completed), "version {version}");
            raw_sql("update job_states set received_by = null").execute(&mut *tx).await.expect("a removal");
            before = Some(change.next);
        }
    }
}
