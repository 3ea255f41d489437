use std::time::Duration;

use actix_web::{
    get,
    web::{Data, Json},
};
use roadcall_actors::protocol::CountQuery;

use super::{
    context::ClusterContext,
    dto::{ClusterBus, ClusterEngine, ClusterNode, ClusterState},
    queries,
};
use crate::{
    accounts::auth::{Admin, desk},
    platform::error::ApiResult,
};

/// How many take-overs are shown.
const TAKE_OVERS: i64 = 20;
/// The time after which the engine is shown as not answering.
const ENGINE_LIMIT: Duration = Duration::from_secs(1);

/// Returns the servers of this database, the one that leads, and the latest changes of the leader.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    responses((status = 200, body = ClusterState)),
)]
#[get("/admin/cluster")]
pub async fn get_cluster(
    _: Admin<desk::Settings>,
    context: Data<ClusterContext>,
) -> ApiResult<Json<ClusterState>> {
    let take_overs = queries::take_overs(&context.db, TAKE_OVERS).await?;
    let mut nodes = vec![ClusterNode::of(context.own_report(), Duration::ZERO)];
    let others = context.peers.as_ref().map(|peers| peers.nodes.others()).unwrap_or_default();
    nodes.extend(others.into_iter().map(|(heard_ago, report)| ClusterNode::of(report, heard_ago)));
    let bus = context.peers.as_ref().map(|peers| {
        let bus = peers.link.bus();
        ClusterBus { is_connected: bus.is_connected(), lost_messages: bus.lost() }
    });
    Ok(Json(ClusterState {
        at: context.clock.now().into(),
        bus,
        engine: ClusterEngine {
            server: take_overs.first().map(|newest| newest.server),
            is_answering: context.engine.ask(CountQuery { within: ENGINE_LIMIT }).await.is_ok(),
        },
        nodes,
        take_overs: take_overs.into_iter().map(Into::into).collect(),
    }))
}
