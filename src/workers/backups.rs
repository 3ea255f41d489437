//! Backups that the server makes by itself, like `roadcall backup`.

use std::{path::Path, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    lifecycle::backup::{self, NewBackup},
    service::Service,
};

/// How often the age of the newest backup is measured.
const LOOK: Duration = Duration::from_secs(60);
/// How long after a failure the next try is made.
const AGAIN_AFTER: TimeDelta = TimeDelta::minutes(15);

/// Makes a backup whenever the newest one, even if a person made it, is too old. Returns at once if the settings ask for none.
pub(super) async fn back_up(service: Service) {
    let Some(every) = service.settings.backup.every() else { return };
    let every = TimeDelta::from_std(every).unwrap_or(TimeDelta::MAX);
    let folder = service.settings.backup.folder(&service.settings.server.data_dir);
    let mut failed_at = None;
    loop {
        let now = service.clock.now();
        match newest(&folder, now).await {
            Some(made_at) if now - made_at < every => {}
            _ if failed_at.is_some_and(|failed_at| now - failed_at < AGAIN_AFTER) => {}
            _ => failed_at = if made(&service, &folder, now).await { None } else { Some(now) },
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn newest(folder: &Path, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match backup::kept(folder).await {
        Ok(backup::KeptBackups { newest, .. }) => {
            if let Some(made_at) = newest {
                let age = (now - made_at).num_milliseconds() as f64 / 1000.0;
                metrics::gauge!("roadcall_backup_age_seconds").set(age);
            }
            newest
        }
        Err(error) => {
            tracing::error!(%error, "the folder of backups can't be read");
            None
        }
    }
}

async fn made(service: &Service, folder: &Path, now: DateTime<Utc>) -> bool {
    let keep = Some(service.settings.backup.keep);
    let (settings, secrets) = (&service.settings.backup, service.settings.named_secrets());
    let new = NewBackup { to: folder, keep };
    match backup::make_beside(&service.core().settings, settings, &secrets, new, now).await {
        Ok(made) => {
            metrics::gauge!("roadcall_backup_age_seconds").set(0.0);
            tracing::info!(backup.folder = %made.folder.display(), lost = made.lost.len(), "a backup was made");
            true
        }
        Err(error) => {
            tracing::error!(%error, "no backup could be made; trying again in a quarter of an hour");
            false
        }
    }
}
