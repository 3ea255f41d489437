use std::time::Duration;

use chrono::{DateTime, TimeDelta};

use super::*;
use crate::{
    admin::status::{
        counters::{Counts, Tried},
        found::{FoundBackups, FoundDatabase, FoundDisk, FoundGrievances, FoundQueues, FoundServers},
    },
    lifecycle::backup::{BackupProof, KeptBackups, Proven},
    pages::StopNotice,
    platform::db::{RELEASE, Schema, Writes},
};

const GB: u64 = 1_000_000_000;

/// Returns the findings of a server where all is well.
fn all_well() -> Found {
    let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
    let yesterday = Some(now - TimeDelta::hours(20));
    Found {
        now,
        database: FoundDatabase {
            version: "17.2".to_owned(),
            size_bytes: 5 << 30,
            took: Duration::from_millis(2),
            in_use: 3,
            most: 20,
            waiting: 0,
            is_overloaded: false,
            writes: Writes::Taken,
            clock_ahead: TimeDelta::milliseconds(4),
            schema: Schema::Fits,
            migration: 90,
        },
        disk: Some(disk(60, 100)),
        backup: FoundBackups {
            every: Some(TimeDelta::hours(24)),
            kept: Some(KeptBackups { count: 3, oldest: Some(now - TimeDelta::days(3)), newest: yesterday }),
            proven: Proven { checked: Some(BackupProof { at: now - TimeDelta::days(9) }), restored: None },
            is_elsewhere: false,
        },
        servers: FoundServers {
            is_alone: true,
            is_connected: true,
            is_leading: true,
            releases: vec![RELEASE.to_owned()],
            clocks_ahead_ms: Vec::new(),
            engine_took: Some(Duration::from_millis(3)),
        },
        queues: FoundQueues { trail: (0, 100), decisions: (0, 100), ..FoundQueues::default() },
        counts: Counts::default(),
        router: Some(true),
        has_places: true,
        has_mail: true,
        pays_by_hand: false,
        stop: None,
    }
}

/// Builds a disk, in GB.
fn disk(free: u64, all: u64) -> FoundDisk {
    FoundDisk { free_bytes: free * GB, all_bytes: all * GB, lasts: None }
}

/// Returns the line about this subject after the change.
fn line(about: StatusSubject, change: impl FnOnce(&mut Found)) -> StatusLine {
    let mut found = all_well();
    change(&mut found);
    let status = of(&found);
    status.lines.into_iter().find(|line| line.about == about).expect("a line about it")
}

fn tried(well: u64, failed: u64) -> Tried {
    Tried { well, failed }
}

