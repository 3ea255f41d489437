//! The mechanics: what they can do, where they live, when they work and how they answer. Pure.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use roadcall_actors::{
    geo::Point,
    ids::{CategoryId, UserId},
    mechanic::state::Profile,
};
use uuid::Uuid;

use super::{
    places,
    scenario::{Scenario, vehicle_type},
    travel::{self, Millis, millis},
};
use crate::rng::{Purpose, Rng, pick};

/// Multiples of these, modulo 1, are spread evenly, however many are taken: even a few mechanics have crews and shifts in the
/// scenario's proportions.
const CREW_STEP: f64 = 0.618_033_988_749_894_9;
const SHIFT_STEP: f64 = 0.414_213_562_373_095_1;

/// The longest time for which a mechanic thinks about an offer.
const MAX_REACTION_S: f64 = 120.0;

/// The time from the arrival to the start of the work: the mechanic finds the customer, who gives them the start code.
pub const GREETING_S: f64 = 60.0;

/// A mechanic's properties that are the same under every policy.
#[derive(Debug, Clone)]
pub struct Mechanic {
    pub home: Point,
    pub crew: usize,
    pub radius_m: f64,
    /// The chance to accept an offer at no distance.
    pub accept: f64,
    /// The beginning and the end of their shift, within the run; `None` on their day off.
    pub shift: Option<(Millis, Millis)>,
    /// All shifts and the recorded answers, in a replay.
    played: Option<(Vec<Shift>, Arc<Answers>)>,
    rng: Rng,
}

/// A time at work, and where it begins.
#[derive(Debug, Clone, Copy)]
pub struct Shift {
    pub from: Millis,
    pub to: Millis,
    pub place: Point,
}

/// A mechanic of a recording.
#[derive(Debug)]
pub struct Played {
    pub home: Point,
    pub crew: usize,
    pub radius_m: f64,
    pub accept: f64,
    /// The shifts in order.
    pub shifts: Vec<Shift>,
    pub answers: Arc<Answers>,
    pub rng: Rng,
}

/// A mechanic's answer to an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Decline,
    /// The mechanic does not answer, and the offer expires.
    Ignore,
}

/// The recorded answers of a mechanic, by job and by the job's offers to them.
pub type Answers = HashMap<(usize, u32), (Answer, Option<Millis>)>;

pub fn mechanics(scenario: &Scenario, rng: Rng) -> Vec<Mechanic> {
    let rng = rng.on(Purpose::Mechanic);
    (0..scenario.mechanics).map(|n| mechanic(scenario, n, rng)).collect()
}

fn mechanic(scenario: &Scenario, n: u32, all: Rng) -> Mechanic {
    let rng = all.number(u64::from(n));
    let spread = |of: Purpose, step: f64| (all.on(of).share() + f64::from(n) * step).fract();
    let crew = pick(spread(Purpose::Category, CREW_STEP), scenario.crews.iter().map(|crew| crew.percent));
    let shift = pick(spread(Purpose::Gap, SHIFT_STEP), scenario.shifts.iter().map(|shift| shift.weight));
    Mechanic {
        home: places::demand_place(scenario, rng.on(Purpose::Home)),
        crew,
        radius_m: rng.on(Purpose::Radius).between(scenario.behaviour.radius_km) * 1000.0,
        accept: rng.on(Purpose::Accept).between(scenario.behaviour.accept),
        shift: shift_within(scenario, shift),
        played: None,
        rng,
    }
}

/// Returns the shift within the run. A shift that began before the run is under way, and one that reaches into the next day also
/// counts at the beginning of the run.
fn shift_within(scenario: &Scenario, shift: usize) -> Option<(Millis, Millis)> {
    let shift = &scenario.shifts[shift];
    let (start, end) = (scenario.start_hour, scenario.start_hour + scenario.hours);
    let days = [-24.0, 0.0, 24.0].map(|day| (shift.from_hour + day, shift.from_hour + day + shift.hours));
    let within = days.into_iter().find(|(from, to)| *from < end && *to > start);
    within.map(|(from, to)| {
        let since = |hour: f64| millis((hour - start) * 3600.0);
        (since(from.max(start)), since(to))
    })
}

