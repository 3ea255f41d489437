//! What spans areas: closing an account, suspending a mechanic, exporting a person's data.

pub mod export;
