//! The floor for `api`: a bare actix-web server that returns answers which were written down beforehand.

use std::{collections::HashMap, fs, net::SocketAddr, path::PathBuf, sync::Arc};

use actix_web::{
    App, HttpResponse, HttpResponseBuilder, HttpServer,
    http::StatusCode,
    web::{self, Bytes, Data},
};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::Route;
use crate::{Failure, sender::Answer};

#[derive(Debug, Args)]
pub struct BareArgs {
    /// The address to listen on, a loopback address
    #[arg(long)]
    listen: SocketAddr,
    /// The file with the answers, as `api` writes them
    #[arg(long)]
    file: PathBuf,
}

/// The prepared answer of a route.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Prepared {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl From<Answer> for Prepared {
    fn from(Answer { status, mut headers, body }: Answer) -> Self {
        // The framework adds these itself.
        headers.retain(|(name, _)| !matches!(&name[..], "content-length" | "date" | "connection"));
        Self { status, headers, body }
    }
}

/// The answers by the route's name.
pub type Answers = HashMap<String, Prepared>;

/// Serves until it is killed.
pub fn run(args: BareArgs) -> Result<(), Failure> {
    let answers: Answers = serde_json::from_str(&fs::read_to_string(&args.file)?)?;
    let answers = Data::from(Arc::new(answers));
    // The server needs a system of its own, because this is called within a runtime.
    let served = std::thread::spawn(move || {
        actix_rt::System::new().block_on(async move {
            let app = move || {
                App::new()
                    .app_data(answers.clone())
                    .route("/jobs", web::get().to(|answers| answer(answers, Route::List)))
                    .route(
                        "/jobs/estimate",
                        web::post().to(|answers, body| read(answers, body, Route::Estimate)),
                    )
                    .route("/jobs/{id}", web::get().to(|answers| answer(answers, Route::One)))
                    .route(
                        "/auth/refresh",
                        web::post().to(|answers, body| read(answers, body, Route::Refresh)),
                    )
            };
            HttpServer::new(app).bind(args.listen)?.run().await
        })
    });
    Ok(served.join().map_err(|_| "the bare server panicked")??)
}

async fn read(answers: Data<Answers>, _body: Bytes, route: Route) -> HttpResponse {
    answer(answers, route).await
}

async fn answer(answers: Data<Answers>, route: Route) -> HttpResponse {
    let Some(Prepared { status, headers, body }) = answers.get(route.name()) else {
        return HttpResponse::NotFound().finish();
    };
    let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponseBuilder::new(status);
    for (name, value) in headers {
        response.append_header((&name[..], &value[..]));
    }
    response.body(body.clone())
}
