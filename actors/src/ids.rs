//! Ids. Each kind is a type of its own, so that they can't be mixed up.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A person: customer, mechanic or admin.
    UserId
    /// A mechanic's profile.
    MechanicId
    JobId
    OfferId
    VehicleId
    CategoryId
    LineItemId
    /// An app that sends a mechanic's positions while the screen is off.
    TrackerId
    /// A command. The id tells a reload whether the command's commit happened.
    CommandId
}
