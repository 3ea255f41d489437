//! Corrections on the wire.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_actors::{
    geo::Point,
    job::state::{ContactDetails, DetailChanges, NewTime},
};
use utoipa::ToSchema;

use crate::{
    accounts::uploads::FileUrl,
    http::{
        Change, Items, Latitude, Longitude, Money, Name, Patch, Phone, Text, Timestamp, ValidationErrors,
    },
    jobs::{
        dto::{ContactPreference, begins_at, schedule_fault},
        queries::JobRow,
    },
};

/// The changes to a job; fields that are left out stay as they are.
#[derive(Debug, Clone, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct JobCorrection {
    #[deserr(default)]
    #[schema(value_type = Text<1, 500>, required = false)]
    pub pickup_address: Change<Text<1, 500>>,
    /// Requires `pickup_lng`. The new place must be within `jobs.correction_radius_m` of the original pickup.
    #[deserr(default)]
    #[schema(value_type = Latitude, required = false)]
    pub pickup_lat: Change<Latitude>,
    #[deserr(default)]
    #[schema(value_type = Longitude, required = false)]
    pub pickup_lng: Change<Longitude>,
    #[deserr(default)]
    #[schema(value_type = Option<Text<1, 2000>>)]
    pub description: Patch<Text<1, 2000>>,
    #[deserr(default)]
    #[schema(value_type = Vec<FileUrl>, max_items = 10, required = false)]
    pub photo_urls: Change<Items<FileUrl, 0, 10>>,
    #[deserr(default)]
    #[schema(value_type = Option<Name<100>>)]
    pub beneficiary_name: Patch<Name<100>>,
    #[deserr(default)]
    #[schema(value_type = Option<Phone>)]
    pub beneficiary_phone: Patch<Phone>,
    /// Every value except booker requires a `beneficiary_phone`.
    #[deserr(default)]
    #[schema(value_type = ContactPreference, required = false)]
    pub contact_preference: Change<ContactPreference>,
    /// When help should come; null: as soon as possible. The time can be changed only until the search begins, which is
    /// `jobs.schedule_lead_s` before it.
    #[deserr(default)]
    #[schema(value_type = Option<Timestamp>)]
    pub scheduled_for: Patch<Timestamp>,
    /// The price at the new place that the caller agrees to. The answer is PRICE_CHANGED if the job would cost more than this or,
    /// if this is left out, more than the present estimate.
    #[deserr(default)]
    pub quoted_price: Option<Money>,
}

