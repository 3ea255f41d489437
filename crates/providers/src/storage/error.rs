use std::io;

/// Why the stores can't start.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("the folder of uploads, {path}: {source}")]
    Folder { path: String, source: io::Error },
    #[error("uploads.endpoint, uploads.bucket and uploads.path_style make no URL")]
    Url,
    #[error("the HTTP client of uploads: {0}")]
    Client(#[from] reqwest::Error),
}
