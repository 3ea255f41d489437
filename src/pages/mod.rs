//! The web apps: their files at the root (`/`, `/home/…`, `/customer/…`, `/mechanic/…`, `/console/…`), and the map below them.
//!
//! | file | what |
//! | --- | --- |
//! | `basemap.rs` | the streets under the map |
//! | `files.rs` | where the files are: in this program, or in a folder |
//! | `handlers.rs` | which path is which file |
//! | `serving.rs` | how a file is answered: caching, compression, headers |
//! | `policy.rs` | what a browser lets pages do |
//!
//! None of it is in the OpenAPI document, uses the database or counts as a request of the interface: opening an app
//! takes dozens of files. `GET /config` is a route like others, and all that an app needs to know before anyone signs in.

mod basemap;
mod dto;
mod files;
mod handlers;
mod policy;
mod serving;

pub use files::AppFiles;
pub use serving::{prefers_page, share_page};

use std::{ops::Deref, sync::Arc};

use actix_web::{
    HttpRequest,
    guard::Get,
    web::{self, Data, ServiceConfig},
};

use crate::platform::core::Core;
use policy::PageHeaders;

/// The apps, by the first segment of their paths and their folder.
const APPS: [&str; 4] = ["home", "customer", "mechanic", "console"];

/// What pages need.
#[derive(Debug, Clone)]
pub struct PagesContext {
    pub core: Core,
    files: Arc<AppFiles>,
    headers: Arc<PageHeaders>,
    demo_available: bool,
    /// What pages subscribe to pushes with.
    push_key: Arc<str>,
    sent_of_map: basemap::SentBytes,
}

impl Deref for PagesContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl PagesContext {
    pub fn new(core: &Core, files: AppFiles, demo_available: bool, push_key: &str) -> Self {
        let headers = Arc::new(PageHeaders::of(&core.settings));
        Self {
            core: core.clone(),
            files: Arc::new(files),
            headers,
            demo_available,
            push_key: push_key.into(),
            sent_of_map: basemap::SentBytes::default(),
        }
    }

    /// How to get the apps; `None` if they are there.
    pub async fn missing_apps(&self) -> Option<&'static str> {
        self.files.missing().await
    }

    /// The context behind a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app.rs gives every request this context")
    }
}

pub fn routes(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
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
