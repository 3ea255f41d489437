//! Changing how jobs are dispatched.

use std::fmt::Display;

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::dto::DispatchKnobs;
use crate::{
    catalogue::{
        categories,
        dispatch_settings::{self, KnobColumns, SettingsRow, take},
    },
    dispatch::context::DispatchContext,
    http::ValidationErrors,
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// Makes a version and applies it, if `read` is the newest one.
pub async fn change(
    context: &DispatchContext,
    admin: Uuid,
    read: i64,
    knobs: KnobColumns,
) -> ApiResult<SettingsRow> {
    check(context, &knobs)?;
    let row = commit(context, admin, read, knobs).await?;
    take(&context.dispatch, &context.engine, &row, context.clock.now());
    context.settings_changed.wake();
    Ok(row)
}

/// Checks the rules of the settings file.
fn check(context: &DispatchContext, knobs: &KnobColumns) -> ApiResult<()> {
    of_settings(knobs.over(&context.dispatch.file()).faults())
}

/// Checks the categories' overrides; call this while nobody else changes settings or overrides.
async fn check_categories(
    tx: &mut PgConnection,
    context: &DispatchContext,
    knobs: &KnobColumns,
) -> ApiResult<()> {
    of_settings(categories::misfits(tx, &knobs.over(&context.dispatch.file())).await?)
}

fn of_settings<Field: Display>(found: Vec<(Field, String)>) -> ApiResult<()> {
    let mut faults = ValidationErrors::default();
    for (field, why) in found {
        faults.add(format!("settings.{field}"), why);
    }
    faults.into_result()
}

async fn commit(
    context: &DispatchContext,
    admin: Uuid,
    read: i64,
    knobs: KnobColumns,
) -> ApiResult<SettingsRow> {
    let mut tx = context.db.begin().await?;
    dispatch_settings::lock(&mut tx).await?;
    check_categories(&mut tx, context, &knobs).await?;
    let newest = dispatch_settings::newest(&mut *tx).await?;
    let version = newest.as_ref().map_or(0, |row| row.version);
    if version != read {
        let message = format!("Version {version} holds by now, not {read}. Read it, and decide again.");
        return Err(ApiError::new(Code::Conflict, message));
    }
    let now = context.clock.now();
    let before = newest.map_or_else(|| KnobColumns::of(&context.dispatch.file()), |row| row.knobs);
    let row = SettingsRow { version: version + 1, knobs, updated_by: admin, updated_at: now };
    dispatch_settings::insert(&mut tx, &row).await?;
    let versioned = |version: i64, knobs: &KnobColumns| json!({"version": version, "settings": DispatchKnobs::from(knobs.clone())});
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action: "dispatch_settings.change",
        subject_kind: "dispatch_settings",
        // There is only one such subject.
        subject_id: Uuid::nil(),
        before: versioned(version, &before),
        after: versioned(row.version, &row.knobs),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}
