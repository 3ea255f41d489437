//! The texts of notifications in English.

use roadcall_providers::sms::TextKind;

use super::super::kind::Kind;

pub const SEE_WHY: &str = "See why in the app.";
pub const REASON: &str = "Reason";

pub fn text(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::JobOffer => ("New job nearby", "Accept or decline before the offer expires."),
        Kind::JobCreated => ("Help requested", "We created a job for you, as you asked us to on the phone."),
        Kind::JobAssigned => ("New job assigned", "We assigned a job to you. Open it for the details."),
        Kind::JobAccepted => ("Mechanic assigned", "A mechanic has your job now."),
        Kind::JobCorrected => {
            ("Job updated", "The customer changed the job. Check the details before you set out.")
        }
        Kind::JobEnRoute => ("Mechanic on the way", "Track your mechanic live in the app."),
        Kind::JobDelayed => {
            ("Your mechanic may be late", "Your mechanic is delayed. We are keeping an eye on it.")
        }
        Kind::JobNear => ("Mechanic almost there", "Your mechanic is close. Look out for them."),
        Kind::JobArrived => ("Mechanic arrived", "Your mechanic has reached the pickup location."),
        Kind::JobLoaded => {
            ("Your vehicle is on its way", "It is loaded. Follow it to its destination in the app.")
        }
        Kind::JobStarted => ("Work started", "Your mechanic is working on your vehicle."),
        Kind::JobInterrupted => ("Work interrupted", "Your mechanic can't continue. We are looking into it."),
        Kind::JobNeedsAdmin => (
            "Job needs attention",
            "The mechanic was suspended during a job. Cancel the job, or reinstate the mechanic.",
        ),
        Kind::JobCompleted => ("Job completed", "Review the work and pay in the app."),
        Kind::JobPaid => ("Job paid", "Your earnings are in your wallet."),
        Kind::NoShowReported => (
            "The mechanic says you were not there",
            "If that is wrong, open the job and tell us what happened.",
        ),
        Kind::NoShowContested => {
            ("The customer contests your report", "They say that they were there. We are looking into it.")
        }
        Kind::TowDecided => ("We looked at your tow", "Your wallet shows what you are paid for it."),
        Kind::NoShowDecided => ("We looked at the no-show", "Open the job to see what we decided."),
        Kind::JobCancelled => ("Job cancelled", "Open the job to see why."),
        Kind::JobReleased => {
            ("Finding another mechanic", "Your mechanic can't come. Your price stays the same.")
        }
        Kind::JobReassigned => ("Job reassigned", "We are giving this job to another mechanic."),
        Kind::JobSilent => {
            ("Open the app", "We have lost sight of you on the way. Open the app to keep the job.")
        }
        Kind::JobLostBySilence => (
            "You lost the job",
            "Nothing came from your phone. If you are there, open the app: you can take it back while it is free.",
        ),
        Kind::NoMechanicFound => ("No mechanic available", "Try again, or cancel free of charge."),
        Kind::SearchLong => (
            "Help will take a while",
            "We are still looking for a mechanic. You can wait, ask for a call, or cancel free of charge.",
        ),
        Kind::SearchUnserved => (
            "No mechanic can come yet",
            "We keep looking. You can wait, ask for a call, or cancel free of charge.",
        ),
        Kind::SearchShorter => (
            "Help may come sooner",
            "A mechanic may reach you sooner than expected. Open your job for the new waiting time.",
        ),
        Kind::LineItemProposed => {
            ("Approval needed", "Your mechanic proposed an extra item. Approve or reject it.")
        }
        Kind::LineItemApproved => ("Item approved", "The customer approved your item."),
        Kind::LineItemRejected => ("Item rejected", "The customer rejected your item."),
        Kind::PaymentCaptured => ("Payment received", "Thank you! Your receipt is in the app."),
        Kind::PaymentFailed => ("Payment failed", "You were not charged. Please try again."),
        Kind::SurplusReturned => (
            "You paid too much",
            "We received more than you owed. The extra amount is on its way back to you.",
        ),
        Kind::RefundProcessed => ("Refund sent", "Your refund is on its way to you."),
        Kind::RefundFailed => ("Refund failed", "We could not refund you. We are looking into it."),
        Kind::DisputeOpened => {
            ("Job disputed", "Tell us your side, with photos or documents, before we decide.")
        }
        Kind::DisputeStatement => {
            ("New statement in a dispute", "The other side has given a statement. Read it and add your own.")
        }
        Kind::DisputePaid => (
            "Disputed job paid",
            "The customer has paid. We will hold the money until the dispute is resolved.",
        ),
        Kind::DisputeResolved => ("Dispute resolved", "Open the job to see the outcome."),
        Kind::MechanicVerified => ("You are verified", "Go online to get job offers."),
        Kind::MechanicRejected => ("Registration rejected", "See why in the app, then submit it again."),
        Kind::MechanicSuspended => {
            ("Account suspended", "You will not get job offers for now. See why in the app.")
        }
        Kind::MechanicReinstated => ("Account reinstated", "Go online to get job offers again."),
        Kind::MechanicChangeApproved => {
            ("Change approved", "Your new vehicle types and services are active.")
        }
        Kind::MechanicChangeRejected => {
            ("Change not approved", "Your services stay as they are. See why in the app.")
        }
        Kind::GrievanceAnswered => (
            "An answer about your data",
            "We answered what you asked about your data. Read it under Account in the app.",
        ),
        Kind::UpiVerified => ("UPI account verified", "The app shows from when you can withdraw to it."),
        Kind::UpiNameMismatch => {
            ("UPI account under review", "It is registered under another name. We are checking it.")
        }
        Kind::UpiInvalid => ("UPI account not found", "No bank knows this UPI address. Check the spelling."),
        Kind::UpiApproved => ("UPI account approved", "The app shows from when you can withdraw to it."),
        Kind::UpiRejected => ("UPI account rejected", "You can't withdraw to it. See why in the app."),
        Kind::WithdrawalPaid => ("Withdrawal paid", "The money is in your bank account."),
        Kind::WithdrawalFailed => ("Withdrawal failed", "The money is back in your wallet."),
        Kind::WithdrawalReversed => {
            ("Withdrawal returned", "Your bank returned the money. It is back in your wallet.")
        }
        Kind::RatingReceived => ("New rating", "See your rating in the app."),
        Kind::ChatMessage => ("New message", "You have a new message about your job."),
        Kind::CallIncoming => ("Incoming call", "Someone is calling you about your job. Answer in the app."),
        Kind::CallMissed => ("Missed call", "You missed a call about your job."),
        Kind::ParkingOver => (
            "You are offline",
            "Your time at the place where you waited is over. Open the app to get offers again.",
        ),
        Kind::ParkingLeft => (
            "You have left your place",
            "From now on only your position counts. Keep the app open to get offers.",
        ),
        Kind::ParkingUnanswered => (
            "You were taken off offers",
            "You did not answer the last offers, so you are offline. Open the app to go online again.",
        ),
        Kind::CallbackNotReached => (
            "We tried to call you",
            "We could not reach you. Open your job to ask for another call, or cancel free of charge.",
        ),
    }
}

