//! The faults of a round.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use tokio::time::sleep;

use super::{FaultArgs, kind::Kind, world::World};
use crate::{Failure, fleet::Fleet};

/// Longer than a lease, and than a leader takes to learn that nobody hears it.
const REPLACED_WITHIN: Duration = Duration::from_secs(8);
/// How long a killed server stays away.
const AWAY: Duration = Duration::from_secs(1);
/// A server compares its clock with the database's every 10 s, and gives the lead away once others have, too.
const CLOCK_NOTICED_WITHIN: Duration = Duration::from_secs(28);
/// How long jobs are watched after a loss that the leader survives.
const AFTERWARDS: Duration = Duration::from_secs(5);
/// Ends the session in which the leader has its lock.
const END_LOCK: &str = "select count(pg_terminate_backend(pid)) from pg_locks
    where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and granted";

/// A fault, with the servers that it hits.
#[derive(Debug)]
pub struct Fault {
    pub kind: Kind,
    /// The servers that it hits.
    pub servers: BTreeSet<usize>,
    pub lasting: Duration,
}

impl Fault {
    pub fn plan(kind: Kind, leader: usize, servers: usize, lasting: Duration, random: &mut StdRng) -> Self {
        let others: Vec<usize> = (0..servers).filter(|server| *server != leader).collect();
        let servers = match kind {
            Kind::KillNats | Kind::KillPostgres | Kind::FallenTerm | Kind::OlderDatabase | Kind::Upgrade => {
                (0..servers).collect()
            }
            // Each server gets back what it has lost, so no socket ends.
            Kind::NodeOnCopy | Kind::RestartPostgres | Kind::KillLock => BTreeSet::new(),
            kind if kind.hits_other() => others.choose(random).copied().into_iter().collect(),
            _ => BTreeSet::from([leader]),
        };
        // A restart of something that all servers need is short.
        let lasting = match kind {
            Kind::KillNats | Kind::KillPostgres | Kind::FallenTerm => {
                lasting.mul_f64(random.random_range(0.05..0.2))
            }
            kind if kind.is_noticed() => lasting.max(CLOCK_NOTICED_WITHIN),
            kind if kind.replaces_leader() => lasting.max(REPLACED_WITHIN),
            _ => lasting,
        };
        Self { kind, servers, lasting }
    }

    /// Lets the fault begin and end. Returns for how long Postgres was away, so that no server could answer.
    pub async fn happen(
        &self,
        fleet: &mut Fleet,
        args: &FaultArgs,
        world: &World,
    ) -> Result<Duration, Failure> {
        match self.kind {
            Kind::KillNats => {
                fleet.kill_nats().await?;
                sleep(self.lasting).await;
                return fleet.start_nats().map(|()| Duration::ZERO);
            }
            Kind::KillPostgres | Kind::FallenTerm => {
                if self.kind == Kind::FallenTerm {
                    fleet.postgres.take_back_terms().await?;
                }
                let began = Instant::now();
                fleet.postgres.stop("immediate").await?;
                sleep(self.lasting).await;
                fleet.postgres.start_again().await?;
                return Ok(began.elapsed());
            }
            Kind::OlderDatabase => return take_back(fleet, world, self.lasting).await,
            Kind::NodeOnCopy => {
                let (mut node, postgres) = fleet.start_on_copy(&args.fleet.roadcall).await?;
                sleep(self.lasting).await;
                node.terminate()?;
                node.until_ended().await?;
                return postgres.stop("fast").await.map(|()| Duration::ZERO);
            }
            Kind::RestartPostgres => {
                let began = Instant::now();
                fleet.postgres.stop("fast").await?;
                fleet.postgres.start_again().await?;
                let outage = began.elapsed();
                sleep(AFTERWARDS).await;
                return Ok(outage);
            }
            Kind::KillLock => {
                let ended: i64 = sqlx::query_scalar(END_LOCK).fetch_one(&fleet.postgres.pool).await?;
                sleep(AFTERWARDS).await;
                return if ended == 1 {
                    Ok(Duration::ZERO)
                } else {
                    Err(format!("{ended} sessions had the lock").into())
                };
            }
            Kind::Upgrade => return upgrade(fleet, args).await.map(|()| Duration::ZERO),
            _ => {}
        }
        for server in self.servers.iter().copied() {
            let number = u8::try_from(server)?;
            if let Some((link, impairment)) = self.kind.impairment() {
                fleet.impair(number, link, impairment)?;
                sleep(self.lasting).await;
                fleet.repair(number, link)?;
                continue;
            }
            if let Some(link) = self.kind.cut_link() {
                fleet.links.cut(number, link, true).await?;
                sleep(self.lasting).await;
                fleet.links.cut(number, link, false).await?;
                continue;
            }
            let node = &mut fleet.nodes[server];
            if let Some(ahead_ms) = self.kind.clock_ahead_ms() {
                node.set_clock(ahead_ms)?;
                sleep(self.lasting).await;
                node.set_clock(0)?;
                continue;
            }
            match self.kind {
                Kind::FreezeLeader | Kind::FreezeOther => {
                    node.freeze(true)?;
                    sleep(self.lasting).await;
                    node.freeze(false)?;
                }
                Kind::DrainLeader | Kind::DrainOther => {
                    node.terminate()?;
                    node.until_ended().await?;
                    node.start(&args.fleet.roadcall)?;
                }
                _ => {
                    node.kill()?;
                    node.until_ended().await?;
                    sleep(AWAY).await;
                    node.start(&args.fleet.roadcall)?;
                }
            }
        }
        Ok(Duration::ZERO)
    }
}

/// Copies the database's files, and puts the copy in their place after this time. People are away meanwhile, and go on with what
/// that database knows. The round begins when the newer files are gone.
async fn take_back(fleet: &Fleet, world: &World, after: Duration) -> Result<Duration, Failure> {
    let told = world.told_so_far();
    let older = fleet.older_database().await?;
    sleep(after).await;
    world.send_away(true);
    world.begin_round();
    let began = Instant::now();
    fleet.postgres.stop("immediate").await?;
    fleet.postgres.take_files_of(&older)?;
    fleet.postgres.start_again().await?;
    world.take_back(told);
    world.send_away(false);
    Ok(began.elapsed())
}

/// Upgrades to the other program, or back from it, as a Deployment does: the next server when this one is ready.
async fn upgrade(fleet: &mut Fleet, args: &FaultArgs) -> Result<(), Failure> {
    let here = args.fleet.roadcall.as_path();
    let other = args.other.as_deref().unwrap_or(here);
    fleet.is_upgraded = !fleet.is_upgraded;
    let is_other = fleet.is_upgraded;
    for node in &mut fleet.nodes {
        let began = Instant::now();
        node.terminate()?;
        node.until_ended().await?;
        node.start(if is_other { other } else { here })?;
        node.until_ready().await?;
        println!("  server {} again after {:.1} s", node.number, began.elapsed().as_secs_f64());
    }
    Ok(())
}
