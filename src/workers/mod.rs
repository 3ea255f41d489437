//! Background work. Workers sleep until they are woken, at the latest by the pulse when their work is due.

mod backups;
mod housekeeping;
mod mails;

use std::{sync::Arc, time::Duration};

use actix_web::{rt, web::Data};
use chrono::TimeDelta;
use tokio::task::JoinHandle;

use crate::{
    cluster::{self, Peers},
    dispatch,
    jobs::{notify_near, outlook},
    mails::handing_over,
    messaging::calls,
    money::{payments, wallet},
    notifications,
    partners::{bills, cases, feeds, incoming},
    platform::{
        bus::BusError,
        pulse::{DueQueue, Pulse},
        worker::{Wakeup, done, repeat, repeat_when_woken},
    },
    sandbox,
    service::Service,
    ws,
};

/// How long a watcher may miss a change whose announcement was lost.
const WITHIN_SECONDS: Duration = Duration::from_secs(5);
/// How often the engine is reminded of who is watched: a third of the time for which it remembers.
const AUDIENCE_EVERY: Duration = Duration::from_secs(10);
/// The seconds after which failed work is tried again,
const SOON: u32 = 1;
/// and if nobody waits for it.
const LATER: u32 = 5;

/// Wakes the workers that only the pulse wakes.
#[derive(Debug, Default)]
struct PulseWakeups {
    reconciling: Wakeup,
    clearing: Wakeup,
    expiring: Wakeup,
    offers: Wakeup,
    settling: Wakeup,
    promising: Wakeup,
    approving: Wakeup,
}

/// Starts the workers of every server; each task runs until it is aborted.
pub async fn start(service: &Service) -> Result<Vec<JoinHandle<()>>, BusError> {
    let mut workers = vec![
        rt::spawn(housekeeping::tidy(service.clone())),
        // A request waits for the outcome of its event.
        rt::spawn(payments::process_inbox(Data::new(service.payments.clone()))),
        rt::spawn(catch_up_watchers(service.clone())),
        rt::spawn(forget_partners(service.clone())),
        rt::spawn(renew_audience(service.clone())),
        rt::spawn(cluster::report(service.edge.cluster.clone())),
        rt::spawn(cluster::look_for_silence(service.edge.cluster.clone())),
        rt::spawn(cluster::look_at_readiness(service.edge.cluster.clone())),
        rt::spawn(cluster::look_for_leader(service.edge.cluster.clone())),
    ];
    if service.settings.eta.learn {
        workers.push(rt::spawn(learn_from_trips(service.clone())));
    }
    if let Some(Peers { link, nodes, .. }) = &service.edge.cluster.peers {
        workers.extend(cluster::listen(&service.ws, link, nodes).await?);
    }
    Ok(workers)
}

/// Starts the workers of the leading server. The sandbox, if there is one, sends its webhooks to `webhooks_to`.
pub fn start_leading(service: &Service, webhooks_to: String) -> Vec<JoinHandle<()>> {
    let payments = || Data::new(service.payments.clone());
    let notifications = || Data::new(service.notifications.clone());
    let wakeups = PulseWakeups::default();
    let mut workers = vec![
        rt::spawn(Pulse::new(service.core(), due_queues(service, &wakeups)).run()),
        rt::spawn(housekeeping::housekeeping(service.clone())),
        rt::spawn(payments::send_refunds(payments())),
        rt::spawn(payments::reconcile_payments(payments(), wakeups.reconciling)),
        rt::spawn(pay_out(service.clone())),
        rt::spawn(clear_earnings(service.clone(), wakeups.clearing)),
        rt::spawn(settle_partner_jobs(service.clone(), wakeups.settling)),
        rt::spawn(end_calls(service.clone())),
        rt::spawn(notifications::announcing(notifications())),
        rt::spawn(notifications::pushing(notifications())),
        rt::spawn(read_expired(service.clone(), wakeups.expiring)),
        rt::spawn(record_foresight(service.clone())),
        rt::spawn(notify_of_long_searches(service.clone())),
        rt::spawn(notify_of_near_mechanics(service.clone())),
        rt::spawn(backups::back_up(service.clone())),
        rt::spawn(note_missed_promises(service.clone(), wakeups.promising)),
        rt::spawn(decide_extra_work(service.clone(), wakeups.approving)),
        rt::spawn(feed_partners(service.clone())),
        rt::spawn(advance_club_offers(service.clone(), wakeups.offers)),
        rt::spawn(feeds::delivering(service.feeds.clone())),
        rt::spawn(feeds::watching(service.feeds.clone())),
    ];
    if service.settings.sms.is_sent() {
        workers.push(rt::spawn(notifications::texting(notifications(), Arc::new(service.shares.clone()))));
    }
    let mails = service.payments.mails.clone();
    if mails.are_sent() {
        let writers = Arc::new(mails::Writers(service.clone()));
        workers.push(rt::spawn(handing_over(service.core().clone(), mails, writers)));
    }
    if let Some(sandbox) = service.sandbox.sandbox.clone() {
        workers.push(rt::spawn(sandbox::deliver(sandbox, webhooks_to)));
    }
    workers
}

