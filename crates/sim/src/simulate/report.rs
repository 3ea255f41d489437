//! The figures as a table for people and as JSON for programs. The same runs give the same bytes.

use std::fmt::Write;

use roadcall_actors::settings::PricingPolicy;
use serde::{Serialize, Serializer};

use super::{
    arguments::Arguments,
    bound::{Bound, Section, Served},
    calibration::{self, Promises},
    groups::{self, Group, GroupDifference, GroupFigures},
    outcome::{IN_TIME, JobOutcome, MEASURES, Measure, NOBODY_FOUND, SERVED, shown, verdict},
    policy::{Kind, Policy},
    roster::Roster,
    runs::{RunResult, Runs},
    scenario::Scenario,
    stats::{Interval, finite},
};

/// The report of all runs.
#[derive(Debug)]
pub struct Report {
    pub title: String,
    pub runs: Runs,
    groups: Vec<Group>,
    has_groups: bool,
    pub has_calibration: bool,
    head: Head,
    /// The bounds by load; none without `--bound`.
    bounds: Vec<Section>,
    /// The roster; none without `--roster`.
    pub roster: Option<Roster>,
}

#[derive(Debug, Serialize)]
struct Head {
    scenario: String,
    title: String,
    first_seed: u64,
    seeds: u64,
    mechanics: u32,
    expected_jobs: u32,
    hours: f64,
    eta_error: f64,
    faults: String,
    checked_every_step: bool,
    /// The setting of the same name; none without prices.
    late_percent: Option<i64>,
}

#[derive(Debug, Serialize)]
struct Json<'a> {
    head: &'a Head,
    /// Means over the seeds, with half the width of the 95 % confidence interval.
    policies: Vec<PolicyFigures>,
    /// The first policy's figure less another's, paired over seeds.
    differences: Vec<Difference>,
    groups: Vec<GroupFigures>,
    /// The first policy's figures less those of each `nearest`.
    group_differences: Vec<GroupDifference>,
    runs: Vec<RunFigures>,
    /// How often promises to customers came true.
    promises: Vec<Promises>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    bounds: &'a [Section],
    #[serde(skip_serializing_if = "Option::is_none")]
    roster: Option<&'a Roster>,
}

#[derive(Debug, Serialize)]
struct PolicyFigures {
    policy: Policy,
    load: f64,
    figures: Vec<Figure>,
}

#[derive(Debug, Serialize)]
struct Figure {
    name: &'static str,
    mean: Option<f64>,
    half_width: f64,
}

#[derive(Debug, Serialize)]
struct Difference {
    policy: Policy,
    less: Policy,
    load: f64,
    name: &'static str,
    mean: Option<f64>,
    half_width: f64,
    /// The verdict: better, worse, tie; other where neither way is better.
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct RunFigures {
    policy: Policy,
    load: f64,
    seed: u64,
    figures: Figures,
}

/// Figures by their names, in the order of [`MEASURES`].
#[derive(Debug)]
struct Figures([f64; MEASURES.len()]);

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = MEASURES.iter().zip(self.0);
        serializer.collect_map(named.map(|(measure, figure)| (measure.name, finite(figure))))
    }
}

impl Report {
    pub fn new(
        arguments: &Arguments,
        scenario: &Scenario,
        pricing: Option<&PricingPolicy>,
        all: Vec<RunResult>,
    ) -> Self {
        let head = Head {
            scenario: arguments.scenario.clone(),
            title: scenario.title.clone(),
            first_seed: arguments.seed,
            seeds: arguments.seeds,
            mechanics: scenario.mechanics,
            expected_jobs: scenario.jobs,
            hours: scenario.hours,
            eta_error: arguments.eta_error,
            faults: arguments.faults.unwrap_or_default().as_text(),
            checked_every_step: arguments.check_every_step,
            late_percent: pricing.map(|pricing| pricing.late_percent),
        };
        let (policies, loads) = (arguments.policies(), arguments.loads());
        Self {
            title: scenario.title.clone(),
            runs: Runs { policies, loads, all, seeds: arguments.seeds },
            groups: Group::all(scenario),
            has_groups: arguments.groups,
            has_calibration: arguments.calibration,
            head,
            bounds: Vec::new(),
            roster: None,
        }
    }

