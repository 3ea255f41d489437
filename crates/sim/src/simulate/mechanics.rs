//! The mechanics' actions in a run: their shifts and their answers. Their actions on a job are in `mechanic_jobs.rs`.

use chrono::TimeDelta;
use roadcall_actors::{
    ids::{JobId, OfferId},
    job::state::{Actor as By, Command, Refusal},
    mechanic::state::Engagement,
    protocol::Accept,
};

use super::{
    mechanic_profiles::Answer, people::user_of, phones::REFRESH_AFTER_S, queue::Step, run::Run,
    travel::Motion,
};

impl Run {
    pub(super) async fn begin_shift(&mut self, m: usize) {
        let worker = &mut self.workers[m];
        worker.is_on_shift = true;
        if let Some(place) = worker.person.place_at(self.now).filter(|_| worker.engaged.is_none()) {
            worker.motion = Motion::still(place);
        }
        self.go_available(m).await;
    }

    /// Ends the shift; a job under way is finished first.
    pub(super) async fn end_shift(&mut self, m: usize) {
        self.workers[m].is_on_shift = false;
        if self.workers[m].engaged.is_none() {
            self.go_unavailable(m).await;
        }
    }

    pub(super) async fn end_break(&mut self, m: usize) {
        if self.workers[m].is_on_shift && self.workers[m].engaged.is_none() {
            self.go_available(m).await;
        }
    }

    pub(super) async fn reconnect(&mut self, m: usize) {
        self.workers[m].is_offline = false;
        // The engine may have made the mechanic unavailable meanwhile.
        if self.workers[m].is_available {
            self.go_available(m).await;
        }
        self.refresh(m).await;
    }

    pub(super) fn on_offer(&mut self, m: usize, offer: OfferId, job: JobId, c: usize, distance_m: u32) {
        if self.is_lost(m) {
            return;
        }
        let scenario = self.plan.scenario.clone();
        let worker = &mut self.workers[m];
        let nth = worker.asked.entry(c).or_default();
        let (answer, reaction) = worker.person.answer(&scenario, c, *nth, f64::from(distance_m));
        *nth += 1;
        worker.offer = Some((offer, job, answer));
        if answer != Answer::Ignore {
            self.queue.plan(self.now + reaction, Step::Answer(m, offer));
        }
    }

    pub(super) fn on_offer_over(&mut self, m: usize, offer: OfferId) {
        let shown = self.workers[m].offer.is_some_and(|(shown, ..)| shown == offer);
        if shown && !self.is_lost(m) {
            self.workers[m].offer = None;
        }
    }

    pub(super) async fn answer(&mut self, m: usize, offer: OfferId) {
        let shown = self.workers[m].offer.filter(|(shown, ..)| *shown == offer);
        let Some((_, job, answer)) = shown else { return };
        self.workers[m].offer = None;
        if !self.workers[m].is_on_shift || self.workers[m].engaged.is_some() {
            return;
        }
        if self.is_lost(m) {
            return self.refresh_after(m, REFRESH_AFTER_S);
        }
        let (mechanic_id, user) = (self.workers[m].id, user_of(self.workers[m].id));
        let engine = &self.service.engine;
        let answered = match answer {
            Answer::Accept => {
                let (command, logged_under) = (engine.new_command(), None);
                let (mechanic, answered_ago) = (mechanic_id, TimeDelta::zero());
                let accept = Accept { command, logged_under, job, offer, mechanic, user, answered_ago };
                accept.carry_out(engine).await
            }
            Answer::Decline | Answer::Ignore => {
                let decline = Command::Decline { offer_id: offer, mechanic_id, reason: None };
                engine.order(engine.new_command(), job, By::Mechanic(user), decline).await
            }
        };
        match (answer, answered, self.customer(job)) {
            // The answer may be lost on its way back.
            (Answer::Accept, Ok(_), Some(c)) if !self.is_lost(m) => self.engage(m, job, c),
            (Answer::Accept, Ok(_), _) => self.refresh_after(m, REFRESH_AFTER_S),
            (_, Err(Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_)), _) => {
                self.refresh_after(m, REFRESH_AFTER_S)
            }
            _ => {}
        }
    }

    /// Adopts the service's state. A phone without a connection asks when it has one again.
    pub(super) async fn refresh(&mut self, m: usize) {
        if self.is_offline(m) {
            return;
        }
        let id = self.workers[m].id;
        let Some(mechanic) = self.service.engine.mechanic(id).await else {
            return self.refresh_after(m, REFRESH_AFTER_S);
        };
        match mechanic.engagement {
            Engagement::Busy { job_id, .. } => {
                if let Some(c) = self.customer(job_id) {
                    self.engage(m, job_id, c);
                }
            }
            Engagement::Offered(card) => {
                let is_new = self.workers[m].offer.is_none_or(|(shown, ..)| shown != card.id);
                if let (true, Some(c)) = (is_new, self.customer(card.job_id)) {
                    self.on_offer(m, card.id, card.job_id, c, card.distance_m);
                }
            }
            Engagement::Free | Engagement::Reserved { .. } => {
                if let Some(job) = self.workers[m].engaged.map(|engaged| engaged.job) {
                    self.leave(m, job);
                }
            }
        }
        let wants = self.workers[m].is_on_shift && self.workers[m].is_available;
        if mechanic.available != wants && self.workers[m].engaged.is_none() {
            match wants {
                true => self.go_available(m).await,
                false => self.go_unavailable(m).await,
            }
        }
    }
}
