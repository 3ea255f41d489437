//! Reads the outcome of a run from the committed events and from the distances that mechanics drove.

use std::collections::BTreeMap;

use roadcall_actors::{concern::Concern, ids::MechanicId, job::state::Event, simulation::journal::Committed};

use super::{
    outcome::{JobOutcome, MechanicOutcome, Outcome},
    places::Zone,
    run::Run,
    travel::Millis,
};

/// Seconds that a mechanic spent on jobs, and the number of jobs that they completed.
type Busy = BTreeMap<MechanicId, (f64, u32)>;

/// Returns the outcome of a run that has ended.
pub fn of(run: &Run) -> Outcome {
    let mut busy = Busy::new();
    let jobs = run.customers.iter().map(|customer| {
        let events = customer.job.map(|job| run.service.journal.events(job)).unwrap_or_default();
        let call = &customer.call;
        let zone = Zone::of(&run.plan.scenario.city, call.pickup);
        let promised = customer.job.and_then(|job| run.service.outbound.promised(job));
        JobOutcome { category: call.category, zone, promised, ..job_outcome(&events, &mut busy) }
    });
    let jobs = jobs.collect();
    let end = run.now;
    let mechanics = run.workers.iter().map(|worker| {
        let (busy_s, jobs) = busy.get(&worker.id).copied().unwrap_or_default();
        let seconds = |at: Millis| at.min(end) as f64 / 1000.0;
        let shifts = worker.person.shifts().into_iter();
        let shift_s = shifts.map(|(from, to)| seconds(to) - seconds(from)).sum();
        MechanicOutcome { jobs, busy_s, driven_m: worker.driven_m, idle_m: worker.idle_m, shift_s }
    });
    let engine = &run.service.engine;
    Outcome {
        jobs,
        mechanics: mechanics.collect(),
        calibration: engine.calibration(),
        prices: run.prices.clone(),
        holds: engine.holds().ended,
        beside_held: run.beside_held,
    }
}

fn job_outcome(events: &[Committed], busy: &mut Busy) -> JobOutcome {
    let mut job = JobOutcome::default();
    let Some(created) = events.first().map(|event| event.at) else { return job };
    let since = |event: &Committed| (event.at - created).num_milliseconds() as f64 / 1000.0;
    let mut on_it: Option<(MechanicId, f64)> = None;
    for event in events {
        let at_s = since(event);
        job.count(event, at_s);
        let is_completed = matches!(event.event, Event::Completed { .. });
        if let Event::Accepted { assignment, .. } = &event.event {
            on_it = Some((assignment.mechanic_id, at_s));
            job.given_up_s = None;
        } else if (is_completed || matches!(event.event, Event::Released { .. } | Event::Cancelled { .. }))
            && let Some((mechanic, from_s)) = on_it.take()
        {
            let (busy_s, jobs) = busy.entry(mechanic).or_default();
            *busy_s += at_s - from_s;
            *jobs += u32::from(is_completed);
        } else {
            job.given_up_s = match &event.event {
                Event::Exhausted { .. } | Event::Cancelled { .. } => job.given_up_s.or(Some(at_s)),
                Event::Retried { .. } => None,
                _ => job.given_up_s,
            };
        }
    }
    job
}

