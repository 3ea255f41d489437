//! Rows whose columns are closed lists of values: a value that the code does not know is an error that names the row.

use sqlx::{Column, Decode, Error, FromRow, Postgres, Row, Type, postgres::PgRow};
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
    read_part(&row)
}

/// Reads a part of a row like [`read`].
pub fn read_part<T: StoredRow>(row: &PgRow) -> sqlx::Result<T> {
    T::from_row(row).map_err(|error| named(error, row, T::TABLE, T::KEY))
}

/// A row of a statement that lists its columns, which are read in that order. Finding each by its name would cost more than
/// decoding it.
pub trait OrderedRow: Sized {
    /// The table, for error messages.
    const TABLE: &'static str;

    fn in_order(columns: &mut Columns<'_>) -> sqlx::Result<Self>;
}

/// Reads a row like [`read`], column by column.
pub fn read_in_order<T: OrderedRow>(row: PgRow) -> sqlx::Result<T> {
    T::in_order(&mut Columns { row: &row, next: 0 }).map_err(|error| named(error, &row, T::TABLE, "id"))
}

/// The columns of a row that are not read yet.
#[derive(Debug)]
pub struct Columns<'r> {
    row: &'r PgRow,
    next: usize,
}

impl<'r> Columns<'r> {
    /// Reads the next column.
    pub fn read<T: Decode<'r, Postgres> + Type<Postgres>>(&mut self) -> sqlx::Result<T> {
        let value = self.row.try_get(self.next);
        self.next += 1;
        value
    }
}

/// Adds the table and the row's key to the error.
fn named(error: Error, row: &PgRow, table: &str, key: &str) -> Error {
    match error {
        Error::ColumnDecode { index, source } => {
            let id = row.try_get::<Uuid, _>(key).map(|key| key.to_string());
            let key = id.or_else(|_| row.try_get(key)).unwrap_or_else(|_| "unknown".to_owned());
            let column = index.parse().ok().and_then(|number: usize| row.columns().get(number));
            let column = column.map_or(index.clone(), |column| format!("{:?}", column.name()));
            Error::Decode(format!("{table} {key}: {column}: {source}").into())
        }
        other => other,
    }
}
