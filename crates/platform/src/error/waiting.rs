//! Refusals that end by themselves, with their duration in words.

use super::{ApiError, Code};

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 3600;

impl ApiError {
    /// Returns a 429 that holds for so many seconds; `why` receives them in words.
    pub fn wait(seconds: u64, why: impl FnOnce(String) -> String) -> Self {
        Self::new(Code::RateLimited, why(in_words(seconds))).retry_after(seconds)
    }
}

/// Returns "40 seconds", "5 minutes" or "3 hours", rounded up, since anyone who comes earlier is refused again.
pub fn in_words(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..=90 => (seconds.max(1), "second"),
        91..=5400 => (seconds.div_ceil(MINUTE_S), "minute"),
        _ => (seconds.div_ceil(HOUR_S), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_in_words_is_never_too_short() {
        let cases = [
            (0, "1 second"),
            (1, "1 second"),
            (90, "90 seconds"),
            (91, "2 minutes"),
            (301, "6 minutes"),
            (5401, "2 hours"),
            (86_400, "24 hours"),
        ];
        for (seconds, words) in cases {
            assert_eq!(in_words(seconds), words, "{seconds}");
        }
    }
}
