use std::sync::Arc;

use super::settings::RatingSettings;
use crate::notifications::NotifyContext;

/// The context of ratings.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct RatingsContext {
    #[deref]
    pub notify: NotifyContext,
    pub rating_settings: Arc<RatingSettings>,
}
