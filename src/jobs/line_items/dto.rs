//! Line items on the wire.

use deserr::Deserr;
use roadcall_actors::job::state::{
    ItemKind, ItemPatch, ItemQuote, ItemStatus, ItemTerms, LineItem as EngineItem,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{KeptDestination, LineItemRow};
use crate::accounts::uploads::{FileRef, FileUrl, JobPhotoFile};
use crate::jobs::coarsening;
use crate::{
    http::{Change, Invalid, Money, Patch, Text, Timestamp, ValidationErrors, WholeNumber},
    wire::Named,
};

pub type LineItemType = Named<ItemKind>;

pub type LineItemStatus = Named<ItemStatus>;

/// An item of the job's price beyond base and travel. The customer, the mechanic and admins see the same.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LineItem {
    pub id: Uuid,
    pub job_id: Uuid,
    #[serde(rename = "type")]
    pub kind: LineItemType,
    pub description: String,
    pub quantity: i32,
    /// The price of one unit, above zero, even for a discount. Tax included.
    pub unit_price: Money,
    /// The amount that the item adds to the price once it is approved: negative for a discount.
    pub total: Money,
    /// A photo that shows the reason; null if there is none.
    pub photo_url: Option<String>,
    /// The vehicle's destination if the customer approves: only for a tow that `POST /jobs/{id}/tow` proposed. Such an item can't
    /// be amended.
    pub destination: Option<Box<ItemDestination>>,
    pub status: LineItemStatus,
    /// 1 when the item is proposed, and 1 more with each change.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The place to which a vehicle would be towed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ItemDestination {
    pub address: String,
    pub lat: f64,
    pub lng: f64,
    /// The workshop, if it was chosen from `GET /workshops`; the name is the one at that time.
    pub workshop_id: Option<Uuid>,
    pub workshop_name: Option<String>,
    /// The distance from the pickup in metres: by road, or the straight line where no router knows the way.
    pub distance_m: u32,
    pub duration_s: u32,
}

impl ItemDestination {
    fn roughly(&self) -> Self {
        Self {
            address: coarsening::shortened(&self.address),
            lat: coarsening::rounded(self.lat),
            lng: coarsening::rounded(self.lng),
            workshop_id: None,
            workshop_name: None,
            ..self.clone()
        }
    }
}

impl From<KeptDestination> for ItemDestination {
    fn from(kept: KeptDestination) -> Self {
        let KeptDestination { address, lat, lng, workshop_id, workshop_name, distance_m, duration_s } = kept;
        Self { address, lat, lng, workshop_id, workshop_name, distance_m, duration_s }
    }
}

