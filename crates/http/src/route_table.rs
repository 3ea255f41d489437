//! Finds the route of a path: for labels (never the raw path) and to distinguish 405 from 404.

use std::{collections::HashMap, sync::Arc};

use actix_web::{HttpRequest, http::Method};

/// The other place where every route is served (contract 9).
const PREFIX: &str = "/api/v1";

/// Every template of the OpenAPI document with its methods, by the first segment, which is never a parameter.
#[derive(Debug, Default)]
pub struct RouteTable(HashMap<String, Vec<Route>>);

#[derive(Debug)]
struct Route {
    template: Arc<str>,
    segments: Vec<Option<String>>,
    methods: Vec<Method>,
}

impl RouteTable {
    /// Makes the table of templates such as `/vehicles/{id}` and their methods.
    pub fn new(routes: impl IntoIterator<Item = (String, Vec<Method>)>) -> Self {
        let route = |(template, methods): (String, Vec<Method>)| Route {
            segments: segments(&template).map(fixed).collect(),
            template: template.into(),
            methods,
        };
        let mut table: HashMap<String, Vec<Route>> = HashMap::new();
        for (template, methods) in routes {
            let first = segments(&template).next().unwrap_or_default().to_owned();
            table.entry(first).or_default().push(route((template, methods)));
        }
        Self(table)
    }

    /// Returns the template that serves `path`.
    pub fn template(&self, method: &Method, path: &str) -> Option<Arc<str>> {
        self.fitting(path).filter(|route| route.methods.contains(method)).map(|route| route.template.clone())
    }

    /// Returns the methods of `path`; none if no route has it.
    pub fn methods(&self, path: &str) -> &[Method] {
        self.fitting(path).map_or(&[], |route| &route.methods)
    }

    /// Returns the template with the most fixed segments of those that fit, whatever the method:
    /// `/mechanics/register` is no mechanic's id.
    fn fitting(&self, path: &str) -> Option<&Route> {
        let given: Vec<&str> = segments(without_prefix(path)).collect();
        let routes = self.0.get(*given.first()?)?;
        routes.iter().filter(|route| route.fits(&given)).max_by_key(|route| route.fixed())
    }
}

impl Route {
    fn fits(&self, given: &[&str]) -> bool {
        self.segments.len() == given.len()
            && self.segments.iter().zip(given).all(|(own, given)| segment_fits(own.as_deref(), given))
    }

    fn fixed(&self) -> usize {
        self.segments.iter().flatten().count()
    }
}

pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// Returns whether a template serves `path`, which has no prefix.
pub(super) fn fits(template: &str, path: &str) -> bool {
    let mut given = segments(path);
    let fit = segments(template).all(|own| {
        given.next().is_some_and(|given| segment_fits((!own.starts_with('{')).then_some(own), given))
    });
    fit && given.next().is_none()
}

/// Returns whether a segment of a path equals the fixed one of a template, or is not empty for a parameter.
fn segment_fits(fixed: Option<&str>, given: &str) -> bool {
    fixed.map_or(!given.is_empty(), |fixed| fixed == given)
}

/// Returns a path without `/api/v1`.
pub fn without_prefix(path: &str) -> &str {
    path.strip_prefix(PREFIX).filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

/// Returns the path by which the router finds the route: percent-encoding is undone, so that no other spelling of a
/// path escapes the rules for it.
pub fn routed_path(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// Returns the prefix of a request's path: `/api/v1`, or nothing.
pub fn prefix_of(request: &HttpRequest) -> &'static str {
    let rest = routed_path(request).strip_prefix(PREFIX);
    if rest.is_some_and(|rest| rest.starts_with('/')) { PREFIX } else { "" }
}

/// Returns a fixed segment; `None` for a parameter.
fn fixed(segment: &str) -> Option<String> {
    (!segment.starts_with('{')).then(|| segment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> RouteTable {
        RouteTable::new([
            ("/mechanics/{id}".to_owned(), vec![Method::GET]),
            ("/mechanics/me".to_owned(), vec![Method::GET, Method::PATCH]),
            ("/mechanics/register".to_owned(), vec![Method::POST]),
        ])
    }

    #[test]
    fn the_template_with_most_fixed_segments_wins() {
        let cases = [
            (Method::GET, "/mechanics/me", Some("/mechanics/me")),
            (Method::GET, "/mechanics/7", Some("/mechanics/{id}")),
            (Method::GET, "/api/v1/mechanics/7", Some("/mechanics/{id}")),
            (Method::GET, "/mechanics/register", None),
            (Method::DELETE, "/mechanics/me", None),
            (Method::GET, "/mechanics/", None),
            (Method::GET, "/mechanics/7/", None),
            (Method::GET, "/api/v1mechanics/7", None),
            (Method::GET, "/", None),
        ];
        for (method, path, expected) in cases {
            assert_eq!(table().template(&method, path).as_deref(), expected, "{method} {path}");
        }
    }

    #[test]
    fn methods_are_those_of_the_template_that_fits_best() {
        assert_eq!(table().methods("/mechanics/me"), [Method::GET, Method::PATCH]);
        assert_eq!(table().methods("/mechanics/register"), [Method::POST]);
        assert!(table().methods("/nothing").is_empty());
    }
}