/// Lists the queues of the view `due_work`, with their workers.
fn due_queues(service: &Service, wakeups: &PulseWakeups) -> Vec<DueQueue> {
    let silent = TimeDelta::seconds(service.settings.gateway.reconcile_after_s);
    let (payments, wallet) = (&service.payments, &service.wallet);
    let mut queues = vec![
        DueQueue::new("calls", &service.call_wakeup, SOON),
        DueQueue::new("webhook_events", payments.inbox.wakeup(), SOON),
        DueQueue::new("refunds", &payments.refund_wakeup, LATER),
        DueQueue::new("payments", &wakeups.reconciling, LATER).delayed(silent),
        DueQueue::new("free_jobs", &wakeups.reconciling, LATER),
        DueQueue::new("earnings", &wakeups.clearing, LATER),
        DueQueue::new("withdrawals", &wallet.payout_wakeup, SOON),
        DueQueue::new("upi_accounts", &wallet.payout_wakeup, SOON),
        DueQueue::new("notifications", &wakeups.expiring, LATER),
        DueQueue::new("partner_offers", &wakeups.offers, SOON),
        DueQueue::new("partner_promises", &wakeups.promising, SOON),
        DueQueue::new("partner_approvals", &wakeups.approving, SOON),
        DueQueue::new("partner_events", &service.feeds.feeding, SOON),
        DueQueue::new("partner_deliveries", &service.feeds.delivering, SOON),
        DueQueue::new("partner_bills", &wakeups.settling, SOON),
    ];
    if let Some(sandbox) = &service.sandbox.sandbox {
        queues.push(DueQueue::new("sandbox_deliveries", sandbox.wakeup(), LATER));
    }
    queues
}

/// Forgets which keys and members of partners are known when another server has changed one.
async fn forget_partners(service: Service) {
    let organisations = &service.partners.organisations;
    repeat_when_woken(&organisations.changed, async || organisations.known.forget()).await;
}

/// Ends calls that were not answered, that lasted too long, or whose job has moved on.
async fn end_calls(service: Service) {
    let calls = &service.ws.calls;
    repeat_when_woken(&service.call_wakeup, async || {
        done("calls ended by themselves", calls::end_due(calls).await);
    })
    .await;
}

/// Ends offers of clubs that nobody answered or confirmed in time, and makes the jobs of those whose confirmation was cut off.
async fn advance_club_offers(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        while done("offers of clubs expired", incoming::expire_due(&service.feeds).await)
            | done("confirmed offers got jobs", incoming::complete_due(&service.feeds).await)
        {}
    })
    .await;
}

/// Tells partners which promised times of arrival are over.
async fn note_missed_promises(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        done("promised times were over", cases::note_missed(&service.feeds).await);
    })
    .await;
}

/// Decides extra work about which a partner did not decide in time.
async fn decide_extra_work(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        done("items were not decided in time", cases::decide_due(&service.feeds).await);
    })
    .await;
}

