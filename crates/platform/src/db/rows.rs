//! Rows whose columns are closed lists of values: a value that the code does not know is an error that names the row.

use sqlx::{Error, FromRow, Row, postgres::PgRow};
use uuid::Uuid;

/// A row of a table, or of a query over it.
pub trait StoredRow: for<'r> FromRow<'r, PgRow> {
    /// The table, for error messages.
    const TABLE: &'static str;
    /// The column that names the row.
    const KEY: &'static str = "id";
}

/// Reads a row, for [`sqlx::query::Query::try_map`]. A value that its column's type does not know is an error with the table, the
/// row's key and the value, so that no row is misread.
pub fn read<T: StoredRow>(row: PgRow) -> sqlx::Result<T> {
    T::from_row(&row).map_err(|error| match error {
        Error::ColumnDecode { index, source } => {
            let id = row.try_get::<Uuid, _>(T::KEY).map(|key| key.to_string());
            let key = id.or_else(|_| row.try_get(T::KEY)).unwrap_or_else(|_| "unknown".to_owned());
            Error::Decode(format!("{} {key}: {index}: {source}", T::TABLE).into())
        }
        other => other,
    })
}
