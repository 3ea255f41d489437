//! The meaning of the figures, and what to do next. Pure.

mod machine;
#[cfg(test)]
mod tests;
mod work;

use chrono::TimeDelta;

use super::{
    dto::{Status, StatusLine, StatusState, StatusSubject},
    found::Found,
};

/// Returns every line, in the order in which people read them.
pub(super) fn of(found: &Found) -> Status {
    let lines: Vec<StatusLine> = machine::lines(found).into_iter().chain(work::lines(found)).collect();
    let state = lines.iter().map(|line| line.state).max().unwrap_or(StatusState::Ok);
    Status { at: found.now.into(), state, lines }
}

fn fine(about: StatusSubject, text: impl Into<String>) -> StatusLine {
    StatusLine { about, state: StatusState::Ok, text: text.into(), next: None, runbook: None }
}

/// A line about something that is not as it should be.
struct Worry<'a> {
    about: StatusSubject,
    /// Whether people feel it, or soon will.
    is_urgent: bool,
    text: String,
    next: &'a str,
    runbook: Option<&'static str>,
}

impl From<Worry<'_>> for StatusLine {
    fn from(worry: Worry<'_>) -> Self {
        let Worry { about, is_urgent, text, next, runbook } = worry;
        let state = if is_urgent { StatusState::Act } else { StatusState::Look };
        Self { about, state, text, next: Some(next.to_owned()), runbook }
    }
}

/// Returns a span such as "3 days", "5 hours", "12 minutes" or "40 seconds".
fn span(age: TimeDelta) -> String {
    let (days, hours, minutes) = (age.num_days(), age.num_hours(), age.num_minutes());
    let (count, unit) = if days >= 2 {
        (days, "day")
    } else if hours >= 2 {
        (hours, "hour")
    } else if minutes >= 2 {
        (minutes, "minute")
    } else {
        (age.num_seconds().max(0), "second")
    };
    format!("{count} {unit}{}", plural(count))
}

fn plural(count: i64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

const BYTES_PER_GIB: f64 = 1_073_741_824.0;

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / BYTES_PER_GIB)
}
