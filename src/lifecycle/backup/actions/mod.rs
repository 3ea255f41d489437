mod checking;
mod decrypting;
mod encrypting;
mod making;
mod placing;
mod proving;
mod restoring;

pub use checking::check;
pub use encrypting::{find_age, try_age};
pub use making::{KeptBackups, Made, NewBackup, kept, make_beside};
pub use proving::{ProofKind, note, proven};
pub use restoring::{Compared, Restored, Restoring, hold_payouts, release_payouts, restore};
