//! The arguments of the statements that write bookings: an array for each column, with an element for each booking, and the ledger's
//! postings.

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgBindIterExt},
    query::QueryAs,
};
use uuid::Uuid;

use crate::{
    accounting::ledger::{PreparedEntry, PreparedPosting},
    jobs::{JobRow, log::rows_of_arrays},
};

/// A statement whose arguments are being bound.
pub type Bound<'q> = QueryAs<'q, Postgres, JobRow, PgArguments>;

/// Declares the columns of bookings of this type, each with its kind and its value.
macro_rules! booking_columns {
    ($booking:ident: $type:ty, $($column:ident: $kind:literal = $value:expr,)+) => {
        const COLUMNS: &[(&str, &str)] = &[$((stringify!($column), $kind)),+];

        /// Binds an array for each of [`COLUMNS`].
        fn bind_columns<'q>(query: Bound<'q>, bookings: &'q [&'q $type]) -> Bound<'q> {
            query$(.bind(bookings.iter().map(|$booking| $value).bind_iter()))+
        }
    };
}

pub(in crate::money::payments::bookings) use booking_columns;

/// Returns SQL for the columns of the booking of the job `given`, whose arrays are the arguments from the number `first` on.
pub fn columns_of_given(first: usize, columns: &[(&str, &str)]) -> String {
    let columns = columns.iter().zip(first..);
    let columns =
        columns.map(|((column, kind), number)| format!("(${number}::{kind}[])[given.n] as {column}"));
    columns.collect::<Vec<_>>().join(", ")
}

/// The postings of bookings, each with its entry.
const POSTING: [(&str, &str); 9] = [
    ("job_id", "uuid"),
    ("entry_id", "uuid"),
    ("entry_kind", "text"),
    ("entry_key", "text"),
    ("entry_at", "timestamptz"),
    ("account_id", "uuid"),
    ("account_kind", "text"),
    ("mechanic", "uuid"),
    ("paise", "bigint"),
];

/// Returns SQL for the postings, as rows `posting`, whose columns are the arguments from the number `first` on.
pub fn rows_of_postings(first: usize) -> String {
    rows_of_arrays("posting", first, &POSTING)
}

/// A posting, with its job and its entry.
pub type BookedPosting<'a> = (Uuid, &'a PreparedEntry<'static>, &'a PreparedPosting);

/// Returns the postings of these entries, each with its job.
pub fn postings_of<'a>(
    entries: impl IntoIterator<Item = (Uuid, &'a PreparedEntry<'static>)>,
) -> Vec<BookedPosting<'a>> {
    let of_entry = |(job, entry): (Uuid, &'a PreparedEntry<'static>)| {
        entry.postings.iter().map(move |posting| (job, entry, posting))
    };
    entries.into_iter().flat_map(of_entry).collect()
}

/// Binds the columns of the postings.
pub fn bind_postings<'q>(query: Bound<'q>, postings: &'q [BookedPosting<'q>]) -> Bound<'q> {
    query
        .bind(postings.iter().map(|(job, _, _)| job).bind_iter())
        .bind(postings.iter().map(|(_, entry, _)| entry.id).bind_iter())
        .bind(postings.iter().map(|(_, entry, _)| entry.kind).bind_iter())
        .bind(postings.iter().map(|(_, entry, _)| &entry.key).bind_iter())
        .bind(postings.iter().map(|(_, entry, _)| entry.at).bind_iter())
        .bind(postings.iter().map(|(_, _, posting)| posting.account_id).bind_iter())
        .bind(postings.iter().map(|(_, _, posting)| posting.account.kind()).bind_iter())
        .bind(postings.iter().map(|(_, _, posting)| posting.account.mechanic()).bind_iter())
        .bind(postings.iter().map(|(_, _, posting)| posting.paise).bind_iter())
}
