//! Commands that the tests of several binaries give.

use roadcall_actors::{
    ids::MechanicId,
    job::state::{Command, DropOff, Outcome},
};

/// Returns the command by which a mechanic completes a job, with nothing to say about it.
pub fn complete(mechanic_id: MechanicId) -> Command {
    Command::Complete {
        mechanic_id,
        outcome: Outcome::Fixed,
        notes: None,
        photo_urls: Vec::new(),
        received_by: None,
        drop_off: DropOff::default(),
    }
}
