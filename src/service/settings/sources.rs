//! The sources of settings: the defaults, a file, the environment, and files that hold one value each.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use config::{Config, Environment as EnvSource, File, FileFormat, Source, Value, ValueKind};
use serde::de::DeserializeOwned;

use super::unreadable::read_error;
use crate::platform::settings::{SettingsError, is_private_key};

/// The documented defaults, which are also the settings reference.
pub const DEFAULTS: &str = include_str!("../../../config/default.toml");

/// Settings of earlier releases, and what to set instead.
const REPLACED: [(&str, &str); 1] = [(
    "eta.utc_offset_minutes",
    "set operator.time_zone to the name of the IANA time zone, such as \"Asia/Kolkata\"",
)];
/// The maximum size in bytes of a file that holds one value; a larger file is refused.
const MAX_VALUE_BYTES: u64 = 65_536;
/// The settings that are never printed: values of the type `Secret`, or with passwords in them.
const SECRETS: [&str; 22] = [
    "auth.accepted_token_secrets",
    "auth.token_secret",
    "calls.hms_secret",
    "calls.turn_secret",
    "cluster.nats_url",
    "database.owner_url",
    "database.url",
    "eta.router_url",
    "gateway.key_secret",
    "gateway.webhook_secret",
    "gateway.webhook_secret_previous",
    "identity.client_secret",
    "mail.password",
    "places.key",
    "push.fcm_private_key",
    "sms.http.basic_password",
    "sms.http.body",
    "sms.http.headers",
    "sms.http.url",
    "sms.twilio_auth_token",
    "traces.authorization",
    "uploads.secret_access_key",
];

/// Everything that was read, with the origin of each value.
#[derive(Debug)]
pub struct Sources {
    config: Config,
    /// The origin of each setting by its key; settings that are missing here have their default.
    origins: BTreeMap<String, String>,
}

/// A setting that differs from its default.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangedSetting {
    pub key: String,
    /// The value as it would be written; for a secret, only whether it is set.
    pub value: String,
    /// The file, or the name of the variable or the credential.
    pub from: String,
}

impl Sources {
    /// Reads the defaults and these lines of TOML, without an environment.
    pub fn of_text(text: &str) -> Result<Self, SettingsError> {
        let sources = [DEFAULTS, text].map(|text| File::from_str(text, FileFormat::Toml));
        let builder = sources.into_iter().fold(Config::builder(), |all, source| all.add_source(source));
        let config = builder.build().map_err(read_error)?;
        Ok(Self { config, origins: BTreeMap::new() })
    }

    /// Reads `file`, the environment of this process, and the files that it names.
    pub fn read(file: Option<&Path>) -> Result<Self, SettingsError> {
        Self::read_from(file, std::env::vars().collect())
    }

