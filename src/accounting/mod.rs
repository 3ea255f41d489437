//! The books: what customers owe, and the double entry behind every amount.

pub mod dues;
pub mod ledger;
