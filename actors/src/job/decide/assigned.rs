//! Decisions while a mechanic is on the job. Pure.

use chrono::{DateTime, Utc};

use super::rules::Rules;
use crate::{
    concern::{Delay, Finding},
    ids::MechanicId,
    job::{
        command::{Command, Done, Evidence},
        event::Event,
        fee,
        model::{Assignment, Job, NO_SHOW, Stage},
    },
    refusal::{Refusal, Wanted},
    settings::JobPolicy,
};

impl Job {
    pub(super) fn decide_accepted(
        &self,
        assignment: &Assignment,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::EnRoute { mechanic_id } => {
                assignment.check_owner(*mechanic_id)?;
                Ok(Event::WentEnRoute)
            }
            Command::Watch { mechanic_id, attempt, finding } => {
                self.decide_finding(assignment, (*mechanic_id, *attempt), *finding, now)
            }
            Command::Navigate { mechanic_id, is_elsewhere } => {
                decide_navigation(assignment, *mechanic_id, *is_elsewhere)
            }
            Command::Correct(correction) => self.decide_correction(correction, rules.jobs, now),
            _ => self.decide_before_work(assignment, command, rules, now),
        }
    }

    pub(super) fn decide_en_route(
        &self,
        assignment: &Assignment,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Arrive { mechanic_id, evidence, override_reason } => {
                assignment.check_owner(*mechanic_id)?;
                decide_arrival(*evidence, override_reason.as_ref(), rules.jobs.arrival_radius_m)
            }
            Command::Watch { mechanic_id, attempt, finding } => {
                self.decide_finding(assignment, (*mechanic_id, *attempt), *finding, now)
            }
            Command::Navigate { mechanic_id, is_elsewhere } => {
                decide_navigation(assignment, *mechanic_id, *is_elsewhere)
            }
            _ => self.decide_before_work(assignment, command, rules, now),
        }
    }

    pub(super) fn decide_arrived(
        &self,
        assignment: &Assignment,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Start { mechanic_id, code } => {
                assignment.check_owner(*mechanic_id)?;
                assignment.check_code(code.as_deref(), rules.jobs, now)
            }
            Command::NoShow { mechanic_id } => {
                assignment.check_owner(*mechanic_id)?;
                let arrived_at = assignment.arrived_at.unwrap_or(assignment.accepted_at);
                let from = arrived_at + rules.jobs.no_show_after;
                if now < from {
                    return Err(Refusal::TooEarly { from });
                }
                // A customer who does not show up has not cancelled, so no free time counts. If only the mechanic's
                // word proves the arrival, nothing is due until an admin has looked at it.
                let fee_paise = rules.fees.call_out_paise;
                let due_paise = if assignment.arrival_is_unproven { 0 } else { fee_paise };
                let claimed_paise = Some(fee_paise).filter(|fee| *fee > 0);
                Ok(self.cancelled(due_paise, (NO_SHOW, None), None, claimed_paise))
            }
            _ => self.decide_before_work(assignment, command, rules, now),
        }
    }

    pub(super) fn decide_in_progress(
        &self,
        assignment: &Assignment,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Load { mechanic_id, photo_urls } => {
                self.decide_load(assignment, *mechanic_id, photo_urls)
            }
            Command::Release { mechanic_id, .. } | Command::NoShow { mechanic_id }
                if assignment.loaded_at.is_some() =>
            {
                assignment.check_owner(*mechanic_id)?;
                Err(Refusal::VehicleLoaded)
            }
            Command::Complete { mechanic_id, outcome, notes, photo_urls, received_by, drop_off } => {
                assignment.check_owner(*mechanic_id)?;
                assignment.check_outcome(*outcome, photo_urls, received_by.as_ref())?;
                let undecided = self.undecided();
                if undecided > 0 {
                    return Err(Refusal::PendingApproval { undecided });
                }
                let drop_off = assignment.check_drop_off(drop_off, rules.jobs.arrival_radius_m)?;
                Ok(Event::Completed {
                    outcome: *outcome,
                    notes: notes.clone(),
                    photo_urls: photo_urls.clone(),
                    received_by: received_by.clone(),
                    final_price_paise: self.final_price_paise(assignment),
                    drop_off,
                })
            }
            Command::Cancel { by_admin: true, reason_code, reason, .. } => {
                Ok(self.cancelled(fee::STOPPED.fee_paise, (reason_code, reason.clone()), None, None))
            }
            _ => self.decide_in_any_stage(command, now),
        }
    }

    /// Decides the commands that accepted, en-route and arrived jobs have in common.
    fn decide_before_work(
        &self,
        assignment: &Assignment,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Release { mechanic_id, reason_code } => {
                assignment.check_owner(*mechanic_id)?;
                Ok(self.released(assignment.mechanic_id, reason_code, true, now))
            }
            Command::Reassign { reason } => Ok(self.released(assignment.mechanic_id, reason, false, now)),
            _ => self.decide_cancellable(command, rules, now),
        }
    }

    /// Decides a finding of the watch. The mechanic loses the job only after the customer was informed of the same
    /// concern.
    fn decide_finding(
        &self,
        assignment: &Assignment,
        (mechanic_id, attempt): (MechanicId, u32),
        finding: Finding,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        if assignment.mechanic_id != mechanic_id || self.attempt != attempt {
            return Err(Refusal::StaleFinding);
        }
        let reported = assignment.delay.map(|delay| delay.concern);
        match finding {
            Finding::Delayed(Delay { concern, .. }) if reported == Some(concern) => Err(Refusal::AlreadyDone),
            Finding::Delayed(delay) => Ok(Event::Delayed(delay)),
            Finding::Recovered(concern) if reported == Some(concern) => Ok(Event::Recovered { concern }),
            Finding::Lost(concern) if reported == Some(concern) => {
                Ok(self.released(mechanic_id, concern.reassign_reason(), false, now))
            }
            Finding::Recovered(_) | Finding::Lost(_) => Err(Refusal::StaleFinding),
        }
    }

    fn released(
        &self,
        mechanic_id: MechanicId,
        reason: &str,
        by_mechanic: bool,
        now: DateTime<Utc>,
    ) -> Event {
        Event::Released {
            mechanic_id,
            reason_code: reason.to_owned(),
            by_mechanic,
            ends_at: self.attempt_end(now),
            round: self.first_round(),
        }
    }
}

