//! Prices an hour of a mechanic's time. Pure.
//!
//! **Prices.** Mechanics who can do the same form a class. The price of a class is the number of jobs that are lost for
//! each hour that one of its mechanics is away: the marginal value of one more server in a loss system. With λ the calls of
//! a kind, s the seconds that one of them occupies a mechanic, n the mechanics of a class and B Erlang's loss formula, once
//! a minute, beginning with the last prices π, [`ITERATIONS`] times:
//! ```text
//! x(kind, class) ∝ n · exp(-(π · s - least π · s) / 0.15)     each kind's calls, split over the classes that serve it
//! W = Σ λ x,  a = Σ λ x s                                    calls and offered load of the class
//! π ← ½ π + ½ · W · (B(n - 1, a) - B(n, a))                  jobs per hour
//! ```
//! Half of the result and half of the last prices are published, so that prices move smoothly.
//!
//! **Waiting.** A mechanic who has been free for t seconds costs less than their class: the lack of calls is a sign
//! that fewer calls come where they are. With λ the class's calls per second for each of its mechanics, and with as
//! much belief in it as two calls would give (a Gamma prior of shape 2), the rate is λ / (1 + λ t / 2) after t
//! seconds without a call, and the price follows it:
//! ```text
//! π(t) = π / (1 + λ t / 2)
//! ```
//!
//! **Little evidence.** What prices assume about work and travel comes from completed jobs, so after n of them a
//! price counts n / (n + 10) ([`WorkTimes::evidence`]).
//!
//! **Markets.** Towns do not share mechanics, so each has its own prices: a market is a group of neighbouring cells
//! ([`Cell`]) with mechanics in them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    census::Census,
    guard::{Guard, Sample},
};
use crate::{
    experience::{CallRate, HoldCounts, Kind, WorkTimes},
    geo::{Cell, Point},
    ids::CategoryId,
    messages::Supply,
    vehicle::VehicleType,
};

/// The number of steps towards the fixed point, each time.
const ITERATIONS: usize = 10;
/// How sharply calls avoid the dearer of two classes, in jobs lost per job.
const SPLIT: f64 = 0.15;
/// The calls per second that a waiting job counts as: one call in half an hour.
const WAITING_PER_S: f64 = 1.0 / 1800.0;
/// The largest number of classes of a market. The smallest beyond that join the class with the most similar skills.
const MAX_CLASSES: usize = 16;
/// The highest price: no hour is worth more jobs than this, whatever was counted.
const MAX_PRICE: f64 = 100.0;
/// The weight of the expected rate, in calls, before a mechanic has waited for a call.
const PRIOR_CALLS: f64 = 2.0;

/// The skills of a group of mechanics.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skills {
    pub categories: Arc<BTreeSet<CategoryId>>,
    pub vehicle_types: Arc<BTreeSet<VehicleType>>,
}

/// The mechanics of one market who can do the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkillClass {
    pub skills: Skills,
    /// The number of online mechanics, and of free ones among them.
    pub mechanics: usize,
    pub free: usize,
    /// The jobs lost per hour that one of them is away.
    pub price: f64,
    /// The calls per second, and the mechanics that these calls keep busy on average (erlangs).
    pub calls_per_s: f64,
    pub load: f64,
}

/// The mechanics of a town.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Market {
    /// The rough place of one of its mechanics.
    pub near: Point,
    pub classes: Vec<SkillClass>,
    /// Decides how much of the prices counts.
    pub guard: Guard,
    /// The results of holding jobs back here since this process started. Where towns grow together, their counts
    /// add up.
    pub holds: HoldCounts,
}

/// The price of a mechanic's time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Price {
    /// The jobs lost per hour that they are away, when they have just become free.
    pub per_hour: f64,
    /// The calls of their class per second, for each of its mechanics.
    pub calls_per_s: f64,
}

/// The prices of all classes in all markets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prices {
    pub markets: Vec<Market>,
    market_of: BTreeMap<Cell, usize>,
    pub work: WorkTimes,
}

impl Skills {
    pub fn of(supply: &Supply) -> Self {
        Self { categories: supply.categories.clone(), vehicle_types: supply.vehicle_types.clone() }
    }

    fn serve(&self, kind: &Kind) -> bool {
        self.categories.contains(&kind.category_id) && self.vehicle_types.contains(&kind.vehicle_type)
    }

    /// Returns how alike two classes are: of the skills that either has, the share that both have, 0 to 1.
    fn likeness(&self, other: &Self) -> f64 {
        let size = |skills: &Self| skills.categories.len() * skills.vehicle_types.len();
        let both = self.categories.intersection(&other.categories).count()
            * self.vehicle_types.intersection(&other.vehicle_types).count();
        let either = size(self) + size(other) - both;
        if either == 0 { 1.0 } else { both as f64 / either as f64 }
    }
}

