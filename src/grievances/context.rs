use std::ops::Deref;

use chrono::TimeDelta;

use crate::{notifications::NotifyContext, pages::PrivacyContact};

/// The context of grievances.
#[derive(Debug, Clone)]
pub struct GrievancesContext {
    pub notify: NotifyContext,
    /// The time within which an answer is promised.
    pub answered_within: TimeDelta,
    /// The contact for further questions.
    pub contact: Option<PrivacyContact>,
}

impl Deref for GrievancesContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}
