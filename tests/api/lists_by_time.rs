//! Lists can be limited to a period.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{Client, bodies::id_of, document, listed::Listed};

/// Lists with `from` and `to`, and the field that these compare.
const OF_CUSTOMERS: [(&str, &str); 3] =
    [("/jobs", "created_at"), ("/payments", "created_at"), ("/notifications", "created_at")];
const OF_MECHANICS: [(&str, &str); 4] = [
    ("/wallet/transactions", "at"),
    ("/wallet/withdrawals", "requested_at"),
    ("/wallet/settlements", "created_at"),
    ("/wallet/disputes", "created_at"),
];
/// Programs of partners read these.
const OF_PARTNERS: [(&str, &str); 3] = [
    ("/partner/bills", "decided_at"),
    ("/partner/cases", "created_at"),
    ("/partner/deliveries", "created_at"),
];
const OF_ADMINS: [(&str, &str); 25] = [
    ("/admin/audit-log", "at"),
    ("/admin/callbacks", "requested_at"),
    ("/admin/chargebacks", "created_at"),
    ("/admin/disputes", "created_at"),
    ("/admin/failed-pushes", "created_at"),
    ("/admin/grievances", "created_at"),
    ("/admin/jobs", "created_at"),
    ("/admin/mechanic-changes", "requested_at"),
    ("/admin/mechanics", "created_at"),
    ("/admin/no-shows", "created_at"),
    ("/admin/organisations", "created_at"),
    ("/admin/parked-payments", "seen_at"),
    ("/admin/partner-bills", "decided_at"),
    ("/admin/partner-cases", "created_at"),
    ("/admin/partner-deliveries", "created_at"),
    ("/admin/payments", "created_at"),
    ("/admin/ratings", "created_at"),
    ("/admin/refunds", "created_at"),
    ("/admin/settlements", "created_at"),
    ("/admin/tow-reviews", "created_at"),
    ("/admin/users", "created_at"),
    ("/admin/wallet/upi", "created_at"),
    ("/admin/webhook-events", "received_at"),
    ("/admin/withdrawals", "requested_at"),
    ("/admin/workshops", "created_at"),
];

#[test]
fn every_exported_list_takes_a_period_and_every_such_list_is_tested() {
    let tested = [&OF_CUSTOMERS[..], &OF_MECHANICS, &OF_PARTNERS, &OF_ADMINS].concat();
    for (template, method, operation) in document::operations() {
        let takes = |name: &str| {
            let mut parameters = operation["parameters"].as_array().into_iter().flatten();
            parameters.any(|parameter| parameter["name"] == name)
        };
        let is_narrowed = method == "GET" && takes("page") && takes("from") && takes("to");
        let is_exported = operation["responses"]["200"]["content"]["text/csv"].is_object();
        assert!(is_narrowed || !is_exported, "{template} takes no time");
        assert_eq!(
            is_narrowed,
            method == "GET" && tested.iter().any(|(list, _)| *list == template),
            "{template}"
        );
    }
}

#[actix_web::test]
async fn a_list_shows_only_rows_within_the_period() {
    let Listed { app, scene, admin, program } = Listed::start().await;
    let text = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let (before, after) = (text(app.now() - TimeDelta::hours(1)), text(app.now() + TimeDelta::hours(1)));
    let (customer, worker, admin): (&Client, &Client, &Client) =
        (&scene.customer, &scene.mechanic.client, &admin);
    let lists = [
        (customer, &OF_CUSTOMERS[..]),
        (worker, &OF_MECHANICS),
        (&program, &OF_PARTNERS),
        (admin, &OF_ADMINS),
    ];
    for (reader, list, field) in
        lists.iter().flat_map(|(reader, lists)| lists.iter().map(move |(list, field)| (*reader, list, field)))
    {
        let narrowed = async |query: &str| reader.get(&format!("{list}?limit=100&{query}")).await.expect(200);
        // Rows are compared by id: a searching job, or a wait in minutes, may differ from one page to the next.
        let shows = |page: &Value, row: &Value| {
            page["data"].as_array().expect("a list").iter().any(|shown| id_of(shown) == id_of(row))
        };
        let all = narrowed(&format!("from={before}&to={after}")).await;
        let row = &all["data"][0];
        let at = row[field].as_str().unwrap_or_else(|| panic!("{list} is empty, or has no {field}"));
        assert!(shows(&narrowed(&format!("from={at}")).await, row), "{list}: from is the first moment");
        assert!(!shows(&narrowed(&format!("to={at}")).await, row), "{list}: to is the first moment after");
        for nothing in [format!("from={after}"), format!("to={before}")] {
            let page = narrowed(&nothing).await;
            assert_eq!((&page["total"], &page["data"]), (&json!(0), &json!([])), "{list}?{nothing}");
        }
        for reversed in [format!("from={after}&to={before}"), format!("from={at}&to={at}")] {
            reader.get(&format!("{list}?{reversed}")).await.refused_field("to");
        }
        reader.get(&format!("{list}?from=yesterday")).await.refused_field("from");
        reader.get(&format!("{list}?to=tomorrow")).await.refused_field("to");
    }
}
