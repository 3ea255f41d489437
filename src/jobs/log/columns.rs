//! Turns a job's change into the columns of its log.

use roadcall_actors::{
    job::state::{Actor, DetailChanges, DropOff, Event, Override},
    ports::JobChange,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::queries::EventColumns;
use crate::{
    http::Timestamp,
    jobs::{
        corrections::job_hook::correction,
        line_items,
        row::{JobState, replaced_values},
        towing::job_hook::tow,
    },
};

pub(super) fn event_columns(change: &JobChange) -> EventColumns {
    EventColumns {
        kind: change.event.kind(),
        is_public: change.event.is_public(),
        replaced: replaced(change),
        command_id: change.command_id.0,
        actor_kind: change.by.into(),
        actor_id: change.by.user().map(|user| user.0),
        data: event_data(change.next.id.0, &change.event, change.by),
        at: change.at,
    }
}

/// Returns the values that the change replaces in the columns that every change writes.
fn replaced(change: &JobChange) -> Value {
    let state = |job| JobState::of(job, change.at);
    let before = change.before.as_ref().map(state);
    before.map(|before| replaced_values(&before, &state(&change.next))).unwrap_or_default().into()
}

/// Returns whether a hook writes the job's facts because of this change.
pub(super) fn changes_facts(change: &JobChange) -> bool {
    correction(change).is_some() || tow(change).is_some()
}

/// Returns an event's data beyond the row, for the timeline and for operators.
fn event_data(job_id: Uuid, event: &Event, by: Actor) -> Value {
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
            // The reason of an admin or an organisation is free text, and not for the mechanic. The organisation's own programs are
            // told what it wrote; the timeline of the next mechanic begins later.
            let (reason_code, refusal) = match by {
                Actor::Admin(_) => ("admin", None),
                Actor::Partner(_) => ("partner", Some(reason_code)),
                Actor::Customer(_) | Actor::Mechanic(_) | Actor::System => (reason_code.as_str(), None),
            };
            let mut data = json!({
                "mechanic_profile_id": mechanic_id.0, "reason_code": reason_code, "by_mechanic": by_mechanic,
            });
            if let Some(refusal) = refusal {
                data["refusal"] = json!(refusal);
            }
            data
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
