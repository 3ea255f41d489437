//! Reads at once what a new case names: the case that has its reference already, the contract with the terms of the category, and
//! the vehicle.

mod queries;

use std::sync::Arc;

use self::queries::{AskedCase, FoundNames};
use crate::{
    accounts::auth::PartnerCaller,
    catalogue::categories::CategoryRow,
    http::Id,
    partners::{
        cases::{
            dto::NewCase,
            queries::{CaseRow, find},
        },
        feeds::FeedsContext,
    },
    platform::{db::Db, error::ApiResult},
};

/// The things that a new case names, as far as they were found.
#[derive(Debug)]
pub struct CaseNames {
    pub found: FoundNames,
    /// The category, if it is offered.
    pub category: Option<Arc<CategoryRow>>,
}

impl CaseNames {
    pub async fn find(context: &FeedsContext, caller: &PartnerCaller, new: &NewCase) -> ApiResult<Self> {
        let slug = &new.job.service_category_slug.0;
        let category = context.categories.find_offered(&context.db, slug).await?;
        let asked = AskedCase {
            organisation_id: caller.organisation_id,
            partner_reference: &new.partner_reference.0,
            contract_reference: &new.contract_reference.0,
            category_id: category.as_ref().map(|category| category.id),
            vehicle_id: new.vehicle.as_ref().and_then(|vehicle| vehicle.id).map(|Id(id)| id),
        };
        Ok(Self { found: queries::names(&context.db, asked).await?, category })
    }

    /// Returns the case that has the reference already.
    pub async fn case(&self, db: &Db) -> sqlx::Result<Option<CaseRow>> {
        match self.found.case_id {
            Some(id) => find(db, id).await,
            None => Ok(None),
        }
    }
}