    /// Adds the bounds of these days.
    pub fn with_bounds(mut self, bounds: &[Bound]) -> Self {
        let of_load = |load: f64| bounds.iter().filter(move |bound| bound.load == load).copied();
        let loads = self.runs.loads.iter().map(|load| (*load, of_load(*load).collect::<Vec<_>>()));
        let sections = loads.filter(|(_, days)| !days.is_empty()).map(|(load, days)| {
            let served = self.runs.policies.iter().map(|policy| Served {
                policy: policy.to_string(),
                is_nearest: policy.kind == Kind::Nearest,
                in_time_percent: self.runs.of(*policy, load).map(|ran| ran.outcome.figures()[0]).collect(),
            });
            Section::new(&days, &served.collect::<Vec<_>>())
        });
        self.bounds = sections.collect();
        self
    }

    /// Adds the cost of mechanics' time on these days.
    pub fn with_roster(mut self, scenario: &Scenario) -> Self {
        self.roster = Roster::of(&self.runs, scenario);
        self
    }

    pub fn table(&self) -> String {
        let mut text = format!("{}\n{}\n", self.title, self.conditions());
        self.write_means(&mut text);
        if self.head.faults.contains("maps-apps") {
            self.write_silences(&mut text);
        }
        for (policy, less) in self.runs.pairs() {
            self.write_differences(&mut text, policy, less);
        }
        self.write_trade(&mut text);
        if self.runs.loads.len() > 1 {
            self.write_sweep(&mut text);
        }
        if self.has_groups {
            text.push_str(&groups::table(&self.runs, &self.groups));
        }
        if self.has_calibration {
            text.push_str(&calibration::table(&self.runs));
        }
        self.bounds.iter().for_each(|section| text.push_str(&section.text()));
        self.roster.iter().for_each(|roster| text.push_str(&roster.text()));
        text
    }

    /// Describes the simulated conditions in a line.
    pub fn conditions(&self) -> String {
        let Head { first_seed, seeds, mechanics, expected_jobs, hours, faults, eta_error, .. } = &self.head;
        let last = first_seed.wrapping_add(seeds - 1);
        let faults = if faults.is_empty() { "none" } else { faults };
        let people = format!("{mechanics} mechanics, about {expected_jobs} jobs in {hours} h");
        let error = if *eta_error > 0.0 { format!("; ETA error {eta_error}") } else { String::new() };
        format!("{people}; seeds {first_seed} to {last}; faults: {faults}{error}")
    }

    /// Writes the names of the policies, which are the heads of the columns.
    fn write_policies(&self, text: &mut String) {
        for policy in &self.runs.policies {
            write!(text, "{:>20}", policy.to_string()).ok();
        }
        text.push('\n');
    }

    fn write_means(&self, text: &mut String) {
        write!(text, "\n{:<36}", "mean over seeds ± 95 % interval").ok();
        self.write_policies(text);
        for (place, measure) in MEASURES.iter().enumerate() {
            write!(text, "{:<36}", measure.title).ok();
            for policy in &self.runs.policies {
                let interval = self.runs.interval(*policy, 1.0, place);
                write!(text, "{:>20}", shown(measure, &interval)).ok();
            }
            text.push('\n');
        }
    }

    /// Writes the outcomes of jobs whose mechanics were silent because another app showed them the way.
    fn write_silences(&self, text: &mut String) {
        type Count = fn(&JobOutcome) -> u32;
        let rows: [(&str, Count); 2] = [
            ("taken from silent, per 100 jobs", |job| job.silent),
            ("taken back by them, per 100 jobs", |job| job.taken_back),
        ];
        for (title, count) in rows {
            write!(text, "{title:<36}").ok();
            for policy in &self.runs.policies {
                let per_100 = |ran: &RunResult| {
                    let jobs = &ran.outcome.jobs;
                    100.0 * f64::from(jobs.iter().map(count).sum::<u32>()) / jobs.len().max(1) as f64
                };
                let Interval { mean, half } = Interval::of(self.runs.of(*policy, 1.0).map(per_100));
                write!(text, "{:>20}", format!("{mean:.2} ± {half:.2}")).ok();
            }
            text.push('\n');
        }
    }

