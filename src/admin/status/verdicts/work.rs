//! Queues, and outside services that fail.

use chrono::TimeDelta;

use super::{Worry, fine, plural, span};
use crate::{
    admin::status::{
        counters::Tried,
        dto::{StatusLine, StatusSubject},
        found::{Found, FoundGrievances, FoundQueues},
    },
    thresholds::{self, Failures, Level},
};

pub(super) fn lines(found: &Found) -> Vec<StatusLine> {
    let (queues, counts) = (&found.queues, &found.counts);
    let mut lines = vec![
        new_jobs(found),
        webhooks(queues),
        payouts(queues, found),
        money(queues),
        grievances(queues, found),
        notifications(queues),
        provider(&PUSHES, counts.pushes),
        provider(&TEXTS, counts.texts),
    ];
    lines.extend(found.has_mail.then(|| mails(queues, counts.mails)));
    lines.push(recorder(queues, counts.lost_decisions));
    lines.extend(found.router.map(router));
    lines.extend(found.has_places.then(|| provider(&PLACES, counts.places)));
    lines
}

fn new_jobs(found: &Found) -> StatusLine {
    let about = StatusSubject::NewJobs;
    let Some(stop) = &found.stop else { return fine(about, "New jobs are taken.") };
    let (end, next) = match stop.ends_at {
        Some(ends_at) => {
            (format!("for {} more", span(ends_at - found.now)), "It ends by itself; New jobs changes it.")
        }
        None => ("until an admin takes them again".to_owned(), "Take new jobs again under New jobs."),
    };
    let text = format!("No new jobs are taken, {end}.");
    Worry { about, is_urgent: false, text, next, runbook: None }.into()
}

fn webhooks(queues: &FoundQueues) -> StatusLine {
    let about = StatusSubject::Webhooks;
    let Some(age) = queues.oldest_webhook_age_s else {
        return fine(about, "No event of the payment gateway waits.");
    };
    let text =
        format!("The oldest event of the payment gateway waits for {}.", span(TimeDelta::seconds(age)));
    let level = thresholds::WEBHOOK_AGE.level(age as f64);
    if level > Level::Fine {
        let next = "See under Webhook events why it fails.";
        let is_urgent = level == Level::Fail;
        return Worry { about, is_urgent, text, next, runbook: Some("RoadcallWebhooksStuck") }.into();
    }
    fine(about, text)
}

fn payouts(queues: &FoundQueues, found: &Found) -> StatusLine {
    let (about, runbook) = (StatusSubject::Payouts, Some("RoadcallPayoutsStuck"));
    if let Some(since) = queues.payouts_paused_since {
        let age = span(found.now - since);
        let text = format!("Payouts wait since the database was restored {age} ago.");
        let next = "Compare them with the provider's, then run roadcall restore --release-payouts.";
        return Worry { about, is_urgent: true, text, next, runbook }.into();
    }
    let Some(age) = queues.oldest_withdrawal_age_s else { return fine(about, "No withdrawal waits.") };
    let text = format!("The oldest withdrawal waits for {}.", span(TimeDelta::seconds(age)));
    if thresholds::WITHDRAWAL_AGE.is_past(age as f64) {
        let next = if found.pays_by_hand {
            "Pay it, then mark it paid under Withdrawals."
        } else {
            "See under Withdrawals whether it is one or all; never pay one by hand."
        };
        return Worry { about, is_urgent: false, text, next, runbook }.into();
    }
    fine(about, text)
}

fn money(queues: &FoundQueues) -> StatusLine {
    let about = StatusSubject::Money;
    let parts = [
        (queues.dead_webhooks, "events of the gateway that failed"),
        (queues.failed_refunds, "failed refunds"),
        (queues.parked_payments, "parked payments"),
        (queues.chargebacks, "chargebacks"),
    ];
    let waiting: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if waiting.is_empty() {
        return fine(about, "No money waits for an admin's decision.");
    }
    let text = format!("Waiting for a decision: {}.", waiting.join(", "));
    let next = "Decide about each; Live figures leads to the lists.";
    Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallMoneyWaits") }.into()
}

fn grievances(queues: &FoundQueues, found: &Found) -> StatusLine {
    let about = StatusSubject::Grievances;
    let FoundGrievances { open, overdue, next_due } = queues.grievances;
    let Some(next_due) = next_due else { return fine(about, "Nobody waits for an answer about their data.") };
    let waiting = format!("{open} question{} about people's data {} open", plural(open), verb(open));
    let next = "An admin at the people desk answers it on the page Grievances.";
    let runbook = Some("RoadcallGrievanceOverdue");
    if overdue > 0 {
        let late = span(found.now - next_due);
        let text = format!("{waiting}, {overdue} overdue: the oldest was due {late} ago.");
        return Worry { about, is_urgent: true, text, next, runbook }.into();
    }
    let text = format!("{waiting}; the next is due in {}.", span(next_due - found.now));
    if thresholds::GRIEVANCE_DUE.level_of(next_due - found.now) > Level::Fine {
        return Worry { about, is_urgent: false, text, next, runbook }.into();
    }
    fine(about, text)
}

