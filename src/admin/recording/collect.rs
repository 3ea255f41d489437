//! Reads a stretch page by page, and leaves out who the people are.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{dispatcher::explain::MAX_CONSIDERED, geo::Point};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{
        FORMAT, RecordedAnswer, RecordedCategory, RecordedJob, RecordedMechanic, RecordedPlace, Recording,
        VERSION,
    },
    error::RecordingError,
    limits::{MAX_ANSWERS, MAX_CATEGORIES, MAX_JOBS, MAX_MECHANICS},
    presence::{self, Seen, Sign, coarse, coarse_m},
    queries::{self, EarlierJobRow, JobTimesRow, OfferTimesRow, RecordedProfileRow, TrailEndRow},
    stretch::Stretch,
};
use crate::{dispatch::MAX_DECISIONS, platform::db::Db};

/// The number of jobs whose offers, sightings and trails are read at once.
const PAGE: usize = 100;
/// The maximum number of rows of one statement about a page of jobs.
const MAX_ROWS: usize = PAGE * MAX_DECISIONS as usize * MAX_CONSIDERED;
/// The number of jobs from which a category has a median of its own work.
const ENOUGH_WORK: usize = 5;

/// Records a stretch, with the calendar date only if `with_date`.
pub async fn record(db: &Db, stretch: &Stretch, with_date: bool) -> Result<Recording, RecordingError> {
    let mut tx = db.begin_snapshot().await?;
    let recording = gather(&mut tx, stretch, with_date).await;
    tx.rollback().await?;
    recording
}

async fn gather(
    db: &mut PgConnection,
    stretch: &Stretch,
    with_date: bool,
) -> Result<Recording, RecordingError> {
    let categories = queries::categories(db, limit(MAX_CATEGORIES)).await?;
    check("service categories", MAX_CATEGORIES, categories.len())?;
    let place_of = categories.iter().enumerate().map(|(place, category)| (category.id, place)).collect();
    let mut log = Log { place_of, ..Log::default() };
    let mut after = (stretch.from, Uuid::nil());
    loop {
        let page = queries::jobs(db, after, stretch.to, PAGE as i64).await?;
        let Some(last) = page.last() else { break };
        after = (last.begin_at, last.id);
        log.take_page(db, stretch, &page).await?;
    }
    let until = stretch.to + TimeDelta::days(1);
    let earlier = queries::earlier_jobs(db, stretch.from, until, limit(MAX_JOBS)).await?;
    check("jobs from before", MAX_JOBS, earlier.len())?;
    earlier.into_iter().for_each(|row| log.take_earlier(row));
    log.take_profiles(db, stretch).await?;
    let minutes: Vec<f64> = (0..categories.len())
        .map(|place| log.minutes(place, categories[place].estimated_duration_min))
        .collect();
    let categories = categories.into_iter().zip(minutes);
    let categories = categories.map(|(row, minutes)| RecordedCategory { slug: row.slug, minutes }).collect();
    let (mechanics, ordinals) = log.mechanics(stretch);
    let ordinal = |id: &Uuid| ordinals.get(id).copied();
    let jobs = log.jobs.into_iter().map(|(mut job, mechanic)| {
        job.mechanic = mechanic.as_ref().and_then(ordinal);
        job
    });
    let answers = log.answers.into_iter().filter_map(|(mut answer, mechanic)| {
        answer.mechanic = ordinal(&mechanic)?;
        Some(answer)
    });
    Ok(Recording {
        format: FORMAT,
        version: VERSION,
        date: with_date.then(|| stretch.date()),
        weekday: stretch.weekday(),
        start_hour: stretch.start_hour(),
        hours: stretch.hours(),
        categories,
        mechanics,
        jobs: jobs.collect(),
        answers: answers.collect(),
    })
}

/// Returns the limit of a statement: one row more than allowed, to see whether there are more.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX - 1) + 1
}

fn check(what: &'static str, most: usize, many: usize) -> Result<(), RecordingError> {
    if many > most { Err(RecordingError::TooMany { most, what }) } else { Ok(()) }
}

/// The data that was read so far. Mechanics still have their ids: they get their numbers when all are known.
#[derive(Debug, Default)]
struct Log {
    place_of: HashMap<Uuid, usize>,
    jobs: Vec<(RecordedJob, Option<Uuid>)>,
    answers: Vec<(RecordedAnswer, Uuid)>,
    signs: BTreeMap<Uuid, Vec<Sign>>,
    /// When the mechanic's job from before the stretch ended.
    free_from: HashMap<Uuid, DateTime<Utc>>,
    last: HashMap<Uuid, (DateTime<Utc>, Point)>,
    profiles: Vec<RecordedProfileRow>,
}

