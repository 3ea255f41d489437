//! Reads everything that each area stores about a person, in one snapshot of the database.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::dto::{Export, ExportedRatings, ExportedWallet};
use crate::{
    accounts::{
        auth::{self, Caller},
        notices, uploads, users,
    },
    catalogue::vehicles,
    fleet::mechanics,
    grievances,
    jobs::{self, LineItem},
    lifecycle::LifecycleContext,
    mails,
    messaging::{calls, chat},
    money::{disputes, no_shows, payments, tow_reviews, wallet},
    notifications, offers,
    platform::error::{ApiError, ApiResult},
    sharing::{ratings, shares},
    tracking,
};

/// Cuts lists to the newest rows, and remembers which lists were cut.
#[derive(Debug)]
struct Cut {
    rows: i64,
    truncated: Vec<&'static str>,
}

impl Cut {
    fn new(rows: i64) -> Self {
        Self { rows, truncated: Vec::new() }
    }

    /// Returns the number of rows to read: one more than is exported, to see whether there are more.
    fn limit(&self) -> i64 {
        self.rows + 1
    }

    fn list<T>(&mut self, name: &'static str, mut rows: Vec<T>) -> Vec<T> {
        let most = usize::try_from(self.rows).unwrap_or(usize::MAX);
        if rows.len() > most {
            rows.truncate(most);
            self.truncated.push(name);
        }
        rows
    }
}

/// Exports a person's data; 401 if the account was deleted meanwhile.
pub async fn export(context: &LifecycleContext, caller: &Caller) -> ApiResult<Export> {
    let mut tx = context.db.begin_snapshot().await?;
    let export = gather(&mut tx, context, caller, context.clock.now()).await?;
    tx.rollback().await?;
    Ok(export)
}

async fn gather(
    db: &mut PgConnection,
    context: &LifecycleContext,
    caller: &Caller,
    now: DateTime<Utc>,
) -> ApiResult<Export> {
    let (id, profile) = (caller.user_id, caller.mechanic.map(|mechanic| mechanic.profile_id));
    let mut cut = Cut::new(context.privacy_settings.export_rows);
    let limit = cut.limit();
    let user = users::me(db, id).await?.ok_or_else(|| ApiError::unauthorized("This account was deleted."))?;
    let visibility = &*context.jobs.visibility;
    let (dispute_window, rates) = (context.jobs.policies.jobs.dispute_window, context.jobs.rates);
    let jobs = cut.list("jobs", jobs::of_person(db, id, profile, limit, visibility, now).await?);
    let job_ids: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
    let payments = cut.list("payments", payments::of_person(db, id, profile, limit).await?);
    let disputes = cut.list("disputes", disputes::of_person(db, id, profile, limit, rates).await?);
    let dispute_ids: Vec<Uuid> = disputes.iter().map(|dispute| dispute.id).collect();
    let payment_ids: Vec<Uuid> = payments.iter().map(|payment| payment.id).collect();
    let (mut mechanic_profile, mut mechanic_suspension_reason) = (None, None);
    let (mut last_position, mut positions, mut offers, mut wallet) = (None, Vec::new(), Vec::new(), None);
    let (mut trackers, mut parked) = (Vec::new(), None);
    if let Some(profile) = profile {
        mechanic_profile = mechanics::profile(db, profile).await?;
        mechanic_suspension_reason = mechanics::suspension_reason(db, profile).await?;
        parked = mechanics::parked(&mut *db, profile, now).await?;
        last_position = tracking::last_point(db, profile).await?;
        positions = cut.list("positions", tracking::newest_points(db, profile, &job_ids, limit).await?);
        trackers = tracking::trackers_of(db, profile).await?;
        let shown_by = (visibility, context.jobs.rates);
        offers = cut.list("offers", offers::newest_of(db, profile, limit, shown_by, now).await?);
        wallet = Some(purse(db, context, profile, &mut cut).await?);
    }
    let items = jobs::newest_line_items(db, &job_ids, limit).await?.into_iter();
    // The destinations of other people's vehicles are not the mechanic's data.
    let is_own = |item: &LineItem| jobs.iter().any(|job| job.id == item.job_id && job.customer_id == id);
    let items = items.map(|item| if is_own(&item) { item } else { item.roughly() }).collect();
    let line_items = cut.list("line_items", items);
    let contact = context.grievances.contact.as_ref();
    Ok(Export {
        exported_at: now.into(),
        user,
        consents: cut.list("consents", notices::newest_of(db, id, limit).await?),
        sessions: cut.list("sessions", auth::sessions_of(db, caller, now).await?),
        vehicles: cut.list("vehicles", vehicles::of_person(db, id).await?),
        mechanic_profile,
        mechanic_suspension_reason,
        last_position,
        parked,
        positions,
        trackers,
        offers,
        line_items,
        job_photos: cut.list("job_photos", jobs::newest_photos(db, &job_ids, limit).await?),
        messages: cut.list("messages", chat::newest_of(db, id, profile, limit).await?),
        jobs,
        refunds: cut.list("refunds", wallet::newest_refunds(db, &payment_ids, limit).await?),
        payments,
        fees: cut.list("fees", payments::unpaid_fees(db, id, limit).await?),
        wallet,
        dispute_statements: cut
            .list("dispute_statements", disputes::statements_of(db, &dispute_ids, limit).await?),
        disputes,
        no_shows: cut
            .list("no_shows", no_shows::of_person(db, id, profile, limit, dispute_window, rates).await?),
        tow_reviews: cut.list("tow_reviews", tow_reviews::of_person(db, id, profile, limit, rates).await?),
        ratings: opinions(db, context, caller, now, &mut cut).await?,
        calls: cut.list("calls", calls::of_person(db, id, limit).await?),
        notifications: cut.list("notifications", notifications::newest_of(db, id, limit).await?),
        notification_preferences: notifications::preferences_of(db, id).await?,
        mails: cut.list("mails", mails::newest_of(db, id, limit).await?),
        push_devices: cut.list("push_devices", notifications::devices_of(db, caller, now).await?),
        uploads: cut.list("uploads", uploads::newest_of(db, id, limit).await?),
        share_links: cut.list("share_links", shares::newest_of(db, id, limit, now).await?),
        grievances: cut.list("grievances", grievances::newest_of(db, id, limit, contact).await?),
        truncated: cut.truncated,
    })
}

