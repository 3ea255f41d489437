-- Why the newest message of a tracker could not be used; null once one can.
alter table trackers add column problem text, add column problem_detail text, add column problem_at timestamptz;
alter table trackers add constraint trackers_problem_known
    check (problem ~ '^(unreadable|encrypted|invalid|clock_ahead|too_old|no_fix)$') not valid;
alter table trackers add constraint trackers_problem_whole
    check ((problem is null) = (problem_at is null) and (problem is null) = (problem_detail is null)) not valid;

-- When they last signed out everywhere: what was connected before that is no longer.
alter table users add column signed_out_at timestamptz;
