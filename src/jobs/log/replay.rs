//! Reads a job's log, each entry with the job's row after it.
//!
//! An entry keeps the values that it replaced, so the rows after earlier entries follow from the present row, backwards.

use sqlx::{Error, PgExecutor, Result};
use uuid::Uuid;

use super::queries::{self, LoggedEntry};
use crate::jobs::queries::{JobEventRow, JobRow};

/// Returns the public entries after `since_seq` in order, at most `limit`.
pub async fn entries_since(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> Result<Vec<JobEventRow>> {
    unwound(queries::logged_since(db, job_id, since_seq, limit).await?)
}

/// Returns the job's row after the public entry with this number.
pub async fn row_at(db: impl PgExecutor<'_>, job_id: Uuid, seq: i64) -> Result<Option<JobRow>> {
    Ok(entries_since(db, job_id, seq - 1, 1).await?.pop().map(|entry| entry.snapshot))
}

/// Goes from the newest entry back to the oldest, and returns those that were asked for, oldest first.
fn unwound(newest_first: Vec<(LoggedEntry, Option<JobRow>)>) -> Result<Vec<JobEventRow>> {
    let (mut entries, mut row) = (Vec::new(), None);
    for (mut entry, present) in newest_first {
        let room = entry.room_in_log.take();
        let present = present.map(|present| JobRow { hms_room_id: room, ..present });
        let after = entry.snapshot.take().map(|snapshot| snapshot.0).or(present).or(row.take());
        row = match (&entry.replaced, after.clone()) {
            (Some(replaced), Some(mut before)) => {
                before.put_back(replaced).map_err(|error| Error::Decode(error.into()))?;
                Some(before)
            }
            // An earlier release wrote the entry, so older ones have their own snapshots.
            (None, _) | (_, None) => None,
        };
        if let Some(seq) = entry.entry_seq.filter(|_| entry.is_listed) {
            let without_row =
                || Error::Decode(format!("job_events: nothing gives the row after {seq}").into());
            entries.push(shown(entry, seq, after.ok_or_else(without_row)?));
        }
    }
    entries.reverse();
    Ok(entries)
}

/// Returns the entry with the row after it, as every participant may see it.
fn shown(entry: LoggedEntry, seq: i64, row: JobRow) -> JobEventRow {
    let LoggedEntry { entry_version, kind, data, at, is_served, unpaid_since, .. } = entry;
    let row = JobRow { version: entry_version, seq, updated_at: at, ..row };
    let snapshot = without_people(row, entry.has_lost_customer, &entry.lost_mechanics);
    JobEventRow { seq, kind, data, at, is_active: is_served, unpaid_since, snapshot }
}

/// Removes people who have left the service from a row of the log: the customer with the people they named, and the mechanic.
fn without_people(mut row: JobRow, has_lost_customer: bool, lost_mechanics: &[Uuid]) -> JobRow {
    if has_lost_customer {
        row = JobRow {
            beneficiary_name: None,
            beneficiary_phone: None,
            customer_name: None,
            customer_phone: None,
            vehicle_color: None,
            vehicle_registration_number: String::new(),
            receiver_name: None,
            receiver_phone: None,
            received_by: None,
            ..row
        };
    }
    if row.mechanic_profile_id.is_some_and(|id| lost_mechanics.contains(&id)) {
        row.mechanic_name = None;
    }
    row
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use sqlx::types::Json;

    use super::*;
    use crate::jobs::view::tests::row;

    fn entry(version: i64, seq: Option<i64>, replaced: Value) -> LoggedEntry {
        LoggedEntry {
            entry_version: version,
            entry_seq: seq,
            kind: "job".to_owned(),
            data: Value::Null,
            at: row("paid").updated_at,
            is_listed: true,
            replaced: Some(Json(replaced.as_object().expect("values").clone())),
            snapshot: None,
            room_in_log: Some("logged".to_owned()),
            is_served: false,
            unpaid_since: None,
            has_lost_customer: false,
            lost_mechanics: Vec::new(),
        }
    }

    #[test]
    fn each_entry_shows_what_later_ones_replaced() {
        let present = JobRow { hms_room_id: Some("later".to_owned()), ..row("paid") };
        let log = unwound(vec![
            (entry(5, Some(3), json!({"status": "completed", "hms_room_id": null})), Some(present)),
            (entry(4, None, json!({"start_code": "4321", "mechanic_name": "Ravi", "no_column": 1})), None),
            (entry(3, Some(2), json!({"status": "in_progress"})), None),
        ]);
        let log = log.expect("rows");
        let shown = log.iter().map(|entry| {
            let JobRow { status, start_code, mechanic_name, hms_room_id, version, .. } = &entry.snapshot;
            json!([entry.seq, version, status, start_code, mechanic_name, hms_room_id])
        });
        let expected =
            [json!([2, 3, "completed", "4321", "Ravi", null]), json!([3, 5, "paid", "1234", null, "logged"])];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_entry_whose_row_cannot_be_read_is_an_error() {
        assert!(unwound(vec![(entry(5, Some(3), json!({})), None)]).is_err());
        assert!(unwound(vec![(entry(5, None, json!({})), None)]).is_ok_and(|log| log.is_empty()));
        let unreadable = (entry(5, Some(3), json!({"status": "lost"})), Some(row("paid")));
        assert!(unwound(vec![unreadable]).is_err());
    }

    #[test]
    fn people_who_left_are_not_shown_although_the_log_still_names_them() {
        let [left, other] = [1, 2].map(Uuid::from_u128);
        let named = JobRow {
            customer_name: Some("Asha".to_owned()),
            mechanic_name: Some("Ravi".to_owned()),
            mechanic_profile_id: Some(left),
            ..row("paid")
        };
        let shown = without_people(named.clone(), true, &[other]);
        assert_eq!((shown.customer_name, shown.beneficiary_phone), (None, None));
        assert_eq!(shown.mechanic_name, named.mechanic_name);
        let shown = without_people(named.clone(), false, &[other, left]);
        assert_eq!((shown.customer_name, shown.mechanic_name), (named.customer_name, None));
    }
}
