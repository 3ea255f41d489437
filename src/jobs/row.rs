//! The row of a job, declared once: each column with its type and, if the log writes the column, with its value.
//!
//! The view `jobs` shows a row. It has two parts: `job_facts`, which is written with the job, and `job_states`, which every
//! change writes. [`JobRow`], the statements that write rows (`log/queries.rs`, `log/together/queries.rs`) and their arguments all
//! come from this declaration. The way back, from the columns to the engine's types, is below it.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use roadcall_actors::{
    concern::Delay,
    ids::{MechanicId, OfferId},
    job::state::{
        Assignment, Cancellation, Completion, Destination, Job, JobDetails, JobSpec, Left, LiveOffer, Search,
        Stage, Status, Workshop,
    },
    offer::PartnerOrder,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sqlx::{
    FromRow, Postgres, Result, TypeInfo,
    postgres::{PgArguments, PgBindIterExt, PgHasArrayType},
    query::QueryAs,
    types::Json,
};
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    jobs::dto::{ContactPreference, JobConcern, JobStatus, LeaveReason, Outcome, Urgency},
    platform::db::StoredRow,
    wire::Named,
};

/// A statement whose arguments are being bound.
type Bound<'q, O> = QueryAs<'q, Postgres, O, PgArguments>;

/// A column's type, as an element of an array that has the column's values for several jobs.
trait Element: Sized {
    type Value: PgHasArrayType;

    /// The SQL that makes the column's value of an element.
    const CAST: &'static str = "";

    fn value(self) -> Self::Value;

    /// Returns the SQL for an element of the array that is this argument.
    fn sql(argument: usize, number: &str) -> String {
        let array = Self::Value::array_type_info();
        format!("(${argument}::{})[{number}]{}", array.name(), Self::CAST)
    }
}

macro_rules! elements {
    ($($column:ty,)+) => {
        $(impl Element for $column {
            type Value = Self;

            fn value(self) -> Self {
                self
            }
        })+
    };
}

elements! { bool, i32, i64, f64, String, Uuid, DateTime<Utc>, ContactPreference, }

impl<T> Element for Named<T> {
    type Value = Self;

    fn value(self) -> Self {
        self
    }
}

impl<T: PgHasArrayType> Element for Option<T> {
    type Value = Self;

    fn value(self) -> Self {
        self
    }
}

/// Postgres has no array of arrays of different lengths, so the elements are texts.
impl Element for Vec<Uuid> {
    type Value = String;

    const CAST: &'static str = "::uuid[]";

    fn value(self) -> String {
        let ids: Vec<String> = self.iter().map(Uuid::to_string).collect();
        format!("{{{}}}", ids.join(","))
    }
}

impl Element for Vec<String> {
    type Value = String;

    const CAST: &'static str = "::text[]";

    fn value(self) -> String {
        let quoted = |text: &String| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let texts: Vec<String> = self.iter().map(quoted).collect();
        format!("{{{}}}", texts.join(","))
    }
}

/// Returns the SQL that sets a kept column of the state `j`, which was `was`. The name that a completion brings is not written again:
/// the customer may have left since.
pub fn set_kept(column: &str, value: &str) -> String {
    match column {
        "received_by" => format!("received_by = case when was.is_open then {value} else j.received_by end"),
        _ => format!("{column} = {value}"),
    }
}

