//! Figures on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    period::Period,
    queries::{FigureRow, SlaRow, WaitingRow},
};
use crate::{
    http::{Day, Faults, Money, Timestamp},
    jobs::JobStatus,
};

/// Which days, both included.
#[derive(Debug, Deserr)]
#[deserr(error = Faults, deny_unknown_fields)]
pub struct PeriodParams {
    #[deserr(default)]
    pub from: Option<Day>,
    #[deserr(default)]
    pub to: Option<Day>,
}

/// What is going on now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "at": "2026-03-14T08:31:00.000Z",
    "jobs": [
        {"status": "dispatching", "count": 2, "oldest_age_s": 41},
        {"status": "en_route", "count": 5, "oldest_age_s": 1260},
    ],
    "jobs_with_a_concern": 1,
    "mechanics": {"available": 31, "online": 28, "free": 22, "offered": 2, "on_a_job": 5},
    "engine": {"is_answering": true, "waiting_jobs": 2, "job_actors": 9, "mechanic_actors": 33},
    "sockets": 41,
    "queues": {"trail_points": 0, "decisions": 3},
    "waiting": {
        "webhooks": 0, "dead_webhooks": 1, "withdrawals": 2, "refunds": 0, "cash_refunds": 0,
        "failed_refunds": 0, "disputes": 1,
        "upi_mismatches": 1, "mechanics": 4, "parked_payments": 0, "oldest_webhook_age_s": null,
    },
}))]
pub struct Live {
    pub at: Timestamp,
    /// Open jobs, and those that found nobody and may be tried again, by status; a status without jobs is left out.
    pub jobs: Vec<OpenJobs>,
    /// Jobs on whose way something is wrong.
    pub jobs_with_a_concern: i64,
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
    pub count: i64,
    /// Seconds since the oldest of them was made.
    pub oldest_age_s: i64,
}

/// Mechanics at this moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveMechanics {
    /// Verified, and wish for offers.
    pub available: i64,
    /// Known to the dispatcher with a position; null where the engine does not answer.
    pub online: Option<i64>,
    /// Of those, neither offered a job nor on one.
    pub free: Option<i64>,
    /// With an offer out.
    pub offered: i64,
    pub on_a_job: i64,
}

/// The engine in numbers; null where it does not answer in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveEngine {
    pub is_answering: bool,
    /// Jobs that want an offer now.
    pub waiting_jobs: Option<i64>,
    pub job_actors: Option<i64>,
    pub mechanic_actors: Option<i64>,
}

/// What waits to be written, in this process.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveQueues {
    pub trail_points: i64,
    pub decisions: i64,
}

/// What waits for a provider or for an admin.
#[derive(Debug, Serialize, ToSchema)]
pub struct Waiting {
    /// Webhooks to be dealt with.
    pub webhooks: i64,
    pub oldest_webhook_age_s: Option<i64>,
    /// Webhooks that failed for good and wait for a replay.
    pub dead_webhooks: i64,
    /// On their way to a mechanic.
    pub withdrawals: i64,
    /// On their way to a customer, at the gateway.
    pub refunds: i64,
    /// To be paid by hand.
    pub cash_refunds: i64,
    /// Failed at the gateway, and nothing of the payment was given back since.
    pub failed_refunds: i64,
    pub disputes: i64,
    /// UPI accounts whose names do not fit.
    pub upi_mismatches: i64,
    /// Profiles that wait for verification.
    pub mechanics: i64,
    /// Money at the gateway that fits nothing of ours.
    pub parked_payments: i64,
}

impl From<WaitingRow> for Waiting {
    fn from(row: WaitingRow) -> Self {
        Self {
            webhooks: row.webhooks,
            oldest_webhook_age_s: row.oldest_webhook_age_s,
            dead_webhooks: row.dead_webhooks,
            withdrawals: row.withdrawals,
            refunds: row.refunds,
            cash_refunds: row.cash_refunds,
            failed_refunds: row.failed_refunds,
            disputes: row.disputes,
            upi_mismatches: row.upi_mismatches,
            mechanics: row.mechanics,
            parked_payments: row.parked_payments,
        }
    }
}

/// What was done: each thing counts on the day on which it happened, so a job may be made on one day and completed on
/// the next.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "jobs_made": 128, "jobs_completed": 109, "jobs_cancelled": 12, "jobs_unserved": 4,
    "offers_accepted": 115, "offers_declined": 9, "offers_expired": 14, "acceptance_rate": 0.8333333333333334,
    "revenue": 48200.5, "refunded": 299.0, "commission": 7230.08, "tax": 0.0,
}))]
pub struct Figures {
    pub jobs_made: i64,
    pub jobs_completed: i64,
    pub jobs_cancelled: i64,
    /// Jobs for which nobody was found, and for which nobody was found later either.
    pub jobs_unserved: i64,
    pub offers_accepted: i64,
    pub offers_declined: i64,
    pub offers_expired: i64,
    /// Accepted offers of those that were answered or expired, 0 to 1; null where there were none.
    pub acceptance_rate: Option<f64>,
    /// What customers paid for jobs and in fees, cash included, before anything was given back.
    pub revenue: Money,
    /// Of that revenue, given back until now.
    pub refunded: Money,
    /// Of the revenue, before anything was given back.
    pub commission: Money,
    /// Of the revenue, before anything was given back.
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

/// What was done in a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stats {
    /// The first day.
    #[schema(format = Date, example = "2026-03-09")]
    pub from: String,
    /// The last day, included.
    #[schema(format = Date, example = "2026-03-15")]
    pub to: String,
    /// Of the days, east of Greenwich.
    #[schema(example = 330)]
    pub utc_offset_minutes: i32,
    #[schema(example = "INR")]
    pub currency: String,
    pub total: Figures,
    /// Every day of the period, in order.
    pub by_day: Vec<DayFigures>,
    /// Categories in which something happened, by name.
    pub by_category: Vec<CategoryFigures>,
}

