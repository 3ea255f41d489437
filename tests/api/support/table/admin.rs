use super::{ANY_DESK, EVERY_DESK, Row, SETTINGS, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/audit-log", EVERY_DESK),
    row("GET /admin/live", ANY_DESK),
    row("GET /admin/stats", ANY_DESK),
    row("GET /admin/cluster", SETTINGS),
    row("GET /admin/sla", ANY_DESK),
    row("GET /admin/heatmap", ANY_DESK),
];
