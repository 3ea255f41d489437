//! Compares the answers to several requests at once.

use std::borrow::Borrow;

use super::Answer;

impl Answer {
    /// Expects that refusal, with a time after which the client may try again.
    #[track_caller]
    pub fn put_off(self, status: u16, code: &str) {
        assert!(self.header("retry-after").is_some(), "{}", self.text);
        self.refused(status, code);
    }
}

/// Returns the statuses of answers to requests of which nobody knows the order, sorted.
pub fn statuses(answers: impl IntoIterator<Item = impl Borrow<Answer>>) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers.into_iter().map(|answer| answer.borrow().status).collect();
    statuses.sort_unstable();
    statuses
}
