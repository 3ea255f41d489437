//! The sources of estimates on the wire and in rows.

use roadcall_actors::eta::EtaSource;

use crate::wire::{DescribedEnum, Named};

/// The source of an estimate, by its name.
pub type EtaSourceName = Named<EtaSource>;

impl DescribedEnum for EtaSource {
    const SCHEMA: &'static str = "EtaSource";
    const DESCRIPTION: Option<&'static str> = Some(
        "The source of an estimate: the straight line or a router, `_learned` where the service's own trips corrected it.",
    );
}
