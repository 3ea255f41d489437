mod checking;
mod making;
mod restoring;

pub use checking::check;
pub use making::{Made, NewBackup, make_beside, newest};
pub use restoring::{Compared, Restored, Restoring, release_payouts, restore};
