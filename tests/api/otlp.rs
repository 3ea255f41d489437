//! Traces by OTLP: the spans that a collector gets, and the effects of a missing or hanging collector.

use opentelemetry_proto::tonic::trace::v1::Span;
use reqwest::{Method, RequestBuilder};
use roadcall::{app::StartOptions, service::settings::PlaceProvider};
use serde_json::json;

use crate::support::{
    Client, TestApp,
    bodies::id_of,
    collector::{Collector, attribute},
    geocoders::GeocoderPeer,
    peer::Manner,
    roadside::PICKUP,
    spawn_app_with, spawn_cluster_with,
};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const SPAN: &str = "b7ad6b7169203331";

fn parent() -> String {
    format!("00-{TRACE}-{SPAN}-01")
}

/// Sends a request that belongs to a trace.
async fn post_in(
    client: &Client,
    path: &str,
    body: serde_json::Value,
    parent: &str,
) -> crate::support::Answer {
    client
        .send_as(Method::POST, path, |request| {
            request.header("traceparent", parent).header("tracestate", "vendor=hunter2").json(&body)
        })
        .await
}

fn is_of(trace: &str) -> impl Fn(&Span) -> bool {
    move |span| hex::encode(&span.trace_id[..]) == trace
}

fn is_commit(event: &str) -> impl Fn(&Span) -> bool {
    move |span| span.name == "job.commit" && attribute(span, "job.event").as_deref() == Some(event)
}

#[actix_web::test]
async fn one_trace_links_the_clients_request_the_jobs_actor_and_the_sent_frames() {
    let collector = Collector::start().await;
    // Only traces that the caller wants recorded are recorded.
    let app = spawn_app_with(|settings| collector.set(settings, 0.0)).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let answer = post_in(&stranded.client, "/jobs", stranded.call_body(), &parent()).await;
    let request_id = answer.header("x-request-id").unwrap().to_owned();
    let job = id_of(&answer.expect(201));
    let offer_id = id_of(&mechanic.offer().await);

    let offered = collector.named("offer.created").await;
    let request = collector.named("POST /jobs").await;
    assert_eq!(hex::encode(&request.parent_span_id[..]), SPAN);
    for (key, value) in
        [("request.id", request_id.as_str()), ("http.route", "/jobs"), ("http.response.status_code", "201")]
    {
        assert_eq!(attribute(&request, key).as_deref(), Some(value));
    }
    let created = collector.find("the job's commit", is_commit("created")).await;
    let executed = collector.parent(&created).await;
    let commanded = collector.parent(&executed).await;
    assert_eq!((executed.name.as_str(), commanded.name.as_str()), ("job.execute", "job.command"));
    assert_eq!(commanded.parent_span_id, request.span_id);
    // The dispatcher's own command belongs to the same trace, and the frame to that command.
    let offer = collector.parent(&offered).await;
    assert!(is_commit("offers_made")(&offer), "{offer:?}");
    assert_eq!(attribute(&offered, "job.id").as_ref(), Some(&job));
    collector.named("notification.created").await;
    let others: Vec<String> =
        collector.spans().iter().filter(|span| !is_of(TRACE)(span)).map(|span| span.name.clone()).collect();
    assert!(others.is_empty(), "not asked for: {others:?}");

    // A change of the job in a request that is not recorded belongs to no trace, and neither do its consequences.
    mechanic.client.post(&format!("/offers/{offer_id}/accept"), json!({})).await.expect(200);
    mechanic.socket.until("job.updated").await;
    let later = format!("00-1{}-{SPAN}-01", &TRACE[1..]);
    let look = |request: RequestBuilder| request.header("traceparent", later);
    stranded.client.send_as(Method::GET, &format!("/jobs/{job}"), look).await.expect(200);
    collector.named("GET /jobs/{id}").await;
    let accepted = |span: &Span| span.name == "job.updated" || is_commit("accepted")(span);
    assert!(!collector.spans().iter().any(accepted));

    let (phone, token) = (stranded.client.phone.clone(), stranded.client.token().unwrap().to_owned());
    for request in collector.requests() {
        let sent = format!("{} {:?}", String::from_utf8_lossy(&request.body), request.headers);
        for secret in
            [phone.as_str(), &phone[3..], &token, "MG Road", "KA01AB1234", "12.97", "hunter2", "vendor"]
        {
            assert!(!sent.contains(secret), "{secret} was sent");
        }
        // The position is searched for as a number, too.
        for position in [PICKUP.0, PICKUP.1] {
            assert!(
                !request.body.windows(8).any(|bytes| bytes == position.to_le_bytes()),
                "{position} was sent"
            );
        }
    }
}

#[actix_web::test]
async fn a_request_over_a_socket_has_its_own_trace() {
    let collector = Collector::start().await;
    let app = spawn_app_with(|settings| collector.set(settings, 1.0)).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let mut watching = app.socket(&stranded.client).await;
    let job = id_of(&stranded.call().await);
    watching.ask("job.subscribe", json!({"job_id": job})).await.expect("subscribed");
    let offer = mechanic.offer().await;
    mechanic.socket.ask("offer.accept", json!({"offer_id": offer["id"]})).await.expect("accepted");

    let frame = collector.named("offer.accept").await;
    assert!(frame.parent_span_id.is_empty());
    let accepted = collector.find("the acceptance's commit", is_commit("accepted")).await;
    let commanded = collector.parent(&collector.parent(&accepted).await).await;
    assert_eq!((&commanded.parent_span_id, &accepted.trace_id), (&frame.span_id, &frame.trace_id));
    let shown = |span: &Span| span.name == "job.updated" && span.trace_id == frame.trace_id;
    let shown = collector.find("the customer's frame", shown).await;
    assert_eq!(collector.parent(&shown).await.name, "job.commit");
    // Positions are no part of any trace.
    mechanic.ping(PICKUP).await;
    watching.find("a position", |frame| frame["type"] == "location.updated").await;
    mechanic.client.get("/health").await.expect(200);
    collector.named("GET /health").await;
    let of_position = |span: &Span| span.name.starts_with("location.") || span.name.starts_with("eta.");
    assert!(!collector.spans().iter().any(of_position));
}

