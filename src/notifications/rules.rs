//! Who is told what of what happened. Pure.
//!
//! What is pushed is the same for everyone: it names nobody, no place, no number and no amount. What it is about stands
//! in `data` as ids, and whoever may see it looks there. The reason that an admin gave for a suspension, which no other answer
//! shows its mechanic, stands in the text that the app lists, and is not pushed.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Actor, Event, ItemChange, Job};
use uuid::Uuid;

use crate::http::text_enum;

text_enum! {
    /// What a notification tells.
    Kind {
        JobOffer = "job_offer",
        JobAssigned = "job_assigned",
        JobAccepted = "job_accepted",
        JobEnRoute = "job_en_route",
        JobDelayed = "job_delayed",
        JobArrived = "job_arrived",
        JobStarted = "job_started",
        JobInterrupted = "job_interrupted",
        JobNeedsAdmin = "job_needs_admin",
        JobCompleted = "job_completed",
        JobPaid = "job_paid",
        JobCancelled = "job_cancelled",
        JobReleased = "job_released",
        JobReassigned = "job_reassigned",
        NoMechanicFound = "no_mechanic_found",
        LineItemProposed = "line_item_proposed",
        LineItemApproved = "line_item_approved",
        LineItemRejected = "line_item_rejected",
        PaymentCaptured = "payment_captured",
        PaymentFailed = "payment_failed",
        RefundProcessed = "refund_processed",
        RefundFailed = "refund_failed",
        DisputeOpened = "dispute_opened",
        DisputeResolved = "dispute_resolved",
        MechanicVerified = "mechanic_verified",
        MechanicRejected = "mechanic_rejected",
        MechanicSuspended = "mechanic_suspended",
        MechanicReinstated = "mechanic_reinstated",
        UpiVerified = "upi_verified",
        UpiNameMismatch = "upi_name_mismatch",
        UpiInvalid = "upi_invalid",
        UpiApproved = "upi_approved",
        UpiRejected = "upi_rejected",
        WithdrawalPaid = "withdrawal_paid",
        WithdrawalFailed = "withdrawal_failed",
        WithdrawalReversed = "withdrawal_reversed",
        RatingReceived = "rating_received",
        ChatMessage = "chat_message",
        CallIncoming = "call_incoming",
        CallMissed = "call_missed",
    }
}

text_enum! {
    /// What pushes can be switched off by.
    Topic {
        Offers = "offers",
        Jobs = "jobs",
        Payments = "payments",
        Wallet = "wallet",
        Account = "account",
        Messages = "messages",
    }
}

impl Kind {
    pub fn topic(self) -> Topic {
        match self {
            Self::JobOffer => Topic::Offers,
            Self::JobAssigned
            | Self::JobAccepted
            | Self::JobEnRoute
            | Self::JobDelayed
            | Self::JobArrived
            | Self::JobStarted
            | Self::JobInterrupted
            | Self::JobNeedsAdmin
            | Self::JobCompleted
            | Self::JobCancelled
            | Self::JobReleased
            | Self::JobReassigned
            | Self::NoMechanicFound
            | Self::LineItemProposed
            | Self::LineItemApproved
            | Self::LineItemRejected
            | Self::DisputeOpened
            | Self::DisputeResolved
            | Self::RatingReceived => Topic::Jobs,
            Self::JobPaid
            | Self::PaymentCaptured
            | Self::PaymentFailed
            | Self::RefundProcessed
            | Self::RefundFailed => Topic::Payments,
            Self::MechanicVerified
            | Self::MechanicRejected
            | Self::MechanicSuspended
            | Self::MechanicReinstated => Topic::Account,
            Self::UpiVerified
            | Self::UpiNameMismatch
            | Self::UpiInvalid
            | Self::UpiApproved
            | Self::UpiRejected
            | Self::WithdrawalPaid
            | Self::WithdrawalFailed
            | Self::WithdrawalReversed => Topic::Wallet,
            Self::ChatMessage | Self::CallIncoming | Self::CallMissed => Topic::Messages,
        }
    }

    /// Whether it must wake a sleeping phone, before all others.
    pub fn is_urgent(self) -> bool {
        matches!(self, Self::JobOffer | Self::JobAssigned | Self::CallIncoming)
    }

