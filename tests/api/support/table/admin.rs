use serde_json::{Value, json};

use super::{ADMIN, Row, SUPER_ADMIN, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/audit-log", ADMIN),
    row("GET /admin/live", ADMIN),
    row("GET /admin/stats", ADMIN),
    row("GET /admin/cluster", ADMIN),
    row("GET /admin/status", ADMIN),
    row("GET /admin/job-stop", ADMIN),
    row("PUT /admin/job-stop", ADMIN).body(job_stop),
    row("DELETE /admin/job-stop", ADMIN),
    row("GET /admin/sla", ADMIN),
    row("GET /admin/heatmap", ADMIN),
    row("GET /super-admin/log-filter", SUPER_ADMIN),
    row("PUT /super-admin/log-filter", SUPER_ADMIN).body(|| json!({"filter": "off", "duration_s": 1})),
    row("DELETE /super-admin/log-filter", SUPER_ADMIN),
];

/// Over before anybody could notice.
fn job_stop() -> Value {
    json!({"message": "The roads are flooded", "ends_at": "2020-01-01T00:00:00Z"})
}
