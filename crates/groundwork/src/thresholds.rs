//! The thresholds of a healthy server.
//!
//! The status page, `roadcall doctor`, the page of prices, readiness and the log compare with these values. `deploy/alerts.yml` and
//! the dashboard have the same numbers, and `docs/operations/troubleshooting.md` has the whole table; `tests/api/documents.rs`
//! compares them. See docs/adr/0140-a-healthy-server-has-one-table.md.

use chrono::TimeDelta;

/// A figure, with the value past which an admin should look, and the value past which people feel it or soon will.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The figure, in words.
    pub name: &'static str,
    pub unit: Unit,
    pub crossing: Crossing,
    pub warn: Option<f64>,
    pub fail: Option<f64>,
    pub why: &'static str,
}

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    /// A part of a whole, from 0 to 1.
    Share,
    Bytes,
    Count,
    /// How many times one number is as large as another.
    Times,
}

/// The comparison by which a figure is past a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    Above,
    AtLeast,
    Below,
    AtMost,
}

/// What a figure says about the server, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Fine,
    /// Something is wrong, but people don't feel it yet.
    Warn,
    /// People feel it, or soon will.
    Fail,
}

impl Threshold {
    /// Returns the level of a figure in the threshold's unit.
    pub fn level(&self, figure: f64) -> Level {
        let is_past = |value: f64| match self.crossing {
            Crossing::Above => figure > value,
            Crossing::AtLeast => figure >= value,
            Crossing::Below => figure < value,
            Crossing::AtMost => figure <= value,
        };
        if self.fail.is_some_and(is_past) {
            Level::Fail
        } else if self.warn.is_some_and(is_past) {
            Level::Warn
        } else {
            Level::Fine
        }
    }

    /// Returns the level of a time, to the millisecond.
    pub fn level_of(&self, time: TimeDelta) -> Level {
        self.level(time.num_milliseconds() as f64 / 1_000.0)
    }

    /// Returns whether a figure is past any of the values.
    pub fn is_past(&self, figure: f64) -> bool {
        self.level(figure) > Level::Fine
    }
}

/// Failures, which count only if they are many and a large share of all attempts.
#[derive(Debug, Clone, Copy)]
pub struct Failures {
    pub share: Threshold,
    pub count: Threshold,
}

impl Failures {
    /// Returns the level of so many failures of so many attempts.
    pub fn level(&self, failed: u64, all: u64) -> Level {
        let share = failed as f64 / all.max(1) as f64;
        self.share.level(share).min(self.count.level(failed as f64))
    }
}

pub const REQUESTS: Failures = Failures { share: FAILED_REQUESTS_SHARE, count: FAILED_REQUESTS };
pub const PUSHES: Failures = Failures { share: FAILED_PUSHES_SHARE, count: FAILED_PUSHES };
pub const TEXTS: Failures = Failures { share: FAILED_TEXTS_SHARE, count: FAILED_TEXTS };
pub const MAILS: Failures = Failures { share: FAILED_MAILS_SHARE, count: FAILED_MAILS };
pub const PLACES: Failures = Failures { share: FAILED_PLACES_SHARE, count: FAILED_PLACES };

/// Returns the level of a disk, whose free space must be small both in bytes and as a share.
pub fn disk(free_bytes: u64, all_bytes: u64) -> Level {
    let share = free_bytes as f64 / all_bytes.max(1) as f64;
    FREE_DISK.level(free_bytes as f64).min(FREE_DISK_SHARE.level(share))
}

