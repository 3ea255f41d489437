//! Decisions while no mechanic has the job: before, during and after an attempt to find one. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use super::rules::Rules;
use crate::{
    ids::{MechanicId, OfferId},
    job::{
        command::Command,
        event::Event,
        model::{Assignment, Job, LiveOffer, NO_MECHANIC_FOUND, Proposal, Search, Stage},
    },
    refusal::Refusal,
};

impl Job {
    /// Returns when [`Command::Tick`] next has something to do.
    pub fn next_due(&self) -> Option<DateTime<Utc>> {
        match &self.stage {
            Stage::Pending => Some(self.spec.begin_at),
            Stage::Dispatching(search) if search.round > self.spec.search.max_rounds => {
                Some(DateTime::UNIX_EPOCH)
            }
            Stage::Dispatching(search) => {
                // The attempt lasts until its last offer is answered or has expired.
                let expiry =
                    search.offers.iter().map(|offer| offer.expires_at + self.spec.search.offer_grace).min();
                Some(expiry.unwrap_or(search.ends_at))
            }
            Stage::NoMechanicFound { until } => Some(*until),
            Stage::Accepted(_)
            | Stage::EnRoute(_)
            | Stage::Arrived(_)
            | Stage::InProgress(_)
            | Stage::Completed(_)
            | Stage::Cancelled(_)
            | Stage::Paid(_)
            | Stage::Disputed(_)
            | Stage::Resolved(_) => None,
        }
    }

    pub(super) fn decide_pending(
        &self,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Tick if now >= self.spec.begin_at => {
                Ok(Event::Began { ends_at: self.attempt_end(now), round: self.first_round() })
            }
            _ => self.decide_unassigned(command, rules, now),
        }
    }

    pub(super) fn decide_dispatching(
        &self,
        search: &Search,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Tick => self.decide_due(search, rules, now),
            Command::Offer { attempt, round, proposals } => {
                self.decide_offer(search, (*attempt, *round), proposals, rules, now)
            }
            Command::Accept { offer_id, mechanic_id, answered_at, start_code } => {
                let offer = search.find(*offer_id, *mechanic_id)?;
                if *answered_at > offer.expires_at + self.spec.search.offer_grace {
                    return Err(Refusal::OfferExpired);
                }
                let assignment = assigned(*mechanic_id, Some(offer.id), offer.eta_s, start_code, rules, now);
                let revoked = search.others(Some(offer.id));
                Ok(Event::Accepted { assignment, revoked, answered_at: *answered_at, overridden: None })
            }
            Command::Decline { offer_id, mechanic_id, reason } => {
                search.find(*offer_id, *mechanic_id)?;
                let (offer_id, mechanic_id) = (*offer_id, *mechanic_id);
                Ok(Event::OfferDeclined { offer_id, mechanic_id, reason: reason.clone() })
            }
            Command::Revoke { offer_id, mechanic_id } => {
                search.find(*offer_id, *mechanic_id)?;
                Ok(Event::OfferRevoked { offer_id: *offer_id, mechanic_id: *mechanic_id })
            }
            Command::Assign { mechanic_id, eta_s, start_code, overridden } => {
                let assignment = assigned(*mechanic_id, None, *eta_s, start_code, rules, now);
                let (revoked, overridden) = (search.others(None), overridden.clone());
                Ok(Event::Accepted { assignment, revoked, answered_at: now, overridden })
            }
            Command::TakeBack { mechanic_id, eta_s, start_code } => {
                self.decide_taking_back(*mechanic_id, *eta_s, start_code, rules, now)
            }
            _ => self.decide_unassigned(command, rules, now),
        }
    }

    pub(super) fn decide_no_mechanic_found(
        &self,
        until: DateTime<Utc>,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Tick if now >= until => Ok(self.cancelled(0, (NO_MECHANIC_FOUND, None), None, None)),
            Command::Retry { most_open_jobs } => Ok(Event::Retried {
                ends_at: self.attempt_end(now),
                round: self.first_round(),
                most_open_jobs: *most_open_jobs,
            }),
            Command::TakeBack { mechanic_id, eta_s, start_code } => {
                self.decide_taking_back(*mechanic_id, *eta_s, start_code, rules, now)
            }
            _ => self.decide_unassigned(command, rules, now),
        }
    }

    /// Decides the commands that jobs without a mechanic have in common.
    fn decide_unassigned(
        &self,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Correct(correction) => self.decide_correction(correction, rules.jobs, now),
            _ => self.decide_cancellable(command, rules, now),
        }
    }

    /// Gives the free job back to a mechanic who lost it because their phone was silent, ahead of those who hold an
    /// offer, since this mechanic is on the way or there.
    fn decide_taking_back(
        &self,
        mechanic_id: MechanicId,
        eta_s: u32,
        start_code: &str,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        if self.lost_by_silence() != Some(mechanic_id) {
            return Err(Refusal::NotYours);
        }
        let assignment = assigned(mechanic_id, None, eta_s, start_code, rules, now);
        let assignment = Assignment { is_taken_back: true, ..assignment };
        let revoked = self.live_offers().iter().map(|offer| (offer.id, offer.mechanic_id)).collect();
        Ok(Event::Accepted { assignment, revoked, answered_at: now, overridden: None })
    }

    fn decide_due(&self, search: &Search, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
        let exhausted = Event::Exhausted { until: now + rules.jobs.no_mechanic_ttl };
        if search.round > self.spec.search.max_rounds {
            return Ok(exhausted);
        }
        let grace = self.spec.search.offer_grace;
        let expired = search.offers.iter().filter(|offer| now >= offer.expires_at + grace);
        let expired: Vec<_> = expired.map(|offer| (offer.id, offer.mechanic_id)).collect();
        if !expired.is_empty() {
            Ok(Event::OffersExpired { offers: expired })
        } else if now >= search.ends_at && search.offers.is_empty() {
            Ok(exhausted)
        } else {
            Err(Refusal::NothingDue)
        }
    }

    fn decide_offer(
        &self,
        search: &Search,
        (attempt, round): (u32, u32),
        proposals: &[Proposal],
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        let is_current = attempt == self.attempt && round == search.round && search.makes_offers(now);
        let are_allowed = proposals.iter().all(|proposal| !self.excluded.contains(&proposal.mechanic_id));
        let have_room = search.offers.len() + proposals.len() <= self.spec.search.width(search.round);
        if !(is_current && are_allowed && have_room) || proposals.is_empty() {
            return Err(Refusal::StaleProposal);
        }
        // Every mechanic has the full time to answer, even near the end of the attempt.
        let expires_at = now + self.spec.search.offer_ttl;
        // A parked mechanic, whose phone is in a pocket, has longer, as long as the attempt lasts.
        let parked_until = (now + rules.jobs.parked_offer_ttl).min(search.ends_at).max(expires_at);
        let offers = proposals.iter().map(|proposal| {
            let expires_at = if proposal.is_parked { parked_until } else { expires_at };
            proposal.live(search.round, now, expires_at)
        });
        Ok(Event::OffersMade { offers: offers.collect() })
    }
}

