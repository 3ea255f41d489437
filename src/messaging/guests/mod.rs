//! Guests: people without an account who talk about a job through a share link, on its customer's side.
//!
//! `sharing/shares` checks tokens and admits guests; chat and calls know a guest only by the link's id.

mod queries;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    accounts::auth::Caller,
    jobs::{self, JobRow, Viewer},
    platform::error::{ApiError, Code},
};

pub use queries::{hold as hold_link, links_of};

/// The holder of a live link that lets them talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    pub link_id: Uuid,
    pub job_id: Uuid,
    /// When the link expires.
    pub expires_at: DateTime<Utc>,
}

/// A person who talks about a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::From)]
pub enum Speaker {
    Account(Caller),
    Guest(Guest),
}

impl Speaker {
    /// Returns the speaker's role in this job; `None` if they have nothing to do with it.
    pub fn viewer(&self, job: &JobRow) -> Option<Viewer> {
        match self {
            Self::Account(caller) => jobs::viewer_of(caller, job),
            Self::Guest(guest) => (guest.job_id == job.id).then_some(Viewer::Customer),
        }
    }

    /// Returns the account that the speaker speaks for: a guest speaks for the customer.
    pub fn account(&self, job: &JobRow) -> Uuid {
        match self {
            Self::Account(caller) => caller.user_id,
            Self::Guest(_) => job.customer_id,
        }
    }

    /// Returns the id by which limits count: a person's across their accounts, or a link's.
    pub fn budget(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.budget,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// Returns the id by which the speaker's sockets are found: an account's, or a link's.
    pub fn id(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.user_id,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// Returns the device that the speaker uses. A link is one device.
    pub fn device(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.session_id,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// Returns a guest's link.
    pub fn link(&self) -> Option<Uuid> {
        match self {
            Self::Account(_) => None,
            Self::Guest(guest) => Some(guest.link_id),
        }
    }
}

pub fn link_expired() -> ApiError {
    ApiError::new(Code::LinkExpired, "This link has expired. Ask for a new one.")
}
