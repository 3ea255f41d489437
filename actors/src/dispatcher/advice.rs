//! Advises mechanics without a job where to wait. Pure.
//!
//! A place is worth the time that customers save because this mechanic waits there. With λ the expected calls of a
//! category from an area, and T the time to that area for the nearest *other* free mechanic who serves the
//! category:
//! ```text
//! worth(place) = Σ λ · max(0, min(T, half an hour) - eta(place, area))    over areas in reach and own categories
//! ```
//! Advice is given if the best place within a short drive saves customers more, until the next job, than the drive
//! takes. A mechanic who was just sent somewhere counts both there and where they are, so that not everybody is
//! sent to one place. A mechanic may ignore advice, and loses nothing by it. The dispatcher counts whether advice
//! is followed: advice that no mechanic follows is worth nothing.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};

use super::{queries::AdviceCounts, state::DispatchState};
use crate::{
    eta::Eta,
    experience::AreaRate,
    geo::{Area, Cell, Point},
    ids::{CategoryId, MechanicId},
    messages::{Advice, Supply, Surroundings},
};

/// The time that advice holds beyond the drive. A mechanic gets other advice only after it ends.
const STAY: TimeDelta = TimeDelta::minutes(10);
/// The number of pieces of advice that are worked out at once. The next time it is the turn of other mechanics.
const MAX_AT_ONCE: usize = 32;
/// The number of mechanics considered each minute. The next minute continues with those who have waited less, and
/// then begins again.
const MAX_LOOKED_AT: usize = 256;
/// The number of mechanics whose advice is remembered.
const MAX_GIVEN: usize = 100_000;
/// The number of areas around a mechanic that are looked at, the busiest first, and of those to which they may be
/// sent.
const MAX_AREAS: usize = 64;
const MAX_PLACES: usize = 24;
/// The longest drive that is advised, and the distance within which a mechanic is already at the place.
const LONGEST_DRIVE_S: u32 = 1_200;
const NEAR_M: f64 = 1_000.0;
/// The longest time to an area that counts, since help is late by then anyway, and the shortest, since calls are
/// spread over their area.
const LATE_S: f64 = 1_800.0;
const WITHIN_AREA_S: f64 = 120.0;
/// The radius of an advised area around its middle.
const AREA_RADIUS_M: f64 = 1_500.0;
/// The radius that counts as around a place.
const AROUND_M: f64 = 3_000.0;
/// How much better than the current place another must be, as a share; and for each second of the drive, how many
/// seconds it must save customers within [`UNTIL_NEXT_JOB_H`].
const BETTER: f64 = 0.2;
const SAVED_PER_S: f64 = 1.0;
const UNTIL_NEXT_JOB_H: f64 = 0.5;
/// The distance beyond which no mechanic is in time.
const FARTHEST_M: f64 = 30_000.0;
/// The number of other mechanics who are looked at, and the number remembered by area and category.
const MAX_OTHERS: usize = 64;
const REMEMBERED: usize = 3;

/// The advice given to each mechanic, and the counts of its outcomes.
#[derive(Debug, Default)]
pub struct Advisor {
    given: BTreeMap<MechanicId, Given>,
    counts: AdviceCounts,
    /// The last mechanic who was considered, if there are more.
    looked_at: Option<Turn>,
}

/// A mechanic's place in the order: the longest idle come first.
type Turn = (DateTime<Utc>, MechanicId);

#[derive(Debug)]
struct Given {
    advice: Advice,
    /// Whether the mechanic has been seen there since.
    was_there: bool,
}

/// An area with its calls per hour.
#[derive(Debug)]
struct Demanding {
    centre: Point,
    calls: Vec<(CategoryId, f64)>,
}

/// The areas of one calculation, and the mechanics who would serve them.
struct Map<'a> {
    state: &'a DispatchState,
    eta: &'a dyn Eta,
    now: DateTime<Utc>,
    areas: Vec<Demanding>,
    by_cell: BTreeMap<Cell, Vec<usize>>,
    /// The nearest mechanics by area and category, with their seconds of driving.
    servers: HashMap<usize, BTreeMap<CategoryId, Vec<(f64, MechanicId)>>>,
    /// The mechanics who are on their way to a place where they were advised to wait.
    sent: Vec<(MechanicId, Point)>,
}

impl Advisor {
    /// Returns the advice that still holds.
    pub fn advice(&self, id: MechanicId, now: DateTime<Utc>) -> Option<Advice> {
        self.given.get(&id).map(|given| given.advice).filter(|advice| now < advice.until)
    }

