-- Why the newest message of a tracker could not be used; null once one can.
alter table trackers
    add column problem text constraint trackers_problem_known
        check (problem in ('unreadable', 'encrypted', 'invalid', 'clock_ahead', 'too_old')),
    add column problem_detail text constraint trackers_problem_detail_length check (char_length(problem_detail) <= 300),
    add column problem_at timestamptz,
    add constraint trackers_problem_whole
        check ((problem is null) = (problem_at is null) and (problem is null) = (problem_detail is null));

-- When they last signed out everywhere: what was connected before that is no longer.
alter table users add column signed_out_at timestamptz;
