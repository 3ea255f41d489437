/// The maximum number of rings of a search, and the maximum radius of the last.
pub const MAX_RINGS: usize = 10;
pub const MAX_RING_KM: f64 = 500.0;
/// The maximum number of round widths in the settings; the last one holds for every later round.
pub const MAX_ROUND_WIDTHS: usize = 20;
/// The maximum number of simultaneous offers.
pub const MAX_ROUND_WIDTH: u32 = 50;

pub(super) const DAY_S: i64 = 86_400;
/// Ten years: a longer time is a typing error, and would overflow a date.
pub(super) const MAX_DAYS: i64 = 3650;
