//! The schema, and which programs it fits.
//!
//! During an upgrade two releases share one database: the new one migrates it at its start, as a standby, while the old one still
//! leads. So a migration only expands, and a later migration removes what is no longer needed, and names the releases that can do
//! without it (migrations/README.md).

use sqlx::{
    Connection, PgConnection, PgExecutor,
    migrate::{MigrateError, Migrator},
};

use super::{DbError, DbRoles, queries};

/// The migrations, embedded into the program; see `migrations/README.md` for their rules.
pub static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

/// How long a migration waits for a lock, including that of another server that is migrating the same database.
const MIGRATION_LOCK_TIMEOUT: &str = "60s";

/// How a database's schema fits this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    /// Everything that this program knows is applied, and later additions of a newer program do not disturb it.
    Fits,
    /// Something that this program needs is not applied.
    Older,
    /// A newer program has removed something that this one needs, with this migration.
    Contracted(i64),
}

impl Schema {
    /// Compares the schemas: `applied` has the number and description of each migration in the database, `known` the
    /// numbers of the program's own.
    fn judge(applied: &[(i64, String)], known: &[i64]) -> Self {
        let newest = known.iter().copied().max().unwrap_or(0);
        let spares_us = |description: &str| match contract_of(description) {
            Contract::Expands => true,
            Contract::Of(number) => number <= newest,
            Contract::Unreadable => false,
        };
        let mut unknown = applied.iter().filter(|(number, _)| !known.contains(number));
        if let Some((number, _)) = unknown.find(|(_, description)| !spares_us(description)) {
            return Schema::Contracted(*number);
        }
        let is_applied = |number: &i64| applied.iter().any(|(applied, _)| applied == number);
        if known.iter().all(is_applied) { Schema::Fits } else { Schema::Older }
    }
}

/// The effect of a migration, according to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contract {
    Expands,
    /// It removes something that programs which know this migration don't need.
    Of(i64),
    /// It claims to be a contract, but names no migration.
    Unreadable,
}

/// Reads `contract of 0031 drop the old column`, the description that comes from a file's name.
pub fn contract_of(description: &str) -> Contract {
    let mut words = description.split_whitespace();
    if words.next() != Some("contract") {
        return Contract::Expands;
    }
    match (words.next(), words.next().and_then(|number| number.parse().ok())) {
        (Some("of"), Some(number)) => Contract::Of(number),
        _ => Contract::Unreadable,
    }
}

/// Returns how the database's schema fits this program.
pub async fn schema(db: impl PgExecutor<'_>) -> sqlx::Result<Schema> {
    Ok(Schema::judge(&queries::applied_migrations(db).await?, &known()))
}

fn known() -> Vec<i64> {
    MIGRATOR.iter().map(|migration| migration.version).collect()
}

/// Brings the schema of that database up to date, as its owner, and lets the service's role use it. Refuses a database
/// from which a newer program has removed something that this one needs.
pub async fn migrate(roles: &DbRoles) -> Result<(), DbError> {
    let connect = roles
        .owner
        .clone()
        .application_name("roadcall migrate")
        .options([("statement_timeout", "0"), ("lock_timeout", MIGRATION_LOCK_TIMEOUT)]);
    let mut connection = PgConnection::connect_with(&connect).await.map_err(DbError::Unreachable)?;
    if queries::has_migrations(&mut connection).await.map_err(DbError::Unreachable)?
        && let Schema::Contracted(found) = schema(&mut connection).await.map_err(DbError::Unreachable)?
    {
        let known = known().into_iter().max().unwrap_or(0);
        return Err(DbError::DatabaseNewer { found, known });
    }
    // A newer program's additions do not disturb this one.
    let own = Migrator { migrations: MIGRATOR.migrations.clone(), ignore_missing: true, ..Migrator::DEFAULT };
    own.run(&mut connection).await.map_err(migration_error)?;
    if let Some(service) = roles.restricted() {
        queries::grant_to_service(&mut connection, service).await.map_err(DbError::Grant)?;
    }
    connection.close().await.map_err(DbError::Unreachable)
}

fn migration_error(error: MigrateError) -> DbError {
    match error {
        MigrateError::VersionMismatch(version) => DbError::MigrationChanged { version },
        error => DbError::Migrate(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_schema_fits_unless_it_lacks_what_this_program_needs() {
        let cases: [(&[(i64, &str)], Schema); 8] = [
            (&[(1, "people"), (2, "catalogue")], Schema::Fits),
            (&[(1, "people")], Schema::Older),
            (&[], Schema::Older),
            (&[(1, "people"), (2, "catalogue"), (3, "a new table")], Schema::Fits),
            (&[(1, "people"), (2, "catalogue"), (4, "contract of 0002 drop it")], Schema::Fits),
            (&[(1, "people"), (2, "catalogue"), (4, "contract of 0003 drop it")], Schema::Contracted(4)),
            (&[(1, "people"), (2, "catalogue"), (4, "contract the table")], Schema::Contracted(4)),
            (&[(1, "people"), (2, "contract of 0001 its own")], Schema::Fits),
        ];
        for (applied, expected) in cases {
            let rows: Vec<_> = applied.iter().map(|(number, name)| (*number, (*name).to_owned())).collect();
            assert_eq!(Schema::judge(&rows, &[1, 2]), expected, "{applied:?}");
        }
    }
}