/// Declares the row's struct and the functions that bind its columns.
///
/// `created` columns, those of `job_facts`, are written once, with the job. `kept` columns, those of `job_states`, are written
/// then and at every change; the `conditions` of its indexes follow from them and are no fields of the struct. An expression after
/// a column's type is the column's value; it reads the parameter that is named before the block. The columns `elsewhere` are
/// written by other statements, or by SQL of their own in `log/queries.rs`.
macro_rules! job_row {
    (
        $(#[$attribute:meta])*
        $row:ident

        created from $creation:ident {
            $($(#[$created_attribute:meta])* $created:ident: $created_type:ty = $created_value:expr,)+
        }

        kept from $state:ident {
            $($(#[$kept_attribute:meta])* $kept:ident: $kept_type:ty = $kept_value:expr,)+
        }

        conditions {
            $($condition:ident: $condition_type:ty = $condition_value:expr,)+
        }

        elsewhere {
            $($(#[$other_attribute:meta])* $other:ident: $other_type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        pub struct $row {
            $($(#[$created_attribute])* pub $created: $created_type,)+
            $($(#[$kept_attribute])* pub $kept: $kept_type,)+
            $($(#[$other_attribute])* pub $other: $other_type,)+
        }

        impl $row {
            /// The columns whose values [`bind_created`] and [`bind_created_of_all`] bind, in that order.
            pub const CREATED: &'static [&'static str] = &[$(stringify!($created)),+];

            /// The columns whose values [`bind_kept`] binds, in that order.
            pub const KEPT: &'static [&'static str] = &[$(stringify!($kept),)+ $(stringify!($condition)),+];

            /// Returns SQL for the values of [`Self::CREATED`] of a job, whose place among several is `number`. `first` is the
            /// first of the arguments that [`bind_created_of_all`] binds.
            pub fn created_of_all(first: usize, number: &str) -> Vec<String> {
                let elements: &[fn(usize, &str) -> String] = &[$(<$created_type as Element>::sql),+];
                elements.iter().zip(first..).map(|(sql, argument)| sql(argument, number)).collect()
            }

            /// Returns SQL for the values of [`Self::KEPT`] of a job, likewise. [`bind_kept_of_all`] binds the arguments.
            pub fn kept_of_all(first: usize, number: &str) -> Vec<String> {
                let elements: &[fn(usize, &str) -> String] =
                    &[$(<$kept_type as Element>::sql,)+ $(<$condition_type as Element>::sql),+];
                elements.iter().zip(first..).map(|(sql, argument)| sql(argument, number)).collect()
            }

            /// Puts values back that a change of the job replaced.
            pub fn put_back(&mut self, replaced: &Map<String, Value>) -> serde_json::Result<()> {
                for (column, value) in replaced {
                    let value = value.clone();
                    match column.as_str() {
                        $(stringify!($created) => self.$created = serde_json::from_value(value)?,)+
                        $(stringify!($kept) => self.$kept = serde_json::from_value(value)?,)+
                        $(stringify!($other) => self.$other = serde_json::from_value(value)?,)+
                        // A row does not show the other columns of the tables.
                        _ => {}
                    }
                }
                Ok(())
            }
        }

        /// Binds the values of the columns that are written once.
        pub fn bind_created<'q, O>(query: Bound<'q, O>, $creation: &JobCreation<'q>) -> Bound<'q, O> {
            query$(.bind($created_value))+
        }

        /// Binds the values of the columns that are written once, an array for each column.
        pub fn bind_created_of_all<'q, O>(query: Bound<'q, O>, creations: &'q [JobCreation<'q>]) -> Bound<'q, O> {
            query$(.bind(
                creations.iter().map(|$creation: &JobCreation<'_>| Element::value($created_value)).bind_iter(),
            ))+
        }

        /// Binds the values of the columns that every change writes.
        pub fn bind_kept<'q, O>(query: Bound<'q, O>, $state: &JobState<'q>) -> Bound<'q, O> {
            query$(.bind::<$kept_type>($kept_value))+$(.bind::<$condition_type>($condition_value))+
        }

        /// Returns the values that a change replaces in the columns that every change writes, by column. The number of the job's
        /// last event is left out, since each entry of the log has its own.
        pub fn replaced_values(before: &JobState<'_>, after: &JobState<'_>) -> Map<String, Value> {
            let mut replaced = Map::new();
            $(
                let value = |$state: &JobState<'_>| -> $kept_type { $kept_value };
                let was = value(before);
                if was != value(after) && stringify!($kept) != "seq" {
                    replaced.insert(stringify!($kept).to_owned(), json!(was));
                }
            )+
            replaced
        }

        /// Binds the values of the columns that every change writes, an array for each column.
        pub fn bind_kept_of_all<'q, O>(query: Bound<'q, O>, states: &'q [JobState<'q>]) -> Bound<'q, O> {
            query$(.bind(
                states.iter().map(|$state: &JobState<'_>| <$kept_type as Element>::value($kept_value)).bind_iter(),
            ))+$(.bind(
                states.iter().map(|$state: &JobState<'_>| <$condition_type as Element>::value($condition_value)).bind_iter(),
            ))+
        }
    };
}

job_row! {
    /// A row of `jobs`, read from the view or from a snapshot in the log.
    #[derive(Debug, Clone, PartialEq, FromRow, Deserialize)]
    JobRow

    created from new {
        id: Uuid = new.job.id.0,
        customer_id: Uuid = new.spec.customer_id.0,
        vehicle_id: Uuid = new.spec.vehicle_id.0,
        vehicle_type: VehicleKind = Named(new.spec.vehicle_type),
        service_category_id: Uuid = new.spec.category_id.0,
        pickup_address: String = new.details.pickup_address.clone(),
        pickup_lat: f64 = new.spec.pickup.lat,
        pickup_lng: f64 = new.spec.pickup.lng,
        description: Option<String> = new.details.description.clone(),
        photo_urls: Vec<String> = new.details.photo_urls.clone(),
        beneficiary_name: Option<String> = new.details.beneficiary_name.clone(),
        beneficiary_phone: Option<String> = new.details.beneficiary_phone.clone(),
        contact_preference: ContactPreference = new.details.contact_preference.clone(),
        urgency: Urgency = Named(new.spec.urgency),
        scheduled_for: Option<DateTime<Utc>> = new.details.scheduled_for,
        begin_at: DateTime<Utc> = new.spec.begin_at,
        base_price_paise: i64 = new.spec.base_price_paise,
        travel_price_paise: i64 = new.spec.travel_price_paise,
        estimated_price_paise: i64 = new.spec.estimated_price_paise(),
        destination_address: Option<String> = new.destination.map(|to| to.address.clone()),
        destination_lat: Option<f64> = new.destination.map(|to| to.place.lat),
        destination_lng: Option<f64> = new.destination.map(|to| to.place.lng),
        destination_workshop_id: Option<Uuid> = new.workshop.map(|workshop| workshop.id),
        destination_workshop_name: Option<String> = new.workshop.map(|workshop| workshop.name.clone()),
        destination_distance_m: Option<i32> = new.destination.map(|to| int(to.distance_m)),
        destination_duration_s: Option<i32> = new.destination.map(|to| int(to.duration_s)),
        #[serde(default)]
        destination_price_paise: i64 = new.spec.destination_price_paise,
        receiver_name: Option<String> = new.destination.and_then(|to| to.receiver.name.clone()),
        receiver_phone: Option<String> = new.destination.and_then(|to| to.receiver.phone.clone()),
        #[serde(default)]
        service_category_name: String = new.spec.summary.category_name.clone(),
        #[serde(default)]
        service_category_slug: String = new.spec.summary.category_slug.clone(),
        #[serde(default)]
        vehicle_make: String = new.spec.summary.vehicle_make.clone(),
        #[serde(default)]
        vehicle_model: String = new.spec.summary.vehicle_model.clone(),
        vehicle_color: Option<String> = new.details.vehicle_color.clone(),
        #[serde(default)]
        vehicle_registration_number: String = new.details.vehicle_registration_number.clone(),
        case_id: Option<Uuid> = new.spec.on_account.map(|account| account.case_id),
        cover_paise: Option<i64> = new.spec.on_account.and_then(|account| account.cover_paise),
        partner_order: Option<Json<Arc<PartnerOrder>>> = new.spec.summary.order.clone().map(Json),
        created_at: DateTime<Utc> = new.at,
    }

    kept from now {
        status: JobStatus = Named(now.job.status()),
        seq: i64 = now.job.seq,
        attempt: i32 = int(now.job.attempt),
        round: i32 = now.search.map_or(0, |search| int(search.round)),
        offered_in_round: i32 = now.search.map_or(0, |search| int(search.offered_in_round)),
        attempt_ends_at: Option<DateTime<Utc>> = now.search.map(|search| search.ends_at),
        excluded_mechanics: Vec<Uuid> = ids(&now.job.excluded),
        expired_once_mechanics: Vec<Uuid> = ids(&now.job.expired_once),
        no_mechanic_until: Option<DateTime<Utc>> = now.no_mechanic_until,
        mechanic_profile_id: Option<Uuid> = now.assignment.map(|a| a.mechanic_id.0),
        accepted_offer_id: Option<Uuid> = now.assignment.and_then(|a| a.offer_id).map(|id| id.0),
        accepted_at: Option<DateTime<Utc>> = now.assignment.map(|a| a.accepted_at),
        promised_at: Option<DateTime<Utc>> = now.assignment.map(|a| a.promised_at),
        en_route_at: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.en_route_at),
        arrived_at: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.arrived_at),
        #[serde(default)]
        arrival_is_unproven: bool = now.assignment.is_some_and(|a| a.arrival_is_unproven),
        arrival_concern: Option<JobConcern> = now.assignment.and_then(|a| a.arrival_concern).map(Named),
        started_at: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.started_at),
        loaded_at: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.loaded_at),
        start_code: Option<String> = now.assignment.and_then(|a| a.start_code.clone()),
        wrong_start_codes: i32 = now.assignment.map_or(0, |a| int(a.wrong_codes)),
        start_locked_until: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.locked_until),
        concern: Option<JobConcern> = now.assignment.and_then(|a| a.delay).map(|delay| Named(delay.concern)),
        concern_since: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.delay).map(|delay| delay.since),
        navigating_since: Option<DateTime<Utc>> = now.assignment.and_then(|a| a.navigating_since),
        taken_back_at: Option<DateTime<Utc>> = now.assignment.filter(|a| a.is_taken_back).map(|a| a.accepted_at),
        left_mechanic_id: Option<Uuid> = now.job.left.map(|left| left.mechanic_id.0),
        left_reason: Option<LeaveReason> = now.job.left.map(|left| Named(left.reason)),
        left_at: Option<DateTime<Utc>> = now.job.left.map(|left| left.at),
        completed_at: Option<DateTime<Utc>> = now.completion.map(|done| done.at),
        outcome: Option<Outcome> = now.completion.map(|done| Named(done.outcome)),
        outcome_notes: Option<String> = now.completion.and_then(|done| done.notes.clone()),
        received_by: Option<String> = now.completion.and_then(|done| done.received_by.clone()),
        final_price_paise: Option<i64> = now.completion.map(|done| done.final_price_paise),
        disputed_at: Option<DateTime<Utc>> = now.completion.and_then(|done| done.disputed_at),
        resolved_at: Option<DateTime<Utc>> = now.completion.and_then(|done| done.resolved_at),
        cancelled_at: Option<DateTime<Utc>> = now.cancellation.map(|cancelled| cancelled.at),
        cancellation_fee_paise: Option<i64> = now.cancellation.map(|cancelled| cancelled.fee_paise),
        cancel_reason_code: Option<String> = now.cancellation.map(|cancelled| cancelled.reason_code.clone()),
        cancel_reason: Option<String> = now.cancellation.and_then(|cancelled| cancelled.reason.clone()),
        updated_at: DateTime<Utc> = now.at,
    }

    conditions {
        is_active: bool = now.job.status().is_active(),
        is_open: bool = now.job.status().is_open(),
        is_unfinished: bool = now.job.status().is_unfinished(),
    }

    elsewhere {
        version: i64,
        dispatch_version: Option<i64>,
        destination_driven_m: Option<i32>,
        hms_room_id: Option<String>,
        /// The customer's name; like the next two columns, as of the last event.
        customer_name: Option<String>,
        /// The customer's number, only while a mechanic is on the job.
        customer_phone: Option<String>,
        mechanic_name: Option<String>,
        #[serde(default)]
        corrections: i32,
        /// The original pickup, if it was moved since.
        original_pickup_lat: Option<f64>,
        original_pickup_lng: Option<f64>,
    }
}

impl StoredRow for JobRow {
    const TABLE: &'static str = "jobs";
}

/// A job that is being created, as its row shows it.
#[derive(Debug)]
pub struct JobCreation<'a> {
    job: &'a Job,
    spec: &'a JobSpec,
    details: &'a JobDetails,
    destination: Option<&'a Destination>,
    workshop: Option<&'a Workshop>,
    at: DateTime<Utc>,
}

impl<'a> JobCreation<'a> {
    pub fn of(job: &'a Job, details: &'a JobDetails, at: DateTime<Utc>) -> Self {
        let destination = job.spec.destination.as_deref();
        let workshop = destination.and_then(|destination| destination.workshop.as_ref());
        Self { job, spec: &job.spec, details, destination, workshop, at }
    }
}

/// A job after a change, with the parts of its stage that its row shows.
#[derive(Debug)]
pub struct JobState<'a> {
    job: &'a Job,
    search: Option<&'a Search>,
    no_mechanic_until: Option<DateTime<Utc>>,
    assignment: Option<&'a Assignment>,
    completion: Option<&'a Completion>,
    cancellation: Option<&'a Cancellation>,
    /// The time of the change.
    at: DateTime<Utc>,
}

