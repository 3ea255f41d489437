//! The hooks of the transaction that changes a job, in order. They run besides the writes of its row, its event and its
//! notifications. A new hook is a pair of functions in its area and a line here: what goes with a change, and the function that
//! writes it.
//!
//! The hooks that read the old row, take locks, or may refuse cheaply come before the row is written. The locks have the order
//! that every transaction of the service keeps: user, category, vehicle, case, mechanic, offer, and then the job's own row.
//! Everything that is written because the job changed comes after the row, whose update holds the lock for it.
//!
//! The statements for several jobs do the work of the shared hooks themselves, without waiting for a lock but that of an organisation's
//! account, which comes first; what they can't write is written alone, by all hooks in this order, and so is refused for the same
//! reason.

use crate::{
    accounting::dues::job_hook as dues,
    fleet::{eta::job_hook as trips, mechanics::job_hook as mechanics},
    jobs::{
        corrections::job_hook as corrections,
        job_hook as jobs,
        line_items::job_hook as items,
        log::{self, Hook, HookError, Hooks, OfferChanges},
        on_account::job_hook as on_account,
        towing::job_hook as towing,
    },
    messaging::chat::job_hook as chat,
    money::{no_shows::job_hook as no_shows, tow_reviews::job_hook as tow_reviews},
    offers::job_hook as offers,
    sharing::shares::job_hook as shares,
};

/// Changes that the hook concerns may be written together with those of other jobs.
const SHARED: bool = true;
/// A change that the hook concerns is written in a transaction of its own: the hook reads before it writes, waits for a lock, or is
/// too rare to be worth more.
const ALONE: bool = false;

macro_rules! hooks {
    ($($is_shared:ident: $of:path => $write:path,)*) => {
        &[$(Hook {
            concerns: |change| $of(change).is_some(),
            is_shared: $is_shared,
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
        ALONE: jobs::admin_action => jobs::audit_admins,
        // These lock the people and things that a job which opens is about, in order.
        SHARED: jobs::creation => jobs::lock_customers,
        SHARED: jobs::creation => jobs::lock_subjects,
        ALONE: jobs::reopening => jobs::lock_customers,
        ALONE: jobs::reopening => jobs::lock_subjects,
        ALONE: jobs::free_cancellation => jobs::use_free_cancellations,
        // This locks the account and the profile of the mechanic who gets the job, before the offer that says so.
        SHARED: log::assigned => offers::lock_mechanics,
        // The guard of an accept answers before the row is touched.
        SHARED: OfferChanges::of => offers::write_offers,
        // These come last, since they take the job's own lock.
        ALONE: corrections::correction => corrections::write_corrections,
        ALONE: towing::tow => towing::write_tows,
    ],
    after: hooks![
        SHARED: dues::due => dues::write_dues,
        ALONE: dues::fee => dues::charge_fees,
        ALONE: no_shows::claim => no_shows::keep_claims,
        // The review comes after the due that it holds.
        ALONE: tow_reviews::review => tow_reviews::keep_reviews,
        SHARED: items::changed_item => items::write_items,
        // The approvals refer to the items.
        SHARED: on_account::creation => on_account::insert_jobs,
        SHARED: on_account::promise => on_account::write_promises,
        SHARED: on_account::extra_work => on_account::write_approvals,
        // The mark names the job or the item, so it comes after both.
        SHARED: jobs::mark => jobs::complete_marks,
        // This gives the message the number that the row has just taken.
        ALONE: chat::message => chat::place_messages,
        SHARED: trips::trip => trips::record_trips,
        SHARED: jobs::new_photos => jobs::insert_photos,
        SHARED: mechanics::completed => mechanics::count_completed,
        ALONE: shares::new_time => shares::keep_links,
    ],
};
