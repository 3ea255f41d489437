use actix_web::{
    get,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    dto::{PartnerEvent, PartnerEvents, PartnerEventsAfter},
    queries,
};
use crate::{
    accounts::{
        auth::scope::{self, Scope},
        organisations::Partner,
    },
    http::{Owned, OwnedBy, PathIds, Query, ValidationErrors},
    partners::feeds::context::FeedsContext,
    platform::{core::Core, error::ApiResult},
};

/// A case of the caller's, for its events.
#[derive(Debug)]
pub struct CaseOfEvents {
    id: Uuid,
    last_seq: i64,
}

impl<S: Scope> OwnedBy<Partner<S>> for CaseOfEvents {
    const NAME: &'static str = "case";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = queries::case(&core.db, path.id("id")?).await?;
        let own = found
            .filter(|case| case.organisation_id == caller.organisation_id && caller.may_see(case.made_by));
        Ok(own.map(|case| Self { id: case.id, last_seq: case.last_seq }))
    }
}

/// Lists the events of a case after `since_seq` (default 0), in order: the same as webhooks bring, of all kinds. Events are kept
/// for 30 days (`partners.keep_deliveries_days`).
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(
        ("id" = Uuid, Path),
        ("since_seq" = Option<i64>, Query, minimum = 0),
        ("limit" = Option<i64>, Query, description = "1 to 100, default 100", minimum = 1, maximum = 100),
    ),
    responses((status = 200, body = PartnerEvents)),
)]
#[get("/partner/cases/{id}/events")]
pub async fn list_case_events(
    context: Data<FeedsContext>,
    case: Owned<CaseOfEvents, Partner<scope::Read>>,
    query: Query<PartnerEventsAfter>,
) -> ApiResult<Json<PartnerEvents>> {
    let (since_seq, limit) = range(query.read()?)?;
    let rows = queries::since(&context.db, case.id, since_seq, limit).await?;
    let last_seq = rows.last().map_or(case.last_seq, |row| row.seq.max(case.last_seq));
    Ok(Json(PartnerEvents { data: rows.into_iter().map(PartnerEvent::from).collect(), last_seq }))
}

fn range(query: PartnerEventsAfter) -> ApiResult<(i64, i64)> {
    let since_seq = query.since_seq.map_or(0, |param| param.0.0);
    let limit = query.limit.map_or(100, |param| param.0.0);
    let mut faults = ValidationErrors::default();
    if since_seq < 0 {
        faults.add("since_seq", "must be at least 0");
    }
    if !(1..=100).contains(&limit) {
        faults.add("limit", "must be 1 to 100");
    }
    faults.into_result()?;
    Ok((since_seq, limit))
}
