/// The longest stretch.
pub const MAX_DAYS: i64 = 7;
/// The largest numbers that the simulator takes.
pub const MAX_JOBS: usize = 100_000;
pub const MAX_MECHANICS: usize = 5_000;
pub const MAX_ANSWERS: usize = 1_000_000;
pub const MAX_CATEGORIES: usize = 1_000;
