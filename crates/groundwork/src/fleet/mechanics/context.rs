use std::sync::Arc;

use roadcall_accounts::{
    auth::{self, AuthContext},
    notices::CurrentNotice,
};
use roadcall_actors::{EngineHandle, ids::MechanicId, protocol::ProfileChanged};

use super::{queries::ProfileRow, settings::PresenceSettings};
use crate::{catalogue::dispatch_settings::DispatchConfig, notifications::Wakeups};

/// The shared parts that the mechanics' handlers use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct MechanicsContext {
    #[deref]
    pub auth: AuthContext,
    pub presence_settings: Arc<PresenceSettings>,
    pub engine: EngineHandle,
    /// The present dispatch settings.
    pub dispatch: DispatchConfig,
    /// The privacy notice that mechanics have to agree to.
    pub notice: CurrentNotice,
    pub wakeups: Wakeups,
}

/// Notifies everything that remembers the profile of a change. Call this after every commit that touches a profile.
pub async fn changed(context: &MechanicsContext, profile: &ProfileRow) {
    context.wakeups.notify();
    auth::forget(context, profile.user_id).await;
    let changed = context.engine.ask(ProfileChanged { mechanic: MechanicId(profile.id) }).await;
    if let Err(refusal) = changed {
        tracing::warn!(mechanic.id = %profile.id, %refusal, "a changed profile did not reach the engine");
    }
}
