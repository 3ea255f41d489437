use deserr::Deserr;
use roadcall_accounts::uploads::FileUrl;
use roadcall_http::{
    Change, Invalid, Items, Money, Param, Patch, Text, Timestamp, ValidationErrors, WholeNumber, text_enum,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::CategoryRow;
use crate::catalogue::{
    dispatch_settings::{MAX_RING_KM, MAX_RINGS, MAX_ROUND_WIDTH, MAX_ROUND_WIDTHS},
    vehicles::VehicleKind,
};

text_enum! {
    /// Whether the customer says where the vehicle goes.
    DestinationRule { NotTaken = "none", Optional = "optional", Required = "required", }
}

/// `?vehicle_type=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CategoryFilter {
    #[deserr(default)]
    pub vehicle_type: Option<Param<VehicleKind>>,
}

/// A name for URLs: lower-case letters and digits in words joined by single hyphens, 1 to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Slug::new -> Invalid)]
#[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", max_length = 60, example = "flat-tyre")]
pub struct Slug(pub String);

impl Slug {
    pub fn new(text: String) -> Result<Self, Invalid> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        let holds = text.len() <= 60 && text.split('-').all(is_word);
        let why = "must be 1 to 60 lower-case letters and digits, in words joined by single hyphens";
        if holds { Ok(Self(text)) } else { Err(why.into()) }
    }
}

/// A price: not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(f64) = CategoryPrice::new -> Invalid)]
#[schema(value_type = f64, minimum = 0, maximum = 10_000_000, as = Price)]
pub struct CategoryPrice(pub Money);

impl CategoryPrice {
    pub fn new(amount: f64) -> Result<Self, Invalid> {
        let money = Money::from_wire(amount)?;
        if money.0 < 0 { Err("must not be negative".into()) } else { Ok(Self(money)) }
    }
}

/// Rings around the pickup in km, 1 to 10 of them, each larger than the one before, up to 500 km: the bounds of
/// `dispatch.rings_km`.
#[derive(Debug, Clone, PartialEq, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, try_from(Items<f64, 1, MAX_RINGS>) = Rings::new -> Invalid)]
#[schema(value_type = Vec<f64>, min_items = 1, max_items = 10, example = json!([3.0, 5.0, 8.0]))]
pub struct Rings(pub Vec<f64>);

impl Rings {
    pub fn new(rings: Items<f64, 1, MAX_RINGS>) -> Result<Self, Invalid> {
        let Items(rings) = rings;
        if !rings.iter().all(|km| *km > 0.0 && *km <= MAX_RING_KM) {
            return Err("each ring must be above 0 and at most 500 km".into());
        }
        let grow = rings.windows(2).all(|pair| pair[0] < pair[1]);
        if grow { Ok(Self(rings)) } else { Err("each ring must be larger than the one before".into()) }
    }
}