impl Prices {
    /// Returns the current prices, beginning with the last ones.
    pub fn refreshed(
        &self,
        census: &Census,
        rates: &[CallRate],
        waiting: impl Iterator<Item = (Point, Kind)>,
        work: WorkTimes,
    ) -> Self {
        let (market_of, count) = markets(census.groups().map(|group| group.cell));
        let mut calls: Vec<BTreeMap<Kind, f64>> = vec![BTreeMap::new(); count];
        let rates = rates.iter().map(|rate| (rate.cell, rate.kind, rate.per_s));
        let waiting = waiting.map(|(pickup, kind)| (pickup.cell(), kind, WAITING_PER_S));
        for (cell, kind, per_s) in rates.chain(waiting) {
            // A call from a cell without mechanics belongs to a neighbouring market.
            let market = cell.neighbourhood().find_map(|cell| market_of.get(&cell));
            if let Some(of_market) = market.and_then(|market| calls.get_mut(*market)) {
                *of_market.entry(kind).or_default() += per_s;
            }
        }
        let mut classes: Vec<BTreeMap<&Skills, (usize, usize)>> = vec![BTreeMap::new(); count];
        let mut near: Vec<Option<Cell>> = vec![None; count];
        for group in census.groups() {
            let Some(market) = market_of.get(&group.cell).copied() else { continue };
            near[market].get_or_insert(group.cell);
            let sum = classes[market].entry(&group.skills).or_default();
            *sum = (sum.0 + group.online, sum.1 + group.free);
        }
        let markets = classes.into_iter().zip(&calls).zip(near).map(|((classes, calls), near)| {
            let last = near.and_then(|cell| self.market_at(cell));
            let mut classes = grouped(classes, last);
            settle(&mut classes, calls, &work);
            let mut guard = last.map(|market| market.guard.clone()).unwrap_or_default();
            guard.adjust();
            let near = near.map(Cell::centre).unwrap_or(Point::new(0.0, 0.0));
            Market { near, classes, guard, holds: HoldCounts::default() }
        });
        Self { markets: markets.collect(), market_of, work }
    }

    fn market_at(&self, cell: Cell) -> Option<&Market> {
        let index = cell.neighbourhood().find_map(|cell| self.market_of.get(&cell))?;
        self.markets.get(*index)
    }

    /// Returns the class of a mechanic, or `None` before the first prices.
    pub fn class_of(&self, supply: &Supply) -> Option<&SkillClass> {
        self.market_at(supply.point.cell())?.class_like(&Skills::of(supply))
    }

    /// Returns the price of a mechanic's time in the cell, which is zero before the first prices.
    pub fn price(&self, cell: Cell, skills: &Skills) -> Price {
        let priced = || {
            let market = self.market_at(cell)?;
            let class = market.class_like(skills)?;
            let per_hour = class.price * market.guard.price_share() * self.work.evidence();
            Some(Price { per_hour, calls_per_s: class.calls_per_s / class.mechanics.max(1) as f64 })
        };
        priced().unwrap_or_default()
    }

    /// Adds what [`Sample`]s show of the markets.
    pub fn watch(&mut self, looks: impl Iterator<Item = (Cell, Sample)>) {
        let mut samples = vec![Sample::default(); self.markets.len()];
        for (cell, look) in looks {
            let market = cell.neighbourhood().find_map(|cell| self.market_of.get(&cell));
            if let Some(sample) = market.and_then(|market| samples.get_mut(*market)) {
                sample.add(&look);
            }
        }
        self.markets.iter_mut().zip(samples).for_each(|(market, sample)| market.guard.note(sample));
    }

    /// Adds the results of holding jobs back, by place.
    pub fn count_holds(&mut self, counts: Vec<(Cell, HoldCounts)>) {
        for (cell, counts) in counts {
            let market = cell.neighbourhood().find_map(|cell| self.market_of.get(&cell));
            if let Some(market) = market.and_then(|market| self.markets.get_mut(*market)) {
                market.holds.add(&counts);
            }
        }
    }
}

impl Price {
    /// Returns the jobs lost per hour that a mechanic is away who has been free for this many seconds.
    pub fn after(&self, free_s: f64) -> f64 {
        self.per_hour / (1.0 + self.calls_per_s * free_s.max(0.0) / PRIOR_CALLS)
    }
}

impl SkillClass {
    /// Returns the jobs that one more mechanic would save per hour. The result never exceeds the price, because
    /// each further mechanic has less to do; while prices still move, the calls and the load alone would give more.
    pub fn one_more(&self) -> f64 {
        let saved = 3600.0 * self.calls_per_s * relief(self.mechanics + 1, self.load).clamp(0.0, 1.0);
        saved.min(self.price)
    }
}

impl Market {
    /// Returns the number of mechanics that the calls keep busy on average, by the current estimates of calls and
    /// work.
    pub fn load(&self) -> f64 {
        self.classes.iter().map(|class| class.load).sum()
    }

