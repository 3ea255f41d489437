//! Jobs over HTTP: created by customers, served by mechanics, overseen by admins.
//!
//! The engine's state machine decides what may happen to a job (`actors/src/job`). The actions on a job are in `actions/`, and
//! those on a part of it in `corrections/`, `line_items/` and `towing/`; handlers (`handlers/`, by caller) and sockets call
//! these. Below them: `overview/` (all jobs, for admins), `dto/` (the wire), `shown.rs`, `view.rs` and `people/` (what each reader sees),
//! `events.rs` (the log as it is read), `summary.rs` (what offers show), `pricing.rs` and `supply.rs` (what a job costs, and who
//! could come), `outlook/` (how long it may take), `on_account/` (jobs that an organisation orders and pays), `callbacks/` (customers who ask for a call), `checks/` (what a new job is checked
//! against), `in_vain.rs` (customers who call and cancel), `log/` (how a job changes), `step.rs` and `repeats/` (steps that are sent
//! again), `lookup.rs` (jobs for other areas), `row.rs` (a job's row, column by column), `remembered.rs` (a job that need not be read
//! again), `queries.rs`. This file
//! only shows what other areas use: files within this area name each other.

pub mod actions;
pub mod callbacks;
mod checks;
mod coarsening;
mod context;
pub mod corrections;
mod dto;
mod events;
mod handlers;
mod in_vain;
pub mod job_hook;
pub mod line_items;
pub mod log;
mod lookup;
mod nearing;
pub mod on_account;
pub mod outlook;
mod overview;
mod owned;
mod people;
mod pricing;
pub(crate) mod queries;
mod remembered;
mod repeats;
mod row;
mod settings;
mod shown;
mod step;
mod summary;
mod supply;
pub mod towing;
mod view;
mod viewer;
mod visibility;

pub use crate::wire::refused;
pub use actions::{MechanicIds, keep_room, sweep_free_cancellations};
pub use callbacks::{CallbackStatus, JobCallback, OpenCallbacks};
pub use coarsening::{coarsen_places, has_exact_places, rounded};
pub use context::JobsContext;
pub use dto::{
    ActorKind, CancelReason, CancelReasonCode, ConcernFilter, ContactPreference, EtaSource, Job, JobConcern,
    JobPhoto, JobStatus, ListRole, MechanicLeft, NewJob, Outcome, PhotoStage, Urgency,
};
pub use events::{JobEvent, Subject, events_since, first_visible_seq, newest_seqs, present_logged};
pub use in_vain::KnownBy;
pub use line_items::LineItem;
pub use lookup::{
    active_of_mechanic, active_of_mechanics, find, lock, newest_line_items, newest_photos, of_person,
    row_after,
};
pub use nearing::{NearMechanics, notify_near};
pub use outlook::{LongSearches, Outlook, WaitReason};
pub use owned::{ViewedJob, find_as};
pub use people::{
    ContactPerson, ContactRole, ContactWay, JobContact, JobVehicle, forget_case, forget_in_logs,
    forget_person,
};
pub use queries::{JobEventRow, JobRow};
pub use remembered::{RememberedJob, find_row, find_seen, has_event};
pub use repeats::{job_once, once};
pub use settings::{FeeSettings, JobSettings};
pub use step::JobStep;
pub use summary::{PrivateDescription, offered_description};
pub use towing::{JobDestination, roughly as roughly_to};
pub use view::{is_long_past, is_rough, present};
pub use viewer::{Viewer, check_desk, viewer_of};
pub use visibility::JobVisibility;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    use handlers::{admin, customer, mechanic, read};
    use overview::handlers as overview;
    config
        .service(customer::estimate_job)
        .service(customer::create_job)
        .service(customer::cancel_job)
        .service(customer::quote_cancellation)
        .service(customer::retry_job)
        .service(read::list_jobs)
        .service(read::get_job)
        .service(read::get_job_timeline)
        .service(read::list_job_photos)
        .configure(callbacks::routes)
        .configure(corrections::routes)
        .configure(line_items::routes)
        .configure(towing::routes)
        .service(mechanic::start_driving)
        .service(mechanic::navigate_elsewhere)
        .service(mechanic::take_back_job)
        .service(mechanic::list_my_lost_jobs)
        .service(mechanic::arrive)
        .service(mechanic::start_work)
        .service(mechanic::complete_work)
        .service(mechanic::release_job)
        .service(mechanic::report_no_show)
        .service(mechanic::add_job_photo)
        .service(mechanic::delete_job_photo)
        .service(overview::list_all_jobs)
        .service(overview::get_any_job)
        .service(admin::estimate_job_of_user)
        .service(admin::create_job_of_user)
        .service(admin::quote_any_cancellation)
        .service(admin::assign_job)
        .service(admin::reassign_job)
        .service(admin::retry_any_job)
        .service(admin::cancel_any_job);
}