    /// Title and body, as they are pushed.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::JobOffer => ("A job near you", "Take it or decline it before the offer ends."),
            Self::JobAssigned => ("You have a job", "A job was given to you. Open it and set out."),
            Self::JobAccepted => ("Help is found", "A mechanic has taken your job and will set out soon."),
            Self::JobEnRoute => {
                ("Help is on its way", "Your mechanic has set out. Follow the way in the app.")
            }
            Self::JobDelayed => {
                ("Your mechanic may be late", "Something holds your mechanic up. We keep watch over it.")
            }
            Self::JobArrived => {
                ("Your mechanic is there", "Look around: your mechanic has reached the pickup.")
            }
            Self::JobStarted => ("The work has begun", "Your mechanic is at work on your vehicle."),
            Self::JobInterrupted => {
                ("Your mechanic can't go on", "We look into it and tell you what comes of it.")
            }
            Self::JobNeedsAdmin => (
                "A job waits for an admin",
                "Its mechanic was suspended at work. Cancel it, or let the mechanic in again.",
            ),
            Self::JobCompleted => ("The work is done", "See what was done, and pay in the app."),
            Self::JobPaid => ("A job was paid", "See in your wallet what you earn by it."),
            Self::JobCancelled => ("The job was cancelled", "Open it to see why."),
            Self::JobReleased => {
                ("We look for another mechanic", "Your mechanic can't come. The price stays the same.")
            }
            Self::JobReassigned => ("The job is no longer yours", "It is being given to another mechanic."),
            Self::NoMechanicFound => ("No mechanic was free", "Try again, or cancel free of charge."),
            Self::LineItemProposed => {
                ("Your mechanic proposes an item", "Approve or reject it, so that the work can go on.")
            }
            Self::LineItemApproved => ("An item was approved", "Your customer agrees to it."),
            Self::LineItemRejected => ("An item was rejected", "Your customer does not want it."),
            Self::PaymentCaptured => ("Payment received", "Thank you. The receipt is in the app."),
            Self::PaymentFailed => ("Payment failed", "No money was taken for it. Please try again."),
            Self::RefundProcessed => ("A refund was made", "The money was given back to you."),
            Self::RefundFailed => {
                ("A refund failed", "The money could not be given back to you. We look into it.")
            }
            Self::DisputeOpened => ("The job is disputed", "We look into it and tell you what comes of it."),
            Self::DisputeResolved => ("The dispute is resolved", "Open the job to see how."),
            Self::MechanicVerified => ("You are verified", "Go online to be offered jobs."),
            Self::MechanicRejected => {
                ("Your registration was refused", "See why in the app, and hand it in again.")
            }
            Self::MechanicSuspended => {
                ("You are suspended", "You are offered no jobs for now. See why in the app.")
            }
            Self::MechanicReinstated => ("You are reinstated", "Go online to be offered jobs again."),
            Self::UpiVerified => ("UPI account verified", "You can be paid to it."),
            Self::UpiNameMismatch => {
                ("UPI account under review", "It is registered to another name. We look at it ourselves.")
            }
            Self::UpiInvalid => {
                ("UPI account not found", "No bank knows this address. Check how it is written.")
            }
            Self::UpiApproved => ("UPI account approved", "You can be paid to it."),
            Self::UpiRejected => ("UPI account refused", "You can't be paid to it. See why in the app."),
            Self::WithdrawalPaid => ("Your withdrawal is paid", "The money is with your bank."),
            Self::WithdrawalFailed => ("Your withdrawal failed", "The money is in your wallet again."),
            Self::WithdrawalReversed => {
                ("Your withdrawal came back", "Your bank returned it. The money is in your wallet again.")
            }
            Self::RatingReceived => ("You were rated", "See how, in the app."),
            Self::ChatMessage => ("A new message", "It is about your job."),
            Self::CallIncoming => ("You are being called", "It is about your job. Answer in the app."),
            Self::CallMissed => ("A missed call", "It was about your job."),
        }
    }
}

/// How a pushed text ends whose reason stands in the app.
const SEE_WHY: &str = "See why in the app.";

/// Who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addressee {
    User(Uuid),
    /// Whoever has this profile.
    Mechanic(Uuid),
}

impl Addressee {
    /// The user or the profile: one of them.
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
    /// An admin's own words.
    pub reason: Option<String>,
}

