//! Contracts on the wire.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use deserr::Deserr;
use serde::Serialize;
use sqlx::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::{ContractRow, TermsRow},
    state::{ApprovalDefault, BeneficiaryText, NotCovered, PricingRule},
};
use crate::{
    catalogue::{categories::CategoryQuestion, vehicles::VehicleKind},
    http::{Id, Invalid, Items, Latitude, Longitude, Money, Text, Timestamp, ValidationErrors, WholeNumber},
    jobs::towing::{DestinationChoice, EstimatedDestination},
};

/// A share of a price in whole percent.
type Percent = WholeNumber<0, 100>;

/// An amount that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(f64) = AgreedAmount::new -> Invalid)]
#[schema(value_type = f64, minimum = 0, maximum = 10_000_000, example = 1500.0)]
pub struct AgreedAmount(pub Money);

impl AgreedAmount {
    fn new(amount: f64) -> Result<Self, Invalid> {
        let money = Money::from_wire(amount)?;
        if money.0 >= 0 { Ok(Self(money)) } else { Err("must not be negative".into()) }
    }
}

/// A contract with an organisation. It is never changed: it ends, and another one begins.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewContract {
    /// The organisation's own name for the contract, which its cases name.
    pub reference: Text<1, 64>,
    /// The default is now.
    #[deserr(default)]
    pub valid_from: Option<Timestamp>,
    /// The first moment after it. Without it, it has no end.
    #[deserr(default)]
    pub valid_until: Option<Timestamp>,
    /// The most that the organisation pays of a job; the person who is helped pays the rest. Without it, there is no limit.
    #[deserr(default)]
    pub cover: Option<AgreedAmount>,
    /// The longest way to a destination. A job with a longer one is refused.
    #[deserr(default)]
    pub cover_km: Option<WholeNumber<1, 10_000>>,
    /// Whether a proposed time of arrival counts as accepted at once. The default is true.
    #[deserr(default)]
    pub accepts_promises: Option<bool>,
    /// The time in which the organisation decides about extra work. The default is 15.
    #[deserr(default)]
    pub approval_minutes: Option<WholeNumber<1, 1_440>>,
    /// The decision that counts after that. The default is reject.
    #[deserr(default)]
    pub approval_default: Option<ApprovalDefault>,
    /// Whether the people who are helped, and their mechanic, see prices. The default is false.
    #[deserr(default)]
    pub shows_prices: Option<bool>,
    /// Whether each case needs a purchase order. The default is false.
    #[deserr(default)]
    pub requires_purchase_order: Option<bool>,
    /// The texts that the person who is helped gets, unless a case says otherwise. The default is link and arrival.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<BeneficiaryText>>, max_items = 4)]
    pub texts: Option<Items<BeneficiaryText, 0, 4>>,
    /// The kinds of help that are covered.
    #[schema(value_type = Vec<NewTerms>, min_items = 1, max_items = 100)]
    pub terms: Items<NewTerms, 1, 100>,
}

/// The agreement about a kind of help.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewTerms {
    pub service_category_id: Id,
    pub pricing: PricingRule,
    /// The price of a job, with the included kilometres to its destination. This and the next two are required if `pricing` is
    /// agreed, and can't be given otherwise.
    #[deserr(default)]
    pub call_out: Option<AgreedAmount>,
    /// The kilometres to the destination that the call-out includes.
    #[deserr(default)]
    pub included_km: Option<WholeNumber<0, 10_000>>,
    /// The price of each further started kilometre.
    #[deserr(default)]
    pub per_km: Option<AgreedAmount>,
    /// How many photos the mechanic takes before the job is completed. The default is 0.
    #[deserr(default)]
    pub photos_required: Option<WholeNumber<0, 10>>,
    /// The payable share, in percent of the price, if the vehicle is gone when the mechanic arrives in time. The default is 50.
    #[deserr(default)]
    pub gone_on_arrival_percent: Option<Percent>,
    /// The payable share if the work does not succeed. The default is 50.
    #[deserr(default)]
    pub unsuccessful_percent: Option<Percent>,
    /// The payable share if the destination is closed, or refuses the vehicle. The default is 100.
    #[deserr(default)]
    pub destination_refused_percent: Option<Percent>,
    /// The payable share if the partner cancels after the free time. The default is 50.
    #[deserr(default)]
    pub cancelled_percent: Option<Percent>,
    /// The payable share if the mechanic arrives later than promised. The default is 100.
    #[deserr(default)]
    pub promise_missed_percent: Option<Percent>,
    /// The time after the acceptance in which a cancellation costs nothing. The default is 15.
    #[deserr(default)]
    pub free_cancellation_minutes: Option<WholeNumber<0, 1_440>>,
}