/// What was done on one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "day": "2026-03-14",
    "jobs_made": 21, "jobs_completed": 19, "jobs_cancelled": 1, "jobs_unserved": 0,
    "offers_accepted": 20, "offers_declined": 1, "offers_expired": 3, "acceptance_rate": 0.8333333333333334,
    "revenue": 8150.0, "refunded": 0.0, "commission": 1222.5, "tax": 0.0,
}))]
pub struct DayFigures {
    #[schema(format = Date)]
    pub day: String,
    #[serde(flatten)]
    pub figures: Figures,
}

/// What was done in one category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "service_category_id": "018f0000-0000-7000-8000-000000000001", "name": "Flat tyre",
    "jobs_made": 40, "jobs_completed": 37, "jobs_cancelled": 2, "jobs_unserved": 1,
    "offers_accepted": 38, "offers_declined": 2, "offers_expired": 4, "acceptance_rate": 0.8636363636363636,
    "revenue": 11063.0, "refunded": 299.0, "commission": 1659.45, "tax": 0.0,
}))]
pub struct CategoryFigures {
    pub service_category_id: Uuid,
    pub name: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Stats {
    /// One row for all, one for each day and each category in which something happened.
    pub fn of(period: &Period, currency: String, rows: &[FigureRow]) -> Self {
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
            utc_offset_minutes: period.utc_offset_minutes,
            currency,
            total: find(&|row| row.day.is_none() && row.category.is_none()),
            by_day: period.days().map(of_day).collect(),
            by_category: rows.iter().filter_map(of_category).collect(),
        }
    }
}

/// Seconds below which so many of a hundred stayed (interpolated, as `percentile_cont` does).
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"p50": 14.2, "p90": 38.0, "p95": 61.7, "p99": 140.3}))]
pub struct Percentiles {
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
}

impl Percentiles {
    fn of(values: Option<&[f64]>) -> Option<Self> {
        let [p50, p90, p95, p99] = *values? else { return None };
        Some(Self { p50, p90, p95, p99 })
    }
}

/// How fast help came. Times count from when the search began: from the making of the job, or from its scheduled time less
/// the lead.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "jobs": 128, "assigned": 119, "arrived": 112, "assigned_within_60_s": 0.9411764705882353,
    "arrived_within_30_min": 0.8660714285714286,
    "time_to_assign_s": {"p50": 14.2, "p90": 38.0, "p95": 61.7, "p99": 140.3},
    "time_to_arrive_s": {"p50": 1020.0, "p90": 1910.5, "p95": 2300.0, "p99": 3305.2},
}))]
pub struct SlaFigures {
    /// Jobs whose search began in the period.
    pub jobs: i64,
    /// Of those, ones that a mechanic took.
    pub assigned: i64,
    /// Of those, ones at which a mechanic arrived.
    pub arrived: i64,
    /// Of the assigned, the share that had its first mechanic within 60 seconds, 0 to 1; null where none was.
    pub assigned_within_60_s: Option<f64>,
    /// Of those arrived at, the share within 30 minutes, 0 to 1; null where there were none.
    pub arrived_within_30_min: Option<f64>,
    /// To the first acceptance, whoever came in the end.
    pub time_to_assign_s: Option<Percentiles>,
    /// To the arrival of the mechanic that came.
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
    /// Of the days, east of Greenwich.
    #[schema(example = 330)]
    pub utc_offset_minutes: i32,
    pub total: SlaFigures,
    /// Categories with a job in the period, by name.
    pub by_category: Vec<CategorySla>,
}

/// How fast help came in one category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "service_category_id": "018f0000-0000-7000-8000-000000000001", "name": "Flat tyre",
    "jobs": 40, "assigned": 39, "arrived": 38, "assigned_within_60_s": 0.9743589743589743,
    "arrived_within_30_min": 0.9210526315789473,
    "time_to_assign_s": {"p50": 12.0, "p90": 33.4, "p95": 48.1, "p99": 71.0},
    "time_to_arrive_s": {"p50": 900.0, "p90": 1700.0, "p95": 1905.5, "p99": 2410.0},
}))]
pub struct CategorySla {
    pub service_category_id: Uuid,
    pub name: String,
    #[serde(flatten)]
    pub figures: SlaFigures,
}

impl Sla {
    /// One row for all, one for each category.
    pub fn of(period: &Period, rows: &[SlaRow]) -> Self {
        let nothing = SlaRow::default();
        let total = rows.iter().find(|row| row.category.is_none()).unwrap_or(&nothing);
        let of_category = |row: &SlaRow| {
            let (id, name) = (row.category?, row.name.clone().unwrap_or_default());
            Some(CategorySla { service_category_id: id, name, figures: row.into() })
        };
        Self {
            from: period.from.to_string(),
            to: period.to.to_string(),
            utc_offset_minutes: period.utc_offset_minutes,
            total: total.into(),
            by_category: rows.iter().filter_map(of_category).collect(),
        }
    }
}
