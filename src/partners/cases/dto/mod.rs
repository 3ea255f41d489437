//! Cases on the wire.

mod lists;
mod new_case;
mod shown;

pub use lists::{AdminCaseEntry, CaseEntry};
pub use new_case::{
    CancelAccountJob, CaseContact, CasePlace, ExtendPromise, NewCase, NewCaseJob, NewCasePlace,
    ChosenVehicle, NewCaseContact, NewCaseVehicle, NewHelpedPerson, RefusePromise, VehicleFacts,
};
pub use shown::{AccountJobPosition, HelpedPerson, PartnerCase, PartnerItem, PartnerJob};
