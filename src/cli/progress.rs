//! The progress of `roadcall restore` on stderr: a line for each step, which a terminal updates every second.

use std::{
    io::{self, IsTerminal, Stderr, Write},
    sync::Arc,
    thread,
    time::Duration,
};

use parking_lot::Mutex;

use crate::lifecycle::backup::{BackupProgress, Step};

/// How often a terminal shows the progress of a step.
const EVERY: Duration = Duration::from_secs(1);

/// Shows the progress of a restore, until it is dropped.
#[derive(Debug)]
pub(super) struct Shown(Arc<Mutex<Lines<Stderr>>>);

impl Shown {
    pub(super) fn on_stderr() -> Self {
        let is_terminal = io::stderr().is_terminal();
        let lines = Arc::new(Mutex::new(Lines::new(io::stderr(), is_terminal)));
        if is_terminal {
            let shown = Arc::downgrade(&lines);
            thread::spawn(move || {
                loop {
                    thread::sleep(EVERY);
                    let Some(lines) = shown.upgrade() else { return };
                    lines.lock().a_second_later();
                }
            });
        }
        Self(lines)
    }

    pub(super) fn progress(&self) -> BackupProgress {
        let lines = Arc::clone(&self.0);
        BackupProgress::new(move |step, done| lines.lock().is_at(step, done))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.lock().end();
    }
}

#[derive(Debug)]
struct Lines<W> {
    output: W,
    is_terminal: bool,
    /// The step that the last line is about, and how many files of it are done.
    at: Option<(Step, usize)>,
    seconds: u64,
}

impl<W: Write> Lines<W> {
    fn new(output: W, is_terminal: bool) -> Self {
        Self { output, is_terminal, at: None, seconds: 0 }
    }

    fn is_at(&mut self, step: Step, done: usize) {
        if self.at.is_none_or(|(known, _)| known != step) {
            self.end();
            self.seconds = 0;
            let end = if self.is_terminal { "" } else { "\n" };
            self.put(&format!("{}{end}", line(step)));
        }
        self.at = Some((step, done));
    }

    /// Writes a line anew, with the progress of its step.
    fn a_second_later(&mut self) {
        let Some((step, done)) = self.at.filter(|_| self.is_terminal) else { return };
        self.seconds += 1;
        let seconds = self.seconds;
        let how_far = match described(step) {
            (what, Some(files)) => format!("{what}: {done} of {files}, {seconds} s"),
            (what, None) => format!("{what}: {seconds} s"),
        };
        self.put(&format!("\r{how_far}\x1b[K"));
    }

    /// Ends a line; without a terminal the line stays as it is.
    fn end(&mut self) {
        if let (Some((step, _)), true) = (self.at.take(), self.is_terminal) {
            self.put(&format!("\r{}\x1b[K\n", line(step)));
        }
    }

    /// Writes a text. If nobody can read it, the restore goes on all the same.
    fn put(&mut self, text: &str) {
        self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush()).ok();
    }
}

fn line(step: Step) -> String {
    match described(step) {
        (what, Some(files)) => format!("{what}: {files}"),
        (what, None) => what.to_owned(),
    }
}

/// Returns a description of a step, and its number of files.
fn described(step: Step) -> (&'static str, Option<usize>) {
    match step {
        Step::CheckingFiles { files } => ("Checking the files of the backup", Some(files)),
        Step::PreparingDatabase => ("Preparing the database", None),
        Step::CopyingFiles { files } => ("Copying files", Some(files)),
        Step::RestoringDatabase => ("Restoring the database", None),
        Step::Comparing => ("Comparing with what the backup says", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_terminal: bool) -> String {
        let mut lines = Lines::new(Vec::new(), is_terminal);
        let checking = Step::CheckingFiles { files: 3 };
        for done in 0..2 {
            lines.is_at(checking, done);
            lines.a_second_later();
        }
        lines.is_at(Step::RestoringDatabase, 0);
        lines.a_second_later();
        lines.end();
        // No step is under way.
        lines.a_second_later();
        String::from_utf8(lines.output).unwrap()
    }

    #[test]
    fn a_terminal_shows_the_progress_of_each_step() {
        let first = "Checking the files of the backup: 3\
            \rChecking the files of the backup: 0 of 3, 1 s\x1b[K\
            \rChecking the files of the backup: 1 of 3, 2 s\x1b[K\
            \rChecking the files of the backup: 3\x1b[K\n";
        let second =
            "Restoring the database\rRestoring the database: 1 s\x1b[K\rRestoring the database\x1b[K\n";
        assert_eq!(shown(true), format!("{first}{second}"));
    }

    #[test]
    fn a_file_gets_a_line_for_each_step() {
        assert_eq!(shown(false), "Checking the files of the backup: 3\nRestoring the database\n");
    }
}