/// Decides a change of navigation. Repeating it changes nothing: the length of the expected silence counts from
/// when navigation began.
fn decide_navigation(
    assignment: &Assignment,
    mechanic_id: MechanicId,
    is_elsewhere: bool,
) -> Result<Event, Refusal> {
    assignment.check_owner(mechanic_id)?;
    match (is_elsewhere, assignment.navigating_since) {
        (true, None) => Ok(Event::HandedOver),
        (false, Some(_)) => Ok(Event::CameBack),
        (true, Some(_)) | (false, None) => Err(Refusal::AlreadyDone),
    }
}

fn decide_arrival(
    evidence: Evidence,
    override_reason: Option<&String>,
    limit_m: f64,
) -> Result<Event, Refusal> {
    let distance_m = evidence.distance_m;
    let is_near = distance_m.is_some_and(|distance| distance <= limit_m);
    if !is_near && override_reason.is_none() {
        return Err(Refusal::TooFar { distance_m, limit_m });
    }
    // A reason that was not needed is no override: the timeline shows only reasons that were needed.
    let override_reason = override_reason.filter(|_| !is_near).cloned();
    Ok(Event::Arrived { distance_m, override_reason })
}

impl Assignment {
    pub(super) fn check_owner(&self, mechanic_id: MechanicId) -> Result<(), Refusal> {
        if self.mechanic_id == mechanic_id { Ok(()) } else { Err(Refusal::NotYours) }
    }

    /// Checks a start code. A wrong code is an event too, since the count must survive a restart.
    fn check_code(
        &self,
        given: Option<&str>,
        policy: &JobPolicy,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        if let Some(until) = self.locked_until.filter(|until| now < *until) {
            return Err(locked(until, now));
        }
        let Some(code) = &self.start_code else { return Ok(Event::Started) };
        if given == Some(code) {
            return Ok(Event::Started);
        }
        let is_last = self.wrong_codes + 1 >= policy.wrong_start_codes;
        Ok(Event::WrongCodeEntered { locked_until: is_last.then(|| now + policy.start_code_lock) })
    }
}

/// Returns the refusal that a mechanic gets for a wrong start code, although the attempt was committed.
pub(in crate::job) fn refused_start(done: &Done, policy: &JobPolicy, now: DateTime<Utc>) -> Option<Refusal> {
    match (&done.event, &done.job.stage) {
        (Some(Event::WrongCodeEntered { locked_until: Some(until) }), _) => Some(locked(*until, now)),
        (Some(Event::WrongCodeEntered { locked_until: None }), Stage::Arrived(assignment)) => {
            let left = policy.wrong_start_codes.saturating_sub(assignment.wrong_codes);
            Some(Refusal::WrongStartCode { left })
        }
        _ => None,
    }
}

/// Returns the same refusal for a copy of that attempt, from the current job.
pub(in crate::job) fn refused_start_again(job: &Job, policy: &JobPolicy, now: DateTime<Utc>) -> Refusal {
    match &job.stage {
        Stage::Arrived(Assignment { locked_until: Some(until), .. }) if now < *until => locked(*until, now),
        Stage::Arrived(assignment) => {
            let left = policy.wrong_start_codes.saturating_sub(assignment.wrong_codes);
            Refusal::WrongStartCode { left }
        }
        _ => Refusal::InvalidTransition { from: job.status(), wanted: Wanted::StartWork },
    }
}

fn locked(until: DateTime<Utc>, now: DateTime<Utc>) -> Refusal {
    Refusal::StartLocked { wait_s: u64::try_from((until - now).num_seconds()).unwrap_or_default().max(1) }
}