/// Returns a line for each worry, with its expected state.
fn worst() -> Vec<(StatusSubject, StatusState, StatusLine)> {
    use StatusState::{Act, Look};
    use StatusSubject as About;
    let cases: Vec<(_, _, fn(&mut Found))> = vec![
        (About::Requests, Act, |f| f.counts.requests = tried(100, 10)),
        (About::Database, Look, |f| f.database.waiting = 1),
        (About::Database, Look, |f| f.database.took = Duration::from_millis(300)),
        (About::Database, Act, |f| f.database.took = Duration::from_millis(1_100)),
        (About::Database, Act, |f| f.database.is_overloaded = true),
        (About::Database, Act, |f| f.database.writes = Writes::NoRoom),
        (About::Database, Act, |f| f.database.writes = Writes::ReadOnly),
        (About::Database, Act, |f| f.database.writes = Writes::Failing),
        (About::Disk, Look, |f| f.disk = Some(disk(18, 100))),
        (About::Disk, Act, |f| f.disk = Some(disk(9, 100))),
        (About::Disk, Look, |f| {
            f.disk = Some(FoundDisk { lasts: Some(TimeDelta::days(6)), ..disk(60, 100) });
        }),
        (About::Backup, Act, |f| f.backup.kept = None),
        (About::Backup, Act, |f| f.backup.kept = Some(KeptBackups::default())),
        (About::Backup, Look, |f| {
            f.backup = FoundBackups { kept: Some(KeptBackups::default()), ..FoundBackups::default() }
        }),
        (About::Backup, Look, |f| f.backup.kept = Some(one_backup(f.now - TimeDelta::hours(26)))),
        (About::Backup, Act, |f| f.backup.kept = Some(one_backup(f.now - TimeDelta::hours(49)))),
        (About::BackupTest, Look, |f| f.backup.proven = Proven::default()),
        (About::Servers, Look, |f| f.servers.is_alone = false),
        (About::Servers, Act, |f| (f.servers.is_alone, f.servers.is_connected) = (false, false)),
        (About::Engine, Act, |f| f.servers.engine_took = None),
        (About::Engine, Act, |f| (f.servers.engine_took, f.servers.is_alone) = (None, false)),
        (About::Engine, Act, |f| f.servers.engine_took = Some(Duration::from_millis(700))),
        (About::Clock, Look, |f| f.database.clock_ahead = TimeDelta::seconds(-2)),
        (About::Clock, Act, |f| f.servers.clocks_ahead_ms = vec![3, -6_000]),
        (About::Versions, Look, |f| f.servers.releases.push("0.0.1".to_owned())),
        (About::Versions, Act, |f| f.database.schema = Schema::Older),
        (About::NewJobs, Look, |f| {
            f.stop = Some(StopNotice { message: "A storm".to_owned(), ends_at: None })
        }),
        (About::Webhooks, Look, |f| f.queues.oldest_webhook_age_s = Some(130)),
        (About::Webhooks, Act, |f| f.queues.oldest_webhook_age_s = Some(901)),
        (About::Payouts, Look, |f| f.queues.oldest_withdrawal_age_s = Some(21_601)),
        (About::Payouts, Act, |f| f.queues.payouts_paused_since = Some(f.now)),
        (About::Money, Look, |f| f.queues.chargebacks = 1),
        (About::Grievances, Look, |f| f.queues.grievances = due(f.now + TimeDelta::days(3), 0)),
        (About::Grievances, Act, |f| f.queues.grievances = due(f.now - TimeDelta::seconds(1), 1)),
        (About::Notifications, Look, |f| f.queues.late_notifications = 101),
        (About::Notifications, Act, |f| f.queues.late_notifications = 10_000),
        (About::Pushes, Look, |f| f.counts.pushes = tried(10, 5)),
        (About::TextMessages, Act, |f| f.counts.texts = tried(0, 5)),
        (About::Mails, Look, |f| f.counts.mails = tried(1, 3)),
        (About::Mails, Look, |f| f.queues.late_mails = 1),
        (About::Recorder, Look, |f| f.queues.trail = (51, 100)),
        (About::Recorder, Act, |f| f.queues.decisions = (91, 100)),
        (About::Recorder, Look, |f| f.counts.lost_decisions = 1),
        (About::Router, Look, |f| f.router = Some(false)),
        (About::Places, Look, |f| f.counts.places = tried(9, 10)),
    ];
    cases.into_iter().map(|(about, state, change)| (about, state, line(about, change))).collect()
}

/// Builds two open questions.
fn due(next_due: DateTime<chrono::Utc>, overdue: i64) -> FoundGrievances {
    FoundGrievances { open: 2, overdue, next_due: Some(next_due) }
}

fn one_backup(made_at: DateTime<chrono::Utc>) -> KeptBackups {
    KeptBackups { count: 1, oldest: Some(made_at), newest: Some(made_at) }
}

#[test]
fn a_healthy_server_says_so_in_every_line_and_asks_for_nothing() {
    let status = of(&all_well());
    assert_eq!(status.state, StatusState::Ok);
    for line in &status.lines {
        assert_eq!((line.state, &line.next, line.runbook), (StatusState::Ok, &None, None), "{}", line.text);
    }
    let about: Vec<StatusSubject> = status.lines.iter().map(|line| line.about).collect();
    assert_eq!(about, StatusSubject::ALL, "each subject has one line, in the order of the document");
}

#[test]
fn each_worry_has_its_state_and_says_what_to_do_next() {
    for (about, state, line) in worst() {
        assert_eq!(line.state, state, "{about}: {}", line.text);
        assert!(line.next.is_some(), "{about}: {}", line.text);
    }
}

