//! The very best that one mechanic can do: for each job and each job after it, the earliest arrival that no real way beats. Pure.
//!
//! [`super`] lists the relaxations. Arrivals never get earlier when the mechanic becomes free later, so of two ways to the same
//! job the one that ends earlier is at least as good for everything that follows.

use super::{
    super::travel::MIN_TRIP_S,
    day::{Day, Pair},
    plane::Place,
};

/// After this long without a job in time the mechanic may be anywhere: no trip to a late job with its work is shorter, unless the
/// job is in [`Network::by_lateness`].
pub const ROAM_AFTER_S: f64 = 2700.0;
/// The tolerance for the engine's clock, in the mechanic's favour: it moves in whole milliseconds, some at a time.
const SLACK_S: f64 = 1.0;

/// The jobs that a mechanic could do in time, and the ways between them.
#[derive(Debug)]
pub struct Network {
    pub nodes: Vec<Node>,
    /// Short jobs, by the time from which on mechanics may be late for them.
    pub by_lateness: Vec<usize>,
    /// The origins: home at the beginning of the shift, then one for each node.
    origins: Vec<Origin>,
    legs: Vec<Leg>,
    /// Until when each job that may be interrupted can be accepted, and the first moment at which that job, or any job that can
    /// be accepted later, may leave the mechanic; in order.
    interruptions: Vec<(f64, f64)>,
    speed_by_hour: [f64; 24],
    hour_offset_s: f64,
    roam_mps: f64,
    pub from: f64,
}

/// A job, as this mechanic sees it.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub job: usize,
    pub at: f64,
    /// The first and the last moment at which they can set out and be in time, and the last at which they can set out and be
    /// late.
    pub earliest: f64,
    pub latest: f64,
    pub late_latest: f64,
    pub in_time_by: f64,
    /// A mechanic who sets out after this may be late.
    pub late_from: f64,
    pub work_s: f64,
    noise: f64,
    reaction_s: f64,
}

/// The place where a mechanic becomes free, and their drive from there.
#[derive(Debug, Clone, Copy)]
struct Origin {
    cruise_m: f64,
    cruise_mps: f64,
    first: usize,
    end: usize,
}

/// A way to the next job.
#[derive(Debug, Clone, Copy)]
struct Leg {
    node: u32,
    /// The pickup's distance from the origin along the way on which the mechanic cruises, and sideways.
    along_m: f64,
    beside_m: f64,
    /// Whether the offer may come while they cruise or before.
    is_near: bool,
}

impl Network {
    pub fn new(day: &Day, m: usize, fresh_s: f64) -> Self {
        let worker = day.workers[m];
        let pairs = || (0..day.jobs.len()).map(|j| (j, day.pair_of(m, j))).filter(|(_, pair)| pair.accepts);
        let nodes = pairs().filter(|(_, pair)| pair.keeps).map(|(j, pair)| {
            let job = &day.jobs[j];
            Node {
                job: j,
                at: job.at,
                earliest: job.at.max(worker.from) + pair.reaction_s,
                latest: job.asked_until.min(worker.to).min(job.in_time_by - MIN_TRIP_S) + SLACK_S,
                late_latest: job.asked_late_until.min(worker.to) + SLACK_S,
                in_time_by: job.in_time_by + SLACK_S,
                late_from: job.in_time_by - MIN_TRIP_S - pair.reaction_s - SLACK_S,
                work_s: job.work_s,
                noise: pair.noise,
                reaction_s: pair.reaction_s,
            }
        });
        let nodes: Vec<Node> =
            nodes.filter(|node| node.earliest <= node.latest.max(node.late_latest)).collect();
        let quietest = |noises: &mut dyn Iterator<Item = f64>| noises.fold(1.0, f64::min);
        let noise = quietest(&mut pairs().map(|(_, pair)| pair.noise))
            .min(quietest(&mut day.jobs.iter().map(|job| job.cruise_noise)));
        let most_mps = day.fastest(worker.from, worker.to + SLACK_S) / noise;
        let mut network = Self {
            nodes,
            by_lateness: Vec::new(),
            origins: Vec::new(),
            legs: Vec::new(),
            interruptions: interruptions(day, m, pairs(), fresh_s, most_mps),
            speed_by_hour: day.speed_by_hour,
            hour_offset_s: day.scenario.start_hour * 3600.0,
            roam_mps: most_mps,
            from: worker.from,
        };
        let is_short = |n: &usize| network.nodes[*n].work_s + MIN_TRIP_S < ROAM_AFTER_S;
        let mut by_lateness: Vec<usize> = (0..network.nodes.len()).filter(is_short).collect();
        by_lateness.sort_by(|one, other| {
            network.nodes[*one].late_from.total_cmp(&network.nodes[*other].late_from).then(one.cmp(other))
        });
        network.by_lateness = by_lateness;
        network.add_legs(day, m, fresh_s);
        network
    }