    /// Returns the class with these skills, or else the class with the most similar skills.
    fn class_like(&self, skills: &Skills) -> Option<&SkillClass> {
        let exact = self.classes.iter().find(|class| class.skills == *skills);
        exact.or_else(|| most_alike(&self.classes, skills).and_then(|index| self.classes.get(index)))
    }
}

fn most_alike(classes: &[SkillClass], skills: &Skills) -> Option<usize> {
    let likeness = |class: &SkillClass| class.skills.likeness(skills);
    let best = classes
        .iter()
        .enumerate()
        .max_by(|(i, a), (j, b)| likeness(a).total_cmp(&likeness(b)).then(j.cmp(i)));
    best.map(|(index, _)| index)
}

/// Groups neighbouring cells and numbers the groups.
fn markets(cells: impl Iterator<Item = Cell>) -> (BTreeMap<Cell, usize>, usize) {
    let all: BTreeSet<Cell> = cells.collect();
    let (mut market_of, mut count) = (BTreeMap::new(), 0);
    for first in &all {
        if market_of.contains_key(first) {
            continue;
        }
        let mut open = vec![*first];
        market_of.insert(*first, count);
        while let Some(cell) = open.pop() {
            for next in cell.neighbourhood().filter(|cell| all.contains(cell)) {
                if market_of.insert(next, count).is_none() {
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    (market_of, count)
}

/// Returns the classes of a market with their last prices, at most [`MAX_CLASSES`], the largest first.
fn grouped(counts: BTreeMap<&Skills, (usize, usize)>, last: Option<&Market>) -> Vec<SkillClass> {
    let classes = counts.into_iter().map(|(skills, (mechanics, free))| {
        let price = last.and_then(|market| market.class_like(skills)).map_or(0.0, |class| class.price);
        SkillClass { skills: skills.clone(), mechanics, free, price, calls_per_s: 0.0, load: 0.0 }
    });
    let mut classes: Vec<_> = classes.collect();
    classes.sort_by(|a, b| b.mechanics.cmp(&a.mechanics).then_with(|| a.skills.cmp(&b.skills)));
    for small in classes.split_off(classes.len().min(MAX_CLASSES)) {
        if let Some(class) = most_alike(&classes, &small.skills).and_then(|index| classes.get_mut(index)) {
            class.mechanics += small.mechanics;
            class.free += small.free;
        }
    }
    classes
}

/// Moves the prices of a market's classes towards the fixed point.
fn settle(classes: &mut [SkillClass], calls: &BTreeMap<Kind, f64>, work: &WorkTimes) {
    let last: Vec<f64> = classes.iter().map(|class| class.price).collect();
    let kinds: Vec<_> = calls
        .iter()
        .map(|(kind, per_s)| {
            let servers = classes.iter().enumerate().filter(|(_, class)| class.skills.serve(kind));
            let servers: Vec<usize> = servers.map(|(index, _)| index).collect();
            (servers, *per_s, work.on_site_s(kind.category_id) + work.travel_s())
        })
        .collect();
    for _ in 0..ITERATIONS {
        classes.iter_mut().for_each(|class| (class.calls_per_s, class.load) = (0.0, 0.0));
        for (servers, per_s, busy_s) in &kinds {
            // The jobs lost elsewhere by giving one of these calls to the class.
            let cost = |class: &SkillClass| class.price * busy_s / 3600.0;
            let least = servers.iter().map(|index| cost(&classes[*index])).fold(f64::INFINITY, f64::min);
            let weight = |class: &SkillClass| class.mechanics as f64 * (-(cost(class) - least) / SPLIT).exp();
            let all: f64 = servers.iter().map(|index| weight(&classes[*index])).sum();
            if all <= 0.0 {
                continue;
            }
            let shares: Vec<f64> = servers.iter().map(|index| weight(&classes[*index]) / all).collect();
            for (index, share) in servers.iter().zip(shares) {
                classes[*index].calls_per_s += per_s * share;
                classes[*index].load += per_s * share * busy_s;
            }
        }
        for class in &mut *classes {
            let marginal = 3600.0 * class.calls_per_s * relief(class.mechanics, class.load);
            class.price = 0.5 * class.price + 0.5 * marginal.clamp(0.0, MAX_PRICE);
        }
    }
    for (class, last) in classes.iter_mut().zip(last) {
        class.price = 0.5 * last + 0.5 * class.price;
    }
}

/// Returns by how much the last of these servers lowers the share of lost calls: B(n - 1, a) - B(n, a), with
/// Erlang's B(0, a) = 1, B(n, a) = a B(n - 1, a) / (n + a B(n - 1, a)).
fn relief(servers: usize, load: f64) -> f64 {
    let (mut before, mut lost) = (1.0, 1.0);
    for server in 1..=servers {
        before = lost;
        // No more calls are lost, however many servers follow.
        if before <= 0.0 {
            break;
        }
        lost = load * before / (server as f64 + load * before);
    }
    before - lost
}
