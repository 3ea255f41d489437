//! What runs beside the requests.

mod housekeeping;

use std::time::Duration;

use actix_web::{rt, web::Data};
use tokio::task::JoinHandle;

use crate::{
    messaging::calls,
    money::{payments, wallet},
    notifications,
    platform::worker::{done, repeat},
    sandbox,
    service::Service,
    ws,
};

/// How late a call may ring out, and a due payout be found.
const SOON: Duration = Duration::from_secs(1);
/// How late an earning may be cleared, and how long a watcher may miss a change whose announcement was lost.
const WITHIN_SECONDS: Duration = Duration::from_secs(5);

/// Starts every worker; each runs until it is aborted. The sandbox, if there is one, sends its webhooks to `webhooks_to`.
pub fn start(service: &Service, webhooks_to: String) -> Vec<JoinHandle<()>> {
    let payments = || Data::new(service.payments.clone());
    let notifications = || Data::new(service.notifications.clone());
    let mut workers = vec![
        rt::spawn(housekeeping::housekeeping(service.clone())),
        rt::spawn(payments::process_inbox(payments())),
        rt::spawn(payments::send_refunds(payments())),
        rt::spawn(payments::reconcile_payments(payments())),
        rt::spawn(pay_out(service.clone())),
        rt::spawn(clear_earnings(service.clone())),
        rt::spawn(end_calls(service.clone())),
        rt::spawn(catch_up_watchers(service.clone())),
        rt::spawn(notifications::announcing(notifications())),
        rt::spawn(notifications::pushing(notifications())),
    ];
    if service.settings.eta.learn {
        workers.push(rt::spawn(learn_from_trips(service.clone())));
    }
    if let Some(sandbox) = service.sandbox.sandbox.clone() {
        workers.push(rt::spawn(sandbox::deliver(sandbox, webhooks_to)));
    }
    workers
}

/// Ends calls that were not answered, that lasted too long, or whose job has moved on.
async fn end_calls(service: Service) {
    let calls = &service.ws.calls;
    repeat(SOON, Some(service.call_wakeup.clone()), async || {
        done("calls ended by themselves", calls::end_due(calls).await);
    })
    .await;
}

/// Makes earnings available when their clearing time is over.
async fn clear_earnings(service: Service) {
    repeat(WITHIN_SECONDS, None, async || {
        done("earnings became available", wallet::clear_due(&service.wallet).await);
    })
    .await;
}

/// Pays out what mechanics withdraw, and asks who owns their addresses. What was in progress when this was aborted is due again
/// after its lease, under the same key.
async fn pay_out(service: Service) {
    let wallet = &service.wallet;
    repeat(SOON, Some(wallet.payout_wakeup.clone()), async || {
        // Addresses are checked in between, however many withdrawals there are.
        while done("withdrawals", wallet::pay_due(wallet).await)
            | done("address checks", wallet::check_due(wallet).await)
        {}
    })
    .await;
}

/// Brings watchers of jobs up to date that a change did not reach. It also counts those whose change is being announced right now.
async fn catch_up_watchers(service: Service) {
    repeat(WITHIN_SECONDS, None, async || {
        done("watchers were behind the log", ws::catch_up_watchers(&service.ws).await);
    })
    .await;
}

/// Corrects estimates by finished trips. The start has learned from earlier trips already.
async fn learn_from_trips(service: Service) {
    let every = Duration::from_secs(service.settings.eta.learn_every_s);
    tokio::time::sleep(every).await;
    repeat(every, None, async || {
        if let Err(error) = service.etas.learn(&service.db, service.clock.now()).await {
            tracing::warn!(%error, "travel times could not be updated from past trips; will retry");
        }
    })
    .await;
}
