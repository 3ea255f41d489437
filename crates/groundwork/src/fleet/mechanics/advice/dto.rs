//! Advice on the wire.

use roadcall_actors::{
    eta,
    ports::{Advice, Surroundings as EngineSurroundings},
};
use roadcall_http::{Timestamp, text_enum};
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's advice.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyWaitingAdvice {
    /// Null if the mechanic is well placed, has a job or an offer, or is not available, or if the dispatch setting
    /// `advice_after_s` is 0.
    pub advice: Option<WaitingAdvice>,
}

/// An area in which a mechanic without a job should rather wait. It is only advice: a mechanic who stays loses nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingAdvice {
    /// The middle of the area; `radius_m` is how far it reaches.
    #[schema(example = 12.97)]
    pub lat: f64,
    #[schema(example = 77.61)]
    pub lng: f64,
    /// The radius of the area, in metres.
    #[schema(example = 1500)]
    pub radius_m: u32,
    /// The driving time to its middle in seconds, in whole minutes.
    #[schema(example = 540, multiple_of = 60)]
    pub drive_s: u32,
    /// The advantage of the area.
    pub reason: AdviceReason,
    /// The reason in a sentence or two.
    #[schema(
        example = "Around there: 9 calls an hour, 1 other mechanic waiting. Around you: 3 calls an hour, 4 other mechanics."
    )]
    pub why: String,
    /// The situation around the area, and around the mechanic.
    pub there: Surroundings,
    pub here: Surroundings,
    /// Until when the advice is valid.
    pub until: Timestamp,
}

/// The calls and mechanics to expect within 3 km.
#[derive(Debug, Serialize, ToSchema)]
pub struct Surroundings {
    /// The calls per hour that this mechanic can serve, to a tenth.
    #[schema(example = 9.2)]
    pub calls_per_hour: f64,
    /// The number of other free mechanics who serve some of these calls.
    #[schema(example = 1)]
    pub free_mechanics: u32,
}

text_enum! {
    /// The advantage of the area.
    AdviceReason {
        /// The area has more calls that this mechanic can serve.
        MoreCalls = "more_calls",
        /// Fewer mechanics wait there for the calls.
        FewerMechanics = "fewer_mechanics",
    }
}

impl From<&Advice> for WaitingAdvice {
    fn from(advice: &Advice) -> Self {
        let (there, here) = (Surroundings::from(advice.there), Surroundings::from(advice.here));
        let is_busier = there.calls_per_hour > here.calls_per_hour;
        Self {
            lat: rounded(advice.centre.lat, 1e4),
            lng: rounded(advice.centre.lng, 1e4),
            radius_m: advice.radius_m.round() as u32,
            drive_s: eta::in_whole_minutes(advice.drive_s),
            reason: if is_busier { AdviceReason::MoreCalls } else { AdviceReason::FewerMechanics },
            why: why(&there, &here),
            there,
            here,
            until: advice.until.into(),
        }
    }
}

impl From<EngineSurroundings> for Surroundings {
    fn from(around: EngineSurroundings) -> Self {
        Self {
            calls_per_hour: rounded(around.calls_per_hour, 10.0),
            free_mechanics: u32::try_from(around.mechanics).unwrap_or(u32::MAX),
        }
    }
}

fn rounded(value: f64, steps: f64) -> f64 {
    // Adding 0 makes a zero of a negative one.
    (value * steps).round() / steps + 0.0
}

fn why(there: &Surroundings, here: &Surroundings) -> String {
    let calls = |around: &Surroundings| match around.calls_per_hour {
        few if few < 1.0 => "less than 1 call an hour".to_owned(),
        some => counted(some.round() as u32, "call an hour", "calls an hour"),
    };
    let others = |around: &Surroundings| match around.free_mechanics {
        0 => "no other mechanic".to_owned(),
        some => counted(some, "other mechanic", "other mechanics"),
    };
    format!(
        "Around there: {}, {} waiting. Around you: {}, {}.",
        calls(there),
        others(there),
        calls(here),
        others(here)
    )
}

fn counted(number: u32, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use roadcall_actors::geo::Point;

    use super::*;

    fn advice(there: (f64, usize), here: (f64, usize)) -> WaitingAdvice {
        let around = |(calls_per_hour, mechanics)| EngineSurroundings { calls_per_hour, mechanics };
        WaitingAdvice::from(&Advice {
            centre: Point::new(12.971_612, 77.6),
            radius_m: 1_500.0,
            drive_s: 501,
            here: around(here),
            there: around(there),
            until: DateTime::UNIX_EPOCH,
        })
    }

    #[test]
    fn the_reason_is_the_advantage_of_the_area() {
        let busier = advice((9.24, 1), (3.0, 4));
        assert_eq!((busier.reason, busier.drive_s, busier.lat), (AdviceReason::MoreCalls, 540, 12.9716));
        assert_eq!(
            busier.why,
            "Around there: 9 calls an hour, 1 other mechanic waiting. Around you: 3 calls an hour, 4 other mechanics."
        );
        let emptier = advice((1.2, 0), (1.9, 3));
        assert_eq!(emptier.reason, AdviceReason::FewerMechanics);
        assert!(
            emptier.why.starts_with("Around there: 1 call an hour, no other mechanic waiting."),
            "{}",
            emptier.why
        );
        assert!(advice((0.4, 0), (0.1, 2)).why.contains("less than 1 call an hour"));
    }
}
