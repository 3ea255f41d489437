use std::{ops::Deref, sync::Arc};

use super::settings::PrivacySettings;
use crate::{
    accounts::uploads::UploadsContext, fleet::mechanics::MechanicsContext, grievances::GrievancesContext,
    jobs::JobsContext, money::wallet::WalletContext, sharing::ratings::RatingsContext,
};

#[derive(Debug, Clone)]
pub struct LifecycleContext {
    pub mechanics: MechanicsContext,
    pub privacy_settings: Arc<PrivacySettings>,
    pub jobs: JobsContext,
    pub uploads: UploadsContext,
    pub wallet: WalletContext,
    pub ratings: RatingsContext,
    pub grievances: GrievancesContext,
}

impl Deref for LifecycleContext {
    type Target = MechanicsContext;

    fn deref(&self) -> &MechanicsContext {
        &self.mechanics
    }
}
