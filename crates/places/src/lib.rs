//! Places by name, and the address at a point; `providers/places` asks a provider. `typed/` reads texts that name a point by
//! themselves. `requests/` asks people where they are.

mod actions;
mod context;
mod dto;
mod handlers;
mod requests;
mod typed;

use roadcall_http::Routes;

pub use context::{PlaceRequestLimits, PlacesContext};
pub use requests::{OPEN_FOR, sweep as sweep_requests};

pub fn routes(config: &mut Routes) {
    use requests::handlers as asked;
    config
        .service(handlers::search_places)
        .service(handlers::find_address)
        .service(asked::ask_for_place)
        .service(asked::get_asked_place)
        .service(asked::use_asked_place)
        .service(asked::open_place_request)
        .service(asked::share_place);
}
