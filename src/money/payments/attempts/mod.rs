//! The known attempts of a payment, each as far as it came.

pub(super) mod queries;
