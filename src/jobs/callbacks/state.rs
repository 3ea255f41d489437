//! The rules for when a customer may ask to be called, and what admins read about the wait. Pure.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::Status;

use super::{
    dto::CallbackOutcome,
    queries::{CallbackRow, QueuedRow},
};
use crate::platform::error::{ApiError, Code};

/// The reason why a customer can't ask to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskRefusal {
    TooEarly,
    MechanicFound,
    Over,
}

/// Checks whether the customer of a job may ask to be called: while the search is under way or has found nobody. `begin_at` is
/// when the search begins.
pub fn may_ask(status: Status, begin_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), AskRefusal> {
    match status {
        Status::Pending if begin_at > now => Err(AskRefusal::TooEarly),
        Status::Pending | Status::Dispatching | Status::NoMechanicFound => Ok(()),
        Status::Accepted | Status::EnRoute | Status::Arrived | Status::InProgress => {
            Err(AskRefusal::MechanicFound)
        }
        Status::Completed | Status::Paid | Status::Cancelled | Status::Disputed | Status::Resolved => {
            Err(AskRefusal::Over)
        }
    }
}

impl From<AskRefusal> for ApiError {
    fn from(refusal: AskRefusal) -> Self {
        let message = match refusal {
            AskRefusal::TooEarly => {
                "We have not started looking for a mechanic. You can ask for a call then."
            }
            AskRefusal::MechanicFound => {
                "A mechanic has accepted this job. Write to them or call them in the app."
            }
            AskRefusal::Over => "This job is over. If you still need help, create a new one.",
        };
        Self::new(Code::InvalidTransition, message)
    }
}

impl CallbackRow {
    /// Closes an open request if a mechanic has accepted the job.
    pub fn settled(self, accepted_at: Option<DateTime<Utc>>) -> Self {
        match (self.done_at, accepted_at) {
            (None, Some(accepted_at)) => Self {
                done_at: Some(accepted_at.max(self.requested_at)),
                outcome: Some(CallbackOutcome::MechanicFound),
                ..self
            },
            (Some(_), _) | (None, None) => self,
        }
    }
}

impl QueuedRow {
    /// Returns the whole minutes from the beginning of the search until a mechanic accepted, the job was cancelled, or now.
    pub fn waiting_minutes(&self, now: DateTime<Utc>) -> i64 {
        let until = self.accepted_at.or(self.cancelled_at).unwrap_or(now);
        (until - self.begin_at).num_minutes().max(0)
    }
}

/// Returns the last two parts of an address, such as its district and its town, or all of it if it has no more parts or is
/// nothing but coordinates.
pub fn area_of(address: &str) -> String {
    let parts: Vec<&str> = address.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => address.trim().to_owned(),
        parts => parts[parts.len().saturating_sub(2)..].join(", "),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    const EPOCH: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn at(minute: i64) -> DateTime<Utc> {
        EPOCH + TimeDelta::minutes(minute)
    }

    fn request() -> CallbackRow {
        CallbackRow {
            job_id: Uuid::nil(),
            requested_at: at(10),
            note: None,
            done_at: None,
            done_by: None,
            outcome: None,
            done_note: None,
        }
    }

    #[test]
    fn a_customer_may_ask_while_the_search_is_under_way_or_has_found_nobody() {
        use Status::*;
        for status in Status::ALL {
            let expected = match status {
                Pending | Dispatching | NoMechanicFound => Ok(()),
                Accepted | EnRoute | Arrived | InProgress => Err(AskRefusal::MechanicFound),
                Completed | Paid | Cancelled | Disputed | Resolved => Err(AskRefusal::Over),
            };
            assert_eq!(may_ask(status, at(0), at(0)), expected, "{status:?}");
        }
        assert_eq!(may_ask(Pending, at(1), at(0)), Err(AskRefusal::TooEarly));
    }

    #[test]
    fn an_acceptance_closes_only_an_open_request() {
        assert_eq!(request().settled(None), request());
        let found = request().settled(Some(at(20)));
        assert_eq!((found.done_at, found.outcome), (Some(at(20)), Some(CallbackOutcome::MechanicFound)));
        // The mechanic accepted while the request was on its way.
        assert_eq!(request().settled(Some(at(9))).done_at, Some(at(10)));
        let reached = CallbackRow {
            done_at: Some(at(12)),
            outcome: Some(CallbackOutcome::Reached),
            done_by: Some(Uuid::nil()),
            ..request()
        };
        assert_eq!(reached.clone().settled(Some(at(20))), reached);
    }

    #[test]
    fn the_wait_ends_with_a_mechanic_or_the_job() {
        let row = |accepted: Option<i64>, cancelled: Option<i64>| QueuedRow {
            callback: request(),
            customer_id: Uuid::nil(),
            service_category_id: Uuid::nil(),
            service_category_name: String::new(),
            pickup_address: String::new(),
            job_status: crate::wire::Named(Status::Dispatching),
            begin_at: at(5),
            accepted_at: accepted.map(at),
            cancelled_at: cancelled.map(at),
        };
        for (accepted, cancelled, now, minutes) in
            [(None, None, 50, 45), (Some(30), Some(40), 50, 25), (None, Some(40), 50, 35), (None, None, 4, 0)]
        {
            assert_eq!(
                row(accepted, cancelled).waiting_minutes(at(now)),
                minutes,
                "{accepted:?} {cancelled:?}"
            );
        }
    }

    #[test]
    fn an_address_is_reduced_to_its_area() {
        for (address, area) in [
            ("12 MG Road, Indiranagar, Bengaluru", "Indiranagar, Bengaluru"),
            ("Flat 3, 12 MG Road, Indiranagar, Bengaluru", "Indiranagar, Bengaluru"),
            ("12 MG Road, Bengaluru", "12 MG Road, Bengaluru"),
            ("NH 44, km 40", "NH 44, km 40"),
            ("NH 44, km 40, Hosur", "km 40, Hosur"),
            ("MG Road", "MG Road"),
            ("MG Road, ", "MG Road"),
            ("12.97160, 77.59460", "12.97160, 77.59460"),
            (" , ", ","),
        ] {
            assert_eq!(area_of(address), area, "{address}");
        }
    }
}
