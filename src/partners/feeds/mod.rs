//! Events of partners' cases, and their way to the partners as Standard Webhooks describes it.
//!
//! | where | what |
//! | --- | --- |
//! | `audited.rs` | changes of subscriptions, and replays, in the audit log |
//! | `kind.rs` | the catalogue of events, and which entries of a job's log they stand for (pure) |
//! | `events/` | events with their snapshots: appended by actions of partners, or read from the logs of jobs |
//! | `subscriptions/` | addresses, their secrets, and how they are verified |
//! | `deliveries/` | events on their way, at least once, in the order of first tries |
//! | `watching/` | thresholds, and positions apart from the order |

mod audited;
mod context;
mod deliveries;
mod dto;
mod events;
mod kind;
mod queries;
mod subscriptions;
mod watching;

use chrono::TimeDelta;

pub use context::FeedsContext;
pub use deliveries::delivering;
pub use events::{
    CaseJobRow, CaseSnapshot, CaseStatus, JobSnapshot, NearFigures, NewPartnerEvent, PartnerEvent,
    PartnerEventContent, append, catch_up, feed, job_of_case, snapshot,
};
pub use kind::PartnerEventKind;
pub use subscriptions::{WebhookChallenge, WebhookTestContent, reseal};
pub use watching::{PositionContent, watching};

use crate::{http::Routes, platform::error::ApiResult};

pub fn routes(config: &mut Routes) {
    config
        .service(events::handlers::list_case_events)
        .service(subscriptions::handlers::list_subscriptions)
        .service(subscriptions::handlers::make_subscription)
        .service(subscriptions::handlers::change_subscription)
        .service(subscriptions::handlers::end_subscription)
        .service(subscriptions::handlers::verify_subscription)
        .service(subscriptions::handlers::test_subscription)
        .service(subscriptions::handlers::rotate_subscription_secret)
        .service(deliveries::handlers::list_deliveries)
        .service(deliveries::handlers::replay_deliveries)
        .service(deliveries::handlers::list_partner_deliveries);
}

/// Deletes deliveries and events that are older than `partners.keep_deliveries_days`, at most `limit` of each kind; returns the
/// larger of the two numbers. A delivery that may still be sent stays.
pub async fn sweep(context: &FeedsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.partner_settings.keep_deliveries_days);
    let now = context.clock.now();
    let before = now - kept;
    events::stop_feeding(&context.db, before).await?;
    let deliveries = deliveries::sweep(&context.db, (before, now), limit).await?;
    let events = events::sweep(&context.db, before, limit).await?;
    Ok(deliveries.max(events))
}