    fn add_legs(&mut self, day: &Day, m: usize, fresh_s: f64) {
        let home = day.workers[m].home;
        self.add_origin(day, m, (home, None, 0.0), (self.from, self.from), None, (0.0, fresh_s));
        for n in 0..self.nodes.len() {
            let node = self.nodes[n];
            let job = &day.jobs[node.job];
            let last = node.in_time_by.max(node.late_latest + node.reaction_s + MIN_TRIP_S);
            let span = (node.earliest + node.work_s, last + node.work_s);
            // The service's last position of them may be from while they towed.
            let place = (job.ends_at, day.pair_of(m, node.job).cruise, job.cruise_noise);
            self.add_origin(day, m, place, span, Some(n), (job.tow_mps, fresh_s));
        }
    }

    fn add_origin(
        &mut self,
        day: &Day,
        m: usize,
        (from, cruise, cruise_noise): (Place, Option<Place>, f64),
        (least, most): (f64, f64),
        itself: Option<usize>,
        (tow_mps, fresh_s): (f64, f64),
    ) {
        let to = cruise.unwrap_or(from);
        let cruise_m = from.distance_m(to);
        let cruise_mps = if cruise_m > 0.0 { day.fastest(least, most) / cruise_noise } else { 0.0 };
        let first = self.legs.len();
        for (n, node) in self.nodes.iter().enumerate() {
            if Some(n) == itself || node.latest < least || node.at > most + ROAM_AFTER_S {
                continue;
            }
            let (x, y) = (node_place(day, node).x - from.x, node_place(day, node).y - from.y);
            let (along_m, beside_m) = match cruise_m {
                0.0 => (x.hypot(y), 0.0),
                length => {
                    let (east, north) = ((to.x - from.x) / length, (to.y - from.y) / length);
                    (x * east + y * north, (x * north - y * east).abs())
                }
            };
            let pair = day.pair_of(m, node.job);
            // The position by which the engine judges the distance may be this old, in the mechanic's favour.
            let old_m = tow_mps.max(self.roam_mps) * (fresh_s + pair.reaction_s + SLACK_S);
            let nearest_m = (along_m - along_m.clamp(0.0, cruise_m)).hypot(beside_m);
            let is_near = nearest_m - old_m <= pair.within_m;
            self.legs.push(Leg { node: n as u32, along_m, beside_m, is_near });
        }
        self.origins.push(Origin { cruise_m, cruise_mps, first, end: self.legs.len() });
    }

    /// Returns the jobs that they can be in time for after `origin` (0 is their home, n + 1 the node n), when they become free at
    /// `free`, and the arrivals. Leaves out jobs made so late that the mechanic may be anywhere by then: see
    /// [`Network::roaming`].
    pub fn next(&self, origin: usize, free: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
        let Origin { first, end, .. } = self.origins[origin];
        let origin = &self.origins[origin];
        let interrupted = self.interrupted(free);
        self.legs[first..end].iter().filter_map(move |leg| {
            let node = &self.nodes[leg.node as usize];
            if node.at > free + ROAM_AFTER_S {
                return None;
            }
            let at = self.arrival(origin, leg, node, free, interrupted)?;
            (at <= node.in_time_by).then_some((leg.node as usize, at))
        })
    }

    /// Returns the arrival, in time, at a job by a mechanic who may be anywhere when it is made.
    pub fn roaming(&self, n: usize) -> Option<f64> {
        let node = &self.nodes[n];
        let at = node.earliest + MIN_TRIP_S;
        (node.earliest <= node.latest && at <= node.in_time_by).then_some(at)
    }

    /// Returns the arrival, late, at a job by a mechanic who becomes free at `free`, wherever that is.
    pub fn late(&self, n: usize, free: f64) -> f64 {
        let node = &self.nodes[n];
        (free + node.reaction_s + MIN_TRIP_S).max(node.in_time_by - SLACK_S)
    }