    /// Checks where the advised mechanics are, and ends advice that is over. Returns the outcomes of all advice.
    pub fn settle(&mut self, state: &DispatchState, now: DateTime<Utc>) -> AdviceCounts {
        let counts = &mut self.counts;
        self.given.retain(|id, given| {
            let supply = state.supply(*id);
            given.was_there |=
                supply.is_some_and(|supply| supply.point.distance_m(given.advice.centre) <= NEAR_M);
            let (is_over, is_free) = (now >= given.advice.until, supply.is_some_and(|supply| supply.is_free));
            match (is_over || !is_free, given.was_there) {
                (false, _) => {}
                (true, true) => counts.followed += 1,
                (true, false) if is_over => counts.stayed += 1,
                (true, false) => counts.cut_short += 1,
            }
            is_free && !is_over
        });
        self.counts
    }

    /// Advises some of the mechanics who have no advice and have been idle for `idle_for`.
    pub fn renew(
        &mut self,
        state: &DispatchState,
        rates: &[AreaRate],
        idle_for: TimeDelta,
        eta: &dyn Eta,
        now: DateTime<Utc>,
    ) -> Vec<(MechanicId, Advice)> {
        self.settle(state, now);
        let idle = |supply: &Supply| {
            supply.is_free
                && !supply.is_parked
                && now <= supply.fresh_until
                && now - supply.idle_since >= idle_for
        };
        if rates.is_empty() || self.given.len() >= MAX_GIVEN {
            return Vec::new();
        }
        let without = state.mechanics().filter(|(id, supply)| idle(supply) && !self.given.contains_key(id));
        let turns = without.map(|(id, supply)| (supply.idle_since, id));
        let after = self.looked_at;
        let (turns, are_more) = first(turns.filter(|turn| after.is_none_or(|last| last < *turn)));
        self.looked_at = turns.last().copied().filter(|_| are_more);
        let sent = self.given.iter().map(|(id, given)| (*id, given.advice.centre)).collect();
        let mut map = Map::new(state, rates, eta, now, sent);
        let mut new = Vec::new();
        for (idle_since, id) in turns {
            let Some(supply) = state.supply(id) else { continue };
            if let Some(advice) = map.advice(id, supply) {
                map.send(id, supply, advice.centre);
                self.given.insert(id, Given { advice, was_there: false });
                self.counts.given += 1;
                new.push((id, advice));
                if new.len() >= MAX_AT_ONCE {
                    self.looked_at = self.looked_at.map(|_| (idle_since, id));
                    break;
                }
            }
        }
        new
    }
}

/// Returns the first [`MAX_LOOKED_AT`] turns in their order, and whether there are more.
fn first(turns: impl Iterator<Item = Turn>) -> (Vec<Turn>, bool) {
    let (mut kept, mut are_more) = (BinaryHeap::with_capacity(MAX_LOOKED_AT + 1), false);
    for turn in turns {
        if kept.len() == MAX_LOOKED_AT {
            are_more = true;
            if kept.peek().is_none_or(|last| *last <= turn) {
                continue;
            }
            kept.pop();
        }
        kept.push(turn);
    }
    (kept.into_sorted_vec(), are_more)
}

impl<'a> Map<'a> {
    fn new(
        state: &'a DispatchState,
        rates: &[AreaRate],
        eta: &'a dyn Eta,
        now: DateTime<Utc>,
        sent: Vec<(MechanicId, Point)>,
    ) -> Self {
        let mut calls: BTreeMap<Area, Vec<(CategoryId, f64)>> = BTreeMap::new();
        for rate in rates {
            calls.entry(rate.area).or_default().push((rate.category_id, rate.per_s * 3600.0));
        }
        let (mut areas, mut by_cell) = (Vec::new(), BTreeMap::<Cell, Vec<usize>>::new());
        for (area, calls) in calls {
            by_cell.entry(area.centre().cell()).or_default().push(areas.len());
            areas.push(Demanding { centre: area.centre(), calls });
        }
        Self { state, eta, now, areas, by_cell, servers: HashMap::new(), sent }
    }

    fn advice(&mut self, id: MechanicId, supply: &Supply) -> Option<Advice> {
        let around = self.around(supply);
        around.iter().for_each(|area| self.find_servers(*area));
        let here = self.worth(id, supply, supply.point, &around);
        let mut best: Option<(f64, usize, u32)> = None;
        for area in around.iter().take(MAX_PLACES) {
            let centre = self.areas[*area].centre;
            let drive_s = self.eta.estimate(supply.point, centre, self.now).eta_s;
            if drive_s > LONGEST_DRIVE_S || supply.point.distance_m(centre) <= NEAR_M {
                continue;
            }
            let saved = self.worth(id, supply, centre, &around) - here;
            let is_worth_it =
                saved > BETTER * here && saved * UNTIL_NEXT_JOB_H > SAVED_PER_S * f64::from(drive_s);
            if is_worth_it && best.is_none_or(|(most, ..)| saved > most) {
                best = Some((saved, *area, drive_s));
            }
        }
        let (_, area, drive_s) = best?;
        let centre = self.areas[area].centre;
        Some(Advice {
            centre,
            radius_m: AREA_RADIUS_M,
            drive_s,
            here: self.surroundings(id, supply, supply.point, &around),
            there: self.surroundings(id, supply, centre, &around),
            until: self.now + TimeDelta::seconds(i64::from(drive_s)) + STAY,
        })
    }

