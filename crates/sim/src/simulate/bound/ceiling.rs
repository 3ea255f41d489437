//! The ceiling: a Lagrangian relaxation of "each job is served at most once". Pure.
//!
//! Each job gets a price from 0 to 1. A mechanic earns 1 less the price for each job in time; without the condition, their best
//! days are independent of each other. The prices plus the best days are at least the number of jobs that any real day serves
//! (weak duality), whatever the prices are: the search for the lowest such sum needs no proof of its own.

use std::collections::HashMap;

use super::network::{Network, ROAM_AFTER_S};
use crate::rng::{Purpose, Rng};

/// The rounds of the search for prices: in each, every mechanic in turn has a best day and changes the prices.
const ROUNDS: i32 = 40;
/// The step by which a price moves in the first round, and the share of it that is left in each further round.
const FIRST_STEP: f64 = 0.3;
const STEP_LEFT: f64 = 0.91;
/// The first price of a job is 1 less this per hour that the job takes, with this long for the way.
const FIRST_HOUR: f64 = 0.2;
const WAY_S: f64 = 600.0;
/// Prices this close to 1 become 1 at the end, so that jobs that anybody can serve no longer raise the best days; the value with
/// the lowest sum is used.
const CLOSE: [f64; 3] = [0.03, 0.1, 0.2];
/// Mechanics become free at multiples of this.
const GRID_S: f64 = 60.0;
/// The tolerance within which a sum of prices counts as whole.
const ROUNDING: f64 = 1e-6;

/// A ceiling, with the prices and days that prove it.
#[derive(Debug, Clone)]
pub struct Ceiling {
    /// The number of jobs in time that no plan exceeds.
    pub jobs: usize,
    /// The prices by job.
    pub prices: Vec<f64>,
    /// The best days at these prices, by mechanic: jobs in order. They may share jobs and break the real rules.
    pub days: Vec<Vec<usize>>,
}

/// A mechanic who has been to a node and is free at a moment of the grid, with the most that they can have earned by then.
#[derive(Debug, Clone, Copy)]
struct Label {
    value: f64,
    /// The origin: 0 is home, n + 1 the node n.
    origin: u16,
    is_in_time: bool,
    /// The previous label.
    before: u32,
}

/// The ways of one mechanic, kept between searches for their best day, because they do not depend on prices.
#[derive(Debug, Default)]
struct Paths {
    /// The range in `ways` of the onward ways, by origin and moment of the grid.
    known: HashMap<(u16, u32), (u32, u32)>,
    ways: Vec<Way>,
}

/// A way to a job in time, and how many moments of the grid later the mechanic is free there.
#[derive(Debug, Clone, Copy)]
struct Way {
    node: u16,
    slots: u16,
}

/// The labels of one search; kept for the next, so that it need not allocate.
#[derive(Debug, Default)]
struct Labels {
    all: Vec<Label>,
    /// The numbers of the labels, by moment of the grid.
    due: Vec<Vec<u32>>,
    /// The number of the label, or [`NONE`], by moment of the grid and origin.
    at: Vec<u32>,
    origins: usize,
    /// The most that a mechanic has earned who was free there already, by origin.
    best_at: Vec<f64>,
}

const NONE: u32 = u32::MAX;

impl Ceiling {
    /// Returns the trivial ceiling: all jobs.
    pub fn trivial(jobs: usize) -> Self {
        Self { jobs, prices: vec![1.0; jobs], days: Vec::new() }
    }
}

