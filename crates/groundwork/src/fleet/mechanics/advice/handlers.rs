use actix_web::{
    get,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Mechanic, OwnProfile};
use roadcall_actors::{ids::MechanicId, protocol::AdviceQuery};
use roadcall_platform::error::ApiResult;

use super::dto::{MyWaitingAdvice, WaitingAdvice};
use crate::fleet::mechanics::{MechanicsContext, refusals::refused};

/// Advises the caller where to wait for the next job, if there is a much better place within a short drive.
///
/// Mechanics who are available and have been without a job for a few minutes get such advice now and then, based on the calls of
/// the last days and hours and on where others wait; sockets get the same in `advice.wait` frames. It is never an order.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = MyWaitingAdvice)))]
#[get("/mechanics/me/advice")]
pub async fn get_my_waiting_advice(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<Mechanic>,
) -> ApiResult<Json<MyWaitingAdvice>> {
    let advice = context.engine.ask(AdviceQuery(MechanicId(mechanic.profile_id))).await.map_err(refused)?;
    Ok(Json(MyWaitingAdvice { advice: advice.as_ref().map(WaitingAdvice::from) }))
}
