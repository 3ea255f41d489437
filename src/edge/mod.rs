//! The layers that every request passes before a handler, and the answers that need no handler.
//!
//! | file | what |
//! | --- | --- |
//! | `requests.rs` | the outermost layer: request id, a task for each request, headers, measurements |
//! | `old_paths.rs` | sends requests by old paths on to the new ones |
//! | `connections.rs` | how many connections are open, and from where |
//! | `hosts.rs` | in development, only this machine's names |
//! | `cors.rs` | which other origins' pages may call from a browser |
//! | `rate_limit.rs` | 429 beyond a user's or an address's quota |
//! | `reads.rs` | records in the audit log what admins read about people |
//! | `compress.rs` | lists, exports and documents in fewer bytes |
//! | `work.rs` | the kind of work of each route |
//! | `overload.rs` | 503 if a request could only wait |
//! | `missing.rs` | 404 and 405 for what no route serves |
//! | `health/`, `metrics.rs` | liveness, readiness and metrics |
//! | `standby.rs` | what a server answers while another one leads |

mod compress;
mod connections;
mod context;
mod cors;
pub mod health;
mod hosts;
pub mod metrics;
mod missing;
mod old_paths;
mod overload;
mod rate_limit;
mod reads;
mod request_span;
mod requests;
pub mod standby;
mod work;

pub use compress::compress;
pub use connections::Connections;
pub use context::EdgeContext;
pub use cors::cors;
pub use hosts::refuse_other_names;
pub use missing::{no_such_route, refuse_other_methods};
pub use old_paths::follow_old_paths;
pub use overload::shed_load;
pub use rate_limit::limit_rate;
pub use reads::{AUDITED_READS, record_reads};
pub use request_span::RequestSpan;
pub use requests::edge;
pub use work::RouteWork;
