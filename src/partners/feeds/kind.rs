//! The catalogue of events: what partners can be told, and which entries of a job's log tell it. Pure.

use roadcall_actors::job::state::EventName;

use crate::http::text_enum;

/// Declares the kinds: the name on the wire, and the occasion.
macro_rules! event_kinds {
    ($($variant:ident = $text:tt: $occasion:tt;)*) => {
        text_enum! {
            /// The kind of an event that partners can get.
            PartnerEventKind { $(#[doc = $occasion] $variant = $text,)* }
        }

        impl PartnerEventKind {
            /// Returns the occasion of an event of this kind, as a sentence.
            pub fn occasion(self) -> &'static str {
                match self { $(Self::$variant => $occasion,)* }
            }
        }
    };
}

event_kinds! {
    CaseCreated = "case.created": "The case was made.";
    CaseOffered = "case.offered": "A club offers the case, and waits for an answer.";
    CaseCallRequested = "case.call_requested": "A dispatcher asks the club to call about its offer.";
    CaseAccepted = "case.accepted": "The offered case was accepted, with a time of arrival, which the club has to confirm.";
    CaseRefused = "case.refused": "The offered case was refused; `reason` says why.";
    CaseExpired = "case.expired": "Nobody answered the offer in time, the club did not confirm in time, or its job could not be made by the promised time.";
    CaseWithdrawn = "case.withdrawn": "The club withdrew its offer.";
    CaseClosed = "case.closed": "The case was closed.";
    JobCreated = "job.created": "A job of the case was made.";
    JobSearching = "job.searching": "A search for a mechanic began.";
    JobNoMechanicFound = "job.no_mechanic_found": "The search found no mechanic; it can be repeated.";
    JobAccepted = "job.accepted": "A mechanic took the job.";
    JobPromiseProposed = "job.promise_proposed": "A time of arrival waits for the partner's consent.";
    JobPromiseAccepted = "job.promise_accepted": "The time of arrival was accepted, by the partner or by the contract.";
    JobPromiseRefused = "job.promise_refused": "The partner refused the time of arrival; another mechanic is sought.";
    JobPromiseExtended = "job.promise_extended": "The promised time was extended; `reason` says why.";
    JobPromiseMissed = "job.promise_missed": "The promised time is over, and the mechanic has not arrived.";
    JobMechanicLeft = "job.mechanic_left": "The mechanic lost the job or gave it back; another one is sought.";
    JobCorrected = "job.corrected": "Details of the job were corrected.";
    JobEnRoute = "job.en_route": "The mechanic set out.";
    JobNear = "job.near": "The mechanic came nearer than a threshold of the subscription; `near` has the figures.";
    JobArrived = "job.arrived": "The mechanic arrived at the vehicle.";
    JobStarted = "job.started": "The work began.";
    JobLoaded = "job.loaded": "The vehicle is on the truck.";
    JobApprovalRequested = "job.approval_requested": "The mechanic proposes extra work, or changed the proposal; `item` has it.";
    JobApproved = "job.approved": "Extra work was approved; `item` has it.";
    JobRejected = "job.rejected": "Extra work was rejected, or withdrawn by the mechanic; `item` has it.";
    JobCompleted = "job.completed": "The work was completed.";
    JobPaid = "job.paid": "Everything that was due for the job is paid.";
    JobCancelled = "job.cancelled": "The job was cancelled.";
    JobOutcome = "job.outcome": "The outcome was decided, and what the partner pays for it.";
    JobPosition = "job.position": "The mechanic's position, at the subscription's interval. It is sent once, apart from the ordered events.";
    WebhookVerify = "webhook.verify": "The address is being verified: answer 200 with the challenge in the body.";
    WebhookTest = "webhook.test": "Somebody tries the subscription out.";
}

impl PartnerEventKind {
    /// Returns whether such events are numbered and kept. The others are messages that are sent once.
    pub fn is_kept(self) -> bool {
        !matches!(self, Self::JobPosition | Self::WebhookVerify | Self::WebhookTest)
    }

    /// Returns whether such an event is the first one of a case, which says how the case began.
    pub fn begins_a_case(self) -> bool {
        matches!(self, Self::CaseCreated | Self::CaseOffered)
    }

    /// Returns the events that an entry of a job's log stands for. `accepts_promises`: by the contract, each time of arrival
    /// counts as accepted at once.
    pub fn of_entry(name: EventName, accepts_promises: bool) -> &'static [Self] {
        match name {
            EventName::Created => &[Self::JobCreated],
            EventName::Dispatching | EventName::Retried => &[Self::JobSearching],
            EventName::NoMechanicFound => &[Self::JobNoMechanicFound],
            EventName::Accepted if accepts_promises => &[Self::JobAccepted, Self::JobPromiseAccepted],
            EventName::Accepted => &[Self::JobAccepted, Self::JobPromiseProposed],
            EventName::Released => &[Self::JobMechanicLeft],
            EventName::Corrected => &[Self::JobCorrected],
            EventName::EnRoute => &[Self::JobEnRoute],
            EventName::Arrived => &[Self::JobArrived],
            EventName::InProgress => &[Self::JobStarted],
            EventName::Loaded => &[Self::JobLoaded],
            EventName::LineItemProposed | EventName::LineItemAmended => &[Self::JobApprovalRequested],
            EventName::LineItemApproved => &[Self::JobApproved],
            EventName::LineItemRejected | EventName::LineItemWithdrawn => &[Self::JobRejected],
            EventName::Completed => &[Self::JobCompleted],
            EventName::Paid => &[Self::JobPaid],
            EventName::Cancelled => &[Self::JobCancelled],
            // Partners are not told of talks, of money between others, or of what only the dispatcher watches.
            EventName::OffersMade
            | EventName::OfferDeclined
            | EventName::OfferRevoked
            | EventName::OffersExpired
            | EventName::Navigating
            | EventName::BackInApp
            | EventName::Delayed
            | EventName::Recovered
            | EventName::WrongStartCode
            | EventName::NoShowContested
            | EventName::NoShowDecided
            | EventName::Payment
            | EventName::Message
            | EventName::Call
            | EventName::Disputed
            | EventName::Resolved => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acceptance_tells_whether_its_time_waits_for_consent() {
        let of = |accepts| PartnerEventKind::of_entry(EventName::Accepted, accepts);
        assert_eq!(of(true), [PartnerEventKind::JobAccepted, PartnerEventKind::JobPromiseAccepted]);
        assert_eq!(of(false), [PartnerEventKind::JobAccepted, PartnerEventKind::JobPromiseProposed]);
    }

    #[test]
    fn entries_that_only_admins_see_tell_partners_nothing_and_every_told_event_is_kept() {
        for name in EventName::ALL {
            let told = PartnerEventKind::of_entry(name, true);
            assert!(name.is_public() || told.is_empty(), "{name:?}");
            assert!(told.iter().all(|kind| kind.is_kept() && kind.as_str().starts_with("job.")), "{name:?}");
        }
        assert!(!PartnerEventKind::JobPosition.is_kept() && PartnerEventKind::CaseCreated.is_kept());
    }
}
