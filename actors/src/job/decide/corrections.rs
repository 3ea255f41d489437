//! Decisions about corrections. Pure.

use chrono::{DateTime, Utc};

use crate::{
    job::{
        corrections::{Correction, NewPickup, NewSearch, may_correct},
        event::Event,
        model::{Job, Stage},
    },
    refusal::{Refusal, Wanted},
    settings::JobPolicy,
};

impl Job {
    /// Decides a correction in a stage that allows it.
    pub(super) fn decide_correction(
        &self,
        correction: &Correction,
        policy: &JobPolicy,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        may_correct(self.status(), self.corrections)?;
        // A search that has begun goes on.
        if correction.time.is_some() && self.stage != Stage::Pending {
            return Err(self.cannot(Wanted::MoveInTime));
        }
        if self.has_changed_since(correction) {
            return Err(Refusal::JobChanged);
        }
        let pickup = correction.pickup.map(|pickup| self.priced(pickup));
        if let Some(pickup) = &pickup {
            self.check_move(pickup, correction.quoted_price_paise, policy)?;
        }
        Ok(Event::Corrected {
            details: Box::new(correction.details.clone()),
            summary: correction.summary.clone(),
            pickup,
            time: correction.time,
            search: pickup.and_then(|_| self.new_search(now)),
        })
    }

    /// Returns whether someone else corrected the job, or its mechanic changed, after the correction was prepared.
    fn has_changed_since(&self, correction: &Correction) -> bool {
        let mechanic = self.assignment().map(|assignment| assignment.mechanic_id);
        self.corrections != correction.seen_corrections
            || correction.pickup.is_some_and(|pickup| pickup.mechanic != mechanic)
    }

    /// Returns the pickup with its travel price. A move never makes the job cheaper: its mechanic accepted it at
    /// that price, and a mechanic who holds an offer of it does not count as near.
    fn priced(&self, pickup: NewPickup) -> NewPickup {
        let travel_price_paise = pickup.travel_price_paise.max(self.spec.travel_price_paise);
        NewPickup { travel_price_paise, ..pickup }
    }

    fn check_move(
        &self,
        pickup: &NewPickup,
        quoted_price_paise: Option<i64>,
        policy: &JobPolicy,
    ) -> Result<(), Refusal> {
        let limit_m = policy.correction_radius_m;
        if self.original_pickup().distance_m(pickup.point) > limit_m {
            return Err(Refusal::MovedTooFar { limit_m });
        }
        let kept_paise = self.spec.estimated_price_paise() - self.spec.travel_price_paise;
        let price_paise = kept_paise + pickup.travel_price_paise;
        let agreed_paise = quoted_price_paise.unwrap_or(self.spec.estimated_price_paise());
        if price_paise > agreed_paise { Err(Refusal::PriceChanged { price_paise }) } else { Ok(()) }
    }

    fn new_search(&self, now: DateTime<Utc>) -> Option<NewSearch> {
        let Stage::Dispatching(search) = &self.stage else { return None };
        let revoked = search.offers.iter().map(|offer| (offer.id, offer.mechanic_id)).collect();
        Some(NewSearch { ends_at: self.attempt_end(now), round: self.first_round(), revoked })
    }
}
