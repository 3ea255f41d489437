//! The story that the examples tell: in the morning of 14 March 2026 Asha's scooter has a flat tyre on MG Road in
//! Bengaluru, and Ravi comes to mend it. The types' own examples show the job as Asha sees it once Ravi has accepted;
//! here is what each operation changes about that.

use serde_json::{Value, json};

const JOB: &str = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const OFFER: &str = "019ceb77-7340-7b20-9e32-6d1f5aab2d01";
const PAYMENT: &str = "019ceb77-7340-7b20-9e32-6d1f5aab3a01";
const NOTIFICATION: &str = "019ceb78-2da0-7b20-9e32-6d1f5aab4a01";
const REFUND: &str = "019ceb77-7340-7b20-9e32-6d1f5aab3b01";
const WEBHOOK_EVENT: &str = "019ceb77-7340-7b20-9e32-6d1f5aab3c01";
const ASHA: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01";
/// Signed in as an admin.
const MEERA: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b03";
/// Invited as an admin.
const KIRAN: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b05";
const INVITE: &str = "019ceb77-7340-7b20-9e32-6d1f5aab4a01";
const SCOOTER: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a1c01";
const RAVIS_PROFILE: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01";
const ASHAS_SESSION: &str = "019ceb77-7340-7a10-8d21-5c0e4f9a1f01";
const DISPUTE: &str = "019ceba1-2c80-7b20-9e32-6d1f5aab2f11";
/// A line item of the job.
const VALVE: &str = "019ceb7f-8aa0-7b20-9e32-6d1f5aab2b01";
const UPI_ACCOUNT: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a2101";
const WITHDRAWAL: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a2201";
const SETTLEMENT: &str = "019b7876-a4c0-7a10-8d21-5c0e4f9a2301";
/// A photo of the tyre.
const UPLOAD: &str = "019ceb76-f000-7b20-9e32-6d1f5aab5a01";
const RATING: &str = "019cebb0-1f40-7b20-9e32-6d1f5aab4101";
const CALL: &str = "019ceb7a-1c20-7b20-9e32-6d1f5aab4301";
const SHARE_LINK: &str = "019ceb79-0a10-7b20-9e32-6d1f5aab4201";
const FLAT_TYRE: &str = "018f0000-0000-7000-8000-000000000001";

/// The id that stands in a path as `{name}`.
pub(super) fn path_id(path: &str, name: &str) -> Option<&'static str> {
    match name {
        "item_id" => Some(VALVE),
        "share_id" => Some(SHARE_LINK),
        _ => id_below(path),
    }
}

fn id_below(path: &str) -> Option<&'static str> {
    let ids = [
        ("/admin/jobs/", JOB),
        ("/admin/mechanics/", RAVIS_PROFILE),
        ("/admin/webhook-events/", WEBHOOK_EVENT),
        ("/admin/ratings/", RATING),
        ("/admin/refunds/", REFUND),
        ("/admin/users/", ASHA),
        ("/super-admin/users/", KIRAN),
        ("/super-admin/invites/", INVITE),
        ("/auth/sessions/", ASHAS_SESSION),
        ("/calls/", CALL),
        ("/jobs/", JOB),
        ("/mechanics/", RAVIS_PROFILE),
        ("/offers/", OFFER),
        ("/notifications/", NOTIFICATION),
        ("/payments/", PAYMENT),
        ("/wallet/refunds/", PAYMENT),
        ("/wallet/settlements/", SETTLEMENT),
        ("/admin/settlements/", SETTLEMENT),
        ("/wallet/upi/", UPI_ACCOUNT),
        ("/wallet/withdrawals/", WITHDRAWAL),
        ("/service-categories/", FLAT_TYRE),
        ("/uploads/", UPLOAD),
        ("/vehicles/", SCOOTER),
        ("/wallet/disputes/", DISPUTE),
    ];
    ids.iter().find(|(prefix, _)| path.starts_with(prefix)).map(|(_, id)| *id)
}

/// A parameter of the query whose name tells what it is.
pub(super) fn parameter(name: &str) -> Option<Value> {
    match name {
        "page" => Some(json!(1)),
        "limit" => Some(json!(20)),
        "since_seq" => Some(json!(0)),
        "before_seq" => Some(json!(40)),
        "q" => Some(json!("asha")),
        "service_category_id" => Some(json!(FLAT_TYRE)),
        "ticket" => Some(json!("Yk3Rr0dQ5mV8sT1xW7zB2nC4pL6hJ9gFaEuIoDqXyZ0")),
        _ => None,
    }
}

