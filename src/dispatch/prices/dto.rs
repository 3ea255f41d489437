//! Prices of mechanics' time on the wire.

use deserr::Deserr;
use roadcall_actors::{
    experience::{HoldCounts, HoldReport},
    observe::AdviceCounts,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    http::{Param, Timestamp, ValidationErrors, Whole, text_enum},
};

/// The present price of an hour of mechanics' time.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchPrices {
    /// Whether the dispatch setting `mechanic_prices` is on. Otherwise there are no prices.
    pub is_on: bool,
    /// The prices by town. Empty until the first prices, some seconds after a start, and while nobody is online.
    pub towns: Vec<TownPrices>,
    /// Signs that mechanics are held back without benefit; empty if all is well.
    pub alarms: Vec<DispatchAlarm>,
    pub holds: HoldFigures,
    pub advice: AdviceFigures,
}

text_enum! {
    /// The cause for concern.
    DispatchAlarmKind {
        /// More than 10 % of the online mechanics are free although there are held jobs that they fit. Prices count less until
        /// that is over.
        IdleBesideHeld = "idle_beside_held",
        /// More than three times as many mechanics are believed to be busy as really are, though more than a quarter is free.
        LoadOverrated = "load_overrated",
        /// More than 20 % of the holds brought nothing.
        WastedHolds = "wasted_holds",
        /// Jobs of a category are held back, and none was completed for an hour.
        CategoryStarves = "category_starves",
    }
}

/// A sign that mechanics are held back without benefit.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DispatchAlarm {
    pub kind: DispatchAlarmKind,
    /// A place near the town, as in `towns`; null if the alarm is about all of them.
    #[schema(example = 12.9)]
    pub lat: Option<f64>,
    #[schema(example = 77.5)]
    pub lng: Option<f64>,
    /// The category that the alarm is about; null if it is not about one.
    pub service_category_id: Option<Uuid>,
    /// The alarm in a sentence or two.
    #[schema(
        example = "14 % of the mechanics stand free beside held jobs that they fit. Prices count 50 % until that is over."
    )]
    pub text: String,
}

/// The outcomes of jobs that were held back, since the server started.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct HoldFigures {
    /// Holds without an outcome so far.
    pub open: u64,
    /// Holds after which the mechanic took other work within the time saved.
    pub justified: u64,
    /// Holds whose job was served in time anyway.
    pub free: u64,
    /// Holds with neither outcome.
    pub wasted: u64,
}

impl From<&HoldReport> for HoldFigures {
    fn from(report: &HoldReport) -> Self {
        let HoldCounts { justified, free, wasted } = report.ended;
        Self { open: report.open as u64, justified, free, wasted }
    }
}

/// Whether mechanics follow the advice where to wait, since the server started. Advice that is still valid counts only as given.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct AdviceFigures {
    /// How often mechanics were advised where to wait.
    pub given: u64,
    /// How often they were seen within a kilometre of the place before the advice ended.
    pub followed: u64,
    /// How often they were not.
    pub stayed: u64,
    /// How often they got a job or went offline before they were seen there.
    pub cut_short: u64,
    /// The share of mechanics who followed among those who followed or stayed; null before the first.
    #[schema(minimum = 0, maximum = 100)]
    pub followed_percent: Option<u64>,
}

impl From<AdviceCounts> for AdviceFigures {
    fn from(AdviceCounts { given, followed, stayed, cut_short }: AdviceCounts) -> Self {
        let followed_percent = (100 * followed + (followed + stayed) / 2).checked_div(followed + stayed);
        Self { given, followed, stayed, cut_short, followed_percent }
    }
}

/// The mechanics of a town. No mechanic counts in two towns.
#[derive(Debug, Serialize, ToSchema)]
pub struct TownPrices {
    /// A rough place near the town: the middle of a square of about 22 km in which one of its mechanics is.
    #[schema(example = 12.9)]
    pub lat: f64,
    #[schema(example = 77.5)]
    pub lng: f64,
    /// The classes, the most expensive first; at most 16.
    pub classes: Vec<ClassPrice>,
}

/// The skills that the mechanics of a class have in common.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ServedSkills {
    /// The categories and the number of vehicle types, in short; in full if two classes would read alike.
    #[schema(example = "Flat tyre, Battery jump (4 vehicle types)")]
    pub label: String,
    pub service_category_ids: Vec<Uuid>,
    pub vehicle_types: Vec<VehicleKind>,
}

/// Mechanics with the same skills. The smallest classes of a town are counted with the one most like them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClassPrice {
    #[serde(flatten)]
    pub skills: ServedSkills,
    /// The number of mechanics online.
    pub mechanics: i64,
    /// The number of those mechanics who are neither on a job nor being offered one.
    pub free: i64,
    /// The calls expected for this class, with its share of calls that other classes serve, too.
    pub calls_per_hour: f64,
    /// How many mechanics these calls keep busy on average.
    pub load: f64,
    /// The price: how many jobs are lost for each hour that one of these mechanics is away.
    pub jobs_lost_per_hour: f64,
    /// How many jobs one more mechanic of this class would save per hour: fewer than the price, as each further mechanic has less
    /// to do.
    pub one_more_saves_per_hour: f64,
}

