//! Rules for who may name a case, a job of a case, or extra work of such a job in a path.

use roadcall_actors::ids::LineItemId;
use uuid::Uuid;

use super::queries::{self, CaseRow};
use crate::{
    accounts::{
        auth::{Admin, PartnerCaller, desk::AtDesk, scope::Scope},
        organisations::Partner,
    },
    http::{OwnedBy, PathIds},
    jobs::{self, JobRow, line_items},
    partners::feeds::{self, CaseJobRow},
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// A job of a case.
#[derive(Debug)]
pub struct JobOfCase {
    pub row: JobRow,
    /// The partner's side of the job.
    pub side: CaseJobRow,
}

impl JobOfCase {
    /// Returns the job with its row, if there is one.
    pub async fn with_row(core: &Core, side: Option<CaseJobRow>) -> ApiResult<Option<Self>> {
        let Some(side) = side else { return Ok(None) };
        let row = jobs::find_row(core, side.partner.job_id).await?;
        Ok(row.map(|row| Self { row, side }))
    }
}

/// Extra work of a job of a case.
#[derive(Debug)]
pub struct ItemOfCase {
    pub job: JobOfCase,
    pub id: LineItemId,
}

/// Returns whether a caller may see a case of this organisation, which `made_by` made.
fn is_visible((organisation_id, made_by): (Uuid, Uuid), caller: &PartnerCaller) -> bool {
    organisation_id == caller.organisation_id && caller.may_see(made_by)
}

/// A case belongs to its organisation; an agency sees those that it made.
impl<S: Scope> OwnedBy<Partner<S>> for CaseRow {
    const NAME: &'static str = "case";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = queries::find(&core.db, path.id("id")?).await?;
        Ok(found.filter(|case| is_visible((case.organisation_id, case.made_by), caller)))
    }
}

impl<D: AtDesk> OwnedBy<Admin<D>> for CaseRow {
    const NAME: &'static str = "case";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// A job belongs to the organisation of its case.
impl<S: Scope> OwnedBy<Partner<S>> for JobOfCase {
    const NAME: &'static str = "job";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = feeds::job_of_case(&core.db, path.id("id")?).await?;
        let found = found.filter(|side| is_visible((side.organisation_id, side.made_by), caller));
        Self::with_row(core, found).await
    }
}

impl<D: AtDesk> OwnedBy<Admin<D>> for JobOfCase {
    const NAME: &'static str = "job";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        Self::with_row(core, feeds::job_of_case(&core.db, path.id("id")?).await?).await
    }
}

impl<S: Scope> OwnedBy<Partner<S>> for ItemOfCase {
    const NAME: &'static str = "line item";

    async fn find(core: &Core, by: &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let job = JobOfCase::find(core, by, path).await?;
        let job = job.ok_or_else(|| ApiError::not_found(<JobOfCase as OwnedBy<Partner<S>>>::NAME))?;
        let found = line_items::queries::find(&core.db, job.row.id, path.id("item_id")?).await?;
        Ok(found.map(|item| Self { job, id: LineItemId(item.id) }))
    }
}
