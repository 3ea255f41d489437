//! Pushes notifications to devices through the push provider.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use actix_web::web::Data;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use opentelemetry::trace::SpanKind;
use roadcall_actors::traces::in_context;
use roadcall_http::Money;
use roadcall_platform::{error::ApiResult, telemetry};
use roadcall_providers::push::{PushDevice, PushError, PushMessage};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{
    devices::{
        self,
        queries::{DetailsRow, PreferencesRow, TokenRow},
    },
    kind::Kind,
    queries::{self, DuePushRow, FinishedPushes},
    state::{DeliveryStatus, DeviceResult, Next, Policy, Try},
    texts::{self, JobFacts, Locale},
};
use crate::notifications::NotificationsContext;

/// The longest wait between two looks for due pushes.
const LONGEST: Duration = Duration::from_secs(60);
/// The wait after a failed look.
const AFTER_ERROR: Duration = Duration::from_secs(1);
/// The number of notifications that are pushed at once; the others wait, the urgent ones first.
const AT_ONCE: usize = 32;
/// The part of them that is kept for urgent ones: anybody may name a push service that hangs, which must not delay an offer.
const FOR_URGENT: usize = 16;

/// Runs until it is aborted. Interrupted pushes are due again after their lease.
///
/// Each push is a task of its own, so that a slow one does not delay the others.
pub async fn pushing(context: Data<NotificationsContext>) {
    let mut under_way = JoinSet::new();
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = context.wakeups.announced.woken() => {}
            Some(ended) = under_way.join_next() => {
                if let Err(error) = ended {
                    tracing::error!(%error, "a push task failed; the push will be retried");
                }
            }
        }
        wait = take_all(&context, &mut under_way).await.unwrap_or_else(|error| {
            error.log();
            tracing::warn!("due pushes could not be read; will retry");
            AFTER_ERROR
        });
    }
}

/// Starts the pushes that are due, as far as there is room; returns how long to wait for the next one.
async fn take_all(context: &Data<NotificationsContext>, under_way: &mut JoinSet<()>) -> ApiResult<Duration> {
    // Pushes that `take` settles at once need no room, so the loop goes on until no push is due.
    while under_way.len() < AT_ONCE {
        let room = AT_ONCE - under_way.len();
        let only_urgent = room <= FOR_URGENT;
        let room = if only_urgent { room } else { room - FOR_URGENT };
        let Taken { pushes, has_more } = take(context, room, only_urgent).await?;
        for push in pushes {
            let trace = push
                .row
                .data
                .get("job_id")
                .and_then(|job| context.traces.on_job("notification.push", SpanKind::Producer, *job));
            under_way.spawn_local(in_context(push.run(context.clone()), trace));
        }
        if !has_more {
            let next = queries::next_try_at(&context.db, only_urgent).await?;
            let wait = next.map(|at| (at - context.clock.now()).to_std().unwrap_or_default());
            return Ok(wait.map_or(LONGEST, |wait| wait.min(LONGEST)));
        }
    }
    // The end of a push wakes this task earlier.
    Ok(LONGEST)
}

#[derive(Debug)]
struct Taken {
    pushes: Vec<Push>,
    has_more: bool,
}

/// Takes due pushes, and settles those that must not be sent.
async fn take(context: &NotificationsContext, room: usize, only_urgent: bool) -> ApiResult<Taken> {
    let now = context.clock.now();
    let policy = policy(context);
    let rows = queries::take_due(&context.db, now, lease(context, now), only_urgent, room as i64).await?;
    let left = room - rows.len();
    let again_at = now + policy.repeat_after;
    let repeats = queries::take_repeats(&context.db, now, again_at, policy.repeats, left as i64).await?;
    let has_more = repeats.len() == left;
    let (mut pushes, mut ended) = (Vec::new(), FinishedPushes::default());
    for push in with_devices(context, rows, false).await? {
        match push.obstacle(policy, now) {
            None => pushes.push(push),
            Some((status, why)) => {
                push.count(status, Some(why));
                ended.push(push.row.id, status, Some(why.to_owned()), None);
            }
        }
    }
    let repeats = with_devices(context, repeats, true).await?;
    let (over, again): (Vec<_>, Vec<_>) =
        repeats.into_iter().partition(|push| push.obstacle(policy, now).is_some());
    if !over.is_empty() {
        let over: Vec<Uuid> = over.iter().map(|push| push.row.id).collect();
        queries::stop_repeating(&context.db, &over).await?;
    }
    pushes.extend(again);
    if !ended.ids.is_empty() {
        queries::settle(&context.db, &ended, now).await?;
        context.wakeups.texts.wake();
    }
    Ok(Taken { pushes, has_more })
}

/// A notification and the devices that it goes to.
#[derive(Debug)]
struct Push {
    row: DuePushRow,
    devices: Vec<TokenRow>,
    is_wanted: bool,
    /// Whether the push was sent before, and nobody has seen its subject.
    is_repeat: bool,
    /// The title and body for devices whose pushes only they can read.
    details: Option<(String, String)>,
}

