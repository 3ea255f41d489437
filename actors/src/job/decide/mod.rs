//! Decides commands. Pure: time and randomness are arguments, nothing here awaits.
//!
//! [`Job::decide`] turns a command into an event or a refusal and changes nothing. Each stage has a function of its
//! own for the commands that it treats in its own way; [`Job::decide_in_any_stage`] treats all others.

mod assigned;
mod closed;
mod corrections;
mod items;
mod rules;
mod searching;
mod towing;

use chrono::{DateTime, Utc};

pub(super) use self::assigned::{refused_start, refused_start_again};
pub use self::rules::Rules;
use super::{
    command::Command,
    event::Event,
    fee::{self, FeeReason, FreeCancellationAllowance},
    model::{Job, Stage},
};
use crate::{
    ids::MechanicId,
    refusal::{Refusal, Wanted},
    status::Urgency,
};

impl Job {
    /// Returns the event that `command` leads to at `now`, or why it is refused. Changes nothing.
    pub fn decide(&self, command: &Command, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match &self.stage {
            Stage::Pending => self.decide_pending(command, rules, now),
            Stage::Dispatching(search) => self.decide_dispatching(search, command, rules, now),
            Stage::NoMechanicFound { until } => self.decide_no_mechanic_found(*until, command, rules, now),
            Stage::Accepted(assignment) => self.decide_accepted(assignment, command, rules, now),
            Stage::EnRoute(assignment) => self.decide_en_route(assignment, command, rules, now),
            Stage::Arrived(assignment) => self.decide_arrived(assignment, command, rules, now),
            Stage::InProgress(assignment) => self.decide_in_progress(assignment, command, rules, now),
            Stage::Completed(completion) => self.decide_completed(completion, command, rules, now),
            Stage::Paid(completion) => self.decide_paid(completion, command, rules, now),
            Stage::Disputed(_) => self.decide_disputed(command, now),
            Stage::Cancelled(cancellation) => self.decide_cancelled(cancellation, command, rules, now),
            Stage::Resolved(_) => self.decide_closed(command, now),
        }
    }

