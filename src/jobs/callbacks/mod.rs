//! Requests to be called: a customer whose search takes long asks for a call, and an admin calls.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs` | when a customer may ask, and what admins read about the wait (pure) |
//! | `actions.rs` | asking, withdrawing, closing, and what ends by itself |
//! | `handlers.rs` | the customer asks, or withdraws |
//! | `admin.rs` | the queue of open requests, and how one is closed |
//! | `shown.rs` | the request with its job |
//! | `measuring.rs` | how many are open, for `/metrics` |
//!
//! A request is open until an admin has closed it or a mechanic has accepted the job. The acceptance is read from the job's row,
//! so no transition writes anything here; a mechanic who gives the job back opens the request again.

mod actions;
mod admin;
mod dto;
mod handlers;
mod measuring;
mod queries;
mod shown;
mod state;

pub use actions::{count_open, forget_customer, sweep};
pub use dto::{CallbackStatus, JobCallback};
pub use measuring::OpenCallbacks;
pub(super) use queries::CallbackRow;
pub use shown::of_job;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::request_callback)
        .service(handlers::withdraw_callback)
        .service(admin::list_callbacks)
        .service(admin::close_callback);
}
