//! The part of a list that is read, and the format of the answer.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{PageParams, text_enum};

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
