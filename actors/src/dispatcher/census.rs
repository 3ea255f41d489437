//! Counts mechanics by cell and skills. Pure.
//!
//! Prices are made from these counts. They are updated with each report, because counting a million mechanics every
//! minute would block the dispatcher for a second.

use std::collections::BTreeMap;

use super::pricing::{Price, Prices, Skills};
use crate::{geo::Cell, messages::Supply};

/// The mechanics of one cell who can do the same.
#[derive(Debug, Clone)]
pub struct Group {
    pub cell: Cell,
    pub skills: Skills,
    pub online: usize,
    pub free: usize,
    /// The price of each one's time.
    pub price: Price,
}

/// A slot in the census, valid while its group has members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupId(u32);

#[derive(Debug, Default)]
pub struct Census {
    /// An empty group keeps its slot for reuse.
    groups: Vec<Group>,
    by_key: BTreeMap<(Cell, Skills), GroupId>,
    empty: Vec<GroupId>,
}

impl Census {
    /// Counts a mechanic in, at the price of their group or else at the one in `prices`.
    pub fn enter(&mut self, supply: &Supply, prices: &Prices) -> GroupId {
        let key = (supply.point.cell(), Skills::of(supply));
        let id = match self.by_key.get(&key) {
            Some(id) => *id,
            None => self.open(key, prices),
        };
        let group = &mut self.groups[id.0 as usize];
        group.online += 1;
        group.free += usize::from(supply.is_free);
        id
    }

    /// Counts a mechanic out who was free or not.
    pub fn leave(&mut self, id: GroupId, was_free: bool) {
        let group = &mut self.groups[id.0 as usize];
        group.online -= 1;
        group.free -= usize::from(was_free);
        if group.online == 0 {
            self.by_key.remove(&(group.cell, group.skills.clone()));
            self.empty.push(id);
        }
    }

    /// Notes that a mechanic of the group becomes free or engaged.
    pub fn set_free(&mut self, id: GroupId, was_free: bool, is_free: bool) {
        let group = &mut self.groups[id.0 as usize];
        group.free = group.free + usize::from(is_free) - usize::from(was_free);
    }

    pub fn price(&self, id: GroupId) -> Price {
        self.groups[id.0 as usize].price
    }

    pub fn skills(&self, id: GroupId) -> &Skills {
        &self.groups[id.0 as usize].skills
    }

    /// Takes over new prices.
    pub fn set_prices(&mut self, prices: &Prices) {
        for group in &mut self.groups {
            group.price = prices.price(group.cell, &group.skills);
        }
    }

    /// Returns the groups with mechanics in them, in order of cell and skills.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.by_key.values().map(|id| &self.groups[id.0 as usize])
    }

    fn open(&mut self, (cell, skills): (Cell, Skills), prices: &Prices) -> GroupId {
        let price = prices.price(cell, &skills);
        let group = Group { cell, skills: skills.clone(), online: 0, free: 0, price };
        let id = match self.empty.pop() {
            Some(id) => {
                self.groups[id.0 as usize] = group;
                id
            }
            None => {
                self.groups.push(group);
                GroupId((self.groups.len() - 1) as u32)
            }
        };
        self.by_key.insert((cell, skills), id);
        id
    }
}
