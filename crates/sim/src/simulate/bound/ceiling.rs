//! The ceiling: a Lagrangian relaxation of "each job is served at most once". Pure.
//!
//! Each job gets a price from 0 to 1. A mechanic earns 1 less the price for each job in time; without the condition their
//! best days are independent of each other. The prices plus the best days are at least what any real day serves (weak
//! duality), whatever the prices are: the search for the lowest such sum needs no proof of its own.

use std::collections::HashMap;

use super::network::Network;

/// Steps of the search for prices.
const STEPS: usize = 100;
/// Steps without a lower sum until the steps get shorter.
const PATIENCE: usize = 12;
/// Mechanics become free at multiples of this.
const GRID_S: f64 = 60.0;
/// Of every job, before the first step.
const FIRST_PRICE: f64 = 0.95;
/// The share of the lowest sum so far at which each step aims.
const AIM: f64 = 0.97;
/// Sums of prices are whole only up to rounding.
const ROUNDING: f64 = 1e-6;

/// The result.
#[derive(Debug, Clone)]
pub struct Ceiling {
    /// No plan serves more jobs in time.
    pub jobs: usize,
    /// By job.
    pub prices: Vec<f64>,
    /// The best days at these prices, by mechanic: jobs in order. They may share jobs and break the real rules.
    pub days: Vec<Vec<usize>>,
}

/// A mechanic who has been to a node: when they are free, what they have earned and how they got there.
#[derive(Debug, Clone, Copy)]
struct Label {
    origin: usize,
    /// A moment of the grid.
    free: usize,
    value: f64,
    before: usize,
    is_in_time: bool,
}

/// What is kept between searches for the best day of one mechanic: the ways do not depend on prices.
#[derive(Debug, Default)]
struct Paths {
    labels: Vec<Label>,
    /// By the grid: labels that are free then.
    waiting: Vec<Vec<u32>>,
    /// By node: the most that somebody has earned who was free there already.
    best_at: Vec<f64>,
    /// By origin and moment of the grid, where in `ways` those onward are.
    known: HashMap<(u32, u32), (usize, usize)>,
    ways: Vec<Way>,
}

/// A way to a node: at which moment of the grid the mechanic is free there.
#[derive(Debug, Clone, Copy)]
struct Way {
    node: u16,
    slots: u16,
    is_in_time: bool,
}

/// Of the days of these mechanics.
pub fn of(networks: &[Network], jobs: usize) -> Ceiling {
    let mut prices = vec![FIRST_PRICE; jobs];
    let mut direction = vec![0.0; jobs];
    let mut best = Ceiling { jobs, prices: prices.clone(), days: Vec::new() };
    let mut least = f64::INFINITY;
    let mut paths: Vec<Paths> = networks.iter().map(|_| Paths::default()).collect();
    let (mut length, mut since) = (1.0, 0);
    for _ in 0..STEPS {
        let mut sum: f64 = prices.iter().sum();
        let mut visits = vec![0_u32; jobs];
        let mut days = Vec::with_capacity(networks.len());
        for (network, paths) in networks.iter().zip(&mut paths) {
            let (value, day) = paths.best(network, &prices);
            sum += value;
            day.iter().for_each(|job| visits[*job] += 1);
            days.push(day);
        }
        since += 1;
        if sum < least {
            since = if sum < least - 0.01 { 0 } else { since };
            least = sum;
            let whole = (sum + ROUNDING).floor().max(0.0) as usize;
            best = Ceiling { jobs: whole.min(jobs), prices: prices.clone(), days };
        }
        if since > PATIENCE {
            (length, since) = (length * 0.7, 0);
        }
        // Polyak's step along a direction that remembers the ones before.
        direction.iter_mut().zip(&visits).for_each(|(way, visits)| {
            *way = 0.3 * *way + 0.7 * (f64::from(*visits) - 1.0);
        });
        let moves = direction.iter().zip(&prices).filter(|(way, price)| **way > 0.0 || **price > 0.0);
        let norm: f64 = moves.map(|(way, _)| way * way).sum();
        let gap = (sum - AIM * least).max(0.5);
        if norm < 1e-9 {
            break;
        }
        let step = length * gap / norm;
        prices.iter_mut().zip(&direction).for_each(|(price, way)| {
            *price = (*price + step * way).clamp(0.0, 1.0);
        });
    }
    best
}

