use super::{PUBLIC, Row, row};

pub const ROWS: &[Row] = &[row("GET /openapi.json", PUBLIC), row("GET /asyncapi.json", PUBLIC)];
