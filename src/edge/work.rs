//! The kind of work of each route, which decides how it is admitted while there is too much work.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::Value;

use crate::platform::db::Work;

/// The requests that move a job on. Somebody waits for them on the road, and a refusal would keep the job's other work waiting.
const TRANSITIONS: [(Method, &str); 24] = [
    (Method::POST, "/offers/{id}/accept"),
    (Method::POST, "/offers/{id}/decline"),
    (Method::PUT, "/mechanics/me/availability"),
    (Method::POST, "/jobs/{id}/en-route"),
    (Method::POST, "/jobs/{id}/navigating"),
    (Method::POST, "/jobs/{id}/take-back"),
    (Method::POST, "/jobs/{id}/arrive"),
    (Method::POST, "/jobs/{id}/start"),
    (Method::POST, "/jobs/{id}/complete"),
    (Method::POST, "/jobs/{id}/release"),
    (Method::POST, "/jobs/{id}/no-show"),
    (Method::POST, "/jobs/{id}/cancel"),
    (Method::POST, "/jobs/{id}/line-items"),
    (Method::PATCH, "/jobs/{id}/line-items/{item_id}"),
    (Method::DELETE, "/jobs/{id}/line-items/{item_id}"),
    (Method::POST, "/jobs/{id}/line-items/{item_id}/approve"),
    (Method::POST, "/jobs/{id}/line-items/{item_id}/reject"),
    (Method::POST, "/payments/webhook"),
    (Method::POST, "/payments/verify"),
    (Method::POST, "/payments/{id}/cash-confirm"),
    (Method::POST, "/admin/jobs/{id}/assign"),
    (Method::POST, "/admin/jobs/{id}/reassign"),
    (Method::POST, "/admin/jobs/{id}/cancel"),
    (Method::POST, "/admin/jobs/{id}/resolve"),
];

/// Figures and exports; every route with pages is a list as well.
const LISTS: [&str; 8] = [
    "/users/me/export",
    "/admin/live",
    "/admin/stats",
    "/admin/sla",
    "/admin/dispatch/roster",
    "/admin/dispatch/roster/picture",
    "/admin/fleet",
    "/admin/heatmap",
];

const POSITIONS: [(Method, &str); 4] = [
    (Method::POST, "/mechanics/me/location"),
    (Method::POST, "/trackers/owntracks"),
    (Method::GET, "/trackers/osmand"),
    (Method::POST, "/trackers/osmand"),
];

/// The routes that are answered without the database, or, like readiness, in any state of the database.
const ALWAYS_ANSWERED: [&str; 11] = [
    "none",
    "/docs",
    "pages",
    "/health",
    "/health/ready",
    "/metrics",
    "/openapi.json",
    "/asyncapi.json",
    "/config",
    "/idp/.well-known/jwks.json",
    "/idp/.well-known/openid-configuration",
];

/// Sockets and streams wait for their turn: see `ws/openings.rs`.
const BY_TURNS: [&str; 2] = ["/ws", "/jobs/{id}/stream"];

/// How a request is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Always,
    InTurn,
    As(Work),
}

/// The kinds of all routes.
#[derive(Debug)]
pub struct RouteWork {
    /// The templates whose GET has pages.
    paged: BTreeSet<String>,
}

impl RouteWork {
    /// Reads from the OpenAPI document which routes have pages.
    pub fn of(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let paged = paths.filter(|(_, item)| has_pages(&item["get"])).map(|(template, _)| template.clone());
        Self { paged: paged.collect() }
    }

    pub(super) fn entry(&self, method: &Method, template: &str) -> Entry {
        if ALWAYS_ANSWERED.contains(&template) {
            return Entry::Always;
        }
        if BY_TURNS.contains(&template) {
            return Entry::InTurn;
        }
        Entry::As(self.work(method, template))
    }

    fn work(&self, method: &Method, template: &str) -> Work {
        match *method {
            _ if is_one_of(&POSITIONS, method, template) => Work::Position,
            Method::GET if LISTS.contains(&template) || self.paged.contains(template) => Work::List,
            Method::GET => Work::Single,
            _ if is_one_of(&TRANSITIONS, method, template) => Work::Transition,
            _ => Work::Single,
        }
    }
}

fn is_one_of(routes: &[(Method, &str)], method: &Method, template: &str) -> bool {
    routes.iter().any(|(own, route)| own == method && *route == template)
}

fn has_pages(operation: &Value) -> bool {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.into_iter().any(|parameter| parameter["name"] == "page")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{openapi::Document, routes};

    #[test]
    fn every_named_route_exists() {
        let document = Document::generate(routes::all);
        let exists = |method: &Method, route: &str| {
            document.routes().template(method, route).as_deref() == Some(route)
        };
        for (method, route) in TRANSITIONS.iter().chain(&POSITIONS) {
            assert!(exists(method, route), "{method} {route}");
        }
        let made_by_the_edge = ["none", "/docs", "pages"];
        let gets = LISTS.iter().chain(&BY_TURNS).chain(&ALWAYS_ANSWERED);
        for route in gets.filter(|route| !made_by_the_edge.contains(route)) {
            assert!(exists(&Method::GET, route), "GET {route}");
        }
    }

    #[test]
    fn each_route_has_its_kind_of_work() {
        let work = RouteWork::of(Document::generate(routes::all).value());
        let cases = [
            (Method::POST, "/offers/{id}/accept", Work::Transition),
            (Method::POST, "/jobs", Work::Single),
            (Method::GET, "/jobs", Work::List),
            (Method::GET, "/admin/users", Work::List),
            (Method::GET, "/users/me/export", Work::List),
            (Method::GET, "/jobs/{id}", Work::Single),
            (Method::GET, "/jobs/{id}/events", Work::Single),
            (Method::POST, "/mechanics/me/location", Work::Position),
            (Method::GET, "/trackers/osmand", Work::Position),
        ];
        for (method, route, expected) in cases {
            assert_eq!(work.entry(&method, route), Entry::As(expected), "{method} {route}");
        }
        assert_eq!(work.entry(&Method::GET, "/ws"), Entry::InTurn);
        assert_eq!(work.entry(&Method::GET, "/health/ready"), Entry::Always);
    }

    #[test]
    fn only_reads_have_pages() {
        let document = Document::generate(routes::all);
        for (template, item) in document.value()["paths"].as_object().expect("paths") {
            for method in ["post", "put", "patch", "delete"] {
                assert!(!has_pages(&item[method]), "{method} {template} would not be a list");
            }
        }
    }
}