impl<'a> JobState<'a> {
    pub fn of(job: &'a Job, at: DateTime<Utc>) -> Self {
        let (mut search, mut no_mechanic_until, mut cancellation) = (None, None, None);
        match &job.stage {
            Stage::Dispatching(present) => search = Some(present),
            Stage::NoMechanicFound { until } => no_mechanic_until = Some(*until),
            Stage::Cancelled(done) => cancellation = Some(done),
            Stage::Pending
            | Stage::Accepted(_)
            | Stage::EnRoute(_)
            | Stage::Arrived(_)
            | Stage::InProgress(_)
            | Stage::Completed(_)
            | Stage::Paid(_)
            | Stage::Disputed(_)
            | Stage::Resolved(_) => {}
        }
        let (assignment, completion) = (job.assignment(), job.completion());
        Self { job, search, no_mechanic_until, assignment, completion, cancellation, at }
    }

    /// Returns the mechanic who serves, or served, the job.
    pub fn mechanic(&self) -> Option<Uuid> {
        self.assignment.map(|assignment| assignment.mechanic_id.0)
    }

    /// Returns the version of the dispatch settings that the search uses, if the job is searching.
    pub fn dispatch_version(&self) -> Option<i64> {
        self.search.map(|_| self.job.spec.search.version)
    }
}

