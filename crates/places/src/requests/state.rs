use chrono::{DateTime, Utc};
use roadcall_http::text_enum;

use super::queries::PlaceRequestRow;

text_enum! {
    /// The state of a request for a place.
    PlaceRequestStatus {
        /// Nobody has shared a place so far.
        Waiting = "waiting",
        /// The person has shared a place, and may still correct it.
        Placed = "placed",
        /// An admin has taken the place.
        Used = "used",
        /// The half hour is over.
        Expired = "expired",
    }
}

impl PlaceRequestRow {
    pub fn status(&self, now: DateTime<Utc>) -> PlaceRequestStatus {
        match (self.used_at, self.placed_at) {
            (Some(_), _) => PlaceRequestStatus::Used,
            _ if self.expires_at <= now => PlaceRequestStatus::Expired,
            (None, Some(_)) => PlaceRequestStatus::Placed,
            (None, None) => PlaceRequestStatus::Waiting,
        }
    }

    /// Returns whether the link still accepts a place.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        matches!(self.status(now), PlaceRequestStatus::Waiting | PlaceRequestStatus::Placed)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_request_waits_and_is_answered_and_ends() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::hours(1);
        let row = |left_s: i64, is_placed: bool, is_used: bool| PlaceRequestRow {
            id: Uuid::nil(),
            created_at: now,
            expires_at: now + TimeDelta::seconds(left_s),
            sent_at: None,
            lat: is_placed.then_some(12.9),
            lng: is_placed.then_some(77.6),
            accuracy_m: None,
            placed_at: is_placed.then_some(now),
            used_at: is_used.then_some(now),
        };
        let cases = [
            (row(1, false, false), PlaceRequestStatus::Waiting, true),
            (row(1, true, false), PlaceRequestStatus::Placed, true),
            (row(0, true, false), PlaceRequestStatus::Expired, false),
            (row(0, false, false), PlaceRequestStatus::Expired, false),
            (row(1, true, true), PlaceRequestStatus::Used, false),
            (row(0, true, true), PlaceRequestStatus::Used, false),
        ];
        for (row, status, is_open) in cases {
            assert_eq!((row.status(now), row.is_open(now)), (status, is_open), "{row:?}");
        }
    }
}