fn verb(count: i64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn notifications(queues: &FoundQueues) -> StatusLine {
    let (about, late) = (StatusSubject::Notifications, queues.late_notifications);
    let level = thresholds::LATE_NOTIFICATIONS.level(late as f64);
    if level == Level::Fine {
        return fine(about, format!("{late} pushes are late by more than a minute."));
    }
    let text = format!("{late} pushes or more are late by more than a minute.");
    let next = "Look at the line about pushes, and under Failed pushes.";
    let is_urgent = level == Level::Fail;
    Worry { about, is_urgent, text, next, runbook: Some("RoadcallPushesFail") }.into()
}

/// An outside service, and when its failures count.
struct Provider {
    about: StatusSubject,
    what: &'static str,
    next: &'static str,
    runbook: &'static str,
    failures: Failures,
}

const PUSHES: Provider = Provider {
    about: StatusSubject::Pushes,
    what: "pushes",
    next: "See under Failed pushes why, then send a test.",
    runbook: "RoadcallPushesFail",
    failures: thresholds::PUSHES,
};
const TEXTS: Provider = Provider {
    about: StatusSubject::TextMessages,
    what: "text messages",
    next: "Send a test message: the answer says what the provider refuses.",
    runbook: "RoadcallTextsFail",
    failures: thresholds::TEXTS,
};
const MAILS: Provider = Provider {
    about: StatusSubject::Mails,
    what: "mails",
    next: "Send a test mail: the answer says at which step the server refuses.",
    runbook: "RoadcallMailsFail",
    failures: thresholds::MAILS,
};
const PLACES: Provider = Provider {
    about: StatusSubject::Places,
    what: "searches for a place",
    next: "Look whether the place search runs. People put the pin by hand meanwhile.",
    runbook: "RoadcallPlacesFail",
    failures: thresholds::PLACES,
};

fn provider(provider: &Provider, tried: Tried) -> StatusLine {
    let &Provider { about, what, next, runbook, failures } = provider;
    let (failed, all) = (tried.failed, tried.all());
    if all == 0 {
        return fine(about, format!("No {what} here in the last quarter of an hour."));
    }
    let text = format!("{failed} of {all} {what} failed here in the last quarter of an hour.");
    let level = failures.level(failed, all);
    if level > Level::Fine {
        return Worry { about, is_urgent: level == Level::Fail, text, next, runbook: Some(runbook) }.into();
    }
    fine(about, text)
}

fn mails(queues: &FoundQueues, tried: Tried) -> StatusLine {
    let line = provider(&MAILS, tried);
    if queues.late_mails == 0 || line.next.is_some() {
        return line;
    }
    let text = format!("{} {} mails are late by more than a minute.", line.text, queues.late_mails);
    let &Provider { about, next, runbook, .. } = &MAILS;
    Worry { about, is_urgent: false, text, next, runbook: Some(runbook) }.into()
}

fn recorder(queues: &FoundQueues, lost: u64) -> StatusLine {
    let (about, runbook) = (StatusSubject::Recorder, Some("RoadcallDecisionsLost"));
    let part = |(waiting, most): (usize, usize)| waiting as f64 / most.max(1) as f64;
    let fullest = part(queues.trail).max(part(queues.decisions));
    let text = format!(
        "{} positions and {} explanations of offers wait to be written.",
        queues.trail.0, queues.decisions.0
    );
    let next = "The database is too slow for what happens: see its line.";
    if lost > 0 {
        let text = format!("{text} {lost} explanations were lost in the last quarter of an hour.");
        return Worry { about, is_urgent: false, text, next, runbook }.into();
    }
    let level = thresholds::RECORDER_FILL.level(fullest);
    if level > Level::Fine {
        return Worry { about, is_urgent: level == Level::Fail, text, next, runbook }.into();
    }
    fine(about, text)
}

fn router(is_up: bool) -> StatusLine {
    let about = StatusSubject::Router;
    if is_up {
        return fine(about, "The router answers.");
    }
    let text = "The router does not answer: estimates come from straight lines.".to_owned();
    let next = "Start it. It is asked again every few seconds.";
    Worry { about, is_urgent: false, text, next, runbook: Some("RoadcallRouterDown") }.into()
}
