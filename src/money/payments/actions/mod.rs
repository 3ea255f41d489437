//! The actions on payments: by customers, mechanics and admins, the gateway and the workers.

pub mod cash;
pub mod fees;
pub mod free_jobs;
pub mod gateway;
pub mod orders;
pub mod parked;
pub mod refunds;
pub mod webhooks;
