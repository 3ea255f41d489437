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

/// What an hour of mechanics' time costs now.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchPrices {
    /// Whether the dispatch setting `mechanic_prices` is on. Without it there are no prices.
    pub is_on: bool,
    /// Empty until the first prices, some seconds after a start, and while nobody is online.
    pub towns: Vec<TownPrices>,
    /// Signs that mechanics are held back for nothing; empty if all is well.
    pub alarms: Vec<DispatchAlarm>,
    pub holds: HoldFigures,
    pub advice: AdviceFigures,
}

text_enum! {
    /// What gives cause for concern.
    DispatchAlarmKind {
        /// More than 10 % of the mechanics online stand free beside held jobs that they fit. Prices count less until that is over.
        IdleBesideHeld = "idle_beside_held",
        /// More than three times as many mechanics are believed to be busy as are, though more than a quarter is free.
        LoadOverrated = "load_overrated",
        /// More than 20 % of the holds brought nothing.
        WastedHolds = "wasted_holds",
        /// Jobs of a category are held back, and none was completed for an hour.
        CategoryStarves = "category_starves",
    }
}

/// A sign that mechanics are held back for nothing.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DispatchAlarm {
    pub kind: DispatchAlarmKind,
    /// Near the town, as in `towns`; null if it is about all of them.
    #[schema(example = 12.9)]
    pub lat: Option<f64>,
    #[schema(example = 77.5)]
    pub lng: Option<f64>,
    /// If it is about one category.
    pub service_category_id: Option<Uuid>,
    /// The same in a sentence or two.
    #[schema(
        example = "14 % of the mechanics stand free beside held jobs that they fit. Prices count 50 % until that is over."
    )]
    pub text: String,
}

/// What became of jobs that were held back, since the server started.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct HoldFigures {
    /// Not known yet.
    pub open: u64,
    /// The mechanic took other work within the time that this saved.
    pub justified: u64,
    /// The job was served in time anyway.
    pub free: u64,
    /// Neither.
    pub wasted: u64,
}

impl From<&HoldReport> for HoldFigures {
    fn from(report: &HoldReport) -> Self {
        let HoldCounts { justified, free, wasted } = report.ended;
        Self { open: report.open as u64, justified, free, wasted }
    }
}

/// Whether mechanics follow advice where to wait, since the server started. Advice that still holds is counted as given alone.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct AdviceFigures {
    /// How often mechanics were shown where to wait.
    pub given: u64,
    /// They were seen within a kilometre of the place before it ended.
    pub followed: u64,
    /// They were not.
    pub stayed: u64,
    /// They got a job or went offline before they were seen there.
    pub cut_short: u64,
    /// Those who followed, of those who followed or stayed; null before the first.
    #[schema(minimum = 0, maximum = 100)]
    pub followed_percent: Option<u64>,
}

impl From<AdviceCounts> for AdviceFigures {
    fn from(AdviceCounts { given, followed, stayed, cut_short }: AdviceCounts) -> Self {
        let followed_percent = (100 * followed + (followed + stayed) / 2).checked_div(followed + stayed);
        Self { given, followed, stayed, cut_short, followed_percent }
    }
}

/// The mechanics of a town: towns share none.
#[derive(Debug, Serialize, ToSchema)]
pub struct TownPrices {
    /// Near the town, roughly: the middle of a square of about 22 km that one of its mechanics is in.
    #[schema(example = 12.9)]
    pub lat: f64,
    #[schema(example = 77.5)]
    pub lng: f64,
    /// The dearest first; at most 16.
    pub classes: Vec<ClassPrice>,
}

/// What the mechanics of a class have in common.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ServedSkills {
    /// The categories and the number of vehicle types, in short; in full where two classes would read alike.
    #[schema(example = "Flat tyre, Battery jump (4 vehicle types)")]
    pub label: String,
    pub service_category_ids: Vec<Uuid>,
    pub vehicle_types: Vec<VehicleKind>,
}

/// Mechanics who serve the same. The smallest classes of a town are counted with the one most like them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClassPrice {
    #[serde(flatten)]
    pub skills: ServedSkills,
    /// Online.
    pub mechanics: i64,
    /// Those of them who are neither on a job nor being offered one.
    pub free: i64,
    /// The calls expected for this class, with its share of those that others serve, too.
    pub calls_per_hour: f64,
    /// How many mechanics these calls keep busy on average.
    pub load: f64,
    /// The price: how many jobs are lost for each hour that one of these mechanics is away.
    pub jobs_lost_per_hour: f64,
    /// How many jobs one more mechanic of this class would save per hour: fewer than the price, as each further one has
    /// less to do.
    pub one_more_saves_per_hour: f64,
}

