//! Hands over mails that are due.

use std::{fmt, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, future::BoxFuture, stream};
use roadcall_platform::{core::Core, error::ApiResult, telemetry};

use super::{
    context::Mails,
    language::MailLanguage,
    queries::{self, DueMail},
    state::{AfterTry, MailPolicy, MailStatus, MailTry},
};
use crate::mail::{Attachment, MailAddress, MailMessage};

/// The longest wait between two looks for mails that are due.
const LONGEST: Duration = Duration::from_secs(60);
/// The shortest wait, and the wait after a failed look.
const AFTER_ERROR: Duration = Duration::from_secs(1);
/// How long composing a text may take with a slow database.
const TO_WRITE: TimeDelta = TimeDelta::seconds(30);

/// The contents of a mail.
#[derive(derive_more::Debug, Clone)]
// The letter may contain a link that gives access to something.
#[debug("Letter {{ language: {language:?}, .. }}")]
pub struct Letter {
    pub language: MailLanguage,
    /// A single line.
    pub subject: String,
    pub text: String,
    pub html: Option<String>,
    pub attachment: Option<Attachment>,
}

impl Letter {
    /// Makes a letter of text alone.
    pub fn plain(language: MailLanguage, subject: &str, text: String) -> Self {
        Self { language, subject: subject.to_owned(), text, html: None, attachment: None }
    }
}

/// Composes the contents of mails.
pub trait MailWriter: fmt::Debug + Send + Sync {
    /// Composes a mail; `None` if it has become pointless: the invitation was revoked, or the address is no longer the person's.
    fn write<'a>(&'a self, mail: &'a DueMail) -> BoxFuture<'a, ApiResult<Option<Letter>>>;
}

/// Runs until it is aborted.
pub async fn handing_over(core: Core, mails: Mails, writer: Arc<dyn MailWriter>) {
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = mails.woken() => {}
        }
        wait = send_due(&core, &mails, &*writer).await.unwrap_or_else(|error| {
            error.log();
            tracing::warn!("due mails could not be read; will retry");
            AFTER_ERROR
        });
    }
}

/// Sends the mails that are due; returns how long to wait for the next one.
async fn send_due(core: &Core, mails: &Mails, writer: &dyn MailWriter) -> ApiResult<Duration> {
    let at_once = mails.settings.at_once;
    loop {
        // The server failed a moment ago: no tries are used up on it.
        if mails.mail.is_resting() {
            return Ok(AFTER_ERROR);
        }
        let now = core.clock.now();
        let due = queries::take_due(&core.db, now, lease(mails, now), at_once as i64).await?;
        let is_full = due.len() == at_once;
        stream::iter(due)
            .for_each_concurrent(at_once, async |mail| {
                let id = mail.id;
                if let Err(error) = hand_over(core, mails, writer, &mail).await {
                    error.log();
                    tracing::warn!(mail.id = %id, "a mail was not handed over, or its outcome not stored; will retry");
                }
            })
            .await;
        if !is_full {
            let next = queries::next_try_at(&core.db).await?;
            let wait = next.map(|at| (at - core.clock.now()).to_std().unwrap_or_default());
            return Ok(wait.map_or(LONGEST, |wait| wait.clamp(AFTER_ERROR, LONGEST)));
        }
    }
}

/// Returns when another server may take over a mail that this one has begun.
fn lease(mails: &Mails, now: DateTime<Utc>) -> DateTime<Utc> {
    let whole = i64::try_from(mails.settings.timeout_ms).unwrap_or(i64::MAX);
    now + TO_WRITE + TimeDelta::milliseconds(whole)
}

async fn hand_over(core: &Core, mails: &Mails, writer: &dyn MailWriter, mail: &DueMail) -> ApiResult<()> {
    let policy = MailPolicy::of(&mails.settings);
    let attempt = MailTry { number: mail.attempts, created_at: mail.created_at };
    if let Some(why) = attempt.obstacle(policy, core.clock.now()) {
        return settle(core, mail, MailStatus::Failed, Some(why)).await;
    }
    let Some(to) = MailAddress::of(&mail.address) else {
        return settle(core, mail, MailStatus::Failed, Some("no address of a mailbox")).await;
    };
    let Some(letter) = writer.write(mail).await? else {
        return settle(core, mail, MailStatus::Skipped, Some("nothing to say any more")).await;
    };
    let message = MailMessage {
        id: mail.id,
        to,
        kind: mail.kind.as_str(),
        written_at: mail.created_at,
        language: letter.language.tag(),
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        attachment: letter.attachment,
    };
    let sent = mails.mail.send(&message).await;
    match attempt.outcome(policy, sent, core.clock.now()) {
        AfterTry::Settle(status, why) => settle(core, mail, status, why.as_deref()).await,
        AfterTry::Again { at, why } => Ok(queries::put_off(&core.db, mail.id, at, &why).await?),
    }
}

async fn settle(core: &Core, mail: &DueMail, status: MailStatus, why: Option<&str>) -> ApiResult<()> {
    queries::settle(&core.db, mail.id, status, why, core.clock.now()).await?;
    telemetry::count_mail(mail.kind.as_str(), status.as_str());
    if status == MailStatus::Failed {
        tracing::warn!(mail.id = %mail.id, mail.kind = %mail.kind, why, "a mail was given up");
    }
    Ok(())
}