impl JobOutcome {
    fn count(&mut self, event: &Committed, at_s: f64) {
        let many = |offers: usize| u32::try_from(offers).unwrap_or(u32::MAX);
        match &event.event {
            Event::OffersMade { offers } => self.offers += many(offers.len()),
            Event::OfferDeclined { .. } => self.declined += 1,
            Event::OfferRevoked { .. } => self.revoked += 1,
            Event::OffersExpired { offers } => self.expired += many(offers.len()),
            Event::Accepted { assignment, revoked, .. } => {
                self.taken_back += u32::from(assignment.is_taken_back);
                self.assigned_s = self.assigned_s.or(Some(at_s));
                self.accepted += 1;
                self.is_unfound = false;
                self.revoked += many(revoked.len());
            }
            Event::Cancelled { revoked, .. } => self.revoked += many(revoked.len()),
            Event::Corrected { search, .. } => {
                self.revoked += many(search.as_ref().map_or(0, |search| search.revoked.len()));
            }
            Event::Exhausted { .. } => self.is_unfound = true,
            Event::Arrived { .. } => self.arrived_s = Some(at_s),
            Event::Released { reason_code, .. } => {
                self.silent += u32::from(reason_code == Concern::Dark.reassign_reason());
                self.arrived_s = None;
                self.released += 1;
            }
            Event::Completed { .. } => self.is_completed = true,
            Event::Created { .. }
            | Event::Began { .. }
            | Event::Retried { .. }
            | Event::NoShowContested
            | Event::NoShowDecided { .. }
            | Event::WentEnRoute
            | Event::HandedOver
            | Event::CameBack
            | Event::Delayed(_)
            | Event::Recovered { .. }
            | Event::WrongCodeEntered { .. }
            | Event::Started
            | Event::Loaded { .. }
            | Event::ItemChanged { .. }
            | Event::PaymentChanged { .. }
            | Event::MessageSent { .. }
            | Event::CallChanged { .. }
            | Event::Paid
            | Event::Disputed
            | Event::Resolved => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use roadcall_actors::{ids::CommandId, job::state::Assignment};
    use uuid::Uuid;

    use super::*;

    fn committed(at_s: i64, event: Event) -> Committed {
        let (command_id, at) = (CommandId(Uuid::nil()), DateTime::UNIX_EPOCH + TimeDelta::seconds(at_s));
        Committed { version: 1, seq: None, command_id, event, at }
    }

    fn accepted() -> Event {
        let at = DateTime::UNIX_EPOCH;
        let assignment = Assignment::new(MechanicId(Uuid::nil()), at);
        Event::Accepted { assignment, revoked: Vec::new(), answered_at: at, overridden: None }
    }

    fn released() -> Event {
        Event::Released {
            mechanic_id: MechanicId(Uuid::nil()),
            reason_code: String::new(),
            by_mechanic: true,
            ends_at: DateTime::UNIX_EPOCH,
            round: 1,
        }
    }

    #[test]
    fn a_failed_search_ends_when_the_service_says_so_or_the_customer_gives_up() {
        let made = Event::Created { details: Box::default() };
        let (until, ends_at) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH);
        let exhausted = || Event::Exhausted { until };
        let retried = || Event::Retried { ends_at, round: 1, most_open_jobs: None };
        let cancelled = || {
            let (reason_code, reason) = (String::new(), None);
            let revoked = Vec::new();
            Event::Cancelled {
                fee_paise: 0,
                reason_code,
                reason,
                revoked,
                uses_free: None,
                claimed_paise: None,
            }
        };
        let given_up = |events: Vec<(i64, Event)>| {
            let events = [(0, made.clone())].into_iter().chain(events);
            let events: Vec<Committed> = events.map(|(at_s, event)| committed(at_s, event)).collect();
            job_outcome(&events, &mut Busy::new()).given_up_s
        };
        assert_eq!(given_up(vec![(180, exhausted()), (220, cancelled())]), Some(180.0));
        let twice = vec![(180, exhausted()), (220, retried()), (400, exhausted()), (440, cancelled())];
        assert_eq!(given_up(twice), Some(400.0));
        assert_eq!(given_up(vec![(180, exhausted()), (220, retried()), (300, cancelled())]), Some(300.0));
        assert_eq!(given_up(vec![(90, cancelled())]), Some(90.0));
        assert_eq!(given_up(vec![(90, accepted()), (900, cancelled())]), None);
        assert_eq!(given_up(vec![(180, exhausted()), (220, retried()), (230, accepted())]), None);
        let again = vec![(90, accepted()), (200, released()), (380, exhausted()), (420, cancelled())];
        assert_eq!(given_up(again), Some(380.0));
    }
}