/// Tells partners what happened to their jobs.
async fn feed_partners(service: Service) {
    let feeds = &service.feeds;
    repeat_when_woken(&feeds.feeding, async || {
        done("jobs had news for partners", feeds::feed(feeds).await);
    })
    .await;
}

/// Makes earnings available when their clearing time is over.
async fn clear_earnings(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        done("earnings became available", wallet::clear_due(&service.wallet).await);
    })
    .await;
}

/// Settles jobs on account that have ended.
async fn settle_partner_jobs(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        done("jobs on account were settled", bills::settle_due(&service.payments).await);
    })
    .await;
}

/// Marks expired notifications as read.
async fn read_expired(service: Service, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        let read = notifications::read_expired(&service.notifications, housekeeping::ROWS_AT_ONCE).await;
        done("expired notifications", read);
    })
    .await;
}

/// Pays out withdrawals, and asks who owns mechanics' addresses. Work that was in progress when this was aborted is due again
/// after its lease, under the same key.
async fn pay_out(service: Service) {
    let wallet = &service.wallet;
    match wallet::payouts_paused_since(&service.db).await {
        Ok(Some(since)) => tracing::warn!(
            %since,
            "payouts wait since the database was restored: compare them, then `roadcall restore --release-payouts`"
        ),
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "it could not be seen whether payouts wait"),
    }
    repeat_when_woken(&wallet.payout_wakeup, async || {
        // Addresses are checked in between, however many withdrawals there are.
        while done("withdrawals", wallet::pay_due(wallet).await)
            | done("address checks", wallet::check_due(wallet).await)
        {}
    })
    .await;
}

/// Updates watchers of jobs that a change did not reach. It also counts those whose change is being announced right now.
async fn catch_up_watchers(service: Service) {
    repeat(WITHIN_SECONDS, async || {
        done("watchers were behind the log", ws::catch_up_watchers(&service.ws).await);
    })
    .await;
}

/// Renews the audience several times before the engine would forget it.
async fn renew_audience(service: Service) {
    repeat(AUDIENCE_EVERY, async || ws::renew_audience(&service.ws)).await;
}

/// Corrects estimates by finished trips. The start has learned from earlier trips already.
async fn learn_from_trips(service: Service) {
    let every = Duration::from_secs(service.settings.eta.learn_every_s);
    tokio::time::sleep(every).await;
    repeat(every, async || {
        if let Err(error) = service.etas.learn(&service.db, service.clock.now()).await {
            tracing::warn!(%error, "travel times could not be updated from past trips; will retry");
        }
    })
    .await;
}

/// Notifies customers whose search becomes long. The searches are in this process's memory, so the pulse does not know them.
async fn notify_of_long_searches(service: Service) {
    let jobs = &service.payments.jobs;
    loop {
        // Each search waits equally long, so none that begins meanwhile is due earlier.
        let due_at = jobs.searches.next_due().await;
        tokio::time::sleep((due_at - service.clock.now()).to_std().unwrap_or_default()).await;
        done(
            "customers were notified of long searches",
            outlook::notify_due(jobs, service.clock.now()).await,
        );
    }
}

/// Notifies customers whose mechanic is about to arrive.
async fn notify_of_near_mechanics(service: Service) {
    let jobs = &service.payments.jobs;
    loop {
        jobs.near.next().await;
        done("customers were told that a mechanic is near", notify_near(jobs).await);
    }
}

/// Records the price of an hour of mechanics' time, and stores the outcomes of promises. The first prices after a start are based
/// on few calls.
async fn record_foresight(service: Service) {
    tokio::time::sleep(dispatch::SAMPLE_PRICES_EVERY).await;
    repeat(dispatch::SAMPLE_PRICES_EVERY, async || {
        done("outcomes of promises were kept", outlook::keep_calibration(&service.dispatch).await);
        done("prices were recorded", dispatch::sample_prices(&service.dispatch).await);
    })
    .await;
}
