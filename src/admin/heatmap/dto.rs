use std::str::FromStr;

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    dispatch::fleet_view::BoundingBox,
    http::{Day, Param, ValidationErrors, Whole},
};

/// Demand and waiting times by cells.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeatMap {
    /// The first day.
    #[schema(format = Date, example = "2026-03-09")]
    pub from: String,
    /// The last day, included.
    #[schema(format = Date, example = "2026-03-15")]
    pub to: String,
    /// The zone of the days and the hour, by its name in the IANA database.
    #[schema(example = "Asia/Kolkata")]
    pub time_zone: String,
    /// The hour of the day; null for the whole day.
    #[schema(example = 8)]
    pub hour: Option<u8>,
    /// The resolution of H3: 8 has cells of about 0.7 km², and each finer one cells of a seventh of that.
    #[schema(example = 8)]
    pub resolution: u8,
    /// The number of jobs in all cells.
    #[schema(example = 412)]
    pub jobs: u32,
    /// The cells with a job, at most 2,000, in the order of their indexes.
    pub cells: Vec<HeatCell>,
}

/// A cell, and the jobs whose pickup is in it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct HeatCell {
    /// The cell's index in H3.
    #[schema(example = "8861892ed3fffff")]
    pub cell: String,
    /// The cell's centre, in degrees north (WGS 84).
    #[schema(example = 12.970915)]
    pub lat: f64,
    #[schema(example = 77.619762)]
    pub lng: f64,
    /// The cell's outline, as in a polygon of GeoJSON: longitude and latitude, counter-clockwise, the first point again at the
    /// end. At the date line, longitudes continue beyond 180.
    pub ring: Vec<[f64; 2]>,
    pub jobs: u32,
    /// Jobs of these at which a mechanic arrived.
    pub arrived: u32,
    /// The median time to these arrivals from the beginning of the search; null if there were none.
    pub median_minutes_to_arrival: Option<f64>,
    /// The share of jobs that ended without a mechanic, 0 to 1.
    pub unserved_share: f64,
}

/// An hour of the day, 0 to 23.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HourOfDay(pub u8);

impl FromStr for HourOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        among(text, 0..=23).map(Self)
    }
}

/// A resolution of H3 whose cells are no smaller than a block, and no larger than a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellResolution(pub u8);

impl CellResolution {
    pub const USUAL: Self = Self(8);
}

impl FromStr for CellResolution {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        among(text, 3..=10).map(Self)
    }
}

fn among(text: &str, range: std::ops::RangeInclusive<u8>) -> Result<u8, String> {
    let Whole(number) = text.parse().map_err(str::to_owned)?;
    let known = u8::try_from(number).ok().filter(|number| range.contains(number));
    known.ok_or_else(|| format!("must be {} to {}", range.start(), range.end()))
}

/// Parameters of `GET /admin/heatmap`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct HeatMapParams {
    pub bbox: Param<BoundingBox>,
    #[deserr(default)]
    pub from: Option<Day>,
    #[deserr(default)]
    pub to: Option<Day>,
    #[deserr(default)]
    pub hour: Option<Param<HourOfDay>>,
    #[deserr(default)]
    pub resolution: Option<Param<CellResolution>>,
}
