//! Use cases of admins with workshops, and of customers who look for one.

use roadcall_actors::geo::Point;
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code, commit_error},
    idempotency::{self, Claim},
};
use uuid::Uuid;

use super::{
    audited,
    dto::{NewWorkshop, Workshop, WorkshopChanges},
    queries::{self, MAX_WORKSHOPS},
};

/// Returns the workshops that can be chosen, nearest to this place first, each with its distance in metres.
pub async fn nearest(core: &Core, from: Point, limit: usize) -> ApiResult<Vec<(Workshop, f64)>> {
    let with_distance = |row: Workshop| {
        let metres = from.distance_m(Point::new(row.lat, row.lng));
        (row, metres)
    };
    let mut near: Vec<(Workshop, f64)> =
        queries::active(&core.db).await?.into_iter().map(with_distance).collect();
    near.sort_by(|(one, one_m), (other, other_m)| one_m.total_cmp(other_m).then(one.id.cmp(&other.id)));
    near.truncate(limit);
    Ok(near)
}

/// Adds a workshop.
pub async fn create(core: &Core, admin: Uuid, new: NewWorkshop, claim: &Claim) -> ApiResult<Workshop> {
    let now = core.clock.now();
    let row = Workshop {
        id: core.random.id(now),
        name: new.name.0,
        address: new.address.0,
        lat: new.lat.0,
        lng: new.lng.0,
        phone: new.phone.map(|phone| phone.0),
        is_active: new.is_active.unwrap_or(true),
        created_at: now.into(),
        updated_at: now.into(),
    };
    let mut tx = core.db.begin().await?;
    if !queries::insert(&mut tx, &row).await? {
        let why = format!("There can be at most {MAX_WORKSHOPS} workshops. Delete one first.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    audited::record(core, &mut tx, admin, "workshop.create", None, Some(&row)).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Changes the given fields. Jobs that go there keep the place as it was.
pub async fn change(core: &Core, admin: Uuid, id: Uuid, changes: WorkshopChanges) -> ApiResult<Workshop> {
    let mut tx = core.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_workshop)?;
    let row = Workshop {
        name: changes.name.map(|text| text.0).over(before.name.clone()),
        address: changes.address.map(|text| text.0).over(before.address.clone()),
        lat: changes.lat.map(|degrees| degrees.0).over(before.lat),
        lng: changes.lng.map(|degrees| degrees.0).over(before.lng),
        phone: changes.phone.map(|phone| phone.0).over(before.phone.clone()),
        is_active: changes.is_active.over(before.is_active),
        updated_at: core.clock.now().into(),
        ..before.clone()
    };
    queries::update(&mut tx, &row).await?;
    audited::record(core, &mut tx, admin, "workshop.update", Some(&before), Some(&row)).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Removes a workshop. Jobs that go there keep its place and its name.
pub async fn delete(core: &Core, admin: Uuid, id: Uuid) -> ApiResult<()> {
    let mut tx = core.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_workshop)?;
    queries::delete(&mut tx, id).await?;
    audited::record(core, &mut tx, admin, "workshop.delete", Some(&before), None).await?;
    tx.commit().await.map_err(commit_error)
}

pub(super) fn no_such_workshop() -> ApiError {
    ApiError::not_found("workshop")
}
