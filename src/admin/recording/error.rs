use super::limits::MAX_DAYS;

/// The reason why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("--to must be after --from")]
    Empty,
    #[error("--to must be at most {} days after --from", MAX_DAYS)]
    TooLong,
    #[error("there are more than {most} {what} between --from and --to: choose a shorter stretch")]
    TooMany { most: usize, what: &'static str },
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}
