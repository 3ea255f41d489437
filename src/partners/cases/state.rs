//! The words of cases. Pure.

use crate::http::text_enum;

text_enum! {
    /// The kind of place where a vehicle stands.
    LocationType {
        Garage = "garage",
        Basement = "basement",
        Roadside = "roadside",
        Highway = "highway",
        Home = "home",
        Other = "other",
    }
}

text_enum! {
    /// The wheels that are driven, by which a tow truck is chosen.
    DriveType { Front = "front", Rear = "rear", All = "all", }
}
