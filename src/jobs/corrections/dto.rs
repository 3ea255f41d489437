//! Corrections on the wire.

use deserr::Deserr;
use roadcall_actors::job::state::ContactDetails;
use utoipa::ToSchema;

use crate::{
    accounts::uploads::FileUrl,
    http::{Change, Items, Latitude, Longitude, Money, Name, Patch, Phone, Text, ValidationErrors},
    jobs::{JobRow, dto::ContactPreference},
};

/// What shall be different; what is left out stays as it is.
#[derive(Debug, Clone, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct JobCorrection {
    #[deserr(default)]
    #[schema(value_type = Text<1, 500>, required = false)]
    pub pickup_address: Change<Text<1, 500>>,
    /// Together with `pickup_lng`; within `jobs.correction_radius_m` of where the pickup was first.
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
    /// All but booker need a `beneficiary_phone`.
    #[deserr(default)]
    #[schema(value_type = ContactPreference, required = false)]
    pub contact_preference: Change<ContactPreference>,
    /// The price of the job at the new place that the caller agrees to; PRICE_CHANGED when it is more than that, or than the
    /// present estimate where this is left out.
    #[deserr(default)]
    pub quoted_price: Option<Money>,
}

impl JobCorrection {
    /// Whom the mechanic contacts afterwards; `None` where that stays.
    pub fn contact(&self, row: &JobRow) -> Option<ContactDetails> {
        let is_touched = self.beneficiary_name != Patch::Keep
            || self.beneficiary_phone != Patch::Keep
            || self.contact_preference != Change::Keep;
        is_touched.then(|| ContactDetails {
            beneficiary_name: self
                .beneficiary_name
                .clone()
                .map(|name| name.0)
                .over(row.beneficiary_name.clone()),
            beneficiary_phone: self
                .beneficiary_phone
                .clone()
                .map(|phone| phone.0)
                .over(row.beneficiary_phone.clone()),
            preference: self.contact_preference.clone().over(row.contact_preference).to_string(),
        })
    }
}