    /// Returns the areas in this mechanic's part of the world, those with the most calls for them first.
    fn around(&self, supply: &Supply) -> Vec<usize> {
        let near = supply.point.cell().neighbourhood().filter_map(|cell| self.by_cell.get(&cell)).flatten();
        let mut around: Vec<(f64, usize)> =
            near.map(|area| (self.areas[*area].calls_for(&supply.categories), *area)).collect();
        around.retain(|(calls, _)| *calls > 0.0);
        around.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        around.truncate(MAX_AREAS);
        around.into_iter().map(|(_, area)| area).collect()
    }

    /// Finds the mechanics who would serve an area's calls, by category.
    fn find_servers(&mut self, area: usize) {
        if self.servers.contains_key(&area) {
            return;
        }
        let Demanding { centre, calls } = &self.areas[area];
        let mut servers: BTreeMap<CategoryId, Vec<(f64, MechanicId)>> =
            calls.iter().map(|(category, _)| (*category, Vec::new())).collect();
        let near = self.state.near(true, *centre, FARTHEST_M).take(MAX_OTHERS);
        let waiting = near.map(|(id, mechanic)| (id, mechanic.supply.point));
        let sent = self.sent.iter().filter(|(_, to)| to.distance_m(*centre) <= FARTHEST_M).copied();
        for (id, from) in waiting.chain(sent) {
            let Some(supply) = self.state.supply(id) else { continue };
            if from.distance_m(*centre) > supply.radius_m {
                continue;
            }
            let way_s = f64::from(self.eta.estimate(from, *centre, self.now).eta_s).max(WITHIN_AREA_S);
            for (category, servers) in &mut servers {
                if supply.categories.contains(category) {
                    servers.push((way_s, id));
                }
            }
        }
        for servers in servers.values_mut() {
            servers.sort_by(|(a, i), (b, j)| a.total_cmp(b).then(i.cmp(j)));
            servers.truncate(REMEMBERED);
        }
        self.servers.insert(area, servers);
    }

    /// Counts the mechanic at the place, too, from now on.
    fn send(&mut self, id: MechanicId, supply: &Supply, to: Point) {
        self.sent.push((id, to));
        for (area, servers) in &mut self.servers {
            let centre = self.areas[*area].centre;
            if to.distance_m(centre) > supply.radius_m {
                continue;
            }
            let way_s = f64::from(self.eta.estimate(to, centre, self.now).eta_s).max(WITHIN_AREA_S);
            for (_, servers) in
                servers.iter_mut().filter(|(category, _)| supply.categories.contains(category))
            {
                let place = servers.partition_point(|(other_s, _)| *other_s <= way_s);
                servers.insert(place, (way_s, id));
                servers.truncate(REMEMBERED);
            }
        }
    }

    /// Returns the seconds that customers of these areas save per hour because the mechanic waits at the place.
    fn worth(&self, id: MechanicId, supply: &Supply, place: Point, around: &[usize]) -> f64 {
        let saved = around.iter().filter_map(|area| {
            let Demanding { centre, calls } = &self.areas[*area];
            if place.distance_m(*centre) > supply.radius_m {
                return None;
            }
            let way_s = f64::from(self.eta.estimate(place, *centre, self.now).eta_s).max(WITHIN_AREA_S);
            let servers = self.servers.get(area)?;
            let own = calls.iter().filter(|(category, _)| supply.categories.contains(category));
            let saved = own.map(|(category, per_hour)| {
                let others = servers.get(category).into_iter().flatten();
                let nearest_s = others.filter(|(_, other)| *other != id).map(|(way_s, _)| *way_s).next();
                per_hour * (nearest_s.unwrap_or(LATE_S).min(LATE_S) - way_s).max(0.0)
            });
            Some(saved.sum::<f64>())
        });
        saved.sum()
    }

    fn surroundings(&self, id: MechanicId, supply: &Supply, place: Point, around: &[usize]) -> Surroundings {
        let near = around.iter().map(|area| &self.areas[*area]);
        let near = near.filter(|area| area.centre.distance_m(place) <= AROUND_M);
        let calls_per_hour: f64 = near.map(|area| area.calls_for(&supply.categories)).sum();
        let others = self.state.near(true, place, AROUND_M).filter(|(other, mechanic)| {
            *other != id && !mechanic.supply.categories.is_disjoint(&supply.categories)
        });
        Surroundings { calls_per_hour, mechanics: others.take(MAX_OTHERS).count() }
    }
}

impl Demanding {
    fn calls_for(&self, categories: &BTreeSet<CategoryId>) -> f64 {
        let own = self.calls.iter().filter(|(category, _)| categories.contains(category));
        own.map(|(_, per_hour)| per_hour).sum()
    }
}
