//! Old paths that still work, each with the path that replaced it. The edge forwards a request to an old path to the
//! new one (`edge/old_paths.rs`), and the document lists the old path as deprecated (`openapi/old_paths.rs`): routes
//! and handlers know only the new path.

use actix_web::http::Method;

use super::route_table::{fits, segments};

/// One operation by its old path. Both templates have the same parameters, in the same order.
#[derive(Debug)]
pub struct Alias {
    pub method: Method,
    pub old: &'static str,
    pub new: &'static str,
    /// The time of the deprecation, in Unix time.
    pub since: i64,
}

const fn alias(method: Method, old: &'static str, new: &'static str, since: i64) -> Alias {
    Alias { method, old, new, since }
}

/// 2026-01-01, when the contract named the first new path (4.5).
const CONTRACT: i64 = 1_767_225_600;
/// 2026-11-29.
const ONE_NAME: i64 = 1_795_910_400;

/// Every old path that works. None is the new path of another.
pub static ALIASES: [Alias; 17] = [
    alias(Method::GET, "/payments/outstanding-fees", "/payments/unpaid-fees", CONTRACT),
    alias(Method::GET, "/where/{token}", "/place-requests/{token}", ONE_NAME),
    alias(Method::POST, "/jobs/{id}/share", "/jobs/{id}/shares", ONE_NAME),
    alias(Method::DELETE, "/jobs/{id}/share/{share_id}", "/jobs/{id}/shares/{share_id}", ONE_NAME),
    alias(Method::POST, "/admin/jobs/{id}/share", "/admin/jobs/{id}/shares", ONE_NAME),
    alias(Method::GET, "/track/{token}", "/shares/{token}", ONE_NAME),
    alias(Method::GET, "/track/{token}/stream", "/shares/{token}/stream", ONE_NAME),
    alias(Method::GET, "/track/{token}/way-ahead", "/shares/{token}/way-ahead", ONE_NAME),
    alias(Method::GET, "/track/{token}/messages", "/shares/{token}/messages", ONE_NAME),
    alias(Method::POST, "/track/{token}/messages", "/shares/{token}/messages", ONE_NAME),
    alias(Method::POST, "/track/{token}/call/token", "/shares/{token}/calls/token", ONE_NAME),
    alias(Method::POST, "/jobs/{id}/call/token", "/jobs/{id}/calls/token", ONE_NAME),
    alias(Method::POST, "/track/{token}/calls", "/shares/{token}/calls", ONE_NAME),
    alias(Method::POST, "/track/{token}/calls/{id}/accept", "/shares/{token}/calls/{id}/accept", ONE_NAME),
    alias(Method::POST, "/track/{token}/calls/{id}/reject", "/shares/{token}/calls/{id}/reject", ONE_NAME),
    alias(Method::POST, "/track/{token}/calls/{id}/end", "/shares/{token}/calls/{id}/end", ONE_NAME),
    alias(Method::POST, "/track/{token}/calls/{id}/signal", "/shares/{token}/calls/{id}/signal", ONE_NAME),
];

impl Alias {
    /// Returns the alias that a request uses, if it uses one. `path` has no prefix, and percent-encoding is undone.
    pub fn of(method: &Method, path: &str) -> Option<&'static Self> {
        let asked = match *method {
            Method::HEAD => &Method::GET,
            ref method => method,
        };
        ALIASES.iter().find(|alias| alias.method == *asked && fits(alias.old, path))
    }

    /// Returns the new path for an old one, as it was sent: anything before the old path, such as `/api/v1`, is left
    /// out.
    pub fn renamed(&self, sent: &str) -> Option<String> {
        translate(self.old, self.new, sent)
    }
}

/// Returns the path in the form of the template `to`, with the parameters of `path`, whose end has the form of
/// `from`.
pub fn translate(from: &str, to: &str, path: &str) -> Option<String> {
    let given: Vec<&str> = segments(path).collect();
    let before = given.len().checked_sub(segments(from).count())?;
    let pairs = segments(from).zip(&given[before..]);
    let mut values = pairs.filter(|(own, _)| own.starts_with('{')).map(|(_, given)| *given);
    segments(to).try_fold(String::new(), |path, own| {
        let segment = if own.starts_with('{') { values.next()? } else { own };
        Some(format!("{path}/{segment}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_path_leads_to_the_new_one_with_its_parameters() {
        let asked = Alias::of(&Method::GET, "/where/4k7m2p9xtd").expect("an alias");
        for (sent, renamed) in [
            ("/where/4k7m2p9xtd", "/place-requests/4k7m2p9xtd"),
            ("/api/v1/where/4k7m2p9xtd", "/place-requests/4k7m2p9xtd"),
            ("/%77here/4k7%2Fm", "/place-requests/4k7%2Fm"),
        ] {
            assert_eq!(asked.renamed(sent).as_deref(), Some(renamed), "{sent}");
        }
        let ended = Alias::of(&Method::POST, "/track/t/calls/c/end").expect("an alias");
        assert_eq!(ended.renamed("/api/v1/track/t/calls/c/end").as_deref(), Some("/shares/t/calls/c/end"));
        assert_eq!(translate("/a/{x}/b/{y}", "/c/{x}/{y}", "/a/1/b/2").as_deref(), Some("/c/1/2"));
        assert_eq!(translate("/a/{x}/b", "/c/{x}", "/b"), None);
    }

    #[test]
    fn only_renamed_paths_are_translated() {
        for (method, path) in [
            (Method::POST, "/where/4k7m2p9xtd"),
            (Method::GET, "/where/"),
            (Method::GET, "/where/a/b"),
            (Method::GET, "/place-requests/4k7m2p9xtd"),
            (Method::GET, "/"),
        ] {
            assert!(Alias::of(&method, path).is_none(), "{method} {path}");
        }
        assert!(Alias::of(&Method::HEAD, "/where/4k7m2p9xtd").is_some());
    }

    #[test]
    fn both_paths_have_the_same_parameters_and_no_alias_leads_to_another() {
        let names = |template| segments(template).filter(|part| part.starts_with('{')).collect::<Vec<_>>();
        for alias in &ALIASES {
            assert_eq!(names(alias.old), names(alias.new), "{alias:?}");
            assert!(Alias::of(&alias.method, alias.new).is_none(), "{alias:?}");
        }
    }
}
