//! Use cases of admins with the kinds of help.

use chrono::{DateTime, Utc};
use roadcall_accounts::uploads::{self, FileRef, FileUrl, IconFile};
use roadcall_http::{Patch, ValidationErrors};
use roadcall_platform::{
    audit,
    core::Core,
    error::{ApiError, ApiResult, Code, commit_error},
    idempotency::{self, Claim},
};
use serde_json::json;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::{
    context::CategoriesContext,
    dto::{CategoryChanges, DestinationRule, NewCategory, RoundWidths, ServiceCategory},
    queries::{self, CategoryRow},
    questions::{CategoryQuestion, NewQuestions},
};
use crate::catalogue::dispatch_settings::{self, DispatchSettings, SearchOverrides};

/// Adds a kind of help.
pub async fn create(
    context: &CategoriesContext,
    admin: Uuid,
    mut new: NewCategory,
    claim: &Claim,
) -> ApiResult<CategoryRow> {
    let now = context.clock.now();
    let icon = match new.icon_url.take() {
        Some(url) => Some(icon(&context.db, context, admin, url).await?),
        None => None,
    };
    let row = new_row(new, icon, context.random.id(now), now);
    let mut tx = context.db.begin().await?;
    check_search(&dispatch_settings::lock_settings(&mut tx, &context.dispatch).await?, &row)?;
    queries::insert(&mut tx, &row).await?;
    let after = ServiceCategory::from(row.clone());
    write_audit(context, &mut tx, admin, "service_category.create", None, Some(&after)).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    announce(context).await;
    Ok(row)
}

/// Changes the given fields. Prices of existing jobs stay the same.
pub async fn change(
    context: &CategoriesContext,
    admin: Uuid,
    id: Uuid,
    changes: CategoryChanges,
) -> ApiResult<CategoryRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_category)?;
    let icon = match &changes.icon_url {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(url) if before.icon_url.as_deref().is_some_and(|held| url.is(held)) => Patch::Keep,
        Patch::Set(url) => Patch::Set(icon(&mut *tx, context, admin, url.clone()).await?),
    };
    let row = changed(before.clone(), changes, icon, now);
    check_search(&dispatch_settings::lock_settings(&mut tx, &context.dispatch).await?, &row)?;
    queries::update(&mut tx, &row).await?;
    let (before, after) = (ServiceCategory::from(before), ServiceCategory::from(row.clone()));
    write_audit(context, &mut tx, admin, "service_category.update", Some(&before), Some(&after)).await?;
    tx.commit().await.map_err(commit_error)?;
    announce(context).await;
    Ok(row)
}

/// Removes a kind of help; one that jobs or mechanics refer to is switched off instead.
pub async fn delete(context: &CategoriesContext, admin: Uuid, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_category)?;
    if queries::has_open_job(&mut tx, id).await? {
        return Err(ApiError::new(
            Code::CategoryInUse,
            "This category has open jobs. Wait until they are finished.",
        ));
    }
    let after = if queries::is_referred_to(&mut tx, id).await? {
        let row = CategoryRow { is_active: false, updated_at: now, ..before.clone() };
        queries::update(&mut tx, &row).await?;
        Some(ServiceCategory::from(row))
    } else {
        queries::delete(&mut tx, id).await?;
        None
    };
    let before = ServiceCategory::from(before);
    write_audit(context, &mut tx, admin, "service_category.delete", Some(&before), after.as_ref()).await?;
    tx.commit().await.map_err(commit_error)?;
    announce(context).await;
    Ok(())
}

/// Replaces the questions that partners are asked about this kind of help. Answers of earlier cases stay as they are.
pub async fn set_questions(
    core: &Core,
    admin: Uuid,
    id: Uuid,
    new: NewQuestions,
) -> ApiResult<Vec<CategoryQuestion>> {
    let questions = new.checked()?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    queries::lock(&mut tx, id).await?.ok_or_else(no_such_category)?;
    let before = queries::questions_of(&mut *tx, id).await?;
    queries::set_questions(&mut tx, id, &questions, now).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action: "service_category.set_questions",
        subject_kind: "service_category",
        subject_id: id,
        before: json!({ "questions": before }),
        after: json!({ "questions": questions }),
    };
    audit::record(&mut tx, &core.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(questions)
}

/// Applies a committed change on this server at once, and wakes the others, which follow within a minute in any case.
async fn announce(context: &CategoriesContext) {
    if let Err(error) = context.current.refresh(&context.db).await {
        tracing::warn!(%error, "the categories could not be read again; will retry");
    }
    context.changed.wake();
}

/// Writes an audit row with what admins see before and after; `None` if there was no category.
async fn write_audit(
    context: &Core,
    tx: &mut PgConnection,
    admin: Uuid,
    action: &'static str,
    before: Option<&ServiceCategory>,
    after: Option<&ServiceCategory>,
) -> ApiResult<()> {
    let Some(subject) = after.or(before) else { return Ok(()) };
    let entry = audit::NewAuditEntry::new(
        admin,
        action,
        ("service_category", subject.id),
        (json!(before), json!(after)),
    );
    Ok(audit::record(tx, &context.random, context.clock.now(), entry).await?)
}

