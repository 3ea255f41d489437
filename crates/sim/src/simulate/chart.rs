//! The comparison as a chart: SVG, written by hand.
//!
//! The colours are Okabe and Ito's palette, which colour-blind people can distinguish; dashes and marks differ, too. The chart
//! follows a viewer's preference for dark.

use std::fmt::Write;

use super::{
    calibration,
    outcome::IN_TIME_S,
    policy::{Kind, Policy},
    report::Report,
    roster::Roster,
};

const WIDTH: f64 = 1040.0;
const HEIGHT: f64 = 470.0;
/// The curves are cut beyond this many minutes.
const MAX_MINUTES: f64 = 60.0;
/// The position of the policies' names, and the distance of their rows.
const LEGEND_LEFT: f64 = 30.0;
const LEGEND_TOP: f64 = 78.0;
const LEGEND_ROW: f64 = 20.0;
/// The position and the height of the roster's rows.
const HEAT_LEFT: f64 = 30.0;
const HEAT_ROW: f64 = 20.0;
const PROMISES_HEIGHT: f64 = 420.0;
/// The number of points of a curve.
const STEPS: u32 = 240;

const STYLE: &str = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;\
font-size:13px;fill:#222}.paper{fill:#fff}.title{font-size:17px;font-weight:600}.sub{font-size:12px;fill:#555}\
.name{font-size:14px;font-weight:600}.axis{stroke:#444;stroke-width:1;fill:none}.grid{stroke:#e3e3e3;stroke-width:1}\
.mark{stroke:#888;stroke-width:1;stroke-dasharray:3 3}.line{fill:none;stroke-width:2.4;stroke-linejoin:round}\
.bar{stroke-width:1.6;fill:none}.ours{stroke:#0072b2}.advised{stroke:#332288}.exact{stroke:#cc79a7}.nearest{stroke:#d55e00}.broadcast{stroke:#009e73}\
.dot.ours{fill:#0072b2}.dot.advised{fill:#332288}.dot.exact{fill:#cc79a7}.dot.nearest{fill:#d55e00}.dot.broadcast{fill:#009e73}\
@media(prefers-color-scheme:dark){text{fill:#e8e8e8}.paper{fill:#15181c}.sub{fill:#aab}.axis{stroke:#bbb}\
.grid{stroke:#2c3138}.mark{stroke:#889}.ours{stroke:#56b4e9}.advised{stroke:#a99bff}.exact{stroke:#e6a5c6}.nearest{stroke:#f0883e}.broadcast{stroke:#3fc79a}\
.dot.ours{fill:#56b4e9}.dot.advised{fill:#a99bff}.dot.exact{fill:#e6a5c6}.dot.nearest{fill:#f0883e}.dot.broadcast{fill:#3fc79a}}";

/// The position of a chart in the picture, and the ranges of its axes.
#[derive(Debug, Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        self.left + (value - self.x[0]) / (self.x[1] - self.x[0]) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - (value - self.y[0]) / (self.y[1] - self.y[0]) * (self.bottom - self.top)
    }
}

impl Report {
    /// Returns the charts as SVG; the second only if the report has more than one load.
    pub fn chart(&self) -> String {
        draw(self)
    }
}

fn draw(report: &Report) -> String {
    let has_sweep = report.runs.loads.len() > 1;
    let width = if has_sweep { WIDTH } else { WIDTH / 2.0 + 40.0 };
    let mut legend_svg = String::new();
    let more = legend(&mut legend_svg, report, width);
    let base = HEIGHT + more;
    let promises_top = base + report.roster.as_ref().map_or(0.0, heat_height);
    let height = promises_top + if report.has_calibration { PROMISES_HEIGHT } else { 0.0 };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        title = escaped(&report.title),
    );
    text(&mut svg, "title", 30.0, 34.0, "start", &report.title);
    text(&mut svg, "sub", 30.0, 54.0, "start", &report.conditions());
    svg.push_str(&legend_svg);
    let frame = Frame {
        left: 70.0,
        right: if has_sweep { 500.0 } else { width - 30.0 },
        top: 130.0 + more,
        bottom: 410.0 + more,
        x: [0.0, MAX_MINUTES],
        y: [0.0, 100.0],
    };
    waiting(&mut svg, &frame, report);
    if has_sweep {
        sweep(&mut svg, &Frame { left: 580.0, right: 1010.0, ..frame }, report);
    }
    if let Some(roster) = &report.roster {
        heat(&mut svg, roster, base, width);
    }
    if report.has_calibration {
        let frame = Frame {
            right: width.min(500.0),
            top: promises_top + 50.0,
            bottom: promises_top + PROMISES_HEIGHT - 50.0,
            x: [0.0, 100.0],
            ..frame
        };
        promises(&mut svg, &frame, report);
    }
    svg.push_str("</svg>\n");
    svg
}

fn heat_height(roster: &Roster) -> f64 {
    70.0 + HEAT_ROW * roster.crews.len() as f64
}

/// Draws a row for each crew and a column for each hour of the day, darker where one more mechanic would save more.
fn heat(svg: &mut String, roster: &Roster, top: f64, width: f64) {
    text(svg, "name", HEAT_LEFT, top, "start", "What one more mechanic would save, by hour of the day");
    let hours = roster.crews.iter().flat_map(|crew| &crew.hours);
    let most = hours.filter_map(|hour| hour.one_more_saves_per_hour).fold(0.0, f64::max);
    let (left, cell) = (HEAT_LEFT + 130.0, (width - 30.0 - HEAT_LEFT - 130.0) / 24.0);
    for (row, crew) in roster.crews.iter().enumerate() {
        let y = top + 16.0 + HEAT_ROW * row as f64;
        text(svg, "", left - 8.0, y + HEAT_ROW * 0.7, "end", &crew.crew);
        for hour in &crew.hours {
            let Some(saved) = hour.one_more_saves_per_hour else { continue };
            let (x, share) = (left + cell * hour.hour as f64, if most > 0.0 { saved / most } else { 0.0 });
            writeln!(
                svg,
                "<rect class=\"dot nearest\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" height=\"{HEAT_ROW:.1}\" \
                 fill-opacity=\"{share:.3}\"><title>{saved:.2} jobs per hour</title></rect>"
            )
            .ok();
        }
    }
    let bottom = top + 16.0 + HEAT_ROW * roster.crews.len() as f64;
    for hour in (0..=24).step_by(6) {
        text(svg, "", left + cell * f64::from(hour), bottom + 18.0, "middle", &format!("{hour:02}"));
    }
    let scale =
        format!("hour of the day; the darkest is {most:.2} jobs per hour, nothing is 0 or none online");
    text(svg, "sub", left, bottom + 38.0, "start", &scale);
}

/// Draws the legend, and returns the height of the rows after the first.
fn legend(svg: &mut String, report: &Report, width: f64) -> f64 {
    let (mut x, mut y) = (LEGEND_LEFT, LEGEND_TOP);
    for policy in &report.runs.policies {
        let label = label(*policy);
        // A letter is about this wide.
        let letters = 7.5 * label.len() as f64;
        if x > LEGEND_LEFT && x + 42.0 + letters > width {
            (x, y) = (LEGEND_LEFT, y + LEGEND_ROW);
        }
        styled_line(svg, &line_class(*policy), &dashes(report, *policy), [x, x + 34.0], [y, y]);
        dot(svg, *policy, x + 17.0, y);
        text(svg, "", x + 42.0, y + 4.5, "start", &label);
        x += 80.0 + letters;
    }
    y - LEGEND_TOP
}

fn label(policy: Policy) -> String {
    match policy.kind {
        Kind::Nearest => format!("sequential {policy}"),
        _ => policy.to_string(),
    }
}

fn line_class(policy: Policy) -> String {
    format!("line {}", policy.kind.as_str())
}

/// Draws the share of all jobs whose mechanic had arrived after so many minutes. Jobs without a mechanic keep it below 100.
fn waiting(svg: &mut String, frame: &Frame, report: &Report) {
    text(svg, "name", frame.left, frame.top - 16.0, "start", "Jobs whose mechanic arrived within a time");
    let minutes: Vec<f64> = (0..=6).map(|n| f64::from(n) * 10.0).collect();
    axes(svg, frame, &minutes, |value| format!("{value:.0}"), "minutes since the job was made");
    let mark = frame.x(IN_TIME_S / 60.0);
    line(svg, "mark", [mark, mark], [frame.bottom, frame.top]);
    text(svg, "sub", mark + 5.0, frame.bottom - 8.0, "start", "in time");
    for policy in &report.runs.policies {
        let (mut arrivals, mut jobs) = (Vec::new(), 0);
        for ran in report.runs.of(*policy, 1.0) {
            arrivals.extend(ran.outcome.arrivals());
            jobs += ran.outcome.jobs.len();
        }
        arrivals.sort_by(f64::total_cmp);
        let points = (0..=STEPS).map(|step| {
            let minutes = MAX_MINUTES * f64::from(step) / f64::from(STEPS);
            let within = arrivals.partition_point(|seconds| *seconds <= minutes * 60.0);
            (minutes, 100.0 * within as f64 / jobs.max(1) as f64)
        });
        path(svg, frame, report, *policy, points);
    }
}

/// Draws promises against their outcomes: on the diagonal, promises are true. The area of a mark grows with its jobs.
fn promises(svg: &mut String, frame: &Frame, report: &Report) {
    text(
        svg,
        "name",
        frame.left,
        frame.top - 16.0,
        "start",
        "Jobs served in time, by the chance that was promised",
    );
    let ticks: Vec<f64> = (0..=5).map(|n| f64::from(n) * 20.0).collect();
    axes(svg, frame, &ticks, |value| format!("{value:.0} %"), "promised chance to be served in time");
    line(svg, "mark", [frame.left, frame.right], [frame.bottom, frame.top]);
    for promises in calibration::promises(&report.runs).iter().filter(|promises| promises.load == 1.0) {
        let jobs: usize = promises.promised.iter().map(|row| row.jobs).sum();
        for row in &promises.promised {
            let (Some(promised), Some(in_time)) = (row.promised_percent, row.in_time_percent) else {
                continue;
            };
            let radius = 3.0 + 18.0 * (row.jobs as f64 / jobs.max(1) as f64).sqrt();
            writeln!(
                svg,
                "<circle class=\"bar {}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>{}: {} jobs, promised \
                 {promised:.0} %, in time {in_time:.0} %</title></circle>",
                promises.policy.kind.as_str(),
                frame.x(promised),
                frame.y(in_time),
                promises.policy,
                row.jobs,
            )
            .ok();
        }
    }
}

fn sweep(svg: &mut String, wide: &Frame, report: &Report) {
    text(svg, "name", wide.left, wide.top - 16.0, "start", "Share served in time (30 min) by load");
    let runs = &report.runs;
    let of = |policy: &Policy, load: &f64| runs.interval(*policy, *load, 0);
    let shares = runs.policies.iter().flat_map(|policy| runs.loads.iter().map(move |load| of(policy, load)));
    let least = shares.map(|interval| interval.least()).fold(100.0, f64::min);
    let floor = ((least / 10.0).floor() * 10.0).clamp(0.0, 90.0);
    let loads = &runs.loads;
    let (first, last) = (loads.first().copied().unwrap_or(0.0), loads.last().copied().unwrap_or(1.0));
    let margin = (last - first) * 0.04;
    let frame = Frame { x: [first - margin, last + margin], y: [floor, 100.0], ..*wide };
    axes(svg, &frame, loads, |load| format!("×{load}"), "jobs, as a multiple of the scenario's");
    // The intervals are drawn next to each other, so that none hides another.
    let nudge = |place: usize| (place as f64 - (runs.policies.len() as f64 - 1.0) / 2.0) * 7.0;
    for (place, policy) in runs.policies.iter().enumerate() {
        let shift = nudge(place) / (frame.right - frame.left) * (frame.x[1] - frame.x[0]);
        path(svg, &frame, report, *policy, loads.iter().map(|load| (load + shift, of(policy, load).mean)));
        for load in loads {
            let (interval, x) = (of(policy, load), frame.x(load + shift));
            let (top, bottom) = (frame.y(interval.most().min(100.0)), frame.y(interval.least().max(floor)));
            line(svg, &format!("bar {}", policy.kind.as_str()), [x, x], [bottom, top]);
            dot(svg, *policy, x, frame.y(interval.mean));
        }
    }
}

fn axes(svg: &mut String, frame: &Frame, ticks: &[f64], tick: impl Fn(f64) -> String, name: &str) {
    let step = if frame.y[1] - frame.y[0] > 50.0 { 20.0 } else { 10.0 };
    let mut share = frame.y[1];
    while share >= frame.y[0] {
        let y = frame.y(share);
        line(svg, "grid", [frame.left, frame.right], [y, y]);
        text(svg, "", frame.left - 8.0, y + 4.5, "end", &format!("{share:.0} %"));
        share -= step;
    }
    for value in ticks {
        let x = frame.x(*value);
        line(svg, "axis", [x, x], [frame.bottom, frame.bottom + 5.0]);
        text(svg, "", x, frame.bottom + 20.0, "middle", &tick(*value));
    }
    line(svg, "axis", [frame.left, frame.right], [frame.bottom, frame.bottom]);
    text(svg, "sub", (frame.left + frame.right) / 2.0, frame.bottom + 42.0, "middle", name);
}

fn path(
    svg: &mut String,
    frame: &Frame,
    report: &Report,
    policy: Policy,
    points: impl Iterator<Item = (f64, f64)>,
) {
    let mut data = String::new();
    for (x, y) in points.filter(|(_, y)| y.is_finite()) {
        let start = if data.is_empty() { 'M' } else { 'L' };
        write!(data, "{start}{:.1} {:.1}", frame.x(x), frame.y(y)).ok();
    }
    let (class, dashes) = (line_class(policy), dashes(report, policy));
    writeln!(svg, "<path class=\"{class}\" {dashes} d=\"{data}\"/>").ok();
}

/// Returns the dashes for the kind of policy; the second of a kind has a dot after each dash, the third two, and so on.
fn dashes(report: &Report, policy: Policy) -> String {
    let same_kind = report.runs.policies.iter().filter(|other| other.kind == policy.kind);
    let nth = same_kind.take_while(|other| **other != policy).count();
    let dash = match policy.kind {
        Kind::Ours if nth == 0 => return String::new(),
        Kind::Ours => "20 4",
        Kind::Advised => "20 4 4 4",
        Kind::Exact => "14 4",
        Kind::Nearest => "8 4",
        Kind::Broadcast => "2 4",
    };
    format!("stroke-dasharray=\"{dash}{}\"", " 2 4".repeat(nth))
}

/// Draws a circle, a diamond, a square, or a triangle on its tip or its side.
fn dot(svg: &mut String, policy: Policy, x: f64, y: f64) {
    let class = policy.kind.as_str();
    let shape = match policy.kind {
        Kind::Advised => {
            let (left, right, top, bottom) = (x - 5.0, x + 5.0, y - 5.0, y + 5.0);
            format!("path d=\"M{x:.1} {bottom:.1}L{right:.1} {top:.1}L{left:.1} {top:.1}Z\"")
        }
        Kind::Ours => format!("circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
        Kind::Exact => {
            let (left, right, top, bottom) = (x - 5.0, x + 5.0, y - 5.0, y + 5.0);
            format!("path d=\"M{x:.1} {top:.1}L{right:.1} {y:.1}L{x:.1} {bottom:.1}L{left:.1} {y:.1}Z\"")
        }
        Kind::Nearest => {
            format!("rect x=\"{:.1}\" y=\"{:.1}\" width=\"7.4\" height=\"7.4\"", x - 3.7, y - 3.7)
        }
        Kind::Broadcast => format!(
            "path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"",
            x - 4.6,
            y + 3.8,
            x + 4.6,
            y + 3.8,
            x,
            y - 4.6
        ),
    };
    writeln!(svg, "<{shape} class=\"dot {class}\"/>").ok();
}

fn line(svg: &mut String, class: &str, x: [f64; 2], y: [f64; 2]) {
    styled_line(svg, class, "", x, y);
}

fn styled_line(svg: &mut String, class: &str, style: &str, [x1, x2]: [f64; 2], [y1, y2]: [f64; 2]) {
    writeln!(svg, "<path class=\"{class}\" {style} d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>").ok();
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, anchor: &str, words: &str) {
    let words = escaped(words);
    writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    )
    .ok();
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
