//! Sends what is due: at least once, the first tries of a case's events in their order.
//!
//! Only the leading server sends. It takes the next deliveries by moving their time ahead, sends them, and stores the outcomes;
//! deliveries that end together are stored together. If it dies in between, the next sender repeats them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{FutureExt, StreamExt, future::LocalBoxFuture, stream::FuturesUnordered};
use uuid::Uuid;

use super::{
    queries::{self, TakenRow},
    state::{CaseLane, OpenLanes, WebhookTry},
};
use crate::{
    partners::feeds::{
        context::FeedsContext,
        queries::give_up,
        subscriptions::{self, Sealed},
    },
    platform::{
        error::{ApiResult, commit_error},
        telemetry,
    },
    providers::webhooks::OutgoingWebhook,
};

/// The deliveries of each subscription that are looked at.
const OF_EACH: i64 = 64;
/// The deliveries that are looked at together.
const LOOKED_AT: i64 = 4_096;
/// The time in which the deliveries of a lane are begun; the others go back to the queue.
const TO_BEGIN: TimeDelta = TimeDelta::seconds(15);
/// The time that storing the outcome may take.
const TO_STORE: TimeDelta = TimeDelta::seconds(10);
/// Why a subscription is paused whose receiver wants nothing more.
const GONE: &str = "the receiver answered 410";

/// A lane whose deliveries were sent, or were not.
struct SentLane {
    lane: CaseLane,
    /// Each delivery with the number of its try.
    tries: Vec<(Uuid, i32, WebhookTry)>,
}

impl SentLane {
    /// Returns whether the last delivery that was sent was taken; `None` if none was sent.
    fn is_taken(&self) -> Option<bool> {
        let mut sent = self.tries.iter().filter(|(.., tried)| !matches!(tried, WebhookTry::NotSent(_)));
        sent.next_back().map(|(.., tried)| tried.is_taken())
    }

    fn is_gone(&self) -> bool {
        self.tries.iter().any(|(.., tried)| tried.is_gone())
    }
}

/// Runs until it is aborted.
pub async fn delivering(context: FeedsContext) {
    let mut sender = Sender::new(context);
    loop {
        if let Err(error) = sender.round().await {
            error.log();
            tracing::warn!("webhooks could not be taken, or their outcome not stored; will retry");
        }
        tokio::select! {
            Some(sent) = sender.sending.next() => sender.ended.push(sent),
            () = sender.context.delivering.woken() => {}
        }
        while let Some(Some(sent)) = sender.sending.next().now_or_never() {
            sender.ended.push(sent);
        }
    }
}

struct Sender {
    context: Arc<FeedsContext>,
    lanes: OpenLanes,
    sending: FuturesUnordered<LocalBoxFuture<'static, SentLane>>,
    /// Lanes whose outcome is not stored yet.
    ended: Vec<SentLane>,
    has_released: bool,
}

impl Sender {
    fn new(context: FeedsContext) -> Self {
        let lanes = OpenLanes::new(context.partner_settings.webhook_concurrency);
        let (sending, ended) = (FuturesUnordered::new(), Vec::new());
        Self { context: Arc::new(context), lanes, sending, ended, has_released: false }
    }

    /// Stores what has ended, and begins what is due.
    async fn round(&mut self) -> ApiResult<()> {
        if !self.has_released {
            queries::release(&self.context.db).await?;
            self.has_released = true;
        }
        self.store().await?;
        let now = self.context.clock.now();
        let (but, but_of) = (self.lanes.full(), self.lanes.full_organisations());
        let due = queries::due(&self.context.db, now, (&but, &but_of), (OF_EACH, LOOKED_AT)).await?;
        let chosen = self.lanes.choose(&due);
        if chosen.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = chosen.iter().flat_map(|lane| lane.deliveries.iter().copied()).collect();
        let until = now + TO_BEGIN;
        let taken = queries::take(&self.context.db, &ids, now, self.again_at(until)).await;
        if taken.is_err() {
            chosen.iter().for_each(|lane| self.lanes.close(lane.subscription_id, lane.case_id, None));
        }
        let mut taken: HashMap<Uuid, TakenRow> = taken?.into_iter().map(|row| (row.id, row)).collect();
        for lane in chosen {
            let rows: Vec<TakenRow> = lane.deliveries.iter().filter_map(|id| taken.remove(id)).collect();
            self.sending.push(send_lane(self.context.clone(), lane, rows, until).boxed_local());
        }
        Ok(())
    }

