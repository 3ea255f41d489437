//! Looks where mechanics are, for the partners who want to know: tells them once that a mechanic is near, and sends positions.
//!
//! Positions are apart from the ordered events: each is sent once, and a receiver that hangs misses some.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use chrono::TimeDelta;
use futures_util::{FutureExt, StreamExt, future::LocalBoxFuture, stream::FuturesUnordered};
use roadcall_actors::outbound::Sighting;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::{
    actions::tell_near,
    dto::PositionContent,
    queries::{self, PositionFeed, WatchedRow},
    state::{SentPositions, near},
};
use crate::{
    partners::feeds::{
        context::FeedsContext, deliveries::places_of_organisation, dto::EventBody, events,
        kind::PartnerEventKind, subscriptions,
    },
    platform::{error::ApiResult, telemetry, worker::done},
    providers::webhooks::OutgoingWebhook,
    tracking,
};

/// The pairs of a job and a subscription that one round looks at.
const WATCHED: i64 = 5_000;

/// Runs until it is aborted.
pub async fn watching(context: FeedsContext) {
    let mut tick = interval(Duration::from_secs(context.partner_settings.feed_every_s));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut watch = Watch::new(context);
    loop {
        tokio::select! {
            _ = tick.tick() => {
                done("partners were told where mechanics are", watch.round().await);
            }
            Some(feed) = watch.sending.next() => watch.sent.end(feed),
        }
    }
}

struct Watch {
    context: Arc<FeedsContext>,
    sent: SentPositions,
    sending: FuturesUnordered<LocalBoxFuture<'static, PositionFeed>>,
    /// The subscriptions that were told that a mechanic is near, as this process remembers. The database decides.
    told: HashSet<PositionFeed>,
}

impl Watch {
    fn new(context: FeedsContext) -> Self {
        let (sent, sending, told) = (SentPositions::default(), FuturesUnordered::new(), HashSet::new());
        Self { context: Arc::new(context), sent, sending, told }
    }

    /// Looks once; returns how many partners were told something. A case that fails keeps no other back.
    async fn round(&mut self) -> ApiResult<u64> {
        let watched = queries::watched(&self.context.db, self.context.clock.now(), WATCHED).await?;
        self.sent.keep(&watched.iter().map(WatchedRow::feed).collect());
        // A mechanic who has not set out may be the next one of the job.
        let on_the_way: HashSet<PositionFeed> =
            watched.iter().filter(|row| row.is_en_route).map(WatchedRow::feed).collect();
        self.told.retain(|feed| on_the_way.contains(feed));
        let ids: HashSet<Uuid> = watched.iter().map(|row| row.job_id).collect();
        let sightings = self.sightings(&ids.into_iter().collect::<Vec<_>>()).await?;
        let (mut told, mut failure) = (0, None);
        for row in &watched {
            let Some(sighting) = sightings.get(&row.job_id) else { continue };
            if let Some(figures) = near(row, sighting).filter(|_| !self.told.contains(&row.feed())) {
                match tell_near(&self.context, row, figures).await {
                    Ok(is_new) => {
                        told += u64::from(is_new);
                        self.told.insert(row.feed());
                    }
                    Err(error) => failure = Some(error),
                }
            }
            told += u64::from(self.send_position(row, sighting));
        }
        failure.map_or(Ok(told), Err)
    }

    /// Returns the last known position on each of these jobs.
    async fn sightings(&self, job_ids: &[Uuid]) -> ApiResult<HashMap<Uuid, Sighting>> {
        let mut sightings = HashMap::new();
        for job in events::jobs(&self.context.db, job_ids).await? {
            match tracking::latest(&self.context, &job).await {
                Ok(Some(sighting)) => {
                    sightings.insert(job.id, sighting);
                }
                Ok(None) => {}
                Err(error) => error.log(),
            }
        }
        Ok(sightings)
    }

    /// Sends a position, if it is time for one; returns whether it is.
    fn send_position(&mut self, row: &WatchedRow, sighting: &Sighting) -> bool {
        let Some(every_s) = row.positions_every_s else { return false };
        let feed = row.feed();
        let (every, now) = (TimeDelta::seconds(i64::from(every_s)), self.context.clock.now());
        let places = self.context.partner_settings.webhook_concurrency;
        let has_place = self.sending.len() < places
            && self.sent.on_the_way_to(row.organisation_id) < places_of_organisation(places);
        if !has_place || !self.sent.begin((feed, row.organisation_id), every, sighting.fix.recorded_at, now) {
            return false;
        }
        self.sending.push(send(self.context.clone(), row.clone(), sighting.clone()).boxed_local());
        true
    }
}

/// Sends a position once, whatever comes of it.
async fn send(context: Arc<FeedsContext>, row: WatchedRow, sighting: Sighting) -> PositionFeed {
    let outcome = match try_to_send(&context, &row, &sighting).await {
        Ok(true) => "taken",
        Ok(false) => "refused",
        Err(error) => {
            error.log();
            "unanswered"
        }
    };
    telemetry::count_webhook("position", outcome);
    row.feed()
}

async fn try_to_send(context: &FeedsContext, row: &WatchedRow, sighting: &Sighting) -> ApiResult<bool> {
    let case = events::case(&context.db, row.case_id).await?;
    let subscription = subscriptions::find(&context.db, row.subscription_id).await?;
    let (Some(case), Some(subscription)) = (case, subscription) else { return Ok(false) };
    let now = context.clock.now();
    let data = PositionContent::of((case.id, case.partner_reference), sighting);
    let body = EventBody { kind: PartnerEventKind::JobPosition, timestamp: now.into(), data }.text()?;
    let secrets = subscriptions::signing(context, subscription.sealed())?;
    let webhook = OutgoingWebhook {
        subscription_id: subscription.id,
        url: &subscription.url,
        id: context.random.id(now),
        timestamp: now.timestamp(),
        body: &body,
        secrets: &secrets,
    };
    Ok(context.webhooks.send(&webhook).await.is_ok_and(|answer| answer.is_taken()))
}
