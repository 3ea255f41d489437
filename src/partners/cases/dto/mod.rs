//! Cases on the wire.

mod lists;
mod new_case;
mod shown;
mod vin;

pub use lists::{AdminCaseEntry, CaseEntry};
pub use new_case::{
    CancelAccountJob, CaseContact, CasePlace, ChosenVehicle, ExtendPromise, NewCase, NewCaseJob,
    NewCaseVehicle, RefusePromise, VehicleFacts,
};
pub use shown::{
    AccountJobPosition, AdminPartnerCase, PartnerCase, PartnerItem, PartnerJob, PartnerPhoto, UnlinkedPhoto,
};
pub use vin::Vin;
