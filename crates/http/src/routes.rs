use actix_web::{
    Route,
    dev::HttpServiceFactory,
    guard,
    web::{self, ServiceConfig},
};
use utoipa_actix_web::{OpenApiFactory, service_config::ServiceConfig as Described};

/// The registry of the areas' routes. The document needs their descriptions; the server, which registers every route
/// in each of its threads and under two prefixes, does without.
pub enum Routes<'a, 'b> {
    Server(&'a mut ServiceConfig),
    Document(&'a mut Described<'b>),
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
    pub fn service(&mut self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        match self {
            Self::Server(config) => {
                config.service(handler);
            }
            Self::Document(config) => {
                config.service(handler);
            }
        }
        self
    }

    /// Registers a route that is not in the document.
    pub fn route(&mut self, path: &str, route: Route) -> &mut Self {
        if let Self::Server(config) = self {
            config.route(path, route);
        }
        self
    }

    pub fn configure(&mut self, routes: fn(&mut Routes)) -> &mut Self {
        routes(self);
        self
    }
}
