use serde_json::{Value, json};

use super::{ANY_DESK, EVERY_DESK, Row, SETTINGS, SUPER_ADMIN, TUNING, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/audit-log", EVERY_DESK),
    row("GET /admin/live", ANY_DESK),
    row("GET /admin/stats", ANY_DESK),
    row("GET /admin/cluster", SETTINGS),
    row("GET /admin/status", SETTINGS),
    row("GET /admin/job-stop", ANY_DESK),
    row("PUT /admin/job-stop", TUNING).body(job_stop),
    row("DELETE /admin/job-stop", TUNING),
    row("GET /admin/sla", ANY_DESK),
    row("GET /admin/heatmap", ANY_DESK),
    row("GET /super-admin/log-filter", SUPER_ADMIN),
    row("PUT /super-admin/log-filter", SUPER_ADMIN).body(|| json!({"filter": "off", "duration_s": 1})),
    row("DELETE /super-admin/log-filter", SUPER_ADMIN),
];

/// Returns a stop that ended long ago, so that nobody notices it.
fn job_stop() -> Value {
    json!({"message": "The roads are flooded", "ends_at": "2020-01-01T00:00:00Z"})
}
