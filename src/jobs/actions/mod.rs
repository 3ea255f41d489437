//! The actions on a job. `corrections/`, `line_items/`, `callbacks/` and `people/` have their own.
//!
//! An action takes ids and checked values, never a request: handlers, sockets and workers call it alike. Its result is the
//! job's row.

mod booking;
mod cancelling;
mod photos;
mod searching;
mod serving;

pub use booking::{AskedHelp, JobBooking, create, estimate, estimate_help, first_shape};
pub use cancelling::{
    CancelRequest, cancel, cancel_by_admin, cancel_on_account, free_cancellations, quote_cancellation,
    quote_cancellation_by_admin, sweep_free_cancellations,
};
pub use photos::{add_photo, delete_photo, photo};
pub(super) use searching::check_taken;
pub use searching::{assign, reassign, search_again};
pub use serving::{
    MechanicIds, WorkDone, arrive, complete, keep_room, navigate, release, report_no_show, start_driving,
    start_work, take_back,
};