impl JobRow {
    /// Returns the job's stage; `offers` are those that may still be answered. Fails if the row lacks a column that its status
    /// needs.
    pub fn stage(&self, offers: Vec<LiveOffer>) -> Result<Stage> {
        let assigned = || self.assignment().ok_or_else(|| self.incomplete("a mechanic"));
        let completed = || self.completion(assigned()?);
        Ok(match self.status.0 {
            Status::Pending => Stage::Pending,
            Status::Dispatching => Stage::Dispatching(Search {
                round: whole(self.round),
                offered_in_round: whole(self.offered_in_round),
                ends_at: self.attempt_ends_at.unwrap_or(self.updated_at),
                offers,
            }),
            Status::Accepted => Stage::Accepted(assigned()?),
            Status::EnRoute => Stage::EnRoute(assigned()?),
            Status::Arrived => Stage::Arrived(assigned()?),
            Status::InProgress => Stage::InProgress(assigned()?),
            Status::Completed => Stage::Completed(completed()?),
            Status::Paid => Stage::Paid(completed()?),
            Status::Disputed => Stage::Disputed(completed()?),
            Status::Resolved => Stage::Resolved(completed()?),
            Status::NoMechanicFound => {
                Stage::NoMechanicFound { until: self.no_mechanic_until.unwrap_or(self.updated_at) }
            }
            Status::Cancelled => Stage::Cancelled(Cancellation {
                assignment: self.assignment(),
                fee_paise: self.cancellation_fee_paise.unwrap_or_default(),
                reason_code: self.cancel_reason_code.clone().unwrap_or_default(),
                reason: self.cancel_reason.clone(),
                at: self.cancelled_at.unwrap_or(self.updated_at),
            }),
        })
    }

