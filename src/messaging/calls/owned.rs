//! Decides who takes part in a call, and who may see it.

use uuid::Uuid;

use super::{
    queries::{self, CallRow},
    state::{CallDevice, Side},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{OwnedBy, PathIds},
    jobs::{self, JobRow, Viewer},
    messaging::guests::{Guest, Speaker},
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// A call that a speaker takes part in or may answer, and its job. Only a look-up for the speaker makes one.
#[derive(Debug, Clone)]
pub struct OwnCall {
    pub(super) by: Speaker,
    pub(super) device: CallDevice,
    pub(super) call: CallRow,
    pub(super) job: JobRow,
}

impl OwnCall {
    /// Finds the speaker's call with this id; 404 for any other call.
    pub async fn get(core: &Core, by: Speaker, id: Uuid) -> ApiResult<Self> {
        let call = queries::find(&core.db, id).await?.ok_or_else(gone)?;
        let job = jobs::find(&core.db, call.job_id).await?.ok_or_else(gone)?;
        Self::of(by, call, job).ok_or_else(gone)
    }

    /// Finds a guest's call with this id within their job; 404 for any other call.
    pub async fn get_as_guest(core: &Core, guest: Guest, job: &JobRow, id: Uuid) -> ApiResult<Self> {
        let call =
            queries::find(&core.db, id).await?.filter(|call| call.job_id == job.id).ok_or_else(gone)?;
        Self::of(guest.into(), call, job.clone()).ok_or_else(gone)
    }

    fn of(by: Speaker, call: CallRow, job: JobRow) -> Option<Self> {
        let device = device_of(by, &call, &job)?;
        Some(Self { by, device, call, job })
    }
}

impl OwnedBy<Customer> for OwnCall {
    const NAME: &'static str = "call";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        Self::get(core, by.0.into(), path.id("id")?).await.map(Some)
    }
}

/// A call that the caller may see. Its customer and admins see every call of a job, a mechanic only their own.
#[derive(Debug)]
pub struct ViewedCall(pub(super) CallRow);

impl OwnedBy<Caller> for ViewedCall {
    const NAME: &'static str = "call";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        jobs::check_desk(by)?;
        let Some(call) = queries::find(&core.db, path.id("id")?).await? else { return Ok(None) };
        let Some(job) = jobs::find(&core.db, call.job_id).await? else { return Ok(None) };
        let is_seen = match jobs::viewer_of(by, &job) {
            Some(Viewer::Customer | Viewer::Admin) => true,
            Some(Viewer::Mechanic) => Some(call.mechanic_profile_id) == job.mechanic_profile_id,
            None => false,
        };
        Ok(is_seen.then_some(Self(call)))
    }
}

pub(super) fn gone() -> ApiError {
    ApiError::not_found("call")
}

/// Returns the job and the speaker's side: the customer or a guest, or the mechanic who is on it or was when it ended; 404 for
/// others.
pub(super) async fn party(core: &Core, speaker: Speaker, id: Uuid) -> ApiResult<(JobRow, Viewer)> {
    let row = jobs::find(&core.db, id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let side = side_of_job(speaker, &row).ok_or_else(|| ApiError::not_found("job"))?;
    Ok((row, side))
}

pub(super) fn side_of_job(speaker: Speaker, row: &JobRow) -> Option<Viewer> {
    speaker.viewer(row).filter(|viewer| *viewer != Viewer::Admin)
}

/// Returns the speaker's device in the call; `None` for strangers, for a mechanic who lost the job, and for a guest who neither
/// called nor is called.
pub(super) fn device_of(speaker: Speaker, call: &CallRow, job: &JobRow) -> Option<CallDevice> {
    let viewer = side_of_job(speaker, job)?;
    let side = match speaker.account(job) {
        id if id == call.caller_id => Side::Caller,
        id if id == call.callee_id => Side::Callee,
        _ => return None,
    };
    let is_theirs = match viewer {
        Viewer::Customer => match (speaker.link(), side) {
            (None, _) => true,
            (Some(link), Side::Caller) => call.caller_link_id == Some(link),
            (Some(_), Side::Callee) => call.rings.has_guests(),
        },
        Viewer::Mechanic => job.mechanic_profile_id == Some(call.mechanic_profile_id),
        Viewer::Admin => false,
    };
    is_theirs.then_some(CallDevice { side, session_id: speaker.device() })
}
