//! Turns a job's change into the columns of its row and of its log.

use roadcall_actors::{
    job::state::{Actor, DetailChanges, DropOff, Event, Job, Override, Stage},
    ports::JobChange,
};
use serde_json::json;
use uuid::Uuid;

use super::queries::{EventColumns, StateColumns};
use crate::{http::Timestamp, jobs::line_items};

pub(super) fn event_columns(change: &JobChange) -> EventColumns {
    let actor_id = match change.by {
        Actor::Customer(user) | Actor::Mechanic(user) | Actor::Admin(user) => Some(user.0),
        Actor::System => None,
    };
    EventColumns {
        kind: change.event.kind(),
        is_public: change.event.is_public(),
        changes_row: !matches!(change.event, Event::MessageSent { .. }),
        command_id: change.command_id.0,
        actor_kind: change.by.into(),
        actor_id,
        data: event_data(change.next.id.0, &change.event, change.by),
        at: change.at,
    }
}

/// Returns an event's data beyond the row, for the timeline and for operators.
fn event_data(job_id: Uuid, event: &Event, by: Actor) -> serde_json::Value {
    match event {
        Event::Created { .. } | Event::WentEnRoute | Event::HandedOver | Event::CameBack | Event::Started => {
            json!({})
        }
        Event::Delayed(delay) => {
            json!({ "concern": delay.concern.as_str(), "since": Timestamp(delay.since) })
        }
        Event::Recovered { concern } => json!({ "concern": concern.as_str() }),
        Event::Began { ends_at, round } | Event::Retried { ends_at, round, .. } => {
            json!({ "ends_at": Timestamp(*ends_at), "round": round })
        }
        Event::OffersMade { offers } => {
            let mechanics: Vec<Uuid> = offers.iter().map(|offer| offer.mechanic_id.0).collect();
            json!({ "round": offers.first().map(|offer| offer.round), "mechanics": mechanics })
        }
        Event::OfferDeclined { mechanic_id, reason, .. } => {
            json!({ "mechanic": mechanic_id.0, "reason": reason })
        }
        Event::OfferRevoked { mechanic_id, .. } => json!({ "mechanic": mechanic_id.0 }),
        Event::OffersExpired { offers } => {
            let mechanics: Vec<Uuid> = offers.iter().map(|(_, mechanic_id)| mechanic_id.0).collect();
            json!({ "mechanics": mechanics })
        }
        Event::Accepted { assignment, overridden, .. } => {
            let mut data = json!({ "mechanic_profile_id": assignment.mechanic_id.0 });
            if assignment.is_taken_back {
                data["taken_back"] = json!(true);
            }
            if let Some(Override { rules, reason }) = overridden {
                data["overridden_rules"] = rules.iter().map(|rule| rule.as_str()).collect();
                data["override_reason"] = json!(reason);
            }
            data
        }
        Event::Exhausted { until } => json!({ "until": Timestamp(*until) }),
        Event::Arrived { distance_m, override_reason } => {
            json!({ "distance_m": distance_m.map(f64::round), "override_reason": override_reason })
        }
        Event::WrongCodeEntered { locked_until } => json!({ "locked_until": locked_until.map(Timestamp) }),
        Event::Loaded { photo_urls } => json!({ "photos": photo_urls.len() }),
        Event::Completed { outcome, drop_off, .. } => {
            let mut data = json!({ "outcome": outcome.as_str() });
            if let Some(DropOff { distance_m, driven_m, override_reason }) = drop_off {
                data["distance_m"] = json!(distance_m.map(f64::round));
                data["driven_m"] = json!(driven_m.map(f64::round));
                data["override_reason"] = json!(override_reason);
            }
            data
        }
        Event::Released { mechanic_id, reason_code, by_mechanic, .. } => {
            // An admin's reason is only for admins: the audit log has it.
            let reason_code = if matches!(by, Actor::Admin(_)) { "admin" } else { reason_code };
            json!({ "mechanic_profile_id": mechanic_id.0, "reason_code": reason_code, "by_mechanic": by_mechanic })
        }
        Event::Corrected { details, pickup, time, .. } => {
            json!({ "fields": corrected_fields(details, pickup.is_some(), time.is_some()) })
        }
        Event::Cancelled { reason_code, .. } => json!({ "reason_code": reason_code }),
        Event::NoShowContested | Event::NoShowDecided { .. } => json!({}),
        Event::ItemChanged { item, .. } => json!(line_items::row_of(job_id, item)),
        Event::PaymentChanged { payment_id } => json!({ "payment_id": payment_id }),
        Event::MessageSent { message_id } => json!({ "message_id": message_id }),
        Event::CallChanged { call_id } => json!({ "call_id": call_id }),
        Event::Paid | Event::Disputed | Event::Resolved => json!({}),
    }
}

