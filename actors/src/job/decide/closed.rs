//! Decisions once the work is done or the job is cancelled. Pure.

use chrono::{DateTime, Utc};

use super::rules::Rules;
use crate::{
    job::{
        command::Command,
        event::Event,
        model::{Completion, Job, NO_SHOW, Stage},
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

    /// What completed, paid, disputed, resolved and cancelled jobs have in common: money may still move.
    pub(super) fn decide_closed(&self, command: &Command, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            Command::NotePayment { payment_id } => Ok(Event::PaymentChanged { payment_id: *payment_id }),
            Command::DecideNoShow { fee_paise } if self.may_be_charged_for_no_show() => {
                Ok(Event::NoShowDecided { fee_paise: *fee_paise })
            }
            _ => self.decide_in_any_stage(command, now),
        }
    }

    /// Whether the mechanic reported a no-show, and nothing is due for it. The code for no-shows knows whether it was decided.
    fn may_be_charged_for_no_show(&self) -> bool {
        let Stage::Cancelled(cancellation) = &self.stage else { return false };
        cancellation.reason_code == NO_SHOW && cancellation.fee_paise == 0
    }
}

fn decide_dispute(completion: &Completion, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
    let until = completion.at + rules.jobs.dispute_window;
    if now <= until { Ok(Event::Disputed) } else { Err(Refusal::TooLate { until }) }
}
