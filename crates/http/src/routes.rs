use std::rc::Rc;

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
        let place = self.0.iter().position(|group| group.first == first).unwrap_or_else(|| {
            self.0.push(RouteGroup { first: first.to_owned(), parts: Vec::new() });
            self.0.len() - 1
        });
        let parts = &mut self.0[place].parts;
        let place = parts.iter().position(|(own, _)| *own == count).unwrap_or_else(|| {
            parts.push((count, Vec::new()));
            parts.len() - 1
        });
        parts[place].1.push(Box::new(register));
    }

    /// Registers all routes, whose paths follow `prefix`.
    pub fn register(self, config: &mut ServiceConfig, prefix: &'static str) {
        for RouteGroup { first, mut parts } in self.0 {
            let is_of_group = move |context: &GuardContext| {
                fits(context, prefix, |path| segments(path).next() == Some(&*first))
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
                        fits(context, prefix, |path| segments(path).count() == count)
                    };
                    config.service(web::scope("").guard(guard::fn_guard(is_of_part)).configure(register));
                }
            }));
        }
    }
}

/// The path of a request with percent-encoded bytes in it, as the router reads it.
#[derive(Clone)]
struct DecodedPath(Rc<str>);

/// Returns whether the path of a request after a prefix, as the router reads it, passes a check.
fn fits(context: &GuardContext, prefix: &str, check: impl Fn(&str) -> bool) -> bool {
    let check = |path: &str| path.strip_prefix(prefix).is_some_and(&check);
    let uri = &context.head().uri;
    if !uri.path().contains('%') {
        return check(uri.path());
    }
    let known = context.req_data().get::<DecodedPath>().cloned();
    let path = known.unwrap_or_else(|| {
        let path = DecodedPath(Url::new(uri.clone()).path().into());
        context.req_data_mut().insert(path.clone());
        path
    });
    check(&path.0)
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

    /// Registers a route that is not in the document. Only such a route may span any number of segments (`{name:.*}`).
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

#[cfg(test)]
mod tests {
    use actix_web::{
        App, HttpResponse,
        http::StatusCode,
        test::{TestRequest, call_service, init_service, read_body},
    };

    use super::*;

    /// Registers routes, each of which answers with its template.
    fn registered(config: &mut ServiceConfig, prefix: &'static str) {
        let mut groups = RouteGroups::default();
        let mut routes = Routes::Server(&mut groups);
        for template in [
            "/",
            "/jobs",
            "/jobs/me",
            "/jobs/{id}",
            "/jobs/{id}/events",
            "/docs",
            "/docs/{file:.*}",
            "/docs/{a}/{b}/c",
        ] {
            routes.route(template, web::get().to(move || async move { HttpResponse::Ok().body(template) }));
        }
        groups.register(config, prefix);
    }

    #[actix_web::test]
    async fn a_path_gets_the_first_registered_template_that_fits() {
        let app = App::new()
            .configure(|config| registered(config, ""))
            .service(web::scope("/api/v1").configure(|config| registered(config, "/api/v1")))
            .default_service(web::to(HttpResponse::NotFound));
        let app = init_service(app).await;
        for (path, expected) in [
            ("/", Some("/")),
            ("/jobs", Some("/jobs")),
            ("/jobs?a=%2F", Some("/jobs")),
            ("/jobs/me", Some("/jobs/me")),
            ("/jobs/7", Some("/jobs/{id}")),
            ("/%6Aobs/%37/events", Some("/jobs/{id}/events")),
            ("/jobs/a%2Fb", Some("/jobs/{id}")),
            ("/api/v1/jobs/7", Some("/jobs/{id}")),
            ("/%61pi/v1/jobs/m%65", Some("/jobs/me")),
            ("/docs/a/b", Some("/docs/{file:.*}")),
            ("/docs/a/b/c", Some("/docs/{a}/{b}/c")),
            ("/jobs/", None),
            ("//jobs", None),
            ("/jobs/7/8", None),
            ("/jobsx", None),
            ("/api/v1jobs", None),
        ] {
            let response = call_service(&app, TestRequest::get().uri(path).to_request()).await;
            let expected =
                expected.map_or((StatusCode::NOT_FOUND, ""), |template| (StatusCode::OK, template));
            assert_eq!(response.status(), expected.0, "{path}");
            assert_eq!(read_body(response).await, expected.1, "{path}");
        }
    }
}