/// Returns the fields that a correction changes, by their names in the API.
fn corrected_fields(details: &DetailChanges, is_moved: bool, is_postponed: bool) -> Vec<&'static str> {
    let touched = [
        ("pickup_address", details.pickup_address.is_some()),
        ("pickup", is_moved),
        ("description", details.description.is_some()),
        ("photo_urls", details.photo_urls.is_some()),
        ("contact", details.contact.is_some()),
        ("scheduled_for", is_postponed),
    ];
    touched.into_iter().filter_map(|(name, is_touched)| is_touched.then_some(name)).collect()
}

pub(super) fn state_columns(job: &Job) -> StateColumns {
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let mut row = StateColumns {
        status: job.status().as_str(),
        has_mechanic: job.status().is_active(),
        seq: job.seq,
        attempt: int(job.attempt),
        excluded_mechanics: job.excluded.iter().map(|id| id.0).collect(),
        expired_once_mechanics: job.expired_once.iter().map(|id| id.0).collect(),
        left_mechanic_id: job.left.map(|left| left.mechanic_id.0),
        left_reason: job.left.map(|left| left.reason.as_str()),
        left_at: job.left.map(|left| left.at),
        ..StateColumns::default()
    };
    if let Some(assignment) = job.assignment() {
        row.mechanic_profile_id = Some(assignment.mechanic_id.0);
        row.accepted_offer_id = assignment.offer_id.map(|id| id.0);
        row.accepted_at = Some(assignment.accepted_at);
        row.promised_at = Some(assignment.promised_at);
        row.en_route_at = assignment.en_route_at;
        row.arrived_at = assignment.arrived_at;
        row.arrival_is_unproven = assignment.arrival_is_unproven;
        row.arrival_concern = assignment.arrival_concern.map(|concern| concern.as_str());
        row.started_at = assignment.started_at;
        row.loaded_at = assignment.loaded_at;
        row.start_code = assignment.start_code.clone();
        row.wrong_start_codes = int(assignment.wrong_codes);
        row.start_locked_until = assignment.locked_until;
        row.concern = assignment.delay.map(|delay| delay.concern.as_str());
        row.concern_since = assignment.delay.map(|delay| delay.since);
        row.navigating_since = assignment.navigating_since;
        row.taken_back_at = assignment.is_taken_back.then_some(assignment.accepted_at);
    }
    match &job.stage {
        Stage::Dispatching(search) => {
            row.round = int(search.round);
            row.offered_in_round = int(search.offered_in_round);
            row.attempt_ends_at = Some(search.ends_at);
            row.dispatch_version = Some(job.spec.search.version);
        }
        Stage::NoMechanicFound { until } => row.no_mechanic_until = Some(*until),
        Stage::Completed(completion)
        | Stage::Paid(completion)
        | Stage::Disputed(completion)
        | Stage::Resolved(completion) => {
            row.disputed_at = completion.disputed_at;
            row.resolved_at = completion.resolved_at;
            row.completed_at = Some(completion.at);
            row.outcome = Some(completion.outcome.as_str());
            row.outcome_notes = completion.notes.clone();
            row.received_by = completion.received_by.clone();
            row.final_price_paise = Some(completion.final_price_paise);
        }
        Stage::Cancelled(cancellation) => {
            row.cancelled_at = Some(cancellation.at);
            row.cancellation_fee_paise = Some(cancellation.fee_paise);
            row.cancel_reason_code = Some(cancellation.reason_code.clone());
            row.cancel_reason = cancellation.reason.clone();
        }
        Stage::Pending
        | Stage::Accepted(_)
        | Stage::EnRoute(_)
        | Stage::Arrived(_)
        | Stage::InProgress(_) => {}
    }
    row
}
