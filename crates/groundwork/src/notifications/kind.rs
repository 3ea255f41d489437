//! The kinds of notifications and their topics.

use roadcall_http::text_enum;
use roadcall_providers::sms::TextKind;

text_enum! {
    /// The subject of a notification.
    Kind {
        JobOffer = "job_offer",
        JobCreated = "job_created",
        JobAssigned = "job_assigned",
        JobAccepted = "job_accepted",
        JobCorrected = "job_corrected",
        JobEnRoute = "job_en_route",
        JobDelayed = "job_delayed",
        JobNear = "job_near",
        JobArrived = "job_arrived",
        JobStarted = "job_started",
        JobLoaded = "job_loaded",
        JobInterrupted = "job_interrupted",
        JobNeedsAdmin = "job_needs_admin",
        JobCompleted = "job_completed",
        JobPaid = "job_paid",
        JobCancelled = "job_cancelled",
        NoShowReported = "no_show_reported",
        NoShowContested = "no_show_contested",
        NoShowDecided = "no_show_decided",
        TowDecided = "tow_decided",
        JobReleased = "job_released",
        JobReassigned = "job_reassigned",
        JobSilent = "job_silent",
        JobLostBySilence = "job_lost_by_silence",
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
        GrievanceAnswered = "grievance_answered",
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
        ParkingOver = "parking_over",
        ParkingLeft = "parking_left",
        ParkingUnanswered = "parking_unanswered",
    }
}

text_enum! {
    /// The topics by which pushes can be switched off.
    Topic {
        Offers = "offers",
        Jobs = "jobs",
        Payments = "payments",
        Wallet = "wallet",
        Account = "account",
        Messages = "messages",
    }
}

text_enum! {
    /// The app of one side.
    App {
        Customer = "customer",
        Mechanic = "mechanic",
    }
}

impl Kind {
    pub fn topic(self) -> Topic {
        self.topic_and_app().0
    }

    /// Returns the app that shows the notification; `None` if both do, or if it is for admins.
    pub fn app(self) -> Option<App> {
        self.topic_and_app().1
    }

    fn topic_and_app(self) -> (Topic, Option<App>) {
        let (customer, mechanic) = (Some(App::Customer), Some(App::Mechanic));
        match self {
            Self::JobOffer | Self::ParkingOver | Self::ParkingLeft | Self::ParkingUnanswered => {
                (Topic::Offers, mechanic)
            }
            Self::JobNeedsAdmin
            | Self::JobCancelled
            | Self::NoShowDecided
            | Self::DisputeOpened
            | Self::DisputeStatement
            | Self::DisputeResolved
            | Self::RatingReceived => (Topic::Jobs, None),
            Self::JobCreated
            | Self::JobAccepted
            | Self::JobEnRoute
            | Self::JobDelayed
            | Self::JobNear
            | Self::JobArrived
            | Self::JobStarted
            | Self::JobLoaded
            | Self::JobInterrupted
            | Self::JobCompleted
            | Self::NoShowReported
            | Self::JobReleased
            | Self::NoMechanicFound
            | Self::SearchLong
            | Self::SearchUnserved
            | Self::SearchShorter
            | Self::LineItemProposed
            | Self::CallbackNotReached => (Topic::Jobs, customer),
            Self::JobAssigned
            | Self::JobCorrected
            | Self::NoShowContested
            | Self::TowDecided
            | Self::JobReassigned
            | Self::JobSilent
            | Self::JobLostBySilence
            | Self::LineItemApproved
            | Self::LineItemRejected
            | Self::DisputePaid => (Topic::Jobs, mechanic),
            Self::PaymentCaptured
            | Self::PaymentFailed
            | Self::SurplusReturned
            | Self::RefundProcessed
            | Self::RefundFailed => (Topic::Payments, customer),
            Self::JobPaid => (Topic::Payments, mechanic),
            Self::UpiVerified
            | Self::UpiNameMismatch
            | Self::UpiInvalid
            | Self::UpiApproved
            | Self::UpiRejected
            | Self::WithdrawalPaid
            | Self::WithdrawalFailed
            | Self::WithdrawalReversed => (Topic::Wallet, mechanic),
            Self::GrievanceAnswered => (Topic::Account, None),
            Self::MechanicVerified
            | Self::MechanicRejected
            | Self::MechanicSuspended
            | Self::MechanicReinstated
            | Self::MechanicChangeApproved
            | Self::MechanicChangeRejected => (Topic::Account, mechanic),
            Self::ChatMessage | Self::CallIncoming | Self::CallMissed => (Topic::Messages, None),
        }
    }

    /// Returns whether the push must wake a sleeping phone, before all others.
    pub fn is_urgent(self) -> bool {
        matches!(self, Self::JobOffer | Self::JobAssigned | Self::JobSilent | Self::CallIncoming)
    }

    /// Returns whether the push is repeated until the person has seen its subject: their income depends on it.
    pub fn rings(self) -> bool {
        matches!(self, Self::JobOffer)
    }

    /// Returns whether a push that only its device can read has details: the work, its pay and distance, or who comes when.
    pub fn is_detailed(self) -> bool {
        matches!(
            self,
            Self::JobOffer
                | Self::JobAssigned
                | Self::JobAccepted
                | Self::JobEnRoute
                | Self::JobNear
                | Self::JobArrived
        )
    }

    /// Returns the text message for customers whom no app can notify.
    pub fn text(self) -> Option<TextKind> {
        match self {
            Self::JobAccepted => Some(TextKind::Found),
            Self::JobNear => Some(TextKind::Near),
            Self::JobArrived => Some(TextKind::Arrived),
            Self::JobReleased => Some(TextKind::Released),
            Self::JobCancelled | Self::NoShowReported => Some(TextKind::Cancelled),
            _ => None,
        }
    }

    /// Returns the text message for the person for whom an organisation ordered the job.
    pub fn text_to_beneficiary(self) -> Option<TextKind> {
        match self {
            Self::JobCreated => Some(TextKind::Follow),
            Self::JobAccepted => Some(TextKind::Expected),
            Self::JobArrived => Some(TextKind::Arrived),
            Self::JobCompleted => Some(TextKind::Rate),
            _ => None,
        }
    }

    /// Returns whether the notification may become a text message.
    pub fn is_texted(self) -> bool {
        self.text().or(self.text_to_beneficiary()).is_some()
    }
}
