//! The documented defaults, for tests of crates that do not know all sections.

use std::{fs, path::Path};

use config::{Config, File, FileFormat};
use serde::de::DeserializeOwned;

use super::CoreSettings;

/// Returns a section or a value of `config/default.toml`, such as `gateway` or `jobs.currency`. Panics if it is no `T`.
pub fn default_of<T: DeserializeOwned>(key: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/default.toml");
    let text = fs::read_to_string(path).expect("the file of defaults");
    let built = Config::builder().add_source(File::from_str(&text, FileFormat::Toml)).build();
    built.and_then(|config| config.get(key)).unwrap_or_else(|error| panic!("{key}: {error}"))
}

/// Returns what every area may know, as the service composes it of its defaults.
pub fn default_core() -> CoreSettings {
    CoreSettings {
        environment: default_of("environment"),
        server: default_of("server"),
        http: default_of("http"),
        database: default_of("database"),
        phone: default_of("phone"),
        limits: default_of("limits"),
        operator: default_of("operator"),
        file_hosts: default_of("uploads.allowed_hosts"),
        currency: default_of("jobs.currency"),
        max_exported_rows: default_of("admin.export_max_rows"),
    }
}