/// The fields in which an operation's answer differs from its type's example; null where in none.
pub(super) fn differs(operation: &str, status: &str) -> Value {
    match (operation, status) {
        ("health_ready", "503") => json!({"status": "not_ready", "checks": {
            "database": "can't be reached", "migrations": "ok", "recovery": "ok", "engine": "ok", "draining": "ok",
        }}),
        ("admin_login", "200") => json!({"userId": MEERA, "role": "admin"}),
        ("accept_invite", "200") => json!({"userId": KIRAN, "role": "admin"}),
        ("list_admins" | "change_role", "200") => json!({"id": KIRAN, "phone": null, "name": null,
            "email": "kiran@example.com", "role": "admin", "email_verified": true, "language": "en"}),
        ("suspend_user", "200") => {
            json!({"status": "suspended", "suspension_reason": "Repeated false calls for help",
                "updated_at": "2026-03-15T10:00:00.000Z"})
        }
        ("create_service_category", "201") => json!({
            "id": "019ceb77-7340-7c30-8f43-7e2a6bbc3d01", "name": "Chain repair", "slug": "chain-repair",
            "description": "A loose or broken chain put right.", "vehicle_types": ["two_wheeler"],
            "base_price": 249.5, "icon_url": "https://files.example.com/icons/chain.png", "offer_ttl_s": 20,
            "rings_km": [3.0, 5.0, 8.0], "round_widths": [2, 4], "sort_order": 7,
            "created_at": "2026-03-14T08:00:00.000Z", "updated_at": "2026-03-14T08:00:00.000Z",
        }),
        ("update_service_category", "200") => {
            json!({"base_price": 319.5, "offer_ttl_s": 25, "updated_at": "2026-03-15T10:00:00.000Z"})
        }
        ("update_vehicle", "200") => {
            json!({"color": "blue", "year": 2023, "updated_at": "2026-03-15T10:00:00.000Z"})
        }
        ("amend_line_item", "200") => json!({"unit_price": 90.0, "total": 90.0}),
        ("approve_line_item", "200") => json!({"status": "approved"}),
        ("reject_line_item", "200") => json!({"status": "rejected"}),
        ("dispute_my_job", "201") => {
            json!({"opened_by": "mechanic", "reason_code": "not_paid", "evidence_urls": [],
            "description": "The customer says that it was paid in cash; it was not"})
        }
        ("decline_offer", "200") => json!({"status": "declined"}),
        ("accept_call", "200") => json!({"status": "accepted", "answered_at": "2026-03-14T08:34:01.000Z",
            "expires_at": "2026-03-14T09:34:01.000Z"}),
        ("reject_call", "200") => json!({"status": "rejected", "end_reason": "declined", "expires_at": null,
            "ended_at": "2026-03-14T08:34:01.000Z"}),
        ("end_call", "200") => json!({"status": "ended", "end_reason": "callee_hung_up", "expires_at": null,
            "answered_at": "2026-03-14T08:34:01.000Z", "ended_at": "2026-03-14T08:35:12.400Z", "duration_s": 71}),
        ("add_upi_account", "201") => json!({"verification_status": "pending", "name_at_bank": null,
            "name_match_score": null, "updated_at": "2026-01-01T07:30:00.000Z"}),
        ("approve_upi_account", "200") => json!({"verification_status": "manually_approved",
            "name_at_bank": "R K TYRES", "name_match_score": 45}),
        ("reject_upi_account", "200") => {
            json!({"verification_status": "rejected", "name_at_bank": "SURESH BABU",
            "name_match_score": 0, "rejection_reason": "registered to somebody else"})
        }
        ("get_withdrawal" | "list_withdrawals", "200") => {
            json!({"status": "processed", "utr": "600412345678",
            "settled_at": "2026-01-04T07:31:10.000Z"})
        }
        ("mark_settlement_paid", "200") => json!({"status": "paid", "reference": "NEFT N004260001234",
            "paid_at": "2026-01-08T09:00:00.000Z"}),
        _ => profile(operation).or_else(|| job(operation)).unwrap_or_default(),
    }
}

