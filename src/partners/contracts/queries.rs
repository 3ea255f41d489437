//! SQL of contracts and their terms.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, postgres::PgBindIterExt, types::Json};
use uuid::Uuid;

use super::state::{ApprovalDefault, BeneficiaryText, NotCovered, PricingRule};
use crate::{
    catalogue::categories::CategoryQuestion,
    http::PageParams,
    jobs::on_account::{AgreedPrice, Cover},
    platform::db::{StoredRow, read},
};

/// A row of `partner_contracts`.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ContractRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub reference: String,
    pub valid_from: DateTime<Utc>,
    pub valid_until: Option<DateTime<Utc>>,
    pub cover_paise: Option<i64>,
    pub cover_km: Option<i32>,
    pub accepts_promises: bool,
    pub approval_minutes: i32,
    pub approval_default: ApprovalDefault,
    pub shows_prices: bool,
    pub requires_purchase_order: bool,
    pub texts: Vec<BeneficiaryText>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl StoredRow for ContractRow {
    const TABLE: &'static str = "partner_contracts";
}

impl ContractRow {
    pub fn cover(&self) -> Cover {
        Cover { most_paise: self.cover_paise, most_km: self.cover_km.map(i32::unsigned_abs) }
    }

    /// Returns whether jobs may be ordered under the contract at this time.
    pub fn is_valid_at(&self, at: DateTime<Utc>) -> bool {
        let is_before = |end: Option<DateTime<Utc>>| end.is_none_or(|end| at < end);
        self.valid_from <= at && is_before(self.valid_until) && is_before(self.ended_at)
    }

    /// Returns the terms under which the contract covers a kind of help that begins at this time, or why it does not. `terms` are
    /// those of the contract for this kind of help, if it has any.
    pub fn covering(
        &self,
        terms: Option<TermsRow>,
        at: DateTime<Utc>,
    ) -> std::result::Result<TermsRow, NotCovered> {
        if !self.is_valid_at(at) {
            return Err(NotCovered::NotValid);
        }
        terms.ok_or(NotCovered::CategoryNotCovered)
    }
}

/// A row of `partner_terms`, with the slug of its category.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct TermsRow {
    pub contract_id: Uuid,
    pub service_category_id: Uuid,
    pub service_category_slug: String,
    /// The questions of the category.
    pub questions: Json<Vec<CategoryQuestion>>,
    pub pricing: PricingRule,
    pub call_out_paise: Option<i64>,
    pub included_km: Option<i32>,
    pub per_km_paise: Option<i64>,
    pub photos_required: i32,
    pub gone_on_arrival_bps: i32,
    pub unsuccessful_bps: i32,
    pub destination_refused_bps: i32,
    pub cancelled_bps: i32,
    pub promise_missed_bps: i32,
    pub free_cancellation_minutes: i32,
}

impl StoredRow for TermsRow {
    const TABLE: &'static str = "partner_terms";
    const KEY: &'static str = "contract_id";
}

