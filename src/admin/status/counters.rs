//! The process's recent counts, from its metrics.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;

use crate::platform::telemetry;

/// The number of looks that are remembered, one a minute: a quarter of an hour.
const KEPT: usize = 16;

/// The numbers of successes and failures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tried {
    pub well: u64,
    pub failed: u64,
}

/// Counts since the start of the process, or of a stretch of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub requests: Tried,
    pub pushes: Tried,
    pub texts: Tried,
    pub mails: Tried,
    pub places: Tried,
    pub lost_decisions: u64,
}

/// The counts of the last quarter of an hour, minute by minute. A cheap clone.
#[derive(Debug, Clone, Default)]
pub struct RecentCounts(Arc<Mutex<VecDeque<Counts>>>);

impl RecentCounts {
    /// Remembers the present counts. Called each minute.
    pub fn note(&self) {
        let counts = Counts::read(&telemetry::rendered());
        let mut kept = self.0.lock();
        kept.push_back(counts);
        while kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// Returns the counts since the oldest look, or since the start of the process before the first look.
    pub(super) fn since_then(&self, now: Counts) -> Counts {
        let kept = self.0.lock();
        kept.front().map_or(now, |then| now.since(then))
    }
}

impl Tried {
    fn since(self, then: Self) -> Self {
        Self { well: self.well.saturating_sub(then.well), failed: self.failed.saturating_sub(then.failed) }
    }

    pub fn all(self) -> u64 {
        self.well + self.failed
    }
}

impl Counts {
    /// Reads the metrics' text.
    pub(super) fn read(text: &str) -> Self {
        let mut counts = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.rsplit_once(' ') else { continue };
            let (name, labels) = name.split_once('{').unwrap_or((name, ""));
            let has = |label: &str| labels.contains(label);
            let is_failure = match name {
                "roadcall_http_requests_total" if has("route=\"/health") => continue,
                "roadcall_http_requests_total" => has("status=\"5xx\""),
                "roadcall_pushes_total" | "roadcall_mails_total" if has("status=\"skipped\"") => continue,
                "roadcall_pushes_total" | "roadcall_mails_total" => has("status=\"failed\""),
                "roadcall_text_messages_total" => !has("status=\"taken\""),
                "roadcall_places_requests_total" => {
                    !["ok", "busy", "refused"].iter().any(|well| has(&format!("outcome=\"{well}\"")))
                }
                "roadcall_dispatch_decisions_lost_total" => true,
                _ => continue,
            };
            let Ok(value) = value.parse::<f64>() else { continue };
            let value = value as u64;
            let tried = match name {
                "roadcall_http_requests_total" => &mut counts.requests,
                "roadcall_pushes_total" => &mut counts.pushes,
                "roadcall_mails_total" => &mut counts.mails,
                "roadcall_text_messages_total" => &mut counts.texts,
                "roadcall_places_requests_total" => &mut counts.places,
                _ => {
                    counts.lost_decisions += value;
                    continue;
                }
            };
            *(if is_failure { &mut tried.failed } else { &mut tried.well }) += value;
        }
        counts
    }

    fn since(self, then: &Self) -> Self {
        Self {
            requests: self.requests.since(then.requests),
            pushes: self.pushes.since(then.pushes),
            texts: self.texts.since(then.texts),
            mails: self.mails.since(then.mails),
            places: self.places.since(then.places),
            lost_decisions: self.lost_decisions.saturating_sub(then.lost_decisions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"# TYPE roadcall_pushes_total counter
roadcall_pushes_total{status="sent"} 40
roadcall_pushes_total{status="failed"} 3
roadcall_pushes_total{status="skipped"} 900

roadcall_text_messages_total{kind="code",status="taken"} 7
roadcall_text_messages_total{kind="code",status="refused"} 1
roadcall_text_messages_total{kind="job",status="unknown"} 1
roadcall_places_requests_total{kind="search",outcome="ok"} 5
roadcall_places_requests_total{kind="search",outcome="timeout"} 2
roadcall_http_requests_total{method="GET",route="/health/ready",status="5xx"} 90
roadcall_http_requests_total{method="GET",route="/jobs",status="2xx"} 10
roadcall_http_requests_total{method="GET",route="/jobs",status="5xx"} 1
roadcall_dispatch_decisions_lost_total 4
roadcall_pushes_total_of_another{status="failed"} 5
"#;

    fn tried(well: u64, failed: u64) -> Tried {
        Tried { well, failed }
    }

    #[test]
    fn counters_are_read_from_the_metrics_text() {
        let counts = Counts::read(TEXT);
        let expected = Counts {
            requests: tried(10, 1),
            pushes: tried(40, 3),
            texts: tried(7, 2),
            mails: tried(0, 0),
            places: tried(5, 2),
            lost_decisions: 4,
        };
        assert_eq!(counts, expected);
        assert_eq!(
            Counts::read("\n# nothing\nroadcall_pushes_total{status=\"sent\"} many\n"),
            Counts::default()
        );
    }

    #[test]
    fn only_the_last_quarter_of_an_hour_counts() {
        let recent = RecentCounts::default();
        let at = |failed| Counts { pushes: tried(0, failed), ..Counts::default() };
        assert_eq!(recent.since_then(at(3)), at(3), "all since the start");
        let mut kept = recent.0.lock();
        kept.extend([at(3), at(5)]);
        drop(kept);
        assert_eq!(recent.since_then(at(10)), at(7));
        recent.note();
        assert_eq!(recent.0.lock().len(), 3);
        (0..2 * KEPT).for_each(|_| recent.note());
        assert_eq!(recent.0.lock().len(), KEPT);
    }
}