#[actix_web::test]
async fn a_parent_that_breaks_the_standard_is_ignored() {
    let collector = Collector::start().await;
    let app = spawn_app_with(|settings| collector.set(settings, 1.0)).await;
    let stranded = app.breakdown().await;
    let answer = post_in(&stranded.client, "/jobs", stranded.call_body(), &parent().to_uppercase()).await;
    answer.expect(201);
    let request = collector.named("POST /jobs").await;
    assert!(request.parent_span_id.is_empty() && !is_of(TRACE)(&request), "{request:?}");
}

#[actix_web::test]
async fn a_provider_learns_only_the_trace() {
    let (collector, geocoder) = (Collector::start().await, GeocoderPeer::photon().await);
    let app = spawn_app_with(|settings| {
        collector.set(settings, 0.0);
        geocoder.set(&mut settings.places, PlaceProvider::Photon);
    })
    .await;
    let customer = app.customer().await;
    let find = |name: &'static str, headers: Vec<(&'static str, String)>| {
        let customer = &customer;
        async move {
            let path = format!("/places?q={name}");
            let asked = customer.send_as(Method::GET, &path, |request| {
                headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
            });
            asked.await.expect(200);
        }
    };
    find("indiranagar", vec![("traceparent", parent()), ("tracestate", "vendor=hunter2".to_owned())]).await;
    let asked = geocoder.last();
    let span = collector.named("places").await;
    assert_eq!(asked.headers["traceparent"], format!("00-{TRACE}-{}-01", hex::encode(&span.span_id[..])));
    assert!(!asked.headers.contains_key("tracestate"), "{:?}", asked.headers);
    assert_eq!(attribute(&span, "http.response.status_code").as_deref(), Some("200"));
    assert_eq!(collector.parent(&span).await.name, "GET /places");
    for request in collector.requests() {
        assert!(!String::from_utf8_lossy(&request.body).to_lowercase().contains("indiranagar"));
    }
    // The header says that this request is not recorded.
    find("koramangala", vec![("traceparent", format!("00-{TRACE}-{SPAN}-00"))]).await;
    let asked = geocoder.last();
    let named = &asked.headers["traceparent"];
    assert!(named.starts_with(&format!("00-{TRACE}-")) && named.ends_with("-00"), "{named}");
}

#[actix_web::test]
async fn without_a_collector_nothing_is_sent_to_anybody() {
    let geocoder = GeocoderPeer::photon().await;
    let app = spawn_app_with(|settings| geocoder.set(&mut settings.places, PlaceProvider::Photon)).await;
    let customer = app.customer().await;
    let asked = customer
        .send_as(Method::GET, "/places?q=indiranagar", |request| request.header("traceparent", parent()));
    asked.await.expect(200);
    let asked = geocoder.last();
    assert!(!asked.headers.contains_key("traceparent"), "{:?}", asked.headers);
}

#[actix_web::test]
async fn a_collector_that_hangs_delays_neither_requests_nor_the_stop() {
    let collector = Collector::start().await;
    collector.answer_as(Manner::Silent);
    let mut app = spawn_app_with(|settings| collector.set(settings, 1.0)).await;
    let scene = app.accepted().await;
    collector.asked().await;
    // It answers none of this, and everything goes on.
    scene.serve().await;
    scene.pay_cash().await;
    app.stop().await;
    assert_eq!(
        collector.requests().len(),
        1,
        "the next request would wait for the first, which has no answer"
    );
}

#[actix_web::test]
async fn in_a_cluster_a_trace_continues_on_the_leader_and_in_frames_of_other_servers() {
    let collector = Collector::start().await;
    let app: TestApp =
        spawn_cluster_with(|settings| collector.set(settings, 0.0), StartOptions::default()).await;
    let stranded = app.breakdown().await;
    let mut watching = app.socket(&stranded.client).await;
    let job = id_of(&post_in(&stranded.client, "/jobs", stranded.call_body(), &parent()).await.expect(201));
    let created = collector.find("the job's commit", is_commit("created")).await;
    let commanded = collector.parent(&collector.parent(&created).await).await;
    let crossed = collector.parent(&commanded).await;
    assert_eq!(crossed.name, "cluster.request");
    let request = collector.named("POST /jobs").await;
    assert_eq!(crossed.parent_span_id, request.span_id);
    assert_eq!(hex::encode(&request.parent_span_id[..]), SPAN);

    watching.ask("job.subscribe", json!({"job_id": job})).await.expect("subscribed");
    let cancel = format!("/jobs/{job}/cancel");
    post_in(&stranded.client, &cancel, json!({"reason_code": "changed_mind"}), &parent()).await.expect(200);
    let cancelled = collector.find("the cancellation's commit", is_commit("cancelled")).await;
    let frame = |span: &Span| span.name == "job.updated" && span.parent_span_id == cancelled.span_id;
    collector.find("the frame of the server that does not lead", frame).await;
}
