use crate::platform::error::ApiError;

/// Why a file can't be imported at all. Written for the person who typed the command.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the file has more than {0} bytes: split it")]
    TooLarge(usize),
    #[error("the file has more than {0} lines: split it")]
    TooLong(usize),
    #[error("line {line}: {why}")]
    NotCsv { line: u64, why: &'static str },
    #[error("the first line must name the columns; {0}")]
    Columns(String),
    #[error("the database could not be read or written: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Failed(#[from] ApiError),
}

/// A fault of a line. It contains no value, which may be a phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    pub line: u64,
    /// Empty if the fault concerns no column.
    pub column: String,
    pub why: String,
}

impl std::fmt::Display for LineFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, column, why } = self;
        if column.is_empty() {
            write!(f, "line {line}: {why}")
        } else {
            write!(f, "line {line}, {column}: {why}")
        }
    }
}
