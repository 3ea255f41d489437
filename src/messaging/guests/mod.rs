//! Guests: people without an account who talk about a job by a share link that lets them, on the side of its customer.
//!
//! `sharing/shares` knows the tokens and lets guests in; chat and calls know a guest by the link alone.

mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{
    accounts::auth::Caller,
    jobs::{self, JobRow, Viewer},
    platform::error::ApiResult,
};

/// Whoever holds a live link that lets them talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    pub link_id: Uuid,
    pub job_id: Uuid,
}

/// Who talks about a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Account(Caller),
    Guest(Guest),
}

impl From<Caller> for Speaker {
    fn from(caller: Caller) -> Self {
        Self::Account(caller)
    }
}

impl From<Guest> for Speaker {
    fn from(guest: Guest) -> Self {
        Self::Guest(guest)
    }
}

impl Speaker {
    /// As whom they talk about this job; `None` for whoever has nothing to do with it.
    pub fn viewer(&self, job: &JobRow) -> Option<Viewer> {
        match self {
            Self::Account(caller) => jobs::viewer_of(caller, job),
            Self::Guest(guest) => (guest.job_id == job.id).then_some(Viewer::Customer),
        }
    }

    /// The account for which they talk: a guest for the customer.
    pub fn account(&self, job: &JobRow) -> Uuid {
        match self {
            Self::Account(caller) => caller.user_id,
            Self::Guest(_) => job.customer_id,
        }
    }

    /// Whom limits count: a person, whatever account they have, or a link.
    pub fn budget(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.budget,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// By which their sockets are found: an account, or a link.
    pub fn id(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.user_id,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// By which of their devices: a link is one.
    pub fn device(&self) -> Uuid {
        match self {
            Self::Account(caller) => caller.session_id,
            Self::Guest(guest) => guest.link_id,
        }
    }

    /// A guest's link.
    pub fn link(&self) -> Option<Uuid> {
        match self {
            Self::Account(_) => None,
            Self::Guest(guest) => Some(guest.link_id),
        }
    }
}

/// The live links by which guests may talk about a job; few, by `shares.max_live`.
pub async fn links_of(db: impl PgExecutor<'_>, job_id: Uuid, now: DateTime<Utc>) -> ApiResult<Vec<Uuid>> {
    Ok(queries::links_of(db, job_id, now).await?)
}