impl From<LineItemRow> for LineItem {
    fn from(row: LineItemRow) -> Self {
        let amount = row.unit_price_paise.saturating_mul(i64::from(row.quantity));
        Self {
            id: row.id,
            job_id: row.job_id,
            kind: row.kind,
            description: row.description,
            quantity: row.quantity,
            unit_price: Money(row.unit_price_paise),
            total: Money(if row.kind == ItemKind::Discount { -amount } else { amount }),
            photo_url: row.photo_url,
            destination: row.destination.map(|destination| Box::new(destination.0.into())),
            status: row.status,
            version: row.version,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

impl LineItem {
    /// Removes everything that says exactly where the vehicle went.
    pub fn roughly(self) -> Self {
        Self { destination: self.destination.map(|destination| Box::new(destination.roughly())), ..self }
    }

    /// Builds the item from the engine's.
    pub fn of(job_id: Uuid, item: &EngineItem) -> Self {
        let terms = item.terms.clone();
        Self {
            id: item.id.0,
            job_id,
            kind: Named(terms.kind),
            quantity: i32::try_from(terms.quantity).unwrap_or(i32::MAX),
            unit_price: Money(terms.unit_price_paise),
            total: Money(terms.total_paise()),
            description: terms.description,
            photo_url: terms.photo_url,
            destination: item
                .destination
                .as_deref()
                .map(|place| Box::new(KeptDestination::from(place).into())),
            status: Named(item.status),
            version: item.version,
            created_at: item.created_at.into(),
            updated_at: item.updated_at.into(),
        }
    }
}

/// An amount above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(f64) = UnitPrice::new -> Invalid)]
#[schema(value_type = f64, exclusive_minimum = 0, maximum = 10_000_000)]
pub struct UnitPrice(pub Money);

impl UnitPrice {
    fn new(amount: f64) -> Result<Self, Invalid> {
        let money = Money::from_wire(amount)?;
        if money.0 > 0 { Ok(Self(money)) } else { Err("must be above zero".into()) }
    }
}

/// A quantity, up to a thousand.
type Quantity = WholeNumber<1, 1000>;

/// A new item of the job's price beyond base and travel.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewLineItem {
    #[deserr(rename = "type")]
    #[schema(rename = "type")]
    pub kind: LineItemType,
    pub description: Text<1, 500>,
    pub quantity: Quantity,
    /// For a discount, the amount by which it lowers the price. Tax included.
    pub unit_price: UnitPrice,
    #[deserr(default)]
    pub photo_url: Option<FileUrl>,
}

impl NewLineItem {
    pub fn terms(self, photo: Option<FileRef<JobPhotoFile>>) -> ItemTerms {
        ItemTerms {
            kind: self.kind.0,
            description: self.description.0,
            quantity: whole(self.quantity),
            unit_price_paise: self.unit_price.0.0,
            photo_url: photo.map(FileRef::into_url),
        }
    }
}

/// The changes to an item; the rest stays.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AmendLineItem {
    #[deserr(default, rename = "type")]
    #[schema(rename = "type", value_type = LineItemType, required = false)]
    pub kind: Change<LineItemType>,
    #[deserr(default)]
    #[schema(value_type = Text<1, 500>, required = false)]
    pub description: Change<Text<1, 500>>,
    #[deserr(default)]
    #[schema(value_type = WholeNumber<1, 1000>, required = false)]
    pub quantity: Change<Quantity>,
    #[deserr(default)]
    #[schema(value_type = UnitPrice, required = false)]
    pub unit_price: Change<UnitPrice>,
    #[deserr(default)]
    #[schema(value_type = Option<FileUrl>)]
    pub photo_url: Patch<FileUrl>,
}

impl AmendLineItem {
    /// Returns the changes for the engine. `photo` is the file that this `photo_url` names.
    pub fn patch(self, photo: Patch<FileRef<JobPhotoFile>>) -> ItemPatch {
        let Self { kind, description, quantity, unit_price, photo_url: _ } = self;
        ItemPatch {
            kind: kind.into_option().map(|kind| kind.0),
            description: description.into_option().map(|text| text.0),
            quantity: quantity.into_option().map(whole),
            unit_price_paise: unit_price.into_option().map(|price| price.0.0),
            photo_url: photo.map(FileRef::into_url).into_option(),
        }
    }
}

/// The state of the item that the customer saw. The answer is CONFLICT if the mechanic has changed it since.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DecideLineItem {
    /// The version that was shown: every change makes a new version, even one that leaves the total as it is.
    pub version: WholeNumber<1, 1_000_000>,
    /// The total that was shown.
    #[deserr(default)]
    pub quoted_total: Option<Money>,
}

impl DecideLineItem {
    pub fn quote(self) -> ItemQuote {
        ItemQuote { version: self.version.0, total_paise: self.quoted_total.map(|total| total.0) }
    }
}

fn whole(quantity: Quantity) -> u32 {
    u32::try_from(quantity.0).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn fields_of<T: Deserr<ValidationErrors>>(body: Value) -> Vec<String> {
        let read = deserr::deserialize::<T, _, ValidationErrors>(body);
        read.err().map(|faults| faults.0.into_keys().collect()).unwrap_or_default()
    }

    #[test]
    fn a_unit_price_is_above_zero_whole_in_paise_and_not_too_large() {
        let price = |amount: Value| fields_of::<AmendLineItem>(json!({"unit_price": amount}));
        for sound in [json!(0.01), json!(1), json!(10_000_000)] {
            assert!(price(sound.clone()).is_empty(), "{sound}");
        }
        for odd in
            [json!(0), json!(-1), json!(0.001), json!(10_000_000.01), json!(1e300), json!("1"), json!(null)]
        {
            assert_eq!(price(odd.clone()), ["unit_price"], "{odd}");
        }
    }
}