impl NewContract {
    /// Checks the rules that the fields' types can't express.
    pub fn faults(&self, valid_from: DateTime<Utc>) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        if self.valid_until.is_some_and(|until| until.0 <= valid_from) {
            faults.add("valid_until", "must be after valid_from");
        }
        if self.cover.is_some_and(|cover| cover.0.0 == 0) {
            faults.add("cover", "must be above zero; leave it out for no limit");
        }
        let mut seen = BTreeSet::new();
        for (index, terms) in self.terms.0.iter().enumerate() {
            if !seen.insert(terms.service_category_id) {
                faults.add(format!("terms[{index}].service_category_id"), "is given twice");
            }
            terms.add_faults(index, &mut faults);
        }
        faults
    }

    /// Returns the contract's row.
    pub fn row(&self, id: Uuid, organisation_id: Uuid, now: DateTime<Utc>) -> ContractRow {
        let usual = || vec![BeneficiaryText::Link, BeneficiaryText::Arrival];
        let texts = self.texts.as_ref();
        ContractRow {
            id,
            organisation_id,
            reference: self.reference.0.clone(),
            valid_from: self.valid_from.map_or(now, |from| from.0),
            valid_until: self.valid_until.map(|until| until.0),
            cover_paise: self.cover.map(|cover| cover.0.0),
            cover_km: self.cover_km.map(|km| km.0 as i32),
            accepts_promises: self.accepts_promises.unwrap_or(true),
            approval_minutes: self.approval_minutes.map_or(15, |minutes| minutes.0 as i32),
            approval_default: self.approval_default.unwrap_or(ApprovalDefault::Reject),
            shows_prices: self.shows_prices.unwrap_or(false),
            requires_purchase_order: self.requires_purchase_order.unwrap_or(false),
            texts: texts.map_or_else(usual, |texts| texts.clone().collapsed()),
            created_at: now,
            ended_at: None,
        }
    }
}

impl NewTerms {
    fn add_faults(&self, index: usize, faults: &mut ValidationErrors) {
        let is_agreed = self.pricing == PricingRule::Agreed;
        let given = [
            ("call_out", self.call_out.is_some()),
            ("included_km", self.included_km.is_some()),
            ("per_km", self.per_km.is_some()),
        ];
        for (field, _) in given.into_iter().filter(|(_, is_given)| *is_given != is_agreed) {
            let why =
                if is_agreed { "is required if pricing is agreed" } else { "needs pricing to be agreed" };
            faults.add(format!("terms[{index}].{field}"), why);
        }
    }

    /// Returns the row of the terms, for a category with this slug and these questions.
    pub fn row(&self, contract_id: Uuid, slug: String, questions: Vec<CategoryQuestion>) -> TermsRow {
        let bps = |percent: Option<Percent>, usual: i32| percent.map_or(usual, |of| of.0 as i32) * 100;
        TermsRow {
            contract_id,
            service_category_id: self.service_category_id.0,
            service_category_slug: slug,
            questions: Json(questions),
            pricing: self.pricing,
            call_out_paise: self.call_out.map(|amount| amount.0.0),
            included_km: self.included_km.map(|km| km.0 as i32),
            per_km_paise: self.per_km.map(|amount| amount.0.0),
            photos_required: self.photos_required.map_or(0, |photos| photos.0 as i32),
            gone_on_arrival_bps: bps(self.gone_on_arrival_percent, 50),
            unsuccessful_bps: bps(self.unsuccessful_percent, 50),
            destination_refused_bps: bps(self.destination_refused_percent, 100),
            cancelled_bps: bps(self.cancelled_percent, 50),
            promise_missed_bps: bps(self.promise_missed_percent, 100),
            free_cancellation_minutes: self.free_cancellation_minutes.map_or(15, |minutes| minutes.0 as i32),
        }
    }
}

/// A contract with an organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerContract {
    pub id: Uuid,
    pub organisation_id: Uuid,
    /// The organisation's own name for the contract.
    pub reference: String,
    /// The first moment at which jobs may be ordered under it.
    pub valid_from: Timestamp,
    /// Null if it has no end.
    pub valid_until: Option<Timestamp>,
    /// When an admin ended it; null if nobody did.
    pub ended_at: Option<Timestamp>,
    /// The most that the organisation pays of a job; null if there is no limit.
    pub cover: Option<Money>,
    /// The longest way to a destination; null if there is no limit.
    pub cover_km: Option<i32>,
    /// Whether a proposed time of arrival counts as accepted at once.
    pub accepts_promises: bool,
    /// The time in which the organisation decides about extra work.
    pub approval_minutes: i32,
    /// The decision that counts after that.
    pub approval_default: ApprovalDefault,
    /// Whether the people who are helped, and their mechanic, see prices.
    pub shows_prices: bool,
    /// Whether each case needs a purchase order.
    pub requires_purchase_order: bool,
    /// The texts that the person who is helped gets, unless a case says otherwise.
    pub texts: Vec<BeneficiaryText>,
    /// The kinds of help that are covered.
    pub terms: Vec<ContractTerms>,
    pub created_at: Timestamp,
}

