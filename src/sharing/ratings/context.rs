use std::{ops::Deref, sync::Arc};

use super::settings::RatingSettings;
use crate::notifications::NotifyContext;

/// The context of ratings.
#[derive(Debug, Clone)]
pub struct RatingsContext {
    pub notify: NotifyContext,
    pub rating_settings: Arc<RatingSettings>,
}

impl Deref for RatingsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}
