//! Feeds input from strangers to the code that reads it. Each module has one `check`, which takes any input and panics if a
//! promise does not hold. `script/fuzz` calls them with a fuzzer's inputs; the tests below, with small changes to `fuzz/seeds`.

pub mod frames;
pub mod json;
pub mod pictures;
pub mod tokens;
pub mod trackers;
pub mod values;
pub mod webhooks;

#[cfg(test)]
mod tests;
