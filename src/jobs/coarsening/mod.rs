//! Coarsens the places in jobs whose customer deleted their account, in those of partners' old cases, and in those that a mechanic
//! reads long afterwards: the position to about a kilometre, the address to its last part.

mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use self::queries::Addressed;
pub use self::queries::has_exact as has_exact_places;

/// Replaces an address of which no part may be kept.
const NOTHING_LEFT: &str = "Address removed";

/// Coarsens the pickups and destinations of a customer's jobs that are over and not disputed, in the rows and in
/// their logs, at most `limit` jobs at once. Returns the jobs that it changed.
pub async fn coarsen_places(
    tx: &mut PgConnection,
    customer_id: Uuid,
    limit: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Uuid>> {
    let exact = queries::lock_exact(tx, customer_id, limit).await?;
    coarsen(tx, &exact, now).await
}

/// Coarsens the pickups and destinations of a case's jobs, which are all over. Returns the jobs that it changed.
pub async fn coarsen_case(
    tx: &mut PgConnection,
    case_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Uuid>> {
    let exact = queries::lock_exact_of_case(tx, case_id).await?;
    coarsen(tx, &exact, now).await
}

async fn coarsen(tx: &mut PgConnection, exact: &[Addressed], now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    if exact.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = exact.iter().map(|(id, ..)| *id).collect();
    let pickups: Vec<String> = exact.iter().map(|(_, pickup, _)| shortened(pickup)).collect();
    let destinations: Vec<Option<String>> =
        exact.iter().map(|(.., destination)| destination.as_deref().map(shortened)).collect();
    queries::coarsen_rows(tx, &ids, (&pickups, &destinations), now).await?;
    queries::coarsen_logs(tx, &ids).await?;
    let (items, addresses): (Vec<Uuid>, Vec<String>) = queries::item_destinations(tx, &ids)
        .await?
        .into_iter()
        .map(|(id, address)| (id, shortened(&address)))
        .unzip();
    queries::coarsen_items(tx, &items, &addresses).await?;
    queries::forget_logged_details(tx, &ids).await?;
    Ok(ids)
}

/// Returns the last part of an address, which names the town, without words with digits: those are house numbers and postal
/// codes.
pub(super) fn shortened(address: &str) -> String {
    let Some((_, last)) = address.rsplit_once(',') else { return NOTHING_LEFT.to_owned() };
    let words = last.split_whitespace().filter(|word| !word.chars().any(char::is_numeric));
    let kept = words.collect::<Vec<_>>().join(" ");
    if kept.is_empty() { NOTHING_LEFT.to_owned() } else { kept }
}

/// Rounds a degree of latitude or longitude as `coarsen_rows` does in the database.
pub fn rounded(degrees: f64) -> f64 {
    (degrees * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shortened_to_its_town() {
        for (address, expected) in [
            ("12 MG Road, Indiranagar, Bengaluru", "Bengaluru"),
            ("12 MG Road, Bengaluru 560038", "Bengaluru"),
            ("MG Road, New Delhi", "New Delhi"),
            ("MG Road, १२ दिल्ली", "दिल्ली"),
            ("MG Road", NOTHING_LEFT),
            ("MG Road, 560038", NOTHING_LEFT),
            ("MG Road, ", NOTHING_LEFT),
        ] {
            assert_eq!(shortened(address), expected, "{address}");
        }
    }
}
