//! The columns of a job that its readers are shown, and a job of a list. A list reads nothing else of its jobs.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use roadcall_actors::offer::PartnerOrder;
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    jobs::{
        callbacks::CallbackRow,
        dto::{ContactPreference, JobConcern, JobStatus, LeaveReason, Outcome, Urgency},
        queries::JobRow,
    },
    platform::db::{Columns, OrderedRow},
};

/// The columns of [`ListedJob`], in its order: of a job `j` and of a request to be called `c`.
macro_rules! listed_columns {
    () => {
        "j.id, j.customer_id, j.vehicle_id, j.vehicle_type, j.vehicle_make, j.vehicle_model,
            j.vehicle_color, j.vehicle_registration_number, j.service_category_id,
            j.service_category_name, j.service_category_slug, j.status, j.seq, j.pickup_address,
            j.pickup_lat, j.pickup_lng, j.destination_address, j.destination_lat, j.destination_lng,
            j.destination_workshop_id, j.destination_workshop_name, j.destination_distance_m,
            j.destination_duration_s, j.destination_driven_m, j.receiver_name, j.receiver_phone,
            j.description, j.photo_urls, j.beneficiary_name, j.beneficiary_phone, j.contact_preference,
            j.customer_name, j.customer_phone, j.urgency, j.scheduled_for, j.base_price_paise,
            j.travel_price_paise, j.destination_price_paise, j.estimated_price_paise,
            j.final_price_paise, j.cancellation_fee_paise, j.mechanic_profile_id, j.mechanic_name,
            j.start_code, j.hms_room_id, j.outcome, j.outcome_notes, j.received_by, j.cancel_reason_code,
            j.cancel_reason, j.accepted_offer_id, j.accepted_at, j.taken_back_at, j.promised_at,
            j.concern, j.concern_since, j.navigating_since, j.left_reason, j.left_at, j.en_route_at,
            j.arrived_at, j.started_at, j.loaded_at, j.completed_at, j.cancelled_at, j.disputed_at,
            j.resolved_at, j.case_id, j.partner_order, j.created_at, j.updated_at,
            c.job_id, c.requested_at, c.note, c.done_at, c.done_by, c.outcome, c.done_note"
    };
}

pub(super) use listed_columns;

macro_rules! shown_job {
    ($($column:ident: $kind:ty,)+) => {
        /// The columns of a job's row that readers are shown, some of them only to some readers.
        #[derive(Debug, Clone)]
        pub struct ShownJob { $(pub $column: $kind,)+ }

        impl ShownJob {
            #[cfg(test)]
            const COLUMNS: &[&str] = &[$(stringify!($column)),+];
        }

        impl From<&JobRow> for ShownJob {
            #[allow(clippy::clone_on_copy)]
            fn from(row: &JobRow) -> Self {
                Self { $($column: row.$column.clone(),)+ }
            }
        }

        impl OrderedRow for ShownJob {
            const TABLE: &'static str = "jobs";

            fn in_order(columns: &mut Columns<'_>) -> sqlx::Result<Self> {
                Ok(Self { $($column: columns.read()?,)+ })
            }
        }
    };
}

shown_job! {
    id: Uuid,
    customer_id: Uuid,
    vehicle_id: Uuid,
    vehicle_type: VehicleKind,
    vehicle_make: String,
    vehicle_model: String,
    vehicle_color: Option<String>,
    vehicle_registration_number: String,
    service_category_id: Uuid,
    service_category_name: String,
    service_category_slug: String,
    status: JobStatus,
    seq: i64,
    pickup_address: String,
    pickup_lat: f64,
    pickup_lng: f64,
    destination_address: Option<String>,
    destination_lat: Option<f64>,
    destination_lng: Option<f64>,
    destination_workshop_id: Option<Uuid>,
    destination_workshop_name: Option<String>,
    destination_distance_m: Option<i32>,
    destination_duration_s: Option<i32>,
    destination_driven_m: Option<i32>,
    receiver_name: Option<String>,
    receiver_phone: Option<String>,
    description: Option<String>,
    photo_urls: Vec<String>,
    beneficiary_name: Option<String>,
    beneficiary_phone: Option<String>,
    contact_preference: ContactPreference,
    customer_name: Option<String>,
    customer_phone: Option<String>,
    urgency: Urgency,
    scheduled_for: Option<DateTime<Utc>>,
    base_price_paise: i64,
    travel_price_paise: i64,
    destination_price_paise: i64,
    estimated_price_paise: i64,
    final_price_paise: Option<i64>,
    cancellation_fee_paise: Option<i64>,
    mechanic_profile_id: Option<Uuid>,
    mechanic_name: Option<String>,
    start_code: Option<String>,
    hms_room_id: Option<String>,
    outcome: Option<Outcome>,
    outcome_notes: Option<String>,
    received_by: Option<String>,
    cancel_reason_code: Option<String>,
    cancel_reason: Option<String>,
    accepted_offer_id: Option<Uuid>,
    accepted_at: Option<DateTime<Utc>>,
    taken_back_at: Option<DateTime<Utc>>,
    promised_at: Option<DateTime<Utc>>,
    concern: Option<JobConcern>,
    concern_since: Option<DateTime<Utc>>,
    navigating_since: Option<DateTime<Utc>>,
    left_reason: Option<LeaveReason>,
    left_at: Option<DateTime<Utc>>,
    en_route_at: Option<DateTime<Utc>>,
    arrived_at: Option<DateTime<Utc>>,
    started_at: Option<DateTime<Utc>>,
    loaded_at: Option<DateTime<Utc>>,
    completed_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    disputed_at: Option<DateTime<Utc>>,
    resolved_at: Option<DateTime<Utc>>,
    case_id: Option<Uuid>,
    partner_order: Option<Json<Arc<PartnerOrder>>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// A job of a list, with the customer's request to be called.
#[derive(Debug, Clone)]
pub struct ListedJob {
    pub job: ShownJob,
    pub callback: Option<CallbackRow>,
}

impl OrderedRow for ListedJob {
    const TABLE: &'static str = "jobs";

    fn in_order(columns: &mut Columns<'_>) -> sqlx::Result<Self> {
        let job = ShownJob::in_order(columns)?;
        let callback = match columns.read::<Option<Uuid>>()? {
            Some(job_id) => Some(CallbackRow {
                job_id,
                requested_at: columns.read()?,
                note: columns.read()?,
                done_at: columns.read()?,
                done_by: columns.read()?,
                outcome: columns.read()?,
                done_note: columns.read()?,
            }),
            None => None,
        };
        Ok(Self { job, callback })
    }
}

#[cfg(test)]
mod tests {
    use super::ShownJob;

    #[test]
    fn statements_list_the_columns_in_the_order_in_which_they_are_read() {
        let listed: Vec<&str> = listed_columns!().split(',').map(str::trim).collect();
        let shown: Vec<String> = ShownJob::COLUMNS.iter().map(|column| format!("j.{column}")).collect();
        let of_callback = ["job_id", "requested_at", "note", "done_at", "done_by", "outcome", "done_note"];
        let of_callback = of_callback.map(|column| format!("c.{column}"));
        assert_eq!(listed, [&shown[..], &of_callback[..]].concat());
    }
}
