//! Accounts as admins see them, and their suspension.

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    dto::{AdminUser, UserFilter},
    queries::{self, Filter},
};
use crate::{
    accounts::auth::{Admin, AnyId, AuthContext, Caller, Role, UserStatus},
    http::{
        AdminList, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey, SearchText, Text, list,
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// All accounts, the newest first (contract 4.7).
#[utoipa::path(tag = "admin",
    params(
        ("role" = Option<Role>, Query), ("status" = Option<UserStatus>, Query),
        ("q" = Option<Text<2, 100>>, Query, description = "Words that begin words of the name or the email, or the last digits of the phone number, at least 4"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<AdminUser> = "application/json"), (String = "text/csv")))))]
#[get("/admin/users")]
pub async fn list_users(
    Admin(admin): Admin,
    context: Data<AuthContext>,
    query: Query<UserFilter>,
) -> ApiResult<HttpResponse> {
    let asked = query.read()?;
    let request = ListRequest::new(asked.page, asked.limit, asked.format, query.pairs())?;
    let filter = Filter {
        role: asked.role.map(|role| role.0),
        status: asked.status.map(|status| status.0),
        q: SearchText::of(asked.q),
    };
    list::<Users>(&context, admin.user_id, request, filter).await
}

/// All accounts.
struct Users;

impl AdminList for Users {
    const NAME: &'static str = "users";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "email", "avatar_url"];
    type Filter = Filter;
    type Item = AdminUser;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        Ok(rows
            .into_iter()
            .map(|row| (RowKey { at: row.created_at, id: row.id }, AdminUser::from(row)))
            .collect())
    }
}

/// One account, with what only admins see of it.
#[utoipa::path(tag = "admin", responses((status = 200, body = AdminUser)))]
#[get("/admin/users/{id}")]
pub async fn get_user(context: Data<AuthContext>, target: Owned<AnyId, Admin>) -> ApiResult<Json<AdminUser>> {
    let row = queries::find(&context.db, target.0).await?.ok_or_else(no_user)?;
    Ok(Json(row.into()))
}

pub fn no_user() -> ApiError {
    ApiError::not_found("user")
}

/// 403 for admins who do to themselves what only another admin may do to them.
pub fn not_own(caller: &Caller, id: Uuid) -> ApiResult<()> {
    let forbidden = || ApiError::forbidden("You can't do this to your own account.");
    if id == caller.user_id { Err(forbidden()) } else { Ok(()) }
}
