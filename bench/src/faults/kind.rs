//! The kinds of faults.

use std::time::Duration;

use clap::ValueEnum;

use crate::fleet::{Impairment, Link, Links};

/// How soon commands must be answered again on servers that the fault had not hit, in rounds that check it.
const AGAIN_WITHIN: Duration = Duration::from_secs(6);
/// Longer than an answer may take, in both directions together.
const LATE: Impairment = Impairment::Late(Duration::from_millis(1_200));
const A_LITTLE_LATE: Impairment = Impairment::Late(Duration::from_millis(200));
const NARROW: Impairment = Impairment::Narrow { bytes: 3_000 };

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
    /// Postgres restarts with the files that it had a while ago.
    OlderDatabase,
    /// Another server starts on a copy of the database's files.
    NodeOnCopy,
    /// NATS receives nothing from the leader.
    LeaderIsMute,
    /// The leader receives nothing from NATS.
    LeaderIsDeaf,
    /// Postgres receives nothing from the leader.
    LeaderIsMuteToPostgres,
    /// The leader receives nothing from Postgres.
    LeaderIsDeafToPostgres,
    /// The leader's link to NATS takes 1.2 s in each direction.
    LeaderIsLate,
    /// The leader's link to NATS takes 0.2 s in each direction.
    LeaderIsALittleLate,
    OtherIsLate,
    OtherIsALittleLate,
    /// The leader's link to NATS carries 3 kB/s in each direction.
    LeaderIsNarrow,
    /// Postgres is shut down in order, and restarted at once.
    RestartPostgres,
    /// The session in which the leader has its lock ends.
    KillLock,
    /// Every server in turn is replaced by another program.
    Upgrade,
}

impl Kind {
    /// The kinds that need no proxy in the links.
    pub const USUAL: [Self; 22] = [
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
        Self::OlderDatabase,
    ];

    /// The kinds that impair a link.
    pub const IMPAIRING: [Self; 9] = [
        Self::LeaderIsMute,
        Self::LeaderIsALittleLate,
        Self::LeaderIsDeafToPostgres,
        Self::OtherIsLate,
        Self::LeaderIsDeaf,
        Self::LeaderIsLate,
        Self::LeaderIsMuteToPostgres,
        Self::OtherIsALittleLate,
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
            Self::OlderDatabase => "older database",
            Self::NodeOnCopy => "node on copy",
            Self::LeaderIsMute => "leader mute",
            Self::LeaderIsDeaf => "leader deaf",
            Self::LeaderIsMuteToPostgres => "mute to Postgres",
            Self::LeaderIsDeafToPostgres => "deaf to Postgres",
            Self::LeaderIsLate => "leader 1.2 s late",
            Self::LeaderIsALittleLate => "leader 0.2 s late",
            Self::OtherIsLate => "other 1.2 s late",
            Self::OtherIsALittleLate => "other 0.2 s late",
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

    /// Returns which link is impaired, and how.
    pub fn impairment(self) -> Option<(Link, Impairment)> {
        match self {
            Self::LeaderIsMute => Some((Link::Nats, Impairment::Mute)),
            Self::LeaderIsDeaf => Some((Link::Nats, Impairment::Deaf)),
            Self::LeaderIsMuteToPostgres => Some((Link::Postgres, Impairment::Mute)),
            Self::LeaderIsDeafToPostgres => Some((Link::Postgres, Impairment::Deaf)),
            Self::LeaderIsLate | Self::OtherIsLate => Some((Link::Nats, LATE)),
            Self::LeaderIsALittleLate | Self::OtherIsALittleLate => Some((Link::Nats, A_LITTLE_LATE)),
            Self::LeaderIsNarrow => Some((Link::Nats, NARROW)),
            _ => None,
        }
    }

    /// Returns the link that is cut.
    pub fn cut_link(self) -> Option<Link> {
        match self {
            Self::CutLeaderOffClients => Some(Link::Clients),
            Self::CutLeaderOffNats | Self::CutOtherOffNats => Some(Link::Nats),
            Self::CutLeaderOffPostgres | Self::CutOtherOffPostgres => Some(Link::Postgres),
            _ => None,
        }
    }

    /// Returns how soon commands must be answered again; `None` if the duration of the fault decides.
    pub fn again_within(self) -> Option<Duration> {
        let is_checked = self.clock_ahead_ms().is_some()
            || self.impairment().is_some()
            || matches!(
                self,
                Self::FallenTerm
                    | Self::OlderDatabase
                    | Self::NodeOnCopy
                    | Self::RestartPostgres
                    | Self::KillLock
            );
        is_checked.then_some(AGAIN_WITHIN)
    }

    /// Returns whether the leader is not ready, and gives the lead away before the fault is over.
    pub fn is_noticed(self) -> bool {
        self.clock_ahead_ms().is_some_and(|ms| ms.abs() > 5_000)
    }

    /// Returns whether the fault is possible on this machine, and with these links.
    pub fn is_possible(self, links: &Links) -> bool {
        let are_clocks_set = cfg!(target_os = "linux") || self.clock_ahead_ms().is_none();
        are_clocks_set && (links.can_cut() || self.cut_link().is_none())
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
                | Self::LeaderIsMuteToPostgres
                | Self::LeaderIsDeafToPostgres
                | Self::LeaderIsLate
        )
    }

    /// Returns whether the fault hits one server that does not lead.
    pub fn hits_other(self) -> bool {
        matches!(
            self,
            Self::KillOther
                | Self::DrainOther
                | Self::FreezeOther
                | Self::CutOtherOffNats
                | Self::CutOtherOffPostgres
                | Self::OtherIsLate
                | Self::OtherIsALittleLate
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_but_upgrades_is_tried_with_or_without_proxies() {
        assert!(Kind::IMPAIRING.iter().all(|kind| kind.impairment().is_some()));
        assert!(Kind::USUAL.iter().all(|kind| kind.impairment().is_none()));
        let tried: BTreeSet<Kind> = Kind::USUAL.into_iter().chain(Kind::IMPAIRING).collect();
        let all = Kind::value_variants().iter().copied();
        let expected: BTreeSet<Kind> = all.filter(|kind| *kind != Kind::Upgrade).collect();
        assert_eq!(tried, expected);
    }
}
