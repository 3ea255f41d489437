//! Puts together what partners and admins see of a case and its jobs.

use std::collections::HashMap;

use uuid::Uuid;

use super::{
    dto::{
        AccountJobPosition, AdminPartnerCase, PartnerCase, PartnerItem, PartnerJob, PartnerPhoto,
        UnlinkedPhoto,
    },
    owned::JobOfCase,
    queries::{self, CaseRow},
};
use crate::{
    accounts::{
        organisations,
        uploads::{self, UploadsContext},
    },
    jobs::{self, JobRow, JobsContext, on_account},
    partners::feeds::{self, JobSnapshot},
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
    tracking::{self, Location},
};

/// The most line items of a job that are shown: as many as a job has.
const MAX_ITEMS: i64 = 50;

/// The most photos of a job's work that are shown: as many as a job has.
const MAX_PHOTOS: i64 = 50;

/// Returns a case with its jobs as they are now.
pub async fn case(core: &Core, id: Uuid) -> ApiResult<PartnerCase> {
    let row = queries::find(&core.db, id).await?.ok_or_else(no_such_case)?;
    found_case(core, row).await
}

/// Returns a case whose row was just read, with its jobs as they are now.
pub async fn found_case(core: &Core, row: CaseRow) -> ApiResult<PartnerCase> {
    let snapshot = feeds::snapshot(core, row.id).await?.ok_or_else(no_such_case)?;
    Ok(PartnerCase::of(row, snapshot))
}

/// Returns a case with its organisation, for admins.
pub async fn to_admin(core: &Core, id: Uuid) -> ApiResult<AdminPartnerCase> {
    let case = case(core, id).await?;
    let organisation = organisations::find(&core.db, case.organisation_id).await?;
    Ok(AdminPartnerCase::of(case, organisation.ok_or_else(no_such_case)?))
}

/// Returns a job of a case as it is now, with its extra work.
pub async fn job(core: &Core, id: Uuid) -> ApiResult<PartnerJob> {
    let job = JobOfCase::with_row(core, feeds::job_of_case(&core.db, id).await?).await?;
    found_job(core, &job.ok_or_else(|| ApiError::not_found("job"))?).await
}

/// Returns a job of a case that was just read, with its extra work.
pub async fn found_job(core: &Core, JobOfCase { row, side }: &JobOfCase) -> ApiResult<PartnerJob> {
    let (mut items, mut asked) = (Vec::new(), Vec::new());
    if side.has_items {
        let mut db = core.db.acquire().await?;
        items = jobs::newest_line_items(&mut db, &[row.id], MAX_ITEMS).await?;
        items.reverse();
        asked = on_account::approvals_of(&mut *db, &[row.id]).await?;
    }
    let asked = asked.into_iter().filter(|row| row.decided_at.is_none());
    let open: HashMap<Uuid, _> = asked.map(|row| (row.line_item_id, row.due_at)).collect();
    let shown = items
        .into_iter()
        .map(|item| PartnerItem { decide_by: open.get(&item.id).copied().map(Into::into), item });
    let snapshot = JobSnapshot::of(row, &side.partner);
    Ok(PartnerJob { snapshot, case_id: side.partner.case_id, line_items: shown.collect() })
}

/// Returns the photos of a job and of its extra work, the oldest first, each with a link.
pub async fn photos(context: &UploadsContext, job_id: Uuid) -> ApiResult<Vec<PartnerPhoto>> {
    let mut db = context.db.acquire().await?;
    let of_work = jobs::newest_photos(&mut db, &[job_id], MAX_PHOTOS).await?;
    let items = jobs::newest_line_items(&mut db, &[job_id], MAX_ITEMS).await?;
    drop(db);
    let of_work = of_work.into_iter().rev().map(UnlinkedPhoto::from);
    let mut photos: Vec<_> =
        of_work.chain(items.into_iter().rev().filter_map(UnlinkedPhoto::of_item)).collect();
    photos.sort_by_key(|photo| photo.created_at);
    let file_urls: Vec<_> = photos.iter().map(|photo| photo.file_url.clone()).collect();
    let links = uploads::picture_links(context, &file_urls, None).await?;
    let linked = photos.into_iter().zip(links).filter_map(|(photo, link)| Some(photo.linked(link?)));
    Ok(linked.collect())
}

/// Returns where the mechanic of a job is.
pub async fn position(context: &JobsContext, row: &JobRow) -> ApiResult<AccountJobPosition> {
    let sighting = tracking::latest(context, row).await?;
    let (fresh, now) = (context.dispatch.fresh_position(), context.clock.now());
    let location =
        sighting.as_ref().map(|sighting| Location::of(sighting.mechanic_id.0, &sighting.fix, fresh, now));
    let eta = sighting.and_then(|sighting| sighting.estimate).map(Into::into);
    Ok(AccountJobPosition { job_id: row.id, location, eta })
}

pub fn no_such_case() -> ApiError {
    ApiError::not_found("case")
}
