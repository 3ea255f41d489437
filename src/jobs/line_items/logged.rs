//! Line items in the job's log.

use roadcall_actors::job::state::{LineItem as EngineItem, is_item_event};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use super::{dto::LineItem, queries::LineItemRow};
use crate::wire::Named;

/// Returns the item that an event of the log is about, or `None` if it has no readable item.
pub fn of_event(job_id: Uuid, data: &Value) -> Option<LineItem> {
    let row: LineItemRow = serde_json::from_value(data.clone()).ok()?;
    (row.job_id == job_id).then(|| LineItem::from(row))
}

/// Returns an event's data for the timeline: a line item as everybody sees it, with only roughly where the vehicle goes if
/// `is_rough`; anything else as stored.
pub fn shown_data(job_id: Uuid, kind: &str, data: Value, is_rough: bool) -> Value {
    let item = is_item_event(kind).then(|| of_event(job_id, &data)).flatten();
    let item = item.map(|item| if is_rough { item.roughly() } else { item });
    item.and_then(|item| serde_json::to_value(item).ok()).unwrap_or(data)
}

/// Returns the item as a row, which the job's log stores too.
pub fn row_of(job_id: Uuid, item: &EngineItem) -> LineItemRow {
    let terms = item.terms.clone();
    LineItemRow {
        id: item.id.0,
        job_id,
        kind: Named(terms.kind),
        description: terms.description,
        quantity: i32::try_from(terms.quantity).unwrap_or(i32::MAX),
        unit_price_paise: terms.unit_price_paise,
        photo_url: terms.photo_url,
        destination: item.destination.as_deref().map(|destination| Json(destination.into())),
        status: Named(item.status),
        is_on_account: item.is_on_account,
        version: item.version,
        created_at: item.created_at,
        updated_at: item.updated_at,
    }
}
