//! The Postgres that the service runs for itself: a guard around a supervised cluster.
//!
//! The supervisor is one task that owns the postmaster. When Postgres ends by itself (killed, out of memory),
//! the supervisor starts it again, and the pool's connections come back; until then requests are refused as
//! with any unreachable database. At the guard's order, the supervisor stops Postgres and ends.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::sleep;

use super::cluster::{self, Cluster, ClusterOptions};
use super::data_lock::{DataLock, LockedFile, lock_file};
use super::error::DbError;
use super::home::{self, Home};
use super::locate::Places;
use super::pool::Breaks;
use super::postmaster::Postmaster;
use super::roles::DbRoles;

/// The pause between attempts to restart Postgres, doubled from the first to the last. The attempts never
/// end, because a server without its database can do nothing else; readiness reports it.
const RESTART_FIRST: Duration = Duration::from_millis(250);
const RESTART_LAST: Duration = Duration::from_secs(10);

/// A running Postgres of our own. If it is dropped without [`Embedded::stop`], Postgres gets the signal to stop, but is not
/// waited for.
#[derive(Debug)]
pub struct Embedded {
    roles: DbRoles,
    supervisor: JoinHandle<Result<(), DbError>>,
    orders: Option<oneshot::Sender<Order>>,
    pid: Arc<AtomicI32>,
    restarts: Breaks,
    _lock: DataLock,
    // Two data folders can name the same cluster if one is a copy of the other.
    _cluster_lock: Option<LockedFile>,
}

#[derive(Debug)]
enum Order {
    Stop,
    Detach,
}

impl Embedded {
    /// Starts the cluster of the locked data folder, which it creates if it is missing, or adopts the one that an earlier, killed
    /// server left running. Returns when the database `roadcall` and the service's role exist.
    pub async fn start(lock: DataLock, options: ClusterOptions, places: Places) -> Result<Self, DbError> {
        let data_dir = lock.folder().to_path_buf();
        let (home, cluster_lock) = spawn_blocking(move || settle(&data_dir, &places))
            .await
            .map_err(|error| DbError::file("can't prepare", lock.folder())(error.into()))??;
        let cluster = Cluster::prepare(home, options).await?;
        let postmaster = cluster.launch().await?;
        let pid = Arc::new(AtomicI32::new(postmaster.pid.as_raw()));
        let roles = cluster.roles();
        if let Err(error) = cluster.ensure_database().await {
            postmaster.stop().await?;
            return Err(error);
        }
        let (orders, inbox) = oneshot::channel();
        let restarts = Breaks::default();
        let supervisor = tokio::spawn(supervise(cluster, postmaster, inbox, pid.clone(), restarts.clone()));
        let orders = Some(orders);
        Ok(Self { roles, supervisor, orders, pid, restarts, _lock: lock, _cluster_lock: cluster_lock })
    }

    /// Returns how to reach the service's database.
    pub fn roles(&self) -> &DbRoles {
        &self.roles
    }

    /// Returns the process id of the postmaster.
    pub fn pid(&self) -> i32 {
        self.pid.load(Ordering::Acquire)
    }

    /// Returns the restarts, after which a pool asks its connections whether they survived.
    pub(super) fn restarts(&self) -> Breaks {
        self.restarts.clone()
    }

    /// Stops Postgres and returns when it has ended, after at most 35 seconds. Connections that are still open are cut.
    pub async fn stop(mut self) -> Result<(), DbError> {
        self.order(Order::Stop).await
    }

    /// Releases the folder's lock and leaves Postgres running, as a killed server would.
    pub async fn detach(mut self) -> Result<(), DbError> {
        self.order(Order::Detach).await
    }

    async fn order(&mut self, order: Order) -> Result<(), DbError> {
        if let Some(orders) = self.orders.take() {
            orders.send(order).ok();
        }
        match (&mut self.supervisor).await {
            Ok(result) => result,
            // The supervisor's runtime has ended first, and with it everything that could be waited for.
            Err(_) => Ok(()),
        }
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // The orders are taken first, so that the supervisor ends instead of starting Postgres again.
        if self.orders.take().is_some() {
            kill(Pid::from_raw(self.pid()), Signal::SIGINT).ok();
        }
    }
}

/// Stops the Postgres that was left running for this data folder, and removes the clusters that were made for it outside.
pub(super) async fn clear_leftovers(data_dir: &Path) -> Result<(), DbError> {
    let (inside, of) = (data_dir.join("postgres"), data_dir.to_path_buf());
    let outside = spawn_blocking(move || home::made_for(&of)).await.map_err(|_| DbError::Stopped)?;
    cluster::stop_leftover(&inside).await?;
    for folder in outside {
        cluster::stop_leftover(&folder).await?;
        let removed = folder.clone();
        let removing = spawn_blocking(move || fs::remove_dir_all(removed)).await;
        removing.map_err(|_| DbError::Stopped)?.map_err(DbError::file("can't remove", &folder))?;
    }
    Ok(())
}

fn settle(data_dir: &Path, places: &Places) -> Result<(Home, Option<LockedFile>), DbError> {
    let home = Home::settle(data_dir, places)?;
    if !home.is_outside() {
        return Ok((home, None));
    }
    let folder = home.folder();
    tracing::info!(postgres.folder = %folder.display(), "the database is kept outside the data folder");
    let lock = lock_file(folder)?;
    Ok((home, Some(lock)))
}

async fn supervise(
    cluster: Cluster,
    mut postmaster: Postmaster,
    mut orders: oneshot::Receiver<Order>,
    pid: Arc<AtomicI32>,
    restarts: Breaks,
) -> Result<(), DbError> {
    loop {
        tokio::select! {
            // Orders come first: a stop must not be taken for an end to recover from.
            biased;
            order = &mut orders => return match order {
                Ok(Order::Stop) => postmaster.stop().await,
                // A dropped guard has signalled Postgres itself.
                Ok(Order::Detach) | Err(_) => Ok(()),
            },
            () = postmaster.gone() => {}
        }
        tracing::error!(
            postgres.pid = postmaster.pid.as_raw(),
            "postgres stopped unexpectedly; restarting it"
        );
        tokio::select! {
            biased;
            _ = &mut orders => return Ok(()),
            started = bring_back(&cluster) => postmaster = started,
        }
        restarts.add();
        pid.store(postmaster.pid.as_raw(), Ordering::Release);
    }
}

async fn bring_back(cluster: &Cluster) -> Postmaster {
    let mut pause = RESTART_FIRST;
    loop {
        match cluster.launch().await {
            Ok(postmaster) => return postmaster,
            Err(error) => tracing::error!(%error, "postgres could not be restarted"),
        }
        sleep(pause).await;
        pause = (pause * 2).min(RESTART_LAST);
    }
}
