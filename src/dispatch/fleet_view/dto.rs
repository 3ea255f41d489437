//! The map of admins on the wire.

use std::str::FromStr;

use deserr::Deserr;
use roadcall_actors::geo::Bounds;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    http::{Flag, Invalid, Latitude, Longitude, Param, Timestamp, ValidationErrors, Whole, text_enum},
    jobs::{JobConcern, JobStatus, Urgency},
};

/// The mechanics who are online in a box, and the open jobs there: one by one, or counted in cells.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FleetView {
    pub at: Timestamp,
    /// If true, `cells` count what is there, and `mechanics` and `jobs` are empty; with `details`, `jobs` are not.
    pub is_aggregated: bool,
    /// Of everything in the box.
    pub counts: FleetCounts,
    /// The totals of the whole service, as `GET /admin/live` counts them.
    pub everywhere: FleetTotals,
    /// By id, at most 2,000.
    pub mechanics: Vec<FleetMechanic>,
    /// By id, at most 2,000. With `details` those elsewhere, too: if they are too many, first those that wait, the longest wait
    /// before the others.
    pub jobs: Vec<FleetJob>,
    /// From south to north and from west to east, at most 2,000; only those that have something in them.
    pub cells: Vec<FleetCell>,
    /// Null unless it was asked for.
    pub details: Option<FleetDetails>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct FleetCounts {
    /// Mechanics who are online without a job or an offer.
    #[schema(example = 14)]
    pub free: u32,
    /// Mechanics who are online and have a job or an offer.
    #[schema(example = 9)]
    pub busy: u32,
    /// Jobs without a mechanic.
    #[schema(example = 3)]
    pub waiting_jobs: u32,
    /// Jobs with a mechanic.
    #[schema(example = 8)]
    pub active_jobs: u32,
}

/// Open jobs and mechanics everywhere. Every display of such a number uses these totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct FleetTotals {
    /// Jobs without a mechanic whose search has begun and goes on.
    #[schema(example = 3)]
    pub waiting_jobs: i64,
    /// Jobs with a mechanic.
    #[schema(example = 8)]
    pub active_jobs: i64,
    /// Open jobs on whose way something is wrong, or whose mechanic is late: by more than two minutes, or a fifth of the
    /// promised time if that is longer.
    #[schema(example = 1)]
    pub concerns: i64,
    /// Mechanics who are online; null if the engine does not answer in time.
    #[schema(example = 23)]
    pub online: Option<i64>,
    /// The online mechanics without a job or an offer; null if the engine does not answer in time.
    #[schema(example = 14)]
    pub free: Option<i64>,
}

/// A mechanic who is online.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FleetMechanic {
    pub mechanic_profile_id: Uuid,
    #[schema(example = 12.9761)]
    pub lat: f64,
    #[schema(example = 77.6243)]
    pub lng: f64,
    pub state: FleetState,
    /// When the position was recorded.
    pub seen_at: Timestamp,
    /// The job of a busy one.
    pub job_id: Option<Uuid>,
}

text_enum! {
    /// What a mechanic who is online does.
    FleetState {
        /// They have neither a job nor an offer.
        Free = "free",
        /// They are being offered a job. This may also be seen for a moment before and after a job.
        Offered = "offered",
        /// They are on a job.
        Busy = "busy",
    }
}

/// An open job.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FleetJob {
    pub id: Uuid,
    pub status: JobStatus,
    /// The pickup.
    #[schema(example = 12.97297)]
    pub lat: f64,
    #[schema(example = 77.61701)]
    pub lng: f64,
    pub service_category_id: Uuid,
    pub urgency: Urgency,
    /// When its dispatch began.
    pub waiting_since: Timestamp,
    /// Null if none has accepted it.
    pub mechanic_profile_id: Option<Uuid>,
}

/// What is in a square of the map.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FleetCell {
    /// Its middle.
    #[schema(example = 12.97)]
    pub lat: f64,
    #[schema(example = 77.61)]
    pub lng: f64,
    /// Of a side; the same for all cells of an answer.
    #[schema(example = 0.010986328125)]
    pub size_degrees: f64,
    #[serde(flatten)]
    pub counts: FleetCounts,
}

/// What differs from what the socket was sent before.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FleetChanges {
    /// Of everything in the box, as they are now.
    pub counts: FleetCounts,
    /// The current totals of the whole service.
    pub everywhere: FleetTotals,
    /// Changed or new.
    pub mechanics: Vec<FleetMechanic>,
    pub jobs: Vec<FleetJob>,
    pub gone: FleetGone,
    /// Changed or new; those in which nothing is left have only zeros.
    pub cells: Vec<FleetCell>,
    /// Changed or new; null unless it was asked for and there is something.
    pub details: Option<FleetDetails>,
}

