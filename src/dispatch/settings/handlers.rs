//! Reading and changing how jobs are dispatched.

use std::fmt::Display;

use actix_web::{
    get, put,
    web::{Data, Json},
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::dto::{ChangeDispatch, DispatchConfiguration, DispatchKnobs, VersionParams};
use crate::{
    accounts::auth::{Admin, Caller},
    catalogue::{
        categories,
        dispatch_settings::{self, KnobColumns, SettingsRow, take},
    },
    dispatch::DispatchContext,
    http::{Body, Page, PageParams, Query, ValidationErrors},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// How jobs are dispatched now, unless a service category overrides it.
#[utoipa::path(tag = "admin", responses((status = 200, body = DispatchConfiguration)))]
#[get("/admin/config/dispatch")]
pub async fn get_dispatch_configuration(
    _: Admin,
    context: Data<DispatchContext>,
) -> ApiResult<Json<DispatchConfiguration>> {
    let newest = dispatch_settings::newest(&context.db).await?;
    let of_file = || DispatchConfiguration::of_file(&context.settings.dispatch);
    Ok(Json(newest.map_or_else(of_file, DispatchConfiguration::from)))
}

/// Every version that was made at run time, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<DispatchConfiguration>)),
)]
#[get("/admin/config/dispatch/versions")]
pub async fn list_dispatch_configurations(
    _: Admin,
    context: Data<DispatchContext>,
    params: Query<VersionParams>,
) -> ApiResult<Json<Page<DispatchConfiguration>>> {
    let params = params.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let total = dispatch_settings::count(&context.db).await?;
    let rows = dispatch_settings::list(&context.db, page).await?;
    Ok(Json(page.of(rows.into_iter().map(DispatchConfiguration::from).collect(), total)))
}

/// Changes how jobs are dispatched. It applies to every search that begins afterwards, without a restart and after one;
/// weights apply from the next match on. A search under way ends as it began.
#[utoipa::path(
    tag = "admin",
    request_body = ChangeDispatch,
    responses(
        (status = 200, body = DispatchConfiguration),
        (status = 409, description = "CONFLICT: another version holds by now"),
    ),
)]
#[put("/admin/config/dispatch")]
pub async fn change_dispatch_configuration(
    Admin(caller): Admin,
    context: Data<DispatchContext>,
    body: Body<ChangeDispatch>,
) -> ApiResult<Json<DispatchConfiguration>> {
    let ChangeDispatch { version, settings } = body.read()?;
    let knobs = KnobColumns::from(settings);
    check(&context, &knobs)?;
    let row = commit(&context, caller, version, knobs).await?;
    take(&context.dispatch, &context.engine, &row, context.clock.now());
    Ok(Json(row.into()))
}

/// Checks the rules of the settings file.
fn check(context: &DispatchContext, knobs: &KnobColumns) -> ApiResult<()> {
    of_settings(knobs.over(&context.settings.dispatch).faults())
}

/// Checks what categories override; call this while nobody else changes settings or overrides.
async fn check_categories(
    tx: &mut PgConnection,
    context: &DispatchContext,
    knobs: &KnobColumns,
) -> ApiResult<()> {
    of_settings(categories::misfits(tx, &knobs.over(&context.settings.dispatch)).await?)
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
    caller: Caller,
    read: i64,
    knobs: KnobColumns,
) -> ApiResult<SettingsRow> {
    let mut tx = context.db.begin().await?;
    dispatch_settings::lock(&mut tx).await?;
    check_categories(&mut tx, context, &knobs).await?;
    let newest = dispatch_settings::newest(&mut *tx).await?;
    let version = newest.as_ref().map_or(0, |row| row.version);
    if version != read {
        let message = format!("version {version} holds by now, not {read}: read it, and decide again");
        return Err(ApiError::new(Code::Conflict, message));
    }
    let now = context.clock.now();
    let before = newest.map_or_else(|| KnobColumns::of(&context.settings.dispatch), |row| row.knobs);
    let row = SettingsRow { version: version + 1, knobs, updated_by: caller.user_id, updated_at: now };
    dispatch_settings::insert(&mut tx, &row).await?;
    let versioned = |version: i64, knobs: &KnobColumns| json!({"version": version, "settings": DispatchKnobs::from(knobs.clone())});
    let entry = audit::NewAuditEntry {
        actor_id: Some(caller.user_id),
        action: "dispatch_settings.change",
        subject_kind: "dispatch_settings",
        // There is only one.
        subject_id: Uuid::nil(),
        before: versioned(version, &before),
        after: versioned(row.version, &row.knobs),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}
