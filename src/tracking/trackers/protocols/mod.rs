//! The protocols of OwnTracks and of OsmAnd, which Traccar Client speaks.

mod dto;
#[cfg(test)]
mod tests;

pub use dto::{
    OsmAndPosition, OwnTracksMessage, TraccarBody, TraccarMessage, TrackerFault, Unusable,
    owntracks_setup_url, token_in, traccar_setup_url,
};
