//! Settlements: what a mechanic earned in a period, added up once. An earning belongs to the period in which it was
//! made, and carries the settlement that counted it: none is counted twice. What went back of it until then is taken
//! off; what goes back later is the ledger's alone.

mod dto;
mod handlers;
mod queries;

pub use dto::SettlementStatus;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_my_settlements)
        .service(handlers::get_settlement)
        .service(handlers::list_settlements)
        .service(handlers::run_settlements)
        .service(handlers::mark_settlement_paid);
}