fn profile(operation: &str) -> Option<Value> {
    let fields = match operation {
        "register_mechanic" => {
            json!({"status": "pending_verification", "is_available": false, "avg_rating": 0.0,
            "total_ratings": 0, "total_jobs": 0, "updated_at": "2026-01-01T07:30:00.000Z"})
        }
        "verify_mechanic" => {
            json!({"is_available": false, "avg_rating": 0.0, "total_ratings": 0, "total_jobs": 0,
            "updated_at": "2026-01-02T05:00:00.000Z"})
        }
        "reject_mechanic" => json!({"status": "rejected", "is_available": false, "avg_rating": 0.0,
            "total_ratings": 0, "total_jobs": 0, "updated_at": "2026-01-02T05:00:00.000Z",
            "rejection_reason": "The photo of the certificate is not readable"}),
        "suspend_mechanic" => json!({"status": "suspended", "is_available": false}),
        "reinstate_mechanic" => json!({"is_available": false}),
        "update_my_mechanic_profile" => json!({"service_radius_km": 15}),
        "list_mechanics" => json!({"documents": null}),
        _ => return None,
    };
    Some(fields)
}

/// The job as the operation leaves it. The start code is the customer's alone, and gone once the work has started.
fn job(operation: &str) -> Option<Value> {
    let fields = match operation {
        "create_job" => {
            json!({"status": "pending", "seq": 1, "mechanic_profile_id": null, "start_code": null,
            "accepted_at": null, "promised_at": null, "updated_at": "2026-03-14T08:30:00.000Z"})
        }
        "accept_offer" | "assign_job" | "get_any_job" | "list_all_jobs" => json!({"start_code": null}),
        "release_job" | "reassign_job" | "retry_job" => json!({"status": "dispatching", "seq": 4,
            "mechanic_profile_id": null, "start_code": null, "accepted_at": null, "promised_at": null,
            "updated_at": "2026-03-14T08:31:40.000Z"}),
        "cancel_job" => cancelled("found_other_help", "A neighbour had a pump"),
        "cancel_any_job" => cancelled("admin", "The mechanic does not answer the phone"),
        "start_driving" => on_the_road(json!({"status": "en_route", "seq": 4,
            "updated_at": "2026-03-14T08:31:00.000Z"})),
        "arrive" => {
            on_the_road(json!({"status": "arrived", "seq": 5, "arrived_at": "2026-03-14T08:36:40.000Z",
            "updated_at": "2026-03-14T08:36:40.000Z"}))
        }
        "start_work" => on_the_road(json!({"status": "in_progress", "seq": 6,
            "arrived_at": "2026-03-14T08:36:40.000Z", "started_at": "2026-03-14T08:38:05.000Z",
            "updated_at": "2026-03-14T08:38:05.000Z"})),
        "complete_work" => on_the_road(json!({"status": "completed", "seq": 7,
            "arrived_at": "2026-03-14T08:36:40.000Z", "started_at": "2026-03-14T08:38:05.000Z",
            "completed_at": "2026-03-14T08:59:30.000Z", "updated_at": "2026-03-14T08:59:30.000Z",
            "outcome": "fixed", "outcome_notes": "Puncture repaired, the tyre holds its pressure",
            "final_price": 299.0})),
        "resolve_dispute" => on_the_road(json!({"status": "resolved", "seq": 9,
            "arrived_at": "2026-03-14T08:36:40.000Z", "started_at": "2026-03-14T08:38:05.000Z",
            "completed_at": "2026-03-14T08:59:30.000Z", "disputed_at": "2026-03-14T09:20:00.000Z",
            "resolved_at": "2026-03-15T10:00:00.000Z", "updated_at": "2026-03-15T10:00:00.000Z",
            "outcome": "fixed", "outcome_notes": "Puncture repaired, the tyre holds its pressure",
            "final_price": 299.0})),
        "report_no_show" => on_the_road(json!({"status": "cancelled", "seq": 6, "cancellation_fee": 150.0,
            "cancel_reason_code": "customer_no_show", "arrived_at": "2026-03-14T08:36:40.000Z",
            "cancelled_at": "2026-03-14T08:47:00.000Z", "updated_at": "2026-03-14T08:47:00.000Z"})),
        _ => return None,
    };
    Some(fields)
}

fn cancelled(reason_code: &str, reason: &str) -> Value {
    json!({"status": "cancelled", "seq": 4, "start_code": null, "cancellation_fee": 0.0,
        "cancel_reason_code": reason_code, "cancel_reason": reason,
        "cancelled_at": "2026-03-14T08:31:40.000Z", "updated_at": "2026-03-14T08:31:40.000Z"})
}

/// As Ravi sees it, who has set out.
fn on_the_road(mut fields: Value) -> Value {
    fields["start_code"] = Value::Null;
    fields["en_route_at"] = json!("2026-03-14T08:31:00.000Z");
    fields
}