/// Searches for the lowest ceiling of the days of these mechanics.
pub fn of(networks: &[Network], jobs: usize) -> Ceiling {
    let fitting = fitting(networks, jobs);
    let mut prices = first_prices(networks, jobs);
    let mut paths: Vec<Paths> = networks.iter().map(|_| Paths::default()).collect();
    let mut labels = Labels::default();
    for round in 0..ROUNDS {
        let step = FIRST_STEP * STEP_LEFT.powi(round);
        for m in shuffled(networks.len(), round) {
            // This is an incremental subgradient step: by the mechanic's share of the condition "each job once".
            let (_, day) = paths[m].best(&mut labels, &networks[m], &prices);
            for node in &networks[m].nodes {
                let price = &mut prices[node.job];
                *price = (*price - step / fitting[node.job]).max(0.0);
            }
            day.iter().for_each(|job| prices[*job] = (prices[*job] + step).min(1.0));
        }
    }
    let mut best = Ceiling::trivial(jobs);
    let mut least = f64::INFINITY;
    for close in CLOSE {
        let tried: Vec<f64> =
            prices.iter().map(|price| if *price > 1.0 - close { 1.0 } else { *price }).collect();
        let (sum, days) = sum(networks, &mut paths, &mut labels, &tried);
        if sum < least {
            least = sum;
            let whole = (sum + ROUNDING).floor().max(0.0) as usize;
            best = Ceiling { jobs: whole.min(jobs), prices: tried, days };
        }
    }
    best
}

/// Counts for each job how many mechanics could do it in time.
fn fitting(networks: &[Network], jobs: usize) -> Vec<f64> {
    let mut fitting = vec![0.0; jobs];
    networks.iter().flat_map(|network| &network.nodes).for_each(|node| fitting[node.job] += 1.0);
    fitting
}

/// Returns the first prices; 0 for a job that no one could do.
fn first_prices(networks: &[Network], jobs: usize) -> Vec<f64> {
    let mut prices = vec![0.0; jobs];
    for node in networks.iter().flat_map(|network| &network.nodes) {
        prices[node.job] = (1.0 - FIRST_HOUR * (node.work_s + WAY_S) / 3600.0).max(0.0);
    }
    prices
}

fn shuffled(count: usize, round: i32) -> Vec<usize> {
    let rng = Rng::new(round.unsigned_abs().into()).on(Purpose::Engine);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| {
        let key = |m: usize| rng.number(m as u64).share();
        key(*one).total_cmp(&key(*other)).then(one.cmp(other))
    });
    order
}

/// Returns a sum that no real day exceeds, and the best days at these prices.
fn sum(
    networks: &[Network],
    paths: &mut [Paths],
    labels: &mut Labels,
    prices: &[f64],
) -> (f64, Vec<Vec<usize>>) {
    let mut sum: f64 = prices.iter().sum();
    let days = networks.iter().zip(paths).map(|(network, paths)| {
        let (value, day) = paths.best(labels, network, prices);
        sum += value;
        day
    });
    let days = days.collect();
    (sum, days)
}

impl Labels {
    fn clear(&mut self, origins: usize) {
        self.all.clear();
        self.due.clear();
        self.at.clear();
        self.origins = origins;
        self.best_at.clear();
        self.best_at.resize(origins, f64::NEG_INFINITY);
    }

    /// Keeps the label if no one who was free there then or before has earned as much.
    fn push(&mut self, slot: usize, label: Label) {
        let origin = usize::from(label.origin);
        if label.value <= self.best_at[origin] {
            return;
        }
        if slot >= self.due.len() {
            self.due.resize_with(slot + 1, Vec::new);
            self.at.resize((slot + 1) * self.origins, NONE);
        }
        let known = &mut self.at[slot * self.origins + origin];
        match self.all.get_mut(*known as usize) {
            Some(same) if same.value >= label.value => {}
            Some(same) => *same = label,
            None => {
                *known = u32::try_from(self.all.len()).unwrap_or(NONE);
                self.due[slot].push(*known);
                self.all.push(label);
            }
        }
    }

    fn value(&self, label: u32) -> f64 {
        self.all[label as usize].value
    }
}

