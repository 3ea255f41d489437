use config::ConfigError;

/// Why the service refuses to start with these settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("settings: {0}")]
    Read(#[from] ConfigError),
    #[error("settings: {}", .0.join("; "))]
    Unsound(Vec<String>),
    #[error("production refuses to start on unsafe settings: {}", .0.join("; "))]
    Unsafe(Vec<String>),
}