    /// Returns when another sender may take deliveries whose last one is begun by `until`.
    fn again_at(&self, until: DateTime<Utc>) -> DateTime<Utc> {
        let timeout = i64::try_from(self.context.partner_settings.webhook_timeout_s).unwrap_or(i64::MAX);
        until + TimeDelta::try_seconds(timeout).unwrap_or(TimeDelta::MAX) + TO_STORE
    }

    /// Stores the outcome of the lanes that have ended. They stay open until this has succeeded.
    async fn store(&mut self) -> ApiResult<()> {
        if self.ended.is_empty() {
            return Ok(());
        }
        let now = self.context.clock.now();
        let tries = self.ended.iter().flat_map(|sent| &sent.tries);
        let after: Vec<_> = tries.map(|(id, number, tried)| (*id, tried.after(*number, now))).collect();
        queries::settle(&self.context.db, &after, now).await?;
        let mut gone = BTreeSet::new();
        for sent in self.ended.drain(..) {
            let subscription_id = sent.lane.subscription_id;
            self.lanes.close(subscription_id, sent.lane.case_id, sent.is_taken());
            sent.tries.iter().for_each(|(.., tried)| count(tried));
            if sent.is_gone() {
                gone.insert(subscription_id);
            }
        }
        for subscription_id in gone {
            pause(&self.context, subscription_id, now).await?;
        }
        Ok(())
    }
}

fn count(tried: &WebhookTry) {
    match tried {
        WebhookTry::NotSent(_) => {}
        _ if tried.is_taken() => telemetry::count_webhook("event", "taken"),
        WebhookTry::Answered(_) => telemetry::count_webhook("event", "refused"),
        WebhookTry::Unanswered(_) => telemetry::count_webhook("event", "unanswered"),
    }
}

async fn pause(context: &FeedsContext, subscription_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    tracing::warn!(subscription.id = %subscription_id, "a subscription is paused: its receiver answered 410");
    let mut tx = context.db.begin().await?;
    subscriptions::pause(&mut tx, subscription_id, GONE, now).await?;
    give_up(&mut tx, subscription_id, GONE, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Sends the deliveries of a lane one after the other, until one fails or `until` is over.
async fn send_lane(
    context: Arc<FeedsContext>,
    lane: CaseLane,
    rows: Vec<TakenRow>,
    until: DateTime<Utc>,
) -> SentLane {
    let (mut tries, mut goes_on) = (Vec::new(), true);
    for row in rows {
        let now = context.clock.now();
        let tried = if goes_on && now < until {
            send(&context, &row).await
        } else {
            WebhookTry::NotSent(if row.tries == 1 { row.created_at } else { now })
        };
        goes_on = tried.is_taken();
        tries.push((row.id, row.tries, tried));
    }
    SentLane { lane, tries }
}

async fn send(context: &FeedsContext, row: &TakenRow) -> WebhookTry {
    let former = row.former_secret.as_deref().zip(row.former_until);
    let sealed = Sealed { subscription_id: row.subscription_id, secret: &row.secret, former };
    let secrets = match subscriptions::signing(context, sealed) {
        Ok(secrets) => secrets,
        Err(error) => {
            error.log();
            return WebhookTry::Unanswered("its secret can't be read".to_owned());
        }
    };
    let webhook = OutgoingWebhook {
        subscription_id: row.subscription_id,
        url: &row.url,
        id: row.event_id,
        timestamp: context.clock.now().timestamp(),
        body: &row.body,
        secrets: &secrets,
    };
    match context.webhooks.send(&webhook).await {
        Ok(answer) => WebhookTry::Answered(answer.status),
        Err(failure) => WebhookTry::Unanswered(failure.to_string()),
    }
}