    /// Returns the first moment at which a job that they may be on the way to may leave the mechanic.
    fn interrupted(&self, free: f64) -> f64 {
        let place = self.interruptions.partition_point(|(accept_by, _)| *accept_by < free);
        self.interruptions.get(place).map_or(f64::INFINITY, |(_, gives_up)| gives_up.max(free))
    }

    /// Returns the earliest arrival of all ways to wait and to set out.
    fn arrival(&self, origin: &Origin, leg: &Leg, node: &Node, free: f64, interrupted: f64) -> Option<f64> {
        let first = node.earliest.max(free + node.reaction_s);
        if first > node.latest {
            return None;
        }
        let direct_m = leg.along_m.hypot(leg.beside_m);
        let mut best = f64::INFINITY;
        let mut start = first;
        while start <= node.latest && start + MIN_TRIP_S < best {
            let hour = (start + self.hour_offset_s) / 3600.0;
            let speed_mps = self.speed_by_hour[hour as usize % 24] / node.noise;
            if leg.is_near {
                best = best.min(cruising(origin, leg, free, start, speed_mps));
            }
            let after = start.max(interrupted);
            if after <= node.latest {
                best = best.min((after + MIN_TRIP_S).max(free + direct_m / self.roam_mps));
            }
            best = best.min(start.max(free + ROAM_AFTER_S) + MIN_TRIP_S);
            start = ((hour.floor() + 1.0) * 3600.0 - self.hour_offset_s).max(start + 1.0);
        }
        Some(best).filter(|at| at.is_finite())
    }
}

fn node_place(day: &Day, node: &Node) -> Place {
    day.jobs[node.job].pickup
}

/// Returns the earliest arrival from the way on which the mechanic has cruised since `free`, when they set out at `start` or
/// later, always at this speed.
fn cruising(origin: &Origin, leg: &Leg, free: f64, start: f64, speed_mps: f64) -> f64 {
    let gone_m = (origin.cruise_mps * (start - free)).clamp(0.0, origin.cruise_m);
    let trip_s = |at_m: f64| ((leg.along_m - at_m).hypot(leg.beside_m) / speed_mps).max(MIN_TRIP_S);
    let at_once = start + trip_s(leg.along_m.clamp(0.0, gone_m));
    if gone_m >= origin.cruise_m {
        return at_once;
    }
    // Waiting pays while the way to the pickup shrinks by more than the trip's speed.
    let share = speed_mps / origin.cruise_mps;
    let best_m = match share {
        share if share < 1.0 => leg.along_m - leg.beside_m * share / (1.0 - share * share).sqrt(),
        _ => gone_m,
    };
    let wait_m = best_m.clamp(gone_m, origin.cruise_m);
    let trip_only_s = (leg.along_m - wait_m).hypot(leg.beside_m) / speed_mps;
    at_once.min((free + wait_m / origin.cruise_mps + trip_only_s).max(start + MIN_TRIP_S))
}

/// Returns the jobs that may leave this mechanic on the way, because the customer gives up or they give it back: until when they
/// can be accepted, and the first moment at which a job that can be accepted then or later may leave them.
fn interruptions<'a>(
    day: &Day,
    m: usize,
    pairs: impl Iterator<Item = (usize, &'a Pair)>,
    fresh_s: f64,
    most_mps: f64,
) -> Vec<(f64, f64)> {
    let moving_mps = day.jobs.iter().map(|job| job.tow_mps).fold(most_mps, f64::max);
    let slowest = day.speed_by_hour.iter().copied().fold(f64::INFINITY, f64::min);
    let possible = pairs.filter_map(|(j, pair)| {
        let job = &day.jobs[j];
        let old_m = moving_mps * (fresh_s + pair.reaction_s + SLACK_S);
        let reach_m = (pair.within_m + old_m) * day.plane.stretch;
        let longest_s = (reach_m / slowest * pair.noise).max(MIN_TRIP_S) + 2.0 * SLACK_S;
        let asked_until = job.asked_late_until + SLACK_S;
        let leaves_at = if pair.keeps { job.arrive_by } else { job.at };
        (!pair.keeps || asked_until + longest_s >= job.arrive_by).then_some((asked_until, leaves_at))
    });
    // The service takes the job from a mechanic whose phone is silent for long; they learn of it when it has a connection again.
    let found = day.gaps[m].iter().map(|(_, to)| (*to, *to));
    let mut all: Vec<(f64, f64)> = possible.chain(found).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut first = f64::INFINITY;
    for (_, gives_up) in all.iter_mut().rev() {
        first = gives_up.min(first);
        *gives_up = first;
    }
    all
}
