//! Figures on the wire.

use deserr::Deserr;
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    period::FiguresPeriod,
    queries::{FigureRow, SlaRow},
};
use crate::{
    dispatch::fleet_view::FleetTotals,
    http::{Day, Money, Timestamp, ValidationErrors},
    jobs::JobStatus,
};

/// The days of the figures, both included.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PeriodParams {
    #[deserr(default)]
    pub from: Option<Day>,
    #[deserr(default)]
    pub to: Option<Day>,
}

/// The state of the service now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Live {
    pub at: Timestamp,
    /// Open jobs, and those that found no mechanic and may be tried again, by status; a status without jobs is left out.
    pub jobs: Vec<OpenJobs>,
    /// Jobs whose mechanic has a problem on the way or should have arrived: `everywhere.concerns`.
    pub jobs_with_a_concern: i64,
    /// The totals of the whole service, as the map of admins counts them.
    pub everywhere: FleetTotals,
    pub mechanics: LiveMechanics,
    pub engine: LiveEngine,
    /// Open WebSockets.
    pub sockets: i64,
    pub queues: LiveQueues,
    pub waiting: Waiting,
}

/// Open jobs of one status.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenJobs {
    pub status: JobStatus,
    /// How many jobs are open.
    pub count: i64,
    /// Seconds since the oldest of these jobs was made.
    pub oldest_age_s: i64,
}

/// Mechanics at this moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveMechanics {
    /// Verified mechanics who want offers.
    pub available: i64,
    /// Mechanics whom the dispatcher knows with a position; null where the engine does not answer.
    pub online: Option<i64>,
    /// Online mechanics who are neither on a job nor being offered one; null where the engine does not answer.
    pub free: Option<i64>,
    /// Mechanics to whom a job is being offered.
    pub offered: i64,
    /// Mechanics who are on a job now.
    pub on_a_job: i64,
}

/// Figures of the engine; null if it does not answer in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveEngine {
    pub is_answering: bool,
    /// Jobs that need an offer now.
    pub waiting_jobs: Option<i64>,
    /// Jobs that the engine has in memory.
    pub job_actors: Option<i64>,
    /// Mechanics whom the engine has in memory.
    pub mechanic_actors: Option<i64>,
}

/// The data that waits to be written, in this process.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveQueues {
    /// Positions that wait to be stored.
    pub trail_points: i64,
    /// Decisions of the dispatcher that wait to be recorded.
    pub decisions: i64,
}

/// The numbers of things that wait for a provider or for an admin.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
pub struct Waiting {
    /// Webhooks that wait to be processed.
    pub webhooks: i64,
    /// How long the oldest event of the gateway has been waiting, in seconds; null if none is waiting.
    pub oldest_webhook_age_s: Option<i64>,
    /// Webhooks that failed for good and wait for a replay.
    pub dead_webhooks: i64,
    /// Withdrawals that are on their way to a mechanic.
    pub withdrawals: i64,
    /// Refunds that are on their way to a customer, at the gateway.
    pub refunds: i64,
    /// Refunds that have to be paid by hand.
    pub cash_refunds: i64,
    /// Refunds that failed at the gateway, where nothing of the payment has been given back since.
    pub failed_refunds: i64,
    /// Disputes that wait for a decision.
    pub disputes: i64,
    /// No-shows that an admin has to decide: no position proves the arrival, or the customer contests the fee.
    pub no_shows: i64,
    /// Tows that no position shows at their destination.
    pub tow_reviews: i64,
    /// Customers who asked to be called.
    pub callbacks: i64,
    /// UPI accounts whose names do not match.
    pub upi_mismatches: i64,
    /// Profiles that wait for verification.
    pub mechanics: i64,
    /// Changes to the services of verified mechanics that wait for a decision.
    pub mechanic_changes: i64,
    /// Questions and complaints of people about their data.
    pub grievances: i64,
    /// Money at the gateway that matches no payment, and is neither given back nor dismissed.
    pub parked_payments: i64,
    /// Payments that a customer's bank wants back, still to be contested at the gateway.
    pub chargebacks: i64,
}

/// The figures of a period: each event counts on the day on which it happened, so a job may be made on one day and completed on
/// the next.
#[derive(Debug, Serialize, ToSchema)]
pub struct Figures {
    /// Jobs that were made in this time.
    pub jobs_made: i64,
    pub jobs_completed: i64,
    /// Jobs that were cancelled in this time.
    pub jobs_cancelled: i64,
    /// Jobs for which no mechanic was found, then or later.
    pub jobs_unserved: i64,
    pub offers_accepted: i64,
    pub offers_declined: i64,
    pub offers_expired: i64,
    /// The share of accepted offers among those that were answered or expired, 0 to 1; null if there were none.
    pub acceptance_rate: Option<f64>,
    /// The amount that customers paid for jobs and in fees, cash included, before refunds.
    pub revenue: Money,
    /// The part of that revenue that has been given back so far.
    pub refunded: Money,
    /// The commission on the revenue, before refunds.
    pub commission: Money,
    /// The tax on the revenue, before refunds.
    pub tax: Money,
}

impl From<&FigureRow> for Figures {
    fn from(row: &FigureRow) -> Self {
        let answered = row.accepted + row.declined + row.expired;
        Self {
            jobs_made: row.made,
            jobs_completed: row.completed,
            jobs_cancelled: row.cancelled,
            jobs_unserved: row.unserved,
            offers_accepted: row.accepted,
            offers_declined: row.declined,
            offers_expired: row.expired,
            acceptance_rate: (answered > 0).then(|| row.accepted as f64 / answered as f64),
            revenue: Money(row.revenue_paise),
            refunded: Money(row.refunded_paise),
            commission: Money(row.commission_paise),
            tax: Money(row.tax_paise),
        }
    }
}

