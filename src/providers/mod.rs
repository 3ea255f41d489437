//! The outside world, one folder each: the trait and its promises, the embedded default, the real one.

pub mod identity;
pub mod routing;
pub mod sms;
