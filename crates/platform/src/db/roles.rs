//! The two roles of a database: its owner, who migrates it, and the service, which may do what its work needs.

use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

/// How long other maintenance of a table may take before an owner's statement gives up.
const LOCK_WAIT: &str = "30s";

/// How to reach a database as each role; both are the same if the operator has not set up a second one.
#[derive(derive_more::Debug, Clone)]
// The connect options may hold passwords.
#[debug("DbRoles {{ restricted: {:?}, .. }}", self.restricted())]
pub struct DbRoles {
    pub owner: PgConnectOptions,
    pub service: PgConnectOptions,
}

impl DbRoles {
    /// Uses one role for everything.
    pub(super) fn same(connect: PgConnectOptions) -> Self {
        Self { owner: connect.clone(), service: connect }
    }

    /// Does work that only the owner may do, on a separate connection, outside a transaction and without a time limit.
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

    /// Returns the service's role, if it differs from the owner's.
    pub(super) fn restricted(&self) -> Option<&str> {
        let (owner, service) = (self.owner.get_username(), self.service.get_username());
        (owner != service).then_some(service)
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, raw_sql};

    use crate::db::{queries, testing::fresh_database};

    #[tokio::test]
    async fn a_role_that_can_become_a_superuser_may_run_programs() {
        let database = fresh_database().await;
        let mut tx = database.db.begin().await.expect("a transaction");
        if !queries::is_superuser(&mut tx).await.expect("asked") {
            // On a server that is not the tests' own, nobody may make roles.
            return;
        }
        // Roles are shared by a server's databases, but nobody else sees those of a transaction that is never committed.
        let prefix = format!("test_{}", std::process::id());
        let superuser = database.roles().owner.get_username().to_owned();
        let make = format!(
            "create role {prefix}_ordinary nologin nosuperuser;
            create role {prefix}_member nologin nosuperuser in role \"{superuser}\";
            create role {prefix}_distant nologin nosuperuser noinherit in role {prefix}_member;
            create role {prefix}_writer nologin nosuperuser in role pg_write_server_files;
            create role {prefix}_maker nologin nosuperuser createrole"
        );
        raw_sql(AssertSqlSafe(make)).execute(&mut *tx).await.expect("roles");
        let old = sqlx::query_scalar("select current_setting('server_version_num')::integer < 160000");
        let is_old: bool = old.fetch_one(&mut *tx).await.expect("a version");
        let cases =
            [("ordinary", false), ("member", true), ("distant", true), ("writer", true), ("maker", is_old)];
        for (role, may) in cases {
            let become_it = format!("set local role {prefix}_{role}");
            raw_sql(AssertSqlSafe(become_it)).execute(&mut *tx).await.expect("another role");
            assert_eq!(queries::may_run_programs(&mut tx).await.expect("asked"), may, "{role}");
        }
    }
}
