use chrono::{DateTime, Utc};
use roadcall_actors::offer::PartnerOrder;
use sqlx::{FromRow, PgExecutor, Result, types::Json};
use uuid::Uuid;

/// The data of a job that a receipt shows.
#[derive(Debug, Clone, FromRow)]
pub struct ReceiptJob {
    /// The mechanic whom the payment pays.
    pub mechanic_profile_id: Option<Uuid>,
    pub make: String,
    pub model: String,
    pub registration_number: String,
    pub category: String,
    pub pickup_address: String,
    pub base_price_paise: i64,
    pub travel_price_paise: i64,
    /// The price of the tow: 0 if the vehicle was not towed, unless the tow is in the price all the same, as in earlier
    /// releases.
    pub destination_price_paise: i64,
    /// The order of an organisation, if one ordered the job.
    pub partner_order: Option<Json<PartnerOrder>>,
}

pub async fn job(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ReceiptJob>> {
    sqlx::query_as(
        "select d.mechanic_profile_id, j.vehicle_make as make, j.vehicle_model as model,
            j.vehicle_registration_number as registration_number, j.service_category_name as category, j.pickup_address,
            j.base_price_paise, j.travel_price_paise, j.partner_order,
            case when (j.loaded_at is not null or j.final_price_paise = j.base_price_paise + j.travel_price_paise
                + j.destination_price_paise + coalesce((
                    select sum(quantity * case when kind = 'discount' then -unit_price_paise else unit_price_paise end)
                    from line_items where job_id = j.id and status = 'approved'), 0))
            then j.destination_price_paise else 0 end as destination_price_paise
        from jobs j
            left join job_dues d on d.job_id = j.id
        where j.id = $1",
    )
    .bind(id)
    .fetch_optional(db)
    .await
}

/// A line item that the customer approved.
#[derive(Debug, Clone, FromRow)]
pub struct ReceiptItem {
    pub description: String,
    pub quantity: i32,
    /// Below zero for a discount.
    pub unit_price_paise: i64,
}

/// Returns approved items in the order in which they were proposed, without a tow that was not driven and is not in the
/// price. A job has fifty at most.
pub async fn approved_items(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Vec<ReceiptItem>> {
    sqlx::query_as(
        "select description, quantity,
            case when kind = 'discount' then -unit_price_paise else unit_price_paise end as unit_price_paise
        from line_items item
        where job_id = $1 and status = 'approved'
            and (destination is null or exists (select from jobs j where j.id = item.job_id and
                (j.loaded_at is not null or j.final_price_paise = j.base_price_paise + j.travel_price_paise
                + j.destination_price_paise + coalesce((
                    select sum(quantity * case when kind = 'discount' then -unit_price_paise else unit_price_paise end)
                    from line_items where job_id = j.id and status = 'approved'), 0))))
        order by created_at, id",
    )
    .bind(job_id)
    .fetch_all(db)
    .await
}

/// A fee that a payment is for.
#[derive(Debug, Clone, FromRow)]
pub struct ReceiptFee {
    pub job_id: Uuid,
    pub amount_paise: i64,
    pub cancelled_at: DateTime<Utc>,
}

/// Returns the fees of a payment, the oldest first; a payment is for a hundred at most.
pub async fn fees(db: impl PgExecutor<'_>, payment_id: Uuid) -> Result<Vec<ReceiptFee>> {
    sqlx::query_as(
        "select f.job_id, f.amount_paise, c.cancelled_at
        from payment_fees f join cancellation_fees c on c.job_id = f.job_id
        where f.payment_id = $1
        order by c.cancelled_at, f.job_id",
    )
    .bind(payment_id)
    .fetch_all(db)
    .await
}

/// Returns the address to which a customer's receipts are mailed, if they have confirmed one and want mail.
pub async fn address_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<String>> {
    let address = sqlx::query_scalar(
        "select person.email from users person
            left join notification_preferences wish on wish.user_id = person.id
        where person.id = $1 and person.email_verified and person.status = 'active' and person.role = 'customer'
            and coalesce(wish.mails, true)",
    );
    Ok(address.bind(user_id).fetch_optional(db).await?.flatten())
}

/// Returns a person's language tag; `None` if the person does not exist.
pub async fn language_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<String>> {
    sqlx::query_scalar("select language from users where id = $1").bind(user_id).fetch_optional(db).await
}

/// Returns a person's name; `None` if they gave none, or it was removed.
pub async fn name_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<String>> {
    let name = sqlx::query_scalar("select name from users where id = $1");
    Ok(name.bind(user_id).fetch_optional(db).await?.flatten())
}
