use chrono::TimeDelta;

use crate::{notifications::NotifyContext, pages::PrivacyContact};

/// The context of grievances.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct GrievancesContext {
    #[deref]
    pub notify: NotifyContext,
    /// The time within which an answer is promised.
    pub answered_within: TimeDelta,
    /// The contact for further questions.
    pub contact: Option<PrivacyContact>,
}
