//! The metrics, as Prometheus reads them.

use std::{
    io,
    net::TcpListener,
    time::{Duration, Instant},
};

use actix_web::{App, HttpResponse, HttpServer, dev::Server, web::Data};
use chrono::{DateTime, Utc};
use metrics::{counter, gauge};
use roadcall_actors::{
    dispatcher::pricing::Market,
    experience::HoldReport,
    protocol::{HoldsQuery, SurveyQuery},
};

use super::EdgeContext;
use crate::{
    cluster::Peers,
    dispatch::MarketLook,
    http::reading,
    platform::{
        db::{Work, WorkQueues, Writes},
        telemetry,
    },
};

/// The ranks of the classes of mechanics with the highest prices, which are shown.
const PRICE_RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
/// How long a scrape waits for the engine's numbers.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(1);

/// Renders all metrics in Prometheus's text format. Gauges are read now, so that they need no timer.
pub(super) async fn render(context: &EdgeContext) -> String {
    let (open, idle) = context.db.connections();
    gauge!("roadcall_db_connections", "state" => "open").set(f64::from(open));
    gauge!("roadcall_db_connections", "state" => "idle").set(idle as f64);
    gauge!("roadcall_db_waiters").set(context.db.waiting() as f64);
    gauge!("roadcall_db_connections", "state" => "max")
        .set(f64::from(context.settings.database.max_connections));
    let takes_writes = context.db.writes(context.clock.now()).await == Writes::Taken;
    gauge!("roadcall_db_takes_writes").set(f64::from(u8::from(takes_writes)));
    gauge!("roadcall_ws_sockets").set(context.hub.sockets() as f64);
    gauge!("roadcall_ws_watched_jobs").set(context.hub.watched_jobs() as f64);
    gauge!("roadcall_ws_openings", "state" => "waiting").set(context.openings.waiting() as f64);
    gauge!("roadcall_ws_openings", "state" => "under_way").set(context.openings.under_way() as f64);
    measure(&context.admission);
    context.etas.measure();
    if let Some(Peers { link, .. }) = &context.cluster.peers {
        gauge!("roadcall_cluster_bus_connected").set(f64::from(u8::from(link.bus().is_connected())));
        counter!("roadcall_cluster_lost_messages_total").absolute(link.bus().lost());
        gauge!("roadcall_cluster_leading").set(f64::from(u8::from(link.is_local())));
        // The engine's numbers come from the server that has the engine.
        if !link.is_local() {
            return telemetry::rendered();
        }
    }
    let asked = Instant::now();
    let survey = context.engine.ask(SurveyQuery { within: ENGINE_TIMEOUT }).await;
    // This is how long a caller waits in the dispatcher's mailbox, or the limit if there was no answer.
    gauge!("roadcall_engine_lag_seconds").set(asked.elapsed().as_secs_f64());
    if let Ok((counts, markets)) = survey {
        let dispatcher = counts.dispatcher;
        gauge!("roadcall_waiting_jobs").set(dispatcher.waiting_jobs as f64);
        gauge!("roadcall_held_jobs").set(dispatcher.held_jobs as f64);
        gauge!("roadcall_mechanics", "state" => "online").set(dispatcher.online_mechanics as f64);
        gauge!("roadcall_mechanics", "state" => "free").set(dispatcher.free_mechanics as f64);
        let exact = dispatcher.contested - dispatcher.bounded;
        counter!("roadcall_dispatch_passes_total").absolute(dispatcher.passes);
        counter!("roadcall_dispatch_contested_total", "method" => "exact").absolute(exact);
        counter!("roadcall_dispatch_contested_total", "method" => "bounded").absolute(dispatcher.bounded);
        counter!("roadcall_dispatch_solved_on_thread_total").absolute(dispatcher.beside);
        counter!("roadcall_dispatch_eta_tables_total").absolute(dispatcher.eta_tables);
        counter!("roadcall_dispatch_stale_total").absolute(dispatcher.stale);
        let advice = dispatcher.advice;
        for (outcome, count) in [
            ("given", advice.given),
            ("followed", advice.followed),
            ("stayed", advice.stayed),
            ("cut_short", advice.cut_short),
        ] {
            counter!("roadcall_advice_total", "outcome" => outcome).absolute(count);
        }
        gauge!("roadcall_engine_actors", "kind" => "job").set(counts.job_actors as f64);
        gauge!("roadcall_engine_actors", "kind" => "mechanic").set(counts.mechanic_actors as f64);
        measure_prices(&markets);
        if let Ok(holds) = context.engine.ask(HoldsQuery).await {
            measure_holds(&markets, &holds, context.clock.now());
        }
    }
    context.callbacks.measure(context.clock.now());
    telemetry::rendered()
}

/// Measures the worst of all markets: each market may be a town, and its label would stay forever.
fn measure_holds(markets: &[Market], holds: &HoldReport, now: DateTime<Utc>) {
    for (outcome, count) in
        [("justified", holds.ended.justified), ("free", holds.ended.free), ("wasted", holds.ended.wasted)]
    {
        counter!("roadcall_holds_total", "outcome" => outcome).absolute(count);
    }
    gauge!("roadcall_holds_open").set(holds.open as f64);
    let looks: Vec<MarketLook> = markets.iter().map(MarketLook::of).collect();
    let worst = |of: fn(&MarketLook) -> f64| looks.iter().map(of).fold(0.0, f64::max);
    gauge!("roadcall_idle_beside_held").set(worst(|look| look.idle_beside_held));
    gauge!("roadcall_load_ratio").set(worst(MarketLook::load_ratio));
    gauge!("roadcall_price_share").set(looks.iter().map(|look| look.price_share).fold(1.0, f64::min));
    let longest = holds.starving.iter().map(|starving| (now - starving.since).num_seconds()).max();
    gauge!("roadcall_starving_seconds").set(longest.unwrap_or_default() as f64);
}

/// Measures prices by rank, since a label of a class's skills could have any length and would stay forever.
fn measure_prices(markets: &[Market]) {
    let classes = markets.iter().flat_map(|market| &market.classes);
    let mut prices: Vec<(f64, f64)> = classes.map(|class| (class.price, class.one_more())).collect();
    prices.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    prices.resize(PRICE_RANKS.len(), (0.0, 0.0));
    for (rank, (price, one_more)) in PRICE_RANKS.into_iter().zip(prices) {
        gauge!("roadcall_mechanic_price", "rank" => rank).set(price);
        gauge!("roadcall_one_more_mechanic_saves", "rank" => rank).set(one_more);
    }
}

fn measure(admission: &WorkQueues) {
    for work in Work::ALL {
        let kind = work.as_str();
        gauge!("roadcall_admitted", "kind" => kind, "state" => "in_progress")
            .set(admission.in_progress(work) as f64);
        gauge!("roadcall_admitted", "kind" => kind, "state" => "waiting").set(admission.waiting(work) as f64);
    }
    gauge!("roadcall_overloaded").set(f64::from(u8::from(admission.overload().is_under_way())));
}

/// The content type of Prometheus's text format.
pub const METRICS_CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Serves `/metrics` on a separate listener, so that in production only the machine itself can read it.
pub fn server(listener: TcpListener, context: Data<EdgeContext>) -> io::Result<Server> {
    let server = HttpServer::new(move || {
        App::new().app_data(context.clone()).route("/metrics", reading().to(serve_metrics))
    });
    Ok(server.workers(1).disable_signals().listen(listener)?.run())
}

async fn serve_metrics(context: Data<EdgeContext>) -> HttpResponse {
    HttpResponse::Ok().content_type(METRICS_CONTENT_TYPE).body(render(&context).await)
}
