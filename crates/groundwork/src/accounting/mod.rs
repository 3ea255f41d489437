//! The books: the dues of customers, and the double entry behind every amount.

pub mod dues;
pub mod ledger;
