//! The job as each reader sees it.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::Status;

use crate::jobs::{
    coarsening,
    context::JobsContext,
    dto::{Job, MechanicLeft},
    on_account::{self, JobPartner},
    people,
    queries::JobRow,
    shown::{ListedJob, ShownJob},
    towing,
    viewer::Viewer,
    visibility::JobVisibility,
};

/// Returns why nobody is on a job that had a mechanic.
fn mechanic_left(row: &ShownJob) -> Option<MechanicLeft> {
    let is_free = matches!(row.status.0, Status::Dispatching | Status::NoMechanicFound);
    let (reason, at) = (row.left_reason.filter(|_| is_free)?, row.left_at?);
    Some(MechanicLeft { reason, at: at.into() })
}

/// Returns whether an admin gave the job to its mechanic, of whom nothing has shown since that they are coming.
fn is_unconfirmed(row: &ShownJob) -> bool {
    let is_taken_back = row.taken_back_at.is_some() && row.taken_back_at == row.accepted_at;
    row.status.0 == Status::Accepted && row.accepted_offer_id.is_none() && !is_taken_back
}

/// Returns whether a mechanic sees only roughly where a job was that ended at `over_at`.
pub fn is_long_past(over_at: DateTime<Utc>, visibility: &JobVisibility, now: DateTime<Utc>) -> bool {
    over_at + visibility.exact_for <= now
}

/// Returns whether the viewer sees only roughly where the job was: a mechanic, some time after it, unless it is contested.
pub fn is_rough(row: &JobRow, viewer: Viewer, visibility: &JobVisibility, now: DateTime<Utc>) -> bool {
    is_rough_after(row.cancelled_at.or(row.completed_at), row.status.0, viewer, visibility, now)
}

fn is_rough_after(
    over_at: Option<DateTime<Utc>>,
    status: Status,
    viewer: Viewer,
    visibility: &JobVisibility,
    now: DateTime<Utc>,
) -> bool {
    let over_at = over_at.filter(|_| viewer == Viewer::Mechanic && status != Status::Disputed);
    over_at.is_some_and(|at| is_long_past(at, visibility, now))
}

/// Removes from the job everything that says exactly where its customer was, and who they are.
pub(super) fn roughly(job: Job) -> Job {
    Job {
        pickup_address: coarsening::shortened(&job.pickup_address),
        pickup_lat: coarsening::rounded(job.pickup_lat),
        pickup_lng: coarsening::rounded(job.pickup_lng),
        destination: job.destination.map(towing::roughly),
        received_by: None,
        description: None,
        photo_urls: Vec::new(),
        beneficiary_name: None,
        customer_first_name: None,
        contact: None,
        partner: job.partner.map(JobPartner::roughly),
        ..job
    }
}

/// Returns the job as `viewer` may see it now.
pub fn present(row: &JobRow, viewer: Viewer, context: &JobsContext) -> Job {
    present_at(row.into(), viewer, &context.visibility, context.clock.now())
}

/// Returns the job of a list as `viewer` may see it at that time. A mechanic sees no request to be called.
pub(super) fn present_listed(
    ListedJob { job, callback }: ListedJob,
    viewer: Viewer,
    visibility: &JobVisibility,
    now: DateTime<Utc>,
) -> Job {
    let callback = callback.filter(|_| viewer != Viewer::Mechanic);
    let callback = callback.map(|callback| callback.settled(job.accepted_at).into());
    Job { callback, ..present_at(job, viewer, visibility, now) }
}

fn present_at(row: ShownJob, viewer: Viewer, visibility: &JobVisibility, now: DateTime<Utc>) -> Job {
    let over_at = row.cancelled_at.or(row.completed_at);
    let is_rough = is_rough_after(over_at, row.status.0, viewer, visibility, now);
    let job = in_full(row, viewer, visibility, now);
    if is_rough { roughly(job) } else { job }
}

