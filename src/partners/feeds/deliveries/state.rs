//! When a delivery is tried again, and which deliveries are sent next. Pure.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::dto::WebhookDeliveryStatus;

/// The waits after failed tries, in seconds. After the last one a delivery is dead.
const WAITS_S: [i64; 6] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600];
/// The lanes of a subscription that are open at once: the cases whose events it gets at the same time.
const LANES: usize = 4;
/// The deliveries of a case that are taken at once, to be sent one after the other.
const IN_LANE: usize = 8;
/// The part of all places that the subscriptions of one organisation may have together.
const PART_OF_ORGANISATION: usize = 8;

/// Returns how many of these places the subscriptions of one organisation may have together: an eighth, but at least as many as one
/// subscription may have.
pub fn places_of_organisation(places: usize) -> usize {
    (places / PART_OF_ORGANISATION).max(LANES)
}

/// The outcome of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookTry {
    /// The receiver answered with this status.
    Answered(u16),
    /// The receiver gave no answer.
    Unanswered(String),
    /// It was not sent after all, and is due since then.
    NotSent(DateTime<Utc>),
}

/// A delivery after a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AfterWebhookTry {
    pub status: WebhookDeliveryStatus,
    pub tries: i32,
    pub next_try_at: Option<DateTime<Utc>>,
    pub answer_status: Option<i32>,
    pub failure: Option<String>,
}

impl WebhookTry {
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Answered(200..=299))
    }

    /// Returns whether the receiver wants nothing more.
    pub fn is_gone(&self) -> bool {
        *self == Self::Answered(410)
    }

    /// Returns the delivery after its try with this number, from 1.
    pub fn after(&self, number: i32, now: DateTime<Utc>) -> AfterWebhookTry {
        let (answer_status, failure) = match self {
            Self::Answered(status) => (Some(i32::from(*status)), None),
            Self::Unanswered(why) => (None, Some(why.clone())),
            Self::NotSent(_) => (None, None),
        };
        let next_try_at = match self {
            Self::NotSent(due_at) => Some(*due_at),
            _ if self.is_taken() || self.is_gone() => None,
            _ => wait_after(number).map(|wait| now + wait),
        };
        let status = match next_try_at {
            Some(_) => WebhookDeliveryStatus::Pending,
            None if self.is_taken() => WebhookDeliveryStatus::Delivered,
            None => WebhookDeliveryStatus::Dead,
        };
        let tries = number - i32::from(matches!(self, Self::NotSent(_)));
        AfterWebhookTry { status, tries, next_try_at, answer_status, failure }
    }
}

/// Returns how long to wait after a failed try with this number, from 1; `None` after the last.
fn wait_after(number: i32) -> Option<TimeDelta> {
    let place = usize::try_from(number.checked_sub(1)?).ok()?;
    WAITS_S.get(place).map(|wait_s| TimeDelta::seconds(*wait_s))
}

/// A delivery that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct DueDelivery {
    pub id: Uuid,
    pub subscription_id: Uuid,
    pub organisation_id: Uuid,
    pub case_id: Uuid,
}

/// The deliveries of a case to a subscription that are sent one after the other, so that first tries keep the order of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseLane {
    pub subscription_id: Uuid,
    /// The organisation of the subscription.
    pub organisation_id: Uuid,
    pub case_id: Uuid,
    pub deliveries: Vec<Uuid>,
}

/// The lanes that are open. A subscription has few of them, and one that failed the last time has one; all of the latter
/// together have at most half of the places, and those of an organisation an eighth. So receivers that hang, and receivers that take
/// their time, slow no others.
#[derive(Debug)]
pub struct OpenLanes {
    most: usize,
    /// The subscription and the case of each, with the organisation.
    open: BTreeMap<(Uuid, Uuid), Uuid>,
    /// Subscriptions, each with its organisation.
    failing: BTreeMap<Uuid, Uuid>,
}

impl OpenLanes {
    pub fn new(most: usize) -> Self {
        Self { most, open: BTreeMap::new(), failing: BTreeMap::new() }
    }

    /// Returns the subscriptions that get no further lane for now. Those that fail are among them while all that fail have their
    /// places, so that what waits for them hides nothing that waits for others.
    pub fn full(&self) -> Vec<Uuid> {
        let open = self.open.iter().map(|((subscription, _), organisation)| (*subscription, *organisation));
        let failing = self.failing.iter().map(|(subscription, organisation)| (*subscription, *organisation));
        let known: BTreeMap<Uuid, Uuid> = open.chain(failing).collect();
        let full = known.into_iter().filter(|(id, organisation)| self.room_of(*id, *organisation) == 0);
        full.map(|(id, _)| id).collect()
    }

    /// Returns the organisations whose subscriptions get no further lane for now.
    pub fn full_organisations(&self) -> Vec<Uuid> {
        let known: BTreeSet<Uuid> = self.open.values().copied().collect();
        known.into_iter().filter(|id| self.places_left(*id) == 0).collect()
    }

