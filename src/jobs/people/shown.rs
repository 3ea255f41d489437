//! The vehicle of a job and the people whom its mechanic contacts, as each reader may see them. Pure.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::Status;

use super::dto::{ContactPerson, ContactRole, ContactWay, JobContact, JobVehicle};
use crate::{
    fleet::mechanics::first_name,
    jobs::{dto::ContactPreference, shown::ShownJob, viewer::Viewer, visibility::JobVisibility},
};

/// Returns whether the viewer may recognise the vehicle and its people. A mechanic may do so only while they are on the job.
pub fn may_recognise(row: &ShownJob, viewer: Viewer) -> bool {
    viewer != Viewer::Mechanic || row.status.is_active()
}

/// Returns whether the mechanic may still contact the customer: they are on the job, or wait for the money.
pub fn may_contact(row: &ShownJob) -> bool {
    row.status.is_active() || row.status.0 == Status::Completed
}

pub fn customer_first_name(row: &ShownJob, viewer: Viewer) -> Option<String> {
    let is_shown = viewer != Viewer::Mechanic || may_contact(row);
    row.customer_name.as_deref().filter(|_| is_shown).and_then(first_name)
}

pub fn vehicle(row: &ShownJob, viewer: Viewer) -> JobVehicle {
    let plate = Some(&row.vehicle_registration_number)
        .filter(|plate| may_recognise(row, viewer) && !plate.is_empty());
    JobVehicle {
        vehicle_type: row.vehicle_type,
        make: row.vehicle_make.clone(),
        model: row.vehicle_model.clone(),
        color: row.vehicle_color.clone(),
        registration_number: plate.cloned(),
    }
}

/// Returns the people whom the mechanic contacts, from acceptance until they are paid or the job ends otherwise; `None` for all
/// other viewers. The numbers are removed when the work ends, and each way in the app some time after it.
pub fn contact(
    row: &ShownJob,
    viewer: Viewer,
    visibility: &JobVisibility,
    now: DateTime<Utc>,
) -> Option<JobContact> {
    if viewer != Viewer::Mechanic || !may_contact(row) {
        return None;
    }
    let shown = |phone: &Option<String>| phone.clone().filter(|_| visibility.shows_numbers);
    let booker = ContactPerson {
        who: ContactRole::Booker,
        first_name: row.customer_name.as_deref().and_then(first_name),
        phone: shown(&row.customer_phone),
    };
    let beneficiary = ContactPerson {
        who: ContactRole::Beneficiary,
        first_name: row.beneficiary_name.as_deref().and_then(first_name),
        phone: shown(&row.beneficiary_phone),
    };
    let people = match row.contact_preference {
        ContactPreference::Booker => vec![booker],
        ContactPreference::Beneficiary => vec![beneficiary],
        ContactPreference::Both => vec![beneficiary, booker],
    };
    let contact = JobContact { ways: vec![ContactWay::Chat, ContactWay::Call], people };
    let contact = if row.status.is_active() { contact } else { contact.without_numbers() };
    Some(match row.completed_at {
        Some(completed_at) => contact.still_open(completed_at, visibility, now),
        None => contact,
    })
}