/// Returns the title and the body of a push that only its device can read, for [`super::JobFacts`]; `None` for kinds without
/// details.
pub fn detailed(kind: Kind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        Kind::JobOffer => ("{help}|: {pay}", "|{km} km away. |Accept or decline before the offer expires."),
        Kind::JobAssigned => ("New job: {help}|, {pay}", "We assigned it to you. Open it for the details."),
        Kind::JobAccepted => {
            ("{name} is coming to help", "|Expected by {until}. |Follow them on the map in the app.")
        }
        Kind::JobEnRoute => {
            ("{name} is on the way", "|Expected by {until}. |Follow them on the map in the app.")
        }
        Kind::JobNear => ("{name} is almost there", "Look out for them."),
        Kind::JobArrived => ("{name} has arrived", "Meet them at your vehicle."),
        _ => return None,
    })
}

/// Returns the name of a kind of help that every service begins with.
pub fn help(slug: &str) -> Option<&'static str> {
    Some(match slug {
        "flat-tyre" => "Flat tyre",
        "battery-jump-start" => "Flat battery",
        "towing" => "Towing",
        "fuel-delivery" => "Out of fuel",
        "lockout" => "Locked out",
        "on-site-repair" => "Other repair",
        _ => return None,
    })
}

/// Returns the text message about a job, for [`super::JobFacts`] to be filled in. Other messages have no text here.
pub fn text_message(kind: TextKind) -> &'static str {
    match kind {
        TextKind::Found => {
            "{brand}: a mechanic is coming to help|: {name}|. About {wait} min|. Follow: {link}"
        }
        TextKind::Near => "{brand}: your mechanic is almost there|: {name}|.",
        TextKind::Arrived => "{brand}: your mechanic is there|: {name}|.",
        TextKind::Released => {
            "{brand}: your mechanic can't come. We are looking for another one. Your price stays the same."
        }
        TextKind::Cancelled => {
            "{brand}: your job was cancelled. Open the app to see why, or to ask for help again."
        }
        TextKind::Follow => "{brand}: help is ordered for you| by {partner}|. Follow it: {link}",
        TextKind::Expected => "{brand}: a mechanic is coming to help|: {name}|. Expected by about {until}|.",
        TextKind::Rate => "{brand}: how was the help that you got|? Tell us here: {link}",
        TextKind::Otp | TextKind::Share | TextKind::Where | TextKind::NumberChanged => "",
    }
}
