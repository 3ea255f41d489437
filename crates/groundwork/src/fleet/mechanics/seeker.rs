use roadcall_accounts::auth::Mechanic;
use uuid::Uuid;

/// A verified mechanic who sets whether they want jobs.
#[derive(Debug, Clone, Copy)]
pub struct JobSeeker {
    pub user_id: Uuid,
    pub profile_id: Uuid,
    /// The version of the privacy notice that they agreed to.
    pub agreed_notice: Option<i64>,
}

impl From<Mechanic> for JobSeeker {
    fn from(Mechanic { caller, profile_id }: Mechanic) -> Self {
        Self { user_id: caller.user_id, profile_id, agreed_notice: caller.agreed_notice }
    }
}
