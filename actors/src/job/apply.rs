//! Applies events to a job. Pure.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    corrections::{NewPickup, NewSearch, NewTime},
    event::Event,
    items::{ItemChange, ItemStatus, LineItem},
    model::{Assignment, Cancellation, Completion, Job, JobSummary, LeaveReason, Left, Search, Stage},
};
use crate::ids::{MechanicId, OfferId};

impl Job {
    /// Returns the job after `event`. Never fails, since a committed event has happened.
    pub fn apply(&self, event: &Event, now: DateTime<Utc>) -> Job {
        let mut next = self.clone();
        next.version += 1;
        next.seq += i64::from(event.is_public());
        match event {
            // A created job comes from `Job::new`; replaying it changes nothing.
            Event::Created { .. } => return self.clone(),
            Event::Began { ends_at, round } => next.restart_search(*ends_at, *round),
            Event::Retried { ends_at, round, .. } => {
                next.readmit_expired();
                next.restart_search(*ends_at, *round);
            }
            Event::OffersMade { offers } => next.with_search(|search| {
                search.offered_in_round += u32::try_from(offers.len()).unwrap_or(u32::MAX);
                search.offers.extend(offers.iter().cloned());
            }),
            Event::OfferDeclined { offer_id, mechanic_id, .. }
            | Event::OfferRevoked { offer_id, mechanic_id } => {
                next.leave_out(*mechanic_id);
                next.with_search(|search| search.drop_offers(&[*offer_id]));
            }
            Event::OffersExpired { offers } => next.expire_offers(offers),
            Event::Accepted { assignment, .. } => next.stage = Stage::Accepted(assignment.clone()),
            Event::Exhausted { until } => next.stage = Stage::NoMechanicFound { until: *until },
            Event::WentEnRoute => next.advance(|a| a.en_route_at = Some(now), Stage::EnRoute),
            Event::HandedOver => next.amend(|a| a.navigating_since = Some(now)),
            Event::CameBack => next.amend(|a| a.navigating_since = None),
            Event::Delayed(delay) => next.amend(|a| a.delay = Some(*delay)),
            Event::Recovered { .. } => next.amend(|a| a.delay = None),
            Event::Arrived { override_reason, .. } => next.advance(
                |a| {
                    a.arrived_at = Some(now);
                    a.arrival_concern =
                        a.delay.filter(|_| override_reason.is_some()).map(|delay| delay.concern);
                    (a.delay, a.navigating_since) = (None, None);
                    a.arrival_is_unproven = override_reason.is_some();
                },
                Stage::Arrived,
            ),
            Event::WrongCodeEntered { locked_until } => next.advance(
                |a| {
                    a.wrong_codes = if locked_until.is_some() { 0 } else { a.wrong_codes + 1 };
                    a.locked_until = *locked_until;
                },
                Stage::Arrived,
            ),
            Event::Started => next.advance(|a| a.started_at = Some(now), Stage::InProgress),
            Event::Loaded { .. } => next.advance(|a| a.loaded_at = Some(now), Stage::InProgress),
            Event::Completed { outcome, notes, received_by, final_price_paise, .. } => {
                if let Some(assignment) = self.assignment().cloned() {
                    let (outcome, notes, final_price_paise) = (*outcome, notes.clone(), *final_price_paise);
                    let received_by = received_by.clone();
                    next.stage = Stage::Completed(Completion {
                        assignment,
                        outcome,
                        notes,
                        received_by,
                        final_price_paise,
                        at: now,
                        disputed_at: None,
                        resolved_at: None,
                    });
                }
            }
            Event::Released { mechanic_id, reason_code, by_mechanic, ends_at, round } => {
                next.leave_out(*mechanic_id);
                let reason = LeaveReason::of(reason_code, *by_mechanic);
                next.left = Some(Left { mechanic_id: *mechanic_id, reason, at: now });
                // The work was not done: the next mechanic proposes their own items, including a tow.
                if next
                    .items
                    .iter()
                    .any(|item| item.status == ItemStatus::Approved && item.destination.is_some())
                {
                    next.spec.destination = None;
                }
                next.items.clear();
                next.restart_search(*ends_at, *round);
            }
            Event::Cancelled { fee_paise, reason_code, reason, .. } => {
                next.stage = Stage::Cancelled(Cancellation {
                    assignment: self.assignment().cloned().map(|a| Assignment {
                        delay: None,
                        navigating_since: None,
                        ..a
                    }),
                    fee_paise: *fee_paise,
                    reason_code: reason_code.clone(),
                    reason: reason.clone(),
                    at: now,
                });
            }
            Event::NoShowContested => next.charge_no_show(0),
            Event::NoShowDecided { fee_paise } => next.charge_no_show(*fee_paise),
            Event::Corrected { summary, pickup, time, search, details: _ } => {
                next.correct(summary.as_ref(), *pickup, *time, search.as_ref(), now);
            }
            Event::ItemChanged { how, item } => next.apply_item(*how, item),
            Event::PaymentChanged { .. } | Event::MessageSent { .. } | Event::CallChanged { .. } => {}
            Event::Paid => next.close(|_| (), Stage::Paid),
            Event::Disputed => next.close(|c| c.disputed_at = Some(now), Stage::Disputed),
            Event::Resolved => next.close(|c| c.resolved_at = Some(now), Stage::Resolved),
        }
        next
    }