/// The effect of prices of mechanics' time: hours with prices and hours without, as the setting `price_switchback` drew them.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackReport {
    /// Whether prices are switched by the hour now.
    pub is_on: bool,
    /// The beginning of the compared time. Only whole hours count in which prices were switched all along.
    pub since: Timestamp,
    /// The end of the compared time.
    pub until: Timestamp,
    pub with_prices: SwitchbackArm,
    pub without_prices: SwitchbackArm,
    /// The share of calls whose mechanic arrived in time, with prices minus without; null until there are 8 hours of each.
    pub in_time: Option<SwitchbackDifference>,
    /// The difference for calls whose mechanic arrived at all.
    pub served: Option<SwitchbackDifference>,
    /// The difference for calls whose search found nobody, even if a later search did.
    pub unserved: Option<SwitchbackDifference>,
}

/// All hours of a kind. Calls in the first 10 minutes of an hour are left out, since they still depend on the hour before.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackArm {
    /// The number of such hours.
    pub hours: u64,
    /// Calls for help in these hours.
    pub calls: i64,
    /// How many of 100 calls were served in time; null without calls, like the others.
    #[schema(minimum = 0, maximum = 100)]
    pub in_time_percent: Option<f64>,
    /// How many of 100 calls were served.
    #[schema(minimum = 0, maximum = 100)]
    pub served_percent: Option<f64>,
    /// How many of 100 calls found nobody.
    #[schema(minimum = 0, maximum = 100)]
    pub unserved_percent: Option<f64>,
}

/// A difference in percentage points, to a tenth, with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackDifference {
    /// The difference, in percentage points.
    #[schema(example = 4.2)]
    pub points: f64,
    #[schema(example = 1.1)]
    pub from: f64,
    /// The end of the confidence interval.
    #[schema(example = 7.3)]
    pub to: f64,
}

/// Shows when one more mechanic would have been worth most, by the recorded prices.
#[derive(Debug, Serialize, ToSchema)]
pub struct Roster {
    /// The beginning of the recorded prices, if they are still kept (`dispatch.records_retention_days`).
    pub since: Timestamp,
    /// The zone of the hours, by its name in the IANA database.
    #[schema(example = "Asia/Kolkata")]
    pub time_zone: String,
    /// How often prices were recorded. It happens every five minutes while somebody is online and prices are on.
    pub looks: i64,
    /// The hours in which one more mechanic would save most, of all classes; at most 100.
    pub dearest: Vec<DearHour>,
    /// The classes, beginning with the one in which one more mechanic would save most in a day; at most 64.
    pub classes: Vec<RosterClass>,
}

/// An hour of the day in which one more mechanic of a class would save jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct DearHour {
    /// The position of the class in `classes`, from 0.
    pub class_index: i64,
    /// The class of mechanics, as people read it.
    #[schema(example = "Flat tyre, Battery jump (4 vehicle types)")]
    pub label: String,
    /// The hour of the local day at which this hour begins.
    #[schema(minimum = 0, maximum = 23)]
    pub hour: i64,
    /// The number of jobs that one more mechanic would save in such an hour.
    pub one_more_saves_per_hour: f64,
    /// The price in this hour.
    pub jobs_lost_per_hour: f64,
}

/// A class over the day.
#[derive(Debug, Serialize, ToSchema)]
pub struct RosterClass {
    /// A rough place near its town.
    #[schema(example = 12.9)]
    pub lat: f64,
    #[schema(example = 77.5)]
    pub lng: f64,
    #[serde(flatten)]
    pub skills: ServedSkills,
    /// Jobs that one more mechanic would save in a day, if they worked all 24 hours.
    pub one_more_saves_per_day: f64,
    /// The conclusion in a sentence or two.
    #[schema(
        example = "One more mechanic from 16:00 to 24:00 would save about 2.4 jobs a day, the most of any eight hours."
    )]
    pub advice: String,
    /// The hours in order, without those in which no mechanic of the class was online.
    pub hours: Vec<RosterHour>,
}

/// Averages of a class in an hour of the local day, over all days.
#[derive(Debug, Serialize, ToSchema)]
pub struct RosterHour {
    /// The hour of the local day at which this hour begins.
    #[schema(minimum = 0, maximum = 23)]
    pub hour: i64,
    /// The number of recorded prices of the class. If they are fewer than `looks`, no mechanic of the class was online in the
    /// others.
    pub samples: i64,
    /// How often prices were recorded in this hour, of any class.
    pub looks: i64,
    /// The average number of mechanics online, over all `looks`.
    pub mechanics: f64,
    /// The average number of calls per hour over the `samples`, like the fields below.
    pub calls_per_hour: f64,
    /// How many mechanics these calls keep busy.
    pub load: f64,
    /// The price: how many jobs are lost for each hour that one of the mechanics is away.
    pub jobs_lost_per_hour: f64,
    /// How many jobs one more mechanic would save per hour.
    pub one_more_saves_per_hour: f64,
}

/// How far to look back.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RosterParams {
    #[deserr(default)]
    pub days: Option<Param<Whole>>,
}