#[test]
fn a_late_withdrawal_is_paid_by_hand_only_where_no_provider_pays() {
    let next =
        |change: fn(&mut Found)| line(StatusSubject::Payouts, change).next.expect("something is to be done");
    let by_provider = next(|f| f.queues.oldest_withdrawal_age_s = Some(21_601));
    assert!(by_provider.contains("never pay one by hand"), "{by_provider}");
    let by_hand = next(|f| (f.queues.oldest_withdrawal_age_s, f.pays_by_hand) = (Some(21_601), true));
    assert!(by_hand.starts_with("Pay it, then mark it paid"), "{by_hand}");
}

#[test]
fn every_section_that_a_line_names_is_in_the_runbook() {
    let runbook = include_str!("../../../../docs/RUNBOOK.md");
    let sections: Vec<&str> = runbook.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    for (about, _, line) in worst() {
        if let Some(section) = line.runbook {
            assert!(sections.contains(&section), "{about}: {section}");
        }
    }
}

#[test]
fn the_overall_state_is_that_of_the_worst_line() {
    let mut found = all_well();
    found.router = Some(false);
    assert_eq!(of(&found).state, StatusState::Look);
    found.database.is_overloaded = true;
    assert_eq!(of(&found).state, StatusState::Act);
}

#[test]
fn a_part_that_a_server_does_not_have_has_no_line() {
    let mut found = all_well();
    (found.disk, found.router, found.has_places, found.has_mail) = (None, None, false, false);
    found.backup.is_elsewhere = true;
    let about: Vec<StatusSubject> = of(&found).lines.into_iter().map(|line| line.about).collect();
    for absent in [
        StatusSubject::Disk,
        StatusSubject::Router,
        StatusSubject::Places,
        StatusSubject::Mails,
        StatusSubject::BackupTest,
    ] {
        assert!(!about.contains(&absent), "{absent}");
    }
}

#[test]
fn a_few_failures_among_many_are_no_worry() {
    for (about, state) in [
        (
            StatusSubject::Requests,
            line(StatusSubject::Requests, |f| f.counts.requests = tried(1_000, 20)).state,
        ),
        (StatusSubject::Pushes, line(StatusSubject::Pushes, |f| f.counts.pushes = tried(3, 4)).state),
        (StatusSubject::Places, line(StatusSubject::Places, |f| f.counts.places = tried(10, 10)).state),
        (
            StatusSubject::Disk,
            line(StatusSubject::Disk, |f| {
                f.disk = Some(FoundDisk { lasts: Some(TimeDelta::days(8)), ..disk(60, 100) });
            })
            .state,
        ),
        // A large disk has much space left.
        (StatusSubject::Disk, line(StatusSubject::Disk, |f| f.disk = Some(disk(50, 1_000))).state),
    ] {
        assert_eq!(state, StatusState::Ok, "{about}");
    }
}

#[test]
fn a_question_about_data_is_no_worry_until_it_is_due_soon() {
    let now = all_well().now;
    let line = |grievances| line(StatusSubject::Grievances, |f| f.queues.grievances = grievances);
    assert_eq!(line(FoundGrievances::default()).text, "Nobody waits for an answer about their data.");
    let later = line(due(now + TimeDelta::days(3) + TimeDelta::seconds(1), 0));
    assert_eq!(later.state, StatusState::Ok);
    assert_eq!(later.text, "2 questions about people's data are open; the next is due in 3 days.");
    let one = FoundGrievances { open: 1, overdue: 1, next_due: Some(now - TimeDelta::days(4)) };
    assert_eq!(
        line(one).text,
        "1 question about people's data is open, 1 overdue: the oldest was due 4 days ago."
    );
}

#[test]
fn spans_are_said_in_the_largest_unit_of_which_there_are_two() {
    let said = |seconds| span(TimeDelta::seconds(seconds));
    assert_eq!(said(1), "1 second");
    assert_eq!(said(119), "119 seconds");
    assert_eq!(said(120), "2 minutes");
    assert_eq!(said(7_200), "2 hours");
    assert_eq!(said(172_800), "2 days");
    assert_eq!(said(-3), "0 seconds", "a clock that was put back");
}