/// Seconds for `dispatch.offer_ttl_s`.
pub type OfferTtl = WholeNumber<1, 3600>;
/// Seconds for `dispatch.attempt_ttl_s`. No offer is made with less than 3 s to answer, so fewer would find nobody.
pub type AttemptTtl = WholeNumber<5, 86_400>;
/// Simultaneous offers for `dispatch.round_widths`.
pub type RoundWidth = WholeNumber<1, { MAX_ROUND_WIDTH as i64 }>;
pub type RoundWidths = Items<RoundWidth, 1, MAX_ROUND_WIDTHS>;
/// Rounds for `dispatch.max_rounds` and `dispatch.urgent_first_round`.
pub type Rounds = WholeNumber<1, 100>;
/// Seconds for `dispatch.in_time_s` and `dispatch.worth_s`.
pub type WorthSeconds = WholeNumber<60, 86_400>;
pub type FreeKm = WholeNumber<0, 1000>;
/// Up to a day.
pub type DurationMin = WholeNumber<1, 1440>;
pub type SortOrder = WholeNumber<0, 10_000>;

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCategory {
    pub name: Text<1, 80>,
    pub slug: Slug,
    #[deserr(default)]
    pub description: Option<Text<0, 1000>>,
    #[deserr(default)]
    pub icon_url: Option<FileUrl>,
    #[schema(value_type = Vec<VehicleKind>, min_items = 1, max_items = 20)]
    pub vehicle_types: Items<VehicleKind, 1, 20>,
    pub base_price: CategoryPrice,
    pub per_km_price: CategoryPrice,
    /// The kilometres of the way to the pickup that are free; 0 if not given.
    #[deserr(default)]
    pub free_km: Option<FreeKm>,
    /// Whether the customer says where the vehicle goes; `none` if not given.
    #[deserr(default)]
    pub destination: Option<DestinationRule>,
    /// The price for each begun kilometre from the pickup to the destination beyond the free ones; 0 if not given.
    #[deserr(default)]
    pub destination_per_km_price: Option<CategoryPrice>,
    /// The kilometres to the destination that are free; 0 if not given.
    #[deserr(default)]
    pub destination_free_km: Option<FreeKm>,
    pub estimated_duration_min: DurationMin,
    /// Overrides `dispatch.offer_ttl_s`.
    #[deserr(default)]
    pub offer_ttl_s: Option<OfferTtl>,
    /// Overrides `dispatch.attempt_ttl_s`.
    #[deserr(default)]
    pub attempt_ttl_s: Option<AttemptTtl>,
    /// Overrides `dispatch.rings_km`.
    #[deserr(default)]
    pub rings_km: Option<Rings>,
    /// Overrides `dispatch.round_widths`: simultaneous offers in round 1, 2, …; the last applies to every later round.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<RoundWidth>>, min_items = 1, max_items = 20)]
    pub round_widths: Option<RoundWidths>,
    /// Overrides `dispatch.max_rounds`.
    #[deserr(default)]
    pub max_rounds: Option<Rounds>,
    /// Overrides `dispatch.urgent_first_round`; at most the number of rounds.
    #[deserr(default)]
    pub urgent_first_round: Option<Rounds>,
    /// Overrides `dispatch.in_time_s`.
    #[deserr(default)]
    pub in_time_s: Option<WorthSeconds>,
    /// Overrides `dispatch.worth_s`.
    #[deserr(default)]
    pub worth_s: Option<WorthSeconds>,
    /// True if not given.
    #[deserr(default)]
    pub is_active: Option<bool>,
    /// Lists show the lowest first; 0 if not given.
    #[deserr(default)]
    pub sort_order: Option<SortOrder>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CategoryChanges {
    #[deserr(default)]
    #[schema(value_type = Text<1, 80>, required = false)]
    pub name: Change<Text<1, 80>>,
    #[deserr(default)]
    #[schema(value_type = Slug, required = false)]
    pub slug: Change<Slug>,
    #[deserr(default)]
    #[schema(value_type = Text<0, 1000>, required = false)]
    pub description: Change<Text<0, 1000>>,
    #[deserr(default)]
    #[schema(value_type = Option<FileUrl>)]
    pub icon_url: Patch<FileUrl>,
    #[deserr(default)]
    #[schema(value_type = Vec<VehicleKind>, required = false, min_items = 1, max_items = 20)]
    pub vehicle_types: Change<Items<VehicleKind, 1, 20>>,
    #[deserr(default)]
    #[schema(value_type = CategoryPrice, required = false)]
    pub base_price: Change<CategoryPrice>,
    #[deserr(default)]
    #[schema(value_type = CategoryPrice, required = false)]
    pub per_km_price: Change<CategoryPrice>,
    #[deserr(default)]
    #[schema(value_type = FreeKm, required = false)]
    pub free_km: Change<FreeKm>,
    #[deserr(default)]
    #[schema(value_type = DestinationRule, required = false)]
    pub destination: Change<DestinationRule>,
    #[deserr(default)]
    #[schema(value_type = CategoryPrice, required = false)]
    pub destination_per_km_price: Change<CategoryPrice>,
    /// The kilometres to the destination that are free.
    #[deserr(default)]
    #[schema(value_type = FreeKm, required = false)]
    pub destination_free_km: Change<FreeKm>,
    #[deserr(default)]
    #[schema(value_type = DurationMin, required = false)]
    pub estimated_duration_min: Change<DurationMin>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<OfferTtl>)]
    pub offer_ttl_s: Patch<OfferTtl>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<AttemptTtl>)]
    pub attempt_ttl_s: Patch<AttemptTtl>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<Rings>)]
    pub rings_km: Patch<Rings>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<RoundWidth>>, min_items = 1, max_items = 20)]
    pub round_widths: Patch<RoundWidths>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<Rounds>)]
    pub max_rounds: Patch<Rounds>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<Rounds>)]
    pub urgent_first_round: Patch<Rounds>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<WorthSeconds>)]
    pub in_time_s: Patch<WorthSeconds>,
    /// Null returns to the setting.
    #[deserr(default)]
    #[schema(value_type = Option<WorthSeconds>)]
    pub worth_s: Patch<WorthSeconds>,
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub is_active: Change<bool>,
    #[deserr(default)]
    #[schema(value_type = SortOrder, required = false)]
    pub sort_order: Change<SortOrder>,
}

