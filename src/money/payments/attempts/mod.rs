//! The known attempts of a payment, each with its latest known status.

pub(super) mod queries;