fn in_full(mut row: ShownJob, viewer: Viewer, visibility: &JobVisibility, now: DateTime<Utc>) -> Job {
    let shows_code = matches!(row.status.0, Status::Accepted | Status::EnRoute | Status::Arrived);
    let (vehicle, contact) = (people::vehicle(&row, viewer), people::contact(&row, viewer, visibility, now));
    let (start_code, beneficiary_phone) = (row.start_code.take(), row.beneficiary_phone.take());
    let partner = on_account::partner(&row, viewer, visibility);
    let order = row.partner_order.as_ref().map(|order| &*order.0);
    let prices = on_account::prices(order, viewer, visibility.rates);
    let job = Job {
        destination: towing::destination(&row, viewer),
        beneficiary_phone: beneficiary_phone.filter(|_| viewer != Viewer::Mechanic),
        customer_first_name: people::customer_first_name(&row, viewer),
        contact,
        start_code: start_code.filter(|_| viewer == Viewer::Customer && shows_code),
        mechanic_left: mechanic_left(&row).filter(|_| viewer != Viewer::Mechanic),
        is_unconfirmed: is_unconfirmed(&row),
        partner,
        ..Job::seen_by_all(row, vehicle, visibility.currency.clone())
    };
    job.priced(prices)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        jobs::people::{ContactPerson, ContactRole, ContactWay, JobContact},
        service::settings::Settings,
        wire::Named,
    };
    use chrono::TimeDelta;
    use roadcall_actors::job::state::LeaveReason;
    use serde_json::json;
    use uuid::Uuid;

    pub fn row(status: &str) -> JobRow {
        let id = Uuid::from_u128(7);
        let at = "2026-01-01T00:00:00Z";
        serde_json::from_value(json!({
            "id": id, "customer_id": id, "vehicle_id": id, "vehicle_type": "two_wheeler",
            "service_category_id": id, "status": status, "version": 3, "seq": 3, "pickup_address": "here",
            "pickup_lat": 1.0, "pickup_lng": 2.0, "photo_urls": [], "beneficiary_phone": "+919999999999",
            "contact_preference": "booker", "urgency": "normal", "begin_at": at, "base_price_paise": 100,
            "travel_price_paise": 50, "estimated_price_paise": 150, "attempt": 1, "round": 1,
            "offered_in_round": 0, "excluded_mechanics": [], "expired_once_mechanics": [],
            "start_code": "1234", "wrong_start_codes": 0, "created_at": at, "updated_at": at,
        }))
        .expect("a snapshot")
    }

    fn shown(row: &JobRow, viewer: Viewer) -> Job {
        in_full(row.into(), viewer, &Settings::defaults().job_visibility(), row.updated_at)
    }

    #[test]
    fn the_start_code_is_for_the_customer_alone_and_only_until_the_work_starts() {
        for (status, viewer, is_shown) in [
            ("accepted", Viewer::Customer, true),
            ("arrived", Viewer::Customer, true),
            ("in_progress", Viewer::Customer, false),
            ("arrived", Viewer::Mechanic, false),
            ("arrived", Viewer::Admin, false),
        ] {
            let job = shown(&row(status), viewer);
            assert_eq!(job.start_code.is_some(), is_shown, "{status} to {viewer:?}");
        }
    }

    #[test]
    fn why_a_mechanic_left_is_shown_until_another_has_the_job() {
        for (status, viewer, is_shown) in [
            ("dispatching", Viewer::Customer, true),
            ("no_mechanic_found", Viewer::Admin, true),
            ("dispatching", Viewer::Mechanic, false),
            ("accepted", Viewer::Customer, false),
            ("cancelled", Viewer::Customer, false),
        ] {
            let at = "2026-01-01T00:00:00Z".parse().expect("a time");
            let left_reason = Some(Named(LeaveReason::MissingParts));
            let row = JobRow { left_reason, left_at: Some(at), ..row(status) };
            let left = shown(&row, viewer).mechanic_left;
            assert_eq!(left.is_some(), is_shown, "{status} to {viewer:?}");
        }
        assert!(shown(&row("dispatching"), Viewer::Customer).mechanic_left.is_none());
    }

    #[test]
    fn only_an_assignment_is_unconfirmed_until_its_mechanic_sets_out() {
        let at: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
        let earlier = at - TimeDelta::minutes(9);
        let offer = Some(Uuid::from_u128(9));
        for (status, accepted_offer_id, taken_back_at, is_open) in [
            ("accepted", None, None, true),
            ("accepted", offer, None, false),
            ("accepted", None, Some(at), false),
            // The mechanic took the job back, lost it again, and then was assigned.
            ("accepted", None, Some(earlier), true),
            ("en_route", None, None, false),
            ("dispatching", None, None, false),
        ] {
            let row = JobRow { accepted_offer_id, taken_back_at, accepted_at: Some(at), ..row(status) };
            assert_eq!(
                is_unconfirmed(&ShownJob::from(&row)),
                is_open,
                "{status} {accepted_offer_id:?} {taken_back_at:?}"
            );
        }
    }

    #[test]
    fn a_mechanic_never_sees_the_beneficiarys_phone() {
        assert_eq!(shown(&row("arrived"), Viewer::Mechanic).beneficiary_phone, None);
        assert!(shown(&row("arrived"), Viewer::Customer).beneficiary_phone.is_some());
    }

    #[test]
    fn a_mechanic_who_is_not_paid_sees_names_for_a_month_and_each_way_until_it_is_closed() {
        let mut settings = Settings::defaults();
        (settings.chat.writable_after_end_s, settings.calls.open_after_end_h) = (10 * 60, 1);
        let visibility = settings.job_visibility();
        let ended: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().expect("a time");
        let row = JobRow {
            completed_at: Some(ended),
            customer_name: Some("Asha Rao".to_owned()),
            customer_phone: Some("+919999999999".to_owned()),
            ..row("completed")
        };
        let shown = |minutes| {
            let now = ended + TimeDelta::minutes(minutes);
            let job = present_at(ShownJob::from(&row), Viewer::Mechanic, &visibility, now);
            (job.customer_first_name, job.contact)
        };
        let contact = |ways| {
            let person =
                ContactPerson { who: ContactRole::Booker, first_name: Some("Asha".to_owned()), phone: None };
            (Some("Asha".to_owned()), Some(JobContact { ways, people: vec![person] }))
        };
        assert_eq!(shown(10), contact(vec![ContactWay::Chat, ContactWay::Call]));
        assert_eq!(shown(11), contact(vec![ContactWay::Call]));
        assert_eq!(shown(60), contact(vec![ContactWay::Call]));
        assert_eq!(shown(61), contact(Vec::new()));
        assert_eq!(shown(30 * 24 * 60), (None, None), "the job is shown only roughly");
    }

    #[test]
    fn a_mechanic_sees_only_roughly_where_they_were_a_month_ago() {
        let visibility = Settings::defaults().job_visibility();
        let ended: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().expect("a time");
        let day = |days| ended + TimeDelta::days(days);
        let mut row = row("paid");
        (row.completed_at, row.pickup_lat, row.pickup_lng) = (Some(ended), 12.97164, 77.59461);
        (row.pickup_address, row.description) =
            ("12 MG Road, Bengaluru".to_owned(), Some("Green gate".to_owned()));
        for (status, viewer, now, is_exact) in [
            ("paid", Viewer::Mechanic, day(29), true),
            ("paid", Viewer::Mechanic, day(30), false),
            ("cancelled", Viewer::Mechanic, day(31), false),
            ("disputed", Viewer::Mechanic, day(31), true),
            ("paid", Viewer::Customer, day(3000), true),
            ("paid", Viewer::Admin, day(3000), true),
        ] {
            row.status = status.parse().expect("a status");
            let job = present_at(ShownJob::from(&row), viewer, &visibility, now);
            assert_eq!(
                job.pickup_lat == 12.97164 && job.description.is_some(),
                is_exact,
                "{status} {viewer:?}"
            );
            if !is_exact {
                assert_eq!(
                    (job.pickup_lat, job.pickup_lng, &*job.pickup_address),
                    (12.97, 77.59, "Bengaluru")
                );
                assert_eq!(job.description, None);
            }
        }
        row.completed_at = None;
        assert_eq!(
            present_at(ShownJob::from(&row), Viewer::Mechanic, &visibility, day(3000)).pickup_lat,
            12.97164,
            "under way"
        );
    }
}