/// A kind of help.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServiceCategory {
    pub id: Uuid,
    pub name: String,
    /// A name for programs; it never changes.
    pub slug: String,
    pub description: String,
    /// A picture of the kind of help; null if there is none.
    pub icon_url: Option<String>,
    pub vehicle_types: Vec<VehicleKind>,
    pub base_price: Money,
    pub per_km_price: Money,
    pub free_km: i32,
    pub destination: DestinationRule,
    /// The price for each begun kilometre from the pickup to the destination beyond the free ones.
    pub destination_per_km_price: Money,
    /// The kilometres to the destination that are free.
    pub destination_free_km: i32,
    pub estimated_duration_min: i32,
    /// How long a mechanic may consider an offer. If this or one of the next seven is null, the service's setting applies.
    pub offer_ttl_s: Option<i32>,
    /// How long the search for a mechanic lasts.
    pub attempt_ttl_s: Option<i32>,
    /// Radii around the pickup, tried one after the other.
    pub rings_km: Option<Vec<f64>>,
    /// Simultaneous offers in round 1, 2, …; the last applies to every later round.
    pub round_widths: Option<Vec<i32>>,
    pub max_rounds: Option<i32>,
    /// The round at which accident and highway jobs begin.
    pub urgent_first_round: Option<i32>,
    /// A mechanic who arrives within this time after the call is in time, in seconds.
    pub in_time_s: Option<i32>,
    /// The value of serving a job in time, in seconds of pickup time.
    pub worth_s: Option<i32>,
    pub is_active: bool,
    pub sort_order: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<CategoryRow> for ServiceCategory {
    fn from(row: CategoryRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            slug: row.slug,
            description: row.description,
            icon_url: row.icon_url,
            vehicle_types: row.vehicle_types,
            base_price: Money(row.base_price_paise),
            per_km_price: Money(row.per_km_price_paise),
            free_km: row.free_km,
            destination: row.destination,
            destination_per_km_price: Money(row.destination_per_km_price_paise),
            destination_free_km: row.destination_free_km,
            estimated_duration_min: row.estimated_duration_min,
            offer_ttl_s: row.overrides.offer_ttl_s,
            attempt_ttl_s: row.overrides.attempt_ttl_s,
            rings_km: row.overrides.rings_km,
            round_widths: row.overrides.round_widths,
            max_rounds: row.overrides.max_rounds,
            urgent_first_round: row.overrides.urgent_first_round,
            in_time_s: row.overrides.in_time_s,
            worth_s: row.overrides.worth_s,
            is_active: row.is_active,
            sort_order: row.sort_order,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_slugs_prices_and_rings_are_refused() {
        for slug in ["", "-", "a-", "-a", "a--b", "A", "a b", "ä"] {
            assert!(Slug::new(slug.to_owned()).is_err(), "{slug:?}");
        }
        assert!(Slug::new("on-site-repair-2".to_owned()).is_ok());
        assert_eq!(CategoryPrice::new(299.0).ok(), Some(CategoryPrice(Money(29_900))));
        assert!(CategoryPrice::new(-0.01).is_err() && CategoryPrice::new(0.001).is_err());
        for rings in [vec![0.0], vec![3.0, 3.0], vec![5.0, 3.0], vec![501.0]] {
            assert!(Rings::new(Items(rings.clone())).is_err(), "{rings:?}");
        }
        assert!(Rings::new(Items(vec![3.0, 5.5, 500.0])).is_ok());
    }
}
