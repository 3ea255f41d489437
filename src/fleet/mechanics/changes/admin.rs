//! What admins decide on changes. Each change has its own id, so that nobody approves one that the mechanic has
//! replaced in the meantime.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{
    Served,
    dto::{MechanicChange, MechanicChangeFilter},
    queries::{self, AdminChangeRow, ChangeRow},
};
use crate::{
    accounts::auth::{Admin, Caller},
    catalogue::categories,
    fleet::mechanics::{self, MechanicProfile, MechanicsContext, ProfileRow, WithReason},
    http::{
        AdminList, Between, Body, ListFormat, ListRequest, ListWindow, NoFields, Owned, OwnedBy, Page,
        PathIds, Query, RowKey, Timestamp, between, list,
    },
    notifications::{self, DomainEvent},
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
    },
};

/// What mechanics ask to serve, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("from" = Option<Timestamp>, Query, description = "Asked for from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Asked for before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<MechanicChange> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/mechanic-changes")]
pub async fn list_mechanic_changes(
    context: Data<MechanicsContext>,
    Admin(admin): Admin,
    query: Query<MechanicChangeFilter>,
) -> ApiResult<HttpResponse> {
    let filter = query.read()?;
    let request = ListRequest::new(filter.page, filter.limit, filter.format, query.pairs())?;
    let asked = between(filter.from, filter.to)?;
    list::<MechanicChanges>(&context, admin.user_id, request, asked).await
}

/// All pending changes.
struct MechanicChanges;

impl AdminList for MechanicChanges {
    const NAME: &'static str = "mechanic-changes";
    const PERSONAL_DATA: &'static [&'static str] = &["name"];
    type Filter = Between;
    type Item = MechanicChange;

    async fn count(core: &Core, asked: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, *asked).await?)
    }

    async fn rows(
        core: &Core,
        asked: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, *asked, window).await?;
        let key = |row: &AdminChangeRow| RowKey { at: row.change.requested_at, id: row.change.id };
        Ok(rows.into_iter().map(|row| (key(&row), MechanicChange::from(row))).collect())
    }
}

/// Lets the mechanic serve what they asked for.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "CONFLICT: a category was switched off meanwhile, or none serves the types"),
    ),
)]
#[post("/admin/mechanic-changes/{id}/approve")]
pub async fn approve_mechanic_change(
    context: Data<MechanicsContext>,
    change: Owned<ChangeRow, Admin>,
    body: Body<NoFields>,
) -> ApiResult<Json<MechanicProfile>> {
    let (change, Admin(admin)) = change.into_parts();
    body.read()?;
    decide(&context, admin, &change, Decision::Approve).await
}

/// Leaves what the mechanic serves as it is. The mechanic can read the reason.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses((status = 200, body = MechanicProfile)),
)]
#[post("/admin/mechanic-changes/{id}/reject")]
pub async fn reject_mechanic_change(
    context: Data<MechanicsContext>,
    change: Owned<ChangeRow, Admin>,
    body: Body<WithReason>,
) -> ApiResult<Json<MechanicProfile>> {
    let (change, Admin(admin)) = change.into_parts();
    let reason = body.read()?.reason.0;
    decide(&context, admin, &change, Decision::Reject { reason }).await
}

/// Admins decide on every change.
impl OwnedBy<Admin> for ChangeRow {
    const NAME: &'static str = "change";

    async fn find(core: &Core, _: &Admin, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

enum Decision {
    Approve,
    Reject { reason: String },
}

async fn decide(
    context: &MechanicsContext,
    admin: Caller,
    change: &ChangeRow,
    decision: Decision,
) -> ApiResult<Json<MechanicProfile>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let (before, wanted) = lock(&mut tx, change).await?;
    let mut after = before.clone();
    queries::withdraw(&mut tx, before.id).await?;
    if matches!(decision, Decision::Approve) {
        check(&mut tx, &before, &wanted).await?;
        after.set_served(wanted.clone());
        after.updated_at = now;
        mechanics::queries::update(&mut tx, &after).await?;
    }
    audit::record(&mut tx, &context.random, now, entry(admin, &decision, &before, &wanted)).await?;
    let happened = match &decision {
        Decision::Approve => DomainEvent::MechanicChangeApproved(before.id),
        Decision::Reject { reason } => DomainEvent::MechanicChangeRejected { profile_id: before.id, reason },
    };
    notifications::record(&mut tx, &context.random, happened, now).await?;
    tx.commit().await.map_err(commit_error)?;
    mechanics::changed(context, &after).await;
    Ok(Json(MechanicProfile::from(after)))
}

/// Locks the profile, then reads its change: the order in which the mechanic replaces it.
async fn lock(tx: &mut PgConnection, change: &ChangeRow) -> ApiResult<(ProfileRow, Served)> {
    let profile =
        mechanics::queries::lock(tx, change.mechanic_profile_id).await?.ok_or_else(no_such_change)?;
    let change = queries::find(&mut *tx, change.id).await?.ok_or_else(no_such_change)?;
    Ok((profile, change.wanted()))
}

/// Categories may have been removed since the mechanic asked.
async fn check(tx: &mut PgConnection, profile: &ProfileRow, wanted: &Served) -> ApiResult<()> {
    let ids = &wanted.service_category_ids;
    let servable = categories::lock_servable(tx, ids, &profile.service_category_ids).await?;
    if servable.len() < ids.len() || !wanted.can_match(tx).await? {
        let message = "A category in this request was switched off or changed. Reject the request and give that as the reason.";
        return Err(ApiError::new(Code::Conflict, message));
    }
    Ok(())
}

fn entry(admin: Caller, decision: &Decision, before: &ProfileRow, wanted: &Served) -> NewAuditEntry<'static> {
    let (action, after) = match decision {
        Decision::Approve => ("mechanic.approve_change", audited(wanted)),
        Decision::Reject { reason } => {
            ("mechanic.reject_change", json!({"rejected": audited(wanted), "reason": reason}))
        }
    };
    NewAuditEntry {
        actor_id: Some(admin.user_id),
        action,
        subject_kind: "mechanic_profile",
        subject_id: before.id,
        before: audited(&before.served()),
        after,
    }
}

fn audited(served: &Served) -> Value {
    json!({"vehicle_types": served.vehicle_types, "service_category_ids": served.service_category_ids})
}

fn no_such_change() -> ApiError {
    ApiError::not_found(ChangeRow::NAME)
}
