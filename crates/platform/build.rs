//! Compiles the crate again after a migration was added: `sqlx::migrate!` embeds the folder, and the compiler by itself only
//! notices changes of files that it already read.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=build.rs");
}
