//! A job's demand on the dispatcher. Pure.

use chrono::{DateTime, Utc};

use super::model::{Job, Stage};
use crate::messages::Demand;

impl Job {
    /// Returns the demand for as many offers as the job's round has room for, or `None` if it is not looking for a
    /// mechanic now.
    pub(crate) fn demand(&self, now: DateTime<Utc>) -> Option<Demand> {
        let Stage::Dispatching(search) = &self.stage else { return None };
        let policy = &self.spec.search;
        let room = policy.width(search.round).saturating_sub(search.offers.len());
        let is_searching = search.round <= policy.max_rounds && search.makes_offers(now);
        (room > 0 && is_searching).then(|| Demand {
            round: search.round,
            offers: room,
            has_offer: !search.offers.is_empty(),
            ..self.wish()
        })
    }

    /// Returns what the job wants of a mechanic, whether it is looking for one or not.
    pub(crate) fn wish(&self) -> Demand {
        let spec = &self.spec;
        Demand {
            attempt: self.attempt,
            round: 1,
            offers: 1,
            has_offer: false,
            pickup: spec.pickup,
            vehicle_type: spec.vehicle_type,
            category_id: spec.category_id,
            urgency: spec.urgency,
            waiting_since: spec.created_at.max(spec.begin_at),
            excluded: self.excluded.clone(),
            search: spec.search.clone(),
        }
    }
}