    /// Chooses what is sent next of the deliveries that are due, given in the order of their subscriptions' queues, and opens its
    /// lanes. The subscriptions take turns.
    pub fn choose(&mut self, due: &[DueDelivery]) -> Vec<CaseLane> {
        let mut queues: BTreeMap<Uuid, Vec<CaseLane>> = BTreeMap::new();
        for delivery in due {
            self.enqueue(queues.entry(delivery.subscription_id).or_default(), delivery);
        }
        let mut chosen = Vec::new();
        for turn in 0..LANES {
            for lane in queues.values().filter_map(|lanes| lanes.get(turn)) {
                if self.room_of(lane.subscription_id, lane.organisation_id) > 0 {
                    self.open.insert((lane.subscription_id, lane.case_id), lane.organisation_id);
                    chosen.push(lane.clone());
                }
            }
        }
        chosen
    }

    fn enqueue(&self, lanes: &mut Vec<CaseLane>, delivery: &DueDelivery) {
        let DueDelivery { id, subscription_id, organisation_id, case_id } = *delivery;
        if self.open.contains_key(&(subscription_id, case_id)) {
            return;
        }
        match lanes.iter_mut().find(|lane| lane.case_id == case_id) {
            Some(lane) if lane.deliveries.len() < IN_LANE => lane.deliveries.push(id),
            Some(_) => {}
            None => lanes.push(CaseLane { subscription_id, organisation_id, case_id, deliveries: vec![id] }),
        }
    }

    /// Returns how many lanes may still be opened for a subscription of an organisation.
    fn room_of(&self, subscription: Uuid, organisation: Uuid) -> usize {
        let count = |wanted: &dyn Fn(&Uuid) -> bool| self.open.keys().filter(|(id, _)| wanted(id)).count();
        let own = count(&|id| *id == subscription);
        let room = self.most.saturating_sub(self.open.len()).min(self.places_left(organisation));
        if self.failing.contains_key(&subscription) {
            let of_failing = count(&|id| self.failing.contains_key(id));
            let half = (self.most / 2).max(1);
            room.min(half.saturating_sub(of_failing)).min(1_usize.saturating_sub(own))
        } else {
            room.min(LANES.saturating_sub(own))
        }
    }

    /// Returns how many lanes may still be opened for all subscriptions of an organisation.
    fn places_left(&self, organisation: Uuid) -> usize {
        let taken = self.open.values().filter(|id| **id == organisation).count();
        places_of_organisation(self.most).saturating_sub(taken)
    }