impl Proposal {
    fn live(&self, round: u32, created_at: DateTime<Utc>, expires_at: DateTime<Utc>) -> LiveOffer {
        LiveOffer {
            id: self.offer_id,
            mechanic_id: self.mechanic_id,
            round,
            distance_m: self.distance_m,
            eta_s: self.eta_s,
            eta_base_s: self.eta_base_s,
            eta_source: self.eta_source,
            cost_s: self.cost_s,
            created_at,
            expires_at,
        }
    }
}

impl Search {
    /// Returns whether mechanics are still asked, or only those who were asked may answer.
    pub fn makes_offers(&self, now: DateTime<Utc>) -> bool {
        now < self.ends_at
    }

    fn find(&self, id: OfferId, mechanic_id: MechanicId) -> Result<&LiveOffer, Refusal> {
        let found = self.offers.iter().find(|offer| offer.id == id && offer.mechanic_id == mechanic_id);
        found.ok_or(Refusal::OfferExpired)
    }

    fn others(&self, kept: Option<OfferId>) -> Vec<(OfferId, MechanicId)> {
        let others = self.offers.iter().filter(|offer| Some(offer.id) != kept);
        others.map(|offer| (offer.id, offer.mechanic_id)).collect()
    }
}

/// Returns the assignment of a mechanic who is expected after `eta_s` seconds.
fn assigned(
    mechanic_id: MechanicId,
    offer_id: Option<OfferId>,
    eta_s: u32,
    start_code: &str,
    rules: Rules<'_>,
    now: DateTime<Utc>,
) -> Assignment {
    Assignment {
        offer_id,
        promised_at: now + TimeDelta::seconds(i64::from(eta_s)),
        start_code: rules.jobs.start_code.then(|| start_code.to_owned()),
        ..Assignment::new(mechanic_id, now)
    }
}
