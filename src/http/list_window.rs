//! The part of a list that is read, and the format of the answer.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{PageParams, Timestamp, ValidationErrors, text_enum};
use crate::platform::error::ApiResult;

text_enum! {
    /// The format in which a list is answered: a page of it, or all of it as CSV.
    ListFormat { Json = "json", Csv = "csv", }
}

/// A page of a list, or the rows after a given row in its order: newest first by time, then by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListWindow {
    pub limit: i64,
    pub offset: i64,
    /// The row that was read last.
    pub after: Option<RowKey>,
}

/// A row's place in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowKey {
    pub at: DateTime<Utc>,
    pub id: Uuid,
}

impl ListWindow {
    pub fn after_at(&self) -> Option<DateTime<Utc>> {
        self.after.map(|row| row.at)
    }

    pub fn after_id(&self) -> Option<Uuid> {
        self.after.map(|row| row.id)
    }
}

impl From<PageParams> for ListWindow {
    fn from(page: PageParams) -> Self {
        Self { limit: page.limit, offset: page.offset(), after: None }
    }
}

/// The first moment of a period, and the first moment after it; `None` on a side without an end.
pub type Between = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);

/// Returns the period from `from` on, and before `to`.
pub fn between(from: Option<Timestamp>, to: Option<Timestamp>) -> ApiResult<Between> {
    let mut errors = ValidationErrors::default();
    if from.zip(to).is_some_and(|(from, to)| from >= to) {
        errors.add("to", "must be after from");
    }
    errors.into_result()?;
    Ok((from.map(|at| at.0), to.map(|at| at.0)))
}
