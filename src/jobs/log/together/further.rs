//! The rows that changes write in other tables, besides those of jobs, their log, offers and notifications: what the shared hooks
//! after the row do (`bridge/hooks.rs`), for the statement that writes changes of several jobs.

use chrono::{DateTime, Utc};
use roadcall_actors::{ports::JobChange, random::Random};
use sqlx::{
    Postgres,
    postgres::{PgArguments, PgBindIterExt},
    query::QueryAs,
};
use uuid::Uuid;

use crate::{
    accounting::dues::job_hook::due,
    fleet::{eta::job_hook::trip, mechanics::job_hook::completed},
    jobs::{
        dto::PhotoStage,
        job_hook::{MadeByRequest, MadeUnderMark, mark, new_photos},
        line_items::{
            job_hook::{ItemWrite, changed_item},
            queries::{LineItemRow, upserted},
        },
        on_account::{
            job_hook::{NewPromise, promise},
            queries::{asked, promise_set},
        },
        row::JobRow,
    },
};

/// The parts of a statement for several jobs, with the CTEs `given` and `job`, that write the rows.
#[derive(Debug, Default)]
pub struct FurtherSql {
    /// CTEs that lock, without waiting, what the changes depend on.
    pub guards: String,
    /// The conditions of a change `given` that follow from these.
    pub conditions: String,
    /// CTEs that write the rows of each written `job`.
    pub writes: String,
    /// The name of a CTE that only calls a function: it runs because the statement asks for its `result`.
    pub called: Option<&'static str>,
}

impl FurtherSql {
    /// Returns the parts, with the arguments of [`FurtherRows::bind`] from this number on. The first eight and the last
    /// three have an element for each change, the next five for each photo, and the others for each line item.
    pub(super) fn new(first: usize) -> Self {
        let argument = |place: usize| format!("${}", first + place);
        let of = |place: usize, array: &str| format!("({}::{array})[job.n]", argument(place));
        let given = |place: usize| format!("({}::uuid[])[given.n]", argument(place));
        let list = |places: std::ops::Range<usize>, types: &[&str]| {
            let arrays =
                places.zip(types).map(|(place, array)| format!("(select {}::{array})", argument(place)));
            arrays.collect::<Vec<_>>().join(", ")
        };
        let (done, mark) = (argument(1), argument(4));
        let guards = format!(
            ", counted as (
            select m.id from mechanic_profiles m where m.id = any((select {done}::uuid[])::uuid[])
            for no key update skip locked
        ), marked as (
            select k.id from idempotency_keys k
            where k.id = any((select {mark}::uuid[])::uuid[]) and k.job_id is null and k.effect_id is null and k.status is null
            for no key update skip locked
        )"
        );
        let (done, mark) = (given(1), given(4));
        let conditions = format!(
            "
                and ({done} is null or {done} in (select counted.id from counted))
                and ({mark} is null or {mark} in (select marked.id from marked))"
        );
        let (due, done, offer) = (of(0, "bigint[]"), of(1, "uuid[]"), of(2, "uuid[]"));
        let (set_out_at, mark, made) = (of(3, "timestamptz[]"), of(4, "uuid[]"), of(5, "uuid[]"));
        let (removed, all_removed) = (of(6, "uuid[]"), of(7, "boolean[]"));
        let photos = list(8..13, &["uuid[]", "uuid[]", "text[]", "text[]", "uuid[]"]);
        let items = list(
            13..26,
            &[
                "uuid[]",
                "uuid[]",
                "text[]",
                "text[]",
                "integer[]",
                "bigint[]",
                "text[]",
                "text[]",
                "bigint[]",
                "timestamptz[]",
                "timestamptz[]",
                "jsonb[]",
                "boolean[]",
            ],
        );
        let upserted = upserted!();
        let extra = [list(13..15, &["uuid[]", "uuid[]"]), list(20..21, &["text[]"])].join(", ");
        let asked = asked!();
        let account = of(28, "bigint[]");
        let untimed = of(27, "text[]");
        let promised_at = of(26, "timestamptz[]");
        let promise_set = promise_set!();
        let writes = format!(
            ", due as (
            insert into job_dues (job_id, customer_id, mechanic_profile_id, due_paise, account_paise, created_at)
            select job.id, job.customer_id, job.mechanic_profile_id, {due}, {account}, job.updated_at
            from job where {due} is not null
        ), counting as (
            update mechanic_profiles m set total_jobs = m.total_jobs + done.jobs
            from (select {done} as id, count(*)::integer as jobs from job group by 1) done
            where m.id = done.id
        ), trip as (
            insert into trips (offer_id, job_id, eta_source, eta_s, eta_base_s, distance_m, set_out_at, arrived_at)
            select o.id, o.job_id, o.eta_source, o.eta_s, o.eta_base_s, o.distance_m, {set_out_at}, job.updated_at
            from job join offers o on o.id = {offer}
            where job.updated_at > {set_out_at}
            on conflict (offer_id) do nothing
        ), photo as (
            insert into job_photos (id, job_id, stage, file_url, uploaded_by, created_at)
            select photo.id, photo.job_id, photo.stage, photo.url, photo.uploaded_by, job.updated_at
            from unnest({photos}) as photo (id, job_id, stage, url, uploaded_by)
                join job on job.id = photo.job_id
        ), saved as (
            insert into line_items (id, job_id, kind, description, quantity, unit_price_paise, photo_url, status,
                version, created_at, updated_at, destination, is_on_account)
            select item.*
            from unnest({items})
                    as item (id, job_id, kind, description, quantity, unit_price_paise, photo_url, status, version,
                        created_at, updated_at, destination, is_on_account)
                join job on job.id = item.job_id
            {upserted}
        ), asked as (
            insert into partner_approvals (line_item_id, job_id, due_at, decided_at)
            select item.id, p.job_id, job.updated_at + make_interval(mins => contract.approval_minutes),
                case when item.status <> 'proposed' then job.updated_at end
            from unnest({extra}) as item (id, job_id, status)
                join job on job.id = item.job_id
                join partner_jobs p on p.job_id = item.job_id
                {asked}
        ), promised as (
            update partner_jobs p set {promise_set}
            from (select job.id, {promised_at} as at, {untimed} as untimed from job where {untimed} is not null) arrival,
                partner_cases k join partner_contracts contract on contract.id = k.contract_id
            where p.job_id = arrival.id and k.id = p.case_id
                and (k.offer is null or p.promised_at is null)
        ), removed as (
            delete from line_items i
            where i.id = any(array(select {removed} from job)) or i.job_id = any(array(select job.id from job where {all_removed}))
        ), made_under_mark as (
            update idempotency_keys k set effect_id = {made}
            from job where k.id = {mark}
        )"
        );
        Self { guards, conditions, writes, called: None }
    }
}

