//! The statistics as text: a board for the terminal, lines for a log, and a summary. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    api_client::Status,
    revenue::{Revenue, rupees},
    stats::{EVENTS, Stats},
};

/// The width in columns; longer lines are cut, since a wrapped line would spoil redrawing in place.
pub const WIDTH: usize = 96;

/// The head of the board.
#[derive(Debug, Clone)]
pub struct Heading {
    pub title: String,
    /// The address of the service, e.g. `http://127.0.0.1:8090`.
    pub base: String,
    /// A customer's phone number, to sign in with and watch their job.
    pub phone: String,
}

/// Returns the lines of the board. Their number never changes, so that it can be redrawn in place.
pub fn board(heading: &Heading, stats: &Stats, now: DateTime<Utc>) -> Vec<String> {
    let rule = "─".repeat(WIDTH);
    let mut lines = vec![format!("roadcall demo · {} · {}", heading.title, clock(stats.elapsed(now)))];
    lines.extend(hints(heading));
    lines.extend([
        rule.clone(),
        format!("mechanics   {}", mechanics(stats)),
        format!("jobs        {}", open_jobs(stats)),
        format!("            {}", ended_jobs(stats)),
        format!("to assign   {}", times(stats.to_assign.percentile(50), stats.to_assign.percentile(95))),
        format!("to arrive   {}", times(stats.to_arrive.percentile(50), stats.to_arrive.percentile(95))),
        format!("offers      {}", offers(stats)),
        format!("money       {}", money(stats)),
        rule,
    ]);
    lines.extend(events_since(stats, 0));
    lines.resize(13 + EVENTS, String::new());
    lines.push(format!("{}Ctrl-C ends", trouble(stats)));
    lines.into_iter().map(|line| cut(&line)).collect()
}

/// Returns the head of the log where no board is drawn.
pub fn introduction(heading: &Heading) -> String {
    format!("roadcall demo · {}\n{}\n", heading.title, hints(heading).join("\n"))
}

fn hints(heading: &Heading) -> [String; 3] {
    [
        format!("every route, to read and to try: {}/docs/", heading.base),
        format!("see jobs as a customer does: sign in there with {} (it shows the code),", heading.phone),
        "then GET /jobs, and /jobs/{id}/location or job.subscribe on GET /ws".to_owned(),
    ]
}

/// Returns a line for each event after that number, as far as they are kept.
pub fn events_since(stats: &Stats, number: u64) -> Vec<String> {
    let new = stats.events.iter().filter(|event| event.number > number);
    new.map(|event| format!("{}  {}", clock(event.at), event.text)).collect()
}

/// Returns the board's content in one line, for output without a terminal.
pub fn status_line(stats: &Stats, now: DateTime<Utc>) -> String {
    format!(
        "{}  mechanics: {} | jobs: {}, {} | assign {} | arrive {} | money: {}",
        clock(stats.elapsed(now)),
        mechanics(stats),
        open_jobs(stats),
        ended_jobs(stats),
        times(stats.to_assign.percentile(50), stats.to_assign.percentile(95)),
        times(stats.to_arrive.percentile(50), stats.to_arrive.percentile(95)),
        money(stats),
    )
}

/// Returns the totals of the demo.
pub fn summary(stats: &Stats, now: DateTime<Utc>) -> String {
    let mut lines = vec![
        format!("after {}:", clock(stats.elapsed(now))),
        format!("  {} calls for help: {}, {} left open", stats.called, ended_jobs(stats), stats.open.len()),
        format!("  completed jobs: {}", settled(stats)),
        format!("  money: {}", money(stats)),
        format!("  offers: {}", offers(stats)),
        format!("  to assign: {}", times(stats.to_assign.percentile(50), stats.to_assign.percentile(95))),
        format!("  to arrive: {}", times(stats.to_arrive.percentile(50), stats.to_arrive.percentile(95))),
    ];
    if stats.reconnected > 0 {
        lines.push(format!("  sockets that were cut and came back: {}", stats.reconnected));
    }
    lines.push(match &stats.first_trouble {
        None => "  nothing went wrong".to_owned(),
        Some(first) => format!("  {} things went wrong, the first: {first}", stats.troubles),
    });
    lines.join("\n")
}

fn mechanics(stats: &Stats) -> String {
    let (online, busy) = (stats.mechanics_online(), stats.mechanics_busy());
    format!("{online} online, {busy} on a job")
}

