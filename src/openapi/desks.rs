//! The desk that an admin needs for a route (docs/adr/0107), for the document. Handlers enforce it by their
//! signatures; a test compares this list with their behaviour. Other routes are open to every admin, to super-admins
//! alone, or to no admin.

use serde_json::{Value, json};

use crate::accounts::auth::desk::{self, AtDesk};

/// The tag of admins' operations. If one desk is needed, the desk's name follows.
const ADMIN: &str = "admin";

/// Adds `x-desks`, and a sentence with the same content; if the operation is for admins at one desk, the tag names
/// the desk.
pub(super) fn name_desks(method: &str, path: &str, operation: &mut Value) {
    let route = format!("{} {path}", method.to_uppercase());
    let Some((_, needed)) = ROUTES.iter().find(|(routes, _)| routes.contains(&route.as_str())) else {
        return;
    };
    if let ([desk], true) = (needed.desks, operation["tags"][0] == ADMIN) {
        operation["tags"][0] = json!(format!("{ADMIN}-{}", desk.as_str()));
    }
    operation["x-desks"] = json!({ (if needed.is_each { "each_of" } else { "one_of" }): needed.names() });
    let description = operation["description"].as_str().unwrap_or_default();
    let sentence = needed.sentence();
    let completed = if description.is_empty() { sentence } else { format!("{description}\n\n{sentence}") };
    operation["description"] = json!(completed);
}

struct Needed {
    desks: &'static [desk::Desk],
    is_each: bool,
}

const fn needed<D: AtDesk>() -> Needed {
    Needed { desks: D::DESKS, is_each: D::NEEDS_EACH }
}

impl Needed {
    fn names(&self) -> Vec<&'static str> {
        self.desks.iter().map(|desk| desk.as_str()).collect()
    }

    fn sentence(&self) -> String {
        match self.names().as_slice() {
            [one] => format!("For admins at the {one} desk."),
            _ if self.is_each => "For admins who are at every desk.".to_owned(),
            [firsts @ .., last] => {
                format!("For admins at one of these desks: {} or {last}.", firsts.join(", "))
            }
            [] => "For no desk.".to_owned(),
        }
    }
}

const ROUTES: &[(&[&str], Needed)] = &[
    (
        &[
            "GET /admin/callbacks",
            "POST /admin/callbacks/{job_id}/done",
            "GET /admin/fleet",
            "POST /admin/jobs/{id}/assign",
            "POST /admin/jobs/{id}/cancel",
            "GET /admin/jobs/{id}/cancellation-quote",
            "GET /admin/jobs/{id}/candidates",
            "POST /admin/jobs/{id}/reassign",
            "POST /admin/jobs/{id}/retry",
            "POST /admin/jobs/{id}/shares",
            "POST /admin/place-requests",
            "GET /admin/place-requests/{id}",
            "POST /admin/place-requests/{id}/use",
            "POST /admin/users/{id}/jobs",
            "POST /admin/users/{id}/jobs/estimate",
            "POST /admin/users/{id}/vehicles",
        ],
        needed::<desk::Dispatch>(),
    ),
    (
        &[
            "GET /admin/chargebacks",
            "GET /admin/disputes",
            "POST /admin/jobs/{id}/decide-no-show",
            "POST /admin/jobs/{id}/decide-tow",
            "POST /admin/jobs/{id}/resolve",
            "POST /admin/jobs/{id}/waive-fee",
            "GET /admin/no-shows",
            "GET /admin/parked-payments",
            "POST /admin/parked-payments/{id}/dismiss",
            "POST /admin/parked-payments/{id}/refund",
            "GET /admin/payments",
            "GET /admin/refunds",
            "POST /admin/refunds/{id}/mark-paid",
            "GET /admin/settlements",
            "POST /admin/settlements/run",
            "POST /admin/settlements/{id}/mark-paid",
            "GET /admin/tow-reviews",
            "GET /admin/wallet/upi",
            "GET /admin/webhook-events",
            "POST /admin/webhook-events/{id}/dismiss",
            "POST /admin/webhook-events/{id}/replay",
            "GET /admin/withdrawals",
            "POST /admin/withdrawals/{id}/mark-failed",
            "POST /admin/withdrawals/{id}/mark-paid",
            "POST /payments/{id}/refunds",
            "POST /wallet/upi/{upiAccountId}/approve",
            "POST /wallet/upi/{upiAccountId}/reject",
        ],
        needed::<desk::Money>(),
    ),
    (
        &[
            "GET /admin/grievances",
            "GET /admin/grievances/{id}",
            "POST /admin/grievances/{id}/answer",
            "GET /admin/mechanic-changes",
            "POST /admin/mechanic-changes/{id}/approve",
            "POST /admin/mechanic-changes/{id}/reject",
            "POST /admin/mechanics/{id}/reinstate",
            "POST /admin/mechanics/{id}/reject",
            "POST /admin/mechanics/{id}/suspend",
            "POST /admin/mechanics/{id}/verify",
            "GET /admin/ratings",
            "DELETE /admin/ratings/{id}",
            "GET /admin/users/{id}/consent",
            "PUT /admin/users/{id}/job-limit",
            "POST /admin/users/{id}/reinstate",
            "POST /admin/users/{id}/suspend",
        ],
        needed::<desk::People>(),
    ),
    (
        &[
            "GET /admin/privacy-notices",
            "GET /admin/cluster",
            "PUT /admin/config/dispatch",
            "GET /admin/failed-pushes",
            "GET /admin/status",
            "GET /admin/workshops",
            "POST /admin/workshops",
            "DELETE /admin/workshops/{id}",
            "PATCH /admin/workshops/{id}",
            "POST /service-categories",
            "DELETE /service-categories/{id}",
            "PATCH /service-categories/{id}",
        ],
        needed::<desk::Settings>(),
    ),
    (
        &[
            "GET /admin/jobs",
            "GET /admin/jobs/{id}",
            "GET /admin/jobs/{id}/dispatch",
            "GET /admin/mechanics",
            "GET /admin/mechanics/{id}",
            "GET /admin/users",
            "GET /admin/users/{id}",
            "GET /admin/users/{id}/unpaid-fees",
            "GET /admin/users/{id}/vehicles",
        ],
        needed::<desk::Cases>(),
    ),
    (&["POST /admin/users"], needed::<desk::Callers>()),
    (
        &[
            "GET /admin/config/dispatch",
            "GET /admin/config/dispatch/versions",
            "GET /admin/dispatch/prices",
            "GET /admin/dispatch/roster",
            "GET /admin/dispatch/roster/picture",
            "GET /admin/dispatch/switchback",
            "DELETE /admin/job-stop",
            "PUT /admin/job-stop",
        ],
        needed::<desk::Tuning>(),
    ),
    (&["GET /admin/audit-log"], needed::<desk::Every>()),
];