impl Paths {
    /// Returns the best day of one mechanic at these prices, and its jobs in order. A job may occur twice, which only raises the
    /// day's value.
    fn best(&mut self, labels: &mut Labels, network: &Network, prices: &[f64]) -> (f64, Vec<usize>) {
        let nodes = &network.nodes;
        labels.clear(nodes.len() + 1);
        let home = (network.from / GRID_S).floor() as usize;
        labels.push(home, Label { value: 0.0, origin: 0, is_in_time: false, before: NONE });
        // Labels leave in order of time. Of the labels that have idled long enough to be anywhere when a job is made, the one
        // that earned most is as good as all of them; the same holds for those that may be late for a job.
        let mut left: Vec<(usize, u32)> = Vec::new();
        let (mut most, mut idle, mut idlers, mut new_jobs) = (NONE, NONE, 0, 0);
        let (mut late, mut next_late): (Vec<(usize, u32)>, usize) = (Vec::new(), 0);
        let mut slot = home;
        while slot < labels.due.len() || new_jobs < nodes.len() || next_late < network.by_lateness.len() {
            let begins = slot as f64 * GRID_S;
            while let Some(node) = nodes.get(new_jobs).filter(|node| node.at <= begins) {
                while let Some((free, label)) = left.get(idlers).copied()
                    && free as f64 * GRID_S + ROAM_AFTER_S <= node.at
                {
                    let is_more = idle == NONE || labels.value(idle) < labels.value(label);
                    idle = if is_more { label } else { idle };
                    idlers += 1;
                }
                if let Some(at) = network.roaming(new_jobs).filter(|_| idle != NONE) {
                    let free = ((at + node.work_s) / GRID_S) as usize;
                    let value = labels.value(idle) + 1.0 - prices[node.job];
                    let origin = (new_jobs + 1) as u16;
                    labels.push(free.max(slot), Label { value, origin, is_in_time: true, before: idle });
                }
                new_jobs += 1;
            }
            let due = labels.due.get_mut(slot).map(std::mem::take).unwrap_or_default();
            for label in due {
                let Label { origin, value, .. } = labels.all[label as usize];
                let best = &mut labels.best_at[usize::from(origin)];
                if value <= *best {
                    continue;
                }
                *best = value;
                left.push((slot, label));
                most = if most == NONE || value > labels.value(most) { label } else { most };
                let (first, end) = self.ways_from(network, origin, slot);
                for way in &self.ways[first as usize..end as usize] {
                    let value = value + 1.0 - prices[nodes[usize::from(way.node)].job];
                    let next = Label { value, origin: way.node + 1, is_in_time: true, before: label };
                    labels.push(slot + usize::from(way.slots), next);
                }
            }
            while let Some(n) =
                network.by_lateness.get(next_late).copied().filter(|n| nodes[*n].late_from <= begins + GRID_S)
            {
                late.push((n, NONE));
                next_late += 1;
            }
            late.retain_mut(|(n, last)| {
                let node = &nodes[*n];
                if most != NONE && (*last == NONE || labels.value(*last) < labels.value(most)) {
                    *last = most;
                    let free = (network.late(*n, begins) + node.work_s) / GRID_S;
                    let next = Label {
                        value: labels.value(most),
                        origin: (*n + 1) as u16,
                        is_in_time: false,
                        before: most,
                    };
                    labels.push((free as usize).max(slot + 1), next);
                }
                begins <= node.late_latest
            });
            slot += 1;
        }
        let value = if most == NONE { 0.0 } else { labels.value(most) };
        (value, jobs_to(labels, network, most))
    }

    fn ways_from(&mut self, network: &Network, origin: u16, slot: usize) -> (u32, u32) {
        let Self { known, ways } = self;
        *known.entry((origin, slot as u32)).or_insert_with(|| {
            let first = ways.len() as u32;
            ways.extend(network.next(usize::from(origin), slot as f64 * GRID_S).map(|(node, at)| {
                // This is rounded in the mechanic's favour.
                let free = ((at + network.nodes[node].work_s) / GRID_S).floor() as usize;
                let slots = u16::try_from(free.saturating_sub(slot).max(1)).unwrap_or(u16::MAX);
                Way { node: node as u16, slots }
            }));
            (first, ways.len() as u32)
        })
    }
}

fn jobs_to(labels: &Labels, network: &Network, last: u32) -> Vec<usize> {
    let labels =
        std::iter::successors(labels.all.get(last as usize), |label| labels.all.get(label.before as usize));
    let nodes = labels.filter(|label| label.origin > 0 && label.is_in_time);
    let mut jobs: Vec<usize> = nodes.map(|label| network.nodes[usize::from(label.origin) - 1].job).collect();
    jobs.reverse();
    jobs
}