    /// Returns the mechanic who had the job last and did not finish it.
    pub fn left(&self) -> Option<Left> {
        let (mechanic_id, reason) = (MechanicId(self.left_mechanic_id?), self.left_reason?.0);
        Some(Left { mechanic_id, reason, at: self.left_at? })
    }

    fn completion(&self, assignment: Assignment) -> Result<Completion> {
        Ok(Completion {
            assignment,
            outcome: self.outcome.ok_or_else(|| self.incomplete("an outcome"))?.0,
            notes: self.outcome_notes.clone(),
            received_by: self.received_by.clone(),
            final_price_paise: self.final_price_paise.unwrap_or(self.estimated_price_paise),
            at: self.completed_at.unwrap_or(self.updated_at),
            disputed_at: self.disputed_at,
            resolved_at: self.resolved_at,
        })
    }

    fn assignment(&self) -> Option<Assignment> {
        let accepted_at = self.accepted_at?;
        Some(Assignment {
            mechanic_id: MechanicId(self.mechanic_profile_id?),
            offer_id: self.accepted_offer_id.map(OfferId),
            accepted_at,
            promised_at: self.promised_at.unwrap_or(accepted_at),
            en_route_at: self.en_route_at,
            arrived_at: self.arrived_at,
            arrival_is_unproven: self.arrival_is_unproven,
            arrival_concern: self.arrival_concern.map(|concern| concern.0),
            started_at: self.started_at,
            loaded_at: self.loaded_at,
            start_code: self.start_code.clone(),
            wrong_codes: whole(self.wrong_start_codes),
            locked_until: self.start_locked_until,
            delay: self.delay(),
            navigating_since: self.navigating_since,
            is_taken_back: self.taken_back_at == Some(accepted_at),
        })
    }

    fn delay(&self) -> Option<Delay> {
        let concern = self.concern?.0;
        Some(Delay { concern, since: self.concern_since? })
    }

    fn incomplete(&self, what: &str) -> sqlx::Error {
        sqlx::Error::Decode(format!("jobs {}: status {} without {what}", self.id, self.status).into())
    }
}

/// Converts a column to a count; a negative number, which no column has, counts as 0.
pub(super) fn whole(number: i32) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// Converts a count to a column's type.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn ids(mechanics: &BTreeSet<MechanicId>) -> Vec<Uuid> {
    mechanics.iter().map(|id| id.0).collect()
}
