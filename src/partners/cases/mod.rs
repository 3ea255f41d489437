//! Breakdowns that organisations report, with the jobs that they take.
//!
//! | where | what |
//! | --- | --- |
//! | `actions/` | cases and jobs are made, and jobs cancelled; promises and extra work are decided, by partners or by the clock |
//! | `checks/` | what a new case names, read at once |
//! | `ending/` | cases are closed, and forget whom they were about |
//! | `showing.rs` | what partners and admins see of a case and its jobs |
//! | `documents/` | files that partners add to a case |
//! | `fleet/` | the vehicles and the drivers of an organisation |
//! | `report/` | how well the service serves an organisation |
//! | `owned.rs` | who may name a case, a job or extra work in a path |
//!
//! A job of a case is a job like any other, ordered by `Actor::Partner` in the name of the organisation's account. What it has
//! besides is in `jobs/on_account` (docs/adr/0153-cases-and-promises.md).

mod actions;
mod audited;
mod checks;
mod documents;
mod dto;
mod ending;
mod fleet;
mod handlers;
mod owned;
mod queries;
mod report;
mod showing;
mod state;

pub use actions::{create_job, decide_due, note_missed, offer};
pub use dto::{
    AdminPartnerCase, CaseContact, CasePlace, NewCase, NewCaseJob, PartnerCase, VehicleFacts, Vin,
};
pub use ending::forget_people;
pub use owned::JobOfCase;
pub use queries::{CaseRow, find, first_job, of_job};
pub use showing::{case as shown, to_admin as shown_to_admin};
pub use state::{DriveType, LocationType};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    use handlers::{admin, cases, jobs, links, steps};
    config
        .service(cases::create_case)
        .service(cases::list_cases)
        .service(cases::get_case_by_reference)
        .service(cases::get_case)
        .service(cases::close_case)
        .service(cases::create_case_job)
        .service(jobs::get_case_job)
        .service(jobs::list_case_job_photos)
        .service(jobs::locate_case_job)
        .service(jobs::cancel_case_job)
        .service(jobs::retry_case_job)
        .service(links::share_case_job)
        .service(steps::accept_promise)
        .service(steps::refuse_promise)
        .service(steps::approve_case_item)
        .service(steps::reject_case_item)
        .service(admin::list_partner_cases)
        .service(admin::get_partner_case)
        .service(admin::extend_promise)
        .service(fleet::handlers::list_fleet)
        .service(fleet::handlers::import_fleet)
        .service(fleet::handlers::add_fleet_vehicle)
        .service(fleet::drivers::handlers::list_fleet_drivers)
        .service(fleet::drivers::handlers::import_fleet_drivers)
        .service(fleet::drivers::handlers::add_fleet_driver)
        .service(fleet::drivers::handlers::delete_fleet_driver)
        .service(documents::handlers::announce_case_file)
        .service(documents::handlers::add_case_document)
        .service(documents::handlers::list_case_documents)
        .service(documents::handlers::delete_case_document)
        .service(documents::handlers::list_partner_case_documents)
        .service(report::handlers::get_report);
}
