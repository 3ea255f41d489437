//! Mechanics: who they are, what they serve, and whether they may.

mod state;

pub use state::{Command, Event, IllegalMove, MechanicStatus, Standing};
