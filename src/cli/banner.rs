//! The banner that production prints at its start: its setup, and what is off. It contains no secrets and no personal data.

use crate::service::settings::{PushProvider, Settings, StorageProvider};

/// Returns a line for each setting that an operator may have forgotten.
pub fn of(settings: &Settings) -> String {
    let lines = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("reached at", settings.server.public_url.clone()),
        ("database", database(settings)),
        ("admins", identity(settings)),
        ("codes by SMS", named(&settings.sms.provider)),
        ("pushes", pushes(settings)),
        ("payments", named(&settings.gateway.provider)),
        ("payouts", named(&settings.payouts.provider)),
        ("files", files(settings)),
        ("browsers", origins(settings)),
        ("proxies", proxies(settings)),
        ("privacy", privacy(settings)),
        ("metrics", format!("http://{}/metrics", settings.metrics.listen)),
    ];
    lines.iter().map(|(what, how)| format!("  {what:<14}{how}\n")).collect()
}

/// Returns a provider's name as the settings have it.
fn named(provider: &impl std::fmt::Debug) -> String {
    format!("{provider:?}").to_lowercase()
}

fn database(settings: &Settings) -> String {
    match settings.database.server() {
        Some(_) if settings.database.owner().is_some() => "the server of DATABASE_URL".to_owned(),
        Some(_) => "the server of DATABASE_URL, as the owner of its schema (database.owner_url)".to_owned(),
        None => format!("embedded, in {}", settings.server.data_dir.display()),
    }
}

fn identity(settings: &Settings) -> String {
    if settings.has_embedded_provider() {
        "sign in at the embedded provider, which keeps their passwords".to_owned()
    } else {
        format!("sign in at {}", settings.identity.issuer)
    }
}

fn pushes(settings: &Settings) -> String {
    match settings.push.provider {
        PushProvider::Log => {
            "to browsers (Web Push); other apps are notified on their sockets only".to_owned()
        }
        PushProvider::Fcm => "fcm, and to browsers (Web Push)".to_owned(),
    }
}

fn files(settings: &Settings) -> String {
    match settings.uploads.provider {
        StorageProvider::Local => "in the data folder".to_owned(),
        StorageProvider::S3 => format!("in the bucket {}", settings.uploads.bucket),
    }
}

fn origins(settings: &Settings) -> String {
    match settings.http.allowed_origins.as_slice() {
        [] => "off: no pages of other origins (http.allowed_origins)".to_owned(),
        origins => format!("pages of {}", origins.join(", ")),
    }
}

fn privacy(settings: &Settings) -> String {
    match settings.privacy.contact_email.as_str() {
        "" => "nobody is named whom people can ask about their data (privacy.contact_email)".to_owned(),
        email => format!("people ask {email} about their data"),
    }
}

fn proxies(settings: &Settings) -> String {
    match settings.server.trusted_proxies.as_slice() {
        _ if settings.server.is_direct() => "none: clients connect to the service itself".to_owned(),
        [] => "none trusted: limits count by the address that connects (server.trusted_proxies)".to_owned(),
        proxies => format!("trusted: {}", proxies.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::settings::Secret;

    #[test]
    fn the_banner_says_what_is_off_and_shows_no_secret() {
        let mut settings = Settings::defaults();
        settings.server.public_url = "https://api.example".to_owned();
        settings.database.url = Some(Secret("postgres://u:hunter2@h/d".to_owned()));
        settings.auth.token_secret.0 = "hunter3 hunter3 hunter3 hunter3 ".to_owned();
        settings.uploads.secret_access_key.0 = "hunter4".to_owned();
        let banner = of(&settings);
        assert!(!banner.contains("hunter"), "{banner}");
        let said = [
            "https://api.example",
            "Web Push",
            "off: no pages",
            "none trusted",
            "DATABASE_URL",
            "nobody is named",
        ];
        for said in said {
            assert!(banner.contains(said), "{said} is missing in:\n{banner}");
        }
        settings.http.allowed_origins = vec!["https://app.example".to_owned()];
        assert!(of(&settings).contains("pages of https://app.example\n"));
    }
}
