//! Mechanics as admins see them, and what admins do to their profiles.

use actix_web::{HttpResponse, get, post, web::Data};

use super::{
    actions::move_profile,
    dto::{MechanicFilter, MechanicForAdmin, MechanicProfile, WithReason},
    lookup,
    queries::{self, AdminProfileFilter},
    refusals::no_such_mechanic,
    state::ProfileCommand,
};
use crate::{
    accounts::auth::{Admin, AnyId, MechanicStatus, desk},
    fleet::mechanics::MechanicsContext,
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, NoFields, Owned, Page, Query, RowKey,
        SearchText, Text, Timestamp, between, list,
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Mechanics, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<MechanicStatus>, Query, description = "Only mechanics with this status"),
        ("q" = Option<Text<2, 100>>, Query, description = "Words that begin words of the name or the email, or the last digits of the phone number, at least 4"),
        ("from" = Option<Timestamp>, Query, description = "Registered from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Registered before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<MechanicForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/mechanics")]
pub async fn list_mechanics(
    context: Data<MechanicsContext>,
    Admin(admin, _): Admin<desk::Cases>,
    query: Query<MechanicFilter>,
) -> ApiResult<HttpResponse> {
    let filter = query.read()?;
    let request = ListRequest::new(filter.page, filter.limit, filter.format, query.pairs())?;
    let filter = AdminProfileFilter {
        status: filter.status.map(|status| status.0),
        q: SearchText::of(filter.q),
        made: between(filter.from, filter.to)?,
    };
    list::<Mechanics>(&context, admin.user_id, request, filter).await
}

/// All mechanics.
struct Mechanics;

impl AdminList for Mechanics {
    const NAME: &'static str = "mechanics";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = AdminProfileFilter;
    type Item = MechanicForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list_for_admin(&core.db, filter, window).await?;
        let key = |row: &queries::AdminProfileRow| RowKey { at: row.profile.created_at, id: row.profile.id };
        Ok(rows.into_iter().map(|row| (key(&row), MechanicForAdmin::from(row))).collect())
    }
}

/// One mechanic, with their documents.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = MechanicForAdmin)))]
#[get("/admin/mechanics/{id}")]
pub async fn get_mechanic_for_admin(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::Cases>>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), _) = target.into_parts();
    let row = queries::find_for_admin(&context.db, id).await?.ok_or_else(no_such_mechanic)?;
    let documents = lookup::documents_of(&context.db, &row.profile).await?;
    Ok(HttpResponse::Ok().json(MechanicForAdmin::from(row).with(documents)))
}

/// Rejects a submitted profile. The mechanic can read the reason and may register again.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not pending_verification, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reject")]
pub async fn reject_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<WithReason>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    lookup::find(&context, id).await?;
    let command = ProfileCommand::Reject { reason: body.read()?.reason.0 };
    let profile = move_profile(&context, admin.user_id, id, command).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Ends a suspension. The mechanic is unavailable until they switch availability on again.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not suspended, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reinstate")]
pub async fn reinstate_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    lookup::find(&context, id).await?;
    body.read()?;
    let profile = move_profile(&context, admin.user_id, id, ProfileCommand::Reinstate).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}
