//! The faults of a round.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use tokio::time::sleep;

use super::FaultArgs;
use crate::{
    Failure,
    fleet::{Fleet, Impairment, Link, Links},
};

/// Longer than a lease, and than a leader takes to learn that nobody hears it.
const REPLACED_WITHIN: Duration = Duration::from_secs(8);
/// How long a killed server stays away.
const AWAY: Duration = Duration::from_secs(1);
/// A server compares its clock with the database's every 10 s, and gives the lead away once others have, too.
const CLOCK_NOTICED_WITHIN: Duration = Duration::from_secs(28);
/// How long jobs are watched after a loss that the leader survives.
const AFTERWARDS: Duration = Duration::from_secs(5);
/// How soon commands must be answered again on servers that the fault had not hit, in rounds that check it.
const AGAIN_WITHIN: Duration = Duration::from_secs(6);
/// Ends the session in which the leader has its lock.
const END_LOCK: &str = "select count(pg_terminate_backend(pid)) from pg_locks
    where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and granted";

/// The kind of a fault. A fault of the leading server and one of another server are different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Kind {
    KillLeader,
    KillOther,
    /// The leader gets a SIGTERM.
    DrainLeader,
    DrainOther,
    /// The leader gets a SIGSTOP for longer than its lease: it comes back believing that it leads.
    FreezeLeader,
    FreezeOther,
    KillNats,
    KillPostgres,
    CutLeaderOffClients,
    CutLeaderOffNats,
    CutLeaderOffPostgres,
    CutOtherOffNats,
    CutOtherOffPostgres,
    /// The leader's machine is 4.5 s ahead, which still counts as ready.
    LeadersClockFast,
    /// The leader's machine is 4.5 s behind.
    LeadersClockSlow,
    LeadersClockMinuteFast,
    LeadersClockMinuteSlow,
    /// Postgres restarts, and only knows leaders of older terms.
    FallenTerm,
    /// Another server starts on a copy of the database's files.
    NodeOnCopy,
    /// NATS receives nothing from the leader.
    LeaderIsMute,
    /// The leader receives nothing from NATS.
    LeaderIsDeaf,
    /// The link to NATS takes 1.2 s in each direction: longer than an answer may take.
    LeaderIsLate,
    /// The link to NATS takes 0.2 s in each direction.
    LeaderIsALittleLate,
    /// The link to NATS carries 3 kB/s.
    LeaderIsNarrow,
    /// Postgres is shut down in order, and restarted at once.
    RestartPostgres,
    /// The session in which the leader has its lock ends.
    KillLock,
    /// Every server in turn is replaced by another program.
    Upgrade,
}

/// A fault, with the servers that it hits.
#[derive(Debug)]
pub struct Fault {
    pub kind: Kind,
    /// The servers that it hits.
    pub servers: BTreeSet<usize>,
    pub lasting: Duration,
}

