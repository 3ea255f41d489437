//! The organisation that ordered a job, as each reader may see it, and the photos that it needs.

use std::collections::{BTreeMap, BTreeSet};

use roadcall_actors::{job::state::Status, offer::PartnerOrder};
use sqlx::PgExecutor;
use uuid::Uuid;

use super::{dto::JobPartner, prices::ShownPrices, queries::orders_of};
use crate::{
    accounting::{
        dues,
        ledger::{ShareRates, Shares},
    },
    http::Money,
    jobs::{
        context::JobsContext,
        people::{may_contact, may_recognise},
        queries::{self, JobRow},
        shown::ShownJob,
        viewer::Viewer,
        visibility::JobVisibility,
    },
    platform::error::{ApiError, ApiResult, Code},
};

/// Returns the organisation that ordered the job, as the viewer may see it. The rules of the job's contact decide which people are shown.
pub fn partner(row: &ShownJob, viewer: Viewer, visibility: &JobVisibility) -> Option<JobPartner> {
    let price_paise = row.final_price_paise.unwrap_or(row.estimated_price_paise);
    let earnings = Money(Shares::of(price_paise, visibility.rates).mechanic_paise);
    let mut partner = JobPartner::of(&row.partner_order.as_ref()?.0, earnings);
    if !may_recognise(row, viewer) {
        partner = partner.without_access();
    }
    if viewer == Viewer::Admin {
        partner.case_id = row.case_id;
    }
    if viewer == Viewer::Mechanic {
        if !may_contact(row) {
            partner = partner.without_contacts();
        } else if !row.status.is_active() || !visibility.shows_numbers {
            partner = partner.without_numbers();
        }
    }
    Some(partner)
}

/// Returns how the viewer sees the prices of a job that was ordered in this way.
pub fn prices(order: Option<&PartnerOrder>, viewer: Viewer, rates: ShareRates) -> ShownPrices {
    match viewer {
        Viewer::Mechanic => ShownPrices::to_mechanic(order, rates),
        Viewer::Customer | Viewer::Admin => ShownPrices::IN_FULL,
    }
}

/// How a mechanic sees the prices of several jobs.
#[derive(Debug)]
pub struct PricesOfJobs(BTreeMap<Uuid, ShownPrices>);

impl PricesOfJobs {
    pub async fn to_mechanic(
        db: impl PgExecutor<'_>,
        job_ids: &[Uuid],
        rates: ShareRates,
    ) -> sqlx::Result<Self> {
        // A customer serves none of the jobs in their lists.
        if job_ids.is_empty() {
            return Ok(Self(BTreeMap::new()));
        }
        let orders = orders_of(db, job_ids).await?;
        let prices = orders.iter().map(|(id, order)| (*id, ShownPrices::to_mechanic(Some(&order.0), rates)));
        Ok(Self(prices.collect()))
    }

    /// Returns how the prices of one of the jobs are shown.
    pub fn of(&self, job_id: Uuid) -> ShownPrices {
        self.0.get(&job_id).copied().unwrap_or(ShownPrices::IN_FULL)
    }
}

/// Returns what the person who is helped pays of completed work in cash.
pub async fn driver_pays(context: &JobsContext, row: &JobRow) -> ApiResult<Option<Money>> {
    if row.case_id.is_none() || row.completed_at.is_none() {
        return Ok(None);
    }
    let due = dues::find(&context.db, row.id).await?;
    Ok(due.map(|due| Money(due.due_paise - due.account_paise)))
}

/// Refuses to complete work without the photos that the organisation needs; `new` come with the completion.
pub async fn check_photos(context: &JobsContext, row: &JobRow, new: &[String]) -> ApiResult<()> {
    let Some(order) = row.partner_order.as_ref().filter(|order| order.photos_required > 0) else {
        return Ok(());
    };
    if row.status.0 != Status::InProgress {
        return Ok(());
    }
    let earlier = queries::photos(&context.db, row.id).await?;
    let taken: BTreeSet<&str> =
        earlier.iter().map(|photo| photo.file_url.as_str()).chain(new.iter().map(String::as_str)).collect();
    let missing = (order.photos_required as usize).saturating_sub(taken.len());
    if missing == 0 {
        return Ok(());
    }
    let photos = if missing == 1 { "1 more photo".to_owned() } else { format!("{missing} more photos") };
    let why = format!("Add {photos} before you complete this job: {} needs them.", order.name);
    Err(ApiError::new(Code::Conflict, why))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use roadcall_actors::offer::{OrderedPlace, OrderedVehicle, PartnerOrder, PlaceContact};
    use sqlx::types::Json;

    use super::*;
    use crate::{jobs::view::tests::row, service::settings::Settings};

    fn order() -> PartnerOrder {
        let contact = PlaceContact { name: "Ravi".to_owned(), phone: "+919845012345".to_owned() };
        PartnerOrder {
            name: "Bharat Insurance".to_owned(),
            notes: Some("Call Ravi, 98450 12345".to_owned()),
            place: OrderedPlace {
                clearance_cm: Some(190),
                keys_at: Some("Under the mat".to_owned()),
                pickup_contact: Some(contact),
                ..OrderedPlace::default()
            },
            vehicle: OrderedVehicle { vin: Some("MA3".to_owned()), ..OrderedVehicle::default() },
            ..PartnerOrder::default()
        }
    }

    fn seen(status: &str, viewer: Viewer) -> JobPartner {
        let case_id = Some(Uuid::from_u128(8));
        let row = JobRow { case_id, partner_order: Some(Json(Arc::new(order()))), ..row(status) };
        let visibility = JobVisibility { shows_numbers: true, ..Settings::defaults().job_visibility() };
        partner(&ShownJob::from(&row), viewer, &visibility).expect("an organisation")
    }

    #[test]
    fn keys_and_people_are_for_the_mechanic_while_they_are_on_the_job() {
        for (status, viewer, sees_keys, sees_name, sees_number) in [
            ("accepted", Viewer::Mechanic, true, true, true),
            ("in_progress", Viewer::Mechanic, true, true, true),
            ("completed", Viewer::Mechanic, false, true, false),
            ("paid", Viewer::Mechanic, false, false, false),
            ("cancelled", Viewer::Mechanic, false, false, false),
            ("paid", Viewer::Admin, true, true, true),
        ] {
            let partner = seen(status, viewer);
            let contact = partner.pickup_contact.as_ref();
            let shown = (
                partner.keys_at.is_some() && partner.vehicle.vin.is_some(),
                contact.is_some(),
                contact.is_some_and(|contact| contact.phone.is_some()),
            );
            assert_eq!(shown, (sees_keys, sees_name, sees_number), "{status} to {viewer:?}");
        }
    }

    #[test]
    fn only_admins_see_the_id_of_the_case() {
        for (viewer, is_shown) in
            [(Viewer::Admin, true), (Viewer::Mechanic, false), (Viewer::Customer, false)]
        {
            assert_eq!(seen("in_progress", viewer).case_id.is_some(), is_shown, "{viewer:?}");
        }
    }

    #[test]
    fn an_offer_names_nobody_and_hides_keys_and_numbers() {
        let offered = JobPartner::offered(&order(), Money(0));
        assert_eq!(offered.notes_for_mechanic.as_deref(), Some("Call Ravi, •••"));
        assert_eq!((&offered.keys_at, &offered.vehicle.vin, &offered.pickup_contact), (&None, &None, &None));
        assert_eq!((offered.clearance_cm, &*offered.name), (Some(190), "Bharat Insurance"));
        let past = offered.roughly();
        assert_eq!((past.notes_for_mechanic, past.clearance_cm), (None, None));
    }
}