fn open_jobs(stats: &Stats) -> String {
    let looking = stats.count(|status| matches!(status, Status::Pending | Status::Dispatching));
    let coming = stats.count(|status| matches!(status, Status::Accepted | Status::EnRoute));
    let there = stats.count(|status| matches!(status, Status::Arrived | Status::InProgress));
    format!("{looking} looking, {coming} on the way, {there} being worked on")
}

fn ended_jobs(stats: &Stats) -> String {
    let Stats { completed, cancelled, unserved, .. } = stats;
    format!("{completed} completed, {cancelled} cancelled, {unserved} failed searches")
}

fn offers(stats: &Stats) -> String {
    let Stats { offered, accepted, declined, ignored, too_late, .. } = stats;
    format!(
        "{offered} made, {accepted} accepted, {declined} declined, {ignored} expired, {too_late} answered too late"
    )
}

fn money(stats: &Stats) -> String {
    let Revenue { paid, online_paise, cash_paise, fees_paise, withdrawn_paise, .. } = &stats.revenue;
    let sums = [online_paise, cash_paise, fees_paise, withdrawn_paise].map(|paise| rupees(*paise));
    let [online, cash, fees, withdrawn] = sums;
    format!("{paid} jobs paid: {online} online, {cash} in cash; fees {fees}; {withdrawn} withdrawn")
}

/// Describes the completed jobs: each is counted as paid or as unpaid.
fn settled(stats: &Stats) -> String {
    let Revenue { paid, owing, failed, items, .. } = &stats.revenue;
    format!("{paid} paid, {} unpaid; {items} line items approved, {failed} failed payments", owing.len())
}

fn trouble(stats: &Stats) -> String {
    match stats.troubles {
        0 => String::new(),
        troubles => format!("{troubles} things went wrong · "),
    }
}

fn times(p50: Option<i64>, p95: Option<i64>) -> String {
    match (p50, p95) {
        (Some(p50), Some(p95)) => {
            format!("p50 {:.1} s, p95 {:.1} s", p50 as f64 / 1000.0, p95 as f64 / 1000.0)
        }
        _ => "not yet".to_owned(),
    }
}

/// Formats minutes and seconds.
pub fn clock(time: TimeDelta) -> String {
    let seconds = time.num_seconds().max(0);
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

fn cut(line: &str) -> String {
    line.chars().take(WIDTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{
        news::News,
        stats::tests::{at, story},
    };

    fn heading() -> Heading {
        Heading {
            title: "Bengaluru".into(),
            base: "http://127.0.0.1:8090".into(),
            phone: "+917000000001".into(),
        }
    }

    #[test]
    fn the_board_shows_who_does_what() {
        let lines = board(&heading(), &story(Status::EnRoute), at(75));
        for shown in [
            "roadcall demo · Bengaluru · 01:15",
            "mechanics   1 online, 1 on a job",
            "jobs        0 looking, 1 on the way, 0 being worked on",
            "to assign   p50 4.0 s, p95 4.0 s",
            "to arrive   not yet",
            "00:00  Asha Rao at MG Road asks for Towing",
            "00:03  Ravi Kumar drives to MG Road",
        ] {
            assert!(lines.iter().any(|line| line == shown), "{shown} is missing in:\n{}", lines.join("\n"));
        }
    }

    #[test]
    fn the_board_keeps_its_height_and_width() {
        let mut stats = story(Status::Completed);
        let height = board(&heading(), &Stats::new(at(0)), at(0)).len();
        for _ in 0..30 {
            stats.apply(at(5), News::Trouble { who: "someone".into(), what: "x".repeat(300) });
        }
        let lines = board(&heading(), &stats, at(9));
        assert_eq!(lines.len(), height);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn a_line_says_the_same_for_a_log() {
        assert_eq!(
            status_line(&story(Status::Completed), at(61)),
            "01:01  mechanics: 1 online, 0 on a job | jobs: 0 looking, 0 on the way, 0 being worked on, \
             1 completed, 0 cancelled, 0 failed searches | assign p50 4.0 s, p95 4.0 s | arrive p50 30.0 s, p95 30.0 s | \
             money: 0 jobs paid: 0.00 online, 0.00 in cash; fees 0.00; 0.00 withdrawn"
        );
    }

    #[test]
    fn the_summary_names_the_first_trouble_or_none() {
        let mut stats = story(Status::Completed);
        assert!(summary(&stats, at(90)).contains("completed jobs: 0 paid, 1 unpaid"));
        assert!(summary(&stats, at(90)).ends_with("nothing went wrong"));
        stats.apply(at(2), News::Trouble { who: "Asha".into(), what: "no answer".into() });
        assert!(summary(&stats, at(90)).ends_with("1 things went wrong, the first: TROUBLE Asha: no answer"));
    }
}