    pub(super) fn read_from(
        file: Option<&Path>,
        variables: HashMap<String, String>,
    ) -> Result<Self, SettingsError> {
        let mut origins = BTreeMap::new();
        let mut builder = Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml));
        if let Some(path) = file {
            let source = File::from(path).format(FileFormat::Toml);
            let keys = leaves(&Value::new(None, source.collect().map_err(read_error)?));
            origins.extend(keys.into_keys().map(|key| (key, path.display().to_string())));
            builder = builder.add_source(source);
        }
        let variables = with_values_of_files(variables)?;
        for (name, found) in variables.iter().filter(|(_, found)| found.is_in_file) {
            let other = key_of(name).and_then(|key| origins.get(&key));
            if let Some(other) = other {
                return Err(set_twice(&found.from, other));
            }
        }
        for (key, variable) in [("database.url", "DATABASE_URL"), ("environment", "ROADCALL_ENV")] {
            let found = variables.get(variable);
            let value = found.map(|found| found.value.clone());
            builder = builder.set_override_option(key, value).map_err(read_error)?;
        }
        origins
            .extend(variables.iter().filter_map(|(name, found)| Some((key_of(name)?, found.from.clone()))));
        // Everything is a text until a field needs a number: a secret or a phone number that consists of digits stays as it is
        // written.
        let environment = EnvSource::with_prefix("ROADCALL").prefix_separator("__").separator("__");
        let values = variables.into_iter().map(|(name, found)| (name, found.value)).collect();
        let config = builder.add_source(environment.source(Some(values))).build().map_err(read_error)?;
        Ok(Self { config, origins })
    }

    /// Returns the settings as a value of that type.
    pub(super) fn read_into<T: DeserializeOwned>(&self) -> Result<T, SettingsError> {
        let gone = REPLACED.iter().filter(|(key, _)| self.config.get::<Value>(key).is_ok());
        let gone: Vec<String> =
            gone.map(|(key, instead)| format!("{key} no longer exists: {instead}")).collect();
        if !gone.is_empty() {
            return Err(SettingsError::Unsound(gone));
        }
        self.config.clone().try_deserialize().map_err(read_error)
    }

    /// Returns the settings that differ from their defaults, by key.
    pub fn changed(&self) -> Result<Vec<ChangedSetting>, SettingsError> {
        let defaults = defaults()?;
        let mut changed = Vec::new();
        for (key, value) in leaves(&self.config.cache) {
            let default = defaults.get(&key);
            // Variables are texts.
            let is_text = default.is_none_or(|default| default.starts_with('"'));
            let value = if is_text { value } else { value.trim_matches('"').to_owned() };
            if default == Some(&value) {
                continue;
            }
            let from = self.origins.get(&key).cloned().unwrap_or_default();
            // A private key may be where a public key belongs.
            let is_secret = is_secret(&key) || is_private_key(&value);
            let value = if is_secret { hidden(&value) } else { value };
            changed.push(ChangedSetting { key, value, from });
        }
        Ok(changed)
    }

    /// Returns whether this file holds secrets.
    pub fn has_secrets_in(&self, file: &Path) -> Result<bool, SettingsError> {
        let from = file.display().to_string();
        Ok(self.changed()?.iter().any(|setting| setting.from == from && is_secret(&setting.key)))
    }
}

