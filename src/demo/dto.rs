use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Timestamp, ValidationErrors, text_enum};

/// What the demo city is doing.
#[derive(Debug, Serialize, ToSchema)]
pub struct DemoState {
    /// Whether the demo city is being played.
    pub is_playing: bool,
    /// Null unless it plays.
    #[schema(required)]
    pub started_at: Option<Timestamp>,
    /// The city's name.
    #[schema(example = "Bengaluru, a weekday evening")]
    pub title: String,
    /// Why it ended by itself; null if it did not.
    #[schema(required)]
    pub failure: Option<String>,
}

text_enum! {
    /// Whom to sign in as: each is one person, the same every time.
    DemoRole {
        /// A super-admin.
        Admin = "admin",
        /// Has a name and a vehicle.
        Customer = "customer",
        /// Verified, for all vehicles and every kind of help.
        Mechanic = "mechanic",
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DemoSignIn {
    #[deserr(rename = "as")]
    #[schema(rename = "as")]
    pub role: DemoRole,
}
