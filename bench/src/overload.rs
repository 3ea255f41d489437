//! Measures far more load than the server can serve: the times of those who are served, the answers to the others, and how long
//! it takes until all is as before.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;

use crate::{
    Failure, Target,
    demand::{Demand, Outcome, Tally},
    first_phone, people,
    pings::phone::{self, Resting, Seen, Step},
    report::Report,
    samples::{Samples, Summary},
};

/// The factor by which the load exceeds the sustainable rate.
const JOBS_TIMES: f64 = 10.0;
const PINGS_TIMES: u32 = 2;
/// The share of the sustainable rate before and after the overload.
const NORMAL: f64 = 0.5;
const NORMAL_FOR: Duration = Duration::from_secs(10);
/// A rate is sustainable if it is served this fast.
const OFFER_P99_MS: f64 = 250.0;
const PING_P99_MS: f64 = 50.0;
/// The highest rates of jobs and pings a second that are tried.
const MAX_JOBS_PER_S: f64 = 400.0;
const PING_RAMP: [u32; 7] = [2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000];
const PING_STEP: Duration = Duration::from_secs(5);
/// All is as before once, in so many seconds on end, p99 was at most twice as high, or at most this.
const CALM_S: u64 = 3;
const CALM_MS: f64 = 25.0;
/// How long the run waits for that.
const AFTER_S: u64 = 60;

#[derive(Debug, Args)]
pub struct OverloadArgs {
    #[command(flatten)]
    target: Target,
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    mechanics: u32,
    /// Customers: a request is sent only if one of them has none in progress
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    customers: u32,
    /// Jobs a second that the server sustains [default: found by trying]
    #[arg(long)]
    sustainable: Option<f64>,
    /// Location updates a second that the server sustains [default: found by trying]
    #[arg(long)]
    sustainable_pings: Option<u32>,
    /// How long the overload lasts
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
}

pub async fn run(args: OverloadArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let settings = vec![
        ("mechanics", json!(args.mechanics)),
        ("customers", json!(args.customers)),
        ("for_s", json!(args.for_s)),
    ];
    let mut report = Report::new("overload", &args.target, settings).await;
    jobs(&args, &api, &mut report).await?;
    pings(&args, &api, &mut report).await?;
    report.finish(args.target.output.json.as_deref())
}

async fn jobs(args: &OverloadArgs, api: &Api, report: &mut Report) -> Result<(), Failure> {
    let (first, town) = (first_phone(), args.target.town());
    let mechanics = people::mechanics(api, &args.target.admins(), first, args.mechanics as usize).await?;
    let customers = people::customers(api, first + 50_000, args.customers as usize).await?;
    let mut demand = Demand::new(api, town, customers).await?;
    demand.add(mechanics).await?;
    let sustainable = match args.sustainable {
        Some(per_s) => per_s,
        None => {
            let is_fine = |_, tally: &Tally| tally.is_within(OFFER_P99_MS);
            let found = demand.highest_rate(args.target.watched(), MAX_JOBS_PER_S, is_fine).await;
            found.ok_or("no rate of jobs that was tried is sustainable")?
        }
    };
    let (normal, seed) = (sustainable * NORMAL, args.target.seed);
    let before = Tally::of(demand.jobs(normal, NORMAL_FOR, seed).await.iter());
    let lasting = Duration::from_secs(args.for_s);
    let end = Instant::now() + lasting;
    // The load afterwards begins at once, while late customers still wait.
    let (during, after) = tokio::join!(demand.jobs(sustainable * JOBS_TIMES, lasting, seed + 1), async {
        tokio::time::sleep_until(end.into()).await;
        demand.jobs(normal, Duration::from_secs(AFTER_S), seed + 2).await
    });
    let during = Tally::of(during.iter());
    let line = format!(
        "\njobs: sustainable {sustainable} a second, then {} for {} s",
        sustainable * JOBS_TIMES,
        args.for_s
    );
    report.row("sustainable jobs", line, json!(sustainable));
    report.figure("before: POST /jobs → offer.created", before.offered);
    report.figure("overload: POST /jobs → offer.created", during.offered);
    report.figure("overload: POST /jobs → its 201", during.created);
    report.figure("overload: POST /jobs → a refusal", during.turned_away);
    report.figure("overload: generator: planned → request start", during.late);
    let calm_ms = calm_ms(before.offered);
    calm(report, "jobs", calm_after(&seconds(&after, end, calm_ms)));
    report.count("jobs created in the overload", during.created.map_or(0, |summary| summary.count as u64));
    report.count("of them not offered", during.not_offered);
    for (answer, count) in during.refused {
        report.count(&format!("POST /jobs answered {answer}"), count);
    }
    Ok(())
}

