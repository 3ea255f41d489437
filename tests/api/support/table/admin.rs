use super::{ADMIN, Row, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/audit-log", ADMIN),
    row("GET /admin/live", ADMIN),
    row("GET /admin/stats", ADMIN),
    row("GET /admin/cluster", ADMIN),
    row("GET /admin/sla", ADMIN),
    row("GET /admin/heatmap", ADMIN),
];
