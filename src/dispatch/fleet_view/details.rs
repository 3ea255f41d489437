//! The details of jobs and mechanics that an admin's list shows next to the map. They are read once for all viewers, and sent
//! once to each socket.

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    dto::{FleetDetails, FleetJobDetails, FleetMechanicDetails, FleetView},
    queries::{self, ListedJobRow, ListedMechanicRow, OpenJobRow},
};
use crate::platform::{db::Db, error::ApiResult};

/// Names, phones and what mechanics serve change rarely.
const KEPT: TimeDelta = TimeDelta::minutes(5);
/// The few open requests for a call are read at most this often for all viewers.
const CALLBACKS_KEPT: TimeDelta = TimeDelta::seconds(1);
/// The maximum number of open requests for a call; the newest beyond it are not marked on their jobs.
const MAX_CALLBACKS: i64 = 20_000;
/// Details of closed jobs are forgotten once more than this many times the open jobs are known.
const SPARE: usize = 2;

/// The details of everything that one look shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    jobs: Vec<Arc<FleetJobDetails>>,
    mechanics: Vec<Arc<FleetMechanicDetails>>,
    omitted_jobs: u32,
}

impl Listed {
    pub(super) fn len(&self) -> usize {
        self.jobs.len() + self.mechanics.len()
    }
}

/// The details that were read.
#[derive(Debug, Default)]
pub(super) struct KnownDetails {
    jobs: HashMap<Uuid, KnownJob>,
    mechanics: HashMap<Uuid, KnownMechanic>,
    callbacks: HashSet<Uuid>,
    callbacks_at: Option<DateTime<Utc>>,
    rows: u64,
}

#[derive(Debug)]
struct KnownJob {
    read_at: DateTime<Utc>,
    corrections: i32,
    shown: Arc<FleetJobDetails>,
}

#[derive(Debug)]
struct KnownMechanic {
    read_at: DateTime<Utc>,
    shown: Arc<FleetMechanicDetails>,
}

impl KnownDetails {
    /// `open` are the jobs that the view was made from, the newest first.
    pub(super) async fn of(
        &mut self,
        db: &Db,
        now: DateTime<Utc>,
        open: &[OpenJobRow],
        view: &FleetView,
    ) -> ApiResult<Listed> {
        let is_fresh = self.callbacks_at.is_some_and(|at| (now - at).abs() < CALLBACKS_KEPT);
        if !is_fresh {
            self.callbacks = queries::jobs_with_callback(db, MAX_CALLBACKS).await?.into_iter().collect();
            self.callbacks_at = Some(now);
        }
        let shown: Vec<&OpenJobRow> = view.jobs.iter().filter_map(|job| row_of(open, job.id)).collect();
        let missing = self.missing_jobs(&shown, now);
        if !missing.is_empty() {
            let rows = queries::listed_jobs(db, &missing).await?;
            self.rows += rows.len() as u64;
            self.take_jobs(rows, open, now);
        }
        let missing = self.missing_mechanics(view, now);
        if !missing.is_empty() {
            let rows = queries::listed_mechanics(db, &missing).await?;
            self.rows += rows.len() as u64;
            self.take_mechanics(rows, now);
        }
        Ok(self.listed(&shown, view, open.len()))
    }

    /// Returns the number of jobs and mechanics that were read since the start.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    fn missing_jobs(&self, shown: &[&OpenJobRow], now: DateTime<Utc>) -> Vec<Uuid> {
        let is_known = |job: &OpenJobRow| {
            self.jobs.get(&job.id).is_some_and(|known| {
                known.corrections >= job.corrections && (now - known.read_at).abs() < KEPT
            })
        };
        shown.iter().filter(|job| !is_known(job)).map(|job| job.id).collect()
    }

    fn missing_mechanics(&self, view: &FleetView, now: DateTime<Utc>) -> Vec<Uuid> {
        let is_known =
            |id: &Uuid| self.mechanics.get(id).is_some_and(|known| (now - known.read_at).abs() < KEPT);
        let ids = view.mechanics.iter().map(|mechanic| mechanic.mechanic_profile_id);
        ids.filter(|id| !is_known(id)).collect()
    }

    fn take_jobs(&mut self, rows: Vec<ListedJobRow>, open: &[OpenJobRow], now: DateTime<Utc>) {
        if self.jobs.len() > SPARE * open.len() {
            self.jobs.retain(|id, _| row_of(open, *id).is_some());
        }
        for row in rows {
            let known = self.jobs.get(&row.id).map(|known| known.shown.clone());
            let read = FleetJobDetails {
                job_id: row.id,
                customer_name: row.customer_name,
                customer_phone: row.customer_phone,
                pickup_address: row.pickup_address,
                vehicle_type: row.vehicle_type,
                vehicle_registration_number: row.vehicle_registration_number,
                concern: known.as_ref().and_then(|known| known.concern),
                has_open_callback: known.as_ref().is_some_and(|known| known.has_open_callback),
                accepted_at: known.as_ref().and_then(|known| known.accepted_at),
                promised_at: known.as_ref().and_then(|known| known.promised_at),
            };
            // Unchanged details keep their `Arc`, so that no client gets them again.
            let shown = known.filter(|known| **known == read).unwrap_or_else(|| Arc::new(read));
            self.jobs.insert(row.id, KnownJob { read_at: now, corrections: row.corrections, shown });
        }
    }

    fn take_mechanics(&mut self, rows: Vec<ListedMechanicRow>, now: DateTime<Utc>) {
        for row in rows {
            let read = FleetMechanicDetails {
                mechanic_profile_id: row.id,
                mechanic_name: row.name,
                mechanic_phone: row.phone,
                vehicle_types: row.vehicle_types,
                service_category_ids: row.service_category_ids,
            };
            let known = self.mechanics.get(&row.id).map(|known| known.shown.clone());
            // Unchanged details keep their `Arc`, so that no client gets them again.
            let shown = known.filter(|known| **known == read).unwrap_or_else(|| Arc::new(read));
            self.mechanics.insert(row.id, KnownMechanic { read_at: now, shown });
        }
        self.mechanics.retain(|_, known| (now - known.read_at).abs() < KEPT);
    }

    fn listed(&mut self, shown: &[&OpenJobRow], view: &FleetView, open: usize) -> Listed {
        let mut jobs = Vec::with_capacity(shown.len());
        for row in shown {
            let has_open_callback = row.accepted_at.is_none() && self.callbacks.contains(&row.id);
            let Some(known) = self.jobs.get_mut(&row.id) else { continue };
            let now = (row.concern, has_open_callback, row.accepted_at, row.promised_at);
            let was = &known.shown;
            let before = (was.concern, was.has_open_callback, at(was.accepted_at), at(was.promised_at));
            if now != before {
                known.shown = Arc::new(FleetJobDetails {
                    concern: row.concern,
                    has_open_callback,
                    accepted_at: row.accepted_at.map(Into::into),
                    promised_at: row.promised_at.map(Into::into),
                    ..FleetJobDetails::clone(was)
                });
            }
            jobs.push(known.shown.clone());
        }
        let ids = view.mechanics.iter().map(|mechanic| mechanic.mechanic_profile_id);
        let mechanics = ids.filter_map(|id| Some(self.mechanics.get(&id)?.shown.clone())).collect();
        let omitted_jobs = u32::try_from(open - view.jobs.len()).unwrap_or(u32::MAX);
        Listed { jobs, mechanics, omitted_jobs }
    }
}

