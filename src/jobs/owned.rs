//! Rules for who may name a job in a path, and in which role.

use std::sync::Arc;

use roadcall_actors::ids::LineItemId;
use uuid::Uuid;

use crate::{
    accounts::auth::{
        Admin, AnyMechanic, Caller, Customer, Mechanic,
        desk::{self, AtDesk},
    },
    http::{OwnedBy, PathIds},
    jobs::{
        line_items,
        queries::{self, JobRow},
        remembered::{RememberedJob, find_remembered, find_row},
        viewer::{Viewer, check_desk, viewer_of},
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// A job, and the role in which the caller reads it.
#[derive(Debug, Clone)]
pub struct ViewedJob {
    pub row: Arc<RememberedJob>,
    pub viewer: Viewer,
}

/// A line item, and its job.
#[derive(Debug, Clone)]
pub struct ItemOfJob {
    pub job: JobRow,
    pub id: LineItemId,
}

/// A job that the caller may add photos to: its customer, its mechanic, or an admin who dispatches. Other desks only look at it.
#[derive(Debug, Clone, Copy)]
pub struct PhotographedJob(pub Uuid);

impl OwnedBy<Caller> for PhotographedJob {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        if by.is_admin() {
            by.desks.check::<desk::Dispatch>()?;
        }
        Ok(viewed(core, by, path).await?.map(|job| Self(job.row.id)))
    }
}

/// A photo that the caller added to a job which they can see.
#[derive(Debug, Clone)]
pub struct OwnPhoto {
    pub job_id: Uuid,
    pub id: Uuid,
    pub file_url: String,
}

impl OwnedBy<Caller> for OwnPhoto {
    const NAME: &'static str = "photo";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let (job, id) = (viewed(core, by, path).await?, path.id("item_id")?);
        let Some(ViewedJob { row, .. }) = job else { return Ok(None) };
        let file_url = queries::own_photo(&core.db, row.id, id, by.user_id).await?;
        Ok(file_url.map(|file_url| Self { job_id: row.id, id, file_url }))
    }
}

/// Returns the job with the path's `id`, as `caller` sees it.
async fn viewed(core: &Core, caller: &Caller, path: &PathIds) -> ApiResult<Option<ViewedJob>> {
    check_desk(caller)?;
    let row = find_remembered(core, path.id("id")?).await?;
    Ok(row.and_then(|row| Some(ViewedJob { viewer: viewer_of(caller, &row)?, row })))
}

async fn viewed_as(
    core: &Core,
    caller: &Caller,
    path: &PathIds,
    wanted: Viewer,
) -> ApiResult<Option<JobRow>> {
    find_as(core, caller, path.id("id")?, wanted).await
}

/// Returns the job, if the caller reads it as `wanted`.
pub async fn find_as(core: &Core, caller: &Caller, id: Uuid, wanted: Viewer) -> ApiResult<Option<JobRow>> {
    let row = find_row(core, id).await?;
    Ok(row.filter(|row| viewer_of(caller, row) == Some(wanted)))
}

/// The job's participants and admins may read it.
impl OwnedBy<Caller> for ViewedJob {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed(core, by, path).await
    }
}

/// The job's customer and mechanic may read it.
impl OwnedBy<Customer> for ViewedJob {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed(core, &by.0, path).await
    }
}

/// An admin may read any job.
impl<D: AtDesk> OwnedBy<Admin<D>> for ViewedJob {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed(core, &by.0, path).await
    }
}

/// The job belongs to the customer who created it.
impl OwnedBy<Customer> for JobRow {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed_as(core, &by.0, path, Viewer::Customer).await
    }
}

/// The job belongs to the mechanic who is or was on it; a suspended mechanic may finish it.
impl OwnedBy<AnyMechanic> for JobRow {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &AnyMechanic, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed_as(core, &by.caller, path, Viewer::Mechanic).await
    }
}

/// A job that the mechanic lost because nothing came from their phone, or has taken back since.
#[derive(Debug, Clone, Copy)]
pub struct LostJobId(pub Uuid);

impl OwnedBy<Mechanic> for LostJobId {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Mechanic, path: &PathIds) -> ApiResult<Option<Self>> {
        let row = find_remembered(core, path.id("id")?).await?;
        // The engine decides on its own copy; this only keeps strangers from learning that the job exists.
        let theirs = row.filter(|row| row.left_mechanic_id == Some(by.profile_id));
        Ok(theirs.map(|row| Self(row.id)))
    }
}

/// A job that the mechanic is on, or was the last to leave: they may repeat that they gave it back.
#[derive(Debug, Clone, Copy)]
pub struct GivenBackJobId(pub Uuid);

impl OwnedBy<AnyMechanic> for GivenBackJobId {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &AnyMechanic, path: &PathIds) -> ApiResult<Option<Self>> {
        let row = find_remembered(core, path.id("id")?).await?;
        let theirs = row.filter(|row| {
            viewer_of(&by.caller, row) == Some(Viewer::Mechanic)
                || row.left_mechanic_id == Some(by.profile_id)
        });
        Ok(theirs.map(|row| Self(row.id)))
    }
}

/// An admin may name any job.
impl<D: AtDesk> OwnedBy<Admin<D>> for JobRow {
    const NAME: &'static str = "job";

    async fn find(core: &Core, by: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        viewed_as(core, &by.0, path, Viewer::Admin).await
    }
}

/// A line item belongs to everybody who may name its job.
impl<P> OwnedBy<P> for ItemOfJob
where
    JobRow: OwnedBy<P>,
{
    const NAME: &'static str = "line item";

    async fn find(core: &Core, by: &P, path: &PathIds) -> ApiResult<Option<Self>> {
        let job = JobRow::find(core, by, path).await?.ok_or_else(|| ApiError::not_found(JobRow::NAME))?;
        let found = line_items::queries::find(&core.db, job.id, path.id("item_id")?).await?;
        Ok(found.map(|item| Self { job, id: LineItemId(item.id) }))
    }
}
