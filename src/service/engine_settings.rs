//! Converts the settings file to the engine's settings.

use std::time::Duration;

use chrono::TimeDelta;
use roadcall_actors::{
    concern::Concern,
    settings::{FeePolicy, JobPolicy, Limits, PresencePolicy, Settings as EngineSettings, WatchPolicy},
};

use super::settings::{Settings, WatchSettings};
use crate::catalogue::dispatch_settings::matching_policy;

/// Returns the service's settings as the engine's.
pub fn engine_settings(settings: &Settings) -> EngineSettings {
    let (jobs, fees, dispatch) = (&settings.jobs, &settings.fees, &settings.dispatch);
    EngineSettings {
        jobs: JobPolicy {
            start_code: jobs.start_code,
            wrong_start_codes: jobs.wrong_start_codes,
            start_code_lock: TimeDelta::seconds(jobs.start_code_lock_s),
            arrival_radius_m: jobs.arrival_radius_m,
            correction_radius_m: jobs.correction_radius_m,
            no_show_after: TimeDelta::seconds(jobs.no_show_after_s),
            parked_offer_ttl: TimeDelta::seconds(dispatch.parked_offer_ttl_s),
            no_mechanic_ttl: TimeDelta::seconds(jobs.no_mechanic_ttl_s),
            dispute_window: TimeDelta::seconds(settings.money.dispute_window_s),
        },
        fees: FeePolicy {
            free_after_accept: TimeDelta::seconds(fees.free_after_accept_s),
            flat_paise: fees.cancellation_flat_paise,
            call_out_paise: fees.call_out_paise,
            late_grace: TimeDelta::seconds(fees.late_grace_s),
            dark_after: TimeDelta::seconds(fees.dark_after_s),
            stalled_after: TimeDelta::seconds(fees.stalled_after_s),
        },
        presence: PresencePolicy {
            fresh_position: TimeDelta::seconds(dispatch.fresh_position_s),
            auto_off: TimeDelta::seconds(dispatch.auto_off_s),
            max_accuracy_m: dispatch.max_accuracy_m,
            max_speed_mps: dispatch.max_speed_kmh / 3.6,
            fast_interval_s: dispatch.fast_interval_s,
            unwatched_interval_s: dispatch.unwatched_interval_s,
            slow_interval_s: dispatch.slow_interval_s,
            parked_max: TimeDelta::seconds(settings.presence.parked_max_s),
            parked_radius_m: settings.presence.parked_radius_m,
            parked_unanswered_max: settings.presence.parked_unanswered_max,
        },
        watch: watch_policy(&settings.watch),
        matching: matching_policy(dispatch),
        limits: Limits {
            mailbox: settings.engine.mailbox,
            command_timeout: Duration::from_millis(settings.engine.command_timeout_ms),
        },
    }
}

fn watch_policy(watch: &WatchSettings) -> WatchPolicy {
    let may_reassign = [
        (Concern::Dark, watch.reassign_dark),
        (Concern::Stalled, watch.reassign_stalled),
        (Concern::MovingAway, watch.reassign_moving_away),
        (Concern::Slipping, watch.reassign_slipping),
    ];
    WatchPolicy {
        dark_after: TimeDelta::seconds(watch.dark_after_s),
        stalled_after: TimeDelta::seconds(watch.stalled_after_s),
        stalled_radius_m: watch.stalled_radius_m,
        away_m: watch.away_m,
        away_window: TimeDelta::seconds(watch.away_window_s),
        slip_after: TimeDelta::seconds(watch.slip_after_s),
        near_m: watch.near_m,
        debounce: TimeDelta::seconds(watch.debounce_s),
        tell_after: TimeDelta::seconds(watch.tell_after_s),
        reassign_after: TimeDelta::seconds(watch.reassign_after_s),
        nudge_every: TimeDelta::seconds(watch.nudge_every_s),
        navigation_grace: TimeDelta::seconds(watch.navigation_grace_s),
        navigation_max: TimeDelta::seconds(watch.navigation_max_s),
        may_reassign: may_reassign.into_iter().filter(|(_, may)| *may).map(|(concern, _)| concern).collect(),
    }
}
