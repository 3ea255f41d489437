//! The server, its database, its disk and the other servers.

use std::time::Duration;

use chrono::TimeDelta;

use super::{Worry, fine, gib, plural, span};
use crate::{
    admin::status::{
        dto::{StatusLine, StatusSubject},
        found::{Found, FoundBackups, FoundDatabase, FoundDisk, FoundServers},
    },
    lifecycle::backup::BackupProof,
    platform::db::{RELEASE, Schema, Writes},
    thresholds::{self, Level},
};

pub(super) fn lines(found: &Found) -> Vec<StatusLine> {
    let mut lines = vec![requests(found), database(&found.database)];
    lines.extend(found.disk.map(|disk| of_disk(disk, found.database.size_bytes)));
    lines.extend(backups(&found.backup, found));
    lines.extend([
        servers(&found.servers),
        engine(&found.servers),
        clock(found),
        versions(&found.database, &found.servers),
    ]);
    lines
}

fn requests(found: &Found) -> StatusLine {
    let (about, requests) = (StatusSubject::Requests, found.counts.requests);
    let (failed, all) = (requests.failed, requests.all());
    let text = format!("{failed} of {all} requests failed here in the last quarter of an hour.");
    if thresholds::REQUESTS.level(failed, all) > Level::Fine {
        let next = "Look for lines of the level ERROR in the server's log.";
        let runbook = Some("RoadcallServerErrors");
        return Worry { about, is_urgent: true, text, next, runbook }.into();
    }
    fine(about, text)
}

fn database(database: &FoundDatabase) -> StatusLine {
    let about = StatusSubject::Database;
    if let Some((why, next)) = no_writes(database.writes) {
        let text = format!("It takes no writes: {why}. Nobody can sign in, and no job goes on.");
        let runbook = Some("RoadcallWritesRefused");
        return Worry { about, is_urgent: true, text, next, runbook }.into();
    }
    let (in_use, most, took) = (database.in_use, database.most, database.took.as_millis());
    let text = format!("It answers within {took} ms; {in_use} of {most} connections are in use.");
    let slowness = thresholds::DATABASE_ANSWER.level(database.took.as_secs_f64());
    if database.is_overloaded || slowness == Level::Fail {
        let text = format!("{text} Some requests are refused or wait long.");
        let next = "See what the database waits for: locks, its disk, or its processor.";
        let runbook = Some("RoadcallOverloaded");
        return Worry { about, is_urgent: true, text, next, runbook }.into();
    }
    if database.waiting > 0 || slowness == Level::Warn {
        let waiting = database.waiting;
        let text = format!("{text} {waiting} wait for a connection.");
        let next = "Look again in a minute. If it lasts, see what the database waits for.";
        return Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallDatabaseSlow") }.into();
    }
    fine(about, text)
}

/// Returns why the database takes no writes, and what to do about it.
fn no_writes(writes: Writes) -> Option<(&'static str, &'static str)> {
    match writes {
        Writes::Taken => None,
        Writes::NoRoom => Some((
            "its disk is full",
            "Make room on the disk of Postgres: old logs and dumps first, never anything in its folder.",
        )),
        Writes::ReadOnly => Some((
            "it is read-only",
            "Ask who runs Postgres why it is read-only: many do that before its disk is full.",
        )),
        Writes::Failing => Some((
            "Postgres can't write its files",
            "See in the log of Postgres why, and whether its disk works.",
        )),
    }
}

fn of_disk(disk: FoundDisk, database_bytes: i64) -> StatusLine {
    let about = StatusSubject::Disk;
    let (free, all) = (gib(disk.free_bytes), gib(disk.all_bytes));
    let database = gib(database_bytes.unsigned_abs());
    let mut text = format!("{free} of {all} under the data folder are free; the database has {database}.");
    if let Some(lasts) = disk.lasts {
        text += &format!(" If it goes on like this, it is full in {}.", span(lasts));
    }
    let level = thresholds::disk(disk.free_bytes, disk.all_bytes);
    if level > Level::Fine {
        let is_urgent = level == Level::Fail;
        let next = "Remove logs and old dumps, never anything of Postgres; then get a larger disk.";
        return Worry { about, is_urgent, text, next, runbook: Some("RoadcallDiskFull") }.into();
    }
    if disk.lasts.is_some_and(|lasts| thresholds::DISK_LASTS.level_of(lasts) > Level::Fine) {
        let next =
            "See what grows: backups, logs, files, the database. Make room, or get a larger disk in time.";
        return Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallDiskFilling") }.into();
    }
    fine(about, text)
}