impl Kind {
    pub const USUAL: [Self; 26] = [
        Self::KillLeader,
        Self::FreezeLeader,
        Self::DrainLeader,
        Self::CutLeaderOffPostgres,
        Self::KillOther,
        Self::CutLeaderOffNats,
        Self::FreezeOther,
        Self::KillNats,
        Self::DrainOther,
        Self::CutLeaderOffClients,
        Self::KillPostgres,
        Self::CutOtherOffNats,
        Self::CutOtherOffPostgres,
        Self::LeadersClockFast,
        Self::LeadersClockSlow,
        Self::LeadersClockMinuteFast,
        Self::LeadersClockMinuteSlow,
        Self::FallenTerm,
        Self::NodeOnCopy,
        Self::RestartPostgres,
        Self::KillLock,
        Self::LeaderIsMute,
        Self::LeaderIsALittleLate,
        Self::LeaderIsDeaf,
        Self::LeaderIsLate,
        Self::LeaderIsNarrow,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::KillLeader => "kill leader",
            Self::KillOther => "kill other",
            Self::DrainLeader => "drain leader",
            Self::DrainOther => "drain other",
            Self::FreezeLeader => "freeze leader",
            Self::FreezeOther => "freeze other",
            Self::KillNats => "kill NATS",
            Self::KillPostgres => "kill Postgres",
            Self::CutLeaderOffClients => "leader–clients",
            Self::CutLeaderOffNats => "leader–NATS",
            Self::CutLeaderOffPostgres => "leader–Postgres",
            Self::CutOtherOffNats => "other–NATS",
            Self::CutOtherOffPostgres => "other–Postgres",
            Self::LeadersClockFast => "clock +4.5 s",
            Self::LeadersClockSlow => "clock -4.5 s",
            Self::LeadersClockMinuteFast => "clock +60 s",
            Self::LeadersClockMinuteSlow => "clock -60 s",
            Self::FallenTerm => "fallen term",
            Self::NodeOnCopy => "node on copy",
            Self::LeaderIsMute => "leader mute",
            Self::LeaderIsDeaf => "leader deaf",
            Self::LeaderIsLate => "leader 1.2 s late",
            Self::LeaderIsALittleLate => "leader 0.2 s late",
            Self::LeaderIsNarrow => "leader 3 kB/s",
            Self::RestartPostgres => "restart Postgres",
            Self::KillLock => "kill lock",
            Self::Upgrade => "upgrade",
        }
    }

    /// Returns how many milliseconds the leader's clock is ahead during the fault.
    pub fn clock_ahead_ms(self) -> Option<i64> {
        match self {
            Self::LeadersClockFast => Some(4_500),
            Self::LeadersClockSlow => Some(-4_500),
            Self::LeadersClockMinuteFast => Some(60_000),
            Self::LeadersClockMinuteSlow => Some(-60_000),
            _ => None,
        }
    }

    /// Returns how the leader's link to NATS is impaired.
    pub fn impairment(self) -> Option<Impairment> {
        match self {
            Self::LeaderIsMute => Some(Impairment::Mute),
            Self::LeaderIsDeaf => Some(Impairment::Deaf),
            Self::LeaderIsLate => Some(Impairment::Late(Duration::from_millis(1_200))),
            Self::LeaderIsALittleLate => Some(Impairment::Late(Duration::from_millis(200))),
            Self::LeaderIsNarrow => Some(Impairment::Narrow { bytes: 3_000 }),
            _ => None,
        }
    }

    /// Returns how soon commands must be answered again; `None` if the duration of the fault decides.
    pub fn again_within(self) -> Option<Duration> {
        let is_checked = self.clock_ahead_ms().is_some()
            || self.impairment().is_some()
            || matches!(self, Self::FallenTerm | Self::NodeOnCopy | Self::RestartPostgres | Self::KillLock);
        is_checked.then_some(AGAIN_WITHIN)
    }

    /// Returns whether the leader is not ready, and gives the lead away before the fault is over.
    fn is_noticed(self) -> bool {
        self.clock_ahead_ms().is_some_and(|ms| ms.abs() > 5_000)
    }

    /// Returns whether the fault is possible on this machine, and with these links.
    pub fn is_possible(self, links: &Links) -> bool {
        let are_clocks_set = cfg!(target_os = "linux") || self.clock_ahead_ms().is_none();
        let can_cut = links.can_cut() || self.link().is_none();
        let can_impair = links.can_impair() || self.impairment().is_none();
        are_clocks_set && can_cut && can_impair
    }

    fn link(self) -> Option<Link> {
        match self {
            Self::CutLeaderOffClients => Some(Link::Clients),
            Self::CutLeaderOffNats | Self::CutOtherOffNats => Some(Link::Nats),
            Self::CutLeaderOffPostgres | Self::CutOtherOffPostgres => Some(Link::Postgres),
            _ => None,
        }
    }

    /// Returns whether another server leads before the fault is over.
    pub fn replaces_leader(self) -> bool {
        matches!(
            self,
            Self::FreezeLeader
                | Self::CutLeaderOffNats
                | Self::CutLeaderOffPostgres
                | Self::LeaderIsMute
                | Self::LeaderIsDeaf
                | Self::LeaderIsLate
        )
    }

    fn hits_leader(self) -> bool {
        self.clock_ahead_ms().is_some()
            || self.impairment().is_some()
            || matches!(
                self,
                Self::KillLeader
                    | Self::DrainLeader
                    | Self::FreezeLeader
                    | Self::CutLeaderOffClients
                    | Self::CutLeaderOffNats
                    | Self::CutLeaderOffPostgres
            )
    }
}

impl Fault {
    pub fn plan(kind: Kind, leader: usize, servers: usize, lasting: Duration, random: &mut StdRng) -> Self {
        let others: Vec<usize> = (0..servers).filter(|server| *server != leader).collect();
        let servers = match kind {
            Kind::KillNats | Kind::KillPostgres | Kind::FallenTerm | Kind::Upgrade => (0..servers).collect(),
            // Each server gets back what it has lost, so no socket ends.
            Kind::NodeOnCopy | Kind::RestartPostgres | Kind::KillLock => BTreeSet::new(),
            kind if kind.hits_leader() => BTreeSet::from([leader]),
            _ => others.choose(random).copied().into_iter().collect(),
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
    pub async fn happen(&self, fleet: &mut Fleet, args: &FaultArgs) -> Result<Duration, Failure> {
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
            if let Some(impairment) = self.kind.impairment() {
                fleet.links.impair(number, Link::Nats, impairment).await?;
                sleep(self.lasting).await;
                fleet.links.repair(number, Link::Nats).await;
                continue;
            }
            if let Some(link) = self.kind.link() {
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
