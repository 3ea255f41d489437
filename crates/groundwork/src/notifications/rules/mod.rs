//! Decides who is notified of which event. Pure.
//!
//! `data` names the event's objects by their ids. An admin's reason for a suspension is part of the text that the app lists, and
//! is not pushed.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_actors::{
    concern::{Concern, Delay},
    job::state::{Actor, Event, ItemChange, Job, LeaveReason},
    mechanic::state::ParkingEnd,
};
use uuid::Uuid;

use super::kind::Kind;

/// The person who is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addressee {
    User(Uuid),
    /// The user of this mechanic profile.
    Mechanic(Uuid),
}

impl Addressee {
    /// Returns the user id or the profile id.
    pub fn ids(self) -> (Option<Uuid>, Option<Uuid>) {
        match self {
            Self::User(id) => (Some(id), None),
            Self::Mechanic(id) => (None, Some(id)),
        }
    }
}

/// One notification to one person.
#[derive(Debug, Clone, PartialEq)]
pub struct NewNotification {
    pub to: Addressee,
    pub kind: Kind,
    pub data: BTreeMap<&'static str, Uuid>,
    pub expires_at: Option<DateTime<Utc>>,
    /// The reason that an admin gave.
    pub reason: Option<String>,
}

impl NewNotification {
    fn new<const N: usize>(to: Addressee, kind: Kind, ids: [(&'static str, Uuid); N]) -> Self {
        Self { to, kind, data: ids.into(), expires_at: None, reason: None }
    }
}

/// The payment that a notification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentOf {
    pub payment_id: Uuid,
    /// `None` for fees.
    pub job_id: Option<Uuid>,
    pub customer_id: Uuid,
}

impl PaymentOf {
    fn note(self, kind: Kind) -> NewNotification {
        let mut note =
            NewNotification::new(Addressee::User(self.customer_id), kind, [("payment_id", self.payment_id)]);
        note.data.extend(self.job_id.map(|job_id| ("job_id", job_id)));
        note
    }

    fn refund(self, refund_id: Uuid, kind: Kind) -> NewNotification {
        let mut note = self.note(kind);
        note.data.insert("refund_id", refund_id);
        note
    }
}

/// A UPI account of a mechanic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpiOf {
    pub profile_id: Uuid,
    pub upi_account_id: Uuid,
}

/// A withdrawal of a mechanic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalOf {
    pub profile_id: Uuid,
    pub withdrawal_id: Uuid,
}

/// The customer's prospect while their job searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prospect {
    /// A long wait.
    Long,
    /// No mechanic who could come is online.
    Unserved,
    /// A short wait, after one of the others.
    Short,
}

impl Prospect {
    pub fn kind(self) -> Kind {
        match self {
            Self::Long => Kind::SearchLong,
            Self::Unserved => Kind::SearchUnserved,
            Self::Short => Kind::SearchShorter,
        }
    }
}