impl TermsRow {
    pub fn agreed(&self) -> AgreedPrice {
        match (self.pricing, self.call_out_paise, self.included_km, self.per_km_paise) {
            (PricingRule::Agreed, Some(call_out_paise), Some(included_km), Some(per_km_paise)) => {
                AgreedPrice::CallOut { call_out_paise, included_km: included_km.unsigned_abs(), per_km_paise }
            }
            _ => AgreedPrice::Quoted,
        }
    }
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ContractRow>> {
    sqlx::query("select * from partner_contracts where id = $1")
        .bind(id)
        .try_map(read::<ContractRow>)
        .fetch_optional(db)
        .await
}

/// Returns an organisation's contract by the organisation's own name for it.
pub async fn by_reference(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    reference: &str,
) -> Result<Option<ContractRow>> {
    sqlx::query(
        r#"select * from partner_contracts
        where organisation_id = $1 and lower(reference collate "C") = lower($2::text collate "C")"#,
    )
    .bind(organisation_id)
    .bind(reference)
    .try_map(read::<ContractRow>)
    .fetch_optional(db)
    .await
}

/// Lists an organisation's contracts, newest first.
pub async fn of_organisation(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    page: PageParams,
) -> Result<Vec<ContractRow>> {
    sqlx::query(
        "select * from partner_contracts where organisation_id = $1 order by created_at desc, id desc limit $2 offset $3",
    )
    .bind(organisation_id)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<ContractRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_organisation(db: impl PgExecutor<'_>, organisation_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from partner_contracts where organisation_id = $1")
        .bind(organisation_id)
        .fetch_one(db)
        .await
}

/// Returns the terms of these contracts, in the order of the categories.
pub async fn terms_of_contracts(db: impl PgExecutor<'_>, contract_ids: &[Uuid]) -> Result<Vec<TermsRow>> {
    sqlx::query(
        "select t.*, c.slug as service_category_slug, c.questions
        from partner_terms t join service_categories c on c.id = t.service_category_id
        where t.contract_id = any((select $1)::uuid[])
        order by c.sort_order, c.name, c.id",
    )
    .bind(contract_ids)
    .try_map(read::<TermsRow>)
    .fetch_all(db)
    .await
}

/// Returns the terms of a category, unless the contract does not cover it.
pub async fn terms_of(
    db: impl PgExecutor<'_>,
    contract_id: Uuid,
    service_category_id: Uuid,
) -> Result<Option<TermsRow>> {
    sqlx::query(
        "select t.*, c.slug as service_category_slug, c.questions
        from partner_terms t join service_categories c on c.id = t.service_category_id
        where t.contract_id = $1 and t.service_category_id = $2",
    )
    .bind(contract_id)
    .bind(service_category_id)
    .try_map(read::<TermsRow>)
    .fetch_optional(db)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &ContractRow) -> Result<()> {
    sqlx::query(
        "insert into partner_contracts (id, organisation_id, reference, valid_from, valid_until, cover_paise, cover_km,
            accepts_promises, approval_minutes, approval_default, shows_prices, requires_purchase_order, texts, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(row.id)
    .bind(row.organisation_id)
    .bind(&row.reference)
    .bind(row.valid_from)
    .bind(row.valid_until)
    .bind(row.cover_paise)
    .bind(row.cover_km)
    .bind(row.accepts_promises)
    .bind(row.approval_minutes)
    .bind(row.approval_default)
    .bind(row.shows_prices)
    .bind(row.requires_purchase_order)
    .bind(&row.texts)
    .bind(row.created_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn insert_terms(tx: &mut PgConnection, terms: &[TermsRow]) -> Result<()> {
    sqlx::query(
        "insert into partner_terms (contract_id, service_category_id, pricing, call_out_paise, included_km, per_km_paise,
            photos_required, gone_on_arrival_bps, unsuccessful_bps, destination_refused_bps, cancelled_bps,
            promise_missed_bps, free_cancellation_minutes)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::integer[], $6::bigint[],
            $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::integer[], $12::integer[], $13::integer[])",
    )
    .bind(terms.iter().map(|row| row.contract_id).bind_iter())
    .bind(terms.iter().map(|row| row.service_category_id).bind_iter())
    .bind(terms.iter().map(|row| row.pricing).bind_iter())
    .bind(terms.iter().map(|row| row.call_out_paise).bind_iter())
    .bind(terms.iter().map(|row| row.included_km).bind_iter())
    .bind(terms.iter().map(|row| row.per_km_paise).bind_iter())
    .bind(terms.iter().map(|row| row.photos_required).bind_iter())
    .bind(terms.iter().map(|row| row.gone_on_arrival_bps).bind_iter())
    .bind(terms.iter().map(|row| row.unsuccessful_bps).bind_iter())
    .bind(terms.iter().map(|row| row.destination_refused_bps).bind_iter())
    .bind(terms.iter().map(|row| row.cancelled_bps).bind_iter())
    .bind(terms.iter().map(|row| row.promise_missed_bps).bind_iter())
    .bind(terms.iter().map(|row| row.free_cancellation_minutes).bind_iter())
    .execute(tx)
    .await
    .map(drop)
}

/// Ends a contract. Returns it, unless it was ended before.
pub async fn end(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<Option<ContractRow>> {
    sqlx::query("update partner_contracts set ended_at = $2 where id = $1 and ended_at is null returning *")
        .bind(id)
        .bind(now)
        .try_map(read::<ContractRow>)
        .fetch_optional(tx)
        .await
}
