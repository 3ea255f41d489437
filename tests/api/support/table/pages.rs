use super::{PUBLIC, Row, row};

pub const ROWS: &[Row] = &[row("GET /config", PUBLIC)];