    /// Closes a lane. `is_taken` says whether its last delivery was taken; `None` if none was sent.
    pub fn close(&mut self, subscription: Uuid, case: Uuid, is_taken: Option<bool>) {
        let organisation = self.open.remove(&(subscription, case));
        match (is_taken, organisation) {
            (Some(true), _) => {
                self.failing.remove(&subscription);
            }
            (Some(false), Some(organisation)) => {
                self.failing.insert(subscription, organisation);
            }
            (Some(false), None) | (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn a_delivery_is_tried_for_most_of_a_day_and_then_dead() {
        let (mut now, mut waits) = (at(0), Vec::new());
        for number in 1.. {
            let after = WebhookTry::Answered(503).after(number, now);
            assert_eq!((after.tries, after.answer_status), (number, Some(503)));
            let Some(next) = after.next_try_at else {
                assert_eq!(after.status, WebhookDeliveryStatus::Dead);
                break;
            };
            assert_eq!(after.status, WebhookDeliveryStatus::Pending);
            waits.push((next - now).num_seconds());
            now = next;
        }
        assert_eq!(waits, [5, 300, 1_800, 7_200, 18_000, 36_000]);
    }

    #[test]
    fn only_2xx_takes_a_delivery_410_ends_it_and_what_was_not_sent_counts_as_no_try() {
        for (status, expected) in [
            (200, WebhookDeliveryStatus::Delivered),
            (204, WebhookDeliveryStatus::Delivered),
            (299, WebhookDeliveryStatus::Delivered),
            (199, WebhookDeliveryStatus::Pending),
            (301, WebhookDeliveryStatus::Pending),
            (400, WebhookDeliveryStatus::Pending),
            (404, WebhookDeliveryStatus::Pending),
            (410, WebhookDeliveryStatus::Dead),
            (500, WebhookDeliveryStatus::Pending),
        ] {
            assert_eq!(WebhookTry::Answered(status).after(1, at(0)).status, expected, "{status}");
        }
        let late = WebhookTry::Unanswered("no answer in time".to_owned()).after(7, at(0));
        assert_eq!(
            (late.status, late.failure.as_deref()),
            (WebhookDeliveryStatus::Dead, Some("no answer in time"))
        );
        let not_sent = WebhookTry::NotSent(at(4)).after(3, at(9));
        assert_eq!((not_sent.tries, not_sent.next_try_at), (2, Some(at(4))), "it keeps its place");
    }

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    /// Returns deliveries of a subscription of an organisation of its own: each number is a case.
    fn queue(subscription: u128, cases: &[u128]) -> Vec<DueDelivery> {
        let due = cases.iter().zip(0_u128..).map(|(case, place)| DueDelivery {
            id: id(subscription * 1_000 + place),
            subscription_id: id(subscription),
            organisation_id: id(subscription),
            case_id: id(*case),
        });
        due.collect()
    }

    #[test]
    fn the_events_of_a_case_go_one_after_the_other_and_cases_beside_each_other() {
        let mut lanes = OpenLanes::new(64);
        let due = queue(1, &[7, 8, 7, 7, 9, 8]);
        let chosen = lanes.choose(&due);
        let of = |lane: &CaseLane| (lane.case_id, lane.deliveries.clone());
        let expected = [
            (id(7), vec![id(1_000), id(1_002), id(1_003)]),
            (id(8), vec![id(1_001), id(1_005)]),
            (id(9), vec![id(1_004)]),
        ];
        assert_eq!(chosen.iter().map(of).collect::<Vec<_>>(), expected);
        assert!(lanes.choose(&due).is_empty(), "each of these cases has its lane");
        lanes.close(id(1), id(7), Some(true));
        assert_eq!(lanes.choose(&due).len(), 1);
        let long = lanes.choose(&queue(2, &[1; 20]));
        assert_eq!(long[0].deliveries.len(), IN_LANE);
    }

    #[test]
    fn a_subscription_has_few_lanes_and_the_subscriptions_take_turns() {
        let mut lanes = OpenLanes::new(6);
        let due = [queue(1, &[1, 2, 3, 4, 5, 6, 7]), queue(2, &[1, 2, 3])].concat();
        let of = |chosen: &[CaseLane], subscription| {
            chosen.iter().filter(|lane| lane.subscription_id == id(subscription)).count()
        };
        let chosen = lanes.choose(&due);
        assert_eq!((of(&chosen, 1), of(&chosen, 2)), (3, 3));
        lanes.close(id(2), id(1), Some(true));
        let chosen = lanes.choose(&due);
        assert_eq!((of(&chosen, 1), of(&chosen, 2)), (1, 0), "the first has the next turn");
        assert_eq!(lanes.full(), [id(1), id(2)]);
        let mut alone = OpenLanes::new(64);
        assert_eq!(alone.choose(&due[..7]).len(), LANES);
        assert_eq!(alone.full(), [id(1)]);
    }

    #[test]
    fn receivers_that_hang_leave_half_of_the_places_to_others() {
        let mut lanes = OpenLanes::new(8);
        for hanging in 1..=10 {
            let opened = lanes.choose(&queue(hanging, &[1]));
            opened.iter().for_each(|lane| lanes.close(lane.subscription_id, lane.case_id, Some(false)));
        }
        let all: Vec<DueDelivery> = (1..=10).flat_map(|hanging| queue(hanging, &[1, 2, 3])).collect();
        let chosen = lanes.choose(&all);
        assert_eq!(chosen.len(), 4, "one each, and half of the places");
        assert!(lanes.choose(&all).is_empty());
        assert_eq!(lanes.full(), (1..=10).map(id).collect::<Vec<_>>(), "nor are their queues looked at");
        assert_eq!(lanes.choose(&queue(11, &[1, 2, 3, 4])).len(), 4, "the other half");
        let first = chosen[0].subscription_id;
        lanes.close(first, id(1), Some(true));
        assert!(lanes.room_of(first, first) > 0, "it works again");
    }

    #[test]
    fn an_organisation_with_many_subscriptions_leaves_most_of_the_places_to_others() {
        let of_one = |subscription| {
            let due = queue(subscription, &[1, 2, 3, 4]).into_iter();
            due.map(|delivery| DueDelivery { organisation_id: id(99), ..delivery }).collect::<Vec<_>>()
        };
        let all: Vec<DueDelivery> = (1..=20).flat_map(of_one).collect();
        let mut lanes = OpenLanes::new(64);
        let chosen = lanes.choose(&all);
        assert_eq!(chosen.len(), 8, "an eighth of the places");
        assert_eq!(lanes.full_organisations(), [id(99)], "nor are its other queues looked at");
        assert_eq!(lanes.choose(&queue(21, &[1, 2])).len(), 2, "another one has its turn");
        let (first, second) = (chosen[0].subscription_id, chosen[1].subscription_id);
        lanes.close(first, id(1), Some(true));
        lanes.close(second, id(1), Some(false));
        assert!(lanes.full_organisations().is_empty());
        assert_eq!(lanes.choose(&all).len(), 2, "it goes on with what has become free");
        assert_eq!([1, 32, 63, 64, 800].map(places_of_organisation), [4, 4, 7, 8, 100]);
    }
}
