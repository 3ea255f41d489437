//! The protocols of OwnTracks and of OsmAnd, which Traccar Client speaks.

mod dto;

pub use dto::{OsmAndQuery, OwnTracksMessage, TraccarMessage, owntracks_setup_url, traccar_setup_url};
