/// The reason why the service refuses to start with these settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The text tells what could not be read and where, without a value that may be a secret.
    #[error("settings: {0}")]
    Read(String),
    #[error("settings: {}", .0.join("; "))]
    Unsound(Vec<String>),
    #[error("production refuses to start on unsafe settings: {}", .0.join("; "))]
    Unsafe(Vec<String>),
}