async fn with_devices(
    context: &NotificationsContext,
    rows: Vec<DuePushRow>,
    is_repeat: bool,
) -> ApiResult<Vec<Push>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let people: Vec<Uuid> = rows.iter().map(|row| row.user_id).collect();
    let mut devices: HashMap<Uuid, Vec<TokenRow>> = HashMap::new();
    for token in devices::queries::tokens_of(&context.db, &people, context.clock.now()).await? {
        devices.entry(token.user_id).or_default().push(token);
    }
    let preferences = devices::queries::preferences_of(&context.db, &people).await?;
    let preferences: HashMap<Uuid, PreferencesRow> =
        preferences.into_iter().map(|row| (row.user_id, row)).collect();
    let open = still_open(context, &rows).await?;
    let mut details = details_of(context, &rows, &devices).await?;
    let push = |row: DuePushRow| {
        let wants = preferences.get(&row.user_id).is_none_or(|wishes| wishes.wants(row.kind.topic()));
        let asked =
            data_id(&row, Kind::JobOffer, "offer_id").or(data_id(&row, Kind::CallIncoming, "call_id"));
        let is_over = asked.is_some_and(|id| !open.contains(&id));
        // An offer or a call that is over is not pushed again, and neither is an offer that was seen.
        let expires_at = if is_over { Some(row.created_at) } else { row.expires_at };
        let devices = devices.get(&row.user_id).into_iter().flatten();
        let devices = devices.filter(|device| device.shows(row.kind)).cloned().collect();
        let details = details.remove(&row.id);
        Push { row: DuePushRow { expires_at, ..row }, devices, is_wanted: wants, is_repeat, details }
    };
    Ok(rows.into_iter().map(push).collect())
}

/// Returns the id of this name in the data of a row of this kind.
fn data_id(row: &DuePushRow, kind: Kind, name: &str) -> Option<Uuid> {
    if row.kind == kind { row.data.get(name).copied() } else { None }
}

/// Returns the offers and calls of these pushes that still wait for somebody to see or answer them.
async fn still_open(context: &NotificationsContext, rows: &[DuePushRow]) -> ApiResult<HashSet<Uuid>> {
    let ids = |kind, name| rows.iter().filter_map(|row| data_id(row, kind, name)).collect::<Vec<Uuid>>();
    let (offers, calls) = (ids(Kind::JobOffer, "offer_id"), ids(Kind::CallIncoming, "call_id"));
    if offers.is_empty() && calls.is_empty() {
        return Ok(HashSet::new());
    }
    Ok(queries::unanswered(&context.db, &offers, &calls).await?.into_iter().collect())
}

/// Returns, by notification, the title and the body for devices whose pushes only they can read.
async fn details_of(
    context: &NotificationsContext,
    rows: &[DuePushRow],
    by_person: &HashMap<Uuid, Vec<TokenRow>>,
) -> ApiResult<HashMap<Uuid, (String, String)>> {
    let mut languages: HashMap<Uuid, (Kind, Locale)> = HashMap::new();
    for row in rows {
        let own = by_person.get(&row.user_id);
        if row.kind.is_detailed() && own.is_some_and(|own| own.iter().any(TokenRow::is_sealed)) {
            languages.insert(row.id, (row.kind, Locale::of(&row.language)));
        }
    }
    if languages.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = languages.keys().copied().collect();
    let mut said = HashMap::new();
    for details in devices::queries::details_of(&context.db, &ids).await? {
        let Some((kind, locale)) = languages.get(&details.id).copied() else { continue };
        if let Some(text) = detailed(context, kind, locale, &details) {
            said.insert(details.id, text);
        }
    }
    Ok(said)
}

/// Writes the title and the body of a detailed push; `None` if too little is known.
fn detailed(
    context: &NotificationsContext,
    kind: Kind,
    locale: Locale,
    details: &DetailsRow,
) -> Option<(String, String)> {
    let settings = &context.settings;
    let pay = Money(context.mechanics_share.of(details.estimated_price_paise)).written(&settings.currency);
    // The distance is rounded as in the offer itself.
    let distance_m = details.distance_m.map(|metres| (metres + 99) / 100 * 100);
    let promised = details.promised_at.filter(|at| *at > context.clock.now());
    let until = promised.map(|at| settings.operator.time_zone.local(at).format("%-I:%M %P").to_string());
    let facts = JobFacts {
        name: details.mechanic_name.as_deref(),
        help: Some(
            texts::help(locale, &details.service_category_slug).unwrap_or(&details.service_category_name),
        ),
        pay: Some(pay.trim_end_matches(".00")),
        distance_m,
        until: until.as_deref(),
        ..JobFacts::default()
    };
    texts::detailed(locale, kind, &facts)
}

