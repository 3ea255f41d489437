//! The wire of requests for a place.

use chrono::{DateTime, Utc};
use deserr::Deserr;
use roadcall_http::{Invalid, Latitude, Longitude, Phone, Timestamp, ValidationErrors, text_enum};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{queries::PlaceRequestRow, state::PlaceRequestStatus};

/// The person to ask where they are.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPlaceRequest {
    pub phone: Phone,
}

text_enum! {
    /// Why the link is not sent by a text message.
    NotTexted {
        /// `sms.provider` is log, which sends nothing.
        NoProvider = "no_provider",
        /// The gateway wants registered texts, and this one has no id.
        NoTemplate = "no_template",
        /// The budget of text messages is used up for now.
        NoBudget = "no_budget",
        /// The provider did not take the message.
        Refused = "refused",
        /// It is unknown whether the provider took the message.
        Unknown = "unknown",
    }
}

/// A new request. Its link is shown only here.
#[derive(derive_more::Debug, Serialize, ToSchema)]
// Anybody who has the link may answer.
#[debug("NewlyAskedPlace {{ id: {id:?}, .. }}")]
pub struct NewlyAskedPlace {
    pub id: Uuid,
    /// The link for sharing a place. It is short enough to be read out: neither case nor hyphens matter.
    #[schema(example = "https://help.example.com/where/4k7m2p9xtd")]
    pub url: String,
    pub expires_at: Timestamp,
    /// When the text message with the link was handed over; null if it was not.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// Why the message was not sent: then read the link out. Null if it was.
    #[schema(required)]
    pub not_texted: Option<NotTexted>,
}

/// A request as admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AskedPlace {
    pub id: Uuid,
    pub status: PlaceRequestStatus,
    /// The shared place; null until they have shared it.
    #[schema(required)]
    pub place: Option<SharedPlace>,
    /// When the text message with the link was handed over; null if it was not.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A place that somebody has shared.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedPlace {
    pub lat: f64,
    pub lng: f64,
    /// The accuracy that their phone reports; null if they placed the pin by hand.
    #[schema(required)]
    pub accuracy_m: Option<f64>,
    pub at: Timestamp,
}

impl SharedPlace {
    fn of(row: &PlaceRequestRow) -> Option<Self> {
        Some(Self { lat: row.lat?, lng: row.lng?, accuracy_m: row.accuracy_m, at: row.placed_at?.into() })
    }
}

impl AskedPlace {
    pub fn of(row: &PlaceRequestRow, now: DateTime<Utc>) -> Self {
        Self {
            id: row.id,
            status: row.status(now),
            place: SharedPlace::of(row),
            sent_at: row.sent_at.map(Into::into),
            created_at: row.created_at.into(),
            expires_at: row.expires_at.into(),
        }
    }
}

/// A request, as shown to anybody who has its link. It reveals nothing about a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct WhereAsked {
    /// The operator's name; null if they have not set one.
    #[schema(required, example = "Highway Help")]
    pub asked_by: Option<String>,
    /// Whether a place was shared already; it may be corrected.
    pub is_placed: bool,
    pub expires_at: Timestamp,
}

/// How exact a position is, in metres.
#[derive(Debug, Clone, Copy, Deserr, ToSchema)]
#[deserr(try_from(f64) = PlaceAccuracy::new -> Invalid)]
#[schema(value_type = f64, minimum = 0, maximum = 100_000, example = 12.0)]
pub struct PlaceAccuracy(pub f64);

impl PlaceAccuracy {
    fn new(metres: f64) -> Result<Self, Invalid> {
        if (0.0..=100_000.0).contains(&metres) {
            Ok(Self(metres))
        } else {
            Err("must be 0 to 100000 metres".into())
        }
    }
}

/// The place where somebody is.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SharePlace {
    pub lat: Latitude,
    pub lng: Longitude,
    /// The accuracy of the phone's position; left out for a pin that was placed by hand.
    #[deserr(default)]
    pub accuracy_m: Option<PlaceAccuracy>,
}
