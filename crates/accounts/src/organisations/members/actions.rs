//! Adding and removing members.

use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use uuid::Uuid;

use super::{
    dto::NewOrganisationMember,
    queries::{self, MemberRow},
};
use crate::{
    auth::{Principal, Role, person_of_phone},
    organisations::{
        actions::no_such_organisation, audited, context::OrganisationsContext, queries as organisations,
    },
};

/// Makes a person a member of an organisation. A person has one membership at most.
pub async fn add(
    context: &OrganisationsContext,
    admin: Principal,
    organisation_id: Uuid,
    new: NewOrganisationMember,
) -> ApiResult<MemberRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    organisations::lock(&mut tx, organisation_id).await?.ok_or_else(no_such_organisation)?;
    let id = context.random.id(now);
    let person = person_of_phone(&mut tx, id, &new.phone.0, Some(&new.name.0), now).await?;
    if person.role != Role::Customer {
        return Err(ApiError::new(Code::Conflict, "An admin can't be a member of an organisation."));
    }
    let row = MemberRow {
        id: context.random.id(now),
        organisation_id,
        user_id: person.id,
        role: new.role,
        created_at: now,
        name: None,
        phone: None,
    };
    queries::insert(&mut tx, &row).await?;
    let row = queries::find(&mut *tx, row.id).await?.ok_or_else(no_such_member)?;
    audited::member_added(context, &mut tx, admin, &row).await?;
    let committed = tx.commit().await;
    context.forget();
    committed.map_err(commit_error)?;
    Ok(row)
}

/// Ends a membership at once.
pub async fn remove(context: &OrganisationsContext, admin: Principal, row: &MemberRow) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    if !queries::end(&mut tx, row.id, context.clock.now()).await? {
        return Err(no_such_member());
    }
    audited::member_removed(context, &mut tx, admin, row).await?;
    let committed = tx.commit().await;
    context.forget();
    committed.map_err(commit_error)
}

fn no_such_member() -> ApiError {
    ApiError::not_found("organisation member")
}