impl JobCorrection {
    /// Checks the rules that the fields' types can't express. Help can be scheduled up to `horizon` ahead.
    pub fn faults(&self, row: &JobRow, horizon: TimeDelta, now: DateTime<Utc>) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        if let Patch::Set(at) = &self.scheduled_for
            && let Some(why) = schedule_fault(*at, horizon, now)
        {
            faults.add("scheduled_for", why);
        }
        match (&self.pickup_lat, &self.pickup_lng) {
            (Change::To(_), Change::Keep) => faults.add("pickup_lng", "is required with pickup_lat"),
            (Change::Keep, Change::To(_)) => faults.add("pickup_lat", "is required with pickup_lng"),
            (Change::Keep, Change::Keep) | (Change::To(_), Change::To(_)) => {}
        }
        if self.touches_contact() {
            let phone = self.phone_after(row);
            let fault = self.contact_preference.clone().over(row.contact_preference).fault(phone.as_deref());
            fault.into_iter().for_each(|(field, why)| faults.add(field, why));
        }
        faults
    }

    /// Returns the place to which the job moves, or `None` if it stays.
    pub fn point(&self, row: &JobRow) -> Option<Point> {
        let (Change::To(lat), Change::To(lng)) = (&self.pickup_lat, &self.pickup_lng) else { return None };
        Some(Point::new(lat.0, lng.0)).filter(|point| *point != Point::new(row.pickup_lat, row.pickup_lng))
    }

    /// Returns the new time for help to come, if it changes; dispatch begins `lead` before it.
    pub fn time(&self, row: &JobRow, lead: TimeDelta, now: DateTime<Utc>) -> Option<NewTime> {
        let scheduled_for = self.scheduled_for.clone().map(|at| at.0).into_option()?;
        let begin_at = begins_at(scheduled_for, lead, now);
        (scheduled_for != row.scheduled_for).then_some(NewTime { scheduled_for, begin_at })
    }

    /// Returns the new photos of the job, or `None` if they stay.
    pub fn photos(&self, row: &JobRow) -> Option<&[FileUrl]> {
        let Change::To(urls) = &self.photo_urls else { return None };
        let are_same =
            urls.0.len() == row.photo_urls.len() && urls.0.iter().zip(&row.photo_urls).all(|(a, b)| a.is(b));
        (!are_same).then_some(&urls.0)
    }

    /// Returns the changes apart from the place, without values that the job already has.
    pub fn details(self, row: &JobRow, photo_urls: Option<Vec<String>>) -> DetailChanges {
        let contact = self.contact(row);
        let pickup_address = self.pickup_address.into_option().map(|text| text.0);
        let description = self.description.map(|text| text.0).into_option();
        DetailChanges {
            pickup_address: pickup_address.filter(|address| *address != row.pickup_address),
            description: description.filter(|description| *description != row.description),
            photo_urls,
            contact,
        }
    }

    fn touches_contact(&self) -> bool {
        self.beneficiary_name != Patch::Keep
            || self.beneficiary_phone != Patch::Keep
            || self.contact_preference != Change::Keep
    }

    fn phone_after(&self, row: &JobRow) -> Option<String> {
        self.beneficiary_phone.clone().map(|phone| phone.0).over(row.beneficiary_phone.clone())
    }

    /// Returns whom the mechanic contacts afterwards, or `None` if that stays the same.
    fn contact(&self, row: &JobRow) -> Option<ContactDetails> {
        let name = self.beneficiary_name.clone().map(|name| name.0);
        let after = ContactDetails {
            beneficiary_name: name.over(row.beneficiary_name.clone()),
            beneficiary_phone: self.phone_after(row),
            preference: self.contact_preference.clone().over(row.contact_preference).to_string(),
        };
        let before = ContactDetails {
            beneficiary_name: row.beneficiary_name.clone(),
            beneficiary_phone: row.beneficiary_phone.clone(),
            preference: row.contact_preference.to_string(),
        };
        (after != before).then_some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(body: Value) -> JobCorrection {
        deserr::deserialize::<_, _, ValidationErrors>(body).expect("a correction")
    }

    fn row() -> JobRow {
        let mut row = crate::jobs::view::tests::row("pending");
        row.beneficiary_phone = None;
        row.description = Some("Flat".to_owned());
        row.photo_urls = vec!["https://files.example/1.jpg".to_owned()];
        row
    }

    fn now() -> DateTime<Utc> {
        "2026-03-01T12:00:00Z".parse().expect("a time")
    }

    #[test]
    fn dispatch_begins_before_the_new_time_and_never_in_the_past() {
        let (at, lead) = (|minutes| now() + TimeDelta::minutes(minutes), TimeDelta::minutes(30));
        let mut row = row();
        row.scheduled_for = Some(at(60));
        let time =
            |wanted: Value, row: &JobRow| read(json!({"scheduled_for": wanted})).time(row, lead, now());
        let of = |scheduled_for, begin_at| Some(NewTime { scheduled_for, begin_at });
        assert_eq!(time(json!(at(90).to_rfc3339()), &row), of(Some(at(90)), at(60)));
        assert_eq!(time(json!(at(10).to_rfc3339()), &row), of(Some(at(10)), now()));
        assert_eq!(time(Value::Null, &row), of(None, now()));
        assert_eq!(
            (time(json!(at(60).to_rfc3339()), &row), read(json!({})).time(&row, lead, now())),
            (None, None)
        );
        row.scheduled_for = None;
        assert_eq!(time(Value::Null, &row), None);
    }

    #[test]
    fn every_faulty_field_is_named() {
        let cases = [
            (json!({"pickup_lat": 1.0}), vec!["pickup_lng"]),
            (json!({"pickup_lng": 1.0}), vec!["pickup_lat"]),
            (json!({"contact_preference": "both"}), vec!["beneficiary_phone"]),
            (json!({"contact_preference": "both", "beneficiary_phone": "+919812345678"}), vec![]),
            (json!({"beneficiary_phone": null}), vec![]),
            (json!({"pickup_lat": 1.0, "pickup_lng": 1.0}), vec![]),
            (json!({"scheduled_for": "2026-03-01T12:00:00Z"}), vec!["scheduled_for"]),
            (json!({"scheduled_for": "2026-03-08T12:00:01Z"}), vec!["scheduled_for"]),
            (json!({"scheduled_for": "2026-03-08T12:00:00Z"}), vec![]),
            (json!({"scheduled_for": null}), vec![]),
        ];
        for (body, fields) in cases {
            let faults = read(body.clone()).faults(&row(), TimeDelta::days(7), now());
            assert_eq!(faults.0.keys().collect::<Vec<_>>(), fields, "{body}");
        }
    }

    #[test]
    fn values_that_the_job_already_has_change_nothing() {
        let row = row();
        let same = read(
            json!({"pickup_address": "here", "pickup_lat": 1.0, "pickup_lng": 2.0, "description": "Flat",
            "photo_urls": ["https://files.example/1.jpg"], "beneficiary_name": null, "contact_preference": "booker"}),
        );
        assert_eq!((same.point(&row), same.photos(&row)), (None, None));
        assert_eq!(same.details(&row, None), DetailChanges::default());
        let other =
            read(json!({"pickup_lat": 1.0, "pickup_lng": 2.5, "description": null, "photo_urls": []}));
        assert_eq!(other.point(&row), Some(Point::new(1.0, 2.5)));
        assert!(other.photos(&row).is_some_and(|photos| photos.is_empty()));
        assert_eq!(other.details(&row, None).description, Some(None));
    }
}
