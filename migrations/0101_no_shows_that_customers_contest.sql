-- Every no-show fee can be contested for a time, whatever proved the arrival: `due` becomes `open`, which waits for an admin.
alter table no_shows
    drop constraint no_shows_status_known,
    add constraint no_shows_status_known check (status ~ '^(due|open|charged|dropped)$') not valid,
    drop constraint no_shows_decided_by_somebody,
    add constraint no_shows_decided_by_somebody
        check ((status = 'charged' or status = 'dropped') = (decided_at is not null)
            and (decided_at is null) = (decided_by is null)) not valid;

-- While it is contested, a fee is not to be paid, and what was earned by a paid one does not clear.
alter table cancellation_fees add column is_contested boolean not null default false;
