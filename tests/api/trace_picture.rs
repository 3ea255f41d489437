//! Draws a trace of a job as a picture: docs/pictures/trace.svg, which `./script/pictures` makes.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use opentelemetry_proto::tonic::trace::v1::Span;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, Client,
    bodies::id_of,
    collector::{Collector, attribute},
    spawn_app_with,
};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const ROW: usize = 18;
const NAMES: usize = 330;
const BARS: usize = 620;
const MARGIN: usize = 10;

/// Sends a request with the same parent as every other, as if one client had made them for one purpose.
async fn post(client: &Client, path: &str, body: Value) -> Answer {
    let send = |request: reqwest::RequestBuilder| request.header("traceparent", PARENT).json(&body);
    client.send_as(Method::POST, path, send).await
}

#[actix_web::test]
#[ignore = "makes a picture: ./script/pictures"]
async fn a_trace_of_a_job_is_drawn() {
    let collector = Collector::start().await;
    let app = spawn_app_with(|settings| collector.set(settings, 0.0)).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let mut watching = app.socket(&stranded.client).await;
    let job = id_of(&post(&stranded.client, "/jobs", stranded.call_body()).await.expect(201));
    watching.ask("job.subscribe", json!({"job_id": job})).await.expect("subscribed");
    let offer = id_of(&mechanic.offer().await);
    post(&mechanic.client, &format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    post(&mechanic.client, &format!("/jobs/{job}/en-route"), json!({})).await.expect(200);
    let commit = |event: &'static str| {
        move |span: &Span| span.name == "job.commit" && attribute(span, "job.event").as_deref() == Some(event)
    };
    let last = collector.find("the last commit", commit("en_route")).await;
    collector
        .find("its frame", |span| span.name == "job.updated" && span.parent_span_id == last.span_id)
        .await;
    let spans = collector.spans();
    fs::write("docs/pictures/trace.svg", drawn(&spans)).expect("written");
}

/// Draws a row for each span, below its cause.
fn drawn(spans: &[Span]) -> String {
    let mut below: BTreeMap<&[u8], Vec<&Span>> = BTreeMap::new();
    for span in spans {
        let is_first = !spans.iter().any(|other| other.span_id == span.parent_span_id);
        below.entry(if is_first { &[] } else { &span.parent_span_id }).or_default().push(span);
    }
    let mut rows = Vec::new();
    arrange(&mut below, &[], 0, &mut rows);
    let start = spans.iter().map(|span| span.start_time_unix_nano).min().unwrap_or_default();
    let end = spans.iter().map(|span| span.end_time_unix_nano).max().unwrap_or_default();
    let x =
        |nanoseconds: u64| NAMES as f64 + (nanoseconds - start) as f64 / (end - start) as f64 * BARS as f64;
    let (width, height) = (NAMES + BARS + 2 * MARGIN + 60, (rows.len() + 2) * ROW + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
        <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
        <text x=\"{MARGIN}\" y=\"{ROW}\" fill=\"#4b5664\">A job is made, offered, accepted and driven to: {} spans in {} ms</text>\n",
        rows.len(),
        (end - start) / 1_000_000,
    );
    for (at, (depth, span)) in rows.iter().enumerate() {
        let (top, indent) = ((at + 1) * ROW + MARGIN, MARGIN + depth * 14);
        let (left, right) = (x(span.start_time_unix_nano), x(span.end_time_unix_nano));
        let took = (span.end_time_unix_nano - span.start_time_unix_nano) as f64 / 1e6;
        let color = match span.name.as_str() {
            name if name.starts_with("POST ") => "#1b4fa8",
            "job.command" | "job.execute" | "job.commit" => "#b45309",
            // A frame has this colour.
            _ => "#11703f",
        };
        let label = if took < 0.05 { String::new() } else { format!("{took:.1} ms") };
        let event = attribute(span, "job.event").map(|event| format!(" ({event})")).unwrap_or_default();
        writeln!(
            svg,
            "<text x=\"{indent}\" y=\"{}\" fill=\"#141a22\">{}{event}</text>\
            <rect x=\"{left:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" rx=\"2\" fill=\"{color}\"/>\
            <text x=\"{:.1}\" y=\"{}\" fill=\"#4b5664\">{label}</text>",
            top + 13,
            span.name,
            top + 3,
            (right - left).max(1.5),
            ROW - 5,
            right + 6.0,
            top + 13,
        )
        .expect("a text");
    }
    svg + "</svg>\n"
}

/// Arranges spans in the order in which they began.
fn arrange<'a>(
    below: &mut BTreeMap<&'a [u8], Vec<&'a Span>>,
    parent: &[u8],
    depth: usize,
    rows: &mut Vec<(usize, &'a Span)>,
) {
    let mut spans = below.remove(parent).unwrap_or_default();
    spans.sort_by_key(|span| span.start_time_unix_nano);
    for span in spans {
        rows.push((depth, span));
        arrange(below, &span.span_id, depth + 1, rows);
    }
}
