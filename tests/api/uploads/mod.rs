//! Uploads: the local store, a store that speaks S3, links, and the places that may refer to a file.

mod deleting;
mod hostile;
mod links;
mod local;
mod pictures;
mod referring;
mod s3;
