//! Contracts with organisations: how long they are valid, what they cover, and the agreed terms of each kind of help.
//!
//! The shares in a job's price are computed in `jobs/on_account/cover.rs`, since the rules of a job need it; a contract's rows become
//! its types here.

mod actions;
mod admin;
mod audited;
mod dto;
mod handlers;
mod queries;
mod state;

pub use actions::{not_offered, offered, unknown_contract};
pub use queries::{ContractRow, TermsRow, find, terms_of};
pub use state::{ApprovalDefault, BeneficiaryText, NotCovered, PricingRule};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_my_contracts)
        .service(handlers::check_coverage)
        .service(admin::list_contracts)
        .service(admin::create_contract)
        .service(admin::end_contract);
}