impl Log {
    async fn take_page(
        &mut self,
        db: &mut PgConnection,
        stretch: &Stretch,
        page: &[JobTimesRow],
    ) -> Result<(), RecordingError> {
        let ids: Vec<Uuid> = page.iter().map(|job| job.id).collect();
        let offers = queries::offers(db, &ids, limit(MAX_ROWS)).await?;
        check("offers of a hundred jobs", MAX_ROWS, offers.len())?;
        let first = queries::first_points(db, &ids, limit(MAX_ROWS)).await?;
        let last = queries::last_points(db, &ids, limit(MAX_ROWS)).await?;
        let numbers: HashMap<Uuid, usize> = ids.iter().copied().zip(self.jobs.len()..).collect();
        let pickup_of: HashMap<Uuid, Point> = page.iter().map(|job| (job.id, pickup(job))).collect();
        for row in queries::sightings(db, &ids, limit(MAX_ROWS)).await? {
            let place = seen_from(pickup_of.get(&row.job_id), row.distance_m);
            self.sign(row.mechanic, Sign { from: row.first_at, to: row.last_at, place });
        }
        self.take_trails(stretch, &first, &last);
        self.take_offers(&numbers, &pickup_of, offers);
        let ends = last.into_iter().map(|row| ((row.job_id, row.mechanic_profile_id), row)).collect();
        for job in page {
            self.take_job(stretch, job, &ends)?;
        }
        check("jobs", MAX_JOBS, self.jobs.len())?;
        check("answers", MAX_ANSWERS, self.answers.len())?;
        check("mechanics", MAX_MECHANICS, self.signs.len())
    }

    fn sign(&mut self, mechanic: Uuid, sign: Sign) {
        self.signs.entry(mechanic).or_default().push(sign);
    }

    fn take_job(
        &mut self,
        stretch: &Stretch,
        row: &JobTimesRow,
        ends: &HashMap<(Uuid, Uuid), TrailEndRow>,
    ) -> Result<(), RecordingError> {
        let Some(category) = self.place_of.get(&row.service_category_id).copied() else {
            return Err(RecordingError::TooMany { most: MAX_CATEGORIES, what: "service categories" });
        };
        let since = |at: Option<DateTime<Utc>>| at.map(|at| stretch.seconds(at));
        if let (Some(mechanic), Some(from)) = (row.mechanic_profile_id, row.accepted_at) {
            let ended = row.completed_at.or(row.cancelled_at);
            self.sign(mechanic, Sign { from, to: ended.unwrap_or(from).max(from), place: None });
        }
        let worked = row.started_at.zip(row.completed_at);
        let trail = row.mechanic_profile_id.and_then(|mechanic| ends.get(&(row.id, mechanic)));
        let ends = trail.filter(|end| worked.is_some_and(|(started, _)| end.at >= started));
        let job = RecordedJob {
            at_s: stretch.seconds(row.begin_at),
            pickup: coarse(pickup(row)),
            category,
            vehicle_type: row.vehicle_type.clone(),
            urgency: row.urgency.clone(),
            mechanic: None,
            accepted_s: since(row.accepted_at),
            en_route_s: since(row.en_route_at),
            arrived_s: since(row.arrived_at),
            started_s: since(row.started_at),
            completed_s: since(row.completed_at),
            cancelled_s: since(row.cancelled_at),
            cancelled_by: row.cancelled_at.and(row.cancelled_by.clone()),
            work_s: worked
                .map(|(started, completed)| (stretch.seconds(completed) - stretch.seconds(started)).max(0)),
            ends: ends.map(|end| coarse(point_of(end))),
        };
        self.jobs.push((job, row.mechanic_profile_id));
        Ok(())
    }

    fn take_offers(
        &mut self,
        numbers: &HashMap<Uuid, usize>,
        pickups: &HashMap<Uuid, Point>,
        offers: Vec<OfferTimesRow>,
    ) {
        let mut asked: HashMap<(Uuid, Uuid), u32> = HashMap::new();
        for offer in offers {
            let (mechanic, answer) = (offer.mechanic_profile_id, offer.status.as_str());
            let nth = asked.entry((offer.job_id, mechanic)).or_default();
            let place = seen_from(pickups.get(&offer.job_id), offer.distance_m);
            let reacted = offer.settled_at.filter(|_| matches!(answer, "accepted" | "declined"));
            let to = reacted.unwrap_or(offer.created_at).max(offer.created_at);
            if let (Some(job), "accepted" | "declined" | "expired") = (numbers.get(&offer.job_id), answer) {
                let answer = RecordedAnswer {
                    mechanic: 0,
                    job: *job,
                    nth: *nth,
                    distance_m: coarse_m(metres(offer.distance_m)),
                    answer: offer.status,
                    reaction_s: reacted.map(|_| tenths_of_seconds(to - offer.created_at)),
                };
                self.answers.push((answer, mechanic));
            }
            *nth += 1;
            self.sign(mechanic, Sign { from: offer.created_at, to, place });
        }
    }

