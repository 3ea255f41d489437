//! Rebuilds the crate when a migration is added: the folder is embedded by `sqlx::migrate!`, and the
//! compiler by itself notices only changes of files that it already read.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
