//! Admits sockets and streams: no faster than they can be loaded, and loaded together.
//!
//! When a city's network comes back, thousands of apps open their sockets in the same second. Each socket gets a turn
//! before anything is looked up for it, and returns it once it knows what it missed. The others wait, first come, first
//! served.

use std::{
    collections::HashMap,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use roadcall_actors::random::Random;
use tokio::{
    sync::{Semaphore, oneshot, watch},
    time::timeout,
};
use uuid::Uuid;

use super::settings::WsSettings;
use crate::{
    accounting::ledger::ShareRates,
    jobs,
    offers::{self, Offer},
    platform::{
        db::{Batches, Db, Loaded, NotLoaded},
        error::{ApiError, ApiResult, Code},
        overload::Overload,
    },
};

/// Seconds after which a client without a turn tries again; spread, so that not all return together.
const RETRY_AFTER_S: Range<u32> = 1..11;
/// The longest turn, whatever the client or the database does meanwhile. The look-ups are quicker if the database
/// answers or refuses.
const LONGEST_TURN: Duration = Duration::from_secs(10);
/// The number of mechanics' sockets that may wait for what they missed; any other tries again a second later.
const MAX_WAITING: usize = 20_000;

/// Decides who may open a socket, and loads the first frames of a mechanic's socket. All clones share the turns.
#[derive(Debug, Clone)]
pub struct Openings {
    turns: Arc<Semaphore>,
    at_once: usize,
    patience: Duration,
    waiting: Arc<AtomicUsize>,
    missed: Batches<Uuid, Missed>,
    overload: Overload,
}

/// The offers and the job that a mechanic may have missed while they had no socket.
#[derive(Debug, Clone, Default)]
pub(super) struct Missed {
    /// Offers that may still be answered.
    pub offers: Vec<Offer>,
    pub active_job: Option<Uuid>,
}

/// Permission to be looked up. It is returned on drop, or after [`LONGEST_TURN`] at the latest.
#[derive(Debug)]
pub(super) struct Turn {
    _dropped: oneshot::Sender<()>,
}

impl Openings {
    pub fn new(settings: &WsSettings, rates: ShareRates, db: &Db, overload: &Overload) -> Self {
        let db = db.clone();
        let missed = Batches::new("sockets", MAX_WAITING, move |profile_ids| {
            let db = db.clone();
            async move { look(&db, &profile_ids, rates).await }.boxed()
        });
        Self {
            turns: Arc::new(Semaphore::new(settings.opening_at_once)),
            at_once: settings.opening_at_once,
            patience: Duration::from_millis(settings.opening_patience_ms),
            waiting: Arc::default(),
            missed,
            overload: overload.clone(),
        }
    }

    /// Waits for a turn. Waiting clients are connections, so `server.max_connections` bounds them.
    pub(super) async fn turn(&self, random: &Random, mut drain: watch::Receiver<bool>) -> ApiResult<Turn> {
        let waiting = Waiting::count(&self.waiting);
        let turn = timeout(self.patience, self.turns.clone().acquire_owned());
        let turn = tokio::select! {
            turn = turn => turn,
            _ = drain.wait_for(|is_draining| *is_draining) => return Err(no_turn(random)),
        };
        drop(waiting);
        let Ok(Ok(turn)) = turn else {
            self.overload.refused("socket", "patience");
            return Err(no_turn(random));
        };
        let (dropped, is_dropped) = oneshot::channel::<()>();
        // The timer does not run in the socket's actor: while its client reads nothing, that actor is not run and
        // could not return the turn in time.
        actix_rt::spawn(async move {
            timeout(LONGEST_TURN, is_dropped).await.ok();
            drop(turn);
        });
        Ok(Turn { _dropped: dropped })
    }

    /// Looks up the offers and the job that this mechanic may have missed.
    pub(super) async fn missed(&self, profile_id: Uuid) -> Result<Missed, NotLoaded> {
        Ok(self.missed.get(profile_id).await?.unwrap_or_default())
    }

    /// Returns the number of sockets and streams that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns the number of sockets and streams whose turn it is.
    pub fn under_way(&self) -> usize {
        self.at_once.saturating_sub(self.turns.available_permits())
    }

    /// Returns how many look-ups of missed offers and jobs there were, and for how many mechanics.
    pub fn looked(&self) -> Loaded {
        self.missed.loaded()
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn count(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn look(db: &Db, profile_ids: &[Uuid], rates: ShareRates) -> sqlx::Result<HashMap<Uuid, Missed>> {
    let mut missed: HashMap<Uuid, Missed> = HashMap::new();
    for offer in offers::pending_of(db, profile_ids, rates).await? {
        missed.entry(offer.mechanic_profile_id).or_default().offers.push(offer);
    }
    for (profile_id, job_id) in jobs::active_of_mechanics(db, profile_ids).await? {
        missed.entry(profile_id).or_default().active_job = Some(job_id);
    }
    Ok(missed)
}

fn no_turn(random: &Random) -> ApiError {
    let retry_after_s = RETRY_AFTER_S.start + random.below(RETRY_AFTER_S.end - RETRY_AFTER_S.start);
    ApiError::new(Code::Unavailable, "The service is busy. Try again shortly.")
        .retry_after(retry_after_s.into())
}