fn new_row(new: NewCategory, icon: Option<FileRef<IconFile>>, id: Uuid, now: DateTime<Utc>) -> CategoryRow {
    CategoryRow {
        id,
        name: new.name.0,
        slug: new.slug.0,
        description: new.description.map(|text| text.0).unwrap_or_default(),
        icon_url: icon.map(FileRef::into_url),
        vehicle_types: new.vehicle_types.collapsed(),
        base_price_paise: new.base_price.0.0,
        per_km_price_paise: new.per_km_price.0.0,
        free_km: new.free_km.map_or(0, |km| km.0 as i32),
        destination: new.destination.unwrap_or(DestinationRule::NotTaken),
        destination_per_km_price_paise: new.destination_per_km_price.map_or(0, |price| price.0.0),
        destination_free_km: new.destination_free_km.map_or(0, |km| km.0 as i32),
        estimated_duration_min: new.estimated_duration_min.0 as i32,
        overrides: SearchOverrides {
            offer_ttl_s: new.offer_ttl_s.map(|ttl| ttl.0 as i32),
            attempt_ttl_s: new.attempt_ttl_s.map(|ttl| ttl.0 as i32),
            rings_km: new.rings_km.map(|rings| rings.0),
            round_widths: new.round_widths.map(widths),
            max_rounds: new.max_rounds.map(|rounds| rounds.0 as i32),
            urgent_first_round: new.urgent_first_round.map(|round| round.0 as i32),
            in_time_s: new.in_time_s.map(|seconds| seconds.0 as i32),
            worth_s: new.worth_s.map(|seconds| seconds.0 as i32),
        },
        is_active: new.is_active.unwrap_or(true),
        sort_order: new.sort_order.map_or(0, |order| order.0 as i32),
        created_at: now,
        updated_at: now,
    }
}

fn changed(
    row: CategoryRow,
    changes: CategoryChanges,
    icon: Patch<FileRef<IconFile>>,
    now: DateTime<Utc>,
) -> CategoryRow {
    let overrides = row.overrides;
    CategoryRow {
        name: changes.name.map(|text| text.0).over(row.name),
        slug: changes.slug.map(|slug| slug.0).over(row.slug),
        description: changes.description.map(|text| text.0).over(row.description),
        icon_url: icon.map(FileRef::into_url).over(row.icon_url),
        vehicle_types: changes.vehicle_types.map(|kinds| kinds.collapsed()).over(row.vehicle_types),
        base_price_paise: changes.base_price.map(|price| price.0.0).over(row.base_price_paise),
        per_km_price_paise: changes.per_km_price.map(|price| price.0.0).over(row.per_km_price_paise),
        free_km: changes.free_km.map(|km| km.0 as i32).over(row.free_km),
        destination: changes.destination.over(row.destination),
        destination_per_km_price_paise: changes
            .destination_per_km_price
            .map(|price| price.0.0)
            .over(row.destination_per_km_price_paise),
        destination_free_km: changes.destination_free_km.map(|km| km.0 as i32).over(row.destination_free_km),
        estimated_duration_min: changes
            .estimated_duration_min
            .map(|minutes| minutes.0 as i32)
            .over(row.estimated_duration_min),
        overrides: SearchOverrides {
            offer_ttl_s: changes.offer_ttl_s.map(|ttl| ttl.0 as i32).over(overrides.offer_ttl_s),
            attempt_ttl_s: changes.attempt_ttl_s.map(|ttl| ttl.0 as i32).over(overrides.attempt_ttl_s),
            rings_km: changes.rings_km.map(|rings| rings.0).over(overrides.rings_km),
            round_widths: changes.round_widths.map(widths).over(overrides.round_widths),
            max_rounds: changes.max_rounds.map(|rounds| rounds.0 as i32).over(overrides.max_rounds),
            urgent_first_round: changes
                .urgent_first_round
                .map(|round| round.0 as i32)
                .over(overrides.urgent_first_round),
            in_time_s: changes.in_time_s.map(|seconds| seconds.0 as i32).over(overrides.in_time_s),
            worth_s: changes.worth_s.map(|seconds| seconds.0 as i32).over(overrides.worth_s),
        },
        is_active: changes.is_active.over(row.is_active),
        sort_order: changes.sort_order.map(|order| order.0 as i32).over(row.sort_order),
        updated_at: now,
        ..row
    }
}

fn widths(widths: RoundWidths) -> Vec<i32> {
    widths.0.into_iter().map(|width| width.0 as i32).collect()
}

async fn icon(
    db: impl PgExecutor<'_>,
    context: &Core,
    admin: Uuid,
    url: FileUrl,
) -> ApiResult<FileRef<IconFile>> {
    uploads::refer_one(db, context, admin, "icon_url", url).await
}

/// Checks values that must fit together after settings fill in what is not overridden: a search shorter than one offer would ask
/// only one mechanic, and a search that begins past its last round would find nobody.
fn check_search(dispatch: &DispatchSettings, row: &CategoryRow) -> ApiResult<()> {
    let over = &row.overrides;
    let offer_s = over.offer_ttl_s.map_or(dispatch.offer_ttl_s, i64::from);
    let attempt_s = over.attempt_ttl_s.map_or(dispatch.attempt_ttl_s, i64::from);
    let mut errors = ValidationErrors::default();
    if (over.offer_ttl_s.is_some() || over.attempt_ttl_s.is_some()) && offer_s > attempt_s {
        let field = if over.offer_ttl_s.is_some() { "offer_ttl_s" } else { "attempt_ttl_s" };
        errors.add(field, format!("an offer of {offer_s} s does not fit into an attempt of {attempt_s} s"));
    }
    let first = over.urgent_first_round.map_or(i64::from(dispatch.urgent_first_round), i64::from);
    let rounds = over.max_rounds.map_or(i64::from(dispatch.max_rounds), i64::from);
    if (over.urgent_first_round.is_some() || over.max_rounds.is_some()) && first > rounds {
        let field = if over.urgent_first_round.is_some() { "urgent_first_round" } else { "max_rounds" };
        errors.add(field, format!("urgent jobs would begin at round {first} of {rounds}"));
    }
    errors.into_result()
}

pub(super) fn no_such_category() -> ApiError {
    ApiError::not_found("service category")
}
