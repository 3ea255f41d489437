//! The web apps: their files at the root (`/`, `/home/…`, `/customer/…`, `/mechanic/…`, `/console/…`, `/partners/…`), and
//! the map below them. What begins with `/partner/` belongs to the interface.
//!
//! | file | what |
//! | --- | --- |
//! | `basemap.rs` | the streets under the map |
//! | `sent_bytes.rs` | how much of that map was sent to each address |
//! | `branding.rs` | the name and the icons of the operator |
//! | `facts.rs` | the facts about the service that apps need before anyone signs in |
//! | `files.rs` | the location of the files: in this program, or in a folder |
//! | `handlers.rs` | which path leads to which file |
//! | `serving.rs` | how a file is answered: caching, compression, headers |
//! | `job_stop.rs` | the stop of new jobs, as pages show it |
//! | `notice.rs` | which privacy notice is in force |
//! | `policy.rs` | the security policy of the pages |
//!
//! The pages are not in the OpenAPI document, do not use the database, and do not count as requests of the interface: opening an
//! app takes dozens of files. `GET /config` is an ordinary route with everything that an app needs to know before anyone signs
//! in.

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
const APPS: [&str; 5] = ["home", "customer", "mechanic", "console", "partners"];

pub fn routes(config: &mut crate::Routes) {
    config.service(handlers::app_config);
}

/// Registers the pages, only at the root.
pub fn page_routes(config: &mut ServiceConfig) {
    let page = || web::route().guard(Get());
    config.route("/", page().to(handlers::root));
    config.route(basemap::PATH, page().to(handlers::basemap_file));
    for app in APPS {
        config.route(&format!("/{app}"), page().to(handlers::to_app));
        config.route(&format!("/{app}/{{file:.*}}"), page().to(handlers::app_file));
    }
}

/// Returns whether a path belongs to the pages, whether it exists or not.
pub fn is_page(path: &str) -> bool {
    let first = path.strip_prefix('/').map(|rest| rest.split('/').next().unwrap_or_default());
    ["/", basemap::PATH].contains(&path) || first.is_some_and(|first| APPS.contains(&first))
}
