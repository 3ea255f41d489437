//! Devices are told, by way of the push provider.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use actix_web::web::Data;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{
    FutureExt, StreamExt,
    future::{LocalBoxFuture, join_all},
    stream::FuturesUnordered,
};
use uuid::Uuid;

use super::{
    kinds::Kind,
    queries::{self, DueRow, PreferencesRow, TokenRow},
    state::{Answer, DeliveryStatus, Next, Policy, Try},
};
use crate::{
    error::ApiResult,
    offers,
    providers::push::{Device, Message, PushError},
    state::AppState,
    telemetry,
};

/// How often what is due is looked for, besides whenever something was noted.
const TICK: Duration = Duration::from_secs(1);
/// Notifications on their way to devices; further ones wait, the urgent ones in front.
const AT_ONCE: usize = 32;

/// Runs until it is aborted. What was under way then is due again after its lease.
pub async fn pushing(state: Data<AppState>) {
    let mut under_way: FuturesUnordered<LocalBoxFuture<'_, ()>> = FuturesUnordered::new();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = state.notes.announced.notified() => {}
            // One that ended makes room. A slow device must not hold an offer to another one up.
            Some(()) = under_way.next() => {}
        }
        let room = AT_ONCE - under_way.len();
        if room == 0 {
            continue;
        }
        match taken(&state, room as i64).await {
            Ok(pushes) => {
                let state = &state;
                under_way.extend(pushes.into_iter().map(|push| push.run(state).boxed_local()));
            }
            Err(error) => {
                error.log();
                tracing::warn!("pushes not looked up, to be tried again");
            }
        }
    }
}

/// One notification, with where it goes.
#[derive(Debug)]
struct Push {
    row: DueRow,
    devices: Vec<TokenRow>,
    is_wanted: bool,
}

async fn taken(state: &AppState, room: i64) -> ApiResult<Vec<Push>> {
    let now = state.clock.now();
    let rows = queries::take_due(&state.db, now, lease(state, now), room).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let people: Vec<Uuid> = rows.iter().map(|row| row.user_id).collect();
    let mut devices: HashMap<Uuid, Vec<TokenRow>> = HashMap::new();
    for token in queries::tokens_of(&state.db, &people).await? {
        devices.entry(token.user_id).or_default().push(token);
    }
    let preferences = queries::preferences_of(&state.db, &people).await?;
    let preferences: HashMap<Uuid, PreferencesRow> =
        preferences.into_iter().map(|row| (row.user_id, row)).collect();
    let open = open_offers(state, &rows).await?;
    let push = |row: DueRow| {
        let wants = preferences.get(&row.user_id).is_none_or(|wishes| wishes.wants(row.kind.topic()));
        let is_over = offer_of(&row).is_some_and(|offer| !open.contains(&offer));
        // An offer that was answered or taken back rings nobody.
        let expires_at = if is_over { Some(row.created_at) } else { row.expires_at };
        let devices = devices.get(&row.user_id).cloned().unwrap_or_default();
        Push { row: DueRow { expires_at, ..row }, devices, is_wanted: wants }
    };
    Ok(rows.into_iter().map(push).collect())
}

fn offer_of(row: &DueRow) -> Option<Uuid> {
    if row.kind == Kind::JobOffer { row.data.get("offer_id").copied() } else { None }
}

async fn open_offers(state: &AppState, rows: &[DueRow]) -> ApiResult<HashSet<Uuid>> {
    let offers: Vec<Uuid> = rows.iter().filter_map(offer_of).collect();
    if offers.is_empty() { Ok(HashSet::new()) } else { offers::open_among(&state.db, &offers).await }
}

/// Until when whoever pushes has surely been answered, or has died: a token's refresh, a try, and both once more.
fn lease(state: &AppState, now: DateTime<Utc>) -> DateTime<Utc> {
    let push = &state.settings.push;
    now + TimeDelta::milliseconds(4 * push.timeout_ms as i64) + TimeDelta::seconds(push.retry_s)
}

impl Push {
    async fn run(self, state: &AppState) {
        let id = self.row.id;
        let next = self.next(state).await;
        let now = state.clock.now();
        let written = match &next {
            Next::Settle(status, why) => {
                telemetry::count_push(status.as_str());
                if *status == DeliveryStatus::Failed {
                    let why = why.as_deref().unwrap_or_default();
                    tracing::warn!(notification.id = %id, notification.kind = %self.row.kind, why, "a push failed for good");
                }
                queries::settle(&state.db, id, *status, why.as_deref(), now).await
            }
            Next::Again { at, why } => queries::put_off(&state.db, id, *at, why).await,
        };
        if let Err(error) = written {
            tracing::warn!(%error, notification.id = %id, "a push's end was not written, it is made again");
        }
    }

    async fn next(&self, state: &AppState) -> Next {
        let (policy, now) = (policy(state), state.clock.now());
        let DueRow { attempts, created_at, expires_at, .. } = self.row;
        let attempt = Try { number: attempts, created_at, expires_at };
        if let Some(next) = attempt.obstacle(policy, self.is_wanted, !self.devices.is_empty(), now) {
            return next;
        }
        let message = self.message(attempt.ends_at(policy) - now);
        let answers = join_all(self.devices.iter().map(|device| tell(state, device, &message))).await;
        attempt.outcome(policy, &answers, state.clock.now())
    }

    fn message(&self, life: TimeDelta) -> Message {
        Message {
            id: self.row.id,
            kind: self.row.kind.as_str(),
            title: self.row.title.clone(),
            body: self.row.body.clone(),
            data: self.row.data.0.clone(),
            is_urgent: self.row.kind.is_urgent(),
            life: life.to_std().unwrap_or_default(),
        }
    }
}

fn policy(state: &AppState) -> Policy {
    let push = &state.settings.push;
    let late_after = TimeDelta::seconds(push.late_after_s);
    Policy { attempts: push.attempts, retry_s: push.retry_s, late_after }
}

async fn tell(state: &AppState, device: &TokenRow, message: &Message) -> Answer {
    let to = Device { token: device.token.clone(), platform: device.platform };
    match state.push.push(&to, message).await {
        Ok(()) => Answer::Taken,
        Err(PushError::Gone) => {
            // Registered again since, it is another registration.
            if let Err(error) = queries::forget_token(&state.db, &device.token, device.updated_at).await {
                tracing::warn!(%error, "a token of no app stays until the next push");
            }
            Answer::Gone
        }
        Err(PushError::Refused(why)) => Answer::Refused(why),
        Err(PushError::Unavailable { why, after }) => Answer::Later { why, after },
    }
}