impl Mechanic {
    pub fn played(of: Played) -> Self {
        let Played { home, crew, radius_m, accept, shifts, answers, rng } = of;
        let shift = shifts.first().map(|shift| (shift.from, shift.to));
        Self { home, crew, radius_m, accept, shift, played: Some((shifts, answers)), rng }
    }

    /// Returns the beginnings and ends of their shifts: one, or the recorded ones.
    pub fn shifts(&self) -> Vec<(Millis, Millis)> {
        match &self.played {
            Some((shifts, _)) => shifts.iter().map(|shift| (shift.from, shift.to)).collect(),
            None => self.shift.into_iter().collect(),
        }
    }

    /// Returns where they begin the shift of this moment, if that was recorded.
    pub fn place_at(&self, now: Millis) -> Option<Point> {
        let (shifts, _) = self.played.as_ref()?;
        let shift = shifts.iter().rev().find(|shift| shift.from <= now && now < shift.to)?;
        Some(shift.place)
    }

    pub fn profile(&self, scenario: &Scenario, user_id: UserId) -> Profile {
        let crew = &scenario.crews[self.crew];
        let is_served = |name: &String| crew.categories.contains(name);
        let categories = scenario.categories.iter().enumerate().filter(|(_, each)| is_served(&each.name));
        Profile {
            user_id,
            is_verified: true,
            radius_m: self.radius_m,
            vehicle_types: crew
                .vehicle_types
                .iter()
                .map(|name| vehicle_type(name))
                .collect::<BTreeSet<_>>()
                .into(),
            categories: categories.map(|(n, _)| category_id(n)).collect::<BTreeSet<_>>().into(),
        }
    }

    /// Returns their answer to the `nth` offer of this customer's job, and the time that it takes. `distance_m` is a straight
    /// line.
    pub fn answer(
        &self,
        scenario: &Scenario,
        customer: usize,
        nth: u32,
        distance_m: f64,
    ) -> (Answer, Millis) {
        let behaviour = &scenario.behaviour;
        let recorded = self.played.as_ref().and_then(|(_, answers)| answers.get(&(customer, nth)));
        let rng = self.rng.on(Purpose::Accept).number(customer as u64).number(u64::from(nth));
        let chance = self.accept - behaviour.accept_loss_per_km * distance_m / 1000.0;
        let answer = match recorded {
            Some((answer, _)) => *answer,
            None if rng.on(Purpose::Accept).chance(chance) => Answer::Accept,
            None if rng.on(Purpose::Ignore).percent(behaviour.ignore_percent) => Answer::Ignore,
            None => Answer::Decline,
        };
        let reaction = rng.on(Purpose::Reaction).lognormal(behaviour.reaction_s, behaviour.reaction_sigma);
        let drawn = millis(reaction.min(MAX_REACTION_S));
        (answer, recorded.and_then(|(_, reaction)| *reaction).unwrap_or(drawn))
    }

    /// Returns the straight-line distance, in metres, up to which they accept the `nth` offer of this customer's job; `None` if
    /// they never do.
    pub fn accepts_within_m(&self, scenario: &Scenario, customer: usize, nth: u32) -> Option<f64> {
        let rng = self.rng.on(Purpose::Accept).number(customer as u64).number(u64::from(nth));
        let spare = self.accept - rng.on(Purpose::Accept).share();
        let per_m = scenario.behaviour.accept_loss_per_km / 1000.0;
        let within_m = if per_m > 0.0 { spare / per_m } else { f64::MAX };
        (spare > 0.0).then_some(within_m)
    }

    /// Returns the ratio of the time of the way to this customer to the time expected at the scenario's speed.
    pub fn trip_noise(&self, scenario: &Scenario, customer: usize) -> f64 {
        travel::noise(scenario, self.trip_rng(customer))
    }

    fn trip_rng(&self, customer: usize) -> Rng {
        self.rng.on(Purpose::Trip).number(customer as u64)
    }

    /// Returns how long the way to this customer takes.
    pub fn trip(&self, scenario: &Scenario, customer: usize, from: Point, to: Point, now: Millis) -> Millis {
        travel::trip(scenario, from, to, now, self.trip_rng(customer))
    }