/// What prices of mechanics' time are worth: hours with them and hours without, as the setting `price_switchback` drew them.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackReport {
    /// Whether prices are switched by the hour now.
    pub is_on: bool,
    /// Whole hours from then to then count in which they were switched all along.
    pub since: Timestamp,
    /// The end of the time that is compared.
    pub until: Timestamp,
    pub with_prices: SwitchbackArm,
    pub without_prices: SwitchbackArm,
    /// The share of calls whose mechanic arrived in time, with prices less without; null until there are 8 hours of each.
    pub in_time: Option<SwitchbackDifference>,
    /// The same for those whose mechanic arrived at all.
    pub served: Option<SwitchbackDifference>,
    /// The same for those whose search found nobody, even if a later one did.
    pub unserved: Option<SwitchbackDifference>,
}

/// All hours of a kind. Calls in the first 10 minutes of an hour are left out: they still meet what the hour before has left.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackArm {
    /// How many hours it was so.
    pub hours: u64,
    /// Calls for help in these hours.
    pub calls: i64,
    /// Null without calls, like the others.
    #[schema(minimum = 0, maximum = 100)]
    pub in_time_percent: Option<f64>,
    /// How many of 100 calls were served.
    #[schema(minimum = 0, maximum = 100)]
    pub served_percent: Option<f64>,
    /// How many of 100 calls found nobody.
    #[schema(minimum = 0, maximum = 100)]
    pub unserved_percent: Option<f64>,
}

/// In percentage points, to a tenth, with the interval in which it is with a chance of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct SwitchbackDifference {
    /// The difference, in percentage points.
    #[schema(example = 4.2)]
    pub points: f64,
    #[schema(example = 1.1)]
    pub from: f64,
    /// The end of the interval that holds it.
    #[schema(example = 7.3)]
    pub to: f64,
}

/// When one more mechanic would have been worth most, by the recorded prices.
#[derive(Debug, Serialize, ToSchema)]
pub struct Roster {
    /// Prices since then are in it, if they are still kept (`dispatch.records_retention_days`).
    pub since: Timestamp,
    /// The zone of the hours, by its name in the IANA database.
    #[schema(example = "Asia/Kolkata")]
    pub time_zone: String,
    /// How often prices were recorded. It happens every five minutes while somebody is online and prices are on.
    pub looks: i64,
    /// The hours in which one more mechanic would save most, of all classes; at most 100.
    pub dearest: Vec<DearHour>,
    /// Those in which one more mechanic would save most in a day first; at most 64.
    pub classes: Vec<RosterClass>,
}

/// An hour of the day in which one more mechanic of a class would save jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct DearHour {
    /// The position of the class in `classes`, from 0.
    pub class_index: i64,
    /// The hour and the place, as people read them.
    #[schema(example = "Flat tyre, Battery jump (4 vehicle types)")]
    pub label: String,
    /// From this hour of the local day to the next.
    #[schema(minimum = 0, maximum = 23)]
    pub hour: i64,
    /// What one more mechanic would save in such an hour.
    pub one_more_saves_per_hour: f64,
    /// The price in this hour.
    pub jobs_lost_per_hour: f64,
}

/// A class over the day.
#[derive(Debug, Serialize, ToSchema)]
pub struct RosterClass {
    /// Near its town, roughly.
    #[schema(example = 12.9)]
    pub lat: f64,
    #[schema(example = 77.5)]
    pub lng: f64,
    #[serde(flatten)]
    pub skills: ServedSkills,
    /// Jobs that one more mechanic would save in a day, if they worked all 24 hours.
    pub one_more_saves_per_day: f64,
    /// What follows from it, in a sentence or two.
    #[schema(
        example = "One more mechanic from 16:00 to 24:00 would save about 2.4 jobs a day, the most of any eight hours."
    )]
    pub advice: String,
    /// In order, without those in which none of the class was online.
    pub hours: Vec<RosterHour>,
}

/// Averages of a class in an hour of the local day, over all days.
#[derive(Debug, Serialize, ToSchema)]
pub struct RosterHour {
    /// From this hour of the local day to the next.
    #[schema(minimum = 0, maximum = 23)]
    pub hour: i64,
    /// Recorded prices of the class. If they are fewer than `looks`, none of the class was online in the others.
    pub samples: i64,
    /// How often prices were recorded in this hour, of any class.
    pub looks: i64,
    /// Mechanics online, in all `looks`.
    pub mechanics: f64,
    /// In the `samples`, like everything that follows.
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
