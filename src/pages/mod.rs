//! The web apps: their files at the root (`/`, `/home/…`, `/customer/…`, `/mechanic/…`, `/console/…`), and the map below them.
//!
//! | file | what |
//! | --- | --- |
//! | `basemap.rs` | the streets under the map |
//! | `sent_bytes.rs` | how much of that map each address was sent |
//! | `branding.rs` | the name and the icons of the operator |
//! | `facts.rs` | the facts about the service that apps need before anyone signs in |
//! | `files.rs` | where the files are: in this program, or in a folder |
//! | `handlers.rs` | which path is which file |
//! | `serving.rs` | how a file is answered: caching, compression, headers |
//! | `job_stop.rs` | the stop of new jobs, as pages show it |
//! | `notice.rs` | which privacy notice holds |
//! | `policy.rs` | what a browser lets pages do |
//!
//! None of it is in the OpenAPI document, uses the database or counts as a request of the interface: opening an app
//! takes dozens of files. `GET /config` is a route like others, and all that an app needs to know before anyone signs in.

mod basemap;
mod branding;
mod colors;
mod context;
mod dto;
mod facts;
mod files;
mod handlers;
mod job_stop;
mod notice;
mod policy;
mod sent_bytes;
mod serving;
mod settings;

pub use context::PagesContext;
pub use dto::{
    AdminSignInConfig, AdminSignInKind, PaymentConfig, PaymentProvider, PlacesConfig, PrivacyContact,
    RulesConfig,
};
pub use facts::PageFacts;
pub use files::AppFiles;
pub use job_stop::{StopNotice, StopSource};
pub use notice::NoticeSource;
pub use serving::{prefers_page, share_page, where_page};
pub use settings::{MapSettings, SupportSettings};

use actix_web::{
    guard::Get,
    web::{self, ServiceConfig},
};

/// The apps, by the first segment of their paths and their folder.
const APPS: [&str; 4] = ["home", "customer", "mechanic", "console"];

pub fn routes(config: &mut crate::http::Routes) {
    config.service(handlers::app_config);
}

/// Registers the pages, at the root alone.
pub fn page_routes(config: &mut ServiceConfig) {
    let page = || web::route().guard(Get());
    config.route("/", page().to(handlers::root));
    config.route(basemap::PATH, page().to(handlers::basemap_file));
    for app in APPS {
        config.route(&format!("/{app}"), page().to(handlers::to_app));
        config.route(&format!("/{app}/{{file:.*}}"), page().to(handlers::app_file));
    }
}

/// Whether a path is one of the pages', whatever is there.
pub fn is_page(path: &str) -> bool {
    let first = path.strip_prefix('/').map(|rest| rest.split('/').next().unwrap_or_default());
    ["/", basemap::PATH].contains(&path) || first.is_some_and(|first| APPS.contains(&first))
}