/// What an admin's list shows of the jobs and mechanics beyond their places. A socket is sent each once, and again
/// when it changes or is there again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FleetDetails {
    pub jobs: Vec<FleetJobDetails>,
    /// More about the mechanics in this part of the map.
    pub mechanics: Vec<FleetMechanicDetails>,
    /// Open jobs that are too many to be among `jobs` of the map.
    #[schema(example = 0)]
    pub omitted_jobs: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FleetJobDetails {
    pub job_id: Uuid,
    /// Null once they have left.
    pub customer_name: Option<String>,
    pub customer_phone: Option<String>,
    pub pickup_address: String,
    pub vehicle_type: VehicleKind,
    /// The vehicle's number plate.
    #[schema(example = "KA01AB1234")]
    pub vehicle_registration_number: String,
    /// As of the job.
    pub concern: Option<JobConcern>,
    /// The customer waits to be called.
    pub has_open_callback: bool,
    pub accepted_at: Option<Timestamp>,
    /// When the mechanic was expected at acceptance; null before.
    pub promised_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FleetMechanicDetails {
    pub mechanic_profile_id: Uuid,
    /// As an admin verified it; else as they wrote it. Null once they have left.
    pub mechanic_name: Option<String>,
    pub mechanic_phone: Option<String>,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
}

/// Who is not in the box any more, or not online; jobs that are over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FleetGone {
    /// Their `mechanic_profile_id`.
    pub mechanics: Vec<Uuid>,
    /// Their `id`.
    pub jobs: Vec<Uuid>,
}

/// `west,south,east,north` in degrees; across the date line if west is greater than east.
#[derive(Debug, Clone, Copy, PartialEq, Deserr)]
#[deserr(try_from(String) = BoundingBox::parse -> Invalid)]
pub struct BoundingBox(pub Bounds);

impl BoundingBox {
    /// Text that is longer holds no four numbers that anybody needs.
    const MAX_CHARS: usize = 128;

    fn parse(text: String) -> Result<Self, Invalid> {
        text.parse().map_err(|why: String| why.into())
    }
}

impl FromStr for BoundingBox {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || "must be west,south,east,north in degrees".to_owned();
        if text.len() > Self::MAX_CHARS {
            return Err(form());
        }
        let numbers: Vec<f64> =
            text.split(',').map(|part| part.trim().parse().map_err(|_| form())).collect::<Result<_, _>>()?;
        let [west, south, east, north] = numbers[..] else { return Err(form()) };
        for (name, lng) in [("west", west), ("east", east)] {
            Longitude::new(lng).map_err(|why| format!("{name} {}", why.0))?;
        }
        for (name, lat) in [("south", south), ("north", north)] {
            Latitude::new(lat).map_err(|why| format!("{name} {}", why.0))?;
        }
        if south > north {
            return Err("south must not be above north".to_owned());
        }
        Ok(Self(Bounds { west, south, east, north }))
    }
}

/// A zoom of web maps, 0 to 22.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr)]
#[deserr(try_from(i64) = Zoom::new -> Invalid)]
pub struct Zoom(pub u8);

impl Zoom {
    const MAX: u8 = 22;

    fn new(zoom: i64) -> Result<Self, Invalid> {
        let known = u8::try_from(zoom).ok().filter(|zoom| *zoom <= Self::MAX);
        known.map(Self).ok_or_else(|| format!("must be 0 to {}", Self::MAX).into())
    }
}

impl FromStr for Zoom {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Whole(zoom) = text.parse().map_err(str::to_owned)?;
        Self::new(zoom).map_err(|why| why.0)
    }
}

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct FleetParams {
    pub bbox: Param<BoundingBox>,
    pub zoom: Param<Zoom>,
    #[deserr(default)]
    pub details: Option<Param<Flag>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_four_numbers_in_their_ranges() {
        let fine = Bounds { west: 170.5, south: -20.0, east: -170.0, north: 10.0 };
        assert_eq!("170.5,-20, -170,10".parse(), Ok(BoundingBox(fine)));
        let refused = |text: &str| text.parse::<BoundingBox>().unwrap_err();
        for text in ["", "1,2,3", "1,2,3,4,5", "a,2,3,4", "1,2,3,", &"1".repeat(200)] {
            assert!(refused(text).starts_with("must be west,"), "{text}");
        }
        assert_eq!(refused("-181,0,1,1"), "west must be -180 to 180");
        assert_eq!(refused("0,0,NaN,1"), "east must be -180 to 180");
        assert_eq!(refused("0,-inf,1,1"), "south must be -90 to 90");
        assert_eq!(refused("0,0,1,90.1"), "north must be -90 to 90");
        assert_eq!(refused("0,2,1,1"), "south must not be above north");
    }
}
