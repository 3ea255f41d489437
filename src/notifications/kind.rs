//! The kinds of notifications, their topics and their texts.

use crate::http::text_enum;

text_enum! {
    /// What a notification is about.
    Kind {
        JobOffer = "job_offer",
        JobCreated = "job_created",
        JobAssigned = "job_assigned",
        JobAccepted = "job_accepted",
        JobCorrected = "job_corrected",
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
        SearchLong = "search_long",
        SearchUnserved = "search_unserved",
        SearchShorter = "search_shorter",
        LineItemProposed = "line_item_proposed",
        LineItemApproved = "line_item_approved",
        LineItemRejected = "line_item_rejected",
        PaymentCaptured = "payment_captured",
        PaymentFailed = "payment_failed",
        SurplusReturned = "surplus_returned",
        RefundProcessed = "refund_processed",
        RefundFailed = "refund_failed",
        DisputeOpened = "dispute_opened",
        DisputeStatement = "dispute_statement",
        DisputePaid = "dispute_paid",
        DisputeResolved = "dispute_resolved",
        MechanicVerified = "mechanic_verified",
        MechanicRejected = "mechanic_rejected",
        MechanicSuspended = "mechanic_suspended",
        MechanicReinstated = "mechanic_reinstated",
        MechanicChangeApproved = "mechanic_change_approved",
        MechanicChangeRejected = "mechanic_change_rejected",
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
        CallbackNotReached = "callback_not_reached",
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
            Self::JobCreated
            | Self::JobAssigned
            | Self::JobAccepted
            | Self::JobCorrected
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
            | Self::SearchLong
            | Self::SearchUnserved
            | Self::SearchShorter
            | Self::LineItemProposed
            | Self::LineItemApproved
            | Self::LineItemRejected
            | Self::DisputeOpened
            | Self::DisputeStatement
            | Self::DisputePaid
            | Self::DisputeResolved
            | Self::RatingReceived
            | Self::CallbackNotReached => Topic::Jobs,
            Self::JobPaid
            | Self::PaymentCaptured
            | Self::PaymentFailed
            | Self::SurplusReturned
            | Self::RefundProcessed
            | Self::RefundFailed => Topic::Payments,
            Self::MechanicVerified
            | Self::MechanicRejected
            | Self::MechanicSuspended
            | Self::MechanicReinstated
            | Self::MechanicChangeApproved
            | Self::MechanicChangeRejected => Topic::Account,
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

    /// Title and body of the push. The same for everyone: no names, places, numbers or amounts.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::JobOffer => ("New job nearby", "Accept or decline before the offer expires."),
            Self::JobCreated => {
                ("Help requested", "We created a job for you, as you asked us to on the phone.")
            }
            Self::JobAssigned => ("New job assigned", "We assigned a job to you. Open it for the details."),
            Self::JobAccepted => ("Mechanic assigned", "A mechanic accepted your job."),
            Self::JobCorrected => {
                ("Job updated", "The customer changed the job. Check the details before you set out.")
            }
            Self::JobEnRoute => ("Mechanic on the way", "Track your mechanic live in the app."),
            Self::JobDelayed => {
                ("Your mechanic may be late", "Your mechanic is delayed. We are keeping an eye on it.")
            }
            Self::JobArrived => ("Mechanic arrived", "Your mechanic has reached the pickup location."),
            Self::JobStarted => ("Work started", "Your mechanic is working on your vehicle."),
            Self::JobInterrupted => {
                ("Work interrupted", "Your mechanic can't continue. We are looking into it.")
            }
            Self::JobNeedsAdmin => (
                "Job needs attention",
                "The mechanic was suspended during a job. Cancel the job, or reinstate the mechanic.",
            ),
            Self::JobCompleted => ("Job completed", "Review the work and pay in the app."),
            Self::JobPaid => ("Job paid", "Your earnings are in your wallet."),
            Self::JobCancelled => ("Job cancelled", "Open the job to see why."),
            Self::JobReleased => {
                ("Finding another mechanic", "Your mechanic can't come. Your price stays the same.")
            }
            Self::JobReassigned => ("Job reassigned", "We are giving this job to another mechanic."),
            Self::NoMechanicFound => ("No mechanic available", "Try again, or cancel free of charge."),
            Self::SearchLong => (
                "Help will take a while",
                "We are still looking for a mechanic. You can wait, ask for a call, or cancel free of charge.",
            ),
            Self::SearchUnserved => (
                "No mechanic near you yet",
                "We keep looking. You can wait, ask for a call, or cancel free of charge.",
            ),
            Self::SearchShorter => (
                "Help may come sooner",
                "A mechanic may reach you sooner than expected. Open your job for the new waiting time.",
            ),
            Self::LineItemProposed => {
                ("Approval needed", "Your mechanic proposed an extra item. Approve or reject it.")
            }
            Self::LineItemApproved => ("Item approved", "The customer approved your item."),
            Self::LineItemRejected => ("Item rejected", "The customer rejected your item."),
            Self::PaymentCaptured => ("Payment received", "Thank you! Your receipt is in the app."),
            Self::PaymentFailed => ("Payment failed", "You were not charged. Please try again."),
            Self::SurplusReturned => (
                "You paid too much",
                "We received more than you owed. The extra amount is on its way back to you.",
            ),
            Self::RefundProcessed => ("Refund sent", "Your refund is on its way to you."),
            Self::RefundFailed => ("Refund failed", "We could not refund you. We are looking into it."),
            Self::DisputeOpened => {
                ("Job disputed", "Tell us your side, with photos or documents, before we decide.")
            }
            Self::DisputeStatement => (
                "New statement in a dispute",
                "The other side has given a statement. Read it and add your own.",
            ),
            Self::DisputePaid => (
                "Disputed job paid",
                "The customer has paid. We will hold the money until the dispute is resolved.",
            ),
            Self::DisputeResolved => ("Dispute resolved", "Open the job to see the outcome."),
            Self::MechanicVerified => ("You are verified", "Go online to get job offers."),
            Self::MechanicRejected => ("Registration rejected", "See why in the app, then submit it again."),
            Self::MechanicSuspended => {
                ("Account suspended", "You will not get job offers for now. See why in the app.")
            }
            Self::MechanicReinstated => ("Account reinstated", "Go online to get job offers again."),
            Self::MechanicChangeApproved => {
                ("Change approved", "Your new vehicle types and services are active.")
            }
            Self::MechanicChangeRejected => {
                ("Change not approved", "Your services stay as they are. See the reason in the app.")
            }
            Self::UpiVerified => ("UPI account verified", "You can now withdraw to it."),
            Self::UpiNameMismatch => {
                ("UPI account under review", "It is registered under another name. We are checking it.")
            }
            Self::UpiInvalid => {
                ("UPI account not found", "No bank knows this UPI address. Check the spelling.")
            }
            Self::UpiApproved => ("UPI account approved", "You can now withdraw to it."),
            Self::UpiRejected => ("UPI account rejected", "You can't withdraw to it. See why in the app."),
            Self::WithdrawalPaid => ("Withdrawal paid", "The money is in your bank account."),
            Self::WithdrawalFailed => ("Withdrawal failed", "The money is back in your wallet."),
            Self::WithdrawalReversed => {
                ("Withdrawal returned", "Your bank returned the money. It is back in your wallet.")
            }
            Self::RatingReceived => ("New rating", "See your rating in the app."),
            Self::ChatMessage => ("New message", "You have a new message about your job."),
            Self::CallIncoming => {
                ("Incoming call", "Someone is calling you about your job. Answer in the app.")
            }
            Self::CallMissed => ("Missed call", "You missed a call about your job."),
            Self::CallbackNotReached => (
                "We tried to call you",
                "We could not reach you. Open your job to ask for another call, or cancel free of charge.",
            ),
        }
    }
}
