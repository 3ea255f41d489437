//! The reasons why the journal did not commit a change, or could not load.

/// The reason why a change is not committed, or may not be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// The row has another version: the actor's copy was stale.
    #[error("version conflict")]
    Conflict,
    /// The same command was committed before.
    #[error("already committed")]
    AlreadyCommitted,
    /// A rule of the schema refused it.
    #[error("refused by the schema: {0:?}")]
    Refused(Guard),
    /// The change was certainly not committed.
    #[error("not committed: {0}")]
    Failed(String),
    /// The change was perhaps committed.
    #[error("may have been committed: {0}")]
    Unknown(String),
}

/// Rules that the schema enforces too, so that no race breaks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// A mechanic has at most one active job.
    OneActiveJobPerMechanic,
    /// A vehicle has at most one open job.
    OneOpenJobPerVehicle,
    /// A mechanic has at most one pending offer.
    OnePendingOfferPerMechanic,
    /// The offer is no longer pending.
    OfferGone,
    /// The vehicle was deleted meanwhile.
    VehicleGone,
    /// The service category was withdrawn meanwhile.
    CategoryGone,
    /// The case of a job on account was closed or deleted meanwhile.
    CaseNotOpen,
    /// The caller became an admin, or was suspended, meanwhile.
    NotACustomer,
    /// Only a verified mechanic may become available.
    NotVerified,
    /// The customer has as many jobs open as they may.
    TooManyOpenJobs { most: u32 },
    /// The customer used the free time elsewhere meanwhile.
    FreeCancellationsUsed,
    /// The caller's idempotency mark already belongs to a job.
    MarkUsed,
}

/// A load that failed; nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("could not load: {0}")]
pub struct LoadError(pub String);