/// The figures of a period, in all, by day and by category.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stats {
    /// The first day.
    #[schema(format = Date, example = "2026-03-09")]
    pub from: String,
    /// The last day, included.
    #[schema(format = Date, example = "2026-03-15")]
    pub to: String,
    /// The zone of the days, by its name in the IANA database.
    #[schema(example = "Asia/Kolkata")]
    pub time_zone: String,
    #[schema(example = "INR")]
    pub currency: String,
    pub total: Figures,
    /// Every day of the period, in order.
    pub by_day: Vec<DayFigures>,
    /// Categories in which something happened, by name.
    pub by_category: Vec<CategoryFigures>,
}

/// The figures of one day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayFigures {
    /// The day, in the operator's time zone.
    #[schema(format = Date)]
    pub day: String,
    #[serde(flatten)]
    pub figures: Figures,
}

/// The figures of one category.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryFigures {
    pub service_category_id: Uuid,
    pub name: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Stats {
    /// Builds the figures from rows: one row for the total, one for each day, and one for each category in which something
    /// happened.
    pub fn of(period: &FiguresPeriod, currency: String, rows: &[FigureRow]) -> Self {
        let nothing = FigureRow::default();
        let find = |is_it: &dyn Fn(&FigureRow) -> bool| {
            Figures::from(rows.iter().find(|row| is_it(row)).unwrap_or(&nothing))
        };
        let of_day = |day| DayFigures {
            day: format!("{day}"),
            figures: find(&|row: &FigureRow| row.day == Some(day)),
        };
        let of_category = |row: &FigureRow| {
            let (id, name) = (row.category?, row.name.clone().unwrap_or_default());
            Some(CategoryFigures { service_category_id: id, name, figures: row.into() })
        };
        Self {
            from: period.from.to_string(),
            to: period.to.to_string(),
            time_zone: period.zone.to_string(),
            currency,
            total: find(&|row| row.day.is_none() && row.category.is_none()),
            by_day: period.days().map(of_day).collect(),
            by_category: rows.iter().filter_map(of_category).collect(),
        }
    }
}

/// Percentiles, in seconds (interpolated, as `percentile_cont` does).
#[derive(Debug, Serialize, ToSchema)]
pub struct Percentiles {
    /// The median: half of the values are at most this.
    pub p50: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
}

impl Percentiles {
    fn of(values: Option<&[f64]>) -> Option<Self> {
        let [p50, p90, p95, p99] = *values? else { return None };
        Some(Self { p50, p90, p95, p99 })
    }
}

/// How fast help came. Times count from the beginning of the search: when the job was made, or the scheduled time less the lead.
#[derive(Debug, Serialize, ToSchema)]
pub struct SlaFigures {
    /// Jobs whose search began in the period.
    pub jobs: i64,
    /// Jobs of these that a mechanic took.
    pub assigned: i64,
    /// Jobs of these at which a mechanic arrived.
    pub arrived: i64,
    /// The share of the assigned jobs that had their first mechanic within 60 seconds, 0 to 1; null if no job was assigned.
    pub assigned_within_60_s: Option<f64>,
    /// The share of the jobs with an arrival whose mechanic arrived within 30 minutes, 0 to 1; null if there was no arrival.
    pub arrived_within_30_min: Option<f64>,
    /// Time to the first acceptance, whichever mechanic came in the end.
    pub time_to_assign_s: Option<Percentiles>,
    /// Time to the arrival of the mechanic who came.
    pub time_to_arrive_s: Option<Percentiles>,
}

impl From<&SlaRow> for SlaFigures {
    fn from(row: &SlaRow) -> Self {
        let share = |part: i64, of: i64| (of > 0).then(|| part as f64 / of as f64);
        Self {
            jobs: row.jobs,
            assigned: row.assigned,
            arrived: row.arrived,
            assigned_within_60_s: share(row.assigned_in_time, row.assigned),
            arrived_within_30_min: share(row.arrived_in_time, row.arrived),
            time_to_assign_s: Percentiles::of(row.assign_s.as_deref()),
            time_to_arrive_s: Percentiles::of(row.arrive_s.as_deref()),
        }
    }
}

/// How fast help came in a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sla {
    /// The first day.
    #[schema(format = Date, example = "2026-03-09")]
    pub from: String,
    /// The last day, included.
    #[schema(format = Date, example = "2026-03-15")]
    pub to: String,
    /// The zone of the days, by its name in the IANA database.
    #[schema(example = "Asia/Kolkata")]
    pub time_zone: String,
    pub total: SlaFigures,
    /// Categories with a job in the period, by name.
    pub by_category: Vec<CategorySla>,
}

/// How fast help came in one category.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategorySla {
    pub service_category_id: Uuid,
    pub name: String,
    #[serde(flatten)]
    pub figures: SlaFigures,
}

impl Sla {
    /// Builds the figures from rows: one row for the total, and one for each category.
    pub fn of(period: &FiguresPeriod, rows: &[SlaRow]) -> Self {
        let nothing = SlaRow::default();
        let total = rows.iter().find(|row| row.category.is_none()).unwrap_or(&nothing);
        let of_category = |row: &SlaRow| {
            let (id, name) = (row.category?, row.name.clone().unwrap_or_default());
            Some(CategorySla { service_category_id: id, name, figures: row.into() })
        };
        Self {
            from: period.from.to_string(),
            to: period.to.to_string(),
            time_zone: period.zone.to_string(),
            total: total.into(),
            by_category: rows.iter().filter_map(of_category).collect(),
        }
    }
}
