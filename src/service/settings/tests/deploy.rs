//! Tests that the packages and compose files set everything that production requires, once operators have filled in their values.

use std::{collections::HashMap, path::Path};

use super::*;

/// The values that operators fill in, by the end of a key's name.
const FILLED_IN: [(&str, &str); 8] = [
    ("TOKEN_SECRET", "0123456789abcdef0123456789abcdef"),
    ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000"),
    ("TWILIO_AUTH_TOKEN", "secret"),
    ("TWILIO_FROM", "+15550100000"),
    ("KEY_ID", "rzp_live_1"),
    ("KEY_SECRET", "secret"),
    ("WEBHOOK_SECRET", "0123456789abcdef"),
    ("ACCOUNT_NUMBER", "2323230000000000"),
];

/// Loads and checks the settings, as a start does.
fn load_from(file: Option<&Path>, variables: HashMap<String, String>) -> Settings {
    let read = Sources::read_from(file, variables).and_then(|sources| Settings::of(&sources));
    let checked = read.and_then(|settings| settings.check().map(|()| settings));
    checked.unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a file of `NAME=value` lines, and fills in the values that are empty.
fn variables(file: &str) -> HashMap<String, String> {
    let set = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let theirs = || FILLED_IN.iter().find(|(end, _)| name.ends_with(end)).map(|(_, value)| *value);
        let value = if value.is_empty() { theirs().unwrap_or_else(|| panic!("{name}")) } else { value };
        name.starts_with("ROADCALL_").then(|| (name.to_owned(), value.to_owned()))
    };
    file.lines().filter_map(set).collect()
}

/// Returns the variables that a compose file sets for the service.
fn set_in(compose: &str) -> HashMap<String, String> {
    let set = |line: &str| {
        let (name, value) = line.trim().split_once(": ")?;
        let is_ours = name.starts_with("ROADCALL__") || name == "ROADCALL_ENV" || name == "DATABASE_URL";
        // Each of the operator's variables is part of a name or of an address.
        let mut value = value.trim_matches('"').to_owned();
        while let Some((before, rest)) = value.split_once("${") {
            let (_, after) = rest.split_once('}')?;
            value = format!("{before}operator.example{after}");
        }
        is_ours.then(|| (name.to_owned(), value))
    };
    compose.lines().filter_map(set).collect()
}

#[test]
fn the_compose_files_start_in_production() {
    let theirs = include_str!("../../../../deploy/compose.env");
    for (compose, is_embedded) in [
        (include_str!("../../../../deploy/compose.yaml"), true),
        (include_str!("../../../../deploy/compose.standby.yaml"), false),
    ] {
        let mut all = variables(theirs);
        all.extend(set_in(compose));
        let settings = load_from(None, all);
        assert!(settings.is_production());
        assert!(!settings.server.listen.ip().is_loopback(), "the proxy is another container");
        assert_eq!(settings.database.server().is_none(), is_embedded);
    }
}

#[test]
fn the_packages_files_start_in_development_and_filled_in_also_in_production() {
    let file = include_str!("../../../../deploy/debian/roadcall.toml");
    let secrets = include_str!("../../../../deploy/debian/roadcall.env");
    let path = std::env::temp_dir().join(format!("roadcall-package-{}.toml", std::process::id()));
    let loaded = |text: &str, variables| {
        std::fs::write(&path, text).expect("a temporary file");
        let settings = load_from(Some(&path), variables);
        std::fs::remove_file(&path).ok();
        settings
    };
    let as_installed = loaded(file, HashMap::new());
    assert!(!as_installed.is_production() && as_installed.server.listen.ip().is_loopback());

    // Of the two ways in which admins sign in, this uses the service's own.
    let own_provider = ["issuer", "provider_name", "client_id"];
    let line = |line: &str| match line.strip_prefix("# ") {
        Some(set) if set.contains(" = ") && !own_provider.iter().any(|key| set.starts_with(key)) => {
            set.replace("account_number = \"\"", "account_number = \"2323230000000000\"")
        }
        _ => line.to_owned(),
    };
    let filled_in: Vec<String> = file.lines().skip_while(|line| !line.is_empty()).map(line).collect();
    let secrets: Vec<&str> = secrets
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| line.ends_with('='))
        .collect();
    let settings = loaded(&filled_in.join("\n"), variables(&secrets.join("\n")));
    assert!(settings.is_production() && settings.server.public_url.starts_with("https://"));
}