/// Returns for each second after `end` whether the jobs that began in it went well.
fn seconds(outcomes: &[Outcome], end: Instant, p99_ms: f64) -> Vec<bool> {
    let mut by_second: BTreeMap<u64, Vec<&Outcome>> = BTreeMap::new();
    for one in outcomes {
        by_second.entry(one.began.saturating_duration_since(end).as_secs()).or_default().push(one);
    }
    let second =
        |second| by_second.get(&second).is_none_or(|jobs| Tally::of(jobs.iter().copied()).is_within(p99_ms));
    (0..AFTER_S).map(second).collect()
}

/// Returns the first second of so many calm ones.
fn calm_after(is_calm: &[bool]) -> Option<usize> {
    is_calm.windows(CALM_S as usize).position(|seconds| seconds.iter().all(|is_calm| *is_calm))
}

fn calm_ms(before: Option<Summary>) -> f64 {
    before.map_or(CALM_MS, |before| CALM_MS.max(2.0 * before.p99_ms))
}

fn calm(report: &mut Report, what: &str, after_s: Option<usize>) {
    let text = after_s.map_or(format!("NOT WITHIN {AFTER_S} s"), |seconds| format!("after {seconds} s"));
    report.row(&format!("{what}: as before"), format!("{what}: as before {text}"), json!(after_s));
}

async fn pings(args: &OverloadArgs, api: &Api, report: &mut Report) -> Result<(), Failure> {
    let count = args.mechanics as usize;
    let people = people::mechanics(api, &args.target.admins(), first_phone(), count).await?;
    let phones = phone::connect(api, people, true, args.target.town(), args.target.seed).await?;
    let mut crowd = Resting::new(phones);
    let sustainable = match args.sustainable_pings {
        Some(per_s) => per_s,
        None => {
            let (resting, found) = highest_rate(crowd, count).await;
            crowd = resting;
            found.ok_or("no rate of pings that was tried is sustainable")?
        }
    };
    let normal = (f64::from(sustainable) * NORMAL) as u32;
    let (crowd, before) = crowd.step(Step::new(normal, NORMAL_FOR, count)).await;
    let over = Step::new(sustainable * PINGS_TIMES, Duration::from_secs(args.for_s), count);
    let (mut crowd, during) = crowd.step(over).await;
    let before = summary(&before);
    let (calm_ms, mut began_s, mut is_calm) = (calm_ms(before), Vec::new(), Vec::new());
    while over.until.elapsed().as_secs() < AFTER_S && calm_after(&is_calm).is_none() {
        began_s.push(over.until.elapsed().as_secs() as usize);
        let (resting, seen) = crowd.step(Step::new(normal, Duration::from_secs(1), count)).await;
        crowd = resting;
        let is_prompt = summary(&seen).is_some_and(|summary| summary.p99_ms <= calm_ms);
        is_calm.push(is_prompt && unanswered(&seen) + seen.refused == 0);
    }
    let line = format!(
        "\npings: sustainable {sustainable} a second, then {} for {} s",
        sustainable * PINGS_TIMES,
        args.for_s
    );
    report.row("sustainable pings", line, json!(sustainable));
    report.figure("before: ping → its ack", before);
    report.figure("overload: ping → its ack", summary(&during));
    calm(report, "pings", calm_after(&is_calm).map(|first| began_s[first]));
    let counts = [
        ("pings sent in the overload", during.sent),
        ("of them stored", during.accepted),
        ("superseded or refused", during.refused),
        ("unanswered", unanswered(&during)),
    ];
    for (what, number) in counts {
        report.count(what, number);
    }
    Ok(())
}

async fn highest_rate(mut crowd: Resting, count: usize) -> (Resting, Option<u32>) {
    let mut highest = None;
    for rate in PING_RAMP {
        let (resting, seen) = crowd.step(Step::new(rate, PING_STEP, count)).await;
        crowd = resting;
        let is_fast = summary(&seen).is_some_and(|summary| summary.p99_ms <= PING_P99_MS);
        if !is_fast || unanswered(&seen) + seen.refused > 0 {
            break;
        }
        highest = Some(rate);
    }
    (crowd, highest)
}

fn unanswered(seen: &Seen) -> u64 {
    seen.sent.saturating_sub(seen.accepted + seen.refused)
}

fn summary(seen: &Seen) -> Option<Summary> {
    Samples::of(&seen.took).summary()
}

#[cfg(test)]
mod tests {
    use super::calm_after;

    #[test]
    fn calm_begins_with_the_first_of_three_calm_seconds() {
        let seconds = |text: &str| text.bytes().map(|byte| byte == b'.').collect::<Vec<_>>();
        assert_eq!(calm_after(&seconds("...")), Some(0));
        assert_eq!(calm_after(&seconds("x..x....")), Some(4));
        assert_eq!(calm_after(&seconds("x..x..")), None);
    }
}
