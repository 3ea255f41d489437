use std::borrow::Cow;

use actix_web::{
    Route,
    dev::{HttpServiceFactory, Url},
    guard::{self, GuardContext},
    web::{self, ServiceConfig},
};
use utoipa_actix_web::{OpenApiFactory, service_config::ServiceConfig as Described};

use super::route_table::segments;

/// The registry of the areas' routes. The document needs their descriptions; the server, which registers every route
/// in each of its threads and under two prefixes, does without.
pub enum Routes<'a, 'b> {
    Server(&'a mut RouteGroups),
    Document(&'a mut Described<'b>),
}

/// The routes of a server. The router tries one after the other, and each template with a parameter costs it a search by a regular
/// expression. So they are in groups by the first segments of their paths, and within these by the numbers of their segments: a request
/// passes each group that is not its own by a comparison.
#[derive(derive_more::Debug, Default)]
pub struct RouteGroups(#[debug("{}", _0.len())] Vec<RouteGroup>);

/// The routes whose paths begin with the same segment.
struct RouteGroup {
    first: String,
    /// The routes by the number of segments; `None` for those with any number.
    parts: Vec<(Option<usize>, Vec<Register>)>,
}

/// Registers a route.
type Register = Box<dyn FnOnce(&mut ServiceConfig)>;

impl RouteGroups {
    fn add(&mut self, template: &str, register: impl FnOnce(&mut ServiceConfig) + 'static) {
        let first = segments(template).next().unwrap_or_default();
        let count = (!template.contains(":.*")).then(|| segments(template).count());
        let group = match self.0.iter().position(|group| group.first == first) {
            Some(place) => &mut self.0[place],
            None => self.0.push_mut(RouteGroup { first: first.to_owned(), parts: Vec::new() }),
        };
        let routes = match group.parts.iter().position(|(own, _)| *own == count) {
            Some(place) => &mut group.parts[place].1,
            None => &mut group.parts.push_mut((count, Vec::new())).1,
        };
        routes.push(Box::new(register));
    }

    /// Registers all routes, whose paths follow `prefix`.
    pub fn register(self, config: &mut ServiceConfig, prefix: &'static str) {
        for RouteGroup { first, mut parts } in self.0 {
            let is_of_group = move |context: &GuardContext| {
                path_after(prefix, context).is_some_and(|path| segments(&path).next() == Some(&*first))
            };
            // A part with a number of segments keeps its requests to itself.
            parts.sort_by_key(|(count, _)| count.is_none());
            config.service(web::scope("").guard(guard::fn_guard(is_of_group)).configure(|config| {
                for (count, routes) in parts {
                    let register =
                        |config: &mut ServiceConfig| routes.into_iter().for_each(|add| add(config));
                    let Some(count) = count else {
                        register(config);
                        continue;
                    };
                    let is_of_part = move |context: &GuardContext| {
                        path_after(prefix, context).is_some_and(|path| segments(&path).count() == count)
                    };
                    config.service(web::scope("").guard(guard::fn_guard(is_of_part)).configure(register));
                }
            }));
        }
    }
}

/// Returns the path of a request after a prefix, as the router reads it.
fn path_after<'a>(prefix: &str, context: &'a GuardContext) -> Option<Cow<'a, str>> {
    let uri = &context.head().uri;
    match uri.path().contains('%') {
        true => Url::new(uri.clone()).path().strip_prefix(prefix).map(|path| path.to_owned().into()),
        false => uri.path().strip_prefix(prefix).map(Cow::Borrowed),
    }
}

/// Returns a route of `GET` and of `HEAD`, for servers without the edge, which reads `HEAD` as `GET`. The connection leaves the
/// body of an answer to `HEAD` out.
pub fn reading() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

impl std::fmt::Debug for Routes<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Server(_) => "Server",
            Self::Document(_) => "Document",
        })
    }
}

impl Routes<'_, '_> {
    pub fn service<H>(&mut self, handler: H) -> &mut Self
    where
        H: HttpServiceFactory + OpenApiFactory + utoipa::Path + 'static,
    {
        match self {
            Self::Server(groups) => groups.add(&H::path(), |config| {
                config.service(handler);
            }),
            Self::Document(config) => {
                config.service(handler);
            }
        }
        self
    }

    /// Registers a route that is not in the document.
    pub fn route(&mut self, path: &str, route: Route) -> &mut Self {
        if let Self::Server(groups) = self {
            let own = path.to_owned();
            groups.add(path, move |config| {
                config.route(&own, route);
            });
        }
        self
    }

    pub fn configure(&mut self, routes: fn(&mut Routes)) -> &mut Self {
        routes(self);
        self
    }
}