    fn take_trails(&mut self, stretch: &Stretch, first: &[TrailEndRow], last: &[TrailEndRow]) {
        // Both lists are in the order of jobs and mechanics, and have the same pairs.
        for (first, last) in first.iter().zip(last) {
            let place = Some(Seen::here(point_of(first)));
            self.sign(first.mechanic_profile_id, Sign { from: first.at, to: last.at.max(first.at), place });
        }
        last.iter().for_each(|end| self.saw_last(stretch, end.mechanic_profile_id, end.at, point_of(end)));
    }

    fn saw_last(&mut self, stretch: &Stretch, mechanic: Uuid, at: DateTime<Utc>, point: Point) {
        let is_news = self.last.get(&mechanic).is_none_or(|(before, _)| *before < at);
        if is_news && at < stretch.to {
            self.last.insert(mechanic, (at, point));
        }
    }

    /// Records that the mechanic is free, and where the vehicle was.
    fn take_earlier(&mut self, row: EarlierJobRow) {
        let place = Some(Seen::here(Point::new(row.pickup_lat, row.pickup_lng)));
        self.sign(row.mechanic_profile_id, Sign::at(row.ended_at, place));
        let until = self.free_from.entry(row.mechanic_profile_id).or_insert(row.ended_at);
        *until = row.ended_at.max(*until);
    }

    async fn take_profiles(
        &mut self,
        db: &mut PgConnection,
        stretch: &Stretch,
    ) -> Result<(), RecordingError> {
        check("mechanics", MAX_MECHANICS, self.signs.len())?;
        let seen: Vec<Uuid> = self.signs.keys().copied().collect();
        let rows =
            queries::profiles(db, &seen, (stretch.from, stretch.to), Uuid::nil(), limit(MAX_MECHANICS))
                .await?;
        check("mechanics", MAX_MECHANICS, rows.len())?;
        for row in &rows {
            let place = row.last_lat.zip(row.last_lng).map(|(lat, lng)| Point::new(lat, lng));
            let Some(at) = row.last_received_at else { continue };
            if let Some(point) = place {
                self.saw_last(stretch, row.id, at, point);
            }
            match row.available_since {
                Some(since) if since <= at => {
                    self.sign(row.id, Sign { from: since, to: at, place: None });
                }
                _ if stretch.contains(at) => self.sign(row.id, Sign::at(at, place.map(Seen::here))),
                _ => {}
            }
        }
        self.profiles = rows;
        Ok(())
    }

    /// Returns the mechanics in the order in which they came online, with their numbers.
    fn mechanics(&mut self, stretch: &Stretch) -> (Vec<RecordedMechanic>, HashMap<Uuid, usize>) {
        let rows = std::mem::take(&mut self.profiles);
        let mut known: Vec<(RecordedMechanic, Uuid)> =
            rows.into_iter().map(|row| (self.mechanic(stretch, &row), row.id)).collect();
        known.sort_by_key(|(mechanic, id)| {
            (mechanic.online.first().map_or(i64::MAX, |span| span.from_s), *id)
        });
        let numbers = known.iter().enumerate().map(|(number, (_, id))| (*id, number)).collect();
        (known.into_iter().map(|(mechanic, _)| mechanic).collect(), numbers)
    }

    fn mechanic(&mut self, stretch: &Stretch, row: &RecordedProfileRow) -> RecordedMechanic {
        let signs = self.signs.remove(&row.id).unwrap_or_default();
        let served = row.service_category_ids.iter().filter_map(|id| self.place_of.get(id).copied());
        let last: Option<RecordedPlace> = self.last.get(&row.id).map(|(_, point)| coarse(*point));
        let mut categories: Vec<usize> = served.collect();
        categories.sort_unstable();
        RecordedMechanic {
            radius_km: row.service_radius_km,
            vehicle_types: row.vehicle_types.clone(),
            categories,
            online: presence::spans(signs, stretch, self.free_from.get(&row.id).copied()),
            last,
        }
    }

    /// Returns the median of the category's work, or the catalogue's estimate where there is little data.
    fn minutes(&self, category: usize, estimated_min: i32) -> f64 {
        let of_category = self.jobs.iter().filter(|(job, _)| job.category == category);
        let mut work: Vec<i64> = of_category.filter_map(|(job, _)| job.work_s).collect();
        work.sort_unstable();
        match work.get(work.len() / 2) {
            Some(median_s) if work.len() >= ENOUGH_WORK => (*median_s as f64 / 60.0).max(0.1),
            _ => f64::from(estimated_min.max(1)),
        }
    }
}

fn pickup(job: &JobTimesRow) -> Point {
    Point::new(job.pickup_lat, job.pickup_lng)
}

fn point_of(row: &TrailEndRow) -> Point {
    Point::new(row.lat, row.lng)
}

fn metres(stored: i32) -> u32 {
    u32::try_from(stored).unwrap_or_default()
}

fn seen_from(pickup: Option<&Point>, distance_m: i32) -> Option<Seen> {
    pickup.map(|point| Seen { point: *point, off_m: metres(distance_m) })
}

fn tenths_of_seconds(span: TimeDelta) -> f64 {
    (span.num_milliseconds() as f64 / 100.0).round() / 10.0
}