impl Paths {
    /// The best day of one mechanic at these prices, and its jobs in order. A job may come twice, which only raises it.
    fn best(&mut self, network: &Network, prices: &[f64]) -> (f64, Vec<usize>) {
        self.labels.clear();
        self.waiting.iter_mut().for_each(Vec::clear);
        self.best_at.clear();
        self.best_at.resize(network.nodes.len() + 1, f64::NEG_INFINITY);
        let none = usize::MAX;
        let free = (network.from / GRID_S).floor() as usize;
        self.push(Label { origin: 0, free, value: 0.0, before: none, is_in_time: false });
        // Labels leave in order of time. Of those that have idled long enough to be anywhere when a job is made, the one
        // that earned most is as good as all.
        let mut left: Vec<usize> = Vec::new();
        let (mut idle, mut idlers, mut new_jobs) = (None::<usize>, 0, 0);
        let mut slot = 0;
        while slot < self.waiting.len() || new_jobs < network.nodes.len() {
            let begins = slot as f64 * GRID_S;
            while let Some(node) = network.nodes.get(new_jobs).filter(|node| node.at <= begins) {
                while let Some(label) = left.get(idlers).copied()
                    && self.labels[label].free as f64 * GRID_S + network.roam_after_s <= node.at
                {
                    let is_more = idle.is_none_or(|best| self.labels[best].value < self.labels[label].value);
                    idle = if is_more { Some(label) } else { idle };
                    idlers += 1;
                }
                if let (Some(label), Some(arrival)) = (idle, network.roaming(new_jobs)) {
                    let free = (arrival.at + node.work_s) / GRID_S;
                    self.arrive(network, prices, label, (new_jobs, (free as usize).max(slot), true));
                }
                new_jobs += 1;
            }
            let mut due = self.waiting.get_mut(slot).map(std::mem::take).unwrap_or_default();
            due.sort_by(|one, other| {
                let value = |label: &u32| self.labels[*label as usize].value;
                value(other).total_cmp(&value(one)).then(one.cmp(other))
            });
            for label in due.iter().map(|label| *label as usize) {
                let Label { origin, value, .. } = self.labels[label];
                if value <= self.best_at[origin] {
                    continue;
                }
                self.best_at[origin] = value;
                left.push(label);
                let (first, end) = self.ways_from(network, origin, slot);
                for place in first..end {
                    let way = self.ways[place];
                    let to = (usize::from(way.node), slot + usize::from(way.slots), way.is_in_time);
                    self.arrive(network, prices, label, to);
                }
            }
            slot += 1;
        }
        let last = left.iter().copied().reduce(|best, label| {
            if self.labels[label].value > self.labels[best].value { label } else { best }
        });
        let value = last.map_or(0.0, |last| self.labels[last].value);
        (value.max(0.0), self.jobs_to(network, last))
    }

    fn ways_from(&mut self, network: &Network, origin: usize, slot: usize) -> (usize, usize) {
        let Self { known, ways, .. } = self;
        *known.entry((origin as u32, slot as u32)).or_insert_with(|| {
            let first = ways.len();
            ways.extend(network.next(origin, slot as f64 * GRID_S).map(|arrival| {
                // Rounded in the mechanic's favour.
                let free = ((arrival.at + network.nodes[arrival.node].work_s) / GRID_S).floor() as usize;
                let slots = u16::try_from(free.saturating_sub(slot).max(1)).unwrap_or(u16::MAX);
                Way { node: arrival.node as u16, slots, is_in_time: arrival.is_in_time }
            }));
            (first, ways.len())
        })
    }

    fn arrive(
        &mut self,
        network: &Network,
        prices: &[f64],
        before: usize,
        (node, free, is_in_time): (usize, usize, bool),
    ) {
        let earned = if is_in_time { 1.0 - prices[network.nodes[node].job] } else { 0.0 };
        let (origin, value) = (node + 1, self.labels[before].value + earned);
        // A mechanic who left there before was free earlier.
        if value > self.best_at[origin] {
            self.push(Label { origin, free, value, before, is_in_time });
        }
    }

    fn push(&mut self, label: Label) {
        let number = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        if label.free >= self.waiting.len() {
            self.waiting.resize_with(label.free + 1, Vec::new);
        }
        self.waiting[label.free].push(number);
        self.labels.push(label);
    }

    fn jobs_to(&self, network: &Network, last: Option<usize>) -> Vec<usize> {
        let labels = std::iter::successors(last.and_then(|label| self.labels.get(label)), |label| {
            self.labels.get(label.before)
        });
        let nodes = labels.filter(|label| label.origin > 0 && label.is_in_time);
        let mut jobs: Vec<usize> = nodes.map(|label| network.nodes[label.origin - 1].job).collect();
        jobs.reverse();
        jobs
    }
}
