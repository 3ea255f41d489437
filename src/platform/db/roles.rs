//! The two roles of a database: its owner, who migrates it, and the service, which may do what its work needs.

use std::fmt;

use sqlx::postgres::PgConnectOptions;

/// How to reach a database as each of them; the same one twice where the operator has set up no other.
#[derive(Clone)]
pub struct DbRoles {
    pub owner: PgConnectOptions,
    pub service: PgConnectOptions,
}

impl DbRoles {
    /// One role for everything.
    pub(super) fn same(connect: PgConnectOptions) -> Self {
        Self { owner: connect.clone(), service: connect }
    }

    /// The service's role, if it is not the owner's.
    pub(super) fn restricted(&self) -> Option<&str> {
        let (owner, service) = (self.owner.get_username(), self.service.get_username());
        (owner != service).then_some(service)
    }
}

/// By hand, because the ways to connect may hold passwords.
impl fmt::Debug for DbRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbRoles").field("restricted", &self.restricted()).finish_non_exhaustive()
    }
}