/// The agreement about a kind of help.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContractTerms {
    pub service_category_id: Uuid,
    pub service_category_slug: String,
    /// The questions that a case of this kind may answer.
    pub questions: Vec<CategoryQuestion>,
    pub pricing: PricingRule,
    /// The price of a job, with the included kilometres to its destination; null if the price is quoted, like the next two.
    pub call_out: Option<Money>,
    /// The kilometres to the destination that the call-out includes.
    pub included_km: Option<i32>,
    /// The price of each further started kilometre.
    pub per_km: Option<Money>,
    /// How many photos the mechanic takes before the job is completed.
    pub photos_required: i32,
    /// The payable share, in percent of the price, if the vehicle is gone when the mechanic arrives in time.
    pub gone_on_arrival_percent: i32,
    /// The payable share if the work does not succeed.
    pub unsuccessful_percent: i32,
    /// The payable share if the destination is closed, or refuses the vehicle.
    pub destination_refused_percent: i32,
    /// The payable share if the partner cancels after the free time.
    pub cancelled_percent: i32,
    /// The payable share if the mechanic arrives later than promised.
    pub promise_missed_percent: i32,
    /// The time after the acceptance in which a cancellation costs nothing.
    pub free_cancellation_minutes: i32,
}

impl From<TermsRow> for ContractTerms {
    fn from(row: TermsRow) -> Self {
        Self {
            service_category_id: row.service_category_id,
            service_category_slug: row.service_category_slug,
            questions: row.questions.0,
            pricing: row.pricing,
            call_out: row.call_out_paise.map(Money),
            included_km: row.included_km,
            per_km: row.per_km_paise.map(Money),
            photos_required: row.photos_required,
            gone_on_arrival_percent: row.gone_on_arrival_bps / 100,
            unsuccessful_percent: row.unsuccessful_bps / 100,
            destination_refused_percent: row.destination_refused_bps / 100,
            cancelled_percent: row.cancelled_bps / 100,
            promise_missed_percent: row.promise_missed_bps / 100,
            free_cancellation_minutes: row.free_cancellation_minutes,
        }
    }
}

impl PartnerContract {
    pub fn of(row: ContractRow, terms: Vec<TermsRow>) -> Self {
        Self {
            id: row.id,
            organisation_id: row.organisation_id,
            reference: row.reference,
            valid_from: row.valid_from.into(),
            valid_until: row.valid_until.map(Into::into),
            ended_at: row.ended_at.map(Into::into),
            cover: row.cover_paise.map(Money),
            cover_km: row.cover_km,
            accepts_promises: row.accepts_promises,
            approval_minutes: row.approval_minutes,
            approval_default: row.approval_default,
            shows_prices: row.shows_prices,
            requires_purchase_order: row.requires_purchase_order,
            texts: row.texts,
            terms: terms.into_iter().map(Into::into).collect(),
            created_at: row.created_at.into(),
        }
    }
}

/// The question whether a contract covers help, what it would cost, and when it could come.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CoverageRequest {
    /// The organisation's name for the contract.
    pub contract_reference: Text<1, 64>,
    /// The kind of help.
    pub service_category_slug: Text<1, 60>,
    pub vehicle_type: VehicleKind,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
    /// The place to which the vehicle is towed. It needs no address.
    #[deserr(default)]
    pub destination: Option<DestinationChoice>,
    /// When help should come; null or left out: now.
    #[deserr(default)]
    pub scheduled_for: Option<Timestamp>,
}

/// Whether a contract covers help. The amounts are estimates: they are fixed when the job is made.
#[derive(Debug, Serialize, ToSchema)]
pub struct Coverage {
    /// Whether help would be covered.
    pub is_covered: bool,
    /// Null if it is covered.
    pub reason: Option<NotCovered>,
    /// The price by the contract; null if it is not covered, like the next two.
    pub price: Option<Money>,
    /// The part that the organisation pays.
    pub payable: Option<Money>,
    /// The part that the person who is helped pays.
    pub driver_pays: Option<Money>,
    #[schema(example = "INR")]
    pub currency: String,
    /// The destination with its distance; null without a destination, or if the contract does not cover help at all.
    pub destination: Option<EstimatedDestination>,
    /// Minimum and maximum minutes until a mechanic arrives; null if nobody can say.
    pub eta_range_min: Option<[u32; 2]>,
    /// Whether no mechanic of the service serves this place.
    pub is_outside_area: bool,
}