/// Returns whether the value of this key is never shown.
pub(super) fn is_secret(key: &str) -> bool {
    SECRETS
        .iter()
        .any(|secret| key.strip_prefix(secret).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

fn hidden(value: &str) -> String {
    (if ["\"\"", "", "[]"].contains(&value) { "empty" } else { "set (not shown)" }).to_owned()
}

/// Returns every value that is no table by its key, as it would be written.
fn leaves(value: &Value) -> BTreeMap<String, String> {
    fn collect(value: &Value, key: &str, leaves: &mut BTreeMap<String, String>) {
        match &value.kind {
            ValueKind::Table(table) => {
                for (name, value) in table {
                    let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                    collect(value, &key, leaves);
                }
            }
            _ => {
                leaves.insert(key.to_owned(), written(value));
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(value, "", &mut found);
    found
}

fn written(value: &Value) -> String {
    match &value.kind {
        ValueKind::String(text) => format!("{text:?}"),
        ValueKind::Array(values) => {
            format!("[{}]", values.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A value from outside of the settings' file, with the name of its origin.
#[derive(Debug)]
struct Found {
    value: String,
    from: String,
    /// Whether it came from a file that holds nothing else, whose author expects the value nowhere else.
    is_in_file: bool,
}

fn set_twice(one: &str, other: &str) -> SettingsError {
    refused(format!("{one} and {other} set the same setting: leave one of them out"))
}

/// Returns the key that a variable sets: `ROADCALL__SERVER__LISTEN` sets `server.listen`.
fn key_of(variable: &str) -> Option<String> {
    match variable {
        "DATABASE_URL" => Some("database.url".to_owned()),
        "ROADCALL_ENV" => Some("environment".to_owned()),
        _ => Some(variable.strip_prefix("ROADCALL__")?.replace("__", ".").to_lowercase()),
    }
}

/// Returns the variables with the values of files: `NAME_FILE` names a file with the value of `NAME`, as containers mount
/// secrets, and systemd puts a service's credentials into the folder `CREDENTIALS_DIRECTORY`, each named like its key.
fn with_values_of_files(variables: HashMap<String, String>) -> Result<HashMap<String, Found>, SettingsError> {
    let mut files: Vec<(String, PathBuf, String)> = Vec::new();
    let mut values: HashMap<String, Found> = HashMap::new();
    let known = defaults()?;
    for (name, value) in variables {
        let of_setting = key_of(&name);
        let is_setting = of_setting.as_ref().is_some_and(|key| known.contains_key(key));
        let named = name.strip_suffix("_FILE").filter(|named| !is_setting && key_of(named).is_some());
        match named {
            Some(named) => files.push((named.to_owned(), value.into(), name.clone())),
            None if name == "CREDENTIALS_DIRECTORY" => files.extend(credentials(Path::new(&value), &known)?),
            None if of_setting.is_some() => {
                values.insert(name.clone(), Found { value, from: name, is_in_file: false });
            }
            None => {}
        }
    }
    files.sort();
    for (name, path, from) in files {
        let value = read_value(&path).map_err(|why| refused(format!("{from}: {}: {why}", path.display())))?;
        let found = Found { value, from: from.clone(), is_in_file: true };
        if let Some(other) = values.insert(name, found) {
            return Err(set_twice(&from, &other.from));
        }
    }
    Ok(values)
}

/// Returns the files of the folder that are named like a setting. Services also have other credentials, such as `fcm.json`.
fn credentials(
    folder: &Path,
    known: &BTreeMap<String, String>,
) -> Result<Vec<(String, PathBuf, String)>, SettingsError> {
    let unreadable = |why| refused(format!("CREDENTIALS_DIRECTORY: {}: {why}", folder.display()));
    let is_section = |name: &str| known.keys().any(|key| key.split('.').next() == Some(name));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(key) = entry.file_name().into_string() else { continue };
        if key.split_once('.').is_some_and(|(section, _)| is_section(section)) {
            let variable = match key.as_str() {
                "database.url" => "DATABASE_URL".to_owned(),
                _ => format!("ROADCALL__{}", key.replace('.', "__").to_uppercase()),
            };
            found.push((variable, entry.path(), format!("the credential {key}")));
        }
    }
    Ok(found)
}

/// Reads a value, without the line break at its end, which editors add.
fn read_value(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(MAX_VALUE_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_VALUE_BYTES {
        return Err(std::io::Error::other("is larger than 64 KiB"));
    }
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn refused(why: String) -> SettingsError {
    SettingsError::Unsound(vec![why])
}

/// Returns every key of the defaults, with its value as it would be written.
pub(super) fn defaults() -> Result<BTreeMap<String, String>, SettingsError> {
    let known = File::from_str(DEFAULTS, FileFormat::Toml).collect().map_err(read_error)?;
    Ok(leaves(&Value::new(None, known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::settings::Settings;

    fn read(variables: &[(&str, &str)]) -> Result<Sources, SettingsError> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Sources::read_from(None, variables.collect())
    }

    fn settings_of(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        Settings::of(&read(variables)?)
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("roadcall-sources-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }

    /// Sets each text to a recognisable value, and checks whether printing the settings shows it.
    #[test]
    fn settings_hidden_when_printed_are_hidden_here_too() {
        let defaults = defaults().expect("readable");
        let texts = defaults.iter().filter(|(_, value)| value.starts_with('"')).map(|(key, _)| key.as_str());
        let mut secrets = Vec::new();
        for key in texts.chain([
            "auth.accepted_token_secrets",
            "database.url",
            "database.owner_url",
            "sms.http.headers.x_api_key",
        ]) {
            let variable = format!("ROADCALL__{}", key.replace('.', "__").to_uppercase());
            // A setting that must be one of a few words is no secret.
            let Ok(settings) = settings_of(&[(&variable, "https://hunter2.example")]) else {
                continue;
            };
            if !format!("{settings:?}").contains("hunter2") {
                secrets.push(key);
                assert!(is_secret(key), "{key} is printed by `roadcall config check`");
            }
        }
        for key in SECRETS {
            assert!(
                secrets.iter().any(|secret| secret.starts_with(key)),
                "{key} is no secret of the settings"
            );
        }
    }

    #[test]
    fn changed_settings_show_their_origin_but_no_secret() {
        let folder = folder("changed");
        let file = folder.join("roadcall.toml");
        fs::write(&file, "[server]\nworkers = 3\nlisten = \"127.0.0.1:1\"\n").expect("written");
        let variables = [
            ("ROADCALL__SERVER__LISTEN", "127.0.0.1:2"),
            ("ROADCALL__AUTH__TOKEN_SECRET", "hunter2"),
            ("ROADCALL__WS__ALLOWED_ORIGINS", "https://a.example"),
            ("ROADCALL__BACKUP__AGE_RECIPIENTS", "age1x,AGE-SECRET-KEY-1HUNTER2"),
            ("DATABASE_URL", "postgres://u:hunter2@h/d"),
            // This is the default.
            ("ROADCALL__LOG__FORMAT", "text"),
            ("HOME", "/root"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let sources = Sources::read_from(Some(&file), variables.into()).expect("readable");
        let changed = sources.changed().expect("readable");
        let lines: Vec<String> =
            changed.iter().map(|set| format!("{} = {} ({})", set.key, set.value, set.from)).collect();
        let file = file.display().to_string();
        let expected = [
            "auth.token_secret = set (not shown) (ROADCALL__AUTH__TOKEN_SECRET)".to_owned(),
            "backup.age_recipients = set (not shown) (ROADCALL__BACKUP__AGE_RECIPIENTS)".to_owned(),
            "database.url = set (not shown) (DATABASE_URL)".to_owned(),
            "server.listen = \"127.0.0.1:2\" (ROADCALL__SERVER__LISTEN)".to_owned(),
            format!("server.workers = 3 ({file})"),
            "ws.allowed_origins = https://a.example (ROADCALL__WS__ALLOWED_ORIGINS)".to_owned(),
        ];
        assert_eq!(lines, expected);
        fs::remove_dir_all(folder).ok();
    }

    #[test]
    fn a_value_may_be_in_a_file_or_a_credential_and_only_in_one_place() {
        let folder = folder("files");
        let secret = folder.join("secret");
        fs::write(&secret, "a secret of thirty-two bytes, or more\n").expect("written");
        let in_folder = folder.join("credentials");
        fs::create_dir_all(&in_folder).expect("made");
        fs::write(in_folder.join("database.url"), "postgres://x/y").expect("written");
        fs::write(in_folder.join("mail.password"), "hunter2\r\n").expect("written");
        for other in ["tls-key", "fcm.json"] {
            fs::write(in_folder.join(other), "of somebody else").expect("written");
        }
        let (secret, in_folder) = (secret.display().to_string(), in_folder.display().to_string());
        let both = [
            ("ROADCALL__AUTH__TOKEN_SECRET_FILE", secret.as_str()),
            ("CREDENTIALS_DIRECTORY", in_folder.as_str()),
        ];
        let settings = settings_of(&both).expect("readable");
        assert_eq!(settings.auth.token_secret.0, "a secret of thirty-two bytes, or more");
        assert_eq!(settings.database.server(), Some("postgres://x/y"));
        assert_eq!(settings.mail.password.0, "hunter2");

        let refusals: [(&[(&str, &str)], &str); 4] = [
            (
                &[("ROADCALL__AUTH__TOKEN_SECRET", "x"), both[0]],
                "ROADCALL__AUTH__TOKEN_SECRET_FILE and ROADCALL__AUTH__TOKEN_SECRET set the same setting",
            ),
            (&[("DATABASE_URL", "x"), both[1]], "the credential database.url and DATABASE_URL"),
            (&[("DATABASE_URL_FILE", "/nowhere")], "DATABASE_URL_FILE: /nowhere: No such file"),
            (&[("ROADCALL__AUTH__NOPE_FILE", secret.as_str())], "nope"),
        ];
        for (variables, why) in refusals {
            let refusal = settings_of(variables).expect_err(why).to_string();
            assert!(refusal.contains(why), "{refusal}");
        }
        let file = folder.join("roadcall.toml");
        fs::write(&file, "[auth]\ntoken_secret = \"another one\"\n").expect("written");
        let variables = both[..1].iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let refusal = Sources::read_from(Some(&file), variables.collect()).expect_err("twice").to_string();
        assert!(refusal.contains("ROADCALL__AUTH__TOKEN_SECRET_FILE and "), "{refusal}");
        assert!(refusal.contains("roadcall.toml set the same setting"), "{refusal}");
        fs::write(&secret, vec![b'x'; 65_537]).expect("written");
        let refusal = read(&both[..1]).expect_err("too large").to_string();
        assert!(refusal.contains("larger than 64 KiB"), "{refusal}");
        // A setting whose own name ends in `_FILE` names no file with a setting's value.
        let account =
            settings_of(&[("ROADCALL__PUSH__FCM_SERVICE_ACCOUNT_FILE", "/nowhere")]).expect("readable");
        assert_eq!(account.push.fcm_service_account_file, "/nowhere");
        fs::remove_dir_all(folder).ok();
    }
}
