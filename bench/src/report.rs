//! The output of a run: figures, counts, resources of processes, and the conditions.

use std::{fs, path::Path, time::SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use roadcall_client::Api;
use serde_json::{Map, Value, json};

use crate::{
    Failure, Output, Target,
    resources::{Memory, Used},
    samples::Summary,
};

/// The settings of the run.
pub type Settings = Vec<(&'static str, Value)>;

/// A report that is filled while a run goes on, and printed at its end.
#[derive(Debug)]
pub struct Report {
    scenario: &'static str,
    conditions: Map<String, Value>,
    settings: Map<String, Value>,
    figures: Map<String, Value>,
    counts: Map<String, Value>,
    resources: Map<String, Value>,
    /// The results that the table of all scenarios shows.
    results: Vec<Value>,
    lines: Vec<String>,
    /// Whether the last line belongs to the table of figures.
    is_in_figures: bool,
}

impl Report {
    pub async fn new(scenario: &'static str, target: &Target, settings: Settings) -> Self {
        let mut report = Self::without_server(scenario, &target.output, settings);
        if let Ok(api) = target.api() {
            report.server_version(&api).await;
        }
        report
    }

    pub fn without_server(scenario: &'static str, output: &Output, settings: Settings) -> Self {
        let mut conditions = machine();
        for condition in &output.conditions {
            let (name, value) = condition.split_once('=').unwrap_or((condition, ""));
            conditions.insert(name.to_owned(), json!(value));
        }
        Self {
            scenario,
            conditions,
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            figures: Map::new(),
            counts: Map::new(),
            resources: Map::new(),
            results: Vec::new(),
            lines: Vec::new(),
            is_in_figures: false,
        }
    }

    /// Adds the version that the server itself names.
    pub async fn server_version(&mut self, api: &Api) {
        if let Ok(health) = api.get("/health", "").await {
            self.condition("server_version", health["service_version"].clone());
        }
    }

    /// Adds a further condition, rounded to one decimal.
    pub fn note(&mut self, name: &str, value: f64) {
        self.condition(name, json!((value * 10.0).round() / 10.0));
    }

    /// Adds a condition as it is.
    pub fn condition(&mut self, name: &str, value: Value) {
        self.conditions.insert(name.to_owned(), value);
    }

    pub fn figure(&mut self, name: &str, summary: Option<Summary>) {
        if !std::mem::replace(&mut self.is_in_figures, true) {
            let [count, p50, p90, p99, max] = ["count", "p50 ms", "p90 ms", "p99 ms", "max ms"];
            self.lines.push(format!("\n{:<47}{count:>7}{p50:>9}{p90:>9}{p99:>9}{max:>9}", "from → to"));
        }
        self.figures.insert(name.to_owned(), json!(summary));
        self.lines.push(match summary {
            None => format!("{name:<47}{:>7}", "none"),
            Some(Summary { count, p50_ms, p90_ms, p99_ms, max_ms, .. }) => {
                format!("{name:<47}{count:>7}{p50_ms:>9.1}{p90_ms:>9.1}{p99_ms:>9.1}{max_ms:>9.1}")
            }
        });
    }

    pub fn count(&mut self, what: &str, count: u64) {
        self.is_in_figures = false;
        if self.counts.is_empty() {
            self.lines.push(format!("\n{:<47}{:>7}", "counted (warm-up included)", ""));
        }
        self.counts.insert(what.to_owned(), json!(count));
        self.lines.push(format!("{what:<47}{count:>7}"));
    }

    pub fn resources(&mut self, used: &[(&'static str, Used)], memory: Memory, wall_s: f64) {
        self.lines
            .push(format!("\n{:<12}{:>9}{:>14}{:>12}", "process", "CPU s", "% of a core", "memory MiB"));
        let memories = [memory.server_rss_mib, memory.postgres_mib, memory.generator_rss_mib];
        for ((name, used), mib) in used.iter().zip(memories) {
            let Used { cpu_s, cpu_percent } = used;
            self.lines.push(format!("{name:<12}{cpu_s:>9.1}{cpu_percent:>14.0}{mib:>12.0}"));
            self.resources.insert((*name).to_owned(), json!(used));
        }
        self.resources.insert("memory".to_owned(), json!(memory));
        self.resources.insert("wall_s".to_owned(), json!(wall_s));
    }

    /// Adds a line of a separate table, kept in the JSON as well.
    pub fn row(&mut self, name: &str, line: String, value: Value) {
        self.is_in_figures = false;
        self.lines.push(line);
        self.figures.insert(name.to_owned(), value);
    }

    /// Adds a line of the table of all scenarios, with its aim.
    pub fn result(&mut self, what: impl Into<String>, figure: f64, aim: &str) {
        self.results.push(json!({ "what": what.into(), "figure": figure, "aim": aim }));
    }

    /// Adds a line of the table of all scenarios, with a floor that the same run measured.
    pub fn compared(&mut self, what: impl Into<String>, figure: f64, floor: f64, aim: &str) {
        let (what, ratio) = (what.into(), figure / floor);
        self.results
            .push(json!({ "what": what, "figure": figure, "floor": floor, "ratio": ratio, "aim": aim }));
    }

    /// Prints the report, and writes the file if one was asked for.
    pub fn finish(self, file: Option<&Path>) -> Result<(), Failure> {
        println!("{}: {}", self.scenario, told(&self.settings));
        println!("conditions: {}", told(&self.conditions));
        self.lines.iter().for_each(|line| println!("{line}"));
        let Some(file) = file else { return Ok(()) };
        let whole = json!({
            "scenario": self.scenario,
            "conditions": self.conditions,
            "settings": self.settings,
            "figures": self.figures,
            "counts": self.counts,
            "resources": self.resources,
            "results": self.results,
        });
        fs::write(file, serde_json::to_string_pretty(&whole)? + "\n")?;
        Ok(())
    }
}

/// Returns names with their values, as a line.
pub fn told(map: &Map<String, Value>) -> String {
    let pairs = map.iter().map(|(name, value)| format!("{name} {}", plain(value)));
    pairs.collect::<Vec<_>>().join(", ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn machine() -> Map<String, Value> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let after = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let now = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let pairs = [
        ("at", json!(now)),
        ("cores", json!(cores)),
        ("cpu", json!(after(&read("/proc/cpuinfo"), "model name"))),
        ("memory", json!(after(&read("/proc/meminfo"), "MemTotal"))),
        ("kernel", json!(read("/proc/sys/kernel/osrelease").trim())),
        ("load_before", json!(read("/proc/loadavg").split_whitespace().next().unwrap_or_default())),
        ("generator_build", json!(if cfg!(debug_assertions) { "unoptimised" } else { "optimised" })),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