async fn purse(
    db: &mut PgConnection,
    context: &LifecycleContext,
    profile: Uuid,
    cut: &mut Cut,
) -> ApiResult<ExportedWallet> {
    let limit = cut.limit();
    Ok(ExportedWallet {
        balances: wallet::of_mechanic(db, profile, &context.settings.currency).await?,
        accounts: cut.list("wallet.accounts", wallet::upi_accounts(db, profile).await?),
        withdrawals: cut.list("wallet.withdrawals", wallet::newest_withdrawals(db, profile, limit).await?),
        transactions: cut.list("wallet.transactions", wallet::newest_transactions(db, profile, limit).await?),
        settlements: cut.list("wallet.settlements", wallet::newest_settlements(db, profile, limit).await?),
    })
}

async fn opinions(
    db: &mut PgConnection,
    context: &LifecycleContext,
    caller: &Caller,
    now: DateTime<Utc>,
    cut: &mut Cut,
) -> ApiResult<ExportedRatings> {
    let (id, profile) = (caller.user_id, caller.mechanic.map(|mechanic| mechanic.profile_id));
    let limit = cut.limit();
    let received = ratings::received(db, id, profile, limit, &context.ratings, now).await?;
    Ok(ExportedRatings {
        given: cut.list("ratings.given", ratings::given(db, id, profile, limit).await?),
        received: cut.list("ratings.received", received),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_to_its_first_rows_and_named_only_if_there_were_more() {
        let mut cut = Cut::new(2);
        assert_eq!(cut.limit(), 3);
        assert_eq!(cut.list("two", vec![1, 2]), [1, 2]);
        assert_eq!(cut.list("three", vec![1, 2, 3]), [1, 2]);
        assert_eq!(cut.truncated, ["three"]);
    }
}
