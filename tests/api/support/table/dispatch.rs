use serde_json::{Value, json};

use super::{CASES, DISPATCH, Row, SETTINGS, TUNING, jobs::OPEN_JOB, row};

pub const ROWS: &[Row] = &[
    row("GET /admin/jobs/{id}/dispatch", CASES).of(OPEN_JOB),
    row("GET /admin/jobs/{id}/candidates", DISPATCH).of(OPEN_JOB),
    row("GET /admin/config/dispatch", TUNING),
    row("GET /admin/dispatch/prices", TUNING),
    row("GET /admin/dispatch/switchback", TUNING),
    row("GET /admin/dispatch/roster", TUNING),
    row("GET /admin/dispatch/roster/picture", TUNING),
    row("GET /admin/fleet", DISPATCH),
    row("PUT /admin/config/dispatch", SETTINGS).body(dispatch_settings),
    row("GET /admin/config/dispatch/versions", TUNING),
];

fn dispatch_settings() -> Value {
    json!({"version": 0, "settings": {
        "rings_km": [2.0, 4.0], "round_widths": [1, 2], "max_rounds": 5, "offer_ttl_s": 15, "attempt_ttl_s": 120,
        "urgent_first_round": 2, "window_ms": 400, "unserved_s": 3600, "waiting_weight_s_per_min": 5,
        "highway_bonus_s": 200, "accident_bonus_s": 500, "refusal_weight_s": 30, "idle_weight_s_per_min": 2,
        "mechanic_prices": true, "worth_s": 1800, "in_time_s": 2400, "late_percent": 20, "eta_sigma": 0.3,
        "price_window_s": 1800, "hold_accidents": true, "advice_after_s": 60,
    }})
}
