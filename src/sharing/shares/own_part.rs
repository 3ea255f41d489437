//! The part of a job that the person decides and pays for whom an organisation ordered help.

use roadcall_actors::job::state::{Job, Status};

use super::{context::SharesContext, dto::SharedOwnPart, queries::LinkRow};
use crate::{
    accounting::dues,
    http::Money,
    jobs::{JobRow, LineItem, log, on_account},
    money::payments,
    platform::error::{ApiError, ApiResult},
    sharing::ratings::{self, Rater, RatingsContext},
};

/// The money of a job that an organisation ordered, as the holder of a link sees it.
#[derive(Debug, Default)]
pub struct SharedMoney {
    pub partner_name: Option<String>,
    pub price: Option<Money>,
    pub own_part: Option<SharedOwnPart>,
}

/// Returns the money of the job as far as the link shows it. A customer's own job shows none.
pub async fn money(context: &SharesContext, link: &LinkRow, row: &JobRow) -> ApiResult<SharedMoney> {
    let Some(order) = &row.partner_order else { return Ok(SharedMoney::default()) };
    let partner_name = Some(order.name.clone());
    if !order.shows_prices && !link.may_decide {
        return Ok(SharedMoney { partner_name, ..SharedMoney::default() });
    }
    let job = job(context, row).await?;
    let price = row.final_price_paise.unwrap_or_else(|| job.price_paise());
    let own_part = if link.may_decide { Some(own_part(context, row, &job).await?) } else { None };
    Ok(SharedMoney { partner_name, price: order.shows_prices.then_some(Money(price)), own_part })
}

/// Returns the job by whose rules its parts are decided.
pub async fn job(context: &SharesContext, row: &JobRow) -> ApiResult<Job> {
    let job = log::load_job(&context.db, &context.dispatch, row.id).await?;
    job.ok_or_else(|| ApiError::not_found("job"))
}

async fn own_part(context: &SharesContext, row: &JobRow, job: &Job) -> ApiResult<SharedOwnPart> {
    let due = dues::find(&context.db, row.id).await?;
    let amount_paise = match &due {
        Some(due) => due.due_paise - due.account_paise,
        None => job.price_paise() - job.account_paise(),
    };
    let may_pay = matches!(row.status.0, Status::Completed | Status::Resolved);
    let is_due = may_pay && due.is_some_and(|due| due.left_paise() > 0 && !due.awaits_account());
    let items = job.items.iter().filter(|item| job.awaits_driver(item));
    Ok(SharedOwnPart {
        amount: Money(amount_paise.max(0)),
        currency: context.visibility.currency.clone(),
        line_items: items.map(|item| LineItem::of(row.id, item)).collect(),
        is_due,
        is_confirmed: is_due && payments::is_cash_confirmed(&context.db, row.id).await?,
    })
}

/// Returns whether the organisation asks the holder of the link how the help was.
pub async fn may_ask(ratings: &RatingsContext, link: &LinkRow, row: &JobRow) -> ApiResult<bool> {
    match row.case_id.filter(|_| link.may_decide) {
        Some(case_id) => Ok(on_account::is_texted(&ratings.db, case_id, "rating").await?),
        None => Ok(false),
    }
}

/// Returns whether the holder of the link may rate the mechanic now.
pub async fn may_rate(ratings: &RatingsContext, link: &LinkRow, row: &JobRow) -> ApiResult<bool> {
    Ok(link.may_decide
        && ratings::may_be_rated(ratings, row, Rater::Customer).await?
        && may_ask(ratings, link, row).await?)
}