    /// Decides a command that has no answer of its own in the stage, nearly always with a refusal.
    fn decide_in_any_stage(&self, command: &Command, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            Command::Tick => Err(Refusal::NothingDue),
            Command::Offer { .. } => Err(Refusal::StaleProposal),
            Command::Accept { offer_id, mechanic_id, .. } => match self.assignment() {
                Some(a) if a.offer_id == Some(*offer_id) && a.mechanic_id == *mechanic_id => {
                    Err(Refusal::AlreadyDone)
                }
                Some(a) if a.mechanic_id != *mechanic_id => Err(Refusal::OfferTaken),
                // The mechanic has the job through a later offer or an admin, so no other mechanic took it.
                Some(_) | None => Err(Refusal::OfferExpired),
            },
            Command::Decline { .. } | Command::Revoke { .. } => Err(Refusal::OfferExpired),
            Command::Assign { .. } => Err(self.cannot(Wanted::Assign)),
            Command::EnRoute { mechanic_id } => Err(self.cannot_by(*mechanic_id, Wanted::SetOut)),
            // A mechanic may come back to the app when they have arrived.
            Command::Navigate { mechanic_id, is_elsewhere: false } => match self.assignment() {
                Some(a) if a.mechanic_id == *mechanic_id => Err(Refusal::AlreadyDone),
                _ => Err(Refusal::NotYours),
            },
            Command::Navigate { mechanic_id, is_elsewhere: true } => {
                Err(self.cannot_by(*mechanic_id, Wanted::DriveToIt))
            }
            Command::TakeBack { mechanic_id, .. } => Err(self.cannot_take_back(*mechanic_id)),
            Command::Arrive { mechanic_id, .. } => Err(self.cannot_by(*mechanic_id, Wanted::ReportArrival)),
            Command::Start { mechanic_id, .. } => Err(self.cannot_by(*mechanic_id, Wanted::StartWork)),
            Command::Load { mechanic_id, .. } => Err(self.cannot_by(*mechanic_id, Wanted::Load)),
            Command::Complete { mechanic_id, .. } => Err(self.cannot_by(*mechanic_id, Wanted::Complete)),
            Command::Release { mechanic_id, .. } => Err(self.cannot_by(*mechanic_id, Wanted::Release)),
            Command::NoShow { mechanic_id } => Err(self.cannot_by(*mechanic_id, Wanted::ReportNoShow)),
            Command::Reassign { .. } => Err(self.cannot(Wanted::Reassign)),
            Command::Watch { .. } => Err(Refusal::StaleFinding),
            Command::Cancel { .. } => Err(self.cannot(Wanted::Cancel)),
            Command::Retry { .. } => Err(self.cannot(Wanted::Retry)),
            Command::ContestNoShow => Err(self.cannot(Wanted::ContestNoShow)),
            Command::DecideNoShow { .. } => Err(self.cannot(Wanted::DecideNoShow)),
            Command::Correct(_) => Err(self.cannot(Wanted::Correct)),
            Command::Item(command) => self.decide_item(command, now),
            Command::NotePayment { .. } => Err(self.cannot(Wanted::RecordPayment)),
            // Messages pass only between the two sides of the job. The code for chats decides for how long.
            Command::NoteMessage { message_id, mechanic_id } => match self.assignment() {
                Some(a) if a.mechanic_id == *mechanic_id => {
                    Ok(Event::MessageSent { message_id: *message_id })
                }
                _ => Err(self.cannot(Wanted::SendMessages)),
            },
            // The code for calls decides who may call when. A call may end after the job has moved on to another
            // mechanic.
            Command::NoteCall { call_id } => Ok(Event::CallChanged { call_id: *call_id }),
            Command::Pay => Err(self.cannot(Wanted::Pay)),
            Command::Dispute => Err(self.cannot(Wanted::Dispute)),
            Command::Resolve => Err(self.cannot(Wanted::Resolve)),
        }
    }

    /// Decides a cancellation at the fee that is due now, if that fee was agreed to; other commands as in any stage.
    fn decide_cancellable(
        &self,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        let Command::Cancel { reason_code, reason, accepted_fee, progress, free_cancellations: free, .. } =
            command
        else {
            return self.decide_in_any_stage(command, now);
        };
        let quote = fee::quote(self, rules.fees, *progress, *free, now)?;
        let fee_paise = quote.fee_paise;
        if !accepted_fee.covers(fee_paise) {
            return Err(Refusal::FeeChanged { fee_paise });
        }
        let uses_free = free.filter(|_| quote.reason == FeeReason::WithinFreeTime);
        Ok(self.cancelled(fee_paise, (reason_code, reason.clone()), uses_free, None))
    }

    fn cancelled(
        &self,
        fee_paise: i64,
        (reason_code, reason): (&str, Option<String>),
        uses_free: Option<FreeCancellationAllowance>,
        claimed_paise: Option<i64>,
    ) -> Event {
        let revoked = self.live_offers().iter().map(|offer| (offer.id, offer.mechanic_id)).collect();
        let reason_code = reason_code.to_owned();
        Event::Cancelled { fee_paise, reason_code, reason, revoked, uses_free, claimed_paise }
    }

    pub(super) fn first_round(&self) -> u32 {
        match self.spec.urgency {
            Urgency::Normal => 1,
            Urgency::Highway | Urgency::Accident => self.spec.search.urgent_first_round,
        }
    }

    pub(super) fn attempt_end(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.spec.search.attempt_ttl
    }

    pub(super) fn cannot(&self, wanted: Wanted) -> Refusal {
        Refusal::InvalidTransition { from: self.status(), wanted }
    }

    /// Returns why a mechanic can't take the job back now. Only a mechanic who lost it by silence learns anything
    /// about it.
    fn cannot_take_back(&self, mechanic_id: MechanicId) -> Refusal {
        match self.assignment() {
            Some(a) if a.mechanic_id == mechanic_id && a.is_taken_back && self.status().is_active() => {
                Refusal::AlreadyDone
            }
            Some(a) if a.mechanic_id == mechanic_id => self.cannot(Wanted::TakeBack),
            _ if self.lost_by_silence() != Some(mechanic_id) => Refusal::NotYours,
            Some(_) => Refusal::OfferTaken,
            None => self.cannot(Wanted::TakeBack),
        }
    }

    /// Refuses a mechanic. A mechanic who has nothing to do with the job learns nothing about its status.
    fn cannot_by(&self, mechanic_id: MechanicId, wanted: Wanted) -> Refusal {
        match self.assignment() {
            Some(a) if a.mechanic_id == mechanic_id => self.cannot(wanted),
            _ => Refusal::NotYours,
        }
    }
}