    /// Returns where on the way to this customer they give the job back, as a share of the way; `None` if they keep it.
    pub fn release(&self, scenario: &Scenario, customer: usize) -> Option<f64> {
        let rng = self.rng.on(Purpose::Release).number(customer as u64);
        rng.number(0).percent(scenario.behaviour.release_percent).then(|| rng.number(1).between([0.1, 0.9]))
    }

    /// Returns whether another app shows them the way to this customer, if this share of ways is driven so.
    pub fn navigates(&self, customer: usize, share: f64) -> bool {
        self.rng.on(Purpose::Navigation).number(customer as u64).chance(share)
    }

    /// Returns whether an app goes on sending their positions while another shows the way, if this share of mechanics has one.
    pub fn has_tracker(&self, share: f64) -> bool {
        self.rng.on(Purpose::Tracker).chance(share)
    }

    /// Returns where they drive after this customer, if anywhere.
    pub fn cruise(&self, scenario: &Scenario, customer: usize) -> Option<Point> {
        let rng = self.rng.on(Purpose::Cruise).number(customer as u64);
        let cruises = rng.number(0).percent(scenario.behaviour.cruise_percent);
        cruises.then(|| places::demand_place(scenario, rng.on(Purpose::Place)))
    }

    /// Returns whether they wait where they are advised to, if this share of mechanics does.
    pub fn follows(&self, percent: f64) -> bool {
        self.rng.on(Purpose::Follow).percent(percent)
    }

    /// Returns how long the phone has a connection before it loses it for the `nth` time, and how long it then has none. `share`
    /// is the share of time without a connection.
    pub fn connection(&self, scenario: &Scenario, share: f64, nth: u32) -> Option<(Millis, Millis)> {
        let rng = self.rng.on(Purpose::Disconnection).number(u64::from(nth));
        let mean_s = scenario.phones.dark_min * 60.0;
        let connected_s = mean_s * (1.0 - share) / share;
        let times = || {
            (
                millis(rng.number(0).exponential(connected_s)),
                millis(rng.number(1).exponential(mean_s).max(1.0)),
            )
        };
        (share > 0.0).then(times)
    }
}

/// Returns the id of a category, by its place in the scenario.
pub fn category_id(place: usize) -> CategoryId {
    CategoryId(Uuid::from_u128(place as u128 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ScenarioFile;

    #[test]
    fn crews_are_mixed_as_in_the_scenario_and_most_mechanics_accept_near_jobs() {
        let scenario = Scenario::load("even").expect("built in");
        let people = mechanics(&scenario, Rng::new(5));
        let trucks = people.iter().filter(|mechanic| mechanic.crew == 0).count();
        assert!((33..=39).contains(&trucks), "{trucks} tow trucks of 80");
        let accepted = |distance_m: f64| {
            let answers = people
                .iter()
                .enumerate()
                .map(|(n, mechanic)| mechanic.answer(&scenario, n, 0, distance_m).0 == Answer::Accept);
            answers.filter(|is_accepted| *is_accepted).count()
        };
        assert!(accepted(0.0) > 50 && accepted(15_000.0) < accepted(0.0), "{}", accepted(0.0));
        assert!(people.iter().all(|mechanic| mechanic.shift.is_some()));
    }

    #[test]
    fn an_offer_is_accepted_within_its_distance_and_not_beyond() {
        let scenario = Scenario::load("even").expect("built in");
        let people = mechanics(&scenario, Rng::new(5));
        let accepts = |m: &Mechanic, c, nth, metres| m.answer(&scenario, c, nth, metres).0 == Answer::Accept;
        for (c, person) in people.iter().enumerate() {
            for nth in 0..3 {
                match person.accepts_within_m(&scenario, c, nth) {
                    Some(metres) => {
                        assert!(accepts(person, c, nth, metres - 0.01));
                        assert!(!accepts(person, c, nth, metres + 0.01));
                    }
                    None => assert!(!accepts(person, c, nth, 0.0)),
                }
            }
        }
    }

    #[test]
    fn an_answer_does_not_depend_on_earlier_questions() {
        let scenario = Scenario::load("even").expect("built in");
        let (one, two) = (mechanics(&scenario, Rng::new(5)), mechanics(&scenario, Rng::new(5)));
        one[3].answer(&scenario, 7, 0, 500.0);
        assert_eq!(one[3].answer(&scenario, 8, 0, 500.0), two[3].answer(&scenario, 8, 0, 500.0));
    }
}
