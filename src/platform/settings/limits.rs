/// Rings of a search, and how far the last may reach.
pub const MAX_RINGS: usize = 10;
pub const MAX_RING_KM: f64 = 500.0;
/// Widths that may be given; the last holds for every later round.
pub const MAX_ROUND_WIDTHS: usize = 20;
/// Offers at once.
pub const MAX_ROUND_WIDTH: u32 = 50;

pub(super) const DAY_S: i64 = 86_400;
/// Ten years: anything longer is a typing error, and would overflow a date.
pub(super) const MAX_DAYS: i64 = 3650;