    fn write_differences(&self, text: &mut String, policy: Policy, less: Policy) {
        let (one, other) = (policy, less);
        if !self.runs.has_spread() {
            writeln!(text, "\n{one} less {other}: one seed tells nothing of the spread; try --seeds 20").ok();
            return;
        }
        writeln!(
            text,
            "\n{:<36}{:>20}  paired over seeds, 95 % by Student's t",
            format!("{one} less {other}"),
            ""
        )
        .ok();
        let points = |measure| {
            let Interval { mean, half } = self.runs.difference(policy, less, 1.0, measure);
            format!("{mean:+.1} ±{half:.1}")
        };
        let [in_time, served, found] = [IN_TIME, SERVED, NOBODY_FOUND].map(points);
        writeln!(text, "in short, in points: in time {in_time}, served {served}, nobody found {found}").ok();
        for (place, measure) in MEASURES.iter().enumerate().filter(|(_, measure)| measure.name != "jobs") {
            let interval = self.runs.difference(policy, less, 1.0, place);
            let words = match verdict(measure, &interval) {
                "tie" => "a tie: the interval contains 0".to_owned(),
                "better" => format!("{one} is better"),
                "worse" => format!("{other} is better"),
                _ => "differs".to_owned(),
            };
            writeln!(text, "{:<36}{:>20}  {words}", measure.title, shown(measure, &interval)).ok();
        }
    }

    /// Writes the trade-off of the setting that decides how much is held back.
    fn write_trade(&self, text: &mut String) {
        let mut policies = self.runs.policies.iter();
        let has_prices = policies.any(|policy| matches!(policy.kind, Kind::Ours | Kind::Advised));
        let Some(late_percent) = self.head.late_percent.filter(|_| has_prices) else { return };
        writeln!(
            text,
            "\nlate_percent = {late_percent}: a job that is served late counts {late_percent} % of one in time. Lower, more jobs\n\
            are held back for those who can still be in time, and fewer are served at all; higher, the other way round."
        )
        .ok();
    }

    fn write_sweep(&self, text: &mut String) {
        let measure = &MEASURES[0];
        write!(text, "\n{:<36}", format!("{} at load", measure.title)).ok();
        self.write_policies(text);
        for load in &self.runs.loads {
            write!(text, "{:<36}", format!("× {load}")).ok();
            for policy in &self.runs.policies {
                write!(text, "{:>20}", shown(measure, &self.runs.interval(*policy, *load, 0))).ok();
            }
            text.push('\n');
        }
    }

    pub fn json(&self) -> String {
        let json = Json {
            head: &self.head,
            policies: self.runs.every(|policy, load| PolicyFigures {
                policy,
                load,
                figures: self.figures(policy, load),
            }),
            differences: self.differences(),
            groups: groups::figures(&self.runs, &self.groups),
            group_differences: groups::differences(&self.runs, &self.groups),
            runs: self.runs.all.iter().map(run_figures).collect(),
            promises: calibration::promises(&self.runs),
            bounds: &self.bounds,
            roster: self.roster.as_ref(),
        };
        // Plain structs of text and numbers can always be written.
        serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"
    }

    fn figures(&self, policy: Policy, load: f64) -> Vec<Figure> {
        let of = |(place, measure): (usize, &Measure)| {
            let interval = self.runs.interval(policy, load, place);
            Figure {
                name: measure.name,
                mean: finite(interval.mean),
                half_width: finite(interval.half).unwrap_or(0.0),
            }
        };
        MEASURES.iter().enumerate().map(of).collect()
    }

    fn differences(&self) -> Vec<Difference> {
        let mut differences = Vec::new();
        for load in &self.runs.loads {
            for (policy, less) in self.runs.pairs() {
                differences.extend(MEASURES.iter().enumerate().map(|(place, measure)| {
                    let interval = self.runs.difference(policy, less, *load, place);
                    Difference {
                        policy,
                        less,
                        load: *load,
                        name: measure.name,
                        mean: finite(interval.mean),
                        half_width: finite(interval.half).unwrap_or(0.0),
                        verdict: verdict(measure, &interval),
                    }
                }));
            }
        }
        differences
    }
}

fn run_figures(ran: &RunResult) -> RunFigures {
    let figures = Figures(ran.outcome.figures());
    RunFigures { policy: ran.policy, load: ran.load, seed: ran.seed, figures }
}
