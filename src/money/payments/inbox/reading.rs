//! Stored events as they are read for processing, and the order in which those of one gateway's order are processed. Pure.

use std::{cmp::Reverse, collections::HashMap};

use serde_json::Value;
use uuid::Uuid;

use super::PendingEvent;
use crate::{
    money::payments::state,
    platform::error::{ApiError, ApiResult, Code},
    providers::gateway::{
        Attempt, AttemptStatus,
        event::{self, GatewayEvent},
        redact,
    },
};

/// The content of a stored event.
#[derive(Debug)]
pub struct ReadEvent {
    pub event: GatewayEvent,
    /// The body that replaces the stored one once the event is settled, if that has personal data until then.
    pub kept: Option<String>,
}

impl ReadEvent {
    /// Reads the event of this name from its body, as it is stored.
    pub fn of(name: &str, body: Value) -> ApiResult<Self> {
        let event = event::read(name, &body["payload"])
            .map_err(|why| ApiError::new(Code::Conflict, why.to_string()))?;
        Ok(Self { event, kept: redact::at_settlement(body) })
    }

    pub fn of_stored(event: &PendingEvent) -> ApiResult<Self> {
        Self::of(&event.event, serde_json::from_str(&event.body).map_err(ApiError::internal)?)
    }

    fn attempt(&self) -> Option<&Attempt> {
        match &self.event {
            GatewayEvent::Attempt(attempt) => Some(attempt),
            _ => None,
        }
    }

    /// Returns the gateway's order that the event is about, if it reports an attempt to pay one.
    fn order(&self) -> Option<&str> {
        self.attempt()?.order_id.as_deref()
    }

    /// Returns whether the event says nothing new once `newer` has been applied, and its body stays as it is. Only a captured
    /// attempt is surely known after that: the event of another status may have been about an unknown order.
    pub fn is_settled_with(&self, newer: &Self) -> bool {
        let (Some(own), Some(newer_attempt)) = (self.attempt(), newer.attempt()) else { return false };
        let is_captured = matches!(newer_attempt.status, AttemptStatus::Captured | AttemptStatus::Refunded);
        is_captured
            && own.order_id.is_some()
            && (&own.id, &own.order_id) == (&newer_attempt.id, &newer_attempt.order_id)
            && state::is_old(newer_attempt.status, own.status)
            && self.kept.is_none()
            && newer.kept.is_none()
    }
}

/// An event and its content, or the reason why it can't be read.
pub type StoredEvent = (Uuid, ApiResult<ReadEvent>);

/// Reads events, and groups those of the same order of the gateway; every other event is a group of its own. The attempts of an
/// order keep the order in which they were first reported, and the newest status of each comes first: it makes the others old,
/// in whatever order they came.
pub fn by_order(events: Vec<PendingEvent>) -> Vec<Vec<StoredEvent>> {
    let mut groups: Vec<Vec<StoredEvent>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for event in events {
        let read = ReadEvent::of_stored(&event);
        let order = read.as_ref().ok().and_then(ReadEvent::order);
        let next = groups.len();
        let place = order.map_or(next, |order| *places.entry(order.to_owned()).or_insert(next));
        if place == next {
            groups.push(Vec::new());
        }
        groups[place].push((event.id, read));
    }
    for group in &mut groups {
        newest_first(group);
    }
    groups
}

fn newest_first(group: &mut [StoredEvent]) {
    fn attempt((_, read): &StoredEvent) -> Option<&Attempt> {
        read.as_ref().ok()?.attempt()
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    for attempt in group.iter().filter_map(attempt) {
        let next = places.len();
        places.entry(attempt.id.clone()).or_insert(next);
    }
    group.sort_by_key(|event| {
        attempt(event).map(|attempt| (places.get(&attempt.id).copied(), Reverse(state::rank(attempt.status))))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns an event about an attempt, under a number.
    fn event(number: u128, attempt: &str, order: &str, status: &str) -> PendingEvent {
        let entity =
            json!({"id": attempt, "order_id": order, "amount": 100, "currency": "INR", "status": status});
        let body = json!({"payload": {"payment": {"entity": entity}}}).to_string();
        PendingEvent { id: Uuid::from_u128(number), event: "order.paid".to_owned(), body }
    }

    fn numbers(events: Vec<PendingEvent>) -> Vec<Vec<u128>> {
        let groups = by_order(events);
        groups.iter().map(|group| group.iter().map(|(id, _)| id.as_u128()).collect()).collect()
    }

    #[test]
    fn events_of_an_order_are_one_group_with_the_newest_of_each_attempt_first() {
        let unreadable = PendingEvent { id: Uuid::from_u128(5), event: "a".to_owned(), body: "{".to_owned() };
        let payout = PendingEvent { body: "{}".to_owned(), id: Uuid::from_u128(6), event: "a".to_owned() };
        let groups = numbers(vec![
            event(1, "pay_1", "order_1", "failed"),
            event(2, "pay_2", "order_1", "authorized"),
            event(3, "pay_3", "order_2", "authorized"),
            event(4, "pay_2", "order_1", "captured"),
            unreadable,
            payout,
            event(7, "pay_1", "order_1", "authorized"),
            event(8, "pay_2", "order_1", "captured"),
        ]);
        assert_eq!(groups, [vec![1, 7, 4, 8, 2], vec![3], vec![5], vec![6]]);
    }

    #[test]
    fn a_capture_settles_the_older_statuses_of_its_own_attempt_alone() {
        let read = |attempt: &str, order: &str, status: &str| {
            ReadEvent::of_stored(&event(1, attempt, order, status)).expect("an event")
        };
        let captured = read("pay_1", "order_1", "captured");
        for status in ["created", "authorized", "failed", "captured"] {
            assert!(read("pay_1", "order_1", status).is_settled_with(&captured), "{status}");
        }
        for other in [
            read("pay_1", "order_1", "refunded"),
            read("pay_2", "order_1", "authorized"),
            read("pay_1", "order_2", "authorized"),
        ] {
            assert!(!other.is_settled_with(&captured), "{other:?}");
        }
        let failed = read("pay_1", "order_1", "failed");
        assert!(!read("pay_1", "order_1", "authorized").is_settled_with(&failed));
        let named = ReadEvent { kept: Some("{}".to_owned()), ..read("pay_1", "order_1", "authorized") };
        assert!(!named.is_settled_with(&captured));
    }
}
