//! Writes the report of the affected people: people as CSV, and next to it the gaps of the log.

use std::{fmt::Write, io};

use chrono::{DateTime, SecondsFormat, Utc};

use super::{
    collect::{Affected, AffectedPerson, MAX_PEOPLE, Who},
    error::AffectedError,
};
use crate::http::harmless_cell;

const COLUMNS: [&str; 8] = ["account", "job", "as", "reads", "changes", "what", "first_at", "last_at"];

impl Affected {
    /// Writes one line for each person, with names and numbers only if they were asked for.
    pub fn write_csv(&self, to: impl io::Write) -> Result<(), AffectedError> {
        let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(to);
        let further: &[&str] = if self.with_phones { &["name", "phone"] } else { &[] };
        writer.write_record(COLUMNS.iter().chain(further))?;
        for person in &self.people {
            writer.write_record(person.cells(self.with_phones))?;
        }
        writer.flush().map_err(csv::Error::from)?;
        Ok(())
    }

    /// Returns the number of people, and what the log does not show.
    pub fn notes(&self) -> String {
        let mut notes = String::new();
        let mut say = |line: String| writeln!(notes, "{line}").unwrap_or_default();
        say(counted(self.people.len() as i64, "person", "people"));
        if self.admins.len() > 1 {
            let ids: Vec<String> = self.admins.iter().map(ToString::to_string).collect();
            say(format!("{} accounts have or had this email: {}", ids.len(), ids.join(", ")));
        }
        if self.is_cut {
            say(format!(
                "THERE ARE MORE: this is a part, at most {MAX_PEOPLE} people. Ask again for shorter times, one after the other."
            ));
        }
        if let Some(begins_at) = self.begins_at {
            say(format!("The log begins at {}: what was before is not known.", shown(begins_at)));
        }
        for list in &self.lists {
            let how = if list.action == "export" { "exported" } else { "read" };
            let (first, last) = (shown(list.first_at), shown(list.last_at));
            say(format!(
                "The list {} was {how}: {}, {}, {first} to {last}. Who was in it is not recorded.",
                list.name,
                counted(list.times, "time", "times"),
                counted(list.rows, "row", "rows")
            ));
        }
        for row in &self.unresolved {
            let entries = counted(row.times, "entry", "entries");
            say(format!("{entries} about something that is gone or names nobody: {}", row.kind));
        }
        say("Not in the log, and so not here: who was on a list or on the live map; who was a candidate for a job without being \
            asked; how often the same was read within ten minutes; whatever was read in the database itself or in a file that had been \
            exported."
            .to_owned());
        notes
    }
}

impl AffectedPerson {
    fn cells(&self, with_phones: bool) -> Vec<String> {
        let (account, job) = match &self.who {
            Who::Account(id) => (id.to_string(), String::new()),
            Who::OfJob(id, _) => (String::new(), id.to_string()),
        };
        let what: Vec<String> = self.what.iter().map(|(what, times)| format!("{what} x{times}")).collect();
        let mut cells = vec![
            account,
            job,
            self.sides.join("; "),
            self.reads.to_string(),
            self.changes.to_string(),
            what.join("; "),
            shown(self.first_at),
            shown(self.last_at),
        ];
        if with_phones {
            let (name, phone) =
                self.reached.clone().map(|reached| (reached.name, reached.phone)).unwrap_or_default();
            cells.extend([name, phone].map(|text| harmless_cell(text.unwrap_or_default())));
        }
        cells
    }
}

fn counted(many: i64, one: &str, several: &str) -> String {
    if many == 1 { format!("1 {one}") } else { format!("{many} {several}") }
}

fn shown(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
