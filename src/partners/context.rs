use std::{ops::Deref, sync::Arc};

use super::settings::PartnerSettings;
use crate::{accounts::organisations::OrganisationsContext, sharing::shares::SharesContext};

/// The context of partners' cases, contracts and feeds.
#[derive(Debug, Clone)]
pub struct PartnersContext {
    pub shares: SharesContext,
    pub organisations: OrganisationsContext,
    pub partner_settings: Arc<PartnerSettings>,
}

impl Deref for PartnersContext {
    type Target = SharesContext;

    fn deref(&self) -> &SharesContext {
        &self.shares
    }
}
