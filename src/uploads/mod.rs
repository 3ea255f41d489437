//! Files that clients refer to by URL. The service itself never fetches one.

use crate::{
    settings::Settings,
    web::{Faults, FileUrl},
};

/// Refuses a URL on a host that is not accepted: development takes any https host, production only those of
/// `uploads.allowed_hosts`, so that nobody is sent to a stranger's server by way of ours.
pub fn check_url(settings: &Settings, field: impl Into<String>, url: &FileUrl, faults: &mut Faults) {
    let is_listed = url.host().is_some_and(|host| {
        settings.uploads.allowed_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&host))
    });
    if settings.is_production() && !is_listed {
        faults.add(field, "must be on a host that this service accepts files from");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Environment;

    fn is_accepted(settings: &Settings, url: &str) -> bool {
        let mut faults = Faults::default();
        check_url(settings, "file_url", &FileUrl::new(url.to_owned()).expect("a URL"), &mut faults);
        faults == Faults::default()
    }

    #[test]
    fn production_takes_files_from_listed_hosts_alone() {
        let mut settings = Settings::defaults();
        assert!(is_accepted(&settings, "https://anywhere.example/a.pdf"));
        settings.environment = Environment::Production;
        assert!(!is_accepted(&settings, "https://files.example/a.pdf"));
        settings.uploads.allowed_hosts = vec!["files.example".to_owned()];
        assert!(is_accepted(&settings, "https://FILES.example/a.pdf"));
        assert!(!is_accepted(&settings, "https://files.example.evil.example/a.pdf"));
    }
}
