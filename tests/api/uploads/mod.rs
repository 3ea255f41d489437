//! Uploads: the local store, a store that speaks S3, links, and what may refer to a file.

mod deleting;
mod hostile;
mod links;
mod local;
mod pictures;
mod referring;
mod s3;
