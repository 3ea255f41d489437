//! The hooks of the transaction that changes a job, in order. They run besides the writes of its row, its event and its
//! notifications. A new hook is a function in its area and a line here.
//!
//! The hooks that read the old row, take locks, or may refuse cheaply come before the row is written. The locks have the order
//! that every transaction of the service keeps: user, category, vehicle, mechanic, offer, and then the job's own row. Everything
//! that is written because the job changed comes after the row, whose update holds the lock for it.

use crate::{
    accounting::dues,
    fleet::{eta, mechanics},
    jobs::{
        self,
        log::{HookError, Hooks},
    },
    messaging::chat,
    money::{no_shows, tow_reviews},
    offers,
    sharing::shares,
};

macro_rules! hooks {
    ($($hook:path,)*) => {
        &[$(|tx, random, change| {
            Box::pin(async move {
                $hook(tx, random, change).await?;
                Ok::<(), HookError>(())
            })
        }),*]
    };
}

/// All hooks.
pub const HOOKS: Hooks = Hooks {
    before: hooks![
        // This hook reads the row as it was.
        jobs::job_hook::audit_admin,
        // These lock the people and things that a new or retried job is about, in order.
        jobs::job_hook::lock_customer,
        // These need the lock of the customer's account.
        jobs::job_hook::limit_open_jobs,
        jobs::job_hook::use_free_cancellation,
        jobs::job_hook::lock_category,
        jobs::job_hook::lock_vehicle,
        // This locks the account and the profile of the mechanic who gets the job, before the offer that says so.
        offers::job_hook::lock_mechanic,
        // The guard of an accept answers before the row is touched.
        offers::job_hook::write_offers,
        // These come last, since they take the job's own lock.
        jobs::corrections::job_hook::write_correction,
        jobs::towing::job_hook::write_destination,
    ],
    after: hooks![
        dues::job_hook::book_dues,
        no_shows::job_hook::keep_claim,
        // The review comes after the due that it holds.
        tow_reviews::job_hook::keep_review,
        jobs::line_items::job_hook::write_line_item,
        // The mark names the job or the item, so it comes after both.
        jobs::job_hook::complete_mark,
        // This gives the message the number that the row has just taken.
        chat::job_hook::place_message,
        eta::job_hook::record_arrival,
        jobs::job_hook::insert_photos,
        mechanics::job_hook::count_completed,
        shares::job_hook::keep_links,
    ],
};
