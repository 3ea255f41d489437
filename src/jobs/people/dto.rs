//! The vehicle of a job, and whom its mechanic contacts, on the wire.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{catalogue::vehicles::VehicleKind, http::text_enum, jobs::visibility::JobVisibility};

/// The vehicle as it was when the job was created; readable even after the vehicle is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobVehicle {
    pub vehicle_type: VehicleKind,
    /// Who made the vehicle; empty if nobody has said it.
    pub make: String,
    /// The vehicle's model; empty if nobody has said it.
    pub model: String,
    pub color: Option<String>,
    /// Null for the mechanic once the job is over.
    pub registration_number: Option<String>,
}

/// Whom the mechanic contacts, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobContact {
    /// In the app, from acceptance on. After the end of the work each way is left out once it is closed.
    pub ways: Vec<ContactWay>,
    /// Depends on `contact_preference`; the person with the vehicle comes first.
    pub people: Vec<ContactPerson>,
}

impl JobContact {
    /// Leaves the names and the ways in the app.
    pub fn without_numbers(self) -> Self {
        let people = self.people.into_iter().map(|person| ContactPerson { phone: None, ..person }).collect();
        Self { people, ..self }
    }

    /// Removes the ways that are closed by `now`, for work that was completed at that time.
    pub fn still_open(
        self,
        completed_at: DateTime<Utc>,
        visibility: &JobVisibility,
        now: DateTime<Utc>,
    ) -> Self {
        let after_end = |way: &ContactWay| match way {
            ContactWay::Chat => visibility.chat_after_end,
            ContactWay::Call => visibility.calls_after_end,
        };
        let ways = self.ways.into_iter().filter(|way| now <= completed_at + after_end(way)).collect();
        Self { ways, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ContactPerson {
    pub who: ContactRole,
    pub first_name: Option<String>,
    /// Null unless the service shows numbers (`jobs.show_contact_numbers`).
    pub phone: Option<String>,
}

text_enum! {
    /// How the mechanic reaches them: POST /jobs/{id}/messages, POST /jobs/{id}/calls.
    ContactWay { Chat = "chat", Call = "call", }
}

text_enum! {
    /// Who created the job, or who it is for.
    ContactRole { Booker = "booker", Beneficiary = "beneficiary", }
}
