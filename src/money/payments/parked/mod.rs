//! Money at the gateway that fits nothing of ours: admins see it, and it is never booked.

pub(super) mod queries;
