//! The engine's refusals as HTTP errors. Most of their texts are the engine's.

use roadcall_actors::job::state::{Refusal, TowFault};
use roadcall_http::{Money, ValidationErrors};
use roadcall_platform::error::{ApiError, Code};

pub fn refused(refusal: Refusal) -> ApiError {
    let message = refusal.to_string();
    match refusal {
        // Strangers must not learn that the job exists.
        Refusal::NotFound | Refusal::NotYours => ApiError::not_found("job"),
        Refusal::InvalidTransition { .. }
        | Refusal::TooEarly { .. }
        | Refusal::TooLate { .. }
        | Refusal::NoDestination
        | Refusal::CaseNotOpen
        | Refusal::VehicleLoaded => ApiError::new(Code::InvalidTransition, message),
        Refusal::OfferTaken => ApiError::new(Code::OfferTaken, message),
        Refusal::OfferExpired => ApiError::new(Code::OfferExpired, message),
        Refusal::MechanicBusy | Refusal::VehicleBusy => ApiError::new(Code::ActiveJobExists, message),
        Refusal::TooManyOpenJobs { .. } => ApiError::new(Code::TooManyOpenJobs, message),
        Refusal::FreeCancellationsUsed => ApiError::new(Code::FeeChanged, message),
        Refusal::VehicleGone => ApiError::invalid("vehicle_id", "is not a vehicle of yours"),
        Refusal::CategoryGone => {
            ApiError::invalid("service_category_id", "is not a category that is offered")
        }
        Refusal::NotACustomer => ApiError::forbidden(message),
        Refusal::RulesBroken(rules) => {
            let mut errors = ValidationErrors::default();
            for rule in rules {
                errors.add("mechanic_profile_id", rule.text());
            }
            errors.add("override_reason", "is required to assign this mechanic anyway");
            errors.into()
        }
        Refusal::NotEligible(_) => ApiError::new(Code::NotVerified, message),
        Refusal::FeeChanged { fee_paise } => {
            let fee = serde_json::to_string(&Money(fee_paise)).unwrap_or_default();
            ApiError::new(
                Code::FeeChanged,
                format!(
                    "Cancelling now costs {fee}. To go ahead, send quoted_fee {fee}, or accept_fee: true to accept any fee."
                ),
            )
        }
        Refusal::PriceChanged { price_paise } => {
            let price = serde_json::to_string(&Money(price_paise)).unwrap_or_default();
            let why =
                format!("At the new place this job costs {price}. To agree, send quoted_price {price}.");
            ApiError::new(Code::PriceChanged, why)
        }
        Refusal::BeyondCover { left_paise } => {
            let left = serde_json::to_string(&Money(left_paise)).unwrap_or_default();
            let why = format!(
                "Of the cover, {left} is left. The person who is helped decides about this line item."
            );
            ApiError::new(Code::Conflict, why)
        }
        Refusal::NotAtPlace { .. } => ApiError::invalid("lat", message),
        Refusal::MovedTooFar { .. } => ApiError::invalid("pickup_lat", message),
        Refusal::TooManyCorrections | Refusal::JobChanged | Refusal::NoPosition | Refusal::NoLongerFits => {
            ApiError::new(Code::Conflict, message)
        }
        Refusal::WrongStartCode { .. } => ApiError::new(Code::WrongStartCode, message),
        Refusal::StartLocked { wait_s } => ApiError::new(Code::RateLimited, message).retry_after(wait_s),
        Refusal::TooFar { distance_m, limit_m } => {
            let message = match distance_m {
                Some(distance) => {
                    format!(
                        "You are {distance:.0} m from the pickup. Go within {limit_m:.0} m, or give a reason why you have arrived."
                    )
                }
                None => "Your phone has not sent a recent, plausible position. Send one, or give a reason why you have \
                         arrived."
                    .to_owned(),
            };
            ApiError::new(Code::TooFarFromPickup, message).at_distance(distance_m)
        }
        Refusal::NotDelivered { distance_m, limit_m } => {
            let message = match distance_m {
                Some(distance) => format!(
                    "You are {distance:.0} m from the destination. Take the vehicle within {limit_m:.0} m of it, or give a \
                     reason why it is delivered."
                ),
                None => "Your phone has not sent a recent, plausible position. Send one, or give a reason why the vehicle is \
                         delivered."
                    .to_owned(),
            };
            ApiError::invalid("override_reason", message).at_distance(distance_m)
        }
        Refusal::NoSuchItem => ApiError::not_found("line item"),
        Refusal::ItemDecided(_) => ApiError::new(Code::InvalidTransition, message),
        Refusal::ItemChanged { version, total_paise } => {
            let total = serde_json::to_string(&Money(total_paise)).unwrap_or_default();
            ApiError::new(
                Code::Conflict,
                format!(
                    "This line item is now version {version} and comes to {total}. Check it and decide again."
                ),
            )
        }
        Refusal::TooManyItems
        | Refusal::DiscountTooLarge
        | Refusal::TowIsFixed
        | Refusal::HasDestination
        | Refusal::TowUndecided => ApiError::new(Code::Conflict, message),
        Refusal::NotTowed(fault) => {
            let field = match fault {
                TowFault::NotLoaded | TowFault::IsLoaded => "outcome",
                TowFault::NoPhotos => "photo_urls",
                TowFault::NoReceiver => "received_by",
            };
            ApiError::invalid(field, message)
        }
        Refusal::PriceOutOfRange => ApiError::invalid("unit_price", message),
        Refusal::TowWithoutDestination => ApiError::invalid("type", message),
        Refusal::PendingApproval { .. } => ApiError::new(Code::PendingApproval, message),
        Refusal::Unavailable(why) => ApiError::unavailable(why),
        Refusal::OutcomeUnknown(why) => ApiError::outcome_unknown(why),
        // The engine answers these on its own.
        Refusal::StaleProposal | Refusal::StaleFinding | Refusal::NothingDue | Refusal::AlreadyDone => {
            ApiError::new(Code::Conflict, message)
        }
    }
}