/// The rows that changes write, in the order of the changes.
#[derive(Debug)]
pub(super) struct FurtherRows<'a> {
    changes: Vec<RowsOfChange>,
    photos: Vec<NewPhotoRow<'a>>,
    items: Vec<LineItemRow>,
}

/// The rows of a change of which it has one at most.
#[derive(Debug, Default)]
struct RowsOfChange {
    due_paise: Option<i64>,
    /// The part that an organisation pays on account.
    account_paise: i64,
    /// The mechanic who completed the job.
    completed_by: Option<Uuid>,
    /// The offer whose mechanic has arrived, and when they set out.
    trip: Option<(Uuid, DateTime<Utc>)>,
    /// A mark, and the line item that was made under it.
    made: Option<(Uuid, Uuid)>,
    removed_item: Option<Uuid>,
    removes_items: bool,
    promise: Option<NewPromise>,
}

/// A photo of a step of the work.
#[derive(Debug)]
struct NewPhotoRow<'a> {
    id: Uuid,
    job_id: Uuid,
    stage: PhotoStage,
    url: &'a str,
    by: Option<Uuid>,
}

impl<'a> FurtherRows<'a> {
    /// Returns the rows of the changes, or `None` if no change has any.
    pub fn of(random: &Random, changes: impl IntoIterator<Item = &'a JobChange>) -> Option<Self> {
        let mut rows = Self { changes: Vec::new(), photos: Vec::new(), items: Vec::new() };
        let mut is_any = false;
        for change in changes {
            is_any |= rows.add(random, change);
        }
        is_any.then_some(rows)
    }

