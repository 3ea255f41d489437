//! A sketch of the demo city answers.

use super::{Row, SIGNED_IN, row};

pub const ROWS: &[Row] = &[row("GET /places", SIGNED_IN), row("GET /places/reverse", SIGNED_IN)];