/// Returns when another server may take the push: after a token refresh and a try, both twice.
fn lease(context: &NotificationsContext, now: DateTime<Utc>) -> DateTime<Utc> {
    let push = &context.push_settings;
    now + TimeDelta::milliseconds(4 * push.timeout_ms as i64) + TimeDelta::seconds(push.retry_s)
}

impl Push {
    fn attempt(&self) -> Try {
        let DuePushRow { attempts, created_at, expires_at, .. } = self.row;
        // A push that was sent before has all its tries again.
        let attempts = if self.is_repeat { 1 } else { attempts };
        Try { number: attempts, created_at, expires_at }
    }

    fn obstacle(&self, policy: Policy, now: DateTime<Utc>) -> Option<(DeliveryStatus, &'static str)> {
        self.attempt().obstacle(policy, self.is_wanted, !self.devices.is_empty(), now)
    }

    async fn run(self, context: Data<NotificationsContext>) {
        let policy = policy(&context);
        let message = self.message(self.attempt().ends_at(policy) - context.clock.now());
        // Pushes to apps pass through services that can read them.
        let sealed = self.sealed(&message);
        let pushes = self
            .devices
            .iter()
            .map(|device| push_to(&context, device, if device.is_sealed() { &sealed } else { &message }));
        let answers = join_all(pushes).await;
        let (id, now) = (self.row.id, context.clock.now());
        if self.is_repeat {
            return;
        }
        let written = match self.attempt().outcome(policy, &answers, now) {
            Next::Settle(status, why) => {
                self.count(status, why.as_deref());
                let rings = status == DeliveryStatus::Sent && self.row.kind.rings();
                let repeat_at = self.attempt().repeats_at(policy, now).filter(|_| rings);
                let mut ended = FinishedPushes::default();
                ended.push(id, status, why, repeat_at);
                queries::settle(&context.db, &ended, now).await
            }
            Next::Again { at, why } => queries::put_off(&context.db, id, at, &why).await,
        };
        if self.row.kind.text().is_some() {
            context.wakeups.texts.wake();
        }
        if let Err(error) = written {
            tracing::warn!(%error, notification.id = %id, "the result of a push was not stored; the push will be repeated");
        }
    }

    fn count(&self, status: DeliveryStatus, why: Option<&str>) {
        telemetry::count_push(status.as_str());
        if status == DeliveryStatus::Failed {
            let (id, kind) = (self.row.id, self.row.kind);
            tracing::warn!(notification.id = %id, notification.kind = %kind, why, "a push failed permanently");
        }
    }

    fn message(&self, life: TimeDelta) -> PushMessage {
        // The row's body is not used: the listed text may say more than a push service should see.
        let (title, body) = texts::pushed(Locale::of(&self.row.language), self.row.kind);
        PushMessage {
            id: self.row.id,
            kind: self.row.kind.as_str(),
            title: title.to_owned(),
            body: body.to_owned(),
            data: self.row.data.0.clone(),
            is_urgent: self.row.kind.is_urgent(),
            life: life.to_std().unwrap_or_default(),
            ends_at: self.row.expires_at,
            rings: self.row.kind.rings(),
            buttons: texts::buttons(Locale::of(&self.row.language), self.row.kind),
        }
    }

    /// Adds the details to a push for devices whose pushes only they can read.
    fn sealed(&self, message: &PushMessage) -> PushMessage {
        match self.details.clone() {
            Some((title, body)) => PushMessage { title, body, ..message.clone() },
            None => message.clone(),
        }
    }
}

fn policy(context: &NotificationsContext) -> Policy {
    let push = &context.push_settings;
    let late_after = TimeDelta::seconds(push.late_after_s);
    let (repeat_after, repeats) = (TimeDelta::seconds(push.offer_repeat_s), push.offer_repeats);
    Policy { attempts: push.attempts, retry_s: push.retry_s, late_after, repeat_after, repeats }
}

pub(super) async fn push_to(
    context: &NotificationsContext,
    device: &TokenRow,
    message: &PushMessage,
) -> DeviceResult {
    let keys = match device.keys() {
        Ok(keys) => keys,
        Err(why) => return DeviceResult::Refused(why),
    };
    let to =
        PushDevice { owner: device.user_id, token: device.token.clone(), platform: device.platform, keys };
    match context.push.push(&to, message).await {
        Ok(()) => DeviceResult::Taken,
        Err(PushError::Gone) => {
            // The token is kept if it was registered again since.
            if let Err(error) =
                devices::queries::forget_token(&context.db, &device.token, device.updated_at).await
            {
                tracing::warn!(%error, "an invalid push token could not be deleted; the next push tries again");
            }
            DeviceResult::Unregistered
        }
        Err(PushError::Refused(why)) => DeviceResult::Refused(why),
        Err(PushError::Unavailable { why, after }) => DeviceResult::Later { why, after },
    }
}
