//! Decisions once the work is done or the job is cancelled. Pure.

use chrono::{DateTime, Utc};

use super::rules::Rules;
use crate::{
    job::{
        command::Command,
        event::Event,
        model::{Cancellation, Completion, Job, NO_SHOW},
    },
    refusal::Refusal,
};

impl Job {
    pub(super) fn decide_completed(
        &self,
        completion: &Completion,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Pay => Ok(Event::Paid),
            Command::Dispute => decide_dispute(completion, rules, now),
            _ => self.decide_closed(command, now),
        }
    }

    pub(super) fn decide_paid(
        &self,
        completion: &Completion,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        match command {
            Command::Dispute => decide_dispute(completion, rules, now),
            _ => self.decide_closed(command, now),
        }
    }

    pub(super) fn decide_disputed(&self, command: &Command, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            Command::Resolve => Ok(Event::Resolved),
            _ => self.decide_closed(command, now),
        }
    }

    /// Decides about a cancelled job. A customer can contest a no-show for a time, and an admin then decides it, as
    /// well as a no-show that no position proves. The code for no-shows knows who has said what, and whether it was
    /// decided.
    pub(super) fn decide_cancelled(
        &self,
        cancellation: &Cancellation,
        command: &Command,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        let is_no_show = cancellation.reason_code == NO_SHOW;
        match command {
            Command::ContestNoShow if is_no_show => decide_contest(cancellation, rules, now),
            // A fee that is due was decided already, or nobody contests it.
            Command::DecideNoShow { fee_paise } if is_no_show && cancellation.fee_paise == 0 => {
                Ok(Event::NoShowDecided { fee_paise: *fee_paise })
            }
            _ => self.decide_closed(command, now),
        }
    }

    /// Decides the commands that completed, paid, disputed, resolved and cancelled jobs have in common: money may
    /// still move.
    pub(super) fn decide_closed(&self, command: &Command, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            Command::NotePayment { payment_id } => Ok(Event::PaymentChanged { payment_id: *payment_id }),
            _ => self.decide_in_any_stage(command, now),
        }
    }
}

fn decide_dispute(completion: &Completion, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
    let until = completion.at + rules.jobs.dispute_window;
    if now <= until { Ok(Event::Disputed) } else { Err(Refusal::TooLate { until }) }
}

/// Decides whether a no-show is contested in time. Where nothing is due, an admin has yet to decide, and hears the
/// customer at any time.
fn decide_contest(
    cancellation: &Cancellation,
    rules: Rules<'_>,
    now: DateTime<Utc>,
) -> Result<Event, Refusal> {
    let until = cancellation.at + rules.jobs.dispute_window;
    if cancellation.fee_paise == 0 || now <= until {
        Ok(Event::NoShowContested)
    } else {
        Err(Refusal::TooLate { until })
    }
}
