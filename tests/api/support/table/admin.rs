use serde_json::json;

use super::{ADMIN, Row, SUPER_ADMIN, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/audit-log", ADMIN),
    row("GET /admin/live", ADMIN),
    row("GET /admin/stats", ADMIN),
    row("GET /admin/cluster", ADMIN),
    row("GET /admin/sla", ADMIN),
    row("GET /admin/heatmap", ADMIN),
    row("GET /super-admin/log-filter", SUPER_ADMIN),
    row("PUT /super-admin/log-filter", SUPER_ADMIN).body(|| json!({"filter": "off", "duration_s": 1})),
    row("DELETE /super-admin/log-filter", SUPER_ADMIN),
];