    /// Ends offers that expired. A mechanic who lets a second offer expire is left out from then on.
    fn expire_offers(&mut self, offers: &[(OfferId, MechanicId)]) {
        for (_, mechanic_id) in offers {
            if !self.expired_once.insert(*mechanic_id) {
                self.excluded.insert(*mechanic_id);
            }
        }
        let ids: Vec<OfferId> = offers.iter().map(|(id, _)| *id).collect();
        self.with_search(|search| search.drop_offers(&ids));
    }

    /// Leaves out a mechanic who refused the job or left it, whatever the outcome of their earlier offers.
    fn leave_out(&mut self, mechanic_id: MechanicId) {
        self.expired_once.remove(&mechanic_id);
        self.excluded.insert(mechanic_id);
    }

    /// Readmits mechanics who only did not answer, since the customer searches again.
    fn readmit_expired(&mut self) {
        for mechanic_id in std::mem::take(&mut self.expired_once) {
            self.excluded.remove(&mechanic_id);
        }
    }

    fn restart_search(&mut self, ends_at: DateTime<Utc>, round: u32) {
        self.attempt += 1;
        self.stage = Stage::Dispatching(Search { round, offered_in_round: 0, ends_at, offers: Vec::new() });
    }

    fn correct(
        &mut self,
        summary: Option<&Arc<JobSummary>>,
        pickup: Option<NewPickup>,
        time: Option<NewTime>,
        search: Option<&NewSearch>,
        now: DateTime<Utc>,
    ) {
        self.corrections += 1;
        if let Some(time) = time {
            self.spec.begin_at = time.begin_at;
        }
        if let Some(summary) = summary {
            self.spec.summary = summary.clone();
        }
        if let Some(pickup) = pickup {
            self.move_to(pickup, now);
        }
        if let Some(search) = search {
            self.restart_search(search.ends_at, search.round);
        }
    }

    fn move_to(&mut self, pickup: NewPickup, now: DateTime<Utc>) {
        self.moved_from = Some(self.original_pickup());
        self.spec.pickup = pickup.point;
        self.spec.travel_price_paise = pickup.travel_price_paise;
        if let (Stage::Accepted(assignment), Some(eta_s)) = (&mut self.stage, pickup.eta_s) {
            assignment.promised_at = now + TimeDelta::seconds(i64::from(eta_s));
        }
    }

    fn charge_no_show(&mut self, fee_paise: i64) {
        if let Stage::Cancelled(cancellation) = &mut self.stage {
            cancellation.fee_paise = fee_paise;
        }
    }

    /// Applies a change of an item. Items stay in the order in which they were proposed. With an approved tow the
    /// job has a destination.
    fn apply_item(&mut self, how: ItemChange, item: &LineItem) {
        if let (ItemChange::Approved, Some(destination)) = (how, &item.destination) {
            self.spec.destination = Some(destination.clone());
        }
        self.items.retain(|kept| kept.id != item.id);
        match how {
            ItemChange::Withdrawn => {}
            ItemChange::Proposed | ItemChange::Amended | ItemChange::Approved | ItemChange::Rejected => {
                self.items.push(item.clone());
                self.items.sort_by_key(|item| (item.created_at, item.id));
            }
        }
    }

    fn with_search(&mut self, change: impl FnOnce(&mut Search)) {
        if let Stage::Dispatching(search) = &mut self.stage {
            change(search);
        }
    }

    /// Changes the assignment of a mechanic on the way.
    fn amend(&mut self, change: impl FnOnce(&mut Assignment)) {
        if let Stage::Accepted(assignment) | Stage::EnRoute(assignment) = &mut self.stage {
            change(assignment);
        }
    }

    fn advance(&mut self, change: impl FnOnce(&mut Assignment), stage: fn(Assignment) -> Stage) {
        if let Some(mut assignment) = self.assignment().cloned() {
            change(&mut assignment);
            self.stage = stage(assignment);
        }
    }

    fn close(&mut self, change: impl FnOnce(&mut Completion), stage: fn(Completion) -> Stage) {
        if let Some(mut completion) = self.completion().cloned() {
            change(&mut completion);
            self.stage = stage(completion);
        }
    }
}

impl Search {
    /// Removes offers. When the last offer of a round ends unanswered, the next round begins.
    fn drop_offers(&mut self, ids: &[OfferId]) {
        self.offers.retain(|offer| !ids.contains(&offer.id));
        if self.offers.is_empty() && self.offered_in_round > 0 {
            self.round += 1;
            self.offered_in_round = 0;
        }
    }
}