    /// Adds the rows of a change, and returns whether it has any.
    fn add(&mut self, random: &Random, change: &'a JobChange) -> bool {
        let due = due(change);
        let mut of_change = RowsOfChange {
            due_paise: due.map(|due| due.due_paise),
            account_paise: due.map_or(0, |due| due.account_paise),
            completed_by: completed(change),
            trip: trip(change).map(|trip| (trip.offer_id, trip.set_out_at)),
            made: mark(change).and_then(item_under_mark),
            promise: promise(change),
            ..RowsOfChange::default()
        };
        let item = changed_item(change);
        let has_item = item.is_some();
        match item {
            Some(ItemWrite::Save(row)) => self.items.push(*row),
            Some(ItemWrite::Delete(id)) => of_change.removed_item = Some(id),
            Some(ItemWrite::DeleteOfJob(_)) => of_change.removes_items = true,
            None => {}
        }
        let photos = new_photos(change);
        let has_photos = photos.is_some();
        if let Some(photos) = photos {
            let row = |url: &'a String| NewPhotoRow {
                id: random.id(photos.at),
                job_id: photos.job_id,
                stage: photos.stage,
                url,
                by: photos.by,
            };
            self.photos.extend(photos.urls.iter().map(row));
        }
        let RowsOfChange { due_paise, completed_by, trip, promise, .. } = &of_change;
        let has_own = due_paise.is_some() || completed_by.is_some() || trip.is_some() || promise.is_some();
        self.changes.push(of_change);
        has_own || has_item || has_photos
    }

    /// Binds the arguments of [`FurtherSql`].
    pub fn bind<'q>(
        &'q self,
        query: QueryAs<'q, Postgres, JobRow, PgArguments>,
    ) -> QueryAs<'q, Postgres, JobRow, PgArguments> {
        let Self { changes, photos, items } = self;
        query
            .bind(changes.iter().map(|rows| rows.due_paise).bind_iter())
            .bind(changes.iter().map(|rows| rows.completed_by).bind_iter())
            .bind(changes.iter().map(|rows| rows.trip.map(|(offer_id, _)| offer_id)).bind_iter())
            .bind(changes.iter().map(|rows| rows.trip.map(|(_, set_out_at)| set_out_at)).bind_iter())
            .bind(changes.iter().map(|rows| rows.made.map(|(mark, _)| mark)).bind_iter())
            .bind(changes.iter().map(|rows| rows.made.map(|(_, item)| item)).bind_iter())
            .bind(changes.iter().map(|rows| rows.removed_item).bind_iter())
            .bind(changes.iter().map(|rows| rows.removes_items).bind_iter())
            .bind(photos.iter().map(|photo| photo.id).bind_iter())
            .bind(photos.iter().map(|photo| photo.job_id).bind_iter())
            .bind(photos.iter().map(|photo| photo.stage).bind_iter())
            .bind(photos.iter().map(|photo| photo.url).bind_iter())
            .bind(photos.iter().map(|photo| photo.by).bind_iter())
            .bind(items.iter().map(|item| item.id).bind_iter())
            .bind(items.iter().map(|item| item.job_id).bind_iter())
            .bind(items.iter().map(|item| item.kind).bind_iter())
            .bind(items.iter().map(|item| &item.description).bind_iter())
            .bind(items.iter().map(|item| item.quantity).bind_iter())
            .bind(items.iter().map(|item| item.unit_price_paise).bind_iter())
            .bind(items.iter().map(|item| item.photo_url.as_ref()).bind_iter())
            .bind(items.iter().map(|item| item.status).bind_iter())
            .bind(items.iter().map(|item| item.version).bind_iter())
            .bind(items.iter().map(|item| item.created_at).bind_iter())
            .bind(items.iter().map(|item| item.updated_at).bind_iter())
            .bind(items.iter().map(|item| item.destination.as_ref()).bind_iter())
            .bind(items.iter().map(|item| item.is_on_account).bind_iter())
            .bind(changes.iter().map(|rows| rows.promise.and_then(|promise| promise.at)).bind_iter())
            .bind(changes.iter().map(|rows| rows.promise.map(|promise| promise.untimed)).bind_iter())
            .bind(changes.iter().map(|rows| rows.account_paise).bind_iter())
    }
}

/// Returns the mark under which a line item was made, with the item.
fn item_under_mark(MadeUnderMark { mark, made }: MadeUnderMark) -> Option<(Uuid, Uuid)> {
    match made {
        MadeByRequest::LineItem(item) => Some((mark, item)),
        MadeByRequest::Job(_) => None,
    }
}
