//! The vehicle of a job, and the people whom its mechanic contacts, on the wire.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{catalogue::vehicles::VehicleKind, http::text_enum, jobs::visibility::JobVisibility};

/// The vehicle as it was when the job was created; readable even after the vehicle is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobVehicle {
    pub vehicle_type: VehicleKind,
    /// The vehicle's make; empty if nobody has given it.
    pub make: String,
    /// The vehicle's model; empty if nobody has given it.
    pub model: String,
    pub color: Option<String>,
    /// The vehicle's plate; null for the mechanic once the job is over.
    pub registration_number: Option<String>,
}

/// The people whom the mechanic contacts, and the ways to do so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobContact {
    /// The ways in the app, from acceptance on. After the end of the work each way is left out once it is closed.
    pub ways: Vec<ContactWay>,
    /// The people to contact, according to `contact_preference`; the person with the vehicle comes first.
    pub people: Vec<ContactPerson>,
}

impl JobContact {
    /// Removes the numbers, but leaves the names and the ways in the app.
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
    /// The person's number; null unless the service shows numbers (`jobs.show_contact_numbers`).
    pub phone: Option<String>,
}

text_enum! {
    /// A way to reach people in the app: POST /jobs/{id}/messages, POST /jobs/{id}/calls.
    ContactWay { Chat = "chat", Call = "call", }
}

text_enum! {
    /// Whether the person created the job or is served by it.
    ContactRole { Booker = "booker", Beneficiary = "beneficiary", }
}