fn at(time: Option<crate::http::Timestamp>) -> Option<DateTime<Utc>> {
    time.map(|time| time.0)
}

/// Finds a job in `open`, which is sorted by id, the greatest first.
fn row_of(open: &[OpenJobRow], id: Uuid) -> Option<&OpenJobRow> {
    open.binary_search_by(|row| id.cmp(&row.id)).ok().map(|index| &open[index])
}

/// The details that a client was sent.
#[derive(Debug, Default)]
pub struct SentDetails {
    jobs: HashMap<Uuid, Arc<FleetJobDetails>>,
    mechanics: HashMap<Uuid, Arc<FleetMechanicDetails>>,
    omitted_jobs: u32,
}

impl SentDetails {
    /// Returns the details that the client lacks, and counts them as sent; `None` if it lacks none.
    pub fn news(&mut self, listed: &Listed) -> Option<FleetDetails> {
        let jobs = unsent(&mut self.jobs, &listed.jobs, |job| job.job_id);
        let mechanics =
            unsent(&mut self.mechanics, &listed.mechanics, |mechanic| mechanic.mechanic_profile_id);
        let omitted_jobs = listed.omitted_jobs;
        let is_same = jobs.is_empty() && mechanics.is_empty() && omitted_jobs == self.omitted_jobs;
        self.omitted_jobs = omitted_jobs;
        (!is_same).then_some(FleetDetails { jobs, mechanics, omitted_jobs })
    }
}

/// Returns what is shown and was not sent. Objects that are no longer shown count as not sent, because the client forgets them.
fn unsent<T: Clone>(sent: &mut HashMap<Uuid, Arc<T>>, shown: &[Arc<T>], id: impl Fn(&T) -> Uuid) -> Vec<T> {
    let mut before = mem::take(sent);
    let mut news = Vec::new();
    for item in shown {
        let was = before.remove(&id(item));
        if !was.is_some_and(|was| Arc::ptr_eq(&was, item)) {
            news.push(T::clone(item));
        }
        sent.insert(id(item), item.clone());
    }
    news
}

impl From<Listed> for FleetDetails {
    /// Copies all details, for an answer.
    fn from(listed: Listed) -> Self {
        Self {
            jobs: listed.jobs.iter().map(|job| FleetJobDetails::clone(job)).collect(),
            mechanics: listed.mechanics.iter().map(|one| FleetMechanicDetails::clone(one)).collect(),
            omitted_jobs: listed.omitted_jobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::vehicle::VehicleType;

    use super::*;
    use crate::wire::Named;

    fn listed(job: &Arc<FleetJobDetails>) -> Listed {
        Listed { jobs: vec![job.clone()], ..Listed::default() }
    }

    #[test]
    fn a_client_is_sent_details_once_and_again_after_a_change_or_an_absence() {
        let job = FleetJobDetails {
            job_id: Uuid::nil(),
            customer_name: None,
            customer_phone: None,
            pickup_address: "MG Road".to_owned(),
            vehicle_type: Named(VehicleType::TwoWheeler),
            vehicle_registration_number: String::new(),
            concern: None,
            has_open_callback: false,
            accepted_at: None,
            promised_at: None,
        };
        let first = Arc::new(job.clone());
        let later = Arc::new(FleetJobDetails { has_open_callback: true, ..job });
        let mut sent = SentDetails::default();
        let news =
            |sent: &mut SentDetails, listed: &Listed| sent.news(listed).map(|details| details.jobs.len());
        assert_eq!(news(&mut sent, &listed(&first)), Some(1));
        assert_eq!(news(&mut sent, &listed(&first)), None);
        assert_eq!(news(&mut sent, &listed(&later)), Some(1));
        assert_eq!(news(&mut sent, &Listed::default()), None);
        assert_eq!(news(&mut sent, &listed(&later)), Some(1), "the client has forgotten it");
        assert_eq!(news(&mut sent, &Listed { omitted_jobs: 2, ..listed(&later) }), Some(0));
    }
}
