//! Mails the figures of a day to the addresses in `mail.reports_to`.

use chrono::{Days, NaiveDate, Timelike};
use uuid::Uuid;

use super::{dto::Figures, queries};
use crate::{
    http::Money,
    mails::{self, DueMail, Letter, MailKind, MailLanguage, Mails, NewMail},
    platform::{
        core::Core,
        error::{ApiResult, commit_error},
    },
};

/// The hour of the local day from which the day before is reported: by then its late events are in.
const FROM_HOUR: u32 = 6;

/// Returns the id under which the mails of a day are stored: the day's number.
fn id_of(day: NaiveDate) -> Uuid {
    Uuid::from_u128(day.to_epoch_days().unsigned_abs().into())
}

fn day_of(id: Uuid) -> Option<NaiveDate> {
    NaiveDate::from_epoch_days(i32::try_from(id.as_u128()).ok()?)
}

/// Queues the report of yesterday once it is late enough, and returns the last day that was reported. Repeating it changes
/// nothing.
pub async fn post_reports(
    core: &Core,
    mails: &Mails,
    addresses: &[String],
    done: Option<NaiveDate>,
) -> ApiResult<Option<NaiveDate>> {
    let now = core.clock.now();
    let local = core.settings.operator.time_zone.local(now);
    let yesterday = local.date_naive().checked_sub_days(Days::new(1));
    let due = yesterday.filter(|day| local.hour() >= FROM_HOUR && done != Some(*day));
    let Some(day) = due.filter(|_| mails.are_sent() && !addresses.is_empty()) else { return Ok(done) };
    let mut tx = core.db.begin().await?;
    for address in addresses {
        let mail = NewMail {
            id: core.random.id(now),
            kind: MailKind::Report,
            about_id: id_of(day),
            user_id: None,
            address,
        };
        mails::post(&mut tx, &mail, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    mails.wake();
    Ok(Some(day))
}

/// Writes the text of a report, in English like the console.
pub async fn report_letter(core: &Core, addresses: &[String], mail: &DueMail) -> ApiResult<Option<Letter>> {
    let is_wanted = addresses.contains(&mail.address);
    let Some(day) = day_of(mail.about_id).filter(|_| is_wanted) else { return Ok(None) };
    let zone = &core.settings.operator.time_zone;
    let end = zone.start_of(day.succ_opt().unwrap_or(day));
    let rows = queries::figures(&core.db, zone.start_of(day), end, zone.name()).await?;
    let total = rows.iter().find(|row| row.day.is_none() && row.category.is_none());
    let figures = total.map_or_else(|| Figures::from(&queries::FigureRow::default()), Figures::from);
    let waiting = queries::waiting(&core.db, core.clock.now()).await?;
    let currency = &core.settings.currency;
    let money = |amount: Money| format!("{amount} {currency}");
    let text = format!(
        "{day}, {zone}\n\n\
        Jobs made: {}\nCompleted: {}\nCancelled: {}\nWithout a mechanic: {}\n\n\
        Revenue: {}\nGiven back of it: {}\nCommission: {}\n\n\
        Open now\nDisputes: {}\nNo-shows to decide: {}\nCustomers to call: {}\n",
        figures.jobs_made,
        figures.jobs_completed,
        figures.jobs_cancelled,
        figures.jobs_unserved,
        money(figures.revenue),
        money(figures.refunded),
        money(figures.commission),
        waiting.disputes,
        waiting.no_shows,
        waiting.callbacks,
    );
    Ok(Some(Letter::plain(
        MailLanguage::English,
        &format!("{day}: {} jobs completed", figures.jobs_completed),
        text,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_known_by_its_id() {
        for day in ["1970-01-02", "2026-11-26", "2400-02-29"] {
            let day: NaiveDate = day.parse().expect("a day");
            assert_eq!(day_of(id_of(day)), Some(day));
        }
        assert_eq!(day_of(Uuid::max()), None);
    }
}
