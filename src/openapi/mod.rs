//! The OpenAPI document: the handlers' declarations, completed by the rules that hold for all of them.
//!
//! A handler declares what is its own (body, answers, parameters, refusals); `complete.rs` adds everything that
//! follows from a rule, so that no handler can forget it. The document lists each path once; the copies under
//! `/api/v1` are its second server.

mod asyncapi;
mod complete;
mod document;
mod errors;
mod example_data;
mod examples;
mod fields;
mod handlers;
mod old_paths;
mod prose;
mod secrets;
mod shared;
mod versions;
mod webhooks;

pub use document::Document;
pub use versions::{INTERFACE_VERSION, SERVICE_VERSION};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::document).service(handlers::async_document);
    handlers::browser(config);
}
