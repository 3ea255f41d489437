//! The people and the vehicle of a job: what each reader sees of them, and how they are forgotten.

mod actions;
mod dto;
mod queries;
mod shown;

pub use actions::{forget_case, forget_in_logs, forget_person};
pub use dto::{ContactPerson, ContactRole, ContactWay, JobContact, JobVehicle};
pub use shown::{contact, customer_first_name, may_contact, may_recognise, vehicle};