impl NewNotification {
    fn new<const N: usize>(to: Addressee, kind: Kind, ids: [(&'static str, Uuid); N]) -> Self {
        Self { to, kind, data: ids.into(), expires_at: None, reason: None }
    }

    /// The text that the app lists.
    pub fn body(&self) -> String {
        let (_, pushed) = self.kind.text();
        match &self.reason {
            None => pushed.to_owned(),
            Some(reason) => format!("{} The reason: {reason}", pushed.trim_end_matches(SEE_WHY).trim_end()),
        }
    }
}

/// A payment, as far as its customer is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentOf {
    pub payment_id: Uuid,
    /// None for fees.
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

/// What happened that somebody may be told of.
#[derive(Debug, Clone, Copy)]
pub enum DomainEvent<'a> {
    /// An event of a job, which stands as `job` afterwards, by whom.
    Job {
        job: &'a Job,
        event: &'a Event,
        by: Actor,
    },
    /// A job is being worked on by a mechanic whose account was suspended. Who did that is told as well: that there is such a job
    /// they need not have known.
    WorkInterrupted {
        job_id: Uuid,
        customer_id: Uuid,
        admins: &'a [Uuid],
    },
    PaymentCaptured(PaymentOf),
    PaymentFailed(PaymentOf),
    RefundProcessed {
        refund_id: Uuid,
        of: PaymentOf,
    },
    RefundFailed {
        refund_id: Uuid,
        of: PaymentOf,
    },
    /// The profile's id, here and in the next three.
    MechanicVerified(Uuid),
    MechanicRejected(Uuid),
    MechanicSuspended {
        profile_id: Uuid,
        reason: &'a str,
    },
    MechanicReinstated(Uuid),
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
    /// Of no use once it rings no more.
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
}

impl DomainEvent<'_> {
    /// Who is told what. Whoever did it is not told.
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
            Self::RefundProcessed { refund_id, of } => of.refund(refund_id, Kind::RefundProcessed),
            Self::RefundFailed { refund_id, of } => of.refund(refund_id, Kind::RefundFailed),
            Self::MechanicVerified(id) => profile(id, Kind::MechanicVerified),
            Self::MechanicRejected(id) => profile(id, Kind::MechanicRejected),
            Self::MechanicSuspended { profile_id, reason } => {
                let reason = Some(reason.to_owned());
                NewNotification { reason, ..profile(profile_id, Kind::MechanicSuspended) }
            }
            Self::MechanicReinstated(id) => profile(id, Kind::MechanicReinstated),
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
        };
        vec![note]
    }
}

/// The two sides of a job, as far as they are to be told: not what they did themselves.
struct Sides {
    job_id: Uuid,
    customer: Option<Addressee>,
    mechanic: Option<Addressee>,
}

impl Sides {
    fn customer(&self, kind: Kind) -> Vec<NewNotification> {
        self.customer
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
        // Its assignment is gone with it.
        Event::Released { mechanic_id, .. } => Some(mechanic_id.0),
        _ => job.assignment().map(|assignment| assignment.mechanic_id.0),
    };
    let customer = Addressee::User(job.spec.customer_id.0);
    let sides = Sides {
        job_id: job.id.0,
        customer: (!matches!(by, Actor::Customer(_))).then_some(customer),
        mechanic: profile.map(Addressee::Mechanic).filter(|_| !matches!(by, Actor::Mechanic(_))),
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
        Event::WentEnRoute => sides.customer(Kind::JobEnRoute),
        Event::Delayed(_) => sides.customer(Kind::JobDelayed),
        Event::Arrived { .. } => sides.customer(Kind::JobArrived),
        Event::Started => sides.customer(Kind::JobStarted),
        Event::Completed { .. } => sides.customer(Kind::JobCompleted),
        Event::Released { .. } => {
            [sides.customer(Kind::JobReleased), sides.mechanic(Kind::JobReassigned)].concat()
        }
        Event::Cancelled { .. } => sides.both(Kind::JobCancelled),
        Event::Exhausted { .. } => sides.customer(Kind::NoMechanicFound),
        Event::ItemChanged { how, item } => {
            let mut notes = match how {
                ItemChange::Proposed => sides.customer(Kind::LineItemProposed),
                ItemChange::Approved => sides.mechanic(Kind::LineItemApproved),
                ItemChange::Rejected => sides.mechanic(Kind::LineItemRejected),
                // Whoever was told of the proposal sees the item as it stands.
                ItemChange::Amended | ItemChange::Withdrawn => Vec::new(),
            };
            notes.iter_mut().for_each(|note| note.data.extend([("line_item_id", item.id.0)]));
            notes
        }
        // The customer is told of the payment itself.
        Event::Paid => sides.mechanic(Kind::JobPaid),
        Event::Disputed => sides.both(Kind::DisputeOpened),
        Event::Resolved => sides.both(Kind::DisputeResolved),
        Event::Created { .. }
        | Event::Began { .. }
        | Event::Retried { .. }
        | Event::OfferDeclined { .. }
        | Event::OfferRevoked { .. }
        | Event::OffersExpired { .. }
        | Event::Recovered { .. }
        | Event::WrongCodeEntered { .. }
        | Event::PaymentChanged { .. }
        // Whoever it is for is told where the message gets its place, and not of every one.
        | Event::MessageSent { .. }
        | Event::CallChanged { .. } => Vec::new(),
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