/// Makes a constant of each threshold, whose documentation says why it has these values, and a list of all of them.
macro_rules! thresholds {
    ($($(#[doc = $why:literal])+ $id:ident = $name:literal, $unit:ident $crossing:ident $warn:expr, $fail:expr;)+) => {
        $(
            $(#[doc = $why])+
            pub const $id: Threshold = Threshold {
                name: $name,
                unit: Unit::$unit,
                crossing: Crossing::$crossing,
                warn: $warn,
                fail: $fail,
                why: concat!($($why),+),
            };
        )+

        /// All thresholds, in the order of the document.
        pub const ALL: &[Threshold] = &[$($id),+];
    };
}

thresholds! {
    /// People see errors, although apps try again.
    FAILED_REQUESTS_SHARE = "failed requests, share", Share Above None, Some(0.05);
    /// Fewer failures may be an accident.
    FAILED_REQUESTS = "failed requests", Count AtLeast None, Some(10.0);
    /// Apps feel slow, and the next thing that happens is an overload.
    ANSWER_TIME = "time of answers, 95th percentile", Seconds Above Some(1.0), None;
    /// The percentile of fewer answers says little.
    ANSWERS = "answers that the percentile is of", Count AtLeast Some(100.0), None;
    /// A short statement takes some milliseconds, with the wait for a connection. Past a second, everybody waits.
    DATABASE_ANSWER = "time of a short statement", Seconds Above Some(0.25), Some(1.0);
    /// Postgres stops when its disk is full. A small disk never has so many bytes, so the share must be small as well.
    FREE_DISK = "free space under the data folder", Bytes Below Some(40e9), Some(20e9);
    /// A large disk with a small share free lasts for long, so the bytes must be few as well.
    FREE_DISK_SHARE = "free space under the data folder, share", Share Below Some(0.2), Some(0.1);
    /// A week is enough to make room or to get a larger disk.
    DISK_LASTS = "time until the disk is full", Seconds Below Some(604_800.0), None;
    /// A backup takes its time, and may begin later than planned.
    BACKUP_DELAY = "time by which a backup is late", Seconds Above Some(3_600.0), None;
    /// If the disk is lost, so are two days of jobs and money.
    BACKUP_AGE = "age of the newest backup", Seconds Above None, Some(172_800.0);
    /// An operator who has tested no backup for so long does not know whether any can be restored.
    BACKUP_UNPROVEN = "time since a backup was checked or restored", Seconds Above Some(7_776_000.0), None;
    /// NTP keeps clocks within milliseconds, so past a second it does not work. Past five, a server of a cluster is not ready:
    /// people, providers and certificates elsewhere go by their own clocks.
    CLOCK = "difference of a machine's clock from the database's", Seconds Above Some(1.0), Some(5.0);
    /// Everybody waits for offers and answers.
    ENGINE_LAG = "time of the engine's answer", Seconds Above None, Some(0.5);
    /// More apps connect at once than can be looked up.
    REFUSED_SOCKETS = "refused sockets in 5 minutes", Count Above Some(100.0), None;
    /// Apps connect again within a minute, so something keeps them out.
    SOCKETS_LEFT = "open sockets, share of the most in 15 minutes", Share Below None, Some(0.5);
    /// Half of fewer sockets may close by chance.
    SOCKETS = "sockets that the share is of", Count AtLeast None, Some(50.0);
    /// Some pushes are late by a minute whenever a provider is slow for a moment.
    LATE_NOTIFICATIONS = "pushes that are late by a minute", Count Above Some(100.0), Some(1_000.0);
    /// A customer has paid, and their app may still ask for it.
    WEBHOOK_AGE = "age of the oldest event of the gateway", Seconds Above Some(120.0), Some(900.0);
    /// A mechanic waits for their money. Banks take some hours, so it is not urgent.
    WITHDRAWAL_AGE = "age of the oldest withdrawal", Seconds Above Some(21_600.0), None;
    /// An answer was promised by that day.
    GRIEVANCE_DUE = "time until a question about data is due", Seconds AtMost Some(259_200.0), None;
    /// A customer who was told that help is far away waits for a call.
    CALLBACK_AGE = "age of the oldest request for a call", Seconds Above Some(900.0), None;
    /// Offers don't wake sleeping phones.
    FAILED_PUSHES_SHARE = "failed pushes, share", Share Above Some(0.2), None;
    /// Fewer failures may be an accident.
    FAILED_PUSHES = "failed pushes", Count AtLeast Some(5.0), None;
    /// Nobody can sign in who is not signed in already.
    FAILED_TEXTS_SHARE = "text messages that were not taken, share", Share Above None, Some(0.2);
    /// Fewer failures may be an accident.
    FAILED_TEXTS = "text messages that were not taken", Count AtLeast None, Some(5.0);
    /// Invitations, codes and receipts don't arrive.
    FAILED_MAILS_SHARE = "failed mails, share", Share Above Some(0.2), None;
    /// Mails are few. Fewer failures may be an accident.
    FAILED_MAILS = "failed mails", Count AtLeast Some(3.0), None;
    /// People put the pin by hand.
    FAILED_PLACES_SHARE = "failed searches for a place, share", Share Above Some(0.5), None;
    /// Fewer failures may be an accident.
    FAILED_PLACES = "failed searches for a place", Count AtLeast Some(10.0), None;
    /// The database is too slow for what happens. A full queue loses explanations of offers.
    RECORDER_FILL = "full part of the recorder's queues, share", Share Above Some(0.5), Some(0.9);
    /// Customers wait for mechanics who are kept for others, beside mechanics who stand free.
    IDLE_BESIDE_HELD = "mechanics who are free beside held jobs that they fit, share", Share Above Some(0.1), None;
    /// Customers waited for the sake of others, and nobody was better off.
    HOLDS_WASTED = "holds that brought nothing, share", Share Above Some(0.2), None;
    /// The share of fewer holds says little.
    HOLDS = "holds that the share is of", Count AtLeast Some(20.0), None;
    /// Help is held back although mechanics are free: jobs or ways are shorter than was learned.
    LOAD_RATIO = "mechanics believed to be busy, compared with those who are", Times Above Some(3.0), None;
    /// Customers who need this kind of help have got none.
    STARVING = "time in which a category's jobs are held and none is completed", Seconds Above Some(3_600.0), None;
    /// A server reads from the database what it missed, which costs time and load.
    MISSED_ANNOUNCEMENTS = "missed announcements in 5 minutes", Count Above Some(5.0), None;
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    #[test]
    fn a_figure_at_its_threshold_is_past_it_only_if_equality_counts() {
        let level = |crossing, figure| {
            let threshold = Threshold { crossing, warn: Some(10.0), fail: None, ..CLOCK };
            threshold.level(figure)
        };
        for (crossing, levels) in [
            (Crossing::Above, [Level::Fine, Level::Fine, Level::Warn]),
            (Crossing::AtLeast, [Level::Fine, Level::Warn, Level::Warn]),
            (Crossing::Below, [Level::Warn, Level::Fine, Level::Fine]),
            (Crossing::AtMost, [Level::Warn, Level::Warn, Level::Fine]),
        ] {
            assert_eq!([9.0, 10.0, 11.0].map(|figure| level(crossing, figure)), levels, "{crossing:?}");
        }
        assert_eq!(CLOCK.level_of(TimeDelta::milliseconds(1_001)), Level::Warn);
        assert_eq!(CLOCK.level_of(TimeDelta::milliseconds(5_001)), Level::Fail);
    }

    #[test]
    fn a_failing_value_is_past_the_warning_one() {
        for threshold in ALL {
            let Threshold { name, crossing, warn, fail, .. } = *threshold;
            assert!(warn.or(fail).is_some(), "{name}");
            if let (Some(warn), Some(fail)) = (warn, fail) {
                let grows = matches!(crossing, Crossing::Above | Crossing::AtLeast);
                assert_eq!(fail > warn, grows, "{name}");
            }
        }
    }

    #[test]
    fn a_disk_is_nearly_full_only_in_bytes_and_as_a_share() {
        assert_eq!(disk(18 * GB, 100 * GB), Level::Warn);
        assert_eq!(disk(9 * GB, 100 * GB), Level::Fail);
        assert_eq!(disk(50 * GB, 1_000 * GB), Level::Fine, "a large disk");
        assert_eq!(disk(5 * GB, 20 * GB), Level::Fine, "a small disk");
        assert_eq!(disk(0, 0), Level::Fail);
    }

    #[test]
    fn failures_count_only_if_they_are_many_and_a_large_share() {
        assert_eq!(REQUESTS.level(10, 110), Level::Fail);
        assert_eq!(REQUESTS.level(9, 10), Level::Fine, "too few");
        assert_eq!(REQUESTS.level(20, 1_020), Level::Fine, "too small a share");
        assert_eq!(PUSHES.level(5, 25), Level::Fine, "exactly a fifth");
        assert_eq!(PUSHES.level(5, 24), Level::Warn);
        assert_eq!(MAILS.level(0, 0), Level::Fine);
    }
}