/// An event that people may be notified of.
#[derive(Debug, Clone, Copy)]
pub enum DomainEvent<'a> {
    /// An event of a job, the job after it, and who caused it.
    Job {
        job: &'a Job,
        event: &'a Event,
        by: Actor,
    },
    /// The mechanic of a job in progress was suspended. The admin who suspended them is notified too, and may not have known of
    /// the job.
    WorkInterrupted {
        job_id: Uuid,
        customer_id: Uuid,
        admins: &'a [Uuid],
    },
    /// The mechanic of a job is about to arrive.
    MechanicNear {
        customer_id: Uuid,
        job_id: Uuid,
    },
    PaymentCaptured(PaymentOf),
    PaymentFailed(PaymentOf),
    /// More was captured than was due: the surplus goes back.
    SurplusReturned {
        refund_id: Uuid,
        of: PaymentOf,
    },
    RefundProcessed {
        refund_id: Uuid,
        of: PaymentOf,
    },
    RefundFailed {
        refund_id: Uuid,
        of: PaymentOf,
    },
    /// The other side of a dispute gave a statement.
    DisputeStatement {
        to: Addressee,
        job_id: Uuid,
    },
    /// The amount due for a disputed job was paid.
    DisputePaid {
        profile_id: Uuid,
        job_id: Uuid,
    },
    /// An admin has looked at a tow that no position shows at its destination.
    TowDecided {
        profile_id: Uuid,
        job_id: Uuid,
    },
    /// The profile's id, here and in the next three.
    MechanicVerified(Uuid),
    MechanicRejected(Uuid),
    MechanicSuspended {
        profile_id: Uuid,
        reason: &'a str,
    },
    MechanicReinstated(Uuid),
    /// The profile's id, here as well.
    MechanicChangeApproved(Uuid),
    MechanicChangeRejected {
        profile_id: Uuid,
        reason: &'a str,
    },
    /// An admin answered a person's question or complaint about their data.
    GrievanceAnswered {
        user_id: Uuid,
        grievance_id: Uuid,
    },
    UpiVerified(UpiOf),
    UpiNameMismatch(UpiOf),
    UpiInvalid(UpiOf),
    UpiApproved(UpiOf),
    UpiRejected(UpiOf),
    WithdrawalPaid(WithdrawalOf),
    WithdrawalFailed(WithdrawalOf),
    WithdrawalReversed(WithdrawalOf),
    RatingReceived {
        to: Addressee,
        job_id: Uuid,
    },
    ChatMessage {
        to: Addressee,
        job_id: Uuid,
        message_id: Uuid,
    },
    /// Expires when the call stops ringing.
    CallIncoming {
        to: Addressee,
        job_id: Uuid,
        call_id: Uuid,
        rings_until: DateTime<Utc>,
    },
    CallMissed {
        to: Addressee,
        job_id: Uuid,
        call_id: Uuid,
    },
    /// The search for a mechanic became long, or that changed.
    SearchProspect {
        customer_id: Uuid,
        job_id: Uuid,
        prospect: Prospect,
    },
    /// A customer asked to be called and did not answer.
    CallbackNotReached {
        customer_id: Uuid,
        job_id: Uuid,
    },
    /// The mechanic no longer waits at their place.
    ParkingEnded {
        profile_id: Uuid,
        why: ParkingEnd,
    },
}

