//! The kinds of help that are offered, with their prices and dispatch settings.

mod actions;
mod context;
mod current;
mod dto;
mod handlers;
mod queries;
mod questions;

pub use context::CategoriesContext;
pub use current::CurrentCategories;
pub use dto::DestinationRule;
pub use queries::{CategoryRow, any_serves, find, lock_servable, questions_of};
pub use questions::{CategoryQuestion, check_answers};

use roadcall_http::Routes;
use roadcall_platform::error::ApiResult;
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::catalogue::{dispatch_settings::DispatchSettings, vehicles::VehicleKind};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_service_categories)
        .service(handlers::create_service_category)
        .service(handlers::get_service_category)
        .service(handlers::update_service_category)
        .service(handlers::delete_service_category)
        .service(handlers::get_questions)
        .service(handlers::set_questions);
}

/// Returns all categories, in their order, including those that are switched off.
pub async fn all(db: impl PgExecutor<'_>) -> ApiResult<Vec<CategoryRow>> {
    Ok(queries::list(db, None, true).await?)
}

/// Returns those of these categories that are switched on and tow vehicles of this type to a destination, in their order.
pub async fn towing(db: impl PgExecutor<'_>, ids: &[Uuid], kind: VehicleKind) -> ApiResult<Vec<CategoryRow>> {
    let offered = queries::list(db, Some(kind), false).await?.into_iter();
    Ok(offered.filter(|row| row.destination != DestinationRule::NotTaken && ids.contains(&row.id)).collect())
}

/// Returns the category, unless it is unknown or switched off.
pub async fn find_active(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<CategoryRow>> {
    Ok(queries::find(db, id).await?.filter(|row| row.is_active))
}

/// Lists the settings that conflict with a category's overrides, and why. A search shorter than one offer would ask only one
/// mechanic, and a search that begins past its last round would find nobody.
pub async fn misfits(
    db: impl PgExecutor<'_>,
    settings: &DispatchSettings,
) -> ApiResult<Vec<(&'static str, String)>> {
    let rows = queries::list(db, None, true).await?;
    Ok(rows.iter().flat_map(|row| misfits_of(row, settings)).collect())
}

fn misfits_of(row: &CategoryRow, settings: &DispatchSettings) -> Vec<(&'static str, String)> {
    let (over, slug) = (&row.overrides, &row.slug);
    let mut misfits = Vec::new();
    match (over.offer_ttl_s.map(i64::from), over.attempt_ttl_s.map(i64::from)) {
        (Some(offer_s), None) if offer_s > settings.attempt_ttl_s => {
            misfits.push(("attempt_ttl_s", format!("is below the {offer_s} s that offers of {slug} stand")));
        }
        (None, Some(attempt_s)) if attempt_s < settings.offer_ttl_s => {
            misfits.push(("offer_ttl_s", format!("is above the {attempt_s} s of an attempt for {slug}")));
        }
        _ => {}
    }
    match (over.urgent_first_round.map(i64::from), over.max_rounds.map(i64::from)) {
        (Some(first), None) if first > i64::from(settings.max_rounds) => {
            misfits.push(("max_rounds", format!("urgent jobs of {slug} begin at round {first}")));
        }
        (None, Some(rounds)) if rounds < i64::from(settings.urgent_first_round) => {
            misfits.push(("urgent_first_round", format!("{slug} has {rounds} rounds")));
        }
        _ => {}
    }
    misfits
}
