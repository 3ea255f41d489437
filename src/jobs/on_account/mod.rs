//! Jobs that an organisation orders on its account: what it covers, and the organisation's side of a job, which is written with the
//! job: the promised time, and extra work that waits for a decision.

mod cover;
mod dto;
pub mod job_hook;
mod prices;
mod promise;
pub(in crate::jobs) mod queries;
mod shown;

pub use cover::{AgreedPrice, Cover, SharedPrice};
pub use dto::{JobPartner, JobPartnerContact, JobPartnerVehicle};
pub use prices::ShownPrices;
pub use promise::PromiseState;
pub use queries::{
    AccountJobRow, ApprovalRow, DueApproval, DuePromise, accept_promise, approvals_of, close_approval,
    close_promises, due_approvals, due_promises, extend_promise, is_texted, of_jobs, overdue,
    promise_to_club, set_settled,
};
pub use shown::{PricesOfJobs, check_photos, driver_pays, partner, prices};

use std::sync::Arc;

use roadcall_actors::{job::state::OnAccount, offer::PartnerOrder};
use uuid::Uuid;

use crate::platform::error::{ApiError, ApiResult};

/// The account on which a job is booked.
#[derive(Debug, Clone)]
pub struct AccountBooking {
    pub case_id: Uuid,
    /// The facts about the case that its mechanic should know.
    pub order: Arc<PartnerOrder>,
    pub agreed: AgreedPrice,
    pub cover: Cover,
    /// How many jobs the organisation may have open at once.
    pub most_open_jobs: u32,
}

impl AccountBooking {
    /// Returns what the rules of the job need to know of the account; 422 if its destination is not covered.
    pub fn of_job(&self, quoted_paise: i64, destination_m: Option<u32>) -> ApiResult<OnAccount> {
        let &Self { case_id, agreed, cover, .. } = self;
        if let Some(metres) = destination_m.filter(|metres| !cover.reaches(*metres)) {
            let most_km = cover.most_km.unwrap_or_default();
            let why =
                format!("is {} km from the pickup; the contract covers {most_km} km", metres.div_ceil(1000));
            return Err(ApiError::invalid("destination", why));
        }
        Ok(OnAccount { case_id, cover_paise: cover.of_job(agreed, quoted_paise, destination_m) })
    }
}