impl DomainEvent<'_> {
    /// Returns the notifications of this event. The person who caused it gets none.
    pub fn notifications(self) -> Vec<NewNotification> {
        let profile =
            |id, kind| NewNotification::new(Addressee::Mechanic(id), kind, [("mechanic_profile_id", id)]);
        let upi = |of: UpiOf, kind| {
            NewNotification::new(
                Addressee::Mechanic(of.profile_id),
                kind,
                [("upi_account_id", of.upi_account_id)],
            )
        };
        let withdrawal = |of: WithdrawalOf, kind| {
            NewNotification::new(
                Addressee::Mechanic(of.profile_id),
                kind,
                [("withdrawal_id", of.withdrawal_id)],
            )
        };
        let note = match self {
            Self::Job { job, event, by } => return of_job(job, event, by),
            Self::WorkInterrupted { job_id, customer_id, admins } => {
                let note =
                    |id: Uuid, kind| NewNotification::new(Addressee::User(id), kind, [("job_id", job_id)]);
                let admins = admins.iter().map(|id| note(*id, Kind::JobNeedsAdmin));
                return std::iter::once(note(customer_id, Kind::JobInterrupted)).chain(admins).collect();
            }
            Self::PaymentCaptured(of) => of.note(Kind::PaymentCaptured),
            Self::PaymentFailed(of) => of.note(Kind::PaymentFailed),
            Self::SurplusReturned { refund_id, of } => of.refund(refund_id, Kind::SurplusReturned),
            Self::RefundProcessed { refund_id, of } => of.refund(refund_id, Kind::RefundProcessed),
            Self::RefundFailed { refund_id, of } => of.refund(refund_id, Kind::RefundFailed),
            Self::DisputeStatement { to, job_id } => {
                NewNotification::new(to, Kind::DisputeStatement, [("job_id", job_id)])
            }
            Self::DisputePaid { profile_id, job_id } => {
                NewNotification::new(Addressee::Mechanic(profile_id), Kind::DisputePaid, [("job_id", job_id)])
            }
            Self::TowDecided { profile_id, job_id } => {
                NewNotification::new(Addressee::Mechanic(profile_id), Kind::TowDecided, [("job_id", job_id)])
            }
            Self::MechanicVerified(id) => profile(id, Kind::MechanicVerified),
            Self::MechanicRejected(id) => profile(id, Kind::MechanicRejected),
            Self::MechanicSuspended { profile_id, reason } => {
                let reason = Some(reason.to_owned());
                NewNotification { reason, ..profile(profile_id, Kind::MechanicSuspended) }
            }
            Self::MechanicReinstated(id) => profile(id, Kind::MechanicReinstated),
            Self::MechanicChangeApproved(id) => profile(id, Kind::MechanicChangeApproved),
            Self::MechanicChangeRejected { profile_id, reason } => {
                let reason = Some(reason.to_owned());
                NewNotification { reason, ..profile(profile_id, Kind::MechanicChangeRejected) }
            }
            Self::GrievanceAnswered { user_id, grievance_id } => NewNotification::new(
                Addressee::User(user_id),
                Kind::GrievanceAnswered,
                [("grievance_id", grievance_id)],
            ),
            Self::UpiVerified(of) => upi(of, Kind::UpiVerified),
            Self::UpiNameMismatch(of) => upi(of, Kind::UpiNameMismatch),
            Self::UpiInvalid(of) => upi(of, Kind::UpiInvalid),
            Self::UpiApproved(of) => upi(of, Kind::UpiApproved),
            Self::UpiRejected(of) => upi(of, Kind::UpiRejected),
            Self::WithdrawalPaid(of) => withdrawal(of, Kind::WithdrawalPaid),
            Self::WithdrawalFailed(of) => withdrawal(of, Kind::WithdrawalFailed),
            Self::WithdrawalReversed(of) => withdrawal(of, Kind::WithdrawalReversed),
            Self::RatingReceived { to, job_id } => {
                NewNotification::new(to, Kind::RatingReceived, [("job_id", job_id)])
            }
            Self::ChatMessage { to, job_id, message_id } => {
                NewNotification::new(to, Kind::ChatMessage, [("job_id", job_id), ("message_id", message_id)])
            }
            Self::CallIncoming { to, job_id, call_id, rings_until } => {
                let note =
                    NewNotification::new(to, Kind::CallIncoming, [("job_id", job_id), ("call_id", call_id)]);
                NewNotification { expires_at: Some(rings_until), ..note }
            }
            Self::CallMissed { to, job_id, call_id } => {
                NewNotification::new(to, Kind::CallMissed, [("job_id", job_id), ("call_id", call_id)])
            }
            Self::SearchProspect { customer_id, job_id, prospect } => {
                NewNotification::new(Addressee::User(customer_id), prospect.kind(), [("job_id", job_id)])
            }
            Self::MechanicNear { customer_id, job_id } => {
                NewNotification::new(Addressee::User(customer_id), Kind::JobNear, [("job_id", job_id)])
            }
            Self::CallbackNotReached { customer_id, job_id } => {
                let to = Addressee::User(customer_id);
                NewNotification::new(to, Kind::CallbackNotReached, [("job_id", job_id)])
            }
            Self::ParkingEnded { profile_id, why } => match why {
                ParkingEnd::OwnWish => return Vec::new(),
                ParkingEnd::Over => profile(profile_id, Kind::ParkingOver),
                ParkingEnd::Left => profile(profile_id, Kind::ParkingLeft),
                ParkingEnd::Unanswered => profile(profile_id, Kind::ParkingUnanswered),
            },
        };
        vec![note]
    }
}

/// The two sides of a job, without the side that caused the event.
struct Sides {
    job_id: Uuid,
    customer: Option<Addressee>,
    mechanic: Option<Addressee>,
    is_on_account: bool,
}

impl Sides {
    /// Returns the customer's notification. Nobody reads those of an organisation's account, so it gets only those that become
    /// texts to the person who is helped.
    fn customer(&self, kind: Kind) -> Vec<NewNotification> {
        let is_told = !self.is_on_account || kind.text_to_beneficiary().is_some();
        self.customer
            .filter(|_| is_told)
            .map(|to| NewNotification::new(to, kind, [("job_id", self.job_id)]))
            .into_iter()
            .collect()
    }

    fn mechanic(&self, kind: Kind) -> Vec<NewNotification> {
        self.mechanic
            .map(|to| NewNotification::new(to, kind, [("job_id", self.job_id)]))
            .into_iter()
            .collect()
    }

    fn both(&self, kind: Kind) -> Vec<NewNotification> {
        [self.customer(kind), self.mechanic(kind)].concat()
    }
}

