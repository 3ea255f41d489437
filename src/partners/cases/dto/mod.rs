//! Cases on the wire.

mod lists;
mod new_case;
mod shown;

pub use lists::{AdminCaseEntry, CaseEntry};
pub use new_case::{
    CancelAccountJob, CaseContact, CasePlace, ChosenVehicle, ExtendPromise, NewCase, NewCaseContact,
    NewCaseJob, NewCasePlace, NewCaseVehicle, NewHelpedPerson, RefusePromise, VehicleFacts,
};
pub use shown::{AccountJobPosition, HelpedPerson, PartnerCase, PartnerItem, PartnerJob};
