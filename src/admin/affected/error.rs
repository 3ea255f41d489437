/// The reason why no affected people can be named.
#[derive(Debug, thiserror::Error)]
pub enum AffectedError {
    #[error("--to must be after --from")]
    Empty,
    #[error("--admin: no account has this id, and no admin had this email between --from and --to")]
    NoSuchAdmin,
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Refused(#[from] crate::platform::error::ApiError),
    #[error("the file: {0}")]
    Csv(#[from] csv::Error),
}