fn of_job(job: &Job, event: &Event, by: Actor) -> Vec<NewNotification> {
    let profile = match event {
        // The job has no assignment any longer.
        Event::Released { mechanic_id, .. } => Some(mechanic_id.0),
        _ => job.assignment().map(|assignment| assignment.mechanic_id.0),
    };
    let customer = Addressee::User(job.spec.customer_id.0);
    let sides = Sides {
        job_id: job.id.0,
        customer: Some(customer).filter(|_| !matches!(by, Actor::Customer(_))),
        mechanic: profile.map(Addressee::Mechanic).filter(|_| !matches!(by, Actor::Mechanic(_))),
        is_on_account: job.spec.on_account.is_some(),
    };
    match event {
        Event::OffersMade { offers } => {
            let note = |offer: &roadcall_actors::job::state::LiveOffer| {
                let to = Addressee::Mechanic(offer.mechanic_id.0);
                let ids = [("job_id", job.id.0), ("offer_id", offer.id.0)];
                NewNotification { expires_at: Some(offer.expires_at), ..NewNotification::new(to, Kind::JobOffer, ids) }
            };
            offers.iter().map(note).collect()
        }
        Event::Accepted { .. } => {
            [sides.customer(Kind::JobAccepted), sides.mechanic(Kind::JobAssigned)].concat()
        }
        Event::Corrected { .. } => sides.mechanic(Kind::JobCorrected),
        Event::WentEnRoute => sides.customer(Kind::JobEnRoute),
        // Before the job is taken from a mechanic whose phone is silent, a push asks them to open the app.
        Event::Delayed(Delay { concern: Concern::Dark, .. }) => {
            [sides.customer(Kind::JobDelayed), sides.mechanic(Kind::JobSilent)].concat()
        }
        Event::Delayed(_) => sides.customer(Kind::JobDelayed),
        Event::Arrived { .. } => sides.customer(Kind::JobArrived),
        Event::Started => sides.customer(Kind::JobStarted),
        Event::Loaded { .. } => sides.customer(Kind::JobLoaded),
        Event::Completed { .. } => sides.customer(Kind::JobCompleted),
        Event::Released { reason_code, by_mechanic, .. } => {
            let lost = match LeaveReason::of(reason_code, *by_mechanic) {
                LeaveReason::Silent => Kind::JobLostBySilence,
                _ => Kind::JobReassigned,
            };
            [sides.customer(Kind::JobReleased), sides.mechanic(lost)].concat()
        }
        // A fee is due, or may become due, from a customer who was not there, and they can say what happened.
        Event::Cancelled { claimed_paise: Some(_), .. } => sides.customer(Kind::NoShowReported),
        Event::Cancelled { .. } => sides.both(Kind::JobCancelled),
        Event::NoShowContested => sides.mechanic(Kind::NoShowContested),
        Event::NoShowDecided { .. } => sides.both(Kind::NoShowDecided),
        Event::Exhausted { .. } => sides.customer(Kind::NoMechanicFound),
        Event::ItemChanged { how, item } => {
            let mut notes = match how {
                ItemChange::Proposed => sides.customer(Kind::LineItemProposed),
                ItemChange::Approved => sides.mechanic(Kind::LineItemApproved),
                ItemChange::Rejected => sides.mechanic(Kind::LineItemRejected),
                // The notification of the proposal leads to the current item.
                ItemChange::Amended | ItemChange::Withdrawn => Vec::new(),
            };
            notes.iter_mut().for_each(|note| note.data.extend([("line_item_id", item.id.0)]));
            notes
        }
        // The customer is notified of the payment itself.
        Event::Paid => sides.mechanic(Kind::JobPaid),
        Event::Disputed => sides.both(Kind::DisputeOpened),
        Event::Resolved => sides.both(Kind::DisputeResolved),
        // The customer is notified only if an admin created the job.
        Event::Created { .. } => sides.customer(Kind::JobCreated),
        Event::Began { .. }
        | Event::Retried { .. }
        | Event::OfferDeclined { .. }
        | Event::OfferRevoked { .. }
        | Event::OffersExpired { .. }
        | Event::HandedOver
        | Event::CameBack
        | Event::Recovered { .. }
        | Event::WrongCodeEntered { .. }
        | Event::PaymentChanged { .. }
        // Chat and calls record their own notifications.
        | Event::MessageSent { .. }
        | Event::CallChanged { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
