use chrono::TimeDelta;
use roadcall_http::pages::PrivacyContact;

use crate::notifications::NotifyContext;

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
