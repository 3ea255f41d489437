//! The hooks of the transaction that changes a job, in order. They run besides the writes of its row, its event and its
//! notifications. A new hook is a pair of functions in its area and a line here: what goes with a change, and the function that
//! writes it.
//!
//! The hooks that read the old row, take locks, or may refuse cheaply come before the row is written. The locks have the order
//! that every transaction of the service keeps: user, category, vehicle, mechanic, offer, and then the job's own row. Everything
//! that is written because the job changed comes after the row, whose update holds the lock for it.

use crate::{
    accounting::dues::job_hook as dues,
    fleet::{eta::job_hook as trips, mechanics::job_hook as mechanics},
    jobs::{
        corrections::job_hook as corrections,
        job_hook as jobs,
        line_items::job_hook as items,
        log::{self, Hook, HookError, Hooks, OfferChanges},
        towing::job_hook as towing,
    },
    messaging::chat::job_hook as chat,
    money::{no_shows::job_hook as no_shows, tow_reviews::job_hook as tow_reviews},
    offers::job_hook as offers,
    sharing::shares::job_hook as shares,
};

macro_rules! hooks {
    ($($of:path => $write:path,)*) => {
        &[$(Hook {
            concerns: |change| $of(change).is_some(),
            write: |tx, random, changes| {
                Box::pin(async move {
                    let data: Vec<_> = changes.iter().filter_map(|change| $of(change)).collect();
                    $write(tx, random, &data).await?;
                    Ok::<(), HookError>(())
                })
            },
        }),*]
    };
}

/// All hooks.
pub const HOOKS: Hooks = Hooks {
    before: hooks![
        // This hook reads the row as it was.
        jobs::admin_action => jobs::audit_admins,
        // These lock the people and things that a new or retried job is about, in order.
        jobs::beginning => jobs::lock_customers,
        // These need the lock of the customer's account.
        jobs::open_jobs_limit => jobs::limit_open_jobs,
        jobs::free_cancellation => jobs::use_free_cancellations,
        jobs::beginning => jobs::lock_categories,
        jobs::beginning => jobs::lock_vehicles,
        // This locks the account and the profile of the mechanic who gets the job, before the offer that says so.
        log::assigned => offers::lock_mechanics,
        // The guard of an accept answers before the row is touched.
        OfferChanges::of => offers::write_offers,
        // These come last, since they take the job's own lock.
        corrections::correction => corrections::write_corrections,
        towing::tow => towing::write_tows,
    ],
    after: hooks![
        dues::due => dues::write_dues,
        dues::fee => dues::charge_fees,
        no_shows::claim => no_shows::keep_claims,
        // The review comes after the due that it holds.
        tow_reviews::review => tow_reviews::keep_reviews,
        items::changed_item => items::write_items,
        // The mark names the job or the item, so it comes after both.
        jobs::mark => jobs::complete_marks,
        // This gives the message the number that the row has just taken.
        chat::message => chat::place_messages,
        trips::trip => trips::record_trips,
        jobs::new_photos => jobs::insert_photos,
        mechanics::completed => mechanics::count_completed,
        shares::new_time => shares::keep_links,
    ],
};
