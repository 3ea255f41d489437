//! The two roles of a database: its owner, who migrates it, and the service, which may do what its work needs.

use std::fmt;

use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

/// How long other maintenance of a table may take before an owner's statement gives up.
const LOCK_WAIT: &str = "30s";

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

    /// Does what only the owner may, on a connection of its own, outside a transaction and without a limit of time.
    pub async fn as_owner<T>(
        &self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let connect = self.owner.clone().application_name("roadcall maintenance");
        let connect = connect.options([("statement_timeout", "0"), ("lock_timeout", LOCK_WAIT)]);
        let mut owner = PgConnection::connect_with(&connect).await?;
        let done = work(&mut owner).await;
        owner.close().await?;
        done
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
