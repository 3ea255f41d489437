//! Jobs on the wire.

mod admin;
mod cancelling;
mod job;
mod new_job;
mod reading;
mod values;
mod work;

pub use admin::{AdminReason, Assign};
pub use cancelling::{Cancel, CancellationQuote, FreeCancellations};
pub use job::{Job, LostJob, MechanicLeft};
pub use new_job::{Estimate, EstimateRequest, NewJob, PricePart};
pub(super) use new_job::{begins_at, schedule_fault};
pub use reading::{JobListFilter, TimelineEntry};
pub use values::{
    ActorKind, BY_ADMIN, CancelReason, CancelReasonCode, ConcernFilter, ContactPreference, EtaSource,
    JobConcern, JobStatus, LeaveReason, ListRole, Outcome, PhotoStage, ReleaseReason, TimelineEvent, Urgency,
};
pub use work::{Arrive, CompleteWork, JobPhoto, Navigating, NewPhoto, Photo, Release, StartWork};
