//! What strangers send, given to the code that reads it. Each module has one `check`, which takes any input and panics if what must hold
//! does not. `script/fuzz` calls them with what a fuzzer makes; the tests below, with small changes to `fuzz/seeds`.

pub mod frames;
pub mod json;
pub mod pictures;
pub mod tokens;
pub mod trackers;
pub mod values;
pub mod webhooks;

#[cfg(test)]
mod tests;
