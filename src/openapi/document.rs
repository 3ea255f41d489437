use std::{collections::BTreeSet, sync::OnceLock};

use actix_web::{App, http::Method, web::Bytes};
use serde_json::Value;
use utoipa::OpenApi;
use utoipa_actix_web::AppExt;

use super::{asyncapi, complete, old_paths, secrets};
use crate::{
    http::{ListFormat, RouteTable, Routes, Text},
    jobs::{CallbackStatus, ConcernFilter, ListRole},
    money::payments::ReceiptFormat,
    platform::{
        error::{Code, ErrorBody, ErrorDetail},
        settings::CoreSettings,
    },
};

const METHODS: [(&str, Method); 5] = [
    ("get", Method::GET),
    ("post", Method::POST),
    ("put", Method::PUT),
    ("patch", Method::PATCH),
    ("delete", Method::DELETE),
];

#[derive(Debug, OpenApi)]
#[openapi(
    info(title = "roadcall"),
    // The last are used only by parameters, and the collector overlooks those.
    components(schemas(ErrorBody, ErrorDetail, Code, ListRole, ConcernFilter, CallbackStatus, ReceiptFormat, ListFormat, Text<2, 100>, Text<2, 1000>))
)]
struct ApiDoc;

/// The finished document, the socket's document, and the table of the routes that it names.
#[derive(Debug)]
pub struct Document {
    declared: &'static Declared,
    /// The document as a service with these settings serves it, made at the first request.
    served: OnceLock<Bytes>,
    /// The AsyncAPI document, made at the first request.
    of_socket: OnceLock<Bytes>,
}

/// The part that follows from the code alone, and is the same for every service in this process.
#[derive(Debug)]
struct Declared {
    value: Value,
    routes: RouteTable,
    /// The GETs whose answers hold no secret.
    open: BTreeSet<String>,
}

static DECLARED: OnceLock<Declared> = OnceLock::new();

impl Declared {
    /// Collects the declarations that `routes` registers and completes them.
    fn collect(routes: fn(&mut Routes)) -> Self {
        let (_app, declared) = App::new()
            .into_utoipa_app()
            .openapi(ApiDoc::openapi())
            .configure(|config| routes(&mut Routes::Document(config)))
            .split_for_parts();
        let mut value = serde_json::to_value(declared).expect("a document of strings and numbers is JSON");
        complete::complete(&mut value);
        old_paths::list(&mut value);
        let (routes, open) = (RouteTable::new(templates(&value)), secrets::open_answers(&value));
        Self { value, routes, open }
    }
}

impl Document {
    /// Builds the document of `routes`, which is the same for every service in this process.
    pub fn generate(routes: fn(&mut Routes)) -> Self {
        let declared = DECLARED.get_or_init(|| Declared::collect(routes));
        Self { declared, served: OnceLock::new(), of_socket: OnceLock::new() }
    }

    /// Returns the document of all routes that there can be.
    pub fn value(&self) -> &'static Value {
        &self.declared.value
    }

    /// Returns the document as a service with these settings serves it: in production, only production's routes, at
    /// its public address.
    pub fn served(&self, settings: &CoreSettings, has_own_provider: bool) -> Bytes {
        let make = || {
            if !settings.is_production() {
                return Bytes::from(self.value().to_string());
            }
            let mut value = self.value().clone();
            complete::narrow(&mut value, |path| is_served(path, has_own_provider));
            value["servers"] = complete::servers(&settings.server.public_url);
            Bytes::from(value.to_string())
        };
        self.served.get_or_init(make).clone()
    }

    /// Returns the AsyncAPI document of the socket and of streams, for a service that clients reach at `public_url`.
    pub fn of_socket(&self, public_url: &str) -> Bytes {
        let made = || Bytes::from(asyncapi::generate(self.value(), public_url).to_string());
        self.of_socket.get_or_init(made).clone()
    }

    /// Returns whether the answer to the GET of this template holds no secret, so that it may be compressed.
    pub fn holds_no_secret(&self, template: &str) -> bool {
        self.declared.open.contains(template)
    }

    pub fn routes(&self) -> &'static RouteTable {
        &self.declared.routes
    }
}

/// Returns whether production serves a path.
fn is_served(path: &str, has_own_provider: bool) -> bool {
    let is_below =
        |place: &str| path == place || path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    let is_for_developers = ["/sandbox", "/demo", "/metrics"].into_iter().any(is_below);
    !is_for_developers && (has_own_provider || !is_below("/idp"))
}

fn templates(document: &Value) -> Vec<(String, Vec<Method>)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods = |item: &Value| {
        let declared = METHODS.into_iter().filter(|(name, _)| item.get(name).is_some());
        declared.map(|(_, method)| method).collect()
    };
    paths.map(|(template, item)| (template.clone(), methods(item))).collect()
}