fn backups(backup: &FoundBackups, found: &Found) -> Vec<StatusLine> {
    let about = StatusSubject::Backup;
    if backup.is_elsewhere {
        return vec![fine(about, "The server that leads makes them; ask it.")];
    }
    let runbook = Some("RoadcallBackupOld");
    let worry = |is_urgent, text: String, next: &str| -> StatusLine {
        Worry { about, is_urgent, text, next, runbook }.into()
    };
    let Some(kept) = backup.kept else {
        let text = "The folder of backups can't be read.".to_owned();
        return vec![worry(true, text, "See in the server's log why, and put that right.")];
    };
    let Some((oldest, newest)) = kept.oldest.zip(kept.newest) else {
        let text = "There is no backup in this server's folder.".to_owned();
        let next = if backup.every.is_some() {
            "See in the server's log why none could be made."
        } else {
            "Set backup.every_hours, unless something else backs up the database and the files."
        };
        return vec![worry(backup.every.is_some(), text, next)];
    };
    let age = found.now - newest;
    let text = format!(
        "The newest is {} old, the oldest {}; there {} {}.",
        span(age),
        span(found.now - oldest),
        if kept.count == 1 { "is" } else { "are" },
        kept.count
    );
    let delay = age - backup.every.unwrap_or(TimeDelta::hours(24));
    let line = if thresholds::BACKUP_DELAY.level_of(delay) == Level::Fine {
        fine(about, text)
    } else if thresholds::BACKUP_AGE.level_of(age) == Level::Fine {
        worry(false, text, "See in the server's log whether the last one failed.")
    } else {
        worry(true, text, "Make one with roadcall backup, and see in the log why the server made none.")
    };
    vec![line, backup_test(backup, found)]
}

fn backup_test(backup: &FoundBackups, found: &Found) -> StatusLine {
    let about = StatusSubject::BackupTest;
    let ago = |proof: Option<BackupProof>| {
        proof.map_or("never".to_owned(), |proof| format!("{} ago", span(found.now - proof.at)))
    };
    let (checked, restored) = (backup.proven.checked, backup.proven.restored);
    let text = format!("Last checked {}, last restored {}.", ago(checked), ago(restored));
    let is_fresh = |proof: Option<BackupProof>| {
        proof.is_some_and(|proof| thresholds::BACKUP_UNPROVEN.level_of(found.now - proof.at) == Level::Fine)
    };
    if is_fresh(restored) || is_fresh(checked) {
        return fine(about, text);
    }
    let next = "Run roadcall backup check on the newest, and try roadcall restore on another machine.";
    Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallBackupOld") }.into()
}

fn servers(servers: &FoundServers) -> StatusLine {
    let about = StatusSubject::Servers;
    if servers.is_alone {
        return fine(about, "This server serves alone.");
    }
    let count = servers.releases.len() as i64;
    let role = if servers.is_leading { "This one leads." } else { "Another one leads." };
    if !servers.is_connected {
        let text = "This server is not connected to NATS, so it does not hear of the others.".to_owned();
        let next = "Check that NATS runs and can be reached from here.";
        return Worry { about, is_urgent: true, text, next, runbook: Some("RoadcallBusDown") }.into();
    }
    let text = format!("{count} server{}. {role}", plural(count));
    if count == 1 {
        let next = "If there were more a while ago, start the missing one again.";
        return Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallServerMissing") }.into();
    }
    fine(about, text)
}

fn engine(servers: &FoundServers) -> StatusLine {
    let about = StatusSubject::Engine;
    let is_slow = |took: Duration| thresholds::ENGINE_LAG.is_past(took.as_secs_f64());
    match servers.engine_took {
        Some(took) if !is_slow(took) => fine(about, format!("It answers within {} ms.", took.as_millis())),
        Some(took) => {
            let text = format!("It took {} ms to answer: offers and acceptances wait.", took.as_millis());
            let next = "Look whether the machine has other work; then at the number of open jobs.";
            Worry { about, is_urgent: true, text, next, runbook: Some("RoadcallEngineSlow") }.into()
        }
        None => {
            let text = "The engine does not answer: nobody gets an offer.".to_owned();
            let (next, runbook) = if servers.is_alone {
                ("See the server's log; a restart is safe.", "RoadcallEngineSlow")
            } else {
                (
                    "Another server takes over within seconds. If none does, see the servers' logs.",
                    "RoadcallNoLeader",
                )
            };
            Worry { about, is_urgent: true, text, next, runbook: Some(runbook) }.into()
        }
    }
}

fn clock(found: &Found) -> StatusLine {
    let about = StatusSubject::Clock;
    let own = found.database.clock_ahead.num_milliseconds().abs();
    let others = found.servers.clocks_ahead_ms.iter().map(|ahead| ahead.abs());
    let worst = others.fold(own, i64::max);
    let text = format!("Clocks are at most {worst} ms from the database's.");
    let level = thresholds::CLOCK.level(worst as f64 / 1_000.0);
    if level > Level::Fine {
        let next = "Let all machines, the database's too, set their clocks by NTP.";
        return Worry { about, is_urgent: level == Level::Fail, text, next, runbook: None }.into();
    }
    fine(about, text)
}

fn versions(database: &FoundDatabase, servers: &FoundServers) -> StatusLine {
    let about = StatusSubject::Versions;
    let (postgres, migration) = (&database.version, database.migration);
    let text = format!("roadcall {RELEASE}, Postgres {postgres}, migration {migration}.");
    if database.schema != Schema::Fits {
        let text = format!("{text} The database has another schema than this program needs.");
        let next = "Finish the upgrade: every server has to run the newest release.";
        return Worry { about, is_urgent: true, text, next, runbook: None }.into();
    }
    if servers.releases.iter().any(|release| release != RELEASE) {
        let text = format!("{text} Servers run different releases.");
        let next = "Finish the upgrade: every server has to run the newest release.";
        return Worry { about, is_urgent: false, text, next, runbook: None }.into();
    }
    fine(about, text)
}
