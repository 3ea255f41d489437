//! SQL of what new cases name.

use sqlx::{PgExecutor, Result, Row, postgres::PgRow};
use uuid::Uuid;

use crate::{
    partners::contracts::{ContractRow, TermsRow},
    platform::db::read_part,
};

/// The names in a new case.
#[derive(Debug, Clone, Copy)]
pub struct AskedCase<'a> {
    pub organisation_id: Uuid,
    pub partner_reference: &'a str,
    pub contract_reference: &'a str,
    pub category_id: Option<Uuid>,
    pub vehicle_id: Option<Uuid>,
}

/// The rows that have these names.
#[derive(Debug, Clone)]
pub struct FoundNames {
    pub organisation_name: String,
    /// The organisation's case with this reference.
    pub case_id: Option<Uuid>,
    /// The organisation's contract.
    pub contract: Option<ContractRow>,
    /// The terms of the category under this contract.
    pub terms: Option<TermsRow>,
    /// Whether the organisation has the vehicle.
    pub has_vehicle: bool,
}

pub async fn names(db: impl PgExecutor<'_>, asked: AskedCase<'_>) -> Result<FoundNames> {
    sqlx::query(
        r#"select o.name as organisation_name, known.id as case_id, contract.*, terms.*,
            category.slug as service_category_slug, category.questions, v.id is not null as has_vehicle
        from organisations o
            left join partner_cases known on known.organisation_id = o.id and known.partner_reference = $2
            left join partner_contracts contract on contract.organisation_id = o.id
                and lower(contract.reference collate "C") = lower($3::text collate "C")
            left join partner_terms terms on terms.contract_id = contract.id and terms.service_category_id = $4
            left join service_categories category on category.id = terms.service_category_id
            left join vehicles v on v.id = $5 and v.user_id = o.account_id and v.deleted_at is null
        where o.id = $1"#,
    )
    .bind(asked.organisation_id)
    .bind(asked.partner_reference)
    .bind(asked.contract_reference)
    .bind(asked.category_id)
    .bind(asked.vehicle_id)
    .try_map(|row: PgRow| {
        let has_contract = row.try_get::<Option<Uuid>, _>("id")?.is_some();
        let has_terms = row.try_get::<Option<Uuid>, _>("contract_id")?.is_some();
        Ok(FoundNames {
            organisation_name: row.try_get("organisation_name")?,
            case_id: row.try_get("case_id")?,
            contract: has_contract.then(|| read_part(&row)).transpose()?,
            terms: has_terms.then(|| read_part(&row)).transpose()?,
            has_vehicle: row.try_get("has_vehicle")?,
        })
    })
    .fetch_one(db)
    .await
}
