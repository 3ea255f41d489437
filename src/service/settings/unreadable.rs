//! Messages about settings that can't be read. A value that may be a secret is not shown.

use std::fmt::Write;

use config::ConfigError;

use super::sources::{defaults, is_secret};
use crate::platform::settings::SettingsError;

pub(super) fn read_error(error: ConfigError) -> SettingsError {
    SettingsError::Read(said(&error))
}

/// Returns what could not be read and where, without the value if that may be a secret.
fn said(error: &ConfigError) -> String {
    match error {
        ConfigError::FileParse { uri, cause } => {
            let file = uri.as_deref().unwrap_or("the settings");
            format!("{file}: {}", fault_of_toml(&cause.to_string()))
        }
        ConfigError::Type { key: Some(key), expected, .. } if is_secret(key) => {
            format!("{key} must be {expected}; what it is set to is not shown")
        }
        ConfigError::At { key: Some(key), .. } if is_secret(key) => {
            format!("{key} can't be read; what it is set to is not shown")
        }
        ConfigError::At { key: Some(key), .. } if key.ends_with(".listen") => {
            format!("{key} must be an address and a port, such as 127.0.0.1:8080")
        }
        other => other.to_string(),
    }
}

/// Returns "line 3, column 14: key_secret: string values must be quoted". The parser's own text includes the whole line.
fn fault_of_toml(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut fault = first.strip_prefix("TOML parse error at ").unwrap_or(first).to_owned();
    let shown = text.lines().find_map(|line| line.split_once(" | ")?.1.split_once('='));
    if let Some(key) = shown.map(|(key, _)| key.trim()).filter(|key| is_key(key)) {
        write!(fault, ": {key}").ok();
    }
    if let Some(why) = lines.last() {
        write!(fault, ": {why}").ok();
    }
    fault
}

/// Returns whether the text is a key of the settings, with or without its section. Any other text may be part of a secret that
/// has its own line.
fn is_key(text: &str) -> bool {
    let ends_with_it =
        |key: &String| key.strip_suffix(text).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !text.is_empty() && defaults().is_ok_and(|known| known.keys().any(ends_with_it))
}

#[cfg(test)]
mod tests {
    use crate::service::settings::{Settings, Sources};

    fn refused(text: &str) -> String {
        Sources::of_text(text).and_then(|sources| Settings::of(&sources)).expect_err(text).to_string()
    }

    #[test]
    fn an_unreadable_secret_is_not_shown() {
        for (text, shown) in [
            ("[gateway]\nkey_secret = hunter2\n", "line 2, column 14: key_secret: "),
            ("[gateway]\nkey_secret = \"hunter2\n", "line 2, column "),
            ("[auth]\ntoken_secret = hunter2 == 1\n", "line 2, column "),
            ("[auth]\ntoken_secret = \"wrapped\"\nhunter2==\n", "line 3, column "),
            ("[auth]\ntoken_secret = \"wrapped\"\n4711e=\n", "line 3, column "),
            ("auth.token_secret = hunter2\n", ": auth.token_secret: "),
            ("[auth]\ntoken_secret = [\"hunter2\", \"4711\"]\n", "auth.token_secret"),
        ] {
            let message = refused(text);
            assert!(message.contains(shown), "{message}");
            assert!(!message.contains("hunter2") && !message.contains("4711"), "{message}");
        }
        let address = refused("[server]\nlisten = 8080\n");
        assert!(address.contains("server.listen must be") && address.contains("127.0.0.1:8080"), "{address}");
        let plain = refused("[server]\nworkers = \"many\"\n");
        assert!(plain.contains("server.workers") && plain.contains("many"), "{plain}");
    }
}
