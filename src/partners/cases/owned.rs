//! Rules for who may name a case, a job of a case, or extra work of such a job in a path.

use roadcall_actors::ids::LineItemId;

use super::queries::{self, CaseRow};
use crate::{
    accounts::{
        auth::{Admin, PartnerCaller, desk::AtDesk, scope::Scope},
        organisations::Partner,
    },
    http::{OwnedBy, PathIds},
    jobs::{self, JobRow, line_items},
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// A job of a case.
#[derive(Debug)]
pub struct JobOfCase {
    pub row: JobRow,
    pub case: CaseRow,
}

/// Extra work of a job of a case.
#[derive(Debug)]
pub struct ItemOfCase {
    pub job: JobOfCase,
    pub id: LineItemId,
}

fn is_visible(case: &CaseRow, caller: &PartnerCaller) -> bool {
    case.organisation_id == caller.organisation_id && caller.may_see(case.made_by)
}

/// A case belongs to its organisation; an agency sees those that it made.
impl<S: Scope> OwnedBy<Partner<S>> for CaseRow {
    const NAME: &'static str = "case";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = queries::find(&core.db, path.id("id")?).await?;
        Ok(found.filter(|case| is_visible(case, caller)))
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
        let found = queries::of_job(&core.db, path.id("id")?).await?;
        of_case(core, found.filter(|case| is_visible(case, caller)), path).await
    }
}

impl<D: AtDesk> OwnedBy<Admin<D>> for JobOfCase {
    const NAME: &'static str = "job";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        of_case(core, queries::of_job(&core.db, path.id("id")?).await?, path).await
    }
}

async fn of_case(core: &Core, case: Option<CaseRow>, path: &PathIds) -> ApiResult<Option<JobOfCase>> {
    let Some(case) = case else { return Ok(None) };
    let row = jobs::find(&core.db, path.id("id")?).await?;
    Ok(row.map(|row| JobOfCase { row, case }))
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
