use super::{PUBLIC, Row, row};

pub const ROWS: &[Row] =
    &[row("GET /health", PUBLIC), row("GET /health/ready", PUBLIC), row("GET /metrics", PUBLIC)];
