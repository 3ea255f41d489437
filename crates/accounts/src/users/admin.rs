//! Accounts as admins see them, and their suspension.

use actix_web::{
    HttpResponse, get, post, put,
    web::{Data, Json},
};
use roadcall_http::{
    AdminList, Body, ExportQuery, ListWindow, MAX_COUNTED_RESULTS, Owned, OwnedBy, Page, PathIds, RowKey,
    list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code},
};
use uuid::Uuid;

use super::{
    actions,
    dto::{AdminUser, JobLimit, NewUser},
    queries::{self, UserFilter},
    refusals::no_user,
};
use crate::auth::{
    Admin, AnyId, AuthContext, Role, UserStatus,
    desk::{self, AtDesk},
};

/// Lists all accounts, the newest first (contract 4.7).
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::Cases))),
    params(ExportQuery<UserFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<AdminUser> = "application/json"), (String = "text/csv")))))]
#[get("/admin/users")]
pub async fn list_users(
    Admin(admin, _): Admin<desk::Cases>,
    context: Data<AuthContext>,
    query: ExportQuery<UserFilter>,
) -> ApiResult<HttpResponse> {
    list::<Users>(&context, admin.user_id, &query).await
}

/// The list of all accounts.
struct Users;

impl AdminList for Users {
    const NAME: &'static str = "users";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "email", "avatar_url"];
    type Filter = UserFilter;
    type Item = AdminUser;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter, None).await?)
    }

    async fn total(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter, Some(MAX_COUNTED_RESULTS)).await?)
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

/// Returns the account with this phone number, and creates it if it does not exist. The person need not have signed in:
/// when they do, with this number, they get this account.
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::Callers))), request_body = NewUser,
    responses(
        (status = 200, body = AdminUser, description = "There was one already"),
        (status = 201, body = AdminUser),
    ))]
#[post("/admin/users")]
pub async fn find_or_create_user(
    Admin(admin, _): Admin<desk::Callers>,
    context: Data<AuthContext>,
    body: Body<NewUser>,
) -> ApiResult<HttpResponse> {
    let NewUser { phone, name } = body.read()?;
    let name = name.map(|name| name.0);
    let (row, is_new) = actions::find_or_create(&context, admin.user_id, &phone.0, name.as_deref()).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(AdminUser::from(row)))
}

/// Returns an account, with the fields that only admins see.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    responses((status = 200, body = AdminUser)),
)]
#[get("/admin/users/{id}")]
pub async fn get_user(
    context: Data<AuthContext>,
    target: Owned<AnyId, Admin<desk::Cases>>,
) -> ApiResult<Json<AdminUser>> {
    let row = queries::find(&context.db, target.0).await?.ok_or_else(no_user)?;
    Ok(Json(row.into()))
}

/// Sets how many jobs a customer may have open at once, for example for a customer with a fleet; null restores
/// everybody's limit.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    request_body = JobLimit,
    responses((status = 200, body = AdminUser)),
)]
#[put("/admin/users/{id}/job-limit")]
pub async fn set_job_limit(
    context: Data<AuthContext>,
    customer: Owned<CustomerAccount, Admin<desk::People>>,
    body: Body<JobLimit>,
) -> ApiResult<Json<AdminUser>> {
    let (customer, Admin(admin, _)) = customer.into_parts();
    let most = body.read()?.max_open_jobs.and_then(|most| i32::try_from(most.0).ok());
    let row = actions::set_job_limit(&context, admin.user_id, customer.id, most).await?;
    Ok(Json(row.into()))
}

/// A customer's account, for which admins act.
#[derive(Debug, Clone)]
pub struct CustomerAccount {
    pub id: Uuid,
    /// The mechanic's profile, if the customer is a mechanic, too.
    pub mechanic_profile_id: Option<Uuid>,
    status: UserStatus,
}

impl CustomerAccount {
    /// Refuses with 409 if the customer is suspended.
    pub fn check_active(&self) -> ApiResult<()> {
        match self.status {
            UserStatus::Active => Ok(()),
            UserStatus::Suspended | UserStatus::Deleted => {
                let why = "This customer is suspended. Reinstate them first.";
                Err(ApiError::new(Code::Conflict, why))
            }
        }
    }
}

/// Finds any customer who has not left, since admins act for all of them.
impl<D: AtDesk> OwnedBy<Admin<D>> for CustomerAccount {
    const NAME: &'static str = "customer";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        let row = queries::find(&core.db, path.id("id")?).await?;
        let row = row.filter(|row| row.role == Role::Customer && row.status != UserStatus::Deleted);
        Ok(row.map(|row| Self {
            id: row.id,
            mechanic_profile_id: row.mechanic_profile_id,
            status: row.status,
        }))
    }
}
